"""Golden diagnostics: what `tests/checking/diagnostics/NAME.yaml` must be told is `NAME.out`, letter for letter.

A file whose name begins with `_` is there for others to extend, and `NAME.fr.yaml` has words of the case beside it. Cases may be sorted into folders. After a wanted change, run
with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter import validate
from interpreter.reporting import report
from interpreter.resources import language_of

FOLDER = Path(__file__).parent / "diagnostics"
CASES = sorted(
    p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*.yaml") if not (p.name.startswith("_") or language_of(p))
)


@pytest.mark.parametrize("case", CASES)
def test_what_is_said_about_a_file(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    found = report.text(validate([case]))
    expected = Path(case).with_suffix(".out")
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


def test_every_expectation_has_its_case() -> None:
    outs = {p.relative_to(FOLDER).with_suffix(".yaml").as_posix() for p in FOLDER.rglob("*.out")}
    assert outs == set(CASES)
