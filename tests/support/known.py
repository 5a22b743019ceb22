"""What a seat knows along a history, and a judge of it: is the truth possible for the seat?"""

from collections import Counter

from exchange import History
from sights import seen_in

from hoyle import State
from hoyle.players.inference.determinization import Dealer, WorldSampler
from hoyle.players.inference.knowledge import Knowledge
from hoyle.running.chance import Chance


def knowledges(history: History, seat: str) -> list[Knowledge]:
    """What a seat knows in each state of a history."""
    from hoyle.players.inference.knowledge import know_start

    game = history.states[0].game
    found = [know_start(game.compiled, history.states[0].core, game.seats.index(seat))]
    for before, (_, ident), after in zip(history.states, history.moves, history.states[1:], strict=False):
        found.append(found[-1].after(before.core, before.find(ident).action, after.core))
    return found


def truth_is_possible(state: State, knowledge: Knowledge, tries: int = 60) -> bool:
    """Could the pieces that a seat does not see lie as they do lie?"""
    core = state.core
    lying = [
        (piece >> 1, mark, n)
        for n, own in enumerate(core.piles)
        for piece, mark in zip(own, knowledge.piles[n], strict=True)
    ]
    here = {n: Counter(sort for sort, _, at in lying if at == n) for n in range(len(core.piles))}
    for _, mark, n in lying:
        if mark in knowledge.known:
            here[n][knowledge.known[mark]] -= 1
    if any(count < 0 for sorts in here.values() for count in sorts.values()):
        return False
    masks = {n: sum(1 << sort for sort, count in sorts.items() if count) for n, sorts in here.items()}
    may = {mark: knowledge.may[mark] & masks[n] for _, mark, n in lying if mark not in knowledge.known}
    source = WorldSampler(state.game.compiled, seen_in(state, knowledge.player), knowledge)
    unseen = Counter(sort for sorts in here.values() for sort in sorts.elements())
    source.dealer = Dealer(may, knowledge.bags, unseen)
    return any(source.draw(Chance.stream(n)) is not None for n in range(tries))
