"""The registry of diagnostic codes: what each one means, in words of each language, with a wrong and a right example."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from msgspec import Struct

from hoyle.diagnostics import Severity
from hoyle.language.sentences import FALLBACK, LANGUAGES, typeset
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load, read
from hoyle.resources import folder


class Code(Struct, frozen=True):
    """One kind of diagnostic. The examples may be empty, where no text of a ruleset could show it."""

    code: str
    severity: Severity
    title: str
    explanation: str
    wrong: str = ""
    right: str = ""


def code(name: str, lang: str = FALLBACK) -> Code:
    """The entry of a code, in capitals or not, in a language that there is. KeyError if there is no such code."""
    return _registry(lang)[name.strip().upper()]


def all_codes(lang: str = FALLBACK) -> tuple[Code, ...]:
    """Every code, in order."""
    found = _registry(lang)
    return tuple(found[name] for name in sorted(found))


@lru_cache(maxsize=len(LANGUAGES))
def _registry(lang: str) -> dict[str, Code]:
    """What other languages say stands beside the table, in a file of each: what one does not say is as in the table."""
    table, words = _table("diagnostics.yaml"), {} if lang == FALLBACK else _table(f"diagnostics.{lang}.yaml")
    return {name: _entry(name, node, words.get(name, node), lang) for name, node in table.items()}


def _table(name: str) -> dict[str, Node]:
    return {code: node for code, _, node in load(read(folder("grammar") / name)).entries()}


def _entry(name: str, node: Node, words: Node, lang: str) -> Code:
    severity = cast(Severity, node.raw_of("severity") or "error")
    title, explanation = (typeset(_on_a_line(_said(words, node, k)), lang) for k in ("title", "explanation"))
    return Code(name, severity, title, explanation, _said(words, node, "wrong"), _said(words, node, "right"))


def _on_a_line(text: str) -> str:
    """Without line ends; spaces that break no line stay."""
    return " ".join(part for line in text.splitlines() for part in line.split(" ") if part)


def _said(words: Node, node: Node, key: str) -> str:
    return words.raw_of(key) or node.raw_of(key)
