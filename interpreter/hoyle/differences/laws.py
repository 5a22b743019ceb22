"""Of all spellings of a truth that are worth the same by the laws of `and`, `not`, `is`, comparisons and quantifiers, one: `not` stands before
nothing that could be said without it, and what may stand in any order stands in one.

Both who reads formulas as they are written (`forms`) and who reads them by what they mean (`lowered`) go down into a formula knowing whether it
is to hold or not (`holds`), and put it together again with these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from hoyle.language.ir import NO_NUMBER

Meaning = tuple[object, ...]
Junction = Literal["And", "Or"]

_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {">": "<", ">=": "<="}
_OTHER: dict[str, Junction] = {"And": "Or", "Or": "And"}


def denied(meaning: Meaning) -> Meaning:
    """That something does not hold of which no part can be said otherwise."""
    return ("bool", int(not meaning[1])) if meaning[0] == "bool" else ("Not", meaning)


def joined(name: Junction, parts: Iterable[Meaning], holds: bool) -> Meaning:
    """All that is joined by one word, each once, in whatever order. `parts`: that each holds, or that each does not."""
    name = name if holds else _OTHER[name]
    flat = {inner for part in parts for inner in (part[1:] if part[0] == name else (part,)) if isinstance(inner, tuple)}
    decides: Meaning = ("bool", int(name == "Or"))
    if decides in flat:
        return decides
    kept = sorted(flat - {denied(decides)}, key=repr)
    return denied(decides) if not kept else kept[0] if len(kept) == 1 else (name, *kept)


def same(alike: bool, *sides: Meaning) -> Meaning:
    """Both are there and equal, or not."""
    return ("Same" if alike else "Differs", *sorted(sides, key=repr))


def compared(op: str, a: Meaning, b: Meaning, holds: bool) -> Meaning:
    """The smaller side first; of whole numbers, less than four is at most three. Not to hold is said so only of what is there."""
    op = op if holds else _FLIPPED[op]
    if op in _TURNED:
        op, a, b = _TURNED[op], b, a
    if op == "<" and (high := _number(b)) is not None:
        return ("<=", a, ("number", high - 1))
    if op == "<" and (low := _number(a)) is not None:
        return ("<=", ("number", low + 1), b)
    return (op, a, b)


def _number(meaning: Meaning) -> int | None:
    """As it is written, and no option."""
    known = meaning[1] if meaning[0] == "number" else None
    return known if isinstance(known, int) and known != NO_NUMBER else None


def quantified(word: str, items: Meaning, condition: Callable[[bool], Meaning], holds: bool) -> Meaning:
    """Every one is so: none is not. `condition`: that it holds of one, or that it does not."""
    exists = (word in ("no", "every")) != holds
    return ("some" if exists else "no", items, condition(word != "every"))


def chosen(condition: Callable[[bool], Meaning], yes: Meaning, no: Meaning) -> Meaning:
    """One of two, by a condition or by its contrary."""
    one, other = condition(True), condition(False)
    return ("If", one, yes, no) if repr(one) <= repr(other) else ("If", other, no, yes)
