"""What players give away in Backgammon, judged by the net of GNU Backgammon: `python -m benchmarks.gnubg_judge`, where `pip install --pre gnubg-nn` was done.

The net plays games against itself without looking ahead, and from each turn on that leaves a choice, every kind of player plays that one turn: so all are
judged by the same positions, such as good play leads to. A turn is what its numbers come to together: how both sides stand when the dice pass on. It gives
away what the best end that the ruleset allows is worth above the one that was chosen: of cubeless money equity (a gammon counts two, a backgammon three) in
thousandths of a point, and of the probability of winning in hundredths. Players of a single game look for the second, and little for gammons.

Two judges stand beside it. The net's own generator of moves must find the same ends for each turn: it was written by others. And what the net gives away where
it chooses without looking ahead, judged alike, says how far the judge can be trusted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

from hoyle.game.game import Game, load
from hoyle.game.spelling import find_pile
from hoyle.game.views.redaction import redact
from hoyle.players.bots import create_players
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core
from hoyle.series.measures import Measure, measure_mean

KINDS = ("search:5000:score", "search:5000", "search:2000", "search:500", "search:100", "greedy", "random")
NET = "the net"
LETTERS = "abcdefghijklmnopqrstuvwx"
NEAR = 0.2
"""Points of equity by which an end may seem worse than the best at once, and be looked at more closely."""

Side = tuple[int, ...]
"""How many checkers stand on each point, as their owner counts them from the end of his track, and on the bar; those that are missing are off."""
Standing = tuple[Side, Side]
"""Both sides; first the one whose turn it is, or was."""
Ends = Mapping[Standing, Core]
"""How both can stand when a turn is over; and such a state, at the beginning of the next."""


# ---- turns -----------------------------------------------------------------------------------------------------------


def standing(game: Game, core: Core, seat: int) -> Standing:
    return _side(game, core, seat), _side(game, core, 1 - seat)


def _side(game: Game, core: Core, seat: int) -> Side:
    name = game.seats[seat]
    points = [core.piles[find_pile(game.compiled, f"arrow of {letter}")] for letter in LETTERS]
    man, bar = game.piece(name) >> 1, core.piles[find_pile(game.compiled, f"bar of {name}")]
    counts = [sum(piece >> 1 == man for piece in pile) for pile in points]
    return (*(reversed(counts) if seat else counts), len(bar))


def dice(game: Game, core: Core) -> tuple[int, int]:
    """The numbers of a turn that has not begun."""
    signs = [game.namer.signs[piece >> 1] for piece in core.piles[find_pile(game.compiled, "pool")]]
    return int(signs[0]), int(signs[1])


def after(game: Game, core: Core, number: int) -> Core:
    """The state after one of the moves, with what happened in it and nothing before."""
    found = core.copy()
    found.log = []
    game.machine.play(found, core.acts[number])
    return found


def is_passed_on(core: Core) -> bool:
    """Is the turn over after a move? Then dice have been thrown, or the game is over."""
    return core.over or any(event[0] == "roll" for event in core.log or ())


def ends(game: Game, core: Core) -> Ends:
    """After every legal sequence of the numbers of a turn; the next throw is the same after all of them."""
    found: dict[Standing, Core] = {}
    seen, waiting = set(), [core]
    while waiting:
        here = waiting.pop()
        for made in (after(game, here, number) for number in range(len(here.acts))):
            if is_passed_on(made):
                found[standing(game, made, core.actor)] = made
            elif made.key() not in seen:
                seen.add(made.key())
                waiting.append(made)
    return found


def chosen(game: Game, core: Core, kind: str, chance: Chance) -> Standing:
    """How both stand after a turn that this kind of player plays."""
    players, _ = create_players([kind] * 2, game)
    here = core
    while here is core or not is_passed_on(here):
        seen = redact(game.compiled, here, here.actor)
        here = after(game, here, players[here.actor](seen, chance) if len(here.acts) > 1 else 0)
    return standing(game, here, core.actor)


# ---- what they are worth ---------------------------------------------------------------------------------------------


class Outlook(NamedTuple):
    """What the end of a turn is worth to the side whose turn it was."""

    equity: float
    wins: float


Judge = Callable[[Standing, int], Outlook]
"""Looks so many throws ahead."""


def judge_of(net: Any) -> Judge:
    """The net is asked about the side that is to throw, which is the other one, and wants it last."""

    def judge(end: Standing, plies: int) -> Outlook:
        mine, theirs = end
        win, gammon, backgammon, lost_gammon, lost_backgammon = net.probabilities([[*mine], [*theirs]], plies)
        return Outlook(1 - 2 * win - gammon - backgammon + lost_gammon + lost_backgammon, 1 - win)

    return judge


def at_once(judge: Judge, found: Ends) -> Standing:
    """What the judge chooses without looking ahead."""
    return max(found, key=lambda end: judge(end, 0).equity)


def given(judge: Judge, found: Ends, ways: Mapping[str, Standing], plies: int) -> dict[str, Outlook]:
    """What each of these ways to play a turn gives away. What seems far worse than the best without looking ahead is not looked at again, unless
    somebody chose it."""
    seem = {end: judge(end, 0) for end in found}
    most, likeliest = _best(seem.values())
    near = {end for end, one in seem.items() if one.equity > most - NEAR or one.wins > likeliest - NEAR / 2}
    worth = {end: judge(end, plies) for end in near.union(ways.values())}
    most, likeliest = _best(worth.values())
    return {who: Outlook(most - worth[end].equity, likeliest - worth[end].wins) for who, end in ways.items()}


def _best(found: Collection[Outlook]) -> Outlook:
    """The most of each, which need not be of the same end."""
    return Outlook(max(one.equity for one in found), max(one.wins for one in found))


def other_ends(net: Any, before: Standing, throw: tuple[int, int]) -> set[Standing]:
    """The ends of a turn by the net's own generator of moves."""
    mine, theirs = before
    boards = map(net.board_from_position_key, net.moves([[*theirs], [*mine]], *throw))
    return {(tuple(board[1]), tuple(board[0])) for board in boards}


# ---- games -----------------------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """`given`: what each way to play it gives away; nothing where there is no choice. `alike`: are its ends the same by the net?"""

    position: str
    throw: tuple[int, int]
    ways: dict[str, Standing]
    given: dict[str, Outlook]
    alike: bool


def turns(net: Any, kinds: Sequence[str], seed: int, plies: int) -> Iterator[Turn]:
    """Of one game of the net against itself after the other."""
    game, judge = load("backgammon"), judge_of(net)
    for index in count():
        core, number = game.machine.start(Chance.stream(seed, index)), 0
        while not core.over:
            found, chance = ends(game, core), Chance.stream(seed + index, number, PLAYER)
            ways = {kind: chosen(game, core, kind, chance.copy()) for kind in kinds} if len(found) > 1 else {}
            ways |= {NET: at_once(judge, found)}
            mine, theirs = standing(game, core, core.actor)
            alike = found.keys() == other_ends(net, (mine, theirs), dice(game, core))
            position = net.position_id([[*theirs], [*mine]])
            yield Turn(position, dice(game, core), ways, given(judge, found, ways, plies), alike)
            core, number = found[ways[NET]], number + 1


# ---- the table -------------------------------------------------------------------------------------------------------

HEAD = f"{'':12} {'millipoints a turn':^22} {'of 100 games':^20} {'the best':>8}"


def row(who: str, given: Sequence[Outlook]) -> str:
    equity, wins = measure_mean([1000 * one.equity for one in given]), measure_mean([100 * one.wins for one in given])
    best = sum(one.equity == 0 for one in given) / len(given)
    return f"{who:12} {_interval(equity, 0):22} {_interval(wins, 1):20} {best:8.0%}"


def _interval(found: Measure, digits: int) -> str:
    return f"{found.mean:6.{digits}f} [{found.low:.{digits}f} – {found.high:.{digits}f}]"


def worst(played: Sequence[Turn], who: str, wanted: int) -> list[str]:
    """The turns that gave away most: the position as GNU Backgammon writes it, the throw, and where the checkers stood then."""
    most = sorted(played, key=lambda turn: -turn.given[who].equity)[:wanted]
    return [
        f"{1000 * turn.given[who].equity:10.0f} {turn.position} {turn.throw}: {_points(turn.ways[who][0])}, best {_points(turn.ways[NET][0])}"
        for turn in most
    ]


def _points(side: Side) -> str:
    """`6:5 8:3`: the point, and how many stand there; 25 is the bar."""
    return " ".join(f"{point}:{men}" for point, men in enumerate(side, 1) if men)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", nargs="*", default=KINDS, help=f"who plays (default: {', '.join(KINDS)})")
    parser.add_argument("--turns", type=int, default=200, help="turns with a choice (default: 200)")
    parser.add_argument("--plies", type=int, default=1, help="throws that the net looks ahead (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=0, help="show so many of the turns that gave away most")
    arguments = parser.parse_args()
    try:
        import gnubg_nn as net
    except ImportError:
        parser.error("the net is not installed here: pip install --pre gnubg-nn")
    show(net, arguments.kind, arguments)


def show(net: Any, kinds: Sequence[str], arguments: argparse.Namespace) -> None:
    seen, played = list[Turn](), turns(net, kinds, arguments.seed, arguments.plies)
    with suppress(KeyboardInterrupt):  # what was judged until then is shown
        while sum(len(turn.ways) > 1 for turn in seen) < arguments.turns:
            seen.append(next(played))
    judged = [turn for turn in seen if len(turn.ways) > 1]
    print(f"{len(judged)} turns with a choice: given away, with 95 % intervals", HEAD, sep="\n")
    for who in (*kinds, NET) if judged else ():
        print(row(who, [turn.given[who] for turn in judged]), *worst(judged, who, arguments.worst), sep="\n")
    print(
        f"{len(seen)} turns in all; {sum(turn.alike for turn in seen)} have the same ends by the net's own generator of moves"
    )


if __name__ == "__main__":
    main()
