"""A patience of two stones: the blue one lies on the red one, and the red one must leave first. Only chance can bring that about."""

from __future__ import annotations

from pathlib import Path

from rules import change_rules

from interpreter import Game


def reds_at(folder: Path) -> Game:
    return change_rules("cli/reds", folder, {})
