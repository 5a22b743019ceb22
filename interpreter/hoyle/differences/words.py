"""What formulas, cells and steps of one side say in words, found by where they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from hoyle.checking.analysis import list_formulas
from hoyle.diagnostics import Span
from hoyle.differences.names import KeyPath
from hoyle.language.evaluate import simplify
from hoyle.language.ir import NO_NUMBER, Const, Expr, Instance, Neg
from hoyle.language.model import Ruleset, Texts, texts_of
from hoyle.language.sentences import FALLBACK, LANGUAGES, catalogue, filled
from hoyle.language.steps import Step, inner_lists
from hoyle.prose.deeds import Line, lines, within
from hoyle.prose.speech import a, quoted, sentence, smooth
from hoyle.prose.truths import headings, said, said_of_tables, voice_of
from hoyle.prose.voice import Voice, noun_of
from hoyle.reading.tree import Node

_HERE = Path(__file__).parent


def say(sentence: str, lang: str, /, **values: object) -> str:
    """A sentence with its places filled."""
    return filled(catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[sentence], lang, values)


def knows(sentence: str, lang: str) -> bool:
    """Is there a sentence of this key?"""
    return sentence in catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)


def word_for(key: str, lang: str) -> str:
    """What a key of a ruleset means; nothing where it is a name that its author gave."""
    return say(f"key.{key}", lang) if knows(f"key.{key}", lang) else ""


def together(parts: Sequence[str], lang: str) -> str:
    return say("and", lang).join(part for part in parts if part)


def upper(text: str) -> str:
    """With a capital letter, behind whatever mark it begins with; what is written in a ruleset is left as it is."""
    return re.sub(r"^([“«(\s]*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1)


LONGEST = 320
"""So many characters of what a formula says can be followed beside what it said before."""
MOST_OF_STEP = 420
"""And so many of a step, with the steps in it."""
_SPACES = " \u00a0\u202f"
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
        return self.of_expr(found) if found is not None else ()

    def of_expr(self, expr: Expr) -> Texts:
        """What it gives or that it holds: with terms written out, or else by what tables call them."""
        return _all(
            lambda lang: said(expr, self.voice(lang), LONGEST) or said_of_tables(expr, self.voice(lang), LONGEST)
        )

    def of_cell(self, table: str, row: str, column: str) -> Texts:
        """The number, truth, text or row in a table, where it is always the same."""
        found = self.rules.tables[table].columns.get(column)
        if found is None or found.constants is None:
            return ()
        value = found.constants[self.rules.tables[table].rows.index(row)]
        if isinstance(value, str):
            return texts_of(lambda lang: value)
        known = Const(found.kind, self.root.span, int(value))
        if value == NO_NUMBER:
            return ()
        if found.kind.name == "bool":
            return texts_of(lambda lang: say("yes" if value else "no", lang))
        return texts_of(lambda lang: self.voice(lang).of(known))

    def of_column(self, table: str, column: str) -> Texts:
        """What a column is called."""
        known = headings(self.root).get(f"{table}.{column}", {})
        return tuple(known.items())

    def of_term(self, name: str) -> Texts:
        """What the ruleset calls a term, of whatever it is asked; nothing where it has no words for it."""
        found = next((one for one in self.rules.instances.values() if one.name == name), None)
        if found is None:
            return ()
        return texts_of(lambda lang: self._term(found, lang))

    def _term(self, found: Instance, lang: str) -> str:
        voice = self.voice(lang)
        names = [a(noun_of(var.kind, voice), lang) for var in found.parameters]
        text = voice.tables.get(found.name, {}).get(lang, "")
        return smooth(re.sub(r"\{(\d+)\}", lambda place: names[int(place[1])], text), lang)

    def of_step(self, path: KeyPath) -> Texts:
        """What a step does with the steps in it; `path`: a section, an entry, and the names of the steps on the way."""
        step = self.steps.get(path)
        return (
            _all(lambda lang: _sentence(lines((step,), self.voice(lang)), self.voice(lang))) if step is not None else ()
        )

    def is_idle(self, path: KeyPath) -> bool:
        """Is it a step that does nothing with these options, or nothing that people see?"""
        step = self.steps.get(path)
        return step is not None and not lines((step,), self.voice(FALLBACK))

    def of_phase(self, name: str) -> Texts:
        """What is done in a phase."""
        phase = next((phase for (own, _), phase in self.rules.phases.items() if own == name), None)
        return (
            _all(lambda lang: _sentence(lines(phase.steps, self.voice(lang)), self.voice(lang)))
            if phase is not None
            else ()
        )

    def of_result(self, key: str) -> Texts:
        """How the game is won, or what it is worth."""
        result = self.rules.result
        others = {"won": result.won, "stake": result.stake, "score": result.score}
        known = result.best if key == "best" else [one for one in (others.get(key),) if one is not None]
        return _all(lambda lang: " ".join(self._won(key, n, one, lang) for n, one in enumerate(known))) if known else ()

    def _won(self, key: str, number: int, expr: Expr, lang: str) -> str:
        voice = self.voice(lang)
        least = key == "best" and isinstance(expr, Neg)
        plain = said(expr.value if least and isinstance(expr, Neg) else expr, self._of_side(voice), LONGEST)
        if not plain:
            return ""
        form = f"{'next_' * (number > 0)}{'least' if least else 'best'}" if key == "best" else key
        return voice.say(f"end.{form}", **{"condition" if key == "won" else "value": plain})

    def _of_side(self, voice: Voice) -> Voice:
        return voice.calling(self.rules.result.p, voice.say("value.me"))

    def constant(self, span: Span) -> int | None:
        """The number or truth that a formula always has with these options."""
        found = self.formulas.get(_place(span))
        if found is None or found.kind.name not in ("number", "bool"):
            return None
        known = simplify(found, self.rules.attributes.by_name)
        return int(known.value) if isinstance(known, Const) else None

    def meant(self, span: Span) -> list[Expr]:
        """What is written there, for each of the kinds that it is used with."""
        return self._every.get(_place(span), [])

    @cached_property
    def formulas(self) -> dict[_Place, Expr]:
        called = (instance.body for instance in self.rules.instances.values())
        return {place: found[0] for place, found in _placed((*list_formulas(self.rules), *called)).items()}

    @cached_property
    def _every(self) -> dict[_Place, list[Expr]]:
        """Those of play, and those that judge options or show something beside it."""
        called = (instance.body for instance in self.rules.instances.values())
        judging = (constraint.expr for constraint in self.rules.constraints.values())
        return _placed((*list_formulas(self.rules), *called, *judging, *self.rules.display.formulas))

    @cached_property
    def steps(self) -> dict[KeyPath, Step]:
        """The steps of phases, moves and what happens by itself, by the names on the way to them."""
        every = [
            *(("flow", name, phase.steps) for (name, _), phase in self.rules.phases.items()),
            *(("moves", name, move.then) for name, move in self.rules.moves.items()),
            *(("whenever", name, entry.do) for name, entry in self.rules.whenever.items()),
        ]
        return {path: one for section, name, steps in every for path, one in _below(tuple(steps), (section, name))}


def _all(make: Callable[[str], str]) -> Texts:
    """In all languages, or not at all."""
    found = texts_of(make)
    return found if all(text for _, text in found) else ()


def _sentence(found: tuple[Line, ...], voice: Voice) -> str:
    """Steps one after the other; nothing of what would be long."""
    text = " ".join(told for line in found if (told := _flat(line, voice)))
    return text if len(text) <= MOST_OF_STEP else ""


def _flat(line: Line, voice: Voice) -> str:
    """A step and those in it; of a phase that is gone through there its name."""
    phase = [sentence(quoted(voice.label("phases", line.phase), voice.lang)) + "."] if line.phase else []
    inside = " ".join([*phase, *(told for inner in line.inside if (told := _flat(inner, voice)))])
    text = line.text.rstrip(_SPACES)
    if not inside or not text:
        return inside or text.rstrip(_SPACES + ":")
    return f"{line.text} {within(inside) if text.endswith(':') else inside}"


def _below(steps: tuple[Step, ...], path: KeyPath) -> Iterator[tuple[KeyPath, Step]]:
    for step in steps:
        yield (*path, step.name), step
        for inner in inner_lists(step):
            yield from _below(inner, (*path, step.name))


def _placed(formulas: Iterable[Expr]) -> dict[_Place, list[Expr]]:
    found: dict[_Place, list[Expr]] = {}
    for one in formulas:
        found.setdefault(_place(one.span), []).append(one)
    return found


def _place(span: Span) -> _Place:
    """Where the text begins and ends, without quotes."""
    text = span.text
    quotes = int(len(text) > 1 and text[0] == text[-1] and text[0] in "\"'")
    return span.source.name, span.start + quotes, span.end - quotes
