"""Apply a ruleset's display hints to a state: which piles and values are shown, in which order, and how boards are
turned.

Hints are evaluated in a public state, in which every piece that not everybody sees is absent. So no hint betrays
one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.analysis import ANY, Effect, EffectReader
from hoyle.compiling.game import function_of
from hoyle.game.compiled import Compiled
from hoyle.game.pieces import Measure, make_hand_piece, piece_rows, sort_hand
from hoyle.game.spelling import value_name
from hoyle.language.display import PileHint, ShownValue
from hoyle.language.evaluate import Setting, evaluate, is_absent
from hoyle.language.ir import ABSENT, Expr, Var
from hoyle.language.model import Family
from hoyle.language.step_analysis import Touched, list_reads
from hoyle.language.steps import mentions
from hoyle.language.value_types import UNKNOWN, Number, Row, ValueType, get_families
from hoyle.running.state import Core
from hoyle.view_data import BoardView

NEAREST_PHASES = 2
"""Phases around a decision that count, from the innermost out: also the one it is part of, such as a trick."""


def fillable_families(game: Compiled, core: Core) -> frozenset[str] | None:
    """Return the families of piles that may be filled before the phases around this decision end.

    None means any family. After the end of the game there are none."""
    point = game.machine.points.get(core.pc)
    if core.over or point is None:
        return frozenset() if core.over else None
    key = ("filled", point.path)
    if key not in game.cache:  # None is a result, too
        game.cache[key] = _families_filled(game, point.path)
    found: frozenset[str] | None = game.cache[key]
    return found


def _families_filled(game: Compiled, path: tuple[str, ...]) -> frozenset[str] | None:
    reader, effect = EffectReader(game.ruleset), Effect()
    phases = {name for name, _ in game.ruleset.phases}
    for name in [step for step in path[:-1] if step in phases][-NEAREST_PHASES:] or ["game"]:
        for acting in (False, True):
            effect.add(reader.effect_of_phase(name, acting))
    effect.add(reader.effect_of_rules())
    return None if ANY in effect.fills else frozenset(name for section, name in effect.fills if section == "piles")


Sees = Callable[[int, int, int, int], bool]
"""Return whether everybody sees a piece. Arguments: number of the pile, height, number of pieces, piece."""


class Hint(Struct, frozen=True):
    """A formula compiled to a function of piles, cells and its variables, and the families of piles that it may
    read."""

    run: Callable[..., Any]
    looks: Touched


class PublicState(Struct, frozen=True):
    """A state as everybody may know it, and the families of piles in which something is hidden."""

    game: Compiled
    setting: Setting
    hidden: Touched

    def value(self, expr: Expr, names: Mapping[Var, Any]) -> Any:
        """Evaluate a formula. Compiled formulas need all pieces; if some that it may read are hidden, the formula is
        interpreted."""
        hint = self._hint(expr, tuple(names))
        if not hint.looks.isdisjoint(self.hidden):
            return evaluate(expr, self.setting, dict(names))
        found = hint.run(self.setting.piles, self.setting.cells, *names.values())
        return bool(found) if expr.type.name == "bool" else found

    def _hint(self, expr: Expr, names: tuple[Var, ...]) -> Hint:
        def compile_hint() -> Hint:
            piles = [get_families(var.type) for var in names if var.type.name in ("pile", "list")]
            return Hint(function_of(expr, names, self.game.machine), list_reads(expr).union(*piles))

        return self.game.cached(("hint", id(expr), names), compile_hint)


def make_public_state(game: Compiled, core: Core, sees: Sees) -> PublicState:
    piles = [
        [piece if sees(n, height, len(pile), piece) else ABSENT for height, piece in enumerate(pile)]
        for n, pile in enumerate(core.piles[:-1])
    ]
    hidden = frozenset(game.namer.family(n).name for n, pile in enumerate(piles) if ABSENT in pile)
    return PublicState(game, replace(game.setting(core), piles=[*piles, []]), hidden)


class ShownEntry(Struct, frozen=True):
    """A value that is shown as if it were state."""

    name: str
    member: str | None
    value: Any
    type: ValueType


HIDDEN_WHEN_EMPTY = ("row", "count")
"""Layouts of piles that are hidden while they are empty. Columns and boards keep their places."""


# ---- piles -----------------------------------------------------------------------------------------------------------


def current_layouts(game: Compiled, known: PublicState, core: Core) -> dict[str, str]:
    """Return the layout of each family of piles; `hidden` if it plays no part now."""
    comes = fillable_families(game, core)
    return {family.name: _current_layout(game, known, core, family, comes) for family in game.ruleset.piles.values()}


def _current_layout(
    game: Compiled, known: PublicState, core: Core, family: Family, comes: frozenset[str] | None
) -> str:
    hint = game.ruleset.display.piles.get(family.name)
    usual = family.layout or ("column" if family.has_columns else "row")
    shown = hint.shown if hint is not None else None
    if shown is not None and not known.value(shown, {}):
        return "hidden"
    if any(known.setting.piles[n] for n in _pile_numbers(family)):
        return usual
    away = shown is None and usual in HIDDEN_WHEN_EMPTY and comes is not None and family.name not in comes
    return "hidden" if away or not _is_in_phase(game, core, hint) else usual


def _is_in_phase(game: Compiled, core: Core, hint: PileHint | None) -> bool:
    """Return whether the hint shows the pile in this phase."""
    if hint is None or not hint.phases:
        return True
    point = game.machine.points.get(core.pc) if not core.over else None
    return point is not None and not set(hint.phases).isdisjoint(point.path)


def display_order(game: Compiled, known: PublicState, family: Family, pieces: Sequence[int | None]) -> tuple[int, ...]:
    """Return the indices of pieces (None: hidden, shown last) in the order in which they are shown.

    A hint may order them. A hand that only its player sees is sorted."""
    hint = game.ruleset.display.piles.get(family.name)
    order = hint.order if hint is not None else ()
    if not order and (family.face != "owner" or family.layout not in ("", "row")):
        return tuple(range(len(pieces)))
    card = hint.card if hint is not None else Var("card", UNKNOWN)
    seen = [
        make_hand_piece(game, n, piece, _hand_measures(game, known, order, card, piece))
        for n, piece in enumerate(pieces)
        if piece is not None
    ]
    return (*sort_hand(game, seen), *(n for n, piece in enumerate(pieces) if piece is None))


def _hand_measures(
    game: Compiled, known: PublicState, order: Sequence[Expr], card: Var, piece: int
) -> Iterator[Measure]:
    """Yield the values of the hint's order for a piece, and then its rows, as for any hand."""
    for expr in order:
        value = int(known.value(expr, {card: piece}))
        yield Measure(value, expr.type.table if isinstance(expr.type, Row) else "")
    for table, row in piece_rows(game, piece):
        yield Measure(row, table)


# ---- boards ----------------------------------------------------------------------------------------------------------


def view_boards(game: Compiled, known: PublicState, player: int) -> tuple[BoardView, ...]:
    """Return every board as a player sees it; spectators see it as the first player does."""
    families = [family for family in game.ruleset.piles.values() if family.layout == "board"]
    return tuple(_view_board(game, known, family, max(0, player)) for family in families)


def _view_board(game: Compiled, known: PublicState, family: Family, player: int) -> BoardView:
    hint = game.ruleset.display.piles.get(family.name)
    board = hint.board if hint is not None else None
    numbers = list(_pile_numbers(family))
    labels = {n: _point_name(game, family, n) for n in numbers}
    numbered = board is not None and board.number is not None
    if board is not None and board.number is not None:
        called = {n: int(known.value(board.number, {board.place: n, board.viewer: player})) for n in numbers}
        numbers.sort(key=lambda n: called[n])
        labels = {n: str(called[n]) for n in numbers}
    bar, off = (_pile_keys(game, name) for name in ((board.bar, board.off) if board is not None else ("", "")))
    points = tuple(game.namer.key(n) for n in numbers)
    return BoardView(family.name, points, tuple(labels[n] for n in numbers), numbered, bar, off)


def _pile_numbers(family: Family) -> range:
    return range(family.base, family.base + family.members * family.columns)


def _point_name(game: Compiled, family: Family, number: int) -> str:
    """Return the name of a pile by its row and number."""
    member = game.namer.member_name(family, game.namer.member(number)) if family.each is not None else ""
    return " ".join(part for part in (member, str(game.namer.column(number) or "")) if part)


def _pile_keys(game: Compiled, name: str) -> tuple[str, ...]:
    family = game.ruleset.piles.get(name)
    return tuple(map(game.namer.key, _pile_numbers(family))) if family is not None else ()


# ---- values ----------------------------------------------------------------------------------------------------------


def is_state_shown(game: Compiled, known: PublicState, name: str) -> bool:
    """Return whether a state is shown now. A state without a display hint is always shown."""
    hint = game.ruleset.display.state.get(name)
    return hint is None or hint.shown is None or bool(known.value(hint.shown, {}))


def find_holder(game: Compiled, known: PublicState, core: Core, name: str) -> str | None:
    """Return the seat at which an unowned pile, state or value is shown; None without a hint."""
    display = game.ruleset.display
    hint = display.piles.get(name) or display.state.get(name) or display.values.get(name)
    if hint is None or hint.holder is None:
        return None
    if mentions([hint.holder.player], hint.holder.me) and (core.actor < 0 or core.over):
        return None  # no seat decides
    player = int(known.value(hint.holder.player, {hint.holder.me: core.actor}))
    return game.seats[player] if player >= 0 else None


def list_shown_values(game: Compiled, known: PublicState) -> Iterator[ShownEntry]:
    """Yield the values that hints show beside the state."""
    for hint in game.ruleset.display.values.values():
        if hint.shown is None or known.value(hint.shown, {}):
            yield from _evaluate_shown(game, known, hint)


def _evaluate_shown(game: Compiled, known: PublicState, hint: ShownValue) -> Iterator[ShownEntry]:
    loop, value_type = hint.loop, hint.value.type
    if loop is None:
        value = known.value(hint.value, {})
        yield from [ShownEntry(hint.name, None, value, value_type)] * _is_in_range(value, value_type)
        return
    for item in known.value(loop.items, {}):
        names = {loop.var: item}
        if is_absent(item, loop.var.type) or (loop.where is not None and not known.value(loop.where, names)):
            continue
        value = known.value(hint.value, names)
        if _is_in_range(value, value_type):
            yield ShownEntry(hint.name, value_name(game, item, loop.var.type), value, value_type)


def _is_in_range(value: Any, value_type: ValueType) -> bool:
    """Return whether a value is one that the formula can have. A sum with an absent value is none."""
    return (
        not isinstance(value_type, Number) or is_absent(value, value_type) or value_type.low <= value <= value_type.high
    )
