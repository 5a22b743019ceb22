"""Verbs that move pieces, and the machine: random games, endless loops, and errors of running games."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from english import left_in_english
from faults import CASES, FAULTS, quiet, ruleset
from rules import change_rules, load_rules
from tiers import sized

from hoyle import Game, State, load
from hoyle.diagnostics import Refused
from hoyle.language.ir import ABSENT
from hoyle.running import machine
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Machine
from hoyle.running.state import Core
from hoyle.running.verbs import Tally, Verbs

Piles = list[list[int]]
Step = Callable[[Verbs, Core, Random], None]


@pytest.fixture(params=["face: top up", ""])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    return change_rules("running/places", tmp_path, {"TOP UP": request.param}).machine


def anywhere(machine: Machine, chance: Random) -> Piles:
    """Every piece in some pile, on either face."""
    piles: Piles = [[] for _ in (*machine.face, ...)]
    pieces = [2 * kind + chance.randrange(2) for kind, copies in enumerate(machine.copies) for _ in range(copies)]
    for piece in chance.sample(pieces, len(pieces)):
        piles[chance.randrange(len(machine.face))].append(piece)
    return piles


def somewhere(s: Core, chance: Random) -> int:
    return chance.randrange(len(s.piles) - 1)


def some_piece(chance: Random) -> int:
    return chance.randint(ABSENT, 2 * 4 - 1)


def one_piece(verbs: Verbs, s: Core, chance: Random) -> None:
    verbs.move_piece(s, some_piece(chance), somewhere(s, chance), somewhere(s, chance), 0)


def one_spared(verbs: Verbs, s: Core, chance: Random) -> None:
    verbs.spare_piece(s, some_piece(chance), somewhere(s, chance), somewhere(s, chance), 0)


def several_pieces(verbs: Verbs, s: Core, chance: Random) -> None:
    pieces, sources = [some_piece(chance) for _ in range(3)], [somewhere(s, chance) for _ in range(2)]
    verbs.move_pieces(s, pieces, sources, somewhere(s, chance), chance.randint(-1, 3), 0)


def the_top(verbs: Verbs, s: Core, chance: Random) -> None:
    source, target = somewhere(s, chance), somewhere(s, chance)
    verbs.move_top(s, source, chance.randint(-1, 3), target, chance.random() < 0.5, 0)


def after(
    machine: Machine, piles: Piles, step: Step, seed: int, noted: bool = False, lent: bool = False
) -> Piles | str:
    """The piles after a step, or why it is refused. `lent`: they are another state's."""
    core = machine.fresh(Chance.stream(0))
    core.piles, core.log = piles[:] if lent else [pile[:] for pile in piles], [] if noted else None
    try:
        step(Verbs(machine), core, Random(seed))
    except Refused as refused:
        return refused.diagnostics[0].message
    assert Counter(p >> 1 for pile in core.piles for p in pile) == Counter(p >> 1 for pile in piles for p in pile)
    return core.piles


@pytest.mark.parametrize("step", [one_piece, several_pieces, the_top])
def test_a_log_changes_nothing(step: Step, places: Machine) -> None:
    refused = 0
    for seed in range(sized(100, 1000)):
        piles = anywhere(places, Random(seed))
        found = after(places, piles, step, seed)
        assert found == after(places, piles, step, seed, noted=True), (seed, piles)
        refused += found == "more than 2 pieces would lie in `few`"
    assert refused > 1


def test_piles_shared_with_another_state_stay_as_they_are(places: Machine) -> None:
    for seed in range(sized(100, 1000)):
        piles = anywhere(places, Random(seed))
        before = [pile[:] for pile in piles]
        found = after(places, piles, one_spared, seed, lent=True)
        assert found == after(places, before, one_piece, seed), (seed, before)
        assert piles == before


def test_zero_points_are_not_logged_nor_bounded(places: Machine) -> None:
    core = places.fresh(Chance.stream(0))
    core.cells[0], core.log = 5, []
    verbs, tally = Verbs(places), Tally(6, 9, 0, 0)
    verbs.score(core, 0, 0, 0, None, tally)
    assert (core.cells[0], core.log) == (5, [])
    verbs.score(core, 1, 0, 0, None, tally)
    assert (core.cells[0], core.log) == (6, [("score", 1, 0, 0, 0, None)])
    with pytest.raises(Refused):
        verbs.score(core, 4, 0, 0, None, tally)


def test_nothing_is_taken_back_without_an_earlier_position(places: Machine) -> None:
    core = places.fresh(Chance.stream(0))
    core.log, before = [], core.key()
    Verbs(places).take_back(core)
    assert (core.key(), core.log) == (before, [])


@pytest.fixture
def ladder() -> Game:
    return load_rules("game/ladder")


@pytest.mark.parametrize(
    ("most", "decisions", "over"), [(0, 0, False), (5, 5, False), (29, 29, False), (30, 30, True), (99, 30, True)]
)
def test_a_random_game_may_be_stopped(ladder: Game, most: int, decisions: int, over: bool) -> None:
    core, count = ladder.machine.playout(3, 0, log=True, most=most)
    assert (count, core.over) == (decisions, over)
    assert sum(1 for event in core.log or () if event[0] == "move") == decisions


def test_a_random_game_follows_from_its_seed(ladder: Game) -> None:
    """Moves are drawn from a stream of their own; nothing is drawn for a single move."""
    state, pick = ladder.start(3), Chance.stream(3, 0, PLAYER)
    while not state.is_over:
        legal = state.moves()
        state = state.play(legal[pick.below(len(legal)) if len(legal) > 1 else 0])
    assert state == ladder.playout(3)
    assert state != ladder.playout(3, 1)


def test_before_the_first_step_all_pieces_are_at_home(ladder: Game) -> None:
    machine = ladder.machine
    core = machine.fresh(Chance.stream(1))
    heap = machine.homes[0]
    assert core.piles[heap] == [2 * kind for kind in range(12)], "face down, each piece once"
    assert [pile for number, pile in enumerate(core.piles) if number != heap] == [[]] * (len(machine.face))
    assert (core.over, core.acts, core.log) == (False, [], None)


@pytest.mark.parametrize("name", ["ladder", "cabinet"])
def test_a_game_is_the_same_without_a_log(name: str) -> None:
    game = load_rules(f"game/{name}")
    (noted, count), (silent, same) = (game.machine.playout(3, log=log) for log in (True, False))
    assert (silent.key(), same, silent.log) == (noted.key(), count, None)
    start = game.machine.start(Chance.stream(4))
    game.machine.play(start, start.acts[0])
    assert start.log is None


@pytest.mark.parametrize(("most", "refused"), [(4000, False), (50, True)])
def test_steps_without_a_decision_are_bounded(
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
    assert (told.span.line, told.notes[0]) == (12, "`game / many` goes round and round")


def test_an_endless_loop_is_named_and_the_decisions_without_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The innermost loop, and only decisions that were reached."""
    monkeypatch.setattr(machine, "MOST_BLOCKS", 500)
    with pytest.raises(Refused) as found:
        load_rules("running/passed").start().play("lay")
    (told,) = found.value.diagnostics
    assert told.span is not None and told.span.source.text[told.span.start : told.span.end] == "turns"
    assert told.notes[:2] == (
        "`game / often / all` goes round and round",
        "nothing is possible in `round / a die`, `round / inner / inside / end it`",
    )
    assert "passed over" in told.help


def played_out(state: State) -> None:
    while not state.is_over:
        state = state.play(state.moves()[0].id)


@pytest.mark.parametrize(("step", "code", "blamed", "message"), FAULTS)
def test_a_step_is_refused(step: str, code: str, blamed: str | None, message: str, tmp_path: Path) -> None:
    state = load(ruleset(step, code, tmp_path)).start()
    with pytest.raises(Refused) as refused:
        played_out(state)
    first = refused.value.diagnostics[0]
    assert not left_in_english(refused.value.diagnostics)
    assert (first.code, first.message) == (code, message)
    assert (first.span.text if first.span else None) == blamed


@pytest.mark.parametrize("step", CASES["right"])
def test_a_step_within_the_bounds_runs(step: str, tmp_path: Path) -> None:
    assert load(ruleset(step, "", tmp_path)).start().play("go").to_act == "B"
