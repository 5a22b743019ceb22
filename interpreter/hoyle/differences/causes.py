"""Attach consequences to their cause, so that each change is told once.

Rules that options switch on or off, terms used by one side only, and sentences that repeat an option are reported with the change they depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hoyle.differences.changes import Change, Detail, Kind, Side
from hoyle.differences.compared_ruleset import ComparedRuleset
from hoyle.differences.entry_descriptions import describe_entry, written_at
from hoyle.differences.name_mapping import KeyPath
from hoyle.differences.outline import Part

_ASKED = ("options", "terms", "state", "tables")
_SECTIONS = ("obligations", "moves", "whenever")
_OFFERS = ("choose", "play", "obey", "run", "turns")


def attach_causes(found: Sequence[Change], a: ComparedRuleset, b: ComparedRuleset) -> list[Change]:
    """Add rules that are in force on one side only, each under the change that decides it, or alone if there is none."""
    kept, told = list(found), {(change.section, *change.path[:1]) for change in found if change.kind != "replaced"}
    for path in _switched_rules(a, b):
        if path in told:
            continue
        change, number = _turning(path, a, b), _find_cause(path, found, a, b)
        if number is None:
            kept.append(change)
        else:
            kept[number] = replace(kept[number], follows=(*kept[number].follows, change), in_force=True)
    return kept


def _find_cause(path: KeyPath, found: Sequence[Change], a: ComparedRuleset, b: ComparedRuleset) -> int | None:
    """Return the index of the change that switches a rule: its own options first, then steps that lead to it."""
    hangs = _find_deciding_names(path, a) | _find_deciding_names(path, b)
    numbered = list(enumerate(found))
    own = [n for n, change in numbered if (change.section, *change.path[:1]) == path]
    asked = [n for n, change in numbered if change.section in _ASKED and change.path[0] in hangs]
    asked.sort(key=lambda n: _ASKED.index(found[n].section))
    steps = [
        n
        for n, change in numbered
        if change.section == "flow" and path[1] in _names_led_to(change, a) | _names_led_to(change, b)
    ]
    return next(iter([*own, *asked, *steps]), None)


def _names_led_to(change: Change, edition: ComparedRuleset) -> set[str]:
    """Return the names that a step mentions, and the phases and moves it leads to."""
    part = edition.part((change.section, *change.path))
    known = {name: p for section in ("flow", "moves") for name, p in edition.sections[section].inner.items()}
    found, new = set[str](), set(part.words) if part is not None else set()
    while new:
        found |= new
        new = {word for name in new if name in known for word in known[name].words} - found
    return found


def _switched_rules(a: ComparedRuleset, b: ComparedRuleset) -> Iterator[KeyPath]:
    """Yield the rules of both sides that only one of them can reach."""
    for section in _SECTIONS:
        for name in b.sections[section].inner if section in b.sections else ():
            path = (section, name)
            if a.part(path) is not None and (a.own(path) in a.living) != (path in b.living):
                yield path


def _turning(path: KeyPath, a: ComparedRuleset, b: ComparedRuleset) -> Change:
    before, after = a.part(path), b.part(path)
    assert before is not None and after is not None
    kind: Kind = "applies" if path in b.living else "lapses"
    return Change(kind, path[0], path[1:], describe_entry(a, a.own(path), before), describe_entry(b, path, after))


def _find_deciding_names(path: KeyPath, edition: ComparedRuleset) -> set[str]:
    """Return the names that decide whether a rule is in force: in its conditions and in steps that offer it, through terms."""
    part = edition.part(path)
    found = set(_deciding(part)) if part is not None else set()
    found |= _find_gates(edition.own(path)[1], edition, set())
    return expand_terms(found, edition)


def _deciding(part: Part) -> set[str]:
    return {word for key in ("when", "if") if key in part.inner for word in part.inner[key].words}


def _find_gates(name: str, edition: ComparedRuleset, seen: set[str]) -> set[str]:
    """Return the names that decide whether steps which offer, obey or run this rule are done."""
    found: set[str] = set()
    flow = edition.sections["flow"]
    for phase, body in flow.inner.items():
        for path, step in body.walk():
            if phase not in seen and any(name in step.inner[key].words for key in _OFFERS if key in step.inner):
                found |= _names_on_the_way(body, path) | _find_gates(phase, edition, seen | {name})
    return found


def _names_on_the_way(body: Part, path: KeyPath) -> set[str]:
    """Return the names in the conditions of all steps around this one."""
    found = _deciding(body)
    for name in path:
        body = body.inner[name]
        found |= _deciding(body)
    return found


def expand_terms(names: set[str], edition: ComparedRuleset) -> set[str]:
    """Return these names and all names in the terms among them, transitively."""
    terms, found, new = edition.sections.get("terms"), set[str](), names
    while new:
        found |= new
        parts = [terms.inner[name] for name in new if terms is not None and name in terms.inner]
        new = {word for part in parts for word in part.words} - found
    return found


_LISTS = {
    "choose": "moves",
    "play": "moves",
    "over": "moves",
    "prefer": "moves",
    "obey": "obligations",
    "during": "flow",
    "order": "",
}
_LAST = ("options", "constraints", "display")
"""Sections that are credited with a term only if no other section uses it."""
_ONE_SIDED = ("added", "removed")


def attach_helpers(found: Sequence[Change], a: ComparedRuleset, b: ComparedRuleset) -> list[Change]:
    """Drop mere consequences and attach terms of one side to the changes that use them.

    Dropped are lists that only name something added or removed, and terms that no reported change uses.
    """
    kept = [change for change in (_drop_list_details(change, found) for change in found) if change is not None]
    terms = {change: change.path[0] for change in kept if change.section == "terms" and _is_helper(change)}
    users = sorted((change for change in kept if change not in terms), key=lambda change: change.section in _LAST)
    helped: dict[int, list[Change]] = {}
    for term, name in terms.items():
        edition = a if term.kind == "removed" else b
        number = next((n for n, user in enumerate(users) if name in _needed_terms(user, edition)), None)
        if number is None and term.kind not in _ONE_SIDED:
            users.append(term)
        elif number is not None:
            helped.setdefault(number, []).append(term)
    return [replace(user, helpers=(*user.helpers, *helped.get(n, ()))) for n, user in enumerate(users)]


def _is_helper(change: Change) -> bool:
    """Return whether a change is a term of one side, or a term whose change has no words."""
    sides = [side for side in (change.before, change.after) if side is not None]
    return change.kind in _ONE_SIDED or not (all(side.value for side in sides) or any(side.said for side in sides))


def _needed_terms(user: Change, edition: ComparedRuleset) -> set[str]:
    """Return the terms that a reported entry uses, directly or through other terms."""
    part = edition.part((user.section, *user.path))
    return expand_terms(set(part.words), edition) if part is not None else set()


def _drop_list_details(change: Change, found: Sequence[Change]) -> Change | None:
    """Remove details that only name reported entries; return None if nothing is left."""
    details = tuple(d for d in change.details if not _only_names(d, found))
    if change.details and not details and change.kind == "replaced":
        return None
    return replace(change, details=details)


def _only_names(detail: Detail, found: Sequence[Change]) -> bool:
    section = _LISTS.get(detail.path[-1]) if detail.kind == "replaced" else None
    if section is None or detail.before is None or detail.after is None:
        return False
    told = {c.path[0] for c in found if c.section == section and c.kind in (*_ONE_SIDED, "renamed")}
    told |= {c.before.source for c in found if c.section == section and c.kind == "renamed" and c.before is not None}
    old, new = _names(detail.before), _names(detail.after)
    return bool(told) and [n for n in old if n not in told] == [n for n in new if n not in told]


def _names(side: Side) -> list[str]:
    return list(side.items)


_WORDS = ("rule", "en")
_RULES = ("moves", "obligations", "whenever", "flow", "piles", "pieces")


def attach_restatements(
    found: Sequence[Change], clauses: Sequence[Change], a: ComparedRuleset, b: ComparedRuleset
) -> list[Change]:
    """Attach sentences that only restate an option to that option. Clauses come last."""
    options = [change for change in found if change.section == "options" and change.kind == "replaced"]
    told: dict[str, list[Change]] = {}
    kept: list[Change] = []
    for change in (*found, *clauses):
        option = next(
            (one for one in options if _restates(change) and one.path[0] in _find_mentioned_names(change, a, b)), None
        )
        if option is None:
            kept.append(change)
        elif not _is_in(change, clauses):
            told.setdefault(option.path[0], []).append(change)
    return [replace(one, follows=(*one.follows, *told.get(one.path[0], ()))) if one in options else one for one in kept]


def _restates(change: Change) -> bool:
    """Return whether only the sentence changed, not the rule."""
    if change.kind != "replaced":
        return False
    return change.section == "clauses" or (bool(change.details) and all(d.path[-1] in _WORDS for d in change.details))


def _is_in(change: Change, clauses: Sequence[Change]) -> bool:
    """Return whether a clause says a rule's sentence more fully."""
    cited = {
        name for d in change.details for side in (d.before, d.after) if side is not None for name in side.at.split()
    }
    cited |= set(change.side.at.split())
    return change.section != "clauses" and any(clause.path[0] in cited for clause in clauses)


def _find_mentioned_names(change: Change, a: ComparedRuleset, b: ComparedRuleset) -> set[str]:
    """Return the names mentioned by the rules that a change is about, through terms."""
    found: set[str] = set()
    for edition in (a, b):
        for path in _rule_paths(change, edition):
            part = edition.part(path)
            found |= expand_terms(set(part.words), edition) if part is not None else set()
    return found


def _rule_paths(change: Change, edition: ComparedRuleset) -> Iterator[tuple[str, ...]]:
    """Yield the paths of the rules that a change is about; for a clause, those that cite it and its home."""
    if change.section != "clauses":
        yield (change.section, *change.path)
        return
    name = change.path[0]
    clause = edition.rules.clauses.get(name)
    if clause is not None and clause.home:
        yield tuple(part.strip().partition("(")[0] for part in clause.home.split("/"))
    for section in _RULES:
        whole = edition.sections.get(section)
        for entry, part in whole.inner.items() if whole is not None else ():
            if any(name in written_at(inner).split() for _, inner in part.walk()):
                yield section, entry
