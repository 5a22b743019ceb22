"""Boards at the terminal. `tests/cli/boards/NAME.out` is the picture of a position; the other pictures are compared with the first.

After a wanted change, run with UPDATE_GOLDEN=1 and look at the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from games import loaded
from msgspec.structs import replace
from views import FakePile, pieces

from interpreter.cli.catalogue import choose
from interpreter.cli.drawing.boards import Head, Stands, draw, flat
from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.table import table
from interpreter.printable import width

FOLDER = Path(__file__).parent / "boards"
NUMBERS = "turn / play the numbers"
RACE: dict[str, Any] = {
    "at": NUMBERS,
    "to_act": "black",
    "piles": {
        "arrow": {"f": "7 white", "h": "3 white", "m": "1 white", "x": "6 black", "s": "2 black", "a": "1 black"},
        "bar": {"white": "1 white", "black": "2 black"},
        "off": {"white": "3 white", "black": "4 black"},
        "thrown": "6 1",
        "pool": "6 1",
        "cup": "?*32",
    },
}
CUBE: dict[str, Any] = {
    "options": {"doubling_cube": True},
    "at": "turn / offer",
    "piles": {"arrow": {"x": "15 white", "a": "15 black"}, "cup": "?*36"},
    "state": {"cube": 4, "cube_owner": "white"},
}
PINNED: dict[str, Any] = {
    "at": NUMBERS,
    "piles": {
        "arrow": {"a": "13 black", "g": "1 black 7 white", "r": "1 white 1 black", "x": "7 white"},
        "thrown": "4 3",
        "pool": "4 3",
        "cup": "?*32",
    },
}
LETTERS: dict[str, Any] = {
    "at": NUMBERS,
    "piles": {"arrow": {"x": "9 white", "s": "6 white", "l": "15 black"}, "thrown": "2 2", "pool": "2 2 2 2"},
}
SCENES: dict[str, tuple[str, dict[str, Any], str | None, dict[str, Any]]] = {
    "who-enters": ("backgammon", RACE, "black", {}),
    "on-a-narrow-screen": ("backgammon", RACE, "black", {"width": 60}),
    "on-a-very-narrow-screen": ("backgammon", RACE, "black", {"width": 40}),
    "in-words": ("backgammon", RACE, "black", {"plain": True, "width": 10_000}),
    "points-with-letters": ("jacquet", LETTERS, "white", {}),
}


def draw_scene(
    ruleset: str, given: dict[str, Any], seat: str | None, screen: dict[str, Any], title: str = ""
) -> list[str]:
    choose(["--lang", "en"], {})
    found = loaded(ruleset, given.get("options"))
    look = replace(look_of(found), **{"width": 80, "height": None, **screen})
    lines = table(found.position({"game": ruleset, **given}).view(seat), found.seats, look, title)
    assert max(map(width, lines)) <= look.width
    assert all(line.isascii() for line in lines) or look.unicode
    return lines


def inner(lines: list[str]) -> list[str]:
    """Return the rows between the edges, without what stands beside the board."""
    edges = [number for number, line in enumerate(lines) if re.match(r" *[┌└]", line)]
    return [line[: line.rindex("│") + 1] for line in lines[edges[0] + 1 : edges[1]]]


def stacks(lines: list[str]) -> list[str]:
    """Return the columns of the board that hold men, from top to bottom."""
    columns = ["".join(column).strip() for column in zip(*inner(lines), strict=True)]
    return [column for column in columns if column.strip("·│ ")]


@pytest.mark.parametrize("name", SCENES)
def test_picture_of_a_board(name: str) -> None:
    text = "\n".join([*draw_scene(*SCENES[name], name.replace("-", " ")), ""])
    expected = FOLDER / f"{name}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


def test_each_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in FOLDER.glob("*.out")} == {*SCENES}


def test_the_other_side_sees_the_board_turned() -> None:
    black, white, onlooker = (draw_scene("backgammon", RACE, seat, {}) for seat in ("black", "white", None))
    assert inner(white) == inner(black)[::-1]
    assert [line[:9] for line in (white[0], white[-1])] == ["▶ Black ─", "  White ("]
    assert [line[-14:].strip("─ ") for line in (white[0], white[-1])] == ["pips 92", "pips 104"]
    assert onlooker == [*white[:-1], white[-1].replace(" (you) ", " ──────")]
    assert [line.split("│  ")[-1].strip() for line in white[2:5]] == [
        "borne off B×4",
        "dice thrown 6 1",
        "numbers to play 6 1",
    ]


def test_plain_characters_replace_each_sign() -> None:
    shown, plain = (draw_scene("backgammon", RACE, "black", {"unicode": unicode}) for unicode in (True, False))
    assert plain == [line.translate(str.maketrans("─│·×▶┌┐└┘┬┴", "-|.x>++++++")) for line in shown]


def test_low_screen_has_lower_stacks() -> None:
    low = draw_scene("backgammon", RACE, "black", {"height": 14})
    assert [line[46:].strip("│ ") for line in low[2:-2]] == [
        "borne off W×3",
        "",
        "",
        "",
        "borne off B×4",
        "dice thrown 6 1",
        "numbers to play 6 1",
    ]
    assert stacks(low) == ["·     W", "WWW   ·", "b", "WaBB", "r", "WW7  BB", "B   6BB"]


@pytest.mark.whole
def test_cube_stands_beside_its_owner() -> None:
    lines = draw_scene("backgammon", CUBE, "white", {})
    assert lines[-1].startswith("▶ White (you) ─") and lines[-1].endswith("─ cube 4  pips 360")
    assert lines[0].startswith("  Black ─") and lines[0].endswith("─── pips 360")
    assert not any("dice" in line or "numbers" in line for line in lines)


@pytest.mark.whole
def test_pinned_men_of_both_sides_are_drawn() -> None:
    lines = draw_scene("plakoto", PINNED, "white", {})
    assert stacks(lines) == ["7", "WB    WWWWB", "1", "WWWW7 3BBBB"]


def men(counts: dict[int, str], points: int, seat: str = "A", marked: tuple[int, ...] = ()) -> Stands:
    numbers = range(1, points + 1)
    piles = [FakePile("point", None, n, "board", pieces(counts.get(n, ""))) for n in numbers]
    return Stands(piles, [Head(str(n), "*" * (n in marked)) for n in numbers], [], "", seat)


def test_high_stack_ends_in_its_number() -> None:
    look = Look()
    lines = draw(men({1: "W " * 5, 2: "W " * 6, 3: "B " + "W " * 12}, 24), look, low=False)
    last = [line.rstrip("│ ").split()[-3:] for line in lines[-6:-1]]
    assert last == [["12W", "6", "W"], ["W", "W", "W"], ["W", "W", "W"], ["W", "W", "W"], ["B", "W", "W"]]


def test_low_board_has_nine_rows() -> None:
    tall, low = (draw(men({1: "W " * 5}, 24), Look(), low=low) for low in (False, True))
    assert len(tall) == 13
    assert len(low) == 9
    assert low[-4].rstrip("│ ").endswith("5")


def test_odd_number_of_points_has_a_whole_edge() -> None:
    lines = draw(men({25: "W"}, 25), Look(unicode=False), low=False)
    assert len({width(line) for line in lines}) == 1
    assert "25" in lines[0]


def test_short_board_is_one_row() -> None:
    found = men({3: "W W"}, 4)
    assert flat(found.points, found.heads, Look(unicode=False)) == ["1  2  3  4", ".  .  2W ."]


def test_mark_moves_no_number() -> None:
    look, found = Look(unicode=False), {13: "W W", 6: "B"}
    bare, marked = (draw(men(found, 24, marked=points), look, low=False) for points in ((), (6, 13, 24)))
    assert [line.replace("*", "-") for line in marked] == bare
    assert "*13-14" in marked[0] and marked[0].endswith("*24-+") and "-*6--5" in marked[-1]
    short = men({3: "W W"}, 4, marked=(3,))
    assert flat(short.points, short.heads, look) == ["1  2  3* 4", ".  .  2W ."]
