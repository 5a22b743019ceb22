"""What every reader of a section needs: entries, formulas, constants, names, kinds, words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from hoyle.checking.entries import entries
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.world import Called, Scope, World, called, unknown
from hoyle.diagnostics import Refused, Said, Span
from hoyle.language.evaluate import Setting, evaluate, everything, static
from hoyle.language.ir import NO_NUMBER, Expr, Range, Var
from hoyle.language.kinds import BOOL, PAIR, PLAYER, TEXT, UNKNOWN, Choice, Kind, Piece, Row, number
from hoyle.language.model import Words
from hoyle.language.sentences import FALLBACK, in_figures, said
from hoyle.language.syntax import Form, is_identifier, usable
from hoyle.language.vocabulary import NAMES, WORDS
from hoyle.reading import parse
from hoyle.reading.tree import Node, texts_of

Values = dict[str, Any]
FARTHEST = -NO_NUMBER - 1
"""What state may hold: what 32 bits do, so that none of it can be what stands for no number."""


class Reader:
    """Reads one merged tree into a World."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker, values: Values) -> None:
        self.root, self.world, self.checker, self.values = root, world, checker, values
        self._declared: dict[str, Node] = {}

    def entries(self, section: str) -> list[tuple[str, Node, Node]]:
        return entries(self.root, section)

    def formula(self, node: Node) -> Form | None:
        try:
            return parse.formula(node)
        except Refused as refused:
            self.world.problems.extend(refused.diagnostics)
            return None

    def constant(self, node: Node, kind: Kind, default: Any, what: Called, scope: Scope | None = None) -> Any:
        """The value of a formula that may use only options and tables."""
        form = self.formula(node)
        if form is None:
            return default
        found = self.checker.need(form, scope or Scope(), kind, present=True, what=what)
        return default if found.kind.optional else self.value(found, default, what)

    def number_of(self, name: str, node: Node, key: str, default: int) -> int:
        """The constant under a key of an entry, or the default where it is left out. Where it cannot be told, the entry is doubtful."""
        given = node.get(key)
        found = default if given is None else self.constant(given, number(0, 0), None, f"`{key}`")
        if found is None:
            self.world.doubtful.add(name)
        return default if found is None else int(found)

    def value(self, found: Expr, default: Any, what: Called, names: dict[Var, Any] | None = None) -> Any:
        if any(part.kind.name == "unknown" for part in everything(found)):
            return default
        if not static(found):
            self.world.problems.add(
                "R408", said("reader.constant", what=called(what)), found.span, help=said("reader.may_use")
            )
            return default
        return evaluate(found, self.setting(), names or {})

    def setting(self) -> Setting:
        return Setting(self.world.attributes.by_name, SEATS=len(self.world.seats))

    def a_kind(self, name: str, key: Node) -> None:
        """What is a kind itself may not take a built-in one's name."""
        if name in self._simple:
            self.world.problems.add(
                "R309", said("reader.built_in_kind", name=name), key.span, help=said("another_name")
            )

    def declare(self, name: str, key: Node, called: bool = False) -> None:
        """One name space: no entry may take another's name or a built-in word's; words that are calls are in the way of terms only."""
        problems = self.world.problems
        if not is_identifier(name):
            problems.add(
                "R310",
                said("formula.no_name", name=name),
                key.span,
                help=usable(name),
            )
        elif name in NAMES or (called and name in WORDS):
            problems.add("R309", said("reader.built_in_word", name=name), key.span, help=said("another_name"))
        elif name in self._declared:
            shared = said("reader.one_name_space")
            self.twice(name, key, self._declared[name], shared)
        if name in self._declared or name in NAMES:
            self.world.doubtful.add(name)
        self._declared.setdefault(name, key)

    def twice(self, name: str, key: Node, first: Node, help: Said) -> None:
        """Told at the file itself, not at what it is built on."""
        if not key.span.shares_file(self.root.span) and first.span.shares_file(self.root.span):
            key, first = first, key
        self.world.problems.add(
            "R309",
            said("reader.declared_twice", name=name),
            key.span,
            related=[(first.span, said("also_here"))],
            help=help,
        )

    def at_least_one(self, number: int, key: str, node: Node) -> None:
        if number < 1 and node.get(key):
            message = said("reader.at_least_one", key=key, number=number)
            self.world.problems.add("R421", message, node[key].span)

    def within(self, size: int, most: int, what: str, span: Span) -> bool:
        """Is that few enough for a game? If not, it is told, by the sentence `what` of `so_many`."""
        if size > most:
            shown = in_figures(size) if size < 10**12 else said("huge")
            note = said("unfolded.may_have", most=in_figures(most))
            self.world.problems.add("R419", said(f"so_many.{what}", shown=shown), span, notes=[note])
        return size <= most

    def bounds(self, node: Node, most: int = FARTHEST) -> tuple[int, int]:
        """The ends of a range as written; `most`: the greatest that is allowed."""
        form = self.formula(node)
        if form is None:
            return 0, 0
        found = self.checker.check(form, Scope())
        if not isinstance(found, Range):
            self.world.problems.add("R409", said("reader.range_written"), node.span)
            return 0, 0
        low, high = (self.value(a, 0, partial(said, "reader.a_bound")) for a in found.args)
        if low < -FARTHEST or high > most:
            message = said("reader.range_goes", least=in_figures(-FARTHEST), most=in_figures(most))
            self.world.problems.add("R409", message, node.span)
        if low > high:
            self.world.problems.add("R409", said("reader.empty_range", low=low, high=high), node.span)
            return low, low
        return low, high

    @property
    def _simple(self) -> dict[str, Kind]:
        """Kinds that are words of the language."""
        return {"bool": BOOL, "text": TEXT, "player": PLAYER, "pair": PAIR, "side": self.world.side}

    def kind(self, node: Node) -> Kind:
        """A kind as written: `bool`, `text`, `player`, `pair`, `0..7`, a table's or piece's name, `…?` if it may be absent."""
        raw = node.raw.strip()
        optional, raw = raw.endswith("?"), raw.removesuffix("?").strip()
        simple = self._simple
        if raw in simple:
            return simple[raw].maybe(optional)
        if raw in self.world.tables:
            self.world.used.add(("tables", raw))
            return Row(raw).maybe(optional)
        if raw in self.world.pieces:
            return Piece(of=raw, optional=optional)
        if raw in self.world.options and self.world.options[raw].choices:
            return Choice(raw).maybe(optional)
        if ".." in raw:
            low, high = self.bounds(without_mark(node))
            return number(low, high).maybe(optional)
        known = [*simple, *self.world.tables, *self.world.pieces]
        unknown(self.world, "R311", "kind", raw, known, node.span)
        return UNKNOWN


def without_mark(node: Node) -> Node:
    """`0..4` of `0..4?`: the formula in a kind that may be absent."""
    raw = node.raw.strip()
    if not raw.endswith("?"):
        return node
    raw = raw.removesuffix("?").strip()
    end = node.span.end if node.style else node.span.start + len(raw)
    return replace(node, raw=raw, span=replace(node.span, end=end))


def choice_words(option: Node, choices: Iterable[str]) -> tuple[Words, ...]:
    """What the choices of an option are called, in their order."""
    given = option.get("words")
    own = given.pairs if given is not None else {}
    return tuple(words_of(own[c][1], c) if c in own else {FALLBACK: c.replace("_", " ")} for c in choices)


def words_of(node: Node, name: str) -> Words:
    """The name of an entry in each language; its own name where it gives none."""
    return {FALLBACK: name.replace("_", " "), **texts_of(node)}
