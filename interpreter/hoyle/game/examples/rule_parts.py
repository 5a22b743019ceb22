"""Parts of a ruleset file that coverage counts: rules, phases, steps, formulas and terms, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.sections.flow import VERBS
from hoyle.diagnostics import Span
from hoyle.language.ir import Expr
from hoyle.language.model import Ruleset
from hoyle.language.steps import Repeat, Step, Turns, every_step
from hoyle.reading.tree import STEPS_INSIDE, Node

Sort = Literal["rule", "phase", "step", "formula", "term"]
_SECTIONS = {"moves": "move", "obligations": "obligation", "whenever": "whenever"}
_WORD = re.compile(r"[^\W\d]\w*")


class Part(Struct, frozen=True):
    """A part of a file.

    span     the whole part
    counted  the formula, or the verb of the step, that is counted
    rule     section and name of a move, obligation or `whenever`
    name     name of a term or phase; path of a step that cites its source
    when     condition of a step
    words    words outside the parts inside it"""

    sort: Sort
    span: Span
    counted: Span
    rule: tuple[str, str] | None = None
    name: str = ""
    words: frozenset[str] = frozenset()
    when: Span | None = None


def list_rule_parts(root: Node, ruleset: Ruleset) -> list[Part]:
    """Return all parts of a file, outer ones first. `root`: the file's own tree."""
    found = [
        *_rule_entries(root),
        *_phase_entries(root),
        *_all_steps(root),
        *_term_entries(root, ruleset),
        *_conditions_in_file(root.span, ruleset),
    ]
    # moves that are like others share their conditions
    own = {(part.span.start, part.span.end): part for part in found}
    parts = sorted(own.values(), key=lambda part: (part.span.start, -part.span.end))
    return [replace(part, words=_words_outside_inner(part, parts[n:])) for n, part in enumerate(parts, 1)]


def _words_outside_inner(part: Part, later: Iterable[Part]) -> frozenset[str]:
    """Return the words of a part without those of the parts inside it."""
    text, done, kept = part.span.source.text, part.span.start, list[str]()
    for inner in takewhile(lambda one: one.span.start < part.span.end, later):
        if inner.span.start >= done:
            kept.append(text[done : inner.span.start])
            done = inner.span.end
    return frozenset(_WORD.findall(" ".join([*kept, text[done : part.span.end]])))


def words_elsewhere(root: Node) -> frozenset[str]:
    """Return the words of the sections in which nothing is counted."""
    counted = {*_SECTIONS, "flow", "terms", "examples"}
    return frozenset(
        word for name, _, value in root.entries() if name not in counted for word in _WORD.findall(value.span.text)
    )


def entry_span(key: Node, value: Node) -> Span:
    """Return the span of an entry without trailing blanks."""
    text = value.span.source.text
    end = max(value.span.end, key.span.end)
    return Span(key.span.source, key.span.start, key.span.start + len(text[key.span.start : end].rstrip()))


def _entries(node: Node | None) -> Iterator[tuple[str, Node, Node]]:
    yield from node.entries() if node is not None and node.kind == "map" else ()


def _rule_entries(root: Node) -> Iterator[Part]:
    for section, name in _SECTIONS.items():
        for entry, key, value in _entries(root.get(section)):
            if value.kind == "map":
                yield Part("rule", entry_span(key, value), key.span, (name, entry))


def _phase_entries(root: Node) -> Iterator[Part]:
    for name, key, value in _entries(root.get("flow")):
        yield Part("phase", entry_span(key, value), key.span, name=name)


def _all_steps(root: Node) -> Iterator[Part]:
    for name, _, phase in _entries(root.get("flow")):
        yield from _steps(phase, (name,))
    for section in ("moves", "whenever"):
        for name, _, rule in _entries(root.get(section)):
            for key in ("then", "do"):
                yield from _steps(rule.get(key) if rule.kind == "map" else None, (name,))


def _steps(node: Node | None, path: tuple[str, ...]) -> Iterator[Part]:
    """Yield the steps of a list, and those inside. `path`: names that lead there."""
    for name, key, value in _entries(node):
        here = path if name in STEPS_INSIDE else (*path, name)
        verbs = [verb for verb in VERBS if value.kind == "map" and value.get(verb) is not None]
        if len(verbs) == 1:
            when = value.get("when")
            part = Part("step", entry_span(key, value), value.key(verbs[0]).span)
            cites = " / ".join(here) if value.raw_of("at") else ""
            yield replace(part, when=when.span if when is not None else None, name=cites)
        yield from _steps(value, here)


def _term_entries(root: Node, ruleset: Ruleset) -> Iterator[Part]:
    for head, key, value in _entries(root.get("terms")):
        name = head.partition("(")[0].strip()
        term = ruleset.terms.get(name)
        if term is not None and term.form.span.lies_in(value.span):  # no other file has replaced it
            yield Part("term", entry_span(key, value), term.form.span, name=name)


def _conditions_in_file(file: Span, ruleset: Ruleset) -> Iterator[Part]:
    """Yield the conditions in a file."""
    for expr in _list_conditions(ruleset):
        if expr.span.shares_file(file):
            yield Part("formula", expr.span, expr.span)


def _list_conditions(ruleset: Ruleset) -> Iterator[Expr]:
    for move in ruleset.moves.values():
        yield from (condition.expr for condition in move.conditions)
        yield from _conditions_of_steps(move.then)
    for obligation in ruleset.obligations.values():
        yield from [obligation.when] if obligation.when is not None else []
    for entry in ruleset.whenever.values():
        yield entry.condition
        yield from _conditions_of_steps(entry.do)
    for phase in ruleset.phases.values():
        yield from _conditions_of_steps(phase.steps)


def _conditions_of_steps(steps: tuple[Step, ...]) -> Iterator[Expr]:
    for step in every_step(steps):
        yield from [step.when] if step.when is not None else []
        verb = step.verb
        if isinstance(verb, Repeat | Turns) and verb.until is not None:
            yield verb.until
        if isinstance(verb, Turns) and verb.skip is not None:
            yield verb.skip
