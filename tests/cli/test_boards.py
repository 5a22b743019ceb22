"""Boards at the terminal. `boards.out` has the picture of the first position, and the lines in which each other picture differs from it.

After a wanted change, run with UPDATE_GOLDEN=1 and look at the difference.
"""

from __future__ import annotations

import difflib
import os
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

EXPECTED = Path(__file__).parent / "boards.out"
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
    "on a low screen": ("backgammon", RACE, "black", {"height": 14}),
    "on a narrow screen": ("backgammon", RACE, "black", {"width": 60}),
    "on a very narrow screen": ("backgammon", RACE, "black", {"width": 40}),
    "in words": ("backgammon", RACE, "black", {"plain": True, "width": 10_000}),
    "the cube at its owner": ("backgammon", CUBE, "white", {}),
    "the men of both": ("plakoto", PINNED, "white", {}),
    "points with letters": ("jacquet", LETTERS, "white", {}),
}


def draw_scene(name: str, **more: Any) -> list[str]:
    choose(["--lang", "en"], {})
    ruleset, given, seat, screen = SCENES[name]
    seat, screen = more.pop("seat", seat), {**screen, **more}
    found = loaded(ruleset, given.get("options"))
    look = replace(look_of(found), **{"width": 80, "height": None, **screen})
    lines = table(found.position({"game": ruleset, **given}).view(seat), found.seats, look, name)
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


def test_picture_of_the_first_scene() -> None:
    lines = draw_scene("who enters")
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()[: len(lines)]


def test_plain_characters_replace_each_sign() -> None:
    shown = [line.translate(str.maketrans("─│·×▶┌┐└┘┬┴", "-|.x>++++++")) for line in draw_scene("who enters")]
    assert draw_scene("who enters", unicode=False) == shown


def test_onlooker_sees_the_board_of_the_first_seat() -> None:
    *lines, last = draw_scene("from the other side")
    assert draw_scene("from the other side", seat=None) == [*lines, last.replace(" (you) ", " ──────")]


def men(counts: dict[int, str], points: int, seat: str = "A", marked: tuple[int, ...] = ()) -> Stands:
    numbers = range(1, points + 1)
    piles = [FakePile("point", None, n, "board", pieces(counts.get(n, ""))) for n in numbers]
    return Stands(piles, [Head(str(n), "*" * (n in marked)) for n in numbers], [], "", seat)


def test_mark_moves_no_number() -> None:
    look, found = Look(unicode=False), {13: "W W", 6: "B"}
    bare, marked = (draw(men(found, 24, marked=points), look, low=False) for points in ((), (6, 13, 24)))
    assert [line.replace("*", "-") for line in marked] == bare
    assert "*13-14" in marked[0] and marked[0].endswith("*24-+") and "-*6--5" in marked[-1]
    short = men({3: "W W"}, 4, marked=(3,))
    assert flat(short.points, short.heads, look) == ["1  2  3* 4", ".  .  2W ."]
