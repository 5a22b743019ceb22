"""Games so small that the right moves are known, and what each move comes to by hand, without the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from engines import engine, engine_of
from msgspec import structs

from interpreter import Game, State, load
from interpreter.native.made import with_native

CHIPS = """
tables: {sorts: {rows: {one: {}}}}
pieces: {chip: {of: [sorts], from: bag}}
piles: {bag: {}}
"""
NIM = """
notes: {§1: "One, two or three stones in turn; whoever takes the last one wins."}
players: {count: 2, seats: [A, B]}
pieces: {stone: {copies: 9, from: heap}}
piles: {heap: {}, gone: {}}
state: {last: {kind: player, optional: true}}
moves:
  take stones:
    rule: {at: §1, en: "One, two or three stones are taken."}
    with: {n: 1..3}
    if: {are there: n <= count(heap)}
    then: {off: {move: "first(heap, n)", from: heap, to: gone}, mine: {set: {last: me}}}
flow:
  game: {go: {turns: take, from: A, until: heap is empty}}
  take: {taking: {choose: [take stones]}}
result: {best: if last is p then 1 else 0}
"""
"""Who leaves four stones, or eight, wins."""
RISK = """
notes: {§1: "A coin for sure wins; who stakes it, with either hand, gets twenty if a five or a six falls, and else the other gets one."}
players: {count: 2, seats: [A, B]}
use: [dice]
pieces: {die: {of: [faces], copies: 1, from: cup}}
piles: {cup: {holds: die}, thrown: {holds: die}}
state: {score: {each: player, range: 0..20}}
moves:
  keep:
    rule: {at: §1, en: "A coin is kept."}
    then: {mine: {score: 1, to: me}}
  stake:
    rule: {at: §1, en: "A coin is staked."}
    then:
      throw: {roll: 1, from: cup, to: thrown}
      won: {when: top(thrown).face.order >= 5, score: 20, to: me}
      lost: {when: top(thrown).face.order < 5, score: 1, to: opponent of me}
  stake otherwise:
    rule: {at: §1, en: "A coin is staked with the left hand."}
    like: stake
flow:
  game: {only: {by: A, choose: [keep, stake, stake otherwise]}}
result: {best: score of p}
"""
"""Staking wins a third of the games, and gains six points a game."""
RACE = """
notes: {§1: "One of two men runs as far as is thrown, 1 to 3."}
players: {count: 2, seats: [A, B]}
state:
  front:  {each: player, range: 0..4, starts: 4}
  back:   {each: player, range: 0..4, starts: 2}
  thrown: {range: 0..3}
terms: {"is_home(p)": front of p is 0 and back of p is 0}
moves:
  run in front: {rule: {at: §1, en: In front.}, if: {there: front of me > 0}, then: {run: {set: {front of me: "max(front of me - thrown, 0)"}}}}
  run behind:   {rule: {at: §1, en: Behind.}, if: {there: back of me > 0}, then: {run: {set: {back of me: "max(back of me - thrown, 0)"}}}}
flow:
  game: {all: {turns: turn, from: A, until: "some p in players has is_home(p)"}}
  turn: {throw: {lots: 1..3, into: thrown}, run: {choose: [run in front, run behind]}}
result: {best: 0 - front of p - back of p}
"""
"""Who has both men home first has won; the better, the further the other's still have to go."""
WALK = """
notes: {§1: "To the left or to the right."}
players: {count: 2, seats: [A, B]}
state: {place: {range: 0..4, starts: 2}}
moves:
  left:  {rule: {at: §1, en: Left.}, if: {there: place > 0}, then: {go: {set: {place: place - 1}}, end: {when: place is 0, leave: game}}}
  right: {rule: {at: §1, en: Right.}, then: {go: {set: {place: place + 1}}, end: {when: place is 4, leave: game}}}
flow:
  game: {all: {by: A, play: [left, right]}}
result:
  best: if p is A then place else 0
"""
"""It may go on for ever."""
HEAPS = """
notes: {§1: "One or two chips off a heap; who takes the last scores what the heaps were counted as."}
players: {count: 2, seats: [A, B]}
state:
  heap:  {each: 1..3, range: 0..4, starts: 2}
  score: {each: player, range: 0..20}
moves:
  take chips:
    rule: {at: §1, en: One or two.}
    with: {h: 1..3, n: 1..2}
    if: {there: n <= heap of h}
    then:
      off: {set: {heap of h: heap of h - n}}
      scored: {when: heap of h is 0, score: h * h, to: me, as: {en: a heap}}
flow:
  game: {all: {turns: turn, from: A, until: sum(heap of h for h in 1..3) is 0}}
  turn: {take: {choose: [take chips]}}
result: {best: score of p}
"""
"""The last chip of a heap counts, the more the further to the right."""
_TWO = "{count: 2, seats: [A, B]}"
TEXTS = {
    "nim": NIM,
    "risk": RISK,
    "race": CHIPS + RACE,
    "walk": CHIPS + WALK,
    "alone": CHIPS + WALK.replace(_TWO, "{count: 1, seats: [A]}"),
    "heaps": CHIPS + HEAPS,
    "heaps3": CHIPS + HEAPS.replace(_TWO, "{count: 3, seats: [A, B, C]}"),
}


@cache
def small(name: str) -> Game:
    with TemporaryDirectory() as folder:
        place = Path(folder) / f"{name}.yaml"
        head = f"ruleset: 1\ngame: {name}\nsource: {{text: A small game., year: 2026}}\n"
        place.write_text(head + TEXTS[name], encoding="utf-8")
        return load(place)


def natively(one: Game) -> Game:
    """The game with the native engine."""
    built = engine_of(one) if one.name in TEXTS else engine(one.name)
    return Game(structs.replace(one.compiled, machine=with_native(one.machine, built)))


def nim_with(stones: int) -> State:
    """Nim with so many stones left, which were taken one by one."""
    state = small("nim").start()
    while state.view(None).piles[0].count > stones:
        state = state.play("take-stones 1")
    return state


def reward(won: float, change: float, scale: float = 1.0) -> float:
    """What an end is worth."""
    return 0.9 * won + 0.1 * (0.5 + 0.5 * change / (abs(change) + scale))


# ---- the race --------------------------------------------------------------------------------------------------------

Men = tuple[int, int]


def race(men: Men, scale: float) -> Callable[[Men, Men, int], list[float]]:
    """What moves come to for the seat that acts: from its men, the other's and the throw. Both began with `men`."""

    @cache
    def thrown(own: Men, other: Men) -> float:
        """Before the throw."""
        return sum(max(moves(own, other, die)) for die in (1, 2, 3)) / 3

    def after(own: Men, other: Men) -> float:
        """After the move."""
        if own == (0, 0):
            return reward(1.0, sum(other), scale)
        return 1 - thrown(other, own)

    def moves(own: Men, other: Men, die: int) -> list[float]:
        front, back = own
        found = [after((max(front - die, 0), back), other)] if front else []
        return found + ([after((front, max(back - die, 0)), other)] if back else [])

    return moves


# ---- without chance --------------------------------------------------------------------------------------------------


def by_hand(state: State, lead: Sequence[float], scale: float) -> list[list[float]]:
    """What each move comes to for each side, by playing on in every way. Of equally good moves the first is made."""
    return [_after(state.play(move), lead, scale) for move in state.moves()]


def _after(state: State, lead: Sequence[float], scale: float) -> list[float]:
    seats = state.game.seats
    if state.is_over:
        scores = [state.scores[seat] for seat in seats]
        leads = [own - (sum(scores) - own) / (len(seats) - 1) for own in scores]
        won = [(seat in state.winners) / len(state.winners) for seat in seats]
        return [reward(w, now - then, scale) for w, now, then in zip(won, leads, lead, strict=True)]
    own = seats.index(state.to_act or "")
    return max(by_hand(state, lead, scale), key=lambda found: found[own])
