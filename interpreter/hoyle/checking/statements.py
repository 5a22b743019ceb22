"""What a ruleset states to people: what its options settle is put into its sentences, and clauses that hold only under other options are
left out, wherever they are cited too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from hoyle.checking.clauses import out_of_play
from hoyle.checking.entries import optional_form
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.phrases import fits, formula_in, unreadable
from hoyle.checking.reader import Reader, choice_words, words_of
from hoyle.checking.world import Scope, World
from hoyle.diagnostics import Problems, Refused
from hoyle.language.ir import Expr
from hoyle.language.kinds import Choice, Row, describe
from hoyle.language.model import Words
from hoyle.language.phrases import Blank, Unreadable, filled_in, phrase_of
from hoyle.language.sentences import FALLBACK, form_for, integer, said
from hoyle.language.syntax import Form
from hoyle.reading import parse
from hoyle.reading.tree import Node, is_text_key, language_of_key

_UNTOLD = ("examples", "display", "in_words")
"""Sections where `at` is no citation, and where nothing is put into texts."""
_STATING = ("summary", "options", "constraints", "moves", "obligations", "flow", "whenever", "clauses", "glossary")
"""Sections with sentences; what other sections say is only what things are called."""
_LABELS = ("as", "say")
"""Keys of texts that are told in a game: what stands in their places is known only then."""


class Statements(Reader):
    """Reads the sentences of one merged tree, whose options, tables and terms are known."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        super().__init__(root, world, checker, {})
        self._known: dict[tuple[int, int], Node] = {}
        rows = {name: table.rows for name, table in world.tables.items()}
        self.left_out = frozenset(self._not_in_force()).union(out_of_play(root, rows))
        """The clauses that do not hold under these options, and those that nothing in play carries out."""

    def read(self) -> Node:
        """The tree as it is told under these options. What is wrong with a sentence is reported, and it stays as it is written."""
        pairs = dict(self.root.pairs)
        if "options" in pairs:
            pairs["options"] = (pairs["options"][0], self._options(pairs["options"][1]))
        for name in [name for name in pairs if name not in _UNTOLD] if self.left_out else _STATING:
            if name in pairs and name != "options":
                pairs[name] = (pairs[name][0], self._told(pairs[name][1], (name,)))
        return replace(self.root, pairs=pairs)

    def _not_in_force(self) -> Iterator[str]:
        for name, _, node in self.entries("clauses"):
            form = optional_form(self.world, node.get("if"))
            if form is not None:
                found = self.checker.condition(form, Scope())
                if not self.value(found, True, partial(said, "statements.the_condition", name=name)):
                    yield name

    def _options(self, section: Node) -> Node:
        """First of all, since other sentences may say what their choices are called."""
        told = self._told(section, ("options",))
        for name, _, node in told.entries() if told is not section else ():
            option = self.world.options.get(name)
            if option is not None:
                option.words = words_of(node, name)
                option.choice_words = choice_words(node, option.choices)
        return told

    def _told(self, node: Node, path: tuple[str, ...]) -> Node:
        if node.kind == "list":
            items = [self._told(item, path) for item in node.items]
            same = all(new is old for new, old in zip(items, node.items, strict=True))
            return node if same else replace(node, items=items)
        changed = dict[str, tuple[Node, Node]]()
        for name, (key, value) in node.pairs.items():
            told = self._value(name, value, path)
            if told is not value:
                changed[name] = (key, told)
        return replace(node, pairs={**node.pairs, **changed}) if changed else node

    def _value(self, name: str, value: Node, path: tuple[str, ...]) -> Node:
        if value.kind != "scalar":
            return value if _is_label(name, value) else self._told(value, (*path, name))
        if name == "at":
            return self._cited(value)
        if _is_sentence(name, value, path):
            place = id(value.span.source), value.span.start
            if place not in self._known:  # what is `like` something says the same
                self._known[place] = self._sentence(value, language_of_key(name), path[0] == "options")
            return self._known[place]
        return value

    def _cited(self, at: Node) -> Node:
        """The citation without clauses that do not hold."""
        if not self.left_out.intersection(at.raw.split()):
            return at
        left = " ".join(word for word in at.raw.split() if word not in self.left_out)
        return replace(at, raw=left, value=left, written=at.raw)

    # ---- sentences ---------------------------------------------------------------------------------------------------

    def _sentence(self, text: Node, lang: str, of_option: bool) -> Node:
        forms = places(text, self.world.problems)
        words = [self._words(blank, form, lang, of_option) for blank, form in forms or ()]
        if forms is None or None in words:
            return text
        left = iter(words)
        told = filled_in(phrase_of(text.raw, formulas=True), lambda _: next(left) or "")
        return replace(text, raw=told, value=told, written=text.raw)

    def _words(self, blank: Blank, form: Form, lang: str, of_option: bool) -> str | None:
        """What is put in its place; None if that is nothing, which is reported."""
        found = self.checker.check(form, Scope())
        found = self.checker.fit(found, found.kind.maybe(False), present=True)
        before = len(self.world.problems)
        fits(self.checker, blank, found, form.span)
        if len(self.world.problems) > before or not self._sayable(found, blank, of_option):
            return None
        value = self.value(found, None, partial(said, "statements.put_in"))
        return None if value is None else self._said(found, value, blank, lang)

    def _sayable(self, found: Expr, blank: Blank, of_option: bool) -> bool:
        """Can it be said in words? What choices are called is said after that is known."""
        kinds = ("number",) if of_option else ("number", "choice", "row")
        fine = blank.forms is not None or found.kind.name in (*kinds, "unknown")
        if not fine:
            wanted = said("shape.a_number") if of_option else said("statements.sayable")
            message = said("must_stand", what=wanted, found=describe(found.kind))
            self.world.problems.add("R401", message, found.span)
        return fine

    def _said(self, found: Expr, value: Any, blank: Blank, lang: str) -> str:
        if blank.forms is not None:
            if found.kind.name == "bool":
                return blank.forms[0] if value else blank.forms[1]
            return form_for(len(value) if isinstance(value, list | tuple) else value, blank.forms, lang)
        match found.kind:
            case Choice(option=option):
                return _in(self.world.options[option].choice_words[value], lang)
            case Row(table=table):
                own = self.world.tables[table]
                return _in(own.words[own.rows[value]], lang)
        return integer(value, lang)


def check_sentences(node: Node, problems: Problems, path: tuple[str, ...] = ()) -> None:
    """Tells which places of sentences cannot be read, of a tree of which no more is known."""
    for name, _, value in node.entries():
        if _is_sentence(name, value, path):
            places(value, problems)
        elif value.kind == "map" and not _is_label(name, value) and (path or name in _STATING):
            check_sentences(value, problems, (*path, name))


def _is_label(name: str, node: Node) -> bool:
    return name in _LABELS and node.kind == "map" and all(map(is_text_key, node.pairs))


def _is_sentence(name: str, node: Node, path: tuple[str, ...]) -> bool:
    """Is it a text with places that says the same all through a game? What a move is called says what it is bound to."""
    braces = "{" in node.raw or "}" in node.raw
    said = braces and node.kind == "scalar" and is_text_key(name)
    return said and path[:1] != () and path[0] in _STATING and not (path[0] == "moves" and len(path) == 2)


def _in(words: Words, lang: str) -> str:
    return words.get(lang) or words[FALLBACK]


def places(text: Node, problems: Problems) -> list[tuple[Blank, Form]] | None:
    """The places of a sentence with their formulas, in order; None if one cannot be read, which is reported."""
    try:
        blanks = [part for part in phrase_of(text.raw, formulas=True) if isinstance(part, Blank)]
    except Unreadable as error:
        unreadable(problems, text, *error.args)
        return None
    found, at = list[tuple[Blank, Form]](), 0
    for blank in blanks:
        node, at = formula_in(text, blank, at)
        try:
            found.append((blank, parse.formula(node)))
        except Refused as refused:
            problems.extend(refused.diagnostics)
    return found if len(found) == len(blanks) else None
