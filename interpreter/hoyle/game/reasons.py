"""The answer to "why (not)?": what was looked at, and which of it decides."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hoyle.diagnostics import Said
from hoyle.language.model import Rule, Texts, text_in
from hoyle.language.sentences import LANGUAGES, said

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
        return f"{cited(self.rule, lang)} — {words}" if words else cited(self.rule, lang)


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
        return reason.text(lang) if reason is not None else cited(self.rule, lang)

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


def summary_of(why: Why) -> Said:
    """Its summary, in every language."""
    return Said(why.summary(), {lang: why.summary(lang) for lang in LANGUAGES})


def cited(rule: Rule, lang: str) -> str:
    """The sentence of a rule, and behind it where it comes from."""
    return f"{rule.text(lang)} [{rule.at}]" if rule.at else rule.text(lang)
