"""Rulesets that are at fault, each in one step of the same small game: `tests/running/rules/faults.yaml`."""

from pathlib import Path
from typing import Any

from rules import read_cases, write_rules

CASES: dict[str, Any] = read_cases("running/faults")
FAULTS: list[tuple[str, str, str | None, str]] = [(a, b, c, d) for a, b, c, d in CASES["faults"]]
"""A step, the code and the place of what is told of it, and the message."""


def ruleset(step: str, code: str, folder: Path) -> Path:
    whenever = CASES["flips"] if code == "R902" else ""
    return write_rules("running/faults", folder, {"STEP": step, "# WHENEVER\n": whenever})


def quiet(folder: Path) -> Path:
    """A ruleset that asks nobody for a long time: 184 steps."""
    return write_rules("running/quiet", folder, {})
