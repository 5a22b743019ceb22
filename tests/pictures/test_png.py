"""Pictures as pixels: the same whatever fonts a machine has."""

from __future__ import annotations

import pytest
from drawn import SVG, parsed
from games import FEW, game, names
from tiers import in_tiers

from interpreter.pictures.letters import outline
from interpreter.pictures.png import lettered, png

SOME = in_tiers([name for name, _ in names()], quick=["klondike", "jacquet"], whole=[*FEW[::3], "russian-bank"])
SMALLEST = 1500
"""Bytes that no picture with anything in it is smaller than."""


@pytest.mark.parametrize("name", SOME)
def test_nothing_that_a_shipped_game_says_needs_a_font(name: str) -> None:
    for lang in ("en", "fr"):
        words = {text for space in game(name).labels(lang).values() for text in space.values()}
        words |= {face.text for face in game(name).pieces(lang)}
        assert [text for text in sorted(words) if outline(text) is None] == []


def test_texts_of_a_picture_become_lines_and_keep_their_places() -> None:
    drawn = game("cribbage").start(1).picture("A", lang="fr")
    root = parsed(lettered(drawn))
    assert list(parsed(drawn).iter(f"{SVG}text")) and not list(root.iter(f"{SVG}text"))
    assert root.findtext(f"{SVG}title") == parsed(drawn).findtext(f"{SVG}title")


def test_letters_that_are_not_ours_stay_a_text() -> None:
    written = '<text x="1" y="2" font-size="10" fill="#000">中</text>'
    assert lettered(written) == written


def test_without_any_font_the_pixels_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = pytest.importorskip("resvg_py")
    drawn, given = game("belote").start(1).picture("A"), resvg.svg_to_bytes
    with_fonts = png(drawn)
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **said: given(**said, skip_system_fonts=True))
    assert png(drawn) == with_fonts and len(with_fonts) > SMALLEST
