"""References that are no formulas: state to the phase that renews it, libraries to what they need."""

from __future__ import annotations

import re

from hoyle.checking.clauses import check_clauses
from hoyle.checking.world import World, is_removed, unknown
from hoyle.diagnostics import UNSAID, replacing, similar
from hoyle.language.sentences import said
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node, list_items, text_nodes


def check_references(world: World, root: Node, merged: Merged) -> None:
    for needs in merged.needs:
        _needs(world, root, needs)
    _renewals(world, root, {item for needs in merged.needs if needs.get("flow") for item in needs["flow"].plain()})
    check_clauses(world, root)
    _in_words(world, root)


def _renewals(world: World, root: Node, needed: set[str]) -> None:
    for name, _, node in _section(root, "state"):
        for phase in list_items(node.get("renewed")):
            if phase.raw not in world.phases and phase.raw not in needed:
                _never_renewed(world, name, phase)


def _never_renewed(world: World, name: str, phase: Node) -> None:
    if is_removed(world, phase.raw, phase.span):
        return
    close = similar(phase.raw, world.phases)
    world.problems.add(
        "R546",
        said("references.never_renewed", name=name, phase=phase.raw),
        phase.span,
        notes=[] if close else [said("references.phases", phases=", ".join(f"`{p}`" for p in world.phases))],
        help=said("similar", close=close) if close else UNSAID,
        fixes=replacing(phase.span, phase.raw, close),
    )


def _section(root: Node, name: str) -> list[tuple[str, Node, Node]]:
    node = root.get(name)
    return [e for e in node.entries() if e[2].kind == "map"] if node is not None and node.kind == "map" else []


# ---- in words --------------------------------------------------------------------------------------------------------


def _in_words(world: World, root: Node) -> None:
    """What has words must be a term or a column; the places in its words are the term's parameters."""
    terms = {name.partition("(")[0].strip(): name for name, _, _ in _entries(root, "terms")}
    columns = [f"{table.name}.{column}" for table in world.tables.values() for column in table.columns]
    for name, key, node in _entries(root, "in_words"):
        called = name.partition("(")[0].strip()
        if node.kind == "map" and not node.pairs:
            continue  # a column of which nothing is said
        if called not in terms and called not in columns:
            unknown(world, "R301", "term_or_column", called, [*terms, *columns], key.span)
            continue
        known = re.findall(r"\w+", name.partition("(")[2])
        for text in text_nodes(node).values() if node.kind == "map" else ():
            for place in re.findall(r"\{(.*?)\}", text.raw):
                if place not in known:
                    unknown(world, "R301", "place", place, known, text.span)


def _entries(root: Node, name: str) -> list[tuple[str, Node, Node]]:
    node = root.get(name)
    return list(node.entries()) if node is not None and node.kind == "map" else []


# ---- needs -----------------------------------------------------------------------------------------------------------


def _needs(world: World, root: Node, needs: Node) -> None:
    for section, _, value in needs.entries() if needs.kind == "map" else ():
        there = {name.split("(")[0] for name in _names(root, section)}
        for item in value.items if value.kind == "list" else [value]:
            name = item.raw.split("(")[0]
            if name not in there and not is_removed(world, name, item.span):
                world.problems.add(
                    "R607",
                    said("references.needed", name=item.raw, section=section),
                    item.span,
                    notes=[said("references.must_bring", file=item.span.source.name)],
                    help=said("references.add", name=item.raw, section=section),
                )


def _names(root: Node, section: str) -> list[str]:
    node = root.get(section)
    return list(node.pairs) if node is not None else []
