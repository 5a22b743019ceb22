"""Formulas written otherwise that are worth the same, by the laws of parentheses, `and`, `not`, `is` and comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.differences.forms import read
from interpreter.language.syntax import Form
from interpreter.reading.shape import formulas
from interpreter.reading.tree import Node

Edit = tuple[int, int, str]
"""From where to where in a text, and what stands there instead."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def respellings(root: Node) -> list[Edit]:
    """Every one of these laws at every place of a ruleset's formulas."""
    found = [read(place.node, place.kind) for place in formulas(root) if not place.is_key and place.kind != "generator"]
    return [edit for form in found if form is not None for edit in _everywhere(form)]


def _everywhere(form: Form) -> Iterator[Edit]:
    if form.op not in ("range", "collected", "list"):
        yield from ((form.span.start, form.span.end, text) for text in spellings(form))
    for part in form.parts:
        if part is not None:
            yield from _everywhere(part)


def spellings(form: Form) -> Iterator[str]:
    """What may stand in the place of this form."""
    text = form.span.text
    if form.op in ("name", "number", "call", "of", "compare", "is_", "and_", "or_"):
        yield f"({text})"
    parts = [f"({part.written})" for part in form.parts if part is not None]
    match form.op, parts:
        case "compare", [a, b]:
            yield f"({b} {_TURNED[form.word]} {a})"
        case "is_", [a, b] if a != "(move)":
            yield f"(not ({a} is not {b}))"
        case "is_not", [a, b]:
            yield f"(not ({a} is {b}))"
        case "and_", [a, b]:
            yield f"({b} and {a})"
            yield f"(not (not {a} or not {b}))"
        case "or_", [a, b]:
            yield f"(not (not {a} and not {b}))"
        case "quantifier", [items, condition] if form.word in ("some", "no"):
            other = "no" if form.word == "some" else "some"
            yield f"(not ({other} {form.name} in {items} has {condition}))"
        case "quantifier", [items, condition]:
            yield f"(no {form.name} in {items} has not {condition})"
        case "if_", [condition, yes, no]:
            yield f"(if not {condition} then {no} else {yes})"
