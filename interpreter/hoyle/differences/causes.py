"""What the options bring into force or leave without effect is told with the option that does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hoyle.differences.changes import Change, Detail, Kind, Side
from hoyle.differences.edition import Edition
from hoyle.differences.names import KeyPath
from hoyle.differences.outline import Part
from hoyle.differences.sides import at_of, side

_ASKED = ("options", "terms", "state", "tables")
_SECTIONS = ("obligations", "moves", "whenever")
_OFFERS = ("choose", "play", "obey", "run", "turns")


def with_causes(found: Sequence[Change], a: Edition, b: Edition) -> list[Change]:
    """What is written in both and in force in one of them only, each told with what it hangs on, or by itself if that cannot be made out."""
    kept, told = list(found), {(change.section, *change.path[:1]) for change in found if change.kind != "replaced"}
    for path in _turned(a, b):
        if path in told:
            continue
        change, number = _turning(path, a, b), _cause(path, found, a, b)
        if number is None:
            kept.append(change)
        else:
            kept[number] = replace(kept[number], follows=(*kept[number].follows, change), in_force=True)
    return kept


def _cause(path: KeyPath, found: Sequence[Change], a: Edition, b: Edition) -> int | None:
    """The change that a rule hangs on: its own, that of what is asked for on the way to it, options first, or that of a step on the way."""
    hangs = _deciding_names(path, a) | _deciding_names(path, b)
    numbered = list(enumerate(found))
    own = [n for n, change in numbered if (change.section, *change.path[:1]) == path]
    asked = [n for n, change in numbered if change.section in _ASKED and change.path[0] in hangs]
    asked.sort(key=lambda n: _ASKED.index(found[n].section))
    steps = [
        n for n, change in numbered if change.section == "flow" and path[1] in _led_to(change, a) | _led_to(change, b)
    ]
    return next(iter([*own, *asked, *steps]), None)


def _led_to(change: Change, edition: Edition) -> set[str]:
    """Whatever a step mentions, and the phases and moves that it leads to."""
    part = edition.part((change.section, *change.path))
    known = {name: p for section in ("flow", "moves") for name, p in edition.sections[section].inner.items()}
    found, new = set[str](), set(part.words) if part is not None else set()
    while new:
        found |= new
        new = {word for name in new if name in known for word in known[name].words} - found
    return found


def _turned(a: Edition, b: Edition) -> Iterator[KeyPath]:
    """The rules of both that only one of them can come to."""
    for section in _SECTIONS:
        for name in b.sections[section].inner if section in b.sections else ():
            path = (section, name)
            if a.part(path) is not None and (a.own(path) in a.living) != (path in b.living):
                yield path


def _turning(path: KeyPath, a: Edition, b: Edition) -> Change:
    before, after = a.part(path), b.part(path)
    assert before is not None and after is not None
    kind: Kind = "applies" if path in b.living else "lapses"
    return Change(kind, path[0], path[1:], side(a, a.own(path), before), side(b, path, after))


def _deciding_names(path: KeyPath, edition: Edition) -> set[str]:
    """Whatever names decide whether it is in force: those of its own conditions, then of the steps that offer it, through terms."""
    part = edition.part(path)
    found = set(_deciding(part)) if part is not None else set()
    found |= _gates(edition.own(path)[1], edition, set())
    return through_terms(found, edition)


def _deciding(part: Part) -> set[str]:
    return {word for key in ("when", "if") if key in part.inner for word in part.inner[key].words}


def _gates(name: str, edition: Edition, seen: set[str]) -> set[str]:
    """What decides whether the steps are done that offer, obey or run this."""
    found: set[str] = set()
    flow = edition.sections["flow"]
    for phase, body in flow.inner.items():
        for path, step in body.walk():
            if phase not in seen and any(name in step.inner[key].words for key in _OFFERS if key in step.inner):
                found |= _on_the_way(body, path) | _gates(phase, edition, seen | {name})
    return found


def _on_the_way(body: Part, path: KeyPath) -> set[str]:
    """What the steps down to this one ask for."""
    found = _deciding(body)
    for name in path:
        body = body.inner[name]
        found |= _deciding(body)
    return found


def through_terms(names: set[str], edition: Edition) -> set[str]:
    """These names and all that the terms among them mention."""
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
"""Sections that need a term only if nothing else does."""
_ONE_SIDED = ("added", "removed")


def with_helpers(found: Sequence[Change], a: Edition, b: Edition) -> list[Change]:
    """Without what only follows: lists that name what was added or removed, and terms of one ruleset alone, which are told with what needs
    them; those that nothing told needs change nothing."""
    kept = [change for change in (_without_lists(change, found) for change in found) if change is not None]
    terms = {change: change.path[0] for change in kept if change.section == "terms" and _is_helper(change)}
    users = sorted((change for change in kept if change not in terms), key=lambda change: change.section in _LAST)
    helped: dict[int, list[Change]] = {}
    for term, name in terms.items():
        edition = a if term.kind == "removed" else b
        number = next((n for n, user in enumerate(users) if name in _needs(user, edition)), None)
        if number is None and term.kind not in _ONE_SIDED:
            users.append(term)
        elif number is not None:
            helped.setdefault(number, []).append(term)
    return [replace(user, helpers=(*user.helpers, *helped.get(n, ()))) for n, user in enumerate(users)]


def _is_helper(change: Change) -> bool:
    """Is it a term that one ruleset alone has, or of which there is nothing to be said but that it is otherwise?"""
    sides = [side for side in (change.before, change.after) if side is not None]
    return change.kind in _ONE_SIDED or not (all(side.value for side in sides) or any(side.said for side in sides))


def _needs(user: Change, edition: Edition) -> set[str]:
    """The terms that what is told of an entry needs there, directly or through others of them."""
    part = edition.part((user.section, *user.path))
    return through_terms(set(part.words), edition) if part is not None else set()


def _without_lists(change: Change, found: Sequence[Change]) -> Change | None:
    """The change without details that only name what is told itself; None if nothing is left of it."""
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


def with_restated(found: Sequence[Change], clauses: Sequence[Change], a: Edition, b: Edition) -> list[Change]:
    """All changes, those of clauses last, without what only says again what an option changes: that is told with the option."""
    options = [change for change in found if change.section == "options" and change.kind == "replaced"]
    told: dict[str, list[Change]] = {}
    kept: list[Change] = []
    for change in (*found, *clauses):
        option = next(
            (one for one in options if _restates(change) and one.path[0] in _mentioned_names(change, a, b)), None
        )
        if option is None:
            kept.append(change)
        elif not _is_in(change, clauses):
            told.setdefault(option.path[0], []).append(change)
    return [replace(one, follows=(*one.follows, *told.get(one.path[0], ()))) if one in options else one for one in kept]


def _restates(change: Change) -> bool:
    """Does it say something else, while what it says it of is the same?"""
    if change.kind != "replaced":
        return False
    return change.section == "clauses" or (bool(change.details) and all(d.path[-1] in _WORDS for d in change.details))


def _is_in(change: Change, clauses: Sequence[Change]) -> bool:
    """Is it a sentence of a rule of which a clause says the same more fully?"""
    cited = {
        name for d in change.details for side in (d.before, d.after) if side is not None for name in side.at.split()
    }
    cited |= set(change.side.at.split())
    return change.section != "clauses" and any(clause.path[0] in cited for clause in clauses)


def _mentioned_names(change: Change, a: Edition, b: Edition) -> set[str]:
    """Whatever the rules mention of which it says something, directly or through terms."""
    found: set[str] = set()
    for edition in (a, b):
        for path in _paths(change, edition):
            part = edition.part(path)
            found |= through_terms(set(part.words), edition) if part is not None else set()
    return found


def _paths(change: Change, edition: Edition) -> Iterator[tuple[str, ...]]:
    """The rule itself; of a clause all that cite it, and where it is at home."""
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
            if any(name in at_of(inner).split() for _, inner in part.walk()):
                yield section, entry
