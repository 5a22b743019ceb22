"""Verbs that are over at once, as Python."""

from __future__ import annotations

from typing import assert_never

from hoyle.compiling.blocks import Blocks
from hoyle.language.ir import Cell, Expr, Var
from hoyle.language.kinds import Kind, Number, bounds
from hoyle.language.model import Move
from hoyle.language.step_analysis import Touched, families
from hoyle.language.steps import (
    Check,
    Deal,
    Deed,
    Ends,
    Gather,
    Label,
    Lots,
    MovePieces,
    MovePile,
    Roll,
    Say,
    Score,
    Set,
    Shuffle,
    TakeBack,
    Turn,
)
from hoyle.running.state import ENDED
from hoyle.running.verbs import Tally


def write(blocks: Blocks, deed: Deed, me: Var | None) -> None:
    """The deed, done by `me`, as statements of the open function."""
    if isinstance(deed, Set | Lots):
        _write(blocks, deed, me)
    else:
        with blocks.emit.together():
            _write(blocks, deed, me)


def _write(blocks: Blocks, deed: Deed, me: Var | None) -> None:
    emit = blocks.emit
    match deed:
        case Shuffle(pile, least):
            blocks.put(f"shuffle(s, {emit(pile)})" if least is None else f"cut(s, {emit(pile)}, {emit(least)})")
        case Roll(count, cup, to):
            faults = f"{blocks.fault(to.span)}, {blocks.fault(count.span)}"
            blocks.put(f"roll(s, {emit(count)}, {emit(cup)}, {emit(to)}, {_acting(blocks, me)}, {faults})")
        case Lots(items, into):
            _lots(blocks, items, into)
        case Gather(name):
            kind = blocks.ruleset.pieces[name]
            blocks.put(f"gather(s, {2 * kind.base}, {2 * (kind.base + len(kind.classes))})")
        case Deal(pile, count, first, name):
            family, fault = blocks.ruleset.piles[name], blocks.fault(pile.span)
            blocks.put(f"deal(s, {emit(pile)}, {emit(count)}, {emit(first)}, {family.base}, {family.columns}, {fault})")
        case MovePile():
            _move_pile(blocks, deed)
        case MovePieces():
            _move_pieces(blocks, deed)
        case Turn(pile, count, up):
            number = _count(blocks, count)
            blocks.put(f"turn(s, {emit(pile)}, {number}, {int(up)})")
        case Set(pairs):
            _set(blocks, pairs)
        case Score():
            _score(blocks, deed)
        case Say():
            _say(blocks, deed, me)
        case Ends(what, winner):
            who = emit(winner) if winner is not None else "-1"
            blocks.put(f"ends(s, {ENDED.index(what)}, {who})")
        case Check(condition):
            blocks.exit_if(_negated(emit(condition)), f"broken({blocks.fault(condition.span)})")
        case TakeBack():
            blocks.put("take_back(s)")
        case _:
            assert_never(deed)


def _negated(condition: str) -> str:
    return {"True": "False", "False": "True"}.get(condition, f"not {condition}")


def _lots(blocks: Blocks, items: Expr, into: Cell) -> None:
    value = blocks.fresh("lot")
    blocks.put(f"{value} = lots(s, {blocks.emit(items)}, {blocks.label_number(Label(None, into))})")
    with blocks.block(f"if {value} is not None:"):
        _store(blocks, into, value, items.kind.of_item)


def _move_pile(blocks: Blocks, deed: MovePile) -> None:
    emit = blocks.emit
    to, count = emit(deed.to), _count(blocks, deed.count)
    blocks.put(f"move_top(s, {emit(deed.pile)}, {count}, {to}, {deed.packet}, {blocks.fault(deed.to.span)})")


def _move_pieces(blocks: Blocks, deed: MovePieces) -> None:
    """Which pieces is only looked for if any are moved."""
    emit, source = blocks.emit, deed.source
    to, count = emit(deed.to), _count(blocks, deed.count)
    count = emit.name(count, "count")
    with emit.test("True" if count.removeprefix("-").isdigit() else count):
        listed = f"({emit(deed.pieces)},)" if deed.pieces.kind.name == "piece" else emit(deed.pieces)
        piles = f"({emit(source)},)" if source.kind.name == "pile" else emit(source)
        blocks.put(f"move_pieces(s, {listed}, {piles}, {to}, {count}, {blocks.fault(deed.to.span)})")


def _count(blocks: Blocks, count: Expr | None) -> str:
    return blocks.emit(count) if count is not None else "-1"


def _set(blocks: Blocks, pairs: tuple[tuple[Cell, Expr], ...]) -> None:
    emit = blocks.emit
    if len(pairs) == 1:
        _store(blocks, pairs[0][0], emit(pairs[0][1]), pairs[0][1].kind)
        return
    values = [emit.name(emit(value), "new") for _, value in pairs]
    for (place, value), text in zip(pairs, values, strict=True):
        _store(blocks, place, text, value.kind)


def _store(blocks: Blocks, place: Cell, text: str, kind: Kind) -> None:
    """A value of this kind is stored, if it is one that the cell can hold."""
    cell, target = blocks.ruleset.state[place.ref.family].kind, _target(blocks, place)
    if isinstance(kind, Number) and isinstance(cell, Number) and not (cell.low <= kind.low and kind.high <= cell.high):
        target = blocks.emit.name(target, "at") if place.keys else target
        text = f"within({text}, {cell.low}, {cell.high}, {target}, {blocks.fault(place.span)})"
    blocks.put(f"C[{target}] = {text}")


def _target(blocks: Blocks, place: Cell) -> str:
    """The number of the cell."""
    offset, found = place.ref.base, []
    for expr, key, width in zip(place.keys, place.ref.keys, place.ref.widths, strict=False):
        index = blocks.emit(expr)
        index = f"({index} >> 1)" if expr.kind.name == "piece" else index
        if key.holds(expr.kind):
            offset -= key.low * width
        else:
            index = f"inside({index}{f' - {key.low}' if key.low else ''}, {key.size}, {blocks.fault(expr.span)})"
        found.append(f"{index} * {width}" if width > 1 else index)
    return " + ".join([*found, str(offset)])


def _score(blocks: Blocks, deed: Score) -> None:
    emit = blocks.emit
    family = blocks.ruleset.state[deed.into]
    player = emit(deed.to)
    cell = f"{family.base} + {player}" if family.each is not None else str(family.base)
    label, fault = blocks.label_number(deed.label), blocks.fault(deed.points.span)
    tally = blocks.program.constant(Tally(*bounds(family.kind), label, fault), "TALLY")
    points = emit.named(deed.points, "points")
    if points == "0":
        return
    with emit.test("True" if points.isdigit() else points):
        value = _announced(blocks, deed.label)
        _telling(blocks, f"score(s, {points}, {player}, {cell}, {value}, {tally}", deed.of)


def _say(blocks: Blocks, deed: Say, me: Var | None) -> None:
    label = blocks.label_number(deed.label)
    _telling(blocks, f"say(s, {label}, {_announced(blocks, deed.label)}, {_acting(blocks, me)}", deed.of)


def _acting(blocks: Blocks, me: Var | None) -> str:
    """The player whose deed it is, where it is somebody's."""
    return blocks.emit.names.get(me, "-1") if me is not None else "-1"


def _telling(blocks: Blocks, call: str, of: Expr | None) -> None:
    """A call that tells something, with the pieces that it is told of: they are looked for only if somebody is told."""
    if of is None:
        blocks.put(f"{call})")
        return
    with blocks.block("if s.log is not None:"):
        blocks.put(f"{call}, {_groups(blocks, of)})")
    with blocks.block("else:"):
        blocks.put(f"{call})")


def _groups(blocks: Blocks, of: Expr) -> str:
    """Pieces as lists of pieces."""
    pieces = blocks.emit(of)
    if of.kind.name == "piece":
        return f"(({pieces},),)"
    return pieces if of.kind.of_item.name == "list" else f"({pieces},)"


def _announced(blocks: Blocks, label: Label | None) -> str:
    """The value of the row that a label shows, or of what stands in each place of its words."""
    if label is None or not label.formulas:
        return "-1"
    values = [blocks.emit(formula) for formula in label.formulas]
    return values[0] if label.row is not None else f"({', '.join(values)},)"


# ---- moves -----------------------------------------------------------------------------------------------------------


def transfer(blocks: Blocks, move: Move, together: bool = False) -> Touched:
    """The piece that `take` bound goes where `put` says. Returns what that changes. `together`: others have moved since it was chosen."""
    if move.card is None or move.target is None or move.origin is None:
        return frozenset()
    names, ruleset = blocks.emit.names, blocks.ruleset
    origin, card, target = names[move.origin], names[move.card], names[move.target]
    if together:
        blocks.put(f"still(s, {card}, {origin}, {blocks.fault(move.span)})")
    if together or any(t.any_piece for t in move.takes):
        blocks.put(f"P[{origin}].remove({card})")
    else:
        blocks.put(f"P[{origin}].pop()")
    blocks.put(f"P[{target}].append({_arrival(blocks, card, families(ruleset, move.target), target)})")
    if together and any(ruleset.piles[f].limited for f in families(ruleset, move.target)):
        blocks.put(f"fits(s, {target}, {blocks.fault(move.span)})")
    for var, text in ((move.origin, origin), (move.target, target)):
        tops = {ruleset.piles[f].face == "top up" for f in families(ruleset, var)}
        if True in tops:
            turns = "" if tops == {True} else f"TOP_UP[{text}] and "
            blocks.put(f"if {turns}not (P[{text}] or NONE)[-1] & 1: show_top(s, {text})")
    return families(ruleset, move.origin) | families(ruleset, move.target)


def _arrival(blocks: Blocks, card: str, where: Touched, target: str) -> str:
    ways = {blocks.ruleset.piles[f].face for f in where}
    if ways <= {"up", "top seen"}:
        return f"{card} | 1"
    if ways <= {"down", "owner"}:
        return f"{card} & -2"
    return card if ways <= {"top up"} else f"arrive({card}, {target})"
