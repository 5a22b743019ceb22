"""Check texts with places `{…}`, and fill in values that depend on options only.

Texts told during a game keep their places (`Telling`). Sentences about the rules are filled in once (`SentenceFiller`).
Clauses that are not in force are left out, also where they are cited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope, SymbolTable, report_unknown
from hoyle.checking.sections.reader import SectionReader, parse_optional, read_choice_words, read_words
from hoyle.checking.sections.references import find_clauses_out_of_play
from hoyle.diagnostics import Problems, Refused, Span
from hoyle.language.ir import Expr, Var, lets_in
from hoyle.language.model import Words
from hoyle.language.phrases import Blank, Phrase, Telling, Unreadable, blanks, fill_phrase, parse_phrase
from hoyle.language.sentences import FALLBACK, choose_form, format_integer, make_message, typeset
from hoyle.language.syntax import Form
from hoyle.language.value_types import Choice, Row, describe_type
from hoyle.reading import parse
from hoyle.reading.tree import Node, is_text_key, language_of_key, text_nodes, written_text

_PLACE = re.compile(r"\{\{|\{\s*([^{}:|\s](?:[^{}:|]*[^{}:|\s])?)\s*[:}]")
_NEAR = 20
"""Number of braces among which the place of a formula is searched for; limits the time for thousands of them."""
_WITHOUT_SENTENCES = ("examples", "display", "in_words")
"""Sections where `at` is no citation, and whose texts are not filled in."""
_STATING = ("summary", "options", "constraints", "moves", "obligations", "flow", "whenever", "clauses", "glossary")
"""Sections with sentences. Other sections only have names of things."""

IsKnown = Callable[[str, Span], bool]
"""Returns whether a name may stand in a place; reports it if not."""


# ---- texts told in a game --------------------------------------------------------------------------------------------


def read_telling(
    checker: FormulaChecker,
    node: Node,
    scope: Scope,
    known: IsKnown | None = None,
    given: Mapping[str, Expr] | None = None,
) -> Telling:
    """Read the texts of an entry in each language, with the formulas in their places.

    known: restricts the places to certain names; without it, any formula may stand there
    given: values of names besides those in scope
    """
    phrases, values = dict[str, Phrase](), dict[str, Expr]()
    for lang, text in text_nodes(node).items():
        phrases[lang] = _parse_phrase(checker, text, lang, formulas=known is None)
        for blank, value in _check_values(checker, text, phrases[lang], scope, known, given or {}):
            values.setdefault(blank.name, value)
    return Telling(phrases, values)


def read_move_telling(
    checker: FormulaChecker, node: Node, name: str, scope: Scope, names: Sequence[Var | None]
) -> tuple[Telling, Telling | None]:
    """Read the words of a move, which may use its `names`, and its notation `short`, if it has one."""
    bound = [var.name for var in names if var is not None]

    def is_known(named: str, span: Span) -> bool:
        if named not in bound:
            report_unknown(checker.symbols, "R312", "name_in", named, bound, span, of=name)
        return named in bound

    telling = read_telling(checker, node, scope, is_known)
    telling = Telling({FALLBACK: (name.replace("_", " "),), **telling.phrases}, telling.values)
    notation, short = None, node.get("short")
    if short is not None and not short.is_null:
        phrase, text = _parse_phrase(checker, short, FALLBACK), short.raw.strip()
        is_bound = any(var is not None and var.value is None for var in names)
        if "{" not in text and (is_bound or not text):
            message = (
                make_message("phrases.all_written", notation=short.raw)
                if text
                else make_message("phrases.empty_notation")
            )
            checker.symbols.problems.add("R572", message, short.span, help=make_message("phrases.name_bound"))
        values = _check_values(checker, short, phrase, scope, is_known, {})
        notation = Telling({FALLBACK: phrase}, {blank.name: value for blank, value in values})
    for told in (telling, *([notation] if notation is not None else [])):
        _check_lets_visible(checker, told, scope)
    return telling, notation


def _check_lets_visible(checker: FormulaChecker, telling: Telling, scope: Scope) -> None:
    """Report hidden pieces in values of `let`, since players read them before they move."""
    for name, value in telling.values.items():
        if lets_in(value):
            checker.check_lets_of_decision(value)
            with checker.for_decision():
                again = checker.check(parse.formula(Node("scalar", value.span, name, name)), scope)
                checker.check_distinguished(again.type, again.span)


def _parse_phrase(checker: FormulaChecker, text: Node, lang: str, formulas: bool = False) -> Phrase:
    try:
        return parse_phrase(typeset(text.raw, lang), formulas)
    except Unreadable as error:
        report_unreadable(checker.symbols.problems, text, *error.args)
        return (text.raw,)


def report_unreadable(problems: Problems, text: Node, wrong: str, at: int) -> None:
    """Report a brace without a valid place. `at` is its offset in the text."""
    words = re.fullmatch(r"\{(\w+)\s*(,[^{}|]*)\}", wrong)
    help = (
        make_message("phrases.behind_colon", name=words[1], words=words[2]) if words else make_message("phrases.places")
    )
    message = make_message("phrases.no_place", wrong=wrong)
    problems.add("R208", message, text.span_of_slice(at, at + len(wrong)), help=help)


def _check_values(
    checker: FormulaChecker, text: Node, phrase: Phrase, scope: Scope, known: IsKnown | None, given: Mapping[str, Expr]
) -> Iterator[tuple[Blank, Expr]]:
    at = 0
    for blank in blanks(phrase):
        node, at = locate_formula(text, blank, at)
        if known is not None and not known(blank.name.partition(".")[0], node.span):
            continue
        try:
            form = parse.formula(node)
        except Refused as refused:
            checker.symbols.problems.extend(refused.diagnostics)
            continue
        value = given[blank.name] if blank.name in given else checker.check(form, scope)
        check_blank(checker, blank, value, node.span)
        yield blank, value


def check_blank(checker: FormulaChecker, blank: Blank, value: Expr, span: Span) -> None:
    """Report a value that cannot stand in a place. `{x:one|many}` takes numbers, lists and truth values, `{x:words}` truth values."""
    kind = value.type.name
    if blank.forms is None:
        if kind == "bool":
            checker.symbols.report("R401", "phrases.read_as", span, name=blank.name, help="phrases.say_true")
        return
    if kind not in (("bool", "unknown") if blank.alone else ("number", "list", "bool", "unknown")):
        wanted = make_message("phrases.truth") if blank.alone else make_message("phrases.counted")
        help = make_message("phrases.takes_two", name=blank.name) if blank.alone and kind == "number" else ""
        checker.symbols.report("R401", "must_stand", span, what=wanted, found=describe_type(value.type), help=help)


def locate_formula(text: Node, blank: Blank, after: int = 0) -> tuple[Node, int]:
    """Find the formula of a place in the file. Also returns the number of braces to skip in the next search."""
    places = islice(_PLACE.finditer(written_text(text), after), _NEAR)
    match = next((place for place in places if place[1] and place[1].split() == blank.name.split()), None)
    if match is None:  # typesetting changed it
        return Node("scalar", text.span, blank.name, blank.name, '"'), after
    style = text.style if text.style in ("'", '"') else ""
    return Node("scalar", text.span_of_slice(*match.span(1)), match[1], match[1], style), match.end(1)


# ---- sentences about the rules ---------------------------------------------------------------------------------------


class SentenceFiller(SectionReader):
    """Fills in the sentences of one merged tree. Its options, tables and terms must be declared.

    left_out  clauses that are not in force under these options, or that nothing in play carries out
    """

    def __init__(self, root: Node, symbols: SymbolTable, checker: FormulaChecker) -> None:
        super().__init__(root, symbols, checker)
        self._known: dict[tuple[int, int], Node] = {}
        rows = {name: table.rows for name, table in symbols.tables.items()}
        self.left_out = frozenset(self._list_not_in_force()).union(find_clauses_out_of_play(root, rows))

    def read(self) -> Node:
        """Return the tree with its sentences filled in. An invalid sentence is reported and stays unchanged."""
        pairs = dict(self.root.pairs)
        if "options" in pairs:
            pairs["options"] = (pairs["options"][0], self._fill_options(pairs["options"][1]))
        for name in [name for name in pairs if name not in _WITHOUT_SENTENCES] if self.left_out else _STATING:
            if name in pairs and name != "options":
                pairs[name] = (pairs[name][0], self._fill(pairs[name][1], (name,)))
        return replace(self.root, pairs=pairs)

    def _list_not_in_force(self) -> Iterator[str]:
        for name, _, node in self.entries("clauses"):
            form = parse_optional(self.symbols, node.get("if"))
            if form is not None:
                condition = self.checker.check_condition(form, Scope())
                if not self.evaluate(condition, True, partial(make_message, "statements.the_condition", name=name)):
                    yield name

    def _fill_options(self, section: Node) -> Node:
        """Fill in options first, since other sentences may use the words of choices."""
        filled = self._fill(section, ("options",))
        for name, _, node in filled.entries() if filled is not section else ():
            option = self.symbols.options.get(name)
            if option is not None:
                option.words = read_words(node, name)
                option.choice_words = read_choice_words(node, option.choices)
        return filled

    def _fill(self, node: Node, path: tuple[str, ...]) -> Node:
        """Fill in the sentences below a node. Returns the same node if nothing changes."""
        if node.kind == "list":
            items = [self._fill(item, path) for item in node.items]
            same = all(new is old for new, old in zip(items, node.items, strict=True))
            return node if same else replace(node, items=items)
        changed = dict[str, tuple[Node, Node]]()
        for name, (key, value) in node.pairs.items():
            filled = self._fill_value(name, value, path)
            if filled is not value:
                changed[name] = (key, filled)
        return replace(node, pairs={**node.pairs, **changed}) if changed else node

    def _fill_value(self, name: str, value: Node, path: tuple[str, ...]) -> Node:
        if value.kind != "scalar":
            return value if _is_label(name, value) else self._fill(value, (*path, name))
        if name == "at":
            kept = " ".join(word for word in value.raw.split() if word not in self.left_out)
            is_kept = self.left_out.isdisjoint(value.raw.split())
            return value if is_kept else replace(value, raw=kept, value=kept, written=value.raw)
        if _is_sentence(name, value, path):
            place = id(value.span.source), value.span.start
            if place not in self._known:  # entries that are `like` each other share sentences
                self._known[place] = self._fill_sentence(value, language_of_key(name), path[0] == "options")
            return self._known[place]
        return value

    def _fill_sentence(self, text: Node, lang: str, of_option: bool) -> Node:
        places = parse_places(text, self.symbols.problems)
        words = [self._evaluate_place(blank, form, lang, of_option) for blank, form in places or ()]
        if places is None or None in words:
            return text
        left = iter(words)
        filled = fill_phrase(parse_phrase(text.raw, formulas=True), lambda _: next(left) or "")
        return replace(text, raw=filled, value=filled, written=text.raw)

    def _evaluate_place(self, blank: Blank, form: Form, lang: str, of_option: bool) -> str | None:
        """Return the text of the value in a place `{…}`. If it has none, report that and return None."""
        expr = self.checker.check(form, Scope())
        expr = self.checker.convert(expr, expr.type.with_optional(False), present=True)
        before = len(self.symbols.problems)
        check_blank(self.checker, blank, expr, form.span)
        if len(self.symbols.problems) > before or not self._has_words(expr, blank, of_option):
            return None
        value = self.evaluate(expr, None, partial(make_message, "statements.put_in"))
        return None if value is None else self._put_in_words(expr, value, blank, lang)

    def _has_words(self, expr: Expr, blank: Blank, of_option: bool) -> bool:
        """Return whether values of this type can be written in words; report it if not.

        In sentences of options, the words of choices are not known yet.
        """
        kinds = ("number",) if of_option else ("number", "choice", "row")
        is_fine = blank.forms is not None or expr.type.name in (*kinds, "unknown")
        if not is_fine:
            wanted = make_message("shape.a_number") if of_option else make_message("statements.sayable")
            self.symbols.report("R401", "must_stand", expr.span, what=wanted, found=describe_type(expr.type))
        return is_fine

    def _put_in_words(self, expr: Expr, value: Any, blank: Blank, lang: str) -> str:
        if blank.forms is not None:
            if expr.type.name == "bool":
                return blank.forms[0] if value else blank.forms[1]
            return choose_form(len(value) if isinstance(value, list | tuple) else value, blank.forms, lang)
        words: Words
        match expr.type:
            case Choice(option=option):
                words = self.symbols.options[option].choice_words[value]
            case Row(table=table):
                own = self.symbols.tables[table]
                words = own.words[own.rows[value]]
            case _:
                return format_integer(value, lang)
        return words.get(lang) or words[FALLBACK]


def check_sentences(node: Node, problems: Problems, path: tuple[str, ...] = ()) -> None:
    """Report the places of sentences that cannot be parsed. The tree need not have been checked."""
    for name, _, value in node.entries():
        if _is_sentence(name, value, path):
            parse_places(value, problems)
        elif value.kind == "map" and not _is_label(name, value) and (path or name in _STATING):
            check_sentences(value, problems, (*path, name))


def _is_label(name: str, node: Node) -> bool:
    """Return whether a map has texts for events in a game. Their places are filled in during the game."""
    return name in ("as", "say") and node.kind == "map" and all(map(is_text_key, node.pairs))


def _is_sentence(name: str, node: Node, path: tuple[str, ...]) -> bool:
    """Return whether a value is a text with places that stays the same all game. Words of moves do not."""
    is_text = node.kind == "scalar" and is_text_key(name) and ("{" in node.raw or "}" in node.raw)
    return is_text and path[:1] != () and path[0] in _STATING and not (path[0] == "moves" and len(path) == 2)


def parse_places(text: Node, problems: Problems) -> list[tuple[Blank, Form]] | None:
    """Parse the places of a sentence in order; None if one cannot be parsed, which is reported."""
    try:
        parts = [part for part in parse_phrase(text.raw, formulas=True) if isinstance(part, Blank)]
    except Unreadable as error:
        report_unreadable(problems, text, *error.args)
        return None
    places, at = list[tuple[Blank, Form]](), 0
    for blank in parts:
        node, at = locate_formula(text, blank, at)
        try:
            places.append((blank, parse.formula(node)))
        except Refused as refused:
            problems.extend(refused.diagnostics)
    return places if len(places) == len(parts) else None
