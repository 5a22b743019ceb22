"""From C text to functions that can be called: built with the compiler of this machine once, and kept."""

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

from hoyle.language.sentences import in_all
from hoyle.native.cache import digest, is_kept, kept
from hoyle.native.compiler import Compiler, NoCompiler, build, find_compiler, mark
from hoyle.resources import VERSION

Used = TypeVar("Used")

ENDING = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
"""Of the name of a shared library on this system."""


class Unwritten(Struct, frozen=True):
    """C text that is only written if it has to be built, for writing takes longer than loading. `of` stands for all that it is
    written from; this program, which writes it, is taken into account by itself."""

    of: str
    write: Callable[[], str]


Text = str | Unwritten


def library(text: Text, name: str, flags: Sequence[str] = ()) -> Path | NoCompiler:
    """The shared library that C text compiles to, with these flags after the usual ones. It is taken from the cache if it was built
    before by the same compiler, with the same flags, on such a machine, by this version of hoyle; `name` is for people who look there.

    What is kept is verified each time, and built anew if a byte of it is another one. Raises Refused if the compiler does
    not build it (R910), or if it can be kept nowhere (R911)."""
    return _library(text, name, flags, Path.resolve)


def loaded(text: Text, name: str, flags: Sequence[str] = ()) -> ctypes.CDLL | NoCompiler:
    """The same, loaded; calls of its functions let other threads of Python run. One that was kept and cannot be loaded is built
    anew. Raises Refused, also if it can be loaded from nowhere (R911)."""
    return _library(text, name, flags, _load)


def is_built(text: Text, name: str, flags: Sequence[str] = ()) -> bool:
    """Is it kept, so that it can be loaded at once?"""
    compiler = find_compiler()
    return not isinstance(compiler, NoCompiler) and is_kept(name, _key(text, compiler, flags), ENDING)


def trial() -> float | NoCompiler:
    """Builds a small text that was never built before, loads it and calls it, and leaves nothing behind: the seconds that took.
    Raises Refused (R910, R911) if that does not go well."""
    began = time.perf_counter()
    export = "__declspec(dllexport)" if sys.platform == "win32" else ""
    text = f"/* {os.urandom(8).hex()} */\n{export} int answer(int question) {{ return 2 * question; }}\n"
    found = _library(text, "trial", (), _called)
    return found if isinstance(found, NoCompiler) else time.perf_counter() - began


def _library(text: Text, name: str, flags: Sequence[str], use: Callable[[Path], Used]) -> Used | NoCompiler:
    compiler = find_compiler()
    if isinstance(compiler, NoCompiler):
        return compiler
    key = _key(text, compiler, flags)
    return kept(name, key, ENDING, lambda made: build(compiler, _written(text), made, flags), use)


def _key(text: Text, compiler: Compiler, flags: Sequence[str]) -> str:
    return digest(*_of(text), *_made_by(compiler, flags))


def _of(text: Text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else ("unwritten", text.of, _program())


def _written(text: Text) -> str:
    return text if isinstance(text, str) else text.write()


@cache
def _program() -> str:
    """What changes when this program does, in a checkout too, where the version stays."""
    here = Path(__file__).parents[1]
    return digest(*map(mark, sorted(path for ending in ("py", "c") for path in here.rglob(f"*.{ending}"))))


def _made_by(compiler: Compiler, flags: Sequence[str]) -> tuple[str, ...]:
    """All but the text that a library depends on."""
    words = (*compiler.words, *compiler.flags, *flags)
    machine = (sys.platform, platform.machine(), str(struct.calcsize("P")))
    own = _processor() if _is_for_one_processor(words) else ""
    return (VERSION, compiler.version, *machine, own, *words)


def _is_for_one_processor(words: Sequence[str]) -> bool:
    """Is it built for the very processor it is built on? `zig cc` does so if nothing else is said."""
    usual = Path(words[0]).stem == "zig" and not any(word.startswith(("-mcpu=", "-march=")) for word in words)
    return usual or any("=native" in word for word in words[1:])


def _processor() -> str:
    """What this processor can do, as far as the system tells: libraries that are built for it alone run on no other."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return " ".join(sorted({line for line in file if line.startswith(("model name", "flags", "Features"))}))
    except OSError:
        return f"{platform.processor()} {platform.node()}"


def _load(path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(path))


def _called(path: Path) -> None:
    """Raises OSError if what was built for the trial does not answer."""
    try:
        answer: int = _load(path).answer(21)
    except AttributeError as error:
        raise OSError(str(error)) from error
    if answer != 42:
        raise OSError(errno.ENOEXEC, in_all("kept.wrong", answer=answer))
    path.unlink()
