"""Changes of a ruleset, and whether its examples notice them."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import FEW

from interpreter.cli.main import main
from interpreter.diagnostics import Refused
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import shipped
from interpreter.series.mutants import Judge, failing, judged, mutants

RACE = """ruleset: 1
game: race
players: {count: 2, seats: [A, B]}
tables: {ranks: {columns: {sign: text}, rows: {ace: {sign: A}}}}
pieces: {card: {of: [ranks], copies: 9, from: pack}}
piles: {pack: {face: down}, table: {each: player, face: down}}
moves:
  play:
    rule: {at: "1", en: Cards are played., fr: On joue des cartes.}
    take: pack
    put: table
    if:
      room: count(table) < 3
flow:
  game:
    fr: course
    turns: {turns: turn, from: first(players), until: count(table of A) >= 2 and count(table of B) >= 1}
  turn:
    one: {choose: [play]}
result:
  best: count(table of p)
examples:
  two are enough:
    given: {at: turn / one, to_act: A, piles: {pack: A A, "table of A": "A", "table of B": "A"}}
    moves: [play]
    over: true
"""


@pytest.fixture
def race(tmp_path: Path) -> str:
    place = tmp_path / "race.yaml"
    place.write_text(RACE)
    return str(place)


def test_mutants_come_in_the_order_of_the_file(race: str) -> None:
    assert [m.what for m in mutants(race)] == [
        "`9` → `10`",
        "without `room`",
        "`<` → `<=`",
        "`3` → `4`",
        "without `turns`",
        "`first` → `last`",
        "without `until`",
        "only `count(table of A) >= 2` of `count(table of A) >= 2 and count(table of B) >= 1`",
        "only `count(table of B) >= 1` of `count(table of A) >= 2 and count(table of B) >= 1`",
        "`>=` → `>`",
        "`2` → `3`",
        "`and` → `or`",
        "`>=` → `>`",
        "`1` → `2`",
        "without `one`",
        "`choose` without `play`",
    ]


@pytest.mark.whole
def test_citations_of_the_library_are_not_left_out() -> None:
    left_out = {m.what for m in mutants("garanguet")}
    assert "without `name the doublet`" in left_out
    assert not left_out & {"without `race`", "without `open arrow`"}


def test_examples_must_hold_before_anything_is_changed(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert failing(race) == []
    Path(race).write_text(RACE.replace("over: true", "over: false"))
    assert failing(race) == ["two are enough"]
    assert main(["mutants", race]) == 1
    assert "two are enough" in capsys.readouterr().err


VERDICTS = {
    "`2` → `3`": "noticed",
    "without `one`": "refused",
    "`and` → `or`": "survived",
    "`<` → `<=`": "same",
    "`first` → `last`": "survived",
}


@pytest.mark.whole
def test_verdicts(race: str) -> None:
    judge = Judge(race, 3, 1)
    assert {m.what: judge(m).kind for m in mutants(race) if m.what in VERDICTS} == VERDICTS


@pytest.mark.slow
def test_several_processes_judge_the_same(race: str) -> None:
    found = [m for m in mutants(race) if m.what in VERDICTS]
    assert [v.kind for v in judged(race, found, 3, 1, jobs=2)] == [VERDICTS[m.what] for m in found]


@pytest.mark.whole
@pytest.mark.parametrize("name", ["garanguet", *(pytest.param(name, marks=pytest.mark.slow) for name in FEW)])
def test_only_rules_change(name: str) -> None:
    """Never words, options or examples."""
    root = load(read(shipped()[name]))
    sections = [
        root.pairs[key][1].span for key in ("examples", "options", "title", "source", "clauses") if root.get(key)
    ]
    for mutant in mutants(name):
        assert not any(s.start <= mutant.span.start < s.end for s in sections)
    for mutant in mutants(name)[::60]:
        try:
            assert mutant.root().plain() != root.plain()
        except Refused as refused:
            assert refused.diagnostics
