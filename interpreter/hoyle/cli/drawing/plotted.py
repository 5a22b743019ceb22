"""What series came to as plots, in the user's language: what stands where is said here, drawn it is by `series.plots`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.lines import labels_of
from hoyle.game.game import Game
from hoyle.running.outcomes import Tallies
from hoyle.series.match import Deal, Outcome, leads
from hoyle.series.measures import Measure, share
from hoyle.series.plots import Heights, Intervals, Line, Panel, Plot, Spreads
from hoyle.series.simulate import Account


def of_account(title: str, game: Game, found: Account, played: Sequence[Tallies]) -> Plot:
    """Who wins, how scores and lengths are spread."""
    seats = labels_of(game)["seats"]
    title_of_ends = t("plot.ends" if len(found.wins) == 1 else "plot.wins")
    panels: list[Panel] = [Intervals(title_of_ends, tuple(_ends(found, seats)), t("plot.of_games"), _even(found))]
    scores = {side: tuple(float(one.scores[n]) for one in played) for n, side in enumerate(game.sides)}
    if any(len(set(values)) > 1 for values in scores.values()):
        heaps = tuple((seats.get(side, side), values) for side, values in scores.items())
        panels.append(Spreads(t("plot.scores"), heaps, t("plot.points")))
    return Plot(title, (*panels, lengths([("", played)])), lang())


def _ends(found: Account, seats: Mapping[str, str]) -> Iterator[Line]:
    """How often each side wins, and how else games end, where they do."""
    for side, won in found.wins.items():
        yield _of_hundred(seats.get(side, side), share(won, found.games))
    for name in ("draws", "lost", "unfinished"):
        count: int = getattr(found, name)
        if count:
            yield _of_hundred(t(f"simulate.{name}"), share(count, found.games))


def _even(found: Account) -> float | None:
    return 100 / len(found.wins) if len(found.wins) > 1 else None


def _of_hundred(name: str, found: Measure) -> Line:
    return Line(name, 100 * found.mean, 100 * found.low, 100 * found.high)


def lengths(heaps: Sequence[tuple[str, Sequence[Tallies]]]) -> Heights:
    """How long games are, of one series or several."""
    values = tuple((name, tuple(float(one.decisions) for one in played)) for name, played in heaps)
    return Heights(t("plot.lengths"), values, t("plot.of_games"), t("simulate.decisions"))


def of_match(title: str, a: str, b: str, found: Outcome, played: Sequence[Deal]) -> Plot:
    """The wins and the lead of A, and how the lead is spread from deal to deal; `a` and `b`: what the two are called."""
    wins = Intervals(t("plot.match_wins", a=a), (_of_hundred(a, found.wins),), t("plot.of_games"), 100 * found.even)
    lead = found.lead
    line = Line(t("match.lead", a=a, b=b), lead.mean, lead.low, lead.high)
    ahead = Intervals(t("plot.lead", a=a, b=b), (line,), t("plot.points"), 0.0)
    spread = Heights(t("plot.leads", a=a, b=b), ((a, tuple(leads(played))),), t("plot.of_deals"), t("plot.points"))
    return Plot(title, (wins, ahead, spread), lang())
