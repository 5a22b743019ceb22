"""What was sent before is sent by its number, and both ends agree what that stands for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiers import some_now
from webbed import Web

from interpreter.web import parts
from interpreter.web.parts import Sent


def test_what_is_known_is_a_number_and_nothing_is_lost() -> None:
    sent = Sent()
    first = sent.picture('<svg>\n<g class="piece" data-at="1">ace</g>\n</svg>')
    assert "".join(first[:3]) == '<svg>\n<g class="piece" data-at="1">' and first[4] == 1, "the same line break"
    assert sent.picture('<svg>\n<g class="piece" data-at="2">ace</g>\n</svg>') == [
        0,
        1,
        '<g class="piece" data-at="2">',
        3,
        1,
        4,
    ]
    piles = [{"key": "stock", "count": 3}, {"key": "waste", "count": 0}]
    assert Sent().piles(piles) == piles


def test_both_ends_forget_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST", 3)
    sent = Sent()
    sent.picture("a\nb\nc")
    assert sent.picture("a") == [None, "a"]
    assert sent.picture("a") == [0]


@pytest.mark.parametrize("name", some_now(["klondike", "cribbage", "backgammon"], 1))
def test_a_move_is_answered_with_little_and_shows_all(name: str, tmp_path: Path) -> None:
    web = Web(tmp_path / "games.sqlite")
    kinds = ["human", "random"][: len(web.get(f"/api/games/{name}").json()["seats"])]
    token = next(iter(web.begin(name, *kinds).values()))
    at = web.sit(token, width=800, height=600)
    whole = len(at.bytes[-1])
    for n in range(8):
        if at.table["over"]:
            break
        at.move(n % len(at.table["moves"]))
        at.until_asked()
    later = [len(text) for text in at.bytes if json.loads(text)["t"] == "table"][2:]
    assert sum(later) / len(later) < whole / 2
    other = web.sit(token, width=800, height=600)
    assert other.table["piles"] == at.table["piles"]
    assert (other.table["svg"].count("data-sign"), other.table["n"]) == (
        at.table["svg"].count("data-sign"),
        at.table["n"],
    )
    web.stop()
