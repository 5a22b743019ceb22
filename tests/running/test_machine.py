"""The loop: games of random moves, stopped or not, and states before the first step."""

from __future__ import annotations

from pathlib import Path

import pytest
from faults import quiet

from interpreter import Game, load
from interpreter.diagnostics import Refused
from interpreter.running import machine
from interpreter.running.chance import PLAYER, Chance

SCENES = Path(__file__).parents[1] / "game" / "scenes"
LADDER, CABINET = load(SCENES / "ladder.yaml"), load(SCENES / "cabinet.yaml")


@pytest.mark.parametrize(
    ("most", "decisions", "over"), [(0, 0, False), (5, 5, False), (29, 29, False), (30, 30, True), (99, 30, True)]
)
def test_a_game_of_random_moves_may_be_stopped(most: int, decisions: int, over: bool) -> None:
    core, count = LADDER.machine.playout(3, 0, log=True, most=most)
    assert (count, core.over) == (decisions, over)
    assert sum(1 for event in core.log or () if event[0] == "move") == decisions


def test_its_moves_follow_from_the_seed() -> None:
    """Whoever moves at random has a stream of its own; where there is one move nothing is drawn."""
    state, pick = LADDER.start(3), Chance.stream(3, 0, PLAYER)
    while not state.is_over:
        legal = state.moves()
        state = state.play(legal[pick.below(len(legal)) if len(legal) > 1 else 0])
    assert state == LADDER.playout(3)
    assert state != LADDER.playout(3, 1)


def test_before_the_first_step_everything_is_at_home() -> None:
    machine = LADDER.machine
    core = machine.fresh(Chance.stream(1))
    heap = machine.homes[0]
    assert core.piles[heap] == [2 * kind for kind in range(12)], "face down, each piece once"
    assert [pile for number, pile in enumerate(core.piles) if number != heap] == [[]] * (len(machine.face))
    assert (core.over, core.acts, core.log) == (False, [], None)


@pytest.mark.parametrize("game", [LADDER, CABINET], ids=lambda game: game.name)
def test_what_happens_does_not_hang_on_its_being_noted(game: Game) -> None:
    (noted, count), (silent, same) = (game.machine.playout(3, log=log) for log in (True, False))
    assert (silent.key(), same, silent.log) == (noted.key(), count, None)
    start = game.machine.start(Chance.stream(4))
    game.machine.play(start, start.acts[0])
    assert start.log is None


@pytest.mark.parametrize(("most", "refused"), [(4000, False), (50, True)])
def test_blocks_that_run_without_a_decision_come_to_an_end(
    most: int, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(quiet(tmp_path)).start()
    monkeypatch.setattr(machine, "MOST_BLOCKS", most)
    if not refused:
        ended = state.play("pass")
        assert ended.is_over and [len(e.data["roll"]) for e in ended.events if e.kind == "roll"] == [2] * 180
        return
    with pytest.raises(Refused) as found:
        state.play("pass")
    (told,) = found.value.diagnostics
    assert (told.code, told.message) == ("R906", "nobody has had anything to decide for 50 steps")
    assert told.span is not None and told.span.source.name.endswith("quiet.yaml")
    assert (told.span.line, told.notes[0]) == (13, "`game / many` goes round and round")


def test_the_loop_that_goes_round_is_named_and_where_nothing_is_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The innermost loop, not those around it; decisions that are reached, and no others."""
    (tmp_path / "passed.yaml").write_text(NOTHING_POSSIBLE, encoding="utf-8")
    state = load(tmp_path / "passed.yaml").start()
    monkeypatch.setattr(machine, "MOST_BLOCKS", 500)
    with pytest.raises(Refused) as found:
        state.play("lay")
    (told,) = found.value.diagnostics
    assert told.span is not None and told.span.source.text[told.span.start : told.span.end] == "turns"
    assert told.notes[:2] == (
        "`game / often / all` goes round and round",
        "nothing is possible in `round / a die`, `round / inner / inside / end it`",
    )
    assert "passed over" in told.help


@pytest.mark.parametrize(
    ("then", "legal"),
    [
        ("set: {kept: 1}", ["take two", "take three"]),
        ("shuffle: left", ["take three"]),
        ("lots: players, into: lucky", ["take three"]),
        ("roll: 1, from: left, to: left", ["take three"]),
    ],
)
def test_nobody_looks_further_ahead_than_chance(then: str, legal: list[str], tmp_path: Path) -> None:
    (tmp_path / "aims.yaml").write_text(TURN.replace("THEN", then), encoding="utf-8")
    assert [move.id for move in load(tmp_path / "aims.yaml").start().moves()] == legal
