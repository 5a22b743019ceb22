"""Command lines with their exit codes, output and errors: `cases/lines.yaml`."""

import json
from pathlib import Path
from shlex import split
from typing import Any

import pytest
from commands import Run, command_lines
from rules import read_cases, write_rules

run = command_lines
CASES = read_cases("cli/lines")


def joined(text: str) -> str:
    return " ".join(text.split())


def check(run: Run, case: dict[str, Any]) -> None:
    for name in case.get("with", ()):
        write_rules(f"cli/{name}", Path(), {})
    for name, text in case.get("files", {}).items():
        Path(name).write_text(text, encoding="utf-8")
    text = Path("game.yaml").read_text(encoding="utf-8")
    for old, new in case.get("change", {}).items():
        assert old in text
        text = text.replace(old, new)
    Path("game.yaml").write_text(text, encoding="utf-8")
    code, out, err = run(*split(case["run"]), stdin=case.get("stdin", ""))
    assert code == case.get("code", 0), err
    assert "Traceback" not in err and "\x1b" not in out + err
    for said, wanted in ((out, case.get("out", "" if code == 2 else [])), (err, case.get("err", []))):
        assert wanted != "" or said == ""
        assert all(joined(part) in joined(said) for part in _listed(wanted)), said
    assert not any(part in joined(out + err) for part in _listed(case.get("lacks", []))), out
    for path, value in case.get("json", {}).items():
        assert find(json.loads(out), path.split("/")) == value, path


def find(data: Any, path: list[str]) -> Any:
    """Return the value at a path. A step into a list is an index, or the `name` of an item."""
    for step in path:
        if isinstance(data, list):
            data = data[int(step)] if step.lstrip("-").isdigit() else {one["name"]: one for one in data}[step]
        else:
            data = data[step]
    return data


def _listed(parts: Any) -> list[str]:
    return parts if isinstance(parts, list) else [str(parts)]


@pytest.mark.parametrize("case", CASES["cheap"], ids=lambda case: case["run"])
def test_command_line(run: Run, case: dict[str, Any]) -> None:
    check(run, case)


@pytest.mark.parametrize("case", CASES["whole"], ids=lambda case: case["run"])
def test_longer_command_line(run: Run, case: dict[str, Any]) -> None:
    check(run, case)
