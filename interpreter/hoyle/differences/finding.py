"""The changes from one ruleset to another: causes, each told once, with what only comes of it below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.differences.causes import with_causes, with_helpers, with_restated
from hoyle.differences.changes import Change, Detail, Side
from hoyle.differences.comparing import (
    Difference,
    clause_written,
    clauses_told,
    compared,
    rule_written,
    source_told,
    worded,
)
from hoyle.differences.edition import Edition
from hoyle.differences.forms import inside
from hoyle.differences.names import KeyPath, space
from hoyle.differences.outline import SECTIONS, Part
from hoyle.differences.renaming import renamings
from hoyle.differences.sides import clauses_of, detail_side, option_side, players_side, side
from hoyle.language.model import Option
from hoyle.reading.tree import STEPS_INSIDE

MOST_ROUNDS = 3
"""What is known to be renamed may show that something that mentions it is, too."""
_NAMING = (
    "players",
    "options",
    "tables",
    "pieces",
    "piles",
    "state",
    "terms",
    "obligations",
    "moves",
    "flow",
    "whenever",
    "result",
    "display",
)
"""Sections whose entries are mentioned elsewhere, or mention others."""
_COUNTED = ("count", "seats", "default")
"""What is said by how many play."""
_LIVING = ("flow", "moves", "obligations", "whenever", "terms")
"""Sections whose entries the options may leave without effect."""


class _Unit(Struct):
    """An entry, and in what it differs; `changed`: it has another name, and what it says is another too."""

    path: KeyPath
    whole: Difference | None = None
    parts: list[Difference] = field(default_factory=list)
    changed: bool = False


def differences(a: Edition, b: Edition) -> list[Change]:
    """What somebody who knows the first has to be told of the second, section by section; nothing of two that play alike."""
    a = _in_names_of(a, b)
    a, b = a.beside(b), b.beside(a)
    found = _merged([*_players(a, b), *_options(a, b), *_entries(a, b)])
    found = with_helpers(_once(found), a, b)
    found = with_causes(found, a, b)
    clauses = list(clauses_told(found, a, b))
    return [*source_told(a, b), *with_restated(sorted(found, key=_order), clauses, a, b)]


def _in_names_of(a: Edition, b: Edition) -> Edition:
    """The first, where what the second only calls otherwise has its name there, as far as that makes the two more alike."""
    for _ in range(MOST_ROUNDS):
        names = renamings(a.sections, b.sections, a.names)
        names |= {
            known: d.after.name
            for d in _raw(a, b)
            if d.kind == "renamed" and d.before and d.after
            for known in _known_as(d.path[:-1], d.before.name, a)
        }
        better = _fewer(a, b, names) if names.items() - a.names.items() else None
        if better is None:
            return a
        a = better
    return a


def _known_as(path: KeyPath, name: str, a: Edition) -> Iterator[str]:
    """What it is known by among names; a row or a choice, where nothing else is called so, also by its name alone: a cell says no more."""
    yield space(path, a.names) + name
    if path[0] in ("tables", "options") and len(path) > 2 and not any(name in _inner(a, one) for one in _NAMING):
        yield name


def _fewer(a: Edition, b: Edition, names: dict[str, str]) -> Edition | None:
    """With these names, or those of them that alone make the two more alike; None where none does."""
    all_at_once, before = a.calling(names), len(_raw(a, b))
    if len(_raw(all_at_once, b)) < before or not names:
        return all_at_once
    good = {old: new for old, new in names.items() if len(_raw(a.calling({old: new}), b)) < before}
    return a.calling(good) if good else None


def _raw(a: Edition, b: Edition) -> list[Difference]:
    return [
        d for section in _NAMING for d in compared(_inner(a, section), _inner(b, section), (section,), names=a.names)
    ]


def _order(change: Change) -> tuple[bool, int]:
    return not change.in_force, SECTIONS.index(change.section)


# ---- entries ---------------------------------------------------------------------------------------------------------


def _entries(a: Edition, b: Edition) -> Iterator[Change]:
    for section in SECTIONS[1:]:
        old, new = _inner(a, section), _inner(b, section)
        found = [
            *compared(old, new, (section,), section == "whenever", a.names),
            *worded(old, new, (section,), a.names),
        ]
        yield from (change for unit in _units(found) if (change := _seen(unit, _change(unit, a, b))) is not None)


def _inner(edition: Edition, section: str) -> dict[str, Part]:
    part = edition.sections.get(section)
    return part.inner if part is not None else {}


def _units(found: Iterable[Difference]) -> Iterator[_Unit]:
    """The differences of each entry together, in the order in which the entries come first."""
    units: dict[KeyPath, _Unit] = {}
    for one in found:
        path = _entry(one.path)
        unit = units.setdefault(path, _Unit(path))
        if path == one.path and unit.whole is None:
            unit.whole = one
        elif path != one.path:
            unit.parts.append(one)
        elif one.kind == "replaced":
            unit.changed = True
    yield from units.values()


def _entry(path: KeyPath) -> KeyPath:
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
        _side(a, a.own(unit.path), before, same) if before is not None else None,
        _side(b, unit.path, after, same) if after is not None else None,
        tuple(_detail(one, len(unit.path), a, b) for one in unit.parts),
        in_force=any(_lives(edition, unit.path) for edition in (a, b)) and not _is_same(unit, before, after, a, b),
    )


def _seen(unit: _Unit, change: Change) -> Change | None:
    """What only its author calls otherwise is no change, unless something of it is."""
    seen = tuple(d for d in change.details if not (d.kind == "renamed" and _called_alike(d)))
    if change.details and not seen and change.kind == "replaced" and not unit.changed:
        return None
    change = replace(change, details=seen)
    if change.kind != "renamed":
        return change
    if change.section not in ("terms", "display") and not _called_alike(change):
        return change
    return replace(change, kind="replaced") if change.details or unit.changed else None


def _called_alike(found: Change | Detail) -> bool:
    return found.before is not None and found.after is not None and found.before.called == found.after.called


def _is_same(unit: _Unit, before: Part | None, after: Part | None, a: Edition, b: Edition) -> bool:
    """Is it a term that is worth the same number or truth on both sides, whatever happens?"""
    if unit.path[0] != "terms" or before is None or after is None:
        return False
    known = a.words.constant(before.formula), b.words.constant(after.formula)
    return known[0] is not None and known[0] == known[1]


def _side(edition: Edition, path: KeyPath, part: Part, unsaid: frozenset[str]) -> Side:
    if path[0] == "options" and len(path) > 1:
        return option_side(edition, edition.rules.options[part.name], part)
    return side(edition, path, part, unsaid)


def _alike(path: KeyPath, before: Part | None, after: Part | None, a: Edition, b: Edition) -> frozenset[str]:
    """The clauses that both have for an entry, in the same words whatever the options put into them; `rule`: its own sentence, too."""
    if before is None or after is None:
        return frozenset()
    both = clauses_of(a, a.own(path), before) & clauses_of(b, path, after)
    rule = frozenset(["rule"]) if rule_written(before) == rule_written(after) else frozenset()
    return rule | {name for name in both if clause_written(a, name) == clause_written(b, name)}


def _detail(one: Difference, depth: int, a: Edition, b: Edition) -> Detail:
    before = detail_side(a, a.own(one.path), one.before) if one.before is not None else None
    after = detail_side(b, one.path, one.after) if one.after is not None else None
    return Detail(one.kind, one.path[depth:], before, after)


def _lives(edition: Edition, path: KeyPath) -> bool:
    if path[0] not in _LIVING:
        return True
    own = tuple(name for name in edition.own(path) if path[0] != "flow" or name not in STEPS_INSIDE)
    return own in edition.living and not (path[0] == "flow" and edition.words.is_idle(own))


def _merged(found: Iterable[Change]) -> list[Change]:
    """Of an option its value and what may be agreed on, together."""
    kept: dict[object, Change] = {}
    for change in found:
        key = (change.section, change.path)
        first = kept.get(key)
        kept[key] = replace(first, kind=change.kind, details=change.details) if first is not None else change
    return list(kept.values())


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
    every = compared(old.inner, new.inner, ("players",), names=a.names)
    found = [d for d in every if d.path[1] not in _COUNTED and d.kind != "renamed"]
    before, after = players_side(a, old), players_side(b, new)
    if found or _seating(a) != _seating(b):
        yield Change("replaced", "players", (), before, after, tuple(_detail(one, 1, a, b) for one in found))


def _seating(edition: Edition) -> object:
    """How many play, and who with whom, whatever they are called."""
    rules = edition.rules
    return len(rules.seats), [tuple(side) for side in rules.sides]


def _options(a: Edition, b: Edition) -> Iterator[Change]:
    """The options that both have, with other values."""
    old, new = _inner(a, "options"), _inner(b, "options")
    for name, option in b.rules.options.items():
        known = a.own(("options", name))[1]
        if known in a.rules.options and _value(a.rules.options[known], a) != _value(option, b):
            before, after = option_side(a, a.rules.options[known], old[known]), option_side(b, option, new[name])
            idle = known in a.rules.idle and name in b.rules.idle
            yield Change("replaced", "options", (name,), before, after, in_force=not idle)


def _value(option: Option, edition: Edition) -> object:
    if not option.choices:
        return option.value
    chosen = option.choices[option.value]
    return edition.names.get(inside(option.name, chosen), chosen)
