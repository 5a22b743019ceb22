"""Actions by their numbers. A number means the same in every state of a game, for every seat (which counts players from itself on, see `turning`).

An action is a *head*, and behind it the items of the lists that it is bound to. A head is a move with all that it is bound to but lists: of the piles,
pieces, rows and numbers that they may be, a number in mixed radix. What else it is bound to decides of itself has no digit: the piece on top of a pile, the
one pile that a move puts on. A piece that whoever acts cannot make out is one digit, whichever it is.

There are too many subsets of a hand to number them, so lists are composed: after the head one item after the other is chosen, in ascending order where their
order means nothing, and `end` where another action goes on. What only one legal action begins with is that action, so nothing is asked
that is clear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import set_positions
from hoyle.language.ir import ABSENT, NO_NUMBER, Var, WordCall
from hoyle.language.kinds import Kind, List, Number, Piece, families_of
from hoyle.language.model import Move
from hoyle.language.sentences import said
from hoyle.learning.layout import rotate_piles, rotate_values
from hoyle.running.state import Action, Core

MOST = 1 << 20
"""Heads, and items, that may be numbered: what has more is no game for programs that learn."""
MOST_TOLD = 12
"""Legal numbers that are named where another is refused."""
UNSEEN = -2
"""Stands for a piece that whoever acts cannot make out."""

Path = tuple[int, ...]
"""A head, and the items behind it, by their numbers."""


class TooMany(Exception):
    """There are too many values that a move may be bound to."""

    def __init__(self, move: str) -> None:
        self.said = said("learning.too_many", move=move)
        super().__init__(self.said)


class Digit(Struct, frozen=True):
    """What a move is bound to at a place of its actions, as one of `values`, which differ by the seat that acts."""

    place: int
    var: Var
    values: tuple[tuple[int, ...], ...]
    """Of each seat: the values, in order."""
    piece: bool

    @property
    def size(self) -> int:
        return len(self.values[0])


class ListOf(Struct, frozen=True):
    """A list that a move is bound to, whose items are counted from `first` on."""

    place: int
    var: Var
    digit: Digit
    first: int
    is_set: bool


class Heads(Struct, frozen=True):
    """The numbers of a move: `size` of them from `first` on; those of one with lists begin actions that are composed."""

    move: Move
    first: int
    digits: tuple[Digit, ...]
    lists: tuple[ListOf, ...]

    @property
    def size(self) -> int:
        return prod(digit.size for digit in self.digits)


class Numbering:
    """The numbers of the actions of one game: heads, then items, then `end`. Heads of moves with lists come first, `composed` of them."""

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
        """Counted as an item, too: what is chosen of an action with several lists says where they end."""
        self.size, self.items = (self.size + 1, self.items + 1) if self.composed else (self.size, 0)

    # ---- what has numbers --------------------------------------------------------------------------------------------

    def _number_items(self) -> None:
        """Items of the same sort have the same numbers in all lists."""
        known: dict[tuple[tuple[int, ...], ...], int] = {}
        self.first_item = self.size
        for number, heads in self.heads.items():
            lists = list[ListOf]()
            for place, var in _lists(heads.move):
                digit = self._digit(heads.move, place, var, var.kind.of_item)
                if digit.values not in known:
                    known[digit.values] = self.size
                    self.size += digit.size
                lists.append(ListOf(place, var, digit, known[digit.values], _is_set(self.game, heads.move, place, var)))
            self.heads[number] = Heads(heads.move, heads.first, heads.digits, tuple(lists))
        self.items = self.size - self.first_item

    def _digits(self, move: Move) -> Iterator[Digit]:
        """What of a move has a digit."""
        for place, var in enumerate(move.bindings, 1):
            decided = (var is move.target and move.aim is None) or (var is move.card and _is_top(move))
            if not decided and not isinstance(var.kind, List):
                yield self._digit(move, place, var, var.kind)

    def _digit(self, move: Move, place: int, var: Var, kind: Kind) -> Digit:
        if isinstance(kind, List) or (isinstance(kind, Number) and kind.high - kind.low >= MOST):
            raise TooMany(move.name)
        values = tuple(tuple(self._values(kind, seat)) for seat in range(len(self.game.seats)))
        if len({*map(len, values)}) > 1:  # piles that only some seats have
            most = max(map(len, values))
            values = tuple((*own, *(UNSEEN - 1 for _ in range(most - len(own)))) for own in values)
        return Digit(place, var, values, kind.name == "piece")

    def _values(self, kind: Kind, seat: int) -> Iterator[int]:
        match kind:
            case Piece(of):
                yield from self._classes(of)
                yield UNSEEN
            case Number(low, high):
                yield from range(low, high + 1)
            case _ if kind.name == "pile":
                yield from self._piles(kind, seat)
            case _:
                yield from rotate_values(self.game, kind, seat)
        if kind.optional:
            yield NO_NUMBER if isinstance(kind, Number) else ABSENT

    def _classes(self, of: str) -> range:
        kind = self.game.ruleset.pieces.get(of)
        return range(kind.base, kind.base + len(kind.classes)) if kind else range(len(self.game.machine.copies))

    def _piles(self, kind: Kind, seat: int) -> Iterator[int]:
        """Piles that it may be; of what is certainly the acting player's, of each family of players' piles only his."""
        families = families_of(kind) or frozenset(self.game.ruleset.piles)
        for name, family in self.game.ruleset.piles.items():
            of_players = family.each is not None and family.each.name == "player"
            for pile in rotate_piles(self.game, family, seat) if name in families else ():
                if not (getattr(kind, "mine", False) and of_players) or self.game.namer.owner(pile) == seat:
                    yield pile

    # ---- from actions to numbers -------------------------------------------------------------------------------------

    def path(self, core: Core, action: Action) -> Path:
        """The numbers of a legal action, as whoever acts chooses them."""
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
        """Of each sort of digits, the place of each value, by the seat."""
        digits = [d for heads in self.heads.values() for d in (*heads.digits, *(one.digit for one in heads.lists))]
        return {d.values: [{value: n for n, value in enumerate(own)} for own in d.values] for d in digits}

    def _is_made_out(self, core: Core, piece: int) -> bool:
        """Can whoever acts tell which piece it is?"""
        if piece & 1:
            return True
        held = (pile for pile, hand in zip(core.piles, self.game.machine.hands, strict=False) if hand == core.actor)
        return any(piece in pile for pile in held)

    # ---- in words ----------------------------------------------------------------------------------------------------

    def words(self, number: int, seat: int = 0) -> str:
        """What a number stands for, as ids of moves have it. Raises IndexError if there is no such number or seat."""
        if not 0 <= seat < len(self.game.seats):
            raise IndexError(said("learning.no_agent", given=seat, known=", ".join(self.game.seats)))
        if self.composed and number == self.end:
            return "end"
        for heads in self.heads.values():
            if heads.first <= number < heads.first + heads.size:
                return " ".join([heads.move.name, *self._words(heads.digits, number - heads.first, seat)])
        for one in (one for heads in self.heads.values() for one in heads.lists):
            if one.first <= number < one.first + one.digit.size:
                return self._word(one.digit, number - one.first, seat)
        raise IndexError(said("learning.no_number", number=number, most=self.size - 1))

    def _words(self, digits: Sequence[Digit], number: int, seat: int) -> list[str]:
        found = list[str]()
        for digit in reversed(digits):
            number, own = divmod(number, digit.size)
            found.insert(0, f"{digit.var.name} {self._word(digit, own, seat)}")
        return found

    def _word(self, digit: Digit, place: int, seat: int) -> str:
        value, kind = digit.values[seat][place], digit.var.kind
        if value == UNSEEN:
            return "unseen"
        if digit.piece and value >= 0:
            return self.game.namer.signs[value]
        return self.game.namer.token(value, kind.of_item if isinstance(kind, List) else kind, seat)


def _lists(move: Move) -> list[tuple[int, Var]]:
    return [(place, var) for place, var in enumerate(move.bindings, 1) if isinstance(var.kind, List)]


def _is_top(move: Move) -> bool:
    """Is what it takes always the top of a pile, so that the pile says which piece it is?"""
    return bool(move.takes) and not any(take.any_piece for take in move.takes)


def _is_set(game: Compiled, move: Move, place: int, var: Var) -> bool:
    """Does the order of its items mean nothing?"""
    items: Mapping[str, Any] = {own.name: expr for own, expr in move.withs}
    expr = items.get(var.name)
    return place in set_positions(game, move) or (isinstance(expr, WordCall) and expr.word == "subsets")


def explain_refusal(numbering: Numbering, number: int, legal: Sequence[int], seat: int) -> str:
    """Why a number cannot be chosen by a seat that may choose these."""
    if not legal:
        return said("learning.nobody", number=number)
    told = ", ".join([*map(str, legal[:MOST_TOLD]), *(["…"] if len(legal) > MOST_TOLD else [])])
    if not 0 <= number < numbering.size:
        return said("learning.no_action", number=number, most=numbering.size - 1, legal=told)
    return said("learning.not_now", number=number, words=numbering.words(number, seat), legal=told)


class Offer:
    """The legal actions of a state by their numbers, and what has been chosen of one."""

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
        """The numbers that may be chosen now, in order."""
        at = len(self.chosen)
        return sorted({path[at] for path in self._left})

    def choose(self, number: int) -> list[int] | None:
        """Choose a number. The places of the actions that this comes to, of which whoever acts cannot tell one from another (mostly one); None while there
        is more to choose. Raises ValueError if it is not legal."""
        at = len(self.chosen)
        left = {path: places for path, places in self._left.items() if path[at] == number}
        if not left:
            raise ValueError(explain_refusal(self.numbering, number, self.legal, self._seat))
        if len(left) == 1:
            return next(iter(left.values()))
        self.chosen, self._left = (*self.chosen, number), left
        return None
