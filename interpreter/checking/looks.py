"""Hints for pictures, in the section `display`: the shapes of pieces and the figures of rows."""

from __future__ import annotations

from interpreter.checking.world import World, unknown
from interpreter.language.display import Looks
from interpreter.reading.tree import Node


class LooksReader:
    """Gathers what entries of the section say of pieces and tables."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.found = Looks({}, {})

    def piece(self, name: str, node: Node) -> None:
        shape = node.get("shape")
        if shape is not None:
            self.found.shapes[name] = shape.raw

    def table(self, name: str, node: Node) -> None:
        figures = node.get("figures")
        entries = figures.entries() if figures is not None and figures.kind == "map" else []
        rows = self.world.tables[name].rows
        for key, place, value in entries:
            row = key.replace(" ", "_")
            if row in rows:
                self.found.figures.setdefault(name, {})[row] = value.raw
            elif key not in self.world.removed:  # a library may know more rows than a game has
                unknown(self.world, "R301", "row", key, list(rows), place.span)
