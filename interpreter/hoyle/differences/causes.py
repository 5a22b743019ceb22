"""What the options bring into force or leave without effect is told with the option that does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hoyle.differences.changes import Change, Kind
from hoyle.differences.edition import Edition
from hoyle.differences.outline import Part
from hoyle.differences.sides import side

Paths = tuple[str, ...]
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


def _cause(path: Paths, found: Sequence[Change], a: Edition, b: Edition) -> int | None:
    """The change that a rule hangs on: its own, that of what is asked for on the way to it, options first, or that of a step on the way."""
    hangs = _hangs(path, a) | _hangs(path, b)
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


def _turned(a: Edition, b: Edition) -> Iterator[Paths]:
    """The rules of both that only one of them can come to."""
    for section in _SECTIONS:
        for name in b.sections[section].inner if section in b.sections else ():
            path = (section, name)
            if a.part(path) is not None and (a.own(path) in a.living) != (path in b.living):
                yield path


def _turning(path: Paths, a: Edition, b: Edition) -> Change:
    before, after = a.part(path), b.part(path)
    assert before is not None and after is not None
    kind: Kind = "applies" if path in b.living else "lapses"
    return Change(kind, path[0], path[1:], side(a, a.own(path), before), side(b, path, after))


def _hangs(path: Paths, edition: Edition) -> set[str]:
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


def _on_the_way(body: Part, path: Paths) -> set[str]:
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
