"""What the words of a move say that it does, before it is made and after: where it ends, what it covers, what `let` gives."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from games import game, originals
from tiers import in_tiers, sized, some_now

from interpreter import Game, State, load
from interpreter.game.rewording import infinitive
from interpreter.language.sentences import LANGUAGES
from interpreter.running.naming import folded



@pytest.fixture
def small(tmp_path: Path) -> Game:
    (tmp_path / "small.yaml").write_text(GAME, encoding="utf-8")
    return load(tmp_path / "small.yaml")


def played(small: Game) -> State:
    """A has 4 and 2, B has 3 and 1."""
    return small.start().play("lay 2 -> 1").play("lay 3 -> 1")


def test_words_say_what_let_gives_before_the_move_and_after_it(small: Game) -> None:
    state = small.start().play("lay 2 -> 1")
    found = next(move for move in state.moves() if move.id == "lay 3 -> 1")
    told = "3 on heap 1 (2), covering, higher (1 card left, two)"
    assert (found.text(), found.short()) == (f"lay {told}", "3/1!^")
    assert state.play(found).events[-1].text("en", "B") == f"B lays {told}"
    empty = next(move for move in state.moves() if move.id == "lay 3 -> 2")
    assert (empty.text(), empty.short()) == ("lay 3 on heap 2 (1 card left, none)", "3/2_")


@pytest.mark.parametrize("written", ["3/1!^", "3/1^", "lay 3 on heap 1 (1 card left, two)"])
def test_what_is_only_added_need_not_be_typed(small: Game, written: str) -> None:
    state = small.start().play("lay 2 -> 1")
    assert [move.id for move in state.meant(written)] == ["lay 3 -> 1"]


def test_what_comes_of_a_hidden_piece_is_not_told_to_others(small: Game) -> None:
    state = played(small)
    text = {seat: state.play("hide 4").events[-1].text("en", seat) for seat in ("A", "B")}
    assert text == {"A": "A — hide 4, a high one (0)", "B": "A — hide a card (?)"}
    after = state.play("lay 4 -> 1")
    told = [after.events[-1].text("en", seat) for seat in ("A", "B")]
    assert told[0] == "A lays 4 on heap 1 (3), covering, higher (0 cards left, three)"
    assert told[1] == "A lays 4 on heap 1 (3), covering, higher (? cards left, three)"


def test_a_saved_state_tells_the_same_and_one_of_an_earlier_version_what_it_knows(small: Game) -> None:
    state = played(small)
    data = state.to_json()
    assert [e.text() for e in small.resume(data).events] == [e.text() for e in state.events]
    data["log"] = [raw[:4] if raw[0] == "move" else raw for raw in data["log"]]
    assert small.resume(data).events[-1].text("en", "B") == "B lays 3 on heap 1 (? cards left, ?)"


def test_the_words_of_a_move_stay_though_the_state_changes(small: Game) -> None:
    state = small.start().play("lay 2 -> 1")
    found = next(move for move in state.moves() if move.id == "lay 3 -> 1")
    state.play_here(found)
    assert found.text() == "lay 3 on heap 1 (2), covering, higher (1 card left, two)"


@pytest.mark.parametrize("name", in_tiers(["backgammon", "plakoto", "crapette"], quick=["backgammon"]))
@pytest.mark.parametrize("engine", some_now(["python", "native"], 1))
def test_what_was_offered_is_told_after_the_fact_in_the_same_words(name: str, engine: str) -> None:
    state, chance = game(name) if engine == "python" else load(name, engine="native"), Random(3)
    now = state.start(3)
    for _ in range(sized(20, 60)):
        move = chance.choice(now.moves())
        texts = {lang: move.text(lang) for lang in LANGUAGES}
        seat, known = now.to_act, len(now.events)
        now = now.play(move)
        for lang, text in texts.items():
            name, verb, rest = now.events[known].text(lang, seat).split(" ", 2)
            assert (name, infinitive(folded(verb), lang)) == (
                now.game.namer.seat(now.game.seats.index(seat), lang),
                folded(text.split()[0]),
            )
            assert rest == text.partition(" ")[2]
    again = state.playout(seed=3)
    moves = [event for event in again.events if event.kind == "move"]
    assert any("(" in event.text() for event in moves)


def test_who_hits_and_who_pins_says_so() -> None:
    hits = game("backgammon").position(
        {
            "at": "play the numbers",
            "to_act": "white",
            "piles": {"arrow": {"x": "1 white", "a": "14 white", "s": "1 black", "l": "14 black"}, "pool": "5 1"},
        }
    )
    found = {move.id: (move.text("en"), move.text("fr"), move.short()) for move in hits.moves()}
    text, french, short = found["play arrow x 5"]
    assert text.endswith(", hitting)")
    assert french.endswith(", en frappant)")
    assert short.endswith("*")
    assert [short for ident, (_, _, short) in found.items() if ident != "play arrow x 5" and "*" in short] == []


def test_the_pieces_of_a_set_are_told_as_a_hand_is_sorted() -> None:
    state = game("cribbage").start(5)
    found = next(move for move in state.moves() if sorted(move.id.split()[1:]) == ["8S", "KH"])
    assert found.id == "lay-away 8S KH"
    assert (found.text("en"), found.text("fr")) == ("lay away 8♠ K♥", "écarter 8♠ R♥")
    mixed = next(move for move in state.moves() if move.id == "lay-away 7H 8S")
    assert mixed.text("en") == "lay away 8♠ 7♥"
    assert state.play(mixed).events[-1].text("en", state.to_act).endswith("lays away 8♠ 7♥")


OF_TRICKS = [n for n in originals() if any(v.name == "wins_it" for m in game(n).ruleset.moves.values() for v in m.lets)]


@pytest.mark.parametrize("name", in_tiers(OF_TRICKS, quick=["whist"], whole=["belote"]))
def test_whoever_certainly_wins_a_trick_is_told_so_by_the_card(name: str) -> None:
    """The last card of a trick says it if and only if its player is told then to have won, before and after it is played."""
    told = 0
    state, pick = game(name).start(2), Random(2)
    while not state.is_over and told < 20:
        move, known = pick.choice(state.moves()), len(state.core.log or ())
        after = state.play(move)
        event, ends = next(e for e in after.events[known:] if e.kind == "move"), after.events[known:]
        wins = [e.seat for e in ends if e.kind == "ends" and e.data["ends"] == "trick"] == [move.seat]
        for seat in (*state.game.seats, None):
            assert ("winning the trick" in event.text("en", seat)) == wins
            assert ("qui fait la levée" in event.text("fr", seat)) == wins
        assert ("winning the trick" in move.text()) == wins
        told += wins
        state = after
    assert told


def test_what_let_gives_to_words_alone_is_no_rule(tmp_path: Path, small: Game) -> None:
    """What was recorded or saved before words said so much is of the same game; what a rule goes by is another."""

    def digest(text: str) -> str:
        (tmp_path / "small.yaml").write_text(text, encoding="utf-8")
        return load(tmp_path / "small.yaml").digest

    plain = GAME.replace("      high: is_high(card)\n", "").replace("{high:, a high one}", "")
    assert digest(plain.replace("terms: {is_high(c): c.rank is four}\n", "terms: {}\n")) == small.digest
    ruled = GAME.replace('({left})"', '({left})"\n    if: {low: not high}')
    assert digest(ruled) != digest(plain.replace('({left})"', '({left})"\n    if: {low: not is_high(card)}'))
