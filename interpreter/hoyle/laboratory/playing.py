"""Play series of games: `simulate`, `match`, `compare`, `sweep`. Results equal those of the commands with the same seed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any, Literal, get_args

from hoyle.differences.compared_ruleset import load_side as read
from hoyle.differences.report import report
from hoyle.game.game import State, load
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.presentation.catalogue import UserError, use_language
from hoyle.presentation.files import write_file
from hoyle.presentation.players import make_workers, parse_player, parse_seats
from hoyle.presentation.series.comparison import PlayedEditions, plan_editions, report_comparison
from hoyle.presentation.series.results import SeriesReport, report_match, report_simulation
from hoyle.presentation.series.sweep import report_sweep
from hoyle.running.machine import Engine
from hoyle.series import plots
from hoyle.series.comparison import compare_series
from hoyle.series.match import Match, play_match
from hoyle.series.simulate import Order, join_chunks, load_traced, play_series
from hoyle.series.tables import Column, Table
from hoyle.series.variants import Axis, Plan, Variant, load_games, make_grid, play_plan
from hoyle.series.workers import Workers


class Result:
    """Result of a series, in one language."""

    def __init__(self, found: SeriesReport, lang: str) -> None:
        self._found, self.lang = found, lang

    def __repr__(self) -> str:
        return f"<Result {self.text.partition(chr(10))[0]}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        with use_language(self.lang):
            return self._found.page()

    @cached_property
    def text(self) -> str:
        """The text that the command prints."""
        with use_language(self.lang):
            return self._found.text()

    @cached_property
    def data(self) -> dict[str, Any]:
        """The data that the command writes with `--json`."""
        with use_language(self.lang):
            found: dict[str, Any] = json.loads(self._found.json())
        return found

    @cached_property
    def figures(self) -> Table:
        """Table with a row for each figure of each edition."""
        return self._found.figures()

    @cached_property
    def games(self) -> Table:
        """Table with a row for each game."""
        return self._found.games()

    def frame(self, library: str = "pandas", rows: Literal["figures", "games"] = "figures") -> Any:
        """Return a table as a data frame of pandas, polars or pyarrow. Raises Missing if the package is not installed, ValueError for other names."""
        if rows not in ("figures", "games"):
            raise ValueError(f"there are rows of figures or of games, not of {rows!r}")
        return (self.games if rows == "games" else self.figures).frame(library)

    def plot(self, lang: str = "") -> Drawing:
        """Return a plot by matplotlib. Raises Missing if it is not installed."""
        with use_language(lang or self.lang):
            return Drawing(self._found.plot())


class Drawing:
    """A plot. Notebooks show it; equal plots give equal SVG."""

    def __init__(self, plot: plots.Plot) -> None:
        self._plot, self._svg = plot, plots.draw_plot(plot)

    def __repr__(self) -> str:
        return f"<Drawing {self._plot.title.partition(chr(10))[0]}>"

    def _repr_svg_(self) -> str:
        return self._svg.decode()

    @property
    def figure(self) -> Any:
        """Return a new `matplotlib.figure.Figure`, which you may change."""
        return plots.make_figure(self._plot)

    def save(self, file: str | Path) -> None:
        """Write the plot to a .svg or .png file. Raises ValueError for other endings; OSError leaves an existing file unchanged."""
        form = Path(file).suffix.lower()
        if form not in (".svg", ".png"):
            raise ValueError(f"plots are SVG or PNG, and the name of the file ends so: {str(file)!r}")
        write_file(str(file), plots.draw_plot(self._plot, "png") if form == ".png" else self._svg)


def moves_of(state: State, lang: str = FALLBACK) -> Table:
    """Return a table of the legal moves: id, words, clauses."""
    moves = state.moves()
    return Table(
        (
            Column("id", str, tuple(move.id for move in moves)),
            Column("move", str, tuple(move.text(lang) for move in moves)),
            Column("clause", str, tuple(move.rule.at for move in moves)),
        )
    )


def events_of(state: State, seat: str | None = None, lang: str = FALLBACK) -> Table:
    """Return a table of the events since the start that a seat, or a spectator, may know."""
    told = [(event, text) for event in state.events if (text := event.text(lang, seat))]
    return Table(
        (
            Column("kind", str, tuple(event.kind for event, _ in told)),
            Column("seat", str, tuple(event.seat for event, _ in told)),
            Column("event", str, tuple(text for _, text in told)),
        )
    )


Named = str | Path
"""A name or a path of a ruleset."""
Settings = Mapping[str, Any]
"""Options of a game by name."""


def simulate(
    game: Named,
    games: int = 100,
    *,
    options: Settings | None = None,
    seed: int = 0,
    seats: str = "",
    jobs: int = 1,
    cluster: str = "",
    engine: Engine = "auto",
    lang: str = FALLBACK,
) -> Result:
    """Play `games` games of one game.

    Args:
        seats: a kind of player for each seat (`normal,random`); other seats play random moves.
        jobs: number of processes.
        cluster: address of a Dask scheduler.

    Raises:
        Refused: the ruleset or an option is wrong.
        ValueError: unknown player, or a wrong number.
    """
    with _asked(lang, engine):
        kinds = parse_seats(_seats(seats), load(game, options).seats, people=False, usual="random")
        order = Order(str(game), _settings(options), seed, tuple(kinds.values()), engine)
        counted = load_traced(order)
        chunk = play_series(counted, order, _several(games), _workers(jobs, cluster))
        return Result(report_simulation(counted, order, kinds, chunk, games), lang)


def match(
    game: Named,
    a: str,
    b: str,
    deals: int = 100,
    *,
    options: Settings | None = None,
    seed: int = 0,
    jobs: int = 1,
    cluster: str = "",
    engine: Engine = "auto",
    lang: str = FALLBACK,
) -> Result:
    """Play two kinds of players against each other; each deal is played once from each side.

    Raises:
        Refused: the ruleset or an option is wrong.
        ValueError: unknown player, or a game for one player.
    """
    with _asked(lang, engine):
        found = Match(str(game), _settings(options), seed, (parse_player(a), parse_player(b)), engine)
        played = load(game, options)
        dealt = play_match(played, found, _several(deals), _workers(jobs, cluster))
        return Result(report_match(played, found, dealt, deals), lang)


def compare(
    *editions: Named | tuple[Named, Settings],
    games: int = 1000,
    seed: int = 0,
    player: str = "random",
    seats: str = "",
    jobs: int = 1,
    cluster: str = "",
    engine: Engine = "auto",
    lang: str = FALLBACK,
) -> Result:
    """Play the same games of several rulesets or option settings and compare each with the first.

    Args:
        editions: rulesets, or pairs of a ruleset and its options.
        player: who plays the seats that `seats` does not name.

    Raises:
        Refused: a ruleset or an option is wrong.
        ValueError: fewer than two editions, or an unknown player.
    """
    if len(editions) < 2:
        raise ValueError("give at least two editions to compare")
    with _asked(lang, engine):
        wanted = [_edition(one) for one in editions]
        plan, done = _played(wanted, _several(games, 2), seats, player, seed, engine, _workers(jobs, cluster))
        first, *others = (read(one.game, dict(one.options)) for one in wanted)
        reports = [report(first, other, lang) for other in others]
        return Result(report_comparison(plan, done, reports), lang)


def sweep(
    game: Named,
    options: Mapping[str, Sequence[Any]],
    games: int = 1000,
    *,
    seed: int = 0,
    player: str = "random",
    seats: str = "",
    jobs: int = 1,
    cluster: str = "",
    engine: Engine = "auto",
    lang: str = FALLBACK,
) -> Result:
    """Play the same games with every combination of option values that the ruleset allows.

    Args:
        options: lists of values by option, `{"decks": [2, 4]}`.

    Raises:
        Refused: the ruleset or an option is wrong.
        ValueError: unknown player, or values that are no list.
    """
    with _asked(lang, engine):
        if not options:
            raise ValueError("give the values of an option at least: {name: [value, value]}")
        found = make_grid(str(game), [_axis(name, values) for name, values in options.items()])
        plan, done = _played(found.editions, _several(games, 2), seats, player, seed, engine, _workers(jobs, cluster))
        return Result(report_sweep(plan, done, found), lang)


def _played(
    editions: Sequence[Variant], games_each: int, seats: str, player: str, seed: int, engine: Engine, workers: Workers
) -> tuple[Plan, PlayedEditions]:
    rulesets = [read(one.game, dict(one.options)) for one in editions]
    plan = plan_editions(editions, rulesets, games_each, _seats(seats), player, lambda: seed, engine)
    chunks = play_plan(plan, workers)
    games = tuple(game for game, _ in load_games(plan))
    return plan, PlayedEditions(games, tuple(join_chunks(some)[0] for some in chunks), compare_series(games, chunks))


def _edition(one: Named | tuple[Named, Settings]) -> Variant:
    game, options = one if isinstance(one, tuple) else (one, {})
    return Variant(str(game), _settings(options))


def _settings(options: Settings | None) -> tuple[tuple[str, Any], ...]:
    return tuple((options or {}).items())


def _several(count: int, least: int = 1) -> int:
    """Check a number of games or processes. Raises ValueError."""
    try:
        found = index(count)
    except TypeError:
        raise ValueError(f"{count!r} is no whole number") from None
    if found < least:
        raise ValueError(f"{found} is too few: at least {least}")
    return found


def _seats(seats: str) -> str | None:
    """Return the kinds of players, in the order of seats, or None. Raises ValueError."""
    if not isinstance(seats, str):
        raise ValueError(f"seats are named in one text, behind commas ('normal,random'), not by {seats!r}")
    return seats or None


def _workers(jobs: int, cluster: str) -> Workers:
    return make_workers(_several(jobs), cluster or None)


def _axis(name: str, values: Sequence[Any]) -> Axis:
    """Raise ValueError unless every option has a list of values. A text is refused: its letters are no values."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"`{name}` needs a list of values: [{values!r}]")
    if not (found := tuple(values)):
        raise ValueError(f"`{name}` needs a value at least")
    return name, found


@contextmanager
def _asked(lang: str, engine: Engine) -> Iterator[None]:
    """Speak one language, and turn wrong arguments into ValueError."""
    for given, known in ((lang, LANGUAGES), (engine, get_args(Engine))):
        if given not in known:
            raise ValueError(f"{given!r} is none of {', '.join(known)}")
    with use_language(lang):
        try:
            yield
        except UserError as error:
            raise ValueError(str(error)) from None
