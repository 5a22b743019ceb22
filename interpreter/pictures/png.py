"""A picture as pixels, by a library that may be installed besides: resvg, which is one wheel and needs nothing of the system."""

from __future__ import annotations

ZOOM = 2
"""Pixels to each unit of a picture, so that it is sharp on screens and on paper."""


class Missing(Exception):
    """The library is not installed."""


def png(svg: str, zoom: float = ZOOM) -> bytes:
    """Raises Missing."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise Missing from None
    return bytes(svg_to_bytes(svg_string=svg, zoom=zoom))
