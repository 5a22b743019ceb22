"""Golden diagnostics: what `validate` tells of `diagnostics/NAME.yaml` is `diagnostics/NAME.out`, one line per diagnostic.

A line holds code, place, keys of sentences with their arguments, and fixes (`support/diagnostic_lines.py`). `rendered.out` shows a few as
people see them. A file whose name begins with `_` is there for others to extend; `NAME.fr.yaml` has the French words of a case. After
a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

import os
from pathlib import Path

import compiled_once
import pytest
from diagnostic_lines import one_line_each
from english import left_in_english
from tiers import in_tiers

from hoyle import validate
from hoyle.checking import build
from hoyle.reporting import report
from hoyle.resources import language_of

FOLDER = Path(__file__).parent / "diagnostics"
CASES = sorted(p.name for p in FOLDER.glob("*.yaml") if not (p.name.startswith("_") or language_of(p)))
BATCHES = 12
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))


@pytest.fixture(autouse=True)
def _beside_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(build, "_run_check", compiled_once._check)  # each file is checked once


@pytest.mark.parametrize("batch", in_tiers(range(BATCHES), quick=[0, 3, 5, 8, 10], whole=range(BATCHES)))
def test_diagnostics_of_files(batch: int) -> None:
    cases = CASES[batch::BATCHES]
    problems = {case: validate([case]) for case in cases}
    lines = {case: one_line_each(told, case) for case, told in problems.items()}
    for case in cases if UPDATE else ():
        Path(case).with_suffix(".out").write_text(lines[case], encoding="utf-8")
    assert lines == {case: Path(case).with_suffix(".out").read_text(encoding="utf-8") for case in cases}
    assert not [found for told in problems.values() for found in left_in_english(told)]


def test_each_golden_file_has_its_case() -> None:
    assert {f"{p.stem}.yaml" for p in FOLDER.glob("*.out")} == set(CASES)


SHOWN = [
    ("too-many-actions.yaml", "en"),
    ("too-many-actions.yaml", "fr"),
    ("sections-twice.yaml", "en"),
    ("words-of-a-replaced-sentence.yaml", "fr"),
]
"""Diagnostics with labels, notes and help, places in two files, several places in one file, errors and warnings."""


def test_how_diagnostics_look() -> None:
    found = "\n".join(report.as_text([d.in_language(lang) for d in validate([case])]) for case, lang in SHOWN)
    expected = FOLDER.parent / "rendered.out"
    if UPDATE:
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
