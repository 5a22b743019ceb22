"""Analysis of what formulas read and steps change; the checker and the compiler must agree."""

from pathlib import Path
from typing import Any

import pytest
from rules import read_cases

from hoyle.checking.analysis import EffectReader, list_step_lists
from hoyle.checking.build import load_ruleset
from hoyle.language.model import Ruleset
from hoyle.language.step_analysis import list_changes
from hoyle.language.steps import Check, Deed, Gather, Step, TakeBack, every_step

CASES = read_cases("checking/reads")

BASE = (Path(__file__).parent / "diagnostics" / "_game.yaml").read_text(encoding="utf-8")
CHAPTERS = sorted((Path(__file__).parents[1] / "compiling" / "flow").glob("[!_]*.yaml"))


def game(folder: Path, text: str) -> Ruleset:
    (folder / "_game.yaml").write_text(BASE, encoding="utf-8")
    path = folder / "game.yaml"
    path.write_text(f"ruleset: 1\ngame: reads\nextends: _game.yaml\n{text}\n", encoding="utf-8")
    return load_ruleset(path, {})[0]


def names(keys: Any) -> str:
    return " ".join(sorted(name for _, name in keys))


@pytest.mark.parametrize(("formula", "read"), CASES["what a formula reads"])
def test_what_a_formula_reads(formula: str, read: str, tmp_path: Path) -> None:
    found = game(tmp_path, f"flow:\n  turn:\n    it:\n      check: {formula}")
    verb = found.phases["turn", True].steps[-1].verb
    assert isinstance(verb, Check)
    assert names(EffectReader(found).reads(verb.condition)) == read


@pytest.mark.parametrize(("step", "changed", "filled", "left"), CASES["what a step changes"])
def test_what_a_step_changes(step: str, changed: str, filled: str, left: str, tmp_path: Path) -> None:
    found = game(tmp_path, f"flow:\n  turn: {{it: {{{step}}}}}\n  more: {{a: {{move: pack, count: 1, to: heap}}}}")
    effect = EffectReader(found).effect_of_steps(found.phases["turn", True].steps[-1:])
    assert (names(effect.changes), names(effect.fills), " ".join(effect.leaves)) == (changed, filled, left)


@pytest.mark.whole
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_checker_and_compiler_agree_on_what_changes(path: Path) -> None:
    found = load_ruleset(path, {})[0]
    reader, compared = EffectReader(found), 0
    for step in (step for steps in list_step_lists(found) for step in every_step(steps)):
        if isinstance(step.verb, Deed) and not isinstance(step.verb, Gather | TakeBack):
            effect = reader.effect_of_steps([Step(step.name, step.verb, step.span)])
            assert list_changes(found, step.verb) == {name for _, name in effect.changes}, step.name
            compared += 1
    assert compared
