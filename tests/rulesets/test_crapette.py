"""La Crapette: every decision against a referee that is written without the interpreter, and how games go."""

import statistics
from random import Random
from typing import Any

import pytest
from brute_crapette import Judge, Position
from games import loaded, settings_of

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

    def __init__(self) -> None:
        self.seen: set[Any] = set()
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
    state, referee, pick = game.start(seed=seed), Referee(), Random(seed)
    decisions = 0
    while not state.is_over and decisions < most:
        moves = state.moves()
        if state.place.endswith("watch"):
            state = state.play("say-nothing")
            continue
        judge = Judge(referee.position(state), game.options)
        if options.get("faults") == "callable":
            found = {m.id: m.fault and FAULTS.get(m.fault, m.fault) for m in moves}
            assert found == judge.called(), (options, seed, decisions)
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
        ({}, 0, 80),
        ({"faults": "callable"}, 0, 40),
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
