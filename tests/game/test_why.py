"""Why a move is refused: one sentence in both languages, and the values of the position that decide it."""

import os
from functools import cache
from pathlib import Path
from typing import Any

import games
import pytest
import yaml
from english import spaced
from mutations import plain
from rules import change_rules, load_rules, read_cases
from tiers import in_tiers, tier

from hoyle import Game, IllegalMove, load
from hoyle.game.explain.why import sample_alike_states

CASES = Path(__file__).parent / "why.yaml"
TESTS = CASES.parents[1]
QUICK = {"net", "fishing", "market", "turns", "_game"}
"""Small games of the tests."""
OWN = {place.stem for folder in ("scenes", "rules") for place in CASES.parent.glob(f"{folder}/*.yaml")}


class Whole(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


@cache
def game(name: str) -> Game:
    if name in ("turns", "_game"):
        return load(TESTS / ("compiling/flow/turns.yaml" if name == "turns" else "checking/diagnostics/_game.yaml"))
    return load_rules(f"game/{name}") if name in OWN else games.game(name)


@cache
def cases() -> list[dict[str, Any]]:
    return list(plain(CASES.read_text(encoding="utf-8")))


def found_in(case: dict[str, Any]) -> dict[str, Any]:
    """Also checks that playing the move is refused for the same reason."""
    state = game(case["game"]).position(case["position"], seed=1)
    why = state.why(case["move"])
    assert not why.legal
    with pytest.raises(IllegalMove) as refused:
        state.play(case["move"])
    assert why.summary() in str(refused.value) or refused.value.diagnostics[0].code == "R803"
    return {
        "en": why.summary("en"),
        "fr": spaced(why.summary("fr")),
        "failing": why.failing and why.failing.name,
        "hangs_on": [f"{formula} = {value}" for _, formula, value in why.failing.parts] if why.failing else [],
    }


@pytest.mark.parametrize("first", range(10))
def test_a_refusal_has_one_reason(first: int) -> None:
    """UPDATE_GOLDEN=1 renews `why.yaml`, in one process."""
    every = cases()
    for number in (n for n in range(first, len(every), 10) if tier() != "quick" or every[n]["game"] in QUICK):
        case = every[number]
        found = found_in(case)
        if os.environ.get("UPDATE_GOLDEN"):
            every[number] = {key: case[key] for key in ("game", "position", "move")} | found
        assert found == {key: every[number][key] for key in found}, case["move"]
    if os.environ.get("UPDATE_GOLDEN"):
        text = yaml.dump(every, Dumper=Whole, allow_unicode=True, sort_keys=False, width=120)
        CASES.write_text(text, encoding="utf-8")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "several"), [("backgammon", False), ("hearts", True), ("freecell", False), ("crapette", True)]
)
def test_states_that_look_alike_are_tried_once(name: str, several: bool) -> None:
    """A player who sees everything has one state."""
    state = games.game(name).start(1)
    found = sample_alike_states(state.game.compiled, state.core, state.core.actor)
    assert (len(found) > 1) is several and len({core.key() for core in found}) == len(found)


AMONG_REASONS = {
    "at": "all / turn / one",
    "to_act": "A",
    "piles": {"hand of A": "7H", "heap at 2": "KS 9D", "unnamed": "3C"},
    "state": {"trump": "clubs", "said": 4, "taken of B": 3},
}


@pytest.mark.parametrize("part", in_tiers(range(4), quick=[1], whole=range(4)))
def test_values_are_named_as_players_know_them(part: int, tmp_path: Path) -> None:
    """Values without a name in the language are left out."""
    for case in read_cases("game/reasons")["grounds"][part::4]:
        state = change_rules("game/reasons", tmp_path, {"FORMULA": case["formula"]}).position(AMONG_REASONS)
        for found in (state.why("lay 7H -> 2"), state.why("lay 7H -> 2", "A")):
            assert found.failing is not None
            texts = [spaced(text) for one in found.failing.grounds if (text := dict(one)["fr"])]
            assert texts == case["french"], case
