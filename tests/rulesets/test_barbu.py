"""Le Barbu: every decision and every score against a referee who knows no interpreter; the regional forms."""

from random import Random
from typing import Any

import pytest
from brute_barbu import Hands, Referee
from games import loaded, settings_of
from tiers import in_tiers, some_now

from hoyle import Game, State

OPTIONS: list[dict[str, Any]] = settings_of("barbu")
SETTLEMENTS: list[dict[str, Any]] = settings_of("settlements")


def hands_of(state: State) -> Hands:
    """Every player's cards, as each of them sees his own."""
    return {
        seat: [str(c.sign) for p in state.view(seat).piles if p.key == f"hand of {seat}" for c in p.pieces]
        for seat in state.game.seats
    }


def follow(game: Game, seed: int, **about: Any) -> Referee:
    """Play a random game; at every decision the referee must name the same player and the same moves, and at the end the same scores."""
    state, pick = game.start(seed=seed), Random(seed)
    referee = Referee(
        game.options,
        read_hands=lambda: hands_of(state),
        first=state.value("dealer").text("en"),
        seats="".join(game.seats),
        **about,
    )
    decisions = referee.game()
    expected = next(decisions)
    while not state.is_over:
        moves = [m.id for m in state.moves()]
        assert (state.to_act, set(moves)) == expected, (game.options, seed, state.place)
        move = pick.choice(moves)
        state.play_here(move)
        try:
            expected = decisions.send(move)
        except StopIteration:
            break
    assert state.is_over
    assert state.scores == dict(referee.score)
    return referee


GAMES: list[tuple[str, dict[str, Any], int, dict[str, Any]]] = [
    *(("barbu", options, 7, {"positive": "LA"}) for options in OPTIONS),
    *(("barbu-contre", options, 11, {"positive": "WP"}) for options in (*OPTIONS[:3], *SETTLEMENTS)),
    ("barbu-ammoun", {}, 13, {"positive": "LA"}),
    *((name, {}, 17, {"positive": "LA", "ranks": "789TJQKA"}) for name in ("barbu-3p", "barbu-5p")),
]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "options", "seed", "about"), in_tiers(GAMES, whole=[GAMES[29]]), ids=str)
def test_every_decision_and_score(name: str, options: dict[str, Any], seed: int, about: dict[str, Any]) -> None:
    follow(loaded(name, options), seed=seed, **about)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_games_with_several_options_agree_with_the_referee(seed: int) -> None:
    pick = Random(seed)
    options = {k: v for o in pick.sample(OPTIONS[1:], 4) for k, v in o.items()}
    follow(loaded("barbu", options), seed=seed, positive="LA")
    options |= pick.choice(SETTLEMENTS)
    follow(loaded("barbu-contre", options), seed=seed, positive="WP")


# ---- whole games -----------------------------------------------------------------------------------------------------


DEALS = [
    *[("barbu-3p", 21), ("barbu-rotating", 28), ("barbu-salade", 32), ("barbu-generale", 36)],
    *[("barbu-32", 20), ("barbu-70", 20), ("barbu-5p", 35)],
]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "deals"), some_now(DEALS, 1))
def test_how_many_deals(name: str, deals: int) -> None:
    state = loaded(name).playout(seed=1)
    chosen = [e for e in state.events if e.kind == "move" and "choose-a-contract" in str(e.data)]
    assert len(chosen) == deals
    if name == "barbu-rotating":
        order = [str(e.seat) for e in chosen]
        assert order == order[:4] * 7 and len(set(order[:4])) == 4


# ---- the other games of the library ----------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["spades", "whist", "oh-hell"], 1))
def test_cards_that_may_be_played_in_other_games(name: str) -> None:
    """The suit led must be followed. Spades are not led before one has been played, unless nothing else is held."""
    state, pick = loaded(name).start(seed=2), Random(2)
    while not state.is_over and state.decisions < 70:
        moves = [m.id for m in state.moves()]
        if moves[0].startswith("play-a-card"):
            hands, seat = hands_of(state), str(state.to_act)
            trick = f"trick of {state.value('leader').text('en')}"
            led = next((c.sign for p in state.view().piles if p.key == trick for c in p.pieces), None)
            suited = [c for c in hands[seat] if led and c[1] == led[1]]
            whole = name == "spades" and not led and sum(c[1] == "S" for hand in hands.values() for c in hand) == 13
            free = [c for c in hands[seat] if not (whole and c[1] == "S")] or hands[seat]
            assert set(moves) == {f"play-a-card {c}" for c in suited or free}, (state.decisions, state.place)
        state.play_here(pick.choice(moves))
