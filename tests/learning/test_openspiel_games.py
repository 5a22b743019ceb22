"""Every game as OpenSpiel has it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest
from games import names
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, mcts
from tiers import in_tiers

from interpreter.learning.openspiel import form_of, load
from interpreter.learning.waiting import DRAWS, Node

EVERY = [name for name, _ in names()]
GAMES = in_tiers(EVERY, quick=["golf"], whole=["cribbage", "backgammon"])
FEW_MOVES = 25


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_passes_its_own_test(name: str) -> None:
    """What can be chosen, drawn, copied, and what is seen and gained; every state is saved and read again, so not all of a long game is played."""
    pyspiel.random_sim_test(load(name, most=FEW_MOVES), num_sims=1, serialize=False, verbose=False)
    pyspiel.random_sim_test(load(name, most=4), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_generated_and_the_same_again(name: str) -> None:
    game = f"python_hoyle(game={name},most=3)"
    first, second = (generate_playthrough.playthrough(game, action_sequence=[], seed=1) for _ in range(2))
    assert first == second
    assert "ObservationTensor" in first and "InformationStateString" in first


def random_state(game: Any, seed: int, moves: int) -> Any:
    state, pick = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and state.move_number() < moves:
        state.apply_action(pick.choice(state.legal_actions()))
    return state


def test_a_state_is_saved_by_what_was_chosen_and_drawn() -> None:
    game = load("cribbage")
    state = random_state(game, 3, 30)
    again = game.deserialize_state(state.serialize())
    assert again.history() == state.history()
    assert str(again) == str(state)
    for player in range(2):
        assert again.observation_tensor(player) == state.observation_tensor(player)
        assert again.information_state_string(player) == state.information_state_string(player)
    assert len(state.serialize()) < 20_000


def test_copies_go_on_by_themselves() -> None:
    state = random_state(load("golf"), 1, 12)
    before, other = str(state), state.clone()
    other.apply_action(other.legal_actions()[0])
    assert str(state) == before != str(other)


def test_chance_is_drawn_where_it_decides_and_nowhere_else() -> None:
    """Golf is dealt once, backgammon throws again and again; other draws are another game."""
    assert len(drawn_in(random_state(load("golf"), 1, 10_000))) == DRAWS
    assert len(drawn_in(random_state(load("backgammon"), 1, 400))) > 20 * DRAWS
    one, two = (Node(form_of("golf", "", True), 10) for _ in range(2))
    for number in range(DRAWS):
        one, two = one.after(number), two.after(number)
    assert one.play is not None and two.play is not None
    assert one.play.core.key() == two.play.core.key()
    assert one.before is not None
    three = one.before.after(DRAWS)
    assert three.play is not None and three.play.core.key() != one.play.core.key()


def drawn_in(state: Any) -> list[int]:
    return [item.action for item in state.full_history() if item.player == pyspiel.PlayerId.CHANCE]


def test_the_information_state_tells_what_a_seat_observed_and_chose_and_nothing_else() -> None:
    """Whoever chooses otherwise knows it, even where the table looks the same; the other sees no more than he can."""
    game = load("cribbage")
    state = random_state(game, 5, DRAWS)
    actor = state.current_player()
    head = state.legal_actions()[0]
    state.apply_action(head)
    told: list[Counter[str]] = [Counter(), Counter()]
    for item in state.legal_actions()[:3]:
        after = state.child(item)
        for player in range(2):
            told[player][after.information_state_string(player)] += 1
    assert len(told[actor]) == 3
    assert len(told[1 - actor]) == 1


def test_options_are_those_of_the_game() -> None:
    game = load("klondike", draw=1, take_back=True)
    assert "options=draw:1;take_back:true" in str(game)
    assert pyspiel.load_game(str(game)).form.game.options["draw"] == 1
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert [load(name).get_type().utility for name in ("golf", "cribbage-4p")] == [
        pyspiel.GameType.Utility.GENERAL_SUM,
        pyspiel.GameType.Utility.ZERO_SUM,
    ]
    assert load("backgammon").get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION


def test_its_environments_and_its_searches_play_it() -> None:
    env = rl_environment.Environment(load("cribbage", most=30, memory=False))
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == env.observation_spec()["info_state"][0]
        step = env.step([step.observations["legal_actions"][player][0]])
    game = load("golf", memory=False)
    bot = mcts.MCTSBot(game, 1.4, 20, mcts.RandomRolloutEvaluator(1), random_state=np.random.RandomState(1))
    state = random_state(game, 1, DRAWS)
    assert bot.step(state) in state.legal_actions()


def test_a_game_is_loaded_by_its_name() -> None:
    with pytest.raises(ValueError, match="by its name or path"):
        load(int)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", ["draw:1;take_back:true", " draw : 1 ; take_back:true ;", "take_back:true;draw:1"])
def test_several_options_are_written_one_after_the_other(options: str) -> None:
    game = pyspiel.load_game("python_hoyle", {"game": "klondike", "options": options})
    assert (game.form.game.options["draw"], game.form.game.options["take_back"]) == (1, True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"game": "klondike", "options": "draw=1"}, "`draw=1` is not"),
        ({"game": "klondike", "options": "draw:1,take_back:true"}, "`;` between two of them"),
        ({"game": "klondike", "options": "draw"}, "`draw` is not"),
        ({"game": "klondike", "options": "draw:"}, "`draw:` is not"),
        ({"options": "draw:1"}, "`game` is missing: .* `hoyle list`"),
        ({}, "`game` is missing"),
        ({"game": "golf", "most": 0}, "`most` is 0, and must be at least 1"),
    ],
)
def test_parameters_that_have_no_sense_are_refused_in_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pyspiel.load_game("python_hoyle", given)


def test_what_is_given_in_python_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        load("golf", most=0)
    with pytest.raises(ValueError, match="True or False, not 'no'"):
        load("golf", memory="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-2, 16, 999])
def test_chance_is_drawn_among_what_there_is(number: int) -> None:
    state = load("golf").new_initial_state()
    with pytest.raises((ValueError, pyspiel.SpielError), match="chance is drawn as a number from 0 to 15"):
        state.apply_action(number)
    state.apply_action(15)
    assert state.history() == [15]


def test_no_tensor_recalls_a_game() -> None:
    state = random_state(load("golf"), 1, DRAWS)
    for given in ((), (0,)):
        with pytest.raises(pyspiel.SpielError, match="`information_state_string` tells it"):
            state.information_state_tensor(*given)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["golf", "cribbage", "backgammon", "piquet"])
def test_whole_random_games_pass_its_own_test(name: str) -> None:
    pyspiel.random_sim_test(load(name, memory=False), num_sims=1, serialize=False, verbose=False)
