"""Texts with places: what moves and announcements are told as, in each language, and what is typed for them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from games import game, originals
from spaces import spaced
from tiers import spread

from interpreter import Game, load
from interpreter.game.events import told
from interpreter.running.telling import Seen, pieces_told



@pytest.fixture
def small(tmp_path: Path) -> Game:
    (tmp_path / "small.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "small.fr.yaml").write_text(FRENCH, encoding="utf-8")
    return load(tmp_path / "small.yaml")


@pytest.mark.parametrize(
    ("move", "english", "french", "done", "fait"),
    [
        (
            "lay ace spades -> heap",
            *("the ace goes heap ace spades", "poser as pique → tas"),
            "A — the ace goes heap ace spades",
            "A pose as pique → tas",
        ),
        (
            "ask two 1",
            "ask for 1 two {please} card",
            "deux : en demander 1",
            "A asks for 1 two {please} card",
            "A — deux : en demander 1",
        ),
        (
            "ask three 2",
            "ask for 2 three {please} cards",
            "trois : en demander 2",
            "A asks for 2 three {please} cards",
            "A — trois : en demander 2",
        ),
        (
            "show two spades ace spades",
            "show ace spades two spades",
            "montrer des cartes : as pique deux pique",
            "A shows ace spades two spades",
            "A montre des cartes : as pique deux pique",
        ),
    ],
)
def test_a_move_is_told_as_its_words_say_and_what_they_leave_out_follows(
    small: Game, move: str, english: str, french: str, done: str, fait: str
) -> None:
    state = small.start(1)
    told = next(m for m in state.moves() if m.id == move)
    assert (told.text("en"), spaced(told.text("fr"))) == (english, french)
    for written in (english, french, move, *(text.removeprefix("A ") for text in (done, fait) if "—" not in text)):
        assert [m.id for m in state.meant(written)] == [move]
        assert state.why(written).legal
    events = state.play(move).events
    assert {done} <= {event.text("en", "A") for event in events}
    assert {fait} <= {spaced(event.text("fr", "A")) for event in events}


def test_what_begins_a_text_and_what_an_id_says_behind_it_is_understood(small: Game) -> None:
    state = small.start(1)
    assert [m.id for m in state.meant("ask for two 1")] == ["ask two 1"]
    assert {m.id for m in state.meant("deux : en")} == {"ask two 1", "ask two 2"}


def test_an_announcement_tells_the_values_of_its_places(small: Game) -> None:
    state = small.start(1).play("ask two 2")
    said, paid = state.events[-2:]
    assert (said.text("en"), said.text("fr")) == ("A — A asks for 2 of two", "A — 2 cartes (deux) pour A")
    assert (paid.text("en"), paid.text("fr")) == ("A +2 2 questions", "A +2 sans rien")
    assert paid.data["as"] == "2 questions"
    assert [event.text("fr") for event in small.resume(state.to_json()).events] == [e.text("fr") for e in state.events]


def test_what_lies_hidden_is_not_told(small: Game) -> None:
    state = small.start(1)
    told = state.play("lay ace spades -> side").events[-1]
    assert told.text("en", "A") == "A — the ace goes side ace spades"
    assert told.text("en", "B") == told.text("en", None) == "A — the ? goes side a card"


def test_without_what_it_is_bound_to_a_move_is_called_by_what_remains(small: Game) -> None:
    assert small.labels("en")["moves"]["ask"] == "ask for … {please} cards"
    assert spaced(small.labels("fr")["moves"]["ask"]) == "… : en demander …"


def test_what_is_scored_has_a_name_in_the_words_of_the_item(tmp_path: Path) -> None:
    """A binding of the label alone: whatever else is called so, and the value before it is added."""
    words = '{en: "{points:spade|spades}", fr: "{points:pique|piques} ({points})"}'
    (tmp_path / "spades.yaml").write_text(text.lstrip().replace("{AS}", words), encoding="utf-8")
    state = load(tmp_path / "spades.yaml").start(1)
    for move in ("count 1", "count 2", "count 2"):
        state = state.play(move)
    told = [event for event in state.events if event.kind == "score"]
    assert [event.text("en") for event in told] == ["A +1 spade", "B +2 spades", "A +3 spades"]
    assert [event.text("fr") for event in told] == ["A +1 pique (1)", "B +2 piques (2)", "A +3 piques (3)"]


def test_what_a_move_is_about(small: Game) -> None:
    """Pieces, and no ranks or numbers."""
    state = small.start(1)
    core, namer = state.core, small.compiled.namer
    about: dict[str, set[frozenset[str]]] = {}
    for move in state.moves():
        definition, seen = small.ruleset.moves[move.name], Seen(core.actor, "en", core.piles)
        told = pieces_told(namer, definition, move.action, seen)
        about.setdefault(move.name, set()).add(frozenset(namer.signs[piece >> 1] for piece in told))
    hand = frozenset(namer.signs[piece >> 1] for piece in core.piles[small.ruleset.piles["hand"].base])
    single, pairs = {frozenset([sign]) for sign in hand}, {hand - {sign} for sign in hand}
    assert len(hand) == 3
    assert about == {"lay": single, "ask": {frozenset()}, "show": pairs, "rank": single}




@pytest.mark.parametrize(
    ("place", "bowl", "seeing"),
    [
        ("face: up", "bowl", ["A", "B", None]),
        ("face: top seen", "bowl", ["A", "B", None]),  # they lie side by side until something comes upon them
        ("face: down", "bowl", []),
        ("each: player, face: owner", "bowl of B", ["B"]),
    ],
)
def test_who_sees_what_was_thrown(place: str, bowl: str, seeing: list[str | None], tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.replace("PLACE", place).replace("BOWL", bowl), encoding="utf-8")
    (thrown,) = [event for event in load(path).start().events if event.kind == "roll"]
    told = {seat: thrown.text("en", seat) for seat in ("A", "B", None)}
    assert [seat for seat, text in told.items() if text.endswith(": 6 6")] == seeing
    assert [seat for seat, text in told.items() if not text.endswith(": ? ?")] == seeing


@pytest.mark.parametrize("name", ["backgammon", "garanguet", "yams"])
def test_a_throw_is_told_with_whose_it_is(name: str) -> None:
    state = game(name).start(3)
    for _ in range(30):
        state = state.play(state.moves()[0])
    log = list(told(state.game.compiled, state.core))
    throws = [(event, after) for (_, event), (_, after) in pairwise(log) if event.kind == "roll"]
    common = [(event.text("en"), after) for event, after in throws if "of" not in event.data["to"]]
    mine = [(text, after.seat) for text, after in common if after.kind == "move"]
    assert len(mine) > 5
    assert [text.partition(" — ")[0].lower() for text, _ in mine] == [str(seat).lower() for _, seat in mine]
    assert all(" — " in text for text, _ in common)


@pytest.mark.parametrize(
    ("name", "move", "before", "after"),
    [
        ("yams", "keep none", "ne rien garder", "ne garde rien"),
        ("golf", "turn-a-card", "retourner une carte", "retourne"),
    ],
)
def test_moves_are_told_in_french_as_people_say_it(name: str, move: str, before: str, after: str) -> None:
    """`ne garde rien` and not `garde aucun`; a card that nobody knew is named once it is turned up."""
    state = game(name).start(3)
    found = next(m for m in state.moves() if m.id.startswith(move))
    assert found.text("fr").startswith(before)
    assert [m.id for m in state.meant(found.text("fr"))] == [found.id]
    played = next(e for e in reversed(state.play(found).events) if e.kind == "move").text("fr", state.to_act)
    assert re.fullmatch(rf"\w+ {after}( \S+)*", played)
    assert "aucun" not in played and "une carte" not in played


def test_of_several_throws_in_a_row_each_has_its_name() -> None:
    """All throw for who begins, one after the other."""
    state = game("yams").start(3)
    for lang, words in (("en", "dice thrown:"), ("fr", "dés jetés\u00a0:")):
        texts = [event.text(lang) for _, event in told(state.game.compiled, state.core) if event.kind == "roll"]
        assert len(texts) > 2
        assert [text.partition(words)[0] for text in texts[:2]] == ["A — ", "B — "]


def test_a_throw_of_nobody_has_no_name(tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.replace("PLACE", "").replace("BOWL", "bowl"), encoding="utf-8")
    state = load(path).start()
    (text,) = [event.text("en") for _, event in told(state.game.compiled, state.core) if event.kind == "roll"]
    assert text == "bowl: 6 6"


def test_of_what_is_turned_up_only_what_is_seen_is_told() -> None:
    """Three cards come to a pile of which only the top is seen: that alone is news."""
    state = game("klondike").start(3)
    texts = [e.text("en", "A") for _, e in told(state.game.compiled, state.play(state.find("turn-cards")).core)]
    assert len([text for text in texts if re.fullmatch(r"waste, turned up: \S+", text)]) == 1
    assert not any("?" in text for text in texts)


@pytest.mark.whole
@pytest.mark.parametrize("name", spread(originals(), 9))
def test_no_announcement_is_a_bare_piece_or_name(name: str) -> None:
    """What somebody reads says what it is about, not `7♣` or `C` alone."""
    state = game(name).playout(5)
    found = game(name).compiled
    bare = {found.namer.piece(2 * n + 1, lang) for n in range(len(found.namer.signs)) for lang in ("en", "fr")}
    bare |= {found.namer.seat(n, lang) for n in range(len(found.seats)) for lang in ("en", "fr")}
    for lang in ("en", "fr"):
        assert bare.isdisjoint(event.text(lang) for _, event in told(found, state.core))
