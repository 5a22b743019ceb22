"""Every pair of option choices, played: settings of a ruleset's options that together contain each pair of choices at least
once (a covering array of strength two), and what a few random games in each of them show.

Most faults of software need no more than two settings to meet (Kuhn, Kacker and Lei, Practical Combinatorial Testing, NIST
SP 800-142, 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import Any

from msgspec import Struct

from interpreter.checking.constraints import EXCLUDED
from interpreter.diagnostics import Refused
from interpreter.game.game import Game, State, load
from interpreter.language.kinds import BOOL, bounds
from interpreter.language.model import Option
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.machine import MOST_DECISIONS
from interpreter.running.state import Core

Setting = dict[str, Any]


class Trouble(Struct):
    """A game that went wrong: `kind` is load, fault, unfinished or pieces; `state` is where it stood."""

    kind: str
    message: str
    seed: int
    state: State | None = None


class Tried(Struct):
    """One setting: the games played in it and what went wrong; `excluded` says the constraint that refuses it."""

    options: Setting
    games: int = 0
    decisions: int = 0
    troubles: list[Trouble] = []
    excluded: str = ""


def values_of(game: Game) -> dict[str, list[Any]]:
    """The values to be tried of each option: every choice; of a range its ends and one between, the default if it can be."""
    found = {name: _values(option) for name, option in game.ruleset.options.items()}
    counts = game.ruleset.may_play
    return {**found, "players": list(counts)} if len(counts) > 1 else found


def _values(option: Option) -> list[Any]:
    if option.choices:
        return list(option.choices)
    if option.kind == BOOL:
        return [False, True]
    low, high = bounds(option.kind)
    inside = option.default if low < option.default < high else (low + high) // 2
    return sorted({low, inside, high})


def settings(values: Mapping[str, Sequence[Any]]) -> list[Setting]:
    """Few settings in which every pair of values of two options occurs."""
    several = {name: list(found) for name, found in values.items() if len(found) > 1}
    if len(several) < 2:
        return [{name: value} for name, found in several.items() for value in found] or [{}]
    from allpairspy import AllPairs

    return [dict(zip(several, row, strict=True)) for row in AllPairs(list(several.values()))]


def tried(name: str, fixed: Setting, games: int, seed: int, most: int = MOST_DECISIONS) -> Iterator[Tried]:
    """Plays `games` random games in each setting. Raises Refused if the ruleset itself is wrong.

    A pair that stood only in settings that constraints exclude is tried again, with as many others of these as go together and
    everything else at its default: at last with nothing else, and then it may be excluded."""
    base = load(name, fixed)
    waiting = settings({k: v for k, v in values_of(base).items() if k not in fixed})
    lost: list[Setting] = []
    for number, row in enumerate(waiting):
        found = _try(name, {**fixed, **row}, games, seed + number, most)
        if found.excluded:
            lost.append(row)
        yield found
    left = _left(lost, [row for row in waiting if row not in lost])
    yield from _again(name, fixed, left, games, seed + len(waiting), most)


Pair = tuple[tuple[str, Any], ...]
"""Two options, each with its value."""


def _again(name: str, fixed: Setting, pairs: Iterable[Pair], games: int, seed: int, most: int) -> Iterator[Tried]:
    """Plays in settings of many of these pairs; an excluded one is halved until it is allowed or a single pair."""
    groups, number = _together(pairs), count(seed)
    while groups:
        group = groups.pop()
        found = _try(name, {**fixed, **{k: v for pair in group for k, v in pair}}, games, next(number), most)
        if found.excluded and len(group) > 1:
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
        else:
            yield found


def _together(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """The pairs in groups that one setting can have."""
    groups: list[tuple[Setting, list[Pair]]] = []
    for pair in pairs:
        fits = next((g for g in groups if all(g[0].get(option, value) == value for option, value in pair)), None)
        if fits is None:
            groups.append(fits := ({}, []))
        fits[0].update(pair)
        fits[1].append(pair)
    return [group for _, group in groups]


def _left(lost: Iterable[Setting], kept: Iterable[Setting]) -> list[Pair]:
    """The pairs of the lost settings that no kept one has."""
    covered = {pair for row in kept for pair in _pairs(row)}
    return [pair for pair in dict.fromkeys(p for row in lost for p in _pairs(row)) if pair not in covered]


def _pairs(row: Setting) -> Iterator[Pair]:
    return combinations(row.items(), 2)


def _try(name: str, options: Setting, games: int, seed: int, most: int) -> Tried:
    found = Tried(options)
    try:
        game = load(name, options)
    except Refused as refused:
        excluded = [d.message for d in refused.diagnostics if d.code == EXCLUDED]
        if excluded:
            found.excluded = excluded[0]
        else:
            found.troubles.append(Trouble("load", _cause(refused), seed))
        return found
    for index in range(games):
        _play(game, seed + index, most, found)
    return found


def _cause(refused: Refused) -> str:
    """What cannot be used, not what is only warned of beside it."""
    return f"{refused.cause.code}: {refused.cause.message}"


def _play(game: Game, seed: int, most: int, found: Tried) -> None:
    """One random game, the same that `hoyle play --seats random,…` plays with this seed."""
    core = Core(Chance.stream(seed))
    try:
        core = game.machine.start(Chance.stream(seed), log=True)
        trouble = _to_the_end(game, core, seed, most, found)
    except Refused as refused:
        trouble = ("fault", _cause(refused))
    found.games += 1
    if trouble is not None:
        found.troubles.append(Trouble(*trouble, seed, State(game, core)))


def _to_the_end(game: Game, core: Core, seed: int, most: int, found: Tried) -> tuple[str, str] | None:
    """Random moves until the game is over; what went wrong. Raises Refused for a fault of the ruleset."""
    pick = Chance.stream(seed, 0, PLAYER).below
    pieces = _pieces(core)
    for _ in range(most):
        if core.over:
            return (
                None if _pieces(core) == pieces else ("pieces", "there are other pieces at the end than at the start")
            )
        found.decisions += 1
        game.machine.play(core, core.acts[pick(len(core.acts))] if len(core.acts) > 1 else core.acts[0])
    return "unfinished", f"not over after {most:,} decisions"


def _pieces(core: Core) -> Counter[int]:
    """How many there are of each class, whatever their faces."""
    return Counter(piece >> 1 for pile in core.piles for piece in pile)
