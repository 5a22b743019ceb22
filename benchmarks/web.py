"""Many games at once in the browser's protocol: how soon moves are answered, and what that takes. `python -m benchmarks.web [--games 200] [--idle 0] [--seconds 20] [--pauses 5 2 1]`

The server is a process of its own, begun here with a file of its own; this one is all the people: each sits at a game, and moves at random after a pause. Who is idle sits at a game
of his own and does nothing. One line is told for each mean length of the pause, with the load of the machine before it (tasks that run or wait, on the average of a minute). What the server takes is counted from when all sit: not its start, nor the reading of rules."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hoyle import load
from hoyle.web.play.store import Store
from hoyle.web.play.stored_tables import StoredGame, new_token

GAMES = ("klondike", "cribbage", "hearts", "backgammon")
"""A game of each sort: one person sits there, and players that move at random."""
ROOM = {"width": 1000, "height": 720}
"""The room for pictures in their browsers."""
LONGEST, A_SECOND = 60.0, 20.0
"""Seconds that an answer may take at most, and people who come in a second."""


class Tally:
    """What all people together met."""

    def __init__(self) -> None:
        self.answered: list[float] = []
        self.errors: list[str] = []
        self.over = self.bytes = self.tables = 0
        self.used = 0.0


@contextmanager
def server(place: Path) -> Iterator[tuple[str, int]]:
    """Where it listens, and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["serve", "--port", str(port), "--games", str(place)]
    process = subprocess.Popen(
        [sys.executable, "-m", "hoyle", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(port)
        yield f"localhost:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


def begun(place: Path, games: int) -> list[str]:
    """That many games in a file, of every sort; the tokens of their people."""
    store, tokens = Store(place), []
    rules = [load(name) for name in GAMES]
    for seed in range(games):
        game = rules[seed % len(rules)]
        kinds = {seat: "random" if n else "human" for n, seat in enumerate(game.seats)}
        tokens.append(new_token())
        kept = StoredGame(f"game-{seed}", game.name, game.options, game.digest, seed, kinds)
        store.add_game(kept, {game.seats[0]: tokens[-1]})
    store.close()
    return tokens


def used_by(process: int) -> float:
    """Seconds of a processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Hall:
    """Where people come in one after the other; they begin when all sit, and go home at the same time."""

    def __init__(self, host: str, process: int, people: int, seconds: float, pause: float) -> None:
        self.host, self.process, self.missing, self.seconds, self.pause = host, process, people, seconds, pause
        self.tally, self.all_sit, self.end, self.before = Tally(), asyncio.Event(), 0.0, 0.0
        self.coming = people / A_SECOND

    def sits(self) -> None:
        self.missing -= 1
        if not self.missing:
            self.tally.bytes = self.tally.tables = 0
            self.before, self.end = used_by(self.process), time.monotonic() + self.seconds
            self.all_sit.set()


async def person(hall: Hall, token: str, pick: random.Random, is_idle: bool) -> None:
    """Sits down, and moves until the time is over or the game is; an idle one only waits for that."""
    from websockets.asyncio.client import connect
    from websockets.typing import Origin

    await asyncio.sleep(pick.uniform(0, hall.coming))
    sits = False
    address, origin = f"ws://{hall.host}/api/seat", Origin(f"http://{hall.host}")
    try:
        async with connect(address, origin=origin, compression=None, max_size=None, open_timeout=LONGEST) as line:
            await line.send(json.dumps({"t": "sit", "token": token, **ROOM}))
            table = await heard(line, hall.tally)
            hall.sits()
            sits = True
            await hall.all_sit.wait()
            await asyncio.sleep(hall.seconds if is_idle else pick.uniform(0, hall.pause))
            while time.monotonic() < hall.end and not table["over"]:
                table = await moved(line, table, hall.tally, hall.pause, pick)
            hall.tally.over += table["over"]
    except Exception as error:
        hall.tally.errors.append(repr(error))
        if not sits:  # the others do not wait for it
            hall.sits()


async def moved(line: Any, table: dict[str, Any], tally: Tally, pause: float, pick: random.Random) -> dict[str, Any]:
    """Waits to be asked, thinks, moves; the table as the answer shows it."""
    while not table["moves"] and not table["over"]:
        table = await heard(line, tally)
    if table["over"]:
        return table
    await asyncio.sleep(pick.expovariate(1 / pause) if pause else 0)
    number, began = table["n"], time.perf_counter()
    await line.send(json.dumps({"t": "move", "n": number, "id": pick.choice(table["moves"])["id"]}))
    while table["n"] <= number:
        table = await heard(line, tally)
    tally.answered.append(time.perf_counter() - began)
    return table


async def heard(line: Any, tally: Tally) -> dict[str, Any]:
    text = await asyncio.wait_for(line.recv(), LONGEST)
    tally.bytes += len(text)
    tally.tables += 1
    found: dict[str, Any] = json.loads(text)
    if found["t"] != "table":
        raise RuntimeError(text[:200])
    return found


async def all_people(host: str, process: int, tokens: list[str], idle: int, seconds: float, pause: float) -> Tally:
    hall = Hall(host, process, len(tokens), seconds, pause)
    await asyncio.gather(*(person(hall, token, random.Random(n), n < idle) for n, token in enumerate(tokens)))
    hall.tally.used = used_by(process) - hall.before
    return hall.tally


def measured(games: int, idle: int, seconds: float, pause: float) -> Tally:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "games.sqlite"
        tokens = begun(place, games + idle)
        with server(place) as (host, process):
            return asyncio.run(all_people(host, process, tokens, idle, seconds, pause))


def main() -> None:
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("--games", type=int, default=200)
    wanted.add_argument("--idle", type=int, default=0, help="people who sit there and do nothing")
    wanted.add_argument("--seconds", type=float, default=20)
    wanted.add_argument("--pauses", type=float, nargs="+", default=[5, 2, 1], help="means of how long people think")
    given = wanted.parse_args()
    print(f"{given.games} games, {given.idle} idle people, {given.seconds:.0f} s each; times in ms")
    print(HEAD)
    for pause in given.pauses:
        load = os.getloadavg()[0]
        tell(measured(given.games, given.idle, given.seconds, pause), given.seconds, pause, load)


HEAD = (
    "| people think | moves a second | answered: median | 95 of 100 | 99 of 100 | at most | processor for a move | kB for a table | errors | load |\n|"
    + "---:|" * 10
)


def tell(tally: Tally, seconds: float, pause: float, load: float) -> None:
    found = sorted(tally.answered)
    parts = statistics.quantiles(found, n=100) if len(found) > 1 else [0.0] * 99
    taken = (statistics.median(found), parts[94], parts[98], found[-1], tally.used / len(found))
    times = [f"{1000 * one:.0f}" for one in taken]
    kilobytes = tally.bytes / 1000 / max(1, tally.tables)
    row = [
        f"{pause:g} s",
        f"{len(found) / seconds:.0f}",
        *times,
        f"{kilobytes:.1f}",
        str(len(tally.errors)),
        f"{load:.1f}",
    ]
    print(f"| {' | '.join(row)} |", flush=True)
    for error in tally.errors[:5]:
        print(f"  {error}")


if __name__ == "__main__":
    main()
