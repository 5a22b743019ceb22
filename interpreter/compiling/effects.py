"""Single verbs as Python: what they change, and which `whenever` rules that may wake."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.language.evaluate import everything
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import Kind, list_of
from interpreter.language.model import Label, Move, Ruleset, Step

if TYPE_CHECKING:
    from interpreter.compiling.emitter import Emitter
    from interpreter.compiling.flow import FlowCompiler

Touched = frozenset[str]


def reads(*exprs: Expr | None) -> Touched:
    """Which pile and state families the formulas look at."""
    found = set()
    for expr in exprs:
        for e in everything(expr) if expr is not None else ():
            if e.op in ("cell", "pile", "piles"):
                found.add(e.value.family)
    return frozenset(found)


def expressions_of(step: Step) -> list[Expr]:
    """The formulas of one step, without those of the steps inside it."""
    found = [step.by, step.when, *(step.loop[1:] if step.loop else ())]
    for value in step.fields.values():
        if isinstance(value, Label):
            value = value.row
        found += [e for pair in value for e in pair] if isinstance(value, list) else [value]
    return [e for e in found if isinstance(e, Expr)]


def families(ruleset: Ruleset, expr: Expr | Var | None) -> Touched:
    """Which pile families an expression may stand for."""
    if expr is None:
        return frozenset()
    kind = expr.kind.of_item if expr.kind.name == "list" else expr.kind
    return kind.families or frozenset(ruleset.piles)


def writes(ruleset: Ruleset, step: Step) -> Touched:
    """Which families a single verb may change."""
    f = step.fields
    if step.verb == "gather":
        return frozenset(ruleset.piles)
    if step.verb == "set":
        return frozenset(place.value.family for place, _ in f["set"])
    if step.verb == "score":
        return frozenset([f["in"]]) if f.get("in") else frozenset()
    if step.verb == "lots":
        return frozenset([f["into"].value.family]) if f.get("into") else frozenset()
    if step.verb == "deal":
        return families(ruleset, f["pile"]) | {f["to"]}
    if step.verb == "take_back":
        return frozenset()
    touched: Touched = frozenset()
    for key in ("pile", "from", "to"):
        touched |= families(ruleset, f.get(key))
    return touched


# ---- one verb --------------------------------------------------------------------------------------------------------


def _shuffle(c: FlowCompiler, m: Emitter, step: Step) -> None:
    m.writer.put(f"shuffle(s, {m(step.fields['pile'])})")


def _roll(c: FlowCompiler, m: Emitter, step: Step) -> None:
    f = step.fields
    m.writer.put(f"roll(s, {m(f['count'])}, {m(f['from'])}, {m(f['to'])})")


def _lots(c: FlowCompiler, m: Emitter, step: Step) -> None:
    value = m.writer.fresh("lot")
    m.writer.put(f"{value} = lots(s, {m(step.fields['items'])}, {c.label_number(Label({}, step.fields['into']))})")
    with m.writer.block(f"if {value} is not None:"):
        _store(c, m, step.fields["into"], value, None)


def _gather(c: FlowCompiler, m: Emitter, step: Step) -> None:
    kind = c.ruleset.pieces[step.fields["kind"]]
    m.writer.put(f"gather(s, {2 * kind.base}, {2 * (kind.base + len(kind.classes))})")


def _deal(c: FlowCompiler, m: Emitter, step: Step) -> None:
    f = step.fields
    to = c.ruleset.piles[f["to"]]
    m.writer.put(f"deal(s, {m(f['pile'])}, {m(f['count'])}, {m(f['from'])}, {to.base}, {to.columns})")


def _move(c: FlowCompiler, m: Emitter, step: Step) -> None:
    f = step.fields
    to = m(f["to"])
    count = m(f["count"]) if f.get("count") is not None else "-1"
    if f.get("pile") is not None:
        m.writer.put(f"move_top(s, {m(f['pile'])}, {count}, {to}, {f['packet']})")
        return
    pieces, source = f["pieces"], f["from"]
    listed = f"({m(pieces)},)" if pieces.kind.name == "piece" else m(pieces)
    piles = f"({m(source)},)" if source.kind.name == "pile" else m(source)
    m.writer.put(f"move_pieces(s, {listed}, {piles}, {to}, {count}, {f['packet']})")


def _turn(c: FlowCompiler, m: Emitter, step: Step) -> None:
    f = step.fields
    count = "1" if f["top"] else m(f["count"]) if f.get("count") is not None else "-1"
    m.writer.put(f"turn(s, {m(f['pile'])}, {count}, {int(f['up'])})")


def _set(c: FlowCompiler, m: Emitter, step: Step) -> None:
    pairs = step.fields["set"]
    if len(pairs) == 1:
        _store(c, m, pairs[0][0], m(pairs[0][1]), pairs[0][1].kind)
        return
    values = [m.name(m(value), "new") for _, value in pairs]
    for (place, value), text in zip(pairs, values, strict=True):
        _store(c, m, place, text, value.kind)


def _store(c: FlowCompiler, m: Emitter, place: Expr, text: str, kind: Kind | None) -> None:
    cell = c.ruleset.state[place.value.family].kind
    if kind is not None and cell.name == "number" and not (cell.low <= kind.low and kind.high <= cell.high):
        optional = ", True" if cell.optional else ""
        text = f"within({text}, {cell.low}, {cell.high}, {c.fault(place)}{optional})"
    m.writer.put(f"{_target(m, place)} = {text}")


def _target(m: Emitter, place: Expr) -> str:
    ref = place.value
    if not place.args:
        return f"C[{ref.base}]"
    if len(place.args) > 1:
        i, j = (m(a) for a in place.args)
        return f"C[{ref.base} + inside({i} * {ref.inner} + {j}, {ref.size})]"
    index = m(place.args[0])
    index = f"({index} >> 1)" if place.args[0].kind.name == "piece" else index
    checked = place.args[0].kind.optional or place.args[0].kind.name in ("number", "pair")
    return (
        f"C[{ref.base} + inside({index} - {ref.low}, {ref.size})]" if checked else f"C[{index} + {ref.base - ref.low}]"
    )


def _score(c: FlowCompiler, m: Emitter, step: Step) -> None:
    f = step.fields
    if not f.get("in"):
        return
    family = c.ruleset.state[f["in"]]
    player = m(f["to"]) if f.get("to") is not None else m.names[step.me] if step.me else "-1"
    base = f"{family.base} + {player}" if family.each is not None else str(family.base)
    label = f.get("label")
    value = m(label.row) if label is not None and label.row is not None else "-1"
    fault = c.fault(f["points"])
    m.writer.put(
        f"score(s, {m(f['points'])}, {player}, {base}, {family.kind.low}, {family.kind.high}, {c.label_number(label)}, {value}, {fault})"
    )


def _say(c: FlowCompiler, m: Emitter, step: Step) -> None:
    label = step.fields["label"]
    if label is None:
        return
    value = m(label.row) if label.row is not None else "-1"
    me = m.names.get(step.me, "-1") if step.me is not None else "-1"
    m.writer.put(f"say(s, {c.label_number(label)}, {value}, {me})")


def _check(c: FlowCompiler, m: Emitter, step: Step) -> None:
    condition = step.fields["condition"]
    m.writer.put(f"if not {m(condition)}: broken({c.fault(condition)})")


def _take_back(c: FlowCompiler, m: Emitter, step: Step) -> None:
    m.writer.put("take_back(s)")
    m.writer.put("P = s.piles; C = s.cells")


VERBS: dict[str, Callable[[FlowCompiler, Emitter, Step], None]] = {
    "shuffle": _shuffle,
    "roll": _roll,
    "lots": _lots,
    "gather": _gather,
    "deal": _deal,
    "move": _move,
    "turn": _turn,
    "set": _set,
    "score": _score,
    "say": _say,
    "check": _check,
    "take_back": _take_back,
}


def transfer(c: FlowCompiler, m: Emitter, move: Move) -> Touched:
    """The piece that `take` bound goes where `put` says."""
    if move.card is None or move.target is None or move.origin is None:
        return frozenset()
    origin, card, target = m.names[move.origin], m.names[move.card], m.names[move.target]
    w = m.writer
    if any(t.any_piece for t in move.takes):
        w.put(f"P[{origin}].remove({card})")
    else:
        w.put(f"P[{origin}].pop()")
    w.put(f"P[{target}].append({_arrival(c, card, families(c.ruleset, move.target), target)})")
    for var, text in ((move.origin, origin), (move.target, target)):
        tops = {c.ruleset.piles[f].face == "top up" for f in families(c.ruleset, var)}
        if True in tops:
            w.put(f"if {'' if tops == {True} else f'TOP_UP[{text}] and '}P[{text}]: P[{text}][-1] |= 1")
    return families(c.ruleset, move.origin) | families(c.ruleset, move.target)


def _arrival(c: FlowCompiler, card: str, where: Touched, target: str) -> str:
    ways = {c.ruleset.piles[f].face for f in where}
    if ways <= {"up", "top seen"}:
        return f"{card} | 1"
    if ways <= {"down", "owner"}:
        return f"{card} & -2"
    return card if ways <= {"top up"} else f"arrive({card}, {target})"


def filtered(step: Step) -> Expr | None:
    """The list a `for` goes through: filtered, and read once."""
    if step.loop is None:
        return None
    var, items, where = step.loop
    if where is None:
        return items
    item = Expr("local", var.kind, items.span, value=var)
    return Expr("collect", list_of(var.kind, items.kind.most), items.span, (items, where, item), var)
