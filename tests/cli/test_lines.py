"""Command lines with their exit codes, output, errors and files: `cases/lines.yaml`, `cases/sequences.yaml`. Answers about rules and names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_cases import case_list, check_case
from commands import Run, command_lines, told
from rules import write_rules

from hoyle import load
from hoyle.presentation.look import make_look
from hoyle.presentation.play_text import format_place, format_reasons
from hoyle.presentation.table.table import draw_table

run = command_lines
LONGER = [*case_list("cli/lines", "whole"), *case_list("cli/sequences", "whole")]


@pytest.mark.parametrize("case", case_list("cli/lines", "cheap"))
def test_command_line(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case, monkeypatch)


@pytest.mark.parametrize("case", case_list("cli/sequences", "cheap"))
def test_sequence(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case, monkeypatch)


@pytest.mark.whole
@pytest.mark.parametrize("case", LONGER)
def test_longer_command_line(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("case", case_list("cli/sequences", "slow"))
def test_slow_sequence(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case, monkeypatch)


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


@pytest.mark.whole
@pytest.mark.parametrize("name", ["patience-for-two", "dice", "tricks"])
def test_shipped_library_has_a_comment_in_each_language(name: str, run: Run) -> None:
    english, french = (told(run, "describe", name, "--lang", lang)["comment"] for lang in ("en", "fr"))
    assert english and french and english != french


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
