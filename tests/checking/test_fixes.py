"""A fix of a diagnostic mends what it is for and makes no text unreadable. Which fixes there are stands in `test_golden.py`'s lines."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from rules import read_cases
from test_golden import CASES, FOLDER
from tiers import spread

from hoyle import validate
from hoyle.diagnostics import Diagnostic, Fix, Source, Span, build_replacement
from hoyle.reading.sources import unsaved
from hoyle.reporting.report import find_code, list_codes
from hoyle.resources import shipped

ROWS = read_cases("checking/fixes")

MOST_LETTERS = 20_000
SLIPS = 8
"""Number of swapped pairs of letters in each game."""
GAME = FOLDER / "_game.yaml"
HEAD = "ruleset: 1\ngame: an example\nextends: game.yaml\n"
SHOWN = [entry.code for entry in list_codes() if entry.wrong]
NAMES_ANOTHER = re.compile(r"\bsimilar\b|did you mean")
OTHER_ENTRY = "R533"
"""A term that nothing uses has no fix: its help names a similar term, and either of the two may be misspelt."""

UNREADABLE = {entry.code for entry in list_codes() if entry.code < "R1" or entry.code[:2] == "R2"} - {"R020"}
"""Codes that no fix may cause, unless the text was unreadable before."""


def fixed(fix: Fix) -> str:
    text = fix.span.source.text
    return text[: fix.span.start] + fix.text + text[fix.span.end :]


def said(problems: Sequence[Diagnostic]) -> Counter[tuple[str, str, str]]:
    return Counter((d.code, d.message, d.help) for d in problems)


def fixes_mend(place: str) -> None:
    """Apply each fix of a file. A diagnostic whose help names a similar name has a fix."""
    told = validate([place])
    for problem in told:
        is_named = NAMES_ANOTHER.search(problem.help) and problem.code != OTHER_ENTRY
        assert problem.fixes or not is_named, problem
        for fix in problem.fixes:
            assert fix.text != fix.span.text
            with unsaved({str(Path(fix.span.source.name).resolve()): fixed(fix)}):
                after = validate([place])
            this = (problem.code, problem.message, problem.help)
            assert said(after)[this] < said(told)[this], (problem, fix)
            unreadable = {d.code for d in after if d.code in UNREADABLE} - {d.code for d in told}
            assert not unreadable or problem.code in UNREADABLE, (problem, fix)


@pytest.mark.parametrize("case", spread(CASES, 16))
def test_fixes_of_golden_cases(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    fixes_mend(case)


@pytest.mark.parametrize("name", spread(SHOWN, 10))
def test_fixes_of_the_wrong_examples_of_codes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.yaml").write_text(GAME.read_text(encoding="utf-8"), encoding="utf-8")
    wrong = find_code(name).wrong
    is_variant = name >= "R2" and not wrong.startswith("ruleset:")
    (tmp_path / "example.yaml").write_text(HEAD + wrong if is_variant else wrong, encoding="utf-8")
    fixes_mend("example.yaml")


NAMES = sorted(name for name, path in shipped().items() if path.stat().st_size < MOST_LETTERS)
WORD = re.compile(r"[a-z_]{4,}")


@pytest.mark.whole
@pytest.mark.parametrize("name", spread(NAMES, 1))
def test_fixes_of_misspelt_words_in_games(name: str) -> None:
    chance, path = random.Random(name), shipped()[name]
    text = path.read_text(encoding="utf-8")
    for word in chance.sample([*WORD.finditer(text)], SLIPS):
        at = chance.randrange(word.start(), word.end() - 1)
        with unsaved({str(path.resolve()): text[:at] + text[at + 1] + text[at] + text[at + 2 :]}):
            fixes_mend(str(path))


@pytest.mark.parametrize(("text", "old", "found"), ROWS["a fix replaces a word that stands once"])
def test_a_fix_replaces_a_word_that_stands_once(text: str, old: str, found: list[str]) -> None:
    assert [fixed(fix) for fix in build_replacement(Span(Source("x", text), 0, len(text)), old, "tricks")] == found
    assert (
        build_replacement(None, old, "tricks")
        == build_replacement(Span(Source("x", text), 0, len(text)), old, None)
        == ()
    )
