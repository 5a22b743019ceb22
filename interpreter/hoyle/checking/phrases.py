"""Texts with places: what stands in each place is something that can be named there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.world import Scope, unknown
from hoyle.diagnostics import UNSAID, Problems, Refused, Said, Span
from hoyle.language.ir import Expr, Var, lets_in
from hoyle.language.kinds import describe
from hoyle.language.phrases import Blank, Phrase, Telling, Unreadable, blanks, phrase_of
from hoyle.language.sentences import FALLBACK, said, typeset
from hoyle.reading import parse
from hoyle.reading.tree import Node, text_nodes, written_text

_PLACE = re.compile(r"\{\{|\{\s*([^{}:|\s](?:[^{}:|]*[^{}:|\s])?)\s*[:}]")
_NEAR = 20
"""Among how many braces the place of a formula is looked for, so that thousands of them cost no more than they must."""

Known = Callable[[str, Span], bool]
"""May this name stand in a place? If not, it is told."""


def telling_of(
    checker: FormulaChecker,
    node: Node,
    scope: Scope,
    known: Known | None = None,
    given: Mapping[str, Expr] | None = None,
) -> Telling:
    """What an entry says in each language; what it names is `given`, or looked up in the scope. Where only some names are `known`, no other
    formulas stand in its places."""
    phrases, values = dict[str, Phrase](), dict[str, Expr]()
    for lang, text in text_nodes(node).items():
        phrases[lang] = _phrase(checker, text, lang, formulas=known is None)
        for blank, value in _values(checker, text, phrases[lang], scope, known, given or {}):
            values.setdefault(blank.name, value)
    return Telling(phrases, values)


def telling_of_move(
    checker: FormulaChecker, node: Node, name: str, scope: Scope, names: Sequence[Var | None]
) -> tuple[Telling, Telling | None]:
    """What a move says of what it is bound to and of what `let` gives, its name where it says nothing; and its notation, if it has one."""
    known = _known(checker, name, [var.name for var in names if var is not None])
    found = telling_of(checker, node, scope, known)
    told = Telling({FALLBACK: (name.replace("_", " "),), **found.phrases}, found.values)
    bound = any(var is not None and var.value is None for var in names)
    notation = _notation(checker, node.get("short"), scope, known, bound)
    for telling in (told, *([notation] if notation is not None else [])):
        _seen_by_whoever_moves(checker, telling, scope)
    return told, notation


def _seen_by_whoever_moves(checker: FormulaChecker, telling: Telling, scope: Scope) -> None:
    """What `let` gives is told to whoever makes the move before it is made."""
    for name, value in telling.values.items():
        if lets_in(value):
            checker.decided_by(value)
            with checker.deciding():
                again = checker.check(parse.formula(Node("scalar", value.span, name, name)), scope)
                checker.told_apart(again.kind, again.span)


def _known(checker: FormulaChecker, move: str, names: list[str]) -> Known:
    def is_known(named: str, span: Span) -> bool:
        if named not in names:
            unknown(checker.world, "R312", "name_in", named, names, span, of=move)
        return named in names

    return is_known


def _notation(checker: FormulaChecker, node: Node | None, scope: Scope, known: Known, bound: bool) -> Telling | None:
    """The same in every language. What a move that is `bound` to something has for notation tells what to."""
    if node is None or node.is_null:
        return None
    phrase = _phrase(checker, node, FALLBACK)
    if "{" not in node.raw and (bound or not node.raw.strip()):
        message = said("phrases.all_written", notation=node.raw) if node.raw.strip() else said("phrases.empty_notation")
        help = said("phrases.name_bound")
        checker.world.problems.add("R572", message, node.span, help=help)
    return Telling({FALLBACK: phrase}, {b.name: value for b, value in _values(checker, node, phrase, scope, known, {})})


def _phrase(checker: FormulaChecker, text: Node, lang: str, formulas: bool = False) -> Phrase:
    try:
        return phrase_of(typeset(text.raw, lang), formulas)
    except Unreadable as error:
        unreadable(checker.world.problems, text, *error.args)
        return (text.raw,)


def unreadable(problems: Problems, text: Node, wrong: str, at: int) -> None:
    """Tells of a brace in a text that begins or ends no place."""
    message = said("phrases.no_place", wrong=wrong)
    problems.add("R208", message, text.span_of_slice(at, at + len(wrong)), help=_written(wrong))


def _written(wrong: str) -> Said:
    """How what was meant by a place that is none is written."""
    words = re.fullmatch(r"\{(\w+)\s*(,[^{}|]*)\}", wrong)
    if words:
        return said("phrases.behind_colon", name=words[1], words=words[2])
    return said("phrases.places")


def _values(
    checker: FormulaChecker, text: Node, phrase: Phrase, scope: Scope, known: Known | None, given: Mapping[str, Expr]
) -> Iterator[tuple[Blank, Expr]]:
    at = 0
    for blank in blanks(phrase):
        node, at = formula_in(text, blank, at)
        span = node.span
        if known is not None and not known(blank.name.partition(".")[0], span):
            continue
        try:
            form = parse.formula(node)
            value = given[blank.name] if blank.name in given else checker.check(form, scope)
        except Refused as refused:
            checker.world.problems.extend(refused.diagnostics)
            continue
        fits(checker, blank, value, span)
        yield blank, value


def fits(checker: FormulaChecker, blank: Blank, value: Expr, span: Span) -> None:
    """Tells of a value that cannot stand in a place. Of two forms a number or a list can ask for one; what is true or false also for one alone."""
    kinds = () if blank.forms is None else ("bool",) if blank.alone else ("number", "list", "bool")
    if blank.forms is None and value.kind.name == "bool":
        _needs_words(checker, blank, span)
    if kinds and value.kind.name not in (*kinds, "unknown"):
        wanted = said("phrases.truth") if blank.alone else said("phrases.counted")
        help = said("phrases.takes_two", name=blank.name) if blank.alone and value.kind.name == "number" else UNSAID
        message = said("must_stand", what=wanted, found=describe(value.kind))
        checker.world.problems.add("R401", message, span, help=help)


def _needs_words(checker: FormulaChecker, blank: Blank, span: Span) -> None:
    message = said("phrases.read_as", name=blank.name)
    help = said("phrases.say_true", name=blank.name)
    checker.world.problems.add("R401", message, span, help=help)


def formula_in(text: Node, blank: Blank, after: int = 0) -> tuple[Node, int]:
    """The formula of a place, and where in the text the search for the next one begins."""
    places = islice(_PLACE.finditer(written_text(text), after), _NEAR)
    found = next((place for place in places if place[1] and place[1].split() == blank.name.split()), None)
    if found is None:  # the typography of the language has changed it
        return Node("scalar", text.span, blank.name, blank.name, '"'), after
    style = text.style if text.style in ("'", '"') else ""
    return Node("scalar", text.span_of_slice(*found.span(1)), found[1], found[1], style), found.end(1)
