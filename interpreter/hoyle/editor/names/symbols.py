"""Names that a ruleset declares: entries of its sections, rows, columns, choices and seats. Also the outline of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.sentences import FALLBACK
from hoyle.language.value_types import SIDES
from hoyle.reading.tree import Node, is_text_key, text_nodes

SECTIONS = {
    "options": "options",
    "constraints": "constraints",
    "tables": "tables",
    "pieces": "pieces",
    "piles": "piles",
    "state": "state",
    "terms": "terms",
    "moves": "moves",
    "obligations": "obligations",
    "flow": "phases",
    "whenever": "whenever",
    "clauses": "clauses",
    "examples": "examples",
}
"""Sections of named entries, with the category of their names."""


class Symbol(Struct, frozen=True):
    """A named thing.

    category  one of SECTIONS, or `rows`, `columns`, `choices`, `attributes`, `seats`, `words`, `locals`
    name      as formulas write it; as the file writes it if formulas do not name it
    owner     the table of a row or column, the option of a choice, the piece of an attribute
    """

    category: str
    name: str
    owner: str = ""


class Declaration(Struct, frozen=True):
    """A place where a file declares a symbol: the span of the name alone, the key and the value."""

    symbol: Symbol
    name: Span
    key: Node
    value: Node


def list_declarations(root: Node) -> list[Declaration]:
    """Return all declarations in the tree of one file or of a merged ruleset."""
    return list(_iterate_declarations(root)) if root.kind == "map" else []


def _iterate_declarations(root: Node) -> Iterator[Declaration]:
    for section, category in SECTIONS.items():
        node = root.get(section)
        for name, key, value in node.entries() if node is not None else ():
            symbol = Symbol(category, name.split("(")[0].strip() if category == "terms" else name)
            yield Declaration(symbol, find_name_span(key), key, value)
            yield from _iterate_members(symbol, value)
    players = root.get("players")
    if players is not None and players.kind == "map":
        for seat in players.items_of("seats"):
            yield Declaration(Symbol("seats", seat.raw), seat.span, seat, seat)
        sides = players.get("sides")
        for name, key, value in sides.entries() if sides is not None and sides.kind == "map" else ():
            yield Declaration(Symbol("rows", name, SIDES), find_name_span(key), key, value)


def _iterate_members(symbol: Symbol, node: Node) -> Iterator[Declaration]:
    """Yield the choices of an option, or the rows and columns of a table."""
    if node.kind != "map":
        return
    if symbol.category == "options":
        for item in node.items_of("choices"):
            yield Declaration(Symbol("choices", item.raw, symbol.name), item.span, item, item)
    if symbol.category == "tables":
        for category in ("rows", "columns"):
            inner = node.get(category)
            for name, key, value in inner.entries() if inner is not None else ():
                member = Symbol(category, name.split("(")[0].strip(), symbol.name)
                yield Declaration(member, find_name_span(key), key, value)


def find_name_span(key: Node) -> Span:
    """Return the span of a key without parameters and quotation marks: `fits` of `fits(card, to)`."""
    match = re.match(r"[^(]*[^(\s]", key.raw)
    return key.span_of_slice(0, match.end() if match else len(key.raw))


def list_parameters(key: Node) -> list[tuple[str, Span]]:
    """Return the parameters of a term or column with their spans in its key."""
    head, bracket, rest = key.raw.partition("(")
    start = len(head) + len(bracket)
    words = re.finditer(r"\w+", rest.partition(")")[0])
    return [(word[0], key.span_of_slice(start + word.start(), start + word.end())) for word in words]


# ---- meanings --------------------------------------------------------------------------------------------------------


def describe_declaration(declaration: Declaration, lang: str) -> str:
    """Return the words of an entry in a language, the sentence of its rule, or the comment beside it."""
    value = declaration.value
    for node in (value, value.get("rule") if value.kind == "map" else None):
        if node is not None and node.kind == "map" and text_nodes(node):
            return _get_text(node, lang)
    text, end = declaration.key.span.source.text, declaration.key.span.end
    if value.kind == "scalar" and value.span.source is declaration.key.span.source:
        end = max(end, value.span.end)
    line_end = text.find("\n", end)
    comment = re.search(r"(?:^|\s)#\s*(.*)", text[end : line_end if line_end >= 0 else len(text)])
    return comment[1].strip() if comment else ""


def find_wording(root: Node | None, symbol: Symbol, lang: str) -> str:
    """Return the words of a term or column from `in_words`; empty if there are none."""
    section = root.get("in_words") if root is not None else None
    name = f"{symbol.owner}.{symbol.name}" if symbol.category == "columns" else symbol.name
    for key, _, value in section.entries() if section is not None and symbol.category in ("terms", "columns") else ():
        if key.partition("(")[0].strip() == name and value.kind == "map":
            return _get_text(value, lang)
    return ""


def _get_text(node: Node, lang: str) -> str:
    texts = text_nodes(node)
    text = texts.get(lang) or texts.get(FALLBACK)
    return " ".join(text.raw.split()) if text is not None else ""


# ---- outline ---------------------------------------------------------------------------------------------------------

_DEPTHS = {"tables": 3, "flow": 6, "options": 2, "examples": 2}
"""Levels of names in the outline of a section. Default: 2, the section and its entries."""
_SECTIONS_OF_STEPS = ("flow", "whenever")
_SECTIONS_WITHOUT_NAMES = ("source", "set", "needs", "result", "players")
_HIDDEN_KEYS = ("rule", "at", "before", "after", "words")


class OutlineItem(Struct, frozen=True):
    """A name in the outline, its section, its level (1: a section), and the spans of the name and of the whole entry."""

    name: str
    section: str
    level: int
    name_span: Span
    whole: Span
    inside: tuple[OutlineItem, ...] = ()


def build_outline(root: Node) -> list[OutlineItem]:
    """Return the tree of names of one file."""
    entries = root.entries() if root.kind == "map" else ()
    return [_build_item(name, name, key, value, 1) for name, key, value in entries]


def _build_item(section: str, name: str, key: Node, value: Node, level: int) -> OutlineItem:
    whole = Span(key.span.source, key.span.start, max(key.span.end, value.span.end))
    inside: list[OutlineItem] = []
    if section not in _SECTIONS_WITHOUT_NAMES and value.kind == "map" and level < _DEPTHS.get(section, 2):
        for inner_name, inner_key, inner in value.entries():
            is_plain_step = section in _SECTIONS_OF_STEPS and inner.kind != "map" and level > 1
            if not is_text_key(inner_name) and inner_name not in _HIDDEN_KEYS and not is_plain_step:
                inside.append(_build_item(section, inner_name, inner_key, inner, level + 1))
    return OutlineItem(name, section, level, key.span, whole, tuple(inside))


def list_folds(node: Node) -> list[Span]:
    """Return the spans of all entries of more than one line."""
    folds = []
    for _, key, value in node.entries() if node.kind == "map" else ():
        if "\n" in value.span.source.text[key.span.start : value.span.end]:
            folds.append(Span(key.span.source, key.span.start, value.span.end))
        folds += list_folds(value)
    for item in node.items:
        folds += list_folds(item)
    return folds
