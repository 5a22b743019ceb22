"""Problems that players meet are told in their language, with all that stands beside them."""

from __future__ import annotations

import ast
import errno
import json
import pickle
from pathlib import Path

import pytest
from spaces import spaced

from interpreter import load
from interpreter.diagnostics import Diagnostic, Refused, Said, Source
from interpreter.game.positions import set_up
from interpreter.game.records import lines, replay
from interpreter.language import sentences
from interpreter.language.sentences import LANGUAGES, catalogue, said, system_said
from interpreter.reporting import report

ROOM = Path(sentences.__file__).parent
HEADS = {"error", "warning", "note", "help", "colon"}


def asked(function: str) -> set[str]:
    """The sentences that the interpreter asks for with this function: those between which it chooses, too."""
    found = set()
    for path in ROOM.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                found |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)}
    return {key for key in found if isinstance(key, str)}


def test_every_sentence_about_a_problem_is_asked_for() -> None:
    known = {key.removeprefix("problem.") for key in catalogue(ROOM, "fr") if key.startswith("problem.")}
    due = {key for key in known if key.startswith("due.")}
    assert known - HEADS - due == {key for key in asked("said") if key not in ("due.", "none")}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_system_says_is_said_of_errors_there_are(lang: str) -> None:
    names = [key.removeprefix("errno.") for key in catalogue(ROOM, lang) if key.startswith("errno.")]
    assert names and set(names) <= set(errno.errorcode.values()) | {"EDQUOT", "ETXTBSY"}


def test_why_a_file_cannot_be_used() -> None:
    with pytest.raises(OSError, match="x") as missing:
        Path("/nowhere/x").read_text()
    told = system_said(missing.value)
    assert told == "No such file or directory" and isinstance(told, Said)
    assert told.texts["fr"] == "il n'y a ni fichier ni dossier de ce nom"
    assert system_said(OSError(99999, "something odd")) == "something odd"
    assert system_said(ValueError("embedded null byte")) == "embedded null byte"


def test_a_sentence_may_stand_in_another() -> None:
    told = said("unreadable", name="x", why=said("not_a_name"))
    assert told == "`x` cannot be read: the name cannot be a file's"
    assert spaced(told.texts["fr"]) == "`x` ne peut pas être lu : ce ne peut être le nom d'un fichier"


def test_it_goes_from_one_process_to_another() -> None:
    problem = Diagnostic("R605", said("no_game", name="x"), help=said("list_games"))
    again = pickle.loads(pickle.dumps(Refused([problem]))).cause
    assert again.in_language("fr") == problem.in_language("fr") != again


def test_what_has_no_words_stays_as_it_is() -> None:
    problem = Diagnostic("R102", "unknown key", notes=(said("over"),))
    assert problem.in_language("fr") is problem


def french(call: object) -> list[Diagnostic]:
    with pytest.raises(Refused) as refused:
        call()  # type: ignore[operator]
    return [d.in_language("fr") for d in refused.value.diagnostics]


def record() -> list[str]:
    state = load("klondike").start(3)
    for _ in range(3):
        state = state.play(state.moves()[0])
    return list(lines(state, 3))


def replayed(*changed: tuple[int, str]) -> None:
    text = record()
    for number, line in changed:
        text[number : number + 1] = [line]
    replay(Source("game.jsonl", "\n".join(text)))


CASES = [
    (lambda: load("klondik"), "R605"),
    (lambda: load("nothing.yaml"), "R001"),
    (lambda: load("french"), "R613"),
    (lambda: load("klondike", nope=1), "R610"),
    (lambda: load("klondike", draw=99), "R611"),
    (lambda: load("hearts", players=99), "R611"),
    (lambda: load("klondike").start(1).find("fly"), "R801"),
    (lambda: load("klondike").start(1).find("play KS"), "R802"),
    (lambda: set_up(load("klondike").compiled, {"game": "golf"}, 1), "R702"),
    (lambda: set_up(load("klondike").compiled, {"pile": {}}, 1), "R701"),
    (lambda: set_up(load("klondike").compiled, {"piles": {"stok": "KH"}}, 1), "R703"),
    (lambda: set_up(load("klondike").compiled, {"piles": {"stock": "XX"}}, 1), "R705"),
    (lambda: set_up(load("klondike").compiled, {"piles": {"stock": "KH KH"}}, 1), "R706"),
    (lambda: set_up(load("klondike").compiled, {"piles": {"stock": "KH"}, "at": "nowhere"}, 1), "R710"),
    (lambda: set_up(load("klondike").compiled, {"piles": {"stock": "KH"}, "state": {"nothing": 1}}, 1), "R707"),
    (lambda: set_up(load("hearts").compiled, {"to_act": "Z"}, 1), "R709"),
    (lambda: replay(Source("x.jsonl", "")), "R812"),
    (lambda: replay(Source("x.jsonl", "{}")), "R813"),
    (lambda: replayed((1, "not json")), "R811"),
    (lambda: replayed((1, '{"shuffle": "tableau", "cards": []}')), "R818"),
    (lambda: replayed((1, '{"shuffle": "stock", "cards": []}')), "R819"),
    (lambda: replayed((-1, '{"move": "fly", "by": "A"}')), "R801"),
    (lambda: replayed((0, json.dumps({**json.loads(record()[0]), "game": "nothing"}))), "R821"),
    (lambda: replayed((0, json.dumps({**json.loads(record()[0]), "digest": "0" * 16}))), "R814"),
    (lambda: load("klondike").resume({"state": 1, "digest": "0", "game": "klondike"}), "R722"),
    (lambda: load("klondike").resume({}), "R721"),
]


@pytest.mark.parametrize(("call", "code"), CASES, ids=[code for _, code in CASES])
def test_a_player_is_told_in_french(call: object, code: str) -> None:
    found = french(call)
    assert [d.code for d in found] == [code]
    (one,) = found
    assert one.lang == "fr"
    text = spaced(report.text(found))
    assert text.startswith(f"erreur[{code}] : ")
    assert "help:" not in text and "note:" not in text
    said_here = " ".join(part for line in text.splitlines() if "|" not in line for part in line.split("`")[::2])
    assert not {"is", "the", "there", "not", "of", "and", "you"} & set(said_here.split())
