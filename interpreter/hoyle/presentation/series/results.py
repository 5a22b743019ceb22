"""TITLE"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.presentation.catalogue import figure, in_figures, lang, of_hundred, percent, t
from hoyle.presentation.files import as_json
from hoyle.presentation.look import labels_of
from hoyle.presentation.players import kind_words, warned
from hoyle.presentation.terminal import columns, table

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.series.match import Deal, Match, Outcome
    from hoyle.series.measures import Measure
    from hoyle.series.plots import Plot
    from hoyle.series.simulate import Account, Chunk, Order
    from hoyle.series.tables import Table


class SeriesReport(Struct, frozen=True):
    """What a series came to, in every form, each made when it is asked for; `page`: as HTML."""

    text: Callable[[], str]
    json: Callable[[], str]
    figures: Callable[[], Table]
    games: Callable[[], Table]
    plot: Callable[[], Plot]
    page: Callable[[], str]


_SPACES = {"move": "moves", "obligation": "obligations", "whenever": "whenever", "early": "whenever"}


def report_simulation(game: Game, order: Order, kinds: dict[str, str], chunk: Chunk, wanted: int) -> SeriesReport:
    from hoyle.presentation.series import plots
    from hoyle.series import tables
    from hoyle.series.simulate import account

    found, (played, _) = account(game, chunk), chunk
    return SeriesReport(
        text=lambda: _simulation_text(game, order, kinds, found, wanted),
        json=lambda: _simulation_json(game, order, kinds, found, wanted),
        figures=lambda: tables.of_account(game, order, found),
        games=lambda: tables.of_games([game], order.seed, [played]),
        plot=lambda: plots.of_account(_simulation_title(game, order, kinds, found), game, found, played),
        page=lambda: _simulation_page(game, order, kinds, found),
    )


def _simulation_json(game: Game, order: Order, kinds: dict[str, str], found: Account, wanted: int) -> str:
    played = {"games": found.games, "interrupted": found.games < wanted, "seats": kinds}
    return as_json("simulate", {**head(game, order.seed), **played, **found.data()})


def _simulation_text(game: Game, order: Order, kinds: dict[str, str], found: Account, wanted: int) -> str:
    labels = labels_of(game)
    lines = [
        _simulation_title(game, order, kinds, found),
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


def _simulation_title(game: Game, order: Order, kinds: dict[str, str], found: Account) -> str:
    labels = labels_of(game)["seats"]
    players = ", ".join(f"{labels[seat]} {kind_words(kind)}" for seat, kind in kinds.items())
    return t("simulate.title", games=found.games, game=game.title(lang()), seed=order.seed, seats=players)


def _simulation_page(game: Game, order: Order, kinds: dict[str, str], found: Account) -> str:
    from hoyle.series.tables import Part, html

    labels = labels_of(game)
    results, (heads, *measures) = _results(found, labels["seats"]), _measures(found, labels["seats"])
    parts = [Part(rows=tuple(map(tuple, results)), notes=tuple(warned(kinds.values())))]
    parts.append(Part(heads=tuple(heads), rows=tuple(map(tuple, measures))))
    for title, rows, unused in _uses(found, labels):
        parts.append(Part(title, rows=tuple(rows), notes=(unused,) if unused else ()))
    return html(_simulation_title(game, order, kinds, found), parts)


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


def report_match(game: Game, match: Match, played: list[Deal], wanted: int) -> SeriesReport:
    from hoyle.presentation.series import plots
    from hoyle.series import tables
    from hoyle.series.match import outcome

    found, (a, b) = outcome(played), map(kind_words, match.kinds)
    return SeriesReport(
        text=lambda: _match_text(game, match, found, wanted),
        json=lambda: _match_json(game, match, found, wanted),
        figures=lambda: tables.of_match(game, match, found),
        games=lambda: tables.of_deals(game, match, played),
        plot=lambda: plots.of_match(_match_title(game, match, found), a, b, found, played),
        page=lambda: _match_page(game, match, found),
    )


def _match_json(game: Game, match: Match, found: Outcome, wanted: int) -> str:
    players = {"interrupted": found.deals < wanted, "players": dict(zip("AB", match.kinds, strict=True))}
    return as_json("match", {**head(game, match.seed), **players, **found.data()})


def _match_text(game: Game, match: Match, found: Outcome, wanted: int) -> str:
    a, b = map(kind_words, match.kinds)
    lines = [_match_title(game, match, found)]
    if found.deals < wanted:
        lines.append(t("match.interrupted", deals=found.deals, wanted=wanted))
    lines += warned(match.kinds)
    even = _even_notes(found)
    lines += ["", *columns(_match_figures(found, a, b), (24, 8, 20, 0), "<><<"), "", *even]
    return "\n".join([*lines, *[""] * bool(even), _verdict(found, a, b)])


def _even_notes(found: Outcome) -> list[str]:
    """Which games count as even, though nobody shared them."""
    even = {"lost": found.lost, "unfinished": found.unfinished}
    return [t(f"match.{key}", count=count) for key, count in even.items() if count]


def _verdict(found: Outcome, a: str, b: str) -> str:
    verdict = f"match.stronger_{found.stronger}" if found.stronger else "match.alike"
    return t(verdict, deals=found.deals, a=a, b=b)


def _match_page(game: Game, match: Match, found: Outcome) -> str:
    from hoyle.series.tables import Part, html

    a, b = map(kind_words, match.kinds)
    heads, *rows = _match_figures(found, a, b)
    notes = (*warned(match.kinds), *_even_notes(found), _verdict(found, a, b))
    return html(_match_title(game, match, found), [Part(heads=heads, rows=tuple(rows), notes=notes)])


def _match_title(game: Game, match: Match, found: Outcome) -> str:
    a, b = map(kind_words, match.kinds)
    counts = {"deals": found.deals, "games": found.games}
    return t("match.title", game=game.title(lang()), seed=match.seed, a=a, b=b, **counts)


def _match_figures(found: Outcome, a: str, b: str) -> list[tuple[str, ...]]:
    """Below their heads."""
    better = t(f"match.{found.better}") if found.better else ""
    return [
        ("", t("simulate.measure"), " " + t("simulate.interval"), t("match.even")),
        (t("match.wins", a=a), *percent(found.wins), of_hundred(found.even)),
        (t("match.lead", a=a, b=b) + better, *in_figures(found.lead), figure(0)),
    ]


def head(game: Game, seed: int) -> dict[str, Any]:
    """What the JSON of a series begins with."""
    return {"game": game.name, "digest": game.digest, "options": dict(game.options), "seed": seed}
