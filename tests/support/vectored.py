"""Digests of the observations of many games at once; equal observations have equal digests.

As a program it is told a game and a library that the game was built into, where sanitizers watch."""

import ctypes
import sys
import zlib
from collections.abc import Iterator

import numpy as np
from msgspec import structs

from hoyle import Game, load
from hoyle.game.compiled import Compiled
from hoyle.learning.vectors import StepResult, Vector
from hoyle.native.engine import Native
from hoyle.native.engine_builder import with_native

COUNT, SEED, STEPS, MOST = 3, 5, 250, 90


def told_in(one: Compiled) -> Iterator[str]:
    """After every step of some random ones, and after many by one call."""
    many, random = Vector(Game(one, "python"), COUNT, SEED, "score", MOST, 2), np.random.default_rng(SEED)
    yield _mark(many, many.reset())
    for _ in range(STEPS):
        yield _mark(many, many.step(many.sample(random)))
    yield repr([part.tolist() for part in many.play(STEPS)])


def _mark(many: Vector, told: StepResult) -> str:
    parts = (*told, *(many.observe(seat) for seat in range(len(many.game.seats))), many.games)
    return str(zlib.crc32(b"".join(part.tobytes() for part in parts)))


def main(name: str, library: str) -> None:
    plain = load(name, engine="python").compiled
    native = Native(ctypes.CDLL(library), plain.machine)
    for line in told_in(structs.replace(plain, machine=with_native(plain.machine, native))):
        print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
