"""Change lines of the interpreter one at a time, and report the changes that no test notices.

    python tests/engine_mutants.py --most 40 --seed 1 [--tier plain] [--rooms checking,compiling] [--jobs 2]
    python tests/engine_mutants.py --most 200 --list >mutants.jsonl
    python tests/engine_mutants.py --tier plain --mutants mutants.jsonl >judged.jsonl

Each change is made in a copy of the project, where `pytest -x` runs the tests of its room and then all others of the tier.
`hoyle mutants GAME` does the same to the rules of a game.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("reading", "checking", "passes", "compiling", "native", "running", "game")
TIERS = {"quick": "quick", "plain": "not slow"}
"""Mark of the tests that judge, by tier."""
PATIENCE = 900
"""Seconds after which the tests of a change count as failed."""
UNCOPIED = ("__pycache__", ".git", ".venv", "node_modules", ".hypothesis", ".*_cache")

_PAIRS: tuple[tuple[type[ast.cmpop], type[ast.cmpop]], ...] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq)),
    *((ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
)
_COMPARED = {old: new for pair in _PAIRS for old, new in (pair, pair[::-1])}
_UNSEEN = {"frozen", "slots", "strict", "maxsize", "repr", "exist_ok"}
"""Arguments whose value has no effect that a caller sees."""


@dataclass(frozen=True)
class Change:
    """Replaces the bytes from `start` to `end` of a module by `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: `{self.old}` → `{self.new}`"

    def text(self) -> bytes:
        data = (ROOT / self.file).read_bytes()
        assert data[self.start : self.end].decode() == self.old, f"{self.file} has changed since the mutant was made"
        return data[: self.start] + self.new.encode() + data[self.end :]

    @property
    def room(self) -> str:
        return Path(self.file).parts[2]


def changes(file: Path) -> Iterator[Change]:
    data = (ROOT / file).read_bytes()
    lines = [0]
    for line in data.split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)
    for node in _nodes(ast.parse(data)):
        for new in _mutated(node):
            assert isinstance(node, ast.expr | ast.stmt) and node.end_lineno and node.end_col_offset is not None
            start, end = lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset
            yield Change(file.as_posix(), node.lineno, start, end, data[start:end].decode(), new)


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


def is_noticed(change: Change, project: Path, tier: str, tests: list[str]) -> bool:
    """Return whether a test fails in a copy of the project with this change. Tests of its room run first."""
    place, before = project / change.file, (ROOT / change.file).read_bytes()
    place.write_bytes(change.text())
    paths = {"PYTHONPATH": str(project / "interpreter"), "HOYLE_CACHE": str(project / "built")}
    environment = {**os.environ, **paths, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", TIERS[tier]]
    places = [place for place in (f"tests/{change.room}", *tests) if (project / place).exists()]
    try:
        return (
            subprocess.run(
                [*command, *places], cwd=project, env=environment, capture_output=True, timeout=PATIENCE
            ).returncode
            != 0
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_bytes(before)


def read_mutants(file: Path) -> list[Change]:
    """Read changes from JSON lines, as `--list` and `--json` write them."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [Change(**{name: row[name] for name in Change.__dataclass_fields__}) for row in rows]


def draw_mutants(rooms: list[str], most: int, seed: int) -> list[Change]:
    files = [file for room in rooms for file in sorted((ROOT / "interpreter" / "hoyle" / room).rglob("*.py"))]
    every = [change for file in files for change in changes(file.relative_to(ROOT))]
    return random.Random(seed).sample(every, min(most, len(every)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--tier", choices=TIERS, default="quick", help="whose tests judge")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="files and folders of tests that judge")
    parser.add_argument("--mutants", type=Path, help="take the changes from this file; implies --json")
    parser.add_argument("--json", action="store_true", help="print each change as a JSON line, noticed or not")
    parser.add_argument("--list", action="store_true", help="print the changes as JSON lines, and try none")
    given = parser.parse_args()
    mutants = (
        read_mutants(given.mutants) if given.mutants else draw_mutants(given.rooms.split(","), given.most, given.seed)
    )
    if given.list:
        print(*(json.dumps(asdict(change), ensure_ascii=False) for change in mutants), sep="\n")
        return 0
    noticed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(given.jobs):
            copies.put(shutil.copytree(ROOT, Path(folder, str(number)), ignore=shutil.ignore_patterns(*UNCOPIED)))

        def judge(change: Change) -> bool:
            project = copies.get()
            try:
                return is_noticed(change, project, given.tier, given.tests)
            finally:
                copies.put(project)

        for change, found in zip(mutants, pool.map(judge, mutants), strict=True):
            noticed += found
            if given.json or given.mutants:
                print(json.dumps({**asdict(change), "noticed": found}, ensure_ascii=False), flush=True)
            elif not found:
                print(change, flush=True)
    share = 100 * noticed / max(1, len(mutants))
    print(f"{noticed} of {len(mutants)} changes noticed, {share:.0f} %", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
