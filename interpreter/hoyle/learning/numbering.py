"""Numbers of actions. A number has the same meaning in every state and for every seat, which counts players from itself on.

An action is a *head* followed by the items of its lists. A head is a move with its other bindings (piles, pieces, rows, numbers), in mixed radix.
A binding that follows from the others has no digit: the top piece of a pile, the only target. A piece that the acting seat cannot identify has one digit.

Subsets of a hand are too many to be numbered, so lists are composed: after the head one item after the other is chosen, in ascending order if
order has no meaning, and `end` if a longer action is possible. A prefix of only one legal action stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import set_positions
from hoyle.language.ir import ABSENT, NO_NUMBER, Var, WordCall
from hoyle.language.model import Move
from hoyle.language.sentences import make_message
from hoyle.language.value_types import List, Number, Piece, ValueType, get_families
from hoyle.learning.layout import rotate_piles, rotate_values
from hoyle.running.state import Action, Core

MOST = 1 << 20
"""Most heads and items of a game."""
MOST_TOLD = 12
"""Most legal numbers that a refusal lists."""
UNSEEN = -2
"""Stands for a piece that the acting seat cannot identify."""

Path = tuple[int, ...]
"""Numbers of a head and of the items after it."""


class TooMany(Exception):
    """A move has too many possible bindings."""

    def __init__(self, move: str) -> None:
        self.message = make_message("learning.too_many", move=move)
        super().__init__(self.message)


class Digit(Struct, frozen=True):
    """A binding that takes one of `values`, as a digit of the number of a head."""

    place: int
    var: Var
    values: tuple[tuple[int, ...], ...]
    """Values in order, by seat."""
    piece: bool

    @property
    def size(self) -> int:
        return len(self.values[0])


class ListOf(Struct, frozen=True):
    """A binding that is a list. Its items have the numbers from `first` on."""

    place: int
    var: Var
    digit: Digit
    first: int
    is_set: bool


class Heads(Struct, frozen=True):
    """The `size` numbers of a move from `first` on. Heads of moves with lists begin composed actions."""

    move: Move
    first: int
    digits: tuple[Digit, ...]
    lists: tuple[ListOf, ...]

    @property
    def size(self) -> int:
        return prod(digit.size for digit in self.digits)


class Numbering:
    """The action numbers of a game: heads, items, then `end`. The first `composed` heads are those of moves with lists."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self.composed, self.heads, self.items, self.size = 0, dict[int, Heads](), 0, 0
        moves = [(move, tuple(self._digits(move))) for move in game.ruleset.moves.values()]
        moves.sort(key=lambda entry: not _lists(entry[0]))
        for move, digits in moves:
            found = Heads(move, self.size, digits, ())
            self.heads[move.number] = found
            self.size += found.size
            if self.size > MOST:
                raise TooMany(move.name)
            self.composed = self.size if _lists(move) else self.composed
        self._number_items()
        self.end = self.size
        """Also counted as an item, because it separates the lists of an action."""
        self.size, self.items = (self.size + 1, self.items + 1) if self.composed else (self.size, 0)

    # ---- what has numbers --------------------------------------------------------------------------------------------

    def _number_items(self) -> None:
        """Assign numbers to list items. Lists with items of the same type share their numbers."""
        known: dict[tuple[tuple[int, ...], ...], int] = {}
        self.first_item = self.size
        for number, heads in self.heads.items():
            lists = list[ListOf]()
            for place, var in _lists(heads.move):
                digit = self._digit(heads.move, place, var, var.type.item_type)
                if digit.values not in known:
                    known[digit.values] = self.size
                    self.size += digit.size
                lists.append(ListOf(place, var, digit, known[digit.values], _is_set(self.game, heads.move, place, var)))
            self.heads[number] = Heads(heads.move, heads.first, heads.digits, tuple(lists))
        self.items = self.size - self.first_item

    def _digits(self, move: Move) -> Iterator[Digit]:
        """Yield the digits of a move's bindings."""
        for place, var in enumerate(move.bindings, 1):
            decided = (var is move.target and move.aim is None) or (var is move.card and _is_top(move))
            if not decided and not isinstance(var.type, List):
                yield self._digit(move, place, var, var.type)

    def _digit(self, move: Move, place: int, var: Var, value_type: ValueType) -> Digit:
        if isinstance(value_type, List) or (
            isinstance(value_type, Number) and value_type.high - value_type.low >= MOST
        ):
            raise TooMany(move.name)
        values = tuple(tuple(self._values(value_type, seat)) for seat in range(len(self.game.seats)))
        if len({*map(len, values)}) > 1:  # piles that only some seats have
            most = max(map(len, values))
            values = tuple((*own, *(UNSEEN - 1 for _ in range(most - len(own)))) for own in values)
        return Digit(place, var, values, value_type.name == "piece")

    def _values(self, value_type: ValueType, seat: int) -> Iterator[int]:
        match value_type:
            case Piece(of):
                yield from self._classes(of)
                yield UNSEEN
            case Number(low, high):
                yield from range(low, high + 1)
            case _ if value_type.name == "pile":
                yield from self._piles(value_type, seat)
            case _:
                yield from rotate_values(self.game, value_type, seat)
        if value_type.optional:
            yield NO_NUMBER if isinstance(value_type, Number) else ABSENT

    def _classes(self, of: str) -> range:
        kind = self.game.ruleset.pieces.get(of)
        return range(kind.base, kind.base + len(kind.classes)) if kind else range(len(self.game.machine.copies))

    def _piles(self, value_type: ValueType, seat: int) -> Iterator[int]:
        """Yield the possible piles of a binding. If they belong to the acting player, yield only that player's."""
        families = get_families(value_type) or frozenset(self.game.ruleset.piles)
        for name, family in self.game.ruleset.piles.items():
            of_players = family.each is not None and family.each.name == "player"
            for pile in rotate_piles(self.game, family, seat) if name in families else ():
                if not (getattr(value_type, "mine", False) and of_players) or self.game.namer.owner(pile) == seat:
                    yield pile

    # ---- from actions to numbers -------------------------------------------------------------------------------------

    def path(self, core: Core, action: Action) -> Path:
        """Return the numbers that the acting seat chooses in turn to compose a legal action."""
        heads, seat = self.heads[action[0]], core.actor
        number = 0
        for digit in heads.digits:
            number = number * digit.size + self._place_of(core, digit, action[digit.place])
        found = [heads.first + number]
        for one in heads.lists:
            items = [one.first + self._place_of(core, one.digit, item) for item in action[one.place]]
            found += [*(sorted(items) if one.is_set else items), self.end]
        assert seat >= 0
        return tuple(found)

    def _place_of(self, core: Core, digit: Digit, value: int) -> int:
        places = self._places[digit.values][core.actor]
        if not digit.piece or value < 0:
            return places[value]
        return places[value >> 1 if self._is_made_out(core, value) else UNSEEN]

    @cached_property
    def _places(self) -> dict[tuple[tuple[int, ...], ...], list[dict[int, int]]]:
        """The index of each value in the order of each seat, by type of digit."""
        digits = [d for heads in self.heads.values() for d in (*heads.digits, *(one.digit for one in heads.lists))]
        return {d.values: [{value: n for n, value in enumerate(own)} for own in d.values] for d in digits}

    def _is_made_out(self, core: Core, piece: int) -> bool:
        """Return whether the acting seat can identify a piece."""
        if piece & 1:
            return True
        held = (pile for pile, hand in zip(core.piles, self.game.machine.hands, strict=False) if hand == core.actor)
        return any(piece in pile for pile in held)

    # ---- in words ----------------------------------------------------------------------------------------------------

    def words(self, number: int, seat: int = 0) -> str:
        """Return the meaning of a number in the words of move ids. Raises IndexError for an unknown number or seat."""
        if not 0 <= seat < len(self.game.seats):
            raise IndexError(make_message("learning.no_agent", given=seat, known=", ".join(self.game.seats)))
        if self.composed and number == self.end:
            return "end"
        for heads in self.heads.values():
            if heads.first <= number < heads.first + heads.size:
                return " ".join([heads.move.name, *self._words(heads.digits, number - heads.first, seat)])
        for one in (one for heads in self.heads.values() for one in heads.lists):
            if one.first <= number < one.first + one.digit.size:
                return self._word(one.digit, number - one.first, seat)
        raise IndexError(make_message("learning.no_number", number=number, most=self.size - 1))

    def _words(self, digits: Sequence[Digit], number: int, seat: int) -> list[str]:
        found = list[str]()
        for digit in reversed(digits):
            number, own = divmod(number, digit.size)
            found.insert(0, f"{digit.var.name} {self._word(digit, own, seat)}")
        return found

    def _word(self, digit: Digit, place: int, seat: int) -> str:
        value, value_type = digit.values[seat][place], digit.var.type
        if value == UNSEEN:
            return "unseen"
        if digit.piece and value >= 0:
            return self.game.namer.signs[value]
        return self.game.namer.token(value, value_type.item_type if isinstance(value_type, List) else value_type, seat)


def _lists(move: Move) -> list[tuple[int, Var]]:
    return [(place, var) for place, var in enumerate(move.bindings, 1) if isinstance(var.type, List)]


def _is_top(move: Move) -> bool:
    """Return whether a move always takes the top of a pile, so that the pile determines the piece."""
    return bool(move.takes) and not any(take.any_piece for take in move.takes)


def _is_set(game: Compiled, move: Move, place: int, var: Var) -> bool:
    """Return whether the order of a list's items has no meaning."""
    items: Mapping[str, Any] = {own.name: expr for own, expr in move.withs}
    expr = items.get(var.name)
    return place in set_positions(game, move) or (isinstance(expr, WordCall) and expr.word == "subsets")


def explain_refusal(numbering: Numbering, number: int, legal: Sequence[int], seat: int) -> str:
    """Say why a seat cannot choose a number."""
    if not legal:
        return make_message("learning.nobody", number=number)
    told = ", ".join([*map(str, legal[:MOST_TOLD]), *(["…"] if len(legal) > MOST_TOLD else [])])
    if not 0 <= number < numbering.size:
        return make_message("learning.no_action", number=number, most=numbering.size - 1, legal=told)
    return make_message("learning.not_now", number=number, words=numbering.words(number, seat), legal=told)


class Offer:
    """The legal actions of a state by number, and the chosen part of one."""

    def __init__(self, numbering: Numbering, core: Core) -> None:
        self.numbering, self._seat = numbering, core.actor
        self.chosen: Path = ()
        self._left: dict[Path, list[int]] = {}
        for n, action in enumerate(core.acts):
            self._left.setdefault(numbering.path(core, action), []).append(n)

    def copy(self) -> Offer:
        found = Offer.__new__(Offer)
        found.numbering, found._seat, found.chosen, found._left = self.numbering, self._seat, self.chosen, self._left
        return found

    @property
    def legal(self) -> list[int]:
        """The legal numbers in order."""
        at = len(self.chosen)
        return sorted({path[at] for path in self._left})

    def choose(self, number: int) -> list[int] | None:
        """Choose a number. Return the indices of the actions it completes, or None if more must be chosen.

        Several actions are returned if the acting seat cannot tell them apart. Raises ValueError if the number is illegal.
        """
        at = len(self.chosen)
        left = {path: places for path, places in self._left.items() if path[at] == number}
        if not left:
            raise ValueError(explain_refusal(self.numbering, number, self.legal, self._seat))
        if len(left) == 1:
            return next(iter(left.values()))
        self.chosen, self._left = (*self.chosen, number), left
        return None
