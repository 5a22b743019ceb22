"""Checked rulesets, letter for letter, and their steps: a class for each verb, with its formulas by name."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import Struct
from msgspec.structs import fields
from nodes import in_full
from rules import read_cases

from hoyle.checking.analysis import Effect, EffectReader, Key, list_formulas
from hoyle.checking.build import load_ruleset
from hoyle.checking.cost import Cost
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.checking.sections.flow import VERBS
from hoyle.diagnostics import Problems, Span
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Rule, Ruleset
from hoyle.language.steps import Label, Step, Verb
from hoyle.language.syntax import Form
from hoyle.language.value_types import ValueType
from hoyle.reading import grammar

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


CASES = read_cases("checking/steps")
BASE = Path(__file__).parent / "diagnostics" / "_game.yaml"


def format_value(part: Any) -> str:
    """Format formulas as written, steps by name, and classes with their fields."""
    if isinstance(part, Step | Var):
        return part.name
    if isinstance(part, tuple):
        return f"[{', '.join(map(format_value, part))}]"
    if isinstance(part, Label):
        return format_value(part.row) if part.telling is None else str(part.telling.words)
    if isinstance(part, Span) or (hasattr(part, "span") and not isinstance(part, Verb)):
        return " ".join((part if isinstance(part, Span) else part.span).text.split())
    if isinstance(part, Struct):
        named = ((f.name, getattr(part, f.name)) for f in fields(part))
        return f"{type(part).__name__}({', '.join(f'{name}: {format_value(value)}' for name, value in named)})"
    return "-" if part is None else str(part)


def checked(folder: Path, text: str) -> Any:
    path = folder / "game.yaml"
    path.write_text(f"ruleset: 1\ngame: steps\nextends: {BASE.name}\n{text}\n", encoding="utf-8")
    (folder / BASE.name).write_text(BASE.read_text(encoding="utf-8"), encoding="utf-8")
    found, _ = load_ruleset(path, {})
    return found


STEPS: dict[str, str] = yaml.safe_load((Path(__file__).parent / "steps.yaml").read_text(encoding="utf-8"))
"""Steps with their checked verbs."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    lines = "".join(f"    s{n}: {{{step}}}\n" for n, step in enumerate(STEPS))
    text = f"flow:\n  turn:\n{lines}  more: {{a: {{move: pack, count: 1, to: hand}}}}"
    found = checked(tmp_path_factory.mktemp("steps"), text)
    return [step for step in found.phases["turn", True].steps if step.name[1:].isdigit()]


@pytest.mark.parametrize(("number", "verb"), list(enumerate(STEPS.values())))
def test_a_verb(number: int, verb: str, made: list[Step]) -> None:
    assert format_value(made[number].verb) == verb


def test_the_grammar_and_the_checker_know_the_same_verbs() -> None:
    assert sorted(VERBS) == sorted(grammar.step_verbs()) == sorted(grammar.keys_by_verb())


@pytest.mark.parametrize(("modifiers", "loop", "by"), CASES["modifiers"])
def test_modifiers(modifiers: str, loop: list[str] | None, by: str, tmp_path: Path) -> None:
    found = checked(tmp_path, f"flow: {{turn: {{it: {{{modifiers}, at: §3, set: {{score of B: 1}}}}}}}}")
    phase = found.phases["turn", True]
    step = phase.steps[-1]
    assert ([*map(format_value, (step.loop.var, step.loop.items, step.loop.where))] if step.loop else None) == loop
    assert (format_value(step.by), step.at, step.when is not None) == (by, "§3", "when" in modifiers)
    assert (step.me is phase.me) == (by == "-"), "`by` says who is `me` inside"


@pytest.mark.parametrize(("demand", "expected", "judged"), CASES["demands"])
def test_a_demand(demand: str, expected: str, judged: int, tmp_path: Path) -> None:
    rule = f"obligations: {{new: {{rule: {{at: §9, en: New.}}, {demand}}}}}"
    found = checked(tmp_path, f"{rule}\nflow: {{turn: {{play: {{obey: [new]}}}}}}")
    assert type(found.obligations["new"].demand).__name__ == expected
    asked = found.judged.get(("new", "play a card"), ())
    assert (len(asked) if isinstance(asked, tuple) else 1) == judged
