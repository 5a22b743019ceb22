"""La Crapette: every decision against a referee that is written without the interpreter; faults, and how games end."""

from __future__ import annotations

import statistics
from random import Random
from typing import Any

import pytest
from brute_crapette import Judge, Position
from games import loaded
from settings import settings_of

FAULTS = {
    "centre first": "F1",
    "load before side": "F2",
    "play before turning": "F3",
    "load before turning": "F3",
    "clear a case before turning": "F3",
    "side cards before turning": "F3",
}
CHOICES: dict[str, list[Any]] = settings_of("crapette")


class Referee:
    """Follows a game and says at every decision what the rules allow."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.seen: set[Any] = set()
        self.turn: str | None = None
        self.has_turned = False
        self.shifts = 0

    def position(self, state: Any) -> Position:
        piles = {p.key: p for p in state.view(state.to_act).piles}
        signs = {key: tuple(c.sign or "K?" for c in p.pieces) for key, p in piles.items()}
        me, them = state.to_act, "B" if state.to_act == "A" else "A"
        side = tuple(signs[key] for key in piles if piles[key].family == "side")
        return Position(
            me="AB".index(me),
            side=side,
            centre=tuple(signs[key] for key in piles if piles[key].family == "centre"),
            crapette=signs[f"crapette of {me}"],
            turned=signs[f"turned of {me}"],
            pot=signs[f"pot of {me}"],
            talon=piles[f"talon of {me}"].count,
            their_crapette=signs[f"crapette of {them}"],
            their_pot=signs[f"pot of {them}"],
            crapette_size=piles[f"crapette of {me}"].count,
            pot_size=piles[f"pot of {me}"].count,
            has_turned=self.has_turned,
            seen=frozenset(self.seen | {side}),
            shifts=self.shifts,
        )

    def judge(self, state: Any) -> Judge:
        return Judge(self.position(state), self.options)

    def follow(self, state: Any, move: Any) -> None:
        """A move about to be made: what it does to the memory of the turn."""
        side = self.position(state).side
        if move.name in ("to the centre", "to a side case", "to the pot", "pass"):  # progress, or the end of the turn
            self.seen = set()
        else:
            self.seen.add(side)
        shifted = move.name in ("side to side", "shift a sequence")
        self.shifts = 0 if move.name in ("to the pot", "pass") else self.shifts + shifted
        self.has_turned = move.name == "turn the talon" or (self.has_turned and move.name not in ("to the pot", "pass"))


def check_game(options: dict[str, Any], seed: int, most: int = 100_000) -> int:
    """Play a random game under these options; compare every decision with the referee. The number of decisions."""
    game = loaded("crapette", options)
    state, referee, pick = game.start(seed=seed), Referee(options), Random(seed)
    decisions = 0
    while not state.is_over and decisions < most:
        moves = state.moves()
        if state.place.endswith("watch"):
            state = state.play("say-nothing")
            continue
        judge = referee.judge(state)
        if options.get("faults") == "callable":
            assert {m.id: m.fault and FAULTS.get(m.fault, m.fault) for m in moves} == judge.called(), (
                options,
                seed,
                decisions,
            )
        else:
            assert {m.id for m in moves} == judge.legal(), (options, seed, decisions)
        move = pick.choice(moves)
        referee.follow(state, move)
        state = state.play(move)
        decisions += 1
    return decisions


# ---- every decision of whole games --------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    ("options", "seed", "most"),
    [
        ({}, 0, 150),
        ({"faults": "callable"}, 0, 100),
        *(pytest.param({}, seed, 100_000, marks=pytest.mark.slow) for seed in range(8)),
        *(pytest.param({"faults": "callable"}, seed, 100_000, marks=pytest.mark.slow) for seed in range(4)),
    ],
    ids=str,
)
def test_legal_moves_and_faults_are_those_of_the_referee(options: dict[str, Any], seed: int, most: int) -> None:
    assert check_game(options, seed, most) >= min(most, 200)


@pytest.mark.slow
@pytest.mark.parametrize(("option", "value"), [(k, v) for k, vs in CHOICES.items() for v in vs[1:]])
def test_every_choice_of_every_option(option: str, value: Any) -> None:
    assert check_game({option: value}, 11, 250) > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_options_together(seed: int) -> None:
    pick = Random(seed)
    check_game({option: pick.choice(values) for option, values in CHOICES.items()}, seed, 400)


# ---- how games go -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_random_games_go_as_analysed() -> None:
    ends = [loaded("crapette").playout(seed=2026, index=index) for index in range(300)]
    assert all(end.is_over for end in ends)
    assert 0.66 <= sum(len(end.winners) == 1 for end in ends) / 300 <= 0.84
    assert 500 <= statistics.median(end.decisions for end in ends) <= 640


@pytest.mark.whole
def test_a_dead_position_ends_after_104_turns_without_progress() -> None:
    side = ["7S", "5C", "5D", "9H", "9D", "JS", "JC", "9C"]
    piles = {
        "side": side,
        "crapette of A": "2C | KH",
        "talon of A": "6C",
        "crapette of B": "4C | QD",
        "talon of B": "6S",
    }
    state = loaded("crapette").position({"at": "one game / the play", "state": {"leader": "A"}, "piles": piles})
    turns = 0
    while not state.is_over:
        assert [m.id for m in state.moves()] == ["turn-the-talon"]
        state = state.play("turn-the-talon")
        assert [m.id for m in state.moves()] == ["to-the-pot"]
        state = state.play("to-the-pot")
        turns += 1
    assert turns == 104
    assert state.scores == {"A": 0, "B": 0}


# ---- faults -------------------------------------------------------------------------------------------------------------

TWO_LOADS = {
    "at": "turn / manoeuvres",
    "to_act": "A",
    "piles": {
        "side": ["8S"],
        "crapette of A": "2C | 7D",
        "talon of A": "?*3",
        "talon of B": "?*3",
        "crapette of B": "9C | 6D",
        "pot of B": "8D",
    },
}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("move", "clause", "fault"),
    [
        ("to-a-side-case crapette -> 1", "F2", "load before side"),
        ("turn-the-talon", "F3", "load before turning"),
    ],
)
def test_why_names_the_clause_whether_faults_are_prevented_or_called(move: str, clause: str, fault: str) -> None:
    for faults, legal in (("enforced", False), ("callable", True)):
        why = loaded("crapette", faults=faults).position(TWO_LOADS).why(move)
        assert why.legal is legal
        assert why.failing is not None
        assert why.failing.name == fault
        assert clause in why.failing.rule.at.split()
        assert why.summary("fr") != why.summary("en")


def contents(state: Any) -> dict[str, Any]:
    """The piles as a position writes them; hidden cards of the onlooker stay unknown."""
    found: dict[str, Any] = {}
    for pile in state.view(None).piles:
        up = " ".join(p.sign for p in pile.pieces if p.sign)
        down = sum(1 for p in pile.pieces if not p.sign)
        text = f"?*{down} | {up}" if up and down else up or (f"?*{down}" if down else None)
        if pile.family == "centre" and pile.count == 13:
            text = " ".join(r + pile.pieces[0].sign[1] for r in "A23456789TJQ") + " K" + pile.pieces[0].sign[1]
        if pile.number:
            found.setdefault(pile.family, []).append(text)
        elif text:
            found[pile.key] = text
    return found


@pytest.mark.whole
@pytest.mark.parametrize("effect", ["keep", "undo", "undo_and_force"])
@pytest.mark.parametrize(("seed", "most"), [(0, 8), pytest.param(1, 60, marks=pytest.mark.slow)])
def test_a_right_call(effect: str, seed: int, most: int) -> None:
    """Every fault of a game is called: nothing is lost, and the effect is the one agreed."""
    game = loaded("crapette", faults="callable", fault_effect=effect)
    names = {"F1": "centre-missed", "F2": "load-missed", "F3": "turned-too-soon"}
    state, pick, calls = game.start(seed=seed), Random(seed), 0
    while not state.is_over and calls < most:
        move = pick.choice(state.moves())
        offender, before = state.to_act, contents(state)
        state = state.play(move)
        if state.is_over or not state.place.endswith("watch"):
            continue
        if move.fault is None:
            state = state.play("say-nothing")
            continue
        calls += 1
        after = state.play(f"call-Crapette {names[FAULTS[move.fault]]}")
        now, pot = contents(after), f"pot of {offender}"
        if effect == "keep":
            assert after.to_act != offender
        else:
            assert now["side"] == before["side"]
            assert now["centre"] == before["centre"]
        if effect == "undo" and f"turned of {offender}" in before:  # a card that was waiting ends on the pot
            assert str(now[pot]).split()[-1] == before[f"turned of {offender}"]
        if effect == "undo_and_force":
            assert {k: v for k, v in now.items() if "talon" not in k} == {
                k: v for k, v in before.items() if "talon" not in k
            }
            assert after.to_act == offender
            assert all(m.fault is None for m in after.moves())
            after = after.play(pick.choice(after.moves()))
            assert after.is_over or after.to_act != offender
        state = after
    assert calls >= min(most, 10)
