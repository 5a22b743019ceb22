"""Many games at once in the browser's protocol: how soon moves are answered. `python -m benchmarks.web [--games 200] [--seconds 30] [--pause 5]`

The server is a process of its own, begun here with a file of its own; this one is all the people: each sits at a game, and moves at random after a pause."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
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

from interpreter import load
from interpreter.web.store import Kept, Store, new_token

GAMES = ("klondike", "cribbage", "hearts", "backgammon")
"""A game of each sort: one person sits there, and players that move at random."""
LONGEST, COMING = 30.0, 5.0
"""Seconds that an answer may take at most, and in which all people have come."""


class Tally:
    """What all people together met."""

    def __init__(self) -> None:
        self.answered: list[float] = []
        self.errors: list[str] = []
        self.over = self.bytes = 0


@contextmanager
def server(place: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["serve", "--port", str(port), "--games", str(place)]
    process = subprocess.Popen([sys.executable, "-m", "interpreter", *words], stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"localhost:{port}"
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
        kept = Kept(f"game-{seed}", game.name, game.options, game.digest, seed, kinds)
        store.begin(kept, {game.seats[0]: tokens[-1]})
    store.close()
    return tokens


async def person(host: str, token: str, tally: Tally, end: float, pause: float, pick: random.Random) -> None:
    """Sits down, and moves until the time is over or the game is."""
    from websockets.asyncio.client import connect
    from websockets.typing import Origin

    await asyncio.sleep(pick.uniform(0, COMING))
    address, origin = f"ws://{host}/api/seat", Origin(f"http://{host}")
    try:
        async with connect(address, origin=origin, compression=None, max_size=None, open_timeout=LONGEST) as line:
            await line.send(json.dumps({"t": "sit", "token": token}))
            table = await heard(line, tally)
            await asyncio.sleep(pick.uniform(0, pause))
            while time.monotonic() < end and not table["over"]:
                table = await moved(line, table, tally, pause, pick)
            tally.over += table["over"]
    except Exception as error:
        tally.errors.append(repr(error))


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
    found: dict[str, Any] = json.loads(text)
    if found["t"] != "table":
        raise RuntimeError(text[:200])
    return found


async def all_people(host: str, tokens: list[str], seconds: float, pause: float) -> Tally:
    tally, end = Tally(), time.monotonic() + seconds
    people = (person(host, token, tally, end, pause, random.Random(n)) for n, token in enumerate(tokens))
    await asyncio.gather(*people)
    return tally


def main() -> None:
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("--games", type=int, default=200)
    wanted.add_argument("--seconds", type=float, default=30)
    wanted.add_argument("--pause", type=float, default=5, help="the mean of how long people think")
    given = wanted.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "games.sqlite"
        tokens = begun(place, given.games)
        with server(place) as host:
            tally = asyncio.run(all_people(host, tokens, given.seconds, given.pause))
    tell(tally, given.games, given.seconds)


def tell(tally: Tally, games: int, seconds: float) -> None:
    found = sorted(tally.answered)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    quarter = statistics.quantiles(found, n=20) if len(found) > 1 else [0.0] * 19
    median, most = 1000 * statistics.median(found), 1000 * found[-1]
    cpu = used.ru_utime + used.ru_stime
    print(
        f"{games} games, {seconds:.0f} s: {len(found)} moves ({len(found) / seconds:.0f} a second), {tally.over} games over"
    )
    print(
        f"answered after {median:.1f} ms in the median, {1000 * quarter[18]:.1f} ms for 95 of 100, at most {most:.0f} ms"
    )
    print(f"{tally.bytes / 1e6:.1f} MB sent, {cpu:.1f} s of a processor used by the server, {len(tally.errors)} errors")
    for error in tally.errors[:5]:
        print(f"  {error}")


if __name__ == "__main__":
    main()
