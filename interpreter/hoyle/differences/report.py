"""All changes as lines of text, as data and as an HTML page with the source of each change."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.differences.change_sentences import describe_change
from hoyle.differences.changes import Change, Detail, Side
from hoyle.differences.compared_ruleset import ComparedRuleset
from hoyle.differences.detection import find_changes
from hoyle.differences.wording import say
from hoyle.language.model import text_in
from hoyle.resources import shipped
from hoyle.running.naming import in_language


class Report(Struct, frozen=True):
    """The changes from one ruleset to another."""

    a: ComparedRuleset
    b: ComparedRuleset
    changes: tuple[Change, ...]
    lang: str

    @property
    def title(self) -> str:
        return say("head", self.lang, before=self.named(self.a), after=self.named(self.b))

    def named(self, edition: ComparedRuleset) -> str:
        """Return title, name and non-default options of a ruleset."""
        name, title = edition.rules.name, in_language(edition.rules.title, self.lang, edition.rules.name)
        known = [name, *(f"{n}={_raw(edition, n)}" for n, o in edition.rules.options.items() if o.value != o.default)]
        return say("named", self.lang, title=title, name=", ".join(known))

    def groups(self) -> list[tuple[str, list[Change]]]:
        """Return the changes by section; those without effect come last."""
        found = [(heading(change, self.lang), change) for change in self.changes]
        return [(head, [change for _, change in some]) for head, some in groupby(found, key=lambda pair: pair[0])]


def report(a: ComparedRuleset, b: ComparedRuleset, lang: str) -> Report:
    return Report(a, b, tuple(find_changes(a, b)), lang)


def _raw(edition: ComparedRuleset, name: str) -> object:
    option = edition.rules.options[name]
    return option.choices[option.value] if option.choices else str(option.value).lower()


def heading(change: Change, lang: str) -> str:
    return say(f"section.{change.section if change.in_force else 'dormant'}", lang)


# ---- to read ---------------------------------------------------------------------------------------------------------


def lines(found: Report, width: int) -> Iterator[str]:
    """Yield a title and the changes."""
    yield from textwrap.wrap(found.title, width, break_on_hyphens=False)
    yield from [""] if len(found.groups()) > 1 else []
    yield from change_lines(found, width)


def change_lines(found: Report, width: int) -> Iterator[str]:
    """Yield a sentence and its places for each change, under headings if there are several sections."""
    groups = found.groups()
    if not groups:
        yield say("none", found.lang)
    for number, (head, changes) in enumerate(groups):
        yield from [*([""] if number else []), head] if len(groups) > 1 else []
        for change in changes:
            yield from textwrap.wrap(
                f"- {describe_change(change, found.lang)}", width, subsequent_indent="  ", break_on_hyphens=False
            )
            yield from (f"  {place}" for place in [describe_places(change)] if place)


def describe_places(change: Change) -> str:
    """Return where a change stands: `a.yaml:12 → b.yaml:6`; `+` marks additions, `-` removals."""
    sides = [[_first(change, side)] for side in ("before", "after")]
    for number, name in enumerate(("before", "after")):
        inner = [getattr(detail, name) for detail in change.details]
        sides[number] = [s.span for s in inner if s is not None and s.span is not None] or sides[number]
    before, after = (_join_places([span for span in side if span is not None]) for side in sides)
    if change.kind == "added":
        return f"+ {after}"
    if change.kind == "removed":
        return f"- {before}"
    return " → ".join(place for place in (before, after) if place)


def _first(change: Change, name: str) -> Span | None:
    side: Side | None = getattr(change, name)
    return side.span if side is not None else None


def _join_places(spans: Iterable[Span]) -> str:
    """Join places: `a.yaml:12, 15; b.yaml:3`."""
    files: dict[str, list[int]] = {}
    for span in spans:
        found = files.setdefault(file_name(span), [])
        found += [span.line] if span.line not in found else []
    return "; ".join(f"{name}:{', '.join(map(str, sorted(numbers)))}" for name, numbers in files.items())


def file_name(span: Span) -> str:
    """Return the path as given, or the file's name of a shipped ruleset."""
    path = next((path for path in shipped().values() if str(path) == span.source.name), None)
    return path.name if path is not None else span.source.name


# ---- for programs ----------------------------------------------------------------------------------------------------


def data(found: Report) -> dict[str, Any]:
    return {
        "a": _edition(found.a, found.lang),
        "b": _edition(found.b, found.lang),
        "changes": [_change(change, found.lang) for change in found.changes],
    }


def _edition(edition: ComparedRuleset, lang: str) -> dict[str, Any]:
    rules = edition.rules
    options = {
        name: option.choices[option.value] if option.choices else option.value for name, option in rules.options.items()
    }
    title = in_language(rules.title, lang, rules.name)
    return {"game": rules.name, "title": title, "digest": rules.digest, "players": len(rules.seats), "options": options}


def _change(change: Change, lang: str) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "section": change.section,
        "path": list(change.path),
        "text": describe_change(change, lang),
        "in_force": change.in_force,
        "before": _side(change.before, lang),
        "after": _side(change.after, lang),
        "details": [_detail(detail, lang) for detail in change.details],
        **{name: _several(getattr(change, name), lang) for name in ("follows", "helpers", "also")},
    }


def _several(changes: Sequence[Change], lang: str) -> list[Mapping[str, Any]]:
    return [_change(change, lang) for change in changes]


def _detail(detail: Detail, lang: str) -> dict[str, Any]:
    sides = {"before": _side(detail.before, lang), "after": _side(detail.after, lang)}
    return {"kind": detail.kind, "path": list(detail.path), **sides}


def _side(side: Side | None, lang: str) -> dict[str, Any] | None:
    if side is None:
        return None
    span = side.span
    place = {"file": span.source.name, "line": span.line, "column": span.column} if span is not None else None
    said = {"label": text_in(side.called, lang), "value": text_in(side.value, lang), "text": text_in(side.said, lang)}
    return {**said, "source": side.source, "at": side.at, "place": place}


_STYLE = """\
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
article { margin: 1.25rem 0; break-inside: avoid }
p { margin: 0 0 .4rem }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: .25rem .75rem; font-size: .875rem }
.both > div { padding: .25rem .5rem; border-left: 3px solid #8886 }
.both > .before { border-color: #c33 }
.both > .after { border-color: #2a7 }
code { white-space: pre-wrap }
small { display: block; opacity: .75 }
summary { font-size: .875rem; opacity: .75; cursor: pointer }
h1 { font-size: 1.5rem }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
@media (max-width: 40rem) { .both { grid-template-columns: 1fr } }
"""


def page(found: Report) -> str:
    title = escape(found.title.removesuffix(":").rstrip())
    body = [f"<h1>{title}</h1>", *_body(found)]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html>\n<html lang="{found.lang}">\n<head>{head}\n<style>\n{_STYLE}</style></head>\n<body>\n'
        + "\n".join([*body, "</body>\n</html>\n"])
    )


def _body(found: Report) -> Iterator[str]:
    if not found.changes:
        yield f"<p>{escape(say('none', found.lang))}</p>"
    for head, changes in found.groups():
        yield f"<section>\n<h2>{escape(head)}</h2>"
        yield from (_article(change, found) for change in changes)
        yield "</section>"


def _article(change: Change, found: Report) -> str:
    rows = [(detail.before, detail.after) for detail in change.details] or [(change.before, change.after)]
    both = "\n".join(_cell(side, name) for pair in rows for side, name in zip(pair, ("before", "after"), strict=True))
    return (
        f'<article class="{change.kind}">\n<p>{escape(describe_change(change, found.lang))}</p>\n'
        f'<details><summary>{escape(describe_places(change))}</summary>\n<div class="both">\n{both}\n</div></details>\n</article>'
    )


def _cell(side: Side | None, name: str) -> str:
    if side is None:
        return f'<div class="{name}">—</div>'
    place = f"<small>{escape(file_name(side.span))}:{side.span.line}</small>" if side.span is not None else ""
    written = f"<code>{escape(side.source)}</code>" if side.source and side.source != side.key else ""
    return f'<div class="{name}">{written}{place}</div>'
