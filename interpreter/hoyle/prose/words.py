"""Formulas of a ruleset in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.language.ir import Expr, TermCall, walk
from hoyle.language.model import Ruleset, Words
from hoyle.prose.settled import TooLong, settled
from hoyle.prose.truths import truth
from hoyle.prose.values import one_of, value
from hoyle.prose.voice import Headings, Voice, spoken_by
from hoyle.reading.tree import Node, texts_of

LONGEST = 420
"""So many characters of one formula can still be followed."""


def voice_of(rules: Ruleset, lang: str, tables: Headings | None = None) -> Voice:
    """Who says what these rules say, in a language. `tables`: what tables and their columns are called there (`headings`)."""
    return spoken_by(rules, lang, tables or {}, value, truth)


def headings(root: Node) -> Headings:
    """What a merged tree calls its tables, `table.column` their columns, and how it says what its terms tell."""
    terms = root.get("terms")
    known = {_called(name): len(_parameters(name)) for name, _, _ in (terms.entries() if terms is not None else ())}
    own = {
        _called(name): _by_place(name, texts_of(node))
        for name, node in _maps(root.get("in_words"))
        if known.get(_called(name), 0) == len(_parameters(name))  # else a variant has made another term of it
    }
    return {**{name: texts_of(node) for name, node in _maps(root.get("tables"))}, **own}


def _called(name: str) -> str:
    return name.partition("(")[0].strip()


def _parameters(name: str) -> list[str]:
    return re.findall(r"\w+", name.partition("(")[2])


def _by_place(name: str, words: Words) -> Words:
    """With the numbers of parameters in the place of their names: who changes a term may call them otherwise."""
    places = {parameter: str(n) for n, parameter in enumerate(_parameters(name))}
    return {lang: re.sub(r"\{(\w+)\}", lambda found: f"{{{places[found[1]]}}}", text) for lang, text in words.items()}


def _maps(node: Node | None) -> Iterator[tuple[str, Node]]:
    for name, _, inner in node.entries() if node is not None and node.kind == "map" else ():
        if inner.kind == "map":
            yield name, inner


def any_of(expr: Expr, voice: Voice) -> str | None:
    """What may be chosen there: `one of the columns`; None where that would be too long to be followed."""
    try:
        plain = settled(expr, voice.rules.attributes.by_name, voice.told)
    except TooLong:
        return None
    return one_of(plain, voice) or said(plain, voice)


def said(expr: Expr, voice: Voice, longest: int = LONGEST) -> str | None:
    """What a formula gives, or that it holds, in words; None where that would be too long to be followed."""
    try:
        plain = settled(expr, voice.rules.attributes.by_name, voice.told)
    except TooLong:
        return None
    text = (voice.holds(plain) if plain.kind.name == "bool" else voice.of(plain)).strip()
    return text if len(text) <= longest else None


def said_of_tables(expr: Expr, voice: Voice, longest: int = LONGEST) -> str:
    """The same by what tables say, without writing out what their formulas are; nothing where that would be long or calls terms."""
    if any(isinstance(part, TermCall) and part.instance.name not in voice.told for part in walk(expr)):
        return ""
    text = (voice.holds(expr) if expr.kind.name == "bool" else voice.of(expr)).strip()
    return text if len(text) <= longest else ""
