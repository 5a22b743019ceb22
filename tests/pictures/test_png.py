"""Pictures as pixels: the same with any fonts of a machine."""

import pytest
from drawn import SVG, parsed
from games import game, names
from tiers import in_tiers

from hoyle.pictures.letters import outline_text
from hoyle.pictures.png import outline_texts, render_png

SMALLEST = 1500
"""Least size of a picture that is not blank, in bytes."""


@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], ["klondike"], ["backgammon"]))
def test_words_of_a_game_need_no_font(name: str) -> None:
    for lang in ("en", "fr"):
        words = {text for space in game(name).labels(lang).values() for text in space.values()}
        words |= {face.text for face in game(name).pieces(lang)}
        assert [text for text in sorted(words) if outline_text(text) is None] == []


@pytest.mark.whole
def test_texts_of_a_picture_become_outlines() -> None:
    drawn = game("cribbage").start(1).picture("A", lang="fr")
    root = parsed(outline_texts(drawn))
    assert list(parsed(drawn).iter(f"{SVG}text")) and not list(root.iter(f"{SVG}text"))
    assert root.findtext(f"{SVG}title") == parsed(drawn).findtext(f"{SVG}title")


def test_unknown_letters_stay_a_text() -> None:
    written = '<text x="1" y="2" font-size="10" fill="#000">中</text>'
    assert outline_texts(written) == written


def test_png_is_drawn_without_texts_at_twice_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = pytest.importorskip("resvg_py")
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda svg_string, zoom: f"{zoom} {svg_string}".encode())
    written = '<text x="1" y="2" font-size="10" fill="#000">A</text>'
    assert render_png(written).decode() == f"2 {outline_texts(written)}" and "<text" not in outline_texts(written)


@pytest.mark.slow
def test_pixels_are_the_same_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = pytest.importorskip("resvg_py")
    drawn, given = game("belote").start(1).picture("A"), resvg.svg_to_bytes
    with_fonts = render_png(drawn)
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **said: given(**said, skip_system_fonts=True))
    assert render_png(drawn) == with_fonts and len(with_fonts) > SMALLEST
