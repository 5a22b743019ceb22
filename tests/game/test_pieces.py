"""How pieces, members of families, games and states are written for people."""

import pytest
from games import game, loaded
from rules import load_rules

from hoyle import load
from hoyle.game.views.labels import key_name_spaces


@pytest.mark.parametrize(
    ("name", "lang", "sign", "text", "plain", "colour"),
    [
        ("klondike", "en", "KH", "K♥", "KH", "red"),
        ("klondike", "fr", "KH", "R♥", "Rc", "red"),
        ("klondike", "de", "KH", "K♥", "KH", "red"),
        ("klondike", "fr", "TS", "10♠", "10p", "black"),
        ("klondike", "fr", "QC", "D♣", "Dt", "black"),
        ("klondike", "fr", "2D", "2♦", "2k", "red"),  # `DC` would be a queen of hearts or the two letters of QC
        ("backgammon", "fr", "white", "Blanc", "Blanc", "white"),
        ("yams", "fr", "5", "5", "5", ""),
    ],
)
def test_a_piece_is_written_as_its_language_writes_it(
    name: str, lang: str, sign: str, text: str, plain: str, colour: str
) -> None:
    (found,) = [face for face in game(name).pieces(lang) if face.sign == sign]
    assert (found.text, found.plain, found.colour) == (text, plain, colour)


@pytest.mark.whole
def test_a_hand_is_sorted_by_suits_with_colours_in_turn() -> None:
    faces = sorted(game("klondike").pieces(), key=lambda face: face.place)
    assert [face.sign for face in faces[::13]] == ["AS", "AH", "AC", "AD"]
    assert len({game("cribbage").piece(written) for written in ("D♦", "QD", "Q♦")}) == 1


def test_key_spaces_name_the_members_of_families() -> None:
    spaces = key_name_spaces(load_rules("game/cabinet").ruleset)
    wanted = {
        "suited": (("tables/suits",),),
        "meeting": (("seats",),),
        "shelf": ((),),
        "wish": (("seats",), ("tables/suits",)),
        "grid": ((), ("seats",)),
        "total": (),
    }
    assert {family: spaces[family] for family in wanted} == wanted
    assert key_name_spaces(load_rules("game/together").ruleset)["lane"] == (("seats",),)


@pytest.mark.whole
def test_a_game_is_shown_with_the_options_that_were_set() -> None:
    assert repr(game("klondike")) == "<Game klondike engine=auto>"
    assert repr(loaded("klondike", draw=1)) == "<Game klondike draw=1 engine=auto>"
    assert repr(load("klondike", draw=3, engine="python")) == "<Game klondike engine=python>"
    assert repr(game("hearts")) == "<Game hearts players=4 engine=auto>"  # nothing says which number is usual
    assert repr(game("grabuge-8")) == "<Game grabuge-8 engine=auto>"


@pytest.mark.whole
def test_a_state_is_shown_by_its_place_and_not_by_its_cards() -> None:
    state = game("klondike").start(1)
    assert repr(state) == "<State klondike: A to act (game / play) after 0 decisions>"
    assert repr(state.play(state.moves()[0])) == "<State klondike: A to act (game / play) after 1 decisions>"
    ended = game("klondike").playout(2)
    assert repr(ended) == f"<State klondike: over after {ended.decisions} decisions>"
    nowhere = game("klondike").position({"piles": {"waste": "7H"}})
    assert repr(nowhere) == "<State klondike: A to act after 0 decisions>"
    assert len({repr(game("hearts").start(seed)) for seed in range(3)}) == 1


@pytest.mark.whole
def test_an_evaluator_is_shown_by_its_formula_and_piles() -> None:
    found = game("cribbage").evaluator("worth(hand of A) + 1", "hand of A", "starter")
    assert repr(found) == "<Evaluator cribbage: 'worth(hand of A) + 1' of hand of A, starter engine=auto>"


@pytest.mark.whole
def test_a_side_is_named_by_its_words() -> None:
    seats = game("belote").labels("fr")["seats"]
    assert (seats["AC"], seats["BD"], seats["A"]) == ("A et C", "B et D", "A")
