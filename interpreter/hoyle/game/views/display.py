"""What a ruleset's hints at how things lie come to in one state: what is shown, in which order, and what a board looks like from a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.analysis import ANY, Effect, EffectReader
from hoyle.compiling.game import function_of
from hoyle.game.compiled import Compiled
from hoyle.game.pieces import Measure, make_held, piece_rows, sort_hand
from hoyle.game.spelling import value_name
from hoyle.language.display import PileHint, ShownValue
from hoyle.language.evaluate import Setting, evaluate, is_absent
from hoyle.language.ir import ABSENT, Expr, Var
from hoyle.language.kinds import UNKNOWN, Kind, Number, Row, families_of
from hoyle.language.model import Family
from hoyle.language.step_analysis import Touched, reads
from hoyle.language.steps import mentions
from hoyle.running.state import Core
from hoyle.view_data import BoardView

_NEAR = 2
"""So many of the phases that a decision stands in count, from the innermost out: what it is part of, such as a trick, too."""


def may_come_to(game: Compiled, core: Core) -> frozenset[str] | None:
    """The families of piles that may be filled before the phases around this decision end; None where it may be any. Once the game is over
    nothing comes anywhere."""
    point = game.machine.points.get(core.pc)
    if core.over or point is None:
        return frozenset() if core.over else None
    known = ("filled", point.path)
    if known not in game.cache:
        game.cache[known] = _filled(game, point.path)
    found: frozenset[str] | None = game.cache[known]
    return found


def _filled(game: Compiled, path: tuple[str, ...]) -> frozenset[str] | None:
    reader, rules, effect = EffectReader(game.ruleset), game.ruleset, Effect()
    phases = {name for name, _ in rules.phases}
    for name in [step for step in path[:-1] if step in phases][-_NEAR:] or ["game"]:
        for acting in (False, True):
            effect.add(reader.phase(name, acting))
    effect.add(reader.by_themselves())
    return None if ANY in effect.fills else frozenset(name for section, name in effect.fills if section == "piles")


Sees = Callable[[int, int, int, int], bool]
"""Does everybody see a piece: of a pile (its number), a height, the number of pieces, the piece?"""


class Hint(Struct, frozen=True):
    """A formula as a function of piles, cells and what its variables are, and the families of piles that it may look into."""

    run: Callable[..., Any]
    looks: Touched


class PublicState(Struct, frozen=True):
    """A state as all may know it, and the families of piles in which something is hidden."""

    game: Compiled
    setting: Setting
    hidden: Touched

    def value(self, expr: Expr, names: Mapping[Var, Any]) -> Any:
        """Compiled formulas take for granted that what lies in a pile is there; where it may not be, the formula is looked at part by part."""
        hint = self._hint(expr, tuple(names))
        if not hint.looks.isdisjoint(self.hidden):
            return evaluate(expr, self.setting, dict(names))
        found = hint.run(self.setting.piles, self.setting.cells, *names.values())
        return bool(found) if expr.kind.name == "bool" else found

    def _hint(self, expr: Expr, names: tuple[Var, ...]) -> Hint:
        key = ("hint", id(expr), names)
        found: Hint | None = self.game.cache.get(key)
        if found is None:
            piles = [families_of(var.kind) for var in names if var.kind.name in ("pile", "list")]
            run = function_of(expr, names, self.game.machine)
            found = self.game.cache[key] = Hint(run, reads(expr).union(*piles))
        return found


def make_public_state(game: Compiled, core: Core, sees: Sees) -> PublicState:
    """The state as all may know it."""
    piles = [
        [piece if sees(n, height, len(pile), piece) else ABSENT for height, piece in enumerate(pile)]
        for n, pile in enumerate(core.piles[:-1])
    ]
    hidden = frozenset(game.namer.family(n).name for n, pile in enumerate(piles) if ABSENT in pile)
    return PublicState(game, replace(game.setting(core), piles=[*piles, []]), hidden)


class ShownEntry(Struct, frozen=True):
    """A value that is shown as if it were state: its name, for whom or what, the value and its kind."""

    name: str
    member: str | None
    value: Any
    kind: Kind


_AWAY = ("row", "count")
"""How piles lie that are not missed while they are empty; columns and boards keep their places."""


# ---- piles -----------------------------------------------------------------------------------------------------------


def current_layouts(game: Compiled, known: PublicState, core: Core) -> dict[str, str]:
    """How each family of piles lies now: one that plays no part is hidden."""
    comes = may_come_to(game, core)
    return {family.name: _layout(game, known, core, family, comes) for family in game.ruleset.piles.values()}


def _layout(game: Compiled, known: PublicState, core: Core, family: Family, comes: frozenset[str] | None) -> str:
    hint = game.ruleset.display.piles.get(family.name)
    usual = family.layout or ("column" if family.has_columns else "row")
    shown = hint.shown if hint is not None else None
    if shown is not None and not known.value(shown, {}):
        return "hidden"
    if any(known.setting.piles[n] for n in _piles(family)):
        return usual
    away = shown is None and usual in _AWAY and comes is not None and family.name not in comes
    return "hidden" if away or not _is_part(game, core, hint) else usual


def _is_part(game: Compiled, core: Core, hint: PileHint | None) -> bool:
    """Is this one of the phases in which a pile has its place, as far as a hint says?"""
    if hint is None or not hint.phases:
        return True
    point = game.machine.points.get(core.pc) if not core.over else None
    return point is not None and not set(hint.phases).isdisjoint(point.path)


def display_order(game: Compiled, known: PublicState, family: Family, pieces: Sequence[int | None]) -> tuple[int, ...]:
    """The places of pieces (None: one that is not seen, which stays behind them) in the order in which they are shown: as the family's hint
    says, and a hand, which only its player sees, as one holds it."""
    hint = game.ruleset.display.piles.get(family.name)
    order = hint.order if hint is not None else ()
    if not order and (family.face != "owner" or family.layout not in ("", "row")):
        return tuple(range(len(pieces)))
    card = hint.card if hint is not None else Var("card", UNKNOWN)
    seen = [
        make_held(game, n, piece, _measures(game, known, order, card, piece))
        for n, piece in enumerate(pieces)
        if piece is not None
    ]
    return (*sort_hand(game, seen), *(n for n, piece in enumerate(pieces) if piece is None))


def _measures(game: Compiled, known: PublicState, order: Sequence[Expr], card: Var, piece: int) -> Iterator[Measure]:
    """What the hint asks of a piece, and then its own rows, as in any hand."""
    for expr in order:
        value = int(known.value(expr, {card: piece}))
        yield Measure(value, expr.kind.table if isinstance(expr.kind, Row) else "")
    for table, row in piece_rows(game, piece):
        yield Measure(row, table)


# ---- boards ----------------------------------------------------------------------------------------------------------


def view_boards(game: Compiled, known: PublicState, player: int) -> tuple[BoardView, ...]:
    """Every board, as a player sees it; as the first does, for who is none."""
    families = [family for family in game.ruleset.piles.values() if family.layout == "board"]
    return tuple(_board(game, known, family, max(0, player)) for family in families)


def _board(game: Compiled, known: PublicState, family: Family, player: int) -> BoardView:
    hint = game.ruleset.display.piles.get(family.name)
    board = hint.board if hint is not None else None
    numbers = list(_piles(family))
    labels = {n: _name(game, family, n) for n in numbers}
    numbered = board is not None and board.number is not None
    if board is not None and board.number is not None:
        called = {n: int(known.value(board.number, {board.place: n, board.viewer: player})) for n in numbers}
        numbers.sort(key=lambda n: called[n])
        labels = {n: str(called[n]) for n in numbers}
    bar, off = (_keys(game, name) for name in ((board.bar, board.off) if board is not None else ("", "")))
    points = tuple(game.namer.key(n) for n in numbers)
    return BoardView(family.name, points, tuple(labels[n] for n in numbers), numbered, bar, off)


def _piles(family: Family) -> range:
    return range(family.base, family.base + family.members * family.columns)


def _name(game: Compiled, family: Family, number: int) -> str:
    """A place by its row and its number, as far as it has them."""
    member = game.namer.member_name(family, game.namer.member(number)) if family.each is not None else ""
    return " ".join(part for part in (member, str(game.namer.column(number) or "")) if part)


def _keys(game: Compiled, name: str) -> tuple[str, ...]:
    family = game.ruleset.piles.get(name)
    return tuple(map(game.namer.key, _piles(family))) if family is not None else ()


# ---- values ----------------------------------------------------------------------------------------------------------


def is_state_shown(game: Compiled, known: PublicState, name: str) -> bool:
    """Is this entry of the state shown now, as far as a hint says?"""
    hint = game.ruleset.display.state.get(name)
    return hint is None or hint.shown is None or bool(known.value(hint.shown, {}))


def find_holder(game: Compiled, known: PublicState, core: Core, name: str) -> str | None:
    """The seat at whose place a pile, state or a value lies now that is nobody's by the rules; None where no hint says so, and in the middle."""
    display = game.ruleset.display
    hint = display.piles.get(name) or display.state.get(name) or display.values.get(name)
    if hint is None or hint.holder is None:
        return None
    if mentions([hint.holder.player], hint.holder.me) and (core.actor < 0 or core.over):
        return None  # nobody decides
    player = int(known.value(hint.holder.player, {hint.holder.me: core.actor}))
    return game.seats[player] if player >= 0 else None


def list_shown_values(game: Compiled, known: PublicState) -> Iterator[ShownEntry]:
    """The values that are shown beside the state."""
    for hint in game.ruleset.display.values.values():
        if hint.shown is None or known.value(hint.shown, {}):
            yield from _told(game, known, hint)


def _told(game: Compiled, known: PublicState, hint: ShownValue) -> Iterator[ShownEntry]:
    loop, kind = hint.loop, hint.value.kind
    if loop is None:
        value = known.value(hint.value, {})
        yield from [ShownEntry(hint.name, None, value, kind)] * _is_known(value, kind)
        return
    for item in known.value(loop.items, {}):
        names = {loop.var: item}
        if is_absent(item, loop.var.kind) or (loop.where is not None and not known.value(loop.where, names)):
            continue
        value = known.value(hint.value, names)
        if _is_known(value, kind):
            yield ShownEntry(hint.name, value_name(game, item, loop.var.kind), value, kind)


def _is_known(value: Any, kind: Kind) -> bool:
    """Is it a number that the formula can come to? A sum with what is absent in it is none."""
    return not isinstance(kind, Number) or is_absent(value, kind) or kind.low <= value <= kind.high
