"""Normal forms of formulas as written: equal up to spaces, parentheses, bound names and the laws of logic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from hoyle.diagnostics import Refused
from hoyle.language.ir import NO_NUMBER
from hoyle.language.syntax import Form, Op
from hoyle.language.vocabulary import WORDS
from hoyle.reading import parse
from hoyle.reading.tree import Node

Meaning = tuple[object, ...]
Junction = Literal["And", "Or"]

_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {">": "<", ">=": "<="}
_OTHER: dict[str, Junction] = {"And": "Or", "Or": "And"}


def negate(meaning: Meaning) -> Meaning:
    """Return the negation of a form that has no simpler one."""
    return ("bool", int(not meaning[1])) if meaning[0] == "bool" else ("Not", meaning)


def join(name: Junction, parts: Iterable[Meaning], holds: bool) -> Meaning:
    """Join parts by `and` or `or`, sorted and without repetitions."""
    name = name if holds else _OTHER[name]
    flat = {inner for part in parts for inner in (part[1:] if part[0] == name else (part,)) if isinstance(inner, tuple)}
    decides: Meaning = ("bool", int(name == "Or"))
    if decides in flat:
        return decides
    kept = sorted(flat - {negate(decides)}, key=repr)
    return negate(decides) if not kept else kept[0] if len(kept) == 1 else (name, *kept)


def equate(alike: bool, *sides: Meaning) -> Meaning:
    """Return the key of an equality, or of its negation."""
    return ("Same" if alike else "Differs", *sorted(sides, key=repr))


def order(op: str, a: Meaning, b: Meaning, holds: bool) -> Meaning:
    """Return the key of a comparison, smaller side first and `<` of integers as `<=`. The negation is only simplified if both sides are present."""
    op = op if holds else _FLIPPED[op]
    if op in _TURNED:
        op, a, b = _TURNED[op], b, a
    if op == "<" and (high := _literal_number(b)) is not None:
        return ("<=", a, ("number", high - 1))
    if op == "<" and (low := _literal_number(a)) is not None:
        return ("<=", ("number", low + 1), b)
    return (op, a, b)


def _literal_number(meaning: Meaning) -> int | None:
    """Return a literal number; None for other keys."""
    known = meaning[1] if meaning[0] == "number" else None
    return known if isinstance(known, int) and known != NO_NUMBER else None


def quantify(word: str, items: Meaning, condition: Callable[[bool], Meaning], holds: bool) -> Meaning:
    """Return the key of a quantifier; `every` becomes `no` of the negation."""
    exists = (word in ("no", "every")) != holds
    return ("some" if exists else "no", items, condition(word != "every"))


def choose(condition: Callable[[bool], Meaning], yes: Meaning, no: Meaning) -> Meaning:
    """Return the key of `if`; a negated condition swaps the branches."""
    one, other = condition(True), condition(False)
    return ("If", one, yes, no) if repr(one) <= repr(other) else ("If", other, no, yes)


_CONTRARY: dict[str, Op] = {"is_not_none": "is_none", "is_not_empty": "is_empty", "not_in": "in_"}
_BIND = ("extreme", "collected")
"""Forms of values that bind a name in all parts except the first, the list."""

Names = Mapping[str, str]
"""Replacement for each bound name."""


def normalise(form: Form, names: Names, holds: bool = True) -> Meaning:
    """Return a key that is equal only for formulas equal by the laws of logic, whatever their names mean.

    `holds` is False for the negation of a condition.
    """
    word = form.op.removesuffix("_")
    match form.op, form.parts:
        case "number", _:
            return ("number", form.number)
        case (("true" | "false"), _):
            return ("bool", int((form.op == "true") == holds))
        case "not_", [Form() as value]:
            return normalise(value, names, not holds)
        case (("and_" | "or_"), parts):
            name: Junction = "And" if word == "and" else "Or"
            return join(name, [normalise(part, names, holds) for part in parts if part is not None], holds)
        case (("is_" | "is_not"), [Form() as left, Form() as right]):
            return equate((word == "is") == holds, normalise(left, names), normalise(right, names))
        case "compare", [Form() as left, Form() as right] if holds or (
            _is_certain_number(left) and _is_certain_number(right)
        ):
            return order(form.word, normalise(left, names), normalise(right, names), holds)
        case "if_", [Form() as condition, Form() as yes, Form() as no]:
            one, other = normalise(yes, names, holds), normalise(no, names, holds)
            return choose(lambda so: normalise(condition, names, so), one, other)
        case "quantifier", [Form() as items, Form() as condition]:
            inner = {**names, form.name: f"#{count_bound(names)}"}
            every = normalise(items, names)
            return quantify(form.word, every, lambda so: normalise(condition, inner, so), holds)
    if form.op in _CONTRARY:
        return normalise(replace(form, op=_CONTRARY[form.op]), names, not holds)
    found = normalise(form, names) if form.op == "compare" else _normalise_parts(form, names)
    return found if holds else negate(found)


def _is_certain_number(form: Form) -> bool:
    """Return whether a form is certainly a number."""
    if form.op in ("add", "subtract", "multiply"):
        return all(part is not None and _is_certain_number(part) for part in form.parts)
    return form.op == "number" or (form.op == "call" and form.name == "count")


def _normalise_parts(form: Form, names: Names) -> Meaning:
    """Return operator, names and parts of a form without laws of its own."""
    mentions = form.op == "name" or (form.op == "call" and form.name not in WORDS)
    inner, own = names, names.get(form.name, form.name) if mentions else form.name
    if form.op in _BIND:
        own = f"#{count_bound(names)}"
        inner = {**names, form.name: own}
    parts = [
        None if part is None else normalise(part, inner if number or form.op not in _BIND else names)
        for number, part in enumerate(form.parts)
    ]
    return form.op, own, form.word, form.number, *parts


def count_bound(names: Names) -> int:
    """Return the number of bound names; the rest are renames."""
    return sum(known.startswith("#") for known in names.values())


def parse_node(node: Node, kind: str) -> Form | None:
    """Parse the formula of a node; None for a word of the language such as a kind."""
    try:
        if kind == "generator":
            found = parse.generator(node)
            return Form("list", found.span, (found.source, found.where), name="for")
        return None if kind in ("signature", "label", "kind") else parse.formula(node)
    except Refused:
        return None


def owned_key(owner: str, name: str) -> str:
    """Return the key of a row, column or choice; several tables may have rows of one name."""
    return f"{owner}.{name}"


def list_names(form: Form) -> Iterator[str]:
    """Yield the names that a form mentions, names of calls included."""
    if form.op in ("name", "call", "attribute", "cell"):
        yield form.name
    for part in form.parts:
        if part is not None:
            yield from list_names(part)
