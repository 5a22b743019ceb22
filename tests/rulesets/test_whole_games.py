"""Random games of many rulesets end with all their pieces; worked examples hold; the texts of rulesets have the clauses of their sources."""

import re
from collections import Counter
from typing import Any

import pytest
from games import loaded, names, settings_of
from tiers import in_tiers, some_now

from hoyle import State
from hoyle.game.examples.examples import run_examples
from hoyle.resources import shipped

CASES: list[tuple[str, dict[str, Any]]] = [(name, options) for name, options in settings_of("whole games")]
CASES += [(name, options) for name in ("grabuge", "cribbage") for options in settings_of(name)]
SHORT = ["golf"]
"""Games whose worked examples run in a plain run. `.ci/run` runs those of all."""
PLAIN = [CASES[3]]


def pieces(state: State) -> Counter[int]:
    return Counter(piece >> 1 for pile in state.core.piles for piece in pile)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "options"), in_tiers(CASES, whole=PLAIN), ids=str)
def test_random_games_end_with_all_their_pieces(name: str, options: dict[str, Any]) -> None:
    game = loaded(name, options)
    begun = pieces(game.start(seed=3))
    for index in range(1 if "target" in options else 3):
        state = game.playout(seed=3, index=index)
        assert state.is_over and not state.unfinished
        assert len(game.seats) < 3 or state.winners
        assert pieces(state) == begun
        if "target" in options and "match" not in options:
            assert max(state.scores.values()) >= options["target"]
        if options == {"load_sources": "any"}:
            assert len(state.winners) == 1


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "seed", "why", "games"),
    some_now(
        [
            ("grabuge", {"match": "cumulative", "games": 2}, 2, "this game", 2),
            ("grabuge", {"match": "cumulative", "games": 4}, 2, "this game", 4),
            ("cribbage", {"match": "points", "games": 3}, 1, "a game", 3),
        ],
        1,
    ),
)
def test_a_match_is_the_sum_of_its_games(name: str, options: dict[str, Any], seed: int, why: str, games: int) -> None:
    end = loaded(name, options).playout(seed)
    gained = [e.data for e in end.events if e.kind == "score" and why in e.text("en")]
    assert {e: sum(one["score"] for one in gained if one["to"] == e) for e in end.scores} == end.scores
    assert sum(e.kind == "shuffle" for e in end.events) >= games


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], whole=SHORT))
def test_worked_examples_hold(name: str) -> None:
    """Those of Barbu reach every rule of it."""
    report = run_examples(name, coverage=name == "barbu")
    assert {o.name: [d.message for d in o.problems] for o in report.outcomes if not o.passed} == {}
    if name == "barbu":
        assert report.outcomes and report.unreached == []


CLAUSES = [
    (("grabuge",), {"G": 37}),
    (("cribbage",), {"CR": 32, "A": 28}),
    (("crapette",), {"C": 28}),
    (("barbu", "barbu-contre", "barbu-ammoun"), {"B": 33, "A": 25}),
]
"""Rulesets, and how many clauses their analyses have by the letters these begin with."""


@pytest.mark.parametrize(("rulesets", "clauses"), CLAUSES)
def test_every_clause_of_an_analysis_is_in_the_ruleset(rulesets: tuple[str, ...], clauses: dict[str, int]) -> None:
    cited = set(re.findall(r"\b[A-Z]+\d+\b", "".join(shipped()[name].read_text("utf-8") for name in rulesets)))
    assert {f"{letters}{n}" for letters, most in clauses.items() for n in range(1, most + 1)} <= cited


def test_the_library_of_tricks_names_no_game() -> None:
    text = shipped()["tricks"].read_text("utf-8").casefold()
    assert not re.search(r"barbu|contrat|contract|declarer|déclarant|réussite|whist|\bB\d+\b", text)
