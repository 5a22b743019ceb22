"""The names that a formula at some place may use: those of entries, of rows and choices, of the language, and those bound there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.world import World
from hoyle.diagnostics import told
from hoyle.editor.analysis import Analysis, own_tree
from hoyle.editor.cursor_context import Where
from hoyle.editor.hover import briefly, choice_words
from hoyle.editor.names.resolution import stands_in
from hoyle.editor.names.symbols import Declared, Symbol, declared, in_words, meaning
from hoyle.language.kinds import Kind, Row, describe
from hoyle.language.syntax import RESERVED
from hoyle.language.vocabulary import NAMES, WORDS, name_meaning
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node


class Offer(Struct, frozen=True):
    """What could stand there: its name, what sort of thing it is (of SECTIONS, or `key`, `choice`, `file`), a word on its kind, a line of
    meaning, and what is written (empty: the name)."""

    name: str
    sort: str
    detail: str = ""
    meaning: str = ""
    text: str = ""
    rank: int = 5


_BINDER = re.compile(r"\b(?:some|every|no|for|most|least)\s+(\w+)\s+in\b")
_DOT = re.compile(r"(\w+|\))\s*\.\s*\w*\Z")
_IS = re.compile(r"(\w+)(?:\s*\([^()]*\))?\s+is\s+(?:not\s+)?\w*\Z")
_NAMED_THERE = ("rows", "choices", "moves", "obligations")
"""What formulas name where it is expected, with `_` for blanks."""
_FORMULA_SORTS = ("options", "piles", "state", "terms", "tables", "seats")


class Names:
    """What the last sound analysis of a ruleset has names for."""

    def __init__(self, analysis: Analysis, file: str, lang: str) -> None:
        self.analysis, self.file, self.lang = analysis, file, lang
        self.root: Node | None = analysis.root
        self.own: Node | None = own_tree(file, analysis.texts)
        self.world: World | None = analysis.hearing.world

    @cached_property
    def declared(self) -> dict[Symbol, Declared]:
        """Of the file alone, too: what is half written is left out of the whole."""
        trees = [tree for tree in (self.root, self.own) if tree is not None]
        return {d.symbol: d for tree in trees for d in reversed(declared(tree))}

    def section(self, name: str) -> list[Offer]:
        """The entries of a section."""
        sort = "phases" if name == "flow" else name
        return [self.offer(symbol) for symbol in self.declared if symbol.sort == sort]

    def columns(self, table: str) -> list[Offer]:
        return [self.offer(s) for s in self.declared if s.sort == "columns" and s.owner == table]

    def choices(self, option: str) -> list[Offer]:
        return [self.offer(s) for s in self.declared if s.sort == "choices" and s.owner == option]

    def offer(self, symbol: Symbol, rank: int = 5) -> Offer:
        """A name with its kind and a line of meaning."""
        found = self.declared.get(symbol)
        said = meaning(found, self.lang) if found is not None and symbol.sort != "choices" else ""
        said = said or in_words(self.root, symbol, self.lang)
        if symbol.sort == "choices":
            said = choice_words(self.world, symbol, self.lang)
        return Offer(symbol.name, symbol.sort, self.detail(symbol), said, "", rank)

    def detail(self, symbol: Symbol) -> str:
        """What kind of thing it is, in a few words."""
        found = self.declared.get(symbol)
        head = " ".join(found.key.span.text.split()) if found is not None and symbol.sort == "terms" else ""
        lines = briefly(self.analysis, symbol, self.lang)
        return ": ".join(part for part in (head, ", ".join(lines)) if part)

    # ---- what is bound -----------------------------------------------------------------------------------------------

    def bound(self, here: Where) -> dict[str, Kind | None]:
        """The names that are bound there: by the entry, as it was when it was last sound, by its key, and by the formula so far."""
        found: dict[str, Kind | None] = dict.fromkeys(_parameters(here.path))
        found.update(dict.fromkeys(_BINDER.findall(here.said)))
        entry = self._entry(here.path)
        for heard in self.analysis.hearing.forms if entry is not None else ():
            span = heard.form.span
            if entry is not None and entry.span.start <= span.start <= entry.span.end and stands_in(span, self.file):
                for name, var in heard.scope.names.items():
                    if found.get(name) is None:
                        found[name] = var.kind
        return found

    def _entry(self, path: Path) -> Node | None:
        """The entry of a section that the path leads into."""
        node: Node | None = self.own
        for key in path[:2] if path[:1] != ("result",) else path[:1]:
            node = node.get(str(key)) if node is not None else None
        return node


def names_of(analysis: Analysis, file: str, lang: str) -> Names:
    return Names(analysis, file, lang)


def _parameters(path: Path) -> list[str]:
    """What the key of a term or of a column binds."""
    words = [re.findall(r"\w+", key.partition("(")[2]) for key in path if isinstance(key, str) and "(" in key]
    return [word for several in words for word in several]


def formula_names(here: Where, names: Names) -> Iterator[Offer]:
    """What a formula could go on with."""
    dotted = _DOT.search(here.said)
    if dotted:
        yield from _behind_dot(dotted[1], here, names)
        return
    bound = names.bound(here)
    for name, kind in bound.items():
        yield Offer(name, "locals", _said(kind, names.lang), "", "", 1)
    yield from _wanted(here, bound, names)
    for symbol in list(names.declared):
        if symbol.sort in _FORMULA_SORTS:
            yield names.offer(symbol, 3)
        elif symbol.sort in _NAMED_THERE and (written := symbol.name.replace(" ", "_")).isidentifier():
            yield replace(names.offer(symbol, 4), name=written)
    for word, row in WORDS.items():
        yield Offer(word, "words", row.usage, told(row.meaning, names.lang), "", 5)
    for word in NAMES:
        yield Offer(word, "words", "", told(name_meaning(word), names.lang), "", 5)
    yield from (Offer(word, "keyword", "", "", "", 6) for word in sorted(RESERVED))


def _said(kind: Kind | None, lang: str) -> str:
    return told(describe(kind), lang) if kind is not None else ""


def _behind_dot(owner: str, here: Where, names: Names) -> Iterator[Offer]:
    """Attributes and columns; of the name of a table its rows, of an option its choices."""
    symbols = [s for s in names.declared if s.owner == owner and s.sort in ("rows", "choices")]
    kind = names.bound(here).get(owner)
    table = kind.table if isinstance(kind, Row) else ""
    yield from (names.offer(s, 1) for s in symbols)
    if symbols and kind is None:
        return
    for symbol in names.declared:
        if symbol.sort == "columns" and (not table or symbol.owner == table):
            yield names.offer(symbol, 2)
    world = names.world
    for piece in world.pieces.values() if world is not None and not table else ():
        for name, of in piece.attributes.items():
            yield Offer(
                name, "attributes", _said(of, names.lang), names.offer(Symbol("pieces", piece.name)).meaning, "", 1
            )
    yield Offer("order", "words", "", told(name_meaning("order"), names.lang), "", 3)


def _wanted(here: Where, bound: dict[str, Kind | None], names: Names) -> Iterator[Offer]:
    """Behind `x is` the rows or choices of what x is."""
    found = _IS.search(here.said)
    if found is None:
        return
    dotted = re.search(r"\.\s*(\w+)\s+is\s+(?:not\s+)?\w*\Z", here.said)
    owner = _owner(found[1], bound, names, dotted is not None)
    yield from (
        names.offer(s, 0) for s in names.declared if owner and s.owner == owner and s.sort in ("rows", "choices")
    )


def _owner(name: str, bound: dict[str, Kind | None], names: Names, dotted: bool) -> str:
    """The table or option whose rows or choices a name may be."""
    world = names.world
    if world is None:
        return ""
    kinds: list[Kind | None] = [bound.get(name)]
    if dotted:
        kinds = [p.attributes.get(name) for p in world.pieces.values()]
        kinds += [t.columns[name].kind for t in world.tables.values() if name in t.columns]
    else:
        kinds += [known[name].kind for known in (world.options, world.state) if name in known]
        kinds += [i.body.kind for key, i in world.instances.items() if key[:2] == ("term", name)]
    for kind in kinds:
        of = getattr(kind, "table", "") or getattr(kind, "option", "")
        if of:
            return str(of)
    return ""
