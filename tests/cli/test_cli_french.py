"""Sessions in French: no English is left in them, whatever is played and asked."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest
from english import english
from games import originals
from spaces import spaced
from tiers import in_tiers, sized

from interpreter.cli import catalogue
from interpreter.cli.main import main
from interpreter.game.game import load

QUICK, WHOLE = ["scopa"], ["cribbage"]
Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(catalogue, "_chosen", "fr")  # and as it was before afterwards

    def call(*words: str, lines: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        monkeypatch.setenv("COLUMNS", "100")
        assert main([*words, "--lang", "fr"]) == 0
        return spaced(capsys.readouterr().out)

    return call


@pytest.mark.whole
def test_english_would_be_found() -> None:
    assert {"the", "moves", "waste", "dealer"} <= english("A : the moves, waste ou dealer")
    assert english("la levée est complète : `the waste` [Movement PL3]") == set()


@pytest.mark.whole
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
