"""Play a match of two kinds of players in duplicate: each deal is played once from every side.

A deal is game number i of a series. In each of its games, kind A plays one side and kind B all others. Chance is
the same in all games of a deal, so neither kind is luckier. Deals are independent; confidence intervals count deals.
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
"""The games of a deal: A plays the first side in the first game, and so on."""


class Match(Struct, frozen=True):
    """Settings of a match that each process needs. `kinds` are the player kinds of A and B."""

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
    """Play all deals and return them in order.

    Args:
        game: the game of the match.
        match: the players, seed and engine.
        deals: number of deals.
        workers: processes or a cluster to use.
        tick: called with the number of deals that were finished since the last call.
        done: list that receives the deals, so that they survive an interrupt.
        kept: file of results.

    Raises:
        Refused: a game cannot be played.
        ValueError: the game has only one side.
    """
    if len(game.sides) < 2:
        raise ValueError("whoever plays alone has nobody to play a match against")
    done, match = [] if done is None else done, _settled(game, match)
    create_players(match.kinds, game, match.engine)  # builds the engine before other processes need it
    prepare = partial(_prepared, match, (game.ruleset, game.merged))
    collect(run_tasks(partial(_played, game, match), prepare, range(deals), workers, kept), done, tick, lambda deal: 1)
    return done


def _prepared(match: Match, rules: Rules) -> Worker[int, Deal]:
    """Return the worker of a process: it loads the game once and then plays deals."""
    return partial(_played, Game(compile_ruleset(*rules)), match)


def _settled(game: Game, match: Match) -> Match:
    a, b = (resolve_kind(kind, game, match.engine) for kind in match.kinds)
    return replace(match, kinds=(a, b))


def make_header(game: Game, match: Match, deals: int) -> Header:
    """Return the header of a result file: all that the deals depend on. Raises Refused."""
    kinds = _settled(game, match).kinds
    return Header(
        series="match", hangs_on={**describe_game(game), "seed": match.seed, "players": kinds, "deals": deals}
    )


FORMAT: ResultFormat[Deal] = ResultFormat(tuple[Tallies, ...])
"""Format of deals in a result file."""


def _played(game: Game, match: Match, index: int) -> Deal:
    """Play a deal. Its games are those of `simulate` with the same seed and these seats. Raises Refused."""
    a, b = match.kinds
    kinds = [[a if p in side else b for p in range(len(game.seats))] for side in game.ruleset.sides]
    with note_game_number(match.seed, index):
        return tuple(_game(game, match, index, seats) for seats in kinds)


def _game(game: Game, match: Match, index: int, kinds: Sequence[str]) -> Tallies:
    players, memories = create_players(kinds, game, match.engine)
    return play_game(game.compiled, match.seed, index, players, memories)


# Outcome


class Outcome(Struct, frozen=True):
    """Results of A, averaged over deals.

    `wins` counts shared wins in part; a game that nobody won counts as `even`. The lead is A's score minus the mean of
    the others. `better` tells whether winners always scored more, or always less.
    """

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
        """Return A or B if it wins more than `even` beyond the confidence interval, else None."""
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
    """Return A's score minus the mean score of the others, for each deal."""
    return [_mean_of(_lead, deal) for deal in played]


def _mean_of(figure: Callable[[Tallies, Collection[int]], float], deal: Deal) -> float:
    """Return the mean of a figure of A over the games of a deal."""
    return statistics.fmean(figure(game, {side}) for side, game in enumerate(deal))


def _won(game: Tallies, own: Collection[int]) -> float:
    """Return the part of the win that these sides have. A game that nobody won is shared equally."""
    return sum(game.wins[side] for side in own) / sum(game.wins) if any(game.wins) else len(own) / len(game.wins)


def _lead(game: Tallies, own: Collection[int]) -> float:
    """Return the mean score of these sides minus that of the others."""
    others = [score for side, score in enumerate(game.scores) if side not in own]
    return statistics.fmean(game.scores[side] for side in own) - statistics.fmean(others)


def _better(games: Iterable[Tallies]) -> Literal["more", "fewer"] | None:
    """Return whether winners always scored `more` than the others, or always `fewer`; None if neither."""
    winners = ((game, {side for side, won in enumerate(game.wins) if won}) for game in games)
    leads = [_lead(game, sides) for game, sides in winners if 0 < len(sides) < len(game.wins)]
    above, below = any(lead > 0 for lead in leads), any(lead < 0 for lead in leads)
    return None if above is below else "more" if above else "fewer"
