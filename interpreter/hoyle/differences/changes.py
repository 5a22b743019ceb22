"""Differences between two rulesets as data: a `Change` for each entry, with its details and consequences."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.model import Texts

Kind = Literal["added", "removed", "replaced", "moved", "renamed", "applies", "lapses"]
"""`moved`: the order changed. `applies` and `lapses`: written on both sides, but the options switch it on or off."""

OPPOSITE: dict[Kind, Kind] = {
    "added": "removed",
    "removed": "added",
    "replaced": "replaced",
    "moved": "moved",
    "renamed": "renamed",
    "applies": "lapses",
    "lapses": "applies",
}
"""The kind of the same change seen from the other side."""


class Side(Struct, frozen=True):
    """An entry or part of one, as one of the rulesets has it.

    key     name in the file
    called  name for people, by language; empty if there is none
    bears   for a term without words, where it is used
    source  the text in one line
    value   by language, an option's value or a formula in words; empty if unknown
    said    the rule's sentence and its clauses, by language
    at      cited clauses
    items   for a list, its items as written and their names by language
    span    its place, or None if it comes from the command line
    """

    key: str = ""
    called: Texts = ()
    bears: Texts = ()
    source: str = ""
    value: Texts = ()
    said: Texts = ()
    at: str = ""
    items: tuple[str, ...] = ()
    items_called: tuple[Texts, ...] = ()
    span: Span | None = None

    def shown(self, lang: str) -> str:
        """Return the value or sentence in a language, or an empty text."""
        return dict(self.value).get(lang, "")

    def name(self, lang: str) -> str:
        """Return the name for people in a language, or an empty text."""
        return dict(self.called).get(lang, "")

    def names(self, lang: str) -> list[str]:
        """Return the names of the list's items."""
        return [dict(texts).get(lang, "") for texts in self.items_called]


class Detail(Struct, frozen=True):
    """A part of an entry that differs, with its path inside the entry."""

    kind: Kind
    path: tuple[str, ...]
    before: Side | None
    after: Side | None


class Change(Struct, frozen=True):
    """An entry that differs: its section and path. `before` is None if it was added, `after` if it was removed.

    details    the parts that differ, if both sides have the entry
    follows    rules that apply or lapse because of it
    helpers    terms of one side that only this entry uses
    also       entries with the same change, because they are `like` this one
    in_force   whether it affects play under the options of either side
    """

    kind: Kind
    section: str
    path: tuple[str, ...]
    before: Side | None
    after: Side | None
    details: tuple[Detail, ...] = ()
    follows: tuple[Change, ...] = ()
    helpers: tuple[Change, ...] = ()
    also: tuple[Change, ...] = ()
    in_force: bool = True

    @property
    def side(self) -> Side:
        """Return the new side, or the old one if the entry was removed."""
        found = self.after or self.before
        assert found is not None
        return found
