"""What a condition tells of values that may be absent: which of them are there where it holds, and which where it does not."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.language import ir
from hoyle.language.kinds import List

Fact = tuple[object, ...]
"""A value that does not change while a formula is worked out, whatever its place: state, the ends of a pile, or what a name is bound to."""
_ENDS = ("top", "bottom", "first", "last")
"""Words whose value is there if their only list or pile is not empty."""
_LASTING = ("bound", "constant", "attribute")


def find_present(condition: ir.Expr, holds: bool = True) -> frozenset[Fact]:
    """The values that are certainly there where the condition holds, or where it does not."""
    match condition:
        case ir.Not(value=inner):
            return find_present(inner, not holds)
        case ir.And(left=left, right=right) if holds:
            return find_present(left, True) | find_present(right, True)
        case ir.Or(left=left, right=right) if not holds:
            return find_present(left, False) | find_present(right, False)
        case ir.Absent(value=inner) if not holds:
            return _find_parts_present(inner)
        case ir.Empty(value=items) if not holds:
            return _find_ends_present(items) | _find_owner_present(items)
        case ir.Same(left=left, right=right) | ir.Compare(left=left, right=right) if holds:
            return _find_parts_present(left) | _find_parts_present(right)
        case ir.In(left=left, right=items) if holds:
            return _find_parts_present(left) | _find_owner_present(items)
        case ir.Differs(left=left, right=right) if not holds:
            return _find_parts_present(left) | _find_parts_present(right)
    return frozenset()


def _find_parts_present(found: ir.Expr) -> frozenset[Fact]:
    """This value is there, and so is all without which it would be absent: what it is an attribute of, whose state it is, what it is
    reckoned from. What is true or false, or a list, is there whatever it is of."""
    fact = identify_value(found)
    own = frozenset() if fact is None else frozenset([fact])
    return own.union(*map(_find_parts_present, _list_required_parts(found)))


def _list_required_parts(found: ir.Expr) -> Sequence[ir.Expr]:
    """The parts of a value that is absent if one of them is."""
    if found.kind.name in ("bool", "list"):
        return ()
    match found:
        case ir.Attr(value=value) | ir.Neg(value=value):
            return (value,)
        case ir.Cell(keys=keys):
            return keys
        case ir.Pile(member=member):
            return () if member is None else (member,)
        case ir.Arith(left=left, right=right):
            return (left, right)
    return ()


def _find_owner_present(items: ir.Expr) -> frozenset[Fact]:
    """The pieces of a pile that is not there are none: where there are some, it is there, and whoever it belongs to."""
    return _find_parts_present(items.value) if isinstance(items, ir.Contents) else _find_parts_present(items)


def _find_ends_present(items: ir.Expr) -> frozenset[Fact]:
    """Of what is not empty, first and last are there, unless items themselves may be absent."""
    lie = identify_value(items)
    if lie is None or not isinstance(items.kind, List) or items.kind.item.optional:
        return frozenset()
    return frozenset(("end", word, lie) for word in _ENDS)


def identify_value(found: ir.Expr) -> Fact | None:
    """The same for the same value, wherever it stands; None for what might change."""
    match found:
        case ir.Local(var=var):
            return ("bound", var)
        case ir.Const(kind=kind, value=value):
            return ("constant", kind.name, value)
        case ir.Cell(ref=ref, keys=keys):
            return _combine("state", ref.family, *keys)
        case ir.Attr(table=table, value=value):
            return _combine("attribute", table, value)
        case ir.Pile(ref=ref, args=keys):
            return _combine("pile", ref.family, *keys)
        case ir.Contents(value=pile):
            return identify_value(pile)
        case ir.WordCall(word=word, operands=(items,)) if word in _ENDS:
            return _combine("end", word, items)
    return None


def keep_lasting(facts: frozenset[Fact]) -> frozenset[Fact]:
    """Those that stay so whatever is done."""
    return frozenset(filter(_is_lasting, facts))


def _is_lasting(fact: Fact) -> bool:
    return fact[0] in _LASTING and all(_is_lasting(part) for part in fact if isinstance(part, tuple))


def _combine(sort: str, name: str, *parts: ir.Expr) -> Fact | None:
    facts = [identify_value(part) for part in parts]
    return None if None in facts else (sort, name, *facts)
