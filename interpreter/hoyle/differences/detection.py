"""Find the changes from one ruleset to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.differences.causes import attach_causes, attach_helpers, attach_restatements
from hoyle.differences.changes import Change, Detail, Side
from hoyle.differences.compared_ruleset import ComparedRuleset
from hoyle.differences.entry_descriptions import (
    describe_detail,
    describe_entry,
    describe_option,
    describe_players,
    list_clauses,
)
from hoyle.differences.name_mapping import KeyPath, name_prefix
from hoyle.differences.normal_forms import owned_key
from hoyle.differences.outline import SECTIONS, Part
from hoyle.differences.outline_comparison import (
    Difference,
    compare_clauses,
    compare_parts,
    compare_rules,
    compare_sources,
    written_clause,
    written_rule,
)
from hoyle.differences.rename_detection import find_renames
from hoyle.language.model import Option
from hoyle.reading.tree import STEPS_INSIDE

MOST_ROUNDS = 3
"""Rounds of looking for renames; each known rename can reveal others that mention it."""
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
"""Keys covered by the change in the number of players."""
_LIVING = ("flow", "moves", "obligations", "whenever", "terms")
"""Sections whose entries options may switch off."""


class _EntryDifferences(Struct):
    """An entry and its differences; `changed` if both its name and its content differ."""

    path: KeyPath
    whole: Difference | None = None
    parts: list[Difference] = field(default_factory=list)
    changed: bool = False


def find_changes(a: ComparedRuleset, b: ComparedRuleset) -> list[Change]:
    """Return the changes from the first ruleset to the second, by section; none if they play alike."""
    a = _apply_renames(a, b)
    a, b = a.beside(b), b.beside(a)
    found = _merge_options([*_player_changes(a, b), *_option_changes(a, b), *_entries(a, b)])
    found = attach_helpers(_merge_like(found), a, b)
    found = attach_causes(found, a, b)
    clauses = list(compare_clauses(found, a, b))
    return [*compare_sources(a, b), *attach_restatements(sorted(found, key=_order), clauses, a, b)]


def _apply_renames(a: ComparedRuleset, b: ComparedRuleset) -> ComparedRuleset:
    """Return the first ruleset with the second's names for renamed things, as far as that makes them more alike."""
    for _ in range(MOST_ROUNDS):
        names = find_renames(a.sections, b.sections, a.names)
        names |= {
            known: d.after.name
            for d in _raw(a, b)
            if d.kind == "renamed" and d.before and d.after
            for known in _mapping_keys(d.path[:-1], d.before.name, a)
        }
        better = _keep_useful_renames(a, b, names) if names.items() - a.names.items() else None
        if better is None:
            return a
        a = better
    return a


def _mapping_keys(path: KeyPath, name: str, a: ComparedRuleset) -> Iterator[str]:
    """Yield the keys of a name in mappings of names; a unique row or choice also by its name alone."""
    yield name_prefix(path, a.names) + name
    if path[0] in ("tables", "options") and len(path) > 2 and not any(name in _inner(a, one) for one in _NAMING):
        yield name


def _keep_useful_renames(a: ComparedRuleset, b: ComparedRuleset, names: dict[str, str]) -> ComparedRuleset | None:
    """Apply these renames, or those of them that reduce the differences; None if none does."""
    all_at_once, before = a.calling(names), len(_raw(a, b))
    if len(_raw(all_at_once, b)) < before or not names:
        return all_at_once
    good = {old: new for old, new in names.items() if len(_raw(a.calling({old: new}), b)) < before}
    return a.calling(good) if good else None


def _raw(a: ComparedRuleset, b: ComparedRuleset) -> list[Difference]:
    return [
        d
        for section in _NAMING
        for d in compare_parts(_inner(a, section), _inner(b, section), (section,), names=a.names)
    ]


def _order(change: Change) -> tuple[bool, int]:
    return not change.in_force, SECTIONS.index(change.section)


# ---- entries ---------------------------------------------------------------------------------------------------------


def _entries(a: ComparedRuleset, b: ComparedRuleset) -> Iterator[Change]:
    for section in SECTIONS[1:]:
        old, new = _inner(a, section), _inner(b, section)
        found = [
            *compare_parts(old, new, (section,), section == "whenever", a.names),
            *compare_rules(old, new, (section,), a.names),
        ]
        yield from (
            change
            for unit in _group_by_entry(found)
            if (change := _drop_invisible_rename(unit, _change(unit, a, b))) is not None
        )


def _inner(edition: ComparedRuleset, section: str) -> dict[str, Part]:
    part = edition.sections.get(section)
    return part.inner if part is not None else {}


def _group_by_entry(found: Iterable[Difference]) -> Iterator[_EntryDifferences]:
    """Group differences by entry."""
    units: dict[KeyPath, _EntryDifferences] = {}
    for one in found:
        path = _entry_path(one.path)
        unit = units.setdefault(path, _EntryDifferences(path))
        if path == one.path and unit.whole is None:
            unit.whole = one
        elif path != one.path:
            unit.parts.append(one)
        elif one.kind == "replaced":
            unit.changed = True
    yield from units.values()


def _entry_path(path: KeyPath) -> KeyPath:
    """Return the path of the entry around a part; in the flow, the innermost step."""
    if path[0] in ("players", "result"):
        return path[:1]
    if path[0] != "flow":
        return path[:2]
    end = 3
    while len(path) > end + 1 and path[end] in STEPS_INSIDE:
        end += 2
    return path[:end]


def _change(unit: _EntryDifferences, a: ComparedRuleset, b: ComparedRuleset) -> Change:
    whole = unit.whole
    before, after = (whole.before, whole.after) if whole is not None else (a.part(unit.path), b.part(unit.path))
    same = _common_clauses(unit.path, before, after, a, b)
    return Change(
        whole.kind if whole is not None else "replaced",
        unit.path[0],
        unit.path[1:],
        _side(a, a.own(unit.path), before, same) if before is not None else None,
        _side(b, unit.path, after, same) if after is not None else None,
        tuple(_detail(one, len(unit.path), a, b) for one in unit.parts),
        in_force=any(_lives(edition, unit.path) for edition in (a, b)) and not _is_same_term(unit, before, after, a, b),
    )


def _drop_invisible_rename(unit: _EntryDifferences, change: Change) -> Change | None:
    """Return None for a rename that only authors see."""
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


def _is_same_term(
    unit: _EntryDifferences, before: Part | None, after: Part | None, a: ComparedRuleset, b: ComparedRuleset
) -> bool:
    """Return whether a term has the same value on both sides in every state."""
    if unit.path[0] != "terms" or before is None or after is None:
        return False
    known = a.words.constant(before.formula), b.words.constant(after.formula)
    return known[0] is not None and known[0] == known[1]


def _side(edition: ComparedRuleset, path: KeyPath, part: Part, unsaid: frozenset[str]) -> Side:
    if path[0] == "options" and len(path) > 1:
        return describe_option(edition, edition.rules.options[part.name], part)
    return describe_entry(edition, path, part, unsaid)


def _common_clauses(
    path: KeyPath, before: Part | None, after: Part | None, a: ComparedRuleset, b: ComparedRuleset
) -> frozenset[str]:
    """Return the clauses of an entry that read the same on both sides; `rule` stands for its own sentence."""
    if before is None or after is None:
        return frozenset()
    both = list_clauses(a, a.own(path), before) & list_clauses(b, path, after)
    rule = frozenset(["rule"]) if written_rule(before) == written_rule(after) else frozenset()
    return rule | {name for name in both if written_clause(a, name) == written_clause(b, name)}


def _detail(one: Difference, depth: int, a: ComparedRuleset, b: ComparedRuleset) -> Detail:
    before = describe_detail(a, a.own(one.path), one.before) if one.before is not None else None
    after = describe_detail(b, one.path, one.after) if one.after is not None else None
    return Detail(one.kind, one.path[depth:], before, after)


def _lives(edition: ComparedRuleset, path: KeyPath) -> bool:
    if path[0] not in _LIVING:
        return True
    own = tuple(name for name in edition.own(path) if path[0] != "flow" or name not in STEPS_INSIDE)
    return own in edition.living and not (path[0] == "flow" and edition.words.is_idle(own))


def _merge_options(found: Iterable[Change]) -> list[Change]:
    """Join the changes of an option's value and of its choices."""
    kept: dict[object, Change] = {}
    for change in found:
        key = (change.section, change.path)
        first = kept.get(key)
        kept[key] = replace(first, kind=change.kind, details=change.details) if first is not None else change
    return list(kept.values())


def _merge_like(found: Iterable[Change]) -> list[Change]:
    """Join equal changes of entries that are `like` one another."""
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


def _player_changes(a: ComparedRuleset, b: ComparedRuleset) -> Iterator[Change]:
    """Yield the change in number and sides of players."""
    old, new = a.sections["players"], b.sections["players"]
    every = compare_parts(old.inner, new.inner, ("players",), names=a.names)
    found = [d for d in every if d.path[1] not in _COUNTED and d.kind != "renamed"]
    before, after = describe_players(a, old), describe_players(b, new)
    if found or _seating_of(a) != _seating_of(b):
        yield Change("replaced", "players", (), before, after, tuple(_detail(one, 1, a, b) for one in found))


def _seating_of(edition: ComparedRuleset) -> object:
    """Return number and sides of players, without names."""
    rules = edition.rules
    return len(rules.seats), [tuple(side) for side in rules.sides]


def _option_changes(a: ComparedRuleset, b: ComparedRuleset) -> Iterator[Change]:
    """Yield options of both sides with different values."""
    old, new = _inner(a, "options"), _inner(b, "options")
    for name, option in b.rules.options.items():
        known = a.own(("options", name))[1]
        if known in a.rules.options and _value(a.rules.options[known], a) != _value(option, b):
            before, after = (
                describe_option(a, a.rules.options[known], old[known]),
                describe_option(b, option, new[name]),
            )
            idle = known in a.rules.idle and name in b.rules.idle
            yield Change("replaced", "options", (name,), before, after, in_force=not idle)


def _value(option: Option, edition: ComparedRuleset) -> object:
    if not option.choices:
        return option.value
    chosen = option.choices[option.value]
    return edition.names.get(owned_key(option.name, chosen), chosen)
