"""Formulas by what they mean: names resolved and kinds known (the intermediate form), and of all spellings that are worth the same one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from hoyle.differences.forms import inside
from hoyle.differences.laws import Junction, Meaning, chosen, compared, denied, joined, quantified, same
from hoyle.differences.names import of_kind
from hoyle.language import ir
from hoyle.language.ir import ABSENT, NO_NUMBER, Const, Expr, Var
from hoyle.language.kinds import Choice, Kind, List, Piece, Row
from hoyle.language.model import Ruleset
from hoyle.passes.subformulas import substituted


class Lowering(Struct):
    """What is needed to compare formulas of two rulesets.

    names    what is to be taken for what, by name: names of the other ruleset, and `#n` for what is bound around the formula
    inlined  terms that the other ruleset does not have: they are written out
    """

    rules: Ruleset
    names: Mapping[str, str]
    inlined: frozenset[str] = frozenset()

    def of(self, expr: Expr, bound: tuple[Var, ...] = (), holds: bool = True) -> Meaning:
        """Equal for formulas that are always worth the same by the laws of `and`, `not`, `<`, `is` and `+`; never for others. `holds`: of a
        condition, is it to hold, or not?"""
        match expr:
            case ir.Not(value=value):
                return self.of(value, bound, not holds)
            case ir.And() | ir.Or():
                word: Junction = "And" if isinstance(expr, ir.And) else "Or"
                return joined(word, [self.of(part, bound, holds) for part in expr.args], holds)
            case ir.Same() | ir.Differs():
                return same(isinstance(expr, ir.Same) == holds, *(self.of(part, bound) for part in expr.args))
            case ir.Compare() if holds or not (expr.left.kind.optional or expr.right.kind.optional):
                return compared(expr.op, self.of(expr.left, bound), self.of(expr.right, bound), holds)
            case ir.If(condition=condition, yes=yes, no=no):
                one, other = self.of(yes, bound, holds), self.of(no, bound, holds)
                return chosen(lambda so: self.of(condition, bound, so), one, other)
            case ir.Quantified(condition=condition):
                items, inner = self.of(expr.items, bound), (*bound, expr.var)
                return quantified(expr.word, items, lambda so: self.of(condition, inner, so), holds)
            case ir.TermCall(instance=instance) if instance.name in self.inlined:
                names = (*instance.parameters, *((instance.me,) if instance.uses_me else ()))
                return self.of(substituted(instance.body, dict(zip(names, expr.operands, strict=True))), bound, holds)
        found = self._valued(expr, bound)
        return found if holds else denied(found)

    def _valued(self, expr: Expr, bound: tuple[Var, ...]) -> Meaning:
        """What it is worth."""
        match expr:
            case Const():
                return self._constant(expr)
            case ir.Local(var=var):
                return ("local", f"#bound{bound.index(var)}" if var in bound else self._name(var.name))
            case ir.Rows(kind=kind):
                return ("all", self._kind(kind))
            case ir.Compare():
                return self.of(expr, bound)
            case ir.Arith(op="+" | "*"):
                return (expr.op, *sorted((self.of(part, bound) for part in expr.args), key=repr))
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
        if kind.name in ("number", "bool"):
            return (kind.name, number)
        return (kind.name, of_kind(kind.name, self.names).get(word, word))

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
