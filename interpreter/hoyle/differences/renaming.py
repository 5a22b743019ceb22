"""What one ruleset only calls otherwise: known by its body, or by standing where the other stood in what mentions it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from hoyle.differences.forms import Meaning, inside
from hoyle.differences.names import space
from hoyle.differences.outline import Part

Sections = Mapping[str, Part]
_NAMING = ("options", "tables", "pieces", "piles", "state", "terms", "obligations", "moves", "flow", "whenever")
"""Sections whose entries have names of their own."""
_INNER = {"tables": ("rows", "columns"), "options": ("choices",)}
"""What has names inside an entry."""

ALIKE = 0.6
"""So much of two bodies is the same, or of what mentions one mentions the other, where they are one thing with two names."""
_Space = dict[str, Part]


def renamings(a: Sections, b: Sections, known: Mapping[str, str]) -> dict[str, str]:
    """Old name → new. `known`: those that the first is read with already."""
    votes = _votes(a, b)
    mentioned = Counter(old for (old, _), number in votes.items() for _ in range(number))
    found: list[tuple[float, str, str]] = []
    for owner, old, new in _spaces(a, b, known):
        gone = {n: p for n, p in old.items() if known.get(owner + n, n) not in new}
        came = {n: p for n, p in new.items() if n not in old and n not in known.values()}
        found += [
            (score, owner + x, y)
            for x, one in gone.items()
            for y, other in came.items()
            if (score := _score(one, other, votes[_spelt(x), _spelt(y)], mentioned[_spelt(x)])) >= ALIKE
        ]
    return {**_spellings(_best(found)), **_seats(a, b), **_sides(a, b)}


def _seats(a: Sections, b: Sections) -> dict[str, str]:
    """A seat is known by its place, where neither side has the other's name for it."""
    old, new = (list(_named(found.get("players"), "seats")) for found in (a, b))
    pairs = zip(old, new, strict=False)
    return {inside("players", x): y for x, y in pairs if x not in new and y not in old}


def _sides(a: Sections, b: Sections) -> dict[str, str]:
    """A side is known by who is on it; formulas mention it under its name alone."""
    old, new = (_named(found.get("players"), "sides") for found in (a, b))
    pairs = [
        (x, y)
        for x, one in old.items()
        for y, other in new.items()
        if x not in new and y not in old and one.meaning == other.meaning
    ]
    return {known: y for x, y in pairs for known in (x, inside("players", x))}


def _spelt(name: str) -> str:
    """As formulas write it."""
    return name.replace(" ", "_")


def _spellings(names: Mapping[str, str]) -> dict[str, str]:
    """With the names as formulas write them."""
    return {**{_spelt(old): _spelt(new) for old, new in names.items()}, **names}


def _best(found: list[tuple[float, str, str]]) -> dict[str, str]:
    """Each name once, the surest first; none that could as well be another's."""
    told: dict[str, str] = {}
    for score, old, new in sorted(found, key=lambda one: (-one[0], one[1], one[2])):
        rivals = [1 for s, x, y in found if s == score and (x == old) != (y == new)]
        if old not in told and new not in told.values() and not rivals:
            told[old] = new
    return told


def _score(one: Part, other: Part, votes: int, mentioned: int) -> float:
    """How sure it is that they are one thing."""
    if set(one.inner) ^ set(other.inner) and not (one.inner and other.inner):
        return 0.0
    support = votes / mentioned if mentioned and one.meaning[0] == other.meaning[0] else 0.0
    return max(alike(one, other), support)


def alike(one: Part, other: Part) -> float:
    """How much of two bodies is the same, from 0 to 1; 0 of bodies with little to tell them by."""
    a, b = Counter(_features(one)), Counter(_features(other))
    if min(a.total(), b.total()) < 4:
        return 0.0
    return 2 * (a & b).total() / (a.total() + b.total())


def _features(part: Part) -> Iterator[object]:
    for path, leaf in part.walk():
        if not leaf.inner:
            yield path
            yield from _within(leaf.meaning)


def _within(meaning: Meaning) -> Iterator[Meaning]:
    yield meaning
    for inner in meaning:
        if isinstance(inner, tuple):
            yield from _within(inner)


def _spaces(a: Sections, b: Sections, known: Mapping[str, str]) -> Iterator[tuple[str, _Space, _Space]]:
    """Both sides of each place where things get their names, and what stands before these where several places may have one (`inside`)."""
    for section in _NAMING:
        old, new = (dict(found[section].inner) if section in found else {} for found in (a, b))
        yield space((section,), {}), old, new
        for name, part in old.items():
            other = new.get(known.get(space((section,), {}) + name, name))
            for key in _INNER.get(section, ()) if other is not None else ():
                yield inside(name, ""), _named(part, key), _named(other, key)


def _named(part: Part | None, key: str) -> _Space:
    """What has a name there: in a list a name is all there is."""
    found = part.inner.get(key) if part is not None else None
    if found is None:
        return {}
    return dict(found.inner) or {item.node.raw: item for item in found.items}


def _votes(a: Sections, b: Sections) -> Counter[tuple[str, str]]:
    """How often one name stands where the other stood, all else being named alike."""
    found: Counter[tuple[str, str]] = Counter()
    theirs = {path: part for section in b for path, part in b[section].walk((section,))}
    for section in a:
        for path, part in a[section].walk((section,)):
            other = theirs.get(path)
            if other is not None and not part.inner and part.meaning != other.meaning:
                old, new = _words(part) - _words(other), _words(other) - _words(part)
                found.update((x, y) for x in old for y in new if len(old) == len(new) == 1)
    return found


def _words(part: Part) -> frozenset[str]:
    """The names that it mentions."""
    if part.items:
        return frozenset(_spelt(item.node.raw) for item in part.items)
    return frozenset(word for word in part.words if word.isidentifier())
