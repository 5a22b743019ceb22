"""Ways to win for a seat that plays alone: that they win, and that both engines find the same."""

import random
from typing import Any

import pytest
from engines import engine, engine_of, with_compiler
from games import game
from rules import load_rules
from small_games import LOST, WINNABLE, nearly_won, stones

from hoyle import State
from hoyle.game.views.redaction import redact
from hoyle.native import search_drivers
from hoyle.players import bots
from hoyle.players.bots import SearchPlayer
from hoyle.players.search import ismcts, win_search
from hoyle.players.search.win_search import decide_winnable, find_win
from hoyle.running.chance import Chance
from hoyle.running.outcomes import Bounds, Line, Sought
from hoyle.running.state import Core


def played(state: State, choices: tuple[int, ...]) -> State:
    one, core, left = state.game, state.core.copy(), [*reversed(choices)]
    while left:
        one.machine.play(core, core.acts[left.pop() if len(core.acts) > 1 else 0])
    while not core.over and len(core.acts) == 1:
        one.machine.play(core, core.acts[0])
    return State(one, core)


def walked(name: str, seed: int, decisions: int) -> Core:
    """So many random decisions into a game, or fewer if nothing is left to choose soon."""
    core, choose = game(name).machine.start(Chance.stream(seed)), random.Random(seed).choice
    for _ in range(decisions):
        after = core.copy()
        game(name).machine.play(after, choose(after.acts))
        if after.over or len(after.acts) < 2:
            break
        core = after
    return core


@pytest.mark.slow
@with_compiler
@pytest.mark.parametrize("name", ["freecell", "klondike", "spider"])
def test_both_engines_look_at_the_same_states(name: str) -> None:
    """In Klondike and Spider, where cards lie hidden, in one world of many."""
    core = walked(name, 2, 24)
    ours = win_search.BeamSearch(game(name).compiled, core, 2, is_open=name == "freecell")
    theirs = search_drivers.begin_beam_search(engine(name), core, 2, 2000, is_open=name == "freecell")
    assert theirs is not None
    for most, alike in ((60, True), (80, False)):
        assert ours.seek(9, most, alike) == theirs.seek(9, most, alike)


@pytest.mark.whole
@with_compiler
def test_both_engines_find_the_same_way_and_it_wins() -> None:
    one, core = nearly_won().game, nearly_won().core
    theirs = search_drivers.begin_beam_search(engine("freecell"), core, 1, 4000)
    assert theirs is not None
    found = win_search.BeamSearch(one.compiled, core, 1).seek(8, 4000, True)
    assert found.way and found == theirs.seek(8, 4000, True)
    assert played(nearly_won(), found.way).winners == ["A"]


@pytest.mark.whole
def test_way_is_the_same_with_time_enough() -> None:
    state = stones(WINNABLE)
    found = find_win(state.game.compiled, state.core, 1, 4000)
    assert played(state, found).winners == ["A"]
    assert found == find_win(state.game.compiled, state.core, 1, 4000, seconds=60)


@pytest.mark.whole
def test_only_a_full_search_proves_that_there_is_no_way() -> None:
    """A search is not full if it takes states for alike, or looks at too few."""
    one, core = stones(LOST).game, stones(LOST).core
    for alike in (True, False):
        found = win_search.BeamSearch(one.compiled, core, 1).seek(500, 100_000, alike)
        assert not found.lost and found.is_none is not alike and 4 <= found.looked < 100_000
    assert decide_winnable(one.compiled, core, 1, 100_000) is False
    one, core = stones(WINNABLE).game, stones(WINNABLE).core
    assert win_search.BeamSearch(one.compiled, core, 1).seek(1, 3, False) == Sought(3, True, (), False)
    assert find_win(one.compiled, core, 1, 3) == ()
    assert decide_winnable(one.compiled, core, 1, 3) is None and decide_winnable(one.compiled, core, 1, 100_000) is True


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[pytest.mark.slow, with_compiler])])
def test_chance_is_no_part_of_a_way(native: bool) -> None:
    one, found = load_rules("players/reds"), {True: 0, False: 0}
    for seed in range(6):
        for is_open in found:
            core = one.start(seed).core
            sought = win_search.BeamSearch(one.compiled, core, 1, is_open).seek(8, 500, True)
            if native:
                theirs = search_drivers.begin_beam_search(engine_of(one), core, 1, 500, is_open)
                assert theirs is not None and sought == theirs.seek(8, 500, True)
            found[is_open] += bool(sought.way)
    assert found[True] == 0 < found[False]


# ---- players ---------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_lone_player_follows_the_way_it_has_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without another search, and without asking which move is best."""
    state, chance, core = stones(WINNABLE), Chance.stream(1), stones(WINNABLE).core.copy()
    chooses, asked = SearchPlayer(state.game.compiled, Bounds(60)), list[tuple[Any, ...]]()

    def counting(*given: Any) -> tuple[int, ...]:
        asked.append(given)
        return find_win(*given)

    monkeypatch.setattr(win_search, "find_win", counting)
    monkeypatch.setattr(bots, "run_search", None)
    while not core.over:
        number = chooses(redact(state.game.compiled, core, core.actor), chance) if len(core.acts) > 1 else 0
        state.game.machine.play(core, core.acts[number])
    assert State(state.game, core).winners == ["A"]
    assert len(asked) == 1


@pytest.mark.whole
def test_line_that_does_not_win_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a game that was left after many decisions, with much gained: the next time a way is looked for again."""
    state, asked = game("freecell").start(1), list[int]()
    chooses = SearchPlayer(state.game.compiled, Bounds(2, most=20, probes=1))

    def no_way(*_: Any) -> tuple[int, ...]:
        asked.append(0)
        return ()

    monkeypatch.setattr(win_search, "find_win", no_way)
    monkeypatch.setattr(ismcts.Search, "line", lambda hunt: Line(0.95, (0, 0)))
    for _ in range(2):
        number = chooses(redact(state.game.compiled, state.core, state.core.actor), Chance.stream(1))
        assert 0 <= number < len(state.core.acts)
    assert len(asked) == 2


@pytest.mark.whole
def test_time_spent_on_a_way_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    state, clock, given = game("freecell").start(1), [0.0], list[float | None]()

    def long_look(*_: Any) -> tuple[int, ...]:
        clock[0] += 1.5
        return ()

    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr(win_search, "find_win", long_look)
    monkeypatch.setattr(bots, "run_search", lambda *args: given.append(args[4]))
    for seconds in (2.0, 1.0):
        chooses = SearchPlayer(state.game.compiled, Bounds(100), seconds)
        chooses(redact(state.game.compiled, state.core, 0), Chance.stream(1))
    assert given == [0.5, 0.1], "some is always left"
