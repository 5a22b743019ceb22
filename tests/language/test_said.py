"""Sentences about problems: in every language, within each other, in other processes, and to players in French."""

import errno
import json
import pickle
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from english import left_in_english, spaced
from games import game

from hoyle import load
from hoyle.diagnostics import Diagnostic, LocalizedText, Refused, Source, verbatim
from hoyle.game.positions import set_up_position
from hoyle.game.records.records import record_lines, replay
from hoyle.language import sentences
from hoyle.language.sentences import LANGUAGES, describe_os_error, load_catalogue, make_message
from hoyle.reporting import report

ROOM = Path(sentences.__file__).parent


@pytest.mark.whole
def test_sentences_about_problems_are_read_when_there_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(lang: str) -> dict[str, str]:
        raise AssertionError("the sentences of problems are read, and there is none")

    monkeypatch.setattr(sentences, "load_messages", read)
    state = load("hearts").start(1)
    assert not state.play(state.moves()[0]).is_over


@pytest.mark.parametrize("lang", LANGUAGES)
def test_system_errors_with_sentences_exist(lang: str) -> None:
    names = [key.removeprefix("errno.") for key in load_catalogue(ROOM, lang) if key.startswith("errno.")]
    assert names and set(names) <= set(errno.errorcode.values()) | {"EDQUOT", "ETXTBSY"}


def test_why_a_file_cannot_be_used() -> None:
    with pytest.raises(OSError, match="x") as missing:
        Path("/nowhere/x").read_text()
    told = describe_os_error(missing.value)
    assert told == "No such file or directory" and isinstance(told, LocalizedText)
    assert told.texts["fr"] == "il n'y a ni fichier ni dossier de ce nom"
    assert describe_os_error(OSError(99999, "something odd")) == "something odd"
    assert describe_os_error(ValueError("embedded null byte")) == "embedded null byte"


def test_a_sentence_may_stand_in_another() -> None:
    told = make_message("unreadable", name="x", why=make_message("not_a_name"))
    assert told == "`x` cannot be read: the name cannot be a file's"
    assert spaced(told.texts["fr"]) == "`x` ne peut pas être lu : ce ne peut être le nom d'un fichier"


def test_a_refusal_can_be_pickled() -> None:
    problem = Diagnostic("R605", make_message("no_game", name="x"), help=make_message("list_games"))
    again = pickle.loads(pickle.dumps(Refused([problem]))).cause
    assert again.in_language("fr") == problem.in_language("fr") != again


def test_text_without_translations_stays_as_it_is() -> None:
    problem = Diagnostic("R102", verbatim("x → y"), notes=(make_message("over"),))
    french = problem.in_language("fr")
    assert (french.message, french.notes) == ("x → y", ("la partie est finie",))
    assert problem.in_language("en") is problem and french.in_language("fr") is french


@cache
def record() -> tuple[str, ...]:
    state = game("klondike").start(3)
    for _ in range(3):
        state = state.play(state.moves()[0])
    return tuple(record_lines(state, 3))


def replayed(number: int, line: str) -> None:
    text = list(record())
    text[number] = line
    replay(Source("game.jsonl", "\n".join(text)))


def laid(position: dict[str, Any], name: str = "klondike") -> None:
    set_up_position(game(name).compiled, position, 1)


CASES = [
    (lambda: load("klondik"), "R605"),
    (lambda: load("nothing.yaml"), "R001"),
    (lambda: load("french"), "R613"),
    (lambda: load("klondike", nope=1), "R610"),
    (lambda: load("klondike", draw=99), "R611"),
    (lambda: load("hearts", players=99), "R611"),
    (lambda: game("klondike").start(1).find("fly"), "R801"),
    (lambda: game("klondike").start(1).find("play KS"), "R802"),
    (lambda: laid({"game": "golf"}), "R702"),
    (lambda: laid({"pile": {}}), "R701"),
    (lambda: laid({"piles": {"stok": "KH"}}), "R703"),
    (lambda: laid({"piles": {"stock": "XX"}}), "R705"),
    (lambda: laid({"piles": {"stock": "KH KH"}}), "R706"),
    (lambda: laid({"piles": {"stock": "KH"}, "at": "nowhere"}), "R710"),
    (lambda: laid({"piles": {"stock": "KH"}, "state": {"nothing": 1}}), "R707"),
    (lambda: laid({"to_act": "Z"}, "hearts"), "R709"),
    (lambda: replay(Source("x.jsonl", "")), "R812"),
    (lambda: replay(Source("x.jsonl", "{}")), "R813"),
    (lambda: replayed(1, "not json"), "R811"),
    (lambda: replayed(1, '{"shuffle": "tableau", "cards": []}'), "R818"),
    (lambda: replayed(1, '{"shuffle": "stock", "cards": []}'), "R819"),
    (lambda: replayed(-1, '{"move": "fly", "by": "A"}'), "R801"),
    (lambda: replayed(0, json.dumps({**json.loads(record()[0]), "game": "nothing"})), "R821"),
    (lambda: replayed(0, json.dumps({**json.loads(record()[0]), "digest": "0" * 16})), "R814"),
    (lambda: game("klondike").resume({"state": 1, "digest": "0", "game": "klondike"}), "R722"),
    (lambda: game("klondike").resume({}), "R721"),
]


@pytest.mark.parametrize(("call", "code"), CASES, ids=[code for _, code in CASES])
def test_a_player_is_told_in_french(call: Callable[[], object], code: str) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert [d.code for d in refused.value.diagnostics] == [code]
    assert not left_in_english(refused.value.diagnostics)
    text = spaced(report.as_text([refused.value.cause.in_language("fr")]))
    assert text.startswith(f"erreur[{code}] : ")
    assert "help:" not in text and "note:" not in text


def test_a_program_that_is_refused_shows_the_help() -> None:
    with pytest.raises(Refused) as refused:
        load("grabbuge")
    found = traceback.format_exception_only(pickle.loads(pickle.dumps(refused.value)))
    assert found == [
        "hoyle.diagnostics.Refused: [R605] there is no game `grabbuge`\n",
        "[R605] help: a similar name exists: `grabuge`\n",
    ]
