"""Names and looks that a picture needs besides the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hoyle.language.sentences import FALLBACK, Sentence, fill_sentence


class PieceLook(Struct, frozen=True):
    """Look of a class of piece.

    shape   `card`, `die`, `disc` or `cube`
    parts   symbols of its rows, the first for the corner of a card
    figure  number of pips, or name of a figure
    suit    shape of the suit, if there is one
    colour  row of its `colour`, or its owner's seat"""

    sign: str
    text: str
    name: str
    shape: str
    parts: tuple[str, ...]
    figure: str
    suit: str
    colour: str


class Names(Struct, frozen=True):
    """Words of a ruleset in a language, and looks of its pieces.

    labels   words by name space, as from `Game.labels`
    keys     name spaces of the keys of each family
    symbols  signs of rows by name space
    faces    looks of pieces by sign
    stacks   families of piles of which only the top is seen; `hands` and `middle` are others
    holds    shape of the pieces of each family
    cubes    values of the state that are cubes"""

    seats: tuple[str, ...] = ()
    labels: Mapping[str, Mapping[str, str]] = {}
    keys: Mapping[str, Sequence[Sequence[str]]] = {}
    faces: Mapping[str, PieceLook] = {}
    symbols: Mapping[str, Mapping[str, str]] = {}
    stacks: frozenset[str] = frozenset()
    hands: frozenset[str] = frozenset()
    middle: frozenset[str] = frozenset()
    holds: Mapping[str, str] = {}
    cubes: frozenset[str] = frozenset()
    title: str = ""
    lang: str = FALLBACK

    def label(self, name: object, *spaces: str) -> str:
        """Return the words for a name in the first of these name spaces that has them; else the name."""
        known = (self.labels[space].get(str(name)) for space in spaces if space in self.labels)
        return next(filter(None, known), str(name).replace("_", " "))

    def seat(self, name: object) -> str:
        return self.label(name, "seats")

    def member(self, family: str, member: str) -> list[str]:
        """Return the words for each key of a member: two for `A of plis`. The players of a pair are joined."""
        spaces = self.keys.get(family, ())
        keys = member.split(" of ")
        named = zip(keys, [*spaces, *[()] * (len(keys) - len(spaces))], strict=False)
        return ["-".join(self.label(word, *known) for word in key.split(" ")) for key, known in named]

    def symbol(self, family: str, member: str | None) -> str:
        """Return the symbol of the row that a pile belongs to; empty if there is none."""
        spaces = self.keys.get(family, ())
        found = (
            self.symbols[space].get(member or "", "")
            for space in (spaces[0] if len(spaces) == 1 else ())
            if space in self.symbols
        )
        return next(found, "")

    def say(self, key: str, **values: object) -> str:
        return fill_sentence(Sentence(f"picture.{key}")[self.lang], self.lang, values)
