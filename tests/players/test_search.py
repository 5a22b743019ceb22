"""Players that search: what they find, and that both engines find the same."""

from __future__ import annotations

from itertools import count

import pytest
from engines import engine, with_compiler
from exchange import beginning, exchanged, walked
from games import game, names, originals
from msgspec import structs
from nim import nim_at
from risk import risk_at
from sights import seen_in
from tiers import in_tiers

from interpreter import Game, State
from interpreter.game.playouts import counted
from interpreter.native import hunting
from interpreter.native.made import with_native
from interpreter.players import tree
from interpreter.players.search import best, here, hunt_of, hunted, imagined, is_open, search, search_for
from interpreter.players.searcher import Searcher
from interpreter.players.seats import player, seated
from interpreter.running.chance import Chance
from interpreter.running.tried import ANY, About, Bounds, Tried


def found_by_python(one: Game, state: State, bounds: Bounds, seed: int = 1) -> list[Tried]:
    worlds = imagined(one.compiled, seen_in(state), bounds, Chance.stream(seed))
    hunt = tree.Hunt(
        one.compiled, worlds, About(state.core.actor, seed, open=is_open(one.compiled, seen_in(state))), bounds
    )
    assert hunt.go(0, bounds.iterations) == 0
    return hunt.found()


def some_way_into(name: str, seed: int) -> State:
    """The last decision with a choice among some random moves, or in another game if nobody has one there."""
    histories = (walked(game(name), other, 12 + 5 * seed) for other in count(seed, 10))
    found = (s for history in histories for s in reversed(history.states))
    return next(s for s in found if not s.is_over and len(s.moves()) > 1)


@with_compiler
@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], whole=["grabuge", "hearts", "klondike"]))
def test_both_engines_find_the_same(name: str) -> None:
    one, other = game(name), engine(name)
    for seed in (1, 2):
        bounds = Bounds(60, most=120, probes=4, score=seed == 2)
        state = some_way_into(name, seed)
        worlds = imagined(one.compiled, seen_in(state), bounds, Chance.stream(seed))
        ours = tree.Hunt(
            one.compiled, worlds, About(state.core.actor, seed, open=is_open(one.compiled, seen_in(state))), bounds
        )
        theirs = hunting.hunt(other, worlds, ours.about, bounds)
        assert theirs is not None
        assert (ours.go(0, 25), ours.go(25, 35)) == (theirs.go(0, 25), theirs.go(25, 35))
        assert (ours.found(), ours.line()) == (theirs.found(), theirs.line())
        last = len(worlds[0].acts) - 1
        assert ours.go(60, 10, last) == theirs.go(60, 10, last)
        assert ours.outcomes() == theirs.outcomes()
        after = worlds[0].copy()
        one.machine.play(after, after.acts[last])
        assert ours.found(after) == theirs.found(after)


def test_a_search_is_the_same_however_it_is_cut() -> None:
    state, bounds = some_way_into("cribbage", 1), Bounds(40)
    hunts = [hunt_of(state.game.compiled, [state.core], About(state.core.actor, 3), bounds) for _ in range(2)]
    hunts[0].go(0, 40)
    for first in range(0, 40, 8):
        hunts[1].go(first, 8)
    assert hunts[0].found() == hunts[1].found()


@pytest.mark.whole
def test_the_same_chance_finds_the_same() -> None:
    state, bounds = some_way_into("grabuge", 1), Bounds(30)
    one, two, other = (search(state.game.compiled, state.core, bounds, Chance.stream(seed)) for seed in (1, 1, 2))
    assert one == two != other
    assert sum(t.tried for t in one) == bounds.iterations


def test_so_long_as_there_is_time() -> None:
    state = some_way_into("grabuge", 1)
    found = search_for(state.game.compiled, state.core, 0.05, Chance.stream(1))
    assert sum(t.tried for t in found) > 0


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return nim_at(tmp_path_factory.mktemp("nim"))


@pytest.mark.parametrize(("left", "takes"), [(9, 1), (7, 3), (6, 2), (5, 1), (3, 3), (2, 2)])
def test_who_sees_everything_finds_the_way_to_win(nim: Game, left: int, takes: int) -> None:
    """Four must be left, or eight."""
    state = nim.start()
    while state.view(None).piles[0].count > left:
        state = state.play("take-stones 1")
    found = found_by_python(nim, state, Bounds(400))
    assert state.moves()[best(found)].id == f"take-stones {takes}"


@pytest.fixture(scope="module")
def risk(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return risk_at(tmp_path_factory.mktemp("risk"))


@pytest.mark.parametrize(("kind", "chosen"), [("search:60", "keep"), ("search:60:score", "stake")])
def test_who_wants_points_takes_a_risk_that_who_wants_to_win_does_not(risk: Game, kind: str, chosen: str) -> None:
    state = risk.start()
    number = player(kind, risk, "python")(seen_in(state), Chance.stream(1))
    assert state.moves()[number].id.startswith(chosen)


def test_moves_that_are_alike_meet_the_same_chance(risk: Game) -> None:
    worlds, bounds = [risk.start().core], Bounds(100, score=True)
    hunt = tree.Hunt(risk.compiled, worlds, About(0, 3), bounds)
    hunt.go(0, bounds.iterations)
    keep, stake, other = hunt.outcomes()
    assert keep.games < stake.games == other.games
    assert stake == other


@pytest.mark.whole
@with_compiler
def test_what_the_native_engine_cannot_play_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    state = some_way_into("grabuge", 1)
    one = structs.replace(state.game.compiled, machine=with_native(state.game.machine, engine("grabuge")))
    monkeypatch.setattr(hunting.Hunt, "go", lambda hunt, first, count, only=ANY: count)
    found = search(one, state.core, Bounds(8), Chance.stream(1))
    assert sum(t.tried for t in found) == 8


@with_compiler
def test_only_what_may_be_begun_with_is_though_there_is_no_room_for_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "_LEAST", 4)
    monkeypatch.setattr(hunting, "_MOST", 4)
    state = game("cribbage").start(1)
    hunt = hunting.hunt(engine("cribbage"), [state.core], About(state.core.actor, 1), Bounds(20, most=60))
    assert hunt is not None and len(state.core.acts) > 4 and hunt.go(0, 20, 3) == 0
    assert [one.games for one in hunt.outcomes()] == [20 * (n == 3) for n in range(len(state.core.acts))]


@with_compiler
@pytest.mark.parametrize("name", in_tiers(originals(), quick=["cribbage"], whole=["klondike", "freecell", "hearts"]))
def test_what_a_search_begins_from_is_known_without_it(name: str) -> None:
    """By either engine."""
    state = some_way_into(name, 1)
    one = state.game.compiled
    for quick in (one, structs.replace(one, machine=with_native(one.machine, engine(name)))):
        hunt = hunted(quick, seen_in(state), Chance.stream(1), Bounds(2, most=4, probes=0))
        assert hunt is not None
        assert here(quick, seen_in(state)) == hunt.here


@pytest.mark.whole
@with_compiler
def test_what_python_saw_earlier_the_native_engine_passes_over() -> None:
    state = some_way_into("klondike", 1)
    one = state.game.compiled
    quick = structs.replace(one, machine=with_native(one.machine, engine("klondike")))
    before = frozenset({here(one, seen_in(state)), here(quick, seen_in(state))})
    hunt = hunted(quick, seen_in(state), Chance.stream(1), Bounds(8, most=20), None, before)
    assert hunt is not None and sum(one.tried for one in hunt.found()) > 0


def test_who_plays_against_others_keeps_nothing_of_what_it_saw() -> None:
    state = game("hearts").start(1)
    chooses = Searcher(state.game.compiled, Bounds(2))
    chooses(seen_in(state), Chance.stream(1))
    assert not chooses._before


def test_what_is_found_is_known_of_each_move(nim: Game) -> None:
    found = found_by_python(nim, nim.start(), Bounds(200))
    assert [t.there for t in found] == [200] * 3
    assert all(0 <= t.mean <= 1 and 0 <= t.error < 0.2 for t in found)
    assert Tried(0, 3, 0.0, 0.0).mean == 0 and Tried(1, 3, 1.0, 1.0).error == 1


@pytest.mark.parametrize(
    "name", in_tiers(originals(), quick=["cribbage"], whole=["hearts", "gin-rummy", "crapette", "klondike"])
)
def test_a_search_follows_from_what_is_seen(name: str) -> None:
    """What is hidden from a seat may be exchanged, and it finds the same."""
    history = beginning(walked(game(name), 1, 30), 12)
    state = history.states[-1]
    for other, _, _ in exchanged(history, state.to_act or "A", 1):
        one, two = (
            search(game(name).compiled, end.core, Bounds(12, most=60, probes=2), Chance.stream(1))
            for end in (state, other.states[-1])
        )
        assert one == two
        return


def test_what_is_only_tried_is_no_use_of_a_rule() -> None:
    """Nor is anything told of it."""
    state = some_way_into("grabuge", 1)
    before = state.core.key(), list(state.core.log or ())
    search(state.game.compiled, state.core, Bounds(10), Chance.stream(1))
    assert (state.core.key(), list(state.core.log or ())) == before


@with_compiler
@pytest.mark.parametrize("name", in_tiers(["cribbage", "hearts", "scopa", "backgammon"]))
def test_who_searches_beats_who_does_not(name: str) -> None:
    """In nearly all of six games: at random nobody wins more than half of them."""
    one, won = game(name).compiled, 0
    quick = Game(structs.replace(one, machine=with_native(one.machine, engine(name))))
    kinds = ["search:120", *["random"] * (len(one.seats) - 1)]
    for index in range(6):
        players, memories = seated(kinds, quick)
        won += counted(quick.compiled, 1, index, players, memories).wins[0]
    assert won >= 5
