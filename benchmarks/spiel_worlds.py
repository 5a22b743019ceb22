"""States of OpenSpiel's games that look the same to a player, for its IS-MCTS (`benchmarks.spiel_bots`), where it has none of its own or wrong ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from benchmarks.spiel_tables import Cribbage, laid_away

Sampler = Callable[[Any, int], Any]
"""A state, and a player: another state that looks the same to it."""

DRAWS = 1000
"""How often a state is drawn again that contradicts a go."""
PACK = range(52)


def applied(state: Any, actions: list[int]) -> Any:
    for action in actions:
        state.apply_action(action)
    return state


def hearts_passed(state: Any, player: int, stream: random.Random) -> Any:
    """Where three cards are being passed on in Hearts: all cards of the others are dealt anew, and they have passed any of them."""
    history = state.history()
    own = history[1 + player : 53 : 4]
    unseen = [card for card in PACK if card not in own]
    stream.shuffle(unseen)
    hands = [own if p == player else [unseen.pop() for _ in range(13)] for p in range(4)]
    mine = history[53 + 3 * player :]
    passed = [card for hand in hands[:player] for card in hand[:3]] + mine
    return applied(state.get_game().new_initial_state(), [history[0], *(hands[n % 4][n // 4] for n in PACK), *passed])


class CribbageWorlds:
    """Of Cribbage: all that a player has not seen is dealt anew, and drawn again where somebody who said go could have laid."""

    def __init__(self, stream: random.Random) -> None:
        self._stream, self._seen = stream, -1

    def __call__(self, state: Any, player: int) -> Any:
        if len(state.history()) != self._seen:
            self._look(state, player)
        for _ in range(DRAWS):
            found = self._drawn()
            if found is not None:
                return found
        raise RuntimeError("nothing agrees with what was seen")

    def _look(self, state: Any, player: int) -> None:
        """What is known of this deal, from the history: twelve cards dealt, two laid away by each, the starter, and what was laid."""
        history = [(move.player, move.action) for move in state.full_history()]
        drawn = [n for n, (who, _) in enumerate(history) if who < 0]
        start = drawn[(len(drawn) - 1) // 13 * 13]
        self._seen, self._player, deal = len(history), player, history[start:]
        self._before = applied(state.get_game().new_initial_state(), [action for _, action in history[:start]])
        self._dealt = [[action for _, action in deal[:6]], [action for _, action in deal[6:12]]]
        self._away, self._rest = deal[12:14], [action for _, action in deal[14:]]
        self._laid = [action for who, action in deal[15:] if who == 1 - player and action != Cribbage.passing]
        known = {*self._dealt[player], *self._laid, *self._rest[:1]}
        self._unseen = [card for card in PACK if card not in known]

    def _drawn(self) -> Any:
        """One of them; None if it contradicts a go."""
        other = 1 - self._player
        fresh = self._stream.sample(self._unseen, 6 - len(self._laid))
        hands = [*self._dealt]
        hands[other] = [*fresh, *self._laid]
        away = [laid_away(fresh[:2]) if who == other else action for who, action in self._away]
        state = applied(self._before.clone(), [*hands[0], *hands[1], *away])
        for action in self._rest:
            if action == Cribbage.passing and state.legal_actions() != [action]:
                return None
            state.apply_action(action)
        return state
