"""What editions differ in, as text and as data: the rules that differ, figures side by side, and a verdict in words."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.differences import report
from hoyle.differences.report import Report
from hoyle.game.game import Game
from hoyle.language import sentences
from hoyle.presentation.catalogue import figure, lang, of_hundred, t
from hoyle.presentation.files import as_json
from hoyle.presentation.look import labels_of
from hoyle.presentation.players import kind_of, kind_words, kinds_of, warned
from hoyle.presentation.series import plots
from hoyle.presentation.series.results import SeriesReport
from hoyle.presentation.terminal import WIDTH, columns
from hoyle.printable import printable_lines
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.outcomes import Tallies
from hoyle.series import tables
from hoyle.series.comparison import LENGTHS, SHARED, Comparison, Figure, Name, Paired, Ratio
from hoyle.series.measures import Measure
from hoyle.series.plots import Plot
from hoyle.series.tables import Part, html
from hoyle.series.variants import Plan

if TYPE_CHECKING:
    from hoyle.differences.edition import Edition as Read
    from hoyle.running.machine import Engine
    from hoyle.series.variants import Edition


SPACES = {"wins": "seats", "score": "seats", "move": "moves", "obligation": "obligations", "whenever": "whenever"}
"""Where the names of a section's figures are words of the ruleset: which words."""
ALWAYS = ("wins", "draws", "score", "length")
"""Sections whose figures stand there though they be 0 everywhere."""
RULES = ("move", "obligation", "whenever")
MOST = 4
"""Rules that a verdict names."""
ENOUGH = 50
"""Games from which on it can be told what it gained that they were the same: from fewer that is chance."""


class ComparisonReport(Struct, frozen=True):
    """What was played, the editions as they were opened, how the rules of each differ from the first, and what came out."""

    plan: Plan
    games: tuple[Game, ...]
    reports: tuple[Report, ...]
    found: Comparison

    def data(self) -> dict[str, Any]:
        rules = [report.data(one)["changes"] for one in self.reports]
        return {**as_data(self.plan, self.games, self.found), "rules": rules}


def as_data(plan: Plan, games: Sequence[Game], found: Comparison) -> dict[str, Any]:
    """What was played by whom, and all figures."""
    return {
        "seed": plan.seed,
        "games": found.games,
        "interrupted": found.games < plan.games,
        "seats": [*plan.kinds],
        "player": plan.usual,
        "editions": [{"game": game.name, "digest": game.digest, "options": dict(game.options)} for game in games],
        "figures": [_data(one) for one in found.figures],
        "beyond_chance": [[list(name) for name in names] for names in found.beyond],
    }


def _data(one: Figure) -> dict[str, Any]:
    section, name = one.name
    paired = [found and found.data() for found in one.paired]
    return {"section": section, "name": name, "means": [mean and mean.data() for mean in one.means], "paired": paired}


def lines(told: ComparisonReport) -> Iterator[str]:
    plan, found = told.plan, told.found
    yield _title(told)
    yield from interrupted(plan, found)
    yield from warned([*plan.kinds, plan.usual])
    for number, name in enumerate(_names(told)):
        yield f"  {number + 1}  {name}"
    for number, one in enumerate(told.reports):
        yield from ["", t("compare.against", number=number + 2), ""]
        yield from _rules(one)
        yield from ["", *_table(told, number), "", *_verdict(told, number)]


def _title(told: ComparisonReport) -> str:
    return t("compare.title", games=told.found.games, seed=told.plan.seed, seats=players(told.plan))


def _names(told: ComparisonReport) -> list[str]:
    """What the editions are called."""
    first = told.reports[0]
    return [first.named(first.a), *(one.named(one.b) for one in told.reports)]


def players(plan: Plan) -> str:
    """Who plays: seat by seat where that was said, and who else."""
    return ", ".join(map(kind_words, plan.kinds)) if plan.kinds else kind_words(plan.usual)


def interrupted(plan: Plan, found: Comparison) -> list[str]:
    """That not all was played, if so."""
    return [t("simulate.interrupted", games=found.games, wanted=plan.games)] if found.games < plan.games else []


def _rules(one: Report) -> Iterator[str]:
    """The rules that differ."""
    yield from (printable_lines(line) for line in report.below(one, WIDTH))


def cut_off(found: Comparison, edition: int, name: str) -> list[str]:
    """That games of an edition did not end, if so: what is counted of them is no effect of its rules alone."""
    count = found.cut_off(edition)
    said = {"name": name, "games": found.games, "limit": figure(MOST_DECISIONS, 0)}
    return [t("compare.cut_off", cut=count, most=MOST_DECISIONS, **said)] if count else []


# ---- figures ---------------------------------------------------------------------------------------------------------


def page(told: ComparisonReport) -> str:
    """As HTML: the rules that differ, the figures, the verdict."""
    names, parts = _names(told), list[Part]()
    for number, one in enumerate(told.reports):
        parts.append(Part(f"{number + 2}  {names[number + 1]}", notes=tuple(map(str.strip, _rules(one)))))
        heads, *rows = _cells(told, number)
        star = (t("compare.star").strip(),) if told.found.beyond[number] else ()
        parts.append(Part("", tuple(heads), tuple(map(tuple, rows)), (*star, *_said(told, number))))
    return html(f"{_title(told)} · 1  {names[0]}", parts)


def _table(told: ComparisonReport, number: int) -> list[str]:
    """The figures of an edition beside those of the first; a star stands at what is beyond chance."""
    star = [t("compare.star")] if told.found.beyond[number] else []
    return [*columns(_cells(told, number), (28, 8, 8, 8, 18, 0), "<>>><>"), *star]


def _cells(told: ComparisonReport, number: int) -> list[list[str]]:
    """Below their heads."""
    beyond, words = told.found.beyond[number], words_of(told.games)
    heads = ["", "1", str(number + 2), t("compare.difference"), " " + t("simulate.interval"), t("compare.times")]
    told_of = [one for one in told.found.figures if is_told(one, (0, number + 1))]
    rows = [_row(one, number, words, one.name in beyond) for one in told_of]
    return [heads, *rows]


def is_told(one: Figure, editions: Iterable[int]) -> bool:
    """Has one of these editions anything to show there?"""
    means = [mean for number in editions if (mean := one.means[number]) is not None]
    return bool(means) and (one.name[0] in ALWAYS or any(mean.max > 0 for mean in means))


def _row(one: Figure, number: int, words: Mapping[Name, str], is_beyond: bool) -> list[str]:
    written, paired = shown(one.name), one.paired[number]
    means = [written(mean.mean) if mean is not None else "–" for mean in (one.means[0], one.means[number + 1])]
    name = f"{'*' if is_beyond else ' '} {words[one.name]}"
    if paired is None:
        return [name, *means, "", "", ""]
    found = paired.difference
    digits = _digits(found.high - found.low)
    times = _times_in_figures(paired.ratio) if one.name[0] not in SHARED else ""
    return [name, *means, _signed(one.name, found.mean, digits), _interval(one.name, found), times]


def shown(name: Name) -> Callable[[float], str]:
    """How a figure of that name is written."""
    return of_hundred if name[0] in SHARED else figure


def _digits(width: float) -> int:
    """So many that what is between the ends of an interval does not look like nothing."""
    return 2 if width >= 0.1 or not width else min(5, 1 - math.floor(math.log10(width)))


def _signed(name: Name, value: float, digits: int) -> str:
    return figure(100 * value, 1, signed=True) if name[0] in SHARED else figure(value, digits, signed=True)


def _interval(name: Name, found: Measure) -> str:
    digits = _digits(found.high - found.low)
    return f" [{_signed(name, found.low, digits)} – {_signed(name, found.high, digits)}]"


def _times_digits(ratio: Ratio) -> int:
    return _digits(ratio.high - ratio.low) if round(ratio.times, 2) == 1 else 2


def _times_in_figures(ratio: Ratio | None) -> str:
    return figure(ratio.times, _times_digits(ratio)) if ratio is not None else ""


def words_of(games: Iterable[Game]) -> dict[Name, str]:
    """What the figures are called: as the first edition that has one calls it."""
    found: dict[Name, str] = {(name, ""): t(f"simulate.{name}") for name in ("draws", "lost", "unfinished")}
    found |= {("length", name): t(f"simulate.{name}") for name in LENGTHS}
    for game in games:
        found = {**_words(game), **found}
    return found


def _words(game: Game) -> dict[Name, str]:
    labels, rules = labels_of(game), game.ruleset
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


def plot(told: ComparisonReport, played: Sequence[Sequence[Tallies]]) -> Plot:
    """How long games of each are, and the differences from the first; see `plots`."""
    names, words = _names(told), words_of(told.games)
    return plots.differences(_title(told), names, words, told.found, played)


# ---- in words --------------------------------------------------------------------------------------------------------


def _verdict(told: ComparisonReport, number: int) -> Iterator[str]:
    """In lines."""
    for sentence in _said(told, number):
        yield from textwrap.wrap(sentence, WIDTH, break_on_hyphens=False, subsequent_indent="  ")


def _said(told: ComparisonReport, number: int) -> list[str]:
    """What is sure, and how great a difference would have been seen where none was."""
    told_of = [one for one in told.found.figures if is_told(one, (0, number + 1))]
    ends = [one for one in told_of if one.name[0] in SHARED]
    lengths = [told.found.figure(("length", name)) for name in ("decisions", "branching")]
    scores = [one for one in told_of if one.name[0] == "score"]
    said = [line for some in (ends, scores, lengths) for line in _of_each(told, number, some)]
    said += _rules_used(told, number)
    cut = [line for edition in (0, number + 1) for line in cut_off(told.found, edition, str(edition + 1))]
    return [*cut, *said, *_gained(told, number), t("compare.sure" if told.found.beyond[number] else "compare.none")]


def _of_each(told: ComparisonReport, number: int, figures: Sequence[Figure]) -> Iterator[str]:
    """Each figure that differs beyond chance, in a sentence; of the others how great a difference would have been found."""
    words, beyond = words_of(told.games), told.found.beyond[number]
    pairs = [(one, paired) for one in figures if (paired := one.paired[number]) is not None]
    yield from (_surely(one, number, words[one.name], paired) for one, paired in pairs if one.name in beyond)
    yield from _not_surely([(words[one.name], one, paired) for one, paired in pairs if one.name not in beyond])


def _not_surely(figures: Iterable[tuple[str, Figure, Paired]]) -> Iterator[str]:
    """What is alike, as far as that was seen; what is not settled; what never differed."""
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
            said.setdefault(("alike", _least(one, paired.seen)), []).append(words)
    for (key, least), names in said.items():
        yield t(f"compare.{key}", names=sentences.listed(names, lang()), least=least)


def _gained(told: ComparisonReport, number: int) -> Iterator[str]:
    """What it gained that both played the same games, where that can be said: for the wins and points of one side, and for lengths."""
    side, words = told.games[0].sides[0], words_of(told.games)
    found: list[str] = []
    if told.found.games < ENOUGH:
        return
    for name in (("wins", side), ("score", side), ("length", "decisions")):
        paired = told.found.figure(name).paired[number]
        if paired is not None and paired.worth is not None:
            found.append(
                t("compare.worth", name=words[name], times=figure(paired.worth, 2 if paired.worth < 10 else 0))
            )
    if found:
        yield t("compare.gained", worth=sentences.listed(found, lang()))


def _surely(one: Figure, number: int, name: str, paired: Paired) -> str:
    before, after = one.means[0], one.means[number + 1]
    assert before is not None and after is not None
    if one.name[0] in (*SHARED, "score") or paired.ratio is None:
        ends = _interval(one.name, paired.difference).strip()
        written = shown(one.name)
        return t("compare.instead", name=name, after=written(after.mean), before=written(before.mean), interval=ends)
    digits = _times_digits(paired.ratio)
    ends = f"[{figure(paired.ratio.low, digits)} – {figure(paired.ratio.high, digits)}]"
    return t("compare.as_much", name=name, times=_times_in_figures(paired.ratio), interval=ends)


def _least(one: Figure, seen: float) -> str:
    return t("compare.points", points=figure(100 * seen, 1)) if one.name[0] in SHARED else figure(seen)


def _rules_used(told: ComparisonReport, number: int) -> Iterator[str]:
    """Rules that are used more or less often beyond chance, those that changed most first."""
    words, beyond = words_of(told.games), told.found.beyond[number]
    ways: dict[str, list[tuple[float, str]]] = {"more": [], "less": []}
    for one in told.found.figures:
        paired = one.paired[number]
        if paired is not None and one.name[0] in RULES and one.name in beyond:
            way, times = _way(paired)
            ways[way].append((times, f"{words[one.name]} ({_so_often(paired)})"))
    for way, some in ways.items():
        some.sort(reverse=way == "more")
        if some:
            names = [name for _, name in some[:MOST]]
            yield t(f"compare.{way}", names=sentences.listed(names, lang()))


def _way(paired: Paired) -> tuple[str, float]:
    """More or less often, and how many times: what never was, and what is no more, first."""
    is_more = paired.difference.mean > 0
    never = math.inf if is_more else 0.0
    return "more" if is_more else "less", paired.ratio.times if paired.ratio is not None else never


def _so_often(paired: Paired) -> str:
    if paired.ratio is not None:
        return t("compare.so_many_times", times=_times_in_figures(paired.ratio))
    return t("compare.before_never" if paired.difference.mean > 0 else "compare.no_more")


class PlayedEditions(Struct, frozen=True):
    """Opened editions, the games of each, and their comparison."""

    games: tuple[Game, ...]
    played: tuple[list[Tallies], ...]
    comparison: Comparison


def play_kinds(rulesets: Sequence[Read], seats: str | None, usual: str) -> tuple[str, ...]:
    """Parse `--seats` for every edition. Raises UserError for unknown players and for more players than seats."""
    kinds = [tuple(kinds_of(seats, one.rules.seats, people=False, usual=usual).values()) for one in rulesets]
    return kinds[0][: len(seats.split(","))] if seats else ()


def plan_editions(
    editions: Sequence[Edition],
    rulesets: Sequence[Read],
    games: int,
    seats: str | None,
    usual: str,
    choose_seed: Callable[[], int],
    engine: Engine,
) -> Plan:
    """Raises UserError for unknown players and for more players than seats."""
    usual = kind_of(usual)
    kinds = play_kinds(rulesets, seats, usual)
    return Plan(tuple(editions), games, choose_seed(), kinds, usual, engine)


def report_comparison(plan: Plan, done: PlayedEditions, reports: Sequence[Report]) -> SeriesReport:
    told = ComparisonReport(plan, done.games, tuple(reports), done.comparison)
    return SeriesReport(
        text=lambda: "\n".join(lines(told)),
        json=lambda: as_json("compare", told.data()),
        figures=lambda: tables.of_comparison(done.games, plan, done.comparison),
        games=lambda: tables.of_games(done.games, plan.seed, done.played),
        plot=lambda: plot(told, done.played),
        page=lambda: page(told),
    )
