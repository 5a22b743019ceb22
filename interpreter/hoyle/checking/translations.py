"""Finds texts without a translation (`check_translations`), and writes files of words to be filled in (`write_word_file`)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby

from msgspec import Struct

from hoyle.checking.analysis import Reachable, find_reachable
from hoyle.diagnostics import LocalizedText, Problems, Span, verbatim
from hoyle.language.model import Ruleset
from hoyle.language.sentences import FALLBACK, LANGUAGES, make_message
from hoyle.reading.grammar import Schema, branches, grammar, has_text
from hoyle.reading.merge import Merged
from hoyle.reading.translation import OWN
from hoyle.reading.tree import Node, text_key, text_nodes

_LONGEST = 300
"""Greatest length of a line of missing texts."""
_TOLD_ONLY = ("title", "summary", "glossary")
"""Sections that hold only texts."""
_SENTENCES = (*_TOLD_ONLY, "rule", "clause", "constraint", "label")
"""Things without a name that could be shown instead of a text."""


class Translatable(Struct, frozen=True):
    """Something that may have texts: its path as files of words write it, its schema and its node."""

    path: tuple[str, ...]
    schema: Schema
    node: Node

    @property
    def sort(self) -> str:
        """The name of its definition in the grammar: `step`, `move`, `rule`, …."""
        return (
            self.path[0]
            if self.path and self.path[0] in _TOLD_ONLY
            else _definition_names().get(id(self.schema), "label")
        )

    def says(self, lang: str) -> bool:
        """Return whether it has a text in a language. In English, names of entries count as texts."""
        named = lang == FALLBACK and (
            self.sort not in _SENTENCES or self.path == ("source",)
        )  # its keys are in English
        return named or (self.node.kind == "map" and lang in text_nodes(self.node))


@cache
def _definition_names() -> dict[int, str]:
    """Return the names of the definitions of the grammar by identity."""
    return {id(schema): name for name, schema in grammar()["definitions"].items()}


def check_translations(ruleset: Ruleset, problems: Problems, merged: Merged) -> None:
    """Warn of missing texts in each language that the file, or a file of words beside it, uses."""
    shown = list(list_shown(merged.root, ruleset))
    for lang, place in _list_languages(merged, shown).items():
        places = {(item.node.span, item.path[-1]): item.path for item in reversed(shown) if not item.says(lang)}
        missing = ["/".join(path) for path in reversed(places.values())]  # what is `like` another is said there
        if missing:
            problems.add(
                "R567",
                make_message("untold.no_words", count=len(missing), lang=lang),
                place,
                notes=list(_list_by_section(missing)),
                help=make_message("untold.say_them", stem=merged.files[-1].stem, lang=lang),
            )


def _list_by_section(paths: Iterable[str]) -> Iterator[LocalizedText]:
    """Join paths to lines, one or more for each section, each short enough to be shown whole."""
    for section, inside in groupby(paths, lambda path: path.partition("/")[0]):
        line = ""
        for path in inside:
            item = f"`{path.partition('/')[2] or path}`"
            if len(line) + len(item) > _LONGEST:
                yield make_message("untold.section", section=section, texts=line)
                line = ""
            line += f", {item}" if line else item
        yield make_message("untold.section", section=section, texts=line) if line != f"`{section}`" else verbatim(line)


def list_shown(root: Node, ruleset: Ruleset) -> Iterator[Translatable]:
    """List what a player can be shown of a merged tree."""
    ever = find_reachable(ruleset)
    return (item for item in list_translatable(root) if is_shown(item, ruleset) and _is_used(item, ruleset, ever))


def list_translatable(root: Node) -> Iterator[Translatable]:
    """List all that may have texts, shown or not."""
    for item in _list_children(Translatable((), grammar(), root)):
        yield from _walk(item)


def _walk(item: Translatable) -> Iterator[Translatable]:
    if has_text(item.schema):
        yield item
    for inner in _list_children(item):
        yield from _walk(inner)


def _list_children(item: Translatable) -> Iterator[Translatable]:
    """List the translatable things directly inside; maps that only hold entries are skipped."""
    ways = [*branches(item.schema, item.node)] if item.node.kind == "map" else []
    names = Counter(way.name for way in ways)
    for way in ways:
        if has_text(way.schema) or not item.path:
            node = item.node
            for key in way.keys:
                node = node.pairs[key][1] if key in node.pairs else Node("map", node.span)
            path = way.keys if names[way.name] > 1 else (way.name,)
            yield Translatable((*item.path, *path), way.schema, node)


def _list_languages(merged: Merged, shown: list[Translatable]) -> dict[str, Span]:
    """Return the languages that the file or its files of words use, with the places to report at."""
    head = next(merged.root.key(name).span for name in ("game", "library") if merged.root.get(name) is not None)
    texts = {lang: [item.node.pairs.get(text_key(lang)) for item in shown] for lang in LANGUAGES}
    inline = [lang for lang in LANGUAGES if any(t is not None and t[1].span.shares_file(head) for t in texts[lang])]
    return {**dict.fromkeys(inline, head), **merged.languages}


def _is_used(item: Translatable, ruleset: Ruleset, ever: Reachable) -> bool:
    section, name = item.path[0], item.path[1] if len(item.path) > 1 else ""
    used = {"moves": ever.moves, "obligations": ever.obligations, "whenever": ever.whenever, "flow": ever.phases}
    if item.sort == "symbol":  # the sign itself does
        return False
    return not (section in used and name not in used[section]) and not (section == "options" and name in ruleset.idle)


def is_shown(item: Translatable, ruleset: Ruleset | None) -> bool:
    """Return whether a player can be shown something, under any options. `ruleset` is None for a library that is incomplete alone."""
    section, name = item.path[0], item.path[1] if len(item.path) > 1 else ""
    if section == "examples" or (section == "tables" and item.path[-1] == "letter"):
        return False
    if ruleset is None:
        return item.sort == "symbol" or _says_something(item)
    if section == "state" and name in ruleset.state and ruleset.state[name].layout == "hidden":
        return False
    hint = ruleset.display.state.get(name)
    if section == "display" and name not in ruleset.display.values and not (hint is not None and hint.called):
        return False
    if section == "tables" and len(item.path) > 2 and item.path[2].replace(" ", "_") not in ruleset.tables[name].rows:
        return False
    return _is_letter(item, ruleset) if item.sort == "symbol" else _says_something(item)


def _is_letter(item: Translatable, ruleset: Ruleset) -> bool:
    """Return whether a row has a symbol, or a letter as sign, which other languages may replace."""
    table, row = ruleset.tables[item.path[1]], item.path[2].replace(" ", "_")
    sign = table.signs[table.rows.index(row)] if table.signs and row in table.rows else ""
    return bool(text_nodes(item.node)) or sign.isalpha()


def _says_something(item: Translatable) -> bool:
    if item.sort == "step":
        return _has_decision(item) or any(
            _has_decision(inner) for inner in _list_children(item) if inner.sort == "step"
        )
    if item.sort in _SENTENCES:
        return bool(text_nodes(item.node))
    if item.sort == "condition":
        return True
    return item.node.kind == "map" and (
        len(item.path[-1]) > 1 or bool(text_nodes(item.node))
    )  # `A` is itself in any language


def _has_decision(step: Translatable) -> bool:
    """Return whether a step asks somebody: players are shown the places of decisions."""
    return any(step.node.get(verb) is not None for verb in ("choose", "play"))


_PLAIN = re.compile(r"[^\W\d_](?:(?!: | #)[^\n])*(?<![:\s])")
_NOTHING = ("null", "Null", "NULL")


class _Entry(Struct):
    """A node of the file of words: its texts, and the entries inside."""

    item: Translatable | None
    inside: dict[str, _Entry]


def write_word_file(ruleset: Ruleset | None, merged: Merged, lang: str) -> str:
    """Return the text of `NAME.LANG.yaml`, each text below its English; missing ones are left empty.

    merged: the tree of `build.merge_files`, in which a move does not repeat what it is `like`
    """
    own, head = _find_name(merged)
    top = _Entry(None, {})
    for item in list_translatable(merged.root):
        if _is_own(item, head, lang) and (
            is_shown(item, ruleset) or item.path[0] == "examples" or lang in _texts(item)
        ):
            _insert(top, item)
    order = [*grammar()["properties"]]  # libraries stand first in the tree
    top.inside = dict(sorted(top.inside.items(), key=lambda entry: order.index(entry[0])))
    lines = [f"{OWN}: {lang}", f"{own}: {head.raw}", *_write_lines(top, lang, 0)]
    return "\n".join(lines) + "\n"


def _find_name(merged: Merged) -> tuple[str, Node]:
    return next((name, merged.root[name]) for name in ("game", "library") if merged.root.get(name) is not None)


def _texts(item: Translatable) -> dict[str, Node]:
    return text_nodes(item.node) if item.node.kind == "map" else {}


def _is_own(item: Translatable, head: Node, lang: str) -> bool:
    """Return whether the file itself, or a file of words beside it, has a text of this thing."""
    beside = f"{head.span.source.name.rpartition('.')[0]}."
    said = _texts(item)
    told = [said.get(FALLBACK) or item.node, *(text for language, text in said.items() if language == lang)]
    return any(
        span.shares_file(head.span) or span.source.name.startswith(beside) for span in (node.span for node in told)
    )


def _insert(entry: _Entry, item: Translatable) -> None:
    for name in item.path:
        entry = entry.inside.setdefault(name, _Entry(None, {}))
    entry.item = item


def _write_lines(entry: _Entry, lang: str, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for name, inner in entry.inside.items():
        if not depth and inner.inside:
            yield ""
        if inner.item is None or inner.inside:
            yield f"{indent}{_quote(name)}:"
            if inner.item is not None:
                yield from _write_text(f"{indent}  ", OWN, inner.item, lang)
            yield from _write_lines(inner, lang, depth + 1)
        else:
            yield from _write_text(indent, name, inner.item, lang)


def _write_text(indent: str, name: str, item: Translatable, lang: str) -> Iterator[str]:
    said = {language: text.raw for language, text in _texts(item).items()}
    english = " ".join(said.get(FALLBACK, item.path[-1].replace("_", " ")).split())
    if english != item.path[-1]:
        yield f"{indent}# {english}"
    yield f"{indent}{_quote(name)}: {_quote(said[lang]) if lang in said else ''}".rstrip()


def _quote(text: str) -> str:
    """Write a text as a YAML scalar that is read as a string."""
    plain = _PLAIN.fullmatch(text) and text not in _NOTHING
    return text if plain else json.dumps(text, ensure_ascii=False)
