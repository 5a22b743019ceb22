"""Word the formulas, cells and steps of one side, found by their places in the files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from hoyle.checking.analysis import list_formulas
from hoyle.diagnostics import Span
from hoyle.differences.name_mapping import KeyPath
from hoyle.language.evaluate import simplify
from hoyle.language.ir import NO_NUMBER, Const, Expr, Instance, Neg
from hoyle.language.model import Ruleset, Texts, texts_of
from hoyle.language.sentences import FALLBACK, LANGUAGES, fill_sentence, load_catalogue
from hoyle.language.steps import Step, inner_lists
from hoyle.prose.conditions import describe_formula, describe_with_tables, make_voice, read_headings
from hoyle.prose.grammar import add_a, capitalize, quote, smooth
from hoyle.prose.step_sentences import Line, describe_steps, uncapitalize
from hoyle.prose.voice import Voice, find_noun
from hoyle.reading.tree import Node

_HERE = Path(__file__).parent


def say(sentence: str, lang: str, /, **values: object) -> str:
    """Fill a sentence of this room (`en.json`, `fr.json`)."""
    return fill_sentence(load_catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[sentence], lang, values)


def has_sentence(sentence: str, lang: str) -> bool:
    """Return whether there is a sentence with this key."""
    return sentence in load_catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)


def key_word(key: str, lang: str) -> str:
    """Return the meaning of a key of rulesets, or an empty text for an author's name."""
    return say(f"key.{key}", lang) if has_sentence(f"key.{key}", lang) else ""


def join_words(parts: Sequence[str], lang: str) -> str:
    return say("and", lang).join(part for part in parts if part)


def capitalise(text: str) -> str:
    """Capitalise a sentence, behind an opening quote or bracket."""
    return re.sub(r"^([“«(\s]*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1)


LONGEST = 320
"""Most characters of a formula in words."""
MOST_OF_STEP = 420
"""Most characters of a step with its inner steps."""
_SPACES = " \u00a0\u202f"
_Place = tuple[str, int, int]


class Words:
    """Words of a ruleset's formulas and steps."""

    def __init__(self, rules: Ruleset, root: Node) -> None:
        self.rules, self.root = rules, root
        self._voices: dict[str, Voice] = {}

    def voice(self, lang: str) -> Voice:
        if lang not in self._voices:
            self._voices[lang] = make_voice(self.rules, lang, read_headings(self.root))
        return self._voices[lang]

    def of_formula(self, span: Span) -> Texts:
        """Word the formula at a place in each language; empty if it is none or too long."""
        found = self.formulas.get(_text_range(span))
        return self.of_expr(found) if found is not None else ()

    def of_expr(self, expr: Expr) -> Texts:
        """Word a value or condition, with terms written out if that is short enough."""
        return _in_all_languages(
            lambda lang: (
                describe_formula(expr, self.voice(lang), LONGEST)
                or describe_with_tables(expr, self.voice(lang), LONGEST)
            )
        )

    def of_cell(self, table: str, row: str, column: str) -> Texts:
        """Return a constant cell in words."""
        found = self.rules.tables[table].columns.get(column)
        if found is None or found.constants is None:
            return ()
        value = found.constants[self.rules.tables[table].rows.index(row)]
        if isinstance(value, str):
            return texts_of(lambda lang: value)
        known = Const(found.type, self.root.span, int(value))
        if value == NO_NUMBER:
            return ()
        if found.type.name == "bool":
            return texts_of(lambda lang: say("yes" if value else "no", lang))
        return texts_of(lambda lang: self.voice(lang).of(known))

    def of_column(self, table: str, column: str) -> Texts:
        known = read_headings(self.root).get(f"{table}.{column}", {})
        return tuple(known.items())

    def of_term(self, name: str) -> Texts:
        """Return the ruleset's words for a term, or nothing."""
        found = next((one for one in self.rules.instances.values() if one.name == name), None)
        if found is None:
            return ()
        return texts_of(lambda lang: self._term(found, lang))

    def _term(self, found: Instance, lang: str) -> str:
        voice = self.voice(lang)
        names = [add_a(find_noun(var.type, voice), lang) for var in found.parameters]
        text = voice.tables.get(found.name, {}).get(lang, "")
        return smooth(re.sub(r"\{(\d+)\}", lambda place: names[int(place[1])], text), lang)

    def of_step(self, path: KeyPath) -> Texts:
        """Word a step with its inner steps. The path is section, entry and names of steps."""
        step = self.steps.get(path)
        return (
            _in_all_languages(lambda lang: _join_steps(describe_steps((step,), self.voice(lang)), self.voice(lang)))
            if step is not None
            else ()
        )

    def is_idle(self, path: KeyPath) -> bool:
        """Return whether a step does nothing visible under the options."""
        step = self.steps.get(path)
        return step is not None and not describe_steps((step,), self.voice(FALLBACK))

    def of_phase(self, name: str) -> Texts:
        phase = next((phase for (own, _), phase in self.rules.phases.items() if own == name), None)
        return (
            _in_all_languages(lambda lang: _join_steps(describe_steps(phase.steps, self.voice(lang)), self.voice(lang)))
            if phase is not None
            else ()
        )

    def of_result(self, key: str) -> Texts:
        """Word how the game is won, or its stake."""
        result = self.rules.result
        others = {"won": result.won, "stake": result.stake, "score": result.score}
        known = result.best if key == "best" else [one for one in (others.get(key),) if one is not None]
        return (
            _in_all_languages(lambda lang: " ".join(self._won(key, n, one, lang) for n, one in enumerate(known)))
            if known
            else ()
        )

    def _won(self, key: str, number: int, expr: Expr, lang: str) -> str:
        voice = self.voice(lang)
        least = key == "best" and isinstance(expr, Neg)
        plain = describe_formula(expr.value if least and isinstance(expr, Neg) else expr, self._of_side(voice), LONGEST)
        if not plain:
            return ""
        form = f"{'next_' * (number > 0)}{'least' if least else 'best'}" if key == "best" else key
        return voice.say(f"end.{form}", **{"condition" if key == "won" else "value": plain})

    def _of_side(self, voice: Voice) -> Voice:
        return voice.calling(self.rules.result.p, voice.say("value.me"))

    def constant(self, span: Span) -> int | None:
        """Return the value of a formula that is constant under the options."""
        found = self.formulas.get(_text_range(span))
        if found is None or found.type.name not in ("number", "bool"):
            return None
        known = simplify(found, self.rules.attributes.by_name)
        return int(known.value) if isinstance(known, Const) else None

    def meant(self, span: Span) -> list[Expr]:
        """Return the checked formulas written at a place, one for each kind it is used with."""
        return self._every.get(_text_range(span), [])

    @cached_property
    def formulas(self) -> dict[_Place, Expr]:
        called = (instance.body for instance in self.rules.instances.values())
        return {place: found[0] for place, found in _placed((*list_formulas(self.rules), *called)).items()}

    @cached_property
    def _every(self) -> dict[_Place, list[Expr]]:
        """Checked formulas by place: of play, constraints and display."""
        called = (instance.body for instance in self.rules.instances.values())
        judging = (constraint.expr for constraint in self.rules.constraints.values())
        return _placed((*list_formulas(self.rules), *called, *judging, *self.rules.display.formulas))

    @cached_property
    def steps(self) -> dict[KeyPath, Step]:
        """Steps of phases, moves and `whenever` entries, by path."""
        every = [
            *(("flow", name, phase.steps) for (name, _), phase in self.rules.phases.items()),
            *(("moves", name, move.then) for name, move in self.rules.moves.items()),
            *(("whenever", name, entry.do) for name, entry in self.rules.whenever.items()),
        ]
        return {path: one for section, name, steps in every for path, one in _below(tuple(steps), (section, name))}


def _in_all_languages(make: Callable[[str], str]) -> Texts:
    """Make a text in all languages, or none if one is empty."""
    found = texts_of(make)
    return found if all(text for _, text in found) else ()


def _join_steps(found: tuple[Line, ...], voice: Voice) -> str:
    """Join steps; empty if that is too long."""
    text = " ".join(told for line in found if (told := _word_step(line, voice)))
    return text if len(text) <= MOST_OF_STEP else ""


def _word_step(line: Line, voice: Voice) -> str:
    """Word a step and its inner steps; of a phase, its name."""
    phase = [capitalize(quote(voice.label("phases", line.phase), voice.lang)) + "."] if line.phase else []
    inside = " ".join([*phase, *(told for inner in line.inside if (told := _word_step(inner, voice)))])
    text = line.text.rstrip(_SPACES)
    if not inside or not text:
        return inside or text.rstrip(_SPACES + ":")
    return f"{line.text} {uncapitalize(inside) if text.endswith(':') else inside}"


def _below(steps: tuple[Step, ...], path: KeyPath) -> Iterator[tuple[KeyPath, Step]]:
    for step in steps:
        yield (*path, step.name), step
        for inner in inner_lists(step):
            yield from _below(inner, (*path, step.name))


def _placed(formulas: Iterable[Expr]) -> dict[_Place, list[Expr]]:
    found: dict[_Place, list[Expr]] = {}
    for one in formulas:
        found.setdefault(_text_range(one.span), []).append(one)
    return found


def _text_range(span: Span) -> _Place:
    """Return the range of a text without quotes."""
    text = span.text
    quotes = int(len(text) > 1 and text[0] == text[-1] and text[0] in "\"'")
    return span.source.name, span.start + quotes, span.end - quotes
