"""Two histories of a game that one seat cannot tell apart: two cards that it never saw change places in a shuffle, and everything
that follows from it is played again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle import Game, State
from hoyle.diagnostics import Refused
from hoyle.running.state import CHANCE, MIXED, Core, Event


class Script:
    """A source of chance that gives what happened in another game, with as little changed as the pieces there demand."""

    def __init__(self, happened: Sequence[Event]) -> None:
        self.happened = list(happened)
        self.dice: list[int] = []

    def copy(self) -> Script:
        return self

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        left, found = Counter(items), []
        for piece in self.happened.pop(0)[2]:
            fits = left[piece] > 0
            found.append(piece if fits else -1)
            left[piece] -= fits
        others = iter(left.elements())
        return [piece if piece >= 0 else next(others) for piece in found][: len(items)]

    def roll(self, kinds: Sequence[int]) -> int:
        if not self.dice:
            self.dice = [piece >> 1 for piece in self.happened.pop(0)[2]]
        return self.dice.pop(0)

    def lots(self, items: Sequence[Any], label: int) -> Any:
        return self.happened.pop(0)[2]


@dataclass
class History:
    """What chance did, the moves (seat, id), and the state before each of them and after the last."""

    chance: list[Event]
    moves: list[tuple[str, str]]
    states: list[State]


def walked(game: Game, seed: int, steps: int) -> History:
    pick, state = random.Random(seed), game.start(seed)
    states: list[State] = [state]
    moves: list[tuple[str, str]] = []
    while not state.is_over and len(moves) < steps:
        move = pick.choice(state.moves())
        moves.append((move.seat, move.id))
        state = state.play(move)
        states.append(state)
    return History(chance_in(state), moves, states)


def chance_in(state: State) -> list[Event]:
    return [e for e in state.core.log or () if e[0] in CHANCE]


def beginning(history: History, steps: int) -> History:
    """The first moves of a history, all of them if there are not so many."""
    states = history.states[: steps + 1]
    return History(chance_in(states[-1]), history.moves[:steps], states)


def lies_seen(game: Game, core: Core, number: int, height: int, player: int) -> bool:
    """Does a player see the piece there? The rules of faces, said once more."""
    family, pile = game.namer.family(number), core.piles[number]
    if family.face == "owner":
        return game.namer.owner(number) == player or pile[height] % 2 == 1
    return pile[height] % 2 == 1 and (family.face != "top seen" or height == len(pile) - 1)


Seen = tuple[object, ...]


def observed(state: State, seat: str) -> Seen:
    """What the rules let a seat observe: pieces, public state and its own, what was announced, whose turn it is."""
    game, core, player = state.game, state.core, state.game.seats.index(seat)
    pieces = [
        [piece if lies_seen(game, core, n, h, player) else None for h, piece in enumerate(pile)]
        for n, pile in enumerate(core.piles[:-1])
    ]
    cells = [
        core.cells[family.base + m] if not family.secret or m // _inner(game, family) == player else None
        for family in game.ruleset.state.values()
        for m in range(family.size)
    ]
    said = [e for e in core.log or () if _is_told(game, e)]
    return pieces, cells, said, core.actor, core.pc, core.over


def _is_told(game: Game, event: Event) -> bool:
    """Is everybody told all of it? What is announced, public points, and moves that are made openly."""
    if event[0] == "move":
        point = game.machine.points[event[2]]
        return not point.together and any(m.openly and m.number == event[3][0] for m in point.moves)
    return event[0] == "say" or (event[0] == "score" and _is_public(game, event[3]))


def _inner(game: Game, family: Any) -> int:
    return family.size // len(game.seats) if family.each is not None and family.each.name == "player" else 10**9


def _is_public(game: Game, cell: int) -> bool:
    return not any(f.secret and f.base <= cell < f.base + f.size for f in game.ruleset.state.values())


def unseen(state: State, seat: str) -> list[int]:
    """The classes of the pieces that a seat does not see now, once for each piece."""
    player, core = state.game.seats.index(seat), state.core
    return [
        piece >> 1
        for n, pile in enumerate(core.piles[:-1])
        for h, piece in enumerate(pile)
        if not lies_seen(state.game, core, n, h, player)
    ]


def exchanged(history: History, seat: str, seed: int, tries: int = 10) -> Iterator[tuple[History, int, int]]:
    """Histories with two unseen pieces exchanged in which the seat observes the same all along, and which pieces they are."""
    pick, game = random.Random(seed), history.states[0].game
    seen = [observed(state, seat) for state in history.states]
    for _ in range(tries):
        classes = sorted(set(unseen(history.states[-1], seat)))
        if len(classes) < 2:
            return
        first, second = pick.sample(classes, 2)
        found = _played_again(game, history, seen, seat, first, second, pick)
        if found is not None:
            yield found, first, second


def _played_again(
    game: Game, history: History, seen: Sequence[Seen], seat: str, first: int, second: int, pick: random.Random
) -> History | None:
    """`seen`: what the seat observed in each state of the history."""
    chance = _swapped(history.chance, first, second, pick)
    if chance is None:
        return None
    try:
        states = [game.start(chance=Script(chance))]
        moves: list[tuple[str, str]] = []
        if observed(states[-1], seat) != seen[0]:
            return None
        for (mover, ident), wanted in zip(history.moves, seen[1:], strict=True):
            other = _renamed(game, ident, first, second)
            tried = _as_observed(states[-1], [ident] if mover == seat else [ident, other], wanted, seat)
            if tried is None:
                return None
            moves.append((mover, tried[0]))
            states.append(tried[1])
    except (Refused, IndexError):
        return None
    return History(chance, moves, states)


def _as_observed(state: State, idents: Sequence[str], wanted: Seen, seat: str) -> tuple[str, State] | None:
    """The first of these moves after which the seat observes what it did."""
    legal = {move.id: move for move in state.moves()}
    if state.to_act == seat:
        assert idents[0] in legal, f"{idents[0]} is offered to {seat} or not, as it pleases pieces it cannot see"
    for ident in dict.fromkeys(idents):
        if ident in legal:
            core = state.core.copy()
            if isinstance(core.chance, Script):
                core.chance = Script(core.chance.happened)
            after = State(state.game, core)
            after.play_here(ident)
            if observed(after, seat) == wanted:
                return ident, after
    return None


def _swapped(chance: Sequence[Event], first: int, second: int, pick: random.Random) -> list[Event] | None:
    """One piece of each class changes places in the last shuffle or cut that has both."""
    for at in range(len(chance) - 1, -1, -1):
        if chance[at][0] not in MIXED:
            continue
        order = list(chance[at][2])
        firsts = [i for i, piece in enumerate(order) if piece >> 1 == first]
        seconds = [i for i, piece in enumerate(order) if piece >> 1 == second]
        if firsts and seconds:
            i, j = pick.choice(firsts), pick.choice(seconds)
            order[i], order[j] = order[j], order[i]
            return [*chance[:at], (*chance[at][:2], tuple(order)), *chance[at + 1 :]]
    return None


def _renamed(game: Game, ident: str, first: int, second: int) -> str:
    signs = {game.namer.signs[first]: game.namer.signs[second], game.namer.signs[second]: game.namer.signs[first]}
    return " ".join(signs.get(word, word) for word in ident.split(" "))
