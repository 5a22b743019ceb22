"""Find entries that two rulesets name differently, by their bodies and by where they are mentioned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from hoyle.differences.name_mapping import name_prefix
from hoyle.differences.normal_forms import Meaning, owned_key
from hoyle.differences.outline import Part

Sections = Mapping[str, Part]
_NAMING = ("options", "tables", "pieces", "piles", "state", "terms", "obligations", "moves", "flow", "whenever")
"""Sections whose entries have names of their own."""
_INNER = {"tables": ("rows", "columns"), "options": ("choices",)}
"""Named things inside entries."""

ALIKE = 0.6
"""Least similarity of bodies, or of mentions, for two names of one thing."""
_Space = dict[str, Part]


def find_renames(a: Sections, b: Sections, known: Mapping[str, str]) -> dict[str, str]:
    """Map old names to new ones. `known` are renames found before."""
    votes = _count_votes(a, b)
    mentioned = Counter(old for (old, _), number in votes.items() for _ in range(number))
    found: list[tuple[float, str, str]] = []
    for owner, old, new in _name_spaces(a, b, known):
        gone = {n: p for n, p in old.items() if known.get(owner + n, n) not in new}
        came = {n: p for n, p in new.items() if n not in old and n not in known.values()}
        found += [
            (score, owner + x, y)
            for x, one in gone.items()
            for y, other in came.items()
            if (
                score := _score(
                    one, other, votes[_formula_spelling(x), _formula_spelling(y)], mentioned[_formula_spelling(x)]
                )
            )
            >= ALIKE
        ]
    return {**_formula_spellings(_choose_pairs(found)), **_match_seats(a, b), **_match_sides(a, b)}


def _match_seats(a: Sections, b: Sections) -> dict[str, str]:
    """Match seats by position if neither side has the other's name."""
    old, new = (list(_named_parts(found.get("players"), "seats")) for found in (a, b))
    pairs = zip(old, new, strict=False)
    return {owned_key("players", x): y for x, y in pairs if x not in new and y not in old}


def _match_sides(a: Sections, b: Sections) -> dict[str, str]:
    """Match sides by their members."""
    old, new = (_named_parts(found.get("players"), "sides") for found in (a, b))
    pairs = [
        (x, y)
        for x, one in old.items()
        for y, other in new.items()
        if x not in new and y not in old and one.meaning == other.meaning
    ]
    return {known: y for x, y in pairs for known in (x, owned_key("players", x))}


def _formula_spelling(name: str) -> str:
    """Return a name as formulas write it."""
    return name.replace(" ", "_")


def _formula_spellings(names: Mapping[str, str]) -> dict[str, str]:
    return {**{_formula_spelling(old): _formula_spelling(new) for old, new in names.items()}, **names}


def _choose_pairs(found: list[tuple[float, str, str]]) -> dict[str, str]:
    """Choose pairs greedily by score, without ambiguous ones."""
    told: dict[str, str] = {}
    for score, old, new in sorted(found, key=lambda one: (-one[0], one[1], one[2])):
        rivals = [1 for s, x, y in found if s == score and (x == old) != (y == new)]
        if old not in told and new not in told.values() and not rivals:
            told[old] = new
    return told


def _score(one: Part, other: Part, votes: int, mentioned: int) -> float:
    """Return how certain it is that two entries are one."""
    if set(one.inner) ^ set(other.inner) and not (one.inner and other.inner):
        return 0.0
    support = votes / mentioned if mentioned and one.meaning[0] == other.meaning[0] else 0.0
    return max(similarity(one, other), support)


def similarity(one: Part, other: Part) -> float:
    """Return the similarity of two bodies from 0 to 1; 0 if they have little content."""
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


def _name_spaces(a: Sections, b: Sections, known: Mapping[str, str]) -> Iterator[tuple[str, _Space, _Space]]:
    """Yield prefix, old and new parts of every name space."""
    for section in _NAMING:
        old, new = (dict(found[section].inner) if section in found else {} for found in (a, b))
        yield name_prefix((section,), {}), old, new
        for name, part in old.items():
            other = new.get(known.get(name_prefix((section,), {}) + name, name))
            for key in _INNER.get(section, ()) if other is not None else ():
                yield owned_key(name, ""), _named_parts(part, key), _named_parts(other, key)


def _named_parts(part: Part | None, key: str) -> _Space:
    """Return the named parts at a key; items of a list are names."""
    found = part.inner.get(key) if part is not None else None
    if found is None:
        return {}
    return dict(found.inner) or {item.node.raw: item for item in found.items}


def _count_votes(a: Sections, b: Sections) -> Counter[tuple[str, str]]:
    """Count how often one name stands where the other stood."""
    found: Counter[tuple[str, str]] = Counter()
    theirs = {path: part for section in b for path, part in b[section].walk((section,))}
    for section in a:
        for path, part in a[section].walk((section,)):
            other = theirs.get(path)
            if other is not None and not part.inner and part.meaning != other.meaning:
                old, new = (
                    _mentioned_names(part) - _mentioned_names(other),
                    _mentioned_names(other) - _mentioned_names(part),
                )
                found.update((x, y) for x in old for y in new if len(old) == len(new) == 1)
    return found


def _mentioned_names(part: Part) -> frozenset[str]:
    if part.items:
        return frozenset(_formula_spelling(item.node.raw) for item in part.items)
    return frozenset(word for word in part.words if word.isidentifier())
