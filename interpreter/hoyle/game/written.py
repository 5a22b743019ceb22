"""How the id of a move is written, whatever is on the table: as a pattern, and one to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hoyle.game.compiled import Compiled
from hoyle.language.ir import Var
from hoyle.language.kinds import Kind, bounds, families_of
from hoyle.language.model import Move
from hoyle.running.naming import slug


class Written(NamedTuple):
    """A pattern of casefolded text, and a text that it fits."""

    pattern: str
    shown: str


def whole_id(game: Compiled, move: Move) -> Written:
    """The name, whatever the move can be bound to, in order, and the number behind ids that would be the same."""
    parts = [Written(re.escape(slug(move.name).casefold()), slug(move.name)), *_parts(game, move)]
    pattern = " ".join(part.pattern for part in parts) + r"(?: \(\d+\))?"
    return Written(pattern, " ".join(part.shown for part in parts))


def _parts(game: Compiled, move: Move) -> Iterator[Written]:
    if move.taken is not None:
        origin, card = move.taken
        if any(take.any_piece for take in move.takes):
            yield _of_kind(game, card.kind)
        if game.namer.several_origins(move, origin):
            yield _piles(game, origin)
    for var, _ in move.withs:
        yield _of_kind(game, var.kind)
    if move.aim is not None:
        place = _piles(game, move.aim)
        yield Written(f"-> {place.pattern}", f"-> {place.shown}")


def _of_kind(game: Compiled, kind: Kind) -> Written:
    match kind.name:
        case "list":
            item = _of_kind(game, kind.of_item)
            return Written(f"(?:{item.pattern})(?: {item.pattern})*", item.shown)
        case "number":
            return Written(r"(?:-?\d+|none)", str(bounds(kind)[0]))
        case "bool":
            return _one_of(["true", "false"])
        case "piece":
            return _one_of(game.namer.signs)
        case "pile":
            return _piles(game, Var("", kind))
        case _:
            names = (game.namer.key_name(kind, n) for n in range(game.count_of(kind.maybe(False))))
            return _one_of(slug(name) if kind.name in ("row", "choice") else name for name in names)


def _piles(game: Compiled, var: Var) -> Written:
    """Any pile that may be meant, as whoever acts would write it."""
    namer, families = game.namer, families_of(var.kind)
    numbers = [n for n in range(len(game.machine.pile_names)) if not families or namer.family(n).name in families]
    return _one_of(namer.pile_token(n, var, actor) for n in numbers for actor in range(len(game.seats)))


def _one_of(words: Iterable[str]) -> Written:
    known = list(dict.fromkeys(words))
    return Written(f"(?:{'|'.join(re.escape(word.casefold()) for word in [*known, 'none'])})", known[0])
