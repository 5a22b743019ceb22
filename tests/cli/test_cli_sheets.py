"""Score sheets as lines of text."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import runner
from terminals import Sitting
from views import make_view

from hoyle.presentation.look import Look
from hoyle.presentation.table.sheets import draw_deal_end, draw_sheets, select_sheets
from hoyle.presentation.table.table import draw_table
from hoyle.printable import width
from hoyle.view_data import EMPTY, SheetCell, SheetKey, SheetRow, SheetView

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
