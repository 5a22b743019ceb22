"""What a condition tells of values that may be absent: which of them are there where it holds, and which where it does not."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.language.ir import (
    Absent,
    And,
    Arith,
    Attr,
    Cell,
    Compare,
    Const,
    Contents,
    Differs,
    Empty,
    Expr,
    In,
    Local,
    Neg,
    Not,
    Or,
    Pile,
    Same,
    WordCall,
)
from hoyle.language.kinds import List

Fact = tuple[object, ...]
"""A value that does not change while a formula is worked out, whatever its place: state, the ends of a pile, or what a name is bound to."""
_ENDS = ("top", "bottom", "first", "last")
"""Words whose value is there if their only list or pile is not empty."""
_LASTING = ("bound", "constant", "attribute")


def told(condition: Expr, holds: bool = True) -> frozenset[Fact]:
    """The values that are certainly there where the condition holds, or where it does not."""
    match condition:
        case Not(value=inner):
            return told(inner, not holds)
        case And(left=left, right=right) if holds:
            return told(left, True) | told(right, True)
        case Or(left=left, right=right) if not holds:
            return told(left, False) | told(right, False)
        case Absent(value=inner) if not holds:
            return _there(inner)
        case Empty(value=items) if not holds:
            return _ends(items) | _whose(items)
        case Same(left=left, right=right) | Compare(left=left, right=right) if holds:
            return _there(left) | _there(right)
        case In(left=left, right=items) if holds:
            return _there(left) | _whose(items)
        case Differs(left=left, right=right) if not holds:
            return _there(left) | _there(right)
    return frozenset()


def _there(found: Expr) -> frozenset[Fact]:
    """This value is there, and so is all without which it would be absent: what it is an attribute of, whose state it is, what it is
    reckoned from. What is true or false, or a list, is there whatever it is of."""
    fact = fact_of(found)
    own = frozenset() if fact is None else frozenset([fact])
    return own.union(*map(_there, _needed(found)))


def _needed(found: Expr) -> Sequence[Expr]:
    """The parts of a value that is absent if one of them is."""
    if found.kind.name in ("bool", "list"):
        return ()
    match found:
        case Attr(value=value) | Neg(value=value):
            return (value,)
        case Cell(keys=keys):
            return keys
        case Pile(member=member):
            return () if member is None else (member,)
        case Arith(left=left, right=right):
            return (left, right)
    return ()


def _whose(items: Expr) -> frozenset[Fact]:
    """The pieces of a pile that is not there are none: where there are some, it is there, and whoever it belongs to."""
    return _there(items.value) if isinstance(items, Contents) else _there(items)


def _ends(items: Expr) -> frozenset[Fact]:
    """Of what is not empty, first and last are there, unless items themselves may be absent."""
    lie = fact_of(items)
    if lie is None or not isinstance(items.kind, List) or items.kind.item.optional:
        return frozenset()
    return frozenset(("end", word, lie) for word in _ENDS)


def fact_of(found: Expr) -> Fact | None:
    """The same for the same value, wherever it stands; None for what might change."""
    match found:
        case Local(var=var):
            return ("bound", var)
        case Const(kind=kind, value=value):
            return ("constant", kind.name, value)
        case Cell(ref=ref, keys=keys):
            return _of("state", ref.family, *keys)
        case Attr(table=table, value=value):
            return _of("attribute", table, value)
        case Pile(ref=ref, args=keys):
            return _of("pile", ref.family, *keys)
        case Contents(value=pile):
            return fact_of(pile)
        case WordCall(word=word, operands=(items,)) if word in _ENDS:
            return _of("end", word, items)
    return None


def lasting(facts: frozenset[Fact]) -> frozenset[Fact]:
    """Those that stay so whatever is done."""
    return frozenset(filter(_lasts, facts))


def _lasts(fact: Fact) -> bool:
    return fact[0] in _LASTING and all(_lasts(part) for part in fact if isinstance(part, tuple))


def _of(sort: str, name: str, *parts: Expr) -> Fact | None:
    facts = [fact_of(part) for part in parts]
    return None if None in facts else (sort, name, *facts)
