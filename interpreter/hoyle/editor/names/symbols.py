"""What a ruleset gives names to, and where: the entries of its sections, rows, columns, choices and seats."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.kinds import SIDES
from hoyle.language.sentences import FALLBACK
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
"""Sections of named entries, and the sort of these."""


class Symbol(Struct, frozen=True):
    """A thing with a name. `sort`: that of SECTIONS, or `rows`, `columns` (of the table `owner`), `choices` (of an option), `attributes` (of a
    piece), `seats`, `words`, `locals`. `name` is as formulas write it; of what they do not name, as it is written."""

    sort: str
    name: str
    owner: str = ""


class Declared(Struct, frozen=True):
    """A symbol where a file gives it its name: the stretch that is the name alone, the key and what it says."""

    symbol: Symbol
    name: Span
    key: Node
    value: Node


def declared(root: Node) -> list[Declared]:
    """Everything that a tree, of one file or joined of several, gives names to."""
    return list(_declared(root)) if root.kind == "map" else []


def _declared(root: Node) -> Iterator[Declared]:
    for section, sort in SECTIONS.items():
        node = root.get(section)
        for name, key, value in node.entries() if node is not None else ():
            symbol = Symbol(sort, name.split("(")[0].strip() if sort == "terms" else name)
            yield Declared(symbol, name_span(key), key, value)
            yield from _inside(symbol, value)
    players = root.get("players")
    if players is not None and players.kind == "map":
        yield from (Declared(Symbol("seats", seat.raw), seat.span, seat, seat) for seat in players.items_of("seats"))
        sides = players.get("sides")
        for name, key, value in sides.entries() if sides is not None and sides.kind == "map" else ():
            yield Declared(Symbol("rows", name, SIDES), name_span(key), key, value)


def _inside(symbol: Symbol, node: Node) -> Iterator[Declared]:
    """The choices of an option, the rows and columns of a table."""
    if node.kind != "map":
        return
    if symbol.sort == "options":
        for item in node.items_of("choices"):
            yield Declared(Symbol("choices", item.raw, symbol.name), item.span, item, item)
    if symbol.sort == "tables":
        for key, sort in (("rows", "rows"), ("columns", "columns")):
            inner = node.get(key)
            for name, place, value in inner.entries() if inner is not None else ():
                yield Declared(Symbol(sort, name.split("(")[0].strip(), symbol.name), name_span(place), place, value)


def name_span(key: Node) -> Span:
    """Of `fits(card, to)` the `fits`; of what stands in quotes what is between them."""
    found = re.match(r"[^(]*[^(\s]", key.raw)
    return key.stretch(0, found.end() if found else len(key.raw))


def parameters(key: Node) -> list[tuple[str, Span]]:
    """What a term or a column takes, and where its key says so."""
    head, bracket, rest = key.raw.partition("(")
    start = len(head) + len(bracket)
    words = re.finditer(r"\w+", rest.partition(")")[0])
    return [(w[0], key.stretch(start + w.start(), start + w.end())) for w in words]


def meaning(found: Declared, lang: str) -> str:
    """A line on what it is: its words in a language, the sentence of its rule, or the comment beside it."""
    for node in (found.value, found.value.get("rule") if found.value.kind == "map" else None):
        if node is None or node.kind != "map":
            continue
        texts = text_nodes(node)
        if texts:
            said = texts.get(lang) or texts.get(FALLBACK)
            return " ".join(said.raw.split()) if said is not None else ""
    return _comment(found)


def in_words(root: Node | None, symbol: Symbol, lang: str) -> str:
    """How books say a term, or a column of a table; empty where nothing is said."""
    section = root.get("in_words") if root is not None else None
    name = f"{symbol.owner}.{symbol.name}" if symbol.sort == "columns" else symbol.name
    for key, _, value in section.entries() if section is not None and symbol.sort in ("terms", "columns") else ():
        if key.partition("(")[0].strip() == name and value.kind == "map":
            texts = text_nodes(value)
            said = texts.get(lang) or texts.get(FALLBACK)
            return " ".join(said.raw.split()) if said is not None else ""
    return ""


def _comment(found: Declared) -> str:
    text, end = found.key.span.source.text, found.key.span.end
    if found.value.kind == "scalar" and found.value.span.source is found.key.span.source:
        end = max(end, found.value.span.end)
    line_end = text.find("\n", end)
    beside = re.search(r"(?:^|\s)#\s*(.*)", text[end : line_end if line_end >= 0 else len(text)])
    return beside[1].strip() if beside else ""


_STEPS = ("flow", "whenever")
_DEPTH = {"tables": 3, "flow": 6, "options": 2, "examples": 2}
"""How many levels of names are shown; elsewhere 2: the section and its entries."""
_WITHOUT_NAMES = ("source", "set", "needs", "result", "players")
_QUIET = ("rule", "at", "before", "after", "words")


class Item(Struct, frozen=True):
    """A name with what it is in (the section), where it stands and how far it goes."""

    name: str
    section: str
    level: int
    name_span: Span
    whole: Span
    inside: tuple[Item, ...] = ()


def outline(root: Node) -> list[Item]:
    """The tree of names of one file."""
    if root.kind != "map":
        return []
    return [_item(name, name, key, value, 1) for name, key, value in root.entries()]


def _item(section: str, name: str, key: Node, value: Node, level: int) -> Item:
    whole = Span(key.span.source, key.span.start, max(key.span.end, value.span.end))
    inside = tuple(_inner_items(section, value, level + 1)) if section not in _WITHOUT_NAMES else ()
    return Item(name, section, level, key.span, whole, inside)


def _inner_items(section: str, node: Node, level: int) -> Iterator[Item]:
    if node.kind != "map" or level > _DEPTH.get(section, 2):
        return
    for name, key, value in node.entries():
        if (
            not is_text_key(name)
            and name not in _QUIET
            and not (section in _STEPS and value.kind != "map" and level > 2)
        ):
            yield _item(section, name, key, value, level)


def folds(root: Node) -> list[Span]:
    """What goes over several lines, each from its key on."""
    return [Span(key.span.source, key.span.start, value.span.end) for key, value in _blocks(root)]


def _blocks(node: Node) -> Iterator[tuple[Node, Node]]:
    for _, key, value in node.entries() if node.kind == "map" else ():
        if "\n" in value.span.source.text[key.span.start : value.span.end]:
            yield key, value
        yield from _blocks(value)
    for item in node.items:
        yield from _blocks(item)
