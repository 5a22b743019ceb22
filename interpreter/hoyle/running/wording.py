"""Texts of moves and announcements in each language: a ruleset's own words with their placeholders filled."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hoyle.language.evaluate import Setting, evaluate, instances, walk_all
from hoyle.language.ir import ABSENT, Cell, Expr, Local, Var, WordCall
from hoyle.language.model import Move, Ruleset
from hoyle.language.phrases import (
    Blank,
    Phrase,
    Telling,
    blanks,
    count_noun,
    fill_phrase,
    reword_empty,
    to_third_person,
    used_lets,
)
from hoyle.language.sentences import FALLBACK, Sentence, choose_form
from hoyle.language.value_types import List, Piece, ValueType
from hoyle.running.naming import Namer, in_language
from hoyle.running.state import Action


def rests_on_hidden(ruleset: Ruleset, var: Var, values: Mapping[Var, Any]) -> bool:
    """Does the value of a `let` depend on a face-down piece, a hidden pile or secret state?"""
    if var.value is None:
        return False
    parts = [*walk_all(var.value)]
    handed_on = {parameter for part in parts for instance in instances(part) for parameter in instance.parameters}
    return any(_is_hidden(ruleset, part, values) for part in parts if not _stands_for(part, handed_on))


def _stands_for(part: Expr, handed_on: Container[Var]) -> bool:
    """Is it the parameter of a term? Its argument is a part of the formula, too."""
    return isinstance(part, Local) and part.var in handed_on


def _is_hidden(ruleset: Ruleset, part: Expr, values: Mapping[Var, Any]) -> bool:
    if isinstance(part, Cell):
        return bool(ruleset.state[part.ref.family].secret)
    if isinstance(part, Local) and part.var in values:
        return part.var.type.name == "piece" and not values[part.var] & 1
    seen = ("up", "top up", "top seen") if isinstance(part, WordCall) and part.word == "top" else ("up",)
    return any(ruleset.piles[name].face not in seen for name in _from(part.type))


def _from(value_type: ValueType) -> frozenset[str]:
    """The piles that pieces of a kind may come from."""
    while isinstance(value_type, List):
        value_type = value_type.item
    return value_type.families if isinstance(value_type, Piece) else frozenset()


class Reader(Struct, frozen=True):
    """The reader of a move's text.

    actor  who makes the move
    piles  the piles before the move, for the places it aims at
    hide   are face-down pieces hidden from the reader?
    lets   values of `let`; None if they are not known
    bare   leave out additions that depend on a truth
    done   tell it as done, with the actor's name
    """

    actor: int
    lang: str
    piles: Sequence[Sequence[int]]
    hide: bool = False
    lets: tuple[Any, ...] | None = ()
    bare: bool = False
    done: bool = False


def move_text(namer: Namer, move: Move, action: Action, seen: Reader) -> str:
    """The text of a move: its name, what moves, from where, to where. Bindings without placeholder follow behind. Cached."""
    key = ("text", action, *text_key(move, action, seen))
    if key not in namer.texts:
        namer.texts[key] = _MoveText(namer, move, _values(move, action, seen), seen).text()
    return namer.texts[key]


def short_text(namer: Namer, move: Move, action: Action, seen: Reader) -> str:
    """The move in the notation of its game; empty if it has none."""
    if move.short is None:
        return ""
    key = ("short", action, *text_key(move, action, seen))
    if key not in namer.texts:
        told = _MoveText(namer, move, _values(move, action, seen), seen, brief=True)
        namer.texts[key] = fill_phrase(_phrase(move.short, FALLBACK), told.fill_blank)
    return namer.texts[key]


def text_key(move: Move, action: Action, seen: Reader) -> tuple[Any, ...]:
    """The cache key of a move's text."""
    aim = seen.piles[action[len(move.bindings)]] if move.target is not None else ()
    return seen.actor, seen.lang, seen.hide, seen.lets, seen.bare, seen.done, aim[-1] if aim else ABSENT


def _values(move: Move, action: Action, seen: Reader) -> dict[Var, Any]:
    """The values of its variables."""
    lets = zip(used_lets(move.lets, move.telling, move.short), seen.lets, strict=True) if seen.lets is not None else ()
    return {**dict(zip(move.bindings, action[1:], strict=True)), **dict(lets)}


def visible_pieces(namer: Namer, move: Move, action: Action, seen: Reader) -> list[int]:
    """The pieces that a move takes or names, without those hidden from the reader."""
    return _MoveText(namer, move, dict(zip(move.bindings, action[1:], strict=True)), seen).pieces()


def hidden_pieces(namer: Namer, pieces: Sequence[int], lang: str) -> str:
    """Hidden pieces: `3 cards` if the language knows the noun, else `3 × ?`."""
    kinds = {namer.piece_kinds[piece >> 1].name: namer.piece_kinds[piece >> 1] for piece in pieces}
    names = [in_language(kind.words, lang, kind.name) for kind in kinds.values()]
    said = count_noun(len(pieces), names[0], lang) if len(names) == 1 else None
    return said or ("?" if len(pieces) == 1 else f"{len(pieces)} × ?")


def label_text(namer: Namer, number: int, value: Any, lang: str | None = None) -> str:
    """The text of an announcement. `value` is its row, or the values of its placeholders. Without a language as in records: in English,
    with pieces as in ids.
    """
    if number < 0:
        return ""
    label = namer.machine.labels[number]
    if label.telling is None:
        assert label.row is not None
        return namer.value(value, label.row.type, lang)
    formulas = label.telling.values
    values = dict(zip(formulas, value, strict=True)) if formulas else {}

    def fill(blank: Blank) -> str:
        found = values[blank.name]
        if blank.forms is not None:
            return _form(found, blank, formulas[blank.name].type, lang or FALLBACK)
        return namer.value(found, formulas[blank.name].type, lang)

    return fill_phrase(_phrase(label.telling, lang or FALLBACK), fill)


def _phrase(telling: Telling, lang: str) -> Phrase:
    return telling.phrases.get(_spoken(telling, lang), ())


def _spoken(telling: Telling, lang: str) -> str:
    """The language of the text: this one if it has words, else English, else any."""
    known = telling.phrases
    return next((each for each in (lang, FALLBACK, *known) if known.get(each)), lang)


def _form(value: Any, blank: Blank, value_type: ValueType, lang: str) -> str:
    """The form for a number or a truth."""
    assert blank.forms is not None
    if value_type.name == "bool":
        return blank.forms[0 if value else 1]
    return choose_form(len(value) if isinstance(value, list | tuple) else value, blank.forms, lang)


class _MoveText(Struct):
    """The text of one move for one reader; `brief`: in notation."""

    namer: Namer
    move: Move
    values: Mapping[Var, Any]
    seen: Reader
    brief: bool = False

    def text(self) -> str:
        phrase = self._phrase()
        named = {blank.name for blank in blanks(phrase) if blank.forms is None}
        said = fill_phrase(phrase, self.fill_blank).strip()
        text = " ".join([said, *(text for var, text in self._plainly() if not self._is_told(var, named))])
        return reword_empty(text, self.seen.lang)

    def _phrase(self) -> Phrase:
        """The words of the move. If it is done: in the third person, or behind a dash if the language does not know the verb."""
        telling = self.move.telling
        lang = _spoken(telling, self.seen.lang)
        phrase = telling.phrases.get(lang, ())
        if not self.seen.done:
            return phrase
        seat, does = self.namer.seat(self.seen.actor, self.seen.lang), to_third_person(phrase, lang)
        return (f"{seat} ", *does) if does is not None else (f"{seat} — ", *phrase)

    def pieces(self) -> list[int]:
        if self.move.card is not None:
            return [] if self._hidden(self.move.card) else [self.values[self.move.card]]
        named = [(var, self.values[var]) for var, _ in self.move.withs]
        return [
            *(value for var, value in named if var.type.name == "piece"),
            *(
                piece
                for var, value in named
                if var.type.name == "list" and var.type.item_type.name == "piece"
                for piece in value
            ),
        ]

    def _is_told(self, var: Var, named: set[str]) -> bool:
        """Does the text name the value of a variable, or all attributes that identify it?"""
        if var.name in named or var.type.name != "piece":
            return var.name in named
        kind = self.namer.piece_kinds[self.values[var] >> 1]
        return all(f"{var.name}.{attribute}" in named for attribute in kind.attributes if attribute != "owner")

    def fill_blank(self, blank: Blank) -> str:
        """The value of a placeholder. A value that the reader does not know adds nothing."""
        name, _, attribute = blank.name.partition(".")
        var = next(var for var in self.move.names if var.name == name)
        if blank.alone and self.seen.bare:
            return ""
        if var not in self.values or (self._hidden(var) and (attribute or var in self.move.lets)):
            return self._unknown(blank)
        if not attribute and blank.forms is None:
            return self._bound(var)
        formula = self._formula(blank)
        found = evaluate(formula, Setting(self.namer.ruleset.attributes.by_name), dict(self.values))
        if blank.forms is not None:
            return _form(found, blank, formula.type, self.seen.lang)
        return self.namer.value(found, formula.type, self.seen.lang)

    def _unknown(self, blank: Blank) -> str:
        if blank.forms is None:
            return "?"
        return "" if self._formula(blank).type.name == "bool" else blank.forms[1]

    def _formula(self, blank: Blank) -> Expr:
        telling = self.move.short if self.brief and self.move.short is not None else self.move.telling
        return telling.values[blank.name]

    def _bound(self, var: Var) -> str:
        """The value of a variable, in words."""
        value = self.values[var]
        if var is self.move.card:
            return (
                hidden_pieces(self.namer, [value], self.seen.lang)
                if self._hidden(var)
                else self.namer.piece(value, self.seen.lang)
            )
        if var is self.move.target:
            return self._place(value)
        return self._chosen(value, var.type)

    def _plainly(self) -> Iterator[tuple[Var, str]]:
        """Yield the variables and texts that follow the name of a move: what moves, from where, with what, to where."""
        move = self.move
        if move.taken is not None:
            origin, card = move.taken
            blind = self._hidden(card) and not self.seen.hide  # whoever turns it up does not know it either
            untold = self.seen.done and move.aim is None and self._hidden(card)  # `B draws` says it all
            if not self._only_owned(self.values[card]) and not blind and not untold:
                yield card, self._bound(card)
            if self.namer.several_origins(move, origin):
                yield origin, f"({self._bound(origin)})"
        yield from ((var, self._bound(var)) for var, _ in move.withs)
        if move.aim is not None:
            yield move.aim, f"→ {self._bound(move.aim)}"

    def _hidden(self, var: Var) -> bool:
        """Is it a piece that the reader may not know, or does it depend on one?"""
        if var in self.move.lets:
            return self.seen.hide and rests_on_hidden(self.namer.ruleset, var, self.values)
        value = self.values[var]
        if var.type.name != "piece" or value & 1:
            return False
        taken = self.move.taken
        return self.seen.hide or (taken is not None and var is taken[1] and not self._own(self.values[taken[0]]))

    def _own(self, pile: int) -> bool:
        return self.namer.family(pile).face == "owner" and self.namer.owner(pile) == self.seen.actor

    def _chosen(self, value: Any, value_type: ValueType) -> str:
        if value_type.name == "list" and not value:
            return Sentence("value.no_pieces")[self.seen.lang]
        if value_type.name == "list" and value_type.item_type.name == "piece":
            if self.seen.hide and not any(v & 1 for v in value):
                return hidden_pieces(self.namer, value, self.seen.lang)
            return " ".join(self._chosen(v, value_type.item_type) for v in value)
        if self.seen.hide and value_type.name == "piece" and not value & 1:
            return hidden_pieces(self.namer, [value], self.seen.lang)
        if value_type.name == "pile" and value >= 0:
            return self._pile(value)
        return self.namer.value(value, value_type, self.seen.lang)

    def _pile(self, pile: int) -> str:
        if self.brief:
            return self.namer.brief(pile, self.seen.actor, self.seen.lang)
        return self.namer.pile(pile, self.seen.lang, self.seen.actor)

    def _place(self, pile: int) -> str:
        """A pile that it puts on, with the top piece if pieces can be told apart."""
        top = self.seen.piles[pile][-1] if self.seen.piles[pile] else ABSENT
        shown = top >= 0 and top & 1 and not self.brief and not self._only_owned(top)
        return self._pile(pile) + (f" ({self.namer.piece(top, self.seen.lang)})" if shown else "")

    def _only_owned(self, piece: int) -> bool:
        return set(self.namer.piece_kinds[piece >> 1].attributes) == {"owner"}
