"""Judges of what a seat knows: is the truth possible for it, and could the whole game have gone so in a world that was drawn?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from exchange import History, Script, chance_in, observed
from sights import seen_in

from interpreter import Game, State
from interpreter.diagnostics import Refused
from interpreter.players.dealing import Dealer
from interpreter.players.knowledge import Knowledge
from interpreter.players.known_worlds import Worlds
from interpreter.running.chance import Chance
from interpreter.running.state import Core, Event


def knowledges(history: History, seat: str) -> list[Knowledge]:
    """What a seat knows in each state of a history."""
    from interpreter.players.knowledge import beginning

    game = history.states[0].game
    found = [beginning(game.compiled, history.states[0].core, game.seats.index(seat))]
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
    source = Worlds(state.game.compiled, seen_in(state, knowledge.player), knowledge)
    unseen = Counter(sort for sorts in here.values() for sort in sorts.elements())
    source.dealer = Dealer(may, knowledge.bags, unseen)
    return any(source.draw(Chance.stream(n)) is not None for n in range(tries))


def became(true: Core, world: Core) -> dict[int, int] | None:
    """What each piece is in a world: itself if it is in the same pile, else another of that pile that is not. None where pieces have equals."""
    found: dict[int, int] = {}
    for one, two in zip(true.piles, world.piles, strict=True):
        mine, theirs = Counter(p >> 1 for p in one), Counter(p >> 1 for p in two)
        if max(mine.values(), default=0) > 1:
            return None
        found |= zip((mine - theirs).elements(), (theirs - mine).elements(), strict=True)
    return found


def could_have_been(history: History, seat: str, other: Mapping[int, int]) -> str:
    """Play a history again with other pieces. Empty if the seat would have observed the same all along, else where it would not."""
    game = history.states[0].game
    last = max(n for n, e in enumerate(history.chance) if e[0] == "shuffle" and {*other} <= {p >> 1 for p in e[2]})
    chance = [*history.chance[:last], *(_with(event, other) for event in history.chance[last:])]
    count, ident = -1, ""
    try:
        state = game.start(chance=Script(chance))
        for count, (before, (mover, ident)) in enumerate(zip(history.states, history.moves, strict=False)):
            if observed(state, seat) != observed(before, seat):
                return f"before move {count}"
            since = len(chance_in(before)) > last
            named = _renamed(game, ident, other) if since and mover != seat else ident
            state = state.play(state.find(named))
    except (Refused, IndexError) as refused:
        return f"move {count} {ident}: {refused}"
    return "" if observed(state, seat) == observed(history.states[-1], seat) else "at last"


def _with(event: Event, other: Mapping[int, int]) -> Event:
    if event[0] != "shuffle":
        return event
    return (*event[:2], tuple(2 * other.get(piece >> 1, piece >> 1) | (piece & 1) for piece in event[2]))


def _renamed(game: Game, ident: str, other: Mapping[int, int]) -> str:
    signs = game.namer.signs
    names = {signs[one]: signs[two] for one, two in other.items()}
    return " ".join(names.get(word, word) for word in ident.split(" "))
