"""`hoyle simulate`: many games by bots, with a progress bar on a terminal, and their account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from hoyle.cli import output
from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.figures import columns, figure, in_figures, percent
from hoyle.cli.drawing.lines import labels_of
from hoyle.cli.options import Settings, Whole, game_argument, open_game
from hoyle.cli.outlet import Found, Outlet
from hoyle.cli.playing.seats import kind_words, kinds_of, seats_option, warned
from hoyle.cli.series import head, keeping, play_through, seed_for, series_options
from hoyle.cli.shell import command, option, table

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.running.machine import Engine
    from hoyle.series.measures import Measure
    from hoyle.series.simulate import Account, Chunk, Order
    from hoyle.series.workers import Workers

_SPACES = {"move": "moves", "obligation": "obligations", "whenever": "whenever", "early": "whenever"}


@command("simulate")
@game_argument
@option("-n", "--games", type=Whole(1), default=100)
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
    outlet: Outlet,
) -> int:
    from hoyle.series.simulate import FORM, Order, head_of, joined, series, size_of, traced

    opened = open_game(game, settings)
    kinds = kinds_of(seats, opened.seats, people=False, usual="random")
    order = Order(game, settings, seed_for(seed, keep), tuple(kinds.values()), engine)
    counted, chunks = traced(order), list["Chunk"]()
    with keeping(keep, lambda: head_of(counted, order, games), FORM) as kept:
        work = partial(series, counted, order, games, workers, done=chunks, kept=kept)
        code = play_through(games, chunks, work, kept, size_of)
    outlet.tell(found_of(counted, order, kinds, joined(chunks), games), code)
    return code


def found_of(game: Game, order: Order, kinds: dict[str, str], chunk: Chunk, wanted: int) -> Found:
    from hoyle.cli.drawing import plotted
    from hoyle.series import tables
    from hoyle.series.simulate import account

    found, (played, _) = account(game, chunk), chunk
    return Found(
        text=lambda: _text(game, order, kinds, found, wanted),
        json=lambda: _json(game, order, kinds, found, wanted),
        figures=lambda: tables.of_account(game, order, found),
        games=lambda: tables.of_games([game], order.seed, [played]),
        plot=lambda: plotted.of_account(_title(game, order, kinds, found), game, found, played),
        page=lambda: _page(game, order, kinds, found),
    )


def _json(game: Game, order: Order, kinds: dict[str, str], found: Account, wanted: int) -> str:
    played = {"games": found.games, "interrupted": found.games < wanted, "seats": kinds}
    return output.as_json("simulate", {**head(game, order.seed), **played, **found.data()})


def _text(game: Game, order: Order, kinds: dict[str, str], found: Account, wanted: int) -> str:
    labels = labels_of(game)
    lines = [
        _title(game, order, kinds, found),
        *([t("simulate.interrupted", games=found.games, wanted=wanted)] if found.games < wanted else []),
        *warned(kinds.values()),
        "",
        *columns(_results(found, labels["seats"]), (24, 6, 8, 0), "<>><"),
        "",
        *columns(_measures(found, labels["seats"]), (24, 8, 20, 0), "<><<"),
    ]
    for title, rows, unused in _uses(found, labels):
        lines += ["", title, *(table([_aligned(row) for row in rows]) if rows else [])]
        lines += [f"  {unused}"] if unused else []
    return "\n".join(lines)


def _aligned(row: tuple[str, str, str]) -> tuple[str, str]:
    name, count, rate = row
    return name, f"{count:>9}   {rate}"


def _title(game: Game, order: Order, kinds: dict[str, str], found: Account) -> str:
    labels = labels_of(game)["seats"]
    players = ", ".join(f"{labels[seat]} {kind_words(kind)}" for seat, kind in kinds.items())
    return t("simulate.title", games=found.games, game=game.title(lang()), seed=order.seed, seats=players)


def _page(game: Game, order: Order, kinds: dict[str, str], found: Account) -> str:
    from hoyle.series.tables import Part, html

    labels = labels_of(game)
    results, (heads, *measures) = _results(found, labels["seats"]), _measures(found, labels["seats"])
    parts = [Part(rows=tuple(map(tuple, results)), notes=tuple(warned(kinds.values())))]
    parts.append(Part(heads=tuple(heads), rows=tuple(map(tuple, measures))))
    for title, rows, unused in _uses(found, labels):
        parts.append(Part(title, rows=tuple(rows), notes=(unused,) if unused else ()))
    return html(_title(game, order, kinds, found), parts)


def _results(found: Account, labels: Mapping[str, str]) -> list[list[str]]:
    from hoyle.series.measures import share

    rows = [(f"{t('simulate.wins')} {labels.get(seat, seat)}", won) for seat, won in found.wins.items()]
    several = [(t("simulate.draws"), found.draws)] if len(found.wins) > 1 else []
    nobody = [(t("simulate.lost"), found.lost)] if found.lost or not several else []
    rows += [*several, *nobody, (t("simulate.unfinished"), found.unfinished)]
    return [[name, figure(count, 0), *percent(share(count, found.games))] for name, count in rows]


def _measures(found: Account, labels: Mapping[str, str]) -> list[list[str]]:
    """Below their heads."""
    heads = ["", t("simulate.measure"), " " + t("simulate.interval"), t("simulate.range")]
    rows = [(t("simulate.scores", seat=labels.get(seat, seat)), m) for seat, m in found.scores.items()]
    rows += [(t(f"simulate.{name}"), m) for name, m in found.measures.items()]
    return [heads, *(_row(name, m) for name, m in rows)]


def _row(name: str, m: Measure) -> list[str]:
    return [name, *in_figures(m), f"{_short(m.min)} – {_short(m.max)}"]


def _short(value: float) -> str:
    return figure(value, 0 if value == int(value) else 2)


def _uses(
    found: Account, labels: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, list[tuple[str, str, str]], str]]:
    """By section how often the rules were used, and which never were."""
    for section in ("move", "obligation", "whenever", "early", "passed", "at_most"):
        called = _apart(labels.get(_SPACES.get(section, ""), {}))
        rows = [(called.get(name, name), *_rate(count, found.games)) for name, count in found.uses[section].items()]
        idle = [] if section in ("early", "passed", "at_most") else found.unused[section]
        unused = ", ".join(called.get(name, name) for name in idle)
        if rows or unused:
            yield t(f"simulate.{section}"), rows, t(f"simulate.no_{section}", names=unused) if unused else ""


def _apart(called: Mapping[str, str]) -> dict[str, str]:
    """Words that several rules share stand with the name of each."""
    often = Counter(called.values())
    return {name: f"{words} ({name})" if often[words] > 1 else words for name, words in called.items()}


def _rate(count: int, games: int) -> tuple[str, str]:
    return figure(count, 0), t("simulate.per_game", rate=figure(count / games))
