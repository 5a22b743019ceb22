"""Pictures taken apart again: what is drawn where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
_STEP = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")


class Frame(NamedTuple):
    """Where the origin of a part lies, and how large its unit is."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def within(self, transform: str) -> Frame:
        frame = self
        for how, said in _STEP.findall(transform):
            numbers = [float(word) for word in said.split()]
            if how == "translate":
                frame = Frame(frame.x + numbers[0] * frame.scale, frame.y + numbers[1] * frame.scale, frame.scale)
            elif how == "scale":
                frame = frame._replace(scale=frame.scale * numbers[0])
            else:  # half a turn around a middle
                middle = frame.x + 2 * numbers[1] * frame.scale, frame.y + 2 * numbers[2] * frame.scale
                frame = Frame(*middle, -frame.scale)
        return frame


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


WHOLE = Frame()
Shapes = dict[str, ElementTree.Element]


def defined(root: ElementTree.Element) -> Shapes:
    return {f"#{node.get('id')}": node for defs in root.iter(f"{SVG}defs") for node in defs}


def used(node: ElementTree.Element, known: Shapes) -> Iterator[str]:
    """The suits, figures and signs that are drawn, those within others too: `heart`, `king`, `sign-10`."""
    for found in node.iter():
        if found.tag != f"{SVG}use":
            continue
        shape = known[found.get("href", "")]
        inner = list(used(shape, known))
        yield from inner or [found.get("href", "").removeprefix("#hoyle-")]


def boxes(
    node: ElementTree.Element, frame: Frame = WHOLE, known: Shapes | None = None
) -> Iterator[tuple[ElementTree.Element, Box]]:
    """Every rectangle, circle, text and shape that is used, and where it is drawn."""
    known = defined(node) if known is None else known
    frame = frame.within(node.get("transform", ""))
    inside = known.get(node.get("href", ""))
    if inside is not None and inside.tag == f"{SVG}g" and not _is_figure(node.get("href", "")):
        yield from (pair for inner in inside for pair in boxes(inner, frame, known))
        return
    own = _own(node)
    if own is not None:
        xs = sorted(frame.x + x * frame.scale for x in (own.left, own.right))
        ys = sorted(frame.y + y * frame.scale for y in (own.top, own.bottom))
        yield node, Box(xs[0], ys[0], xs[1], ys[1])
    for inner in node if node.tag != f"{SVG}defs" else ():
        yield from boxes(inner, frame, known)


def _own(node: ElementTree.Element) -> Box | None:
    def at(name: str) -> float:
        return float(node.get(name, "0"))

    match node.tag.removeprefix(SVG):
        case "rect":
            return Box(at("x"), at("y"), at("x") + at("width"), at("y") + at("height"))
        case "circle":
            return Box(at("cx") - at("r"), at("cy") - at("r"), at("cx") + at("r"), at("cy") + at("r"))
        case "use":
            return _shape(node.get("href", ""))
        case "text":
            return _text(node, at("x"), at("y"), at("font-size"))
    return None


def _shape(href: str) -> Box:
    """About as large as it is: signs stand on the line, figures on the middle of a card, suits around theirs."""
    if "-sign-" in href:
        return Box(-42, -80, 42, 5)
    return Box(-26, -58, 26, 0) if _is_figure(href) else Box(-45, -45, 45, 45)


def _is_figure(href: str) -> bool:
    return href.split("-")[-1] in ("king", "queen", "jack", "knight", "joker")


def _text(node: ElementTree.Element, x: float, y: float, size: float) -> Box:
    wide = len(node.text or "") * size * 0.5
    left = x - wide * {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor", ""), 0.0)
    return Box(left, y - 0.7 * size, left + wide, y)


def pieces(root: ElementTree.Element) -> dict[tuple[str, int], str | None]:
    """By the key of its pile and its height in it, each piece that is drawn: its sign, or None for a back."""
    found = [node for node in root.iter(f"{SVG}g") if node.get("class") == "piece"]
    return {(node.get("data-pile", ""), int(node.get("data-at", "-1"))): node.get("data-sign") for node in found}


def piles(root: ElementTree.Element) -> list[str]:
    return [node.get("data-pile", "") for node in root.iter(f"{SVG}g") if node.get("class") == "pile"]
