"""Which decisions prove anything about hidden pieces, as far as their rules tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.language.evaluate import walk_all
from hoyle.language.ir import Cell, Contents, Empty, Expr, Pile, Piles
from hoyle.language.model import Move, Obligation, Prefer, PreferMoves
from hoyle.language.syntax import Form
from hoyle.running.machine import Facts, Point


class Scope(Struct, frozen=True):
    """Information about hidden pieces in the legality of moves at a decision.

    `matters` is true if legality depends on hidden pieces. `apart` is true if it depends on each of them alone. `plain`
    is the number of the move that was made, without an addition that proves more.
    """

    matters: bool
    apart: bool
    plain: int = -1


NOTHING = Scope(False, False)


def scope(game: Compiled, points: tuple[Point, ...], made: int | None) -> Scope:
    """Return what a decision reveals. `made` is the number of the move made there; None if nobody could move."""
    key = ("players", "scope", made, *(point.label for point in points))
    if key not in game.cache:
        game.cache[key] = _scope(game, points, made)
    found: Scope = game.cache[key]
    return found


def scope_of_block(game: Compiled, pc: int) -> Scope:
    """Return what it reveals that a block stopped at none of its possible decisions."""
    points = tuple(asked_in(game, pc))
    return scope(game, points, None) if points else NOTHING


def _scope(game: Compiled, points: Sequence[Point], made: int | None) -> Scope:
    """Return what the legality of a move reveals about hidden pieces.

    Only pieces and state that exactly one player sees matter. Facts hidden from every player cannot affect a choice.
    """
    hidden = frozenset(f.name for f in game.ruleset.piles.values() if f.face == "owner")
    hidden |= {f.name for f in game.ruleset.state.values() if f.secret}
    added = {number: plain for point in points for number, plain in additions(game, point).items()}
    obey = [obligation for point in points for obligation in point.obey]
    moves = [move for point in points for move in point.moves if move.number not in added]
    if made is not None and not obey:  # what else was legal makes no difference
        moves = [move for move in moves if move.number == added.get(made, made)]
    judging = [looked_into(*judging_formulas(game, move, obey)) & hidden for move in moves]
    listing = [looked_into(*(take.source for take in m.takes), *(e for _, e in m.withs), m.put) & hidden for m in moves]
    if not any(judging) and not (any(listing) and (obey or made is None)) and made not in added:
        return NOTHING
    chosen = all(type(o.demand) in (Prefer, PreferMoves) and o.callable is None for o in obey)
    single = all(
        all(take.any_piece or not looked_into(take.source) & hidden for take in m.takes)
        and not looked_into(*(e for _, e in m.withs), m.put) & hidden
        for m in moves
    )
    apart = chosen and single and not any(judging)
    return Scope(True, apart, added.get(made, made) if made is not None else -1)


def looked_into(*formulas: Expr | None) -> frozenset[str]:
    """Return the families that the formulas read. Tests for an empty pile do not count."""
    found: Counter[str] = Counter()
    for e in (e for formula in formulas if formula is not None for e in walk_all(formula)):
        if isinstance(e, Cell | Pile | Piles):
            found[e.ref.family] += 1
        elif isinstance(e, Empty):
            inner = e.value.value if isinstance(e.value, Contents) else e.value
            found[inner.ref.family if isinstance(inner, Pile) else ""] -= 1
    return frozenset(family for family, count in found.items() if count > 0)


def judging_formulas(game: Compiled, move: Move, obey: Sequence[Obligation]) -> Iterator[Any]:
    """The formulas that decide whether an action is legal, besides its bindings."""
    rules = game.ruleset
    yield from (c.expr for c in move.conditions)
    yield from (var.value for var in move.lets)
    for o in obey:
        judged = rules.judged.get((o.name, move.name))
        yield from judged if isinstance(judged, tuple) else (judged,)
        yield from (o.when, o.callable, rules.apart.get((o.name, move.name)))


def additions(game: Compiled, point: Point) -> dict[int, int]:
    """Moves that are another move with an addition, by number, and the number of that. They are legal only if it is,
    and obligations treat both alike."""
    return {
        move.number: plain.number
        for move in point.moves
        for plain in point.moves
        if move is not plain and _adds_to(move, plain) and all(_alike(o, move, plain) for o in point.obey)
    }


def _adds_to(move: Move, plain: Move) -> bool:
    own, fewer = ([c.expr.span for c in m.conditions] for m in (move, plain))
    return _bound(move) == _bound(plain) and not plain.lets and fewer == own[: len(fewer)] and len(own) > len(fewer)


def _bound(move: Move) -> list[object]:
    """Return the spans of a move's bindings."""
    put = move.put.span if move.put is not None else None
    return [*((t.source.span, t.any_piece) for t in move.takes), *(e.span for _, e in move.withs), put]


def _alike(obligation: Obligation, move: Move, plain: Move) -> bool:
    demand = obligation.demand
    if isinstance(demand, PreferMoves):
        same = (move.name in demand.moves) == (plain.name in demand.moves)
    else:
        same = isinstance(demand, Prefer) and not _names_move(demand.form)
    over = obligation.over
    return same and obligation.each is None and (over is None or (move.name in over) == (plain.name in over))


def _names_move(form: Form) -> bool:
    return form.name == "move" or any(_names_move(part) for part in form.parts if part is not None)


def asked_in(game: Compiled, pc: int) -> list[Point]:
    """The decisions that a block may stop at."""
    return [game.machine.points[n] for n in _facts(game)[f"b{pc}"].asks if n in game.machine.points]


def is_looking(game: Compiled, pc: int, *, is_action: bool = False) -> bool:
    """Does a block look at pieces or at secret state? `is_action`: or what an action of the decision of this number does."""
    name = f"{'a' if is_action else 'b'}{pc}"
    return _facts(game)[name].reads_pieces or any(family.secret for family in game.ruleset.state.values())


def _facts(game: Compiled) -> dict[str, Facts]:
    key = ("players", "facts")
    if key not in game.cache:
        game.cache[key] = game.machine.facts()
    facts: dict[str, Facts] = game.cache[key]
    return facts
