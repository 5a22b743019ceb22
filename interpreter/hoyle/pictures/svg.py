"""SVG as text. Everything that comes from elsewhere is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from hoyle.printable import printable

_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
FONT = "system-ui,-apple-system,Segoe UI,Roboto,DejaVu Sans,sans-serif"


@lru_cache(maxsize=4096)  # the same colours and words, thousands of times
def escape(text: str) -> str:
    """Escape a text on one line, without control characters."""
    return printable(text).translate(_ESCAPED)


@lru_cache(maxsize=65536)
def format_number(value: float) -> str:
    """Format with at most two decimals."""
    text = f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def element(tag: str, *inside: str, **attributes: object) -> str:
    """Make an element. `stroke_width` becomes `stroke-width`, `class_` becomes `class`; None is left out."""
    words = "".join(
        [
            f' {_attribute_name(key)}="{_attribute_value(value)}"'
            for key, value in attributes.items()
            if value is not None
        ]
    )
    content = "".join(inside)
    return f"<{tag}{words}>{content}</{tag}>" if content else f"<{tag}{words}/>"


@cache
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _attribute_value(value: object) -> str:
    return format_number(value) if isinstance(value, (int, float)) else escape(str(value))


def translate(x: float, y: float) -> str:
    return f"translate({format_number(x)} {format_number(y)})"


def rectangle(x: float, y: float, width: float, height: float, radius: float, **attributes: object) -> str:
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, **attributes)


def circle(x: float, y: float, radius: float, **attributes: object) -> str:
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def text_element(x: float, y: float, text: str, size: float, **attributes: object) -> str:
    """Draw a text whose baseline begins here, or with `text_anchor` is centred here."""
    return element("text", escape(text), x=x, y=y, font_size=size, **attributes)


def use_shape(shape: str, x: float, y: float, size: float, turned: bool = False, **attributes: object) -> str:
    """Use a defined shape, `size` large, with its middle here."""
    scale = f"scale({_format_scale(-size / 100 if turned else size / 100)})"
    return element("use", href=f"#hoyle-{shape}", transform=f"{translate(x, y)} {scale}", **attributes)


def place_shape(shape: str, x: float, y: float, scale: float, **attributes: object) -> str:
    """Use a defined shape from this corner. A negative scale turns it by half."""
    moved = f"{translate(x, y)} " if x or y else ""
    return element("use", href=f"#hoyle-{shape}", transform=f"{moved}scale({_format_scale(scale)})", **attributes)


def _format_scale(scale: float) -> str:
    """Format a scale with enough digits for shapes of a hundred units."""
    return f"{scale:.4f}".rstrip("0").rstrip(".")


def join_lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)
