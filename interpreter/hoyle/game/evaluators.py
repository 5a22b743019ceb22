"""Formulas as functions of the contents of piles, for one position or for many in one call."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from msgspec import Struct

from hoyle.compiling.game import compile_formula
from hoyle.diagnostics import Diagnostic, Refused
from hoyle.game.compiled import Compiled
from hoyle.game.spelling import find_pile, parse_piece, parse_pieces
from hoyle.game.values import check_formula, to_plain_value
from hoyle.language.sentences import make_message
from hoyle.language.value_types import describe_type
from hoyle.native.engine_builder import warn
from hoyle.native.formulas import Column, NativeFormula, is_formula_ready, native_formula
from hoyle.native.layout import Sizes
from hoyle.running.chance import Chance
from hoyle.running.machine import Engine
from hoyle.running.state import Core

REPAYS = 1.5
"""Seconds of Python's work above which a formula is compiled to C."""
_TRIED = 64  # values that show how long others will take
_REPAYS_SIZES = 100_000  # values for which it repays to build a formula for the sizes of its piles
_BATCH = 1 << 16  # values of one native call, so that it can be interrupted


class Evaluator:
    """A compiled formula as a function of the contents of piles: lists of signs or of piece numbers."""

    def __init__(self, game: Compiled, engine: Engine, formula: str, piles: Sequence[str]) -> None:
        """Raises Refused."""
        expr, me = check_formula(game, formula, False)
        self._game, self._engine, self._type = game, engine, expr.type
        self._description = f"{formula!r} of {', '.join(piles) or 'the start'}"
        self._run, self._lowered = compile_formula(expr, me, game.machine)
        self._places = [find_pile(game, name) for name in piles]
        self._core = self._empty_state()
        self._native: dict[Sizes, NativeFormula] = {}

    def __repr__(self) -> str:
        return f"<Evaluator {self._game.name}: {self._description} engine={self._engine}>"

    def __call__(self, *contents: Sequence[Any]) -> Any:
        """Return a number, a truth value or a list. Raises Refused for unknown pieces (R705) or too many of one
        (R706)."""
        return self._evaluate(self._core, [_to_numbers(self._game, pieces) for pieces in contents])

    def many(self, *contents: Any) -> array[int]:
        """Evaluate many contents of each pile; truth is 1 or 0.

        Each pile has a list of lists of signs or numbers; or a buffer of integers, such as a numpy array, with a row
        for each value, or one-dimensional with one piece for each. The native engine reads buffers of 32 bits in place
        and releases other threads of Python.

        Raises Refused for unknown pieces (R705), too many of one (R706), or a formula that yields lists (R306);
        ValueError if the piles have different numbers of contents."""
        if self._type.name == "list":
            raise Refused([Diagnostic("R306", make_message("game.no_lists"))])
        columns = [_read_contents(self._game, pile) for pile in contents]
        counts = {column.count for column in columns}
        if len(columns) != len(self._places) or len(counts) > 1:
            raise ValueError(f"{len(self._places)} piles have contents, and of each there are as many")
        return self._evaluate_many(columns, counts.pop() if counts else 0)

    @property
    def kind(self) -> str:
        """Type of the value, in words."""
        return describe_type(self._type)

    def text(self, found: int, lang: str = "en") -> str:
        """Return one of many values as a language writes it."""
        return self._game.namer.value(found, self._type, lang)

    def plain(self, found: int) -> Any:
        """Return one of many values as plain data, as in `Value.plain`."""
        return to_plain_value(self._game, found, self._type)

    def _evaluate(self, core: Core, contents: Sequence[list[int]]) -> Any:
        _check_pieces(self._game, contents)
        for place, pieces in zip(self._places, contents, strict=True):
            core.piles[place] = pieces
        return self._run(core.piles, core.cells)

    def _evaluate_many(self, columns: list[Contents], count: int) -> array[int]:
        found = array("q", bytes(8 * count))
        core, sizes, began = self._empty_state(), self._constant_sizes(columns, count), time.perf_counter()
        tried = count if self._engine == "python" else 0 if self._is_native_wanted(sizes) else min(count, _TRIED)
        for i in range(tried):
            found[i] = self._evaluate_in_python(core, columns, i)
        left = (time.perf_counter() - began) / max(1, tried) * (count - tried)
        native = self._build_native(sizes) if tried < count and (not tried or left > REPAYS) else None
        if native is not None:
            self._evaluate_natively(native, core, columns, tried, found)
            return found
        for i in range(tried, count):
            found[i] = self._evaluate_in_python(core, columns, i)
        return found

    def _constant_sizes(self, columns: Sequence[Contents], count: int) -> Sizes:
        """Return the sizes of piles that never vary, if building for them repays or was done before."""
        if self._engine == "python":
            return ()
        known = {place: c.size for place, c in zip(self._places, columns, strict=True) if c.sizes is None}
        found = tuple(known.items())
        return found if count >= _REPAYS_SIZES or is_formula_ready(self._lowered, found) else ()

    def _is_native_wanted(self, sizes: Sizes) -> bool:
        return sizes in self._native or self._engine == "native" or is_formula_ready(self._lowered, sizes)

    def _build_native(self, sizes: Sizes) -> NativeFormula | None:
        try:
            found = self._native.get(sizes) or native_formula(self._lowered, sizes)
        except Refused as refused:
            if self._engine == "native":
                raise
            warn(self._game.name, refused.diagnostics[0])
            return None
        if isinstance(found, NativeFormula):
            self._native[sizes] = found
            return found
        warn(self._game.name, found)
        return None

    def _empty_state(self) -> Core:
        core = self._game.machine.fresh(Chance.stream(0))
        for pile in core.piles:
            pile.clear()
        return core

    def _evaluate_in_python(self, core: Core, columns: Sequence[Contents], at: int) -> int:
        return int(self._evaluate(core, [column.of(at) for column in columns]))

    def _evaluate_natively(
        self, native: NativeFormula, core: Core, columns: Sequence[Contents], done: int, found: array[int]
    ) -> None:
        """Evaluate in batches. Python evaluates what the native engine cannot, and reports what is wrong, if
        anything."""
        context = native.context()
        while done < len(found):
            given = [column.given(place, done) for place, column in zip(self._places, columns, strict=True)]
            wanted = min(_BATCH, len(found) - done)
            came = native.values(context, given, wanted, found.buffer_info()[0] + 8 * done)
            done += came
            if came < wanted:
                found[done] = self._evaluate_in_python(core, columns, done)
                done += 1


def _to_numbers(game: Compiled, given: Sequence[Any]) -> list[int]:
    """Convert signs to numbers. Raises Refused for an unknown sign."""
    return parse_pieces(game, given) if given and isinstance(given[0], str) else list(given)


def _check_pieces(game: Compiled, contents: Sequence[list[int]]) -> None:
    """Raise Refused for an unknown piece, or for one given more often than it exists."""
    pieces = list(chain.from_iterable(contents))
    wrong = next((piece for piece in pieces if not 0 <= piece < 2 * len(game.machine.homes)), None)
    if wrong is not None:
        raise Refused([Diagnostic("R705", make_message("no_piece", sign=wrong, game=game.name))])
    kinds, copies = [piece >> 1 for piece in pieces], game.machine.copies
    if len({*kinds}) == len(kinds):
        return
    for kind, count in Counter(kinds).items():
        if count > copies[kind]:
            message = make_message("game.given_times", sign=game.namer.signs[kind], count=count, most=copies[kind])
            raise Refused([Diagnostic("R706", message)])


class Contents(Struct, frozen=True):
    """Contents of one pile for each value: 32-bit piece numbers.

    starts  where each value's pieces begin, and their total at the end
    sizes   how many pieces each value has; None if each has `size`"""

    pieces: array[int] | memoryview
    starts: Sequence[int]
    sizes: array[int] | None = None
    size: int = 0

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    def of(self, at: int) -> list[int]:
        return self.pieces[self.starts[at] : self.starts[at + 1]].tolist()

    def given(self, pile: int, at: int) -> Column:
        sizes = self.sizes.buffer_info()[0] + 4 * at if self.sizes is not None else None
        return Column(_address(self.pieces) + 4 * self.starts[at], sizes, self.size, pile)


def _read_contents(game: Compiled, given: Any) -> Contents:
    try:
        view = memoryview(given)
    except TypeError:
        return _read_lists(game, given)
    if view.ndim not in (1, 2):
        raise ValueError("what lies in a pile has a row for each value, or one piece")
    rows, size = (*(view.shape or ()), 1)[:2]
    return Contents(_flatten(view), _even_starts(rows, size), None, size)


def _flatten(view: memoryview) -> array[int] | memoryview:
    """Return the numbers in a row, in place if possible."""
    if view.format == "i" and view.c_contiguous and not view.readonly and view.nbytes:
        return view.cast("B").cast("i")
    listed: list[Any] = view.tolist()
    return array("i", chain.from_iterable(listed) if view.ndim == 2 else listed)


def _read_lists(game: Compiled, given: Sequence[Sequence[Any]]) -> Contents:
    pieces = list(chain.from_iterable(given))
    if any(isinstance(piece, str) for piece in pieces):
        number = lru_cache(None)(lambda sign: parse_piece(game, sign))
        pieces = [number(piece) if isinstance(piece, str) else piece for piece in pieces]
    sizes = array("i", map(len, given))
    if len({*sizes}) == 1:
        return Contents(array("i", pieces), _even_starts(len(sizes), sizes[0]), None, sizes[0])
    return Contents(array("i", pieces), [*accumulate(sizes, initial=0)], sizes)


def _even_starts(rows: int, size: int) -> Sequence[int]:
    return range(0, rows * size + 1, size) if size else [0] * (rows + 1)


def _address(pieces: array[int] | memoryview) -> int:
    if isinstance(pieces, array):
        return pieces.buffer_info()[0]
    return ctypes.addressof(ctypes.c_char.from_buffer(pieces))
