"""Cases of command lines, as `tests/cli/cases` has them: what is prepared and run, and what is printed and written.

A case is one command line or several `steps` in one folder; the head of `cases/lines.yaml` explains the keys.
"""

import json
import re
import sys
from pathlib import Path
from shlex import split
from typing import Any

import pytest
from commands import Run, Said
from drawn import parsed
from english import spaced
from rules import read_cases, write_rules

from hoyle.diagnostics import Source
from hoyle.game.records.records import replay


def case_list(name: str, tier: str) -> list[Any]:
    return [pytest.param(case, id=case.get("name") or case["run"]) for case in read_cases(name)[tier]]


def check_case(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, str] = {}
    for step in (case, *case.get("steps", ())):
        prepare(step, monkeypatch)
        before = {name: read(name) for name in step.get("unchanged", ())}
        for line in listed(step.get("run", [])):
            check(run(*split(line), stdin=_typed(step.get("stdin", ""))), step, kept)
        assert {name: read(name) for name in before} == before


def prepare(step: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in step.get("without", ()):
        for module in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, name, None)
    for name, value in step.get("set", {}).items():
        monkeypatch.setattr(name, value)
    for name, value in step.get("env", {}).items():
        monkeypatch.setenv(name, value)
    rules = step.get("with", {})
    for name in rules:
        write_rules(f"cli/{name}", Path(), rules[name] if isinstance(rules, dict) else {})
    for name, text in step.get("files", {}).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text.encode())
    for name, changes in {"game.yaml": step.get("change", {}), **step.get("edit", {})}.items():
        text = read(name) if changes else ""
        for old, new in changes.items():
            assert old in text, (old, name)
            text = text.replace(old, new)
            Path(name).write_bytes(text.encode())


def check(said: Said, step: dict[str, Any], kept: dict[str, str]) -> None:
    code, out, err = said
    assert code == step.get("code", 0), err
    assert "Traceback" not in err and "\x1b" not in out + err
    for text, wanted in ((out, step.get("out", "" if code == 2 else [])), (err, step.get("err", []))):
        assert wanted != "" or text == ""
        assert all(joined(part) in joined(text) for part in listed(wanted)), text
    assert not any(joined(part) in joined(out + err) for part in listed(step.get("lacks", []))), out
    assert (out, err) == (step.get("text", out), step.get("errors", err)), said
    assert out.startswith(step.get("begins", "")) and out.endswith(step.get("ends", "")), out
    assert err.startswith(step.get("complains", "")), err
    assert {part: (out + err).count(part) for part in step.get("count", {})} == step.get("count", {}), out + err
    assert all(re.search(pattern, out, re.MULTILINE) for pattern in listed(step.get("match", []))), out
    assert not any(re.search(pattern, out, re.MULTILINE) for pattern in listed(step.get("unlike", []))), out
    assert re.search(".*".join(re.escape(joined(part)) for part in step.get("order", ())), joined(out)), out
    assert (out + err).isascii() or not step.get("ascii")
    assert "prompts" not in step or "".join(re.findall("^([AB])> ", out, re.MULTILINE)) == step["prompts"]
    check_files(step, out)
    for path, value in step.get("json", {}).items():
        data = json.loads(read(step["from"]) if "from" in step else out)
        assert find(data, re.split("(?<! )/(?! )", path)) == value, path
    assert all(out == kept[name] for name in listed(step.get("same", [])))
    assert all(out != kept[name] for name in listed(step.get("other", [])))
    kept[step.get("keep", "")] = out


def check_files(step: dict[str, Any], out: str) -> None:
    for name, parts in step.get("written", {}).items():
        assert Path(name).exists() is (parts is not None), name
        assert all(joined(part) in joined(read(name)) for part in listed(parts or [])), name
    assert all(read(name).startswith(text) for name, text in step.get("starts", {}).items())
    assert not any(part in read(name) for name, part in step.get("free_of", {}).items())
    assert {name: read(name) for name in step.get("holds", {})} == step.get("holds", {})
    assert not list(Path().glob(".hoyle*"))
    assert "as" not in step or spaced(read(step["as"])) == out
    assert "like" not in step or spaced(read(step["like"])).strip() == out.strip()
    assert "svg" not in step or {key: parsed(out).get(key) for key in step["svg"]} == step["svg"]
    for name, moves in step.get("moves", {}).items():
        events = replay(Source(name, read(name))).state.events
        assert [f"{e.data['by']} {e.data['move']}" for e in events if e.kind == "move"] == moves


def find(data: Any, path: list[str]) -> Any:
    """Return the value at a path. A step into a list is an index, or the `name` of an item."""
    for step in path:
        if isinstance(data, list):
            data = data[int(step)] if step.lstrip("-").isdigit() else {one["name"]: one for one in data}[step]
        else:
            data = data[step]
    return data


def read(name: str) -> str:
    return Path(name).read_bytes().decode()


def joined(text: str) -> str:
    return " ".join(text.split())


def _typed(stdin: Any) -> str:
    """A text, or `[FILE, COUNT]`: the first lines of a file."""
    return stdin if isinstance(stdin, str) else "".join(read(stdin[0]).splitlines(keepends=True)[: stdin[1]])


def listed(parts: Any) -> list[str]:
    return parts if isinstance(parts, list) else [str(parts)]
