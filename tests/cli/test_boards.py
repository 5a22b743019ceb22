"""Boards at the terminal, line for line: `tests/cli/boards/NAME.out` is what a seat sees of a position. After a wanted change, run with
UPDATE_GOLDEN=1 and look at the difference."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from games import game
from msgspec.structs import replace
from views import FakePile, pieces

from interpreter import load
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
    "who enters": ("backgammon", RACE, "black", {}),
    "from the other side": ("backgammon", RACE, "white", {}),
    "for an onlooker": ("backgammon", RACE, None, {}),
    "in plain characters": ("backgammon", RACE, "black", {"unicode": False}),
    "on a low screen": ("backgammon", RACE, "black", {"height": 14}),
    "on a narrow screen": ("backgammon", RACE, "black", {"width": 60}),
    "on a very narrow screen": ("backgammon", RACE, "black", {"width": 40}),
    "in words": ("backgammon", RACE, "black", {"plain": True, "width": 10_000}),
    "the cube at its owner": ("backgammon", CUBE, "white", {}),
    "the men of both": ("plakoto", PINNED, "white", {}),
    "points with letters": ("jacquet", LETTERS, "white", {}),
}


@pytest.mark.parametrize("name", SCENES)
def test_a_board_at_the_terminal(name: str) -> None:
    choose(["--lang", "en"], {})
    ruleset, given, seat, screen = SCENES[name]
    position = {"game": ruleset, **given}
    found = load(ruleset, given["options"]) if "options" in given else game(ruleset)
    look = replace(look_of(found), **{"width": 80, "height": None, **screen})
    lines = table(found.position(position).view(seat), found.seats, look, name)
    assert max(map(width, lines)) <= look.width
    assert all(line.isascii() for line in lines) or look.unicode
    expected = FOLDER / f"{name.replace(' ', '-')}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "\n".join(lines) + "\n" == expected.read_text(encoding="utf-8")


def test_every_expectation_has_its_scene() -> None:
    assert {path.stem for path in FOLDER.glob("*.out")} == {name.replace(" ", "-") for name in SCENES}


def standing(counts: dict[int, str], points: int, seat: str = "A", marked: tuple[int, ...] = ()) -> Stands:
    numbers = range(1, points + 1)
    piles = [FakePile("point", None, n, "board", pieces(counts.get(n, ""))) for n in numbers]
    return Stands(piles, [Head(str(n), "*" * (n in marked)) for n in numbers], [], "", seat)


def test_a_stack_that_is_too_high_ends_in_its_number() -> None:
    look = Look()
    lines = draw(standing({1: "W " * 5, 2: "W " * 6, 3: "B " + "W " * 12}, 24), look, low=False)
    last = [line.rstrip("│ ").split()[-3:] for line in lines[-6:-1]]
    assert last == [["12W", "6", "W"], ["W", "W", "W"], ["W", "W", "W"], ["W", "W", "W"], ["B", "W", "W"]]


def test_a_low_screen_has_lower_stacks() -> None:
    tall, low = (draw(standing({1: "W " * 5}, 24), Look(), low=low) for low in (False, True))
    assert len(tall) == 13
    assert len(low) == 9
    assert low[-4].rstrip("│ ").endswith("5")


def test_a_board_of_an_odd_number_of_points_has_a_whole_edge() -> None:
    lines = draw(standing({25: "W"}, 25), Look(unicode=False), low=False)
    assert len({width(line) for line in lines}) == 1
    assert "25" in lines[0]


def test_a_short_board_lies_in_a_row() -> None:
    found = standing({3: "W W"}, 4)
    assert flat(found.points, found.heads, Look(unicode=False)) == ["1  2  3  4", ".  .  2W ."]


def test_a_mark_widens_no_point_and_moves_no_number() -> None:
    look, men = Look(unicode=False), {13: "W W", 6: "B"}
    bare, marked = (draw(standing(men, 24, marked=found), look, low=False) for found in ((), (6, 13, 24)))
    assert [line.replace("*", "-") for line in marked] == bare
    assert "*13-14" in marked[0] and marked[0].endswith("*24-+") and "-*6--5" in marked[-1]
    short = standing({3: "W W"}, 4, marked=(3,))
    assert flat(short.points, short.heads, look) == ["1  2  3* 4", ".  .  2W ."]
