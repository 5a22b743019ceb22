"""Rulesets that are at fault, each in one step of the same small game (`faults.yaml`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_DATA: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
FAULTS: list[tuple[str, str, str | None, str]] = [tuple(row) for row in _DATA["faults"]]
"""A step, the code and the place of what is told of it, and the message."""
NO_FAULTS: list[str] = _DATA["no_faults"]
"""Steps as near to a fault as can be."""


def ruleset(step: str, code: str, folder: Path) -> Path:
    """A ruleset with this step."""
    path = folder / "faults.yaml"
    whenever = _DATA["flips"] if code == "R902" else ""
    path.write_text(_DATA["game"].replace("STEP", step).replace("WHENEVER", whenever), encoding="utf-8")
    return path


def quiet(folder: Path) -> Path:
    """A ruleset that asks nobody for a long time: 184 steps."""
    path = folder / "quiet.yaml"
    path.write_text(_DATA["quiet"], encoding="utf-8")
    return path
