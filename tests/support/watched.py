"""A game with illegal moves that an opponent may call."""

from pathlib import Path

from rules import write_rules


def watched_at(folder: Path) -> Path:
    return write_rules("cli/watched", folder, {})
