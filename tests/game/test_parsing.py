"""Parsing typed lines to moves, and writing pieces, members, games and states for people."""

from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest
from games import game, loaded
from rules import load_rules, read_cases
from tiers import sized, some_now

from hoyle import State, load
from hoyle.game.moves.legal import list_actions, wording_context
from hoyle.game.moves.parsing import starts_with
from hoyle.game.spelling import plain_words
from hoyle.game.views.labels import key_name_spaces
from hoyle.language.sentences import LANGUAGES
from hoyle.presentation.look import Look, draw_text, make_piece_set
from hoyle.presentation.terminal import to_ascii
from hoyle.running.wording import move_text

SHOWN = ["crapette", "backgammon", "barbu", "cribbage", "klondike", "president", "grabuge", "freecell"]
NOTED = ["backgammon", "plakoto", "fevga", "garanguet", "jacquet"]
"""Games whose moves have a notation."""


@cache
def start(name: str, seed: int = 5) -> State:
    return game(name).start(seed)


def look(name: str, lang: str) -> Look:
    return Look(pieces=make_piece_set(game(name).pieces(lang)))


def ids(state: State, text: str) -> list[str]:
    return [move.id for move in state.meant(text)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", some_now(SHOWN, 3))
def test_the_words_on_the_screen_mean_the_move(name: str, lang: str) -> None:
    state = start(name)
    shown = {move: draw_text(move.text(lang), look(name, lang)) for move in state.moves()[: sized(4, 40)]}
    count = Counter(shown.values())
    for move, text in shown.items():
        if count[text] == 1:
            for written in (text, to_ascii(text), text.upper(), move.text(lang).replace("(", "").replace(")", "")):
                assert ids(state, written) == [move.id]
            assert state.why(text).legal


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["president", "crapette", "grabuge", "klondike", "barbu"], 2))
def test_pieces_alone_mean_no_move_without_them(name: str) -> None:
    """In French, `as` is an ace."""
    state = start(name)
    readings = state.game.compiled.namer.readings
    for sign in look(name, "en").pieces.written:
        for move in state.meant(sign):
            assert plain_words(sign, readings) in plain_words(f"{move.id} {move.text()}", readings).split()


def test_a_number_is_typed_whole() -> None:
    for case in read_cases("game/typed")["beginnings"]:
        assert starts_with(case["words"], case["typed"]) is case["so"], case


def test_plain_words() -> None:
    for text, words in read_cases("game/typed")["plain words"]:
        assert plain_words(text) == words


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["spite-and-malice", "crapette", "scopa", "fevga", "golf", "gin-rummy"], 2))
def test_no_two_moves_read_alike_and_each_is_meant_by_its_words(name: str) -> None:
    state, chance = game(name).start(3), Random(1)
    for _ in range(sized(4, 40)):
        moves = state.moves()
        for lang in LANGUAGES:
            texts = Counter(move.text(lang) for move in moves)
            assert [text for text, count in texts.items() if count > 1] == []
            for move in chance.sample(moves, min(2, len(moves))):
                assert ids(state, move.text(lang)) == [move.id]
        if state.is_over:
            return
        state = state.play(chance.choice(moves))


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "plakoto", "cribbage", "klondike", "barbu", "president"], 2))
def test_an_illegal_move_is_never_taken_for_another(name: str) -> None:
    """Neither by its id nor by its words in any language."""
    state, chance = game(name).start(2), Random(4)
    for _ in range(sized(3, 15)):
        if state.is_over:
            return
        core, compiled = state.core, state.game.compiled
        others = [
            a for m in compiled.machine.points[core.pc].moves for a in islice(list_actions(compiled, core, m), 300)
        ]
        illegal = [action for action in others if action not in core.acts]
        for action in chance.sample(illegal, min(2, len(illegal))):
            move = next(m for m in compiled.ruleset.moves.values() if m.number == action[0])
            ident = compiled.namer.move_id(move, action, core.actor)
            seen = [wording_context(compiled, core, move, action, lang) for lang in LANGUAGES]
            for written in (ident, *(move_text(compiled.namer, move, action, one) for one in seen)):
                assert [m for m in ids(state, written) if sorted(m.split()) != sorted(ident.split())] == [], written
        state = state.play(chance.choice(state.moves()))


@pytest.mark.parametrize("name", some_now(NOTED, 1))
def test_a_notation_means_its_move_in_every_language(name: str) -> None:
    for seed in range(sized(1, 4)):
        state, chance = game(name).start(seed), Random(seed)
        for _ in range(sized(8, 100)):
            if state.is_over:
                break
            moves = state.moves()
            for lang in LANGUAGES:
                shown = Counter(move.short(lang) for move in moves)
                for move in moves:
                    if move.short(lang) and shown[move.short(lang)] == 1:
                        assert ids(state, move.short(lang)) == [move.id]
            state = state.play(chance.choice(moves))


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
def test_a_piece_is_written_in_each_language(
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
