"""Reasons why a move is legal or not, as data; and the parts of a formula that decide its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from hoyle.diagnostics import LocalizedText
from hoyle.game.compiled import Compiled
from hoyle.language import ir
from hoyle.language.evaluate import Part, is_absent
from hoyle.language.ir import Var
from hoyle.language.model import Rule, Texts, text_in
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, make_message
from hoyle.language.value_types import ValueType
from hoyle.running.state import Core

Line = tuple[int, str, str]
"""Depth, formula and value."""
DEMANDED = "instead"
"""Stands for the formula in a line whose value is a move to make."""


class Reason(Struct, frozen=True):
    """A condition or obligation of a move, and whether it holds.

    sort     `condition` or `obligation`; `decision` if the decision does not offer the move;
             `binding` if the move has nothing to be bound to
    parts    lines of what decides
    words    the pieces or other values of this position that decide
    grounds  the same for people who read no formulas: the values that have names in a language
    """

    name: str
    sort: str
    holds: bool
    rule: Rule
    parts: tuple[Line, ...] = ()
    words: Texts = ()
    grounds: tuple[Texts, ...] = ()

    def text(self, lang: str = "en") -> str:
        """Return the reason in one sentence, with the source of the rule."""
        words = text_in(self.words, lang)
        if self.sort in ("decision", "binding"):
            return words
        return f"{cite_rule(self.rule, lang)} — {words}" if words else cite_rule(self.rule, lang)


class Why(Struct, frozen=True):
    """Answer to "why (not)?". `known` is False if the game has no such move."""

    move: str
    known: bool
    legal: bool
    rule: Rule
    reasons: tuple[Reason, ...]
    nearest: tuple[str, ...]
    texts: Texts = ()

    def text(self, lang: str = "en") -> str:
        """Return the move in words if one is meant, else the question."""
        return text_in(self.texts, lang) or self.move

    @property
    def failing(self) -> Reason | None:
        return next((r for r in self.reasons if not r.holds), None)

    def summary(self, lang: str = "en") -> str:
        """Return what decides in one sentence, with the source of the rule."""
        reason = self.failing
        return reason.text(lang) if reason is not None else cite_rule(self.rule, lang)

    def lines(self) -> Iterator[LocalizedText]:
        """Yield the condition that fails and the values that decide it."""
        reason = self.failing
        if reason is not None and reason.sort in ("condition", "obligation"):
            yield make_message(f"failing.{reason.sort}", name=reason.name)
            for depth, formula, value in reason.parts:
                key = "failing.instead" if formula == DEMANDED else "failing.part"
                yield make_message(key, indent="  " * depth, formula=formula, value=value)


def summarize(why: Why) -> LocalizedText:
    """Return the summary in every language."""
    return LocalizedText(why.summary(), {lang: why.summary(lang) for lang in LANGUAGES})


def cite_rule(rule: Rule, lang: str) -> str:
    """Return the sentence of a rule and its source."""
    return f"{rule.text(lang)} [{rule.at}]" if rule.at else rule.text(lang)


# ---- what decides a formula ------------------------------------------------------------------------------------------

_SETTLED: dict[ir.Quantifier, bool] = {"some": True, "no": False, "every": False}
"""Value of a quantifier that one item has settled."""
_SELF_EVIDENT = ir.Const | ir.Contents | ir.Rows | ir.Pile | ir.Piles
"""Parts whose values say nothing that the formula does not say."""
_CONNECTIVES = ir.And | ir.Or | ir.Not | ir.If


def find_witness(part: Part) -> tuple[Var, Any] | None:
    """Return the item that settled a quantifier, which is the last one evaluated."""
    expr = part.expr
    if isinstance(expr, ir.Quantified) and bool(part.value) == _SETTLED[expr.word] and len(part.parts) > 1:
        return expr.var, list(part.parts[0].value)[len(part.parts) - 2]
    return None


def deciding_parts(part: Part) -> list[Part]:
    """Return the parts that decide a value; none if the formula is its own reason."""
    match part.expr:
        case ir.And():
            return part.parts if part.value else part.parts[-1:]
        case ir.Or():
            return part.parts[-1:] if part.value else part.parts
        case ir.Not() | ir.If():
            return part.parts
        case ir.TermCall() | ir.ColumnCall() | ir.Otherwise() | ir.Local():
            return part.parts[-1:]
        case ir.Quantified():
            return part.parts[-1:] if find_witness(part) is not None else []
    return []


def list_witnesses(part: Part) -> Iterator[tuple[Any, ValueType]]:
    """Yield the items that settled a formula, outermost first, and the greatest or least items if these decide."""
    met, reasons = find_witness(part), deciding_parts(part)
    if met is not None:
        yield met[1], met[0].type
    for reason in reasons:
        yield from list_witnesses(reason)
    for operand in () if reasons else part.parts:
        if isinstance(operand.expr, ir.Chosen) and not is_absent(operand.value, operand.expr.type):
            yield operand.value, operand.expr.type


def trace_decision(game: Compiled, part: Part) -> list[Line]:
    """Return lines from the whole formula to the last reason, each formula once."""
    found: dict[str, Line] = {}
    for line in _trace(game, part, 0):
        found.setdefault(line[1], line)
    return list(found.values())


def _trace(game: Compiled, part: Part, depth: int) -> Iterator[Line]:
    """Skip connectives inside others: the formulas that they connect say enough."""

    def line(part: Part, depth: int) -> Line:
        return depth, " ".join(part.expr.span.text.split()), game.namer.localize_value(part.value, part.expr.type)

    # `is not empty` is one question, though it is compiled as the negation of another
    negated = isinstance(part.expr, ir.Not) and part.parts[0].expr.span == part.expr.span
    asked = part.parts[0] if negated else part
    if depth and isinstance(part.expr, _CONNECTIVES) and asked is part:
        for reason in deciding_parts(part):
            yield from _trace(game, reason, depth)
        return
    yield line(part, depth)
    met, reasons = find_witness(asked), deciding_parts(asked)
    if met is not None:
        yield depth + 1, met[0].name, game.namer.localize_value(met[1], met[0].type)
    elif not reasons or isinstance(asked.expr, ir.TermCall):
        operands = asked.parts[:-1] if reasons else asked.parts
        yield from (line(operand, depth + 1) for operand in operands if _is_informative(operand.expr))
    for reason in reasons:
        yield from _trace(game, reason, depth + 1)


def _is_informative(expr: ir.Expr) -> bool:
    """Return whether the value of a formula says more than the formula does."""
    return bool(expr.args) if isinstance(expr, ir.Local) else not isinstance(expr, _SELF_EVIDENT)


# ---- grounds for people who read no formulas -------------------------------------------------------------------------

MOST_GROUNDS = 6
_OF_PILE = {word: Sentence(f"ground.{word}") for word in ("top", "bottom", "count")}
_IS, _EMPTY, _FILLED = Sentence("ground.is"), Sentence("ground.empty"), Sentence("ground.filled")
_KEYED = Sentence("ground.keyed")
_NAMED_KINDS = ("row", "choice", "player", "pair")
"""Types whose values have names. A bare number would not say what it measures."""
_SELF_NAMED_KINDS = ("piece", "player", "pair")
"""Types whose values are their own names."""


def list_grounds(game: Compiled, core: Core, part: Part) -> tuple[Texts, ...]:
    """Name the values that decide, as the seat that acts calls them, in the languages in which they have names."""
    speakers = [_Speaker(game, core.actor, lang) for lang in game.ruleset.languages]
    found = (tuple((one.lang, one.say(inner)) for one in speakers) for inner in _named_parts(part))
    return tuple(dict.fromkeys(texts for texts in found if any(text for _, text in texts)))[:MOST_GROUNDS]


def _named_parts(part: Part) -> Iterator[Part]:
    """Yield the deciding parts, down to those that may have names; of a loop only what settled it."""
    inside = deciding_parts(part)
    if isinstance(part.expr, ir.Loop) and not inside:
        return
    if find_witness(part) is None and (not inside or isinstance(part.expr, ir.TermCall)):
        inside = [*part.parts] if not inside else [*part.parts[:-1], *inside]
    yield part
    if isinstance(part.expr, ir.If):
        # what lies in a pile says that it is not empty
        inside = [one for one in inside if one.value or not isinstance(one.expr, ir.Empty)]
    for one in inside:
        yield from _named_parts(one)


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def words(self) -> Mapping[str, str]: ...


class _Speaker(Struct, frozen=True):
    """Names parts of formulas and their values to a player, in a language."""

    game: Compiled
    actor: int
    lang: str

    def say(self, part: Part) -> str:
        """Name a part and its value; empty if it has no name, or if its name says all."""
        match part.expr:
            case ir.Empty():
                return self._say_of_pile(_EMPTY if part.value else _FILLED, part.parts[0])
            case ir.WordCall(word="top" | "bottom") if is_absent(part.value, part.expr.type):
                return self._say_of_pile(_EMPTY, part.parts[0])
            # an attribute of a piece, such as its suit, is written on the piece
            case ir.Attr() if part.expr.type.name not in _NAMED_KINDS or part.parts[0].expr.type.name == "piece":
                return ""
            case ir.Cell() | ir.WordCall() | ir.Attr() | ir.Const() if name := self._name(part):
                return _IS[self.lang].format(what=name, value=self._value(part))
        return ""

    def _say_of_pile(self, sentence: Sentence, part: Part) -> str:
        name = self._name(part)
        return sentence[self.lang].format(pile=name) if name else ""

    def _name(self, part: Part) -> str:
        """Return the name of a part; empty if it has none."""
        match part.expr:
            case ir.Cell(ref=ref):
                name = self._own_name(self.game.ruleset.state[ref.family])
                keys = ", ".join(map(self._value, part.parts))
                return _KEYED[self.lang].format(what=name, keys=keys) if name and keys else name
            case ir.WordCall(word=word) if word in _OF_PILE:
                return self._say_of_pile(_OF_PILE[word], part.parts[0])
            case ir.Attr() | ir.Contents():
                return self._name(part.parts[0])
            case ir.Const(type=value_type) if value_type.name == "choice":
                option = self.game.ruleset.options.get(" ".join(part.expr.span.text.split()))
                return self._own_name(option) if option is not None else ""
            case ir.Pile() | ir.Local():
                return self._name_of_value(part)
        return ""

    def _name_of_value(self, part: Part) -> str:
        """Return the name of a pile whose family has one, of a piece, or of a player."""
        value_type = part.expr.type
        if is_absent(part.value, value_type):
            return ""
        if value_type.name == "pile":
            has_name = self._own_name(self.game.namer.family(part.value))
            return self.game.namer.pile(part.value, self.lang, self.actor) if has_name else ""
        return self._value(part) if value_type.name in _SELF_NAMED_KINDS else ""

    def _value(self, part: Part) -> str:
        return self.game.namer.value(part.value, part.expr.type, self.lang)

    def _own_name(self, named: _Named) -> str:
        """Return the name in this very language. Names without words are English."""
        return named.words.get(self.lang) or (named.name if self.lang == FALLBACK else "")
