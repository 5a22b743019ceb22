"""Command lines with their exit codes, output and errors (`cases/lines.yaml`), and answers about rules, moves and names."""

import json
from collections.abc import Callable
from pathlib import Path
from shlex import split
from typing import Any

import pytest
from commands import Run, command_lines, told
from rules import read_cases, write_rules

from hoyle import load
from hoyle.presentation.look import make_look
from hoyle.presentation.play_text import format_place, format_reasons
from hoyle.presentation.table.table import draw_table

run = command_lines
CASES = read_cases("cli/lines")


def joined(text: str) -> str:
    return " ".join(text.split())


def check(run: Run, case: dict[str, Any]) -> None:
    for name in case.get("with", ()):
        write_rules(f"cli/{name}", Path(), {})
    for name, text in case.get("files", {}).items():
        Path(name).write_text(text, encoding="utf-8")
    text = Path("game.yaml").read_text(encoding="utf-8")
    for old, new in case.get("change", {}).items():
        assert old in text
        text = text.replace(old, new)
    Path("game.yaml").write_text(text, encoding="utf-8")
    code, out, err = run(*split(case["run"]), stdin=case.get("stdin", ""))
    assert code == case.get("code", 0), err
    assert "Traceback" not in err and "\x1b" not in out + err
    for said, wanted in ((out, case.get("out", "" if code == 2 else [])), (err, case.get("err", []))):
        assert wanted != "" or said == ""
        assert all(joined(part) in joined(said) for part in _listed(wanted)), said
    assert not any(part in joined(out + err) for part in _listed(case.get("lacks", []))), out
    for path, value in case.get("json", {}).items():
        assert find(json.loads(out), path.split("/")) == value, path


def find(data: Any, path: list[str]) -> Any:
    """Return the value at a path. A step into a list is an index, or the `name` of an item."""
    for step in path:
        if isinstance(data, list):
            data = data[int(step)] if step.lstrip("-").isdigit() else {one["name"]: one for one in data}[step]
        else:
            data = data[step]
    return data


def _listed(parts: Any) -> list[str]:
    return parts if isinstance(parts, list) else [str(parts)]


@pytest.mark.parametrize("case", CASES["cheap"], ids=lambda case: case["run"])
def test_command_line(run: Run, case: dict[str, Any]) -> None:
    check(run, case)


@pytest.mark.parametrize("case", CASES["whole"], ids=lambda case: case["run"])
def test_longer_command_line(run: Run, case: dict[str, Any]) -> None:
    check(run, case)


@pytest.mark.whole
def test_new(run: Run) -> None:
    code, _, err = run("new", "game")
    assert code == 1
    assert "`game.yaml` exists already" in err and "title: Game" in Path("game.yaml").read_text()
    assert run("new", "variant", "--extends", "game.yaml", "-o", "v.yaml")[0] == 0
    assert run("validate", "v.yaml")[0] == 0
    Path("v.yaml").write_text(Path("v.yaml").read_text().replace("# set:", "set:").replace("#  cards", "  cards"))
    assert run("validate", "v.yaml")[0] == 0
    assert "game: other" in run("new", "other", "--output", "-")[1]
    assert not Path("other.yaml").exists()


@pytest.mark.whole
def test_words(run: Run) -> None:
    assert run("words", "game.yaml", "de", "-o", "game.de.yaml")[0] == 0
    written = Path("game.de.yaml").read_text()
    assert written.startswith("words: de\ngame: game\n# Game\ntitle:\n")
    assert run("words", "game.yaml", "de")[1] == written
    code, out, _ = run("validate", "game.yaml")
    assert code == 0
    assert "that `de` has no words for" in out
    assert run("words", "game.yaml", "de", "-o", "game.de.yaml")[0] == 1
    assert "`deutsch` is not a language" in run("words", "game.yaml", "deutsch")[2]
    assert "words: de\nlibrary: french" in run("words", "french", "de")[1]


BAD: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "folder": lambda path: path.mkdir(),
    "empty": lambda path: path.write_bytes(b""),
    "binary": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "huge": lambda path: path.write_bytes(b"a: " + b"x" * 10_000_000),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "deeper": lambda path: path.write_bytes(b"".join(b" " * i + b"a:\n" for i in range(400))),
    "nul": lambda path: path.write_bytes(b"a: \0"),
    "bomb": lambda path: path.write_text(
        "a0: &a0 [x]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(99))
    ),
    "aliases": lambda path: path.write_text(
        "at: turn\na: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(99))
    ),
    "list": lambda path: path.write_text("- 1\n"),
    "other": lambda path: path.write_text("hello: world\nat: turn\n"),
}

READERS = {
    "validate {}": [kind for kind in BAD if kind != "folder"],
    "moves game.yaml --position {}": ["missing", "huge", "deep", "bomb", "aliases", "other"],
    "replay {}": ["missing", "folder", "empty", "binary", "huge", "list"],
    "describe {}": ["folder", "huge", "bomb"],
    "moves {}": ["deep", "list"],
    "why game.yaml x --position {}": ["missing", "aliases"],
    "test {}": ["deeper", "other"],
    "eval game.yaml 1 --position {}": ["huge", "nul"],
    "simulate {} -n 1": ["empty", "binary"],
    "play game.yaml --resume {}": ["missing", "folder", "other"],
    "new x --extends {}": ["missing", "binary", "list"],
}


@pytest.mark.whole
@pytest.mark.parametrize(("words", "kind"), [(words, kind) for words, kinds in READERS.items() for kind in kinds])
def test_bad_file_is_an_error(run: Run, kind: str, words: str) -> None:
    BAD[kind](Path("bad.yaml"))
    code, out, err = run(*words.format("bad.yaml").split())
    assert code == 1 and "error" in out + err and "fault of this program" not in err
    assert not Path("x.yaml").exists()
    assert words.startswith("validate") or len(out + err) < 20_000


@pytest.mark.whole
def test_rules_that_options_exclude_are_not_shown(run: Run) -> None:
    hearts = told(run, "describe", "hearts")
    duties = ["follow suit", "barred lead", "two of clubs", "no points at first"]
    assert [o["name"] for o in hearts["obligations"]] == duties
    assert "cut for the deal" not in hearts["phases"]
    ruled_out = {r["name"] for key in ("moves", "obligations") for r in hearts[key] if not r["in_force"]}
    assert ruled_out == {"add to the others", "take off"}
    shown = run("describe", "hearts", "--lang", "fr")[1]
    assert "`add to the others` (charger les autres), `take off`" in shown and "sous-couper" not in shown
    chosen = told(run, "describe", "hearts", "--set", "moon=shooter_chooses", "--set", "first_trick=free")
    ruled_out = {r["name"] for key in ("moves", "obligations") for r in chosen[key] if not r["in_force"]}
    assert ruled_out == {"no points at first"}


@pytest.mark.whole
def test_observation_gives_each_number_its_meaning(run: Run) -> None:
    found = told(run, "describe", "scopa", "--observation")
    begins = [group["at"] for group in found["groups"]]
    ends = [group["at"] + group["stride"] * (len(group["members"]) or 1) for group in found["groups"]]
    assert begins == [0, *ends[:-1]] and ends[-1] == found["size"]
    hand = next(group for group in found["groups"] if group["members"] == ["hand of A"])
    assert [(part["sort"], part["size"]) for part in hand["parts"]] == [("count", 1), ("among", 40)]
    lay = next(move for move in found["actions"]["moves"] if move["name"] == "lay")
    assert len(found["classes"]["card"]) == 40
    shown = run("describe", "scopa", "--observation")[1]
    assert f"{lay['first']}..{lay['first'] + lay['size'] - 1}" in shown and f"\n  {found['actions']['end']} " in shown
    assert f"{hand['at']} how many lie there" in shown
    french = run("describe", "scopa", "--observation", "--lang", "fr", "--set", "target=21")[1]
    assert "combien s'y trouvent" in french and "  0..39 : " in french
    board = run("describe", "backgammon", "--observation")[1]
    assert "checker  0..1: white, black" in board.lower() and "die      0..5: 1, 2, 3, …, 6" in board


def test_observation_names_a_move_with_too_many_actions(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.learning.numbering.MOST", 10)
    code, _, err = run("describe", "klondike", "--observation", "--lang", "fr")
    assert code != 0 and "column to column" in err and "trop nombreuses" in err


@pytest.mark.whole
@pytest.mark.parametrize("name", ["patience-for-two", "dice", "tricks"])
def test_shipped_library_has_a_comment_in_each_language(name: str, run: Run) -> None:
    english, french = (told(run, "describe", name, "--lang", lang)["comment"] for lang in ("en", "fr"))
    assert english and french and english != french


def test_source_in_each_language(run: Run) -> None:
    text = Path("game.yaml").read_text()
    source = "\nsource: {text: A book of ours, by: Nobody}\noptions:"
    Path("game.yaml").write_text(text.replace("\noptions:", source, 1))
    words = Path("game.fr.yaml").read_text()
    Path("game.fr.yaml").write_text(f'{words}\nsource: "Un livre : le nôtre"\n')
    assert "  Un livre : le nôtre\n\n" in run("describe", "game.yaml", "--lang", "fr")[1]
    english = run("describe", "game.yaml")[1]
    assert "  A book of ours\n  Nobody\n" in english and "livre" not in english
    assert told(run, "describe", "game.yaml")["source"] == {"text": "A book of ours", "by": "Nobody"}


def test_parts_of_one_name_have_their_own_words(tmp_path: Path, run: Run) -> None:
    file = write_rules("cli/alike", tmp_path, {})
    game = load(file)
    state, look = game.start(1), make_look(game)
    drawn = "\n".join(draw_table(state.view("A"), game.seats, look))
    for words in ("buildings", "builder's red 2", "square 3", "as one builds 4", "side square"):
        assert words in drawn
    assert format_place(state.place, look) == "a turn / one stone"
    marks = [format_reasons(state.why(f"{move} -> 1"), look) for move in ("build", "lay")]
    assert ["enough in the bag" in "".join(lines) for lines in marks] == [True, False]
    assert ["not too many" in "".join(lines) for lines in marks] == [False, True]
    code, out, _ = run("simulate", str(file), "-n", "2", "--seed", "1")
    assert code == 0 and "build on … (build)" in out and "build on … (lay)" in out
