"""Score sheets as data: what stands in state with several keys, who has done what to whom, and what deals have brought."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import game, originals

from interpreter import load, validate
from interpreter.game.game import State
from interpreter.game.paper import EMPTY, SheetRow, SheetView
from interpreter.language.model import text_in
from interpreter.language.steps import Ends, every_step



def sheets(folder: Path, *, plays: int = 0, renewed: str = "game", secret: str = "renewed: game", places: str = "score of C: 0", seat: str | None = "A") -> tuple[SheetView, ...]:  # fmt: skip
    path = folder / "sheets.yaml"
    text = GAME.replace("RENEWED", renewed).replace("SECRET", secret).replace("SET", places)
    path.write_text(text, encoding="utf-8")
    state = load(path).start(1)
    for _ in range(plays):
        state = state.play("go-on")
    return state.view(seat).sheets


def values(row: SheetRow) -> list[object]:
    return [row.head.key, *(cell.value if cell is not None else None for cell in row.cells)]


def paper(sheet: SheetView) -> list[list[object]]:
    return [values(row) for row in (*sheet.rows, *([sheet.totals] if sheet.totals else []))]


def test_a_nought_is_one_nothing_is_blank_and_columns_are_added_up(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, places="kept of B of lake of A: 0, kept of B of lake of C: -4")
    assert (sheet.name, sheet.sort, text_in(sheet.texts, "fr")) == ("kept", "state", "feuille B")
    assert [column.key for column in sheet.columns] == ["A", "B", "C"]
    assert paper(sheet) == [["hill", None, None, None], ["lake", 0, None, -4], ["", 0, None, -4]]
    assert text_in(sheet.rows[0].head.texts, "fr") == "la colline"


def test_of_what_is_only_counted_the_rows_are_there_that_say_something(tmp_path: Path) -> None:
    found = sheets(tmp_path, places="won of lake of B: 3")
    assert [(sheet.name, paper(sheet)) for sheet in found] == [("won", [["lake", None, 3, None]])]


@pytest.mark.parametrize(
    ("places", "rows"),
    [
        ("'doubled of pair(A, C)': 2", [["A", None, None, 2], ["B", None, None, None], ["C", None, None, None]]),
        ("debts of C of A: 1", [["A", None, None, None], ["B", None, None, None], ["C", 1, None, None]]),
    ],
)
def test_who_did_what_to_whom_is_a_square(places: str, rows: list[list[object]], tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, places=places)
    assert (sheet.sort, paper(sheet)) == ("square", rows)


def test_who_did_it_stands_beside_and_what_it_was_is_said(tmp_path: Path) -> None:
    places = "'doubled of pair(A, C)': 2, 'doer of pair(A, C)': C, 'doubled of pair(A, B)': 1, 'doer of pair(A, B)': A, won of hill of A: 2"
    hints = "display: {doubled: {by: doer, en: doubled|redoubled, fr: contre|surcontre}, won: {en: one|two}}\nresult:"
    path = tmp_path / "hinted.yaml"
    text = GAME.replace("RENEWED", "game").replace("SECRET", "renewed: game").replace("SET", places)
    path.write_text(text.replace("result:", hints), encoding="utf-8")
    won, square = load(path).start(1).view(None).sheets
    assert text_in(won.legend, "en") == "1 one, 2 two"
    assert paper(square) == [["A", None, 1, None], ["B", None, None, None], ["C", 2, None, None]]
    assert text_in(square.texts, "fr") == "contre / surcontre"
    told = square.rows[2].cells[0]
    assert told is not None
    assert (text_in(told.texts, "en"), text_in(told.texts, "fr")) == ("redoubled", "surcontre")


@pytest.mark.parametrize(
    "hint",
    [
        "won: {by: doer}",
        "doubled: {by: won}",
        "doubled: {by: nobody}",
        "pack: {by: doer}",
        "pack: {told_by: nobody}",
        "won: {told_by: score}",
        "score: {boxes: score of A is 0}",
        "kept: {boxes: player is A}",
        "marks: {boxes: oats}",
        "marks: {boxes: box is oats}",
        "marks: {total: won}",
        "marks: {total: nobody}",
        "won: {total: score}",
        "pack: {boxes: true}",
        "pack: {in: nowhere}",
    ],
)
def test_hints_that_say_nothing_are_told(hint: str, tmp_path: Path) -> None:
    path = tmp_path / "hinted.yaml"
    text = GAME.replace("RENEWED", "game").replace("SECRET", "renewed: game").replace("SET", "score of C: 0")
    path.write_text(text.replace("result:", f"display: {{{hint}}}\nresult:"), encoding="utf-8")
    assert {problem.code for problem in validate([path])} & {"R571", "R301", "R302", "R307", "R405"}


def test_boxes_to_fill_are_shown_before_anything_is_written_and_no_others(tmp_path: Path) -> None:
    hints = "display: {marks: {boxes: games is hill and not field is rye, total: score}}\nresult:"
    path = tmp_path / "boxes.yaml"
    text = (
        GAME.replace("RENEWED", "game")
        .replace("SECRET", "renewed: game")
        .replace("SET", "marks of A of hill of oats: 0")
    )
    path.write_text(
        text.replace("games: {rows", "games: {one: games, rows").replace("result:", hints), encoding="utf-8"
    )
    (sheet,) = load(path).start(1).view("B").sheets
    assert paper(sheet) == [["wheat", None, None, None], ["oats", 0, None, None], ["", 3, 2, 0]]
    assert [row.cells[1] for row in sheet.rows] == [EMPTY, EMPTY]


@pytest.mark.whole
def test_a_sheet_of_the_shelf_lists_what_its_options_leave() -> None:
    """Each set of boxes as its table says, and of columns those that are filled."""
    for options, rows, columns in (({}, 13, 2), ({"sheet": "yacht", "filling": "two_columns"}, 12, 4), ({"sheet": "scandinavian"}, 15, 2)):  # fmt: skip
        (sheet,) = load("yams", options).start(1).view("A").sheets
        assert (len(sheet.rows), len(sheet.columns), sheet.totals is None) == (rows, columns, columns > 2)
        assert all(cell == EMPTY for row in sheet.rows for cell in row.cells)


def test_deals_are_told_with_what_they_are_made_of(tmp_path: Path) -> None:
    assert sheets(tmp_path) == ()
    (sheet,) = sheets(tmp_path, plays=2)
    assert (sheet.name, sheet.sort, text_in(sheet.texts, "en")) == ("score", "deals", "points")
    assert paper(sheet) == [["deal 1", 3, 2, 0], ["deal 2", 3, 2, 0], ["deal 3", 3, 2, None], ["", 9, 6, 0]]
    assert [values(part) for part in sheet.rows[0].parts] == [["bid", 2, 2, None], ["tricks", 1, None, None]]
    assert [text_in(part.head.texts, "fr") for part in sheet.rows[0].parts] == ["bid", "levées"]


def test_what_was_there_before_is_a_row_and_what_begins_anew_begins_anew(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, plays=1, places="score of C: 7")
    assert [row[0] for row in paper(sheet)] == ["before", "deal 1", "deal 2", ""]
    assert paper(sheet)[0] == ["before", 0, 0, 7]
    (sheet,) = sheets(tmp_path, plays=2, renewed="round")
    assert paper(sheet) == [["deal 3", 3, 2, None], ["", 3, 2, 0]]


def test_what_each_side_writes_for_itself_stands_below_its_name(tmp_path: Path) -> None:
    path = tmp_path / "sides.yaml"
    text = (
        GAME.replace("RENEWED", "game")
        .replace("SECRET", "renewed: game")
        .replace("won:     {each: [games, player]", "won:     {each: [side, games]")
    )
    text = text.replace("seats: [A, B, C]", "seats: [A, B, C], sides: {AB: [A, B], CD: [C]}").replace(
        "of p", "of first(members(p))"
    )
    text = text.replace("marks:   {each: [player, games", "marks:   {each: [side, games").replace(
        "SET", "won of CD of lake: 2, marks of AB of lake of rye: 1"
    )
    path.write_text(text, encoding="utf-8")
    won, marks = load(path).start(1).view("A").sheets
    assert [column.key for column in won.columns] == [column.key for column in marks.columns] == ["AB", "CD"]
    assert paper(won) == [["lake", None, 2]]
    assert paper(marks) == [["rye", 1, None]]


def test_what_each_writes_for_himself_stands_side_by_side_on_one_sheet(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, places="marks of A of lake of wheat: 0, marks of C of lake of oats: 4")
    assert [text_in(column.texts, "en") for column in sheet.columns] == ["A", "B", "C"]
    assert paper(sheet) == [["wheat", 0, None, None], ["oats", None, None, 4]]


def test_columns_of_his_own_have_names_once_several_are_written_in(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, places="marks of A of lake of rye: 3, marks of C of hill of rye: 4")
    assert [text_in(column.texts, "fr") for column in sheet.columns] == [
        f"{seat} {row}" for seat in "ABC" for row in ("la colline", "lake")
    ]
    assert paper(sheet) == [["rye", None, 3, None, None, 4, None]]


def test_nobody_is_shown_what_he_may_not_know(tmp_path: Path) -> None:
    places = "kept of B of lake of A: 1, kept of A of lake of A: 2"
    found = {s: sheets(tmp_path, places=places, secret="secret: owner", seat=s) for s in ("A", "B", "C", None)}
    assert {s: [text_in(sheet.texts, "en") for sheet in own] for s, own in found.items()} == {
        "A": ["sheet A"],
        "B": ["sheet B"],
        "C": [],
        None: [],
    }


@pytest.mark.whole
def test_every_game_with_deals_has_a_sheet_or_a_track() -> None:
    for name in originals():
        one = game(name)
        steps = every_step(step for phase in one.ruleset.phases.values() for step in phase.steps)
        if any(isinstance(step.verb, Ends) and step.verb.what == "deal" for step in steps):
            core, _ = one.machine.playout(1, 0, log=True, most=3000)
            view = State(one, core).view(None)
            scored = any(event[0] == "score" for event in core.log or ())
            assert not scored or any(sheet.totals for sheet in view.sheets) or any(item.track for item in view.state), (
                name
            )
