"""Change lines of the interpreter one at a time, and report the changes that no test notices.

    python tests/engine_mutants.py --most 40 --seed 1 [--tier plain] [--rooms checking,compiling] [--jobs 2]
    python tests/engine_mutants.py --most 200 --list >mutants.jsonl
    python tests/engine_mutants.py --tier plain --mutants mutants.jsonl >judged.jsonl

The tests of the tier are collected. A child process runs them once, to learn which functions each of them calls. Then a child
process for each change gives the changed function its new code and runs the tests that call it, until one fails: those of its
own room first, quick ones before slower ones. A change outside of functions is made in a copy of the project, for a `pytest` of its own.
`hoyle mutants GAME` does the same to the rules of a game.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
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
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("reading", "checking", "passes", "compiling", "native", "running", "game")
PLAYING = ("running", "game", "players", "series")
"""Rooms that write no C: libraries that unchanged code has built hold for their changes."""
PATIENCE = 30.0
"""Seconds after which a test with a change counts as failed, or ten times as long as it took without one."""
UNCOPIED = ("__pycache__", ".git", ".venv", "node_modules", ".hypothesis", ".*_cache")


class Tier(NamedTuple):
    """Which tests judge: those of a mark, unless one takes more than `longest` seconds."""

    mark: str
    longest: float
    seconds: float
    """The time limit of a `pytest` of all these tests."""


TIERS = {"quick": Tier("quick", 2.0, 360), "plain": Tier("not slow", 10.0, 3600)}

_PAIRS: tuple[tuple[type[ast.cmpop], type[ast.cmpop]], ...] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq)),
    *((ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
)
_COMPARED = {old: new for pair in _PAIRS for old, new in (pair, pair[::-1])}
_UNSEEN = {"frozen", "slots", "strict", "maxsize", "repr", "exist_ok"}
"""Arguments whose value changes nothing that a caller sees."""


@dataclass(frozen=True)
class Change:
    """`new` in place of the bytes from `start` to `end` of a file of the package."""

    file: str
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
        assert data[self.start : self.end].decode() == self.old, f"{self.file} is no longer what was changed"
        return data[: self.start] + self.new.encode() + data[self.end :]

    @property
    def room(self) -> str:
        return Path(self.file).parts[2]


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


def compiled(file: str | Path, text: bytes) -> dict[str, CodeType]:
    return dict(_codes(compile(text, str(ROOT / file), "exec")))


def patch(change: Change) -> bool:
    """Gives the function its changed code. False if there is none to give it to."""
    import_module(".".join(Path(change.file).with_suffix("").parts[1:]).removesuffix(".__init__"))
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
    return [f for f in found if f.__module__.split(".")[0] in ("hoyle", *own) and "tables" not in f.__module__]


# ---- inside pytest ---------------------------------------------------------------------------------------------------


class Judge:
    """A plugin that replaces the loop in which pytest runs its tests."""

    def __init__(self, tried: Sequence[Change], tier: Tier, jobs: int, as_json: bool) -> None:
        self.tried, self.tier, self.jobs, self.as_json = tried, tier, jobs, as_json
        self.out = os.fdopen(os.dup(1), "w", encoding="utf-8")  # not the one that pytest captures and writes to
        self.noticed = 0
        self.items: list[pytest.Item] = []
        self.ways: dict[str, tuple[float, set[str]]] = {}
        """The seconds that each test takes, and the functions that it calls."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.factory = session.config._tmp_path_factory  # type: ignore[attr-defined]
        self.base, self.items = Path(self.factory.getbasetemp()), session.items
        self.learnt, self.built = self.base / "learnt.json", self.base / "learning" / "built"
        self._learn()
        todo, running = list(reversed(self.tried)), dict[int, Change]()
        while self.items and (todo or running):
            while todo and len(running) < self.jobs:
                change = todo.pop()
                running[self._child(change)] = change
            pid, status = os.wait()
            if pid in running:
                with suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)  # programs that a test has left
                self._report(running.pop(pid), pid, status != UNNOTICED << 8)
        return True

    def _report(self, change: Change, pid: int, noticed: bool) -> None:
        self.noticed += noticed
        told = self._note(pid)
        by = told.read_text(encoding="utf-8") if noticed and told.exists() else None
        if self.as_json:
            row = {**asdict(change), "noticed": noticed, "by": by}
            print(json.dumps(row, ensure_ascii=False), file=self.out, flush=True)
        elif not noticed:
            print(change, file=self.out, flush=True)

    def _note(self, pid: int) -> Path:
        """Return the file in which a child notes the test it runs."""
        return self.base / f"{pid}.txt"

    def _child(self, change: Change) -> int:
        """A process that runs tests with a change. It ends with UNNOTICED only if none fails."""
        pid = os.fork()
        if pid:
            return pid
        code = NOTICED
        try:
            os.setpgid(0, 0)
            null = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
            self._somewhere(str(os.getpid()), built=self.built if change.room in PLAYING else None)
            code = NOTICED if self._notices(change) else UNNOTICED
        finally:
            os._exit(code)

    def _somewhere(self, name: str, built: Path | None = None) -> None:
        """From now on tests write to this folder, where these libraries are built already."""
        own = self.base / name
        own.mkdir()
        self.factory._basetemp = own
        if built is not None and built.is_dir():
            shutil.copytree(built, own / "built", copy_function=os.link)
        os.environ["HOYLE_CACHE"] = str(own / "built")

    def _notices(self, change: Change) -> bool:
        if not patch(change):
            return notices_copy(change, self.tier)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        items, note = self._chosen(change), self._note(os.getpid())
        for number, item in enumerate(items):
            note.write_text(item.nodeid, encoding="utf-8")
            signal.alarm(int(max(PATIENCE, 10 * self.ways[item.nodeid][0])))  # ends the process
            if self._fails(items, number):
                return True
        return False

    def _fails(self, items: Sequence[pytest.Item], number: int) -> bool:
        following = items[number + 1] if number + 1 < len(items) else None
        return any(r.failed for r in runtestprotocol(items[number], log=False, nextitem=following))

    def _chosen(self, change: Change) -> list[pytest.Item]:
        """The tests that call the changed function, those of its room first, then the quickest; after them the others
        of the same files, which may use values that the first of them cached."""
        room, function = f"tests/{change.room}/", f"{change.file}:{function_at(change)}"
        direct = {i.nodeid for i in self.items if function in self.ways[i.nodeid][1]}
        files = {i.path for i in self.items if i.nodeid in direct}
        found = [i for i in self.items if i.path in files and self.ways[i.nodeid][0] <= self.tier.longest]
        return sorted(
            found, key=lambda i: (i.nodeid not in direct, not i.nodeid.startswith(room), self.ways[i.nodeid][0])
        )

    # ---- which tests call which functions

    def _learn(self) -> None:
        """In a child process, so that those that follow begin without what tests leave in memory."""
        begun = time.monotonic()
        if (pid := os.fork()) == 0:
            try:
                self._somewhere("learning")
                self.learnt.write_text(json.dumps(self._ways()), encoding="utf-8")
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        ways = json.loads(self.learnt.read_text(encoding="utf-8")) if self.learnt.exists() else {}
        self.ways = {name: (seconds, set(seen)) for name, (seconds, seen, failed) in ways.items() if not failed}
        for name in sorted(ways.keys() - self.ways.keys()):
            print(f"{name} fails without any change: it is left out", file=sys.stderr, flush=True)
        self.items = [item for item in self.items if item.nodeid in self.ways]
        print(f"{len(self.items)} tests known after {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    def _ways(self) -> dict[str, tuple[float, list[str], bool]]:
        """The seconds of each test, the functions that it calls, and whether it fails. Each file begins without cached values,
        so that its first test calls what the others use, too."""
        seen, found = set[str](), {}
        tracer = _tracer(seen)
        for number, item in enumerate(self.items):
            seen.clear()
            if number == 0 or self.items[number - 1].path != item.path:
                for one in caches():
                    one.cache_clear()
            before = _processor_seconds()
            sys.settrace(tracer)
            failed = self._fails(self.items, number)
            sys.settrace(None)
            found[item.nodeid] = (_processor_seconds() - before, sorted(seen), failed)
        return found


NOTICED, UNNOTICED = 0, 10


def _processor_seconds() -> float:
    """Of this process and of those that it has started and waited for."""
    return sum(os.times()[:4])


def _tracer(seen: set[str]) -> Callable[[FrameType, str, Any], None]:
    """Notes which functions of the interpreter are called."""
    places = {
        _key(code): f"{path.relative_to(ROOT)}:{where}"
        for path in (ROOT / "interpreter" / "hoyle").rglob("*.py")
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


def notices_copy(change: Change, tier: Tier) -> bool:
    """Does a test fail in a copy of the project with this change? Those of its room run first."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(shutil.copytree(ROOT, Path(folder, "project"), ignore=shutil.ignore_patterns(*UNCOPIED)))
        (project / change.file).write_bytes(change.text())
        environment = {**os.environ, "PYTHONPATH": str(project / "interpreter"), "PYTHONDONTWRITEBYTECODE": "1"}
        places = [place for place in (f"tests/{change.room}", "tests") if (project / place).is_dir()]
        command = [sys.executable, "-m", "pytest", *options(tier), "-x", *places]
        try:
            ran = subprocess.run(command, cwd=project, env=environment, capture_output=True, timeout=tier.seconds)
        except subprocess.TimeoutExpired:
            return True
        return ran.returncode != 0


def options(tier: Tier) -> list[str]:
    return ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", tier.mark]


def read(file: Path) -> list[Change]:
    """Changes from JSON lines, as `--list` and `--json` write them."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [Change(**{name: row[name] for name in Change.__dataclass_fields__}) for row in rows]


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
    if given.mutants:
        tried = read(given.mutants)
    else:
        files = [
            p for room in given.rooms.split(",") for p in sorted((ROOT / "interpreter" / "hoyle" / room).rglob("*.py"))
        ]
        every = [change for file in files for change in changes(file.relative_to(ROOT))]
        tried = random.Random(given.seed).sample(every, min(given.most, len(every)))
    if given.list:
        print(*(json.dumps(asdict(change), ensure_ascii=False) for change in tried), sep="\n")
        return 0
    tier = TIERS[given.tier]
    judge = Judge(tried, tier, given.jobs, bool(given.json or given.mutants))
    os.chdir(ROOT)
    with redirect_stdout(sys.stderr):
        pytest.main([*options(tier), *given.tests], plugins=[judge])
    if not judge.items:
        print("no test could be run, so nothing is known", file=sys.stderr)
        return 1
    share = 100 * judge.noticed / max(1, len(tried))
    print(f"{judge.noticed} of {len(tried)} changes noticed, {share:.0f} %", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
