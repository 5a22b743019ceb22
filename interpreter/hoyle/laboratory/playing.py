"""Play series of games: `simulate`, `match`, `compare`, `sweep`. Results equal those of the commands with the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import index
from pathlib import Path
from typing import Any, get_args

from hoyle.cli.catalogue import speaking
from hoyle.cli.commands import compare as comparing
from hoyle.cli.commands import match as matching
from hoyle.cli.commands import simulate as simulating
from hoyle.cli.comparing import comparisons, sweeps
from hoyle.cli.comparing.asking import Asked, Compared
from hoyle.cli.output import Trouble
from hoyle.cli.playing.seats import kind_of, kinds_of
from hoyle.cli.series import workers_of
from hoyle.differences.edition import edition as read
from hoyle.differences.report import report
from hoyle.game.game import load
from hoyle.laboratory.results import Result
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.running.machine import Engine
from hoyle.series.comparing import compared
from hoyle.series.editions import Edition, Plan, opened, play
from hoyle.series.grids import Axis, grid
from hoyle.series.match import Match, duplicate
from hoyle.series.simulate import Order, joined, series, traced
from hoyle.series.workers import Workers

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
        kinds = kinds_of(_seats(seats), load(game, options).seats, people=False, usual="random")
        order = Order(str(game), _settings(options), seed, tuple(kinds.values()), engine)
        counted = traced(order)
        chunk = series(counted, order, _several(games), _workers(jobs, cluster))
        return Result(simulating.found_of(counted, order, kinds, chunk, games), lang)


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
        found = Match(str(game), _settings(options), seed, (kind_of(a), kind_of(b)), engine)
        played = load(game, options)
        dealt = duplicate(played, found, _several(deals), _workers(jobs, cluster))
        return Result(matching.found_of(played, found, dealt, deals), lang)


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
        plan, done = _played(
            wanted, Asked(_several(games, 2), _seats(seats), player, seed, engine), _workers(jobs, cluster)
        )
        first, *others = (read(one.game, dict(one.options)) for one in wanted)
        reports = tuple(report(first, other, lang) for other in others)
        told = comparisons.Told(plan, done.games, reports, done.found)
        return Result(comparing.found_of("compare", plan, done, told, comparisons), lang)


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
        found = grid(str(game), [_axis(name, values) for name, values in options.items()])
        plan, done = _played(
            found.editions, Asked(_several(games, 2), _seats(seats), player, seed, engine), _workers(jobs, cluster)
        )
        told = sweeps.Told(plan, done.games, found, done.found)
        return Result(comparing.found_of("sweep", plan, done, told, sweeps), lang)


def _played(editions: Sequence[Edition], asked: Asked, workers: Workers) -> tuple[Plan, Compared]:
    plan = asked.plan(editions, [read(one.game, dict(one.options)) for one in editions])
    chunks = play(plan, workers)
    games = tuple(game for game, _ in opened(plan))
    return plan, Compared(games, tuple(joined(some)[0] for some in chunks), compared(games, chunks), 0)


def _edition(one: Named | tuple[Named, Settings]) -> Edition:
    game, options = one if isinstance(one, tuple) else (one, {})
    return Edition(str(game), _settings(options))


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
    return workers_of(_several(jobs), cluster or None)


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
    with speaking(lang):
        try:
            yield
        except Trouble as trouble:
            raise ValueError(str(trouble)) from None
