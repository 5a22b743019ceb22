"""`hoyle compare`: rulesets, variants or settings of options that play the same games, and what they differ in.
`hoyle sweep`: all combinations of some options of a game, in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from hoyle.cli import output
from hoyle.cli.catalogue import lang, t
from hoyle.cli.options import (
    Named,
    Setting,
    Settings,
    Whole,
    Word,
    game_argument,
    with_settings,
)
from hoyle.cli.outlet import Found, Outlet
from hoyle.cli.playing.seats import seats_option
from hoyle.cli.series import run_options, series_options
from hoyle.cli.shell import INTERRUPTED, argument, command, option

if TYPE_CHECKING:
    from hoyle.cli.comparing.asking import Compared
    from hoyle.running.machine import Engine
    from hoyle.series.variants import Axis, Edition, Grid, Plan
    from hoyle.series.workers import Workers

usual_option = option("--player", "usual", type=Word("player"), default="random")


class Set(click.ParamType[Any]):
    """A game and, behind commas, options of it: `GAME,OPTION=VALUE`."""

    name = "edition"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Edition:
        from hoyle.series.variants import Edition

        game, *settings = str(value).split(",")
        options = tuple(Setting().convert(each, param, ctx) for each in settings)
        return Edition(Named().convert(game, param, ctx), options)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return Named().shell_complete(ctx, param, incomplete)


@command("compare")
@argument("editions", type=Set(), nargs=-1, required=True)
@option("-n", "--games", type=Whole(2), default=1000)
@seats_option
@usual_option
@series_options
def compare_command(
    editions: tuple[Edition, ...],
    games: int,
    seats: str | None,
    usual: str,
    settings: Settings,
    seed: int | None,
    workers: Workers,
    keep: str | None,
    engine: Engine,
    outlet: Outlet,
) -> int:
    from hoyle.cli.comparing import comparisons
    from hoyle.cli.comparing.asking import Asked, play, reading
    from hoyle.differences.report import report
    from hoyle.series.variants import Edition

    if len(editions) < 2:
        raise output.Trouble(t("compare.one"), code=2)
    wanted = [Edition(one.game, (*settings, *one.options)) for one in editions]
    read = [reading(one) for one in wanted]
    plan = Asked(games, seats, usual, seed, engine, keep).plan(wanted, read)
    done = play(plan, workers, keep)
    if done is None:
        return INTERRUPTED  # some games of one, and none of another
    reports = tuple(report(read[0], other, lang()) for other in read[1:])
    told = comparisons.Told(plan, done.games, reports, done.found)
    outlet.tell(found_of("compare", plan, done, told, comparisons), done.code)
    return done.code


def found_of(name: str, plan: Plan, done: Compared, told: Any, telling: Any) -> Found:
    """In every form; what is told as text and as a plot is the affair of `telling`."""
    from hoyle.series import tables

    return Found(
        text=lambda: "\n".join(telling.lines(told)),
        json=lambda: output.as_json(name, told.data()),
        figures=lambda: tables.of_comparison(done.games, plan, done.found),
        games=lambda: tables.of_games(done.games, plan.seed, done.played),
        plot=lambda: telling.plot(told, done.played),
        page=lambda: telling.page(told),
    )


class Values(click.ParamType[Any]):
    """`option=value,value,…`."""

    name = "values"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t("metavar.values")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Axis:
        if isinstance(value, tuple):
            return value[0], value[1]
        name, _, given = str(value).partition("=")
        found = [Setting().convert(f"{name}={each}", param, ctx) for each in given.split(",")]
        return found[0][0], tuple(dict.fromkeys(setting[1] for setting in found))


@command("sweep")
@game_argument
@option("--set", "axes", type=Values(), multiple=True, required=True)
@option("-n", "--games", type=Whole(2), default=1000)
@seats_option
@usual_option
@run_options
def sweep_command(
    game: str,
    axes: tuple[Axis, ...],
    games: int,
    seats: str | None,
    usual: str,
    seed: int | None,
    workers: Workers,
    keep: str | None,
    engine: Engine,
    outlet: Outlet,
) -> int:
    from hoyle.cli.comparing import sweeps
    from hoyle.cli.comparing.asking import Asked, play, reading

    found = _grid(game, axes)
    plan = Asked(games, seats, usual, seed, engine, keep).plan(found.editions, [reading(one) for one in found.editions])
    done = play(plan, workers, keep)
    if done is None:
        return INTERRUPTED
    told = sweeps.Told(plan, done.games, found, done.found)
    outlet.tell(found_of("sweep", plan, done, told, sweeps), done.code)
    return done.code


def _grid(game: str, axes: tuple[Axis, ...]) -> Grid:
    """All combinations that are allowed; what is wrong with an option is wrong usage."""
    from hoyle.series.variants import grid

    some = tuple((name, values[0]) for name, values in axes)
    return with_settings(lambda name, values: grid(name, axes if values else ()), game, some)
