"""The value of a formula in a worked example: the position is set up, and the moves before it are made."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.checking import build
from hoyle.diagnostics import Refused
from hoyle.editor.desk import Analysis, own_tree
from hoyle.editor.looking import Spot
from hoyle.game.examples import Runner
from hoyle.game.game import Game, State
from hoyle.game.ready import compiled
from hoyle.reading.opened import unsaved
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node

_ASKED = ("values", "state")
"""Under these keys of an example formulas stand as names."""


def value_posed(analysis: Analysis, found: Spot, lang: str) -> str | None:
    """What the formula there is worth in the example that it stands in; None where none does, or it cannot be told."""
    path = found.path
    if path[:1] != ("examples",) or len(path) < 4 or path[-2] not in _ASKED or found.node is None or not found.on_key:
        return None
    try:
        with unsaved(analysis.texts):
            return _state(analysis, path).value(found.node.raw).text(lang)
    except (Refused, LookupError):
        return None


def _state(analysis: Analysis, path: Path) -> State:
    """The state that the expectation at this path is about. Raises Refused."""
    tree = own_tree(analysis.path, analysis.texts)
    assert tree is not None
    node = tree["examples"][str(path[1])]
    runner = Runner(lambda options: Game(compiled(*build.ruleset(analysis.path, options)), engine="python"))
    state = runner.start(node)
    if path[2] == "given":
        return state
    for move in _moves(node, path[2:]):
        state = state.play(move)
    return state


def _moves(node: Node, path: Path) -> Iterator[str]:
    """The moves that are made before what stands at the path holds."""
    for item in node.items_of("moves"):
        yield from (text.strip() for text in item.raw.split(";"))
    if path[0] == "after":
        yield from (text.strip() for text in str(path[1]).split(";"))
        yield from _moves(node["after"][str(path[1])], path[2:])
