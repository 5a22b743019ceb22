"""The report of `hoyle compare`: rules that differ, figures side by side, and a verdict in words."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.differences import report as rule_report
from hoyle.differences.report import Report
from hoyle.game.game import Game
from hoyle.language import sentences
from hoyle.presentation.catalogue import format_number, format_percent, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.look import collect_labels
from hoyle.presentation.players import name_player, parse_player, parse_seats, warn_of_clock
from hoyle.presentation.series import plots
from hoyle.presentation.series.results import SeriesReport
from hoyle.presentation.terminal import WIDTH, format_columns
from hoyle.printable import printable_lines
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.outcomes import Tallies
from hoyle.series import tables
from hoyle.series.comparison import PROPORTIONS, Comparison, Figure, Name, Paired, Ratio
from hoyle.series.measures import LENGTHS, Measure
from hoyle.series.plots import Plot
from hoyle.series.tables import Part, render_html
from hoyle.series.variants import Plan

if TYPE_CHECKING:
    from hoyle.differences.compared_ruleset import ComparedRuleset as Read
    from hoyle.running.machine import Engine
    from hoyle.series.variants import Variant


SPACES = {"wins": "seats", "score": "seats", "move": "moves", "obligation": "obligations", "whenever": "whenever"}
"""Name spaces of the words for a section's figures."""
ALWAYS = ("wins", "draws", "score", "length")
"""Sections whose figures are shown even if they are 0."""
RULES = ("move", "obligation", "whenever")
MOST_RULES = 4
"""Number of rules that a verdict names."""
ENOUGH = 50
"""From this many games on, the gain of paired games is more than chance."""


class ComparisonReport(Struct, frozen=True):
    """Opened editions, the rule differences of each from the first, and the figures."""

    plan: Plan
    games: tuple[Game, ...]
    reports: tuple[Report, ...]
    found: Comparison

    def data(self) -> dict[str, Any]:
        rules = [rule_report.data(one)["changes"] for one in self.reports]
        return {**make_figures_data(self.plan, self.games, self.found), "rules": rules}


def make_figures_data(plan: Plan, games: Sequence[Game], comparison: Comparison) -> dict[str, Any]:
    """Return players, editions and all figures."""
    return {
        "seed": plan.seed,
        "games": comparison.games,
        "interrupted": comparison.games < plan.games,
        "seats": [*plan.kinds],
        "player": plan.usual,
        "editions": [{"game": game.name, "digest": game.digest, "options": dict(game.options)} for game in games],
        "figures": [_make_figure_data(one) for one in comparison.figures],
        "beyond_chance": [[list(name) for name in names] for names in comparison.beyond],
    }


def _make_figure_data(figure: Figure) -> dict[str, Any]:
    section, name = figure.name
    paired = [found and found.data() for found in figure.paired]
    return {
        "section": section,
        "name": name,
        "means": [mean and mean.data() for mean in figure.means],
        "paired": paired,
    }


def format_lines(report: ComparisonReport) -> Iterator[str]:
    plan, found = report.plan, report.found
    yield _make_title(report)
    yield from note_interruption(plan, found)
    yield from warn_of_clock([*plan.kinds, plan.usual])
    for number, name in enumerate(_list_names(report)):
        yield f"  {number + 1}  {name}"
    for number, one in enumerate(report.reports):
        yield from ["", t("compare.against", number=number + 2), ""]
        yield from _format_rules(one)
        yield from ["", *_format_table(report, number), "", *_wrap_verdict(report, number)]


def _make_title(report: ComparisonReport) -> str:
    return t("compare.title", games=report.found.games, seed=report.plan.seed, seats=name_players(report.plan))


def _list_names(report: ComparisonReport) -> list[str]:
    first = report.reports[0]
    return [first.named(first.a), *(one.named(one.b) for one in report.reports)]


def name_players(plan: Plan) -> str:
    """Return the players by seat, or the kind that plays all seats."""
    return ", ".join(map(name_player, plan.kinds)) if plan.kinds else name_player(plan.usual)


def note_interruption(plan: Plan, comparison: Comparison) -> list[str]:
    """Return a line if not all games were played."""
    return (
        [t("simulate.interrupted", games=comparison.games, wanted=plan.games)] if comparison.games < plan.games else []
    )


def _format_rules(report: Report) -> Iterator[str]:
    yield from (printable_lines(line) for line in rule_report.change_lines(report, WIDTH))


def note_unfinished(comparison: Comparison, edition: int, name: str) -> list[str]:
    """Return a warning if games did not end; their figures are then biased."""
    count = comparison.cut_off(edition)
    said = {"name": name, "games": comparison.games, "limit": format_number(MOST_DECISIONS, 0)}
    return [t("compare.cut_off", cut=count, most=MOST_DECISIONS, **said)] if count else []


# ---- figures ---------------------------------------------------------------------------------------------------------


def render_page(report: ComparisonReport) -> str:
    names, parts = _list_names(report), list[Part]()
    for number, one in enumerate(report.reports):
        parts.append(Part(f"{number + 2}  {names[number + 1]}", notes=tuple(map(str.strip, _format_rules(one)))))
        heads, *rows = _make_cells(report, number)
        star = (t("compare.star").strip(),) if report.found.beyond[number] else ()
        parts.append(Part("", tuple(heads), tuple(map(tuple, rows)), (*star, *_describe_verdict(report, number))))
    return render_html(f"{_make_title(report)} · 1  {names[0]}", parts)


def _format_table(report: ComparisonReport, number: int) -> list[str]:
    """Return the figures beside those of the first edition; a star marks what is beyond chance."""
    star = [t("compare.star")] if report.found.beyond[number] else []
    return [*format_columns(_make_cells(report, number), (28, 8, 8, 8, 18, 0), "<>>><>"), *star]


def _make_cells(report: ComparisonReport, number: int) -> list[list[str]]:
    beyond, words = report.found.beyond[number], name_figures(report.games)
    heads = ["", "1", str(number + 2), t("compare.difference"), " " + t("simulate.interval"), t("compare.times")]
    told_of = [one for one in report.found.figures if is_shown(one, (0, number + 1))]
    rows = [_make_row(one, number, words, one.name in beyond) for one in told_of]
    return [heads, *rows]


def is_shown(figure: Figure, editions: Iterable[int]) -> bool:
    """Return whether one of the editions has a figure to show."""
    means = [mean for number in editions if (mean := figure.means[number]) is not None]
    return bool(means) and (figure.name[0] in ALWAYS or any(mean.max > 0 for mean in means))


def _make_row(figure: Figure, number: int, words: Mapping[Name, str], is_beyond: bool) -> list[str]:
    written, paired = get_format(figure.name), figure.paired[number]
    means = [written(mean.mean) if mean is not None else "–" for mean in (figure.means[0], figure.means[number + 1])]
    name = f"{'*' if is_beyond else ' '} {words[figure.name]}"
    if paired is None:
        return [name, *means, "", "", ""]
    found = paired.difference
    digits = _count_digits(found.high - found.low)
    times = _format_ratio(paired.ratio) if figure.name[0] not in PROPORTIONS else ""
    return [name, *means, _format_signed(figure.name, found.mean, digits), _format_interval(figure.name, found), times]


def get_format(name: Name) -> Callable[[float], str]:
    """Return the function that formats a figure."""
    return format_percent if name[0] in PROPORTIONS else format_number


def _count_digits(width: float) -> int:
    """Return enough decimals to tell the ends of an interval apart."""
    return 2 if width >= 0.1 or not width else min(5, 1 - math.floor(math.log10(width)))


def _format_signed(name: Name, value: float, digits: int) -> str:
    return (
        format_number(100 * value, 1, signed=True)
        if name[0] in PROPORTIONS
        else format_number(value, digits, signed=True)
    )


def _format_interval(name: Name, measure: Measure) -> str:
    digits = _count_digits(measure.high - measure.low)
    return f" [{_format_signed(name, measure.low, digits)} – {_format_signed(name, measure.high, digits)}]"


def _count_ratio_digits(ratio: Ratio) -> int:
    return _count_digits(ratio.high - ratio.low) if round(ratio.times, 2) == 1 else 2


def _format_ratio(ratio: Ratio | None) -> str:
    return format_number(ratio.times, _count_ratio_digits(ratio)) if ratio is not None else ""


def name_figures(games: Iterable[Game]) -> dict[Name, str]:
    """Return the words for figures, from the first edition that has them."""
    found: dict[Name, str] = {(name, ""): t(f"simulate.{name}") for name in ("draws", "lost", "unfinished")}
    found |= {("length", name): t(f"simulate.{name}") for name in LENGTHS}
    for game in games:
        found = {**_name_game_figures(game), **found}
    return found


def _name_game_figures(game: Game) -> dict[Name, str]:
    labels, rules = collect_labels(game), game.ruleset
    own: dict[str, list[str]] = {
        "move": [*rules.moves],
        "obligation": [*rules.obligations],
        "whenever": [*rules.whenever],
    }
    found: dict[Name, str] = {name: name[1] for name in game.machine.counters}
    for section, space in SPACES.items():
        for name in own.get(section, [*game.sides]):
            words = labels.get(space, {}).get(name, name)
            found[section, name] = t(f"compare.{section}", name=words) if section in ("wins", "score") else words
    return found


def make_plot(report: ComparisonReport, played: Sequence[Sequence[Tallies]]) -> Plot:
    names, words = _list_names(report), name_figures(report.games)
    return plots.plot_differences(_make_title(report), names, words, report.found, played)


# ---- in words --------------------------------------------------------------------------------------------------------


def _wrap_verdict(report: ComparisonReport, number: int) -> Iterator[str]:
    for sentence in _describe_verdict(report, number):
        yield from textwrap.wrap(sentence, WIDTH, break_on_hyphens=False, subsequent_indent="  ")


def _describe_verdict(report: ComparisonReport, number: int) -> list[str]:
    """Return sentences: what is sure, and how small a difference would have been detected."""
    told_of = [one for one in report.found.figures if is_shown(one, (0, number + 1))]
    ends = [one for one in told_of if one.name[0] in PROPORTIONS]
    lengths = [report.found.figure(("length", name)) for name in ("decisions", "branching")]
    scores = [one for one in told_of if one.name[0] == "score"]
    said = [line for some in (ends, scores, lengths) for line in _describe_figures(report, number, some)]
    said += _describe_rule_use(report, number)
    cut = [line for edition in (0, number + 1) for line in note_unfinished(report.found, edition, str(edition + 1))]
    return [
        *cut,
        *said,
        *_describe_gain(report, number),
        t("compare.sure" if report.found.beyond[number] else "compare.none"),
    ]


def _describe_figures(report: ComparisonReport, number: int, figures: Sequence[Figure]) -> Iterator[str]:
    """Yield a sentence for each significant difference, then summaries of the others."""
    words, beyond = name_figures(report.games), report.found.beyond[number]
    pairs = [(one, paired) for one in figures if (paired := one.paired[number]) is not None]
    yield from (
        _describe_difference(one, number, words[one.name], paired) for one, paired in pairs if one.name in beyond
    )
    yield from _describe_unsure([(words[one.name], one, paired) for one, paired in pairs if one.name not in beyond])


def _describe_unsure(figures: Iterable[tuple[str, Figure, Paired]]) -> Iterator[str]:
    """Yield sentences about figures that are alike, unsettled or never differ."""
    said: dict[tuple[str, str], list[str]] = {}
    for words, one, paired in figures:
        found = paired.difference
        if found.min == found.max == 0:
            said.setdefault(("same", ""), []).append(words)
        elif found.low > 0 or found.high < 0:
            said.setdefault(("perhaps", ""), []).append(words)
        elif paired.seen is None:
            said.setdefault(("few", ""), []).append(words)
        else:
            said.setdefault(("alike", _format_least(one, paired.seen)), []).append(words)
    for (key, least), names in said.items():
        yield t(f"compare.{key}", names=sentences.join_names(names, lang()), least=least)


def _describe_gain(report: ComparisonReport, number: int) -> Iterator[str]:
    """Yield how many more games unpaired play would have needed."""
    side, words = report.games[0].sides[0], name_figures(report.games)
    found: list[str] = []
    if report.found.games < ENOUGH:
        return
    for name in (("wins", side), ("score", side), ("length", "decisions")):
        paired = report.found.figure(name).paired[number]
        if paired is not None and paired.worth is not None:
            found.append(
                t("compare.worth", name=words[name], times=format_number(paired.worth, 2 if paired.worth < 10 else 0))
            )
    if found:
        yield t("compare.gained", worth=sentences.join_names(found, lang()))


def _describe_difference(figure: Figure, number: int, name: str, paired: Paired) -> str:
    before, after = figure.means[0], figure.means[number + 1]
    assert before is not None and after is not None
    if figure.name[0] in (*PROPORTIONS, "score") or paired.ratio is None:
        ends = _format_interval(figure.name, paired.difference).strip()
        written = get_format(figure.name)
        return t("compare.instead", name=name, after=written(after.mean), before=written(before.mean), interval=ends)
    digits = _count_ratio_digits(paired.ratio)
    ends = f"[{format_number(paired.ratio.low, digits)} – {format_number(paired.ratio.high, digits)}]"
    return t("compare.as_much", name=name, times=_format_ratio(paired.ratio), interval=ends)


def _format_least(figure: Figure, seen: float) -> str:
    return (
        t("compare.points", points=format_number(100 * seen, 1))
        if figure.name[0] in PROPORTIONS
        else format_number(seen)
    )


def _describe_rule_use(report: ComparisonReport, number: int) -> Iterator[str]:
    """Yield rules used more or less often beyond chance, most changed first."""
    words, beyond = name_figures(report.games), report.found.beyond[number]
    ways: dict[str, list[tuple[float, str]]] = {"more": [], "less": []}
    for one in report.found.figures:
        paired = one.paired[number]
        if paired is not None and one.name[0] in RULES and one.name in beyond:
            way, times = _measure_change(paired)
            ways[way].append((times, f"{words[one.name]} ({_format_frequency(paired)})"))
    for way, some in ways.items():
        some.sort(reverse=way == "more")
        if some:
            names = [name for _, name in some[:MOST_RULES]]
            yield t(f"compare.{way}", names=sentences.join_names(names, lang()))


def _measure_change(paired: Paired) -> tuple[str, float]:
    """Return the direction and the ratio; new and vanished rules sort first."""
    is_more = paired.difference.mean > 0
    never = math.inf if is_more else 0.0
    return "more" if is_more else "less", paired.ratio.times if paired.ratio is not None else never


def _format_frequency(paired: Paired) -> str:
    if paired.ratio is not None:
        return t("compare.so_many_times", times=_format_ratio(paired.ratio))
    return t("compare.before_never" if paired.difference.mean > 0 else "compare.no_more")


class PlayedEditions(Struct, frozen=True):
    """Opened editions, the games of each, and their comparison."""

    games: tuple[Game, ...]
    played: tuple[list[Tallies], ...]
    comparison: Comparison


def _parse_kinds(rulesets: Sequence[Read], seats: str | None, usual: str) -> tuple[str, ...]:
    """Parse `--seats` for every edition. Raises UserError for unknown players and for more players than seats."""
    kinds = [tuple(parse_seats(seats, one.rules.seats, people=False, usual=usual).values()) for one in rulesets]
    return kinds[0][: len(seats.split(","))] if seats else ()


def plan_editions(
    editions: Sequence[Variant],
    rulesets: Sequence[Read],
    games: int,
    seats: str | None,
    usual: str,
    choose_seed: Callable[[], int],
    engine: Engine,
) -> Plan:
    """Raises UserError for unknown players and for more players than seats."""
    usual = parse_player(usual)
    kinds = _parse_kinds(rulesets, seats, usual)
    return Plan(tuple(editions), games, choose_seed(), kinds, usual, engine)


def report_comparison(plan: Plan, done: PlayedEditions, reports: Sequence[Report]) -> SeriesReport:
    report = ComparisonReport(plan, done.games, tuple(reports), done.comparison)
    return SeriesReport(
        text=lambda: "\n".join(format_lines(report)),
        json=lambda: as_json("compare", report.data()),
        figures=lambda: tables.tabulate_comparison(done.games, plan, done.comparison),
        games=lambda: tables.tabulate_games(done.games, plan.seed, done.played),
        plot=lambda: make_plot(report, done.played),
        page=lambda: render_page(report),
    )
