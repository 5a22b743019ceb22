"""Hints for pictures, in the section `display`: the shapes of pieces, the figures of rows, and what is a cube."""

from __future__ import annotations

from interpreter.checking.world import World, unknown
from interpreter.language.display import Looks
from interpreter.reading.tree import Node


class LooksReader:
    """Gathers what entries of the section say of pieces, tables and state."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.found = Looks({}, {}, {})

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

    def state(self, name: str, node: Node) -> None:
        holder = node.get("held_by")
        if holder is None:
            return
        known = [of for of, family in self.world.state.items() if family.kind.name == "player" and family.each is None]
        if holder.raw in known:
            self.found.cubes[name] = holder.raw
        else:
            unknown(self.world, "R301", "state that is a player", holder.raw, known, holder.span)
