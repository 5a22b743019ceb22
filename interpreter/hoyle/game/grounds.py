"""What a reason hangs on, for people who read no formulas: of the values that decide it those of things that have a name in their language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.witness import deciding, witness
from hoyle.language import ir
from hoyle.language.evaluate import Part, is_absent
from hoyle.language.model import Texts
from hoyle.language.sentences import FALLBACK, Sentence
from hoyle.running.state import Core

MOST = 6
"""So many values are told."""
_OF_PILE = {word: Sentence(f"ground.{word}") for word in ("top", "bottom", "count")}
_IS, _EMPTY, _FILLED = Sentence("ground.is"), Sentence("ground.empty"), Sentence("ground.filled")
_KEYED = Sentence("ground.keyed")
_NAMED = ("row", "choice", "player", "pair")
"""Kinds whose values have names: a bare number would not say what it measures."""
_AS_THEY_ARE = ("piece", "player", "pair")
"""Kinds whose values are called by what they are."""


def grounds(game: Compiled, core: Core, part: Part) -> tuple[Texts, ...]:
    """For each value that is told what it is and what it comes to, as whoever acts calls it, in the languages in which that has a name."""
    speakers = [_Speaker(game, core.actor, lang) for lang in game.ruleset.languages]
    found = (tuple((one.lang, one.said(told)) for one in speakers) for told in _told(part))
    return tuple(dict.fromkeys(texts for texts in found if any(text for _, text in texts)))[:MOST]


def _told(part: Part) -> Iterator[Part]:
    """The parts down to what has a name, of those that decide; of a loop only what settled it."""
    inside = deciding(part)
    if isinstance(part.expr, ir.Loop) and not inside:
        return
    if witness(part) is None and (not inside or isinstance(part.expr, ir.TermCall)):
        inside = [*part.parts] if not inside else [*part.parts[:-1], *inside]
    yield part
    if isinstance(part.expr, ir.If):
        inside = [
            one for one in inside if one.value or not isinstance(one.expr, ir.Empty)
        ]  # that something lies there is said by what does
    for one in inside:
        yield from _told(one)


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
