"""Write every ruleset as C, and play it alike: those below `tests` say what no shipped game does."""

from functools import cache
from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from games import names
from tiers import sized

from hoyle import Game, Refused, load
from hoyle.compiling.game import lower_ruleset
from hoyle.native.layout import Untranslatable
from hoyle.native.unit import write_unit

TESTS = Path(__file__).parent.parent
LOADED = 50
"""The least number of rulesets below `tests` that load; the others are there for their errors."""


@cache
def loaded(name: str) -> Game | None:
    try:
        return load(TESTS / name if name.endswith(".yaml") else name, engine="python")
    except Refused:
        return None


@cache
def rulesets() -> list[str]:
    every = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.yaml"))
    found = [name for name in every if loaded(name) is not None]
    assert len(found) >= LOADED
    return found


def refused(name: str) -> str:
    """The reason why a ruleset cannot be written as C, if there is one."""
    game = loaded(name)
    assert game is not None
    try:
        write_unit(lower_ruleset(game.ruleset))
    except Untranslatable as why:
        return str(why)
    return ""


def differing(name: str) -> list[object]:
    """The first differences of two random games, in a plain run of one."""
    game = loaded(name)
    assert game is not None
    native = engine_of(game)
    return [told for seed in (1, 2)[: sized(1, 2)] if (told := difference(game, native, seed)) is not None]


@pytest.mark.parametrize("name", ["compiling/flow/removed.yaml"])
def test_a_ruleset_can_be_written_as_c(name: str) -> None:
    assert refused(name) == ""


@pytest.mark.slow
def test_every_ruleset_can_be_written_as_c() -> None:
    every = [*rulesets(), *(name for name, _ in names())]
    assert {name: why for name in every if (why := refused(name))} == {}


@pytest.mark.whole
@with_compiler
def test_a_ruleset_of_lists_is_played_alike() -> None:
    assert differing("native/nested.yaml") == []


@pytest.mark.slow
@with_compiler
def test_every_ruleset_is_played_alike() -> None:
    assert {name: told for name in rulesets() if (told := differing(name))} == {}
