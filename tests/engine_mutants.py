"""Lines of the interpreter changed one at a time: does the quick tier of the tests notice?

    python tests/engine_mutants.py --most 40 --seed 1 [--rooms checking,compiling] [--jobs 2]

The tests are collected once, and it is learnt which functions each comes through. Then a child process for each change gives the
changed function its new code and runs the tests that come through it, those of its own room first and quick ones before
slower ones, until one fails. A change outside of functions is made in a copy of the project instead, for a `pytest` of its own.
What no test notices is told with its place. (`hoyle mutants GAME` does the same to the rules of a game.)
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("reading", "checking", "passes", "compiling", "native", "running", "game")
SECONDS = 120
"""So long may the tests of one change take; what takes longer has been noticed."""
LONGEST = 2.0
"""Tests that take more seconds than this are left out: they try at random what others try on purpose."""
KEPT = (
    "interpreter",
    "tests",
    "rulesets",
    "grammar",
    "docs",
    "benchmarks",
    "pyproject.toml",
    "README.md",
    "CONTRIBUTING.md",
)
OPTIONS = ("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-m", "quick")

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_UNSEEN = {"frozen", "slots", "strict", "maxsize", "repr", "exist_ok"}
"""Arguments whose value changes nothing that a caller sees."""


@dataclass(frozen=True)
class Change:
    """`new` in place of what stands from `start` to `end` in a file of the package."""

    file: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: `{self.old}` → `{self.new}`"

    def text(self) -> bytes:
        """The module with this change."""
        data = (ROOT / self.file).read_bytes()
        return data[: self.start] + self.new.encode() + data[self.end :]


def changes(file: Path) -> Iterator[Change]:
    """Every change of one module."""
    data = (ROOT / file).read_bytes()
    lines = [0]
    for line in data.split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    for node in _nodes(ast.parse(data)):
        for new in _mutated(node):
            assert isinstance(node, ast.expr | ast.stmt) and node.end_lineno and node.end_col_offset is not None
            start, end = lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset
            yield Change(file, node.lineno, start, end, data[start:end].decode(), new)


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.keyword) and child.arg in _UNSEEN):
            yield from _nodes(child)


def _mutated(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            yield ast.unparse(ast.Compare(node.left, [_COMPARED[type(op)]()], node.comparators))
        case ast.BoolOp(op=op, values=[first, *rest]):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"({ast.unparse(ast.BoolOp(other, node.values))})"
            yield f"({ast.unparse(first)})"
            yield f"({ast.unparse(ast.BoolOp(op, rest) if len(rest) > 1 else rest[0])})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"bool({ast.unparse(operand)})"
        case ast.IfExp(body=body, orelse=orelse):
            yield f"({ast.unparse(body)})"
            yield f"({ast.unparse(orelse)})"
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.BinOp(op=ast.Add() | ast.Sub() as op):
            swapped = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
            yield f"({ast.unparse(ast.BinOp(node.left, swapped, node.right))})"
        case ast.Expr(value=ast.Call()):
            yield "pass"


# ---- functions and their code ----------------------------------------------------------------------------------------


def function_at(change: Change) -> str | None:
    """The outermost function in whose body a change is, as `_codes` names it; classes are no functions."""
    found: ast.AST | None = ast.parse((ROOT / change.file).read_bytes())
    where = ""
    while isinstance(found, ast.Module | ast.ClassDef):
        body = found.body
        found = next((n for n in body if n.lineno <= change.line <= (n.end_lineno or 0)), None)
        if isinstance(found, ast.ClassDef | ast.FunctionDef):
            same = [n for n in body[: body.index(found)] if getattr(n, "name", None) == found.name]
            where += f".{found.name}#{len(same) + 1}"
    inside = isinstance(found, ast.FunctionDef) and change.line >= found.body[0].lineno  # defaults stand before
    return where if inside else None


def _codes(code: CodeType, path: str = "") -> Iterator[tuple[str, CodeType]]:
    """All code in `code` with where it stands: names from the outside in, numbered where several are alike."""
    seen: Counter[str] = Counter()
    for part in code.co_consts:
        if isinstance(part, CodeType):
            seen[part.co_name] += 1
            where = f"{path}.{part.co_name}#{seen[part.co_name]}"
            yield where, part
            yield from _codes(part, where)


def _key(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def compiled(file: Path, text: bytes) -> dict[str, CodeType]:
    return dict(_codes(compile(text, str(ROOT / file), "exec")))


def patch(change: Change) -> bool:
    """Gives the function its changed code. False if there is none to give it to."""
    target = function_at(change)
    before, after = compiled(change.file, (ROOT / change.file).read_bytes()), compiled(change.file, change.text())
    if target is None or target not in before or target not in after:
        return False
    functions = [
        f for f in gc.get_objects() if isinstance(f, FunctionType) and _key(f.__code__) == _key(before[target])
    ]
    for function in functions:
        if len(function.__code__.co_freevars) != len(after[target].co_freevars):
            return False
        function.__code__ = after[target]
    return bool(functions)


def caches() -> list[Any]:
    """Everything that remembers what a function of the interpreter or of the tests once gave."""
    found = (made for made in gc.get_objects() if type(made).__name__ == "_lru_cache_wrapper")
    own = {str(path.stem) for path in (ROOT / "tests").rglob("*.py")}
    return [f for f in found if f.__module__.split(".")[0] in ("interpreter", *own) and "tables" not in f.__module__]


# ---- inside pytest ---------------------------------------------------------------------------------------------------


class Judge:
    """Stands in place of the loop in which `pytest` runs its tests."""

    def __init__(self, tried: Sequence[Change], jobs: int) -> None:
        self.tried, self.jobs = tried, jobs
        self.left: list[Change] = []
        self.items: list[pytest.Item] = []
        self.ways: dict[str, tuple[float, set[str]]] = {}
        """How long each test takes, and which functions it comes through."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.factory = session.config._tmp_path_factory  # type: ignore[attr-defined]
        self.base, self.items, self.caches = Path(self.factory.getbasetemp()), session.items, caches()
        self._learn()
        todo, running = list(reversed(self.tried)), dict[int, Change]()
        while todo or running:
            while todo and len(running) < self.jobs:
                change = todo.pop()
                running[self._child(change)] = change
            pid, status = os.wait()
            if pid in running:
                self._judged(running.pop(pid), os.waitstatus_to_exitcode(status))
        return True

    def _judged(self, change: Change, code: int) -> None:
        if code == UNPATCHED:
            code = NOTICED if noticed_alone(change) else UNNOTICED
        if code == UNNOTICED:
            self.left.append(change)
            print(change, flush=True)

    def _child(self, change: Change) -> int:
        """A process that runs tests with a change; its code says what they found."""
        pid = os.fork()
        if pid:
            return pid
        code = NOTICED
        try:
            os.setpgid(0, 0)
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            null = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
            self._somewhere()
            code = self._run(change)
        finally:
            os._exit(code)

    def _somewhere(self) -> None:
        """Whatever tests write, they write to a folder of this process."""
        own = self.base / str(os.getpid())
        own.mkdir()
        self.factory._basetemp = own
        for made in self.caches:
            made.cache_clear()

    def _run(self, change: Change) -> int:
        if not patch(change):
            return UNPATCHED
        items = self._chosen(change)
        return NOTICED if any(self._fails(items, i) for i in range(len(items))) else UNNOTICED

    def _fails(self, items: Sequence[pytest.Item], number: int) -> bool:
        following = items[number + 1] if number + 1 < len(items) else None
        return any(r.failed for r in runtestprotocol(items[number], log=False, nextitem=following))

    def _chosen(self, change: Change) -> list[pytest.Item]:
        """The tests that come through the changed function, those of its room first, then the quickest; after them the others
        of the same files, which may use what the first of them made."""
        room, function = f"tests/{change.file.parts[1]}/", f"{change.file}:{function_at(change)}"
        direct = {i.nodeid for i in self.items if function in self.ways[i.nodeid][1]}
        files = {i.path for i in self.items if i.nodeid in direct}
        found = [i for i in self.items if i.path in files and self.ways[i.nodeid][0] <= LONGEST]
        return sorted(
            found, key=lambda i: (i.nodeid not in direct, not i.nodeid.startswith(room), self.ways[i.nodeid][0])
        )

    # ---- which tests come through which functions

    def _learn(self) -> None:
        begun, seen = time.monotonic(), set[str]()
        self._somewhere()
        tracer, broken = _tracer(seen), set[str]()
        for number, item in enumerate(self.items):
            seen.clear()
            if number == 0 or self.items[number - 1].path != item.path:
                for made in self.caches:
                    made.cache_clear()
            before = time.process_time()
            sys.settrace(tracer)
            failed = self._fails(self.items, number)
            sys.settrace(None)
            broken |= {item.nodeid} if failed else set()
            self.ways[item.nodeid] = (time.process_time() - before, set(seen))
        self.factory._basetemp = self.base
        for name in sorted(broken):
            print(f"{name} fails without any change: it is left out", flush=True)
        self.items = [item for item in self.items if item.nodeid not in broken]
        print(f"{len(self.items)} tests known after {time.monotonic() - begun:.0f} s", flush=True)


NOTICED, UNNOTICED, UNPATCHED = 0, 10, 11


def _tracer(seen: set[str]) -> Callable[[FrameType, str, Any], None]:
    """Notes which functions of the interpreter are called."""
    places = {
        _key(code): f"{path.relative_to(ROOT)}:{where}"
        for path in (ROOT / "interpreter").rglob("*.py")
        for where, code in compiled(path.relative_to(ROOT), path.read_bytes()).items()
    }
    names: dict[CodeType, str | None] = {}

    def note(frame: FrameType, _: str, __: Any) -> None:
        code = frame.f_code
        if code not in names:
            names[code] = places.get(_key(code))
        name = names[code]
        if name is not None:
            seen.add(name)

    return note


# ---- outside of functions --------------------------------------------------------------------------------------------


def copy_of(project: Path, where: str) -> Path:
    """A folder of its own with everything that tests need."""
    target = Path(where) / "project"
    target.mkdir()
    for name in KEPT:
        source = project / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target / name)
    return target


def noticed_alone(change: Change) -> bool:
    """Does a test of the quick tier fail in a copy of the project with this change?"""
    with tempfile.TemporaryDirectory() as folder:
        project = copy_of(ROOT, folder)
        (project / change.file).write_bytes(change.text())
        environment = {**os.environ, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", *OPTIONS, str(project / "tests")]
        try:
            ran = subprocess.run(command, cwd=project, env=environment, capture_output=True, timeout=3 * SECONDS)
        except subprocess.TimeoutExpired:
            return True
        return ran.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    given = parser.parse_args()
    files = [p for room in given.rooms.split(",") for p in sorted((ROOT / "interpreter" / room).rglob("*.py"))]
    every = [change for file in files for change in changes(file.relative_to(ROOT))]
    judge = Judge(random.Random(given.seed).sample(every, min(given.most, len(every))), given.jobs)
    os.chdir(ROOT)
    pytest.main([*OPTIONS, "tests"], plugins=[judge])
    if not judge.items:
        print("no test could be run, so nothing is known")
        return 1
    count = len(judge.tried) - len(judge.left)
    print(
        f"{count} of {len(judge.tried)} changes noticed, {100 * count / len(judge.tried):.0f} % (of {len(every)} there are)"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
