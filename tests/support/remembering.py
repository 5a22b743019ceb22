"""Random games with what every seat remembers of them."""

from collections.abc import Iterator

from hoyle.game.compiled import Compiled
from hoyle.players.inference.knowledge import Memory
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core


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
