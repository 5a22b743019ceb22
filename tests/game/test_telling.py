"""Texts with places: the words of moves and announcements in each language, before a move and after it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from games import game
from rules import change_rules, load_rules, read_cases
from spaces import spaced
from tiers import sized, some_now

from interpreter import Game, State
from interpreter.game.events import told
from interpreter.game.rewording import infinitive
from interpreter.language.sentences import LANGUAGES
from interpreter.running.naming import folded
from interpreter.running.telling import Seen, pieces_told


@pytest.fixture
def asking() -> Game:
    return load_rules("game/asking")


@pytest.mark.whole
def test_a_move_is_told_by_its_words_and_the_bindings_they_omit(asking: Game) -> None:
    state = asking.start(1)
    for case in read_cases("game/words")["moves"]:
        found, after = state.find(case["move"]), case["after"]
        assert [spaced(found.text(lang)) for lang in LANGUAGES] == case["before"]
        said = [text.removeprefix("A ") for text in after if "—" not in text]
        for written in (*case["before"], case["move"], *said):
            assert [m.id for m in state.meant(written)] == [case["move"]]
            assert state.why(written).legal
        events = state.play(found).events
        for lang, text in zip(LANGUAGES, after, strict=True):
            assert text in {spaced(event.text(lang, "A")) for event in events}


def test_the_beginning_of_a_text_is_understood(asking: Game) -> None:
    state = asking.start(1)
    assert [m.id for m in state.meant("ask for two 1")] == ["ask two 1"]
    assert {m.id for m in state.meant("deux : en")} == {"ask two 1", "ask two 2"}
    assert asking.labels("en")["moves"]["ask"] == "ask for … {please} cards"
    assert spaced(asking.labels("fr")["moves"]["ask"]) == "… : en demander …"


def test_an_announcement_tells_the_values_of_its_places(asking: Game) -> None:
    state = asking.start(1).play("ask two 2")
    said, paid = state.events[-2:]
    assert (said.text("en"), said.text("fr")) == ("A — A asks for 2 of two", "A — 2 cartes (deux) pour A")
    assert (paid.text("en"), paid.text("fr")) == ("A +2 2 questions", "A +2 sans rien")
    assert paid.data["as"] == "2 questions"
    assert [event.text("fr") for event in asking.resume(state.to_json()).events] == [e.text("fr") for e in state.events]


def test_a_hidden_piece_is_not_told(asking: Game) -> None:
    event = asking.start(1).play("lay ace spades -> side").events[-1]
    assert event.text("en", "A") == "A — the ace goes side ace spades"
    assert event.text("en", "B") == event.text("en", None) == "A — the ? goes side a card"


def test_points_are_named_by_the_words_of_their_item(tmp_path: Path) -> None:
    """`points` is the value before they are added."""
    words = '{en: "{points:spade|spades}", fr: "{points:pique|piques} ({points})"}'
    state = change_rules("game/counting", tmp_path, {"{AS}": words}).start(1)
    for move in ("count 1", "count 2", "count 2"):
        state = state.play(move)
    scores = [event for event in state.events if event.kind == "score"]
    assert [event.text("en") for event in scores] == ["A +1 spade", "B +2 spades", "A +3 spades"]
    assert [event.text("fr") for event in scores] == ["A +1 pique (1)", "B +2 piques (2)", "A +3 piques (3)"]


def test_the_pieces_of_a_move_are_neither_its_ranks_nor_its_numbers(asking: Game) -> None:
    state = asking.start(1)
    core, namer = state.core, asking.compiled.namer
    about: dict[str, set[frozenset[str]]] = {}
    for move in state.moves():
        definition, seen = asking.ruleset.moves[move.name], Seen(core.actor, "en", core.piles)
        pieces = pieces_told(namer, definition, move.action, seen)
        about.setdefault(move.name, set()).add(frozenset(namer.signs[piece >> 1] for piece in pieces))
    hand = frozenset(namer.signs[piece >> 1] for piece in core.piles[asking.ruleset.piles["hand"].base])
    single, pairs = {frozenset([sign]) for sign in hand}, {hand - {sign} for sign in hand}
    assert len(hand) == 3
    assert about == {"lay": single, "ask": {frozenset()}, "show": pairs, "rank": single}


# ---- throws ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "bowl", "seeing"),
    [
        ("each: player, face: owner", "bowl of B", ["B"]),
        ("face: top seen", "bowl", ["A", "B", None]),  # they lie side by side until something comes upon them
        ("face: up", "bowl", ["A", "B", None]),
        ("face: down", "bowl", []),
    ],
)
def test_a_throw_is_told_to_who_sees_it(place: str, bowl: str, seeing: list[str | None], tmp_path: Path) -> None:
    game = change_rules("game/bowl", tmp_path, {"PLACE": place, "BOWL": bowl})
    (thrown,) = [event for event in game.start().events if event.kind == "roll"]
    texts = {seat: thrown.text("en", seat) for seat in ("A", "B", None)}
    assert [seat for seat, text in texts.items() if text.endswith(": 6 6")] == seeing
    assert [seat for seat, text in texts.items() if not text.endswith(": ? ?")] == seeing
    if place == "face: up":
        assert [event.text() for _, event in told(game.compiled, game.start().core)] == ["bowl: 6 6"]


@pytest.mark.whole
@pytest.mark.parametrize("name", ["backgammon", "yams"])
def test_a_throw_is_told_with_whose_it_is(name: str) -> None:
    state = game(name).start(3)
    for _ in range(18):
        state = state.play(state.moves()[0])
    log = list(told(state.game.compiled, state.core))
    throws = [(event, after) for (_, event), (_, after) in pairwise(log) if event.kind == "roll"]
    common = [(event.text("en"), after) for event, after in throws if "of" not in event.data["to"]]
    mine = [(text, after.seat) for text, after in common if after.kind == "move"]
    assert len(mine) > 3
    assert [text.partition(" — ")[0].lower() for text, _ in mine] == [str(seat).lower() for _, seat in mine]
    assert all(" — " in text for text, _ in common)


@pytest.mark.whole
def test_each_of_several_throws_in_a_row_has_its_name() -> None:
    """All throw for who begins, one after the other."""
    state = game("yams").start(3)
    for lang, words in (("en", "dice thrown:"), ("fr", "dés jetés\u00a0:")):
        texts = [event.text(lang) for _, event in told(state.game.compiled, state.core) if event.kind == "roll"]
        assert len(texts) > 2
        assert [text.partition(words)[0] for text in texts[:2]] == ["A — ", "B — "]


# ---- shipped games ---------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "move", "before", "after"),
    [
        ("yams", "keep none", "ne rien garder", "ne garde rien"),
        ("golf", "turn-a-card", "retourner une carte", "retourne"),
    ],
)
def test_moves_are_told_in_french_as_players_say_it(name: str, move: str, before: str, after: str) -> None:
    """`ne garde rien` and not `garde aucun`; a card that nobody knew is named once it is turned up."""
    state = game(name).start(3)
    found = next(m for m in state.moves() if m.id.startswith(move))
    assert found.text("fr").startswith(before)
    assert [m.id for m in state.meant(found.text("fr"))] == [found.id]
    played = next(e for e in reversed(state.play(found).events) if e.kind == "move").text("fr", state.to_act)
    assert re.fullmatch(rf"\w+ {after}( \S+)*", played)
    assert "aucun" not in played and "une carte" not in played


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "yams", "barbu", "scopa", "gin-rummy", "piquet", "plakoto"], 2))
def test_no_announcement_is_a_bare_piece_or_name(name: str) -> None:
    """A text says what it is about, not `7♣` or `C` alone."""
    found, (core, _) = game(name).compiled, game(name).machine.playout(5, 0, log=True, most=sized(150, 3000))
    bare = {found.namer.piece(2 * n + 1, lang) for n in range(len(found.namer.signs)) for lang in LANGUAGES}
    bare |= {found.namer.seat(n, lang) for n in range(len(found.seats)) for lang in LANGUAGES}
    for lang in LANGUAGES:
        assert bare.isdisjoint(event.text(lang) for _, event in told(found, core))


# ---- values that `let` gives to words --------------------------------------------------------------------------------


@pytest.fixture
def opened() -> State:
    """A has 4 and 2, B has 3 and 1; A has laid the 2."""
    return load_rules("game/layered").start().play("lay 2 -> 1")


def test_words_say_what_let_gives_before_the_move_and_after_it(opened: State) -> None:
    found = opened.find("lay 3 -> 1")
    words = "3 on heap 1 (2), covering, higher (1 card left, two)"
    assert (found.text(), found.short()) == (f"lay {words}", "3/1!^")
    assert opened.play(found).events[-1].text("en", "B") == f"B lays {words}"
    empty = opened.find("lay 3 -> 2")
    assert (empty.text(), empty.short()) == ("lay 3 on heap 2 (1 card left, none)", "3/2_")
    for written in ("3/1!^", "3/1^", "lay 3 on heap 1 (1 card left, two)"):
        assert [move.id for move in opened.meant(written)] == ["lay 3 -> 1"]


def test_values_of_a_hidden_piece_are_not_told_to_others(opened: State) -> None:
    state = opened.play("lay 3 -> 1")
    texts = {seat: state.play("hide 4").events[-1].text("en", seat) for seat in ("A", "B")}
    assert texts == {"A": "A — hide 4, a high one (0)", "B": "A — hide a card (?)"}
    laid = state.play("lay 4 -> 1").events[-1]
    assert laid.text("en", "A") == "A lays 4 on heap 1 (3), covering, higher (0 cards left, three)"
    assert laid.text("en", "B") == "A lays 4 on heap 1 (3), covering, higher (? cards left, three)"


def test_words_survive_saving_and_later_moves(opened: State) -> None:
    """A state saved by an earlier version has no values."""
    state, found = opened.play("lay 3 -> 1"), opened.find("lay 3 -> 1")
    data, text = state.to_json(), found.text()
    assert [e.text() for e in state.game.resume(data).events] == [e.text() for e in state.events]
    data["log"] = [raw[:4] if raw[0] == "move" else raw for raw in data["log"]]
    assert state.game.resume(data).events[-1].text("en", "B") == "B lays 3 on heap 1 (? cards left, ?)"
    opened.play_here(found)
    assert found.text() == text


@pytest.mark.whole
def test_values_for_words_alone_do_not_change_the_digest(tmp_path: Path) -> None:
    plain = {"      high: is_high(card)\n": "", "{high:, a high one}": ""}
    silent = change_rules("game/layered", tmp_path, plain | {"terms: {is_high(c): c.rank is four}": "terms: {}"})
    assert silent.digest == load_rules("game/layered").digest
    ruled = change_rules("game/layered", tmp_path, {'({left})"': '({left})"\n    if: {low: not high}'})
    other = change_rules("game/layered", tmp_path, plain | {'({left})"': '({left})"\n    if: {low: not is_high(card)}'})
    assert ruled.digest != other.digest


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
            assert infinitive(folded(verb), lang) == folded(text.split()[0])
            assert rest == text.partition(" ")[2]


def test_a_hit_is_said_and_noted() -> None:
    arrows = {"x": "1 white", "a": "14 white", "s": "1 black", "l": "14 black"}
    at = {"at": "play the numbers", "to_act": "white", "piles": {"arrow": arrows, "pool": "5 1"}}
    found = {move.id: move for move in game("backgammon").position(at).moves()}
    hit = found["play arrow x 5"]
    assert hit.text("en").endswith(", hitting)") and hit.text("fr").endswith(", en frappant)")
    assert [move for move in found.values() if "*" in (move.short() or "")] == [hit]


def test_the_pieces_of_a_set_are_told_as_a_hand_is_sorted() -> None:
    state = game("cribbage").start(5)
    found = state.find("lay-away 8S KH")
    assert (found.text("en"), found.text("fr")) == ("lay away 8♠ K♥", "écarter 8♠ R♥")
    mixed = state.find("lay-away 7H 8S")
    assert mixed.text("en") == "lay away 8♠ 7♥"
    assert state.play(mixed).events[-1].text("en", state.to_act).endswith("lays away 8♠ 7♥")


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
