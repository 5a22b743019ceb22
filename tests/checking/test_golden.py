"""Golden diagnostics: what `tests/checking/diagnostics/NAME.yaml` must be told is `NAME.out`, letter for letter.

A file whose name begins with `_` is there for others to extend, and `NAME.fr.yaml` has words of the case beside it. Cases may be sorted into folders. After a wanted change, run
with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from untranslated import left_in_english

from interpreter import validate
from interpreter.diagnostics import Diagnostic
from interpreter.reporting import report
from interpreter.resources import language_of

FOLDER = Path(__file__).parent / "diagnostics"
CASES = sorted(
    p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*.yaml") if not (p.name.startswith("_") or language_of(p))
)


@pytest.mark.parametrize("case", CASES)
def test_what_is_said_about_a_file(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    told = validate([case])
    assert all(points_at_it(problem) for problem in told)
    found = report.text(told)
    expected = Path(case).with_suffix(".out")
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
    assert not left_in_english(told)


def points_at_it(problem: Diagnostic) -> bool:
    """What is unknown is shown where it stands, not where it belongs to."""
    names = re.findall(r"`([^`]*)`", problem.message) if problem.message.startswith("unknown ") else []
    return not names or (problem.span is not None and any(name in problem.span.text for name in names))


def test_every_expectation_has_its_case() -> None:
    outs = {p.relative_to(FOLDER).with_suffix(".yaml").as_posix() for p in FOLDER.rglob("*.out")}
    assert outs == set(CASES)
