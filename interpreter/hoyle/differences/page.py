"""The changes as one page that needs nothing else: each in words, below it its places, which open to show what is written there on both sides.
Whatever comes from a ruleset is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from hoyle.differences.changes import Change, Side
from hoyle.differences.report import Report, file_of, places
from hoyle.differences.speech import say
from hoyle.differences.telling import sentence

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
        f'<article class="{change.kind}">\n<p>{escape(sentence(change, found.lang))}</p>\n'
        f'<details><summary>{escape(places(change))}</summary>\n<div class="both">\n{both}\n</div></details>\n</article>'
    )


def _cell(side: Side | None, name: str) -> str:
    if side is None:
        return f'<div class="{name}">—</div>'
    place = f"<small>{escape(file_of(side.span))}:{side.span.line}</small>" if side.span is not None else ""
    written = f"<code>{escape(side.source)}</code>" if side.source and side.source != side.key else ""
    return f'<div class="{name}">{written}{place}</div>'
