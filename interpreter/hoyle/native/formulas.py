"""Evaluates a formula by machine code, for many pile contents in one call."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from hoyle.compiling.game import FORMULA, Lowered
from hoyle.compiling.python import source
from hoyle.native.compiler import NoCompiler
from hoyle.native.inference import describe_constants
from hoyle.native.layout import Sizes, Untranslatable
from hoyle.native.toolchain import Unwritten, is_built, loaded

FLAGS = ("-O3", "-fno-strict-aliasing", "-w")


class Column(ctypes.Structure):
    """Contents of one pile for each value, as 32-bit pieces.

    Value i has `sizes[i]` pieces, or `size` if `sizes` is null.
    """

    _fields_ = (
        ("pieces", ctypes.c_void_p),
        ("sizes", ctypes.c_void_p),
        ("size", ctypes.c_longlong),
        ("pile", ctypes.c_longlong),
    )


class NativeFormula:
    """A formula as machine code. Threads may share it."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        for name in ("context", "state", "values"):
            getattr(library, f"hoyle_{name}").restype = ctypes.c_longlong

    def context(self) -> tuple[Any, Any]:
        """Allocate the memory that one thread needs."""
        sizes = (self._library.hoyle_context(), self._library.hoyle_state())
        return ctypes.create_string_buffer(sizes[0]), ctypes.create_string_buffer(sizes[1])

    def values(self, context: tuple[Any, Any], columns: Sequence[Column], count: int, to: int) -> int:
        """Write `count` values, 64 bits each, to an address.

        Returns the number of values before the first one that Python must compute.
        """
        given = (Column * len(columns))(*columns)
        done: int = self._library.hoyle_values(
            *context, ctypes.c_longlong(count), given, ctypes.c_longlong(len(given)), ctypes.c_void_p(to)
        )
        return done


def native_formula(lowered: Lowered, sizes: Sizes = ()) -> NativeFormula | NoCompiler | Untranslatable:
    """Return the machine code of a formula, or why there is none.

    If `sizes` is given, the code is only for piles of these sizes. Raises Refused if the compiler fails.
    """
    try:
        found = loaded(_text(lowered, sizes), lowered.machine.ruleset.name, FLAGS)
        return found if isinstance(found, NoCompiler) else NativeFormula(found)
    except Untranslatable as reason:
        return reason


def is_formula_ready(lowered: Lowered, sizes: Sizes = ()) -> bool:
    """Return whether the formula is cached, so that it loads at once."""
    return is_built(_text(lowered, sizes), lowered.machine.ruleset.name, FLAGS)


def _text(lowered: Lowered, sizes: Sizes) -> Unwritten:
    ruleset = lowered.machine.ruleset
    of = "\n".join(
        (
            FORMULA,
            ruleset.digest,
            *ruleset.seats,
            str(sizes),
            source(lowered.functions),
            describe_constants(lowered.namespace),
        )
    )

    def write() -> str:
        from hoyle.native.unit import write_formula_unit  # a cache hit does not need it

        return write_formula_unit(lowered, sizes)

    return Unwritten(of, write)
