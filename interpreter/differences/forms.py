"""What a formula says, whatever its bound names are called, however it is spaced and wherever it has parentheses that change nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.diagnostics import Refused
from interpreter.language.syntax import Form
from interpreter.language.vocabulary import WORDS
from interpreter.reading import parse
from interpreter.reading.tree import Node

_BIND = ("quantifier", "extreme", "collected")
"""Forms that bind a name in all their parts but the first, the items."""

Meaning = tuple[object, ...]
Names = Mapping[str, str]
"""Bound name → what stands for it, whatever it is called."""


def meaning_of(form: Form, names: Names) -> Meaning:
    """Equal for formulas that differ in spaces, parentheses and the names they bind; never for others."""
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
