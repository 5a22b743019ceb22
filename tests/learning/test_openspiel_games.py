"""Every game and every information state as OpenSpiel has it."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from environments import SORTS, seen_by
from games import game
from rules import read_cases
from tiers import in_tiers, sized

from hoyle import Game, State
from hoyle.learning.chance_nodes import DRAWS, Node

CASES = read_cases("learning/openspiel_games")

pytestmark = pytest.mark.whole


def load(name: Any, **more: Any) -> Any:
    from hoyle.learning import openspiel

    return openspiel.load(name, **more)


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    import pyspiel

    import hoyle.learning.openspiel  # noqa: F401  # which registers them

    return pyspiel


@pytest.mark.parametrize("name", in_tiers(SORTS, whole=["golf", "spades"]))
def test_random_game_passes_its_own_test(name: str, pyspiel: Any) -> None:
    """Each state of a short game is saved and read again."""
    pyspiel.random_sim_test(load(name, most=15), num_sims=1, serialize=False, verbose=False)
    pyspiel.random_sim_test(load(name, most=4), num_sims=1, serialize=True, verbose=False)


def random_state(game: Any, seed: int, moves: int) -> Any:
    state, pick = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and state.move_number() < moves:
        state.apply_action(pick.choice(state.legal_actions()))
    return state


def test_state_is_saved_by_what_was_chosen_and_drawn() -> None:
    game = load("cribbage")
    state = random_state(game, 3, 20)
    again = game.deserialize_state(state.serialize())
    assert again.history() == state.history()
    assert str(again) == str(state)
    for player in range(2):
        assert again.observation_tensor(player) == state.observation_tensor(player)
        assert again.information_state_string(player) == state.information_state_string(player)
    assert len(state.serialize()) < 20_000


def test_chance_is_drawn_where_it_decides_and_nowhere_else(pyspiel: Any) -> None:
    """Golf is dealt once, backgammon throws again and again; other draws are another game."""
    from hoyle.learning.openspiel import form_of

    for name, moves, least, most in (("golf", 10_000, 1, 1), ("backgammon", 200, 10, 200)):
        state = random_state(load(name, memory=False), 1, moves)
        drawn = [item.action for item in state.full_history() if item.player == pyspiel.PlayerId.CHANCE]
        assert least * DRAWS <= len(drawn) <= most * DRAWS
    one, two = (Node(form_of("golf", "", True), 10) for _ in range(2))
    for number in range(DRAWS):
        one, two = one.after(number), two.after(number)
    assert one.play is not None and two.play is not None
    assert one.play.core.key() == two.play.core.key()
    assert one.before is not None
    three = one.before.after(DRAWS)
    assert three.play is not None and three.play.core.key() != one.play.core.key()


def test_own_choice_is_part_of_the_information_state() -> None:
    """The other seat sees no more than it can."""
    state = random_state(load("cribbage"), 5, DRAWS)
    actor = state.current_player()
    state.apply_action(state.legal_actions()[0])
    told: list[Counter[str]] = [Counter(), Counter()]
    for item in state.legal_actions()[:3]:
        after = state.child(item)
        for player in range(2):
            told[player][after.information_state_string(player)] += 1
    assert len(told[actor]) == 3
    assert len(told[1 - actor]) == 1


def test_type_of_a_game_is_that_of_its_rules(pyspiel: Any) -> None:
    game = load("klondike", draw=1, take_back=True)
    assert "options=draw:1;take_back:true" in str(game)
    assert pyspiel.load_game(str(game)).form.game.options["draw"] == 1
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    utility = pyspiel.GameType.Utility
    assert [load(name).get_type().utility for name in ("golf", "spades")] == [utility.GENERAL_SUM, utility.ZERO_SUM]
    assert load("backgammon").get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION


def test_environments_and_searches_of_openspiel_play_it() -> None:
    import numpy as np
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import mcts

    env = rl_environment.Environment(load("cribbage", most=12, memory=False))
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == env.observation_spec()["info_state"][0]
        step = env.step([step.observations["legal_actions"][player][0]])
    game = load("golf", memory=False)
    bot = mcts.MCTSBot(game, 1.4, 5, mcts.RandomRolloutEvaluator(1), random_state=np.random.RandomState(1))
    state = random_state(game, 1, DRAWS)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("options", ["draw:1;take_back:true", " draw : 1 ; take_back:true ;", "take_back:true;draw:1"])
def test_options_are_separated_by_semicolons(options: str, pyspiel: Any) -> None:
    game = pyspiel.load_game("python_hoyle", {"game": "klondike", "options": options})
    assert (game.form.game.options["draw"], game.form.game.options["take_back"]) == (1, True)


@pytest.mark.parametrize(
    ("given", "words"),
    CASES["impossible parameters are refused"],
)
def test_impossible_parameters_are_refused(given: dict[str, Any], words: str, pyspiel: Any) -> None:
    with pytest.raises(ValueError, match=words):
        pyspiel.load_game("python_hoyle", given)


def test_impossible_arguments_are_refused() -> None:
    for given, words in (({"most": 0}, "at least 1"), ({"memory": "no"}, "True or False, not 'no'")):
        with pytest.raises(ValueError, match=words):
            load("golf", **given)
    with pytest.raises(ValueError, match="by its name or path"):
        load(int)


def test_impossible_draw_is_refused(pyspiel: Any) -> None:
    state = load("golf").new_initial_state()
    for number in (-2, 16, 999):
        with pytest.raises((ValueError, pyspiel.SpielError), match="chance is drawn as a number from 0 to 15"):
            state.apply_action(number)
    state.apply_action(15)
    assert state.history() == [15]


def test_information_state_has_no_tensor(pyspiel: Any) -> None:
    state = random_state(load("golf"), 1, DRAWS)
    for given in ((), (0,)):
        with pytest.raises(pyspiel.SpielError, match="`information_state_string` tells it"):
            state.information_state_tensor(*given)


def dealt(name: str, seed: int, memory: bool = False) -> Any:
    from hoyle.learning.openspiel import load

    state = load(name, memory=memory).new_initial_state()
    return chanced(state, random.Random(seed))


def chanced(state: Any, pick: random.Random) -> Any:
    while state.is_chance_node():
        state.apply_action(pick.randrange(16))
    return state


def moves_of(state: Any) -> int:
    return int(state.node.node.play.moves)


def ways(state: Any, count: int, seed: int) -> Iterator[list[Any]]:
    """Some ways to make a move: all states on each. The first takes the last number each time, behind which little is left."""
    for n in range(count):
        pick, path = random.Random(f"{seed} {n}"), [state]
        while moves_of(path[-1]) == moves_of(state) and not path[-1].is_chance_node():
            legal = path[-1].legal_actions()
            path.append(path[-1].child(pick.choice(legal) if n else legal[-1]))
        yield path[1:]


@pytest.mark.parametrize("memory", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["cribbage", pytest.param("hearts", marks=pytest.mark.slow)])
def test_hidden_choice_changes_nothing_for_the_others(name: str, memory: bool) -> None:
    """Neither the cards, nor the number of steps, nor while it is being made; nor later, before it shows."""
    state = dealt(name, 1, memory)
    actor = state.current_player()
    others = [seat for seat in range(state.num_players()) if seat != actor]
    before = {seat: state.information_state_string(seat) for seat in others}
    found, lengths, own = defaultdict[tuple[int, int], set[str]](set), set[int](), set[str]()
    for path in ways(state, sized(8, 12), 1):
        for during in path[:-1]:
            assert {seat: during.information_state_string(seat) for seat in others} == before
        lengths.add(len(path))
        own.add(path[-1].information_state_string(actor))
        for later in until_it_shows(path[-1], actor):
            for seat in others:
                found[moves_of(later), seat].add(later.information_state_string(seat))
    assert found and all(len(strings) == 1 for strings in found.values())
    assert len(lengths) > 1 and len(own) > 3


def until_it_shows(state: Any, actor: int) -> Iterator[Any]:
    """The states in which others choose unseen, too, each always the same."""
    node = state.node.node
    while node.waits is None and node.play.actor != actor and game_of(state).machine.points[node.play.core.pc].together:
        yield state
        state = next(ways(state, 1, 2))[-1]
        node = state.node.node


def game_of(state: Any) -> Game:
    found: Game = state.node.node.form.game
    return found


@pytest.mark.parametrize("name", in_tiers(SORTS, whole=["cribbage"]))
def test_states_are_equal_where_a_seat_cannot_tell_them_apart(name: str) -> None:
    """Nowhere else: histories of a deal are told once more from views, events and the seat's own choices."""
    strings: list[dict[object, str]] = [{} for _ in game(name).seats]
    keys: list[dict[str, object]] = [{} for _ in game(name).seats]
    for n in range(sized(4, 20)):
        state, chance, pick = dealt(name, n % 2), random.Random(n % 2), random.Random(n)
        known: list[tuple[object, ...]] = [looked(state, seat) for seat in range(len(strings))]
        for _ in range(0 if state.is_terminal() else sized(8, 20)):
            seat, moved = state.current_player(), moves_of(state)
            number = pick.choice(state.legal_actions()[:3])
            state = chanced(state.child(number), chance)
            for one, _ in enumerate(strings):
                known[one] += (number,) * (one == seat) + (looked(state, one) if moves_of(state) > moved else ())
                told = state.information_state_string(one)
                assert strings[one].setdefault(known[one], told) == told
                assert keys[one].setdefault(told, known[one]) == known[one]
            if state.is_terminal():
                break


def looked(state: Any, seat: int) -> tuple[object, ...]:
    now, agent = State(game_of(state), state.node.node.play.core), game_of(state).seats[seat]
    return seen_by(now, agent), tuple(event.text("en", agent) for event in now.events)
