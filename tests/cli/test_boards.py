"""Boards at the terminal. `boards.out` has the picture of the first position, and the lines in which each other picture differs from it.

After a wanted change, run with UPDATE_GOLDEN=1 and look at the difference.
"""

import difflib
import os
from pathlib import Path
from typing import Any

import pytest
from games import loaded
from msgspec.structs import replace
from rules import read_cases
from views import make_pile, pieces

from hoyle.presentation.catalogue import choose_language
from hoyle.presentation.look import Look, make_look
from hoyle.presentation.table.boards import BoardPosition, draw_board, draw_flat
from hoyle.presentation.table.piles import PointLabel
from hoyle.presentation.table.table import draw_table
from hoyle.printable import width

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
