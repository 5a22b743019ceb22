"""What somebody writes for a move: what the screen shows, in either language, and the pieces of a list in any order."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest
from games import game, originals
from tiers import in_tiers, sized

from interpreter import State
from interpreter.cli.drawing.ink import Look, pieces_of, suited
from interpreter.cli.output import plain
from interpreter.game.bindings import actions_of
from interpreter.game.moves import begun, seen_now
from interpreter.game.spelling import plain_words
from interpreter.language.sentences import LANGUAGES
from interpreter.running.telling import move_text

SHOWN = ["cribbage", "backgammon", "klondike", "crapette", "barbu", "president", "grabuge", "freecell"]
SINGLE = [name for name in SHOWN if name != "backgammon"]  # men are not told apart


@cache
def start(name: str) -> State:
    return game(name).start(5)


def look(name: str, lang: str) -> Look:
    return Look(pieces=pieces_of(game(name).pieces(lang)))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", in_tiers(SHOWN, whole=SHOWN))
def test_what_the_screen_shows_means_the_move(name: str, lang: str) -> None:
    state = start(name)
    shown = {move: suited(move.text(lang), look(name, lang)) for move in state.moves()}
    assert shown
    count = Counter(shown.values())
    for move, text in shown.items():
        if count[text] == 1:
            for written in (text, plain(text), text.upper(), move.text(lang).replace("(", "").replace(")", "")):
                assert [m.id for m in state.meant(written)] == [move.id]
            assert state.why(text).legal


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lay away KS 8S", ["8S KS"]),
        ("lay-away K♠ 8♠", ["8S KS"]),
        ("ecarter 8s ks", ["8S KS"]),
        ("lay-away 8S", ["7H 8S", "QC 8S", "KD 8S", "8S KH", "8S KS"]),
        ("écarter R♠ 8♠", ["8S KS"]),
        ("ecarter rs 8s", ["8S KS"]),
        ("lay away R♠ 8S", ["8S KS"]),
        ("lay-away 8S 8S", []),
        ("lay-away KS 8S QC", []),
        ("lay 8S", []),
        ("KS 8S", ["8S KS"]),
        ("8♠ R♠", ["8S KS"]),
        ("8S", []),
    ],
)
def test_a_list_may_stand_in_any_order_and_be_incomplete(text: str, found: list[str]) -> None:
    assert [move.id for move in start("cribbage").meant(text)] == [f"lay-away {cards}" for cards in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2H", ["column-to-column 1 2H -> 6"]),
        ("2♥", ["column-to-column 1 2H -> 6"]),
        ("ad", ["to-the-foundation column 4"]),
        ("1♦", []),
        ("3C", []),  # it lies there, and nothing may be done with it
        ("9C", []),  # it lies face down
    ],
)
def test_a_card_alone_means_what_may_be_done_with_it(text: str, found: list[str]) -> None:
    state = game("klondike").start(1)
    assert [move.id for move in state.meant(text)] == found
    assert state.why(text).legal is (found != [])


@pytest.mark.parametrize("text", ["to-the-foundation col", "to the foundation column", "TO THE FOUNDATION COLUMN 4"])
def test_the_beginning_of_an_id_means_the_move(text: str) -> None:
    """Where it is shown in other words, too: `to the foundation A♦ (column 4)`."""
    assert [move.id for move in game("klondike").start(1).meant(text)] == ["to-the-foundation column 4"]


@pytest.mark.parametrize("name", in_tiers(SINGLE, quick=["grabuge"], whole=SINGLE))
def test_pieces_alone_mean_no_move_that_is_not_about_them(name: str) -> None:
    """Whoever types a card is never taken to mean another one."""
    state = start(name)
    readings = state.game.compiled.namer.readings
    for sign in look(name, "en").pieces.written:
        for move in state.meant(sign):
            assert plain_words(sign, readings) in plain_words(f"{move.id} {move.text()}", readings).split()


def test_a_card_alone_that_may_not_be_played_is_told_why() -> None:
    state = game("whist").position(
        {
            "at": "play to the trick",
            "to_act": "B",
            "state": {"leader": "A", "trump": "spades"},
            "piles": {"trick of A": "5H", "hand of B": "2H 8S"},
        }
    )
    why = state.why("8♠", "B")
    assert (why.known, why.legal, why.move) == (True, False, "play-a-card 8S")
    assert why.failing is not None
    assert why.failing.name == "follow suit"
    assert state.why("9S", "B").summary() == "9S is not in your hand."


@pytest.mark.parametrize(
    ("words", "typed", "so"),
    [
        ("to the waste 2h (column 1)", "to the w", True),
        ("to the waste 2h (column 1)", "to the waste 2h", True),
        ("to the waste 2h (column 1)", "to the waste 2", False),
        ("bid 10", "bid 1", False),
        ("bid 1", "bid 1", True),
        ("bid 1 (low)", "bid 1", True),
        ("bid 10", "", True),
    ],
)
def test_a_number_is_typed_whole(words: str, typed: str, so: bool) -> None:
    assert begun(words, typed) is so


def test_the_number_of_a_pile_that_may_not_be_taken_is_not_the_rank_of_a_card_that_may() -> None:
    state = game("golf").position(
        {"at": "hole / play", "to_act": "A", "piles": {"waste": "AC", "column": ["2H", "KC"]}}
    )
    assert [m.id for m in state.moves()] == ["to-the-waste 1"]
    assert state.meant("to-the-waste 2") == []


def test_where_nobody_is_asked_nothing_is_meant() -> None:
    state = game("golf").playout(seed=1)
    assert state.is_over
    assert state.meant("to-the-waste 2") == []
    assert not state.why("to-the-waste 2").known


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("play-a-card TH -> 3", "play a card th → 3"),
        ("Réserve (point f)→2", "reserve point f → 2"),
        ("bid -3", "bid -3"),
        ("cœur", "coeur"),
        ("♥\ufe0f 100", "♥ 100"),
    ],
)
def test_plain_words(text: str, words: str) -> None:
    assert plain_words(text) == words


def test_the_sets_of_a_move_are_the_pieces_of_its_subsets() -> None:
    state = game("cribbage").start(5)
    assert {move.sets for move in state.moves()} == {(tuple(move.id.split()[1:]),) for move in state.moves()}
    assert all(move.sets == () for move in game("klondike").start(5).moves())


@pytest.mark.parametrize(
    "name", in_tiers(originals(), quick=["spite-and-malice"], whole=["crapette", "scopa", "fevga"])
)
def test_no_two_moves_read_alike_and_each_is_meant_by_its_words(name: str) -> None:
    state, chance = game(name).start(3), Random(1)
    for _ in range(sized(4, 40)):
        moves = state.moves()
        for lang in LANGUAGES:
            texts = Counter(move.text(lang) for move in moves)
            assert [text for text, count in texts.items() if count > 1] == []
            for move in chance.sample(moves, min(2, len(moves))):
                assert [m.id for m in state.meant(move.text(lang))] == [move.id]
        if state.is_over:
            return
        state = state.play(chance.choice(moves))


@pytest.mark.parametrize("name", in_tiers(originals(), quick=["plakoto"], whole=["klondike"]))
def test_a_move_that_is_not_legal_is_never_taken_for_another(name: str) -> None:
    """By its id, and in its words in either language, it means no move at all."""
    state, chance = game(name).start(2), Random(4)
    for _ in range(sized(4, 30)):
        if state.is_over:
            return
        core, compiled = state.core, state.game.compiled
        others = [a for m in compiled.machine.points[core.pc].moves for a in islice(actions_of(compiled, core, m), 300)]
        illegal = [action for action in others if action not in core.acts]
        for action in chance.sample(illegal, min(4, len(illegal))):
            move = next(m for m in compiled.ruleset.moves.values() if m.number == action[0])
            words = [
                move_text(compiled.namer, move, action, seen_now(compiled, core, move, action, lang))
                for lang in LANGUAGES
            ]
            ident = compiled.namer.move_id(move, action, core.actor)
            for written in (ident, *words):
                assert [m.id for m in state.meant(written) if sorted(m.id.split()) != sorted(ident.split())] == [], (
                    written
                )
        state = state.play(chance.choice(state.moves()))


def test_a_place_by_its_letter_is_not_one_that_another_calls_by_its_number() -> None:
    """`g` is seven for who plays white, and his six is `f`."""
    piles = {"arrow": {"g": "1 white", "h": "14 white", "a": "2 black", "p": "13 black"}, "pool": "6 1"}
    state = game("plakoto").position({"at": "turn / play the numbers", "to_act": "white", "piles": piles})
    assert "play g 1" in [move.id for move in state.moves()]
    assert state.meant("play g 6") == []
    assert not state.why("play g 6").legal


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("diamonds A♦", ["to-the-foundation column 4"]),
        ("carreau as", []),  # words of pieces are the prompt's
        ("foundation ad", ["to-the-foundation column 4"]),
        ("spades A♦", []),
        ("6 2♥", []),  # as likely the card of the sixth column upon that one
        ("3♣ 2♥", []),
        ("6 1", []),
    ],
)
def test_a_place_may_stand_before_the_piece_unless_that_says_another_move(text: str, found: list[str]) -> None:
    state = game("klondike").start(1)
    assert [move.id for move in state.meant(text)] == found
    assert state.why(text).legal is (found != [])


NOTED = [name for name in originals() if any(move.short for move in game(name).ruleset.moves.values())]


@pytest.mark.parametrize("name", in_tiers(NOTED, quick=["plakoto"]))
def test_the_notation_of_a_move_as_it_is_shown_means_it_in_every_language(name: str) -> None:
    assert "backgammon" in NOTED
    for seed in range(sized(2, 4)):
        state, chance = game(name).start(seed), Random(seed)
        for _ in range(sized(20, 150)):
            moves = state.moves()
            for lang in LANGUAGES:
                shown = Counter(move.short(lang) for move in moves)
                for move in moves if not state.is_over else ():
                    if move.short(lang) and shown[move.short(lang)] == 1:
                        assert [m.id for m in state.meant(move.short(lang))] == [move.id]
            if state.is_over:
                break
            state = state.play(chance.choice(moves))


def test_a_notation_names_places_as_the_language_shown_does() -> None:
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
