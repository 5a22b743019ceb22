"""The registry of diagnostic codes: what each one means, in words, with a wrong and a right example."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from msgspec import Struct

from interpreter.diagnostics import Severity
from interpreter.reading.tree import Node
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import folder


class Code(Struct, frozen=True):
    """One kind of diagnostic. The examples may be empty, where no text of a ruleset could show it."""

    code: str
    severity: Severity
    title: str
    explanation: str
    wrong: str = ""
    right: str = ""


def code(name: str) -> Code:
    """The entry of a code, in capitals or not. KeyError if there is none."""
    return _registry()[name.strip().upper()]


def all_codes() -> tuple[Code, ...]:
    """Every code, in order."""
    return tuple(_registry()[name] for name in sorted(_registry()))


@lru_cache(maxsize=1)
def _registry() -> dict[str, Code]:
    root = load(read(folder("grammar") / "diagnostics.yaml"))
    return {name: _entry(name, node) for name, _, node in root.entries()}


def _entry(name: str, node: Node) -> Code:
    severity = cast(Severity, _text(node, "severity") or "error")
    title, explanation = _text(node, "title"), " ".join(_text(node, "explanation").split())
    return Code(name, severity, title, explanation, _text(node, "wrong"), _text(node, "right"))


def _text(node: Node, key: str) -> str:
    value = node.get(key)
    return value.raw if value else ""
