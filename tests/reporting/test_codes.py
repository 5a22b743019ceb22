"""The registry of diagnostics: every code is in it, and its examples show it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from english import small
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import examples, in_tiers
from untranslated import left_in_english

import interpreter
from interpreter import validate
from interpreter.diagnostics import UNSAID, Diagnostic
from interpreter.language.sentences import FALLBACK, LANGUAGES
from interpreter.reading.yaml_tree import load, read
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
    found = validate([place])
    assert not left_in_english(found)
    return [(d.code, d.severity) for d in found]


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


def test_every_code_is_told_in_every_language() -> None:
    """In a file that says nothing else, and has them in the same order."""
    for lang in set(LANGUAGES) - {FALLBACK}:
        written = load(read(folder("grammar") / f"diagnostics.{lang}.yaml"))
        assert [name for name, _, _ in written.entries()] == [entry.code for entry in all_codes()]
        keys = {(name, key) for name, _, entry in written.entries() for key, _, _ in entry.entries()}
        assert {key for _, key in keys} <= {"title", "explanation", "wrong", "right"}
        for here, there in zip(all_codes(), all_codes(lang), strict=True):
            assert {(here.code, "title"), (here.code, "explanation")} <= keys
            assert there.title != here.title and there.explanation != here.explanation, here.code
            assert small(f"{there.title} {there.explanation}") == set(), here.code


QUOTED = re.compile(r"`([^`]+)`")
SAID_ALONE = {"extends", "use", "whenever", "home"}
"""Keys that a sentence in French names where one in English need not."""


def test_what_is_to_be_typed_is_the_same_in_every_language() -> None:
    """But for what stands for any name or number: `name: value`, `low..high`."""
    known = re.compile(r"name|value|low|high", re.IGNORECASE)
    for lang in set(LANGUAGES) - {FALLBACK}:
        for here, there in zip(all_codes(), all_codes(lang), strict=True):
            typed, also = (set(QUOTED.findall(f"{c.title} {c.explanation}")) for c in (here, there))
            any_name = {part for part in typed - also if known.search(part)}
            assert typed - also == any_name, here.code
            assert len(also - typed - SAID_ALONE) == len(any_name), here.code


def test_an_example_in_other_words_shows_the_same(tmp_path: Path) -> None:
    own = [(code(c.code, lang), c) for lang in LANGUAGES for c in all_codes()]
    changed = [there for there, here in own if there.wrong != here.wrong]
    assert [there.code for there in changed] == ["R006"]
    for there in changed:
        place = tmp_path / "example.yaml"
        place.write_text(there.wrong, encoding="utf-8")
        assert [d.code for d in validate([place])] == [there.code]


def test_every_code_is_in_the_registry() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert set(re.findall(r'"(R\d\d\d)"', text)) == {entry.code for entry in all_codes()}


def test_a_diagnostic_is_as_severe_as_its_code() -> None:
    assert all(Diagnostic(entry.code, UNSAID).severity == entry.severity for entry in all_codes())
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
        "R618",
        "R619",
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
