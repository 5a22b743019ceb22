"""Rulesets of users on the shelf beside the shipped ones."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packed import bring, laid, variant
from rules import watched_at

from hoyle.cli.commands.servers import _load_rulesets
from hoyle.web.shelf import OwnRuleset, load_installed

if TYPE_CHECKING:
    from webbed import Web

PARTS = "ruleset: 1\nlibrary: parts\n"


@pytest.mark.whole
def test_own_rulesets_are_on_the_shelf_with_their_pictures(web: Web) -> None:
    games = {one["name"]: one for one in web.get("/api/games?lang=fr").json()["games"]}
    assert (games["watched"]["title"], games["watched"]["players"], games["watched"]["own"]) == ("Watched", "2", True)
    varied = games["open-klondike"]
    assert (varied["title"], varied["extends"], varied["family"]) == ("Klondike ouvert", None, "alone")
    assert "own" not in games["klondike"]
    for name in ("watched", "open-klondike"):
        assert "<svg" in web.get(f"/api/games/{name}/picture.svg").text
    assert web.get("/api/near", text="watchd").json()["games"] == ["watched"]


@pytest.mark.slow
def test_own_rulesets_are_played_recorded_and_analysed(web: Web) -> None:
    at = web.sit(web.begin("watched", "human", "random")["A"])
    at.play_out()
    record = at.record()
    assert str(web.place.parent) not in "".join(at.bytes), "no path is sent"
    assert web.post("/api/records", record.encode()).status == 201
    head, _, rest = record.partition("\n")
    other = json.dumps({**json.loads(head), "game": "parts.yaml"}) + "\n" + rest
    assert web.post("/api/records", other.encode()).json()["why"] == "other_game"
    at.say(t="analyse")
    assert at.hear("analysis", "refused")["t"] == "analysis"


@pytest.mark.whole
def test_a_game_waits_until_its_file_is_back(web: Web, tmp_path: Path) -> None:
    from webbed import Web

    token = web.begin("watched", "human", "random")["A"]
    for path in web.place.parent.glob("games.sqlite*"):
        shutil.copy(path, tmp_path)
    other = Web(tmp_path / "games.sqlite")
    assert other.sit(token).first["why"] == "away"
    assert other.get("/api/games/watched").status == 404
    other.stop()


@pytest.mark.whole
def test_broken_rulesets_are_reported_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watched_at(tmp_path)
    laid(
        tmp_path,
        {"mine": variant("mine", "Mine"), "parts": PARTS, "broken": variant("broken", "No", parent="klondyke")},
    )
    assert _load_rulesets((str(tmp_path),)) == {
        "watched": OwnRuleset((tmp_path / "watched.yaml").resolve(), "2"),
        "mine": OwnRuleset((tmp_path / "mine.yaml").resolve(), "1"),
    }
    told = capsys.readouterr().err
    assert f"{tmp_path / 'broken.yaml'}:3:10" in told and "klondike" in told
    assert "not offered" in told and "parts" not in told


@pytest.mark.whole
def test_rulesets_found_by_name_are_on_the_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A package replaces no shipped game, and broken rulesets are left out."""
    sneaky = {
        "sneaky": variant("yukon", "Stolen"),
        "yukon": variant("yukon", "Hidden"),
        "torn": "ruleset: 1\ngame: [\n",
    }
    bring(tmp_path / "site", "club-games", {**sneaky, "club": variant("club", "Our game")})
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    own = laid(tmp_path / "own", {"klondike": variant("klondike", "My Klondike"), "parts": PARTS})
    monkeypatch.setenv("HOYLE_PATH", str(own))
    found = _load_rulesets(())
    assert [*found] == ["club", "klondike"]
    assert "torn.yaml" in capsys.readouterr().err
    assert [d.code for d in load_installed()[1]] == ["R015"]
    from webbed import Web

    web = Web(tmp_path / "games.sqlite", found)
    games = {one["name"]: one["title"] for one in web.get("/api/games").json()["games"]}
    assert (games["club"], games["klondike"], games["yukon"]) == ("Our game", "My Klondike", "Yukon")
    assert web.sit(web.begin("club", "human")["A"]).table["moves"]
    web.stop()
