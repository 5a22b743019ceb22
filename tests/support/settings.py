"""Settings of options with which tests play games, as `tests/rulesets/options.yaml` has them."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def settings_of(heading: str) -> Any:
    return _all()[heading]


@cache
def _all() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "rulesets" / "options.yaml").read_text("utf-8"))
    return found
