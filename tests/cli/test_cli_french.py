"""Sessions in French: no English is left in them, whatever is played and asked."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from games import originals
from spaces import spaced
from tiers import in_tiers, sized

import interpreter
from interpreter.cli import catalogue
from interpreter.cli.main import main
from interpreter.game.game import load
from interpreter.resources import folder

QUICK, WHOLE = ["scopa"], ["cribbage"]
Run = Callable[..., str]
_WORD = re.compile(r"[^\W\d_]{3,}")
_NAMED = re.compile(r"\{[^{}:]*(:[^{}]*)?\}")
_QUOTED = re.compile(r"\[[^\]]*\]|`[^`]*`|hoyle [a-z]+|\bbar/|/off\b")
"""Places in a source, what is to be typed as it is, and notation: none is in anybody's language."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(catalogue, "_chosen", "fr")  # and as it was before afterwards

    def call(*words: str, lines: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        monkeypatch.setenv("COLUMNS", "100")
        assert main([*words, "--lang", "fr"]) == 0
        return spaced(capsys.readouterr().out)

    return call


def words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def texts(found: Any) -> Iterator[str]:
    if isinstance(found, dict):
        for value in found.values():
            yield from texts(value)
    elif isinstance(found, list):
        for value in found:
            yield from texts(value)
    else:
        yield str(found)


def names(found: Any) -> Iterator[str]:
    """The keys, which players are shown where something has no words."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield str(key)
            yield from names(value)


@cache
def of_language(lang: str) -> frozenset[str]:
    """All that the interpreter and the shipped rulesets say in a language."""
    rooms = Path(interpreter.__file__).parent.glob(f"*/{lang}.json")
    said = [text for room in rooms for text in texts(json.loads(room.read_text(encoding="utf-8")))]
    for path in sorted(folder("rulesets").glob("*.yaml")):
        written = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        if path.name.endswith(".fr.yaml"):
            said += texts({**written, "source": None}) if lang == "fr" else ()
        elif lang == "en":
            said += [*texts(written), *names(written)]
    return frozenset(words(_NAMED.sub(r"\1", _QUOTED.sub("", " ".join(said)))))


def english(shown: str) -> set[str]:
    """The words of English that nothing in French has."""
    return (words(_QUOTED.sub("", shown)) & of_language("en")) - of_language("fr")


def test_english_would_be_found() -> None:
    assert {"the", "moves", "waste", "player"} <= english("A : the moves, waste ou player")
    assert english("la levée est complète : `the waste` [Movement PL3]") == set()


@pytest.mark.parametrize("name", in_tiers(originals(), quick=QUICK, whole=WHOLE))
def test_a_session_is_in_french(name: str, run: Run) -> None:
    seats = ",".join(["humain", *["hasard"] * (len(load(name).seats) - 1)])
    asked = [
        "aide",
        *["liste", "1", "pourquoi 1", "dernier", "table", "2", "9999", "xyz", "pourquoi xyz"] * sized(1, 2),
    ]
    out = run("play", name, "--seed", "4", "--seats", seats, lines="\n".join([*asked, *["1"] * sized(5, 15), ""]))
    assert english(out) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", originals())
def test_a_whole_game_is_in_french(name: str, run: Run) -> None:
    seats = ",".join(["humain", *["hasard"] * (len(load(name).seats) - 1)])
    out = run("play", name, "--seed", "5", "--seats", seats, lines="1\n2\ndernier\n" * 150)
    assert english(out) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", originals())
def test_a_hint_is_in_french(name: str, run: Run) -> None:
    seats = ",".join(["humain", *["hasard"] * (len(load(name).seats) - 1)])
    out = run("play", name, "--seed", "4", "--seats", seats, lines="conseil 0.2\n1\n1\nconseil 0.2\n")
    assert english(out) == set()


@pytest.mark.parametrize("name", in_tiers(originals(), quick=QUICK, whole=WHOLE))
def test_what_is_told_of_a_game_is_in_french(name: str, run: Run) -> None:
    assert english(run("moves", name, "--seed", "1")) == set()
    assert english(run("simulate", name, "-n", "2", "--seed", "1")) == set()
