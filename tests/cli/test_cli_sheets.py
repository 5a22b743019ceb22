"""Score sheets as lines of text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from views import FakeView

from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.sheets import at_end, in_brief, sheet_lines
from interpreter.cli.drawing.table import table
from interpreter.game.paper import EMPTY, SheetCell, SheetKey, SheetRow, SheetView
from interpreter.printable import width

LOOK = Look()
Cells = Sequence[int | bool | None]


def key(text: str) -> SheetKey:
    return SheetKey(text, (("en", text),))


def row(name: str, cells: Cells, parts: tuple[SheetRow, ...] = ()) -> SheetRow:
    return SheetRow(key(name), tuple(SheetCell(c, (("en", str(c)),)) if c is not None else None for c in cells), parts)


def sheet(name: str, columns: str, rows: Sequence[SheetRow], sort: str = "state", sums: Cells = ()) -> SheetView:
    totals = row("total", sums) if sums else None
    return SheetView(name, sort, (("en", name),), tuple(map(key, columns.split())), tuple(rows), totals)


def drawn(*sheets: SheetView, whole: bool = True, look: Look = LOOK) -> list[list[str]]:
    return [line.split() for line in sheet_lines(sheets, look, whole)]


PAPER = sheet(
    "sheet", "A B", [row("plis", [-4, -22]), row("dames", [None, None]), row("barbu", [0, -20])], sums=[-4, -42]
)


def test_a_sheet_has_its_noughts_its_blanks_and_its_totals() -> None:
    assert drawn(PAPER) == [
        ["sheet", "A", "B"],
        ["plis", "-4", "-22"],
        ["dames"],
        ["barbu", "0", "-20"],
        ["total", "-4", "-42"],
    ]
    assert ["dames"] not in drawn(PAPER, whole=False)


def test_the_name_of_a_row_is_whole_where_there_is_room() -> None:
    lines = sheet_lines([sheet("points", "A B", [row("too many tricks over", [3, None])])], LOOK, whole=True)
    assert lines[-1].split("  ")[1] == "too many tricks over"


def test_what_is_yes_is_ticked() -> None:
    assert drawn(sheet("played", "A", [row("plis", [True])]))[1] == ["plis", "✓"]
    assert drawn(sheet("played", "A", [row("plis", [True])]), look=Look(unicode=False))[1] == ["plis", "x"]


def test_sheets_stand_beside_each_other_as_far_as_they_fit() -> None:
    four = [sheet(f"sheet {name}", "A B C D", [row("plis", [1, 2, 3, 4])]) for name in "ABCD"]
    assert [line[:2] for line in drawn(*four)] == [["sheet", "A"], ["plis", "1"], ["sheet", "D"], ["plis", "1"]]
    narrow = sheet_lines(four, Look(width=40), whole=True)
    assert len(narrow) == 8
    assert max(map(width, narrow)) <= 40


def test_a_sheet_that_is_too_wide_is_turned() -> None:
    boxes = " ".join(f"box{n}" for n in range(20))
    cells: list[int | None] = [None] * 20
    cells[3], cells[5] = 12, 0
    wide = sheet("sheet", boxes, [row("free", cells), row("dry", [None] * 20)])
    assert drawn(wide, whole=False) == [["sheet", "free"], ["box3", "12"], ["box5", "0"]]


def test_many_deals_are_told_as_one_and_the_last_in_its_parts() -> None:
    parts = (row("bid", [10, None]), row("tricks", [3, 2]))
    rows = [*(row(f"deal {n}", [n, 1]) for n in range(1, 13)), row("deal 13", [13, 2], parts)]
    found = drawn(sheet("points", "A B", rows, "deals", [91, 14]))
    assert found[1] == ["deal", "1", "–", "deal", "3", "6", "3"]
    assert found[2] == ["deal", "4", "4", "1"]
    assert found[-4:] == [["deal", "13", "13", "2"], ["bid", "10"], ["tricks", "3", "2"], ["total", "91", "14"]]


def test_a_table_shows_what_there_is_room_for_and_never_what_deals_have_brought() -> None:
    square = sheet("doubled", "A B", [row("A", [None, 2]), row("B", [None, None])], "square")
    deals = sheet("points", "A B", [row("deal 1", [3, 4])], "deals", [3, 4])
    boxes = sheet("boxes", "A B", [row("one", [3, 4])])
    assert in_brief([PAPER, square, deals, boxes], low=False) == [PAPER, square, boxes]
    assert in_brief([PAPER, square, deals, boxes], low=True) == [boxes]
    view = FakeView("A", "A", sheets=[PAPER, square])
    assert "-22" in "".join(table(view, ["A", "B"], LOOK))
    assert "-22" not in "".join(table(view, ["A", "B"], Look(height=4), brief=True))


@pytest.mark.parametrize("plain", [True, False])
def test_the_end_of_a_deal_shows_all_but_the_deal_itself(plain: bool) -> None:
    square = sheet("doubled", "A B", [row("A", [None, 2]), row("B", [None, None])], "square")
    found = at_end(FakeView("A", "A", sheets=[PAPER, square]), Look(plain=plain))
    assert not any("doubled" in line for line in found)
    assert ("plis: A -4, B -22" in found) == plain
    assert any("-42" in line for line in found)


def test_one_early_deal_is_told_by_itself() -> None:
    rows = [row(f"deal {n}", [n, 1]) for n in range(1, 12)]
    found = sheet_lines([sheet("points", "A B", rows, "deals", [66, 11])], Look(), whole=True)
    assert [line.split()[:2] for line in found[1:3]] == [["deal", "1"], ["deal", "2"]]
    assert not any("–" in line for line in found)


ENV = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
HEARTS = ["play", "hearts", "--seats", "human,random,random,random", "--seed", "3", "--lang", "en"]


@pytest.mark.whole
def test_in_a_pipe_lines_part_tricks_and_deals_and_nobody_waits() -> None:
    command = [sys.executable, "-m", "interpreter", *HEARTS]
    typed = "yes\n" + "1\n" * 14
    done = subprocess.run(
        command, input=typed, capture_output=True, encoding="utf-8", timeout=120, check=False, env=ENV
    )
    found = done.stdout.splitlines()
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
    """It recalls what happened to whoever asks, and waits again."""
    pexpect = pytest.importorskip("pexpect")
    command = ["-m", "interpreter", *HEARTS]
    child = pexpect.spawn(sys.executable, command, dimensions=(24, 80), encoding="utf-8", timeout=60, env=ENV)
    for _ in range(16):
        if child.expect(["A> ", "Press Enter to go on"]):
            break
        child.sendline("1")
    else:
        pytest.fail("no deal came to its end")
    child.send("last\r")
    child.expect("A plays .* wins the trick .*end of the deal .*Press Enter to go on")
    child.send("\r")
    child.expect("A> ")
    child.close(force=True)


TO_FILL = sheet("boxes", "A B", [SheetRow(key(f"row {n}"), (EMPTY, EMPTY)) for n in range(9)], sums=[0, 0])


def test_a_box_to_fill_is_seen_and_a_reader_hears_that_it_is_empty() -> None:
    assert drawn(TO_FILL, whole=False)[1] == ["row", "0", "·", "·"]
    assert drawn(TO_FILL, look=Look(unicode=False))[1] == ["row", "0", ".", "."]
    assert at_end(FakeView("A", "A", sheets=[TO_FILL]), Look(plain=True))[1] == "row 0: empty"
    assert in_brief([PAPER, TO_FILL], low=True) == [TO_FILL]  # one chooses from it now


def test_a_long_sheet_is_folded_where_it_is_to_be_low() -> None:
    lines = sheet_lines([TO_FILL], Look(width=60), whole=False, folded=True)
    assert lines[0].split() == ["boxes", "A", "B"] * 3
    assert len(lines) == 5 and lines[-1].split() == ["row", "3", "·", "·", "row", "7", "·", "·"]
    assert len(sheet_lines([TO_FILL], Look(width=24), whole=False, folded=True)) == 11


def test_columns_that_are_too_many_for_a_line_stand_below_each_other() -> None:
    wide = sheet("wide", " ".join(f"a-column-{n}" for n in range(6)), [row(f"row-{n}", [n] * 6) for n in range(9)])
    lines = sheet_lines([wide], Look(width=50), whole=True)
    assert [line.split()[0] for line in lines].count("wide") == 2
    assert all(width(line) <= 50 for line in lines) and lines[10].split() == [
        "wide",
        "a-column-3",
        "a-column-4",
        "a-column-5",
    ]
