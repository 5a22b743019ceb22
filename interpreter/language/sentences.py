"""The languages there are, and what the interpreter itself says in them. Each language is a file beside this one, `en.toml`, with its
sentences by key; the command line has one of the same name for its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in _HERE.glob("*.toml")))
FALLBACK = "en"
"""The language in which everything is said that has no words in another."""


class Sentence:
    """What is said under a key, by language."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __getitem__(self, lang: str) -> str:
        return catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[self.key]


@cache
def catalogue(folder: Path, lang: str) -> dict[str, str]:
    """All sentences of a language in a folder: `event.chosen` is `chosen` of the table `[event]`."""
    import tomllib

    with (folder / f"{lang}.toml").open("rb") as file:
        return dict(_flat(tomllib.load(file)))


def _flat(table: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{above}{name}"
        found += _flat(value, f"{key}.") if isinstance(value, dict) else [(key, str(value).strip("\n"))]
    return found
