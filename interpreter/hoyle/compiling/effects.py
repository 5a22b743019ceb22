"""Lowers verbs that take effect at once, without a decision."""

from __future__ import annotations

from typing import assert_never

from hoyle.compiling import code
from hoyle.compiling.blocks import Blocks
from hoyle.compiling.code import (
    FALSE,
    NONE,
    TRUE,
    Binary,
    Call,
    Do,
    If,
    Item,
    Literal,
    Method,
    Name,
    Not,
    Or,
    Tuple,
    Value,
    all_of,
    call,
    cell,
    compare,
    known_number,
    number,
    pile,
)
from hoyle.compiling.expressions import times, total
from hoyle.language.ir import Cell, Expr, Var
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
from hoyle.language.value_types import Number, ValueType, get_bounds
from hoyle.running.state import ENDED
from hoyle.running.verbs import Tally


def write(blocks: Blocks, deed: Deed, me: Var | None) -> None:
    """Write a verb, done by `me`, into the open function."""
    if isinstance(deed, Set | Lots):
        _write(blocks, deed, me)
    else:
        with blocks.emit.together():
            _write(blocks, deed, me)


def _write(blocks: Blocks, deed: Deed, me: Var | None) -> None:
    emit = blocks.emit
    match deed:
        case Shuffle(pile, least):
            if least is None:
                blocks.call("shuffle", emit(pile))
            else:
                blocks.call("cut", emit(pile), emit(least))
        case Roll(count, cup, to):
            faults = blocks.fault(to.span), blocks.fault(count.span)
            blocks.call("roll", emit(count), emit(cup), emit(to), _acting(blocks, me), *faults)
        case Lots(items, into):
            _lots(blocks, items, into)
        case Gather(name):
            kind = blocks.ruleset.pieces[name]
            blocks.call("gather", 2 * kind.base, 2 * (kind.base + len(kind.classes)))
        case Deal(pile, count, first, name):
            family, fault = blocks.ruleset.piles[name], blocks.fault(pile.span)
            blocks.call("deal", emit(pile), emit(count), emit(first), family.base, family.columns, fault)
        case MovePile():
            _move_pile(blocks, deed)
        case MovePieces():
            _move_pieces(blocks, deed)
        case Turn(pile, count, up):
            turned = _count(blocks, count)
            blocks.call("turn", emit(pile), turned, int(up))
        case Set(pairs):
            _set(blocks, pairs)
        case Score():
            _score(blocks, deed)
        case Say():
            _say(blocks, deed, me)
        case Ends(what, winner):
            blocks.call("ends", ENDED.index(what), emit(winner) if winner is not None else -1)
        case Check(condition):
            blocks.exit_if(_negated(emit(condition)), Do(call("broken", blocks.fault(condition.span))))
        case TakeBack():
            blocks.call("take_back")
        case _:
            assert_never(deed)


def _negated(condition: Value) -> Value:
    return FALSE if condition is TRUE else TRUE if condition is FALSE else Not(condition)


def _lots(blocks: Blocks, items: Expr, into: Cell) -> None:
    value = blocks.fresh("lot")
    blocks.assign(value, call("lots", code.S, blocks.emit(items), blocks.label_number(Label(None, into))))
    with blocks.block(If(compare(value, "is not", NONE), [])):
        _store(blocks, into, value, items.type.item_type)


def _move_pile(blocks: Blocks, deed: MovePile) -> None:
    emit = blocks.emit
    to, count = emit(deed.to), _count(blocks, deed.count)
    packet = TRUE if deed.packet else FALSE
    blocks.call("move_top", emit(deed.pile), count, to, packet, blocks.fault(deed.to.span))


def _move_pieces(blocks: Blocks, deed: MovePieces) -> None:
    """Pieces are only looked up if any are moved."""
    emit, source = blocks.emit, deed.source
    to, count = emit(deed.to), _count(blocks, deed.count)
    count = emit.name(count, "count")
    with emit.test(TRUE if isinstance(count, Literal) else count):
        listed = Tuple((emit(deed.pieces),)) if deed.pieces.type.name == "piece" else emit(deed.pieces)
        piles = Tuple((emit(source),)) if source.type.name == "pile" else emit(source)
        blocks.call("move_pieces", listed, piles, to, count, blocks.fault(deed.to.span))


def _count(blocks: Blocks, count: Expr | None) -> Value:
    return blocks.emit(count) if count is not None else number(-1)


def _set(blocks: Blocks, pairs: tuple[tuple[Cell, Expr], ...]) -> None:
    emit = blocks.emit
    if len(pairs) == 1:
        _store(blocks, pairs[0][0], emit(pairs[0][1]), pairs[0][1].type)
        return
    values = [emit.name(emit(value), "new") for _, value in pairs]
    for (place, expr), value in zip(pairs, values, strict=True):
        _store(blocks, place, value, expr.type)


def _store(blocks: Blocks, place: Cell, value: Value, value_type: ValueType) -> None:
    """Store a value, with a check if the cell cannot hold all values of this type."""
    held, target = blocks.ruleset.state[place.ref.family].type, _target(blocks, place)
    if (
        isinstance(value_type, Number)
        and isinstance(held, Number)
        and not (held.low <= value_type.low and value_type.high <= held.high)
    ):
        target = blocks.emit.name(target, "at") if place.keys else target
        value = call("within", value, held.low, held.high, target, blocks.fault(place.span))
    blocks.assign(cell(target), value)


def _target(blocks: Blocks, place: Cell) -> Value:
    """Return the number of a cell."""
    offset, terms = place.ref.base, list[Value]()
    for expr, key, width in zip(place.keys, place.ref.keys, place.ref.widths, strict=False):
        index = blocks.emit(expr)
        index = Binary(index, ">>", number(1)) if expr.type.name == "piece" else index
        if key.holds(expr.type):
            offset -= key.low * width
        else:
            member = Binary(index, "-", number(key.low)) if key.low else index
            index = call("inside", member, key.size, blocks.fault(expr.span))
        terms.append(times(index, width))
    return total(terms, offset)


def _score(blocks: Blocks, deed: Score) -> None:
    emit = blocks.emit
    family = blocks.ruleset.state[deed.into]
    player = emit(deed.to)
    place = Binary(number(family.base), "+", player) if family.each is not None else number(family.base)
    label, fault = blocks.label_number(deed.label), blocks.fault(deed.points.span)
    tally = blocks.program.constant(Tally(*get_bounds(family.type), label, fault), "TALLY")
    points = emit.write_named(deed.points, "points")
    worth = known_number(points)
    if worth == 0:
        return
    with emit.test(TRUE if worth is not None and worth > 0 else points):
        value = _announced(blocks, deed.label)
        _telling(blocks, call("score", code.S, points, player, place, value, tally), deed.of)


def _say(blocks: Blocks, deed: Say, me: Var | None) -> None:
    label = blocks.label_number(deed.label)
    value = _announced(blocks, deed.label)
    _telling(blocks, call("say", code.S, label, value, _acting(blocks, me)), deed.of)


def _acting(blocks: Blocks, me: Var | None) -> Value:
    """Return the player who acts, or -1."""
    return blocks.emit.names.get(me, number(-1)) if me is not None else number(-1)


def _telling(blocks: Blocks, told: Call, of: Expr | None) -> None:
    """Put a call that logs something along with pieces. The pieces are only looked up if events are logged."""
    if of is None:
        blocks.put(Do(told))
        return
    with blocks.block(If(code.IS_LOGGED, [])):
        blocks.put(Do(Call(told.function, (*told.args, _groups(blocks, of)))))
    with blocks.otherwise():
        blocks.put(Do(told))


def _groups(blocks: Blocks, of: Expr) -> Value:
    """Return pieces as lists of pieces."""
    pieces = blocks.emit(of)
    if of.type.name == "piece":
        return Tuple((Tuple((pieces,)),))
    return pieces if of.type.item_type.name == "list" else Tuple((pieces,))


def _announced(blocks: Blocks, label: Label | None) -> Value:
    """Return the value that a label shows: of its row, or of each placeholder of its words."""
    if label is None or not label.formulas:
        return number(-1)
    values = tuple([blocks.emit(formula) for formula in label.formulas])
    return values[0] if label.row is not None else Tuple(values)


# ---- moves -----------------------------------------------------------------------------------------------------------


def transfer(blocks: Blocks, move: Move, together: bool = False) -> Touched:
    """Move the piece that `take` bound to the pile that `put` names. Returns the families it changes.

    With `together`, others may have moved since the action was chosen.
    """
    if move.card is None or move.target is None or move.origin is None:
        return frozenset()
    names, ruleset = blocks.emit.names, blocks.ruleset
    origin, card, target = names[move.origin], names[move.card], names[move.target]
    if together:
        blocks.call("still", card, origin, blocks.fault(move.span))
    if together or any(t.any_piece for t in move.takes):
        blocks.put(Do(Method(pile(origin), "remove", (card,))))
    else:
        blocks.put(Do(Method(pile(origin), "pop", ())))
    blocks.put(code.append(pile(target), _arrival(blocks, card, families(ruleset, move.target), target)))
    if together and any(ruleset.piles[f].limited for f in families(ruleset, move.target)):
        blocks.call("fits", target, blocks.fault(move.span))
    for var, place in ((move.origin, origin), (move.target, target)):
        tops = {ruleset.piles[f].face == "top up" for f in families(ruleset, var)}
        if True in tops:
            turns: list[Value] = [] if tops == {True} else [Item(Name("TOP_UP"), place)]
            top = Item(Or((pile(place), code.NO_ITEMS)), number(-1))
            lies_down = Not(Binary(top, "&", number(1)))
            blocks.put_if(all_of([*turns, lies_down]), Do(call("show_top", code.S, place)))
    return families(ruleset, move.origin) | families(ruleset, move.target)


def _arrival(blocks: Blocks, card: Value, where: Touched, target: Value) -> Value:
    ways = {blocks.ruleset.piles[f].face for f in where}
    if ways <= {"up", "top seen"}:
        return Binary(card, "|", number(1))
    if ways <= {"down", "owner"}:
        return Binary(card, "&", number(-2))
    return card if ways <= {"top up"} else call("arrive", card, target)
