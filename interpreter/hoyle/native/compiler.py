"""Finds the C compiler of this machine and compiles C text with it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused, verbatim
from hoyle.language.sentences import make_message
from hoyle.native.cache import digest, use_cached

if TYPE_CHECKING:
    import subprocess

Origin = Literal["CC", "path", "package"]
Lack = Literal["absent", "fails", "silent"]
"""Reasons why a compiler is not used: not found, its version command fails, or that command times out."""
LACKS: dict[Lack, str] = {"absent": "is not there", "fails": "fails", "silent": "does not answer"}

NAMES = ("cc", "gcc", "clang")
"""Compiler names that are looked up in PATH, in this order."""
PACKAGE = "ziglang"
"""Python package that contains a compiler. `hoyle[native]` installs it."""
FLAGS = ("-std=c11", "-O2", "-fwrapv", "-shared", *(() if os.name == "nt" else ("-fPIC",)))
"""Flags for a shared library whose integers wrap around. Warnings are off: only tests ask for them."""
PACKAGED = ("-mcpu=baseline",)
"""Extra flags for the package. By default it builds for this processor, but machines may share the cache folder."""
BUILDING, ANSWERING = 120.0, 20.0
"""Timeouts for compiling a text and for printing the version, in seconds."""
_LINES, _WIDTH = 8, 200  # of its output


class Compiler(Struct, frozen=True):
    """A working C compiler.

    It has the words of its command line, their origin (`$CC`, PATH or the package), the first line of its version, and
    its flags for shared libraries.
    """

    words: tuple[str, ...]
    origin: Origin
    version: str
    flags: tuple[str, ...]


class NoCompiler(Struct, frozen=True):
    """No compiler works. `tried` lists each candidate, its origin, and why it does not work."""

    tried: tuple[tuple[str, Origin, Lack], ...]

    @property
    def failing(self) -> tuple[tuple[str, Origin, Lack], ...]:
        """Return the failing compilers that a user may rely on: the one in `$CC`, and those that were found."""
        return tuple(one for one in self.tried if one[1] == "CC" or one[2] != "absent")

    def __str__(self) -> str:
        told = [f"`{name}` {LACKS[why]}" for name, _, why in self.failing]
        return f"no C compiler works: {', '.join(told)}" if told else "there is no C compiler"


class _Unusable(Exception):
    def __init__(self, why: Lack) -> None:
        super().__init__(why)
        self.why = why


class _Done(Struct, frozen=True):
    """Exit code of a program (None if it was killed), and its output."""

    code: int | None
    output: str

    def lines(self) -> tuple[str, ...]:
        """Return the first lines that are not empty."""
        found = [line.rstrip()[:_WIDTH] for line in self.output.splitlines() if line.strip()]
        return tuple(found[:_LINES])


def find_compiler() -> Compiler | NoCompiler:
    """Find the compiler: only `$CC` if it is set, else the first of `NAMES` that works, else the package.

    Cached for the process until `$CC`, PATH or `sys.path` changes.
    """
    return _find(os.environ.get("CC", "").strip(), os.environ.get("PATH"), tuple(sys.path))


def build(compiler: Compiler, text: str, made: Path, flags: Sequence[str] = ()) -> None:
    """Compile C text into the shared library `made`. The source is written beside it.

    Raises Refused (R910) if the compiler fails, and OSError if the folder is not writable.
    """
    source = made.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    done = _run([*compiler.words, *compiler.flags, *flags, "-o", made.name, source.name], BUILDING, made.parent)
    if done.code == 0 and made.is_file():
        return
    refused = make_message("native.refuses", name=source.name)
    message = (
        refused
        if done.code is not None
        else make_message("native.not_built", name=source.name, seconds=f"{BUILDING:g}")
    )
    help = make_message("native.another_compiler")
    notes = tuple(verbatim(line) for line in (compiler.version, *done.lines()))
    raise Refused([Diagnostic("R910", message, notes=notes, help=help)])


@lru_cache(maxsize=8)
def _find(asked: str, path: str | None, packages: tuple[str, ...]) -> Compiler | NoCompiler:
    """The result depends on the arguments only, so it can be cached."""
    tried: list[tuple[str, Origin, Lack]] = []
    for shown, origin, words in _candidates(asked):
        try:
            called = _resolve_program(words, origin)
            return Compiler(called, origin, _version(called, origin), FLAGS + (PACKAGED if origin == "package" else ()))
        except _Unusable as reason:
            tried.append((shown, origin, reason.why))
    return NoCompiler(tuple(tried))


def _candidates(asked: str) -> Iterator[tuple[str, Origin, tuple[str, ...]]]:
    """Yield candidates: the name in messages, the origin, and the words of the command line."""
    if asked:
        yield asked, "CC", _words(asked)
        return
    for name in NAMES:
        yield name, "path", (name,)
    yield PACKAGE, "package", (sys.executable, "-P", "-m", PACKAGE, "cc")


def _words(asked: str) -> tuple[str, ...]:
    """Split `$CC` into a program and its arguments. If a program of the whole name exists, it is not split."""
    import shlex

    if shutil.which(asked):
        return (asked,)
    try:
        return tuple(shlex.split(asked, posix=os.name == "posix"))
    except ValueError:  # a quote that is not closed
        return (asked,)


def _resolve_program(words: tuple[str, ...], origin: Origin) -> tuple[str, ...]:
    """Return the words with the absolute path of the program, since it runs in another folder. Raises _Unusable."""
    found = shutil.which(words[0])
    if found is None or _is_stub(found) or (origin == "package" and find_spec(PACKAGE) is None):
        raise _Unusable("absent")
    return (os.path.abspath(found), *words[1:])


def _is_stub(program: str) -> bool:
    """Return whether a compiler is a stub of macOS, which only offers to install the developer tools."""
    tools = ["/usr/bin/xcode-select", "-p"]
    return platform.system() == "Darwin" and program.startswith("/usr/bin/") and _run(tools, ANSWERING).code != 0


def _version(words: tuple[str, ...], origin: Origin) -> str:
    """Return the compiler's version. Raises _Unusable.

    Cached until the compiler's files change: some compilers take longer to print it than a game takes to load.
    """
    key = digest(*words, *map(mark, _files(words, origin)))
    try:
        return use_cached("compiler", key, ".txt", lambda made: made.write_text(_answer(words), "utf-8"), _read)
    except Refused:  # nothing can be cached on this machine
        return _answer(words)


def _read(path: Path) -> str:
    return path.read_text("utf-8")


def _files(words: tuple[str, ...], origin: Origin) -> list[Path]:
    """Return the files that identify a compiler: its programs, or the top level of the package."""
    spec = find_spec(PACKAGE) if origin == "package" else None
    if spec is not None:
        return sorted(path for place in spec.submodule_search_locations or () for path in Path(place).iterdir())
    return [Path(found) for found in map(shutil.which, words) if found]


def mark(path: Path) -> str:
    """Return a text that changes when the file changes."""
    try:
        found = path.stat()
    except OSError:  # it has just been removed
        return str(path)
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _answer(words: tuple[str, ...]) -> str:
    """Run the compiler and returns its output. Raises _Unusable."""
    done = _run([*words, "--version"], ANSWERING)
    if done.code is None:
        raise _Unusable("silent")
    if done.code != 0 or not done.lines():
        raise _Unusable("fails")
    return done.lines()[0]


def _run(words: Sequence[str], seconds: float, folder: Path | None = None) -> _Done:
    """Run a program with a timeout.

    Its output goes to a file, because child processes would keep a pipe open after the program is killed.
    """
    import tempfile

    try:
        with tempfile.TemporaryFile() as said:
            code = _code(words, seconds, folder, said)
            said.seek(0)
            return _Done(code, said.read(100_000).decode("utf-8", "replace"))
    except OSError as error:
        return _Done(127, str(error))


def _code(words: Sequence[str], seconds: float, folder: Path | None, said: IO[bytes]) -> int | None:
    """Run a program in this folder and return its exit code. Messages are in English, since they are cached."""
    import subprocess

    own = {"LC_ALL": "C"} | ({} if folder is None else {"TMPDIR": str(folder)})
    program = subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, **own},
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return program.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(program)


def _end(program: subprocess.Popen[bytes]) -> None:
    """Kill a compiler and all its child processes."""
    import signal

    if program.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(program.pid, signal.SIGKILL)
    else:
        program.kill()
    program.wait()
