"""Sentences and clauses that only say in words what an option changes are told with the option, each once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hoyle.differences.causes import through_terms
from hoyle.differences.changes import Change
from hoyle.differences.edition import Edition
from hoyle.differences.sides import at_of

_WORDS = ("rule", "en")
_RULES = ("moves", "obligations", "whenever", "flow", "piles", "pieces")


def with_restated(found: Sequence[Change], clauses: Sequence[Change], a: Edition, b: Edition) -> list[Change]:
    """All changes, those of clauses last, without what only says again what an option changes: that is told with the option."""
    options = [change for change in found if change.section == "options" and change.kind == "replaced"]
    told: dict[str, list[Change]] = {}
    kept: list[Change] = []
    for change in (*found, *clauses):
        option = next((one for one in options if _restates(change) and one.path[0] in _hangs(change, a, b)), None)
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


def _hangs(change: Change, a: Edition, b: Edition) -> set[str]:
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
