"""A player that searches against OpenSpiel's own, in duplicate: `python -m benchmarks.spiel_match GAME`, where `open_spiel` is installed.

    python -m benchmarks.spiel_match cribbage --bot ismcts --iterations 500 -n 50 --seed 1
    python -m benchmarks.spiel_match backgammon --bot mcts --seconds 0.1 -n 10
    python -m benchmarks.spiel_match hearts --referee -n 100

Every deal is played once for each seat, with our player there and OpenSpiel's at all others (`spiel_tables`, `spiel_bots`). `--iterations`: both search so
many games for the same choice: where OpenSpiel's action is one of three cards that are passed together, ours searches three times as many for the three, and
where it is two numbers of Backgammon, half as many for each. `--seconds`: both have so long, shared out likewise.
`--referee`: nobody searches; both systems play random games, and what they do not agree upon is told.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec import Struct

from benchmarks.spiel_bots import KEEN, Bot, Reach, bot
from benchmarks.spiel_tables import TABLES, Table, Unlike, loaded
from hoyle import Game, Move, State
from hoyle.game.views.redaction import redact
from hoyle.players.bots import SearchPlayer, create_memory
from hoyle.players.inference.knowledge import Memory
from hoyle.players.search.driver import MOST, prepare_search
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Tallies
from hoyle.series.match import Deal, Outcome, summarize_match

AT_MOST = 5  # differences that are shown


class Meeting(Struct, frozen=True):
    """What is played: a game in both systems, whom of OpenSpiel's, how far both search, and how many times as far ours."""

    name: str
    game: Game
    other: Any
    kind: str
    iterations: int
    seconds: float | None
    times: float
    keen: float
    seed: int

    def opponent(self, index: int, seat: int) -> Bot:
        seed = random.Random(f"{self.seed} {index} {seat}").randrange(1 << 30)
        return bot(self.kind, self.name, self.other, Reach(self.iterations, self.seconds, seed, self.keen))

    def searcher(self, memory: Memory | None, weight: float) -> SearchPlayer:
        seconds = None if self.seconds is None else weight * self.seconds
        bounds = Bounds(MOST if seconds is not None else max(1, round(weight * self.times * self.iterations)))
        return SearchPlayer(prepare_search(self.game), bounds, seconds, memory)


class Spent:
    """Time of the processor that a player took, and in how many turns it had a choice."""

    def __init__(self) -> None:
        self.seconds, self.turns = 0.0, 0

    @contextmanager
    def running(self) -> Iterator[None]:
        began = time.process_time()
        yield
        self.seconds += time.process_time() - began

    @property
    def each(self) -> float:
        """Milliseconds a turn."""
        return 1000 * self.seconds / max(1, self.turns)


OURS, THEIRS = Spent(), Spent()


class Seated:
    """Our player at one seat of one game, who remembers what it was told."""

    def __init__(self, meeting: Meeting, state: State, index: int, seat: int) -> None:
        self._meeting, self._state = meeting, state
        self._memory = create_memory(seat, meeting.game)
        self._chance = Chance.stream(meeting.seed, index, PLAYER)
        self._players: dict[float, SearchPlayer] = {}
        if self._memory is not None:
            self._memory.begins(state.core)

    def moved(self, move: Move) -> None:
        """Makes a move, whoever's it is, and remembers what is to be seen of it."""
        before = self._state.core.copy()
        self._state.play_here(move)
        if self._memory is not None:
            self._memory.moved(before, move.action, self._state.core)

    def choose(self, weight: float) -> Move:
        moves = self._state.moves()
        if len(moves) == 1:
            return moves[0]
        if weight not in self._players:
            self._players[weight] = self._meeting.searcher(self._memory, weight)
        seen = redact(self._meeting.game.compiled, self._state.core, self._state.core.actor)
        with OURS.running():
            return moves[self._players[weight](seen, self._chance)]


def played(meeting: Meeting, index: int) -> Deal:
    """A deal, once for each seat. Raises Unlike."""
    return tuple(game_of(meeting, index, seat) for seat in range(len(meeting.game.seats)))


def game_of(meeting: Meeting, index: int, seat: int) -> Tallies:
    state = meeting.game.start(meeting.seed, index)
    ours, theirs = Seated(meeting, state, index, seat), meeting.opponent(index, seat)
    table = TABLES[meeting.name](state, meeting.other.new_initial_state(), ours.moved)
    while not table.is_over:
        spent = OURS if table.to_act == seat else THEIRS
        spent.turns += len(state.moves()) > 1
        if spent is OURS:
            table.ours(partial(ours.choose, table.weight))
        else:
            table.theirs(partial(unless_forced, theirs))
    return tallied(table)


def unless_forced(theirs: Bot, state: Any) -> int:
    actions: list[int] = state.legal_actions()
    with THEIRS.running():
        return actions[0] if len(actions) == 1 else theirs(state)


def tallied(table: Table) -> Tallies:
    """What counts in a match."""
    return Tallies(table.state.decisions, 0, 0, 0, 0, (), table.scores(), table.wins(), (), True)


def told(meeting: Meeting, found: Outcome) -> str:
    wins = f"{100 * found.wins.mean:5.1f} % [{100 * found.wins.low:.1f} – {100 * found.wins.high:.1f}]"
    lead = f"{found.lead.mean:+.2f} [{found.lead.low:+.2f} – {found.lead.high:+.2f}]"
    far = f"{meeting.iterations} games" if meeting.seconds is None else f"{meeting.seconds} s"
    far = far if meeting.times == 1 else f"{meeting.times:g} times {far}"
    head = (
        f"{meeting.name}: {far} a choice against OpenSpiel's {meeting.kind}, {found.games} games in {found.deals} deals"
    )
    took = f"{OURS.each:.1f} ms of the processor a turn, OpenSpiel's {THEIRS.each:.1f} ms"
    return f"{head}\n  wins  {wins}   if equal {100 * found.even:.0f} %\n  lead  {lead}\n  took  {took}"


def match(meeting: Meeting, deals: int, within: float) -> Outcome:
    """So many deals; none is begun after so many seconds, but two are played."""
    done, end = list[Deal](), time.monotonic() + within
    for index in range(deals):
        if index < 2 or time.monotonic() < end:
            done.append(played(meeting, index))
            print(f"\r{index + 1} of {deals} deals", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return summarize_match(done)


# ---- referees --------------------------------------------------------------------------------------------------------


def asked(name: str, game: Game, other: Any, seed: int, index: int) -> int:
    """A random game: how often the two systems could be compared. Raises Unlike."""
    stream, state, count = random.Random(f"{seed} {index}"), game.start(seed, index), 0
    table = TABLES[name](state, other.new_initial_state(), state.play_here)
    while not table.is_over:
        count += 1
        if stream.random() < 0.5:
            table.ours(lambda: stream.choice(state.moves()))
        else:
            table.theirs(lambda other: int(stream.choice(other.legal_actions())))
    return count


def referee(name: str, seed: int, games: int) -> str:
    """What the two systems do not agree upon in random games."""
    (game, other), count, unlike = loaded(name, refereed=True), 0, list[str]()
    for index in range(games):
        try:
            count += asked(name, game, other, seed, index)
        except Unlike as found:
            unlike.append(f"  game {index}: {found}")
    head = f"{name}: {games} random games, {count} decisions compared, {len(unlike)} games not alike"
    return "\n".join([head, *unlike[:AT_MOST]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=TABLES)
    parser.add_argument("--bot", choices=("ismcts", "mcts", "random"), default="mcts", help="which (default: mcts)")
    parser.add_argument("--iterations", type=int, default=500, help="games that both search (default: 500)")
    parser.add_argument("--seconds", type=float, help="how long both search, instead")
    parser.add_argument(
        "--keen", type=float, help="OpenSpiel's constant of UCB1 (default: 0.7 times the range of what a game pays)"
    )
    parser.add_argument("--times", type=float, default=1.0, help="ours searches so many times as many games")
    parser.add_argument("-n", "--deals", type=int, default=20, help="deals, or random games (default: 20)")
    parser.add_argument("--within", type=float, default=math.inf, help="seconds after which no further deal is begun")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--referee", action="store_true", help="play at random, and compare")
    a = parser.parse_args()
    try:
        if a.referee:
            print(referee(a.game, a.seed, a.deals))
            return
        meeting = Meeting(
            a.game, *loaded(a.game), a.bot, a.iterations, a.seconds, a.times, a.keen or KEEN[a.game], a.seed
        )
        print(told(meeting, match(meeting, a.deals, a.within)))
    except ImportError as missing:
        parser.error(f"{missing.name} is not installed here: pip install open_spiel")
    except ValueError as refused:
        parser.error(str(refused))


if __name__ == "__main__":
    main()
