"""What can be said only of a whole ruleset: things nobody uses, fills, offers or reaches, and what a formula costs."""

from __future__ import annotations

from interpreter.check.flow import FlowChecker
from interpreter.check.world import World
from interpreter.merge import Merged
from interpreter.model import Ruleset
from interpreter.tree import Node


def check_whole(found: Ruleset, world: World, flow: FlowChecker, root: Node, merged: Merged) -> None:
    """Adds problems to the world."""
