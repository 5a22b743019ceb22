"""Events and sheets of whole games: both engines tell the same, and each game tells the ends of its tricks and deals."""

from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from games import game as shipped_game
from games import originals
from rules import change_rules

from hoyle import State
from hoyle.language.steps import Ends, every_step


@pytest.mark.slow
@with_compiler
def test_both_engines_tell_the_same(tmp_path: Path) -> None:
    steps = [
        "pairs: {score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'}",
        "goods: {for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)}",
        "hidden: {score: 2, to: me, of: hand of B}",
        "shown: {say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'}",
        "trick: {by: B, ends: trick}",
        "deal: {ends: deal}",
    ]
    game = change_rules("game/counts", tmp_path, {"FACE": "up", "STEP": f"do: {{{', '.join(steps)}}}"})
    assert difference(game, engine_of(game), 1) is None


@pytest.mark.slow
def test_every_game_of_tricks_tells_their_winners_and_the_ends_of_deals() -> None:
    for name in originals():
        game = shipped_game(name)
        phases = game.ruleset.phases
        steps = every_step(step for phase in phases.values() for step in phase.steps)
        ends = {step.verb.what for step in steps if isinstance(step.verb, Ends)}
        if ("play the tricks", False) in phases or ("play the tricks", True) in phases:
            assert ends == {"trick", "deal"}, name
        if ("deal", False) in phases or ("deal", True) in phases:
            assert "deal" in ends or len(game.seats) == 1, name


@pytest.mark.slow
def test_every_game_with_deals_has_a_sheet_or_a_track() -> None:
    for name in originals():
        one = shipped_game(name)
        steps = every_step(step for phase in one.ruleset.phases.values() for step in phase.steps)
        if any(isinstance(step.verb, Ends) and step.verb.what == "deal" for step in steps):
            core, _ = one.machine.playout(1, 0, log=True, most=3000)
            view = State(one, core).view(None)
            is_scored = any(event[0] == "score" for event in core.log or ())
            is_shown = any(sheet.totals for sheet in view.sheets) or any(item.track for item in view.state)
            assert is_shown or not is_scored, name
