"""Parts of a message that were sent before are sent as numbers, and both ends agree on them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from interpreter.web import parts
from interpreter.web.parts import Sent

if TYPE_CHECKING:
    from webbed import Web


def test_known_parts_are_numbers() -> None:
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


@pytest.mark.whole
def test_moves_are_answered_briefly_and_completely(web: Web) -> None:
    token = next(iter(web.begin("klondike", "human").values()))
    at = web.sit(token, width=800, height=600)
    whole = len(at.bytes[-1])
    for n in range(8):
        at.move(n % len(at.table["moves"]))
    later = [len(text) for text in at.bytes if json.loads(text)["t"] == "table"][2:]
    assert sum(later) / len(later) < whole / 2
    other = web.sit(token, width=800, height=600)
    assert other.table["piles"] == at.table["piles"]
    signs = [table["svg"].count("data-sign") for table in (other.table, at.table)]
    assert signs[0] == signs[1] > 0 and other.table["n"] == at.table["n"]
