"""Pictures as pixels, by the optional library resvg."""

from __future__ import annotations

import re
from html import unescape

from hoyle.pictures.letters import outline_text
from hoyle.pictures.svg import element, format_number, translate

ZOOM = 2
"""Pixels for each unit of a picture."""
CAPITAL, FOOT = 0.72, 92.0
"""Height of a capital in parts of the font size, and the baseline in hundredths."""
PENS = {"bold": 15.0}
THIN = 9.5
_TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
_SAID = re.compile(r' ([\w-]+)="([^"]*)"')


class Missing(Exception):
    """Raised if the library is not installed."""


def render_png(svg: str, zoom: float = ZOOM) -> bytes:
    """Render a picture, the same on every machine as far as our own letters go. Raises Missing."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise Missing from None
    return bytes(svg_to_bytes(svg_string=outline_texts(svg), zoom=zoom))


def outline_texts(svg: str) -> str:
    """Replace texts by lines. Those with characters that we do not draw stay, for the machine's fonts."""
    return _TEXT.sub(_outline, svg)


def _outline(found: re.Match[str]) -> str:
    said = dict(_SAID.findall(found[1]))
    drawn = outline_text(unescape(found[2]))
    if drawn is None:
        return found[0]
    scale = float(said["font-size"]) * CAPITAL / 84
    before = {"middle": 0.5, "end": 1.0}.get(said.get("text-anchor", ""), 0.0) * drawn.width
    place = translate(float(said["x"]) - before * scale, float(said["y"]) - FOOT * scale)
    pen = PENS.get(said.get("font-weight", ""), THIN)
    style = {"stroke_width": format_number(pen), "stroke_linecap": "round", "stroke_linejoin": "round"}
    return element(
        "path",
        d=drawn.lines,
        transform=f"{place} scale({scale:.4f})",
        fill="none",
        stroke=said.get("fill", "currentColor"),
        **style,
    )
