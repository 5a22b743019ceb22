"""What could stand where somebody is typing: keys, choices, names of files, and names inside formulas."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path as File

from msgspec.structs import replace

from hoyle.editor import schema_lookup
from hoyle.editor.analysis import Analysis
from hoyle.editor.cursor_context import Where, where
from hoyle.editor.formula_completion import Names, Offer, formula_names, names_of
from hoyle.editor.names.plain_names import LISTED
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node, is_text_key
from hoyle.resources import ENDINGS, language_of, name_below, shipped

MOST = 400
"""How many files are looked at, at most."""
_HEAD = re.compile(r"^(game|library)[ \t]*:", re.MULTILINE)


def rulesets_near(file: str) -> list[tuple[str, str]]:
    """(name, `game` or `library`) of each."""
    found = {name: sort_of(path) for name, path in shipped().items()}
    for name, path in _beside(File(file)):
        found[name] = sort_of(path)
    return sorted((name, sort) for name, sort in found.items() if sort)


def _beside(file: File) -> Iterator[tuple[str, File]]:
    seen = 0
    for place, folders, names in os.walk(file.parent):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen += len(names) + len(folders)
        if seen > MOST:
            return
        for name in names:
            path = File(place, name)
            if path.suffix in ENDINGS and not language_of(path) and path != file:
                called = name_below(path, file.parent)
                if called is not None:
                    yield called.removesuffix(".yaml"), path


def sort_of(path: File) -> str:
    """Is it a `game` or a `library`? Empty if neither."""
    try:
        return _sort(path, os.stat(path).st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=1000)
def _sort(path: File, changed: int) -> str:
    """`changed`, the time of the file's last change, keeps what is remembered from being out of date."""
    found = _HEAD.search(path.read_text(encoding="utf-8", errors="replace"))
    return found[1] if found else ""


_LISTS = {
    **{key: "flow" if sort == "phases" else sort for key, sort in LISTED.items()},
    "of": "tables",
    "shows": "clauses",
    "at": "clauses",
}
"""Keys under which entries of a section are named by themselves, and not in formulas."""
_PLACE = re.compile(r"(?<!\{)\{(?!\{)([^{}:|]*)\Z")
"""A brace in a text that is still open."""
_SIBLINGS = ("before", "after")


def completions(analysis: Analysis, file: str, text: str, offset: int, lang: str) -> list[Offer]:
    """What could stand at this place of a text, the likeliest first. What the text says below the place need not be sound."""
    here = where(text, offset)
    names = names_of(analysis, file, lang)
    found = _words(here, names) if language_of(File(file)) else _rules(here, names, text, file, offset)
    once = {(offer.name, offer.text): offer for offer in sorted(found, key=lambda o: -o.rank)}
    return sorted(once.values(), key=lambda o: (o.rank, o.name))


def _rules(here: Where, names: Names, text: str, file: str, offset: int) -> Iterator[Offer]:
    if here.in_value:
        yield from _values(here, names, file)
    elif here.path[:1] == ("set",) or (here.path[-1:] == ("options",) and len(here.path) > 1):
        yield from (_entry(o, ": ") for o in names.section("options"))
    elif schema_lookup.keys_are_formulas(here.path):
        yield from _formula(here, names)
        yield from _keys(here, names)
    else:
        yield from _keys(here, names)


# ---- keys ------------------------------------------------------------------------------------------------------------


def _keys(here: Where, names: Names) -> Iterator[Offer]:
    """Keys of the language, and names of entries that are there already: inherited ones, to be changed."""
    there = _at(names.own, here.path)
    taken = set(there.pairs) if there is not None else set()
    for name, schema in schema_lookup.keys(here.path).items():
        if name not in taken or name.startswith(here.word):
            yield Offer(name, "key", schema.get("title", ""), schema.get("description", ""), f"{name}: ", 2)
    inherited = _at(names.root, here.path)
    known = {o.name: o for o in names.section(str(here.path[0]))} if len(here.path) == 1 else {}
    for name in inherited.pairs if inherited is not None else ():
        if name not in schema_lookup.keys(here.path) and name not in taken and not is_text_key(name):
            detail = known.get(name.split("(")[0])
            yield Offer(
                name,
                str(here.path[0]) if here.path else "key",
                detail.detail if detail else "",
                detail.meaning if detail else "",
                f"{name}: ",
                3,
            )
    if len(here.path) == 4 and here.path[0] == "tables" and here.path[2] == "rows":
        yield from (
            Offer(o.name, "columns", o.detail, o.meaning, f"{o.name}: ", 1) for o in names.columns(str(here.path[1]))
        )


def _at(node: Node | None, path: Path) -> Node | None:
    """What stands at a path of a tree."""
    for key in path:
        if node is None:
            return None
        node = node.get(key) if isinstance(key, str) else node.items[key] if key < len(node.items) else None
    return node


def _words(here: Where, names: Names) -> Iterator[Offer]:
    """In a file of words: what has words, by the same names as in the ruleset."""
    if here.in_value:
        yield from _placed(here, names)
        return
    node = _at(names.root, here.path)
    taken = _at(names.own, here.path)
    for name in node.pairs if node is not None else ():
        if (taken is None or name not in taken.pairs) and not is_text_key(name):
            yield Offer(name, str(here.path[0]) if here.path else "key", "", "", f"{name}: ", 2)


# ---- values ----------------------------------------------------------------------------------------------------------


def _values(here: Where, names: Names, file: str) -> Iterator[Offer]:
    key = next((part for part in reversed(here.path) if isinstance(part, str)), "")
    if here.path[:1] in (("extends",), ("use",)):
        wanted = "library" if here.path[0] == "use" else "game"
        yield from (
            Offer(name, "file", sort, "", name, 1 if sort == wanted else 4) for name, sort in rulesets_near(file)
        )
        return
    if here.path[:1] == ("set",) or (len(here.path) > 2 and here.path[-2] == "options"):
        yield from (_entry(o) for o in names.choices(key))
        return
    if _PLACE.search(here.said):
        yield from _placed(here, names)
        return
    words = schema_lookup.choices(here.path)
    yield from (Offer(word, "choice", rank=1) for word in words)
    yield from _named(here, key, names)
    kind = schema_lookup.formula_kind(here.path)
    if kind == "choice" or key == "default":
        yield from (_entry(o) for o in names.choices(str(here.path[1]) if len(here.path) > 1 else ""))
    elif kind:
        yield from _formula(here, names)
        if kind in ("domain", "kind"):
            yield from _kinds(names)


def _placed(here: Where, names: Names) -> Iterator[Offer]:
    """In a place of a text what a formula could go on with."""
    place = _PLACE.search(here.said)
    if place is not None:
        yield from _formula(replace(here, said=place[1]), names)


def _named(here: Where, key: str, names: Names) -> Iterator[Offer]:
    """Entries that are named there by themselves."""
    section = _LISTS.get(key)
    if section is not None and not (key == "of" and here.path[:1] != ("pieces",)):
        yield from (_entry(o) for o in names.section(section))
    if key in _SIBLINGS and len(here.path) > 1:
        above = _at(names.root, here.path[:-2])
        yield from (Offer(name, "key", rank=1) for name in (above.pairs if above is not None else ()))
    if key in ("moves", "legal", "includes", "forced", "refused") and here.path[:1] == ("examples",):
        yield from (
            Offer(o.name.replace(" ", "-"), "moves", o.detail, o.meaning, "", 1) for o in names.section("moves")
        )


def _entry(found: Offer, behind: str = "") -> Offer:
    return Offer(found.name, found.sort, found.detail, found.meaning, f"{found.name}{behind}" if behind else "", 1)


def _kinds(names: Names) -> Iterable[Offer]:
    yield from (Offer(word, "words", rank=1) for word in ("player", "pair", "bool", "text", "sides"))
    yield from (_entry(o) for section in ("tables", "pieces") for o in names.section(section))


def _formula(here: Where, names: Names) -> Iterator[Offer]:
    """Names, words and choices that a formula could go on with."""
    yield from formula_names(here, names)
