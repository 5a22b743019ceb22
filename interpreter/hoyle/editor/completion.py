"""Completion: keys, values, names of files, and, by `formula_completion`, what can stand in formulas."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path as File

from msgspec.structs import replace

from hoyle.editor import schema_lookup
from hoyle.editor.analysis import Analysis
from hoyle.editor.cursor_context import CursorContext, find_context
from hoyle.editor.formula_completion import KnownNames, Offer, complete_formula
from hoyle.editor.names.plain_names import NAME_LISTS
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node, is_text_key
from hoyle.resources import ENDINGS, language_of, name_below, shipped

_NAME_LISTS = {
    **{key: "flow" if category == "phases" else category for key, category in NAME_LISTS.items()},
    "of": "tables",
    "shows": "clauses",
    "at": "clauses",
}
"""Keys under which entries of a section are listed by name."""
_TEMPLATE = re.compile(r"(?<!\{)\{(?!\{)([^{}:|]*)\Z")
"""An open brace in a text for players: a formula follows."""
_KEYS_OF_MOVES = ("moves", "legal", "includes", "forced", "refused")
_HEAD = re.compile(r"^(game|library)[ \t]*:", re.MULTILINE)
MOST_FILES = 400
"""How many files below a folder are examined."""


def complete(analysis: Analysis, file: str, text: str, offset: int, lang: str) -> list[Offer]:
    """Return what can stand at an offset of a text, the likeliest first. The text need not be valid."""
    context = find_context(text, offset)
    names = KnownNames(analysis, file, lang)
    is_wording = bool(language_of(File(file)))
    offers = _complete_wording(context, names) if is_wording else _complete_ruleset(context, names, file)
    by_name = {(offer.name, offer.text): offer for offer in sorted(offers, key=lambda offer: -offer.rank)}
    return sorted(by_name.values(), key=lambda offer: (offer.rank, offer.name))


def _complete_ruleset(context: CursorContext, names: KnownNames, file: str) -> Iterator[Offer]:
    path = context.path
    if context.in_value:
        yield from _complete_value(context, names, file)
    elif path[:1] == ("set",) or (path[-1:] == ("options",) and len(path) > 1):
        yield from (replace(o, text=f"{o.name}: ", rank=1) for o in names.offer_section("options"))
    else:
        if schema_lookup.has_formula_keys(path):
            yield from complete_formula(context, names)
        yield from _complete_key(context, names)


def _complete_wording(context: CursorContext, names: KnownNames) -> Iterator[Offer]:
    """Complete a file of words, which has the same structure as its ruleset."""
    if context.in_value:
        yield from _complete_template(context, names)
        return
    node = _get_node(names.root, context.path)
    own = _get_node(names.own, context.path)
    for name in node.pairs if node is not None else ():
        if (own is None or name not in own.pairs) and not is_text_key(name):
            yield Offer(name, str(context.path[0]) if context.path else "key", "", "", f"{name}: ", 2)


def _complete_key(context: CursorContext, names: KnownNames) -> Iterator[Offer]:
    """Offer keys of the language, inherited entries, and the columns of a table in its rows."""
    path = context.path
    own = _get_node(names.own, path)
    present = set(own.pairs) if own is not None else set()
    keys = schema_lookup.list_keys(path)
    for name, schema in keys.items():
        if name not in present or name.startswith(context.word):
            yield Offer(name, "key", schema.get("title", ""), schema.get("description", ""), f"{name}: ", 2)
    merged = _get_node(names.root, path)
    entries = {offer.name: offer for offer in names.offer_section(str(path[0]))} if len(path) == 1 else {}
    for name in merged.pairs if merged is not None else ():
        if name not in keys and name not in present and not is_text_key(name):
            entry = entries.get(name.split("(")[0], Offer(name, ""))
            category = str(path[0]) if path else "key"
            yield Offer(name, category, entry.detail, entry.meaning, f"{name}: ", 3)
    if len(path) == 4 and path[0] == "tables" and path[2] == "rows":
        for column in names.offer_category("columns", str(path[1])):
            yield replace(column, text=f"{column.name}: ", rank=1)


def _complete_value(context: CursorContext, names: KnownNames, file: str) -> Iterator[Offer]:
    path = context.path
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    if path[:1] in (("extends",), ("use",)):
        wanted = "library" if path[0] == "use" else "game"
        for name, kind in _list_rulesets(file):
            yield Offer(name, "file", kind, "", name, 1 if kind == wanted else 4)
        return
    if path[:1] == ("set",) or (len(path) > 2 and path[-2] == "options"):
        yield from _rank_first(names.offer_category("choices", key))
        return
    if _TEMPLATE.search(context.text):
        yield from _complete_template(context, names)
        return
    yield from (Offer(word, "choice", rank=1) for word in schema_lookup.list_choices(path))
    yield from _offer_listed(path, key, names)
    kind = schema_lookup.find_formula_kind(path)
    if kind == "choice" or key == "default":
        yield from _rank_first(names.offer_category("choices", str(path[1]) if len(path) > 1 else ""))
    elif kind:
        yield from complete_formula(context, names)
        if kind in ("domain", "kind"):
            yield from (Offer(word, "words", rank=1) for word in ("player", "pair", "bool", "text", "sides"))
            yield from _rank_first([*names.offer_section("tables"), *names.offer_section("pieces")])


def _complete_template(context: CursorContext, names: KnownNames) -> Iterator[Offer]:
    """Complete a formula in an open brace of a text for players."""
    template = _TEMPLATE.search(context.text)
    if template is not None:
        yield from complete_formula(replace(context, text=template[1]), names)


def _offer_listed(path: Path, key: str, names: KnownNames) -> Iterator[Offer]:
    """Offer entries where they are listed by name: in lists, in `before` and `after`, in the moves of examples."""
    section = _NAME_LISTS.get(key)
    if section is not None and not (key == "of" and path[:1] != ("pieces",)):
        yield from _rank_first(names.offer_section(section))
    if key in ("before", "after") and len(path) > 1:
        siblings = _get_node(names.root, path[:-2])
        yield from (Offer(name, "key", rank=1) for name in (siblings.pairs if siblings is not None else ()))
    if key in _KEYS_OF_MOVES and path[:1] == ("examples",):
        for move in names.offer_section("moves"):
            yield replace(move, name=move.name.replace(" ", "-"), rank=1)


def _rank_first(offers: list[Offer]) -> Iterator[Offer]:
    yield from (replace(offer, rank=1) for offer in offers)


def _get_node(node: Node | None, path: Path) -> Node | None:
    """Return the node at a path; None if there is none."""
    for key in path:
        if node is None:
            return None
        node = node.get(key) if isinstance(key, str) else node.items[key] if key < len(node.items) else None
    return node


# ---- names of files --------------------------------------------------------------------------------------------------


def _list_rulesets(file: str) -> list[tuple[str, str]]:
    """Return the rulesets on which a file can be built: (name, `game` or `library`). Shipped ones and those below its folder."""
    paths = {**shipped(), **dict(_find_below(File(file)))}
    return sorted((name, kind) for name, path in paths.items() if (kind := _find_kind(path)))


def _find_below(file: File) -> Iterator[tuple[str, File]]:
    examined = 0
    for place, folders, names in os.walk(file.parent):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        examined += len(names) + len(folders)
        if examined > MOST_FILES:
            return
        for path in (File(place, name) for name in names):
            if path.suffix in ENDINGS and not language_of(path) and path != file:
                name = name_below(path, file.parent)
                if name is not None:
                    yield name.removesuffix(".yaml"), path


def _find_kind(path: File) -> str:
    """Return `game`, `library`, or an empty string for other files."""
    try:
        return _read_kind(path, os.stat(path).st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=1000)
def _read_kind(path: File, changed: int) -> str:
    """`changed`, the time of the file's last change, makes old cache entries unreachable."""
    head = _HEAD.search(path.read_text(encoding="utf-8", errors="replace"))
    return head[1] if head else ""
