"""Lines typed at the prompt: which moves they mean, in either language, and what is answered where they mean none or several."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from shlex import split
from types import SimpleNamespace
from typing import Any

import pytest
from english import spaced
from games import FEW, game, loaded
from msgspec.structs import replace
from rules import read_cases
from tiers import in_tiers, sized, some_now

from hoyle import Move, State
from hoyle.cli import output
from hoyle.cli.playing.commands import COMMANDS, SkippedChoice, get_commands, get_letters, is_request
from hoyle.cli.playing.offers import list_choices
from hoyle.cli.playing.prompt import Prompt
from hoyle.game.spelling import plain_words
from hoyle.language.sentences import LANGUAGES
from hoyle.presentation import catalogue
from hoyle.presentation.look import Look, draw_text, make_look
from hoyle.presentation.play_text import format_move, sort_moves, use_hand_order
from hoyle.printable import width
from hoyle.running.chance import Chance


class Asked:
    def __init__(self, state: State, lang: str, monkeypatch: pytest.MonkeyPatch, shown: str = "") -> None:
        monkeypatch.setattr(catalogue, "_chosen", lang)
        look = replace(make_look(state.game, plain=shown == "plain"), unicode=shown != "ascii", colour=False)
        self.look = use_hand_order(look, state.view(state.to_act))
        self.moves = sort_moves(state.moves(), self.look)
        self.told: list[str] = []
        monkeypatch.setattr(output, "show", self.told.append)
        console = SimpleNamespace(terminal=False)
        table: Any = SimpleNamespace(
            game=state.game, state=state, look=self.look, console=console, room=None, interruptions=()
        )
        self.prompt = Prompt(table, state.to_act, self.moves)

    def means(self, line: str) -> str | None:
        """Return the id of the move that is meant, or None; then `answer` says why."""
        self.told.clear()
        found = self.prompt._interpret(line)
        return found.id if found is not None else None

    @property
    def answer(self) -> str:
        return spaced(" ".join(" ".join(self.told).split()))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda state, lang, shown="": Asked(state, lang, monkeypatch, shown)


# ---- states ----------------------------------------------------------------------------------------------------------


def hand(cards: str, trick: str = "") -> State:
    piles = {"hand of B": cards, **({"trick of A": trick} if trick else {})}
    at = {"at": "play to the trick", "to_act": "B", "state": {"leader": "A" if trick else "B"}, "piles": piles}
    return game("whist").position(at)


def first_with(state: State, found: Callable[[State], bool]) -> State:
    while not found(state):
        state = state.play(state.moves()[0])
    return state


@cache
def doubling() -> State:
    start = loaded("backgammon", doubling_cube=True).start(3)
    return first_with(start, lambda state: any(move.name == "double" for move in state.moves()))


def laying() -> State:
    """Cards are laid in turn; a player who can lay one may not pass."""
    start = game("barbu-contre").start(5).play("choose-a-contract reussite")
    return first_with(start, lambda state: any(move.name == "lay a card" for move in state.moves()))


@cache
def fault() -> State:
    """Somebody may call out a fault, unless nobody is asked."""
    start = loaded("crapette", faults="callable", fault_effect="undo").start(7)
    return first_with(start, lambda state: state.unasked is not None)


STATES: dict[str, Callable[[], State]] = {
    "cube": doubling,
    "doubled": lambda: doubling().play("double"),
    "lay a card": laying,
}


# ---- lines that mean a move (=), and lines that are answered (!) ------------------------------------------------------

TYPED = read_cases("cli/typed")
SLOW = {"klondike 3, fr", "lay a card, fr", "crapette 3, fr", "belote 4, fr"}
"""Places that need most time. What stands there shows in others as well."""


@pytest.mark.whole
@pytest.mark.parametrize("place", in_tiers(TYPED, quick={*TYPED} - SLOW))
def test_lines_mean_moves_or_are_answered(place: str, asked: Any) -> None:
    """Letters of cards are those of the language: in French `7c` is the seven of hearts, but an id is English."""
    name, lang = place.rsplit(", ", 1)
    first, _, rest = name.partition(" ")
    state = (
        STATES[name]()
        if name in STATES
        else hand(*rest.split(" on "))
        if first == "whist"
        else game(first).start(int(rest))
    )
    person = asked(state, lang)
    for row in TYPED[place]:
        line, meant, answer = re.split(" ([=!]) ?", row, maxsplit=1)
        found = person.means(line)
        if meant == "=":
            assert sorted((found or "").split()) == sorted(answer.split()), (line, person.answer)
            assert person.answer == ""
        else:
            assert found is None and person.answer and answer in person.answer, (line, found, person.answer)


@pytest.mark.whole
def test_suggestions_are_near_in_the_language_shown(asked: Any) -> None:
    """`dice` is not far from the French word for a hint, `je prends` not from `reprendre`."""
    person = asked(game("backgammon").start(3), "en")
    assert person.means("dice") is None
    assert re.findall("`([^`]*)`", person.answer) == ["dice"]
    person = asked(hand("QC KH"), "fr")
    assert person.means("je prends") is None
    assert "reprendre" not in person.answer


# ---- any line of a list, and any combination of words ----------------------------------------------------------------

SHOWN = ("", "ascii", "plain")
"""How a list may be shown: with symbols, in ASCII, or in words."""


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", in_tiers(FEW, FEW[1:2]))
def test_listed_lines_mean_their_move_or_are_ambiguous(name: str, lang: str, asked: Any) -> None:
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
    yield from filter(None, (format_move(move, look), draw_text(move.short(look.lang), look), move.id))
    for signs in move.sets if len(move.sets) == 1 else ():
        mixed = [draw_text(sign, look) for sign in chance.sample(signs, len(signs))]
        yield from (", ".join(mixed), " ".join(mixed)) if len(mixed) > 1 else ()


def alike(written: str, moves: Sequence[Move], look: Look) -> list[Move]:
    """The moves that read so, as they are listed, in some language or in notation."""
    return [move for move in moves if in_any_order(written) in map(in_any_order, readings(move, look))]


def in_any_order(written: str) -> list[str]:
    return sorted(plain_words(written).split())


def readings(move: Move, look: Look) -> Iterator[str]:
    yield from (format_move(move, look), move.id, *(text for _, text in move.texts))
    yield from (move.short(lang) for lang in LANGUAGES)
    yield from (draw_text(" ".join(signs), look) for signs in move.sets)


EMPTY = re.compile(r":\s*[.?](?:\s|$)|:\s*$|(?:pas permis|not legal)\s*[.:]\s*$|``|«\s*»|, ,")
"""A sentence that has nothing to say: an empty list, a verdict without a reason."""


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", in_tiers(["golf", "gin-rummy", *FEW], ["golf"], ["gin-rummy"]))
def test_every_refusal_says_something(name: str, lang: str, asked: Any) -> None:
    """Names of moves, of places and of pieces, in any combination."""
    state, chance = game(name).start(3), Random(5)
    for _ in range(sized(2, 5)):
        if state.is_over:
            return
        person = asked(state, lang)
        for line in combinations(state, lang, chance, sized(4, 12)):
            answered = person.means(line) is not None or (person.told and not EMPTY.search(person.answer))
            assert answered, (line, person.answer)
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


# ---- lists -----------------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", some_now(["piquet", "crapette", "barbu", "spite-and-malice", "hearts", "backgammon"], 3)
)
def test_a_list_is_never_longer_than_there_is_room(name: str, asked: Any) -> None:
    state, chance = game(name).start(3), Random(1)
    for _ in range(sized(8, 40)):
        if state.is_over:
            return
        person = asked(state, "fr")
        assert all(len(list_choices(state, person.moves, person.look, room)) <= room for room in (3, 6, 12))
        state = state.play(chance.choice(state.moves()))


@pytest.mark.whole
def test_equal_places_are_offered_once_and_taken_by_their_numbers(asked: Any) -> None:
    state = game("spite-and-malice").start(3)
    person = asked(state, "fr")
    lines = list_choices(state, person.moves, person.look, 12)
    assert len(lines) == 5
    assert all(line.endswith("sur la pile latérale 1") for line in lines)
    assert person.means("3") == person.moves[2].id


@pytest.mark.whole
def test_moves_that_differ_in_one_place_stand_together(asked: Any) -> None:
    state = game("spite-and-malice").position(
        {"at": "turn", "to_act": "A", "piles": {"hand of A": "5H 9C 7D", "side of A": ["KS", "QH", "JC", "9S"]}}
    )
    person = asked(state, "en")
    lines = [line.strip() for line in list_choices(state, person.moves, person.look, 8)]
    assert lines[1] == "2–5  discard 5♥ on side stack 1 (K♠), 2 (Q♥), 3 (J♣), 4 (9♠)"
    assert [person.means(number) for number in "25"] == ["discard 5H -> 1", "discard 5H -> 4"]


@pytest.mark.whole
def test_a_choice_of_several_pieces_is_asked_as_one(asked: Any) -> None:
    state = game("hearts").start(3)
    person = asked(state, "en")
    for room in (None, 5):
        lines = list_choices(state, person.moves, person.look, room)
        assert lines[0].startswith("1–286  pass: 3 of ")
        assert len(lines) <= 3


# ---- letters that are commands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lang", "known", "gone"),
    [
        ("whist", "fr", "q", "cpr"),
        ("whist", "en", "uw", "hq"),
        ("backgammon", "fr", "cpqr", ""),
        ("backgammon", "en", "hquw", ""),
    ],
)
def test_letters_are_commands_unless_they_name_cards(name: str, lang: str, known: str, gone: str, asked: Any) -> None:
    """`r` stands for the French word of `undo` in French alone. The help names the letters, on one screen."""
    found = get_commands(game(name).compiled, lang)
    short = "".join(sorted(word for word in found if word.isalpha() and len(word) == 1))
    assert short == known
    assert "".join(sorted(get_letters(lang).keys() - found.keys())) == gone
    assert found.keys() - get_letters(lang).keys() == COMMANDS.keys()
    person = asked(game(name).start(1), lang)
    person.prompt.do_help("")
    assert person.told[-1].split("  ")[1] == ", ".join(known)
    assert len(person.told) < 22 and max(map(width, person.told)) <= 80


# ---- calls and records -----------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("line", ["crapette", "« Crapette ! »", "CRAPETTE", "!"])
def test_a_call_interrupts_however_it_is_written(line: str, asked: Any) -> None:
    state = fault()
    assert state.unasked is not None
    place, back = SkippedChoice(state.decisions, state, Chance(1, 1)), list[SkippedChoice]()
    person = asked(state.play(state.unasked), "fr")
    person.prompt.session.interruptions = [place]
    person.prompt.session.interrupt = back.append
    assert person.means(line) is None
    assert (back, person.answer) == ([place], "")
    look = make_look(state.game)
    assert all(is_request(word, [place], look) for word in place.others(look))
    assert not any(is_request(part, [place], look) for part in ("crap", "crapette 3", "!", ""))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("typed", "kept"), [("ma belote", "ma belote.jsonl"), ("l'as.jsonl", "l'as.jsonl"), ("essai", "essai.jsonl")]
)
def test_the_command_that_resumes_can_be_pasted(
    typed: str, kept: str, asked: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    person = asked(game("belote").start(4), "fr")
    person.prompt.session.name, person.prompt.session.make_record = "belote", str
    person.prompt.save(typed)
    assert [path.name for path in tmp_path.iterdir()] == [kept]
    told = " ".join(" ".join(person.told).split())
    assert split(told.split("`")[1]) == ["hoyle", "play", "belote", "--resume", kept]
