"""Typed lines as moves: the words on the screen, ids, notations and pieces, in either language; nothing that is not meant."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest
from games import game
from rules import read_cases
from tiers import sized, some_now

from interpreter import IllegalMove, State
from interpreter.cli.drawing.ink import Look, pieces_of, suited
from interpreter.cli.output import plain
from interpreter.game.bindings import actions_of
from interpreter.game.moves import begun, seen_now
from interpreter.game.spelling import plain_words
from interpreter.language.sentences import LANGUAGES
from interpreter.running.telling import move_text

SHOWN = ["crapette", "backgammon", "barbu", "cribbage", "klondike", "president", "grabuge", "freecell"]
NOTED = ["backgammon", "plakoto", "fevga", "garanguet", "jacquet"]
"""Games whose moves have a notation."""


@cache
def start(name: str, seed: int = 5) -> State:
    return game(name).start(seed)


def look(name: str, lang: str) -> Look:
    return Look(pieces=pieces_of(game(name).pieces(lang)))


def ids(state: State, text: str) -> list[str]:
    return [move.id for move in state.meant(text)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", some_now(SHOWN, 3))
def test_the_words_on_the_screen_mean_the_move(name: str, lang: str) -> None:
    state = start(name)
    shown = {move: suited(move.text(lang), look(name, lang)) for move in state.moves()[: sized(4, 40)]}
    count = Counter(shown.values())
    for move, text in shown.items():
        if count[text] == 1:
            for written in (text, plain(text), text.upper(), move.text(lang).replace("(", "").replace(")", "")):
                assert ids(state, written) == [move.id]
            assert state.why(text).legal


@pytest.mark.whole
def test_a_list_may_stand_in_any_order_and_be_incomplete() -> None:
    for case in read_cases("game/typed")["lists"]:
        assert ids(start("cribbage"), case["text"]) == [f"lay-away {cards}" for cards in case["found"]], case


@pytest.mark.whole
def test_a_list_in_another_order_is_played_as_the_move() -> None:
    state = start("cribbage")
    name, first, second = state.moves()[3].id.split()
    turned = f"{name} {second} {first}"
    assert state.find(turned) == state.moves()[3]
    assert state.play(turned).core.key() == state.play(state.moves()[3]).core.key()
    assert state.why(turned).legal
    for words in (f"{first} {first}", f"{first} {second} {second}"):
        with pytest.raises(IllegalMove):
            state.find(f"{name} {words}")


@pytest.mark.whole
def test_origin_and_target_may_not_change_places() -> None:
    state = game("klondike").start(seed=1)
    moves = {move.id for move in state.moves()}
    there = [i.split() for i in moves if "->" in i]
    turned = {" ".join([*w[:1], *w[w.index("->") + 1 :], *w[2 : w.index("->")], "->", w[1]]) for w in there}
    assert turned - moves
    for wrong in turned - moves:
        with pytest.raises(IllegalMove):
            state.find(wrong)


@pytest.mark.whole
@pytest.mark.parametrize("part", range(4))
def test_a_piece_or_a_place_means_the_only_move_about_it(part: int) -> None:
    state = start("klondike", 1)
    for case in read_cases("game/typed")["pieces and places"][part::4]:
        assert ids(state, case["text"]) == ([case["found"]] if case["found"] else []), case
        assert state.why(case["text"]).legal is (case["found"] is not None), case


def test_the_beginning_of_an_id_means_the_move() -> None:
    """It is shown in other words: `to the foundation A♦ (column 4)`."""
    for text in ("to-the-foundation col", "to the foundation column", "TO THE FOUNDATION COLUMN 4"):
        assert ids(start("klondike", 1), text) == ["to-the-foundation column 4"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["president", "crapette", "grabuge", "klondike", "barbu"], 2))
def test_pieces_alone_mean_no_move_without_them(name: str) -> None:
    """In French, `as` is an ace."""
    state = start(name)
    readings = state.game.compiled.namer.readings
    for sign in look(name, "en").pieces.written:
        for move in state.meant(sign):
            assert plain_words(sign, readings) in plain_words(f"{move.id} {move.text()}", readings).split()


@pytest.mark.whole
def test_a_card_that_may_not_be_played_is_explained() -> None:
    piles = {"trick of A": "5H", "hand of B": "2H 8S"}
    at = {"at": "play to the trick", "to_act": "B", "state": {"leader": "A", "trump": "spades"}, "piles": piles}
    state = game("whist").position(at)
    why = state.why("8♠", "B")
    assert (why.known, why.legal, why.move) == (True, False, "play-a-card 8S")
    assert why.failing is not None and why.failing.name == "follow suit"
    assert state.why("9S", "B").summary() == "9S is not in your hand."


def test_a_number_is_typed_whole() -> None:
    for case in read_cases("game/typed")["beginnings"]:
        assert begun(case["words"], case["typed"]) is case["so"], case


@pytest.mark.whole
def test_a_number_or_letter_of_a_place_is_no_rank_and_no_other_name() -> None:
    """In plakoto, `g` is the seventh point for white, and the sixth is `f`."""
    piles = {"waste": "AC", "column": ["2H", "KC"]}
    state = game("golf").position({"at": "hole / play", "to_act": "A", "piles": piles})
    assert [m.id for m in state.moves()] == ["to-the-waste 1"]
    assert state.meant("to-the-waste 2") == []
    arrows = {"arrow": {"g": "1 white", "h": "14 white", "a": "2 black", "p": "13 black"}, "pool": "6 1"}
    state = game("plakoto").position({"at": "turn / play the numbers", "to_act": "white", "piles": arrows})
    assert "play g 1" in [move.id for move in state.moves()]
    assert state.meant("play g 6") == [] and not state.why("play g 6").legal


def test_nothing_is_meant_after_the_end() -> None:
    state = game("golf").playout(seed=1)
    assert state.is_over
    assert state.meant("to-the-waste 2") == [] and not state.why("to-the-waste 2").known


def test_plain_words() -> None:
    for text, words in read_cases("game/typed")["plain words"]:
        assert plain_words(text) == words


@pytest.mark.whole
def test_the_sets_of_a_move_are_the_pieces_of_its_subsets() -> None:
    moves = start("cribbage").moves()
    assert {move.sets for move in moves} == {(tuple(move.id.split()[1:]),) for move in moves}
    assert all(move.sets == () for move in start("klondike").moves())


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
        others = [a for m in compiled.machine.points[core.pc].moves for a in islice(actions_of(compiled, core, m), 300)]
        illegal = [action for action in others if action not in core.acts]
        for action in chance.sample(illegal, min(2, len(illegal))):
            move = next(m for m in compiled.ruleset.moves.values() if m.number == action[0])
            ident = compiled.namer.move_id(move, action, core.actor)
            seen = [seen_now(compiled, core, move, action, lang) for lang in LANGUAGES]
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


def test_a_notation_names_places_in_its_language() -> None:
    at = {"at": "turn / play the numbers", "to_act": "white"}
    entering = {"bar": {"white": "1 white"}, "arrow": {"f": "14 white", "t": "1 black", "l": "14 black"}, "pool": "5 4"}
    state = game("backgammon").position({**at, "piles": entering})
    for written in ("bar/20*", "barre/20*", "BARRE/20", "bar/20"):
        assert [(move.short(), move.short("fr")) for move in state.meant(written)] == [("bar/20*", "barre/20*")]
    assert "barre/20*" in state.why("barre/22").summary("fr")
    leaving = {"off": {"white": "13 white"}, "arrow": {"f": "2 white", "x": "15 black"}, "pool": "6 1"}
    state = game("backgammon").position({**at, "piles": leaving})
    for written in ("6/off", "6/sortis"):
        assert [(move.short(), move.short("fr")) for move in state.meant(written)] == [("6/off", "6/sortis")]
