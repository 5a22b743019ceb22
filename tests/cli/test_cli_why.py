"""Why not, in French: a sentence, and below it values of what has a French name; nothing that only who writes rules could read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from games import FEW, game, names
from tiers import in_tiers

from interpreter import State
from interpreter.cli.catalogue import speaking
from interpreter.cli.drawing.lines import look_of, why_lines
from interpreter.game.bindings import actions_of
from interpreter.language.evaluate import everything
from interpreter.language.model import Ruleset
from interpreter.resources import shipped

DECISIONS, OF_A_MOVE = 25, 2
"""So many decisions of a random game are looked at, and so many illegal moves of each sort there."""
_NAME = re.compile(r"[a-z_]{3,}")


def _leaves(node: Any, french: bool) -> Iterator[str]:
    """The French texts in a file: all of one of French words, else those that stand under `fr`."""
    if isinstance(node, str) and french:
        yield node
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from _leaves(value, french or key == "fr")


@cache
def _french() -> frozenset[str]:
    """All words of French that stand anywhere."""
    room = Path(__file__).parents[2] / "interpreter"
    files = [room / "language" / "fr.json", room / "cli" / "fr.json"]
    for path in shipped().values():
        files += [path, path.with_suffix(".fr.yaml")]
    texts = (
        leaf
        for path in files
        if path.exists()
        for leaf in _leaves(
            yaml.safe_load(path.read_text(encoding="utf-8")), ".fr." in path.name or path.name == "fr.json"
        )
    )
    return frozenset(word for text in texts for word in _NAME.findall(text.casefold()))


def _english(rules: Ruleset) -> set[str]:
    """The names in the conditions of moves, and their own, that are no French words."""
    conditions = [c for move in rules.moves.values() for c in move.conditions]
    written = [e.span.text for c in conditions for e in everything(c.expr)]
    own = [*(c.name for c in conditions), *rules.obligations, *rules.moves, *rules.state, *rules.piles]
    return {word for text in (*written, *own) for word in _NAME.findall(text)} - _french()


def _illegal(state: State, pick: Random) -> Iterator[str]:
    inside, core = state.game.compiled, state.core
    legal = {move.id for move in state.moves()}
    for move in inside.machine.points[core.pc].moves:
        every = [inside.namer.move_id(move, action, core.actor) for action in actions_of(inside, core, move)]
        others = [one for one in every if one not in legal]
        yield from pick.sample(others, min(OF_A_MOVE, len(others)))


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], FEW[:2], FEW[2:3]))
def test_who_reads_french_is_told_nothing_in_english(name: str) -> None:
    state, pick = game(name).start(3), Random(1)
    foreign = _english(state.game.ruleset)
    with speaking("fr"):
        look = look_of(state.game)
        for _ in range(DECISIONS):
            if state.is_over:
                break
            for move in _illegal(state, pick):
                told = " ".join(why_lines(state.why(move), look))
                said = re.sub(r"\[[^]]*\]", "", told)
                assert not foreign & {*_NAME.findall(said)}, told
                assert " = " not in said
            state = state.play(pick.choice(state.moves()))
