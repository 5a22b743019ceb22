"""Terms that only one ruleset has are told with what needs them, and lists of names that only follow what was added or removed not at all."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from hoyle.differences.causes import through_terms
from hoyle.differences.changes import Change, Detail, Side
from hoyle.differences.edition import Edition

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
