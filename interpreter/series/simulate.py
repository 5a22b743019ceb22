"""Many games at once: played by bots, counted, and told with their uncertainty.

Game number i of a series has its own random streams, made from the seed and i, so the numbers do not depend on how many
processes share the work.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from interpreter.checking.force import in_force
from interpreter.diagnostics import Refused
from interpreter.game.compiled import compiled
from interpreter.game.game import Game, State
from interpreter.game.players import Player, at_random, players
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.machine import MOST_DECISIONS
from interpreter.series.crew import shared

SECTIONS = ("move", "obligation", "whenever", "early", "step", "passed", "at_most")
Z95 = statistics.NormalDist().inv_cdf(0.975)
CHUNK = 16  # games that a process plays before it reports


class Order(Struct, frozen=True):
    """What to play: everything a process needs to know."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seed: int
    kinds: tuple[str, ...] = ()
    """Who plays, seat by seat; nobody named: all play at random."""


class Played(Struct):
    """One game, counted. `choices` are decisions with more than one move, `turns` runs of decisions by one seat; `early` what rules of
    `whenever` did before anybody decided."""

    winners: tuple[str, ...] = ()
    scores: dict[str, int] = {}
    unfinished: bool = False
    decisions: int = 0
    choices: int = 0
    turns: int = 0
    offered: int = 0
    most_offered: int = 0
    moves: Counter[int] = field(default_factory=Counter)
    early: Counter[str] = field(default_factory=Counter)


Uses = Counter[tuple[str, str]]
"""How often each rule was used, by its section and name."""
Chunk = tuple[list[Played], Uses]


class Measure(Struct, frozen=True):
    """A mean with its 95 % interval, and how far single games are from it."""

    mean: float
    low: float
    high: float
    sd: float
    min: float
    max: float

    def data(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 6) for name in ("mean", "low", "high", "sd", "min", "max")}


def measure(values: Sequence[float]) -> Measure:
    mean = statistics.fmean(values)
    sd = statistics.stdev(values) if len(values) > 1 else 0.0
    half = Z95 * sd / math.sqrt(len(values))
    return Measure(mean, mean - half, mean + half, sd, min(values), max(values))


def share(part: int, whole: int) -> Measure:
    """A proportion with its Wilson interval, which stays between 0 and 1."""
    p, z = part / whole, Z95
    centre = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    low, high = (abs(round(end, 12)) for end in (centre - half, centre + half))  # exactly 0 and 1 at the ends
    return Measure(p, low, high, math.sqrt(p * (1 - p)), 0.0, 1.0)


def traced(order: Order) -> Game:
    """The game, compiled so that it counts how often its rules are used."""
    from interpreter.checking.build import ruleset

    return Game(compiled(*ruleset(order.game, dict(order.options)), trace=True))


def play_one(game: Game, seed: int, index: int, players: Sequence[Player] = ()) -> Played:
    """Game number `index` of a series. Of players at random it is the one that `Game.playout` plays."""
    machine, played, last = game.machine, Played(), None
    before = machine.hits[:]
    core = machine.start(Chance.stream(seed, index))
    played.early.update(
        {name: machine.hits[i] - before[i] for (s, name), i in machine.counters.items() if s == "whenever"}
    )
    chance, players = Chance.stream(seed, index, PLAYER), players or [at_random] * len(game.seats)
    while not core.over and played.decisions < MOST_DECISIONS:
        count = len(core.acts)
        played.decisions += 1
        played.choices += count > 1
        played.offered += count
        played.most_offered = max(played.most_offered, count)
        played.turns += core.actor != last
        last = core.actor
        action = core.acts[players[core.actor](game, core, chance) if count > 1 else 0]
        played.moves[action[0]] += 1
        machine.play(core, action)
    return _ended(played, State(game, core))


def _numbered(game: Game, seed: int, index: int, players: Sequence[Player]) -> Played:
    """The same; a fault of the ruleset is told with the game that shows it. Raises Refused."""
    try:
        return play_one(game, seed, index, players)
    except Refused as refused:
        note = f"in game {index + 1} of the series with seed {seed}"
        raise Refused(replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None


def _ended(played: Played, state: State) -> Played:
    played.winners, played.scores = tuple(state.winning_sides), dict(state.scores)
    played.unfinished = not state.is_over
    return played


def play_some(game: Game, order: Order, indices: Iterable[int]) -> Chunk:
    """Some games of a series, and the rules that they used."""
    who = players(order.kinds)
    machine = game.machine
    before = machine.hits[:]
    played = [_numbered(game, order.seed, index, who) for index in indices]
    uses = Counter({rule: machine.hits[i] - before[i] for rule, i in machine.counters.items()})
    for name, move in game.ruleset.moves.items():  # what a look-ahead tries is not made
        uses["move", name] = sum(one.moves[move.number] for one in played)
    for name in game.ruleset.whenever:
        uses["early", name] = sum(one.early[name] for one in played)
    return played, uses


# Several processes


Tick = Callable[[int], None]


def series(game: Game, order: Order, games: int, jobs: int, tick: Tick = lambda done: None) -> Chunk:
    """All games in order of their index; `tick` hears how many more are done. `game` is a `traced` one."""
    found: list[Played] = []
    uses: Uses = Counter()
    with closing(_chunks(game, order, games, min(jobs, games))) as chunks:
        for played, used in chunks:
            found += played
            uses.update(used)
            tick(len(played))
    return found, uses


def _chunks(game: Game, order: Order, games: int, jobs: int) -> Generator[Chunk, None, None]:
    size = max(1, min(CHUNK, games // jobs))
    ranges = (range(start, min(start + size, games)) for start in range(0, games, size))
    if jobs > 1:
        yield from shared(partial(_player, order), ranges, jobs)
    else:
        yield from (play_some(game, order, indices) for indices in ranges)


def _player(order: Order) -> Callable[[range], Chunk]:
    """What a process of a series does: it loads the game once and plays what it is given."""
    return partial(play_some, traced(order), order)


# The account


class Account(Struct, frozen=True):
    """What a series shows, wins and scores by side. Games that nobody won are `lost`. `uses` and `unused` are by section: move, obligation, whenever, early (rules of `whenever`
    before anybody decides, as in the deal), step, passed (choices
    in which nothing was possible, and the rules do not say what then), at_most (loops that it ended before their `until` or `skip` did)."""

    games: int
    wins: dict[str, int]
    draws: int
    lost: int
    unfinished: int
    scores: dict[str, Measure]
    measures: dict[str, Measure]
    uses: dict[str, dict[str, int]]
    unused: dict[str, list[str]]

    def data(self) -> dict[str, Any]:
        return {
            "wins": {seat: {"games": won, **share(won, self.games).data()} for seat, won in self.wins.items()},
            "draws": {"games": self.draws, **share(self.draws, self.games).data()},
            "lost": {"games": self.lost, **share(self.lost, self.games).data()},
            "unfinished": self.unfinished,
            "scores": {seat: found.data() for seat, found in self.scores.items()},
            **{name: found.data() for name, found in self.measures.items()},
            "uses": self.uses,
            "unused": self.unused,
        }


def account(game: Game, chunk: Chunk) -> Account:
    """What the games of a `traced` game show. A win that is shared counts as a draw."""
    played, uses = chunk
    return Account(
        games=len(played),
        wins={side: sum(one.winners == (side,) for one in played) for side in game.sides},
        draws=sum(len(one.winners) > 1 for one in played),
        lost=sum(not one.winners and not one.unfinished for one in played),
        unfinished=sum(one.unfinished for one in played),
        scores=_scores(played, game.sides),
        measures=_measures(played),
        uses={section: _used(game, uses, section) for section in SECTIONS},
        unused={section: _unused(game, uses, section) for section in SECTIONS},
    )


def _used(game: Game, uses: Uses, section: str) -> dict[str, int]:
    """Rules by use, the most used first."""
    found = {name: uses[section, name] for name in _names(game, section) if uses[section, name]}
    return dict(sorted(found.items(), key=lambda rule: (-rule[1], rule[0])))


def _unused(game: Game, uses: Uses, section: str) -> list[str]:
    return [name for name in _names(game, section) if not uses[section, name]]


def _names(game: Game, section: str) -> list[str]:
    if section in ("step", "passed", "at_most"):
        return [name for where, name in game.machine.counters if where == section]
    rules, ever = game.ruleset, in_force(game.ruleset)
    sections: Mapping[str, list[str]] = {
        "move": [name for name in rules.moves if name in ever.moves],
        "obligation": [name for name in rules.obligations if name in ever.obligations],
        "whenever": list(rules.whenever),
        "early": list(rules.whenever),
    }
    return sections[section]


def _scores(played: Sequence[Played], sides: Sequence[str]) -> dict[str, Measure]:
    found: Mapping[str, list[int]] = {side: [g.scores[side] for g in played if side in g.scores] for side in sides}
    return {side: measure(values) for side, values in found.items() if values}


def _measures(played: Sequence[Played]) -> dict[str, Measure]:
    begun = [game for game in played if game.decisions] or [Played(decisions=1, turns=1)]
    return {
        "decisions": measure([game.decisions for game in played]),
        "choices": measure([game.choices for game in played]),
        "turns": measure([game.turns for game in played]),
        "turn_length": measure([game.decisions / game.turns for game in begun]),
        "branching": measure([game.offered / game.decisions for game in begun]),
        "most_branching": measure([game.most_offered for game in played]),
    }
