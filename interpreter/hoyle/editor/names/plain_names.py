"""Names outside formulas: in lists, tables, `set`, hints, examples, texts for players and files of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.editor.names.symbols import SECTIONS, Symbol, find_name_span
from hoyle.language.value_types import SIDES
from hoyle.reading.shape import Path, formulas
from hoyle.reading.tree import Node
from hoyle.running.naming import slug

NAME_LISTS = {
    **dict.fromkeys(("choose", "play", "prefer", "over", "until", "like", "unasked"), "moves"),
    "obey": "obligations",
    **dict.fromkeys(("run", "skip", "leave", "during", "turns", "renewed"), "phases"),
    **dict.fromkeys(("gather", "holds"), "pieces"),
}
"""Keys under which entries are listed by name, with their category."""
_ENTRIES = ("options", "tables", "piles", "state", "terms")
"""Categories that a brace in a text may name alone. Other names alone are those that a move binds."""
_IN_FORMULAS = (*_ENTRIES, "rows", "columns", "choices", "attributes", "seats")
"""Categories that formulas name."""
_UNTRACED_KINDS = ("domain", "kind", "place", "label", "pile", "piles", "pieces")
"""Kinds of formulas of which the trace of a check has nothing."""
_PLACES = (
    ("options", "key", "set/*"),
    ("choices", "value", "set/OWNER"),
    ("choices", "value", "options/OWNER/default"),
    ("choices", "key", "options/OWNER/words/*"),
    ("columns", "key", "tables/OWNER/rows/*/*"),
    ("columns", "key", "tables/OWNER/defaults/*"),
    ("rows", "value", "tables/OWNER/order/*"),
    ("tables", "value", "pieces/*/of"),
    ("tables", "value", "pieces/*/of/*"),
    ("piles", "value", "pieces/*/from"),
    ("tables pieces", "value", "state/*/each/*"),
    ("seats", "value", "players/sides/*/*"),
    ("seats", "key", "players/words/*"),
    ("piles state tables", "key", "display/*"),
    ("rows", "key", "display/OWNER/figures/*"),
    ("piles", "value", "display/*/bar"),
    ("piles", "value", "display/*/off"),
    ("clauses", "key", "notes/*"),
    ("options", "key", "unaffected/*/*"),
)
"""Categories that are named by the key or the value at a path. `OWNER` is the owner of the symbol."""
_WORD = r"[^\W\d]\w*"
_STEP = r"[^/\s](?:[^/]*[^/\s])?"
"""A part of a path that is separated by slashes, without blanks around it."""


class Use(Struct, frozen=True):
    """A place where a symbol is named. `in_move`: in the id of a move; `is_singular`: as one row of the table."""

    span: Span
    in_move: bool = False
    is_singular: bool = False


def find_plain_uses(root: Node, symbol: Symbol, is_wording: bool, merged: Node | None = None) -> list[Use]:
    """Return the uses of a symbol outside formulas in one file. `merged`: the merged tree of the ruleset."""
    spans = _find_in_wording(root, symbol, merged) if is_wording else _find_in_ruleset(root, symbol, merged)
    uses = {span.start: Use(span) for span in spans}
    if not is_wording:
        uses |= {span.start: Use(span, in_move=True) for span in _find_in_moves(root, symbol)}
    return list(uses.values())


# ---- spans in nodes --------------------------------------------------------------------------------------------------


def _walk(node: Node | None, path: Path = ()) -> Iterator[tuple[Path, Node | None, Node]]:
    """Yield every value below a node with its path and its key, if it has one."""
    if node is None:
        return
    for name, key, value in node.entries() if node.kind == "map" else ():
        yield (*path, name), key, value
        yield from _walk(value, (*path, name))
    for number, item in enumerate(node.items):
        yield (*path, number), None, item
        yield from _walk(item, (*path, number))


def _match_whole(node: Node | None, name: str) -> Iterator[Span]:
    """Yield the span of a scalar or key that is this name."""
    if node is not None and node.kind == "scalar" and node.raw == name:
        yield find_name_span(node) if node.style else node.span


def _split(node: Node, pattern: str) -> list[Span]:
    """Return the spans of the matches of a pattern in a scalar."""
    if node.kind != "scalar":
        return []
    return [node.span_of_slice(*match.span()) for match in re.finditer(pattern, node.raw)]


def _match_words(node: Node, name: str) -> Iterator[Span]:
    """Yield the parts of a scalar between blanks that are this name."""
    yield from (span for span in _split(node, r"\S+") if span.text == name)


def _match_in_formula(node: Node | None, symbol: Symbol) -> Iterator[Span]:
    """Yield the words of an untraced formula that may name a symbol: members after a dot, entries without one."""
    names = (symbol.name, symbol.name.replace(" ", "_"))
    for span in _split(node, _WORD) if node is not None else ():
        text = span.source.text
        is_member = text[: span.start].rstrip().endswith(".")
        is_value = symbol.category in ("rows", "choices")
        if span.text not in names or (is_value and text[span.end : span.end + 1] == "("):
            continue
        if is_member == (symbol.category in ("columns", "attributes")) or (is_member and is_value):
            yield span


# ---- rulesets --------------------------------------------------------------------------------------------------------


def _find_in_ruleset(root: Node, symbol: Symbol, merged: Node | None) -> Iterator[Span]:
    for path, key, value in _walk(root):
        if path[0] == "examples" and len(path) > 2:
            yield from _match_example(path, key, value, symbol, merged)
        else:
            yield from _match_entry(path, key, value, symbol)
    if symbol.category in ("tables", "pieces", "piles", "state", "options"):
        kinds = ("domain", "kind") if symbol.category == "pieces" else _UNTRACED_KINDS
        for place in formulas(root):
            if place.kind in kinds and place.path[0] != "examples":
                yield from _match_in_formula(place.node, symbol)
    yield from _find_in_texts(root, symbol, merged)


def _match_entry(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """Yield uses in one value of a ruleset, or in its key."""
    category, name = symbol.category, symbol.name
    last = next(part for part in reversed(path) if isinstance(part, str))
    is_listed = NAME_LISTS.get(last) == category
    is_sibling = last in ("before", "after") and _find_category(path[:-2]) == category
    is_needed = path[0] == "needs" and len(path) > 2 and SECTIONS.get(str(path[1])) == category
    if is_listed or is_sibling or is_needed:
        yield from _match_whole(value, name)
    if category == "clauses" and path[-1] in ("at", "shows"):
        yield from _match_words(value, name)
    yield from _match_place(path, key, value, symbol)
    if category == "pieces" and path == ("pieces", name, "where"):
        yield from _match_in_formula(value, symbol)
    if last == "home":
        yield from _match_home(value, symbol)
    if path[0] == "unaffected" and len(path) == 2 and key is not None:
        yield from _match_home(key, symbol)
    if path[0] == "in_words" and len(path) == 2 and key is not None:
        yield from _match_wording_key(key, symbol)


def _match_place(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """Yield uses in the key or value at one of _PLACES."""
    for part, keys in _list_places(symbol):
        if len(keys) == len(path) and all(wanted in ("*", given) for wanted, given in zip(keys, path, strict=True)):
            yield from _match_whole(key if part == "key" else value, symbol.name)


@lru_cache(maxsize=64)
def _list_places(symbol: Symbol) -> list[tuple[str, list[str]]]:
    """Return the part and the path of the places where a symbol may be named. Sides have words as seats do."""
    return [
        (part, [symbol.owner if key == "OWNER" else key for key in pattern.split("/")])
        for categories, part, pattern in _PLACES
        if symbol.category in categories.split() or (symbol.owner == SIDES and pattern == "players/words/*")
    ]


def _find_category(path: Path) -> str:
    """Return the category of the entries of the map at a path."""
    if len(path) == 1:
        return SECTIONS.get(str(path[0]), "")
    return str(path[2]) if len(path) == 3 and path[0] == "tables" else ""


def _match_home(value: Node, symbol: Symbol) -> Iterator[Span]:
    """Yield uses in the place of a clause: `terms/NAME(…)`, `tables/NAME/rows/NAME`."""
    spans = _split(value, _STEP)
    texts = [span.text for span in spans]
    category = SECTIONS.get(texts[0]) if texts else None
    for number, span in enumerate(spans):
        is_entry = number == 1 and category == symbol.category
        is_member = number == 3 and category == "tables" and texts[1:3] == [symbol.owner, symbol.category]
        text = span.text.partition("(")[0].rstrip()
        if (is_entry or is_member) and text == symbol.name:
            yield Span(span.source, span.start, span.start + len(text))


def _match_wording_key(key: Node, symbol: Symbol) -> Iterator[Span]:
    """Yield uses in a key of `in_words`: `term(…)`, `table.column(…)`."""
    first, second = [*_split(key, _WORD), None, None][:2]
    is_column = "." in key.raw.partition("(")[0]
    if first is None:
        return
    if first.text == symbol.name and symbol.category == ("tables" if is_column else "terms"):
        yield first
    elif is_column and second is not None and symbol == Symbol("columns", second.text, first.text):
        yield second


# ---- texts for players -----------------------------------------------------------------------------------------------


def _find_in_texts(root: Node, symbol: Symbol, merged: Node | None) -> Iterator[Span]:
    """Yield uses in braces of texts, up to a colon: words follow it."""
    if symbol.category not in _IN_FORMULAS:
        return
    for path, _, value in _walk(root):
        if value.kind != "scalar" or "{" not in value.raw:
            continue
        is_bound = symbol.category not in _ENTRIES or symbol.name in _list_bound(path, merged)
        for braces in _split(value, r"\{[^{}:]*"):
            if is_bound and braces.text[1:].strip() == symbol.name:
                continue
            if symbol.category == "choices" and symbol.owner not in re.findall(r"\w+", braces.text):
                continue  # a choice of another option with the same name
            yield from _match_in_formula(Node("scalar", braces, raw=braces.text), symbol)


def _list_bound(path: Path, merged: Node | None) -> set[str]:
    """Return the names that the move at a path binds. In its texts they take precedence."""
    moves = merged.get("moves") if merged is not None and path[0] == "moves" else None
    move = moves.get(str(path[1])) if moves is not None and len(path) > 1 else None
    binders = [move.get(key) for key in ("with", "let")] if move is not None and move.kind == "map" else []
    return {name for node in binders if node is not None for name in node.pairs}


# ---- files of words --------------------------------------------------------------------------------------------------


def _find_in_wording(root: Node, symbol: Symbol, merged: Node | None) -> Iterator[Span]:
    """Yield uses in a file of words, which has the same structure as its ruleset."""
    for section, category in SECTIONS.items():
        node = root.get(section)
        for name, key, value in node.entries() if node is not None else ():
            if symbol.category == category and name.split("(")[0].strip() == symbol.name:
                yield find_name_span(key)
            if symbol.owner == name:
                for _, inner, _ in _walk(value):
                    if inner is not None and find_name_span(inner).text == symbol.name:
                        yield find_name_span(inner)
    for path, hint, value in _walk(root.get("display"), ("display",)):
        yield from _match_place(path, hint, value, symbol)
    for path, player, value in _walk(root.get("players"), ("players",)):
        yield from _match_place(path, player, value, symbol)
        if len(path) == 2 and (symbol.category == "seats" or symbol.owner == SIDES):
            yield from _match_whole(player, symbol.name)
    in_words = root.get("in_words")
    for _, key, _ in in_words.entries() if in_words is not None and in_words.kind == "map" else ():
        yield from _match_wording_key(key, symbol)
    yield from _find_in_texts(root, symbol, merged)


# ---- worked examples -------------------------------------------------------------------------------------------------

_KEYS_OF_MOVES = ("moves", "legal", "includes", "forced", "refused", "after")
_IN_MOVES = ("rows", "choices", "piles", "seats")
_FAMILIES = {"state": "state", "piles": "piles", "ends": "piles"}
"""Keys of an example with the category of the first word of each key below; members follow it."""
_MEMBERS = ("rows", "choices", "seats")


def _match_example(path: Path, key: Node | None, value: Node, symbol: Symbol, merged: Node | None) -> Iterator[Span]:
    """Yield uses in one value of an example, or in its key. Moves are left to _find_in_moves."""
    category, name = symbol.category, symbol.name
    keys = [part for part in path if isinstance(part, str)]
    last, above = keys[-1], keys[-2] if len(keys) > 1 else ""
    if path[-1] == "shows" and category == "clauses":
        yield from _match_words(value, name)
    if path[-1] == "at" and category == "phases":
        yield from _match_phases(value, name, merged.get("flow") if merged is not None else None)
    if len(path) > 3 and above == "options":
        if category == "options":
            yield from _match_whole(key, name)
        elif category == "choices" and last == symbol.owner:
            yield from _match_whole(value, name)
    if "refused" in keys[-3:] and category in ("moves", "obligations"):
        yield from _match_whole(value, name)
    if category in ("seats", "rows"):
        if last in ("to_act", "winner"):
            yield from _match_whole(value, name)
        if above == "scores":
            yield from _match_whole(key, name)
        if last == "said":
            yield from (span for span in _split(value, r"\S+")[:1] if span.text == name)
    if above == "values" and category in _IN_FORMULAS:
        yield from _match_in_formula(key, symbol)
        yield from _match_in_formula(value, symbol)
    if above == "state" and category in _MEMBERS and symbol.owner in ("", _find_state_kind(last, merged)):
        yield from _match_whole(value, name)
    if above in _FAMILIES and key is not None:
        words = _split(key, _WORD)
        wanted = words[:1] if category == _FAMILIES[above] else words[1:] if category in _MEMBERS else []
        yield from (span for span in wanted if span.text == name)


def _match_phases(value: Node, name: str, flow: Node | None) -> Iterator[Span]:
    """Yield uses of a phase in a place of the flow. A step of the same name in the phase before it is none."""
    before = ""
    for span in _split(value, _STEP):
        steps = {path[-1] for path, key, _ in _walk(flow.get(before) if flow is not None else None) if key is not None}
        if span.text == name and not (before == name and name in steps):
            yield span
        before = span.text


def _find_state_kind(key: str, merged: Node | None) -> str:
    """Return the kind of a state, given by a key such as `NAME of MEMBER`: a table or an option."""
    entries = merged.get("state") if merged is not None else None
    entry = entries.get(key.partition(" ")[0]) if entries is not None and entries.kind == "map" else None
    return entry.raw_of("kind").rstrip("?").strip() if entry is not None and entry.kind == "map" else ""


def _find_in_moves(root: Node, symbol: Symbol) -> Iterator[Span]:
    """Yield uses in the moves of examples: `name-of-a-move binding …`, several with `;`."""
    if symbol.category not in ("moves", *_IN_MOVES):
        return
    for path, key, value in _walk(root.get("examples")):
        keys = [part for part in path if isinstance(part, str)]
        has_moves = keys[-1] in _KEYS_OF_MOVES
        if not has_moves and keys[-2:-1] not in [["after"], ["refused"]]:
            continue
        for node in (value if has_moves and keys[-1] not in keys[-2:-1] else None, key):
            if node is None or node.kind != "scalar" or node.raw in _KEYS_OF_MOVES:
                continue
            is_first = True
            for span in _split(node, r"[^\s;]+|;"):
                if span.text == slug(symbol.name) and is_first == (symbol.category == "moves"):
                    yield span
                is_first = span.text == ";"
