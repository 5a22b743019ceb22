"""The registry of diagnostics: every code is in it, and its examples show it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import examples, in_tiers

import interpreter
from interpreter import validate
from interpreter.diagnostics import Diagnostic
from interpreter.reporting.codes import all_codes, code
from interpreter.resources import folder

PACKAGE = Path(interpreter.__file__).parent
GAME = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"
HEAD = "ruleset: 1\ngame: an example\nextends: game.yaml\n"
SHOWN = [entry.code for entry in all_codes() if entry.wrong and entry.code >= "R2"]


def said(text: str, folder: Path) -> list[tuple[str, str]]:
    shutil.copy(GAME, folder / "game.yaml")
    place = folder / "example.yaml"
    place.write_text(text if text.startswith("ruleset:") else HEAD + text, encoding="utf-8")
    return [(d.code, d.severity) for d in validate([place])]


def test_the_game_that_the_examples_change_is_without_fault() -> None:
    assert validate([GAME]) == []


@pytest.mark.parametrize("name", in_tiers(SHOWN, quick=SHOWN[::2], whole=SHOWN))
def test_the_wrong_example_gives_exactly_this(name: str, tmp_path: Path) -> None:
    assert said(code(name).wrong, tmp_path) == [(name, code(name).severity)]


@pytest.mark.whole
@pytest.mark.parametrize("name", SHOWN)
def test_the_right_example_gives_nothing(name: str, tmp_path: Path) -> None:
    assert said(code(name).right, tmp_path) == []


def test_codes_stand_in_order() -> None:
    """So that the next one is seen at the end of its stage."""
    text = (folder("grammar") / "diagnostics.yaml").read_text(encoding="utf-8")
    codes = re.findall(r"^R\d\d\d(?=:)", text, re.MULTILINE)
    assert codes == sorted(codes) and len(codes) == len(all_codes())


def test_every_code_is_in_the_registry() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert set(re.findall(r'"(R\d\d\d)"', text)) == {entry.code for entry in all_codes()}


def test_a_diagnostic_is_as_severe_as_its_code() -> None:
    assert all(Diagnostic(entry.code, "").severity == entry.severity for entry in all_codes())
    assert {entry.severity for entry in all_codes()} == {"error", "warning"}


def test_what_can_be_shown_is_shown() -> None:
    """Only what needs several files, a library played, a game under way or a flow of thousands of steps has no example."""
    assert {e.code for e in all_codes() if "R2" <= e.code < "R7" and not e.wrong} == {
        "R207",
        "R420",
        "R524",
        "R609",
        "R525",
        "R603",
        "R605",
        "R613",
        "R614",
        "R615",
        "R616",
        "R617",
    }
    assert all(bool(e.wrong) == bool(e.right) for e in all_codes())


@settings(max_examples=examples(10, 150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_word_never_breaks_the_checker(tmp_path: Path, data: st.DataObject) -> None:
    """Whatever word of the game stands where another stood: mistakes are told, and nothing is raised."""
    text = GAME.read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        words = list(re.finditer(r"\w+|[(){}\[\],.<>~+-]", text))
        at, other = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words))
        text = text[: at.start()] + other.group() + text[at.end() :]
    place = tmp_path / "changed.yaml"
    place.write_text(text, encoding="utf-8")
    assert all(d.message for d in validate([place]))
