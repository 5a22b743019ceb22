"""Rulesets of users at the command line: where they come from, which of two is meant, and packages of them."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from commands import Run, runner, told
from packed import bring, laid, variant

from hoyle import packs
from hoyle.cli.main import main
from hoyle.presentation.starters import make_starter
from hoyle.resources import folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run command lines where a folder of the user hides a shipped game, and two packages are installed, one without its folder.

    The shipped games are small.
    """
    names = ("klondike", "yukon")
    shipped = laid(tmp_path / "shipped", {name: make_starter(name) for name in names})
    for path in folder("rulesets").glob("french.*"):
        shutil.copy(path, shipped)
    monkeypatch.setattr(packs, "folder", lambda _: shipped)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    own = {"klondike": variant("klondike", "My klondike"), "torn": "ruleset: 1\ngame: [\n"}
    laid(tmp_path / "own", own)
    bring(
        tmp_path / "site",
        "club-games",
        {"club": variant("club", "Our game", "yukon"), "klondike": variant("klondike", "Theirs")},
    )
    bring(tmp_path / "site", "empty", {}, "[hoyle.rulesets]\nempty = nothing_there\n")
    monkeypatch.setenv("HOYLE_PATH", os.pathsep.join([str(tmp_path / "own"), str(tmp_path / "nowhere")]))
    look = packs._installed.__wrapped__
    monkeypatch.setattr(packs, "_installed", lambda _: look((str(tmp_path / "site"),)))
    (tmp_path / "here").mkdir()
    return runner(capsys, monkeypatch, tmp_path / "here")


def test_list_shows_where_each_comes_from(run: Run, tmp_path: Path) -> None:
    code, out, err = run("list")
    lines = out.splitlines()
    assert code == 0
    assert f"klondike                   My klondike  (2–5 players)  [{tmp_path / 'own'}]" in lines
    assert "  club                     Our game  (2–5 players)  [club-games 1.2]" in lines
    assert "torn" not in out and "Theirs" not in out
    for part in (
        "`torn` is left out: ",
        f"`klondike` means {tmp_path / 'own' / 'klondike.yaml'}; ",
        "klondike.yaml (shipped), ",
        f"{tmp_path / 'nowhere'}, which is not a folder",
        "empty 1.2 declares rulesets but has no folder of them",
    ):
        assert err.count(part) == 1, (part, err)
    assert "laissé de côté" in run("list", "--lang", "fr")[2]
    games = {game["name"]: game for game in told(run, "list")["games"]}
    assert [*games] == sorted(games) == sorted(line.split()[0] for line in lines) == ["club", "klondike", "yukon"]
    keys = {"name", "title", "players", "extends", "origin", "package", "file", "hides"}
    assert all({*game} == keys for game in games.values())
    assert (games["club"]["origin"], games["club"]["package"]) == ("package", "club-games 1.2")
    assert [other["origin"] for other in games["klondike"]["hides"]] == ["shipped", "package"]
    assert (games["yukon"]["origin"], games["yukon"]["package"], games["yukon"]["hides"]) == ("shipped", None, [])


@pytest.mark.whole
@pytest.mark.parametrize("command", ["describe", "validate"])
def test_origin_of_a_name_is_shown(run: Run, tmp_path: Path, command: str) -> None:
    code, _, err = run(command, "klondike")
    assert code == 0
    assert err.startswith(f"`klondike` comes from {tmp_path / 'own' / 'klondike.yaml'}\n")
    assert err.count("of the same name") == 1
    club = run(command, "club")[2]
    assert "`club` comes from " in club and "(club-games 1.2)" in club
    assert "of the same name" not in run(command, "yukon")[2] + run(command, str(tmp_path / "own" / "klondike.yaml"))[2]


@pytest.mark.whole
def test_hidden_rulesets_are_noted_by_each_command(run: Run) -> None:
    for words in (["rules", "klondike"], ["moves", "klondike", "--seed", "1"]):
        assert run(*words)[2].count("of the same name") == 1
    assert "of the same name" not in run("rules", "yukon")[2]
    assert run("doctor")[1].count("`klondike` means") == 1


@pytest.mark.whole
def test_file_whose_name_means_another_is_noted(run: Run) -> None:
    for name in ("yukon", "klondike", "nobody-else"):
        Path(f"{name}.yaml").write_text(variant(name, "One more"), encoding="utf-8")
    assert "`yukon`: the name means another ruleset; open this file" in run("validate", "yukon.yaml")[2]
    assert "`klondike`, `yukon`: the names mean other rulesets" in run("validate", ".")[2]
    told_so = run("validate", "nobody-else.yaml")
    assert "means another" not in told_so[2] and "R619" in told_so[1]


@pytest.mark.whole
def test_describe_gives_the_origin(run: Run, tmp_path: Path) -> None:
    assert told(run, "describe", "club")["found"]["package"] == "club-games 1.2"
    assert told(run, "describe", "game.yaml")["found"] is None
    assert told(run, "describe", "french")["found"]["origin"] == "shipped"


@pytest.mark.whole
def test_games_of_packages_are_played(run: Run, tmp_path: Path) -> None:
    assert (
        run("play", "club", "--seats", "first,human", "--seed", "1", "--record", "a.jsonl", stdin="1\n1\nquit\n")[0]
        == 0
    )
    assert json.loads(Path("a.jsonl").read_text().splitlines()[0])["game"] == "club"
    assert run("replay", "a.jsonl")[0] == 0
    assert told(run, "simulate", "club", "-n", "1", "--seed", "1")["games"] == 1
    assert run("test", "club")[0] == 0
    for name in ("clib", "clubs"):
        assert "`club`" in run("play", name)[2]


@pytest.mark.whole
def test_broken_ruleset_breaks_no_other(run: Run) -> None:
    assert run("play", "torn")[0] == 1
    assert run("validate", "yukon", "club")[0] == 0


@pytest.mark.whole
def test_doctor_lists_the_folders(run: Run, tmp_path: Path) -> None:
    found = {place["package"] or place["folder"]: place for place in told(run, "doctor")["rulesets"]}
    assert found[str(tmp_path / "own")]["names"] == ["klondike", "torn"]
    assert found[str(tmp_path / "nowhere")]["trouble"] == "absent"
    assert (found["empty 1.2"]["trouble"], found["empty 1.2"]["folder"]) == ("gone", None)
    assert found["club-games 1.2"]["names"] == ["club", "klondike"]
    said = run("doctor")[1]
    assert f"{tmp_path / 'own'}: 2 rulesets" in said and "empty 1.2 declares" in said
    assert "does not exist yet" in said


def test_names_are_completed(run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for begun, names in {"clu": ["file,clu", "plain,club"], "./c": ["file,./c"], "no-such": ["file,no-such"]}.items():
        environment = {"_HOYLE_COMPLETE": "bash_complete", "COMP_WORDS": f"hoyle play {begun}", "COMP_CWORD": "2"}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            main(["play", begun])
        assert capsys.readouterr().out.split() == names


@pytest.mark.whole
def test_variant_extends_a_name(run: Run) -> None:
    assert run("new", "mine", "--extends", "club")[0] == 0
    assert "extends: club\n" in Path("mine.yaml").read_text() and run("validate", "mine.yaml")[0] == 0
    assert "is also called `club`" in run("new", "club")[2]


@pytest.mark.whole
def test_new_pack_is_valid(run: Run) -> None:
    code, _, err = run("new", "pack-of-mine", "--pack", "--extends", "klondike")
    assert code == 0, err
    assert f"`pip install {os.path.join('.', 'pack-of-mine')}`" in err
    project = tomllib.loads(Path("pack-of-mine/pyproject.toml").read_text())["project"]
    assert project["entry-points"][packs.GROUP] == {"pack-of-mine": "pack_of_mine"}
    assert run("validate", "pack-of-mine")[0] == 0
    assert "hoyle list" in Path("pack-of-mine/README.md").read_text()
    assert "{" not in Path("pack-of-mine/README.md").read_text()
    assert run("new", "pack-of-mine", "--pack")[0] == 1, "nothing is written over"
    assert run("new", "en-francais", "--pack", "--lang", "fr", "--output", "ici")[0] == 0
    assert "règles" in Path("ici/README.md").read_text(encoding="utf-8")


@pytest.mark.whole
def test_checks_of_a_pack_succeed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("new", "ours", "--pack", "--lang", "fr")[0] == 0
    monkeypatch.chdir("ours")
    workflow = yaml.safe_load(Path(".github/workflows/rulesets.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load(Path(".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    steps = [step["run"] for step in workflow["jobs"]["rulesets"]["steps"] if "run" in step]
    asked = [line.split()[1:] for line in (*steps, *(hook["entry"] for hook in hooks)) if line.startswith("hoyle ")]
    assert [words[0] for words in asked] == ["validate", "test", "fmt", "validate", "fmt", "test"]
    assert {line: code for line in map(tuple, asked) if (code := run(*line)[0])} == {}
    before = Path("ours/rulesets/ours.yaml").read_bytes()
    assert run("fmt", "ours/rulesets")[0] == 0 and Path("ours/rulesets/ours.yaml").read_bytes() == before


@pytest.mark.parametrize("name", ["json", "class", "hoyle", "klondike", "club", "été", "a_b", "../x", "tests"])
def test_wrong_name_of_a_pack(run: Run, name: str) -> None:
    assert run("new", name, "--pack", "--output", "out")[0] == 2
    assert not Path("out").exists()


@pytest.mark.slow
def test_tests_of_a_pack_find_a_wrong_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "club-games", "--pack"]) == 0
    ruleset = Path("club-games/club_games/rulesets/club-games.yaml")

    def failed() -> list[str]:
        words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--rootdir=."]
        done = subprocess.run(words, cwd="club-games", capture_output=True, encoding="utf-8", check=False)
        return [line for line in done.stdout.splitlines() if line.startswith("FAILED")]

    assert failed() == []
    ruleset.write_text(ruleset.read_text().replace("forced: draw-a-card", "forced: play-a-card KS"), encoding="utf-8")
    [wrong] = failed()
    assert "test_its_examples[club-games]" in wrong
