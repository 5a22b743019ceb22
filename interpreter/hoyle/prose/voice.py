"""Hold what wording needs: the ruleset, the language, headings, and current names of variables."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.game.views.labels import make_labels
from hoyle.language.ir import Expr, TermCall, Var
from hoyle.language.model import Ruleset, Words
from hoyle.language.sentences import FALLBACK
from hoyle.language.value_types import SIDES, Choice, List, Number, Piece, Pile, Plain, Row, ValueType
from hoyle.prose.grammar import add_other, add_this, pluralize, say, singularize, smooth
from hoyle.running.naming import in_language

Headings = dict[str, Words]


class Voice(Struct, frozen=True):
    """A ruleset, a language, and the words for both.

    `tables`: words for tables, columns (`table.column`) and terms. `names`: nouns of bound variables.
    """

    rules: Ruleset
    lang: str
    labels: dict[str, dict[str, str]]
    tables: Headings
    value: Callable[[Expr, Voice], str]
    truth: Callable[[Expr, Voice, bool], str]
    names: dict[Var, str] = field(default_factory=dict)

    def of(self, expr: Expr) -> str:
        """Return the value of a formula as a noun."""
        return self.value(expr, self)

    def holds(self, expr: Expr, yes: bool = True) -> str:
        """Return a clause for a condition, or for its negation."""
        return self.truth(expr, self, yes)

    @property
    def worded_terms(self) -> frozenset[str]:
        """Return the terms that the ruleset has words for."""
        return frozenset(name for name, words in self.tables.items() if self.lang in words)

    def say(self, key: str, /, **values: object) -> str:
        return say(key, self.lang, **values)

    def label(self, space: str, name: str) -> str:
        found = self.labels.get(space, {}).get(name, name)
        return found.replace("_", " ")

    def naming(self, var: Var) -> Voice:
        """Return a voice that calls the variable `that card`, or `the other card` if another is called so."""
        noun = find_noun(var.type, self)
        first = add_this(noun, self.lang)
        return self.calling(var, add_other(noun, self.lang) if first in self.names.values() else first)

    def calling(self, var: Var, noun: str) -> Voice:
        return replace(self, names={**self.names, var: noun})


def build_voice(
    rules: Ruleset,
    lang: str,
    tables: Headings,
    value: Callable[[Expr, Voice], str],
    truth: Callable[[Expr, Voice, bool], str],
) -> Voice:
    return Voice(rules, lang, make_labels(rules, lang), tables, value, truth)


def describe_term_call(call: TermCall, voice: Voice) -> str | None:
    """Return the ruleset's own words for the call of a term; None if it has none."""
    text = voice.tables.get(call.instance.name, {}).get(voice.lang)
    if text is None:
        return None
    return smooth(re.sub(r"\{(\d+)\}", lambda place: voice.of(call.operands[int(place[1])]), text), voice.lang)


def find_noun(value_type: ValueType, voice: Voice) -> str:
    """Return the noun for a type."""
    match value_type:
        case Number():
            return voice.say("noun.number")
        case List(item=item):
            return pluralize(find_noun(item, voice), voice.lang)
        case Row(table=table):
            return voice.say("noun.side") if table == SIDES else find_table_noun(table, voice)
        case Choice():
            return voice.say("noun.choice")
        case Piece(of=of):
            return voice.label("pieces", of) if of else voice.say("noun.piece")
        case Pile(families=families):
            return voice.label("piles", next(iter(families))) if len(families) == 1 else voice.say("noun.pile")
        case Plain(name="bool" | "nothing" | "unknown"):
            return voice.say("noun.thing")
        case Plain(name=name):
            return voice.say(f"noun.{name}")
        case _:
            assert_never(value_type)


def find_table_noun(table: str, voice: Voice) -> str:
    """Return the noun for a row of a table."""
    own = voice.tables.get(table, {}).get(voice.lang)
    if own:
        return singularize(own, voice.lang)
    found = voice.rules.tables.get(table)
    return found.one.replace("_", " ") if found is not None and voice.lang == FALLBACK else voice.say("noun.row")


def find_heading(table: str, column: str, voice: Voice) -> str:
    """Return the heading of a column; that of its table if the language has no words for the column."""
    words = voice.tables.get(f"{table}.{column}", {})
    if voice.lang == FALLBACK or voice.lang in words:
        return in_language(words, voice.lang, column.replace("_", " "))
    return in_language(voice.tables.get(table, {}), voice.lang) or voice.say("noun.row")
