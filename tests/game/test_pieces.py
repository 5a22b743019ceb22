"""How pieces are written: by signs in ids and positions, by symbols and words for people, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import game

from interpreter import Game, load


@pytest.mark.parametrize(
    ("game", "lang", "sign", "text", "plain", "colour"),
    [
        ("klondike", "en", "KH", "K♥", "KH", "red"),
        ("klondike", "fr", "KH", "R♥", "Rc", "red"),
        ("klondike", "de", "KH", "K♥", "KH", "red"),
        ("klondike", "fr", "TS", "10♠", "10p", "black"),
        ("backgammon", "fr", "white", "Blanc", "Blanc", "white"),
        ("yams", "fr", "5", "5", "5", ""),
    ],
)
def test_a_piece_is_written_as_a_language_has_it(
    game: str, lang: str, sign: str, text: str, plain: str, colour: str
) -> None:
    (found,) = [face for face in load(game).pieces(lang) if face.sign == sign]
    assert (found.text, found.plain, found.colour) == (text, plain, colour)


def test_a_hand_is_held_by_suits_with_colours_apart() -> None:
    faces = sorted(game("klondike").pieces(), key=lambda face: face.place)
    assert [face.sign for face in faces[::13]] == ["AS", "AH", "AC", "AD"]


def test_what_is_read_is_understood_in_positions_and_moves_and_written_back_in_signs() -> None:
    state = game("cribbage").start(5)
    for written in ("écarter R♠ 8♠", "ecarter RS 8s", "lay away K♠ 8S", "lay-away R♠ 8♠\ufe0f"):
        assert [move.id for move in state.meant(written)] == ["lay-away 8S KS"]
    assert state.game.piece("D♦") == state.game.piece("QD") == state.game.piece("Q♦")


@pytest.mark.parametrize(
    ("lang", "typed"),
    [
        ("fr", "déplacer 2♥ de la colonne 1 à la colonne 3 (5♦)"),
        ("fr", "déplacer 2h de la colonne 1 à la colonne 3"),
        ("en", "move 2♥ from column 1 to column 3"),
    ],
)
def test_a_move_that_is_not_legal_is_known_by_what_would_be_shown(lang: str, typed: str) -> None:
    why = game("klondike").start(1).why(typed)
    assert why.known
    assert why.failing is not None
    assert why.failing.name == "fits"
    assert why.summary(lang)


DUTCH = "words: nl\ngame: taken\ntables: {ranks: {jack: {symbol: B}, queen: {symbol: V}, king: {symbol: H}}}\nmoves: {lay: 'leg {card}'}"
FRENCH = "words: fr\ngame: taken\ntables: {ranks: {jack: {symbol: V}, queen: {symbol: D}, king: {symbol: R}}}\nmoves: {lay: 'poser {card}'}"


@pytest.fixture
def taken(tmp_path: Path) -> Game:
    for name, text in (("taken.yaml", GAME), ("taken.nl.yaml", DUTCH), ("taken.fr.yaml", FRENCH)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return load(tmp_path / "taken.yaml")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lay KH", "lay KH"),
        ("lay RH", "lay KH"),
        ("leg HH", "lay KH"),
        ("poser VS", "lay JS"),
        ("leg VS", "lay QS"),
        ("lay VS", None),
    ],
)
def test_a_letter_that_two_languages_use_for_two_ranks_means_what_its_own_says(
    taken: Game, typed: str, meant: str | None
) -> None:
    assert [move.id for move in taken.start().meant(typed)] == ([meant] if meant else [])


def test_without_symbols_a_language_writes_its_own_letters() -> None:
    """`DC` would be two cards to whoever has a D for the queen and a C for hearts."""
    faces = {face.sign: face for face in load("klondike").pieces("fr")}
    assert [faces[sign].plain for sign in ("QC", "2D", "TH", "KS")] == ["Dt", "2k", "10c", "Rp"]
    assert [face.plain for face in load("klondike").pieces("en") if face.sign in ("QC", "2D")] == ["2D", "QC"]
