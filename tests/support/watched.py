"""A game in which a player may do what one should not, and be called."""

from __future__ import annotations

from pathlib import Path

from rules import write_rules


def watched_at(folder: Path) -> Path:
    """Writes its rules into a folder."""
    return write_rules("web/watched", folder, {})
