"""Settings that contain every pair of choices, and changes of a ruleset that its examples notice."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from games import FEW, names
from hypothesis import given
from hypothesis import strategies as st
from rules import find_rules, load_rules, read_cases, write_rules

from hoyle import load
from hoyle.cli.main import main
from hoyle.diagnostics import Refused
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load as load_tree
from hoyle.resources import shipped
from hoyle.series.mutants import Judge, judge_mutants, list_failing_examples, list_mutants
from hoyle.series.option_pairs import list_settings, list_values, list_variant_settings, try_settings

SWITCHES = str(find_rules("series/switches"))


def test_values_of_a_range_are_its_ends_and_its_default() -> None:
    assert list_values(load_rules("series/switches")) == {
        "rounds": [1, 3, 9],
        "lost": [False, True],
        "stuck": [False, True],
        "first": ["one", "other"],
    }


VALUES = st.dictionaries(st.text("abc", min_size=1), st.lists(st.integers(), min_size=1, max_size=4, unique=True))


@pytest.mark.whole
@given(VALUES)
def test_every_pair_of_values_occurs(values: dict[str, list[Any]]) -> None:
    rows = [{**{k: v[0] for k, v in values.items()}, **row} for row in list_settings(values)]
    for (a, some), (b, others) in combinations(values.items(), 2):
        assert {(row[a], row[b]) for row in rows} == {(x, y) for x in some for y in others}


@pytest.mark.whole
def test_troubles_are_told_with_their_setting() -> None:
    found = list(try_settings(SWITCHES, {}, 1, 1, most=500))
    for row in found:
        kinds = {trouble.kind for trouble in row.troubles}
        if row.options["stuck"]:
            assert kinds == {"unfinished"}
        else:
            assert kinds == ({"fault"} if row.options["lost"] and row.options["rounds"] > 3 else set())


@pytest.mark.whole
def test_given_option_stays_as_it_is() -> None:
    found = list(try_settings(SWITCHES, {"stuck": False, "lost": False}, 2, 1, most=500))
    assert all(not row.options["stuck"] and row.games == 2 and not row.troubles for row in found)


@pytest.mark.whole
@pytest.mark.parametrize(("allowed", "lost"), [("rounds < 9 or not lost", True), ("rounds < 9 or lost", False)])
def test_every_pair_is_played_or_excluded_alone(allowed: str, lost: bool, tmp_path: Path) -> None:
    """Most settings of all options are excluded; of pairs only those that the constraints name."""
    constraint = f"constraints: {{fits: {{is: {allowed}, en: Nine rounds are another game., fr: Neuf tours sont un autre jeu.}}}}\n"
    place = str(write_rules("series/switches", tmp_path, {"tables:": f"{constraint}tables:"}))
    found = list(try_settings(place, {}, 1, 1, most=50))
    base = load(place).options
    played = [{**base, **row.options} for row in found if not row.excluded]
    alone = [row.options for row in found if row.excluded and len(row.options) == 2]
    assert alone == [{"rounds": 9, "lost": lost}]
    for (a, some), (b, others) in combinations(list_values(load(place)).items(), 2):
        wanted = {(x, y) for x in some for y in others} - ({(9, lost)} if (a, b) == ("rounds", "lost") else set())
        assert {(row[a], row[b]) for row in played} == wanted


def tree_of(name: str) -> Node:
    return load_tree(read(shipped()[name]))


def says_no_rule(name: str) -> bool:
    """Is it a variant that only sets options of its parent?"""
    said = set(re.findall(r"^(\w+):", shipped()[name].read_text(encoding="utf-8"), re.MULTILINE))
    return not said - {"ruleset", "game", "extends", "title", "source", "notes", "clauses", "examples", "set"}


def own_options(name: str) -> set[str] | None:
    """The options of a variant whose pairs its parent does not play; None for a game that is no variant: all."""
    tree = tree_of(name)
    if tree.get("extends") is None:
        return None
    values, parents = list_values(load(name)), list_values(load(tree["extends"].raw))
    changed = tree["options"].pairs if tree.get("options") is not None else {}
    return {option for option, found in values.items() if option in changed or parents.get(option) != found}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in names()])
def test_every_pair_of_choices_ends_and_keeps_its_pieces(name: str) -> None:
    """A variant without rules is its parent with these options, so its pairs are those of its parent."""
    if tree_of(name).get("extends") is not None and says_no_rule(name):
        variant = load(name)
        assert variant.machine.source == load(tree_of(name)["extends"].raw, variant.options).machine.source
        return
    found = list(try_settings(name, {}, 1, 1, own=own_options(name)))
    assert [(row.options, trouble) for row in found for trouble in row.troubles] == []
    assert any(row.games for row in found)


@pytest.mark.whole
@given(VALUES, st.sets(st.text("abc", min_size=1)))
def test_every_value_occurs_beside_own_options(values: dict[str, list[Any]], own: set[str]) -> None:
    rows = [{**{k: v[0] for k, v in values.items()}, **row} for row in list_variant_settings(values, own)]
    for (a, some), (b, others) in combinations(values.items(), 2):
        found = {(row[a], row[b]) for row in rows}
        assert {a, b} & own == set() or found == {(x, y) for x in some for y in others}
    assert all({row[name] for row in rows} == set(found) for name, found in values.items())
    assert own or len(rows) == max(map(len, values.values()), default=1)


@pytest.mark.whole
def test_setting_that_does_not_load_tells_the_cause_alone(tmp_path: Path) -> None:
    changes = {
        "count: 2, seats: [A, B]": "count: 2..3, seats: [A, B, C]",
        "else 0 - score of p": "else 0 - score of (opponent of p)",
        "state: {": "state: {spare: {range: 0..3}, ",
    }
    place = str(write_rules("series/switches", tmp_path, changes))
    found = {t.message for row in try_settings(place, {}, 0, 1) for t in row.troubles}
    assert found == {"R306: `opponent` needs two players or two sides"}


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
    root = load_tree(read(shipped()[name]))
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
