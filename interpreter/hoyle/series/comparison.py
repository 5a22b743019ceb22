"""Compare variants that played the same games: paired differences with 95 % intervals, and which of them exceed chance.

Each variant is compared with the first, game by game. Uses of rules that are counted by chunk are paired by chunk.
Holm's step-down procedure decides which of the many differences exceed chance (Scandinavian Journal of Statistics 6,
1979).
"""

from __future__ import annotations

import math
import statistics
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from hoyle.game.game import Game
from hoyle.running.outcomes import Tallies
from hoyle.series.measures import LENGTHS, Measure, measure_mean, measure_proportion, quantile, tail_probability
from hoyle.series.simulate import Chunk, join_chunks

LEVEL = 0.05
"""Probability of reporting any difference as real if the variants do not differ."""
Name = tuple[str, str]
"""Section (wins, draws, lost, unfinished, score, length, move, obligation, …) and name of a figure."""


class Ratio(Struct, frozen=True):
    """Ratio of two means, with its 95 % interval."""

    times: float
    low: float
    high: float

    def data(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 6) for name in ("times", "low", "high")}


class Paired(Struct, frozen=True):
    """Paired comparison of a figure with that of the first variant.

    difference   mean difference, with its 95 % interval
    ratio        ratio of the two means; None unless both are above 0
    chance       two-sided p-value of the difference
    seen         smallest difference that about four of five series would find beyond chance, corrected for the number
                 of facts; None if none could be found
    worth        gain from pairing: factor by which independent games would have to be more numerous for an equally
                 narrow interval; None if the difference never varies
    fact         digest of the differences. Figures have the same digest if their differences are equal or opposite in
                 every game, such as the wins of two opponents: they state one fact
    """

    difference: Measure
    ratio: Ratio | None
    chance: float
    seen: float | None
    worth: float | None
    fact: bytes

    def data(self) -> dict[str, Any]:
        ratio = self.ratio.data() if self.ratio is not None else None
        found = {"difference": self.difference.data(), "ratio": ratio}
        seen, worth = (round(value, 6) if value is not None else None for value in (self.seen, self.worth))
        return {**found, "chance": round(self.chance, 6), "seen": seen, "worth": worth}


class Figure(Struct, frozen=True):
    """A figure of all variants: means (None if a variant lacks it) and paired comparisons with the first."""

    name: Name
    means: tuple[Measure | None, ...]
    paired: tuple[Paired | None, ...]


class Comparison(Struct, frozen=True):
    """Figures of all variants over `games` games each.

    `beyond` lists, for each variant but the first, the figures that differ beyond chance, most certain first.
    """

    games: int
    figures: tuple[Figure, ...]
    beyond: tuple[tuple[Name, ...], ...]

    def figure(self, name: Name) -> Figure:
        return next(one for one in self.figures if one.name == name)

    def cut_off(self, number: int) -> int:
        """Return the number of games of a variant that reached the limit of decisions."""
        mean = self.figure(("unfinished", "")).means[number]
        return round(mean.mean * self.games) if mean is not None else 0


PROPORTIONS = ("wins", "draws", "lost", "unfinished")
"""Sections whose figures are proportions of games."""
BY_SHARE = ("obligation", "whenever", "passed", "at_most")
"""Sections whose figures are counted by chunk, as uses per game."""


class _Column(Struct, frozen=True):
    """Values of a figure in one variant, by game or by chunk."""

    values: list[float]
    by_share: bool = False


Columns = Mapping[Name, _Column]


def compare_series(games: Sequence[Game], played: Sequence[Sequence[Chunk]]) -> Comparison:
    """Compare variants by their chunks of games. Each variant needs at least one chunk."""
    columns = [_columns(game, chunks) for game, chunks in zip(games, played, strict=True)]
    names = list(dict.fromkeys(name for found in columns for name in found))
    many = [_facts(columns[0], other) for other in columns[1:]]
    figures = tuple(_figure(name, columns, many) for name in names)
    beyond = tuple(_beyond(figures, number) for number in range(len(games) - 1))
    return Comparison(sum(len(chunk[0]) for chunk in played[0]), figures, beyond)


def _figure(name: Name, columns: Sequence[Columns], many: Sequence[int]) -> Figure:
    """Compute a figure. `many` is the number of distinct facts for each variant but the first."""
    first = columns[0].get(name)
    means = tuple(_mean(name, found[name]) if name in found else None for found in columns)
    paired = tuple(
        _paired(name, first, other, facts)
        if first is not None and other is not None and len(first.values) > 1
        else None
        for other, facts in zip((found.get(name) for found in columns[1:]), many, strict=True)
    )
    return Figure(name, means, paired)


def _mean(name: Name, column: _Column) -> Measure:
    if _are_parts(name, column):
        return measure_proportion(column.values)
    return measure_mean(column.values, -math.inf if name[0] == "score" else 0.0)


def _are_parts(name: Name, *columns: _Column) -> bool:
    """Return whether a figure is a proportion: a part of the games, or an event that happens at most once in a game."""
    once = (not column.by_share and all(value in (0.0, 1.0) for value in column.values) for column in columns)
    return name[0] in PROPORTIONS or all(once)


# ---- columns of figures ----------------------------------------------------------------------------------------------


def _columns(game: Game, chunks: Sequence[Chunk]) -> Columns:
    played, _ = join_chunks(chunks)
    by_game = {name: _Column(list(map(value, played))) for name, value in list_figures(game)}
    return {**by_game, **_by_share(game, chunks)}


def list_figures(game: Game) -> Iterable[tuple[Name, Callable[[Tallies], float]]]:
    """Yield the figures of a game, each with a function that computes it."""
    for number, side in enumerate(game.sides):
        yield ("wins", side), _won(number)
    if len(game.sides) > 1:
        yield ("draws", ""), lambda one: float(sum(one.wins) > 1)
    yield ("lost", ""), lambda one: float(one.over and not any(one.wins))
    yield ("unfinished", ""), lambda one: float(not one.over)
    for number, side in enumerate(game.sides):
        yield ("score", side), _scored(number)
    for name, length in LENGTHS.items():
        yield ("length", name), length.of_game
    for name, move in game.ruleset.moves.items():
        yield ("move", name), _made(move.number)


def _won(side: int) -> Callable[[Tallies], float]:
    """Return a function that computes a side's part of the win; winners share it equally."""
    return lambda one: int(one.wins[side]) / max(1, sum(one.wins))


def _scored(side: int) -> Callable[[Tallies], float]:
    return lambda one: one.scores[side]


def _made(move: int) -> Callable[[Tallies], float]:
    return lambda one: one.moves[move]


def _by_share(game: Game, chunks: Sequence[Chunk]) -> Columns:
    """Return uses per game by chunk. The last chunk may have fewer games and counts as much."""
    wanted = [name for name in game.machine.counters if name[0] in BY_SHARE]
    return {name: _Column([uses[name] / len(played) for played, uses in chunks], True) for name in wanted}


# ---- pairs -----------------------------------------------------------------------------------------------------------


def _paired(name: Name, first: _Column, other: _Column, many: int = 1) -> Paired:
    """Compare a figure in pairs. `many` is the number of distinct facts, for the Bonferroni correction of `seen`."""
    differences, are_parts = _differences(first, other), _are_parts(name, first, other)
    found, error = _difference(differences, are_parts), _middle(differences, are_parts)[1]
    ratio, worth = _ratio(first.values, other.values), _worth(first.values, other.values, found.sd)
    chance, seen = _chance(differences, are_parts), _seen(error, len(differences), many)
    mean = statistics.fmean(first.values)
    is_possible = LEVEL / many >= _least_chance(len(differences)) and (not are_parts or seen < max(mean, 1 - mean))
    return Paired(found, ratio, chance, seen if is_possible else None, worth, _fact(differences))


def _differences(first: _Column, other: _Column) -> list[float]:
    return [b - a for a, b in zip(first.values, other.values, strict=True)]


def _worth(first: Sequence[float], other: Sequence[float], sd: float) -> float | None:
    """Return the variance of the difference of independent means, divided by that of the paired difference."""
    return (statistics.variance(first) + statistics.variance(other)) / (sd * sd) if sd else None


def _facts(first: Columns, other: Columns) -> int:
    """Return the number of distinct facts that differ, at least 1."""
    found = (_differences(first[name], other[name]) for name in first.keys() & other.keys())
    return max(1, len({_fact(differences) for differences in found if any(differences)}))


def _fact(differences: Sequence[float]) -> bytes:
    """Return a digest of the differences. Opposite differences have the same digest."""
    first = next(filter(None, differences), 0.0)
    values = (round(math.copysign(1, first) * value, 9) + 0.0 for value in differences)
    return sha256(array("d", values).tobytes()).digest()


def _chance(differences: Sequence[float], are_parts: bool) -> float:
    """Return the two-sided p-value of the mean difference.

    It is never below the least p-value of a sign test. Otherwise a few equal differences would look certain.
    """
    middle, error = _middle(differences, are_parts)
    least = _least_chance(sum(map(bool, differences)))
    freedom = math.inf if are_parts else len(differences) - 1
    return max(least, tail_probability(abs(middle) / error, freedom)) if error else least


def _least_chance(count: int) -> float:
    """Return the probability that `count` non-zero differences all have one sign.

    Source: Fisher, The Design of Experiments, 1935, section 21.
    """
    return min(1.0, 2.0 ** (1 - count))


def _seen(error: float, count: int, many: int) -> float:
    freedom = count - 1
    return (quantile(1 - LEVEL / (2 * many), freedom) + quantile(0.8, freedom)) * error if error else 0.0


def _middle(differences: Sequence[float], are_parts: bool) -> tuple[float, float]:
    """Return the centre of the interval of the mean difference, and its standard error."""
    if are_parts:
        return _adjusted(differences)
    return statistics.fmean(differences), statistics.stdev(differences) / math.sqrt(len(differences))


def _adjusted(differences: Sequence[float]) -> tuple[float, float]:
    """Return the adjusted mean difference of proportions, and its standard error.

    Adds two pairs: one that differs half each way and one that is equal. Then a few equal pairs do not look certain.
    Source: Agresti and Min, Statistics in Medicine 24, 2005.
    """
    count = len(differences) + 2
    middle, square = sum(differences) / count, sum(value * value for value in differences)
    return middle, math.sqrt(max(0.0, (square + 1) / count - middle * middle) / count)


def _difference(differences: Sequence[float], are_parts: bool) -> Measure:
    """Return the mean difference with its 95 % interval. The interval of proportions stays within -1 and 1."""
    plain, most = measure_mean(differences), 1.0 if are_parts else math.inf
    middle, error = _middle(differences, are_parts)
    half = error * quantile(0.975, math.inf if are_parts else len(differences) - 1) if error else 0.0
    low, high = max(-most, min(middle - half, plain.mean)), min(most, max(middle + half, plain.mean))
    return Measure(plain.mean, low, high, plain.sd, plain.min, plain.max)


def _ratio(first: Sequence[float], other: Sequence[float]) -> Ratio | None:
    """Return the ratio of two paired means, with an interval that is symmetric in logarithms (delta method)."""
    a, b, count = statistics.fmean(first), statistics.fmean(other), len(first)
    if a <= 0 or b <= 0 or min(*first, *other) < 0:
        return None
    spread = [(y / b - x / a) ** 2 for x, y in zip(first, other, strict=True)]
    half = quantile(0.975, count - 1) * math.sqrt(sum(spread) / max(1, count - 1) / count)
    return Ratio(b / a, b / a * math.exp(-half), b / a * math.exp(min(half, 700.0)))


def _beyond(figures: Sequence[Figure], number: int) -> tuple[Name, ...]:
    """Return the names of figures that differ beyond chance, most certain first.

    Applies Holm's procedure to distinct facts, not to figures.
    """
    facts: dict[bytes, list[Name]] = {}
    chances: dict[bytes, float] = {}
    for one in figures:
        paired = one.paired[number]
        if paired is not None and paired.chance < 1:
            facts.setdefault(paired.fact, []).append(one.name)
            chances[paired.fact] = max(paired.chance, chances.get(paired.fact, 0.0))
    sure: list[Name] = []
    for place, fact in enumerate(sorted(facts, key=lambda fact: (chances[fact], facts[fact]))):
        if chances[fact] > LEVEL / (len(facts) - place):
            break
        sure += facts[fact]
    return tuple(sure)
