"""What a person types at the prompt: what is shown, in either language, in part, with places alone; and what is asked where it is not clear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from shlex import split
from types import SimpleNamespace
from typing import Any

import pytest
from games import game, originals
from msgspec.structs import replace
from spaces import spaced
from tiers import in_tiers, sized, some_now

from interpreter import Move, State, load
from interpreter.cli import catalogue, output
from interpreter.cli.drawing.ink import Look, suited
from interpreter.cli.drawing.lines import holding, in_order, look_of, move_text
from interpreter.cli.drawing.offers import choices
from interpreter.cli.playing.commands import COMMANDS, commands, letters
from interpreter.cli.playing.interrupting import Passed, is_call
from interpreter.cli.playing.prompt import Prompt
from interpreter.game.spelling import plain_words
from interpreter.language.sentences import LANGUAGES
from interpreter.printable import width
from interpreter.running.chance import Chance


class Asked:
    """Somebody at a prompt: what a line means, and what is told him."""

    def __init__(self, state: State, lang: str, monkeypatch: pytest.MonkeyPatch, shown: str = "") -> None:
        monkeypatch.setattr(catalogue, "_chosen", lang)
        look = replace(look_of(state.game, plain=shown == "plain"), unicode=shown != "ascii", colour=False)
        self.look = holding(look, state.view(state.to_act))
        self.moves = in_order(state.moves(), self.look)
        self.told: list[str] = []
        monkeypatch.setattr(output, "show", self.told.append)
        console = SimpleNamespace(terminal=False)
        table: Any = SimpleNamespace(
            game=state.game, state=state, look=self.look, console=console, room=None, interruptions=()
        )
        self.prompt = Prompt(table, state.to_act, self.moves)

    def means(self, line: str) -> str | None:
        """The id of the move, if one is meant; else what is said stands in `answer`."""
        self.told.clear()
        found = self.prompt._understood(line)
        return found.id if found is not None else None

    @property
    def answer(self) -> str:
        return spaced(" ".join(" ".join(self.told).split()))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda state, lang, shown="": Asked(state, lang, monkeypatch, shown)


SHOWN = ("", "ascii", "plain")
"""How a list may be shown: with symbols, in ASCII, or in words."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", in_tiers(originals(), quick=["backgammon"], whole=["crapette"]))
def test_every_line_of_the_list_means_the_move_or_asks_because_another_reads_so(
    name: str, lang: str, asked: Any
) -> None:
    """As it is listed, in notation, by id; pieces in any order, with commas or without."""
    state, chance = game(name).start(7), Random(2)
    for number in range(sized(5, 30)):
        if state.is_over:
            return
        person, moves = asked(state, lang, SHOWN[number % len(SHOWN)]), state.moves()
        for move in chance.sample(moves, min(4, len(moves))):
            for written in ways_to_write(move, person.look, chance):
                if person.means(written) != move.id:
                    assert person.means(written) is None, written
                    assert len(alike(written, moves, person.look)) > 1, (written, person.answer)
        state = state.play(chance.choice(moves))


def ways_to_write(move: Move, look: Look, chance: Random) -> Iterator[str]:
    yield from filter(None, (move_text(move, look), suited(move.short(look.lang), look), move.id))
    for signs in move.sets if len(move.sets) == 1 else ():
        mixed = [suited(sign, look) for sign in chance.sample(signs, len(signs))]
        yield from (", ".join(mixed), " ".join(mixed)) if len(mixed) > 1 else ()


def alike(written: str, moves: Sequence[Move], look: Look) -> list[Move]:
    """The moves that read so, as they are listed, in some language or in notation."""
    return [move for move in moves if in_any_order(written) in map(in_any_order, readings(move, look))]


def in_any_order(written: str) -> list[str]:
    return sorted(plain_words(written).split())


def readings(move: Move, look: Look) -> Iterator[str]:
    yield from (move_text(move, look), move.id, *(text for _, text in move.texts))
    yield from (move.short(lang) for lang in LANGUAGES)
    yield from (suited(" ".join(signs), look) for signs in move.sets)


@pytest.mark.parametrize(
    ("name", "seed", "line", "meant"),
    [
        ("klondike", 1, "2♥ 6", "column-to-column 1 2H -> 6"),
        ("klondike", 1, "2c 3t", "column-to-column 1 2H -> 6"),
        ("klondike", 1, "2♥ → 6", "column-to-column 1 2H -> 6"),
        ("klondike", 1, "2♥ sur la colonne 6", "column-to-column 1 2H -> 6"),
        ("klondike", 1, "ak", "to-the-foundation column 4"),
        ("klondike", 1, "jouer ak", None),
        ("klondike", 1, "mo", "to-the-foundation column 4"),  # monter; `move` is what another language says
        ("klondike", 1, "move", "column-to-column 1 2H -> 6"),
        ("backgammon", 3, "24/23", "play arrow x 1"),
        ("backgammon", 3, "flèche 6 1", "play arrow f 1"),
        ("backgammon", 3, "1 flèche 6", "play arrow f 1"),
        ("backgammon", 3, "JOUER 1 FLECHE 6", "play arrow f 1"),
        ("backgammon", 3, "flèche 6", None),
        ("backgammon", 3, "24 23", "play arrow x 1"),
        ("spite-and-malice", 3, "2♠ 3", "discard 2S -> 3"),
        ("spite-and-malice", 3, "3 2♠", "discard 2S -> 3"),
        ("hearts", 3, "10p, 5p et 8c", "pass-cards 5S 8H TS"),
        ("hearts", 3, "vt 5♠ 8h", "pass-cards 5S 8H JC"),
        ("hearts", 3, "passer 8c 5p 10p", "pass-cards 5S 8H TS"),
        ("hearts", 3, "pass-cards TS 5S 8H", "pass-cards 5S 8H TS"),
        ("hearts", 3, "b", None),
    ],
)
def test_what_is_said_in_french(name: str, seed: int, line: str, meant: str | None, asked: Any) -> None:
    state = game(name).start(seed)
    person = asked(state, "fr")
    found = person.means(line)
    wanted = next((move for move in state.moves() if same_things(move.id, meant or "")), None)
    assert found == (wanted.id if wanted is not None else None), person.answer
    assert (wanted is None) == (meant is None)
    assert (person.answer == "") == (meant is not None)


def same_things(one: str, other: str) -> bool:
    return sorted(one.split()) == sorted(other.split())


def test_letters_of_a_language_are_read_in_that_language_alone(asked: Any) -> None:
    """In French `7c` is the seven of hearts, and an id is English."""
    state = game("whist").position(
        {"at": "play to the trick", "to_act": "B", "state": {"leader": "B"}, "piles": {"hand of B": "7H 7C"}}
    )
    said = {lang: asked(state, lang).means("7c") for lang in LANGUAGES}
    assert said == {"en": "play-a-card 7C", "fr": "play-a-card 7H"}
    french = asked(state, "fr")
    assert [french.means(line) for line in ("play-a-card 7c", "7t", "7♣")] == ["play-a-card 7C"] * 3


@pytest.mark.parametrize(
    ("name", "line", "answer"),
    [
        ("backgammon", "jouer 5 (flèche 6)", "`5` n'est pas de ceux qu'il y a : 2, 1."),
        ("backgammon", "jouer 2 (flèche 10)", "Flèche 10 : pas de pion à vous."),
        ("backgammon", "10/8", "Flèche 10 : pas de pion à vous."),
        ("backgammon", "13/12", "Un pion ne peut se poser sur une flèche où sont deux pions adverses ou plus."),
        ("backgammon", "6/1", "Rien ne mène là ; de là, seulement `6/4`, `6/5`."),
        ("backgammon", "flèche 6", "plusieurs coups"),
        ("spite-and-malice", "2♠", "1 `écarter 2♠ sur la pile latérale 1`, 2 `"),
        ("hearts", "10p 5p", "10p 5p : encore 1 à choisir"),
    ],
)
def test_what_is_not_a_move_is_answered(name: str, line: str, answer: str, asked: Any) -> None:
    person = asked(game(name).start(3), "fr")
    assert person.means(line) is None
    assert answer in person.answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("pourquoi 8♠", "8♠ ne se voit nulle part."),
        ("8♠", "8♠ ne se voit nulle part."),
        ("pourquoi 8p", "8♠ ne se voit nulle part."),
        ("pourquoi R♦", "R♦ ne se voit nulle part."),
        ("D♣ 5", "Il n'y a pas de tel coup ici."),
    ],
)
def test_a_card_that_no_move_is_about_is_not_told_where_it_lies(line: str, answer: str, asked: Any) -> None:
    """One that is hidden is nowhere to be seen, wherever it lies."""
    person = asked(game("klondike").start(1), "fr")
    assert person.means(line) is None
    assert answer in person.answer


# ---- the doubling cube -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "doubled", "said"),
    [
        ("en", False, {"throw-the-dice": ["roll", "throw", "roll the dice"], "double": ["double"]}),
        (
            "fr",
            False,
            {"throw-the-dice": ["lancer", "jeter les dés", "lance les dés"], "double": ["doubler", "double"]},
        ),
        ("en", True, {"take": ["take", "accept"], "drop": ["drop", "refuse", "pass", "decline"]}),
        ("fr", True, {"take": ["accepter", "prendre", "prend"], "drop": ["refuser", "passer", "refuse"]}),
    ],
)
def test_what_is_said_of_the_cube(lang: str, doubled: bool, said: dict[str, list[str]], asked: Any) -> None:
    state = load("backgammon", {"doubling_cube": True}).start(3)
    while not any(move.name == "double" for move in state.moves()):
        state = state.play(state.moves()[0])
    person = asked(state.play("double") if doubled else state, lang)
    assert {move: [person.means(line) for line in lines] for move, lines in said.items()} == {
        move: [move] * len(lines) for move, lines in said.items()
    }


@pytest.mark.parametrize(
    ("lang", "line", "near"), [("en", "lst", "list"), ("fr", "listee", "liste"), ("en", "dice", None)]
)
def test_what_is_near_a_word_is_in_the_language_shown(lang: str, line: str, near: str | None, asked: Any) -> None:
    """Of commands too: `dice` is not far from what is French for a hint."""
    person = asked(game("backgammon").start(3), lang)
    assert person.means(line) is None
    assert re.findall("`([^`]*)`", person.answer) == [line, *[near] * (near is not None)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_is_one_screen(lang: str, asked: Any) -> None:
    person = asked(game("backgammon").start(1), lang)
    person.prompt.do_help("")
    assert len(person.told) < 22


# ---- lists -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [3, 6, 12])
@pytest.mark.parametrize(
    "name", some_now(["piquet", "crapette", "barbu", "spite-and-malice", "hearts", "grabuge", "backgammon"], 3)
)
def test_a_list_is_never_longer_than_there_is_room(name: str, room: int, asked: Any) -> None:
    state, chance = game(name).start(3), Random(1)
    for _ in range(sized(8, 40)):
        if state.is_over:
            return
        person = asked(state, "fr")
        assert len(choices(state, person.moves, person.look, room)) <= room
        state = state.play(chance.choice(state.moves()))


def test_equal_places_are_offered_once_and_taken_by_their_numbers(asked: Any) -> None:
    state = game("spite-and-malice").start(3)
    person = asked(state, "fr")
    lines = choices(state, person.moves, person.look, 12)
    assert len(lines) == 5
    assert all(line.endswith("sur la pile latérale 1") for line in lines)
    assert person.means("3") == person.moves[2].id


def test_moves_that_differ_in_one_place_stand_together(asked: Any) -> None:
    state = game("spite-and-malice").position(
        {"at": "turn", "to_act": "A", "piles": {"hand of A": "5H 9C 7D", "side of A": ["KS", "QH", "JC", "9S"]}}
    )
    person = asked(state, "en")
    lines = [line.strip() for line in choices(state, person.moves, person.look, 8)]
    assert lines[1] == "2–5  discard 5♥ on side stack 1 (K♠), 2 (Q♥), 3 (J♣), 4 (9♠)"
    assert [person.means(number) for number in "25"] == ["discard 5H -> 1", "discard 5H -> 4"]


def test_a_choice_of_several_pieces_is_asked_as_one(asked: Any) -> None:
    state = game("hearts").start(3)
    person = asked(state, "en")
    for room in (None, 5):
        lines = choices(state, person.moves, person.look, room)
        assert lines[0].startswith("1–286  pass: 3 of ")
        assert len(lines) <= 3


# ---- as people say it ------------------------------------------------------------------------------------------------


def hand(cards: str) -> State:
    return game("whist").position(
        {"at": "play to the trick", "to_act": "B", "state": {"leader": "B"}, "piles": {"hand of B": cards}}
    )


@pytest.mark.parametrize(
    ("lang", "line", "meant"),
    [
        ("fr", "as de carreau", "play-a-card AD"),
        ("fr", "as♦", "play-a-card AD"),
        ("fr", "A carreau", "play-a-card AD"),
        ("fr", "jouer l'as de carreau", "play-a-card AD"),
        ("fr", "l’as de carreau", "play-a-card AD"),
        ("fr", "Roi de trèfle", "play-a-card KC"),
        ("fr", "jouer le roi de trefle", "play-a-card KC"),
        ("fr", "R trèfle", "play-a-card KC"),
        ("fr", "10 de coeur", "play-a-card TH"),
        ("fr", "dix cœur", "play-a-card TH"),
        ("fr", "ace of spades", "play-a-card AS"),
        ("fr", "roi", "play-a-card KC"),
        ("fr", "as", None),
        ("en", "ace of diamonds", "play-a-card AD"),
        ("en", "play a card king of clubs", "play-a-card KC"),
        ("en", "king of club", "play-a-card KC"),
        ("en", "ten hearts", "play-a-card TH"),
        ("en", "king", "play-a-card KC"),
        ("en", "ace", None),
        ("en", "as", "play-a-card AS"),
    ],
)
def test_a_card_in_words(lang: str, line: str, meant: str | None, asked: Any) -> None:
    person = asked(hand("AS AD KC TH"), lang)
    assert person.means(line) == meant, person.answer
    assert (person.answer == "") == (meant is not None)


@pytest.mark.parametrize(("line", "meant"), [("as de trèfle", "AC"), ("as de cœur", "AH"), ("Ac", "AH"), ("At", "AC")])
def test_a_sign_that_stands_for_words_is_no_letters_of_a_language(line: str, meant: str, asked: Any) -> None:
    """In French `AC` is typed for the ace of hearts; what the ace of clubs is called in words is none the less that of clubs."""
    assert asked(hand("AC AH"), "fr").means(line) == f"play-a-card {meant}"


@pytest.mark.parametrize("line", ["A carreau", "as de carreau", "as♦"])
def test_a_card_in_words_that_one_does_not_hold_is_a_card_all_the_same(line: str, asked: Any) -> None:
    person = asked(hand("AS KC TH"), "fr")
    assert person.means(line) is None
    assert person.answer == "jouer A♦ : pas permis. Main : A♦ n'y est pas."


def test_a_rank_stands_for_the_only_piece_of_that_rank_that_may_be_meant(asked: Any) -> None:
    """Beside a piece: a number alone is that of a move."""
    state = game("cribbage").start(5)
    cards = {sign for move in state.moves() for sign in move.sets[0]}
    assert {"8S", "KS", "KH", "KD"} <= cards
    person = asked(state, "fr")
    assert person.means("R♠ 8") == "lay-away 8S KS"
    assert person.means("8♠ R") is None


def test_a_word_for_a_move_that_is_not_offered_now_is_told_why(asked: Any) -> None:
    person = asked(game("crapette").start(3), "fr")
    assert person.means("passe") is None
    assert person.answer.startswith("passer : pas permis. ")


def laying() -> State:
    """Cards are laid in turn; who can lay one may not pass."""
    state = game("barbu-contre").start(5).play("choose-a-contract reussite")
    while all(move.name != "lay a card" for move in state.moves()):
        state = state.play(state.moves()[0])
    return state


@pytest.mark.parametrize("line", ["passer", "pas", "pass", "passer son tour", "pass-the-turn"])
def test_the_beginning_of_a_move_that_is_not_legal_now_means_it_and_not_one_that_is_not_offered(
    line: str, asked: Any
) -> None:
    person = asked(laying(), "fr")
    assert person.means(line) is None
    assert person.answer.startswith(
        "passer son tour : pas permis. Il est interdit de passer si l'on peut poser une carte."
    )


def test_a_refusal_names_only_moves_that_are_legal_now(asked: Any) -> None:
    person = asked(laying(), "fr")
    assert person.means("contrer") is None
    assert person.answer.endswith("on peut : poser ….")


EMPTY = re.compile(r":\s*[.?](?:\s|$)|:\s*$|(?:pas permis|not legal)\s*[.:]\s*$|``|«\s*»|, ,")
"""A sentence that has nothing to say: an empty list, a verdict without a reason."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", in_tiers(originals(), quick=["golf"], whole=["gin-rummy"]))
def test_every_refusal_says_something(name: str, lang: str, asked: Any) -> None:
    """Names of moves, of places and of pieces, in any combination."""
    state, chance = game(name).start(3), Random(5)
    for _ in range(sized(2, 5)):
        if state.is_over:
            return
        person = asked(state, lang)
        for line in combinations(state, lang, chance, sized(4, 12)):
            assert person.means(line) is not None or (person.told and not EMPTY.search(person.answer)), (
                line,
                person.answer,
            )
        state = state.play(chance.choice(state.moves()))


def combinations(state: State, lang: str, chance: Random, count: int) -> Iterator[str]:
    """Lines that begin with the name of a move, or of a place, and go on with whatever there is."""
    labels, namer = state.game.labels(lang), state.game.compiled.namer
    names = [*labels["moves"].values(), *labels.get("piles", {}).values(), *state.game.rules]
    signs = [*namer.signs, *namer.shown(lang)]
    kinds = [names, signs, [str(n) for n in range(14)], ["->", "nothing"]]
    for _ in range(count):
        words = [chance.choice(names), *(chance.choice(chance.choice(kinds)) for _ in range(chance.randint(1, 3)))]
        line = " ".join(" ".join(words).replace("…", "").split())
        if line.partition(" ")[0].lower() not in COMMANDS:  # a place may be called `table`
            yield line


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("golf", "retourner 7♦", "`7♦` est de trop"),
        ("klondike", "column to column 7D", "pas de tel coup ici"),
    ],
)
def test_an_impossible_move_is_refused_with_what_is_wrong_with_it(name: str, line: str, said: str, asked: Any) -> None:
    person = asked(game(name).start(3), "fr")
    assert person.means(line) is None
    assert said in person.answer and not EMPTY.search(person.answer)


# ---- letters that are commands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lang", "gone"),
    [("whist", "fr", "cpr"), ("whist", "en", "hq"), ("backgammon", "fr", ""), ("backgammon", "en", "")],
)
def test_a_letter_of_a_rank_or_suit_is_no_command(name: str, lang: str, gone: str) -> None:
    known = commands(game(name).compiled, lang)
    assert "".join(sorted(letters(lang).keys() - known.keys())) == gone
    assert known.keys() - letters(lang).keys() == COMMANDS.keys()


@pytest.mark.parametrize(("lang", "own"), [("en", "hquw"), ("fr", "cpqr")])
def test_a_letter_is_a_command_only_in_the_language_whose_word_it_begins(lang: str, own: str, asked: Any) -> None:
    """`r` is no `undo` for who has never read `reprendre`; the help names all there are."""
    person = asked(game("backgammon").start(1), lang)
    known = commands(game("backgammon").compiled, lang)
    assert "".join(sorted(word for word in known if word.isalpha() and len(word) == 1)) == own
    person.prompt.do_help("")
    assert person.told[-1].split("  ")[1] == ", ".join(own)


@pytest.mark.parametrize(("name", "short"), [("whist", "q"), ("backgammon", "c, p, q, r")])
def test_help_names_the_letters_that_are_commands(name: str, short: str, asked: Any) -> None:
    person = asked(game(name).start(1), "fr")
    person.prompt.do_help("")
    assert person.told[-1].split("  ")[1] == short
    assert max(map(width, person.told)) <= 80


def test_what_is_only_said_stays_in_a_list_that_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_chosen", "fr")
    state = game("coinchee").start(3)
    look = look_of(state.game)
    moves = in_order(state.moves(), look)
    word = next(n for n, move in enumerate(moves, 1) if " " not in move.id)
    for room in (3, 5, None):
        lines = choices(state, moves, look, room)
        assert any(f"{word}  passer" in line for line in lines)
        assert len(lines) <= (room or 42)


# ---- pieces by a part, and what one says that one does ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "line", "meant", "answer"),
    [
        ("fr", "roi", "play-a-card KH", ""),
        ("fr", "dix", "play-a-card TS", ""),
        ("fr", "neuf", "play-a-card 9H", ""),
        ("fr", "le dix", "play-a-card TS", ""),
        ("fr", "dame", None, "`dame` : 4 `jouer D♣`, 6 `jouer D♦`"),
        ("fr", "jouer la dame", None, "4 `jouer D♣`, 6 `jouer D♦`"),
        ("fr", "je joue le roi", "play-a-card KH", ""),
        ("fr", "je joue 9♥", "play-a-card 9H", ""),
        ("fr", "valet", None, "aucun coup possible ici avec `valet`"),
        ("fr", "as", None, "aucun coup possible ici avec `as`"),
        ("en", "king", "play-a-card KH", ""),
        ("en", "ten", "play-a-card TS", ""),
        ("en", "queen", None, "`queen` fits several moves: "),
        ("en", "jack", None, "no move here is about `jack`"),
        ("en", "I play KH", "play-a-card KH", ""),
    ],
)
def test_a_rank_said_alone_is_played_or_asked_about(
    lang: str, line: str, meant: str | None, answer: str, asked: Any
) -> None:
    person = asked(hand("QC QD KH TS 9H 8D"), lang)
    assert person.means(line) == meant, person.answer
    assert answer in person.answer
    assert (person.answer == "") == (answer == "")


def test_a_rank_that_is_held_and_may_not_be_played_is_told_why(asked: Any) -> None:
    piles = {"trick of A": "5H", "hand of B": "2H QS"}
    at = {"at": "play to the trick", "to_act": "B", "state": {"leader": "A"}}
    person = asked(game("whist").position({**at, "piles": piles}), "fr")
    assert person.means("dame") is None
    assert person.answer.startswith("jouer D♠ : pas permis. "), person.answer


@pytest.mark.parametrize(
    ("name", "seed", "line", "meant"),
    [
        ("cribbage", 5, "huit dame", "lay-away 8S QC"),
        ("cribbage", 5, "dame huit", "lay-away 8S QC"),
        ("cribbage", 5, "8 roi", None),
        ("klondike", 1, "2 de cœur sur le trois", "column-to-column 1 2H -> 6"),
        ("klondike", 1, "le deux sur le trois", "column-to-column 1 2H -> 6"),
        ("klondike", 1, "le deux sur le quatre", None),
        ("belote", 4, "je prends", "take"),
        ("belote", 4, "je passe", "pass"),
        ("belote", 4, "I pass", "pass"),
    ],
)
def test_what_people_say_in_french(name: str, seed: int, line: str, meant: str | None, asked: Any) -> None:
    person = asked(game(name).start(seed), "fr")
    found = person.means(line)
    assert sorted((found or "").split()) == sorted((meant or "").split()), person.answer


def test_what_one_says_that_one_does_is_no_slip_for_a_command(asked: Any) -> None:
    person = asked(hand("QC KH"), "fr")
    assert person.means("je prends") is None
    assert "reprendre" not in person.answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("p 9♠", "jouer 9♠ : pas permis. Main : 9♠ n'y est pas."),
        ("P R♥", "jouer R♥ : permis"),
        ("p 1", "permis"),
        ("c beaucoup", "`beaucoup`"),  # a hint is asked for, and how long is no number
    ],
)
def test_a_letter_of_a_suit_asks_where_no_move_begins_so(line: str, answer: str, asked: Any) -> None:
    person = asked(hand("QC KH"), "fr")
    assert person.means(line) is None
    assert answer in person.answer


# ---- calls and records -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["crapette", "crapette !", "Crapette!", "« Crapette ! »", "CRAPETTE", "!"])
def test_what_one_calls_is_called_however_it_is_written(line: str, asked: Any) -> None:
    state = load("crapette", {"faults": "callable", "fault_effect": "undo"}).start(7)
    while state.unasked is None:
        state = state.play(state.moves()[0])
    place = Passed(state.decisions, state, Chance(1, 1))
    back: list[Passed] = []
    person = asked(state.play(state.unasked), "fr")
    person.prompt.session.interruptions = [place]
    person.prompt.session.interrupt = back.append
    assert person.means(line) is None
    assert (back, person.answer) == ([place], "")


def test_a_part_of_what_is_called_is_no_call() -> None:
    state = load("crapette", {"faults": "callable", "fault_effect": "undo"}).start(7)
    while state.unasked is None:
        state = state.play(state.moves()[0])
    place, look = Passed(state.decisions, state, Chance(1, 1)), look_of(state.game)
    words = place.others(look)
    assert words
    assert all(is_call(word, [place], look) for word in words)
    assert not any(is_call(line, [place], look) for line in ("crap", "crapette 3", "!", ""))


@pytest.mark.parametrize(
    ("typed", "kept"), [("ma belote", "ma belote.jsonl"), ("l'as.jsonl", "l'as.jsonl"), ("essai", "essai.jsonl")]
)
def test_the_command_that_goes_on_can_be_pasted(
    typed: str, kept: str, asked: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    person = asked(game("belote").start(4), "fr")
    person.prompt.session.name, person.prompt.session.written = "belote", str
    person.prompt.save(typed)
    assert [path.name for path in tmp_path.iterdir()] == [kept]
    told = " ".join(" ".join(person.told).split())
    assert split(told.split("`")[1]) == ["hoyle", "play", "belote", "--resume", kept]
