"""The table as lines: legible at 80 columns, hiding what a view hides, the same for every game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from games import game
from msgspec import structs
from views import FakeBoard, FakeItem, FakePile, FakeView, columns, pieces, pile

from interpreter.cli.catalogue import speaking
from interpreter.cli.drawing import progress
from interpreter.cli.drawing.ink import Look, cut, pad, pieces_of
from interpreter.cli.drawing.lines import in_order, look_of, move_lines, why_lines
from interpreter.cli.drawing.table import table
from interpreter.game.moves import Move
from interpreter.language.model import Rule
from interpreter.printable import width
from interpreter.reading.shape import schema_text

LONG = "KS QH JS TH 9C 8D 7S 6H 5C 4D 3S 2H AC QS 2D"
SEATS = ["A", "B"]
Items = tuple[FakeItem, ...]


@cache
def usual() -> Look:
    return Look(pieces=pieces_of(game("klondike").pieces("en")))


def look(**changes: Any) -> Look:
    return structs.replace(usual(), **changes)


def lines(*piles: FakePile, seat: str | None = "A", state: Items = (), **changes: Any) -> list[str]:
    """The table as a seat sees it; no line is wider than 80 columns."""
    found = table(FakeView(seat, "A", list(piles), list(state)), SEATS, look(**changes))
    assert max(map(width, found)) <= 80
    return found


def drawn(*piles: FakePile, **more: Any) -> str:
    return "\n".join(lines(*piles, **more))


def low(*piles: FakePile, height: int, brief: bool = False, state: Items = (), unicode: bool = True) -> list[str]:
    view = FakeView("A", "A", list(piles), list(state))
    return table(view, SEATS, look(height=height, unicode=unicode), "Game", brief=brief)


def of_row(name: str, text: str, member: str, stacked: bool = False) -> FakePile:
    return replace(pile(name, text), member=member, stacked=stacked)


# ---- piles -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piles", "shown"),
    [
        ([FakePile("point", None, 1, "board", pieces("W B B B"))], "3B1W"),
        ([pile("won", "AS 2S QH", layout="count")], "won Q♥ (3)"),
        ([FakePile("box", None, None, "count", pieces("W W W"))], "box W×3"),
        ([replace(pile("hand", "KH 2C 5S"), places=(2, 0, 1))], "hand 5♠ K♥ 2♣"),
        ([pile("talon", "?*44", layout="count")], "talon ▒▒×44"),
        ([pile("stock", "?*7 7D")], "stock ▒▒×7 7♦"),
        ([pile("hand", "? ?", owner="B")], "hand ▒▒ ▒▒"),
        ([of_row("layout", "5S 6S", "spades"), of_row("layout", "", "hearts")], "layout spades 5♠ 6♠  hearts ·"),
        ([of_row("home", "AS 2S 3S", "a", True), of_row("home", "AH", "b", True)], "home a 3♠ (3)  b A♥"),
        (columns("run", ["", "", "", "KS"], layout="row"), "run 1–3 ·  4 K♠"),
    ],
)
def test_piles_in_a_line(piles: Sequence[FakePile], shown: str) -> None:
    assert shown in drawn(*piles)


def test_hidden_piles_are_not_shown() -> None:
    assert "pack" not in drawn(pile("pack", "?*52", layout="hidden"))


def test_a_column_lies_in_its_own_order() -> None:
    found = lines(replace(pile("hand", "KH 2C 5S"), layout="column", number=1, places=(2, 0, 1)))
    assert [line.strip() for line in found[-4:-1]] == ["K♥", "2♣", "5♠"]


def test_rows_that_are_long_have_a_line_each_in_their_own_order() -> None:
    long = [of_row("layout", LONG, member) for member in ("spades", "hearts")]
    found = lines(long[0], of_row("layout", "", "diamonds"), long[1])
    assert [line.split()[1:3] for line in found if line.startswith("  layout")] == [
        ["spades", "K♠"],
        ["diamonds", "·"],
        ["hearts", "K♠"],
    ]


def test_long_columns_are_fans_or_strips_on_low_terminals() -> None:
    fans = lines(*columns("side", [LONG] * 8))
    strips = lines(*columns("side", [LONG] * 8), height=14)
    assert len([line for line in fans if line.split() == ["2♦"] * 8]) == 1
    assert len(strips) < len(fans)
    assert "  1 K♠ Q♥ J♠ 10♥ 9♣ 8♦ 7♠ 6♥ 5♣ 4♦ 3♠ 2♥ A♣ Q♠ 2♦" in strips


def test_columns_of_stacks_show_top_and_number() -> None:
    found = lines(*columns("centre", ["AS 2S 3S", *[""] * 14, "AD"], layout="count"))
    assert "  3♠ ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  A♦" in found
    assert any(line.startswith("  ×3") for line in found)
    fans = lines(*(replace(column, stacked=True) for column in columns("home", ["AS 2S 3S", "AH", ""])))
    assert [line.split() for line in fans[-4:-1]] == [["1", "2", "3"], ["3♠", "A♥", "·"], ["×3"]]


def test_many_columns_go_on_below_in_bands_of_the_same_width() -> None:
    assert drawn(*columns("tableau", ["AS"] * 40)).split().count("A♠") == 40
    found = lines(*columns("tableau", ["AS"] * 32))
    heads = [line.split() for line in found if line.split()[:1] in (["1"], ["17"])]
    assert [len(head) for head in heads] == [16, 16]


def test_points_of_a_board_are_named_and_ordered_as_the_view_says() -> None:
    points = [FakePile("point", None, n, "board", pieces("W" if n == 1 else "")) for n in (1, 2, 3)]
    ring = FakeBoard("point", tuple(pile.key for pile in reversed(points)), ("7", "8", "9"))
    found = table(FakeView("A", "A", points, boards=[ring]), SEATS, look())
    assert found[-3:-1] == ["  7  8  9", "  ·  ·  1W"]


@pytest.mark.parametrize(("seat", "order"), [("A", "3♠ 2♠ A♠"), ("B", "A♠ 2♠ 3♠"), (None, "3♠ 2♠ A♠")])
def test_the_seat_that_looks_sits_at_the_bottom(seat: str | None, order: str) -> None:
    piles = [pile("hand", "AS", owner="A"), pile("heap", "2S"), pile("hand", "3S", owner="B")]
    assert " ".join(sign for sign in drawn(*piles, seat=seat).split() if sign.endswith("♠")) == order


def test_every_layout_is_drawn_in_its_own_way() -> None:
    layouts = json.loads(schema_text())["definitions"]["pile"]["properties"]["layout"]["enum"][:-1]
    heap = columns("side", [LONG, "KS"])
    assert len({drawn(*(replace(one, layout=layout) for one in heap)) for layout in layouts}) == len(layouts)


# ---- state -----------------------------------------------------------------------------------------------------------


def test_state_is_shown_unless_it_is_nothing_for_everybody() -> None:
    each = (FakeItem("packets", "A", 3), FakeItem("packets", "B", 0), FakeItem("passed", "B", False))
    one = (FakeItem("idle", None, 0), FakeItem("trump", None, "hearts"), FakeItem("open", None, True))
    found = drawn(state=(*each, *one))
    assert all(word in found for word in ("packets 3", "packets 0", "trump hearts", "open"))
    assert "idle" not in found and "passed" not in found


def test_state_by_other_keys_is_shown_on_one_line() -> None:
    pairs = (FakeItem("doubled", "A B", 0), FakeItem("doubled", "A C", 2), FakeItem("doubled", "B C", 1))
    played = (FakeItem("played", "A of plis", True), FakeItem("played", "A of dames", False))
    numbered = (FakeItem("worth", "1", 9), FakeItem("worth", "2", 0), FakeItem("builder", "1", "A"))
    found = drawn(state=(*pairs, *played, *numbered))
    assert all(part in found for part in ("worth 1=9   builder 1=A", "doubled A-C 2, B-C 1", "played plis"))
    assert "dames" not in found


def test_state_that_is_too_long_for_a_line_goes_on_below() -> None:
    sheet = tuple(FakeItem("sheet", f"{a} {b}", n + 1) for a in "ABCD" for n, b in enumerate("ABCDEFGH"))
    assert drawn(state=sheet).count("-H 8") == 4


def test_a_value_stands_as_the_language_puts_it() -> None:
    state = (FakeItem("dealer", None, "B"), FakeItem("shut", None, True))
    assert "  dealer B   shut" in lines(state=state)
    assert "  dealer : B   shut" in lines(state=state, entry="{name} : {value}")


def test_a_pile_whose_count_the_state_tells_is_left_out() -> None:
    won = FakePile("won", "A", None, "count", pieces("AS 2S QH"), told_by="tricks")
    found = drawn(won, state=(FakeItem("tricks", "A", 1),))
    assert "tricks 1" in found and "won" not in found


def test_pegs_of_a_track_stand_where_they_have_come() -> None:
    def track(value: int, back: int | None = None) -> str:
        (line,) = (text for text in lines(state=(FakeItem("score", "A", value, 121, back=back),)) if "121" in text)
        return line

    assert track(60).endswith(" 60/121") and 20 < track(60).index("●") < 60
    assert track(400).endswith(" 400/121")
    assert 0 < track(60, 52).index("○") < track(60, 52).index("●")
    assert "○" not in track(0, 0)


# ---- signs, colours and names ----------------------------------------------------------------------------------------


def test_plain_terminals_get_plain_characters() -> None:
    piles = [pile("hand", "KH 2C ?*5", owner="A"), *columns("side", ["", "AS"])]
    found = drawn(*piles, unicode=False, state=(FakeItem("score", "A", 6, 61),))
    assert found.isascii() and "KH 2C ##x5" in found


def test_colours_do_not_change_the_layout() -> None:
    piles = [pile("hand", "KH 2C ?*5", owner="A"), *columns("side", [LONG, "", "?*3 7D"])]
    plain, coloured = lines(*piles), lines(*piles, colour=True)
    assert [width(line) for line in plain] == [width(line) for line in coloured]
    assert any("\x1b[31mK♥" in line for line in coloured)


def test_names_are_those_of_the_ruleset_without_commands_to_the_terminal() -> None:
    labels = {"piles": {"hand": "\x1b[2Jmain\x07"}, "seats": {"A": "Anne"}}
    found = drawn(pile("hand", "KH", owner="A"), labels=labels, you="vous")
    assert "main" in found and "Anne (vous)" in found and "\x1b" not in found


@pytest.mark.parametrize(("text", "columns_taken"), [("abc", 3), ("漢", 2), ("\x1b[31mx\x1b[0m", 1)])
def test_padding_counts_columns(text: str, columns_taken: int) -> None:
    assert width(text) == columns_taken and width(pad(text, 9)) == 9


def test_cut_marks_the_end() -> None:
    assert (cut("abcdef", 4), cut("abc", 4)) == ("abc~", "abc")


def test_progress_of_long_work() -> None:
    assert progress.line("playing", 0, 100, 3.0) == f"playing {'─' * 32}   0/100"
    assert progress.line("playing", 25, 100, 30.0) == f"playing {'━' * 8}{'─' * 24}  25/100 1:30"
    assert progress.line("playing", 100, 100, 30.0, fine=False) == f"playing {'#' * 32} 100/100 0:00"


# ---- moves and reasons -----------------------------------------------------------------------------------------------


def test_long_moves_have_their_id_below() -> None:
    class Long:
        id, name, fault = "a-very-long-move 1 -> 2", "a very long move", "the " + "longest " * 9 + "rule"
        sets = ()

        def text(self, lang: str) -> str:
            return "a very long move KH (side case 1) → side case 2 (7C)"

        def short(self, lang: str) -> str:
            return ""

    found = "\n".join(move_lines([Long()], look(colour=True))).splitlines()  # type: ignore[list-item]
    assert max(map(width, found)) <= 80
    assert "a-very-long-move 1 -> 2" in found[-1] and "\x1b[31mK♥\x1b[0m" in found[0]


@pytest.mark.parametrize(
    ("name", "lang", "behind"), [("backgammon", "en", "13/11"), ("backgammon", "fr", "13/11"), ("klondike", "en", "turn-cards")]
)  # fmt: skip
def test_notation_or_in_english_the_id_stands_behind_a_move(name: str, lang: str, behind: str) -> None:
    said = "\n".join(move_lines(game(name).start(3).moves(), look(lang=lang)))
    assert f"  {behind}" in said
    assert "  turn-cards" not in "\n".join(move_lines(game("klondike").start(3).moves(), look(lang="fr")))


def test_moves_are_listed_by_numbers_or_as_the_hand_lies() -> None:
    ids = ["wish nine", "wish ten", "wish jack", "lay 9H -> 10", "lay KS -> 2", "lay 9H -> 2", "wish jack KS", "pass"]
    moves = [Move(ident, ident.split()[0], "A", Rule(""), None, (), (), str, str) for ident in ids]
    listed = "wish nine, wish ten, wish jack, wish jack KS, lay KS -> 2, lay 9H -> 2, lay 9H -> 10, pass"
    assert ", ".join(move.id for move in in_order(moves, look())) == listed


def test_reasons_are_formulas_in_english_and_values_in_french() -> None:
    state, words = game("klondike").start(5), "to-the-foundation column 7"
    with speaking("fr"):
        told = why_lines(state.why(words), look_of(state.game))
    assert [line for line in told if line.startswith("      ")] == ["      famille trèfle, en tout\u00a0: 0"]
    with speaking("en"):
        assert "      card.rank.order is count(to) + 1 = false" in why_lines(state.why(words), look_of(state.game))


# ---- low tables ------------------------------------------------------------------------------------------------------


def test_a_low_table_is_packed_before_anything_is_left_out() -> None:
    """Others take a line each, empty piles are not shown, short strips share a line; all other pieces can be read."""
    sides = columns("side", ["AS 2S", "", "3S", "4S 5S", "6S", "7S"])
    piles = (pile("hand", "?*5", owner="B"), pile("won", "", owner="B"), *sides, pile("hand", "KH", owner="A"))
    large = low(*piles, height=30)
    assert any(line.startswith("  B ──") for line in large) and "won ·" in "\n".join(large)
    assert low(*piles, height=5) == [
        "Game",
        "  B   hand ▒▒×5",
        "  side   1 A♠ 2♠   3 3♠      4 4♠ 5♠   5 6♠      6 7♠   2 ·",
        "▶ A (you) ──────────────────────────────────────────────────────────────────────",
        "  hand K♥",
    ]
    assert low(*piles, height=1) == low(*piles, height=5), "no lower than that, unless it may be brief"


def test_empty_columns_of_a_low_table_are_named_from_the_first_to_the_last() -> None:
    sides = columns("side", ["AS", *[""] * 4, "2S", "", ""])
    assert "  side   1 A♠   6 2♠   2–5 7 8 ·" in low(*sides, height=1)
    assert "  side   1 AS   6 2S   2-5 7 8 ." in low(*sides, height=1, unicode=False)


@pytest.mark.whole
def test_a_brief_table_shows_the_ends_of_strips_and_says_so() -> None:
    sides = columns("side", [LONG] * 8)
    found = low(*sides, height=6, brief=True)
    assert len(found) <= 6
    assert found[0] == "Game (`table` shows all)"
    assert sum(line.count("Q♠ 2♦") for line in found) == 8
    assert "K♠" not in "\n".join(found) and "K♠" in "\n".join(low(*sides, height=6))


def test_tracks_of_a_low_table_lie_beside_each_other() -> None:
    scores = tuple(FakeItem("score", seat, 60, 121) for seat in "AB")
    assert sum("/121" in line for line in low(state=scores, height=30)) == 2
    (line,) = [line for line in low(state=scores, height=4) if "/121" in line]
    assert line.count("60/121") == 2 and width(line) <= 80
