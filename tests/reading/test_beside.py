"""Which file a name in a ruleset means: one beside or below it, or a shipped one, and never anything else."""

import os
from pathlib import Path

import pytest
from rules import read_cases

from hoyle import load, validate
from hoyle.cli.commands import validate as validate_command
from hoyle.cli.main import main
from hoyle.diagnostics import Refused
from hoyle.reporting.report import FORMATS
from hoyle.resources import find_beside, name_below

CASES = read_cases("reading/beside")

SECRET = "do-not-tell"
LIBRARY = "ruleset: 1\nlibrary: parts\n"


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to be in, with files outside it that are nobody's business."""
    place = tmp_path / "place"
    (place / "below").mkdir(parents=True)
    for name in ("place/a.yaml", "place/b.yml", "place/below/c.yaml", "place/d.txt"):
        (tmp_path / name).write_text(LIBRARY)
    for name in ("outside.yaml", "place.yaml"):
        (tmp_path / name).write_text(f"{SECRET}: {SECRET}\n")
    (place / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (place / "inner.yaml").symlink_to("below/c.yaml")
    (place / "circle.yaml").symlink_to("circle.yaml")
    (place / "folder").symlink_to(tmp_path)
    (place / "below.yaml").mkdir()
    os.mkfifo(place / "pipe.yaml")
    monkeypatch.chdir(place)


@pytest.mark.parametrize(("name", "path"), CASES["found"])
def test_what_is_found(name: str, path: str) -> None:
    assert find_beside(name, Path()) == Path(path)


@pytest.mark.parametrize("name", [*CASES["elsewhere"], "x" * 300, "x" * 5000])
@pytest.mark.parametrize("key", ["extends: {}", "use: [{}]"])
def test_what_is_not_found_and_not_told(name: str, key: str) -> None:
    assert find_beside(name, Path()) is None
    Path("game.yaml").write_text("ruleset: 1\ngame: thief\n" + key.format(f'"{name}"'.replace("\\", "\\\\")) + "\n")
    found = validate(["game.yaml"])
    assert [d.code for d in found] == ["R604"]
    assert not any(SECRET in form(found) or "root:" in form(found) for form in FORMATS.values())


def test_how_a_text_names_a_file() -> None:
    assert name_below(Path("below/c.yaml"), Path()) == "below/c.yaml"
    assert name_below(Path("below/c.yaml"), Path("below")) == "c.yaml"
    assert name_below(Path("a.yaml"), Path("below")) is None
    assert name_below(Path("d.txt"), Path()) is None
    assert find_beside(str(Path("below/c").resolve()), Path()) == Path("below/c.yaml").resolve()


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5000, "x/" * 3000 + "y.yaml", "a\0b", "no/such"])
def test_names_that_no_file_can_have(name: str) -> None:
    assert [d.code for d in validate([name])] in (["R001"], ["R605"])
    with pytest.raises(Refused):
        load(name)


def test_a_folder_holds_what_is_in_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["validate", "."]) == 0
    assert capsys.readouterr().err == "no problem in 4 files\n"
    monkeypatch.setattr(validate_command, "MOST_FILES", 3)
    assert main(["validate", "."]) == 1
    assert "`.` holds more than 3 files" in capsys.readouterr().err


def test_a_file_that_took_a_shipped_name_is_told_where_the_name_is_written() -> None:
    """Also beside what is unknown to it; not of a path, nor of the file that has taken the name itself."""
    Path("french.yaml").write_text(LIBRARY + "use: [french]\n")
    game = "ruleset: 1\ngame: g\nuse: [{}]\ntables: {{suits: ~}}\n"
    Path("by-name.yaml").write_text(game.format("french"))
    Path("by-path.yaml").write_text(game.format("french.yaml"))
    told = {name: validate([name]) for name in ("by-name.yaml", "by-path.yaml", "french.yaml")}
    (taken,) = [d for d in told["by-name.yaml"] if d.code == "R619"]
    assert taken.message == "`french` means `french.yaml` here, and not the shipped ruleset of that name"
    assert [fix.text for fix in taken.fixes] == ["french.yaml"]
    Path("unknown.yaml").write_text(game.format("french").replace("suits", "sutis"))
    (removed,) = [d for d in validate(["unknown.yaml"]) if d.code == "R601"]
    assert [label for _, label in removed.related] == ["`french` means french.yaml here"]
    assert not [d for name in ("by-path.yaml", "french.yaml") for d in told[name] if d.code == "R619"]
