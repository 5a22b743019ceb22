"""`fmt` and `new --extends`: which files are written, and what is reported."""

import os
import re
import stat
from pathlib import Path

import pytest
from commands import Run, command_lines

from hoyle.checking.build import load_ruleset
from hoyle.game.examples.static_checks import validate

run = command_lines
ODD = "game: odd   # mine\nruleset: 1\nterms:\n    a:  1\n"
EVEN = "ruleset: 1\ngame: odd   # mine\n\nterms:\n  a: 1\n"


def test_file_is_formatted(run: Run) -> None:
    Path("odd.yaml").write_text(ODD)
    assert run("fmt", "odd.yaml") == (0, "", "1 file formatted, 0 unchanged\n")
    assert Path("odd.yaml").read_text() == EVEN
    assert run("fmt", "odd.yaml", "game.yaml")[2] == "0 files formatted, 2 unchanged\n"


@pytest.mark.whole
@pytest.mark.parametrize("how", [["--check"], ["--diff"], ["--check", "--diff"]])
def test_check_and_diff_change_nothing(run: Run, how: list[str]) -> None:
    Path("odd.yaml").write_text(ODD)
    code, out, err = run("fmt", "game.yaml", "odd.yaml", *how)
    assert (code, err) == (1, "1 file would change, 1 would not\n")
    assert Path("odd.yaml").read_text() == ODD
    if how == ["--check"]:
        assert out == "odd.yaml\n"
    else:
        assert out.startswith("--- odd.yaml\n+++ odd.yaml\n@@ ") and "\n-    a:  1\n+  a: 1\n" in out
    assert run("fmt", "game.yaml", *how) == (0, "", "0 files would change, 1 would not\n")


def test_standard_input(run: Run) -> None:
    assert run("fmt", "-", stdin=ODD) == (0, EVEN, "")
    assert run("fmt", "-", "--check", stdin=ODD)[:2] == (1, "<stdin>\n")
    assert run("fmt", "-", "-")[0] == 2


def test_folder_stands_for_its_rulesets_and_their_words(run: Run) -> None:
    inside = Path("games", "mine")
    inside.mkdir(parents=True)
    (inside / "a.yaml").write_text(ODD)
    (inside / "a.fr.yml").write_text("game: odd\nwords: fr\n")
    others = [Path("games", ".hidden.yaml"), Path("games", "action.yml"), Path("games", "notes.txt")]
    Path("games", ".git").mkdir()
    for other in [*others, Path("games", ".git", "a.yaml")]:
        other.write_text(ODD if other.name.startswith((".", "a.")) else "name:   x\n")
    assert run("fmt", "games", "--check")[1].split() == [
        os.path.join("games", "mine", name) for name in ("a.fr.yml", "a.yaml")
    ]
    assert run("fmt", "games")[0] == 0
    assert (inside / "a.fr.yml").read_text() == "words: fr\ngame: odd\n"
    assert others[1].read_text() == "name:   x\n"


def test_broken_file_is_left_alone(run: Run) -> None:
    Path("odd.yaml").write_text(ODD)
    Path("bad.yaml").write_text("ruleset: 1\nterms: [")
    code, out, err = run("fmt", "bad.yaml", "none.yaml", "odd.yaml")
    assert (code, out) == (1, "") and "error[R015]" in err and "bad.yaml:2:8" in err and "error[R001]" in err
    assert Path("bad.yaml").read_text() == "ruleset: 1\nterms: [" and Path("odd.yaml").read_text() == EVEN


def test_unreadable_file_in_a_folder_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: object) -> None:
        raise PermissionError

    Path("games").mkdir()
    Path("games", "odd.yaml").write_text(ODD)
    monkeypatch.setattr("hoyle.cli.commands.validate.open", locked, raising=False)
    monkeypatch.setattr(Path, "open", locked)
    code, _, err = run("fmt", "games")
    assert code == 1 and "error[R001]" in err


@pytest.mark.skipif(os.name == "nt", reason="there are no such links and modes")
def test_links_and_permissions_are_kept_and_files_in_order_are_not_written(run: Run) -> None:
    Path("odd.yaml").write_text(ODD)
    Path("odd.yaml").chmod(0o640)
    Path("link.yaml").symlink_to("odd.yaml")
    assert run("fmt", "link.yaml")[0] == 0
    assert Path("link.yaml").is_symlink() and Path("odd.yaml").read_text() == EVEN
    before = Path("odd.yaml").stat()
    assert stat.S_IMODE(before.st_mode) == 0o640
    assert run("fmt", "odd.yaml")[0] == 0
    after = Path("odd.yaml").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_line_ends_are_kept(run: Run) -> None:
    Path("odd.yaml").write_bytes(b"\xef\xbb\xbf" + ODD.replace("\n", "\r\n").encode())
    assert run("fmt", "odd.yaml")[0] == 0
    assert Path("odd.yaml").read_bytes() == b"\xef\xbb\xbf" + EVEN.replace("\n", "\r\n").encode()
    assert run("fmt", "odd.yaml", "--check")[0] == 0


@pytest.mark.whole
def test_output_of_new_and_words_is_formatted(run: Run) -> None:
    run("new", "other", "--extends", "game.yaml")
    run("words", "game.yaml", "de", "-o", "game.de.yaml")
    assert run("fmt", "game.yaml", "other.yaml", "game.de.yaml", "--check", "--diff")[:2] == (0, "")


GAMES = [
    "grabuge",
    *(pytest.param(n, marks=pytest.mark.slow) for n in ("belote", "cribbage-6p")),
]


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_variant_proposes_the_options_of_its_parent(name: str, lang: str, run: Run) -> None:
    assert run("new", "mine", "--extends", name, "--lang", lang)[0] == 0
    text = Path("mine.yaml").read_text()
    parent, _ = load_ruleset(name, {})
    for option in parent.options.values():
        plain = str(bool(option.value)).lower() if option.type.name == "bool" else option.value
        shown = option.choices[option.value] if option.choices else plain
        assert f"\n#   {option.name}: {shown}\n" in text
    assert text.count("\n#   # ") >= len(parent.options)
    assert validate("mine.yaml") == []
    Path("mine.yaml").write_text(re.sub(r"^# (?=set:|  )", "", text, flags=re.MULTILINE))
    assert [d for d in validate("mine.yaml") if d.severity == "error"] == []
    taken, _ = load_ruleset("mine.yaml", {})
    assert {o.name: o.value for o in taken.options.values()} == {o.name: o.value for o in parent.options.values()}


def test_parent_without_options(run: Run) -> None:
    text = re.sub(r"options:\n.*\n\n", "", Path("game.yaml").read_text()).replace("count: cards_each", "count: 5")
    Path("bare.yaml").write_text(text.replace("game: game", "game: bare"))
    assert run("new", "mine", "--extends", "bare.yaml")[0] == 0
    assert Path("mine.yaml").read_text() == "ruleset: 1\ngame: mine\nextends: bare.yaml\ntitle: Mine\n"
