"""The figures of court cards: the upper half of each, from the middle of a card (0, 0) upwards, 26 to each side and 58 high.

They take the colour of their suit (`currentColor`); gold, skin and linen are always the same, so that pictures on one page agree.
"""

from __future__ import annotations

from hoyle.pictures.svg import element, lines

GOLD, SKIN, LINEN, LINE = "#e3b23c", "#f6dfc4", "#fdfaf0", "#2a2320"
_HAIR = "#7a4a21"


def _path(d: str, fill: str, line: float = 0.9) -> str:
    return element("path", d=d, fill=fill, stroke=LINE, stroke_width=line, stroke_linejoin="round")


def _stroke(d: str, colour: str = LINE, line: float = 0.9) -> str:
    return element("path", d=d, fill="none", stroke=colour, stroke_width=line, stroke_linecap="round")


def _dots(colour: str, size: float, *places: tuple[float, float]) -> str:
    """Points so large."""
    d = "".join(f"M{x} {y}h0" for x, y in places)
    return element("path", d=d, stroke=colour, stroke_width=size, stroke_linecap="round")


def _robe(bands: str, collar: str) -> str:
    shoulders = "M-26 0V-13C-22-21-14-24-8-25H8C14-24 22-21 26-13V0Z"
    return lines(
        (
            _path(shoulders, "currentColor"),
            _stroke(bands, GOLD, 2.2),
            _path("M-9-25L-13 0H13L9-25Z", LINEN),
            _path(collar, GOLD),
        )
    )


def _head() -> str:
    face = "M-8-41C-8-47 8-47 8-41V-33C8-26 3-23 0-23C-3-23-8-26-8-33Z"
    eyes = _dots(LINE, 1.7, (-3.4, -36.5), (3.4, -36.5))
    return lines((_path(face, SKIN), eyes, _stroke("M-5.2-39.2h3.4M1.8-39.2h3.4M0-36v3.6h-1.4M-2-29.4h4", LINE, 0.8)))


def _king() -> str:
    beard = "M-8.4-35C-8-30-5-31-3.6-31.4C-2-32.4 2-32.4 3.6-31.4C5-31 8-30 8.4-35C10-22 4-15 0-13C-4-15-10-22-8.4-35Z"
    crown = "M-10.5-43L-13-55L-6.5-49.5L0-58L6.5-49.5L13-55L10.5-43Z"
    return lines(
        (
            _robe("M-21 0V-17M-16 0L-14.5-21M21 0V-17M16 0L14.5-21", "M-9-25L0-8L9-25L13 0H8L0-3L-8 0H-13Z"),
            _stroke("M20.5 0V-44", GOLD, 2.4),
            _path("M20.5-54L24-48.5L20.5-43L17-48.5Z", GOLD),
            _head(),
            _path(beard, _HAIR),
            _stroke("M-2-28.2h4", SKIN, 1.2),
            _path(crown, GOLD),
            _stroke("M-10.8-45.6h21.6", "currentColor", 2),
            _dots("currentColor", 2.6, (-6, -48), (0, -51), (6, -48)),
        )
    )


def _queen() -> str:
    hair = "M-9-46C-17-40-14-24-15-19C-10-17-8-22-7.5-30V-42H7.5V-30C8-22 10-17 15-19C14-24 17-40 9-46Z"
    crown = "M-9.5-43.5C-12-49-12-52-10-54C-8-52-5-50-4-49C-3-53-1.5-55.5 0-57C1.5-55.5 3-53 4-49C5-50 8-52 10-54C12-52 12-49 9.5-43.5Z"
    return lines(
        (
            _robe(
                "M-25-9C-19-7-15-4-15 0M-22-17C-16-14-12-9-11 0M25-9C19-7 15-4 15 0M22-17C16-14 12-9 11 0",
                "M-9-25C-5-14 5-14 9-25L11-12C5-7-5-7-11-12Z",
            ),
            _path(hair, _HAIR),
            _head(),
            _path(crown, GOLD),
            _dots("currentColor", 2.8, (-10, -54.6), (0, -57), (10, -54.6)),
            _stroke("M-9.8-45.4C-4-47 4-47 9.8-45.4", "currentColor", 1.8),
            _dots(LINEN, 2, (-4.5, -12.5), (0, -11.6), (4.5, -12.5)),
            _stroke("M20 0C21-10 20-16 20.5-22", "#3d7a45", 1.6),
            _dots(GOLD, 5.4, (20.5, -31.4), (20.5, -23.6), (16.8, -27.5), (24.2, -27.5)),
            _dots("currentColor", 4.6, (20.5, -27.5)),
        )
    )


def _jack() -> str:
    hair = "M-8.5-43C-14-40-13-28-12-25H-7.5V-41H7.5V-25H12C13-28 14-40 8.5-43Z"
    cap = "M-12-42.5C-15-50-8-54.5 0-54C9-53.5 14-50 12-42.5C6-45-6-45-12-42.5Z"
    return lines(
        (
            _robe("M-26-6L-12-22M-20 0L-10-14M26-6L12-22M20 0L10-14", "M-9-25L0-16L9-25L10.5-16L0-8L-10.5-16Z"),
            _path(hair, _HAIR),
            _head(),
            _path(cap, "currentColor"),
            _stroke("M-12-43.5C-6-46-6-46 0-46C6-46 6-46 12-43.5", GOLD, 2.2),
            _path("M9-49C14-58 20-57 24-52C19-53 17-47 10-46Z", GOLD),
            _stroke("M-20.5 0V-40", GOLD, 2.2),
            _path("M-20.5-52L-17.6-42H-23.4Z", LINEN),
            _path("M-17.6-41C-12-39-12-33-17.6-31Z", LINEN),
        )
    )


def _knight() -> str:
    helmet = "M-9.5-31V-42C-9.5-53 9.5-53 9.5-42V-31L5-27V-37H-5V-27Z"
    return lines(
        (
            _robe("M-24-12H-11M-25-5H-12M24-12H11M25-5H12", "M-9-25H9L11-12L0-5L-11-12Z"),
            _head(),
            _path(helmet, "#b9c1c8"),
            _path("M0-50C-3-60 10-60 16-54C20-50 19-45 17-42C15-49 8-51 0-50Z", "currentColor"),
            _stroke("M-9.5-38.5h4M5.5-38.5h4", LINE, 1.2),
            _stroke("M-20 0V-48", GOLD, 2.2),
            _path("M-20-57L-17-47H-23Z", LINEN),
            _path("M-19-46H-8L-11-42L-8-38H-19Z", "currentColor"),
        )
    )


def _joker() -> str:
    cap = "M-10-41C-20-44-22-52-17-57C-15-50-10-52-6-49C-5-55-2-58 0-59C2-58 5-55 6-49C10-52 15-50 17-57C22-52 20-44 10-41C4-44-4-44-10-41Z"
    return lines(
        (
            _robe("M-26-2L-14-14L-10 0M26-2L14-14L10 0", "M-12-22L-8-14L-4-21L0-12L4-21L8-14L12-22L8-25H-8Z"),
            _head(),
            _stroke("M-4-30C-2-27.6 2-27.6 4-30", LINE, 1),
            _path(cap, "currentColor"),
            _dots(GOLD, 4, (-17, -56), (0, -57), (17, -56)),
        )
    )


FIGURES = {"king": _king, "queen": _queen, "jack": _jack, "knight": _knight, "joker": _joker}
"""By the names that a ruleset may give."""
