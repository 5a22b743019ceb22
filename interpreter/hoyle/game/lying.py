"""Why no move is about a piece that is named alone: nobody who acts sees it, it lies covered, nothing takes it, or no place is there for it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hoyle.game.bindings import piles_in
from hoyle.game.compiled import Compiled
from hoyle.game.refusals import places, refusal
from hoyle.game.spelling import plain_words
from hoyle.game.view import sees
from hoyle.language.kinds import List, Piece
from hoyle.language.model import Move, Take, Texts
from hoyle.running.machine import Point
from hoyle.running.state import Core


class Lying(Struct, frozen=True):
    """Where a piece lies that whoever acts sees: in which pile, at which height, and what on top of it (None: nothing that is seen)."""

    pile: int
    height: int
    above: int
    covered_by: int | None


def piece_named(game: Compiled, wanted: str) -> int | None:
    """The class of piece that plain words name. A number alone is none: it may be anything."""
    signs = enumerate(game.namer.signs)
    named = (n for n, sign in signs if plain_words(sign, game.namer.readings) == wanted)
    return None if wanted.isdigit() else next(named, None)


def seen_lying(game: Compiled, core: Core, cls: int) -> Iterator[Lying]:
    """Where whoever acts sees such a piece."""
    for number, pile in enumerate(core.piles[: len(game.machine.face)]):
        size = len(pile)
        for height, piece in enumerate(pile):
            if piece >> 1 == cls and sees(game, number, height, size, piece, core.actor):
                yield Lying(number, height, size - 1 - height, _seen_at(game, core, number, height + 1))


def _seen_at(game: Compiled, core: Core, number: int, height: int) -> int | None:
    pile = core.piles[number]
    there = height < len(pile) and sees(game, number, height, len(pile), pile[height], core.actor)
    return pile[height] if there else None


def no_move_of(game: Compiled, core: Core, point: Point, cls: int) -> Texts:
    """What stands in the way of the piece that is nearest to being moved."""
    found = [(lies, _takes(game, core, point, lies.pile)) for lies in seen_lying(game, core, cls)]
    if not found:
        return refusal("not_seen", piece=lambda lang: game.namer.shown(lang)[cls])
    lies, takes = min(found, key=lambda one: (not one[1], one[0].above))
    where = places(game, core, [lies.pile])
    if not takes:
        key = "not_alone" if _may_be_among(game, point, lies.pile) else "not_taken_now"
        return refusal(key, piece=lambda lang: game.namer.shown(lang)[cls], pile=where)
    if not lies.above or any(take.any_piece for take in takes):
        return refusal("nowhere", piece=lambda lang: game.namer.shown(lang)[cls])
    return _covered(game, cls, lies.covered_by, core, lies.pile)


def _covered(game: Compiled, cls: int, by: int | None, core: Core, pile: int) -> Texts:
    above = "?" if by is None else None
    return refusal(
        "covered",
        piece=lambda lang: game.namer.shown(lang)[cls],
        above=lambda lang: above or game.namer.piece(by or 0, lang),
        pile=places(game, core, [pile]),
    )


def _takes(game: Compiled, core: Core, point: Point, pile: int) -> list[Take]:
    """By which moves of this decision something is taken from this pile."""
    return [take for move in point.moves for take in move.takes if pile in _sources(game, core, move, take)]


def _may_be_among(game: Compiled, point: Point, pile: int) -> bool:
    """Does a move of this decision name several pieces that may lie there?"""
    family = game.namer.family(pile).name
    items = [var.kind.item for move in point.moves for var, _ in move.withs if isinstance(var.kind, List)]
    return any(isinstance(item, Piece) and family in (item.families or (family,)) for item in items)


def _sources(game: Compiled, core: Core, move: Move, take: Take) -> list[int]:
    return piles_in(take.source, game.setting(core), {move.me: core.actor})
