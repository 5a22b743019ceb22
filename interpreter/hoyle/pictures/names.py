"""What a picture knows besides the view: the words of the game in a language, and how its pieces look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from hoyle.language.sentences import FALLBACK, Sentence, filled


class Face(Protocol):
    """How one sort of piece looks: its `shape` is a card, a die, a disc or a cube; its name in words; the signs of its rows, the first for
    the corner of a card and the others with it; the number of its pips or the name of its figure; the shape of its suit, if that is known; and its
    colour."""

    @property
    def sign(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> str: ...
    @property
    def parts(self) -> tuple[str, ...]: ...
    @property
    def figure(self) -> str: ...
    @property
    def suit(self) -> str: ...
    @property
    def colour(self) -> str: ...


class Names(Struct, frozen=True):
    """The words of the ruleset by name space, as `Game.labels` has them; `keys` are the name spaces of the members of each family, by key;
    `symbols` what rows have for signs, as `labels` has their words; `faces` those of the pieces by their signs. Of families of piles: those
    that lie in `stacks`, of which only the top is seen, those that are `hands`, those that lie in the `middle`, and the shape of what each
    `holds`. `cubes` are the values of the state that are cubes."""

    seats: tuple[str, ...] = ()
    labels: Mapping[str, Mapping[str, str]] = {}
    keys: Mapping[str, Sequence[Sequence[str]]] = {}
    faces: Mapping[str, Face] = {}
    symbols: Mapping[str, Mapping[str, str]] = {}
    stacks: frozenset[str] = frozenset()
    hands: frozenset[str] = frozenset()
    middle: frozenset[str] = frozenset()
    holds: Mapping[str, str] = {}
    cubes: frozenset[str] = frozenset()
    title: str = ""
    lang: str = FALLBACK

    def label(self, name: object, *spaces: str) -> str:
        """The words for a name of the first of these name spaces that has them; else the name itself."""
        known = (self.labels[space].get(str(name)) for space in spaces if space in self.labels)
        return next(filter(None, known), str(name).replace("_", " "))

    def seat(self, name: object) -> str:
        return self.label(name, "seats")

    def member(self, family: str, member: str) -> list[str]:
        """What each key of a member of a family is called: of `A of plis` two; the two players of a pair belong together."""
        spaces = self.keys.get(family, ())
        keys = member.split(" of ")
        named = zip(keys, [*spaces, *[()] * (len(keys) - len(spaces))], strict=False)
        return ["-".join(self.label(word, *known) for word in key.split(" ")) for key, known in named]

    def symbol(self, family: str, member: str | None) -> str:
        """What the row that tells a pile from its family's others has for a sign; empty where there is none."""
        spaces = self.keys.get(family, ())
        found = (
            self.symbols[space].get(member or "", "")
            for space in (spaces[0] if len(spaces) == 1 else ())
            if space in self.symbols
        )
        return next(found, "")

    def say(self, key: str, **values: object) -> str:
        return filled(Sentence(f"picture.{key}")[self.lang], self.lang, values)
