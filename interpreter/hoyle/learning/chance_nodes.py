"""Games with explicit chance nodes: a move that needs chance is carried out when its outcome has been drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from hashlib import sha256
from typing import Any, NoReturn

from hoyle.language.sentences import make_message
from hoyle.learning.plays import Form, Play
from hoyle.running.chance import Chance

OUTCOMES, DRAWS = 16, 8
"""Each chance event is a seed of 32 bits: 8 draws of 16 equally likely outcomes."""


class _Needed(Exception):
    """Raised when a move needs chance that has not been drawn."""


class _Undecided(Chance):
    """Stands for chance that has not been drawn. Every use raises _Needed."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def copy(self) -> _Undecided:
        return self

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> NoReturn:
        raise _Needed

    def roll(self, kinds: Sequence[int]) -> NoReturn:
        raise _Needed

    def lots(self, items: Sequence[Any], label: int) -> NoReturn:
        raise _Needed


class Node:
    """An immutable state: the play, and the outcomes drawn so far for the next event. `after` returns the next node.

    play   the game so far; None before the first deal
    waits  the chosen number whose move needs chance, or None
    most   the greatest number of moves of a game
    """

    def __init__(self, form: Form, most: int) -> None:
        self.form, self.most = form, most
        self.before: Node | None = None
        self.number = -1
        self.play: Play | None = None
        self.waits: int | None = -1
        self.drawn: tuple[int, ...] = ()
        self._digests: dict[int, bytes] = {}

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    @property
    def over(self) -> bool:
        return self.play is not None and self.waits is None and (self.play.over or self.play.moves >= self.most)

    @property
    def legal(self) -> list[int]:
        """Return the legal choices, or the outcomes of a draw."""
        if self.waits is not None:
            return [*range(OUTCOMES)]
        assert self.play is not None
        return [] if self.over else self.play.offer.legal

    def after(self, number: int) -> Node:
        """Return the node after a choice or draw. Raises ValueError if it is illegal."""
        if self.waits is not None and not 0 <= number < OUTCOMES:
            raise ValueError(make_message("learning.no_draw", number=number, most=OUTCOMES - 1))
        found = Node(self.form, self.most)
        found.before, found.number, found.play, found.waits = self, number, self.play, self.waits
        if self.waits is None:
            found._choose(number, _Undecided())
            return found
        found.drawn = (*self.drawn, number)
        if len(found.drawn) == DRAWS:
            found._decide()
        return found

    def _decide(self) -> None:
        """Carry out the deal or move that waited for chance."""
        seed = reduce(lambda found, drawn: found * OUTCOMES + drawn, self.drawn, 0)
        number, self.waits, self.drawn = self.waits, None, ()
        if self.play is None:
            self.play = Play(self.form, seed)
        else:
            assert number is not None
            self._choose(number, Chance.stream(seed))

    def _choose(self, number: int, chance: Chance) -> None:
        assert self.play is not None
        play = self.play.copy()
        play.core.chance = chance
        try:
            play.choose(number)
        except _Needed:
            self.waits = number
        else:
            self.play = play

    # ---- what a seat was told --------------------------------------------------------------------------------------

    def digest(self, seat: int) -> bytes:
        """Return a digest that is equal for equal observations and choices of a seat since the beginning."""
        undone, node = list[Node](), self
        while seat not in node._digests and node.before is not None:
            undone.append(node)
            node = node.before
        found = node._digests.setdefault(seat, b"")
        for node in reversed(undone):
            found = node._digests[seat] = node._extend_digest(found, seat)
        return found

    def _extend_digest(self, before: bytes, seat: int) -> bytes:
        """Extend a seat's digest by the information that this node gives it.

        A partial action is known to its player alone. Other seats learn the visible events of the move, but not how many choices composed it.
        """
        assert self.before is not None
        then, words = self.before, sha256(before)
        chose = then.waits is None and then.play is not None and then.play.actor == seat
        if chose:
            words.update(b"chose" + self.number.to_bytes(8, "big"))
        moved = self.play is not None and (then.play is None or self.play.moves > then.play.moves)
        if moved and self.play is not None:
            words.update(b"saw" + self.play.observed(seat).tobytes() + "\n".join(self.play.news(seat)).encode())
        return words.digest() if chose or moved else before

    def numbers(self) -> list[int]:
        """Return all choices and draws in order."""
        return [node.number for node in self._back()][::-1][1:]

    def _back(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None:
            yield node
            node = node.before
