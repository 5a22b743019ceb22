"""What a diagnostic says a program can change by itself: changed so, that problem is gone."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from test_golden import CASES, FOLDER
from tiers import in_tiers

from interpreter import validate
from interpreter.diagnostics import Diagnostic, Fix, Source, Span, replacing
from interpreter.reading.opened import unsaved
from interpreter.reporting.codes import all_codes, code
from interpreter.resources import shipped

MOST_LETTERS = 20_000
SLIPS = 8
"""In each game: two letters that have changed places."""
GAME = FOLDER / "_game.yaml"
HEAD = "ruleset: 1\ngame: an example\nextends: game.yaml\n"
SHOWN = [entry.code for entry in all_codes() if entry.wrong]
NAMES_ANOTHER = re.compile(r"\bsimilar\b|did you mean")
OTHER_ENTRY = "R533"
"""A term that nothing uses: the similar one that its help names is another entry, which may well be the one that is misspelt."""

UNREADABLE = {entry.code for entry in all_codes() if entry.code < "R1" or entry.code[:2] == "R2"} - {"R020"}
"""What no fix may bring about: only, once a text can be read, more of it may be found that cannot."""


def fixed(fix: Fix) -> str:
    text = fix.span.source.text
    return text[: fix.span.start] + fix.text + text[fix.span.end :]


def said(problems: Sequence[Diagnostic]) -> Counter[tuple[str, str, str]]:
    return Counter((d.code, d.message, d.help) for d in problems)


def fixes_mend(place: str) -> None:
    """Each fix for a file mends what it is for, and whoever is told of a similar name has one."""
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


@pytest.mark.parametrize("case", in_tiers(CASES, quick=CASES[::4], whole=CASES[::2]))
def test_a_fix_mends_what_a_golden_file_is_told(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    fixes_mend(case)


@pytest.mark.parametrize("name", in_tiers(SHOWN, quick=SHOWN[::4], whole=SHOWN))
def test_a_fix_mends_what_a_wrong_example_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.yaml").write_text(GAME.read_text(encoding="utf-8"), encoding="utf-8")
    wrong = code(name).wrong
    is_variant = name >= "R2" and not wrong.startswith("ruleset:")
    (tmp_path / "example.yaml").write_text(HEAD + wrong if is_variant else wrong, encoding="utf-8")
    fixes_mend("example.yaml")


@pytest.mark.parametrize(
    ("case", "old", "new"),
    [
        ("mistyped-pile-key.yaml", "faze", "face"),
        ("mistyped-row.yaml", "to", "two"),
        ("not-a-choice.yaml", "Down", "down"),
        ("mistyped-move.yaml", "play a crd", "play a card"),
        ("missing-space-after-colon.yaml", "en:Sample", "en: Sample"),
        ("missing-colon-before-brace.yaml", "pack {face", "pack: {face"),
        ("colon-in-value.yaml", "see the preface: it is short", "'see the preface: it is short'"),
        ("cut-formula.yaml", "fits(card, to)", "'fits(card, to)'"),
        ("lists-without-brackets.yaml", "follow suit", "[follow suit]"),
        ("words-of-people.yaml", "is at most", "<="),
        ("wrong-kinds-in-operators.yaml", "(c.rank for c in to) is none", "(c.rank for c in to) is empty"),
        ("values-for-a-condition.yaml", "card.rank is ace or two or three", "card.rank in (ace, two, three)"),
        (
            "pieces-out-of-which-pile.yaml",
            "cards(heap) + cards(trick of p for p in players)",
            "'cards(piles(heap, (trick of p for p in players)))'",
        ),
        ("attributes-of-attributes.yaml", "A.score", "score of A"),
        ("name-of-several-things.yaml", "hearts", "suits.hearts"),
        ("examples-not-played.yaml", "haep", "heap"),
        ("unknown-extends.yaml", "grabuje", "grabuge"),
        ("words-astray.yaml", "option", "options"),
    ],
)
def test_what_is_written_instead(case: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert (old, new) in {(fix.span.text, fix.text) for d in validate([case]) for fix in d.fixes}


NAMES = sorted(name for name, path in shipped().items() if path.stat().st_size < MOST_LETTERS)
WORD = re.compile(r"[a-z_]{4,}")


@pytest.mark.parametrize("name", in_tiers(NAMES, quick=NAMES[::40], whole=NAMES[::30]))
def test_a_slip_of_the_pen_in_a_game_is_mended(name: str) -> None:
    chance, path = random.Random(name), shipped()[name]
    text = path.read_text(encoding="utf-8")
    for word in chance.sample([*WORD.finditer(text)], SLIPS):
        at = chance.randrange(word.start(), word.end() - 1)
        with unsaved({str(path.resolve()): text[:at] + text[at + 1] + text[at] + text[at + 2 :]}):
            fixes_mend(str(path))


@pytest.mark.parametrize(
    ("text", "old", "found"),
    [
        ("trics", "trics", ["tricks"]),
        ("2 * trics of p", "trics", ["2 * tricks of p"]),
        ("a trics", "tric", []),
        ("trics of trics", "trics", []),
        ("'it''s'", "it's", []),
        ("", "", []),
    ],
)
def test_it_must_be_certain_which_stretch_is_meant(text: str, old: str, found: list[str]) -> None:
    assert [fixed(fix) for fix in replacing(Span(Source("x", text), 0, len(text)), old, "tricks")] == found
    assert replacing(None, old, "tricks") == replacing(Span(Source("x", text), 0, len(text)), old, None) == ()
