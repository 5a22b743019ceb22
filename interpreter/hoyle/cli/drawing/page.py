"""An analysis as one page that needs nothing else. Everything that comes from a record or a ruleset is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.judged import Account, Part, Said, heads

_STYLE = """\
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #8886; text-align: left }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
tr.bad td { background: #c002 }
figure { margin: 1rem 0 }
svg { max-width: 100%; height: auto }
"""


def page(
    title: str, notes: Sequence[str], accounts: Sequence[Account], bad: Sequence[Part], all_: Sequence[Said]
) -> str:
    parts = [
        f"<h1>{escape(title)}</h1>",
        _table(heads(), accounts, range(1, 7)),
        *(f"<p>{escape(note)}</p>" for note in notes),
        *(line for part in bad for line in _part(part)),
        f"<h2>{escape(t('analyse.all'))}</h2>",
        _all(all_),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="{lang()}">\n<head>{head}\n<style>\n{_STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n'


def _part(part: Part) -> Iterator[str]:
    yield f"<h2>{escape(part.head)}</h2>"
    if part.note:
        yield f"<p>{escape(part.note)}</p>"
    yield from map(_bad, part.found)


def _bad(one: Said) -> str:
    """The position as the seat saw it, what was made and what was better."""
    told = "<br>".join(map(escape, one.told))
    return f"<h3>{escape(one.title)}</h3>\n<p>{told}</p>\n<figure>{one.picture}</figure>"


def _all(found: Sequence[Said]) -> str:
    names = ("move", "seat", "played", "best", "lost")
    rows = [(str(one.number), one.seat, one.made, one.best, one.loss) for one in found]
    bad = [one.is_sure for one in found]
    return _table([t(f"analyse.{name}") for name in names], rows, (0, 4), bad)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Iterable[int], bad: Sequence[bool] = ()) -> str:
    right = set(numbers)
    lines = [_row(head, "th", right), *(_row(row, "td", right, n < len(bad) and bad[n]) for n, row in enumerate(rows))]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _row(cells: Sequence[str], tag: str, right: set[int], bad: bool = False) -> str:
    inner = "".join(f"<{tag}{_NUMBER * (n in right)}>{escape(cell)}</{tag}>" for n, cell in enumerate(cells))
    return f"<tr{_BAD * bad}>{inner}</tr>"


_NUMBER, _BAD = ' class="n"', ' class="bad"'
