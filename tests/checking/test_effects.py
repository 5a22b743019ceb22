"""Effects of formulas and steps, and constant conditions: the checker agrees with the compiler and with random states."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from everything import position
from formulas import SORTS, Maker
from oracle import CARD, ME, OTHER, checked, setting
from rules import read_cases
from tiers import sized

from hoyle.checking.analysis import EffectReader, list_step_lists
from hoyle.checking.build import load_ruleset
from hoyle.checking.lints.constant_conditions import ALWAYS, NEVER, LazySentence, find_certainty
from hoyle.language.evaluate import Part, explain, is_absent
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


def made(chance: random.Random) -> str:
    maker = Maker(chance.randrange, [("c", "card"), ("p", "player")])
    return maker.some(chance.choice(SORTS), chance.randint(1, 4))


def parts(part: Part) -> Iterator[Part]:
    yield part
    for inner in part.parts:
        yield from parts(inner)


def holds(part: Part, message: LazySentence) -> bool:
    """Return whether a finding about a part holds for the values that it had."""
    if message in (ALWAYS, NEVER):
        return bool(part.value) == (message == ALWAYS)
    if "`otherwise`" in message():
        return not is_absent(part.parts[0].value, part.expr.args[0].type)
    return not part.value  # never absent, never empty; an empty range


@pytest.mark.whole
def test_findings_hold_in_random_states() -> None:
    chance, told = random.Random(5), set[LazySentence]()
    for _ in range(sized(400, 1200)):
        expr, problems = checked(made(chance))
        at, names = (
            position(chance),
            {ME: chance.randrange(3), CARD: 2 * chance.randrange(12), OTHER: chance.randrange(3)},
        )
        for part in parts(explain(expr, setting(at), names)) if not problems.errors else ():
            verdict = find_certainty(part.expr)
            if verdict is not None:
                told.add(verdict[1])
                assert holds(part, verdict[1]), f"{part.expr.span.text} is {part.value}: {verdict}"
    assert {ALWAYS, NEVER, LazySentence("idle.never_absent"), LazySentence("idle.never_empty")} < told
