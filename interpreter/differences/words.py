"""What formulas, cells and steps of one side say in words, found by where they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from interpreter.checking.reads import all_formulas
from interpreter.diagnostics import Span
from interpreter.differences.speech import say
from interpreter.language.ir import NO_NUMBER, Const, Expr
from interpreter.language.model import Ruleset, Texts, texts_of
from interpreter.language.sentences import integer
from interpreter.language.simplify import simplify
from interpreter.language.steps import Step, inner_lists
from interpreter.prose.deeds import Line, lines
from interpreter.prose.voice import Voice
from interpreter.prose.words import headings, said, voice_of
from interpreter.reading.tree import Node

LONGEST = 140
"""So many characters of a formula in words are read more easily than the formula."""
MOST_OF_STEP = 240
"""And so many of a step, which is no formula."""
Paths = tuple[str, ...]
_Place = tuple[str, int, int]


class Words:
    """What a ruleset says, by the places in its files."""

    def __init__(self, rules: Ruleset, root: Node) -> None:
        self.rules, self.root = rules, root
        self._voices: dict[str, Voice] = {}

    def voice(self, lang: str) -> Voice:
        if lang not in self._voices:
            self._voices[lang] = voice_of(self.rules, lang, headings(self.root))
        return self._voices[lang]

    def of_formula(self, span: Span) -> Texts:
        """In each language; nothing of what is no formula, or would be long."""
        found = self.formulas.get(_place(span))
        return _all(lambda lang: said(found, self.voice(lang), LONGEST) or "") if found is not None else ()

    def of_cell(self, table: str, row: str, column: str) -> Texts:
        """The number or truth in a table, where it is always the same."""
        found = self.rules.tables[table].columns.get(column)
        if found is None or found.constants is None or found.kind.name not in ("number", "bool"):
            return ()
        value = int(found.constants[self.rules.tables[table].rows.index(row)])
        if value == NO_NUMBER:
            return ()
        truth = found.kind.name == "bool"
        return texts_of(lambda lang: say("yes" if value else "no", lang) if truth else integer(value, lang))

    def of_column(self, table: str, column: str) -> Texts:
        """What a column is called."""
        known = headings(self.root).get(f"{table}.{column}", {})
        return tuple(known.items())

    def of_step(self, path: Paths) -> Texts:
        """What a step does, in a sentence; nothing of what takes several."""
        step = self.steps.get(path)
        return _all(lambda lang: _sentence(lines((step,), self.voice(lang)))) if step is not None else ()

    def constant(self, span: Span) -> int | None:
        """The number or truth that a formula always has with these options."""
        found = self.formulas.get(_place(span))
        if found is None or found.kind.name not in ("number", "bool"):
            return None
        known = simplify(found, self.rules.attributes.by_name)
        return int(known.value) if isinstance(known, Const) else None

    @cached_property
    def formulas(self) -> dict[_Place, Expr]:
        called = (instance.body for instance in self.rules.instances.values())
        found: dict[_Place, Expr] = {}
        for one in (*all_formulas(self.rules), *called):
            found.setdefault(_place(one.span), one)
        return found

    @cached_property
    def steps(self) -> dict[Paths, Step]:
        """The steps of phases by the names on the way to them."""
        phases = self.rules.phases.items()
        return {path: step for (name, _), phase in phases for path, step in _below(phase.steps, (name,))}


def _all(make: Callable[[str], str]) -> Texts:
    """In all languages, or not at all."""
    found = texts_of(make)
    return found if all(text for _, text in found) else ()


def _sentence(found: tuple[Line, ...]) -> str:
    return found[0].text if len(found) == 1 and not found[0].inside and len(found[0].text) <= MOST_OF_STEP else ""


def _below(steps: tuple[Step, ...], path: Paths) -> Iterator[tuple[Paths, Step]]:
    for step in steps:
        yield (*path, step.name), step
        for inner in inner_lists(step):
            yield from _below(inner, (*path, step.name))


def _place(span: Span) -> _Place:
    """Where the text begins and ends, without quotes."""
    text = span.text
    quotes = int(len(text) > 1 and text[0] == text[-1] and text[0] in "\"'")
    return span.source.name, span.start + quotes, span.end - quotes
