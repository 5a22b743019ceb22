"""Players for seats without a person: what each chooses, remembers and finds, by both engines alike."""

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from engines import engine, with_compiler
from exchange import walked
from games import game
from rules import change_rules, read_cases
from sights import advised, advised_move, remembered, seen_in
from small_games import last_trick, natively, nim_with, small
from tiers import in_tiers

from hoyle import Game, State
from hoyle.game.playouts import play_game
from hoyle.game.views.redaction import redact
from hoyle.native import search_drivers
from hoyle.players import bots
from hoyle.players.bots import create_player, create_players, find_limits, is_kind
from hoyle.players.inference.knowledge import Memory, has_hidden_information
from hoyle.players.search import ismcts
from hoyle.players.search.driver import MOST, best_action, is_fully_visible, run_search, sample_worlds
from hoyle.players.search.information_set import DONE, FEW, Edge, SplitAction, choose_parts
from hoyle.running.chance import Chance
from hoyle.running.outcomes import ANY, About, Bounds


@pytest.fixture(scope="module")
def state() -> State:
    return last_trick()


def chosen(kind: str, state: State) -> Counter[str]:
    moves, chooses = state.moves(), create_player(kind, state.game, "python")
    return Counter(moves[chooses(seen_in(state), Chance.stream(seed))].id for seed in range(12))


@pytest.mark.whole
def test_choices_of_each_kind(state: State) -> None:
    assert chosen("first", state) == {state.moves()[0].id: 12}
    assert chosen("greedy", state) == {"play-a-card 2C": 12}
    assert len(chosen("random", state)) == 2


@pytest.mark.parametrize(
    ("told", "far"),
    [("1", (1, None)), ("999999", (999_999, None)), ("0.001s", (None, 0.001)), ("999.999s", (None, 999.999))],
)
def test_reach_of_a_search(told: str, far: tuple[int | None, float | None], state: State) -> None:
    assert (
        find_limits(f"search:{told}", state.game.compiled)
        == find_limits(f"search:{told}:score", state.game.compiled)
        == far
    )


def test_impossible_reach_is_no_kind() -> None:
    wrong = [
        "0",
        "0s",
        "0.0s",
        "000.000s",
        "-1",
        "-1s",
        "1000000",
        "1000s",
        "0.0001s",
        "1e3",
        "0.5",
        "+1",
        "1:",
        "1:points",
    ]
    assert not [told for told in ("", *wrong) if is_kind(f"search:{told}")]


def test_advice_is_about_winning_and_not_scores(state: State) -> None:
    found = advised_move(state, 3)
    assert found is not None
    assert found[0] == "play-a-card 2C"
    assert state.standings == [-score for score in state.scores.values()]


@pytest.mark.parametrize("longest", [0, 49, 119, 200])
def test_trial_game_is_so_long_or_to_its_end(longest: int, tmp_path: Path) -> None:
    state = change_rules("players/steady", tmp_path, {"MOST": "120"}).start()
    ended = bots._play_out(state.game, state.core, 0, Chance.stream(1), longest)
    assert (ended.over, ended.cells[0]) == (longest >= 119, min(longest + 1, 120))


def test_no_advice_where_the_rules_cannot_go_on(tmp_path: Path) -> None:
    state = change_rules("players/steady", tmp_path, {"MOST": "4"}).start()
    for longest, played in ((3, 2), (9, 0)):
        found = bots._sum_leads(state.game, seen_in(state), Chance.stream(1), [0, 1], longest, 2)
        assert found == ({0: 0.0, 1: 0.0}, played)
    assert advised(state, 3) is None


HIDING = ["hearts", "cribbage", "gin-rummy", "klondike", "spades", "piquet", "crapette", "grabuge", "scopa"]


def test_moves_that_are_taken_back_are_forgotten() -> None:
    known, memories = [], list[Memory]()
    for _, memories in remembered(game("hearts").compiled, 2, 9):
        known.append([memory.now for memory in memories])
    for memory, before in zip(memories, known[4], strict=True):
        memory.back(5)
        assert memory.now is before


@pytest.mark.whole
def test_only_searching_players_of_games_with_secrets_remember() -> None:
    assert (has_hidden_information(game("backgammon").compiled), has_hidden_information(game("hearts").compiled)) == (
        False,
        True,
    )
    assert create_players(["search:5", "search:5"], game("backgammon"), "python")[1] == []
    assert len(create_players(["search:5", "random", "easy", "first"], game("hearts"), "python")[1]) == 2


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(HIDING, quick=["hearts"], whole=["gin-rummy"]))
def test_searched_worlds_agree_with_what_is_remembered(name: str) -> None:
    """A card whose place the seat knows lies there in all of them."""
    one = game(name).compiled
    *_, (core, memories) = remembered(one, 2, 30)
    knowledge = memories[core.actor].now
    assert knowledge is not None
    worlds = sample_worlds(one, redact(one, core, core.actor), Bounds(12), Chance.stream(1), knowledge=knowledge)
    assert worlds
    for world in worlds:
        for marks, pile in zip(knowledge.piles, world.piles, strict=True):
            assert all(knowledge.known.get(m, p >> 1) == p >> 1 for m, p in zip(marks, pile, strict=True))


CASES = read_cases("players/search")

SORTS = CASES["sorts"]
"""Games of every sort."""


def begun(state: State, bounds: Bounds, seed: int = 1) -> ismcts.Search:
    """A search by Python that has tried nothing yet."""
    one, seen = state.game.compiled, seen_in(state)
    worlds = sample_worlds(one, seen, bounds, Chance.stream(seed))
    return ismcts.Search(one, worlds, About(state.core.actor, seed, open=is_fully_visible(one, seen)), bounds)


def some_way_into(name: str, seed: int) -> State:
    """The last decision with a choice among some random moves, or in another game if nobody has one there."""
    histories = (walked(game(name), other, 12 + 5 * seed) for other in count(seed, 10))
    found = (s for history in histories for s in reversed(history.states))
    return next(s for s in found if not s.is_over and len(s.moves()) > 1)


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize(("name", "seed"), in_tiers([(n, s) for n in SORTS for s in (1, 2)], whole=[("hearts", 2)]))
def test_both_engines_find_the_same(name: str, seed: int) -> None:
    state, bounds = some_way_into(name, seed), Bounds(60, most=120, probes=4, score=seed == 2)
    ours = begun(state, bounds, seed)
    one, worlds, theirs = (
        game(name),
        ours.worlds,
        search_drivers.begin_ismcts(engine(name), ours.worlds, ours.about, bounds),
    )
    assert theirs is not None
    assert (ours.go(0, 25), ours.go(25, 35)) == (theirs.go(0, 25), theirs.go(25, 35))
    assert (ours.found(), ours.line()) == (theirs.found(), theirs.line())
    last = len(worlds[0].acts) - 1
    assert ours.go(60, 10, last) == theirs.go(60, 10, last)
    assert ours.outcomes() == theirs.outcomes()
    after = worlds[0].copy()
    one.machine.play(after, after.acts[last])
    assert ours.found(after) == theirs.found(after)


@pytest.mark.whole
@with_compiler
def test_search_without_room_for_a_tree_begins_with_the_given_move(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_LEAST", "_MOST"):
        monkeypatch.setattr(search_drivers, name, 4)
    state = game("hearts").start(1)
    hunt = search_drivers.begin_ismcts(engine("hearts"), [state.core], About(state.core.actor, 1), Bounds(20, most=60))
    assert hunt is not None and len(state.core.acts) > 4 and hunt.go(0, 20, 3) == 0
    assert [one.games for one in hunt.outcomes()] == [20 * (n == 3) for n in range(len(state.core.acts))]


@pytest.mark.whole
@with_compiler
def test_python_plays_what_the_native_engine_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    one = natively(game("hearts")).compiled
    monkeypatch.setattr(search_drivers.NativeIsmcts, "go", lambda hunt, first, count, only=ANY: count)
    found = run_search(one, seen_in(some_way_into("hearts", 1)), Chance.stream(1), Bounds(8, most=60))
    assert found is not None and sum(t.tried for t in found.found()) == 8


@pytest.mark.whole
def test_search_depends_on_chance_and_changes_nothing() -> None:
    state = some_way_into("cribbage", 1)
    before = state.core.key(), list(state.core.log or ())
    runs = [run_search(state.game.compiled, seen_in(state), Chance.stream(seed), Bounds(20)) for seed in (1, 1, 2)]
    one, two, other = (run.found() for run in runs if run is not None)
    assert one == two != other
    assert sum(t.tried for t in one) == 20
    assert (state.core.key(), list(state.core.log or ())) == before


@pytest.mark.whole
def test_search_by_time_tries_something() -> None:
    state = nim_with(9)
    found = run_search(state.game.compiled, seen_in(state), Chance.stream(1), Bounds(MOST), 0.01)
    assert found is not None and sum(t.tried for t in found.found()) > 0


@pytest.mark.whole
@pytest.mark.parametrize(("left", "takes"), [(9, 1), (7, 3), (6, 2), (3, 3)])
def test_search_finds_the_way_to_win(left: int, takes: int) -> None:
    """Four must be left, or eight."""
    hunt = begun(state := nim_with(left), Bounds(400))
    assert hunt.go(0, 400) == 0
    found = hunt.found()
    assert state.moves()[best_action(found)].id == f"take-stones {takes}"
    assert [t.there for t in found] == [400] * 3
    assert all(0 <= t.mean <= 1 and 0 <= t.error < 0.25 for t in found)


@pytest.mark.parametrize(("kind", "chosen"), [("search:60", "keep"), ("search:60:score", "stake")])
def test_player_who_wants_points_takes_a_risk(kind: str, chosen: str) -> None:
    """The one who wants to win does not."""
    state = small("risk").start()
    number = create_player(kind, state.game, "python")(seen_in(state), Chance.stream(1))
    assert state.moves()[number].id.startswith(chosen)


def test_equal_moves_meet_the_same_chance() -> None:
    hunt = ismcts.Search(small("risk").compiled, [small("risk").start().core], About(0, 3), Bounds(100, score=True))
    hunt.go(0, 100)
    keep, stake, other = hunt.outcomes()
    assert keep.games < stake.games == other.games
    assert stake == other


@with_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["cribbage", "hearts", "backgammon"])
def test_searching_player_beats_random_ones(name: str) -> None:
    """In nearly all of six games: at random nobody wins more than half of them."""
    one, won = natively(game(name)), 0
    kinds = ["search:120", *["random"] * (len(one.seats) - 1)]
    for index in range(6):
        players, memories = create_players(kinds, one)
        won += play_game(one.compiled, 1, index, players, memories).wins[0]
    assert won >= 5


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


def begin_parts(name: str, bounds: Bounds) -> ismcts.Search:
    state = wide(game(name))
    one = state.game.compiled
    worlds = sample_worlds(one, seen_in(state), bounds, Chance.stream(1))
    return ismcts.Search(one, worlds, About(state.core.actor, 3), bounds)


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", ["hearts", *(pytest.param(name, marks=pytest.mark.slow) for name in WIDE[1:])])
def test_both_engines_find_the_same_parts(name: str) -> None:
    bounds = Bounds(60, most=60, probes=2)
    ours = begin_parts(name, bounds)
    theirs = search_drivers.begin_ismcts(engine(name), ours.worlds, ours.about, bounds)
    assert theirs is not None
    assert (ours.go(0, 20), ours.go(20, 40)) == (theirs.go(0, 20), theirs.go(20, 40))
    assert (ours.found(), ours.outcomes()) == (theirs.found(), theirs.outcomes())


def pick_moves(items: Sequence[tuple[str, ...]], wanted: Sequence[object]) -> tuple[int, list[object]]:
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
    number, told = pick_moves(items, ["c", "a"])
    assert number == 1
    here = ("here", ("lay",))
    assert told[:2] == [(here, "c"), (here, "a")], "whichever of the two might have been first"
    assert pick_moves(items, ["a", "c"])[0] == 1


def test_choice_that_is_whole_may_end() -> None:
    items = [("a",), ("a", "a"), ("a", "b")]
    assert pick_moves(items, ["a", DONE])[0] == 0
    assert pick_moves(items, ["a", "a"])[0] == 1
    assert pick_moves(items, ["b"])[0] == 2
