"""Recovery from violations of the schema: remove the faulty parts of a tree, and suppress problems that may only follow from that."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import Diagnostic, Source, find_close_name
from hoyle.language.sentences import LANGUAGES
from hoyle.reading.shape import Path, Violation, validate_shape
from hoyle.reading.shape_errors import unknown_keys
from hoyle.reading.tree import Node

_SELDOM_NAMED = (
    "title",
    "summary",
    "source",
    "notes",
    "unaffected",
    "clauses",
    "in_words",
    "glossary",
    "display",
    "examples",
)
"""Sections that can be missing without consequences."""
_HANG_ON = ("extends", "flow", "players", "set", "use")
"""Sections on which everything depends: an unknown section with a similar name may be one of them."""
_DECLARING = ("options", "tables", "pieces", "piles", "state", "terms")
_WHOLE = ("flow", "obligations", "whenever")
"""Sections where half an entry, merged with the inherited one, would mean something else."""
_OPEN = ("moves",)
"""Sections where the rest of an entry is checked by itself."""
_DEPTH = {"flow": 3, "result": 1}
"""The depth of entries in a section; elsewhere 2."""
_ROUNDS = 3
"""Removing a part can make others faulty."""
_CERTAIN = ("R2", "R3", "R4")
"""Stages whose problems are still certain: formulas, names, types. Statements about the whole game are not."""


_FOR_PEOPLE = (*LANGUAGES, "at", "rule", "layout", "letter", "short", "symbol", "title", "unasked")
"""Keys without which an entry means the same."""
_LIKE_THEM = ("from", "let", "then")
"""Other keys with similar names."""
_ABOUT_NAMES = ("R301", "R303", "R304", "R305", "R403")
"""Codes for names whose meaning may depend on removed parts. (R306 says that a move or player is missing.)"""
_MISSING = "R103"
"""The code for a missing section."""


class Damage(Struct, frozen=True):
    """The removed parts of a tree.

    names    names of incomplete entries, and words in the removed parts
    entries  begin and end of incomplete entries in the file, in order, disjoint
    lost     too much is removed: only formulas can be checked
    """

    source: Source
    names: frozenset[str] = frozenset()
    entries: tuple[tuple[int, int], ...] = ()
    lost: bool = False

    def explains(self, problem: Diagnostic, declared: frozenset[str]) -> bool:
        """Can a problem be a consequence of the damage? `declared`: all names in the whole tree."""
        span, stage = problem.span, problem.code[:2]
        if problem.severity == "warning" or span is None or (self.lost and stage != "R2"):
            return True
        said = re.findall(r"`([^`]*)`", problem.message)
        if problem.code == _MISSING:
            return not self.names.isdisjoint(said)
        if problem.code == "R306" or (problem.code in _ABOUT_NAMES and span.text in declared):
            return True
        inside = span.source == self.source and self._inside(span.start)
        return stage not in _CERTAIN or inside or not self.names.isdisjoint({*said, *words_in(span.text)})

    def _inside(self, place: int) -> bool:
        before = bisect_right(self.entries, place, key=lambda entry: entry[0])
        return before > 0 and place < self.entries[before - 1][1]


def declared_names(node: Node) -> frozenset[str]:
    """Every key of a tree and every item of its lists, as formulas write them."""
    found, waiting = set[str](), [node]
    while waiting:
        node = waiting.pop()
        found |= {name.split("(")[0].strip().replace(" ", "_") for name in node.pairs}
        found |= {item.raw for item in node.items}
        waiting += [*node.items, *(value for _, _, value in node.entries())]
    return frozenset(found)


def words_in(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


def remove_damage(node: Node) -> tuple[Node, Damage]:
    """Remove everything that violates the schema of rulesets."""
    names, entries = set[str](), set[tuple[int, int]]()
    for _ in range(_ROUNDS):
        violations = validate_shape(node).violations
        if not violations:
            return node, Damage(node.span.source, frozenset(names), tuple(sorted(entries)))
        paths = {path for violation in violations for path in _left_out(violation)}
        meant = dict(item for violation in violations for item in _unknown_sections(violation))
        if any(_is_needed(node, path, meant) for path in paths):
            break
        for path in paths:
            names |= _names(node, path) if meant.get(str(path[0])) not in _SELDOM_NAMED else set()
            names |= {str(path[0]), meant.get(str(path[0]), "")} if len(path) == 1 else set()
            entries |= {_entry(node, path)} if path[0] not in _OPEN else set()
        node = _without(node, paths)
    return node, Damage(node.span.source, lost=True)


def _left_out(violation: Violation) -> Iterator[Path]:
    """The paths to remove for a violation: whole lists instead of items, whole steps instead of parts."""
    path = violation.place.path
    names = unknown_keys(violation) or ([violation.name] if violation.name else [])
    for found in [(*path, name) for name in names] or [path]:
        section = str(found[0]) if found else ""
        in_step = "then" in found[2:3]
        deepest = _DEPTH.get(section, 2) if section in _WHOLE else 4 if in_step else len(found)
        yield found[: next((at for at, part in enumerate(found) if isinstance(part, int)), deepest)][:deepest]


def _unknown_sections(violation: Violation) -> Iterator[tuple[str, str]]:
    """Unknown sections, each with the section it may be meant for."""
    for name in unknown_keys(violation) if not violation.place.path else ():
        yield name, find_close_name(name, violation.schema["properties"]) or ""


def _is_needed(node: Node, path: Path, meant: dict[str, str]) -> bool:
    """Does too much depend on a path: a whole section, or the players? `meant`: the known sections that unknown ones resemble."""
    if not path or path[0] == "players":
        return True
    if len(path) > 1 or path[0] in _SELDOM_NAMED:
        return False
    return _at(node, path).kind != "map" or meant.get(str(path[0]), _HANG_ON[0]) in _HANG_ON


def _at(node: Node, path: Path) -> Node:
    for part in path:
        node = node[str(part)]
    return node


def _names(node: Node, path: Path) -> set[str]:
    """The names that may be unknown or incomplete without this path."""
    if _is_for_people(path) or "words" in path[2:] or path[0] == "set":
        return set()
    named = path[1:3] if path[0] == "flow" else path[1:4:2]  # a step, too: `during` names steps
    known = {str(part).split("(")[0].strip() for part in named}
    known |= {*_at(node, path).pairs} if len(path) == 1 or path[0] in _OPEN else set()
    known |= {*_at(node, path[:3]).pairs} if path[2:3] in (("with",), ("let",)) else set()  # one may be made of another
    known |= {name.replace(" ", "_") for name in known}
    declares = path[0] in _DECLARING or len(path) == 1
    return known | words_in(f"{_at(node, path).plain()}") if declares else known


def _is_for_people(path: Path) -> bool:
    """Is the last key misspelt from one that only people read? Keys and names alternate in a path."""
    return len(path) % 2 == 1 and find_close_name(str(path[-1]), (*_FOR_PEOPLE, *_LIKE_THEM)) in _FOR_PEOPLE


def _entry(node: Node, path: Path) -> tuple[int, int]:
    """Begin and end of an entry, with its name."""
    entry = path[: min(len(path), _DEPTH.get(str(path[0]), 2))]
    key, value = _at(node, entry[:-1]).pairs[str(entry[-1])]
    return key.span.start, max(key.span.end, value.span.end)


def _without(node: Node, paths: Iterable[Path]) -> Node:
    below: dict[str, list[Path]] = {}
    for path in paths:
        below.setdefault(str(path[0]), []).append(path[1:])
    kept = {name: pair for name, pair in node.pairs.items() if () not in below.get(name, [])}
    inner = {
        name: (key, _without(value, below[name]) if name in below else value) for name, (key, value) in kept.items()
    }
    return replace(node, pairs=inner)
