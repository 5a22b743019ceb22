"""Rulesets of one's own on the shelf: beside the others, with what is wrong told at the start."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from packed import bring, laid, variant
from watched import watched_at
from webbed import Web

from interpreter.web.command import _own
from interpreter.web.own import Own, by_name, opened

VARIED = """\
ruleset: 1
game: open-klondike
extends: klondike
title: {en: Open Klondike, fr: Klondike ouvert}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    watched_at(tmp_path)
    (tmp_path / "mine.yaml").write_text(VARIED, encoding="utf-8")
    (tmp_path / "parts.yaml").write_text("ruleset: 1\nlibrary: parts\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def web(folder: Path) -> Iterator[Web]:
    own, wrong = opened([folder / "watched.yaml", folder / "mine.yaml"])
    assert wrong == []
    found = Web(folder / "games.sqlite", own)
    yield found
    found.stop()


def test_they_stand_on_the_shelf_with_their_pictures(web: Web) -> None:
    games = {one["name"]: one for one in web.get("/api/games?lang=fr").json()["games"]}
    assert (games["watched"]["title"], games["watched"]["players"], games["watched"]["own"]) == ("Watched", "2", True)
    varied = games["open-klondike"]
    assert (varied["title"], varied["extends"], varied["family"]) == ("Klondike ouvert", None, "alone")
    assert "own" not in games["klondike"]
    for name in ("watched", "open-klondike"):
        assert "<svg" in web.get(f"/api/games/{name}/picture.svg").text
    assert web.get("/api/near", text="watchd").json()["games"] == ["watched"]


@pytest.mark.slow
def test_they_are_played_and_gone_through(web: Web, folder: Path) -> None:
    token = web.begin("watched", "human", "random")["A"]
    at = web.sit(token)
    while not at.table["over"]:
        at.until_asked()
        if at.table["moves"]:
            at.move()
    at.say(t="record")
    record = at.hear("record")["text"]
    assert str(folder) not in "".join(at.bytes), "where it lies is nobody's business"
    assert web.post("/api/records", record.encode()).status == 201
    head, _, rest = record.partition("\n")
    other = json.dumps({**json.loads(head), "game": "parts.yaml"}) + "\n" + rest
    assert web.post("/api/records", other.encode()).json()["why"] == "other_game"
    at.say(t="analyse")
    assert at.hear("analysis", "refused")["t"] == "analysis"


def test_without_its_file_a_game_waits(web: Web, folder: Path) -> None:
    token = web.begin("watched", "human", "random")["A"]
    other = Web(folder / "games.sqlite")
    try:
        assert other.sit(token).first["why"] == "away"
        assert other.get("/api/games/watched").status == 404
    finally:
        other.stop()


def test_what_is_wrong_is_told_with_its_place_and_the_others_are_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.yaml").write_text(VARIED.replace("klondike\n", "klondyke\n"), encoding="utf-8")
    found = _own((str(folder),))
    assert found == {
        "watched": Own((folder / "watched.yaml").resolve(), "2"),
        "open-klondike": Own((folder / "mine.yaml").resolve(), "1"),
    }
    told = capsys.readouterr().err
    assert f"{folder / 'broken.yaml'}:3:10" in told and "klondike" in told
    assert "not on the shelf" in told and "parts" not in told


def test_what_is_found_by_name_stands_there_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A package takes the place of no shipped game, whatever its file or its game is called, and what is broken is left out."""
    sneaky = {
        "sneaky": variant("yukon", "Stolen"),
        "yukon": variant("yukon", "Hidden"),
        "torn": "ruleset: 1\ngame: [\n",
    }
    bring(tmp_path / "site", "club-games", {**sneaky, "club": variant("club", "Our game")})
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    own = laid(
        tmp_path / "own", {"klondike": variant("klondike", "My Klondike"), "parts": "ruleset: 1\nlibrary: parts\n"}
    )
    monkeypatch.setenv("HOYLE_PATH", str(own))
    found = _own(())
    assert [*found] == ["club", "klondike"]
    assert "torn.yaml" in capsys.readouterr().err
    assert [d.code for d in by_name()[1]] == ["R015"]
    web = Web(tmp_path / "games.sqlite", found)
    try:
        games = {one["name"]: one["title"] for one in web.get("/api/games").json()["games"]}
        assert (games["club"], games["klondike"], games["yukon"]) == ("Our game", "My Klondike", "Yukon")
        at = web.sit(web.begin("club", "human")["A"])
        at.until_asked()
        assert at.table["moves"]
    finally:
        web.stop()
