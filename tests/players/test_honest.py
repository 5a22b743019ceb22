"""Nobody cheats: while a player thinks, the game's own states fail whoever reads them, and what it was handed has nothing hidden in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
from engines import with_compiler
from exchange import lies_seen
from games import game
from sights import remembered
from small_games import natively
from tiers import in_tiers

from hoyle import Game
from hoyle.game.compiled import Compiled
from hoyle.game.results import compute_leads
from hoyle.game.views.redaction import UNKNOWN, HiddenPiece, RedactedState, redact
from hoyle.game.views.view import can_know
from hoyle.players.bots import create_player
from hoyle.players.inference.knowledge import Memory
from hoyle.players.judgement import Decision, judge
from hoyle.players.move_evaluation import evaluate_moves
from hoyle.running.chance import Chance
from hoyle.running.state import Core


class Shut(Core):
    """A state that nobody may read."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"a player reads `{name}` of the game's own state")


class ShutChance(Chance):
    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError("a player looks at what will come by chance")


class Poison:
    """Stands for whatever lies in lists that somebody may have kept. It is no number, and is like nothing."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a player looks into a list of the game's own state")

    __hash__ = object.__hash__


POISON = Poison()


@contextmanager
def shut(cores: Sequence[Core]) -> Iterator[None]:
    """While a player thinks."""
    chances = [core.chance for core in cores]
    lists = {id(part): part for core in cores for part in [*core.piles, core.cells]}
    contents = {key: list(part) for key, part in lists.items()}
    for part in lists.values():
        part[:] = [POISON] * len(part)
    for chance in chances:
        chance.__class__ = ShutChance
    for core in cores:
        core.__class__ = Shut
    try:
        yield
    finally:
        for core in cores:
            object.__setattr__(core, "__class__", Core)
        for chance in chances:
            object.__setattr__(chance, "__class__", Chance)
        for key, part in lists.items():
            part[:] = contents[key]


Thinks = Callable[[RedactedState, Memory, Decision], object]


def thinkers(one: Game, quick: Compiled) -> list[Thinks]:
    """All that chooses moves or says what they are worth, with the machine that searches."""

    def playing(kind: str) -> Thinks:
        def thinks(seen: RedactedState, memory: Memory, decision: Decision) -> object:
            return create_player(kind, Game(quick, "python"), memory=memory)(seen, Chance.stream(1))

        return thinks

    def hinting(seen: RedactedState, memory: Memory, decision: Decision) -> object:
        return evaluate_moves(quick, seen, 0, 0.0, 4, memory.now)

    def judging(seen: RedactedState, memory: Memory, decision: Decision) -> object:
        return judge(quick, decision, 1, 3)

    return [*map(playing, ("random", "first", "greedy", "search:3")), hinting, judging]


def thought_about(one: Compiled, thinks: Sequence[Thinks], times: int, apart: int) -> int:
    """Play a random game in which all think about what the seat that acts sees, every so many decisions; how often they did."""
    past, asked, number = list[Core](), 0, -apart
    for n, (core, memories) in enumerate(remembered(one, 3, 400)):
        if asked == times or core.over:
            break
        if len(core.acts) > 1 and n - number >= apart:
            asked, number, memory = asked + 1, n, memories[core.actor]
            seen = redact(one, core, core.actor)
            decision = Decision(n, core.actor, core, seen, 0, compute_leads(one, core), memory.now)
            with shut([core, *past[-3:]]):
                for each in thinks:
                    each(seen, memory, decision)
        past.append(core.copy())
    return asked


@pytest.mark.whole
def test_who_reads_or_keeps_the_state_is_caught() -> None:
    """Otherwise the test below would prove nothing."""
    one, core = game("hearts").compiled, game("hearts").start(1).core
    with pytest.raises(AssertionError, match="reads `acts`"):
        thought_about(one, [lambda seen, memory, decision: decision.core.acts], 1, 1)
    kept = next(pile for pile in core.piles if pile)
    with shut([core]), pytest.raises(AssertionError, match="looks into a list"):
        assert kept[0] == 3


SOME = in_tiers(
    ["hearts", "cribbage", "klondike", "backgammon", "crapette", "barbu", "gin-rummy", "spite-and-malice"],
    quick=["hearts"],
)


@pytest.mark.whole
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[with_compiler, pytest.mark.slow])])
@pytest.mark.parametrize("name", SOME)
def test_no_player_reads_the_state_of_the_game(name: str, native: bool) -> None:
    one = game(name)
    thinks = thinkers(one, natively(one).compiled)[3:] if native else thinkers(one, one.compiled)
    assert thought_about(one.compiled, thinks, 2, 7) > 0


# ---- what a seat is handed -----------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("name", SOME)
def test_seat_is_handed_what_it_sees_and_nothing_else(name: str) -> None:
    """Piece by piece and value by value; what lies hidden is told together and in order."""
    one = game(name)
    for core, _ in islice(remembered(one.compiled, 3, 40), 0, None, 4):
        for me in range(len(one.seats)):
            seen, hidden = redact(one.compiled, core, me), []
            for number, pile in enumerate(core.piles[:-1]):
                for height, piece in enumerate(pile):
                    shown = seen.now.piles[number][height]
                    if lies_seen(one, core, number, height, me):
                        assert shown == piece
                    else:
                        hidden.append(piece >> 1)
                        assert shown == HiddenPiece((number, height), piece & 1)
            assert sorted(sort for sorts in seen.unseen.values() for sort in sorts) == sorted(hidden)
            assert all(list(sorts) == sorted(sorts) for sorts in seen.unseen.values())
            for family in one.ruleset.state.values():
                for member in range(family.size):
                    cell = seen.now.cells[family.base + member]
                    known = can_know(one.compiled, family, member, me)
                    assert (cell is UNKNOWN) != known
                    assert not known or cell == core.cells[family.base + member]


def test_unknown_values_refuse_questions() -> None:
    for ask in (bool, hash, lambda value: value == 1, lambda value: value < 1):
        with pytest.raises(TypeError, match="nobody has told"):
            ask(UNKNOWN)
