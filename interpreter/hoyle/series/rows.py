"""What a series came to as flat tables: a row for each figure, or for each game. Whatever else is made of it, as CSV, Parquet or data frames, is made of these.

Columns of every table

    edition       which of the rulesets or settings that were played, from 1
    game          the name of the ruleset
    option.NAME   the value of an option that was set in one of the editions; empty where there is no such option
    seed          of the series

of a table of figures

    games         how many were played of that edition; of a match also `deals`, and `a` and `b`, who played
    section, name what the figure is of: wins, draws, lost, unfinished (parts of the games, from 0 to 1; wins and scores by side), score (points),
                  length (decisions, choices and turns in a game, turn_length: decisions in a turn, branching: moves to choose from, most_branching),
                  and times a game that something was done or used: move, obligation, whenever, early, step, passed, at_most;
                  of a match wins and lead, both of A
    count         games, or uses in all of them
    mean, low, high, sd, min, max   the mean of all games, its 95 % interval, and single games; no interval where single games were not counted
    even          of a match: what the mean would be if both were equally strong
    difference, difference_low, difference_high   of the mean from that of edition 1, in pairs, with its 95 % interval
    times, times_low, times_high    how many times the mean of edition 1 it is
    chance        how likely so great a difference is where there is none
    detectable    a difference as great as this is found by four plays of five
    worth         how many times as many games the interval would need if each edition played games of its own
    beyond_chance is it one of the differences that stand though many were looked at?

of a table of games

    index         which game of the series; the games of one index have the same chance in all editions
    a_plays       of a match: the side of A
    over          did it end?
    winners       the sides that won, behind commas
    wins.SIDE     its part of the win; draws, lost and unfinished: 1 if it was so, else 0
    score.SIDE    its points
    length.…      as above, of this game
    move.NAME     how often it was made
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hoyle.game.game import Game
from hoyle.running.tallies import Tallies
from hoyle.series.comparing import Comparison, Figure, figures_of
from hoyle.series.editions import Plan
from hoyle.series.match import Deal, Match, Outcome
from hoyle.series.measures import Measure, share
from hoyle.series.simulate import SECTIONS, Account, Order
from hoyle.series.tables import Cell, Column, Kind, Table

Record = Mapping[str, Cell]

_MEASURE: Mapping[str, Kind] = dict.fromkeys(("mean", "low", "high", "sd", "min", "max"), float)
_NAMED: Mapping[str, Kind] = {"section": str, "name": str}
_DIFFERENCE: Mapping[str, Kind] = {
    **dict.fromkeys(("difference", "difference_low", "difference_high"), float),
    **dict.fromkeys(("times", "times_low", "times_high", "chance", "detectable", "worth"), float),
    "beyond_chance": bool,
}


def _table(schema: Mapping[str, Kind], records: Sequence[Record]) -> Table:
    columns = (Column(name, kind, tuple(one.get(name) for one in records)) for name, kind in schema.items())
    return Table(tuple(columns))


# ---- figures ---------------------------------------------------------------------------------------------------------


def of_account(game: Game, order: Order, found: Account) -> Table:
    """The figures of a series of one game."""
    edition, editions = _editions([game], order.seed)
    records = [{**editions[0], "games": found.games, **one} for one in _accounted(found)]
    return _table({**edition, "games": int, **_NAMED, "count": int, **_MEASURE}, records)


def _accounted(found: Account) -> Iterator[Record]:
    for side, won in found.wins.items():
        yield _shared("wins", side, won, found.games)
    for section in ("draws", "lost", "unfinished"):
        yield _shared(section, "", getattr(found, section), found.games)
    for side, measure in found.scores.items():
        yield {"section": "score", "name": side, **_measured(measure)}
    for name, measure in found.measures.items():
        yield {"section": "length", "name": name, **_measured(measure)}
    for section in SECTIONS:
        uses = {**found.uses[section], **dict.fromkeys(found.unused[section], 0)}
        for name, count in uses.items():
            yield {"section": section, "name": name, "count": count, "mean": count / found.games}


def _shared(section: str, name: str, count: int, games: int) -> Record:
    return {"section": section, "name": name, "count": count, **_measured(share(count, games))}


def _measured(measure: Measure | None) -> dict[str, Cell]:
    return {name: getattr(measure, name, None) for name in _MEASURE}


def of_match(game: Game, match: Match, found: Outcome) -> Table:
    """The figures of a match."""
    edition, editions = _editions([game], match.seed)
    a, b = match.kinds
    head = {**editions[0], "deals": found.deals, "games": found.games, "a": a, "b": b}
    records: list[Record] = [
        {"section": "wins", "name": "A", **_measured(found.wins), "even": found.even},
        {"section": "lead", "name": "A", **_measured(found.lead), "even": 0.0},
        *(_shared(section, "", getattr(found, section), found.games) for section in ("lost", "unfinished")),
    ]
    schema = {**edition, "deals": int, "games": int, "a": str, "b": str, **_NAMED, "count": int, **_MEASURE}
    return _table({**schema, "even": float}, [{**head, **one} for one in records])


def of_comparison(games: Sequence[Game], plan: Plan, found: Comparison) -> Table:
    """The figures of editions that played the same games: all of the first, then all of the next."""
    edition, editions = _editions(games, plan.seed)
    records = [
        {**editions[number], "games": found.games, **_compared(found, one, number)}
        for number in range(len(games))
        for one in found.figures
        if one.means[number] is not None
    ]
    return _table({**edition, "games": int, **_NAMED, **_MEASURE, **_DIFFERENCE}, records)


def _compared(found: Comparison, one: Figure, number: int) -> Record:
    section, name = one.name
    record = {"section": section, "name": name, **_measured(one.means[number])}
    paired = one.paired[number - 1] if number else None
    if paired is None:
        return record
    difference = {
        "difference": paired.difference.mean,
        "chance": paired.chance,
        "detectable": paired.seen,
        "worth": paired.worth,
    }
    ends = {"difference_low": paired.difference.low, "difference_high": paired.difference.high}
    ratio = paired.ratio
    times = {"times": ratio.times, "times_low": ratio.low, "times_high": ratio.high} if ratio is not None else {}
    return {**record, **difference, **ends, **times, "beyond_chance": one.name in found.beyond[number - 1]}


# ---- games -----------------------------------------------------------------------------------------------------------


def of_games(games: Sequence[Game], seed: int, played: Sequence[Sequence[Tallies]]) -> Table:
    """A row for each game of each edition, in order of their index."""
    heads = {"index": [[*range(len(some))] for some in played]}
    return _by_game(games, seed, played, heads)


def of_deals(game: Game, match: Match, played: Sequence[Deal]) -> Table:
    """A row for each game of a match, deal by deal."""
    heads = {"index": [[index for index, deal in enumerate(played) for _ in deal]]}
    table = _by_game([game], match.seed, [[one for deal in played for one in deal]], heads)
    sides = Column("a_plays", str, tuple(side for deal in played for side, _ in zip(game.sides, deal, strict=True)))
    place = 1 + [column.name for column in table.columns].index("index")
    return Table((*table.columns[:place], sides, *table.columns[place:]))


def _by_game(
    games: Sequence[Game], seed: int, played: Sequence[Sequence[Tallies]], heads: Mapping[str, Sequence[Sequence[int]]]
) -> Table:
    schema, editions = _editions(games, seed)
    counts = [len(some) for some in played]
    columns = [_repeated(name, kind, [one.get(name) for one in editions], counts) for name, kind in schema.items()]
    columns += [Column(name, int, tuple(_row(values))) for name, values in heads.items()]
    columns.append(Column("over", bool, tuple(one.over for some in played for one in some)))
    won = (_winners(game, one) for game, some in zip(games, played, strict=True) for one in some)
    columns.append(Column("winners", str, tuple(won)))
    return Table((*columns, *_figures_by_game(games, played, counts)))


def _figures_by_game(
    games: Sequence[Game], played: Sequence[Sequence[Tallies]], counts: Sequence[int]
) -> Iterator[Column]:
    """Every figure of a game by itself; None in editions that have no such thing."""
    each = [dict(figures_of(game)) for game in games]
    for name in dict.fromkeys(name for found in each for name in found):
        kind, values = _kind_of(*name), list[Cell]()
        for found, some, count in zip(each, played, counts, strict=True):
            values += [kind(found[name](one)) for one in some] if name in found else [None] * count
        yield Column(".".join(filter(None, name)), kind, tuple(values))


def _kind_of(section: str, name: str) -> Kind:
    is_mean = section == "wins" or (section == "length" and name in ("turn_length", "branching"))
    return float if is_mean else int


def _winners(game: Game, one: Tallies) -> str:
    return ",".join(side for side, won in zip(game.sides, one.wins, strict=True) if won)


# ---- editions --------------------------------------------------------------------------------------------------------


def _editions(games: Sequence[Game], seed: int) -> tuple[dict[str, Kind], list[dict[str, Cell]]]:
    """The columns that say of what edition a row is, and their values for each."""
    names = list(dict.fromkeys(name for game in games for name in game.compiled.set_options))
    options = {name: [game.options.get(name) for game in games] for name in names}
    kinds = {name: _common(values) for name, values in options.items()}
    schema: dict[str, Kind] = {"edition": int, "game": str, **{f"option.{n}": k for n, k in kinds.items()}, "seed": int}
    records: list[dict[str, Cell]] = []
    for number, game in enumerate(games):
        values = {f"option.{n}": _as(options[n][number], kinds[n]) for n in names}
        records.append({"edition": number + 1, "game": game.name, **values, "seed": seed})
    return schema, records


def _common(values: Sequence[Any]) -> Kind:
    """The kind of all values that are there; text where they have several."""
    kinds = {type(value) for value in values if value is not None}
    return kinds.pop() if len(kinds) == 1 else str


def _as(value: Any, kind: Kind) -> Cell:
    return value if value is None or type(value) is kind else str(value)


def _repeated(name: str, kind: Kind, values: Sequence[Cell], counts: Sequence[int]) -> Column:
    return Column(name, kind, tuple(_row([value] * count for value, count in zip(values, counts, strict=True))))


def _row(parts: Any) -> Iterator[Any]:
    return (value for part in parts for value in part)
