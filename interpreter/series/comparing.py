"""What editions that played the same games differ in, game by game: paired differences with 95 % intervals, and which of them are more than chance.

An edition is compared with the first. Differences of figures are those of pairs of games with the same number. Rules whose use is counted by
share are paired share by share. Which differences are beyond chance, though many are looked at, is decided by Holm's step-down procedure
(Scandinavian Journal of Statistics 6, 1979)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from interpreter.game.game import Game
from interpreter.running.tallies import Tallies
from interpreter.series.measures import Measure, measure, proportion
from interpreter.series.simulate import Chunk, joined

LEVEL = 0.05
"""How often, of plays that differ in nothing, one difference or more is called one."""
_FEW = 30
"""From so many degrees of freedom on a few terms of a series are as good as the sum."""
_POWER = statistics.NormalDist().inv_cdf(0.8)
_Z95 = statistics.NormalDist().inv_cdf(0.975)

Name = tuple[str, str]
"""What a figure is of: its section (wins, draws, lost, unfinished, score, length, move, obligation, …) and its name there."""


class Ratio(Struct, frozen=True):
    """How many times the first is the other, with its 95 % interval."""

    times: float
    low: float
    high: float

    def data(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 6) for name in ("times", "low", "high")}


class Paired(Struct, frozen=True):
    """
    difference   of the figure from that of the first edition
    ratio        of the two means; None where one is not above 0
    chance       how likely so great a difference is where there is none (two-sided)
    seen         a difference as great as this is found beyond chance by four series of five, though so many figures are looked at
    """

    difference: Measure
    ratio: Ratio | None
    chance: float
    seen: float

    def data(self) -> dict[str, Any]:
        ratio = self.ratio.data() if self.ratio is not None else None
        found = {"difference": self.difference.data(), "ratio": ratio}
        return {**found, "chance": round(self.chance, 6), "seen": round(self.seen, 6)}


class Figure(Struct, frozen=True):
    """One figure of all editions: means, None where an edition has no such thing; `paired` with the first, for all but it."""

    name: Name
    means: tuple[Measure | None, ...]
    paired: tuple[Paired | None, ...]


class Comparison(Struct, frozen=True):
    """`games`: of each edition. `beyond`: for each edition but the first, the figures in which it differs beyond chance, the surest first."""

    games: int
    figures: tuple[Figure, ...]
    beyond: tuple[tuple[Name, ...], ...]

    def figure(self, name: Name) -> Figure:
        return next(one for one in self.figures if one.name == name)

    def cut_off(self, number: int) -> int:
        """How many games of an edition (the first is 0) did not end before the limit of decisions."""
        mean = self.figure(("unfinished", "")).means[number]
        return round(mean.mean * self.games) if mean is not None else 0


SHARED = ("wins", "draws", "lost", "unfinished")
"""Sections whose figures are parts of the games: from 0 to 1."""
BY_SHARE = ("obligation", "whenever", "passed", "at_most")
"""Sections whose figures are known by share, as uses a game."""


class _Column(Struct, frozen=True):
    """The values of a figure in one edition, unit by unit; a unit is a game, or a share of them."""

    values: list[float]
    is_share: bool = False


Columns = Mapping[Name, _Column]


def compared(games: Sequence[Game], played: Sequence[Sequence[Chunk]]) -> Comparison:
    """Of `traced` games what the same shares of each came to. There must be at least one."""
    columns = [_columns(game, chunks) for game, chunks in zip(games, played, strict=True)]
    names = list(dict.fromkeys(name for found in columns for name in found))
    figures = tuple(_figure(name, columns, len(names)) for name in names)
    beyond = tuple(_beyond(figures, number) for number in range(len(games) - 1))
    return Comparison(sum(len(chunk[0]) for chunk in played[0]), figures, beyond)


def _figure(name: Name, columns: Sequence[Columns], many: int) -> Figure:
    first = columns[0].get(name)
    means = tuple(_mean(name, found[name]) if name in found else None for found in columns)
    paired = tuple(
        _paired(name, first, other, many) if first is not None and other is not None and len(first.values) > 1 else None
        for other in (found.get(name) for found in columns[1:])
    )
    return Figure(name, means, paired)


def _mean(name: Name, column: _Column) -> Measure:
    return proportion(column.values) if name[0] in SHARED else measure(column.values)


# ---- what is counted -------------------------------------------------------------------------------------------------


def _columns(game: Game, chunks: Sequence[Chunk]) -> Columns:
    played, _ = joined(chunks)
    by_game = {name: _Column(list(map(value, played))) for name, value in figures_of(game)}
    return {**by_game, **_by_share(game, chunks)}


def figures_of(game: Game) -> Iterable[tuple[Name, Callable[[Tallies], float]]]:
    """Each figure of a game by itself, and how it is read off."""
    for number, side in enumerate(game.sides):
        yield ("wins", side), _won(number)
    if len(game.sides) > 1:
        yield ("draws", ""), lambda one: float(sum(one.wins) > 1)
    yield ("lost", ""), lambda one: float(one.over and not any(one.wins))
    yield ("unfinished", ""), lambda one: float(not one.over)
    for number, side in enumerate(game.sides):
        yield ("score", side), _scored(number)
    for name, value in LENGTHS.items():
        yield ("length", name), value
    for name, move in game.ruleset.moves.items():
        yield ("move", name), _made(move.number)


LENGTHS: Mapping[str, Callable[[Tallies], float]] = {
    "decisions": lambda one: one.decisions,
    "choices": lambda one: one.choices,
    "turns": lambda one: one.turns,
    "turn_length": lambda one: one.decisions / max(1, one.turns),
    "branching": lambda one: one.offered / max(1, one.decisions),
    "most_branching": lambda one: one.most_offered,
}


def _won(side: int) -> Callable[[Tallies], float]:
    """The part of the win that a side has."""
    return lambda one: int(one.wins[side]) / max(1, sum(one.wins))


def _scored(side: int) -> Callable[[Tallies], float]:
    return lambda one: one.scores[side]


def _made(move: int) -> Callable[[Tallies], float]:
    return lambda one: one.moves[move]


def _by_share(game: Game, chunks: Sequence[Chunk]) -> Columns:
    """How often a game the rules of these sections were used, share by share; the last share may have fewer games, and counts as much."""
    wanted = [name for name in game.machine.counters if name[0] in BY_SHARE]
    return {name: _Column([uses[name] / len(played) for played, uses in chunks], True) for name in wanted}


# ---- in pairs --------------------------------------------------------------------------------------------------------


def _paired(name: Name, first: _Column, other: _Column, many: int = 1) -> Paired:
    """`many`: how many figures are looked at, any of which may differ by chance."""
    differences = [b - a for a, b in zip(first.values, other.values, strict=True)]
    is_shared, freedom = name[0] in SHARED, len(differences) - 1
    middle, error = _middle(differences, is_shared)
    found = _difference(differences, is_shared)
    chance = _beyond_that(abs(middle) / error, math.inf if is_shared else freedom) if error else float(not found.mean)
    least = statistics.NormalDist().inv_cdf(1 - LEVEL / (2 * many))
    return Paired(found, _ratio(first.values, other.values), chance, (least + _POWER) * error)


def _beyond_that(value: float, freedom: float) -> float:
    """How often Student's distribution is that far from 0, or farther (Abramowitz and Stegun, 26.7.8, for many degrees of freedom)."""
    if freedom < _FEW:
        return 1 - _within(value, int(freedom))
    z = value * (1 - 1 / (4 * freedom)) / math.sqrt(1 + value * value / (2 * freedom))
    return 2 * (1 - statistics.NormalDist().cdf(z))


def _middle(differences: Sequence[float], of_shares: bool) -> tuple[float, float]:
    """What the interval of their mean lies evenly about, and its standard error."""
    if of_shares:
        return _adjusted(differences)
    return statistics.fmean(differences), statistics.stdev(differences) / math.sqrt(len(differences))


def _adjusted(differences: Sequence[float]) -> tuple[float, float]:
    """Of proportions, as if one pair more had differed, half this way and half that, and two had not differed in anything
    (Agresti and Min, Statistics in Medicine 24, 2005), so that a few pairs that are alike do not look certain."""
    count = len(differences) + 2
    middle, square = sum(differences) / count, sum(value * value for value in differences)
    return middle, math.sqrt(max(0.0, (square + 1) / count - middle * middle) / count)


def _difference(differences: Sequence[float], of_shares: bool) -> Measure:
    """The mean of differences with its interval, which of proportions does not go beyond what they can differ in."""
    plain, most = measure(differences), 1.0 if of_shares else math.inf
    middle, error = _middle(differences, of_shares)
    half = error * (_Z95 if of_shares else student(len(differences) - 1))
    low, high = max(-most, min(middle - half, plain.mean)), min(most, max(middle + half, plain.mean))
    return Measure(plain.mean, low, high, plain.sd, plain.min, plain.max)


@cache
def student(freedom: int) -> float:
    """What 97.5 % of Student's distribution lie below, to four figures behind the point (Abramowitz and Stegun: 26.7.5, and 26.7.3 and 4 for few degrees of freedom)."""
    if freedom < 1:
        return math.inf
    if freedom < _FEW:
        return _bisected(lambda value: _within(value, freedom) - 0.95, 0.0, 16.0)
    z, v = _Z95, freedom
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + math.fsum(term / v**power for power, term in enumerate(terms, 1))


def _within(value: float, freedom: int) -> float:
    """How often Student's distribution is between minus and plus a value: a finite sum for whole degrees of freedom."""
    angle = math.atan(value / math.sqrt(freedom))
    term, total = (math.cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for power in range(2 + freedom % 2, freedom + 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (power - 1) / power
    return (angle + math.sin(angle) * total) * 2 / math.pi if freedom % 2 else math.sin(angle) * total


def _bisected(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that grows is 0."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def _ratio(first: Sequence[float], other: Sequence[float]) -> Ratio | None:
    """Of two means of pairs, with an interval that is even in logarithms (delta method)."""
    a, b, count = statistics.fmean(first), statistics.fmean(other), len(first)
    if a <= 0 or b <= 0 or min(*first, *other) < 0:
        return None
    spread = [(y / b - x / a) ** 2 for x, y in zip(first, other, strict=True)]
    half = student(count - 1) * math.sqrt(sum(spread) / max(1, count - 1) / count)
    return Ratio(b / a, b / a * math.exp(-half), b / a * math.exp(min(half, 700.0)))


def _beyond(figures: Sequence[Figure], number: int) -> tuple[Name, ...]:
    """Names of figures whose differences are more than chance, by Holm's procedure."""
    found = [(paired.chance, one.name) for one in figures if (paired := one.paired[number]) is not None]
    found = sorted(pair for pair in found if pair[0] < 1)
    sure: list[Name] = []
    for place, (chance, name) in enumerate(found):
        if chance > LEVEL / (len(found) - place):
            break
        sure.append(name)
    return tuple(sure)
