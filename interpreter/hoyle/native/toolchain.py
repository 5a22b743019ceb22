"""Compiles C text into a shared library, caches it and loads it."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from hoyle.language.sentences import make_sentence
from hoyle.native.cache import digest, is_cached, use_cached
from hoyle.native.compiler import Compiler, NoCompiler, build, find_compiler, mark
from hoyle.resources import VERSION, folder

Used = TypeVar("Used")

IN_BROWSER = sys.platform == "emscripten"
"""In WebAssembly there is no compiler: libraries were built ahead, see `prebuilt`."""
ENDING = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
"""File extension of a shared library on this system."""


class Unwritten(Struct, frozen=True):
    """C text that is only written if it has to be built.

    `of` identifies its input, besides the version of hoyle.
    """

    of: str
    write: Callable[[], str]


Text = str | Unwritten


def library(text: Text, name: str, flags: Sequence[str] = ()) -> Path | NoCompiler:
    """Return the path of the shared library for a C text, with these flags after the usual ones.

    It is cached by compiler, flags, machine and version of hoyle. `name` is part of its file name. A cached library is
    verified each time and rebuilt if it was changed. Raises Refused if the compiler fails (R910), or if it can be
    cached nowhere (R911).
    """
    return _library(text, name, flags, Path.resolve)


def loaded(text: Text, name: str, flags: Sequence[str] = ()) -> ctypes.CDLL | NoCompiler:
    """Load the library. Its functions release the GIL.

    A cached library that cannot be loaded is rebuilt. Raises Refused, also if it can be loaded from no folder (R911).
    """
    return _library(text, name, flags, _load)


def is_built(text: Text, name: str, flags: Sequence[str] = ()) -> bool:
    """Return whether the library is cached."""
    if IN_BROWSER:
        return prebuilt(text).exists()
    compiler = find_compiler()
    return not isinstance(compiler, NoCompiler) and is_cached(name, _key(text, compiler, flags), ENDING)


def prebuilt(text: Text) -> Path:
    """Return the file that has the library in WebAssembly, where a site has put it. Its name depends on the text."""
    of = text if isinstance(text, str) else text.of
    return folder("engines") / f"{digest(VERSION, of)}.wasm"


def trial() -> float | NoCompiler:
    """Build, load, call and delete a small new library. Returns the time this takes in seconds.

    Raises Refused (R910, R911) if it fails.
    """
    began = time.perf_counter()
    export = "__declspec(dllexport)" if sys.platform == "win32" else ""
    text = f"/* {os.urandom(8).hex()} */\n{export} int answer(int question) {{ return 2 * question; }}\n"
    found = _library(text, "trial", (), _check_answer)
    return found if isinstance(found, NoCompiler) else time.perf_counter() - began


def _library(text: Text, name: str, flags: Sequence[str], use: Callable[[Path], Used]) -> Used | NoCompiler:
    if IN_BROWSER:
        built = prebuilt(text)
        return use(built) if built.exists() else NoCompiler(())
    compiler = find_compiler()
    if isinstance(compiler, NoCompiler):
        return compiler
    key = _key(text, compiler, flags)
    return use_cached(name, key, ENDING, lambda made: build(compiler, _written(text), made, flags), use)


def _key(text: Text, compiler: Compiler, flags: Sequence[str]) -> str:
    return digest(*_of(text), *_made_by(compiler, flags))


def _of(text: Text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else ("unwritten", text.of, _program())


def _written(text: Text) -> str:
    return text if isinstance(text, str) else text.write()


@cache
def _program() -> str:
    """Return a digest that changes when hoyle does, even in a checkout, whose version stays the same."""
    here = Path(__file__).parents[1]
    return digest(*map(mark, sorted(path for ending in ("py", "c") for path in here.rglob(f"*.{ending}"))))


def _made_by(compiler: Compiler, flags: Sequence[str]) -> tuple[str, ...]:
    """Return everything that a library depends on besides its text."""
    words = (*compiler.words, *compiler.flags, *flags)
    machine = (sys.platform, platform.machine(), str(struct.calcsize("P")))
    own = _processor() if _is_for_one_processor(words) else ""
    return (VERSION, compiler.version, *machine, own, *words)


def _is_for_one_processor(words: Sequence[str]) -> bool:
    """Return whether the compiler builds for this processor only. `zig cc` does by default."""
    usual = Path(words[0]).stem == "zig" and not any(word.startswith(("-mcpu=", "-march=")) for word in words)
    return usual or any("=native" in word for word in words[1:])


def _processor() -> str:
    """Return the features of this processor, as far as the system reports them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return " ".join(sorted({line for line in file if line.startswith(("model name", "flags", "Features"))}))
    except OSError:
        return f"{platform.processor()} {platform.node()}"


def _load(path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(path))


def _check_answer(path: Path) -> None:
    """Call the trial library. Raises OSError if it returns a wrong answer."""
    try:
        answer: int = _load(path).answer(21)
    except AttributeError as error:
        raise OSError(str(error)) from error
    if answer != 42:
        raise OSError(errno.ENOEXEC, make_sentence("kept.wrong", answer=answer))
    path.unlink()
