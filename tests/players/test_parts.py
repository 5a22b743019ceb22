"""Choices of several pieces in a search: part by part, the same by both engines, and known of every move that shares a part."""

from collections.abc import Sequence

import pytest
from engines import engine, with_compiler
from games import game
from sights import seen_in

from hoyle import Game, State
from hoyle.native import search_drivers
from hoyle.players.search import ismcts
from hoyle.players.search.driver import sample_worlds
from hoyle.players.search.information_set import DONE, FEW, Edge, SplitAction, choose_parts
from hoyle.running.chance import Chance
from hoyle.running.outcomes import About, Bounds

WIDE = ("hearts", "piquet", "barbu")
"""Games in which more than a few moves differ by what is chosen together, but for the last, which has none and is searched as before."""


def wide(one: Game) -> State:
    """The first decision among more moves than a few; the first with a choice, if there is none for long."""
    states = list[State]()
    for index in range(3):
        state = one.start(1, index)
        while not state.is_over and state.decisions < 30:
            states += [state] if len(state.moves()) > 1 else []
            state = state.play(state.moves()[-1])
    return max(states, key=lambda state: (len(state.moves()) > FEW, -states.index(state)))


def begun(name: str, bounds: Bounds) -> ismcts.Search:
    state = wide(game(name))
    one = state.game.compiled
    worlds = sample_worlds(one, seen_in(state), bounds, Chance.stream(1))
    return ismcts.Search(one, worlds, About(state.core.actor, 3), bounds)


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", ["hearts", *(pytest.param(name, marks=pytest.mark.slow) for name in WIDE[1:])])
def test_both_engines_find_the_same(name: str) -> None:
    bounds = Bounds(60, most=60, probes=2)
    ours = begun(name, bounds)
    theirs = search_drivers.hunt(engine(name), ours.worlds, ours.about, bounds)
    assert theirs is not None
    assert (ours.go(0, 20), ours.go(20, 40)) == (theirs.go(0, 20), theirs.go(20, 40))
    assert (ours.found(), ours.outcomes()) == (theirs.found(), theirs.outcomes())


def chosen(items: Sequence[tuple[str, ...]], wanted: Sequence[object]) -> tuple[int, list[object]]:
    """The number of the move that is chosen among those of these parts, if at each step what is wanted next is picked; and which edges that told of."""
    edges: dict[object, Edge] = {}
    asked = iter(wanted)

    def pick(some: Sequence[Edge]) -> int:
        names = [key for edge in some for key, known in edges.items() if known is edge]
        return [name[1] for name in names if isinstance(name, tuple)].index(next(asked))

    some = [SplitAction(n, "lay", parts, [*parts]) for n, parts in enumerate(items)]
    trial = choose_parts(some, "here", lambda key: edges.setdefault(key, Edge()), lambda n: Edge(), pick)
    assert trial is not None
    told = [key for edge in trial.parts for key, known in edges.items() if known is edge]
    return trial.number, told


def test_parts_have_no_order() -> None:
    items = [("a", "b"), ("a", "c"), ("b", "c")]
    number, told = chosen(items, ["c", "a"])
    assert number == 1
    here = ("here", ("lay",))
    assert told[:2] == [(here, "c"), (here, "a")], "whichever of the two might have been first"
    assert chosen(items, ["a", "c"])[0] == 1


def test_choice_that_is_whole_may_end() -> None:
    items = [("a",), ("a", "a"), ("a", "b")]
    assert chosen(items, ["a", DONE])[0] == 0
    assert chosen(items, ["a", "a"])[0] == 1
    assert chosen(items, ["b"])[0] == 2
