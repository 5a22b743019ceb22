"""What a move does and what is announced, in words for people: a ruleset's own texts with their places filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from interpreter.language.evaluate import Setting, evaluate
from interpreter.language.ir import ABSENT, Var
from interpreter.language.kinds import Kind
from interpreter.language.model import Move
from interpreter.language.phrases import Blank, Telling, blanks, filled_in
from interpreter.language.sentences import FALLBACK, Sentence, form_for
from interpreter.running.naming import Namer
from interpreter.running.state import Action


class Seen(Struct, frozen=True):
    """To whom a move is told: who makes it, in which language, what lies in the piles (for the places that it aims at), and whether
    pieces that lie face down are hidden from whoever reads it."""

    actor: int
    lang: str
    piles: Sequence[Sequence[int]]
    hide: bool = False


def move_text(namer: Namer, move: Move, action: Action, seen: Seen) -> str:
    """The move in words: its name, what moves, from where, to where. What its words have no place for follows behind them. They are kept:
    most moves are legal again and again."""
    values = dict(zip(move.bindings, action[1:], strict=True))
    aim = seen.piles[values[move.target]] if move.target is not None else ()
    key = (action, seen.actor, seen.lang, seen.hide, aim[-1] if aim else ABSENT)
    if key not in namer.texts:
        namer.texts[key] = _Told(namer, move, values, seen).text()
    return namer.texts[key]


def pieces_told(namer: Namer, move: Move, action: Action, seen: Seen) -> list[int]:
    """What the move is about: the piece that it takes, or those that it names; none that whoever reads it does not see."""
    return _Told(namer, move, dict(zip(move.bindings, action[1:], strict=True)), seen).pieces()


def label_text(namer: Namer, number: int, value: Any, lang: str | None = None) -> str:
    """What a label announces; `value` is its row's, or those of what stands in the places of its words. Without a language as records have
    it: in English, with pieces as ids have them."""
    if number < 0:
        return ""
    label = namer.machine.labels[number]
    if label.telling is None:
        assert label.row is not None
        return namer.value(value, label.row.kind, lang)
    formulas = label.telling.values
    values = dict(zip(formulas, value, strict=True)) if formulas else {}

    def fill(blank: Blank) -> str:
        found = values[blank.name]
        return _form(found, blank, lang or FALLBACK) or namer.value(found, formulas[blank.name].kind, lang)

    return filled_in(_phrase(label.telling, lang or FALLBACK), fill)


def _phrase(telling: Telling, lang: str) -> tuple[str | Blank, ...]:
    known = telling.phrases
    return known.get(lang) or known.get(FALLBACK) or next(iter(known.values()), ())


def _form(value: Any, blank: Blank, lang: str) -> str:
    """The form of a word that a number asks for; nothing where the value itself stands."""
    if blank.forms is None:
        return ""
    return form_for(len(value) if isinstance(value, list | tuple) else value, blank.forms, lang)


class _Told(Struct):
    """One move, as one seat is told of it."""

    namer: Namer
    move: Move
    values: Mapping[Var, Any]
    seen: Seen

    def text(self) -> str:
        phrase = _phrase(self.move.telling, self.seen.lang)
        named = {blank.name for blank in blanks(phrase) if blank.forms is None}
        said = filled_in(phrase, self._filled).strip()
        return " ".join([said, *(text for var, text in self._plainly() if not self._is_told(var, named))])

    def pieces(self) -> list[int]:
        if self.move.card is not None:
            return [] if self._hidden(self.move.card) else [self.values[self.move.card]]
        named = [(var, self.values[var]) for var, _ in self.move.withs]
        return [
            *(value for var, value in named if var.kind.name == "piece"),
            *(
                piece
                for var, value in named
                if var.kind.name == "list" and var.kind.of_item.name == "piece"
                for piece in value
            ),
        ]

    def _is_told(self, var: Var, named: set[str]) -> bool:
        """Does the text name what this is bound to, or all that tells it from others?"""
        if var.name in named or var.kind.name != "piece":
            return var.name in named
        kind = self.namer.piece_kinds[self.values[var] >> 1]
        return all(f"{var.name}.{attribute}" in named for attribute in kind.attributes if attribute != "owner")

    def _filled(self, blank: Blank) -> str:
        name, _, attribute = blank.name.partition(".")
        var = next(var for var in self.move.bindings if var.name == name)
        if attribute:
            return self._attribute(blank, var)
        return _form(self.values[var], blank, self.seen.lang) or self._bound(var)

    def _attribute(self, blank: Blank, var: Var) -> str:
        if self._hidden(var):
            return "?"
        formula = self.move.telling.values[blank.name]
        found = evaluate(formula, Setting(self.namer.ruleset.attributes.by_name), dict(self.values))
        return _form(found, blank, self.seen.lang) or self.namer.value(found, formula.kind, self.seen.lang)

    def _bound(self, var: Var) -> str:
        """What a name is bound to, in words."""
        value = self.values[var]
        if var is self.move.card:
            return "?" if self._hidden(var) else self.namer.piece(value, self.seen.lang)
        if var is self.move.target:
            return self._place(value)
        return self._chosen(value, var.kind)

    def _plainly(self) -> Iterator[tuple[Var, str]]:
        """What moves, from where, with what, to where, as it follows the name of a move."""
        move = self.move
        if move.taken is not None:
            origin, card = move.taken
            blind = self._hidden(card) and not self.seen.hide  # whoever turns it up does not know it either
            if set(self.namer.piece_kinds[self.values[card] >> 1].attributes) != {"owner"} and not blind:
                yield card, self._bound(card)
            if self.namer.several_origins(move, origin):
                yield origin, f"({self._bound(origin)})"
        yield from ((var, self._bound(var)) for var, _ in move.withs)
        if move.aim is not None:
            yield move.aim, f"→ {self._bound(move.aim)}"

    def _hidden(self, var: Var) -> bool:
        """Is this a piece that whoever reads this may not know?"""
        value = self.values[var]
        if var.kind.name != "piece" or value & 1:
            return False
        taken = self.move.taken
        return self.seen.hide or (taken is not None and var is taken[1] and not self._own(self.values[taken[0]]))

    def _own(self, pile: int) -> bool:
        return self.namer.family(pile).face == "owner" and self.namer.owner(pile) == self.seen.actor

    def _chosen(self, value: Any, kind: Kind) -> str:
        if kind.name == "list" and not value:
            return Sentence("value.no_pieces")[self.seen.lang]
        if kind.name == "list" and kind.of_item.name == "piece":
            return " ".join(self._chosen(v, kind.of_item) for v in value)
        if self.seen.hide and kind.name == "piece" and not value & 1:
            return "?"
        if kind.name == "pile" and value >= 0:
            return self.namer.pile(value, self.seen.lang, self.seen.actor)
        return self.namer.value(value, kind, self.seen.lang)

    def _place(self, pile: int) -> str:
        piles = self.seen.piles
        top = piles[pile][-1] if piles[pile] else ABSENT
        on = f" ({self.namer.piece(top, self.seen.lang)})" if top >= 0 and top & 1 else ""
        return f"{self.namer.pile(pile, self.seen.lang, self.seen.actor)}{on}"
