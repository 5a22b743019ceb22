"""The words of moves and announcements in random games of shipped rulesets. `scenes/telling.scene` has those of small games."""

from random import Random

import pytest
from games import game
from rules import load_rules
from tiers import sized, some_now

from hoyle.game.events import list_told_events
from hoyle.game.moves.phrases import to_infinitive
from hoyle.language.sentences import LANGUAGES
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
