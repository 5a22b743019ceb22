"""Constraints: what must hold between the options of a game. Judged as soon as the options are known, before anything is played."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.reader import Reader
from hoyle.checking.world import Scope, World
from hoyle.diagnostics import Said, verbatim
from hoyle.language.evaluate import Setting, evaluate, everything
from hoyle.language.ir import Cell, Const, Expr, Fault, Rows
from hoyle.language.kinds import BOOL, PLAYER
from hoyle.language.model import Constraint
from hoyle.language.sentences import FALLBACK, in_row, nothing_of, said
from hoyle.reading.tree import Node, texts_of

PLAYERS = "players"
"""What the number of players is called where it may be chosen, as an option is."""
EXCLUDED = "R612"
"""The code of options that the ruleset itself refuses: its constraints say why."""


class Constraints(Reader):
    """Reads and judges the section `constraints` of one merged tree."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        super().__init__(root, world, checker, {})

    def read(self) -> dict[str, Constraint]:
        """Every constraint; those that do not hold are reported."""
        found = {}
        for name, key, node in self.entries("constraints"):
            self._is_whole(name, key, node)
            form = self.formula(node["is"]) if node.get("is") else None
            if form is None:
                continue
            at = node.get("at")
            texts = texts_of(node)
            expr = self.checker.need(form, Scope(), BOOL, what=partial(said, "constraints.a_constraint"))
            found[name] = Constraint(name, expr, at.raw if at else "", texts, form.span)
            self._judge(found[name])
        return found

    def _is_whole(self, name: str, key: Node, node: Node) -> None:
        lacking = [verbatim("`is`")] if node.get("is") is None else []
        lacking += [] if texts_of(node) else [said("constraints.sentence")]
        if lacking:
            self.world.problems.add("R103", said("constraints.lacks", name=name, parts=nothing_of(lacking)), key.span)

    def _judge(self, constraint: Constraint) -> None:
        parts = list(everything(constraint.expr))
        moving = next((part for part in parts if isinstance(part, Cell | Fault)), None)
        if moving is not None:
            self.world.problems.add(
                "R408",
                said("constraints.constant"),
                moving.span,
                help=said("constraints.may_use"),
            )
        elif all(part.kind.name != "unknown" for part in parts) and not evaluate(constraint.expr, self.setting(), {}):
            self._broken(constraint, parts)

    def setting(self) -> Setting:
        """The options and tables, and every piece in the pile it starts in."""
        piles: list[list[int]] = [[] for f in self.world.piles.values() for _ in range(f.members * f.columns)]
        up = {f.base + i for f in self.world.piles.values() if f.face == "up" for i in range(f.members * f.columns)}
        for kind in self.world.pieces.values():
            for number, home in enumerate(kind.starts, kind.base):
                piles[home] += [2 * number | (home in up)] * kind.copies
        return Setting(self.world.attributes.by_name, [*piles, []], SEATS=len(self.world.seats))

    def _broken(self, constraint: Constraint, parts: list[Expr]) -> None:
        here = list(self._values(parts))
        shown = in_row(here)
        self.world.problems.add(
            EXCLUDED,
            Said(constraint.texts.get(FALLBACK, constraint.name), constraint.texts),
            constraint.span,
            notes=[said("here_options", known=shown)] if shown else [],
            help=said("choose_others"),
        )

    def _values(self, parts: list[Expr]) -> Iterator[str]:
        """The options that the constraint looks at, with their values."""
        named = looked_at(parts)
        for option in self.world.options.values():
            if option.name in named:
                value = option.choices[int(option.value)] if option.choices else str(option.value).lower()
                yield said("here_option", name=option.name, value=value)
        if PLAYERS in named:
            yield said("here_option", name=PLAYERS, value=len(self.world.seats))


def looked_at(parts: Collection[Expr]) -> set[str]:
    """What constant parts of a formula are called: the options among them; `players`, if it looks at all of them."""
    named = {part.span.text for part in parts if isinstance(part, Const)}
    everybody = any(isinstance(part, Rows) and part.kind.of_item == PLAYER for part in parts)
    return named | {PLAYERS} if everybody else named
