"""Whatever an author's ruleset says can be written as C, and is played alike: all rulesets below `tests`, which say what no shipped game does."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from tiers import in_tiers

from interpreter import Game, Refused, load
from interpreter.compiling.game import lowered
from interpreter.native.forms import Untranslatable
from interpreter.native.unit import unit

TESTS = Path(__file__).parent.parent
RULESETS = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.yaml"))
QUICK = ["native/nested.yaml", "compiling/code.yaml", "checking/models/sums.yaml"]
QUICK += ["compiling/flow/obligations.yaml", "compiling/flow/decisions.yaml"]
"""Together they come through nearly all that writes C."""
FEW = ["checking/diagnostics/always-the-same.yaml", "compiling/flow/removed.yaml"]
FEW += ["game/scenes/cabinet.yaml", "game/scenes/ladder.yaml", "game/scenes/together.yaml"]
LOADED = 50
"""At least so many of them load; the others are there for what is told of them."""


@cache
def loaded(name: str) -> Game | None:
    try:
        return load(TESTS / name, engine="python")
    except Refused:
        return None


def refused(name: str) -> str:
    """Why a ruleset cannot be written as C."""
    game = loaded(name)
    assert game is not None
    try:
        unit(lowered(game.ruleset))
    except Untranslatable as why:
        return str(why)
    return ""


@pytest.mark.parametrize("name", ["native/nested.yaml", "compiling/flow/removed.yaml"])
def test_a_ruleset_can_be_written_as_c(name: str) -> None:
    assert refused(name) == ""


@pytest.mark.slow
def test_every_ruleset_can_be_written_as_c() -> None:
    found = {name: refused(name) for name in RULESETS if loaded(name) is not None}
    assert len(found) >= LOADED
    assert {name: why for name, why in found.items() if why} == {}


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", in_tiers([*QUICK, *FEW], quick=QUICK[::2], whole=FEW[:1]))
def test_a_ruleset_is_played_alike(name: str) -> None:
    assert differing(name) == []


@with_compiler
@pytest.mark.slow
def test_every_ruleset_is_played_alike() -> None:
    found = [name for name in RULESETS if loaded(name) is not None]
    assert len(found) >= LOADED
    assert {name: told for name in found if (told := differing(name))} == {}


def differing(name: str) -> list[object]:
    """The first differences of two games."""
    game = loaded(name)
    assert game is not None
    native = engine_of(game)
    return [told for seed in (1, 2) if (told := difference(game, native, seed)) is not None]
