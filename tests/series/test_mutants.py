"""Changes of a ruleset, and whether its examples notice them."""

from pathlib import Path

import pytest
from games import FEW
from rules import find_rules, read_cases, write_rules

from hoyle.cli.main import main
from hoyle.diagnostics import Refused
from hoyle.reading.sources import read
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped
from hoyle.series.mutants import Judge, judge_mutants, list_failing_examples, list_mutants

RACE = find_rules("series/race")


def test_mutants_come_in_the_order_of_the_file() -> None:
    assert [m.what for m in list_mutants(str(RACE))] == read_cases("series/mutants")["race"]


@pytest.mark.whole
def test_citations_of_the_library_are_not_left_out() -> None:
    left_out = {m.what for m in list_mutants("garanguet")}
    assert "without `name the doublet`" in left_out
    assert not left_out & {"without `race`", "without `open arrow`"}


def test_examples_must_hold_before_anything_is_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = str(write_rules("series/race", tmp_path, {"over: true": "over: false"}))
    assert (list_failing_examples(str(RACE)), list_failing_examples(wrong)) == ([], ["two are enough"])
    assert main(["mutants", wrong]) == 1
    assert "two are enough" in capsys.readouterr().err


VERDICTS = {
    "`2` → `3`": "noticed",
    "without `one`": "refused",
    "`and` → `or`": "survived",
    "`<` → `<=`": "same",
    "`first` → `last`": "survived",
}


@pytest.mark.whole
def test_verdicts() -> None:
    judge = Judge(str(RACE), 3, 1)
    assert {m.what: judge(m).kind for m in list_mutants(str(RACE)) if m.what in VERDICTS} == VERDICTS


@pytest.mark.slow
def test_several_processes_judge_the_same() -> None:
    found = [m for m in list_mutants(str(RACE)) if m.what in VERDICTS]
    assert [v.kind for v in judge_mutants(str(RACE), found, 3, 1, jobs=2)] == [VERDICTS[m.what] for m in found]


@pytest.mark.whole
@pytest.mark.parametrize("name", ["garanguet", *(pytest.param(name, marks=pytest.mark.slow) for name in FEW)])
def test_only_rules_change(name: str) -> None:
    """Never words, options or examples."""
    root = load(read(shipped()[name]))
    sections = [
        root.pairs[key][1].span for key in ("examples", "options", "title", "source", "clauses") if root.get(key)
    ]
    for mutant in list_mutants(name):
        assert not any(s.start <= mutant.span.start < s.end for s in sections)
    for mutant in list_mutants(name)[::60]:
        try:
            assert mutant.root().plain() != root.plain()
        except Refused as refused:
            assert refused.diagnostics
