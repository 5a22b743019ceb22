"""How often patiences come out: `python -m benchmarks.patience`, one row of a table for each.

    python -m benchmarks.patience                             # at random, and by search:200
    python -m benchmarks.patience yukon --kind search:1000    # the deals of `hoyle simulate yukon --seats search:1000`
    python -m benchmarks.patience --numbered 1 100            # FreeCell's numbered deals: how many are won in ten seconds of the processor

Deals of the same number are the same games everywhere, as long as a kind searches by games and not by time. `--seconds` says for how long games are begun.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hoyle import Game, State, load
from hoyle.cli.commands.games import list_names
from hoyle.game import results
from hoyle.game.playouts import play_game
from hoyle.game.views.redaction import redact
from hoyle.players.bots import create_players
from hoyle.running.chance import PLAYER, Chance
from hoyle.series.measures import measure_share

RANDOM = 100_000
"""Games at random, at most."""
NUMBERED = "freecell"


class Came(Struct):
    """Games of a patience: how many there were, how many came out, and their scores together."""

    games: int = 0
    won: int = 0
    score: int = 0


class Solved(Struct, frozen=True):
    """A numbered deal: whether it was won, in how many seconds of the processor, and by how many choices."""

    deal: int
    won: bool
    seconds: float
    choices: int


def patiences() -> list[str]:
    """Shipped games and variants for one alone."""
    return list_names("1")


def at_random(game: Game, seed: int, seconds: float) -> Came:
    """Random games, as many as may be."""
    found, end, some = Came(), time.monotonic() + seconds, 50
    for first in range(0, RANDOM, some):
        played = game.playouts(seed, some, first)
        won, scores = next(iter(played.wins.values())), next(iter(played.scores.values()))
        found = Came(found.games + some, found.won + sum(won), found.score + sum(scores))
        if time.monotonic() > end:
            break
    return found


def by(kind: str, game: Game, seed: int, seconds: float, most: int) -> Came:
    """Games by a kind of player, begun in so long."""
    found, end = Came(), time.monotonic() + seconds
    while found.games < most and (not found.games or time.monotonic() < end):
        players, memories = create_players([kind], game)
        tallies = play_game(game.compiled, seed, found.games, players, memories)
        found = Came(found.games + 1, found.won + tallies.wins[0], found.score + tallies.scores[0])
    return found


def row(game: str, kind: str, found: Came) -> str:
    won, score = measure_share(found.won, found.games), found.score / found.games
    interval = f"[{100 * won.low:.1f} – {100 * won.high:.1f}]"
    return f"| {game} | {kind} | {found.games} | {100 * won.mean:.1f} % {interval} | {score:.1f} |"


def table(given: argparse.Namespace) -> Iterator[str]:
    yield "| patience | player | games | won | mean score |"
    yield "|---|---|---|---|---|"
    for name in given.names or patiences():
        game = load(name, engine=given.engine)
        yield row(name, "random", at_random(game, given.seed, given.seconds / 10))
        yield row(name, given.kind, by(given.kind, game, given.seed, given.seconds, given.games))


# ---- numbered deals --------------------------------------------------------------------------------------------------


def as_dealt(game: Game, deal: int) -> State:
    """A numbered deal, as a position: so the native engine is built once, and not for each."""
    piles: dict[str, list[str]] = {}
    for pile in load(game.ruleset.name, deal=deal, engine="python").start().view(None).piles:
        if pile.family in ("cell", "column"):
            piles.setdefault(pile.family, []).append(" ".join(str(piece.sign) for piece in pile.pieces) or "~")
    return game.position({"at": "game / play", "to_act": "A", "piles": piles}, deal)


def solved(game: Game, deal: int, kind: str, seconds: float) -> Solved:
    """The deal played until it is over, or so many seconds of the processor have passed."""
    core, chance = as_dealt(game, deal).core, Chance.stream(deal, 0, PLAYER)
    (player,), _ = create_players([kind], game)
    begun, choices = time.process_time(), 0
    while not core.over and time.process_time() - begun < seconds:
        asked = len(core.acts) > 1
        number = player(redact(game.compiled, core, core.actor), chance) if asked else 0
        game.machine.play(core, core.acts[number])
        choices += asked
    used = time.process_time() - begun
    return Solved(deal, used <= seconds and bool(results.find_winners(game.compiled, core)), used, choices)


def deals(given: argparse.Namespace) -> Iterator[str]:
    game, (first, last) = load(NUMBERED, engine=given.engine), given.numbered
    found: list[Solved] = []
    for deal in range(first, last + 1):
        one = solved(game, deal, given.kind, given.limit)
        found.append(one)
        yield f"deal {deal}: {'won' if one.won else 'not won'} in {one.seconds:.1f} s, {one.choices} choices"
    yield summary(found, given.kind)


def summary(found: Sequence[Solved], kind: str) -> str:
    won = sorted(one.seconds for one in found if one.won)
    middle = won[len(won) // 2] if won else 0.0
    return f"{len(won)} of {len(found)} deals won by {kind}; half of them in {middle:.1f} s"


def asked(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PATIENCE")
    parser.add_argument("--kind", default="search:200", help="a kind of player")
    parser.add_argument("--numbered", nargs=2, type=int, metavar=("FIRST", "LAST"), help="numbered deals instead")
    parser.add_argument("--limit", type=float, default=10, help="seconds of the processor for a numbered deal")
    parser.add_argument("--games", type=int, default=1000, help="at most so many of each")
    parser.add_argument("--seconds", type=float, default=60, help="for a patience")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("auto", "python", "native"), default="auto")
    return parser.parse_args(arguments)


def main() -> None:
    given = asked()
    for line in deals(given) if given.numbered else table(given):
        print(line, flush=True)


if __name__ == "__main__":
    main()
