"""Storage of tables: writes survive, nothing is written twice, and no token is stored."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from hoyle.cli.commands.servers import _open_store
from hoyle.presentation.catalogue import UserError
from hoyle.web.play import store as store_module
from hoyle.web.play.store import Store, UnknownFormat
from hoyle.web.play.stored_tables import Operation, StoredGame, WriteFailed, new_token

GAME = StoredGame("g1", "some-game", {"draw": 1}, "0123456789abcdef", 7, {"A": "human", "B": "random"}, True)


def test_games_and_operations_are_stored(tmp_path: Path) -> None:
    place, token = tmp_path / "games.sqlite", new_token()
    first = Store(place)
    first.add_game(GAME, {"A": token})
    operations = [Operation("move", "A", "play 7H"), Operation("move", "B", "pass"), Operation("undo", "A", "0")]
    for number, operation in enumerate(operations):
        first.add_operation("g1", number, operation)
    (tmp_path / "later").mkdir()
    for path in tmp_path.glob("games.sqlite*"):  # without closing the first store, as after a kill
        shutil.copy(path, tmp_path / "later")
    again = Store(tmp_path / "later" / "games.sqlite")
    assert again.load_game("g1") == GAME
    assert list(again.load_game("g1").kinds) == ["A", "B"]
    assert again.load_operations("g1") == operations
    assert again.find_seat(token) == ("g1", "A")


def test_a_file_is_open_in_one_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "LOCK_SECONDS", 0.0)
    first = Store(tmp_path / "games.sqlite")
    with pytest.raises(UserError, match="another server has it open"):
        _open_store(tmp_path / "games.sqlite")
    first.close()
    Store(tmp_path / "games.sqlite").close()


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    store.add_game(GAME, {})
    store._db.execute("PRAGMA max_page_count = 1")
    with pytest.raises(WriteFailed, match="full"):
        store.add_operation("g1", 0, Operation("move", "A", "x" * 100_000))
    assert store.load_operations("g1") == []


def test_the_file_has_only_hashes_of_tokens(tmp_path: Path) -> None:
    store, token = Store(tmp_path / "games.sqlite"), new_token()
    store.add_game(GAME, {"A": token})
    store.close()
    assert len(token) >= 43
    assert not any(token.encode() in path.read_bytes() for path in tmp_path.iterdir())
    again = Store(tmp_path / "games.sqlite")
    assert again.find_seat(token[:-1]) is None
    assert again.find_seat("") is None
    with pytest.raises(KeyError):
        again.load_game("g2")


def test_other_files_are_refused_and_unchanged(tmp_path: Path) -> None:
    place = tmp_path / "other.sqlite"
    with sqlite3.connect(place) as other:
        other.execute("CREATE TABLE letters (text)")
    with pytest.raises(UnknownFormat):
        Store(place)
    (tmp_path / "text").write_text("no database at all, though long enough to be looked at" * 20)
    with pytest.raises(sqlite3.Error):
        Store(tmp_path / "text")


def test_sync_flushes_the_log_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "games.sqlite")
    store.add_game(GAME, {})
    store.add_operation("g1", 0, Operation("move", "A", "a move of that name"))
    brought: list[bytes] = []
    monkeypatch.setattr("os.fsync", lambda file: brought.append(os.pread(file, 1 << 20, 0)))
    store.sync()
    assert b"a move of that name" in brought[0]
