"""Finds which optional values are present where a condition holds, or where it does not."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.language import ir
from hoyle.language.value_types import List

Fact = tuple[object, ...]
"""Identifies a value that is the same everywhere in a formula: state, an end of a pile, or a bound name."""
_ENDS = ("top", "bottom", "first", "last")
"""Words whose value is present if their only list or pile is not empty."""
_LASTING = ("bound", "constant", "attribute")


def find_present(condition: ir.Expr, holds: bool = True) -> frozenset[Fact]:
    """Find the values that are certainly present where a condition holds, or where it does not."""
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
    """Return a present value with the parts it needs: the owner of an attribute, the keys of state, operands of arithmetic."""
    fact = identify_value(found)
    own = frozenset() if fact is None else frozenset([fact])
    return own.union(*map(_find_parts_present, _list_required_parts(found)))


def _list_required_parts(found: ir.Expr) -> Sequence[ir.Expr]:
    """List the parts that must be present for a value to be present. Truth values and lists need none."""
    if found.type.name in ("bool", "list"):
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
    """Return what is present if a list has items. A pile that is absent has no pieces."""
    return _find_parts_present(items.value) if isinstance(items, ir.Contents) else _find_parts_present(items)


def _find_ends_present(items: ir.Expr) -> frozenset[Fact]:
    """Return the ends of a list that is not empty, unless its items may be absent themselves."""
    lie = identify_value(items)
    if lie is None or not isinstance(items.type, List) or items.type.item.optional:
        return frozenset()
    return frozenset(("end", word, lie) for word in _ENDS)


def identify_value(found: ir.Expr) -> Fact | None:
    """Return the fact for a value, equal for equal values; None for a value that may change within a formula."""
    match found:
        case ir.Local(var=var):
            return ("bound", var)
        case ir.Const(type=value_type, value=value):
            return ("constant", value_type.name, value)
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
    """Keep the facts that stay true whatever is done."""
    return frozenset(filter(_is_lasting, facts))


def _is_lasting(fact: Fact) -> bool:
    return fact[0] in _LASTING and all(_is_lasting(part) for part in fact if isinstance(part, tuple))


def _combine(sort: str, name: str, *parts: ir.Expr) -> Fact | None:
    facts = [identify_value(part) for part in parts]
    return None if None in facts else (sort, name, *facts)
