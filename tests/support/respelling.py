"""Formulas written otherwise that are worth the same, by the laws of parentheses, `and`, `not`, `is`, comparisons and quantifiers."""

from collections.abc import Callable, Iterator, Sequence

from hoyle.differences.normal_forms import parse_node
from hoyle.language.syntax import Form
from hoyle.reading.shape import formulas
from hoyle.reading.tree import Node

Edit = tuple[int, int, str]
"""From where to where in a text, and what stands there instead."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_CONTRARY = {
    "is_none": "is not none",
    "is_not_none": "is none",
    "is_empty": "is not empty",
    "is_not_empty": "is empty",
    "in_": "not in",
    "not_in": "in",
}
_TRUTHS = ("compare", "is_", "is_not", "and_", "or_", "not_", "quantifier", *_CONTRARY)


def respellings(root: Node) -> list[Edit]:
    found = [
        parse_node(place.node, place.kind) for place in formulas(root) if not place.is_key and place.kind != "generator"
    ]
    return [edit for form in found if form is not None for edit in _everywhere(form)]


def respelt(text: str, picks: Sequence[int], known: Callable[[str], list[Edit]]) -> tuple[str, str, str]:
    """A text with one law after the other, each in what the one before has written as long as there is something; what stood there, and
    what stands there now. `known`: the respellings of a text."""
    before, low, high, grown = text, 0, len(text), 0
    for number, pick in enumerate(picks):
        edits = [edit for edit in known(text) if low <= edit[0] and edit[1] <= high]
        if not edits:
            break
        start, end, other = edits[pick % len(edits)]
        text = text[:start] + other + text[end:]
        longer = len(other) - (end - start)
        low, high, grown = (low, high + longer, grown + longer) if number else (start, start + len(other), longer)
    return text, before[low : high - grown], text[low:high]


def _everywhere(form: Form) -> Iterator[Edit]:
    if form.op not in ("range", "collected", "list"):
        yield from ((form.span.start, form.span.end, text) for text in spellings(form))
    for part in form.parts:
        if part is not None:
            yield from _everywhere(part)


def spellings(form: Form) -> Iterator[str]:
    text = form.span.text
    if form.op in ("name", "number", "call", "of", "compare", "is_", "and_", "or_"):
        yield f"({text})"
    if form.op in _TRUTHS:
        yield f"(not (not ({text})))"
    parts = [f"({part.written})" for part in form.parts if part is not None]
    match form.op, parts:
        case "compare", [a, b]:
            yield f"({b} {_TURNED[form.word]} {a})"
            if all(part is not None and _is_number(part) for part in form.parts):
                yield f"(not ({a} {_FLIPPED[form.word]} {b}))"
        case "is_", [a, b] if a != "(move)":
            yield f"(not ({a} is not {b}))"
            yield f"({b} is {a})"
        case "is_not", [a, b] if a != "(move)":
            yield f"(not ({a} is {b}))"
        case (("is_none" | "is_not_none" | "is_empty" | "is_not_empty"), [a]):
            yield f"(not ({a} {_CONTRARY[form.op]}))"
        case (("in_" | "not_in"), [a, _]):
            yield f"(not ({a} {_CONTRARY[form.op]} {form.part(1).written}))"
        case "and_", [a, b]:
            yield f"({b} and {a})"
            yield f"(not (not {a} or not {b}))"
        case "or_", [a, b]:
            yield f"({b} or {a})"
            yield f"(not (not {a} and not {b}))"
        case "quantifier", [items, condition]:
            yield from _quantifiers(form, items, condition)
        case "if_", [condition, yes, no]:
            yield f"(if not {condition} then {no} else {yes})"


def _quantifiers(form: Form, items: str, condition: str) -> Iterator[str]:
    inside = f"{form.name} in {items} has"
    match form.word:
        case "some":
            yield f"(not (no {inside} {condition}))"
            yield f"(not (every {inside} not {condition}))"
        case "no":
            yield f"(not (some {inside} {condition}))"
            yield f"(every {inside} not {condition})"
        case _:
            yield f"(no {inside} not {condition})"
            yield f"(not (some {inside} not {condition}))"


def _is_number(form: Form) -> bool:
    """Is it certainly one? Of what may be absent, not to be less is not to be at least as much."""
    return form.op == "number" or (form.op == "call" and form.name == "count")
