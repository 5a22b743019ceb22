"""Test every pair of option values: choose settings that together contain each pair, and play random games in them.

The settings are a covering array of strength two. Most faults of software depend on at most two parameters (Kuhn, Kacker
and Lei, Practical Combinatorial Testing, NIST SP 800-142, 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import Any

from msgspec import Struct

from hoyle.checking.sections.options import EXCLUDED, list_options_in
from hoyle.diagnostics import LocalizedText, Refused, Span
from hoyle.game.game import Game, State, load
from hoyle.language.evaluate import walk_all
from hoyle.language.model import Option
from hoyle.language.sentences import localize_integer, make_sentence
from hoyle.language.value_types import BOOL, get_bounds
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import Core

Setting = dict[str, Any]


class Trouble(Struct):
    """A failed game. `state` is its last state.

    `kind` is
    load         the ruleset cannot be loaded
    fault        the ruleset has an error during play
    unfinished   the game reaches the limit of decisions
    pieces       pieces appeared or disappeared
    """

    kind: str
    message: LocalizedText
    seed: int
    state: State | None = None


class Tried(Struct):
    """Result of one setting: games played and troubles found.

    If a constraint excludes the setting, `excluded` is its message and `conflict` the options it uses.
    """

    options: Setting
    games: int = 0
    decisions: int = 0
    troubles: list[Trouble] = []
    excluded: str = ""
    conflict: Setting = {}


def list_values(game: Game) -> dict[str, list[Any]]:
    """Return the values of each option to test.

    All choices are tested. A range is tested at both ends and at the default, or in the middle if the default is an end.
    """
    found = {name: _values(option) for name, option in game.ruleset.options.items()}
    counts = game.ruleset.may_play
    return {**found, "players": list(counts)} if len(counts) > 1 else found


def _values(option: Option) -> list[Any]:
    if option.choices:
        return list(option.choices)
    if option.type == BOOL:
        return [False, True]
    low, high = get_bounds(option.type)
    inside = option.default if low < option.default < high else (low + high) // 2
    return sorted({low, inside, high})


def list_settings(values: Mapping[str, Sequence[Any]]) -> list[Setting]:
    """Return few settings that together contain every pair of values of two options."""
    several = {name: list(found) for name, found in values.items() if len(found) > 1}
    if len(several) < 2:
        return [{name: value} for name, found in several.items() for value in found] or [{}]
    from allpairspy import AllPairs

    return [dict(zip(several, row, strict=True)) for row in AllPairs(list(several.values()))]


def list_variant_settings(values: Mapping[str, Sequence[Any]], own: Collection[str]) -> list[Setting]:
    """Return few settings of a variant with every value, and every pair that involves an option of `own`."""
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
    """Play `games` random games in each setting and yield the results. Raises Refused if the ruleset itself is wrong.

    Pairs that occur only in excluded settings are tried again in other settings, in which other options have their
    defaults if possible. A pair that no setting allows is yielded alone, as excluded.

    `own` lists the options of a variant whose pairs are tested. The values of its other options each occur at least once;
    the parent ruleset tests their pairs.
    """
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
"""Values that a setting must contain: of two options, or of one."""


MOST_CHANGES = 3
"""Maximum number of other options that get a value other than their default to make a pair possible."""


class _Again(Struct):
    """Builds settings for the groups that are left, and learns conflicting values from excluded settings."""

    values: Mapping[str, Sequence[Any]]
    defaults: Setting
    conflicts: list[Setting] = []
    alone: bool = False

    def row(self, left: Sequence[Group]) -> Setting:
        """Return a setting with the first group and as many others as have no known conflict.

        It has the first group alone if no such setting is known or the last one failed without a new conflict.
        """
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
        """Record why a setting is excluded. Return whether its first group can be tried in another setting."""
        others = row != dict(first)
        self.alone = others and (not conflict or conflict in self.conflicts)
        self.conflicts += [conflict] if conflict and conflict not in self.conflicts else []
        return others

    def _mended(self, row: Setting, changes: int = MOST_CHANGES) -> Setting | None:
        """Return the setting with other values for options in known conflicts; None if no such values are found."""
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
    """Return the groups that excluded settings would cover and no other setting covers."""
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
    """Return the values of the options that the constraint at `place` uses; empty if it is not found."""
    expr = next((c.expr for c in base.ruleset.constraints.values() if c.span == place), None)
    named = list_options_in(list(walk_all(expr))) if expr is not None else set()
    return {option: value for option, value in {**base.options, **options}.items() if option in named}


def _cause(refused: Refused) -> LocalizedText:
    """Return the error that makes a setting unusable, without warnings."""
    return make_sentence("trouble.cause", code=refused.cause.code, message=refused.cause.message)


def _play(game: Game, seed: int, most: int, found: Tried) -> None:
    """Play one random game: the same as `hoyle play --seats random,…` with this seed."""
    core = Core(Chance.stream(seed))
    try:
        core = game.machine.start(Chance.stream(seed), log=True)
        trouble = _to_the_end(game, core, seed, most, found)
    except Refused as refused:
        trouble = ("fault", _cause(refused))
    found.games += 1
    if trouble is not None:
        found.troubles.append(Trouble(*trouble, seed, State(game, core)))


def _to_the_end(game: Game, core: Core, seed: int, most: int, found: Tried) -> tuple[str, LocalizedText] | None:
    """Play random moves until the game is over. Return the trouble, or None. Raises Refused for an error of the ruleset."""
    pick = Chance.stream(seed, 0, PLAYER).below
    pieces = _pieces(core)
    for _ in range(most):
        if core.over:
            return None if _pieces(core) == pieces else ("pieces", make_sentence("trouble.pieces"))
        found.decisions += 1
        game.machine.play(core, core.acts[pick(len(core.acts))] if len(core.acts) > 1 else core.acts[0])
    return "unfinished", make_sentence("trouble.unfinished", most=localize_integer(most))


def _pieces(core: Core) -> Counter[int]:
    """Return the number of pieces of each class, face up or down."""
    return Counter(piece >> 1 for pile in core.piles for piece in pile)
