"""The registry of diagnostics: every code is in it, in every language, and its examples show it."""

import re
import shutil
from pathlib import Path

import pytest
from english import left_in_english, small
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import examples, in_tiers

import hoyle
from hoyle import validate
from hoyle.diagnostics import NO_TEXT, Diagnostic
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.reading.sources import read
from hoyle.reading.yaml_tree import load
from hoyle.reporting.report import find_code, list_codes
from hoyle.resources import folder

PACKAGE = Path(hoyle.__file__).parent
GAME = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"
HEAD = "ruleset: 1\ngame: an example\nextends: game.yaml\n"
OTHERS = sorted(set(LANGUAGES) - {FALLBACK})
SHOWN = [entry.code for entry in list_codes() if entry.wrong and entry.code >= "R2"]


def diagnosed(text: str, folder: Path) -> list[tuple[str, str]]:
    """The codes and severities that an example gives, as a change of the small game unless it is a ruleset itself."""
    shutil.copy(GAME, folder / "game.yaml")
    place = folder / "example.yaml"
    place.write_text(text if text.startswith("ruleset:") else HEAD + text, encoding="utf-8")
    found = validate([place])
    assert not left_in_english(found)
    return [(d.code, d.severity) for d in found]


@pytest.mark.parametrize("name", in_tiers(SHOWN, quick=SHOWN[::2]))
def test_the_wrong_example_gives_its_code_alone(name: str, tmp_path: Path) -> None:
    assert diagnosed(find_code(name).wrong, tmp_path) == [(name, find_code(name).severity)]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(SHOWN, whole=SHOWN[::3]))
def test_the_right_example_gives_nothing(name: str, tmp_path: Path) -> None:
    assert diagnosed(find_code(name).right, tmp_path) == []


def test_the_game_that_the_examples_change_is_without_fault() -> None:
    assert validate([GAME]) == []


@pytest.mark.parametrize("lang", OTHERS)
def test_every_code_is_translated(lang: str) -> None:
    """In a file with the same order and nothing else. What is to be typed is the same, but for names and numbers like `low..high`."""
    written = load(read(folder("grammar") / f"diagnostics.{lang}.yaml"))
    assert [name for name, _, _ in written.entries()] == [entry.code for entry in list_codes()]
    keys = {(name, key) for name, _, entry in written.entries() for key, _, _ in entry.entries()}
    assert {key for _, key in keys} <= {"title", "explanation", "wrong", "right"}
    named_in_french = {"extends", "use", "whenever", "home"}
    for here, there in zip(list_codes(), list_codes(lang), strict=True):
        assert {(here.code, "title"), (here.code, "explanation")} <= keys
        assert there.title != here.title and there.explanation != here.explanation, here.code
        assert small(f"{there.title} {there.explanation}") == set(), here.code
        typed, also = (set(re.findall(r"`([^`]+)`", f"{c.title} {c.explanation}")) for c in (here, there))
        any_name = {part for part in typed - also if re.search(r"name|value|low|high", part, re.IGNORECASE)}
        assert typed - also == any_name, here.code
        assert len(also - typed - named_in_french) == len(any_name), here.code


def test_a_translated_example_shows_the_same(tmp_path: Path) -> None:
    own = [(find_code(c.code, lang), c) for lang in LANGUAGES for c in list_codes()]
    changed = [there for there, here in own if there.wrong != here.wrong]
    assert [there.code for there in changed] == ["R006"]
    place = tmp_path / "example.yaml"
    place.write_text(changed[0].wrong, encoding="utf-8")
    assert [d.code for d in validate([place])] == ["R006"]


@pytest.mark.whole
def test_the_registry_has_exactly_the_codes_of_the_program_in_order() -> None:
    written = re.findall(r"^R\d\d\d(?=:)", (folder("grammar") / "diagnostics.yaml").read_text("utf-8"), re.MULTILINE)
    assert written == [entry.code for entry in list_codes()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert set(re.findall(r'"(R\d\d\d)"', text)) == set(written)


def test_a_diagnostic_is_as_severe_as_its_code() -> None:
    assert all(Diagnostic(entry.code, NO_TEXT).severity == entry.severity for entry in list_codes())
    assert {entry.severity for entry in list_codes()} == {"error", "warning"}


def test_only_codes_that_need_more_than_a_text_have_no_example() -> None:
    """They need several files, a library played, a game under way or a flow of thousands of steps."""
    without = {e.code for e in list_codes() if "R2" <= e.code < "R7" and not e.wrong}
    assert without == {f"R{n}" for n in (207, 420, 524, 525, 577, 603, 605, 609, *range(613, 621))}
    assert all(bool(e.wrong) == bool(e.right) for e in list_codes())


@pytest.mark.whole
@settings(max_examples=examples(10, 150, 10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_word_gives_diagnostics_and_no_exception(tmp_path: Path, data: st.DataObject) -> None:
    text = GAME.read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        words = list(re.finditer(r"\w+|[(){}\[\],.<>~+-]", text))
        at, other = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words))
        text = text[: at.start()] + other.group() + text[at.end() :]
    place = tmp_path / "changed.yaml"
    place.write_text(text, encoding="utf-8")
    assert all(d.message for d in validate([place]))
