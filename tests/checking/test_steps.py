"""Checked steps: a class for each verb, with its formulas by name."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import Struct
from msgspec.structs import fields
from rules import read_cases

from hoyle.checking.build import load_ruleset
from hoyle.checking.sections.flow import VERBS
from hoyle.diagnostics import Span
from hoyle.language.ir import Var
from hoyle.language.steps import Label, Step, Verb
from hoyle.reading import grammar

CASES = read_cases("checking/steps")
BASE = Path(__file__).parent / "diagnostics" / "_game.yaml"


def shown(part: Any) -> str:
    """Format formulas as written, steps by name, and classes with their fields."""
    if isinstance(part, Step | Var):
        return part.name
    if isinstance(part, tuple):
        return f"[{', '.join(map(shown, part))}]"
    if isinstance(part, Label):
        return shown(part.row) if part.telling is None else str(part.telling.words)
    if isinstance(part, Span) or (hasattr(part, "span") and not isinstance(part, Verb)):
        return " ".join((part if isinstance(part, Span) else part.span).text.split())
    if isinstance(part, Struct):
        named = ((f.name, getattr(part, f.name)) for f in fields(part))
        return f"{type(part).__name__}({', '.join(f'{name}: {shown(value)}' for name, value in named)})"
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
    """Return the checked steps of a game with all of these."""
    lines = "".join(f"    s{n}: {{{step}}}\n" for n, step in enumerate(STEPS))
    text = f"flow:\n  turn:\n{lines}  more: {{a: {{move: pack, count: 1, to: hand}}}}"
    found = checked(tmp_path_factory.mktemp("steps"), text)
    return [step for step in found.phases["turn", True].steps if step.name[1:].isdigit()]


@pytest.mark.parametrize(("number", "verb"), list(enumerate(STEPS.values())))
def test_a_verb(number: int, verb: str, made: list[Step]) -> None:
    assert shown(made[number].verb) == verb


def test_the_grammar_and_the_checker_know_the_same_verbs() -> None:
    assert sorted(VERBS) == sorted(grammar.step_verbs()) == sorted(grammar.keys_by_verb())


@pytest.mark.parametrize(("modifiers", "loop", "by"), CASES["modifiers"])
def test_modifiers(modifiers: str, loop: list[str] | None, by: str, tmp_path: Path) -> None:
    found = checked(tmp_path, f"flow: {{turn: {{it: {{{modifiers}, at: §3, set: {{score of B: 1}}}}}}}}")
    phase = found.phases["turn", True]
    step = phase.steps[-1]
    assert ([*map(shown, (step.loop.var, step.loop.items, step.loop.where))] if step.loop else None) == loop
    assert (shown(step.by), step.at, step.when is not None) == (by, "§3", "when" in modifiers)
    assert (step.me is phase.me) == (by == "-"), "`by` says who is `me` inside"


@pytest.mark.parametrize(("demand", "expected", "judged"), CASES["demands"])
def test_a_demand(demand: str, expected: str, judged: int, tmp_path: Path) -> None:
    rule = f"obligations: {{new: {{rule: {{at: §9, en: New.}}, {demand}}}}}"
    found = checked(tmp_path, f"{rule}\nflow: {{turn: {{play: {{obey: [new]}}}}}}")
    assert type(found.obligations["new"].demand).__name__ == expected
    asked = found.judged.get(("new", "play a card"), ())
    assert (len(asked) if isinstance(asked, tuple) else 1) == judged
