"""Games so small that what each move comes to can be worked out by hand, and how that is done without the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from interpreter import Game, State, load

HEAD = """
ruleset: 1
game: NAME
source: {text: A small game., year: 2026}
tables: {sorts: {rows: {one: {}}}}
pieces: {chip: {of: [sorts], from: bag}}
piles: {bag: {}}
"""
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
ALONE = WALK.replace("{count: 2, seats: [A, B]}", "{count: 1, seats: [A]}")
HEAPS = """
notes: {§1: "One or two chips off a heap; who takes the last scores what the heaps were counted as."}
players: {count: COUNT, seats: [A, B, C]}
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


def small(folder: Path, name: str, text: str) -> Game:
    place = folder / f"{name}.yaml"
    place.write_text(HEAD.replace("NAME", name) + text, encoding="utf-8")
    return load(place)


def reward(won: float, change: float, scale: float = 1.0) -> float:
    """What an end is worth."""
    return 0.9 * won + 0.1 * (0.5 + 0.5 * change / (abs(change) + scale))


# ---- the race --------------------------------------------------------------------------------------------------------

Men = tuple[int, int]


def race(men: tuple[Men, Men], begun: tuple[Men, Men], scale: float) -> Callable[[Men, Men, int], list[float]]:
    """What the moves of whoever acts come to for him, by hand: from his men, the other's and what he threw. `begun`: how both stood at first."""
    before = sum(begun[1]) - sum(begun[0])

    @cache
    def thrown(own: Men, other: Men) -> float:
        """Before he throws."""
        return sum(max(moves(own, other, die)) for die in (1, 2, 3)) / 3

    def after(own: Men, other: Men) -> float:
        """Of somebody who has moved."""
        if own == (0, 0):
            return reward(1.0, sum(other) - sum(own) - before, scale)
        return 1 - thrown(other, own)

    def moves(own: Men, other: Men, die: int) -> list[float]:
        front, back = own
        found = [after((max(front - die, 0), back), other)] if front else []
        return found + ([after((front, max(back - die, 0)), other)] if back else [])

    assert before == 0, "else it is not the same for both"
    return moves


# ---- without chance --------------------------------------------------------------------------------------------------


def by_hand(state: State, lead: Sequence[float], scale: float) -> list[list[float]]:
    """What each move comes to for each side, by playing on in every way. Who has several that are equally good makes the first."""
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
