"""Plots of series in the user's language. `hoyle.series.plots` draws them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from hoyle.game.game import Game
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.look import collect_labels
from hoyle.running.outcomes import Tallies
from hoyle.series.comparison import PROPORTIONS, Comparison, Figure, Name
from hoyle.series.match import Deal, Outcome, list_leads
from hoyle.series.measures import Measure, measure_share
from hoyle.series.plots import Heights, Intervals, Line, Panel, Plot, Spreads
from hoyle.series.simulate import Account


def plot_simulation(title: str, game: Game, account: Account, played: Sequence[Tallies]) -> Plot:
    seats = collect_labels(game)["seats"]
    title_of_ends = t("plot.ends" if len(account.wins) == 1 else "plot.wins")
    panels: list[Panel] = [
        Intervals(title_of_ends, tuple(_plot_endings(account, seats)), t("plot.of_games"), _get_even_share(account))
    ]
    scores = {side: tuple(float(one.scores[n]) for one in played) for n, side in enumerate(game.sides)}
    if any(len(set(values)) > 1 for values in scores.values()):
        heaps = tuple((seats.get(side, side), values) for side, values in scores.items())
        panels.append(Spreads(t("plot.scores"), heaps, t("plot.points")))
    return Plot(title, (*panels, plot_lengths([("", played)])), lang())


def _plot_endings(account: Account, seats: Mapping[str, str]) -> Iterator[Line]:
    """Yield how often each side wins, and other endings that occurred."""
    for side, won in account.wins.items():
        yield _make_percent_line(seats.get(side, side), measure_share(won, account.games))
    for name in ("draws", "lost", "unfinished"):
        count: int = getattr(account, name)
        if count:
            yield _make_percent_line(t(f"simulate.{name}"), measure_share(count, account.games))


def _get_even_share(account: Account) -> float | None:
    return 100 / len(account.wins) if len(account.wins) > 1 else None


def _make_percent_line(name: str, measure: Measure) -> Line:
    return Line(name, 100 * measure.mean, 100 * measure.low, 100 * measure.high)


def plot_lengths(heaps: Sequence[tuple[str, Sequence[Tallies]]]) -> Heights:
    values = tuple((name, tuple(float(one.decisions) for one in played)) for name, played in heaps)
    return Heights(t("plot.lengths"), values, t("plot.of_games"), t("simulate.decisions"))


def plot_match(title: str, a: str, b: str, outcome: Outcome, played: Sequence[Deal]) -> Plot:
    wins = Intervals(
        t("plot.match_wins", a=a), (_make_percent_line(a, outcome.wins),), t("plot.of_games"), 100 * outcome.even
    )
    lead = outcome.lead
    line = Line(t("match.lead", a=a, b=b), lead.mean, lead.low, lead.high)
    ahead = Intervals(t("plot.lead", a=a, b=b), (line,), t("plot.points"), 0.0)
    spread = Heights(t("plot.leads", a=a, b=b), ((a, tuple(list_leads(played))),), t("plot.of_deals"), t("plot.points"))
    return Plot(title, (wins, ahead, spread), lang())


MOST_RULES = 16
"""Number of rules in a plot: those whose use changes most."""
_USED = ("length", "move", "obligation", "whenever")
"""Sections whose figures are plotted as ratios."""


def plot_differences(
    title: str,
    names: Sequence[str],
    words: Mapping[Name, str],
    comparison: Comparison,
    played: Sequence[Sequence[Tallies]],
) -> Plot:
    numbers = tuple(str(number + 1) for number in range(len(names)))
    heaps = [*zip(numbers, played, strict=True)]
    panels = [plot_lengths(heaps), *_plot_scores(heaps), *_plot_changes(words, comparison, numbers[1:])]
    numbered = (f"{number}  {name}" for number, name in zip(numbers, names, strict=True))
    return Plot("\n".join([title, *numbered]), tuple(panels), lang())


def _plot_scores(heaps: Sequence[tuple[str, Sequence[Tallies]]]) -> Iterator[Panel]:
    """Yield the scores of all sides together, unless they are constant."""
    values = tuple((name, tuple(float(score) for one in played for score in one.scores)) for name, played in heaps)
    if len({score for _, some in values for score in some}) > 1:
        yield Heights(t("plot.spread"), values, t("plot.of_scores"), t("plot.points"))


def _plot_changes(words: Mapping[Name, str], comparison: Comparison, groups: tuple[str, ...]) -> Iterator[Panel]:
    """Yield differences of endings and scores, then ratios of lengths and rule use."""
    for sections, key, unit in ((PROPORTIONS, "ends", "plot.points_of_hundred"), (("score",), "scores", "plot.points")):
        figures = [one for one in comparison.figures if one.name[0] in sections and _is_nonzero(one)]
        some = [line for one in figures for line in _make_difference_lines(one, words[one.name], comparison)]
        if some:
            yield Intervals(t(f"plot.differing.{key}"), tuple(some), t(unit), 0.0, groups=groups)
    times = [
        line for one in _choose_most_changed(comparison) for line in _make_ratio_lines(one, words[one.name], comparison)
    ]
    if times:
        yield Intervals(t("plot.times"), tuple(times), t("plot.times_unit"), 1.0, True, groups)


def _is_nonzero(figure: Figure) -> bool:
    return any(mean is not None and (mean.max or mean.min) for mean in figure.means)


def _make_difference_lines(figure: Figure, name: str, comparison: Comparison) -> Iterator[Line]:
    by = 100 if figure.name[0] in PROPORTIONS else 1
    for group, paired in enumerate(figure.paired):
        if paired is not None:
            measure, sure = paired.difference, figure.name in comparison.beyond[group]
            yield Line(name, by * measure.mean, by * measure.low, by * measure.high, sure, group)


def _choose_most_changed(comparison: Comparison) -> list[Figure]:
    """Return figures beyond chance that have a ratio, most changed first."""
    changed = [
        (max(_measure_changes(one, comparison), default=0.0), one) for one in comparison.figures if one.name[0] in _USED
    ]
    ordered = sorted((pair for pair in changed if pair[0]), key=lambda pair: -pair[0])
    return [one for _, one in ordered[:MOST_RULES]]


def _measure_changes(figure: Figure, comparison: Comparison) -> Iterator[float]:
    for group, paired in enumerate(figure.paired):
        if paired is not None and paired.ratio is not None and figure.name in comparison.beyond[group]:
            yield abs(math.log(paired.ratio.times))


def _make_ratio_lines(figure: Figure, name: str, comparison: Comparison) -> Iterator[Line]:
    for group, paired in enumerate(figure.paired):
        if paired is not None and (ratio := paired.ratio) is not None:
            yield Line(name, ratio.times, ratio.low, ratio.high, figure.name in comparison.beyond[group], group)


def plot_means(
    title: str,
    names: Sequence[str],
    words: Mapping[Name, str],
    figures: Sequence[Figure],
    beyond: Sequence[Sequence[Name]],
) -> Plot:
    """Plot figures with a row for each edition; a full mark differs from the first beyond chance."""
    panels = []
    for key, some in groupby(figures, key=lambda one: one.name if one.name[0] == "length" else one.name[0]):
        together = [*some]
        by = 100 if together[0].name[0] in PROPORTIONS else 1
        lines = [line for group, one in enumerate(together) for line in _make_mean_lines(one, names, beyond, by, group)]
        groups = tuple(words[one.name] for one in together)
        unit = t("plot.of_games") if by == 100 else t("plot.points") if key == "score" else groups[0]
        head = groups[0] if len(groups) == 1 else t(f"plot.by_side.{key}")
        panels.append(Intervals(head, tuple(lines), unit, groups=groups))
    return Plot(f"{title}\n{t('plot.full')}", tuple(panels), lang())


def _make_mean_lines(
    figure: Figure, names: Sequence[str], beyond: Sequence[Sequence[Name]], by: int, group: int
) -> Iterator[Line]:
    for number, (name, mean) in enumerate(zip(names, figure.means, strict=True)):
        if mean is not None:
            sure = number > 0 and figure.name in beyond[number - 1]
            yield Line(name, by * mean.mean, by * mean.low, by * mean.high, sure, group)
