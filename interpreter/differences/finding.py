"""The changes from one ruleset to another: causes, each told once, with what only comes of it below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from interpreter.differences.causes import with_causes
from interpreter.differences.changes import Change, Detail, Side
from interpreter.differences.comparing import Difference, compared
from interpreter.differences.edition import Edition
from interpreter.differences.helpers import with_helpers
from interpreter.differences.outline import SECTIONS, Part
from interpreter.differences.sides import clauses_of, detail_side, option_side, players_side, side
from interpreter.differences.wording import clauses_told, source_told, worded
from interpreter.language.model import Option
from interpreter.reading.tree import STEPS_INSIDE

Paths = tuple[str, ...]
MOST_ROUNDS = 3
"""What is known to be renamed may show that something that mentions it is, too."""
_NAMING = ("tables", "pieces", "piles", "state", "terms", "obligations", "moves", "flow", "whenever")
"""Sections whose entries are mentioned elsewhere, or mention others."""
_COUNTED = ("count", "seats", "default")
"""What is said by how many play."""
_LIVING = ("flow", "moves", "obligations", "whenever", "terms")
"""Sections whose entries the options may leave without effect."""


class _Unit(Struct):
    """An entry, and in what it differs."""

    path: Paths
    whole: Difference | None = None
    parts: list[Difference] = field(default_factory=list)


def differences(a: Edition, b: Edition) -> list[Change]:
    """What somebody who knows the first has to be told of the second, section by section; nothing of two that play alike."""
    a = _in_names_of(a, b)
    found = [*_players(a, b), *_options(a, b), *_entries(a, b)]
    found = with_helpers(_once(found), a, b)
    found = with_causes(found, a, b)
    return [*source_told(a, b), *sorted(found, key=_order), *clauses_told(found, a, b)]


def _in_names_of(a: Edition, b: Edition) -> Edition:
    """The first, where what the second only calls otherwise has its name there, as far as that makes the two more alike."""
    for _ in range(MOST_ROUNDS):
        names = {d.before.name: d.after.name for d in _raw(a, b) if d.kind == "renamed" and d.before and d.after}
        other = a.calling(names)
        if not names.items() - a.names.items() or len(_raw(other, b)) >= len(_raw(a, b)):
            return a
        a = other
    return a


def _raw(a: Edition, b: Edition) -> list[Difference]:
    return [d for section in _NAMING for d in compared(_inner(a, section), _inner(b, section), (section,))]


def _order(change: Change) -> tuple[bool, int]:
    return not change.in_force, SECTIONS.index(change.section)


# ---- entries ---------------------------------------------------------------------------------------------------------


def _entries(a: Edition, b: Edition) -> Iterator[Change]:
    for section in SECTIONS[1:]:
        old, new = _inner(a, section), _inner(b, section)
        found = [*compared(old, new, (section,), section == "whenever"), *worded(old, new, (section,))]
        yield from (_change(unit, a, b) for unit in _units(found))


def _inner(edition: Edition, section: str) -> dict[str, Part]:
    part = edition.sections.get(section)
    return part.inner if part is not None else {}


def _units(found: Iterable[Difference]) -> Iterator[_Unit]:
    """The differences of each entry together, in the order in which the entries come first."""
    units: dict[Paths, _Unit] = {}
    for one in found:
        path = _entry(one.path)
        unit = units.setdefault(path, _Unit(path))
        if path == one.path and unit.whole is None:
            unit.whole = one
        elif path != one.path:
            unit.parts.append(one)
    yield from units.values()


def _entry(path: Paths) -> Paths:
    """The entry that something belongs to: of the flow the innermost step."""
    if path[0] in ("players", "result"):
        return path[:1]
    if path[0] != "flow":
        return path[:2]
    end = 3
    while len(path) > end + 1 and path[end] in STEPS_INSIDE:
        end += 2
    return path[:end]


def _change(unit: _Unit, a: Edition, b: Edition) -> Change:
    whole = unit.whole
    before, after = (whole.before, whole.after) if whole is not None else (a.part(unit.path), b.part(unit.path))
    same = _alike(unit.path, before, after, a, b)
    return Change(
        whole.kind if whole is not None else "replaced",
        unit.path[0],
        unit.path[1:],
        _side(a, unit.path, before, same) if before is not None else None,
        _side(b, unit.path, after, same) if after is not None else None,
        tuple(_detail(one, len(unit.path), a, b) for one in unit.parts),
        in_force=any(_lives(edition, unit.path) for edition in (a, b)) and not _is_same(unit, before, after, a, b),
    )


def _is_same(unit: _Unit, before: Part | None, after: Part | None, a: Edition, b: Edition) -> bool:
    """Is it a term that is worth the same number or truth on both sides, whatever happens?"""
    if unit.path[0] != "terms" or before is None or after is None:
        return False
    known = a.words.constant(before.formula), b.words.constant(after.formula)
    return known[0] is not None and known[0] == known[1]


def _side(edition: Edition, path: Paths, part: Part, unsaid: frozenset[str]) -> Side:
    if path[0] == "options" and len(path) > 1:
        return option_side(edition, edition.rules.options[part.name], part)
    return side(edition, path, part, unsaid)


def _alike(path: Paths, before: Part | None, after: Part | None, a: Edition, b: Edition) -> frozenset[str]:
    """The clauses that both have for an entry, in the same words."""
    if before is None or after is None:
        return frozenset()
    both = clauses_of(a, path, before) & clauses_of(b, path, after)
    return frozenset(name for name in both if a.rules.clauses[name].words == b.rules.clauses[name].words)


def _detail(one: Difference, depth: int, a: Edition, b: Edition) -> Detail:
    before = detail_side(a, one.path, one.before) if one.before is not None else None
    after = detail_side(b, one.path, one.after) if one.after is not None else None
    return Detail(one.kind, one.path[depth:], before, after)


def _lives(edition: Edition, path: Paths) -> bool:
    if path[0] not in _LIVING:
        return True
    return tuple(name for name in path if path[0] != "flow" or name not in STEPS_INSIDE) in edition.living


def _once(found: Iterable[Change]) -> list[Change]:
    """What several entries have from one place is told of the first."""
    kept: dict[object, Change] = {}
    for number, change in enumerate(found):
        places = tuple((d.kind, d.path, _place(d.before), _place(d.after)) for d in change.details)
        key = (change.section, places) if places and change.kind == "replaced" else number
        first = kept.get(key)
        kept[key] = change if first is None else replace(first, also=(*first.also, change))
    return list(kept.values())


def _place(side: Side | None) -> object:
    return (side.span.source.name, side.span.start) if side is not None and side.span is not None else None


# ---- players and options ---------------------------------------------------------------------------------------------


def _players(a: Edition, b: Edition) -> Iterator[Change]:
    """How many play, whether the file says so or the command line, and who with whom."""
    old, new = a.sections["players"], b.sections["players"]
    found = [d for d in compared(old.inner, new.inner, ("players",)) if d.path[1] not in _COUNTED]
    before, after = players_side(a, old), players_side(b, new)
    if before.value != after.value or found:
        yield Change("replaced", "players", (), before, after, tuple(_detail(one, 1, a, b) for one in found))


def _options(a: Edition, b: Edition) -> Iterator[Change]:
    """The options that both have, with other values."""
    old, new = _inner(a, "options"), _inner(b, "options")
    for name, option in b.rules.options.items():
        if name in a.rules.options and _value(a.rules.options[name]) != _value(option):
            before, after = option_side(a, a.rules.options[name], old[name]), option_side(b, option, new[name])
            yield Change(
                "replaced", "options", (name,), before, after, in_force=name not in a.rules.idle & b.rules.idle
            )


def _value(option: Option) -> object:
    return option.choices[option.value] if option.choices else option.value
