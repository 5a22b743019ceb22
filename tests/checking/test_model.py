"""What the checker makes of whole rulesets: every entry with everything that is known of it, letter for letter.

`models/NAME.out` is what is made of the ruleset NAME, which lies beside it or in `tests/game/scenes`: first what it says, then what
follows from it. After a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kinds import in_full
from msgspec import Struct
from msgspec.structs import fields

from hoyle.checking.analysis import Effect, EffectReader, Key, list_formulas
from hoyle.checking.build import load_ruleset
from hoyle.checking.cost import Cost
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.diagnostics import Problems, Span
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Rule, Ruleset
from hoyle.language.syntax import Form
from hoyle.language.value_types import ValueType

SCENES = Path(__file__).parents[1] / "game" / "scenes"
SECTIONS = "title source clauses notes seats options constraints tables pieces piles state moves obligations whenever phases result"


def shown(part: Any) -> str:
    """Format a value in one line, without spans and defaults."""
    if isinstance(part, Span | Form):
        return " ".join((part if isinstance(part, Span) else part.span).text.split())
    if isinstance(part, Var):
        return f"{part.name}: {in_full(part.type)}"
    if isinstance(part, ValueType):
        return in_full(part)
    if isinstance(part, Expr):
        return f"`{shown(part.span)}`: {in_full(part.type)}"
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
    for section in SECTIONS.split():
        entries = getattr(found, section)
        yield f"{section}:"
        for name, entry in entries.items() if isinstance(entries, dict) else [("", entries)]:
            yield f"  {shown(name)}: {shown(entry)}"
    yield "attributes:"
    yield from (f"  {name}: {shown(values)}" for name, values in found.attributes.by_name.items())


def names(keys: set[Key]) -> str:
    return " ".join(sorted(name for _, name in keys)) or "nothing"


def effect(found: Effect) -> str:
    leaves = f", leaves {' '.join(sorted(found.leaves))}" if found.leaves else ""
    return f"changes {names(found.changes)}, fills {names(found.fills)}{leaves}"


def consequences(found: Ruleset) -> Iterator[str]:
    """List the results of analyses: effects, costs and the places of positions."""
    reader, cost = (
        EffectReader(found),
        Cost(SymbolTable(Problems(), found.seats, pieces=found.pieces, piles=found.piles)),
    )
    yield "effects:"
    for name, move in found.moves.items():
        yield f"  {name}: asks {names(reader.reads_of_move(move))}, {effect(reader.effect_of_move(name))}, choices {shown(cost.choices(move))}"
    yield from (f"  {name}: judges {names(reader.reads_of_obligations([name]))}" for name in found.obligations)
    yield from (f"  {name}: {effect(reader.effect_of_phase(name, acting))}" for name, acting in found.phases)
    yield from (f"  {name}: {names(reader.touches_of_rule(entry))}" for name, entry in found.whenever.items())
    yield "formulas:"
    for expr in list_formulas(found):
        yield f"  {shown(expr)}: reads {names(reader.reads(expr))}, {cost.steps(expr)} steps, {cost.loops(expr)} loops"
    yield "places:"
    yield from (f"  {' / '.join(path)}" for path in found.places)


@pytest.mark.parametrize("name", ["cabinet", "sums"])
def test_the_checked_model_of_a_ruleset(name: str) -> None:
    models = Path(__file__).parent / "models"
    path = next(folder / f"{name}.yaml" for folder in (models, SCENES) if (folder / f"{name}.yaml").exists())
    ruled = load_ruleset(path, {})[0]
    found = "".join(f"{line}\n" for line in (*lines(ruled), *consequences(ruled)))
    out = models / f"{name}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")
