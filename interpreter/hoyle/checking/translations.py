"""What a player could be shown that has no words in a language of the file: all of it, once for each language."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby

from msgspec import Struct

from hoyle.checking.analysis import Reachable, find_reachable
from hoyle.diagnostics import Problems, Said, Span, verbatim
from hoyle.language.model import Ruleset
from hoyle.language.sentences import FALLBACK, LANGUAGES, said
from hoyle.reading.grammar import Schema, branches, grammar, has_text
from hoyle.reading.merge import Merged
from hoyle.reading.translation import OWN
from hoyle.reading.tree import Node, text_key, text_nodes

_LONGEST = 300
"""How long a line of a list of them is at most."""
_TOLD_ONLY = ("title", "summary", "glossary")
"""Sections that are nothing but words."""
_SENTENCES = (*_TOLD_ONLY, "rule", "clause", "constraint", "label")
"""What has no name that could be shown instead."""


class Translatable(Struct, frozen=True):
    """Something that has words, or might: its path as files of words write it, and what it is."""

    path: tuple[str, ...]
    schema: Schema
    node: Node

    @property
    def sort(self) -> str:
        """`step`, `move`, `rule`, … as the grammar calls it."""
        return (
            self.path[0]
            if self.path and self.path[0] in _TOLD_ONLY
            else _definition_names().get(id(self.schema), "label")
        )

    def says(self, lang: str) -> bool:
        named = lang == FALLBACK and (
            self.sort not in _SENTENCES or self.path == ("source",)
        )  # its keys are in English
        return named or (self.node.kind == "map" and lang in text_nodes(self.node))


@cache
def _definition_names() -> dict[int, str]:
    """The names of the grammar's definitions, by their identity."""
    return {id(schema): name for name, schema in grammar()["definitions"].items()}


def check_translations(found: Ruleset, problems: Problems, merged: Merged) -> None:
    """Each language in which the file, or a file of words beside it, says something, must say all that may be shown."""
    shown = list(list_shown(merged.root, found))
    for lang, place in _list_languages(merged, shown).items():
        places = {(item.node.span, item.path[-1]): item.path for item in reversed(shown) if not item.says(lang)}
        missing = ["/".join(path) for path in reversed(places.values())]  # what is `like` another is said there
        if missing:
            problems.add(
                "R567",
                said("untold.no_words", count=len(missing), lang=lang),
                place,
                notes=list(_list_by_section(missing)),
                help=said("untold.say_them", stem=merged.files[-1].stem, lang=lang),
            )


def _list_by_section(paths: Iterable[str]) -> Iterator[Said]:
    """All of them, a line for each section, or several, none so long that it would not be shown whole."""
    for section, found in groupby(paths, lambda path: path.partition("/")[0]):
        line = ""
        for path in found:
            item = f"`{path.partition('/')[2] or path}`"
            if len(line) + len(item) > _LONGEST:
                yield said("untold.section", section=section, texts=line)
                line = ""
            line += f", {item}" if line else item
        yield said("untold.section", section=section, texts=line) if line != f"`{section}`" else verbatim(line)


def list_shown(root: Node, found: Ruleset) -> Iterator[Translatable]:
    """What a player could be shown of a merged tree."""
    ever = find_reachable(found)
    return (item for item in list_translatable(root) if is_shown(item, found) and _is_used(item, found, ever))


def list_translatable(root: Node) -> Iterator[Translatable]:
    """All that may have words, whether they are shown or not."""
    for item in _list_children(Translatable((), grammar(), root)):
        yield from _walk(item)


def _walk(item: Translatable) -> Iterator[Translatable]:
    if has_text(item.schema):
        yield item
    for inner in _list_children(item):
        yield from _walk(inner)


def _list_children(item: Translatable) -> Iterator[Translatable]:
    """What is inside and has words, each once: what only holds entries is passed over."""
    found = [*branches(item.schema, item.node)] if item.node.kind == "map" else []
    names = Counter(way.name for way in found)
    for way in found:
        if has_text(way.schema) or not item.path:
            node = item.node
            for key in way.keys:
                node = node.pairs[key][1] if key in node.pairs else Node("map", node.span)
            path = way.keys if names[way.name] > 1 else (way.name,)
            yield Translatable((*item.path, *path), way.schema, node)


def _list_languages(merged: Merged, shown: list[Translatable]) -> dict[str, Span]:
    """In which languages the file itself or one beside it says something, and where that is told."""
    head = next(merged.root.key(name).span for name in ("game", "library") if merged.root.get(name) is not None)
    texts = {lang: [item.node.pairs.get(text_key(lang)) for item in shown] for lang in LANGUAGES}
    inline = [lang for lang in LANGUAGES if any(t is not None and t[1].span.shares_file(head) for t in texts[lang])]
    return {**dict.fromkeys(inline, head), **merged.languages}


def _is_used(item: Translatable, found: Ruleset, ever: Reachable) -> bool:
    section, name = item.path[0], item.path[1] if len(item.path) > 1 else ""
    used = {"moves": ever.moves, "obligations": ever.obligations, "whenever": ever.whenever, "flow": ever.phases}
    if item.sort == "symbol":  # the sign itself does
        return False
    return not (section in used and name not in used[section]) and not (section == "options" and name in found.idle)


def is_shown(item: Translatable, found: Ruleset | None) -> bool:
    """Could a player be shown it, under whatever options? `found` is None of a library that is not whole without its users."""
    section, name = item.path[0], item.path[1] if len(item.path) > 1 else ""
    if section == "examples" or (section == "tables" and item.path[-1] == "letter"):
        return False
    if found is None:
        return item.sort == "symbol" or _says_something(item)
    if section == "state" and name in found.state and found.state[name].layout == "hidden":
        return False
    hint = found.display.state.get(name)
    if section == "display" and name not in found.display.values and not (hint is not None and hint.called):
        return False
    if section == "tables" and len(item.path) > 2 and item.path[2].replace(" ", "_") not in found.tables[name].rows:
        return False
    return _is_letter(item, found) if item.sort == "symbol" else _says_something(item)


def _is_letter(item: Translatable, found: Ruleset) -> bool:
    """Has the row a symbol, or a letter for a sign, which another language may have another for?"""
    table, row = found.tables[item.path[1]], item.path[2].replace(" ", "_")
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
    """The place of a decision is shown, and what it is part of."""
    return any(step.node.get(verb) is not None for verb in ("choose", "play"))


_PLAIN = re.compile(r"[^\W\d_](?:(?!: | #)[^\n])*(?<![:\s])")
_NOTHING = ("null", "Null", "NULL")


class _Entry(Struct):
    """What is said at a path, and the entries inside."""

    item: Translatable | None
    inside: dict[str, _Entry]


def write_word_file(found: Ruleset | None, merged: Merged, lang: str) -> str:
    """The text of `NAME.LANG.yaml`: each text with the English one above it; what is still to be said is left empty. `merged` is the tree as
    it is written, in which moves that are `like` others do not repeat what these say (`build.joined`)."""
    own, head = _find_name(merged)
    top = _Entry(None, {})
    for item in list_translatable(merged.root):
        if _is_own(item, head, lang) and (is_shown(item, found) or item.path[0] == "examples" or lang in _texts(item)):
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
    """Does the file itself say it, or a file of words that lies beside it?"""
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
    """A text as YAML takes it for one."""
    plain = _PLAIN.fullmatch(text) and text not in _NOTHING
    return text if plain else json.dumps(text, ensure_ascii=False)
