"""What the whole program has: where the shipped rulesets and the grammar are, inside an installed package, else in the checkout beside it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name` ("rulesets" or "grammar") that goes with this interpreter."""
    packaged = _PACKAGE / "data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def shipped() -> dict[str, Path]:
    """Every shipped ruleset and library by name."""
    return {path.stem: path for path in sorted(folder("rulesets").glob("*.yaml"))}


@contextmanager
def uncollected() -> Iterator[None]:
    """Without looking for garbage in circles: what is being built is all kept, and looking took a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
