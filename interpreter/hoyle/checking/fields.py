"""What stands beside a verb: formulas of the kinds it needs, cells to store into, labels."""

from __future__ import annotations

from hoyle.checking.entries import optional_form
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.phrases import telling_of
from hoyle.checking.world import Scope, World
from hoyle.language.ir import Cell, Expr
from hoyle.language.kinds import Kind, Pile, describe
from hoyle.language.sentences import said
from hoyle.language.steps import Label
from hoyle.language.syntax import Form
from hoyle.reading.tree import Node


class Fields:
    """Reads the fields of steps. None is given for a field that is not there or cannot be read; the latter is reported."""

    def __init__(self, world: World, checker: FormulaChecker) -> None:
        self.world, self.checker = world, checker

    def form(self, node: Node, key: str) -> Form | None:
        return optional_form(self.world, node.get(key))

    def any(self, node: Node, key: str, scope: Scope) -> Expr | None:
        """A formula of whatever kind."""
        form = self.form(node, key)
        return self.checker.check(form, scope) if form else None

    def need(self, node: Node, key: str, scope: Scope, kind: Kind) -> Expr | None:
        form = self.form(node, key)
        return self.checker.need(form, scope, kind, present=True, what=f"`{key}`") if form else None

    def pile(self, node: Node, key: str, scope: Scope) -> Expr | None:
        return self.need(node, key, scope, Pile())

    def condition(self, node: Node, key: str, scope: Scope) -> Expr | None:
        form = self.form(node, key)
        return self.checker.condition(form, scope) if form else None

    def place(self, form: Form, scope: Scope) -> Cell | None:
        """A cell of the state, as something to store in."""
        found = self.checker.check(form, scope)
        if not isinstance(found, Cell):
            if found.kind.name != "unknown":
                self.checker.problem("R412", said("fields.only_state"), form, help=said("fields.name_state"))
            return None
        return found

    def store(self, place: Cell, value: Expr) -> Expr:
        """The value, as it fits where it is stored."""
        cell = self.world.state[place.ref.family].kind
        return self.checker.fit(value, cell.maybe(False), present=not cell.optional, what=f"`{place.ref.family}`")

    def label(self, node: Node | None, scope: Scope, points: Expr | None = None) -> Label | None:
        """What is announced; the words of a score know its `points` by that name."""
        if node is None:
            return None
        if node.kind == "map":
            given = {} if points is None else {"points": points}
            return Label(telling_of(self.checker, node, scope, given=given), None)
        form = optional_form(self.world, node)
        if form is None:
            return None
        row = self.checker.check(form, scope)
        if row.kind.name not in ("row", "text", "choice", "unknown", "player", "piece"):
            self.checker.problem("R413", said("fields.a_label", found=describe(row.kind)), form)
            return None
        return Label(None, row)
