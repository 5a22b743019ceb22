"""`hoyle simulate`, `match`, `compare` and `sweep`: play many games and report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from hoyle.cli.options import NamedType, RulesetName, Setting, Settings, Text, WholeNumber, game_argument, seats_option
from hoyle.cli.rulesets import apply_settings, load_for_comparison, open_game
from hoyle.cli.series_options import (
    ReportOutput,
    choose_series_seed,
    open_kept,
    play_through,
    run_options,
    series_options,
)
from hoyle.cli.shell import INTERRUPTED, argument, command, option
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.players import name_player, parse_player, parse_seats

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.presentation.series.comparison import PlayedEditions
    from hoyle.running.machine import Engine
    from hoyle.series.match import Deal
    from hoyle.series.simulate import Chunk
    from hoyle.series.variants import Axis, Grid, Plan, Played, Variant
    from hoyle.series.workers import Workers


@command("simulate")
@game_argument
@option("-n", "--games", type=WholeNumber(1), default=100)
@seats_option
@series_options
def simulate_command(
    game: str,
    games: int,
    seats: str | None,
    settings: Settings,
    seed: int | None,
    workers: Workers,
    keep: str | None,
    engine: Engine,
    outlet: ReportOutput,
) -> int:
    from hoyle.presentation.series.results import report_simulation
    from hoyle.series.simulate import FORMAT, Order, count_games, join_chunks, load_traced, make_header, play_series

    opened = open_game(game, settings)
    kinds = parse_seats(seats, opened.seats, people=False, usual="random")
    order = Order(game, settings, choose_series_seed(seed, keep), tuple(kinds.values()), engine)
    counted, chunks = load_traced(order), list["Chunk"]()
    with open_kept(keep, lambda: make_header(counted, order, games), FORMAT) as kept:
        work = partial(play_series, counted, order, games, workers, done=chunks, kept=kept)
        code = play_through(games, chunks, work, kept, count_games)
    outlet.write(report_simulation(counted, order, kinds, join_chunks(chunks), games), code)
    return code


@command("match")
@game_argument
@argument("a")
@argument("b")
@option("-n", "--deals", type=WholeNumber(1), default=100)
@series_options
def match_command(
    game: str,
    a: str,
    b: str,
    deals: int,
    settings: Settings,
    seed: int | None,
    workers: Workers,
    keep: str | None,
    engine: Engine,
    outlet: ReportOutput,
) -> int:
    from hoyle.presentation.series.results import report_match
    from hoyle.series.match import FORMAT, Match, make_header, play_match

    a, b = parse_player(a), parse_player(b)
    opened = _open_match_game(game, settings, a, b)
    match = Match(game, settings, choose_series_seed(seed, keep), (a, b), engine)
    played: list[Deal] = []
    with open_kept(keep, lambda: make_header(opened, match, deals), FORMAT) as kept:
        work = partial(play_match, opened, match, deals, workers, done=played, kept=kept)
        code = play_through(deals, played, work, kept)
    outlet.write(report_match(opened, match, played, deals), code)
    return code


def _open_match_game(game: str, settings: Settings, a: str, b: str) -> Game:
    """Raise UserError if the game has one side."""
    opened = open_game(game, settings)
    if len(opened.sides) < 2:
        raise UserError(
            t("match.alone", title=opened.title(lang()), game=game, a=name_player(a), b=name_player(b)), code=2
        )
    return opened


usual_option = option("--player", "usual", type=Text("player"), default="random")


class EditionName(click.ParamType[Any]):
    """`GAME,OPTION=VALUE,…`"""

    name = "edition"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Variant:
        from hoyle.series.variants import Variant

        game, *settings = str(value).split(",")
        options = tuple(Setting().convert(each, param, ctx) for each in settings)
        return Variant(RulesetName().convert(game, param, ctx), options)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return RulesetName().shell_complete(ctx, param, incomplete)


@command("compare")
@argument("editions", type=EditionName(), nargs=-1, required=True)
@option("-n", "--games", type=WholeNumber(2), default=1000)
@seats_option
@usual_option
@series_options
def compare_command(
    editions: tuple[Variant, ...],
    games: int,
    seats: str | None,
    usual: str,
    settings: Settings,
    seed: int | None,
    workers: Workers,
    keep: str | None,
    engine: Engine,
    outlet: ReportOutput,
) -> int:
    from hoyle.differences.report import report
    from hoyle.presentation.series.comparison import plan_editions, report_comparison
    from hoyle.series.variants import Variant

    if len(editions) < 2:
        raise UserError(t("compare.one"), code=2)
    wanted = [Variant(one.game, (*settings, *one.options)) for one in editions]
    read = [load_for_comparison(one.game, one.options) for one in wanted]
    plan = plan_editions(wanted, read, games, seats, usual, lambda: choose_series_seed(seed, keep), engine)
    done = play_editions(plan, workers, keep)
    if done is None:
        return INTERRUPTED  # some games of one, and none of another
    played, code = done
    reports = [report(read[0], other, lang()) for other in read[1:]]
    outlet.write(report_comparison(plan, played, reports), code)
    return code


class OptionValues(NamedType):
    """`option=value,value,…`"""

    name = "values"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Axis:
        if isinstance(value, tuple):
            return value[0], value[1]
        name, _, given = str(value).partition("=")
        found = [Setting().convert(f"{name}={each}", param, ctx) for each in given.split(",")]
        return found[0][0], tuple(dict.fromkeys(setting[1] for setting in found))


@command("sweep")
@game_argument
@option("--set", "axes", type=OptionValues(), multiple=True, required=True)
@option("-n", "--games", type=WholeNumber(2), default=1000)
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
    outlet: ReportOutput,
) -> int:
    from hoyle.presentation.series.comparison import plan_editions
    from hoyle.presentation.series.sweep import report_sweep

    found = _make_grid(game, axes)
    read = [load_for_comparison(one.game, one.options) for one in found.editions]
    plan = plan_editions(found.editions, read, games, seats, usual, lambda: choose_series_seed(seed, keep), engine)
    done = play_editions(plan, workers, keep)
    if done is None:
        return INTERRUPTED
    played, code = done
    outlet.write(report_sweep(plan, played, found), code)
    return code


def _make_grid(game: str, axes: tuple[Axis, ...]) -> Grid:
    """Return the allowed combinations; wrong options are wrong usage."""
    from hoyle.series.variants import make_grid

    some = tuple((name, values[0]) for name, values in axes)
    return apply_settings(lambda name, values: make_grid(name, axes if values else ()), game, some)


def play_editions(plan: Plan, workers: Workers, keep: str | None = None) -> tuple[PlayedEditions, int] | None:
    """Play and compare; None if Ctrl-C came before every edition had games. Raises Refused."""
    from hoyle.presentation.series.comparison import PlayedEditions
    from hoyle.series import variants
    from hoyle.series.comparison import compare_series
    from hoyle.series.simulate import join_chunks

    played: list[Played] = []
    wanted = plan.games * len(plan.editions)
    with open_kept(keep, lambda: variants.make_header(plan), variants.FORMAT) as kept:
        work = partial(variants.play_plan, plan, workers, done=played, kept=kept)
        code = play_through(wanted, played, work, kept, variants.count_variant_games)
    chunks = variants.group_by_variant(played, len(plan.editions))
    if not chunks[0]:
        return None
    games = tuple(game for game, _ in variants.load_games(plan))
    return PlayedEditions(games, tuple(join_chunks(some)[0] for some in chunks), compare_series(games, chunks)), code
