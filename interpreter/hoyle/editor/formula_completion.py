"""Completion inside formulas: declared names, members after a dot, bound names and words of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.diagnostics import localize
from hoyle.editor.analysis import Analysis, load_tree
from hoyle.editor.cursor_context import CursorContext
from hoyle.editor.hover import describe_briefly, find_choice_words
from hoyle.editor.names.resolution import is_in_file
from hoyle.editor.names.symbols import Declaration, Symbol, describe_declaration, find_wording, list_declarations
from hoyle.language.syntax import RESERVED
from hoyle.language.value_types import Row, ValueType, describe_type
from hoyle.language.vocabulary import NAMES, WORDS, name_meaning
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node

_BINDER = re.compile(r"\b(?:some|every|no|for|most|least)\s+(\w+)\s+in\b")
_AFTER_DOT = re.compile(r"(\w+|\))\s*\.\s*\w*\Z")
_AFTER_IS = re.compile(r"(\w+)(?:\s*\([^()]*\))?\s+is\s+(?:not\s+)?\w*\Z")
_MEMBER_IS = re.compile(r"\.\s*(\w+)\s+is\s+(?:not\s+)?\w*\Z")
_NAMED_WHERE_EXPECTED = ("rows", "choices", "moves", "obligations")
"""Categories that formulas name where they are expected, with `_` for blanks."""
_NAMED_ANYWHERE = ("options", "piles", "state", "terms", "tables", "seats")


class Offer(Struct, frozen=True):
    """A completion.

    category  that of a Symbol, or `key`, `choice`, `file`, `keyword`
    detail    the type in a few words
    text      what is inserted; empty: the name
    rank      the likeliest are 0
    """

    name: str
    category: str
    detail: str = ""
    meaning: str = ""
    text: str = ""
    rank: int = 5


class KnownNames:
    """The names of the last analysis of a ruleset that had a tree, and those of one file."""

    def __init__(self, analysis: Analysis, file: str, lang: str) -> None:
        self.analysis, self.file, self.lang = analysis, file, lang
        self.root: Node | None = analysis.root
        self.own: Node | None = load_tree(file, analysis.texts)
        self.symbols: SymbolTable | None = analysis.trace.symbols

    @cached_property
    def declarations(self) -> dict[Symbol, Declaration]:
        """The first declaration of each symbol. The file's own tree has entries that are too damaged for the merged one."""
        trees = [tree for tree in (self.root, self.own) if tree is not None]
        return {entry.symbol: entry for tree in trees for entry in reversed(list_declarations(tree))}

    def offer_section(self, section: str) -> list[Offer]:
        """Offer the entries of a section."""
        return self.offer_category("phases" if section == "flow" else section)

    def offer_category(self, category: str, owner: str | None = None) -> list[Offer]:
        """Offer the symbols of a category, of an owner if one is given."""
        return [
            self.offer(symbol)
            for symbol in self.declarations
            if symbol.category == category and (owner is None or symbol.owner == owner)
        ]

    def offer(self, symbol: Symbol, rank: int = 5) -> Offer:
        """Offer a symbol with its type and meaning."""
        declaration = self.declarations.get(symbol)
        head, meaning = "", ""
        if symbol.category == "choices":
            meaning = find_choice_words(self.symbols, symbol, self.lang)
        else:
            meaning = describe_declaration(declaration, self.lang) if declaration is not None else ""
            meaning = meaning or find_wording(self.root, symbol, self.lang)
        if symbol.category == "terms" and declaration is not None:
            head = " ".join(declaration.key.span.text.split())
        brief = ", ".join(describe_briefly(self.analysis, symbol, self.lang))
        detail = ": ".join(part for part in (head, brief) if part)
        return Offer(symbol.name, symbol.category, detail, meaning, "", rank)

    def describe_type(self, value_type: ValueType | None) -> str:
        return localize(describe_type(value_type), self.lang) if value_type is not None else ""

    def find_bound(self, context: CursorContext) -> dict[str, ValueType | None]:
        """Return the names bound at the cursor, with types as far as the last analysis of the entry knows them."""
        keys = (key.partition("(")[2] for key in context.path if isinstance(key, str))
        bound: dict[str, ValueType | None] = {word: None for key in keys for word in re.findall(r"\w+", key)}
        bound.update(dict.fromkeys(_BINDER.findall(context.text)))
        entry = self._find_entry(context.path)
        for checked in self.analysis.trace.forms if entry is not None else ():
            span = checked.form.span
            if entry is not None and entry.span.start <= span.start <= entry.span.end and is_in_file(span, self.file):
                for name, var in checked.scope.names.items():
                    if bound.get(name) is None:
                        bound[name] = var.type
        return bound

    def _find_entry(self, path: Path) -> Node | None:
        """Return the entry of a section that contains a path. `result` is one entry."""
        node: Node | None = self.own
        for key in path[:2] if path[:1] != ("result",) else path[:1]:
            node = node.get(str(key)) if node is not None else None
        return node


def complete_formula(context: CursorContext, names: KnownNames) -> Iterator[Offer]:
    """Offer what can stand at the cursor in a formula."""
    dotted = _AFTER_DOT.search(context.text)
    bound = names.find_bound(context)
    if dotted:
        yield from _offer_members(dotted[1], bound, names)
        return
    for name, value_type in bound.items():
        yield Offer(name, "locals", names.describe_type(value_type), "", "", 1)
    yield from _offer_compared(context, bound, names)
    for symbol in list(names.declarations):
        if symbol.category in _NAMED_ANYWHERE:
            yield names.offer(symbol, 3)
        elif symbol.category in _NAMED_WHERE_EXPECTED and (name := symbol.name.replace(" ", "_")).isidentifier():
            yield replace(names.offer(symbol, 4), name=name)
    for word, row in WORDS.items():
        yield Offer(word, "words", row.usage, localize(row.meaning, names.lang))
    for word in NAMES:
        yield Offer(word, "words", "", localize(name_meaning(word), names.lang))
    yield from (Offer(word, "keyword", rank=6) for word in sorted(RESERVED))


def _offer_members(owner: str, bound: dict[str, ValueType | None], names: KnownNames) -> Iterator[Offer]:
    """Offer what can follow a dot: rows of a table, choices of an option, columns, attributes of pieces."""
    members = [s for s in names.declarations if s.owner == owner and s.category in ("rows", "choices")]
    value_type = bound.get(owner)
    table = value_type.table if isinstance(value_type, Row) else ""
    yield from (names.offer(symbol, 1) for symbol in members)
    if members and value_type is None:
        return
    for symbol in names.declarations:
        if symbol.category == "columns" and (not table or symbol.owner == table):
            yield names.offer(symbol, 2)
    for piece in names.symbols.pieces.values() if names.symbols is not None and not table else ():
        meaning = names.offer(Symbol("pieces", piece.name)).meaning
        for name, of in piece.attributes.items():
            yield Offer(name, "attributes", names.describe_type(of), meaning, "", 1)
    yield Offer("order", "words", "", localize(name_meaning("order"), names.lang), "", 3)


def _offer_compared(context: CursorContext, bound: dict[str, ValueType | None], names: KnownNames) -> Iterator[Offer]:
    """After `x is`, offer the rows or choices that x may be."""
    comparison = _AFTER_IS.search(context.text)
    if comparison is None:
        return
    owner = _find_owner(comparison[1], bound, names.symbols, _MEMBER_IS.search(context.text) is not None)
    for symbol in names.declarations:
        if owner and symbol.owner == owner and symbol.category in ("rows", "choices"):
            yield names.offer(symbol, 0)


def _find_owner(name: str, bound: dict[str, ValueType | None], symbols: SymbolTable | None, is_member: bool) -> str:
    """Return the table or option whose rows or choices a name may be; empty if it is unknown."""
    if symbols is None:
        return ""
    types: list[ValueType | None] = [bound.get(name)]
    if is_member:
        types = [piece.attributes.get(name) for piece in symbols.pieces.values()]
        types += [table.columns[name].type for table in symbols.tables.values() if name in table.columns]
    else:
        types += [entries[name].type for entries in (symbols.options, symbols.state) if name in entries]
        types += [term.body.type for key, term in symbols.instances.items() if key[:2] == ("term", name)]
    owners = (getattr(value_type, "table", "") or getattr(value_type, "option", "") for value_type in types)
    return next((str(owner) for owner in owners if owner), "")
