"""Between the games of tables as the interpreter plays them and as `brute_tables` counts them."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from brute_tables import BAR, OFF, Final, Side, Step
from brute_turns import LETTERS, Pool

from hoyle import Game, State

T = TypeVar("T")
Across = Callable[[int], int]
"""An arrow's number as Black's distance; White's distance is the arrow's number itself."""


def other(who: str) -> str:
    return "black" if who == "white" else "white"


# ---- positions -------------------------------------------------------------------------------------------------------


def position(
    white: Side, black: Side, pool: Pool, across: Across, to_act: str = "white", **more: Any
) -> dict[str, Any]:
    arrows = {LETTERS[d - 1]: f"{white[d]} white" for d in range(1, 25) if white[d]}
    arrows |= {LETTERS[across(d) - 1]: f"{black[d]} black" for d in range(1, 25) if black[d]}
    piles: dict[str, Any] = {"arrow": arrows, "pool": " ".join(map(str, pool))}
    for name, place in (("off", OFF), ("bar", BAR)):
        found = {who: f"{side[place]} {who}" for who, side in (("white", white), ("black", black)) if side[place]}
        piles |= {name: found} if found else {}
    return {"at": "turn / play the numbers", "to_act": to_act, "piles": piles, **more}


def sides(state: State, across: Across) -> dict[str, Side]:
    """How both stand, each by his own distances."""
    counts = {"white": [0] * 26, "black": [0] * 26}
    for (family, whose), signs in lying(state).items():
        if family in ("off", "bar"):
            counts[whose][OFF if family == "off" else BAR] = len(signs)
        elif family == "arrow" and signs:
            index = LETTERS.index(whose) + 1
            for man in signs:
                counts[man][index if man == "white" else across(index)] += 1
    return {who: tuple(side) for who, side in counts.items()}


def lying(state: State) -> dict[tuple[str, str], list[str]]:
    """Return the contents of the piles of each family and owner or place. Everybody sees it all; a view would also work out all that is told
    beside the board, thousands of times."""
    namer, piles = state.game.compiled.namer, state.core.piles[:-1]
    keys = [(namer.family(n).name, namer.key(n).rpartition(" ")[2]) for n in range(len(piles))]
    return {key: [namer.signs[piece >> 1] for piece in pile] for key, pile in zip(keys, piles, strict=True)}


def both(state: State, who: str, across: Across) -> Final:
    """How both stand, `who` first."""
    found = sides(state, across)
    return found[who], found[other(who)]


def pool(state: State) -> Pool:
    found = next(signs for (family, _), signs in lying(state).items() if family == "pool")
    return tuple(sorted(map(int, found), reverse=True))


def steps(state: State, across: Across) -> set[Step]:
    return {step(move.id, str(state.to_act), across) for move in state.moves()}


def step(move: str, who: str, across: Across) -> Step:
    """`play g 3` → (7, 3)"""
    place, die = move.split()[-2:]
    if place == "bar":
        return BAR, int(die)
    index = LETTERS.index(place) + 1
    return (index if who == "white" else across(index)), int(die)


# ---- turns and games -------------------------------------------------------------------------------------------------


def rolls(state: State) -> int:
    return sum(event.kind == "roll" for event in state.events)


def turn_ends(state: State, who: str, across: Across) -> set[Final]:
    """How both can stand when the turn of `who` is over, he first: every legal sequence, one number at a time."""
    return ends_of_turn(state, lambda now: both(now, who, across))


def ends_of_turn(state: State, standing: Callable[[State], T], before: int = 0) -> set[T]:
    """Collect `standing` at the end of every legal sequence of a turn, one number at a time. `before`: the throws up to here."""
    ends: set[T] = set()
    seen: set[tuple[T, Pool]] = set()
    waiting = [state]
    while waiting:
        now = waiting.pop()
        if now.is_over or rolls(now) > before:  # nothing was left to play: the next dice have fallen
            ends.add(standing(now))
            continue
        for move in now.moves():
            after = now.play(move)
            here = (standing(after), () if rolls(after) > before else pool(after))
            if here not in seen:
                seen.add(here)
                waiting.append(after)
    return ends


def random_game(
    game: Game, index: int, across: Across, look: Callable[[State], None] = lambda state: None
) -> tuple[State, int]:
    """The end of a game of random moves, and how many numbers were played. `look` is shown every decision; men are counted
    every time the other player is to act."""
    state, stream, played, acting = game.start(seed=20260101, index=index), Random(f"{game.name} {index}"), 0, None
    while not state.is_over:
        look(state)
        if acting != state.to_act:
            assert {sum(side) for side in sides(state, across).values()} == {15}
            acting = state.to_act
        moves = state.moves()
        move = moves[stream.randrange(len(moves))]
        played += move.name == "play"
        state.play_here(move)
    assert {sum(side) for side in sides(state, across).values()} == {15}
    return state, played


def turns(state: State, dice: int, rethrown: bool) -> int:
    """How many turns a single game took; fails unless the higher die began and the players then strictly alternated.

    `rethrown`: whoever begins throws again, else he plays the dice that decided."""
    singles: list[int] = []
    who, taken = "", 0
    for event in state.events:
        if event.kind == "roll" and event.data["to"] != "thrown":
            singles.append(int(event.data["roll"][0]))
        elif event.kind == "roll":
            assert len(event.data["roll"]) == dice
            who, taken = other(who) if taken else who, taken + 1
        elif event.kind == "move":
            assert event.data["by"] == who
        if not who and len(singles) >= 2 and len(singles) % 2 == 0 and singles[-1] != singles[-2]:
            who, taken = "white" if singles[-2] > singles[-1] else "black", 0 if rethrown else 1
    assert all(a == b for a, b in zip(singles[:-2:2], singles[1:-2:2], strict=True))
    return taken
