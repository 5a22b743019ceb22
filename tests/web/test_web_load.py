"""Hostile clients do not exhaust memory, delay others, keep half requests open or cause internal errors."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import TYPE_CHECKING
from unittest.mock import Mock, patch

import pytest
from games import game
from rules import read_cases

from hoyle.diagnostics import Source
from hoyle.game.game import State
from hoyle.game.records.records import record_lines, replay
from hoyle.web import record_cache, requests, timed_protocol
from hoyle.web.guards import identify_client
from hoyle.web.play import fair_pool
from hoyle.web.play.fair_pool import FairPool, Pacer
from hoyle.web.play.store import Store
from hoyle.web.play.stored_tables import WriteFailed

if TYPE_CHECKING:
    from webbed import Web

CASES = read_cases("web/hostile")


@pytest.mark.whole
def test_hostile_bodies_and_messages_are_refused(web: Web) -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect
    from websockets.typing import Origin

    answers = [web.post(path, body.encode()).status for path, body, _ in CASES["bodies"]]
    assert answers == [status for *_, status in CASES["bodies"]]
    for text in CASES["messages"]:
        with connect(f"ws://{web.host}/api/seat", origin=Origin(web.origin)) as line:
            line.send(text)
            with pytest.raises(ConnectionClosed):
                line.recv()
            assert line.close_code == 1008, text


@pytest.mark.whole
def test_half_requests_are_closed_soon(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_protocol, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(requests, "IDLE_SECONDS", 0.1)
    for half in CASES["halves"]:
        with socket.create_connection(("127.0.0.1", web.port), timeout=4) as line:
            line.sendall(half.replace("HOST", web.host).encode())
            assert line.makefile("rb").read()[9:12] in (b"", b"408")


@pytest.mark.parametrize(("address", "client"), CASES["clients"])
def test_addresses_count_as_clients(address: str, client: str) -> None:
    assert identify_client({"client": (address, 1)}) == client


def test_one_client_does_not_delay_another() -> None:
    """A client has one thread of two. Clients that wait take turns."""
    done, goes_on = list[str](), threading.Event()

    def work() -> None:
        goes_on.wait(10)
        done.append("a")

    async def clients() -> None:
        pool = FairPool()
        first = [asyncio.create_task(pool.run("a", work)) for _ in range(3)]
        await asyncio.sleep(0)
        await pool.run("b", done.append, "b")
        goes_on.set()
        await asyncio.gather(*first, *(pool.run(who, done.append, who) for who in "cd"))
        assert not pool.is_busy
        pool.close()

    asyncio.run(clients())
    assert done[0] == "b" and done.index("c") < len(done) - 1 and sorted(done) == ["a", "a", "a", "b", "c", "d"]


def test_client_that_computes_a_lot_pauses_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FREE_SECONDS": 0.0, "FORGIVEN": 0.0, "SLICE": 0.0, "LONGEST_PAUSE": 30.0}.items():
        monkeypatch.setattr(fair_pool, name, value)
    pacer, steps, began, ends = Pacer(), [0], threading.Event(), threading.Event()

    def compute() -> None:
        while not ends.is_set():
            steps[0] += 1
            began.set()

    def look() -> int:
        before = steps[0]
        time.sleep(0.2)
        return steps[0] - before

    for client in ("greedy", "another"):
        pacer.run(client, sum, range(1000))
    other = threading.Thread(target=pacer.run, args=("greedy", compute))
    other.start()
    assert began.wait(10) and pacer.run("light", look) <= 1
    began.clear()
    assert began.wait(10), "it goes on"
    ends.set()
    other.join()


@pytest.mark.whole
def test_records_are_cached_with_few_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "MOST_SNAPSHOTS", 4)
    state, before = game("cribbage").playout(3), list[State]()
    text = "".join(f"{line}\n" for line in record_lines(state, 3))
    shelved = record_cache.RecordCache().open(text.encode())
    last = replay(Source("r.jsonl", text), visit=lambda old, _: before.append(old)).state
    assert len(shelved.snapshots) <= 4 < len(shelved.ends) == len(before) + 1
    for number, wanted in [*enumerate([*before, last])][::9]:
        found = shelved.restore_state(number)
        assert found == wanted and found.core.log == wanted.core.log


def test_full_disks_and_chosen_seeds_are_reported(web: Web, caplog: pytest.LogCaptureFixture) -> None:
    fails = Mock(side_effect=WriteFailed("disk full"))
    first, _ = web.sit_all(web.begin("watched", "human", "human", seed=None))
    with patch.multiple(Store, add_operation=fails, add_game=fails):
        assert first.move()["why"] == "disk"
        assert web.post("/api/tables", {"game": "golf", "seats": {"A": "human"}}).status == 503
    assert [(one.exc_info, "disk full" in one.getMessage()) for one in caplog.records] == [(None, True)] * 2
    assert first.move()["n"] > 0 and first.table["seeded"] == ""
    seats = web.sit_all(web.begin("watched", "human", "human", seed=5))
    assert all(seat.table["seeded"].startswith("A chose the seed") for seat in seats)
