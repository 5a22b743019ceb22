"""Score sheets as data: state with several keys, squares of two players, and the points of deals."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import game, loaded, originals
from rules import change_rules, write_rules

from interpreter import validate
from interpreter.game.game import State
from interpreter.game.paper import EMPTY, SheetRow, SheetView
from interpreter.language.model import text_in
from interpreter.language.steps import Ends, every_step

BLANK = {"RENEWED": "game", "SECRET": "renewed: game", "SET": "score of C: 0"}
"""What stands at the places of the ruleset unless a test says otherwise."""


def sheets(
    folder: Path, places: str = "", plays: int = 0, seat: str | None = "A", **changed: str
) -> tuple[SheetView, ...]:
    """The sheets of a seat after some moves, with these values set at the start."""
    changes = BLANK | {key.upper(): text for key, text in changed.items()} | ({"SET": places} if places else {})
    state = change_rules("game/sheets", folder, changes).start(1)
    for _ in range(plays):
        state = state.play("go-on")
    return state.view(seat).sheets


def hinted(folder: Path, hints: str, places: str, seat: str | None, **changed: str) -> tuple[SheetView, ...]:
    changes = BLANK | {"SET": places, "result:": f"display: {{{hints}}}\nresult:"}
    return change_rules("game/sheets", folder, changes | changed).start(1).view(seat).sheets


def values(row: SheetRow) -> list[object]:
    return [row.head.key, *(cell.value if cell is not None else None for cell in row.cells)]


def paper(sheet: SheetView) -> list[list[object]]:
    return [values(row) for row in (*sheet.rows, *([sheet.totals] if sheet.totals else []))]


def test_a_zero_is_written_and_columns_are_added_up(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, "kept of B of lake of A: 0, kept of B of lake of C: -4")
    assert (sheet.name, sheet.sort, text_in(sheet.texts, "fr")) == ("kept", "state", "feuille B")
    assert [column.key for column in sheet.columns] == ["A", "B", "C"]
    assert paper(sheet) == [["hill", None, None, None], ["lake", 0, None, -4], ["", 0, None, -4]]
    assert text_in(sheet.rows[0].head.texts, "fr") == "la colline"


def test_a_count_has_only_rows_with_a_value(tmp_path: Path) -> None:
    found = sheets(tmp_path, "won of lake of B: 3")
    assert [(sheet.name, paper(sheet)) for sheet in found] == [("won", [["lake", None, 3, None]])]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("places", "rows"),
    [
        ("'doubled of pair(A, C)': 2", [["A", None, None, 2], ["B", None, None, None], ["C", None, None, None]]),
        ("debts of C of A: 1", [["A", None, None, None], ["B", None, None, None], ["C", 1, None, None]]),
    ],
)
def test_values_of_two_players_are_a_square(places: str, rows: list[list[object]], tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, places)
    assert (sheet.sort, paper(sheet)) == ("square", rows)


def test_hints_add_the_doer_and_words_for_values(tmp_path: Path) -> None:
    places = "'doubled of pair(A, C)': 2, 'doer of pair(A, C)': C, 'doubled of pair(A, B)': 1, 'doer of pair(A, B)': A, won of hill of A: 2"
    hints = "doubled: {by: doer, en: doubled|redoubled, fr: contre|surcontre}, won: {en: one|two}"
    won, square = hinted(tmp_path, hints, places, None)
    assert text_in(won.legend, "en") == "1 one, 2 two"
    assert paper(square) == [["A", None, 1, None], ["B", None, None, None], ["C", 2, None, None]]
    assert text_in(square.texts, "fr") == "contre / surcontre"
    told = square.rows[2].cells[0]
    assert told is not None
    assert (text_in(told.texts, "en"), text_in(told.texts, "fr")) == ("redoubled", "surcontre")


@pytest.mark.parametrize(
    "hint",
    [
        *("pack: {in: nowhere}", "marks: {boxes: box is oats}", "won: {by: doer}", "doubled: {by: won}"),
        *("doubled: {by: nobody}", "pack: {by: doer}", "pack: {told_by: nobody}", "won: {told_by: score}"),
        *("score: {boxes: score of A is 0}", "kept: {boxes: player is A}", "marks: {boxes: oats}"),
        *("marks: {total: won}", "marks: {total: nobody}", "won: {total: score}", "pack: {boxes: true}"),
    ],
)
def test_a_hint_without_meaning_is_an_error(hint: str, tmp_path: Path) -> None:
    path = write_rules("game/sheets", tmp_path, BLANK | {"result:": f"display: {{{hint}}}\nresult:"})
    assert {problem.code for problem in validate([path])} & {"R571", "R301", "R302", "R307", "R405"}


def test_boxes_to_fill_are_shown_from_the_start(tmp_path: Path) -> None:
    hints = "marks: {boxes: games is hill and not field is rye, total: score}"
    named = {"games: {rows": "games: {one: games, rows"}
    (sheet,) = hinted(tmp_path, hints, "marks of A of hill of oats: 0", "B", **named)
    assert paper(sheet) == [["wheat", None, None, None], ["oats", 0, None, None], ["", 3, 2, 0]]
    assert [row.cells[1] for row in sheet.rows] == [EMPTY, EMPTY]


@pytest.mark.whole
def test_the_sheet_of_yams_follows_its_options() -> None:
    for options, rows, columns in (({}, 13, 2), ({"sheet": "yacht", "filling": "two_columns"}, 12, 4)):
        (sheet,) = loaded("yams", options).start(1).view("A").sheets
        assert (len(sheet.rows), len(sheet.columns), sheet.totals is None) == (rows, columns, columns > 2)
        assert all(cell == EMPTY for row in sheet.rows for cell in row.cells)


def test_a_deal_is_a_row_with_its_parts(tmp_path: Path) -> None:
    assert sheets(tmp_path) == ()
    (sheet,) = sheets(tmp_path, plays=2)
    assert (sheet.name, sheet.sort, text_in(sheet.texts, "en")) == ("score", "deals", "points")
    assert paper(sheet) == [["deal 1", 3, 2, 0], ["deal 2", 3, 2, 0], ["deal 3", 3, 2, None], ["", 9, 6, 0]]
    assert [values(part) for part in sheet.rows[0].parts] == [["bid", 2, 2, None], ["tricks", 1, None, None]]
    assert [text_in(part.head.texts, "fr") for part in sheet.rows[0].parts] == ["bid", "levées"]


def test_earlier_points_are_a_row_and_renewed_points_start_again(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, plays=1, places="score of C: 7")
    assert [row[0] for row in paper(sheet)] == ["before", "deal 1", "deal 2", ""]
    assert paper(sheet)[0] == ["before", 0, 0, 7]
    (sheet,) = sheets(tmp_path, plays=2, renewed="round")
    assert paper(sheet) == [["deal 3", 3, 2, None], ["", 3, 2, 0]]


def test_sides_have_columns_of_their_own(tmp_path: Path) -> None:
    changes = BLANK | {
        "won:     {each: [games, player]": "won:     {each: [side, games]",
        "seats: [A, B, C]": "seats: [A, B, C], sides: {AB: [A, B], CD: [C]}",
        "of p": "of first(members(p))",
        "marks:   {each: [player, games": "marks:   {each: [side, games",
        "SET": "won of CD of lake: 2, marks of AB of lake of rye: 1",
    }
    won, marks = change_rules("game/sheets", tmp_path, changes).start(1).view("A").sheets
    assert [column.key for column in won.columns] == [column.key for column in marks.columns] == ["AB", "CD"]
    assert paper(won) == [["lake", None, 2]]
    assert paper(marks) == [["rye", 1, None]]


def test_players_stand_side_by_side_on_one_sheet(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, "marks of A of lake of wheat: 0, marks of C of lake of oats: 4")
    assert [text_in(column.texts, "en") for column in sheet.columns] == ["A", "B", "C"]
    assert paper(sheet) == [["wheat", 0, None, None], ["oats", None, None, 4]]


def test_several_columns_of_a_player_are_named(tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, "marks of A of lake of rye: 3, marks of C of hill of rye: 4")
    assert [text_in(column.texts, "fr") for column in sheet.columns] == [
        f"{seat} {row}" for seat in "ABC" for row in ("la colline", "lake")
    ]
    assert paper(sheet) == [["rye", None, 3, None, None, 4, None]]


def test_a_secret_sheet_is_shown_to_its_owner_alone(tmp_path: Path) -> None:
    places = "kept of B of lake of A: 1, kept of A of lake of A: 2"
    found = {s: sheets(tmp_path, places, secret="secret: owner", seat=s) for s in ("A", "B", "C", None)}
    titles = {s: [text_in(sheet.texts, "en") for sheet in own] for s, own in found.items()}
    assert titles == {"A": ["sheet A"], "B": ["sheet B"], "C": [], None: []}


@pytest.mark.slow
def test_every_game_with_deals_has_a_sheet_or_a_track() -> None:
    for name in originals():
        one = game(name)
        steps = every_step(step for phase in one.ruleset.phases.values() for step in phase.steps)
        if any(isinstance(step.verb, Ends) and step.verb.what == "deal" for step in steps):
            core, _ = one.machine.playout(1, 0, log=True, most=3000)
            view = State(one, core).view(None)
            is_scored = any(event[0] == "score" for event in core.log or ())
            is_shown = any(sheet.totals for sheet in view.sheets) or any(item.track for item in view.state)
            assert is_shown or not is_scored, name
