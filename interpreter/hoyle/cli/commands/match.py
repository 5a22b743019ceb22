"""`hoyle match`: two kinds of players against each other, the same deals from every side, and which is stronger."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hoyle.cli import output
from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.figures import columns, figure, in_figures, of_hundred, percent
from hoyle.cli.options import Settings, Whole, game_argument, open_game
from hoyle.cli.outlet import Found, Outlet
from hoyle.cli.playing.seats import kind_of, kind_words, warned
from hoyle.cli.series import head, keeping, play_through, seed_for, series_options
from hoyle.cli.shell import argument, command, option

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.running.machine import Engine
    from hoyle.series.match import Deal, Match, Outcome
    from hoyle.series.workers import Workers


@command("match")
@game_argument
@argument("a")
@argument("b")
@option("-n", "--deals", type=Whole(1), default=100)
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
    outlet: Outlet,
) -> int:
    from hoyle.series.match import FORM, Match, duplicate, head_of

    a, b = kind_of(a), kind_of(b)
    opened = _open(game, settings, a, b)
    match = Match(game, settings, seed_for(seed, keep), (a, b), engine)
    played: list[Deal] = []
    with keeping(keep, lambda: head_of(opened, match, deals), FORM) as kept:
        work = partial(duplicate, opened, match, deals, workers, done=played, kept=kept)
        code = play_through(deals, played, work, kept)
    outlet.tell(found_of(opened, match, played, deals), code)
    return code


def found_of(game: Game, match: Match, played: list[Deal], wanted: int) -> Found:
    from hoyle.cli.drawing import plotted
    from hoyle.series import tables
    from hoyle.series.match import outcome

    found, (a, b) = outcome(played), map(kind_words, match.kinds)
    return Found(
        text=lambda: _text(game, match, found, wanted),
        json=lambda: _json(game, match, found, wanted),
        figures=lambda: tables.of_match(game, match, found),
        games=lambda: tables.of_deals(game, match, played),
        plot=lambda: plotted.of_match(_title(game, match, found), a, b, found, played),
        page=lambda: _page(game, match, found),
    )


def _open(game: str, settings: Settings, a: str, b: str) -> Game:
    """A game in which the two can meet."""
    opened = open_game(game, settings)
    if len(opened.sides) < 2:
        raise output.Trouble(
            t("match.alone", title=opened.title(lang()), game=game, a=kind_words(a), b=kind_words(b)), code=2
        )
    return opened


def _json(game: Game, match: Match, found: Outcome, wanted: int) -> str:
    players = {"interrupted": found.deals < wanted, "players": dict(zip("AB", match.kinds, strict=True))}
    return output.as_json("match", {**head(game, match.seed), **players, **found.data()})


def _text(game: Game, match: Match, found: Outcome, wanted: int) -> str:
    a, b = map(kind_words, match.kinds)
    lines = [_title(game, match, found)]
    if found.deals < wanted:
        lines.append(t("match.interrupted", deals=found.deals, wanted=wanted))
    lines += warned(match.kinds)
    even = _even(found)
    lines += ["", *columns(_figures(found, a, b), (24, 8, 20, 0), "<><<"), "", *even]
    return "\n".join([*lines, *[""] * bool(even), _verdict(found, a, b)])


def _even(found: Outcome) -> list[str]:
    """Which games count as even, though nobody shared them."""
    even = {"lost": found.lost, "unfinished": found.unfinished}
    return [t(f"match.{key}", count=count) for key, count in even.items() if count]


def _verdict(found: Outcome, a: str, b: str) -> str:
    verdict = f"match.stronger_{found.stronger}" if found.stronger else "match.alike"
    return t(verdict, deals=found.deals, a=a, b=b)


def _page(game: Game, match: Match, found: Outcome) -> str:
    from hoyle.series.tables import Part, html

    a, b = map(kind_words, match.kinds)
    heads, *rows = _figures(found, a, b)
    notes = (*warned(match.kinds), *_even(found), _verdict(found, a, b))
    return html(_title(game, match, found), [Part(heads=heads, rows=tuple(rows), notes=notes)])


def _title(game: Game, match: Match, found: Outcome) -> str:
    a, b = map(kind_words, match.kinds)
    counts = {"deals": found.deals, "games": found.games}
    return t("match.title", game=game.title(lang()), seed=match.seed, a=a, b=b, **counts)


def _figures(found: Outcome, a: str, b: str) -> list[tuple[str, ...]]:
    """Below their heads."""
    better = t(f"match.{found.better}") if found.better else ""
    return [
        ("", t("simulate.measure"), " " + t("simulate.interval"), t("match.even")),
        (t("match.wins", a=a), *percent(found.wins), of_hundred(found.even)),
        (t("match.lead", a=a, b=b) + better, *in_figures(found.lead), figure(0)),
    ]
