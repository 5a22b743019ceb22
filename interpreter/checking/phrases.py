"""Texts with places: what stands in each place is something that can be named there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.world import Scope, unknown
from interpreter.diagnostics import Refused, Span
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import describe
from interpreter.language.phrases import Blank, Phrase, Telling, Unreadable, blanks, phrase_of
from interpreter.language.sentences import FALLBACK, typeset
from interpreter.reading import parse
from interpreter.reading.tree import Node, text_nodes

Known = Callable[[str, Span], bool]
"""May this name stand in a place? If not, it is told."""


def telling_of(
    checker: FormulaChecker,
    node: Node,
    scope: Scope,
    known: Known | None = None,
    given: Mapping[str, Expr] | None = None,
) -> Telling:
    """What an entry says in each language; what it names is `given`, or looked up in the scope."""
    phrases, values = dict[str, Phrase](), dict[str, Expr]()
    for lang, text in text_nodes(node).items():
        phrases[lang] = _phrase(checker, text, lang)
        for blank, value in _values(checker, text, phrases[lang], scope, known, given or {}):
            values.setdefault(blank.name, value)
    return Telling(phrases, values)


def telling_of_move(
    checker: FormulaChecker, node: Node, name: str, scope: Scope, bindings: Sequence[Var | None]
) -> Telling:
    """What a move says of its bindings; its name where it says nothing."""
    known = [var.name for var in bindings if var is not None]

    def is_bound(named: str, span: Span) -> bool:
        if named not in known:
            unknown(checker.world, "R312", f"binding of `{name}`:", named, known, span)
        return named in known

    found = telling_of(checker, node, scope, is_bound)
    return Telling({FALLBACK: (name.replace("_", " "),), **found.phrases}, found.values)


def _phrase(checker: FormulaChecker, text: Node, lang: str) -> Phrase:
    try:
        return phrase_of(typeset(text.raw, lang))
    except Unreadable as error:
        wrong, at = error.args
        message = f"`{wrong}` is no place in a text"
        help = "write `{name}`, or `{name:one|many}` for what depends on a number; a brace that people read is written twice"
        checker.world.problems.add("R208", message, _within(text, at, len(wrong)), help=help)
        return (text.raw,)


def _values(
    checker: FormulaChecker, text: Node, phrase: Phrase, scope: Scope, known: Known | None, given: Mapping[str, Expr]
) -> Iterator[tuple[Blank, Expr]]:
    for blank in blanks(phrase):
        span = _named(text, blank)
        if known is not None and not known(blank.name.partition(".")[0], span):
            continue
        try:
            form = parse.formula(Node("scalar", span, blank.name, blank.name))
            value = given[blank.name] if blank.name in given else checker.check(form, scope)
        except Refused as refused:
            checker.world.problems.extend(refused.diagnostics)
            continue
        if blank.forms is not None and value.kind.name not in ("number", "list", "unknown"):
            message = f"here must stand a number or a list, and this is {describe(value.kind)}"
            checker.world.problems.add("R401", message, span)
        yield blank, value


def _named(text: Node, blank: Blank) -> Span:
    """Where a place names what stands in it."""
    at = re.search(rf"\{{{re.escape(blank.name)}[:}}]", text.raw)
    return _within(text, at.start() + 1 if at else 0, len(blank.name))


def _within(text: Node, at: int, length: int) -> Span:
    """Where a part of a text stands in the file; the whole text where YAML writes it otherwise."""
    first = text.span.text.find(text.raw)
    start = text.span.start + first + at
    return Span(text.span.source, start, start + length) if first >= 0 else text.span
