"""Two kinds of players against each other, in duplicate: the same deals from every side.

A deal is game number i of a series. It is played once for each side, with kind A there and kind B at all others; the game's own
chance is the same each time, so that neither kind is luckier. Deals have nothing to do with each other: they are what intervals reckon with.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Rules, compile_ruleset
from hoyle.game.game import Game
from hoyle.game.playouts import note_game_number, play_game
from hoyle.players.bots import create_players, resolve_kind
from hoyle.running.machine import Engine
from hoyle.running.outcomes import Tallies
from hoyle.series.measures import Measure, measure_mean, measure_mean_share
from hoyle.series.result_file import Header, ResultFile, ResultFormat, describe_game
from hoyle.series.workers import ALONE, Tick, Worker, Workers, collect, run_tasks

Deal = tuple[Tallies, ...]
"""The games of a deal: A plays the first side in the first, and so on."""


class Match(Struct, frozen=True):
    """What to play: everything a process needs to know. `kinds`: of A and B."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seed: int
    kinds: tuple[str, str]
    engine: Engine = "auto"


def play_match(
    game: Game,
    match: Match,
    deals: int,
    workers: Workers = ALONE,
    tick: Tick = lambda done: None,
    done: list[Deal] | None = None,
    kept: ResultFile[Deal] | None = None,
) -> list[Deal]:
    """All deals in order; `tick` hears how many more are done, and whoever wants what was played until something ends the match gives a list.
    `game` is that of the match. Raises Refused; ValueError if there is but one side."""
    if len(game.sides) < 2:
        raise ValueError("whoever plays alone has nobody to play a match against")
    done, match = [] if done is None else done, _settled(game, match)
    create_players(match.kinds, game, match.engine)  # what they search with is built before other processes look for it
    prepare = partial(_prepared, match, (game.ruleset, game.merged))
    collect(run_tasks(partial(_played, game, match), prepare, range(deals), workers, kept), done, tick, lambda deal: 1)
    return done


def _prepared(match: Match, rules: Rules) -> Worker[int, Deal]:
    """What a process of a match does: it loads the game once and plays what it is given."""
    return partial(_played, Game(compile_ruleset(*rules)), match)


def _settled(game: Game, match: Match) -> Match:
    a, b = (resolve_kind(kind, game, match.engine) for kind in match.kinds)
    return replace(match, kinds=(a, b))


def make_header(game: Game, match: Match, deals: int) -> Header:
    """What the deals of a match hang on. Raises Refused."""
    kinds = _settled(game, match).kinds
    return Header(
        series="match", hangs_on={**describe_game(game), "seed": match.seed, "players": kinds, "deals": deals}
    )


FORMAT: ResultFormat[Deal] = ResultFormat(tuple[Tallies, ...])
"""How deals are kept."""


def _played(game: Game, match: Match, index: int) -> Deal:
    """A deal. Each game of it is that of `simulate` with the same seed and these seats. Raises Refused."""
    a, b = match.kinds
    kinds = [[a if p in side else b for p in range(len(game.seats))] for side in game.ruleset.sides]
    with note_game_number(match.seed, index):
        return tuple(_game(game, match, index, seats) for seats in kinds)


def _game(game: Game, match: Match, index: int, kinds: Sequence[str]) -> Tallies:
    players, memories = create_players(kinds, game, match.engine)
    return play_game(game.compiled, match.seed, index, players, memories)


# The outcome


class Outcome(Struct, frozen=True):
    """What a match shows of A, deal by deal: its part of the wins, where a win that is shared counts its part and a game that nobody won is `even`;
    and by how much its score is above the mean of the others. `better`: what scores of those who won were like, if always the same."""

    deals: int
    games: int
    even: float
    wins: Measure
    lead: Measure
    better: Literal["more", "fewer"] | None
    lost: int
    unfinished: int

    @property
    def stronger(self) -> Literal["A", "B"] | None:
        """Who wins more than would be even, if that is beyond chance."""
        return "A" if self.wins.low > self.even else "B" if self.wins.high < self.even else None

    def data(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in ("deals", "games", "lost", "unfinished")}
        measures = {"even": round(self.even, 6), "wins": self.wins.data(), "lead": self.lead.data()}
        return {**counts, **measures, "better": self.better, "stronger": self.stronger}


def summarize_match(played: Sequence[Deal]) -> Outcome:
    games = [game for deal in played for game in deal]
    return Outcome(
        deals=len(played),
        games=len(games),
        even=1 / len(played[0]),
        wins=measure_mean_share([_mean_of(_won, deal) for deal in played]),
        lead=measure_mean(list_leads(played)),
        better=_better(games),
        lost=sum(game.over and not any(game.wins) for game in games),
        unfinished=sum(not game.over for game in games),
    )


def list_leads(played: Sequence[Deal]) -> list[float]:
    """By how much A's score is above the mean of the others', deal by deal."""
    return [_mean_of(_lead, deal) for deal in played]


def _mean_of(figure: Callable[[Tallies, Collection[int]], float], deal: Deal) -> float:
    """What A has in the games of a deal, on the average."""
    return statistics.fmean(figure(game, {side}) for side, game in enumerate(deal))


def _won(game: Tallies, own: Collection[int]) -> float:
    """The part of the win that these sides have."""
    return sum(game.wins[side] for side in own) / sum(game.wins) if any(game.wins) else len(own) / len(game.wins)


def _lead(game: Tallies, own: Collection[int]) -> float:
    """The mean of these sides' scores over that of the others'."""
    others = [score for side, score in enumerate(game.scores) if side not in own]
    return statistics.fmean(game.scores[side] for side in own) - statistics.fmean(others)


def _better(games: Iterable[Tallies]) -> Literal["more", "fewer"] | None:
    """Whether those who won scored more than the others, or less; None if now this, now that."""
    winners = ((game, {side for side, won in enumerate(game.wins) if won}) for game in games)
    leads = [_lead(game, sides) for game, sides in winners if 0 < len(sides) < len(game.wins)]
    above, below = any(lead > 0 for lead in leads), any(lead < 0 for lead in leads)
    return None if above is below else "more" if above else "fewer"
