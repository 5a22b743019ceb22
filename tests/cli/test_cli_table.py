"""The table as lines: legible at 80 columns, hiding what a view hides, the same for every game."""

import re
from functools import cache
from typing import Any

import pytest
from games import game
from msgspec import structs
from rules import read_cases
from views import columns, make_pile, make_value, make_view, pieces, with_key

from hoyle.cli import output
from hoyle.game.moves.legal import Move
from hoyle.language.model import Rule
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import Look, cut_text, make_look, make_piece_set
from hoyle.presentation.play_text import format_reasons, list_moves, sort_moves
from hoyle.presentation.table.table import draw_table
from hoyle.printable import width
from hoyle.view_data import BoardView, PileView

TABLES = read_cases("cli/table")


@cache
def usual() -> Look:
    return Look(pieces=make_piece_set(game("klondike").pieces("en")))


def look(**changes: Any) -> Look:
    return structs.replace(usual(), **changes)


def piles_of(case: dict[str, Any]) -> list[PileView]:
    found = list[PileView]()
    for pile in case.get("piles", ()):
        more = {name: value for name, value in pile.items() if name not in ("name", "text", "texts")}
        texts = pile.get("texts")
        plain = columns(pile["name"], texts) if texts else [make_pile(pile["name"], pieces(pile.get("text", "")))]
        if "places" in more:
            more["order"] = tuple(more.pop("places"))
        found += [with_key(structs.replace(one, **more)) for one in plain]
    return found


def draw(case: dict[str, Any], **changes: Any) -> list[str]:
    state = [make_value(*item) for item in case.get("state", ())]
    view = make_view(piles_of(case), state, seat=case.get("seat", "A"))
    return draw_table(
        view, ["A", "B"], look(**{**case.get("look", {}), **changes}), "Game", brief=case.get("brief", False)
    )


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{part} {n}") for part, cases in TABLES.items() for n, case in enumerate(cases, 1)]
)
def test_table(case: dict[str, Any]) -> None:
    lines = draw(case)
    text = "\n".join(lines)
    assert max(map(width, lines)) <= 80
    assert all(part in text for part in case.get("shown", ())), text
    assert re.search(".*".join(map(re.escape, case.get("order", ()))), text, re.DOTALL), text
    assert {*case.get("lines", ())} <= {*lines}, text
    ends = case.get("ends", [])
    assert [" ".join(line.split()) for line in lines[-1 - len(ends) : -1]] == ends
    assert text == case.get("whole", text).rstrip("\n")
    assert not any(part in text for part in case.get("lacks", ())), text
    assert {part: text.count(part) for part in case.get("counts", {})} == case.get("counts", {})
    assert text.isascii() or not case.get("ascii")
    coloured = draw(case, colour=True)
    assert [re.sub("\x1b[^m]*m", "", line) for line in coloured] == lines


def test_points_of_a_board_are_named_and_ordered_as_the_view_says() -> None:
    points = [make_pile("point", pieces("W" if n == 1 else ""), "board", number=n) for n in (1, 2, 3)]
    ring = BoardView("point", tuple(pile.key for pile in reversed(points)), ("7", "8", "9"), numbered=True)
    found = draw_table(make_view(points, boards=[ring]), ["A", "B"], look())
    assert found[-3:-1] == ["  7  8  9", "  ·  ·  1W"]


def test_cut_marks_the_end() -> None:
    assert (cut_text("abcdef", 4), cut_text("abc", 4)) == ("abc~", "abc")


def test_progress_of_long_work() -> None:
    assert output.format_progress("playing", 0, 100, 3.0) == f"playing {'─' * 32}   0/100"
    assert output.format_progress("playing", 25, 100, 30.0) == f"playing {'━' * 8}{'─' * 24}  25/100 1:30"
    assert output.format_progress("playing", 100, 100, 30.0, fine=False) == f"playing {'#' * 32} 100/100 0:00"


def test_long_moves_have_their_id_below() -> None:
    class Long:
        id, name, fault = "a-very-long-move 1 -> 2", "a very long move", "the " + "longest " * 9 + "rule"
        sets = ()

        def text(self, lang: str) -> str:
            return "a very long move KH (side case 1) → side case 2 (7C)"

        def short(self, lang: str) -> str:
            return ""

    found = "\n".join(list_moves([Long()], look(colour=True))).splitlines()  # type: ignore[list-item]
    assert max(map(width, found)) <= 80
    assert "a-very-long-move 1 -> 2" in found[-1] and "\x1b[31mK♥\x1b[0m" in found[0]


@pytest.mark.parametrize(
    ("name", "lang", "behind"), [("backgammon", "en", "13/11"), ("backgammon", "fr", "13/11"), ("klondike", "en", "turn-cards")]
)  # fmt: skip
def test_notation_or_in_english_the_id_stands_behind_a_move(name: str, lang: str, behind: str) -> None:
    said = "\n".join(list_moves(game(name).start(3).moves(), look(lang=lang)))
    assert f"  {behind}" in said
    assert "  turn-cards" not in "\n".join(list_moves(game("klondike").start(3).moves(), look(lang="fr")))


def test_moves_are_listed_by_numbers_or_as_the_hand_lies() -> None:
    ids = ["wish nine", "wish ten", "wish jack", "lay 9H -> 10", "lay KS -> 2", "lay 9H -> 2", "wish jack KS", "pass"]
    moves = [Move(ident, ident.split()[0], "A", Rule(""), None, (), (), str, str) for ident in ids]
    listed = "wish nine, wish ten, wish jack, wish jack KS, lay KS -> 2, lay 9H -> 2, lay 9H -> 10, pass"
    assert ", ".join(move.id for move in sort_moves(moves, look())) == listed


def test_reasons_are_formulas_in_english_and_values_in_french() -> None:
    state, words = game("klondike").start(5), "to-the-foundation column 7"
    with use_language("fr"):
        told = format_reasons(state.why(words), make_look(state.game))
    assert [line for line in told if line.startswith("      ")] == ["      famille trèfle, en tout\u00a0: 0"]
    with use_language("en"):
        assert "      card.rank.order is count(to) + 1 = false" in format_reasons(
            state.why(words), make_look(state.game)
        )
