"""Formulas by what they mean: names resolved and kinds known (the intermediate form), and of all spellings that are worth the same one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from msgspec import Struct
from msgspec.structs import fields

from interpreter.differences.forms import Meaning, inside
from interpreter.language import ir
from interpreter.language.ir import ABSENT, NO_NUMBER, Const, Expr, Var
from interpreter.language.kinds import Choice, Kind, List, Piece, Row
from interpreter.language.model import Ruleset
from interpreter.passes.rebuild import substituted

_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {">": "<", ">=": "<="}
_OTHER_WORD: dict[str, ir.Quantifier] = {"some": "no", "no": "some"}
_JOINED = {"And": "Or", "Or": "And"}


class Lowering(Struct):
    """What is needed to compare formulas of two rulesets.

    names    what is to be taken for what, by name: names of the other ruleset, and `#n` for what is bound around the formula
    inlined  terms that the other ruleset does not have: they are written out
    """

    rules: Ruleset
    names: Mapping[str, str]
    inlined: frozenset[str] = frozenset()

    def of(self, expr: Expr, bound: tuple[Var, ...] = ()) -> Meaning:
        """Equal for formulas that are always worth the same by the laws of `and`, `not`, `<`, `is` and `+`; never for others."""
        match expr:
            case Const():
                return self._constant(expr)
            case ir.Local(var=var):
                return ("local", f"#bound{bound.index(var)}" if var in bound else self._name(var.name))
            case ir.Rows(kind=kind):
                return ("all", self._kind(kind))
            case ir.Not(value=value):
                return self._denied(value, bound)
            case ir.And() | ir.Or():
                return _joined(type(expr).__name__, [self.of(part, bound) for part in expr.args])
            case ir.Compare():
                return self._compared(expr.op, expr.left, expr.right, bound)
            case ir.Same() | ir.Differs() | ir.Arith(op="+" | "*"):
                op = expr.op if isinstance(expr, ir.Arith) else type(expr).__name__
                return (op, *sorted((self.of(part, bound) for part in expr.args), key=repr))
            case ir.If(condition=condition, yes=yes, no=no):
                holds, fails = self.of(condition, bound), self._denied(condition, bound)
                one, other = self.of(yes, bound), self.of(no, bound)
                return ("If", holds, one, other) if repr(holds) <= repr(fails) else ("If", fails, other, one)
            case ir.Quantified():
                return self._quantified(expr, expr.word, bound)
            case ir.TermCall(instance=instance) if instance.name in self.inlined:
                names = (*instance.parameters, *((instance.me,) if instance.uses_me else ()))
                return self.of(substituted(instance.body, dict(zip(names, expr.operands, strict=True))), bound)
        return self._plain(expr, bound)

    def _plain(self, expr: Expr, bound: tuple[Var, ...]) -> Meaning:
        """Its class, what it names, and its operands."""
        inner = (*bound, expr.var) if isinstance(expr, ir.Chosen | ir.Collect) else bound
        operands = [self.of(part, inner if number else bound) for number, part in enumerate(expr.args)]
        if isinstance(expr, ir.Attr):
            return ("Attr", *self._attribute(*expr.table.split(".", 1)), *operands)
        said = [self._field(getattr(expr, f.name)) for f in fields(expr) if f.name not in ("kind", "span")]
        return (type(expr).__name__, *(word for word in said if word is not None), *operands)

    def _field(self, found: Any) -> object:
        """What a form says besides its operands."""
        match found:
            case str() | int():
                return found
            case ir.Instance(name=name):
                return self._name(name)
            case (ir.Instance(name=name), *_):
                return self._inside(name.partition(".")[0], name.rpartition(".")[2])
        family = getattr(found, "family", None)
        return self._name(family) if family is not None else None

    def _name(self, name: str) -> str:
        return self.names.get(name, name)

    def _inside(self, owner: str, name: str) -> str:
        """A row, a column or a choice."""
        return inside(self._name(owner), self.names.get(inside(owner, name), name))

    def _attribute(self, owner: str, name: str) -> tuple[str, ...]:
        """A row of a piece is known by its table, which gives it its name."""
        piece = self.rules.pieces.get(owner)
        kind = piece.attributes.get(name) if piece is not None else None
        return (self._name(owner), self._name(kind.table)) if isinstance(kind, Row) else (self._inside(owner, name),)

    # ---- what is known ---------------------------------------------------------------------------------------------

    def _constant(self, expr: Const) -> Meaning:
        """By its name, where it has one: an option is the same option whatever its value is."""
        word, kind, number = expr.span.text.strip(), expr.kind, int(expr.value)
        named = self.rules.options.get(word)
        if named is not None and named.kind == kind:  # else a row or a choice has its name
            return ("option", self._name(word))
        if number in (ABSENT, NO_NUMBER) and kind.name not in ("number", "bool"):
            return ("none",)
        match kind:
            case Row(table=table):
                return ("row", self._inside(table, self.rules.tables[table].rows[number]))
            case Choice(option=option):
                choices = self.rules.options[option].choices
                return ("choice", self._inside(option, choices[number]))
        if kind.name == "player":
            return ("player", self._inside("players", self.rules.seats[number]))
        return (kind.name, number) if kind.name in ("number", "bool") else (kind.name, self._name(word))

    def _kind(self, kind: Kind) -> Meaning:
        item = kind.item if isinstance(kind, List) else kind
        match item:
            case Row(table=table):
                return ("row", self._name(table))
            case Choice(option=option):
                return ("choice", self._name(option))
            case Piece(of=of):
                return ("piece", self._name(of))
        return (item.name,)

    # ---- what is the same said otherwise ---------------------------------------------------------------------------

    def _denied(self, expr: Expr, bound: tuple[Var, ...]) -> Meaning:
        """That it does not hold, said of its parts where that is the same."""
        match expr:
            case ir.Not(value=value):
                return self.of(value, bound)
            case ir.And() | ir.Or():
                return _joined(_JOINED[type(expr).__name__], [self._denied(part, bound) for part in expr.args])
            case ir.Same() | ir.Differs():
                name = "Differs" if isinstance(expr, ir.Same) else "Same"
                return (name, *sorted((self.of(part, bound) for part in expr.args), key=repr))
            case ir.Compare() if not (expr.left.kind.optional or expr.right.kind.optional):
                return self._compared(_FLIPPED[expr.op], expr.left, expr.right, bound)
            case ir.Quantified(word="every"):
                return ("some", self.of(expr.items, bound), self._denied(expr.condition, (*bound, expr.var)))
            case ir.Quantified():
                return self._quantified(expr, _OTHER_WORD[expr.word], bound)
            case ir.TermCall(instance=instance) if instance.name in self.inlined and not expr.operands:
                return self._denied(instance.body, bound)
        return ("Not", self.of(expr, bound))

    def _compared(self, op: str, left: Expr, right: Expr, bound: tuple[Var, ...]) -> Meaning:
        """The smaller side first; of whole numbers, less than four is at most three."""
        if op in _TURNED:
            op, left, right = _TURNED[op], right, left
        a, b = self.of(left, bound), self.of(right, bound)
        if op == "<" and _is_number(right, b):
            return ("<=", a, ("number", right.value - 1))
        if op == "<" and _is_number(left, a):
            return ("<=", ("number", left.value + 1), b)
        return (op, a, b)

    def _quantified(self, expr: ir.Quantified, word: ir.Quantifier, bound: tuple[Var, ...]) -> Meaning:
        """Every one is so: none is not."""
        items, inner = self.of(expr.items, bound), (*bound, expr.var)
        if word == "every":
            return ("no", items, self._denied(expr.condition, inner))
        return (word, items, self.of(expr.condition, inner))


def _is_number(expr: Expr, meaning: Meaning) -> TypeGuard[Const]:
    """Is it a number as it is written, and no option?"""
    return isinstance(expr, Const) and meaning[0] == "number" and expr.value != NO_NUMBER


def _joined(name: str, parts: list[Meaning]) -> Meaning:
    """All that is joined by one word, in whatever order."""
    flat = [inner for part in parts for inner in (part[1:] if part[0] == name else (part,))]
    return (name, *sorted(set(flat), key=repr))
