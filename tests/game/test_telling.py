"""The words of moves and announcements, events and sheets of whole games, display hints, and invariants of every game."""

import json
import random
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bounds import Witness, watched
from engines import difference, engine_of, with_compiler
from exchange import walked
from games import game, originals
from games import game as shipped_game
from rules import change_rules, load_rules
from tiers import sized, some_now

from hoyle import State
from hoyle.diagnostics import Source
from hoyle.game.events import list_told_events
from hoyle.game.moves.phrases import to_infinitive
from hoyle.game.records import records
from hoyle.game.records.records import record_lines, replay
from hoyle.game.views.display import PublicState, make_public_state
from hoyle.game.views.view import can_see
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import ABSENT, Expr, Var
from hoyle.language.sentences import LANGUAGES
from hoyle.language.steps import Ends, every_step
from hoyle.running.naming import fold_case


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "yams", "barbu", "scopa", "gin-rummy", "piquet", "plakoto"], 2))
def test_no_announcement_is_a_bare_piece_or_name(name: str) -> None:
    """A text says what it is about, not `7♣` or `C` alone."""
    found, (core, _) = game(name).compiled, game(name).machine.playout(5, 0, log=True, most=sized(150, 3000))
    bare = {found.namer.piece(2 * n + 1, lang) for n in range(len(found.namer.signs)) for lang in LANGUAGES}
    bare |= {found.namer.seat(n, lang) for n in range(len(found.seats)) for lang in LANGUAGES}
    for lang in LANGUAGES:
        assert bare.isdisjoint(event.text(lang) for _, event in list_told_events(found, core))


def test_words_survive_saving_and_later_moves() -> None:
    """A state saved by an earlier version has no values."""
    opened = load_rules("game/layered").start().play("lay 2 -> 1")
    state, found = opened.play("lay 3 -> 1"), opened.find("lay 3 -> 1")
    data, text = state.to_json(), found.text()
    assert [e.text() for e in state.game.resume(data).events] == [e.text() for e in state.events]
    data["log"] = [raw[:4] if raw[0] == "move" else raw for raw in data["log"]]
    assert state.game.resume(data).events[-1].text("en", "B") == "B lays 3 on heap 1 (? cards left, ?)"
    opened.play_here(found)
    assert found.text() == text


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "backgammon", "plakoto"], 2))
def test_an_event_has_the_words_of_the_offered_move(name: str) -> None:
    now, chance = game(name).start(3), Random(3)
    for _ in range(sized(20, 60)):
        move = chance.choice(now.moves())
        texts = {lang: move.text(lang) for lang in LANGUAGES}
        seat, known = now.to_act, len(now.events)
        now = now.play(move)
        for lang, text in texts.items():
            who, verb, rest = now.events[known].text(lang, seat).split(" ", 2)
            assert who == now.game.namer.seat(now.game.seats.index(seat), lang)
            assert to_infinitive(fold_case(verb), lang) == fold_case(text.split()[0])
            assert rest == text.partition(" ")[2]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["whist", "belote", "coinchee", "spades"], 1))
def test_the_card_that_certainly_wins_a_trick_says_so(name: str) -> None:
    """Before and after it is played: if and only if the next event is the end of the trick, won by its player."""
    wins, state, pick = 0, game(name).start(2), Random(2)
    while not state.is_over and wins < 6:
        move, known = pick.choice(state.moves()), len(state.core.log or ())
        state = state.play(move)
        ends = state.events[known:]
        event = next(e for e in ends if e.kind == "move")
        won = [e.seat for e in ends if e.kind == "ends" and e.data["ends"] == "trick"] == [move.seat]
        for seat in (*state.game.seats, None):
            assert ("winning the trick" in event.text("en", seat)) == won
            assert ("qui fait la levée" in event.text("fr", seat)) == won
        assert ("winning the trick" in move.text()) == won
        wins += won
    assert wins


@pytest.mark.slow
@with_compiler
def test_both_engines_tell_the_same(tmp_path: Path) -> None:
    steps = [
        "pairs: {score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'}",
        "goods: {for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)}",
        "hidden: {score: 2, to: me, of: hand of B}",
        "shown: {say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'}",
        "trick: {by: B, ends: trick}",
        "deal: {ends: deal}",
    ]
    game = change_rules("game/counts", tmp_path, {"FACE": "up", "STEP": f"do: {{{', '.join(steps)}}}"})
    assert difference(game, engine_of(game), 1) is None


@pytest.mark.slow
def test_every_game_of_tricks_tells_their_winners_and_the_ends_of_deals() -> None:
    for name in originals():
        game = shipped_game(name)
        phases = game.ruleset.phases
        steps = every_step(step for phase in phases.values() for step in phase.steps)
        ends = {step.verb.what for step in steps if isinstance(step.verb, Ends)}
        if ("play the tricks", False) in phases or ("play the tricks", True) in phases:
            assert ends == {"trick", "deal"}, name
        if ("deal", False) in phases or ("deal", True) in phases:
            assert "deal" in ends or len(game.seats) == 1, name


@pytest.mark.slow
def test_every_game_with_deals_has_a_sheet_or_a_track() -> None:
    for name in originals():
        one = shipped_game(name)
        steps = every_step(step for phase in one.ruleset.phases.values() for step in phase.steps)
        if any(isinstance(step.verb, Ends) and step.verb.what == "deal" for step in steps):
            core, _ = one.machine.playout(1, 0, log=True, most=3000)
            view = State(one, core).view(None)
            is_scored = any(event[0] == "score" for event in core.log or ())
            is_shown = any(sheet.totals for sheet in view.sheets) or any(item.track for item in view.state)
            assert is_shown or not is_scored, name


SHIPPED = ["hearts", "backgammon", "crapette", "belote", "klondike", "barbu", "scopa", "grabuge", "gin-rummy", "yams"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(SHIPPED, 3))
def test_views_show_every_piece_and_point_once(name: str) -> None:
    """The public view knows no piece that not everybody sees: hints are evaluated on it."""
    own = game(name).compiled
    for state in walked(game(name), 1, 12).states:
        for view in (state.view(seat) for seat in (*game(name).seats, None)):
            assert all(sorted(pile.order) == list(range(pile.count)) for pile in view.piles)
            keys = {pile.key for pile in view.piles}
            for board in view.boards:
                assert {*board.points, *board.bar, *board.off} <= keys
                assert len(set(board.labels)) == len(board.points) == len(board.labels)
        known = make_public_state(
            own, state.core, lambda n, at, count, piece: can_see(own, n, at, count, piece, ABSENT)
        )
        for seen, pile in zip(known.setting.piles, state.view(None).piles, strict=False):
            assert [piece >= 0 for piece in seen] == [piece.sign is not None for piece in pile.pieces]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "backgammon", "klondike", "barbu", "yams", "belote"], 2))
def test_compiled_hints_have_the_values_of_their_formulas(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, tried = PublicState.value, list[str]()

    def both(known: PublicState, expr: Expr, names: Mapping[Var, Any]) -> Any:
        found, meant = compiled(known, expr, names), evaluate(expr, known.setting, dict(names))
        assert (list(found) == list(meant)) if expr.type.name == "list" else (found == meant), expr.span.text
        tried.append(expr.type.name)
        return found

    monkeypatch.setattr(PublicState, "value", both)
    for state in walked(game(name), 2, 8).states:
        for seat in (None, *state.game.seats):
            state.view(seat)
    assert tried


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["hearts", "crapette", "backgammon", "grabuge", "spades"], 2))
def test_piles_that_the_next_move_changes_are_shown(name: str) -> None:
    """No pile is left out that the next move takes from or puts on, unless the rules hide it."""
    states, namer = walked(game(name), 1, 40).states, game(name).namer
    compared = 0
    for one, two in pairwise(states):
        if one.place != two.place or one.is_over:
            continue  # more than the move has happened
        layouts = {pile.key: pile.layout for pile in one.view(one.to_act).piles}
        for number in range(len(one.core.piles) - 1):
            if len(one.core.piles[number]) != len(two.core.piles[number]):
                assert layouts[namer.key(number)] != "hidden" or namer.family(number).layout == "hidden"
                compared += 1
    assert compared


GAMES = ["crapette", "backgammon", "cribbage-6p", "yams", "barbu-3p", "coinchee", "spite-and-malice"]
GAMES += ["klondike", "gin-rummy", "piquet-au-cent", "president", "scopa"]


def walk(name: str, seed: int, steps: int) -> State:
    state, pick = game(name).start(seed), random.Random(seed)
    for _ in range(steps):
        if state.is_over:
            break
        state.play_here(pick.choice(state.moves()))
    return state


def count_pieces(state: State) -> Counter[int]:
    return Counter(piece >> 1 for pile in state.core.piles for piece in pile)


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES, 3))
def test_saving_and_moves_change_nothing_and_keep_all_pieces(name: str) -> None:
    for steps in (3, 0, 40)[: sized(1, 9)]:
        state = walk(name, steps + 1, steps)
        assert count_pieces(state) == Counter(dict(enumerate(game(name).machine.copies)))
        again = game(name).resume(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert [m.id for m in again.moves()] == [m.id for m in state.moves()]
        assert [event.text() for event in again.events] == [event.text() for event in state.events]
        before = state.core.key()
        for move in state.moves()[: sized(3, 90)]:
            after = state.play(move)
            assert count_pieces(after) == count_pieces(state)
        assert state.core.key() == before
        assert state.is_over or again.play(state.moves()[0].id) == state.play(state.moves()[0])


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES, 3))
def test_the_same_seed_is_the_same_game_and_its_record_replays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "load", lambda *_: game(name))  # loaded once
    first, second = (walk(name, 7, sized(6, 24)) for _ in range(2))
    assert first == second
    assert replay(Source("record", "\n".join(record_lines(first, 7)) + "\n")).state == first


BOUNDED = ["crapette", "coinchee", "barbu-3p", "backgammon", "cribbage-6p", "yams", "piquet-au-cent", "grabuge"]
BOUNDED += ["president", "scopa", "oh-hell"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(BOUNDED, 1))
def test_values_in_random_games_are_of_their_kinds(name: str) -> None:
    witness = Witness(game(name).compiled, random.Random(name))
    for seed in range(sized(1, 3)):
        watched(witness, seed, often=0.01)
    assert witness.seen["bool"] and witness.seen["number"]
