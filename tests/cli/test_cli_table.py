"""Tables, boards and score sheets as lines: legible at 80 columns, hiding what a view hides.

`boards.out` has the picture of the first position, and the lines in which other pictures differ. UPDATE_GOLDEN=1 writes it."""

import difflib
import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import runner
from games import game, loaded
from msgspec import structs
from msgspec.structs import replace
from rules import read_cases
from terminals import Sitting
from views import columns, make_pile, make_value, make_view, pieces, with_key

from hoyle.cli import output
from hoyle.game.moves.legal import Move
from hoyle.language.model import Rule
from hoyle.presentation.catalogue import choose_language, use_language
from hoyle.presentation.look import Look, cut_text, make_look, make_piece_set
from hoyle.presentation.play_text import format_reasons, list_moves, sort_moves
from hoyle.presentation.table.boards import BoardPosition, draw_board, draw_flat
from hoyle.presentation.table.piles import PointLabel
from hoyle.presentation.table.sheets import draw_deal_end, draw_sheets, select_sheets
from hoyle.presentation.table.table import draw_table
from hoyle.printable import width
from hoyle.view_data import EMPTY, BoardView, PileView, SheetCell, SheetKey, SheetRow, SheetView

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


EXPECTED = Path(__file__).parent / "boards.out"
SCENES = read_cases("cli/boards")["scenes"]


def draw_scene(scene: dict[str, Any]) -> list[str]:
    choose_language(["--lang", "en"], {})
    found = loaded(scene["game"], scene.get("options"))
    look = replace(make_look(found), **{"width": 80, "height": None, **scene.get("look", {})})
    view = found.position({"game": scene["game"], **scene["position"]}).view(scene["seat"])
    lines = draw_table(view, found.seats, look, scene["name"])
    assert max(map(width, lines)) <= look.width
    assert all(line.isascii() for line in lines) or look.unicode
    return lines


@pytest.mark.whole
def test_pictures() -> None:
    first, *others = map(draw_scene, SCENES)
    changes = [difflib.unified_diff(first, lines, n=0, lineterm="") for lines in others]
    text = "\n".join([*first, *(line for lines in changes for line in [*lines][2:] if line[0] != "-"), ""])
    if os.environ.get("UPDATE_GOLDEN"):
        EXPECTED.write_text(text, encoding="utf-8")
    assert text == EXPECTED.read_text(encoding="utf-8")


@pytest.mark.whole
def test_picture_of_the_first_scene() -> None:
    lines = draw_scene(SCENES[0])
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()[: len(lines)]


def men(counts: dict[int, str], points: int, seat: str = "A", marked: tuple[int, ...] = ()) -> BoardPosition:
    numbers = range(1, points + 1)
    piles = [make_pile("point", pieces(counts.get(n, "")), "board", number=n) for n in numbers]
    return BoardPosition(piles, [PointLabel(str(n), "*" * (n in marked)) for n in numbers], [], "", seat)


def test_mark_moves_no_number() -> None:
    look, found = Look(unicode=False), {13: "W W", 6: "B"}
    bare, marked = (draw_board(men(found, 24, marked=points), look, low=False) for points in ((), (6, 13, 24)))
    assert [line.replace("*", "-") for line in marked] == bare
    assert "*13-14" in marked[0] and marked[0].endswith("*24-+") and "-*6--5" in marked[-1]
    short = men({3: "W W"}, 4, marked=(3,))
    assert draw_flat(short.points, short.heads, look) == ["1  2  3* 4", ".  .  2W ."]


LOOK = Look()
Cells = Sequence[int | bool | None]


def key(text: str) -> SheetKey:
    return SheetKey(text, (("en", text),))


def row(name: str, cells: Cells, parts: tuple[SheetRow, ...] = ()) -> SheetRow:
    return SheetRow(key(name), tuple(SheetCell(c, (("en", str(c)),)) if c is not None else None for c in cells), parts)


def sheet(name: str, columns: str, rows: Sequence[SheetRow], sort: str = "state", sums: Cells = ()) -> SheetView:
    totals = row("total", sums) if sums else None
    return SheetView(name, sort, (("en", name),), tuple(map(key, columns.split())), tuple(rows), totals)


def drawn(*sheets: SheetView, whole: bool = True, look: Look = LOOK) -> list[str]:
    return words(draw_sheets(sheets, look, whole))


def words(lines: Sequence[str]) -> list[str]:
    return [" ".join(line.split()) for line in lines]


PAPER = sheet(
    "sheet", "A B", [row("plis", [-4, -22]), row("dames", [None, None]), row("barbu", [0, -20])], sums=[-4, -42]
)
SQUARE = sheet("doubled", "A B", [row("A", [None, 2]), row("B", [None, None])], "square")
TO_FILL = sheet("boxes", "A B", [SheetRow(key(f"row {n}"), (EMPTY, EMPTY)) for n in range(9)], sums=[0, 0])


def test_a_sheet_has_zeros_blanks_and_totals() -> None:
    assert drawn(PAPER) == ["sheet A B", "plis -4 -22", "dames", "barbu 0 -20", "total -4 -42"]
    assert "dames" not in drawn(PAPER, whole=False)
    lines = draw_sheets([sheet("points", "A B", [row("too many tricks over", [3, None])])], LOOK, whole=True)
    assert lines[-1].split("  ")[1] == "too many tricks over"


def test_sheets_stand_beside_each_other_as_far_as_they_fit() -> None:
    four = [sheet(f"sheet {name}", "A B C D", [row("plis", [1, 2, 3, 4])]) for name in "ABCD"]
    assert [line.split()[:2] for line in drawn(*four)] == [["sheet", "A"], ["plis", "1"], ["sheet", "D"], ["plis", "1"]]
    narrow = draw_sheets(four, Look(width=40), whole=True)
    assert len(narrow) == 8 and max(map(width, narrow)) <= 40


def test_a_sheet_that_is_too_wide_is_turned() -> None:
    cells: list[int | None] = [12 if n == 3 else 0 if n == 5 else None for n in range(20)]
    boxes = " ".join(f"box{n}" for n in range(20))
    wide = sheet("sheet", boxes, [row("free", cells), row("dry", [None] * 20)])
    assert drawn(wide, whole=False) == ["sheet free", "box3 12", "box5 0"]


def test_too_many_columns_for_a_line_stand_below_each_other() -> None:
    wide = sheet("wide", " ".join(f"a-column-{n}" for n in range(6)), [row(f"row-{n}", [n] * 6) for n in range(9)])
    lines = draw_sheets([wide], Look(width=50), whole=True)
    assert [line.split()[0] for line in lines].count("wide") == 2 and max(map(width, lines)) <= 50
    assert words(lines)[10] == "wide a-column-3 a-column-4 a-column-5"


def test_a_long_sheet_is_folded_where_it_is_to_be_low() -> None:
    lines = words(draw_sheets([TO_FILL], Look(width=60), whole=False, folded=True))
    assert lines[0] == " ".join(["boxes A B"] * 3)
    assert len(lines) == 5 and lines[-1] == "row 3 · · row 7 · ·"
    assert len(draw_sheets([TO_FILL], Look(width=24), whole=False, folded=True)) == 11


def test_early_deals_are_summed_and_the_last_is_shown_in_its_parts() -> None:
    parts = (row("bid", [10, None]), row("tricks", [3, 2]))
    rows = [*(row(f"deal {n}", [n, 1]) for n in range(1, 13)), row("deal 13", [13, 2], parts)]
    found = drawn(sheet("points", "A B", rows, "deals", [91, 14]))
    assert found[1:3] == ["deal 1 – deal 3 6 3", "deal 4 4 1"]
    assert found[-4:] == ["deal 13 13 2", "bid 10", "tricks 3 2", "total 91 14"]
    few = drawn(sheet("points", "A B", rows[:11], "deals", [66, 11]))
    assert few[1:3] == ["deal 1 1 1", "deal 2 2 1"] and not any("–" in line for line in few)


def test_a_table_shows_the_sheets_it_has_room_for_but_no_past_deals() -> None:
    """On a low one only sheets to choose from."""
    deals = sheet("points", "A B", [row("deal 1", [3, 4])], "deals", [3, 4])
    boxes = sheet("boxes", "A B", [row("one", [3, 4])])
    assert select_sheets([PAPER, SQUARE, deals, boxes], low=False) == [PAPER, SQUARE, boxes]
    assert select_sheets([PAPER, SQUARE, deals, boxes], low=True) == [boxes]
    assert select_sheets([PAPER, TO_FILL], low=True) == [TO_FILL]
    view = make_view(sheets=[PAPER, SQUARE])
    assert "-22" in "".join(draw_table(view, ["A", "B"], LOOK))
    assert "-22" not in "".join(draw_table(view, ["A", "B"], Look(height=4), brief=True))


@pytest.mark.parametrize("plain", [True, False])
def test_the_end_of_a_deal_shows_all_but_the_deal_itself(plain: bool) -> None:
    found = draw_deal_end(make_view(sheets=[PAPER, SQUARE]), Look(plain=plain))
    assert not any("doubled" in line for line in found)
    assert ("plis: A -4, B -22" in found) == plain
    assert any("-42" in line for line in found)
    assert not plain or draw_deal_end(make_view(sheets=[TO_FILL]), Look(plain=True))[1] == "row 0: empty"


HEARTS = ["hearts", "--seats", "human,random,random,random", "--seed", "3", "--lang", "en"]


@pytest.mark.whole
def test_in_a_pipe_lines_part_tricks_and_deals_and_nobody_waits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, out, _ = runner(capsys, monkeypatch, tmp_path)("play", *HEARTS, stdin="yes\n" + "1\n" * 14)
    found = out.splitlines()
    over = next(n for n, line in enumerate(found) if line.startswith("end of the deal "))
    tricks = [line for line in found[:over] if " wins the trick " in line]
    assert len(tricks) == 13
    assert all(line.endswith("─" * 20) and width(line) == 80 for line in tricks)
    assert found[over].endswith("━" * 20)
    assert found[over + 1].split() == ["score", "A", "B", "C", "D"]
    assert sum(map(int, found[over + 2].split()[2:])) == 26
    assert not any("Press Enter" in line for line in found)


@pytest.mark.whole
def test_on_a_terminal_the_end_of_a_deal_waits() -> None:
    """`last` recalls what happened, and it waits again."""
    waits = "Press Enter to go on"
    with Sitting(*HEARTS) as sitting:
        sitting.until(f"A> |{waits}")
        for _ in range(16):
            if waits in sitting.answer("1", f"A> |{waits}")[-1]:
                break
        sitting.answer("last", f"A plays .* wins the trick .*end of the deal .*{waits}")
        sitting.answer("")
