"""Completes diagnostics of variants: places in the file itself that cause a problem in an inherited line, and misspelt overrides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from hoyle.diagnostics import MOST_KNOWN, Diagnostic, LocalizedText, Span, build_replacement, find_close_name
from hoyle.language.sentences import make_message
from hoyle.reading import sources
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node
from hoyle.resources import words_beside

IsOwn = Callable[[Span], bool]
"""Returns whether a span lies in the file itself, not in what it is built on."""
_MENTIONED = ("set", "options", "terms", "state", "piles", "pieces", "tables", "players")
"""Sections whose entries formulas mention."""
_WITHIN = {"flow": 2}
"""Depth of the entries of a section, if not 1."""
_UNKNOWN = ("R3", "R6")
"""First characters of the codes for unknown names and for changes of what is not inherited."""
MOST = 3
"""Greatest number of places shown."""


def add_inherited_causes(problem: Diagnostic, merged: Merged) -> Diagnostic:
    """Return the problem with related places.

    For an inherited line, these are places in the file itself that may cause the problem. For an unknown name in the file itself,
    it is the name of a base that hides the shipped ruleset of that name.
    """
    own, where = str(merged.files[-1]), problem.span
    if where is not None and where.source.name == own:
        return replace(problem, related=(*problem.related, *_find_taken_names(problem, merged)))
    if where is None or where.source.name not in _list_files_below(merged):
        return problem
    if any(span.source.name == own for span, _ in problem.related):
        return problem
    told = " ".join(re.findall(r"`([^`]*)`", " ".join((problem.message, *problem.notes))))
    found = _find_causes(where, f"{where.text} {told}", merged.root, lambda span: span.source.name == own)
    related = [(key.span, make_message("behind.comes_from", name=name)) for name, key in found[:MOST]]
    return replace(problem, related=(*problem.related, *(related or _find_base(merged.root))))


def _list_files_below(merged: Merged) -> Iterator[str]:
    """List the files that the file is built on, and their files of words."""
    for path in merged.files[:-1]:
        yield from (str(path), *map(str, words_beside(path)))


def _find_taken_names(problem: Diagnostic, merged: Merged) -> list[tuple[Span, LocalizedText]]:
    """Find the names of bases that mean another file than the shipped ruleset, which may have the unknown name."""
    if problem.severity != "error" or problem.code[:2] not in _UNKNOWN:
        return []
    path = merged.files[-1]
    taken = [(name, sources.shadowing_file(name.raw, path)) for name in sources.dependency_names(merged.root)]
    return [
        (name.span, make_message("files.means_here", name=name.raw, file=str(file)))
        for name, file in taken
        if file is not None
    ]


def _find_base(root: Node) -> list[tuple[Span, LocalizedText]]:
    """Find where the file says what it is built on. It is shown when nothing nearer is found."""
    named = [node for key in ("extends", "use") if (node := root.get(key)) is not None]
    return [(node.span, make_message("behind.built_on")) for node in named[:1]]


def _find_causes(where: Span, told: str, root: Node, own: IsOwn) -> list[tuple[str, Node]]:
    """Find the own entries nearest to a place: changes of its entry, else entries mentioned in the message, the formula or the entry."""
    entries, terms, entry = dict(_list_own_entries(root, own)), _read_terms(root), _find_entry(where, root)
    scalars = list(_list_scalars(entry[2])) if entry is not None else []
    place = _find_first_own(entry[1], entry[2], own) if entry is not None else None
    changed = [(entry[0], place)] if entry is not None and place is not None else []
    if entry is not None and where.lies_in(entry[1].span) and changed:
        return changed
    near = " ".join(scalar.raw for scalar in scalars if where.lies_in(scalar.span))
    texts = (told, near, " ".join(scalar.raw for scalar in scalars))
    return next((found for text in texts if (found := _find_mentioned(text, entries, terms))), changed)


def _find_mentioned(text: str, entries: Mapping[str, Node], terms: Mapping[str, str]) -> list[tuple[str, Node]]:
    """Find the entries that a text mentions; if none, those that the mentioned terms mention, and so on."""
    words, seen = _list_words(text), set[str]()
    while words:
        found = [(word, entries[word]) for word in words if word in entries]
        if found:
            return found
        seen |= words.keys()
        words = {w: None for word in words for w in _list_words(terms.get(word, "")) if w not in seen}
    return []


def _list_scalars(node: Node) -> Iterator[Node]:
    if node.kind == "scalar":
        yield node
    for inner in (*node.items, *(part for _, key, value in node.entries() for part in (key, value))):
        yield from _list_scalars(inner)


def _list_words(text: str) -> dict[str, None]:
    return dict.fromkeys(re.findall(r"\w+", text))


def _read_terms(root: Node) -> dict[str, str]:
    section = root.get("terms")
    return {_formula_name(name): value.raw for name, _, value in section.entries()} if section is not None else {}


def _formula_name(name: str) -> str:
    """Return the name of an entry as formulas write it."""
    return name.split("(")[0].strip().replace(" ", "_")


def _list_own_entries(root: Node, own: IsOwn) -> Iterator[tuple[str, Node]]:
    """List the entries that formulas may mention and the file itself changes, with the key. Later ones override: `set` comes last."""
    for section in reversed(_MENTIONED):
        for name, key, value in _list_entries(root.get(section)):
            for inner in ("rows", "columns") if section == "tables" else ():
                yield from _list_changed(_list_entries(value.get(inner)), own)
            yield from _list_changed([(name, key, value)], own)


def _list_entries(node: Node | None) -> Iterable[tuple[str, Node, Node]]:
    return node.entries() if node is not None else ()


def _list_changed(entries: Iterable[tuple[str, Node, Node]], own: IsOwn) -> Iterator[tuple[str, Node]]:
    for name, key, value in entries:
        place = _find_first_own(key, value, own)
        if place is not None:
            yield _formula_name(name), place


def _find_first_own(key: Node, value: Node, own: IsOwn) -> Node | None:
    """Find the first node of an entry that stands in the file itself: its key, a key inside, or its value."""
    if own(key.span):
        return key
    inner = (_find_first_own(k, v, own) for _, k, v in value.entries())
    found = next((place for place in inner if place is not None), None)
    return found or (value if value.kind != "map" and own(value.span) else None)


def _find_entry(where: Span, root: Node) -> tuple[str, Node, Node] | None:
    """Find the entry around a place."""
    found = (_find_entry_in(where, node, _WITHIN.get(section, 1)) for section, _, node in root.entries())
    return next((entry for entry in found if entry is not None), None)


def _find_entry_in(where: Span, node: Node, depth: int) -> tuple[str, Node, Node] | None:
    for name, key, value in node.entries():
        if _contains(where, key, value):
            return (name, key, value) if depth == 1 else _find_entry_in(where, value, depth - 1)
    return None


def _contains(where: Span, key: Node, value: Node) -> bool:
    """Return whether a place is in an entry. A map merged from several files has no span of its own, so its parts are searched."""
    return any(where.lies_in(scalar.span) for scalar in (key, *_list_scalars(value)))


_LACKING = ("R103", "R106", "R116", "R117", "R301", "R418", "R611")
_NAMED = ("moves", "obligations", "whenever", "state", "piles", "tables", "options", "pieces", "clauses", "flow")
"""Sections with overrides that may be misspelt. Other sections report that where they are read."""
_UNUSED = ("R530", "R531", "R534", "R535", "R536", "R537", "R538", "R544", "R545", "R549")


def suggest_inherited_name(problem: Diagnostic, root: Node) -> Diagnostic:
    """Return the problem of a new entry with the similar name of an inherited one, if there is one.

    Where an entry lacks something, the name becomes the help; where nothing uses it, it becomes a note.
    """
    if problem.span is None or problem.code not in _LACKING + _UNUSED or not problem.span.shares_file(root.span):
        return problem
    close = _find_similar_inherited(problem.span, root)
    if close is None or f"`{close}`" in problem.help:
        return problem
    meant = make_message("similar", close=close)
    if problem.code in _UNUSED:
        return replace(problem, notes=(*problem.notes, meant))
    notes = (*problem.notes, *([problem.help] if problem.help else []))
    return replace(problem, notes=notes, help=meant, fixes=build_replacement(problem.span, _name(problem.span), close))


def _find_similar_inherited(place: Span, root: Node) -> str | None:
    """Find the inherited name most similar to that of the entry at a place."""
    sections = [node for name in _NAMED if (node := root.get(name)) is not None]
    phases = [steps for _, _, steps in root["flow"].entries()] if root.get("flow") is not None else []
    for node in (*sections, *phases):
        key, _ = node.pairs.get(_name(place), (None, None))
        if key is not None and key.span == place:
            if len(node.pairs) > MOST_KNOWN:
                return None
            return find_close_name(_name(place), [n for n, k, _ in node.entries() if not k.span.shares_file(place)])
    return None


def _name(place: Span) -> str:
    return place.text.strip("'\"")
