"""What lies behind a problem in an inherited line: entries of the file itself, which the line mentions or is part of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from hoyle.diagnostics import Diagnostic, Said, Span
from hoyle.language.sentences import said
from hoyle.reading import sources
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node
from hoyle.resources import words_beside

Own = Callable[[Span], bool]
"""Does it stand in the file itself, which is built on the one with the problem?"""
_MENTIONED = ("set", "options", "terms", "state", "piles", "pieces", "tables", "players")
"""Sections whose entries formulas mention."""
_WITHIN = {"flow": 2}
"""How many names lead to an entry of a section; elsewhere one."""
_UNKNOWN = ("R3", "R6")
"""How codes begin of names that nothing has, and of what a variant changes that is not there."""
MOST = 3
"""How many places are shown at most."""


def with_what_is_behind(problem: Diagnostic, merged: Merged) -> Diagnostic:
    """The problem; if it stands in an inherited line, with the places in the file itself that it may come of; of a name that is unknown in the
    file itself with what it is built on, if that is not what the name means elsewhere."""
    own, where = str(merged.files[-1]), problem.span
    if where is not None and where.source.name == own:
        return replace(problem, related=(*problem.related, *_taken_name(problem, merged)))
    if where is None or where.source.name not in _below(merged):
        return problem
    if any(span.source.name == own for span, _ in problem.related):
        return problem
    told = " ".join(re.findall(r"`([^`]*)`", " ".join((problem.message, *problem.notes))))
    found = _behind(where, f"{where.text} {told}", merged.root, lambda span: span.source.name == own)
    related = [(key.span, said("behind.comes_from", name=name)) for name, key in found[:MOST]]
    return replace(problem, related=(*problem.related, *(related or _built_on(merged.root))))


def _below(merged: Merged) -> Iterator[str]:
    """The files that the file itself is built on, and those with their words."""
    for path in merged.files[:-1]:
        yield from (str(path), *map(str, words_beside(path)))


def _taken_name(problem: Diagnostic, merged: Merged) -> list[tuple[Span, Said]]:
    """What is unknown in a file may be known to the shipped ruleset whose name another has taken: where that is named."""
    if problem.severity != "error" or problem.code[:2] not in _UNKNOWN:
        return []
    path = merged.files[-1]
    taken = [(name, sources.shadowing_file(name.raw, path)) for name in sources.dependency_names(merged.root)]
    return [
        (name.span, said("files.means_here", name=name.raw, file=str(file))) for name, file in taken if file is not None
    ]


def _built_on(root: Node) -> list[tuple[Span, Said]]:
    """Where the file says what it is built on: at least that led there."""
    named = [node for key in ("extends", "use") if (node := root.get(key)) is not None]
    return [(node.span, said("behind.built_on")) for node in named[:1]]


def _behind(where: Span, told: str, root: Node, own: Own) -> list[tuple[str, Node]]:
    """From near to far: what is changed of the entry that is told of; what is mentioned in what is told, in the whole formula, or in the
    whole entry; what is changed of the entry somewhere."""
    entries, terms, entry = dict(_entries(root, own)), _terms(root), _entry_at(where, root)
    scalars = list(_scalars(entry[2])) if entry is not None else []
    place = _first_own(entry[1], entry[2], own) if entry is not None else None
    changed = [(entry[0], place)] if entry is not None and place is not None else []
    if entry is not None and where.lies_in(entry[1].span) and changed:
        return changed
    near = " ".join(scalar.raw for scalar in scalars if where.lies_in(scalar.span))
    texts = (told, near, " ".join(scalar.raw for scalar in scalars))
    return next((found for text in texts if (found := _mentioned(text, entries, terms))), changed)


def _mentioned(text: str, entries: Mapping[str, Node], terms: Mapping[str, str]) -> list[tuple[str, Node]]:
    """The entries that these words mention; if none, those that the terms mention which they mention, and so on."""
    words, seen = _words(text), set[str]()
    while words:
        found = [(word, entries[word]) for word in words if word in entries]
        if found:
            return found
        seen |= words.keys()
        words = {w: None for word in words for w in _words(terms.get(word, "")) if w not in seen}
    return []


def _scalars(node: Node) -> Iterator[Node]:
    if node.kind == "scalar":
        yield node
    for inner in (*node.items, *(part for _, key, value in node.entries() for part in (key, value))):
        yield from _scalars(inner)


def _words(text: str) -> dict[str, None]:
    return dict.fromkeys(re.findall(r"\w+", text))


def _terms(root: Node) -> dict[str, str]:
    section = root.get("terms")
    return {_bare(name): value.raw for name, _, value in section.entries()} if section is not None else {}


def _bare(name: str) -> str:
    """As formulas write it."""
    return name.split("(")[0].strip().replace(" ", "_")


def _entries(root: Node, own: Own) -> Iterator[tuple[str, Node]]:
    """What formulas may mention, and the key that stands in the file itself. What options are set to comes last, and counts."""
    for section in reversed(_MENTIONED):
        for name, key, value in _pairs(root.get(section)):
            for inner in ("rows", "columns") if section == "tables" else ():
                yield from _changed(_pairs(value.get(inner)), own)
            yield from _changed([(name, key, value)], own)


def _pairs(node: Node | None) -> Iterable[tuple[str, Node, Node]]:
    return node.entries() if node is not None else ()


def _changed(entries: Iterable[tuple[str, Node, Node]], own: Own) -> Iterator[tuple[str, Node]]:
    for name, key, value in entries:
        place = _first_own(key, value, own)
        if place is not None:
            yield _bare(name), place


def _first_own(key: Node, value: Node, own: Own) -> Node | None:
    """The key itself, or one inside the entry, or what stands there."""
    if own(key.span):
        return key
    inner = (_first_own(k, v, own) for _, k, v in value.entries())
    found = next((place for place in inner if place is not None), None)
    return found or (value if value.kind != "map" and own(value.span) else None)


def _entry_at(where: Span, root: Node) -> tuple[str, Node, Node] | None:
    """The entry that the place is in."""
    found = (_entry_around(where, node, _WITHIN.get(section, 1)) for section, _, node in root.entries())
    return next((entry for entry in found if entry is not None), None)


def _entry_around(where: Span, node: Node, depth: int) -> tuple[str, Node, Node] | None:
    for name, key, value in node.entries():
        if _holds(where, key, value):
            return (name, key, value) if depth == 1 else _entry_around(where, value, depth - 1)
    return None


def _holds(where: Span, key: Node, value: Node) -> bool:
    """Is the place in the entry? Of what is joined from several files only the parts say where they stand."""
    return any(where.lies_in(scalar.span) for scalar in (key, *_scalars(value)))
