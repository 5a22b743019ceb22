"""Verbs that move pieces: they do the same with a log and without, and leave piles of other states alone."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rules import change_rules
from tiers import sized

from hoyle.diagnostics import Refused
from hoyle.language.ir import ABSENT
from hoyle.running.chance import Chance
from hoyle.running.machine import Machine
from hoyle.running.state import Core
from hoyle.running.verbs import Tally, Verbs

Piles = list[list[int]]
Step = Callable[[Verbs, Core, Random], None]


@pytest.fixture(params=["face: top up", ""])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    return change_rules("running/places", tmp_path, {"TOP UP": request.param}).machine


def anywhere(machine: Machine, chance: Random) -> Piles:
    """Every piece in some pile, on either face."""
    piles: Piles = [[] for _ in (*machine.face, ...)]
    pieces = [2 * kind + chance.randrange(2) for kind, copies in enumerate(machine.copies) for _ in range(copies)]
    for piece in chance.sample(pieces, len(pieces)):
        piles[chance.randrange(len(machine.face))].append(piece)
    return piles


def somewhere(s: Core, chance: Random) -> int:
    return chance.randrange(len(s.piles) - 1)


def some_piece(chance: Random) -> int:
    return chance.randint(ABSENT, 2 * 4 - 1)


def one_piece(verbs: Verbs, s: Core, chance: Random) -> None:
    verbs.move_piece(s, some_piece(chance), somewhere(s, chance), somewhere(s, chance), 0)


def one_spared(verbs: Verbs, s: Core, chance: Random) -> None:
    verbs.spare_piece(s, some_piece(chance), somewhere(s, chance), somewhere(s, chance), 0)


def several_pieces(verbs: Verbs, s: Core, chance: Random) -> None:
    pieces, sources = [some_piece(chance) for _ in range(3)], [somewhere(s, chance) for _ in range(2)]
    verbs.move_pieces(s, pieces, sources, somewhere(s, chance), chance.randint(-1, 3), 0)


def the_top(verbs: Verbs, s: Core, chance: Random) -> None:
    source, target = somewhere(s, chance), somewhere(s, chance)
    verbs.move_top(s, source, chance.randint(-1, 3), target, chance.random() < 0.5, 0)


def after(
    machine: Machine, piles: Piles, step: Step, seed: int, noted: bool = False, lent: bool = False
) -> Piles | str:
    """The piles after a step, or why it is refused. `lent`: they are another state's."""
    core = machine.fresh(Chance.stream(0))
    core.piles, core.log = piles[:] if lent else [pile[:] for pile in piles], [] if noted else None
    try:
        step(Verbs(machine), core, Random(seed))
    except Refused as refused:
        return refused.diagnostics[0].message
    assert Counter(p >> 1 for pile in core.piles for p in pile) == Counter(p >> 1 for pile in piles for p in pile)
    return core.piles


@pytest.mark.parametrize("step", [one_piece, several_pieces, the_top])
def test_a_log_changes_nothing(step: Step, places: Machine) -> None:
    refused = 0
    for seed in range(sized(100, 1000)):
        piles = anywhere(places, Random(seed))
        found = after(places, piles, step, seed)
        assert found == after(places, piles, step, seed, noted=True), (seed, piles)
        refused += found == "more than 2 pieces would lie in `few`"
    assert refused > 1


def test_piles_shared_with_another_state_stay_as_they_are(places: Machine) -> None:
    for seed in range(sized(100, 1000)):
        piles = anywhere(places, Random(seed))
        before = [pile[:] for pile in piles]
        found = after(places, piles, one_spared, seed, lent=True)
        assert found == after(places, before, one_piece, seed), (seed, before)
        assert piles == before


def test_zero_points_are_not_logged_nor_bounded(places: Machine) -> None:
    core = places.fresh(Chance.stream(0))
    core.cells[0], core.log = 5, []
    verbs, tally = Verbs(places), Tally(6, 9, 0, 0)
    verbs.score(core, 0, 0, 0, None, tally)
    assert (core.cells[0], core.log) == (5, [])
    verbs.score(core, 1, 0, 0, None, tally)
    assert (core.cells[0], core.log) == (6, [("score", 1, 0, 0, 0, None)])
    with pytest.raises(Refused):
        verbs.score(core, 4, 0, 0, None, tally)


def test_nothing_is_taken_back_without_an_earlier_position(places: Machine) -> None:
    core = places.fresh(Chance.stream(0))
    core.log, before = [], core.key()
    Verbs(places).take_back(core)
    assert (core.key(), core.log) == (before, [])
