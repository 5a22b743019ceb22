"""`fmt` and `new --extends`: files that cannot be read, links and permissions, options of a variant. `cases/sequences.yaml` has more."""

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


def test_unreadable_file_in_a_folder_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: object) -> None:
        raise PermissionError

    Path("games").mkdir()
    Path("games", "odd.yaml").write_text(ODD)
    run("fmt", "none.yaml")  # reads the sentences of the program while files can be opened
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
