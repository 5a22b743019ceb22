"""Pieces that are told along, and that nobody is ever shown: they lie face down for all, and nothing turns them up."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.checking.reads import roots
from hoyle.checking.world import World
from hoyle.language.ir import Expr
from hoyle.language.kinds import families_of
from hoyle.language.model import Ruleset
from hoyle.language.sentences import said
from hoyle.language.steps import Say, Score, Turn, every_step
from hoyle.reading.tree import Node


def check_covered(found: Ruleset, world: World, root: Node) -> None:
    """Of the file's own steps."""
    turned = {name for turn in _turned_up(found) for name in families_of(turn.pile.kind)}
    for of in _told_along(found):
        names = sorted(families_of(of.kind))
        covered = all(found.piles[name].face in ("down", "owner") for name in names) and turned.isdisjoint(names)
        if names and covered and of.span.shares_file(root.span):
            shown = ", ".join(f"`{name}`" for name in names)
            message = said("covered.nobody_told", shown=shown)
            help = said("covered.face_up")
            world.problems.add("R573", message, of.span, help=help)


def _turned_up(found: Ruleset) -> Iterator[Turn]:
    for steps in roots(found):
        yield from (s.verb for s in every_step(steps) if isinstance(s.verb, Turn) and s.verb.up)


def _told_along(found: Ruleset) -> Iterator[Expr]:
    for steps in roots(found):
        for step in every_step(steps):
            if isinstance(step.verb, Score | Say) and step.verb.of is not None:
                yield step.verb.of
