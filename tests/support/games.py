"""The shipped games, each loaded once in a process, and the settings of options with which tests play them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hoyle import Game, load
from hoyle.resources import shipped


@cache
def game(name: str) -> Game:
    return load(name)


def loaded(name: str, options: Mapping[str, Any] | None = None, **more: Any) -> Game:
    """The same with these options, once for each of them: a game is not changed by being played."""
    return _with(name, tuple(sorted({**(options or {}), **more}.items())))


@cache
def _with(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return load(name, dict(options)) if options else game(name)


@cache
def names() -> tuple[tuple[str, bool], ...]:
    """Every shipped game, without libraries, and whether it is a variant of another."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in shipped().items()}
    return tuple((name, "\nextends:" in text) for name, text in texts.items() if "\ngame:" in text)


FEW = ["cribbage-6p", "backgammon", "crapette", "barbu-3p", "coinchee", "yams", "plakoto", "spite-and-malice"]
"""The games that together reach most of the interpreter (98 of 100 lines that all games reach); `tests/choose_games.py` finds them."""


def originals() -> list[str]:
    return [name for name, is_variant in names() if not is_variant]


@cache
def settings_of(heading: str) -> Any:
    return _all()[heading]


@cache
def _all() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "rulesets" / "options.yaml").read_text("utf-8"))
    return found
