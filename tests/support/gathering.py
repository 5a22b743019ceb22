"""A game so short that many are played in a moment, for series. Luck is dealt, and whoever always takes much does best."""

from collections.abc import Mapping
from pathlib import Path

from rules import write_rules


def gathering_at(folder: Path, changes: Mapping[str, str] | None = None) -> str:
    return str(write_rules("series/gathering", folder, changes or {}))
