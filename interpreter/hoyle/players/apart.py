"""What it proves of each hidden piece by itself that somebody made a move, or could make none.

Where obligations only prefer, and nothing else looks at a hand, a move that is legal from a hand is legal from every part of it that
still has the piece moved; and it is not legal from a hand exactly if some one piece besides forbids it. So each class is asked alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.view import sees
from hoyle.running.places import STOP
from hoyle.running.state import Action, Core

Excluded = tuple[list[int], int]
"""Marks, and the classes that their pieces cannot have: a bit for each."""
Marked = Sequence[Sequence[int]]


def by_move(
    game: Compiled, player: int, before: Core, action: Action, piles: Marked, may: Mapping[int, int]
) -> Iterator[Excluded]:
    """What a move proves of the hands of who made it; the seat knows all of the move."""

    def legal(core: Core) -> bool:
        asked = game.machine.blocks[before.pc](core) == STOP
        return asked and (core.pc, core.actor) == (before.pc, before.actor) and action in core.acts

    moved = _taken(game, before, action)
    for pile in _hands(game, before, before.actor):
        yield from _excluded(game, player, before, pile, moved, piles, may, legal)


def by_block(
    game: Compiled, player: int, core: Core, pc: int, piles: Marked, may: Mapping[int, int]
) -> Iterator[Excluded]:
    """What it proves that nobody was asked where a block would ask who can do something."""
    for other in range(len(game.seats)):
        if other == player:
            continue

        def passed(tried: Core, other: int = other) -> bool:
            return game.machine.blocks[pc](tried) != STOP or tried.actor != other

        for pile in _hands(game, core, other):
            yield from _excluded(game, player, core, pile, None, piles, may, passed)


def _hands(game: Compiled, core: Core, actor: int) -> Iterator[int]:
    """The piles that a player looks at and others do not."""
    yield from (n for n, whose in enumerate(game.machine.hands) if whose == actor and core.piles[n])


def _taken(game: Compiled, before: Core, action: Action) -> tuple[int, int] | None:
    """The pile that a piece is taken from, and the piece."""
    move = next(m for m in game.machine.points[before.pc].moves if m.number == action[0])
    if move.taken is None:
        return None
    origin, card = (action[1 + move.bindings.index(var)] for var in move.taken)
    return origin, card


def _excluded(
    game: Compiled,
    player: int,
    core: Core,
    number: int,
    moved: tuple[int, int] | None,
    piles: Marked,
    may: Mapping[int, int],
    so: Callable[[Core], bool],
) -> Iterator[Excluded]:
    """Of one hand: its marks, and the classes with which it would not have been so."""
    pile = core.piles[number]
    unseen = [h for h, p in enumerate(pile) if not sees(game, number, h, len(pile), p, player)]
    marks = [piles[number][h] for h in unseen if piles[number][h] in may]
    asked = 0
    for mark in marks:
        asked |= may[mark]
    sorts = [c for c in range(asked.bit_length()) if asked >> c & 1]
    tried = _Tried(game, core, number, unseen, moved, so)
    if sorts and not tried(sorts):
        bad = sum(1 << c for c in sorts if not tried([c]))
        if bad:
            yield marks, bad


class _Tried:
    """Would it have been so with nothing unseen in the hands of a player but these?"""

    def __init__(
        self,
        game: Compiled,
        core: Core,
        number: int,
        unseen: Sequence[int],
        moved: tuple[int, int] | None,
        so: Callable[[Core], bool],
    ) -> None:
        self.core, self.number, self.so = core, number, so
        hidden = frozenset(unseen)
        self.rest = [p for h, p in enumerate(core.piles[number]) if h not in hidden]
        self.others = [n for n in _hands(game, core, game.machine.hands[number]) if n != number]
        self.moved = moved

    def __call__(self, sorts: Sequence[int]) -> bool:
        tried = self.core.tried()
        tried.looking = False
        for n in self.others:
            tried.piles[n] = []
        tried.piles[self.number] = [*self.rest, *(2 * c for c in sorts)]
        if self.moved is not None and self.moved[1] not in tried.piles[self.moved[0]]:
            tried.piles[self.moved[0]].append(self.moved[1])
        try:
            return self.so(tried)
        except Refused:
            return True
