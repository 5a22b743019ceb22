"""Hints for pictures, in the section `display`: the shapes of pieces and the figures of rows."""

from __future__ import annotations

from hoyle.checking.world import World, unknown
from hoyle.language.display import Looks
from hoyle.language.model import Family
from hoyle.language.sentences import said
from hoyle.reading.tree import Node


class LooksReader:
    """Gathers what entries of the section say of pieces and tables."""

    def __init__(self, root: Node, world: World) -> None:
        self.root, self.world = root, world
        self.found = Looks({}, {})

    def pile(self, family: Family, node: Node) -> tuple[bool | None, bool]:
        """Is a pile spread, as far as that is said, and does it lie in the middle?"""
        spread, middle = node.get("spread"), node.get("middle")
        if middle is not None and (family.each is None or family.each.name != "player"):
            message = said("looks.no_middle", name=family.name)
            help = said("looks.middle_is")
            self.world.problems.add("R571", message, node.key("middle").span, help=help)
        wide = spread.raw == "true" if spread is not None else None
        return wide, middle is not None and middle.raw == "true"

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
            elif key not in self.world.removed and key not in self._written(name):
                unknown(self.world, "R301", "row", key, list(rows), place.span)

    def _written(self, table: str) -> dict[str, tuple[Node, Node]]:
        """The rows of a table as they are written, of which a variant may take some."""
        rows = self.root["tables"][table].get("rows")
        return rows.pairs if rows is not None else {}
