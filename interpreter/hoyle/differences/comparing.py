"""Two outlines beside each other: the smallest parts in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hoyle.differences.changes import Kind
from hoyle.differences.laws import Meaning
from hoyle.differences.names import at
from hoyle.differences.outline import Part

Paths = tuple[str, ...]


class Difference(Struct, frozen=True):
    """A part that only one has, that says something else, or that stands elsewhere among its like."""

    kind: Kind
    path: Paths
    before: Part | None
    after: Part | None


def compared(
    a: Mapping[str, Part],
    b: Mapping[str, Part],
    path: Paths = (),
    ordered: bool = False,
    names: Mapping[str, str] = {},
) -> Iterator[Difference]:
    """The differences of two maps of parts, in the order of the second; what is gone comes where it stood. `names`: what the first has under
    other names."""
    renamed = _renamed(a, b, at(path, names))
    back = {new: old for old, new in renamed.items()}
    moved = _moved([renamed.get(name, name) for name in a], list(b)) if ordered else frozenset()
    for name in _together(a, b, renamed):
        if name in back:
            yield Difference("renamed", (*path, name), a[back[name]], b[name])
            yield from _of_one(a[back[name]], b[name], (*path, name), names)
        elif name not in b:
            yield Difference("removed", (*path, name), a[name], None)
        elif name not in a:
            yield Difference("added", (*path, name), None, b[name])
        else:
            yield from _of_one(a[name], b[name], (*path, name), names)
        if name in moved:
            yield Difference("moved", (*path, name), a[back.get(name, name)], b[name])


def _of_one(a: Part, b: Part, path: Paths, names: Mapping[str, str]) -> Iterator[Difference]:
    if _is_same(a, b):
        return
    if a.node.kind == b.node.kind == "map":
        yield from compared(a.inner, b.inner, path, b.ordered, names)
    else:
        yield Difference("replaced", path, _at_new(a, b), _at_new(b, a))


def _is_same(a: Part, b: Part) -> bool:
    """Do they say the same, or are worth the same; of lists, item by item?"""
    if a.meaning == b.meaning or (a.lowered is not None and a.lowered == b.lowered):
        return True
    return 0 < len(a.items) == len(b.items) and all(map(_is_same, a.items, b.items))


def _at_new(one: Part, other: Part) -> Part:
    """Of a list, at the first item that the other has not."""
    new = (item.span for item in one.items if not any(_is_same(item, known) for known in other.items))
    return replace(one, place=next(new, None))


def _renamed(a: Mapping[str, Part], b: Mapping[str, Part], names: Mapping[str, str]) -> dict[str, str]:
    """Old name → new: those that are known, and what only one has under its name, and the other, it alone, under another."""
    known = {old: new for old, new in names.items() if old in a and new in b and old not in b and new not in a}
    a = {name: part for name, part in a.items() if name not in known}
    b = {name: part for name, part in b.items() if name not in known.values()}
    return {**known, **_of_one_body(a, b)}


def _of_one_body(a: Mapping[str, Part], b: Mapping[str, Part]) -> dict[str, str]:
    gone = _by_meaning({name: part for name, part in a.items() if name not in b})
    new = _by_meaning({name: part for name, part in b.items() if name not in a})
    return {
        gone[m][0]: new[m][0] for m in gone if len(gone[m]) == len(new.get(m, ())) == 1 and _tells_apart(a[gone[m][0]])
    }


def _by_meaning(parts: Mapping[str, Part]) -> dict[Meaning, list[str]]:
    found: dict[Meaning, list[str]] = {}
    for name, part in parts.items():
        found.setdefault(part.meaning, []).append(name)
    return found


def _tells_apart(part: Part) -> bool:
    """Is there enough in it that a like one is the same? A key with a value is known by its name."""
    return bool(part.inner) or (part.node.kind == "scalar" and len(part.words) > 3)


def _together(a: Mapping[str, Part], b: Mapping[str, Part], renamed: Mapping[str, str]) -> list[str]:
    """All names: those of the second in their order, each that is gone behind what it stood behind."""
    found, last = list(b), -1
    for name in a:
        name = renamed.get(name, name)
        if name in b:
            last = found.index(name)
        else:
            last += 1
            found.insert(last, name)
    return found


def _moved(a: Sequence[str], b: Sequence[str]) -> frozenset[str]:
    """Of what both have, the fewest that would have to be put elsewhere to make the orders the same."""
    old, new = [name for name in a if name in b], [name for name in b if name in a]
    place = {name: n for n, name in enumerate(old)}
    best: list[list[str]] = []
    for name in new:
        longest = max((kept for kept in best if place[kept[-1]] < place[name]), key=len, default=[])
        best.append([*longest, name])
    kept = max(best, key=len, default=[])
    return frozenset(new) - frozenset(kept)
