"""The layout of an observation: the meaning, offset and bounds of each number. It is the same for all states of a game.

A *group* holds the numbers of one family of piles or state, of the game itself, or of the partial action. It begins at offset `at`. Each
member of the family has `stride` numbers in it. Members are in the seat's order, which starts with the seat itself (`rotate_values`).
A *part* is a run of numbers within the stride of a member, from offset `at` of the stride. The parts are:

count      number of pieces in the pile
among      for each class, how many of its pieces the seat sees in the pile
shown      the same for face-up pieces in the seat's own hand; only if a rule turns pieces up
top        one-hot class of the top piece; all 0 if the seat does not see it
places     each piece from bottom to top: 0 none, 1 hidden from the seat, else 2 + 2 * class + face (1: up)
number     value of a number; 0 if it is absent
high, low  value of a number too large for a 32-bit float: 65536 * high + low
there      1 if the preceding number is present, else 0
which      one-hot value of a finite type; all 0 if it is absent. Players and sides are in the seat's order
seat       one-hot number of the observing seat, in the ruleset's order
deciding   one-hot acting player, in the seat's order; all 0 when the game is over
place      one-hot index of the current decision in `Layout.places`
remembered for each class, how many of its pieces the seat knows to be in the pile without seeing them
recalled   each piece from bottom to top: 1 + class if the seat knows it without seeing it, else 0
possible   for each class, 1 if an unknown piece in the pile may be of it; 0 if the seat knows where all pieces of the class are
begun      one-hot head of the partial action (see `numbering`)
chosen     for each item, how often it has been chosen for the partial action

Classes are counted from the first class of the kind of piece that the pile holds, in the order in which the ruleset declares the pieces.
Among the attributes of a kind, the last declared varies first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Literal

from msgspec import Struct

from hoyle.checking.analysis import list_step_lists
from hoyle.game.compiled import Compiled
from hoyle.language.model import Family, StateFamily
from hoyle.language.steps import Turn, every_step
from hoyle.language.value_types import Number, ValueType, get_families
from hoyle.native.visibility_tables import EVERYBODY, FIRST_SEAT, secrets, sides
from hoyle.players.inference.knowledge import has_hidden_information


def rotate_values(game: Compiled, value_type: ValueType, seat: int) -> list[int]:
    """Return the values of a finite type in the seat's order.

    Players and sides start with the seat's own, and pairs follow the players. Values of other types keep their order.
    """
    seats = len(game.seats)
    players = [(seat + n) % seats for n in range(seats)]
    if value_type.name == "player":
        return players
    if value_type.name == "pair":
        pair = game.machine.constants["PAIR"]
        return [pair[p][q] for n, p in enumerate(players) for q in players[n + 1 :]]
    count = 2 if value_type.name == "bool" else game.count_of(value_type)
    if value_type.with_optional(False) == game.ruleset.side:
        own = sides(game.machine)[seat]
        return [(own + n) % count for n in range(count)]
    return [*range(count)]


def rotate_piles(game: Compiled, family: Family, seat: int) -> list[int]:
    """Return the piles of a family in the seat's order (see `rotate_values`)."""
    members = rotate_values(game, family.each, seat) if family.each is not None else [0]
    columns = range(family.columns)
    return [family.base + member * family.columns + column for member in members for column in columns]


def rotate_cells(game: Compiled, family: StateFamily, seat: int) -> list[int]:
    """Return the cells of a state family in the seat's order (see `rotate_values`). The last key varies first."""
    sizes = [game.count_of(key) for key in family.keys]
    members = product(*(rotate_values(game, key, seat) for key in family.keys))
    return [family.base + _number(member, sizes) for member in members]


def _number(member: Sequence[int], sizes: Sequence[int]) -> int:
    found = 0
    for own, size in zip(member, sizes, strict=True):
        found = found * size + own
    return found


WIDEST = 1 << 24
"""Bound up to which 32-bit floats hold all integers; larger values take two numbers."""

About = Literal["game", "piles", "state", "action", "memory"]
Sort = Literal[
    "count", "among", "shown", "top", "places", "number", "high", "low", "there", "which", "seat", "deciding", "place",
    "remembered", "recalled", "possible", "begun", "chosen",
]  # fmt: skip


class Part(Struct, frozen=True):
    """`size` numbers of each member from offset `at` of its stride, with values from `least` to `most`."""

    sort: Sort
    at: int
    size: int
    least: int
    most: int


class Group(Struct, frozen=True):
    """The numbers of one family.

    `members` are its piles or cells in the seat's order; the group of the game itself has one dummy member.
    `first` is the number of the class or value that the first number of a part stands for.
    """

    about: About
    name: str
    at: int
    stride: int
    members: tuple[int, ...]
    parts: tuple[Part, ...]
    first: int = 0

    @property
    def end(self) -> int:
        return self.at + self.stride * len(self.members)

    def part(self, sort: Sort) -> Part | None:
        return next((part for part in self.parts if part.sort == sort), None)


class Layout(Struct, frozen=True):
    """The layout of a seat's observations. `places` are the paths of all decisions, indexed by the part `place`."""

    seat: int
    size: int
    groups: tuple[Group, ...]
    places: tuple[str, ...]

    def bounds(self) -> tuple[list[int], list[int]]:
        """Return the least and the greatest value of each number."""
        least, most = [0] * self.size, [0] * self.size
        for group in self.groups:
            for n in range(len(group.members)):
                for part in group.parts:
                    at = group.at + n * group.stride + part.at
                    least[at : at + part.size] = [part.least] * part.size
                    most[at : at + part.size] = [part.most] * part.size
        return least, most

    def about(self, *about: About) -> Iterable[Group]:
        return (group for group in self.groups if group.about in about)


Wanted = tuple[Sort, int, int, int]
"""A part to add: its name, size, least and greatest value."""


class Builder:
    """Appends groups to a layout."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.size = 0

    def add(self, about: About, name: str, members: Sequence[int], wanted: Sequence[Wanted], first: int = 0) -> None:
        parts, at = list[Part](), 0
        for sort, size, least, most in wanted:
            parts.append(Part(sort, at, size, least, most))
            at += size
        if members and at:
            self.groups.append(Group(about, name, self.size, at, tuple(members), tuple(parts), first))
            self.size += at * len(members)


def build_layout(game: Compiled, seat: int, heads: int = 0, items: int = 0, memory: bool = True) -> Layout:
    """Return the layout of a seat's observations.

    `heads` and `items` are the numbers of composed actions and of their items. `memory` includes remembered pieces.
    """
    made, places = Builder(), paths(game)
    seats = len(game.seats)
    made.add("game", "", (0,), (("seat", seats, 0, 1), ("deciding", seats, 0, 1), ("place", len(places), 0, 1)))
    for family in game.ruleset.piles.values():
        first, classes = find_classes(game, family)
        for members, wanted in _sorts_of_piles(game, family, seat, classes):
            made.add("piles", family.name, members, wanted, first)
    for state in game.ruleset.state.values():
        made.add("state", state.name, known_cells(game, state, seat), _of_state(game, state), _first_value(game, state))
    made.add("action", "", (0,) if heads else (), (("begun", heads, 0, 1), ("chosen", items, 0, most_copies(game))))
    for family in game.ruleset.piles.values() if memory and has_hidden_information(game) else ():
        hidden = [pile for pile in rotate_piles(game, family, seat) if game.machine.hands[pile] != seat]
        made.add("memory", family.name, hidden, _remembered(game, family), find_classes(game, family)[0])
    return Layout(seat, made.size, tuple(made.groups), places)


def paths(game: Compiled) -> tuple[str, ...]:
    """Return the paths of a game's decisions."""
    return tuple(dict.fromkeys(" / ".join(point.path) for _, point in sorted(game.machine.points.items())))


def find_classes(game: Compiled, family: Family) -> tuple[int, int]:
    """Return the first class of pieces that may lie in a family's piles, and the number of classes."""
    kind = game.ruleset.pieces.get(family.holds)
    return (kind.base, len(kind.classes)) if kind is not None else (0, len(game.machine.copies))


def most_copies(game: Compiled) -> int:
    return max(game.machine.copies, default=1)


def is_unordered(game: Compiled, family: Family) -> bool:
    """Return whether the order of a family's pieces has no meaning: in a hand, or if no rule reads it."""
    return family.face == "owner" or family.base in game.machine.heaps


# ---- piles -----------------------------------------------------------------------------------------------------------


def _sorts_of_piles(
    game: Compiled, family: Family, seat: int, classes: int
) -> Iterable[tuple[list[int], list[Wanted]]]:
    """Yield members with equal visibility, and the parts of each. For hands: the seat's own, then the others."""
    piles = rotate_piles(game, family, seat)
    if family.face != "owner":
        yield piles, _of_piles(game, family, classes, family.face != "down" or family.name in turned_families(game))
        return
    own = [pile for pile in piles if game.machine.hands[pile] == seat]
    yield own, _of_piles(game, family, classes, True, own=True)
    yield [p for p in piles if p not in own], _of_piles(game, family, classes, family.name in turned_families(game))


def _of_piles(game: Compiled, family: Family, classes: int, seen: bool, own: bool = False) -> list[Wanted]:
    copies, found = most_copies(game), list[Wanted]([("count", 1, 0, family.room)])
    if not seen:
        return found
    if family.face == "top seen":
        return [*found, ("top", classes, 0, 1)]
    found.append(("among", classes, 0, min(copies, family.room)))
    if own and family.name in turned_families(game):
        found.append(("shown", classes, 0, min(copies, family.room)))
    if family.room > 1 and not is_unordered(game, family):
        found += [("top", classes, 0, 1), ("places", family.room, 0, 2 * classes + 1)]
    return found


def turned_families(game: Compiled) -> frozenset[str]:
    """Return the families in which a step turns pieces up."""
    found: frozenset[str] | None = game.cache.get(("learning", "turned"))
    if found is None:
        verbs = (step.verb for steps in list_step_lists(game.ruleset) for step in every_step(steps))
        turns = [verb.pile.type for verb in verbs if isinstance(verb, Turn) and verb.up]
        every = frozenset(game.ruleset.piles)
        found = frozenset(name for value_type in turns for name in get_families(value_type) or every)
        game.cache["learning", "turned"] = found
    return found


# ---- state -----------------------------------------------------------------------------------------------------------


def known_cells(game: Compiled, family: StateFamily, seat: int) -> list[int]:
    """Return the cells of a family that the seat may know."""
    who, allowed = secrets(game.machine), (EVERYBODY, FIRST_SEAT + seat)
    return [cell for cell in rotate_cells(game, family, seat) if who[cell] in allowed]


def _of_state(game: Compiled, family: StateFamily) -> list[Wanted]:
    value_type = family.type
    if value_type.name == "bool":
        return [("number", 1, 0, 1)]
    if not isinstance(value_type, Number):
        return [("which", game.count_of(value_type), 0, 1)]
    there: list[Wanted] = [("there", 1, 0, 1)] if value_type.optional else []
    if max(abs(value_type.low), abs(value_type.high)) < WIDEST:
        return [("number", 1, min(value_type.low, 0), max(value_type.high, 0)), *there]
    return [("high", 1, value_type.low >> 16, value_type.high >> 16), ("low", 1, 0, 65535), *there]


def _first_value(game: Compiled, family: StateFamily) -> int:
    value_type = family.type
    return game.ruleset.pieces[value_type.of].base if value_type.name == "piece" and value_type.of else 0


# ---- memory ----------------------------------------------------------------------------------------------------------


def _remembered(game: Compiled, family: Family) -> list[Wanted]:
    """Return the parts for remembered pieces of a family whose pieces are not always visible."""
    if family.face == "up":
        return []
    _, classes = find_classes(game, family)
    found: list[Wanted] = [("remembered", classes, 0, most_copies(game)), ("possible", classes, 0, 1)]
    return found if is_unordered(game, family) or family.room < 2 else [*found, ("recalled", family.room, 0, classes)]
