"""One side of a comparison: a checked ruleset, the tree it was read from, and the meaning of its formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from hoyle.checking.analysis import Reachable, find_reachable
from hoyle.checking.build import load_ruleset
from hoyle.differences.name_mapping import KeyPath, names_of_type, old_name
from hoyle.differences.normal_forms import (
    Junction,
    Meaning,
    Names,
    choose,
    equate,
    join,
    negate,
    order,
    owned_key,
    quantify,
)
from hoyle.differences.outline import Lowered, Part, outline
from hoyle.differences.wording import Words
from hoyle.game.views.labels import make_labels
from hoyle.language import ir
from hoyle.language.evaluate import fixed_truth, walk_all
from hoyle.language.ir import ABSENT, NO_NUMBER, Const, Expr, TermCall, Var
from hoyle.language.model import Ruleset
from hoyle.language.steps import Step, inner_lists
from hoyle.language.syntax import Form
from hoyle.language.value_types import Choice, List, Piece, Row, ValueType
from hoyle.passes.subformulas import substitute
from hoyle.reading.tree import Node


class Lowering(Struct):
    """Reduces formulas to a normal form, so that formulas of two rulesets can be compared.

    names    replacements by name: names of the other ruleset, and `#n` for bound names around the formula
    inlined  terms that the other ruleset lacks; calls are replaced by their formulas
    """

    rules: Ruleset
    names: Mapping[str, str]
    inlined: frozenset[str] = frozenset()

    def of(self, expr: Expr, bound: tuple[Var, ...] = (), holds: bool = True) -> Meaning:
        """Return a key. Equal keys mean that formulas have equal values by the laws of logic and `+`.

        `holds` is False for the negation of a condition.
        """
        match expr:
            case ir.Not(value=value):
                return self.of(value, bound, not holds)
            case ir.And() | ir.Or():
                word: Junction = "And" if isinstance(expr, ir.And) else "Or"
                return join(word, [self.of(part, bound, holds) for part in expr.args], holds)
            case ir.Same() | ir.Differs():
                return equate(isinstance(expr, ir.Same) == holds, *(self.of(part, bound) for part in expr.args))
            case ir.Compare() if holds or not (expr.left.type.optional or expr.right.type.optional):
                return order(expr.op, self.of(expr.left, bound), self.of(expr.right, bound), holds)
            case ir.If(condition=condition, yes=yes, no=no):
                one, other = self.of(yes, bound, holds), self.of(no, bound, holds)
                return choose(lambda so: self.of(condition, bound, so), one, other)
            case ir.Quantified(condition=condition):
                items, inner = self.of(expr.items, bound), (*bound, expr.var)
                return quantify(expr.word, items, lambda so: self.of(condition, inner, so), holds)
            case ir.TermCall(instance=instance) if instance.name in self.inlined:
                names = (*instance.parameters, *((instance.me,) if instance.uses_me else ()))
                return self.of(substitute(instance.body, dict(zip(names, expr.operands, strict=True))), bound, holds)
        found = self._valued(expr, bound)
        return found if holds else negate(found)

    def _valued(self, expr: Expr, bound: tuple[Var, ...]) -> Meaning:
        """Return the key of a value."""
        match expr:
            case Const():
                return self._constant(expr)
            case ir.Local(var=var):
                return ("local", f"#bound{bound.index(var)}" if var in bound else self._name(var.name))
            case ir.Rows(type=value_type):
                return ("all", self._kind(value_type))
            case ir.Compare():
                return self.of(expr, bound)
            case ir.Arith(op="+" | "*"):
                return (expr.op, *sorted((self.of(part, bound) for part in expr.args), key=repr))
        return self._plain(expr, bound)

    def _plain(self, expr: Expr, bound: tuple[Var, ...]) -> Meaning:
        """Return the key of a formula to which no special law applies: its class, names and operands."""
        inner = (*bound, expr.var) if isinstance(expr, ir.Chosen | ir.Collect) else bound
        operands = [self.of(part, inner if number else bound) for number, part in enumerate(expr.args)]
        if isinstance(expr, ir.Attr):
            return ("Attr", *self._attribute(*expr.table.split(".", 1)), *operands)
        said = [self._field(getattr(expr, f.name)) for f in fields(expr) if f.name not in ("type", "span")]
        return (type(expr).__name__, *(word for word in said if word is not None), *operands)

    def _field(self, found: Any) -> object:
        """Return the key of a field that is not an operand."""
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
        """Return the other ruleset's name of a row, column or choice."""
        return owned_key(self._name(owner), self.names.get(owned_key(owner, name), name))

    def _attribute(self, owner: str, name: str) -> tuple[str, ...]:
        """Return the name of an attribute; attributes of pieces are named by their table."""
        piece = self.rules.pieces.get(owner)
        value_type = piece.attributes.get(name) if piece is not None else None
        return (
            (self._name(owner), self._name(value_type.table))
            if isinstance(value_type, Row)
            else (self._inside(owner, name),)
        )

    # ---- what is known ---------------------------------------------------------------------------------------------

    def _constant(self, expr: Const) -> Meaning:
        """Return a constant's name if it has one. An option has the same key whatever its value."""
        word, value_type, number = expr.span.text.strip(), expr.type, int(expr.value)
        named = self.rules.options.get(word)
        if named is not None and named.type == value_type:  # else a row or a choice has its name
            return ("option", self._name(word))
        if number in (ABSENT, NO_NUMBER) and value_type.name not in ("number", "bool"):
            return ("none",)
        match value_type:
            case Row(table=table):
                return ("row", self._inside(table, self.rules.tables[table].rows[number]))
            case Choice(option=option):
                choices = self.rules.options[option].choices
                return ("choice", self._inside(option, choices[number]))
        if value_type.name == "player":
            return ("player", self._inside("players", self.rules.seats[number]))
        if value_type.name in ("number", "bool"):
            return (value_type.name, number)
        return (value_type.name, names_of_type(value_type.name, self.names).get(word, word))

    def _kind(self, value_type: ValueType) -> Meaning:
        item = value_type.item if isinstance(value_type, List) else value_type
        match item:
            case Row(table=table):
                return ("row", self._name(table))
            case Choice(option=option):
                return ("choice", self._name(option))
            case Piece(of=of):
                return ("piece", self._name(of))
        return (item.name,)


_DECLARING = ("constraints", "tables", "pieces", "piles", "state", "display")


class ComparedRuleset:
    """A ruleset with fixed options, and the merged tree with the author's text."""

    def __init__(
        self,
        rules: Ruleset,
        root: Node,
        names: Mapping[str, str] | None = None,
        inlined: frozenset[str] = frozenset(),
    ) -> None:
        """`names` maps names of this ruleset to those of the other. `inlined` are terms that the other lacks."""
        self.rules, self.root, self.names, self.inlined = rules, root, dict(names or {}), inlined
        self._labels: dict[str, dict[str, dict[str, str]]] = {}

    @cached_property
    def sections(self) -> dict[str, Part]:
        rows = {name: table.rows for name, table in self.rules.tables.items()}
        return outline(self.root, rows, self.names, self._lowered)

    def calling(self, names: Mapping[str, str]) -> ComparedRuleset:
        """Return a copy with further replacements of names."""
        return ComparedRuleset(self.rules, self.root, {**self.names, **names})

    def beside(self, other: ComparedRuleset) -> ComparedRuleset:
        """Return a copy in which terms that the other ruleset lacks are replaced by their formulas."""
        own, known = ({e.names.get(name, name): name for name in e.terms} for e in (self, other))
        return ComparedRuleset(
            self.rules, self.root, self.names, frozenset(own[name] for name in own if name not in known)
        )

    def own(self, path: KeyPath) -> KeyPath:
        """Translate a path in the other side's names to this side's."""
        found = [*path[:1], *(old_name(path[:end], name, self.names) for end, name in enumerate(path) if end)]
        return tuple(found)

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(instance.name for instance in self.rules.instances.values())

    def _lowered(self, form: Form, names: Names) -> Lowered | None:
        """Return the keys of a formula, one for each type it is used with. A `for` has the keys of its list and condition."""
        if form.op == "list" and form.name == "for":
            parts = [self._lowered(part, names) for part in form.parts if part is not None]
            known = [part for part in parts if part is not None]
            return frozenset({("for", *known)}) if len(known) == len(parts) else None
        lowering = Lowering(self.rules, names, self.inlined)
        return frozenset(lowering.of(expr) for expr in self.words.meant(form.span)) or None

    def labels(self, lang: str) -> dict[str, dict[str, str]]:
        """Return the labels of the ruleset's names in a language, by name space as in `game.labels`."""
        if lang not in self._labels:
            self._labels[lang] = make_labels(self.rules, lang)
        return self._labels[lang]

    def part(self, path: KeyPath) -> Part | None:
        """Return the part of the tree at a path. The first element of the path is the section."""
        found = self.sections.get(path[0])
        for name in self.own(path)[1:]:
            found = found.inner.get(name) if found is not None else None
        return found

    @cached_property
    def words(self) -> Words:
        """Wording of the ruleset's formulas and steps."""
        return Words(self.rules, self.root)

    @cached_property
    def force(self) -> Reachable:
        """The rules that can be reached under the options."""
        return find_reachable(self.rules, self._known)

    @cached_property
    def _known(self) -> Any:
        return partial(fixed_truth, attributes=self.rules.attributes.by_name)

    @cached_property
    def living(self) -> frozenset[KeyPath]:
        """Entries that play can reach under the options, as (section, name); phases and steps by their names."""
        force = self.force
        named = {"moves": force.moves, "obligations": force.obligations, "whenever": force.whenever}
        found = {(section, name) for section, names in named.items() for name in names}
        called = {part.instance.name for f in force.formulas for part in walk_all(f) if isinstance(part, TermCall)}
        found |= {("terms", name) for name in called | self._declaring()}
        return frozenset({*found, *self._steps()})

    def _declaring(self) -> set[str]:
        """Return the terms used in declarations, directly or through other terms."""
        terms = self.sections["terms"].inner if "terms" in self.sections else {}
        new = {word for name in _DECLARING if name in self.sections for word in self.sections[name].words}
        found: set[str] = set()
        while new := (new & terms.keys()) - found:
            found |= new
            new = {word for name in new for word in terms[name].words}
        return found

    def _steps(self) -> Iterator[KeyPath]:
        for (name, _), phase in self.rules.phases.items():
            if name in self.force.phases:
                yield "flow", name
                yield from self._done(phase.steps, ("flow", name))

    def _done(self, steps: tuple[Step, ...], path: KeyPath) -> Iterator[KeyPath]:
        for step in steps:
            here = (*path, step.name)
            never = step.when is not None and self._known(step.when) is False
            if not never:
                yield here
            for inner in inner_lists(step) if not never else (step.otherwise,):
                yield from self._done(inner, here)


def load_side(game: str | Path, values: Mapping[str, Any]) -> ComparedRuleset:
    """Load one side of a comparison. Raises Refused."""
    rules, merged = load_ruleset(game, values)
    return ComparedRuleset(rules, merged.root)
