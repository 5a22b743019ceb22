"""The answer to "why (not)?": what was looked at, and which of it decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from hoyle.diagnostics import Said
from hoyle.game.compiled import Compiled
from hoyle.language import ir
from hoyle.language.evaluate import Part, is_absent
from hoyle.language.ir import Var
from hoyle.language.kinds import Kind
from hoyle.language.model import Rule, Texts, text_in
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, said
from hoyle.running.state import Core

DEMANDED = "instead"
"""What stands for a formula where the value is a move to make."""


class Reason(Struct, frozen=True):
    """One thing that was looked at: its name, does it allow the move, its rule, (depth, formula, value) of what decides it,
    in `words` which thing of this position it hangs on, and in `grounds`, for who reads no formulas, the values of what has a name in a language.

    sort  condition, obligation, or what is found before any rule is asked: decision (it does not offer the move), binding
          (the move would need something that is not there)
    """

    name: str
    sort: str
    holds: bool
    rule: Rule
    parts: tuple[tuple[int, str, str], ...] = ()
    words: Texts = ()
    grounds: tuple[Texts, ...] = ()

    def text(self, lang: str = "en") -> str:
        """The reason in one sentence, with its clause."""
        words = text_in(self.words, lang)
        if self.sort in ("decision", "binding"):
            return words
        return f"{cite_rule(self.rule, lang)} — {words}" if words else cite_rule(self.rule, lang)


class Why(Struct, frozen=True):
    """The answer to "why (not)?": `known` says whether the game has such a move at all."""

    move: str
    known: bool
    legal: bool
    rule: Rule
    reasons: tuple[Reason, ...]
    nearest: tuple[str, ...]
    texts: Texts = ()

    def text(self, lang: str = "en") -> str:
        """The move in words, as far as one is meant; else what was asked."""
        return text_in(self.texts, lang) or self.move

    @property
    def failing(self) -> Reason | None:
        return next((r for r in self.reasons if not r.holds), None)

    def summary(self, lang: str = "en") -> str:
        """One sentence: what decides, with its source and what it hangs on here."""
        reason = self.failing
        return reason.text(lang) if reason is not None else cite_rule(self.rule, lang)

    def lines(self) -> Iterator[Said]:
        """The condition that fails and the values of what decides it."""
        reason = self.failing
        if reason is not None and reason.sort in ("condition", "obligation"):
            yield said(f"failing.{reason.sort}", name=reason.name)
            for depth, formula, value in reason.parts:
                yield said(
                    f"failing.{'instead' if formula == DEMANDED else 'part'}",
                    indent="  " * depth,
                    formula=formula,
                    value=value,
                )


def summarize(why: Why) -> Said:
    """Its summary, in every language."""
    return Said(why.summary(), {lang: why.summary(lang) for lang in LANGUAGES})


def cite_rule(rule: Rule, lang: str) -> str:
    """The sentence of a rule, and behind it where it comes from."""
    return f"{rule.text(lang)} [{rule.at}]" if rule.at else rule.text(lang)


_SETTLED: dict[ir.Quantifier, bool] = {"some": True, "no": False, "every": False}
"""The value of a quantifier that one item has settled."""
_PLAIN = ir.Const | ir.Contents | ir.Rows | ir.Pile | ir.Piles
"""Parts whose values tell nothing that the formula does not say."""
_JOINTS = ir.And | ir.Or | ir.Not | ir.If


def find_witness(part: Part) -> tuple[Var, Any] | None:
    """The item that settled a quantifier: the last that was looked at."""
    expr = part.expr
    if isinstance(expr, ir.Quantified) and bool(part.value) == _SETTLED[expr.word] and len(part.parts) > 1:
        return expr.var, list(part.parts[0].value)[len(part.parts) - 2]
    return None


def deciding_parts(part: Part) -> list[Part]:
    """The parts that a value hangs on; none of a formula that is its own reason."""
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


def trace_decision(game: Compiled, part: Part) -> list[tuple[int, str, str]]:
    """(depth, formula, value) of what decides a formula, from the whole to the last reason, each formula once."""
    found: dict[str, tuple[int, str, str]] = {}
    for line in _deciding_lines(game, part, 0):
        found.setdefault(line[1], line)
    return list(found.values())


def _deciding_lines(game: Compiled, part: Part, depth: int) -> Iterator[tuple[int, str, str]]:
    """What joins formulas is told only where it is the whole: what it joins says enough."""
    asked = _asked(part)
    if depth and isinstance(part.expr, _JOINTS) and asked is part:
        for reason in deciding_parts(part):
            yield from _deciding_lines(game, reason, depth)
        return
    yield _line(game, part, depth)
    met, reasons = find_witness(asked), deciding_parts(asked)
    if met is not None:
        yield depth + 1, met[0].name, game.namer.said(met[1], met[0].kind)
    elif not reasons or isinstance(asked.expr, ir.TermCall):
        operands = asked.parts[:-1] if reasons else asked.parts
        yield from (_line(game, p, depth + 1) for p in operands if _tells(p.expr))
    for reason in reasons:
        yield from _deciding_lines(game, reason, depth + 1)


def _asked(part: Part) -> Part:
    """`is not empty` is one question, written as one, though what is asked is whether it is empty."""
    negated = isinstance(part.expr, ir.Not) and part.parts[0].expr.span == part.expr.span
    return part.parts[0] if negated else part


def _tells(expr: ir.Expr) -> bool:
    """Does its value say more than the formula does?"""
    return bool(expr.args) if isinstance(expr, ir.Local) else not isinstance(expr, _PLAIN)


def _line(game: Compiled, part: Part, depth: int) -> tuple[int, str, str]:
    return depth, " ".join(part.expr.span.text.split()), game.namer.said(part.value, part.expr.kind)


def list_witnesses(part: Part) -> Iterator[tuple[Any, Kind]]:
    """The items that settled a formula, outermost first, and what was most or least where that decides."""
    met, reasons = find_witness(part), deciding_parts(part)
    if met is not None:
        yield met[1], met[0].kind
    for reason in reasons:
        yield from list_witnesses(reason)
    for operand in () if reasons else part.parts:
        if isinstance(operand.expr, ir.Chosen) and not is_absent(operand.value, operand.expr.kind):
            yield operand.value, operand.expr.kind


MOST = 6
"""So many values are told."""
_OF_PILE = {word: Sentence(f"ground.{word}") for word in ("top", "bottom", "count")}
_IS, _EMPTY, _FILLED = Sentence("ground.is"), Sentence("ground.empty"), Sentence("ground.filled")
_KEYED = Sentence("ground.keyed")
_NAMED = ("row", "choice", "player", "pair")
"""Kinds whose values have names: a bare number would not say what it measures."""
_AS_THEY_ARE = ("piece", "player", "pair")
"""Kinds whose values are called by what they are."""


def list_grounds(game: Compiled, core: Core, part: Part) -> tuple[Texts, ...]:
    """For each value that is told what it is and what it comes to, as whoever acts calls it, in the languages in which that has a name."""
    speakers = [_Speaker(game, core.actor, lang) for lang in game.ruleset.languages]
    found = (tuple((one.lang, one.said(told)) for one in speakers) for told in _named_parts(part))
    return tuple(dict.fromkeys(texts for texts in found if any(text for _, text in texts)))[:MOST]


def _named_parts(part: Part) -> Iterator[Part]:
    """The parts down to what has a name, of those that decide; of a loop only what settled it."""
    inside = deciding_parts(part)
    if isinstance(part.expr, ir.Loop) and not inside:
        return
    if find_witness(part) is None and (not inside or isinstance(part.expr, ir.TermCall)):
        inside = [*part.parts] if not inside else [*part.parts[:-1], *inside]
    yield part
    if isinstance(part.expr, ir.If):
        inside = [
            one for one in inside if one.value or not isinstance(one.expr, ir.Empty)
        ]  # that something lies there is said by what does
    for one in inside:
        yield from _named_parts(one)


class _Speaker(Struct, frozen=True):
    """Says to a player what parts of formulas are called and come to, in a language."""

    game: Compiled
    actor: int
    lang: str

    def said(self, part: Part) -> str:
        """A part and its value; empty where it has no name, or says nothing that its name does not say."""
        match part.expr:
            case ir.Empty():
                return self._of_pile(_EMPTY if part.value else _FILLED, part.parts[0])
            case ir.WordCall(word="top" | "bottom") if is_absent(part.value, part.expr.kind):
                return self._of_pile(_EMPTY, part.parts[0])
            case ir.Attr() if part.expr.kind.name not in _NAMED or _is_on_it(part):
                return ""
            case ir.Cell() | ir.WordCall() | ir.Attr() | ir.Const() if name := self._name(part):
                return _IS[self.lang].format(what=name, value=self._value(part))
        return ""

    def _of_pile(self, sentence: Sentence, part: Part) -> str:
        name = self._name(part)
        return sentence[self.lang].format(pile=name) if name else ""

    def _name(self, part: Part) -> str:
        """What a part is called; empty if nobody calls it anything."""
        match part.expr:
            case ir.Cell(ref=ref):
                name = self._known(self.game.ruleset.state[ref.family])
                keys = ", ".join(map(self._value, part.parts))
                return _KEYED[self.lang].format(what=name, keys=keys) if name and keys else name
            case ir.WordCall(word=word) if word in _OF_PILE:
                return self._of_pile(_OF_PILE[word], part.parts[0])
            case ir.Attr() | ir.Contents():
                return self._name(part.parts[0])
            case ir.Const(kind=kind) if kind.name == "choice":
                option = self.game.ruleset.options.get(" ".join(part.expr.span.text.split()))
                return self._known(option) if option is not None else ""
            case ir.Pile() | ir.Local():
                return self._thing(part)
        return ""

    def _thing(self, part: Part) -> str:
        """What is called by what it is: a pile whose family has a name, a piece, a player."""
        kind = part.expr.kind
        if is_absent(part.value, kind):
            return ""
        if kind.name == "pile":
            known = self._known(self.game.namer.family(part.value))
            return self.game.namer.pile(part.value, self.lang, self.actor) if known else ""
        return self._value(part) if kind.name in _AS_THEY_ARE else ""

    def _value(self, part: Part) -> str:
        return self.game.namer.value(part.value, part.expr.kind, self.lang)

    def _known(self, of: _Named) -> str:
        """The name in this very language; names without words are English."""
        return of.words.get(self.lang) or (of.name if self.lang == FALLBACK else "")


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def words(self) -> Mapping[str, str]: ...


def _is_on_it(part: Part) -> bool:
    """Is this what the piece shows anyway, as its suit?"""
    return part.parts[0].expr.kind.name == "piece"
