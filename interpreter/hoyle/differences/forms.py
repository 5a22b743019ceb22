"""What a formula says, whatever its bound names are called, however it is spaced and wherever it has parentheses that change nothing."""

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


_CONTRARY: dict[str, Op] = {"is_not_none": "is_none", "is_not_empty": "is_empty", "not_in": "in_"}
_BIND = ("extreme", "collected")
"""Forms of values that bind a name in all their parts but the first, the items."""

Names = Mapping[str, str]
"""Bound name → what stands for it, whatever it is called."""


def meaning_of(form: Form, names: Names, holds: bool = True) -> Meaning:
    """Equal for formulas that differ in spaces, parentheses, the names they bind and what is the same by the laws of truth, whatever their
    names mean; never for others. `holds`: of a condition, is it to hold, or not?"""
    word = form.op.removesuffix("_")
    match form.op, form.parts:
        case "number", _:
            return ("number", form.number)
        case (("true" | "false"), _):
            return ("bool", int((form.op == "true") == holds))
        case "not_", [Form() as value]:
            return meaning_of(value, names, not holds)
        case (("and_" | "or_"), parts):
            name: Junction = "And" if word == "and" else "Or"
            return joined(name, [meaning_of(part, names, holds) for part in parts if part is not None], holds)
        case (("is_" | "is_not"), [Form() as left, Form() as right]):
            return same((word == "is") == holds, meaning_of(left, names), meaning_of(right, names))
        case "compare", [Form() as left, Form() as right] if holds or (_is_there(left) and _is_there(right)):
            return compared(form.word, meaning_of(left, names), meaning_of(right, names), holds)
        case "if_", [Form() as condition, Form() as yes, Form() as no]:
            one, other = meaning_of(yes, names, holds), meaning_of(no, names, holds)
            return chosen(lambda so: meaning_of(condition, names, so), one, other)
        case "quantifier", [Form() as items, Form() as condition]:
            inner = {**names, form.name: f"#{depth(names)}"}
            every = meaning_of(items, names)
            return quantified(form.word, every, lambda so: meaning_of(condition, inner, so), holds)
    if form.op in _CONTRARY:
        return meaning_of(replace(form, op=_CONTRARY[form.op]), names, not holds)
    found = meaning_of(form, names) if form.op == "compare" else _plain(form, names)
    return found if holds else denied(found)


def _is_there(form: Form) -> bool:
    """Is it certainly a number, whatever the names in it mean?"""
    if form.op in ("add", "subtract", "multiply"):
        return all(part is not None and _is_there(part) for part in form.parts)
    return form.op == "number" or (form.op == "call" and form.name == "count")


def _plain(form: Form, names: Names) -> Meaning:
    """Its operator, what it names or introduces, and its parts."""
    mentions = form.op == "name" or (form.op == "call" and form.name not in WORDS)
    inner, own = names, names.get(form.name, form.name) if mentions else form.name
    if form.op in _BIND:
        own = f"#{depth(names)}"
        inner = {**names, form.name: own}
    parts = [
        None if part is None else meaning_of(part, inner if number or form.op not in _BIND else names)
        for number, part in enumerate(form.parts)
    ]
    return form.op, own, form.word, form.number, *parts


def depth(names: Names) -> int:
    """How many names are bound; others are those of things that the other ruleset calls otherwise."""
    return sum(known.startswith("#") for known in names.values())


def read(node: Node, kind: str) -> Form | None:
    """The formula that stands there; None where it is no formula but a word of the language, such as a kind."""
    try:
        if kind == "generator":
            found = parse.generator(node)
            return Form("list", found.span, (found.source, found.where), name="for")
        return None if kind in ("signature", "label", "kind") else parse.formula(node)
    except Refused:
        return None


def inside(owner: str, name: str) -> str:
    """What a row, a column or a choice is known by among names: several tables may have rows of one name."""
    return f"{owner}.{name}"


def names_in(form: Form) -> Iterator[str]:
    """The names that it mentions: of what it calls, too."""
    if form.op in ("name", "call", "attribute", "cell"):
        yield form.name
    for part in form.parts:
        if part is not None:
            yield from names_in(part)
