"""How findings about the shape of a tree are put into words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from hoyle.diagnostics import UNSAID, Fix, Problems, Said
from hoyle.language.sentences import either_of, in_each, said
from hoyle.reading.schema_words import said_in
from hoyle.reading.shape import Finding
from hoyle.reading.tree import Node

Rule = Callable[[Finding, list[str], Problems], None]
"""Reports a finding; the names are the unknown keys of the same map, which may be slips of the pen."""


_NOT_PLAIN = r"^[\[\]{}&*!|>'\"%@`#,]|: | #|:$"
"""What a text of YAML cannot have without quotes."""
_CUT = rf"{_NOT_PLAIN}|[,\[\]{{}}]"


def flow(value: Any, inside: bool = False) -> str:
    """Plain data as YAML on one line; `inside` brackets or braces a comma ends a text that has no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {flow(item, True)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, True) for item in value) + "]"
    if isinstance(value, str) and re.search(_CUT if inside else _NOT_PLAIN, value):
        return json.dumps(value, ensure_ascii=False)
    if value is None:
        return "~"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def either(names: Iterable[str]) -> Said:
    """One of these names."""
    return either_of(f"`{name}`" for name in names)


def of_grammar(text: str) -> Said:
    """What the schema says, in each language."""
    return in_each(partial(said_in, text))


def example(finding: Finding, key: str = "for_example") -> Said:
    """How it might be written, from the schema's own examples; `key`: the sentence that says so."""
    examples = finding.schema.get("examples")
    if not examples or finding.place.key is None:
        return UNSAID
    return said(f"shape.{key}", name=finding.place.key.raw, value=flow(examples[0]))


def in_brackets(node: Node, written: str = "") -> tuple[Fix, ...]:
    """A text as a list of one, or of several where it has commas: itself, or `written`. No fix where brackets would change what it says."""
    text, is_as_read = written or node.raw, not node.style and node.span.text == node.raw
    if not (written or is_as_read) or re.search(r"[\[\]{}#:\"'\n]", text):
        return ()
    return (Fix(node.span, f"[{text}]"),)
