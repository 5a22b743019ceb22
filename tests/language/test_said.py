"""Problems that players meet are told in their language, with all that stands beside them."""

from __future__ import annotations

import ast
import errno
import json
import pickle
import re
import string
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from spaces import spaced

from interpreter import load
from interpreter.diagnostics import Diagnostic, Refused, Said, Source, verbatim
from interpreter.game.positions import set_up
from interpreter.game.records import lines, replay
from interpreter.language import sentences
from interpreter.language.sentences import FALLBACK, LANGUAGES, catalogue, problems, said, system_said
from interpreter.reporting import report

ROOM = Path(sentences.__file__).parent


MAKERS = {"said", "Later"}
"""What makes a sentence by its key."""
_KEY = re.compile(r"[a-z]\w*(\.[a-z]\w*)*")


def trees() -> Iterator[ast.AST]:
    for path in ROOM.parent.rglob("*.py"):
        yield ast.parse(path.read_text(encoding="utf-8"))


def written(node: ast.expr) -> str:
    """A text with `*` where something else is filled in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""


def parts_of(node: ast.expr) -> Iterator[ast.expr]:
    """The texts between which an argument chooses."""
    if isinstance(node, ast.JoinedStr | ast.Constant):
        yield node
    for part in ast.iter_child_nodes(node) if not isinstance(node, ast.JoinedStr) else ():
        yield from parts_of(part) if isinstance(part, ast.expr) else ()


def asked() -> set[str]:
    """The sentences that the interpreter asks for: those between which it chooses, too, and beginnings of keys."""
    found = set()
    for tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            first = [arg for arg in node.args if not (name == "partial" and isinstance(arg, ast.Name))][:1]
            if name in MAKERS or (
                name == "partial" and any(isinstance(a, ast.Name) and a.id == "said" for a in node.args)
            ):
                found |= {written(part) for arg in first for part in parts_of(arg)}
    return found


@pytest.mark.whole
def test_every_sentence_about_a_problem_is_asked_for() -> None:
    """And none is asked for that is not there."""
    known, patterns = set(problems("fr")), asked() - {""}
    exact = {key for key in patterns if "*" not in key and _KEY.fullmatch(key)}
    begun = {key.partition("*")[0] for key in patterns if "*" in key and "." in key.partition("*")[0]}
    chosen = {key for key in known if any(key.startswith(start) for start in begun)}
    assert {key for key in exact if "." in key} <= known
    assert known - exact - chosen - BY_NAME == set()


BY_NAME = {"or", "and", "error", "warning", "note", "help", "colon"}
"""What is asked for through a name, by `sentences` itself and by the report."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_problems_have_the_same_words_to_fill_in(lang: str) -> None:
    here, there = problems(FALLBACK), problems(lang)
    assert list(here) == list(there)
    assert {key: places(here[key]) for key in here} == {key: places(there[key]) for key in there}


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name} if "{" in sentence else set()


@pytest.mark.whole
def test_what_stands_in_every_language_as_it_is_has_no_words() -> None:
    """The type asks for a sentence in all languages; only what is no language may be called so without one."""
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("verbatim", "Said"):
                texts = [written(part) for arg in node.args[:1] for part in ast.walk(arg) if isinstance(part, ast.expr)]
                assert not [
                    text for text in texts if re.search(r"[^\W\d_]{2,} [^\W\d_]{2,}", re.sub(r"`[^`]*`", "", text))
                ]


def test_a_game_without_fault_is_read_without_the_sentences_of_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(lang: str) -> dict[str, str]:
        raise AssertionError("the sentences of problems are read, and there is none")

    monkeypatch.setattr(sentences, "problems", read)
    state = load("hearts").start(1)
    assert not state.play(state.moves()[0]).is_over


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
    """The sentence of an author, say; what stands beside it is told."""
    problem = Diagnostic("R102", verbatim("x → y"), notes=(said("over"),))
    french = problem.in_language("fr")
    assert (french.message, french.notes) == ("x → y", ("la partie est finie",))
    assert problem.in_language("en") is problem and french.in_language("fr") is french


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


def test_what_helps_is_shown_where_a_program_ends_with_it() -> None:
    found = traceback.format_exception_only(pickle.loads(pickle.dumps(refused())))
    assert found == [
        "interpreter.diagnostics.Refused: [R605] there is no game `grabbuge`\n",
        "[R605] help: a similar name exists: `grabuge`\n",
    ]


def refused() -> Refused:
    with pytest.raises(Refused) as found:
        load("grabbuge")
    return found.value
