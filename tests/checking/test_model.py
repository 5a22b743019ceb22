"""What the checker makes of whole rulesets: every entry with everything that is known of it, letter for letter.

`models/NAME.out` is what is made of the ruleset NAME in `tests/game/scenes`. After a wanted change, run with UPDATE_GOLDEN=1
and read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kinds import in_full
from msgspec import Struct
from msgspec.structs import fields

from interpreter.checking.build import ruleset
from interpreter.diagnostics import Span
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import Kind
from interpreter.language.model import Rule, Ruleset
from interpreter.language.syntax import Form

SCENES = Path(__file__).parents[1] / "game" / "scenes"
SECTIONS = (
    "title",
    "source",
    "clauses",
    "notes",
    "seats",
    "options",
    "constraints",
    "tables",
    "pieces",
    "piles",
    "state",
    "moves",
    "obligations",
    "whenever",
    "phases",
    "result",
)


def shown(part: Any) -> str:
    """In one line, without places; what stays as it is when nothing is said is left out."""
    if isinstance(part, Span | Form):
        return " ".join((part if isinstance(part, Span) else part.span).text.split())
    if isinstance(part, Var):
        return f"{part.name}: {in_full(part.kind)}"
    if isinstance(part, Kind):
        return in_full(part)
    if isinstance(part, Expr):
        return f"`{shown(part.span)}`: {in_full(part.kind)}"
    if isinstance(part, Rule):
        return part.at
    if isinstance(part, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in part.items()) + "}"
    if isinstance(part, list | tuple):
        return f"[{', '.join(map(shown, part))}]"
    if isinstance(part, Struct):
        named = ((f.name, getattr(part, f.name)) for f in fields(part) if f.name not in ("span", "words"))
        return f"{type(part).__name__}({', '.join(f'{k}={shown(v)}' for k, v in named if v not in (None, '', (), [], {}))})"
    return str(part)


def lines(found: Ruleset) -> Iterator[str]:
    for section in SECTIONS:
        entries = getattr(found, section)
        yield f"{section}:"
        for name, entry in entries.items() if isinstance(entries, dict) else [("", entries)]:
            yield f"  {shown(name)}: {shown(entry)}"
    yield "attributes:"
    yield from (f"  {name}: {shown(values)}" for name, values in found.attributes.by_name.items())


@pytest.mark.parametrize("name", ["cabinet", "ladder"])
def test_what_is_made_of_a_ruleset(name: str) -> None:
    found = "".join(f"{line}\n" for line in lines(ruleset(SCENES / f"{name}.yaml", {})[0]))
    out = Path(__file__).parent / "models" / f"{name}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")
