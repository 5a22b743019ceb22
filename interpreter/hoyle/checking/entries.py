"""What entries of several sections have alike: a rule, formulas, a loop, names of other entries."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.world import Scope, World, unknown
from hoyle.diagnostics import UNSAID, Refused
from hoyle.language.ir import Expr, Var
from hoyle.language.kinds import UNKNOWN, Pile, item_of
from hoyle.language.model import Rule
from hoyle.language.sentences import said
from hoyle.language.steps import Loop
from hoyle.language.syntax import Form
from hoyle.reading import parse
from hoyle.reading.tree import Node, texts_of


def entries(root: Node, section: str) -> list[tuple[str, Node, Node]]:
    """Name, key and value of what a section holds."""
    node = root.get(section)
    return [e for e in node.entries() if e[2].kind == "map"] if node is not None and node.kind == "map" else []


def rule_of(world: World, node: Node, key: Node, what: str) -> Rule:
    """The `rule:` of an entry. It is required: every rule says where it comes from. `what`: which of the sentences `no_rule` says that
    it is missing."""
    rule = node.get("rule")
    if rule is None or rule.kind != "map":
        world.problems.add(
            "R116",
            said(f"no_rule.{what}", name=key.raw),
            node.place_without(["rule"], key.span),
            help=said("entries.add_rule"),
        )
        return Rule("")
    at = rule.get("at")
    return Rule(at.raw if at else "", tuple(texts_of(rule).items()))


def optional_form(world: World, node: Node | None) -> Form | None:
    """The formula that stands there; None if there is none, or none that can be read (which is then reported)."""
    if node is None or node.kind != "scalar":
        return None
    try:
        return parse.formula(node)
    except Refused as refused:
        world.problems.extend(refused.diagnostics)
        return None


def readable(node: Node) -> bool:
    """Can the formula that stands there be read?"""
    try:
        parse.formula(node)
    except Refused:
        return False
    return True


def loop_of(checker: FormulaChecker, node: Node | None, scope: Scope) -> tuple[Loop | None, Scope]:
    """`for: x in xs where c`, and the scope inside."""
    if node is None:
        return None, scope
    try:
        found = parse.generator(node)
    except Refused as refused:
        checker.world.problems.extend(refused.diagnostics)
        meant = re.match(r"[^\W\d]\w*", node.raw)  # what is bound is known, and nothing else follows
        return None, scope.bind(Var(meant[0], UNKNOWN)) if meant is not None else scope
    items = checker.listed(found.source, scope)
    var = Var(found.name, item_of(items.kind))
    inner = scope.bind(var)
    return Loop(var, items, checker.condition(found.where, inner) if found.where else None), inner


def names_in(world: World, node: Node | None, what: str, known: Iterable[str]) -> tuple[str, ...]:
    """Names of moves, obligations, …: those that exist; of the others it is said that they do not."""
    if node is None:
        return ()
    found, there = [], list(known)
    for item in node.items if node.kind == "list" else [node]:
        if item.raw in there:
            found.append(item.raw)
        else:
            unknown(world, "R307", what, item.raw, there, item.span)
    return tuple(found)


def seen(checker: FormulaChecker, piles: Expr) -> None:
    """The pieces of these piles decide what is offered."""
    kind = piles.kind.of_item if piles.kind.name == "list" else piles.kind
    if isinstance(kind, Pile):
        checker.looked_at(kind.piece, piles.span)


def are_piles(checker: FormulaChecker, source: Expr, what: str) -> bool:
    """Is it a pile or a list of piles, as `what` needs? If not, it is told."""
    kind = source.kind
    fine = kind.name == "pile" or (kind.name == "list" and kind.of_item.name in ("pile", "unknown"))
    if not fine and kind.name != "unknown":
        checker.world.problems.add(
            "R411",
            said("entries.names_piles", what=what),
            source.span,
            help=said("entries.any_piece") if what == "take" else UNSAID,
        )
    return fine
