"""Parsed of entries, which all sections share: formulas, constants, types, names of other entries, words.

`SectionReader` declares names in the symbol table; the functions only read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope, Subject, SymbolTable, report_unknown, say_subject
from hoyle.diagnostics import LocalizedText, Refused, Span
from hoyle.language.evaluate import Setting, evaluate, is_static, walk_all
from hoyle.language.ir import NO_NUMBER, Expr, Range, Var
from hoyle.language.model import Rule, Words
from hoyle.language.sentences import FALLBACK, localize_integer, make_message
from hoyle.language.steps import Loop
from hoyle.language.syntax import Form, describe_valid_name, is_identifier
from hoyle.language.value_types import (
    BOOL,
    PAIR,
    PLAYER,
    TEXT,
    UNKNOWN,
    Choice,
    Piece,
    Pile,
    Row,
    ValueType,
    get_item_type,
    make_number_type,
)
from hoyle.language.vocabulary import NAMES, WORDS
from hoyle.reading import parse
from hoyle.reading.tree import Node, list_items, texts_of

MOST_STORED = -NO_NUMBER - 1
"""Greatest number that state may hold. All fit in 32 bits, and none is the number that stands for no number."""


def list_pairs(node: Node | None) -> list[tuple[str, Node, Node]]:
    """List (name, key, value) of a map; nothing if there is no map."""
    return list(node.entries()) if node is not None and node.kind == "map" else []


def list_entries(root: Node, section: str) -> list[tuple[str, Node, Node]]:
    """List (name, key, value) of the entries of a section that are maps."""
    return [entry for entry in list_pairs(root.get(section)) if entry[2].kind == "map"]


def read_rule(symbols: SymbolTable, node: Node, key: Node, what: str) -> Rule:
    """Read the `rule:` of an entry, which every rule must have. `what`: key of the sentence below `no_rule` that reports its absence."""
    rule = node.get("rule")
    if rule is None or rule.kind != "map":
        place = node.place_without(["rule"], key.span)
        symbols.report("R116", f"no_rule.{what}", place, name=key.raw, help=make_message("entries.add_rule"))
        return Rule("")
    return Rule(rule.raw_of("at"), tuple(texts_of(rule).items()))


def parse_optional(symbols: SymbolTable, node: Node | None) -> Form | None:
    """Parse a formula; None if there is none or if it cannot be parsed, which is reported."""
    if node is None or node.kind != "scalar":
        return None
    try:
        return parse.formula(node)
    except Refused as refused:
        symbols.problems.extend(refused.diagnostics)
        return None


def read_loop(checker: FormulaChecker, node: Node | None, scope: Scope) -> tuple[Loop | None, Scope]:
    """Read `for: x in xs where c`, and return it with the scope inside."""
    if node is None:
        return None, scope
    try:
        generator = parse.generator(node)
    except Refused as refused:
        checker.symbols.problems.extend(refused.diagnostics)
        name = re.match(r"[^\W\d]\w*", node.raw)  # binding the name avoids reports that follow from this one
        return None, scope.bind(Var(name[0], UNKNOWN)) if name is not None else scope
    items = checker.check_list(generator.source, scope)
    var = Var(generator.name, get_item_type(items.type))
    inner = scope.bind(var)
    return Loop(var, items, checker.check_condition(generator.where, inner) if generator.where else None), inner


def read_names(symbols: SymbolTable, node: Node | None, what: str, known: Iterable[str]) -> tuple[str, ...]:
    """Read names of moves, obligations, …. Unknown names are reported and left out."""
    names, known = [], list(known)
    for item in list_items(node):
        if item.raw in known:
            names.append(item.raw)
        else:
            report_unknown(symbols, "R307", what, item.raw, known, item.span)
    return tuple(names)


def check_piles_visible(checker: FormulaChecker, piles: Expr) -> None:
    """Report hidden pieces of piles whose pieces decide what is offered."""
    value_type = piles.type.item_type if piles.type.name == "list" else piles.type
    if isinstance(value_type, Pile):
        checker.check_piece_visible(value_type.piece, piles.span)


def require_piles(checker: FormulaChecker, source: Expr, what: str) -> bool:
    """Return whether an expression is a pile or a list of piles, as the key `what` needs; report it if not."""
    value_type = source.type
    fine = value_type.name == "pile" or (value_type.name == "list" and value_type.item_type.name in ("pile", "unknown"))
    if not fine and value_type.name != "unknown":
        help = "entries.any_piece" if what == "take" else ""
        checker.symbols.report("R411", "entries.names_piles", source.span, what=what, help=help)
    return fine


def without_question_mark(node: Node) -> Node:
    """Return the formula in an optional type: `0..4` of `0..4?`."""
    raw = node.raw.strip()
    if not raw.endswith("?"):
        return node
    raw = raw.removesuffix("?").strip()
    end = node.span.end if node.style else node.span.start + len(raw)
    return replace(node, raw=raw, span=replace(node.span, end=end))


def read_choice_words(option: Node, choices: Iterable[str]) -> tuple[Words, ...]:
    """Read what the choices of an option are called, in order."""
    given = option.get("words")
    own = given.pairs if given is not None else {}
    return tuple(read_words(own[c][1], c) if c in own else {FALLBACK: c.replace("_", " ")} for c in choices)


def read_words(node: Node, name: str) -> Words:
    """Read what an entry is called in each language; its name stands in where no word is given."""
    return {FALLBACK: name.replace("_", " "), **texts_of(node)}


class SectionReader:
    """Reads sections of one merged tree into the symbol table."""

    def __init__(self, root: Node, symbols: SymbolTable, checker: FormulaChecker) -> None:
        self.root, self.symbols, self.checker = root, symbols, checker

    def entries(self, section: str) -> list[tuple[str, Node, Node]]:
        return list_entries(self.root, section)

    # ---- constants ---------------------------------------------------------------------------------------------------

    def constant(self, node: Node, value_type: ValueType, default: Any, what: Subject) -> Any:
        """Evaluate a formula that may use only options and tables; the default where that fails."""
        form = parse_optional(self.symbols, node)
        if form is None:
            return default
        expr = self.checker.check_as(form, Scope(), value_type, present=True, what=what)
        return default if expr.type.optional else self.evaluate(expr, default, what)

    def number_of(self, name: str, node: Node, key: str, default: int) -> int:
        """Evaluate the constant under a key of an entry. If that fails, the entry becomes doubtful."""
        given = node.get(key)
        value = default if given is None else self.constant(given, make_number_type(0, 0), None, f"`{key}`")
        if value is None:
            self.symbols.doubtful.add(name)
        return default if value is None else int(value)

    def evaluate(self, expr: Expr, default: Any, what: Subject, names: dict[Var, Any] | None = None) -> Any:
        """Evaluate a checked formula; the default if it is not constant, which is reported."""
        if any(part.type.name == "unknown" for part in walk_all(expr)):
            return default
        if not is_static(expr):
            subject = say_subject(what)
            self.symbols.report("R408", "reader.constant", expr.span, what=subject, help="reader.may_use")
            return default
        return evaluate(expr, self.setting(), names or {})

    def setting(self) -> Setting:
        return Setting(self.symbols.attributes.by_name, SEATS=len(self.symbols.seats))

    def bounds(self, node: Node, most: int = MOST_STORED) -> tuple[int, int]:
        """Evaluate the ends of a range. `most`: the greatest number allowed."""
        form = parse_optional(self.symbols, node)
        if form is None:
            return 0, 0
        expr = self.checker.check(form, Scope())
        if not isinstance(expr, Range):
            self.symbols.report("R409", "reader.range_written", node.span)
            return 0, 0
        low, high = (self.evaluate(end, 0, partial(make_message, "reader.a_bound")) for end in expr.args)
        if low < -MOST_STORED or high > most:
            least, greatest = localize_integer(-MOST_STORED), localize_integer(most)
            self.symbols.report("R409", "reader.range_goes", node.span, least=least, most=greatest)
        if low > high:
            self.symbols.report("R409", "reader.empty_range", node.span, low=low, high=high)
            return low, low
        return low, high

    def require_positive(self, number: int, key: str, node: Node) -> None:
        if number < 1 and node.get(key):
            self.symbols.report("R421", "reader.at_least_one", node[key].span, key=key, number=number)

    def is_within(self, size: int, most: int, what: str, span: Span) -> bool:
        """Return whether a size is within its limit. If not, it is reported by the sentence `what` of `so_many`."""
        if size > most:
            shown = localize_integer(size) if size < 10**12 else make_message("huge")
            most_shown = localize_integer(most)
            self.symbols.report("R419", f"so_many.{what}", span, shown=shown, most=most_shown, note="unfolded.may_have")
        return size <= most

    # ---- names and types ---------------------------------------------------------------------------------------------

    def declare(self, name: str, key: Node, called: bool = False) -> None:
        """Declare a name. All entries share one name space with the built-in names, and terms (`called`) with the built-in words."""
        declared = self.symbols.declared
        if not is_identifier(name):
            self.symbols.report("R310", "formula.no_name", key.span, name=name, help=describe_valid_name(name))
        elif name in NAMES or (called and name in WORDS):
            self.symbols.report("R309", "reader.built_in_word", key.span, name=name, help="another_name")
        elif name in declared:
            self.report_twice(name, key, declared[name], make_message("reader.one_name_space"))
        if name in declared or name in NAMES:
            self.symbols.doubtful.add(name)
        declared.setdefault(name, key)

    def declare_type(self, name: str, key: Node) -> None:
        """Refuse the name of a built-in type for an entry that is a type itself."""
        if name in self._simple_types:
            self.symbols.report("R309", "reader.built_in_kind", key.span, name=name, help="another_name")

    def report_twice(self, name: str, key: Node, first: Node, help: LocalizedText) -> None:
        """Report a double declaration, preferably in the file itself."""
        if not key.span.shares_file(self.root.span) and first.span.shares_file(self.root.span):
            key, first = first, key
        related = [(first.span, make_message("also_here"))]
        self.symbols.report("R309", "reader.declared_twice", key.span, name=name, related=related, help=help)

    @property
    def _simple_types(self) -> dict[str, ValueType]:
        return {"bool": BOOL, "text": TEXT, "player": PLAYER, "pair": PAIR, "side": self.symbols.side}

    def read_type(self, node: Node) -> ValueType:
        """Read a type: `bool`, `text`, `player`, `pair`, `0..7`, the name of a table, piece or option; `…?` if it may be absent."""
        raw = node.raw.strip()
        optional, raw = raw.endswith("?"), raw.removesuffix("?").strip()
        simple = self._simple_types
        if raw in simple:
            return simple[raw].with_optional(optional)
        if raw in self.symbols.tables:
            self.symbols.used.add(("tables", raw))
            return Row(raw).with_optional(optional)
        if raw in self.symbols.pieces:
            return Piece(of=raw, optional=optional)
        if raw in self.symbols.options and self.symbols.options[raw].choices:
            return Choice(raw).with_optional(optional)
        if ".." in raw:
            return make_number_type(*self.bounds(without_question_mark(node))).with_optional(optional)
        known = [*simple, *self.symbols.tables, *self.symbols.pieces]
        report_unknown(self.symbols, "R311", "kind", raw, known, node.span)
        return UNKNOWN
