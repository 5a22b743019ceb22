"""Players and where they sit."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.checking.reader import words_of
from hoyle.checking.tables import TableReader
from hoyle.checking.world import unknown
from hoyle.language.ir import ABSENT, NO_NUMBER, OTHER_SIDE, PARTNER, SEAT_NUMBER, SIDE_OF
from hoyle.language.kinds import PLAYER, SIDE, SIDES
from hoyle.language.model import Table
from hoyle.language.sentences import said
from hoyle.language.syntax import is_identifier, whole
from hoyle.reading.tree import Node

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
            self.world.problems.add(
                "R611", said("players_range" if low < high else "players_only", low=low, high=high), node.span
            )
            count = low
        self.world.seats = (seats or tuple(LETTERS))[: max(1, count)]
        self.world.may_play = range(max(1, low), max(1, high) + 1)
        self._numbered()
        for item in node.items_of("seats"):
            self.declare(item.raw, item)
        known = seats or tuple(LETTERS[: max(1, high)])
        sides = self._sides(node, known)
        self._away(node, known, sides)
        words = node.get("words")
        for name, key, _ in words.entries() if words is not None and words.kind == "map" else ():
            if name not in known and name not in sides:
                unknown(self.world, "R301", "seat", name, [*known, *sides], key.span)

    def _numbered(self) -> None:
        numbers = range(1, len(self.world.seats) + 1)
        self.world.attributes.by_name[SEAT_NUMBER] = (*numbers, NO_NUMBER)

    def _away(self, node: Node, seats: Sequence[str], sides: Sequence[str]) -> None:
        """Who does not play with fewer players is a name all the same, of nobody then."""
        world, always = self.world, seats[: self.world.may_play[0]]
        world.away = {seat: PLAYER.maybe(True) for seat in seats if seat not in always}
        for side in sides:
            if not any(item.raw in always for item in node["sides"].items_of(side)):
                world.away[side] = SIDE.maybe(True)

    def _sides(self, node: Node, seats: Sequence[str]) -> list[str]:
        """Who plays together, as a table of sides; its names, those of sides that nobody of this many players is on, too."""
        given, playing = node.get("sides"), self.world.seats
        self.world.sides = tuple((p,) for p in range(len(playing)))
        if given is None or given.kind != "map":
            return []
        names = [name for name, key, _ in given.entries() if self._side_name(name, key)]
        self._each_on_one_side(given, seats)
        found = {name: tuple(playing.index(s.raw) for s in given.items_of(name) if s.raw in playing) for name in names}
        found = {name: players for name, players in found.items() if players}
        words = node.get("words")
        known = {name: words_of(words[name] if words is not None and words.get(name) else node, name) for name in found}
        self.world.tables[SIDES] = Table(SIDES, "side", tuple(found), {}, known, given.span)
        self.world.used.add(("tables", SIDES))
        self.world.sides = tuple(found.values())
        self._tables_of_sides()
        return names

    def _side_name(self, name: str, key: Node) -> bool:
        self.declare(name, key)
        return is_identifier(name)

    def _each_on_one_side(self, given: Node, seats: Sequence[str]) -> None:
        """Everybody who may play is on a side, and on no other."""
        placed: dict[str, Node] = {}
        for item in (item for name in given.pairs for item in given.items_of(name)):
            if item.raw not in seats:
                unknown(self.world, "R301", "seat", item.raw, list(seats), item.span)
            elif item.raw in placed:
                at = [(placed[item.raw].span, said("also_here"))]
                self.world.problems.add("R425", said("seating.two_sides", seat=item.raw), item.span, related=at)
            placed.setdefault(item.raw, item)
        for seat in self.world.seats:
            if seat not in placed:
                self.world.problems.add(
                    "R425", said("seating.no_side", seat=seat), given.span, help=said("seating.side_of_one")
                )

    def _tables_of_sides(self) -> None:
        world, by_name = self.world, self.world.attributes.by_name
        side_of = {p: n for n, side in enumerate(world.sides) for p in side}
        partner = {
            p: other for side in world.sides if len(side) == 2 for p, other in zip(side, side[::-1], strict=True)
        }
        players = range(len(world.seats))
        by_name[SIDE_OF] = (*(side_of.get(p, ABSENT) for p in players), ABSENT)
        by_name[PARTNER] = (*(partner.get(p, ABSENT) for p in players), ABSENT)
        by_name[OTHER_SIDE] = (1, 0, ABSENT)
        by_name[f"{SIDES}.order"] = (*range(1, len(world.sides) + 1), NO_NUMBER)

    def _seats_for(self, node: Node, seats: tuple[str, ...], low: int, high: int) -> None:
        """Has everybody a seat, and every seat somebody who may sit there? A variant for fewer players need not name the seats again."""
        count, named = node.get("count"), node.get("seats")
        if count is None:
            return
        most, problems = len(seats or LETTERS), self.world.problems
        if low < 1:
            problems.add("R421", said("reader.at_least_one", key="count", number=low), count.span)
        elif high > most:
            there = said("seating.named", most=most) if seats else said("seating.seats_for", most=most)
            problems.add("R422", said("seating.cannot_sit", high=high, there=there), count.span)
        elif named is not None and high < most and named.span.shares_file(count.span):
            problems.add(
                "R422",
                said("seating.nobody_sits", seat=seats[high]),
                named.items[high].span,
                related=[(count.span, said("seating.the_players"))],
            )

    def _player_range(self, node: Node, seats: tuple[str, ...]) -> tuple[int, int]:
        count = node.get("count")
        if count is None:
            return max(1, len(seats)), max(1, len(seats))
        if count.value is not None and isinstance(count.value, int):
            return count.value, count.value
        return self.bounds(count)
