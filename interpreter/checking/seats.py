"""Players and where they sit."""

from __future__ import annotations

from interpreter.checking.tables import TableReader
from interpreter.checking.world import unknown
from interpreter.language.digits import whole
from interpreter.reading.tree import Node

LETTERS = "ABCDEFGHIJKLMNOP"
"""What seats are called that have no name."""


class SeatReader(TableReader):
    """Reads the section `players`."""

    def players(self) -> None:
        node = self.root.get("players")
        if node is None or node.kind != "map":
            return
        seats = tuple(s.raw for s in node.items_of("seats"))
        low, high = self._player_range(node, seats)
        self._seats_for(node, seats, low, high)
        default = node.get("default")
        count = whole(str(self.values.get("players", default.value if default else low)))
        if count is None or not low <= count <= high:
            self.world.problems.add("R611", f"`players` may be {low}..{high}", node.span)
            count = low
        self.world.seats = (seats or tuple(LETTERS))[: max(1, count)]
        for item in node.items_of("seats"):
            self.declare(item.raw, item)
        words = node.get("words")
        for name, key, _ in words.entries() if words is not None and words.kind == "map" else ():
            if name not in (known := seats or tuple(LETTERS[: max(1, high)])):
                unknown(self.world, "R301", "seat", name, list(known), key.span)

    def _seats_for(self, node: Node, seats: tuple[str, ...], low: int, high: int) -> None:
        """Has everybody a seat, and every seat somebody who may sit there? A variant for fewer players need not name the seats again."""
        count, named = node.get("count"), node.get("seats")
        if count is None:
            return
        most, problems = len(seats or LETTERS), self.world.problems
        if low < 1:
            problems.add("R421", f"`count` must be 1 at least, and this is {low}", count.span)
        elif high > most:
            there = f"{most} seats are named" if seats else f"there are seats for {most}"
            problems.add("R422", f"{high} players cannot sit down: {there}", count.span)
        elif named is not None and high < most and named.span.shares_file(count.span):
            problems.add(
                "R422",
                f"nobody ever sits at `{seats[high]}`",
                named.items[high].span,
                related=[(count.span, "the players")],
            )

    def _player_range(self, node: Node, seats: tuple[str, ...]) -> tuple[int, int]:
        count = node.get("count")
        if count is None:
            return max(1, len(seats)), max(1, len(seats))
        if count.value is not None and isinstance(count.value, int):
            return count.value, count.value
        return self.bounds(count)
