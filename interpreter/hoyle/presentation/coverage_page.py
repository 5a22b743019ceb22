"""What is reached of rulesets, as one page that needs nothing else: each line with its colour, its sign and its counts. Everything that comes from a
ruleset is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import PurePath

from hoyle.game.examples.coverage import Coverage, File, Formula, Line, Status
from hoyle.presentation.catalogue import figure, lang, t
from hoyle.running.hit_counts import Counts

SIGNS: dict[Status, str] = {"examples": "●", "games": "◐", "never": "○", "out": "–", "decided": "·"}
"""Colours alone would say nothing in print, and nothing to many."""
_STYLE = """\
:root { color-scheme: light dark; --examples: #1a7f372e; --games: #bf870036; --left: #cf222e38; --out: #8888882b; --edge: #8886 }
@media (prefers-color-scheme: dark) { :root { --examples: #2ea04338; --games: #d2992242; --left: #f8514945; --out: #9999992b } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 3rem }
table { border-collapse: collapse; width: 100% }
ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem }
ul.legend li { padding: .1rem .6rem; border-radius: .3rem; border: 1px solid var(--edge) }
table.rules { font: 13px/1.45 ui-monospace, monospace }
th { font-family: system-ui, sans-serif; font-weight: 600; text-align: left; vertical-align: bottom; border-bottom: 1px solid var(--edge) }
th, td { padding: 0 .5rem }
th.n { white-space: normal }
th.c { width: 100% }
td { vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; color: GrayText }
td.n { white-space: nowrap }
td.s { text-align: center }
td.c { white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 6ch; text-indent: -5ch }
div.wide { overflow-x: auto }
div.wide td.c { min-width: 24rem }
tr:target td { outline: 2px solid Highlight }
.examples { background: var(--examples) }
.games { background: var(--games) }
.left { background: var(--left) }
.out { background: var(--out) }
.out td.c { opacity: .7 }
i.steady { font-style: normal; text-decoration: underline wavy; text-underline-offset: .2em }
details { margin: 1rem 0 }
@media print {
  body { max-width: none; margin: 0; font-size: 11pt }
  table.rules { font-size: 8pt }
  div.wide { overflow: visible }
  div.wide td.c { min-width: 0 }
  tr, li { print-color-adjust: exact; -webkit-print-color-adjust: exact; break-inside: avoid }
  thead { display: table-header-group }
}
"""


def _kind(status: Status) -> str:
    """The class of a line in the page."""
    return "left" if status == "never" else status


def page(found: Sequence[Coverage], seed: int) -> str:
    """All games, one after the other."""
    title = t("coverage.title", game=", ".join(one.report.game for one in found))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(line for one in found for line in _game(one, seed))
    return (
        f'<!doctype html>\n<html lang="{lang()}">\n<head>{head}\n<style>\n{_STYLE}</style></head>\n<body>\n'
        f"<h1>{escape(title)}</h1>\n<p>{escape(t('coverage.how'))}</p>\n{body}\n</body>\n</html>\n"
    )


def _game(found: Coverage, seed: int) -> Iterator[str]:
    report = found.report
    key = "coverage.and_games" if found.games else "coverage.of"
    told = t(key, examples=len(report.outcomes), games=found.games, seed=seed)
    failed = sum(not outcome.passed for outcome in report.outcomes)
    told += f" ({t('coverage.failed', count=failed)})" if failed else ""
    yield f"<h2>{escape(report.game)}</h2>\n<p>{escape(told)}</p>"
    yield from _unreached(found)
    for number, file in enumerate(found.files):
        yield from _file(file, found, is_first=not number)


def _unreached(found: Coverage) -> Iterator[str]:
    rules = found.unreached
    if not rules:
        yield f"<p>{escape(t('coverage.all_reached'))}</p>"
        return
    yield f"<h3>{escape(t('coverage.unreached'))}</h3>\n<ul>"
    for rule in rules:
        status: Status = "games" if rule in found.of_games else "never"
        yield f"<li>{SIGNS[status]} {escape(rule[1])} <small>({escape(_said(status, found))})</small></li>"
    yield "</ul>"


def _said(status: Status, found: Coverage) -> str:
    return t("coverage.status.never_alone" if status == "never" and not found.games else f"coverage.status.{status}")


def _file(file: File, found: Coverage, is_first: bool) -> Iterator[str]:
    """The ruleset's own file open, those that it is built on to be opened."""
    name = escape(PurePath(file.path).name)
    yield f"<h3>{name}</h3>" if is_first else f"<details><summary>{name}</summary>"
    yield _legend(file, found)
    yield f'<div class="wide"><table class="rules">\n<thead>{_head(found)}</thead>\n<tbody>'
    for line in file.lines:
        if line.number not in file.examples:
            yield _row(line, PurePath(file.path).stem, found)
        elif line.number == file.examples.start:
            yield _left_out(len(file.examples), found)
    yield "</tbody></table></div>" if is_first else "</tbody></table></div></details>"


def _legend(file: File, found: Coverage) -> str:
    counts = [(status, sign, file.count(status)) for status, sign in SIGNS.items()]
    items = [
        f'<li class="{_kind(status)}">{sign} {escape(t("coverage.legend", status=_said(status, found), count=count))}</li>'
        for status, sign, count in counts
        if count
    ]
    return f'<ul class="legend">{"".join(items)}</ul>'


def _head(found: Coverage) -> str:
    heads = [("n", "line"), ("s", ""), ("n", "examples"), *([("n", "games")] if found.games else []), ("c", "rules")]
    heads += [("n", "held"), *([("n", "held_in_games")] if found.games else [])]
    cells = (f'<th class="{kind}">{escape(t(f"coverage.{key}")) if key else ""}</th>' for kind, key in heads)
    return f"<tr>{''.join(cells)}</tr>"


def _row(line: Line, stem: str, found: Coverage) -> str:
    counted = line.examples or line.games or line.status == "never"
    sign = (
        f'<td class="s" title="{escape(_said(line.status, found))}">{SIGNS[line.status]}</td>'
        if line.status
        else "<td></td>"
    )
    cells = [
        f'<td class="n">{line.number}</td>{sign}',
        _number(line.examples if counted else None),
        *([_number(line.games if counted else None)] if found.games else []),
        f'<td class="c">{_code(line)}</td>',
        _number_of([one.examples for one in line.formulas]),
        *([_number_of([one.games for one in line.formulas])] if found.games else []),
    ]
    kind = f' class="{_kind(line.status)}"' if line.status else ""
    return f'<tr id="{escape(stem)}-{line.number}"{kind}>{"".join(cells)}</tr>'


def _left_out(count: int, found: Coverage) -> str:
    """Instead of the examples, which reach and are not reached."""
    said = escape(t("coverage.left_out", count=count))
    return f'<tr><td class="n">…</td><td colspan="{6 if found.games else 4}">{said}</td></tr>'


def _number(value: int | None) -> str:
    return f'<td class="n">{figure(value, 0) if value else "" if value is None else "0"}</td>'


def _number_of(counts: Sequence[Counts]) -> str:
    """Of each condition that begins on the line, how often it held and how often not."""
    told = [f"{figure(one.yes, 0)} / {figure(one.no, 0)}" for one in counts if one.yes or one.no]
    return f'<td class="n">{"<br>".join(told)}</td>'


def _code(line: Line) -> str:
    """The text of the line; a condition that always was the same in all that was played is marked, and says so."""
    parts, done = [], 0
    for formula in sorted(line.formulas, key=lambda one: one.start):
        said = _one_sided(formula)
        if said and formula.start >= done:
            text = escape(line.text[formula.start : formula.end])
            parts += [escape(line.text[done : formula.start]), f'<i class="steady" title="{escape(said)}">{text}</i>']
            done = formula.end
    return "".join([*parts, escape(line.text[done:])])


def _one_sided(formula: Formula) -> str:
    yes, no = formula.examples.yes + formula.games.yes, formula.examples.no + formula.games.no
    if bool(yes) == bool(no):
        return ""
    return t("coverage.always") if yes else t("coverage.not_once")
