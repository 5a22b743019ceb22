"""Games in a file: what is written stays, nothing is written twice, and no token is in it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from interpreter.web.store import Deed, Kept, OtherFormat, Store, Taken, new_token

GAME = Kept("g1", "some-game", {"draw": 1}, "0123456789abcdef", 7, {"A": "human", "B": "random"})


def test_what_is_begun_and_done_is_there_again(tmp_path: Path) -> None:
    place, token = tmp_path / "games.sqlite", new_token()
    first = Store(place)
    first.begin(GAME, {"A": token})
    deeds = [Deed("move", "A", "play 7H"), Deed("move", "B", "pass"), Deed("undo", "A", "0")]
    for number, deed in enumerate(deeds):
        first.add("g1", number, deed)
    again = Store(place)  # the first has not been closed: as after a kill
    assert again.game("g1") == GAME
    assert list(again.game("g1").kinds) == ["A", "B"]
    assert again.deeds("g1") == deeds
    assert again.seat_of(token) == ("g1", "A")


def test_a_number_is_taken_once(tmp_path: Path) -> None:
    store, other = Store(tmp_path / "games.sqlite"), Store(tmp_path / "games.sqlite")
    store.begin(GAME, {})
    store.add("g1", 0, Deed("move", "A", "one"))
    with pytest.raises(Taken):
        other.add("g1", 0, Deed("move", "A", "two"))
    assert other.deeds("g1") == [Deed("move", "A", "one")]


def test_the_file_has_no_token_and_no_link_is_guessed(tmp_path: Path) -> None:
    store, token = Store(tmp_path / "games.sqlite"), new_token()
    store.begin(GAME, {"A": token})
    store.close()
    assert len(token) >= 43
    assert not any(token.encode() in path.read_bytes() for path in tmp_path.iterdir())
    again = Store(tmp_path / "games.sqlite")
    assert again.seat_of(token[:-1]) is None
    assert again.seat_of("") is None
    with pytest.raises(KeyError):
        again.game("g2")


def test_another_file_is_left_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "other.sqlite"
    with sqlite3.connect(place) as other:
        other.execute("CREATE TABLE letters (text)")
    with pytest.raises(OtherFormat):
        Store(place)
    (tmp_path / "text").write_text("no database at all, though long enough to be looked at" * 20)
    with pytest.raises(sqlite3.Error):
        Store(tmp_path / "text")


def test_what_was_written_is_brought_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "games.sqlite")
    store.begin(GAME, {})
    store.add("g1", 0, Deed("move", "A", "a move of that name"))
    brought: list[bytes] = []
    monkeypatch.setattr("os.fsync", lambda file: brought.append(os.pread(file, 1 << 20, 0)))
    store.settle()
    assert b"a move of that name" in brought[0]
