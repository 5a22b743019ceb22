"""Lines of the interpreter changed one at a time: does the quick tier of the tests notice?

    python tests/engine_mutants.py --most 40 --seed 1 [--rooms checking,compiling] [--jobs 2]

Each change is made in a copy of the project in a temporary folder; the tests of the changed room run first, then the others of
the quick tier. What no test notices is told with its place. (`hoyle mutants GAME` does the same to the rules of a game.)
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("reading", "checking", "compiling", "running", "game")
QUICK = "quick and not slow"
"""The tests of the quick tier, and all their cases: `quick` alone takes samples (tests/support/tiers.py)."""
SECONDS = 300
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


def changes(file: Path) -> Iterator[Change]:
    """Every change of one module."""
    text = (ROOT / file).read_text(encoding="utf-8")
    lines = [0]
    for line in text.encode().split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    data = text.encode()
    for node in ast.walk(ast.parse(text)):
        for new in _mutated(node):
            assert isinstance(node, ast.expr | ast.stmt) and node.end_lineno and node.end_col_offset is not None
            start, end = lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset
            yield Change(file, node.lineno, start, end, data[start:end].decode(), new)


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


def noticed(change: Change, project: Path) -> bool:
    """Does a test of the quick tier fail with this change?"""
    place = project / change.file
    data = place.read_bytes()
    place.write_bytes(data[: change.start] + change.new.encode() + data[change.end :])
    room = project / "tests" / change.file.parts[1]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-m", QUICK]
    environment = {**os.environ, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        for tests in ([str(room)], [str(project / "tests")]):
            if not Path(tests[0]).is_dir():
                continue
            ran = subprocess.run([*command, *tests], cwd=project, env=environment, capture_output=True, timeout=SECONDS)
            if ran.returncode not in (0, 5):
                return True
        return False
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_bytes(data)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    given = parser.parse_args()
    files = [
        p.relative_to(ROOT)
        for room in given.rooms.split(",")
        for p in sorted((ROOT / "interpreter" / room).rglob("*.py"))
    ]
    every = [change for file in files for change in changes(file)]
    tried = random.Random(given.seed).sample(every, min(given.most, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for n in range(given.jobs):
            own = Path(folder) / str(n)
            own.mkdir()
            free.put(copy_of(ROOT, str(own)))

        def judge(change: Change) -> bool:
            project = free.get()
            try:
                found = noticed(change, project)
            finally:
                free.put(project)
            if not found:
                print(change, flush=True)
            return found

        with ThreadPoolExecutor(given.jobs) as pool:
            count = sum(pool.map(judge, tried))
    print(f"{count} of {len(tried)} changes noticed, {100 * count / len(tried):.0f} % (of {len(every)} there are)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
