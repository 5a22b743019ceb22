"""`describe`: what a game is made of, with its options, and what a library brings."""

from pathlib import Path

import pytest
from commands import Run, command_lines, told

run = command_lines


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
