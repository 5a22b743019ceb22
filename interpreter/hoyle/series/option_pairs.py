"""Every pair of option choices, played: settings of a ruleset's options that together contain each pair of choices at least
once (a covering array of strength two), and what a few random games in each of them show.

Most faults of software need no more than two settings to meet (Kuhn, Kacker and Lei, Practical Combinatorial Testing, NIST
SP 800-142, 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import Any

from msgspec import Struct

from hoyle.checking.sections.options import EXCLUDED, list_options_in
from hoyle.diagnostics import Refused, Said, Span
from hoyle.game.game import Game, State, load
from hoyle.language.evaluate import walk_all
from hoyle.language.kinds import BOOL, bounds
from hoyle.language.model import Option
from hoyle.language.sentences import in_all, in_figures
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import Core

Setting = dict[str, Any]


class Trouble(Struct):
    """A game that went wrong: `kind` is load, fault, unfinished or pieces; `state` is where it stood."""

    kind: str
    message: Said
    seed: int
    state: State | None = None


class Tried(Struct):
    """One setting: the games played in it and what went wrong; `excluded` says the constraint that refuses it,
    `conflict` the values that it looks at."""

    options: Setting
    games: int = 0
    decisions: int = 0
    troubles: list[Trouble] = []
    excluded: str = ""
    conflict: Setting = {}


def list_values(game: Game) -> dict[str, list[Any]]:
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


def list_settings(values: Mapping[str, Sequence[Any]]) -> list[Setting]:
    """Few settings in which every pair of values of two options occurs."""
    several = {name: list(found) for name, found in values.items() if len(found) > 1}
    if len(several) < 2:
        return [{name: value} for name, found in several.items() for value in found] or [{}]
    from allpairspy import AllPairs

    return [dict(zip(several, row, strict=True)) for row in AllPairs(list(several.values()))]


def list_variant_settings(values: Mapping[str, Sequence[Any]], own: Collection[str]) -> list[Setting]:
    """Few settings in which every pair occurs with a value of an option of `own`, and every value of the others."""
    others = {name: list(found) for name, found in values.items() if name not in own}
    most = max(map(len, others.values()), default=1)
    each = [{name: found[i % len(found)] for name, found in others.items()} for i in range(most)]
    rows = list_settings({**{name: values[name] for name in values if name in own}, "": range(most)})
    return [{**each[row.pop("", 0)], **row} for row in rows]


def try_settings(
    name: str,
    fixed: Setting,
    games: int,
    seed: int,
    most: int = MOST_DECISIONS,
    own: Collection[str] | None = None,
) -> Iterator[Tried]:
    """Plays `games` random games in each setting. Raises Refused if the ruleset itself is wrong.

    `own`: of a variant, the options whose pairs are wanted; of those that it inherits each value is, their pairs being its parent's.
    What stood only in settings that constraints exclude is tried again, with as much else of it as goes together and everything
    else at its default: at last with nothing else, and then it may be excluded."""
    base = load(name, fixed)
    values = {k: v for k, v in list_values(base).items() if k not in fixed}
    waiting = list_settings(values) if own is None else list_variant_settings(values, own)
    lost: list[Setting] = []
    for number, row in enumerate(waiting):
        found = _try(base, name, {**fixed, **row}, games, seed + number, most)
        if found.excluded:
            lost.append(row)
        yield found
    left, numbers = _left(lost, [row for row in waiting if row not in lost], own), count(seed + len(waiting))
    again = _Again(values, base.options)
    while left:
        row = again.row(left)
        found = _try(base, name, {**fixed, **row}, games, next(numbers), most)
        if found.excluded and again.learns(row, left[0], found.conflict):
            continue
        yield found
        left = [group for group in left if not row.items() >= dict(group).items()]


Group = tuple[tuple[str, Any], ...]
"""Options with their values that are wanted together: two, or one alone."""


MOST_CHANGES = 3
"""So many other options are given another value than their default, so that two values that do not go with it can be tried."""


class _Again(Struct):
    """Makes settings of what is left, and learns from those that are excluded which values do not go together."""

    values: Mapping[str, Sequence[Any]]
    defaults: Setting
    conflicts: list[Setting] = []
    alone: bool = False

    def row(self, left: Sequence[Group]) -> Setting:
        """The first group, and as many others as go with it, by what is known; the first with nothing else, if that was in vain."""
        first = dict(left[0])
        row = self._mended(first) if not self.alone else None
        if row is None:
            return first
        for group in left[1:]:
            more = {**row, **dict(group)}
            if all(row.get(option, value) == value for option, value in group) and self._clash(more) is None:
                row = more
        return row

    def learns(self, row: Setting, first: Group, conflict: Setting) -> bool:
        """Is there another way to try the first group than in this row, which is excluded for these values?"""
        others = row != dict(first)
        self.alone = others and (not conflict or conflict in self.conflicts)
        self.conflicts += [conflict] if conflict and conflict not in self.conflicts else []
        return others

    def _mended(self, row: Setting, changes: int = MOST_CHANGES) -> Setting | None:
        """With other values for options whose defaults do not go with the rest; None if none are known to go."""
        clash = self._clash(row)
        if clash is None or not changes:
            return row if clash is None else None
        changed = ({**row, option: value} for option in clash if option not in row for value in self.values[option])
        found = (self._mended(other, changes - 1) for other in changed)
        return next((other for other in found if other is not None), None)

    def _clash(self, row: Setting) -> Setting | None:
        whole = {**self.defaults, **row}
        return next((found for found in self.conflicts if whole.items() >= found.items()), None)


def _left(lost: Iterable[Setting], kept: Iterable[Setting], own: Collection[str] | None) -> list[Group]:
    """Return the pairs that lost settings would cover and no kept setting covers."""
    covered = {group for row in kept for group in _wanted(row, own)}
    return [group for group in dict.fromkeys(g for row in lost for g in _wanted(row, own)) if group not in covered]


def _wanted(row: Setting, own: Collection[str] | None) -> Iterator[Group]:
    if own is not None:
        yield from ((choice,) for choice in row.items())
    yield from (pair for pair in combinations(row.items(), 2) if own is None or any(name in own for name, _ in pair))


def _try(base: Game, name: str, options: Setting, games: int, seed: int, most: int) -> Tried:
    found = Tried(options)
    try:
        game = load(name, options)
    except Refused as refused:
        broken = next((d for d in refused.diagnostics if d.code == EXCLUDED), None)
        if broken is not None:
            found.excluded, found.conflict = broken.message, _conflict(base, broken.span, options)
        else:
            found.troubles.append(Trouble("load", _cause(refused), seed))
        return found
    for index in range(games):
        _play(game, seed + index, most, found)
    return found


def _conflict(base: Game, place: Span | None, options: Setting) -> Setting:
    """The values of the options that the constraint at this place looks at, as far as can be told."""
    expr = next((c.expr for c in base.ruleset.constraints.values() if c.span == place), None)
    named = list_options_in(list(walk_all(expr))) if expr is not None else set()
    return {option: value for option, value in {**base.options, **options}.items() if option in named}


def _cause(refused: Refused) -> Said:
    """Return the error that makes a setting unusable, without warnings beside it."""
    return in_all("trouble.cause", code=refused.cause.code, message=refused.cause.message)


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


def _to_the_end(game: Game, core: Core, seed: int, most: int, found: Tried) -> tuple[str, Said] | None:
    """Random moves until the game is over; what went wrong. Raises Refused for a fault of the ruleset."""
    pick = Chance.stream(seed, 0, PLAYER).below
    pieces = _pieces(core)
    for _ in range(most):
        if core.over:
            return None if _pieces(core) == pieces else ("pieces", in_all("trouble.pieces"))
        found.decisions += 1
        game.machine.play(core, core.acts[pick(len(core.acts))] if len(core.acts) > 1 else core.acts[0])
    return "unfinished", in_all("trouble.unfinished", most=in_figures(most))


def _pieces(core: Core) -> Counter[int]:
    """How many there are of each class, whatever their faces."""
    return Counter(piece >> 1 for pile in core.piles for piece in pile)
