"""A file of words to begin with: all that a ruleset itself says to people, with what is already said in the language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from msgspec import Struct

from hoyle.checking.untold import Spoken, is_shown, sayable
from hoyle.language.model import Ruleset
from hoyle.language.sentences import FALLBACK
from hoyle.reading.grammar import grammar
from hoyle.reading.merge import Merged
from hoyle.reading.translation import OWN
from hoyle.reading.tree import Node, text_nodes

_PLAIN = re.compile(r"[^\W\d_](?:(?!: | #)[^\n])*(?<![:\s])")
_NOTHING = ("null", "Null", "NULL")


class _Entry(Struct):
    """What is said at a path, and the entries inside."""

    item: Spoken | None
    inside: dict[str, _Entry]


def wordlist(found: Ruleset | None, merged: Merged, lang: str) -> str:
    """The text of `NAME.LANG.yaml`: each text with the English one above it; what is still to be said is left empty. `merged` is the tree as
    it is written, in which moves that are `like` others do not repeat what these say (`build.joined`)."""
    own, head = _head(merged)
    top = _Entry(None, {})
    for item in sayable(merged.root):
        if _is_own(item, head, lang) and (is_shown(item, found) or item.path[0] == "examples" or lang in _said(item)):
            _put(top, item)
    order = [*grammar()["properties"]]  # libraries stand first in the tree
    top.inside = dict(sorted(top.inside.items(), key=lambda entry: order.index(entry[0])))
    lines = [f"{OWN}: {lang}", f"{own}: {head.raw}", *_lines(top, lang, 0)]
    return "\n".join(lines) + "\n"


def _head(merged: Merged) -> tuple[str, Node]:
    return next((name, merged.root[name]) for name in ("game", "library") if merged.root.get(name) is not None)


def _said(item: Spoken) -> dict[str, Node]:
    return text_nodes(item.node) if item.node.kind == "map" else {}


def _is_own(item: Spoken, head: Node, lang: str) -> bool:
    """Does the file itself say it, or a file of words that lies beside it?"""
    beside = f"{head.span.source.name.rpartition('.')[0]}."
    said = _said(item)
    told = [said.get(FALLBACK) or item.node, *(text for language, text in said.items() if language == lang)]
    return any(
        span.shares_file(head.span) or span.source.name.startswith(beside) for span in (node.span for node in told)
    )


def _put(entry: _Entry, item: Spoken) -> None:
    for name in item.path:
        entry = entry.inside.setdefault(name, _Entry(None, {}))
    entry.item = item


def _lines(entry: _Entry, lang: str, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for name, inner in entry.inside.items():
        if not depth and inner.inside:
            yield ""
        if inner.item is None or inner.inside:
            yield f"{indent}{_written(name)}:"
            if inner.item is not None:
                yield from _text(f"{indent}  ", OWN, inner.item, lang)
            yield from _lines(inner, lang, depth + 1)
        else:
            yield from _text(indent, name, inner.item, lang)


def _text(indent: str, name: str, item: Spoken, lang: str) -> Iterator[str]:
    said = {language: text.raw for language, text in _said(item).items()}
    english = " ".join(said.get(FALLBACK, item.path[-1].replace("_", " ")).split())
    if english != item.path[-1]:
        yield f"{indent}# {english}"
    yield f"{indent}{_written(name)}: {_written(said[lang]) if lang in said else ''}".rstrip()


def _written(text: str) -> str:
    """A text as YAML takes it for one."""
    plain = _PLAIN.fullmatch(text) and text not in _NOTHING
    return text if plain else json.dumps(text, ensure_ascii=False)
