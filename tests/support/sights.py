"""What a seat sees of a state, as players are handed it, what it knows along a history, and what it remembers."""

from collections import Counter
from collections.abc import Iterator

from exchange import History

from hoyle import State
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState, redact
from hoyle.players.bots import LONGEST, Advice, advise
from hoyle.players.inference.determinization import Dealer, WorldSampler
from hoyle.players.inference.knowledge import Knowledge, Memory
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core


def seen_in(state: State, player: int | None = None) -> RedactedState:
    return redact(state.game.compiled, state.core, state.core.actor if player is None else player)


def advised(state: State, games: int, longest: int = LONGEST) -> Advice | None:
    return advise(state.game, seen_in(state), games, Chance.stream(state.decisions, 1, PLAYER), longest)


def advised_move(state: State, games: int) -> tuple[str, Advice] | None:
    """The move that is advised, by its id, and what is said of it."""
    found = advised(state, games)
    return (state.moves()[found.number].id, found) if found is not None else None


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


def remembered(one: Compiled, seed: int, count: int) -> Iterator[tuple[Core, list[Memory]]]:
    """The states of a random game before so many moves, and after the last; the same objects, changed."""
    core, pick = one.machine.start(Chance.stream(seed), log=True), Chance.stream(seed, 0, PLAYER)
    memories = [Memory(one, seat) for seat in range(len(one.seats))]
    for memory in memories:
        memory.begins(core)
    yield core, memories
    for _ in range(count):
        if core.over:
            return
        core.log = []
        before, action = core.copy(), core.acts[pick.below(len(core.acts))]
        one.machine.play(core, action)
        for memory in memories:
            memory.moved(before, action, core)
        yield core, memories
