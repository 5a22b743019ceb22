"""The page of `hoyle test --coverage --format html`: each line of a ruleset and what reached it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import PurePath

from hoyle.game.examples.coverage import Coverage, File, Formula, Line, Status
from hoyle.presentation.catalogue import format_number, lang, t
from hoyle.running.hit_counts import Counts

SIGNS: dict[Status, str] = {"examples": "●", "games": "◐", "never": "○", "out": "–", "decided": "·"}
"""Signs of statuses, because colour alone is not accessible."""
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


def _choose_class(status: Status) -> str:
    return "left" if status == "never" else status


def render_page(coverage: Sequence[Coverage], seed: int) -> str:
    """Render one page for all games."""
    title = t("coverage.title", game=", ".join(one.report.game for one in coverage))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(line for one in coverage for line in _render_game(one, seed))
    return (
        f'<!doctype html>\n<html lang="{lang()}">\n<head>{head}\n<style>\n{_STYLE}</style></head>\n<body>\n'
        f"<h1>{escape(title)}</h1>\n<p>{escape(t('coverage.how'))}</p>\n{body}\n</body>\n</html>\n"
    )


def _render_game(coverage: Coverage, seed: int) -> Iterator[str]:
    report = coverage.report
    key = "coverage.and_games" if coverage.games else "coverage.of"
    told = t(key, examples=len(report.outcomes), games=coverage.games, seed=seed)
    failed = sum(not outcome.passed for outcome in report.outcomes)
    told += f" ({t('coverage.failed', count=failed)})" if failed else ""
    yield f"<h2>{escape(report.game)}</h2>\n<p>{escape(told)}</p>"
    yield from _render_unreached(coverage)
    for number, file in enumerate(coverage.files):
        yield from _render_file(file, coverage, is_first=not number)


def _render_unreached(coverage: Coverage) -> Iterator[str]:
    rules = coverage.unreached
    if not rules:
        yield f"<p>{escape(t('coverage.all_reached'))}</p>"
        return
    yield f"<h3>{escape(t('coverage.unreached'))}</h3>\n<ul>"
    for rule in rules:
        status: Status = "games" if rule in coverage.of_games else "never"
        yield f"<li>{SIGNS[status]} {escape(rule[1])} <small>({escape(_name_status(status, coverage))})</small></li>"
    yield "</ul>"


def _name_status(status: Status, coverage: Coverage) -> str:
    return t("coverage.status.never_alone" if status == "never" and not coverage.games else f"coverage.status.{status}")


def _render_file(file: File, coverage: Coverage, is_first: bool) -> Iterator[str]:
    """Render a file; only the ruleset's own file is open at first."""
    name = escape(PurePath(file.path).name)
    yield f"<h3>{name}</h3>" if is_first else f"<details><summary>{name}</summary>"
    yield _render_legend(file, coverage)
    yield f'<div class="wide"><table class="rules">\n<thead>{_render_head(coverage)}</thead>\n<tbody>'
    for line in file.lines:
        if line.number not in file.examples:
            yield _render_line(line, PurePath(file.path).stem, coverage)
        elif line.number == file.examples.start:
            yield _render_omission(len(file.examples), coverage)
    yield "</tbody></table></div>" if is_first else "</tbody></table></div></details>"


def _render_legend(file: File, coverage: Coverage) -> str:
    counts = [(status, sign, file.count(status)) for status, sign in SIGNS.items()]
    items = [
        f'<li class="{_choose_class(status)}">{sign} {escape(t("coverage.legend", status=_name_status(status, coverage), count=count))}</li>'
        for status, sign, count in counts
        if count
    ]
    return f'<ul class="legend">{"".join(items)}</ul>'


def _render_head(coverage: Coverage) -> str:
    heads = [("n", "line"), ("s", ""), ("n", "examples"), *([("n", "games")] if coverage.games else []), ("c", "rules")]
    heads += [("n", "held"), *([("n", "held_in_games")] if coverage.games else [])]
    cells = (f'<th class="{kind}">{escape(t(f"coverage.{key}")) if key else ""}</th>' for kind, key in heads)
    return f"<tr>{''.join(cells)}</tr>"


def _render_line(line: Line, stem: str, coverage: Coverage) -> str:
    counted = line.examples or line.games or line.status == "never"
    sign = (
        f'<td class="s" title="{escape(_name_status(line.status, coverage))}">{SIGNS[line.status]}</td>'
        if line.status
        else "<td></td>"
    )
    cells = [
        f'<td class="n">{line.number}</td>{sign}',
        _render_number(line.examples if counted else None),
        *([_render_number(line.games if counted else None)] if coverage.games else []),
        f'<td class="c">{_render_code(line)}</td>',
        _render_counts([one.examples for one in line.formulas]),
        *([_render_counts([one.games for one in line.formulas])] if coverage.games else []),
    ]
    kind = f' class="{_choose_class(line.status)}"' if line.status else ""
    return f'<tr id="{escape(stem)}-{line.number}"{kind}>{"".join(cells)}</tr>'


def _render_omission(count: int, coverage: Coverage) -> str:
    """Render a row in place of the examples."""
    said = escape(t("coverage.left_out", count=count))
    return f'<tr><td class="n">…</td><td colspan="{6 if coverage.games else 4}">{said}</td></tr>'


def _render_number(value: int | None) -> str:
    return f'<td class="n">{format_number(value, 0) if value else "" if value is None else "0"}</td>'


def _render_counts(counts: Sequence[Counts]) -> str:
    """Render how often each condition on the line was true and false."""
    told = [f"{format_number(one.yes, 0)} / {format_number(one.no, 0)}" for one in counts if one.yes or one.no]
    return f'<td class="n">{"<br>".join(told)}</td>'


def _render_code(line: Line) -> str:
    """Render the text of a line; conditions with a constant value are marked."""
    parts, done = [], 0
    for formula in sorted(line.formulas, key=lambda one: one.start):
        said = _explain_steady(formula)
        if said and formula.start >= done:
            text = escape(line.text[formula.start : formula.end])
            parts += [escape(line.text[done : formula.start]), f'<i class="steady" title="{escape(said)}">{text}</i>']
            done = formula.end
    return "".join([*parts, escape(line.text[done:])])


def _explain_steady(formula: Formula) -> str:
    yes, no = formula.examples.yes + formula.games.yes, formula.examples.no + formula.games.no
    if bool(yes) == bool(no):
        return ""
    return t("coverage.always") if yes else t("coverage.not_once")
