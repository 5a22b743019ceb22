"""Reports of `hoyle simulate` and `hoyle match`: text, JSON, tables, plots and a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.presentation.catalogue import format_mean, format_number, format_percent, format_share, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.look import collect_labels
from hoyle.presentation.players import name_player, warn_of_clock
from hoyle.presentation.terminal import format_columns, format_table

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.series.match import Deal, Match, Outcome
    from hoyle.series.measures import Measure
    from hoyle.series.plots import Plot
    from hoyle.series.simulate import Account, Chunk, Order
    from hoyle.series.tables import Table


class SeriesReport(Struct, frozen=True):
    """A report in every form; each is made on request. `page` is HTML."""

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
    from hoyle.series.simulate import summarize

    found, (played, _) = summarize(game, chunk), chunk
    return SeriesReport(
        text=lambda: _format_simulation(game, order, kinds, found, wanted),
        json=lambda: _make_simulation_json(game, order, kinds, found, wanted),
        figures=lambda: tables.tabulate_account(game, order, found),
        games=lambda: tables.tabulate_games([game], order.seed, [played]),
        plot=lambda: plots.plot_simulation(_title_simulation(game, order, kinds, found), game, found, played),
        page=lambda: _render_simulation(game, order, kinds, found),
    )


def _make_simulation_json(game: Game, order: Order, kinds: dict[str, str], account: Account, wanted: int) -> str:
    played = {"games": account.games, "interrupted": account.games < wanted, "seats": kinds}
    return as_json("simulate", {**make_json_head(game, order.seed), **played, **account.data()})


def _format_simulation(game: Game, order: Order, kinds: dict[str, str], account: Account, wanted: int) -> str:
    labels = collect_labels(game)
    lines = [
        _title_simulation(game, order, kinds, account),
        *([t("simulate.interrupted", games=account.games, wanted=wanted)] if account.games < wanted else []),
        *warn_of_clock(kinds.values()),
        "",
        *format_columns(_make_result_rows(account, labels["seats"]), (24, 6, 8, 0), "<>><"),
        "",
        *format_columns(_make_measure_rows(account, labels["seats"]), (24, 8, 20, 0), "<><<"),
    ]
    for title, rows, unused in _list_rule_uses(account, labels):
        lines += ["", title, *(format_table([_align_row(row) for row in rows]) if rows else [])]
        lines += [f"  {unused}"] if unused else []
    return "\n".join(lines)


def _align_row(row: tuple[str, str, str]) -> tuple[str, str]:
    name, count, rate = row
    return name, f"{count:>9}   {rate}"


def _title_simulation(game: Game, order: Order, kinds: dict[str, str], account: Account) -> str:
    labels = collect_labels(game)["seats"]
    players = ", ".join(f"{labels[seat]} {name_player(kind)}" for seat, kind in kinds.items())
    return t("simulate.title", games=account.games, game=game.title(lang()), seed=order.seed, seats=players)


def _render_simulation(game: Game, order: Order, kinds: dict[str, str], account: Account) -> str:
    from hoyle.series.tables import Part, render_html

    labels = collect_labels(game)
    results, (heads, *measures) = (
        _make_result_rows(account, labels["seats"]),
        _make_measure_rows(account, labels["seats"]),
    )
    parts = [Part(rows=tuple(map(tuple, results)), notes=tuple(warn_of_clock(kinds.values())))]
    parts.append(Part(heads=tuple(heads), rows=tuple(map(tuple, measures))))
    for title, rows, unused in _list_rule_uses(account, labels):
        parts.append(Part(title, rows=tuple(rows), notes=(unused,) if unused else ()))
    return render_html(_title_simulation(game, order, kinds, account), parts)


def _make_result_rows(account: Account, labels: Mapping[str, str]) -> list[list[str]]:
    from hoyle.series.measures import measure_share

    rows = [(f"{t('simulate.wins')} {labels.get(seat, seat)}", won) for seat, won in account.wins.items()]
    several = [(t("simulate.draws"), account.draws)] if len(account.wins) > 1 else []
    nobody = [(t("simulate.lost"), account.lost)] if account.lost or not several else []
    rows += [*several, *nobody, (t("simulate.unfinished"), account.unfinished)]
    return [[name, format_number(count, 0), *format_share(measure_share(count, account.games))] for name, count in rows]


def _make_measure_rows(account: Account, labels: Mapping[str, str]) -> list[list[str]]:
    """Return a row for each measure, below the headings."""
    heads = ["", t("simulate.measure"), " " + t("simulate.interval"), t("simulate.range")]
    rows = [(t("simulate.scores", seat=labels.get(seat, seat)), m) for seat, m in account.scores.items()]
    rows += [(t(f"simulate.{name}"), m) for name, m in account.measures.items()]
    return [heads, *(_make_measure_row(name, m) for name, m in rows)]


def _make_measure_row(name: str, m: Measure) -> list[str]:
    return [name, *format_mean(m), f"{_format_short(m.min)} – {_format_short(m.max)}"]


def _format_short(value: float) -> str:
    return format_number(value, 0 if value == int(value) else 2)


def _list_rule_uses(
    account: Account, labels: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, list[tuple[str, str, str]], str]]:
    """Yield for each section its title, how often each rule was used, and the unused ones."""
    for section in ("move", "obligation", "whenever", "early", "passed", "at_most"):
        called = _make_unique(labels.get(_SPACES.get(section, ""), {}))
        rows = [
            (called.get(name, name), *_format_rate(count, account.games))
            for name, count in account.uses[section].items()
        ]
        idle = [] if section in ("early", "passed", "at_most") else account.unused[section]
        unused = ", ".join(called.get(name, name) for name in idle)
        if rows or unused:
            yield t(f"simulate.{section}"), rows, t(f"simulate.no_{section}", names=unused) if unused else ""


def _make_unique(called: Mapping[str, str]) -> dict[str, str]:
    """Add the rule's name to words that several rules share."""
    often = Counter(called.values())
    return {name: f"{words} ({name})" if often[words] > 1 else words for name, words in called.items()}


def _format_rate(count: int, games: int) -> tuple[str, str]:
    return format_number(count, 0), t("simulate.per_game", rate=format_number(count / games))


def report_match(game: Game, match: Match, played: list[Deal], wanted: int) -> SeriesReport:
    from hoyle.presentation.series import plots
    from hoyle.series import tables
    from hoyle.series.match import summarize_match

    found, (a, b) = summarize_match(played), map(name_player, match.kinds)
    return SeriesReport(
        text=lambda: _format_match(game, match, found, wanted),
        json=lambda: _make_match_json(game, match, found, wanted),
        figures=lambda: tables.tabulate_match(game, match, found),
        games=lambda: tables.tabulate_deals(game, match, played),
        plot=lambda: plots.plot_match(_title_match(game, match, found), a, b, found, played),
        page=lambda: _render_match(game, match, found),
    )


def _make_match_json(game: Game, match: Match, outcome: Outcome, wanted: int) -> str:
    players = {"interrupted": outcome.deals < wanted, "players": dict(zip("AB", match.kinds, strict=True))}
    return as_json("match", {**make_json_head(game, match.seed), **players, **outcome.data()})


def _format_match(game: Game, match: Match, outcome: Outcome, wanted: int) -> str:
    a, b = map(name_player, match.kinds)
    lines = [_title_match(game, match, outcome)]
    if outcome.deals < wanted:
        lines.append(t("match.interrupted", deals=outcome.deals, wanted=wanted))
    lines += warn_of_clock(match.kinds)
    even = _note_even_games(outcome)
    lines += ["", *format_columns(_make_match_rows(outcome, a, b), (24, 8, 20, 0), "<><<"), "", *even]
    return "\n".join([*lines, *[""] * bool(even), _describe_verdict(outcome, a, b)])


def _note_even_games(outcome: Outcome) -> list[str]:
    """Return which games without a winner count as even."""
    even = {"lost": outcome.lost, "unfinished": outcome.unfinished}
    return [t(f"match.{key}", count=count) for key, count in even.items() if count]


def _describe_verdict(outcome: Outcome, a: str, b: str) -> str:
    verdict = f"match.stronger_{outcome.stronger}" if outcome.stronger else "match.alike"
    return t(verdict, deals=outcome.deals, a=a, b=b)


def _render_match(game: Game, match: Match, outcome: Outcome) -> str:
    from hoyle.series.tables import Part, render_html

    a, b = map(name_player, match.kinds)
    heads, *rows = _make_match_rows(outcome, a, b)
    notes = (*warn_of_clock(match.kinds), *_note_even_games(outcome), _describe_verdict(outcome, a, b))
    return render_html(_title_match(game, match, outcome), [Part(heads=heads, rows=tuple(rows), notes=notes)])


def _title_match(game: Game, match: Match, outcome: Outcome) -> str:
    a, b = map(name_player, match.kinds)
    counts = {"deals": outcome.deals, "games": outcome.games}
    return t("match.title", game=game.title(lang()), seed=match.seed, a=a, b=b, **counts)


def _make_match_rows(outcome: Outcome, a: str, b: str) -> list[tuple[str, ...]]:
    better = t(f"match.{outcome.better}") if outcome.better else ""
    return [
        ("", t("simulate.measure"), " " + t("simulate.interval"), t("match.even")),
        (t("match.wins", a=a), *format_share(outcome.wins), format_percent(outcome.even)),
        (t("match.lead", a=a, b=b) + better, *format_mean(outcome.lead), format_number(0)),
    ]


def make_json_head(game: Game, seed: int) -> dict[str, Any]:
    """Return the first entries of a series' JSON."""
    return {"game": game.name, "digest": game.digest, "options": dict(game.options), "seed": seed}
