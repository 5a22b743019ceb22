"""What differs between two rulesets, as data: one `Change` for each entry, with what of it differs (`details`) and what only comes of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.model import Texts

Kind = Literal["added", "removed", "replaced", "moved", "renamed", "applies", "lapses"]
"""What became of an entry: `moved` stands elsewhere among its like; what `applies` or `lapses` is written in both, and the options decide
whether it is ever done, offered or obeyed."""

OPPOSITE: dict[Kind, Kind] = {
    "added": "removed",
    "removed": "added",
    "replaced": "replaced",
    "moved": "moved",
    "renamed": "renamed",
    "applies": "lapses",
    "lapses": "applies",
}
"""What each is, seen from the other side."""


class Side(Struct, frozen=True):
    """An entry, or a part of one, as one of the two rulesets has it.

    key     what it is known by in the file
    called  its name as people read it, by language; nothing where it has none for them
    bears   of a term without words of its own, on what it bears
    source  the text as it is written, in one line
    value   by language, of an option its value, of a formula what it says; nothing where that is not known
    said    the sentence of its rule and what the clauses of the source say of it, by language
    at      the clauses that it cites
    items   of a list, as they are written, and what they are called, by language
    span    where it stands; None where the command line says it
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
        """What it says in words of this language; nothing where it has none."""
        return dict(self.value).get(lang, "")

    def name(self, lang: str) -> str:
        """What it is called in this language; nothing where only its author calls it something."""
        return dict(self.called).get(lang, "")

    def names(self, lang: str) -> list[str]:
        """What the items of a list are called."""
        return [dict(texts).get(lang, "") for texts in self.items_called]


class Detail(Struct, frozen=True):
    """A part of an entry: the path to it from there."""

    kind: Kind
    path: tuple[str, ...]
    before: Side | None
    after: Side | None


class Change(Struct, frozen=True):
    """An entry that differs: its section and path there. `before` is absent of what was added, `after` of what was removed.

    details    the parts that differ, where it is in both
    follows    what applies or lapses because of it
    helpers    terms that only one of the two has, and that nothing else there needs
    also       other entries that differ in the same, because they are made `like` this one
    in_force   does it bear on play with the options of one of the two?
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
        """As the second has it, or as the first had it where the second has it no more."""
        found = self.after or self.before
        assert found is not None
        return found
