"""Why a move is not legal, in French: no name of the ruleset, and no formula."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from games import FEW, game
from tiers import in_tiers, sized

import hoyle
from hoyle import State
from hoyle.cli.commands.validate import Dependencies
from hoyle.game.moves.legal import list_actions
from hoyle.language.evaluate import walk_all
from hoyle.language.model import Ruleset
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import make_look
from hoyle.presentation.play_text import format_reasons
from hoyle.resources import shipped

_NAME = re.compile(r"[a-z_]{3,}")


def _leaves(node: Any, french: bool) -> Iterator[str]:
    """The French texts in a file: all of one of French words, else those under `fr`."""
    if isinstance(node, str) and french:
        yield node
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from _leaves(value, french or key == "fr")


def _french(name: str) -> set[str]:
    """All French words in the catalogues, in the game and in what it is built on."""
    package = Path(hoyle.__file__).parent
    found = set[str]()
    for path in [
        package / "language" / "fr.json",
        package / "presentation" / "fr.json",
        *Dependencies().find([shipped()[name]]),
    ]:
        tree = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for text in _leaves(tree, ".fr." in path.name or path.name == "fr.json"):
            found.update(_NAME.findall(text.casefold()))
    return found


def _english(rules: Ruleset, french: set[str]) -> set[str]:
    """The names in the conditions of moves, and their own, that are no French words."""
    conditions = [c for move in rules.moves.values() for c in move.conditions]
    written = [e.span.text for c in conditions for e in walk_all(c.expr)]
    own = [*(c.name for c in conditions), *rules.obligations, *rules.moves, *rules.state, *rules.piles]
    return {word for text in (*written, *own) for word in _NAME.findall(text)} - french


def _illegal(state: State, pick: Random) -> Iterator[str]:
    """At most two illegal moves of each name."""
    inside, core = state.game.compiled, state.core
    legal = {move.id for move in state.moves()}
    for move in inside.machine.points[core.pc].moves:
        every = [inside.namer.move_id(move, action, core.actor) for action in list_actions(inside, core, move)]
        others = [one for one in every if one not in legal]
        yield from pick.sample(others, min(2, len(others)))


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", in_tiers(sorted({*FEW, "hearts", "klondike", "spades", "grabuge"}), whole=["backgammon"])
)
def test_reasons_in_french_have_no_english(name: str) -> None:
    state, pick = game(name).start(3), Random(1)
    foreign = _english(state.game.ruleset, _french(name))
    with use_language("fr"):
        look = make_look(state.game)
        for _ in range(sized(8, 25)):
            if state.is_over:
                break
            for move in _illegal(state, pick):
                told = " ".join(format_reasons(state.why(move), look))
                said = re.sub(r"\[[^]]*\]", "", told)
                assert not foreign & {*_NAME.findall(said)}, told
                assert " = " not in said
            state = state.play(pick.choice(state.moves()))
