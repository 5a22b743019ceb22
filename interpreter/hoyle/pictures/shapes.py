"""Shapes that pictures define once and use: suits, pips, figures, indices, backs, and faces that occur twice.

Figures are half court cards from the middle (0, 0) upwards, 58 high and 26 to each side, in the colour of their suit
(`currentColor`)."""

from __future__ import annotations

import re
from collections import Counter
from zlib import crc32

from hoyle.pictures.letters import PEN, outline_text
from hoyle.pictures.svg import element, format_number, join_lines, rectangle, translate, use_shape

GOLD, SKIN, LINEN, LINE = "#e3b23c", "#f6dfc4", "#fdfaf0", "#2a2320"
_HAIR = "#7a4a21"


def _path(d: str, fill: str, line: float = 0.9) -> str:
    return element("path", d=d, fill=fill, stroke=LINE, stroke_width=line, stroke_linejoin="round")


def _stroke(d: str, colour: str = LINE, line: float = 0.9) -> str:
    return element("path", d=d, fill="none", stroke=colour, stroke_width=line, stroke_linecap="round")


def _dots(colour: str, size: float, *places: tuple[float, float]) -> str:
    """Draw dots of a size."""
    d = "".join(f"M{x} {y}h0" for x, y in places)
    return element("path", d=d, stroke=colour, stroke_width=size, stroke_linecap="round")


def _draw_robe(bands: str, collar: str) -> str:
    shoulders = "M-26 0V-13C-22-21-14-24-8-25H8C14-24 22-21 26-13V0Z"
    return join_lines(
        (
            _path(shoulders, "currentColor"),
            _stroke(bands, GOLD, 2.2),
            _path("M-9-25L-13 0H13L9-25Z", LINEN),
            _path(collar, GOLD),
        )
    )


def _draw_head() -> str:
    face = "M-8-41C-8-47 8-47 8-41V-33C8-26 3-23 0-23C-3-23-8-26-8-33Z"
    eyes = _dots(LINE, 1.7, (-3.4, -36.5), (3.4, -36.5))
    return join_lines(
        (_path(face, SKIN), eyes, _stroke("M-5.2-39.2h3.4M1.8-39.2h3.4M0-36v3.6h-1.4M-2-29.4h4", LINE, 0.8))
    )


def _draw_king() -> str:
    beard = "M-8.4-35C-8-30-5-31-3.6-31.4C-2-32.4 2-32.4 3.6-31.4C5-31 8-30 8.4-35C10-22 4-15 0-13C-4-15-10-22-8.4-35Z"
    crown = "M-10.5-43L-13-55L-6.5-49.5L0-58L6.5-49.5L13-55L10.5-43Z"
    return join_lines(
        (
            _draw_robe("M-21 0V-17M-16 0L-14.5-21M21 0V-17M16 0L14.5-21", "M-9-25L0-8L9-25L13 0H8L0-3L-8 0H-13Z"),
            _stroke("M20.5 0V-44", GOLD, 2.4),
            _path("M20.5-54L24-48.5L20.5-43L17-48.5Z", GOLD),
            _draw_head(),
            _path(beard, _HAIR),
            _stroke("M-2-28.2h4", SKIN, 1.2),
            _path(crown, GOLD),
            _stroke("M-10.8-45.6h21.6", "currentColor", 2),
            _dots("currentColor", 2.6, (-6, -48), (0, -51), (6, -48)),
        )
    )


def _draw_queen() -> str:
    hair = "M-9-46C-17-40-14-24-15-19C-10-17-8-22-7.5-30V-42H7.5V-30C8-22 10-17 15-19C14-24 17-40 9-46Z"
    crown = "M-9.5-43.5C-12-49-12-52-10-54C-8-52-5-50-4-49C-3-53-1.5-55.5 0-57C1.5-55.5 3-53 4-49C5-50 8-52 10-54C12-52 12-49 9.5-43.5Z"
    return join_lines(
        (
            _draw_robe(
                "M-25-9C-19-7-15-4-15 0M-22-17C-16-14-12-9-11 0M25-9C19-7 15-4 15 0M22-17C16-14 12-9 11 0",
                "M-9-25C-5-14 5-14 9-25L11-12C5-7-5-7-11-12Z",
            ),
            _path(hair, _HAIR),
            _draw_head(),
            _path(crown, GOLD),
            _dots("currentColor", 2.8, (-10, -54.6), (0, -57), (10, -54.6)),
            _stroke("M-9.8-45.4C-4-47 4-47 9.8-45.4", "currentColor", 1.8),
            _dots(LINEN, 2, (-4.5, -12.5), (0, -11.6), (4.5, -12.5)),
            _stroke("M20 0C21-10 20-16 20.5-22", "#3d7a45", 1.6),
            _dots(GOLD, 5.4, (20.5, -31.4), (20.5, -23.6), (16.8, -27.5), (24.2, -27.5)),
            _dots("currentColor", 4.6, (20.5, -27.5)),
        )
    )


def _draw_jack() -> str:
    hair = "M-8.5-43C-14-40-13-28-12-25H-7.5V-41H7.5V-25H12C13-28 14-40 8.5-43Z"
    cap = "M-12-42.5C-15-50-8-54.5 0-54C9-53.5 14-50 12-42.5C6-45-6-45-12-42.5Z"
    return join_lines(
        (
            _draw_robe("M-26-6L-12-22M-20 0L-10-14M26-6L12-22M20 0L10-14", "M-9-25L0-16L9-25L10.5-16L0-8L-10.5-16Z"),
            _path(hair, _HAIR),
            _draw_head(),
            _path(cap, "currentColor"),
            _stroke("M-12-43.5C-6-46-6-46 0-46C6-46 6-46 12-43.5", GOLD, 2.2),
            _path("M9-49C14-58 20-57 24-52C19-53 17-47 10-46Z", GOLD),
            _stroke("M-20.5 0V-40", GOLD, 2.2),
            _path("M-20.5-52L-17.6-42H-23.4Z", LINEN),
            _path("M-17.6-41C-12-39-12-33-17.6-31Z", LINEN),
        )
    )


def _draw_knight() -> str:
    helmet = "M-9.5-31V-42C-9.5-53 9.5-53 9.5-42V-31L5-27V-37H-5V-27Z"
    return join_lines(
        (
            _draw_robe("M-24-12H-11M-25-5H-12M24-12H11M25-5H12", "M-9-25H9L11-12L0-5L-11-12Z"),
            _draw_head(),
            _path(helmet, "#b9c1c8"),
            _path("M0-50C-3-60 10-60 16-54C20-50 19-45 17-42C15-49 8-51 0-50Z", "currentColor"),
            _stroke("M-9.5-38.5h4M5.5-38.5h4", LINE, 1.2),
            _stroke("M-20 0V-48", GOLD, 2.2),
            _path("M-20-57L-17-47H-23Z", LINEN),
            _path("M-19-46H-8L-11-42L-8-38H-19Z", "currentColor"),
        )
    )


def _draw_joker() -> str:
    cap = "M-10-41C-20-44-22-52-17-57C-15-50-10-52-6-49C-5-55-2-58 0-59C2-58 5-55 6-49C10-52 15-50 17-57C22-52 20-44 10-41C4-44-4-44-10-41Z"
    return join_lines(
        (
            _draw_robe("M-26-2L-14-14L-10 0M26-2L14-14L10 0", "M-12-22L-8-14L-4-21L0-12L4-21L8-14L12-22L8-25H-8Z"),
            _draw_head(),
            _stroke("M-4-30C-2-27.6 2-27.6 4-30", LINE, 1),
            _path(cap, "currentColor"),
            _dots(GOLD, 4, (-17, -56), (0, -57), (17, -56)),
        )
    )


FIGURES = {"king": _draw_king, "queen": _draw_queen, "jack": _draw_jack, "knight": _draw_knight, "joker": _draw_joker}
"""Figures by the names that rulesets give."""


SUITS = {"♠": "spade", "♥": "heart", "♦": "diamond", "♣": "club"}
PATHS = {
    "spade": "M0-48C12-30 44-12 44 14C44 38 14 40 5 24C6 36 10 44 18 48H-18C-10 44-6 36-5 24C-14 40-44 38-44 14C-44-12-12-30 0-48Z",
    "heart": "M0 48C-10 28-46 8-46-18C-46-50-8-52 0-24C8-52 46-50 46-18C46 8 10 28 0 48Z",
    "diamond": "M0-50C8-32 24-12 38 0C24 12 8 32 0 50C-8 32-24 12-38 0C-24-12-8-32 0-50Z",
    "club": "M0-48A22 22 0 0 1 18-13A22 22 0 1 1 5 19C6 34 10 43 18 48H-18C-10 43-6 34-5 19A22 22 0 1 1-18-13A22 22 0 0 1 0-48Z",
    "cup": "M-36-46H36C36-14 24 2 7 7V28C14 30 24 34 26 46H-26C-24 34-14 30-7 28V7C-24 2-36-14-36-46ZM-27-38C-26-20-18-8-6-2C-16-12-20-24-20-38Z",
    "coin": "M0-46A46 46 0 1 1 0 46A46 46 0 1 1 0-46ZM0-37A37 37 0 1 0 0 37A37 37 0 1 0 0-37ZM0-30L8-8L30 0L8 8L0 30L-8 8L-30 0L-8-8Z",
    "sword": "M0-50L13-34V8H34V20H13V34C17 42 12 50 0 50C-12 50-17 42-13 34V20H-34V8H-13V-34Z",
    "baton": "M-44 38L-34 48L-8 24C0 30 11 25 10 13L27 4C43-1 52-18 46-33C40-49 20-52 8-38L-5-17C-16-22-25-13-19-3Z",
}
"""Paths of suits."""
TALL = 1.4
"""Height of a card of width 1."""
SIGN, SIGN_WIDE = 82.0, 88.0
"""Height of an index, and its greatest width, in hundredths."""
_SIX = (0.24, 0.5, 0.76)
_EIGHT = (0.22, 0.407, 0.593, 0.78)
_SIDES: dict[int, tuple[float, ...]] = {
    4: (0.24, 0.76),
    5: (0.24, 0.76),
    6: _SIX,
    7: _SIX,
    8: _SIX,
    9: _EIGHT,
    10: _EIGHT,
}
"""Heights of pips in the outer columns."""
_MIDDLE: dict[int, tuple[float, ...]] = {
    1: (0.5,),
    2: (0.24, 0.76),
    3: _SIX,
    5: (0.5,),
    7: (0.37,),
    8: (0.37, 0.63),
    9: (0.5,),
    10: (0.313, 0.687),
}
"""Heights of pips in the middle column."""
_PART = {3: 2, 5: 4, 6: 4, 7: 6, 8: 6}
"""Counts that are drawn as another count and more pips."""
_USED = re.compile(r'href="#hoyle-([\w-]+)"')
_DRAWABLE = re.compile(r"[A-Z0-9]{1,2}")


def pip_positions(count: int) -> list[tuple[float, float]]:
    """Return the positions of pips on a card, in parts of its width and height."""
    return [(x, y) for y in _SIDES.get(count, ()) for x in (0.34, 0.66)] + [(0.5, y) for y in _MIDDLE.get(count, ())]


def is_drawable(index: str) -> bool:
    return _DRAWABLE.fullmatch(index) is not None


def define_shapes(drawn: str, faces: str = "") -> str:
    """Return the definitions of all shapes that are used, directly or by others, and of `faces`."""
    found: dict[str, str] = {}
    wanted = {name for name in _USED.findall(drawn + faces) if not name.startswith("face-")}
    while wanted:
        found |= {name: _define(name) for name in wanted}
        wanted = {name for shape in found.values() for name in _USED.findall(shape)} - found.keys()
    return element("defs", join_lines([*(found[name] for name in sorted(found)), faces]))


def _define(name: str) -> str:
    """Define a shape by name: `heart`, `king`, `heart-7`, `king-heart`, `sign-10`, `back`."""
    kind, *rest = name.split("-")
    named = {"id": f"hoyle-{name}"}
    if kind == "back":
        return element("g", _draw_back(), **named)
    if kind == "sign":
        return _define_sign(rest[0], named)
    if kind in FIGURES:
        return element(
            "g", _draw_court_card(kind, rest[0] if rest[0] in PATHS else "") if rest else FIGURES[kind](), **named
        )
    if rest:
        return element("g", _draw_pips(kind, int(rest[0])), **named)
    return element("path", d=PATHS[kind], fill_rule="evenodd", **named)


def _define_sign(text: str, named: dict[str, str]) -> str:
    """Define an index as lines, around its middle and above its foot."""
    drawn = outline_text(text)
    assert drawn is not None, text
    across = min(1.0, SIGN_WIDE / (drawn.width * SIGN / 100))
    place = f"{translate(-drawn.width * across * SIGN / 200, -SIGN * 0.94)} scale({format_number(across * SIGN / 100)} {format_number(SIGN / 100)})"
    pen = {
        "fill": "none",
        "stroke": "currentColor",
        "stroke_width": PEN,
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }
    return element("path", d=drawn.lines, transform=place, **pen, **named)


def _draw_pips(suit: str, count: int) -> str:
    """Draw the pips of a card. Those below the middle are turned, if the suit is one that turns."""
    turns, below = suit in SUITS.values(), _PART.get(count)
    size, fewer = 40 if count == 1 else 20, pip_positions(below) if below else []
    more = [place for place in pip_positions(count) if place not in fewer]
    part = element("use", href=f"#hoyle-{suit}-{below}") if below else ""
    return part + "".join(
        use_shape(suit, x * 100, y * 100 * TALL, size, turned=turns and y > 0.51 and count > 1) for x, y in more
    )


def _draw_court_card(figure: str, suit: str) -> str:
    """Draw the half figure, and again turned, in a frame with the suit in two corners."""
    high = 100 * TALL
    across, down = 56.0, 0.82 * high
    left, top = (100 - across) / 2, (high - down) / 2
    frame = rectangle(left, top, across, down, 3, fill="none", stroke="currentColor", stroke_width=1.2)
    halves = "".join(use_shape(figure, 50, high / 2, 100, turned) for turned in (False, True))
    belt = element(
        "path",
        d=f"M{format_number(left + 1.2)} {format_number(high / 2)}h{format_number(across - 2.4)}",
        stroke=GOLD,
        stroke_width=2.5,
    )
    corners = ((30, 0.155, False), (70, 0.845, True))
    signs = "".join(use_shape(suit, x, y * high, 12, turned) for x, y, turned in corners) if suit else ""
    return halves + belt + frame + signs


def _draw_back() -> str:
    """Draw a lattice within a border."""
    high = 100 * TALL
    return rectangle(5, 5, 90, high - 10, 5, stroke="none") + element(
        "path", d=_lattice_lines(high), fill="none", stroke_width=2
    )


def _lattice_lines(high: float) -> str:
    """Lines that cross, within the border."""
    left, top, right, bottom = 10.0, 10.0, 90.0, high - 10
    columns, rows = 4, 6
    dx, dy = (right - left) / columns, (bottom - top) / rows
    found = []
    for n in range(1 - rows, columns):
        for sign in (1, -1):
            first, last = max(0, -n), min(rows, columns - n)
            xs = [left + (n + k) * dx if sign > 0 else right - (n + k) * dx for k in (first, last)]
            found.append(
                f"M{format_number(xs[0])} {format_number(top + first * dy)}L{format_number(xs[1])} {format_number(top + last * dy)}"
            )
    return "".join(found)


_FACE = re.compile(
    r'<rect [^>]*/>(?:<g fill="[^"]*" color="[^"]*">(?:<use [^>]*/>)+</g>|<use href="#hoyle-back"[^>]*/>)'
)


def share_faces(drawn: str) -> tuple[str, str]:
    """Return a drawing in which equal faces are used by name, and the definitions of these.

    Names depend on the contents, so they agree with other pictures on a page."""
    often = {face for face, times in Counter(_FACE.findall(drawn)).items() if times > 1}
    named = {face: f"hoyle-face-{crc32(face.encode()):08x}" for face in sorted(often)}
    faces = [element("g", face, id=name) for face, name in named.items()]
    return _FACE.sub(lambda found: _use_face(found[0], named), drawn), "\n".join(faces)


def _use_face(face: str, named: dict[str, str]) -> str:
    return element("use", href=f"#{named[face]}") if face in named else face
