"""Choices that people are not asked for, since they seldom want to: they are offered beside the next question, and who asks for one goes back
to before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.ink import Look, suited
from hoyle.game.events import told
from hoyle.language.syntax import whole
from hoyle.running.naming import folded

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.running.chance import Chance

KEY = "!"


class Passed(Struct, frozen=True):
    """Where somebody was not asked: after how many decisions, the state, and the chance of the players there."""

    decisions: int
    state: State
    bots: Chance

    @property
    def seat(self) -> str:
        return str(self.state.to_act)

    def others(self, look: Look) -> list[str]:
        return alternatives(self.state, look)

    def after(self, look: Look) -> str:
        return done_before(self.state, look)


def alternatives(state: State, look: Look) -> list[str]:
    """What might be chosen where somebody is not asked, as it is called."""
    unasked = state.unasked
    names = dict.fromkeys(move.name for move in state.moves() if move != unasked)
    return [look.label(name, "moves").removesuffix("…").rstrip() for name in names]


def done_before(state: State, look: Look) -> str:
    """What was done right before, in words, as whoever acts was told."""
    log = state.core.log or ()
    begin = max((n for n, raw in enumerate(log) if raw[0] == "move"), default=0)
    texts = [event.text(lang(), state.to_act) for _, event in told(state.game.compiled, state.core, begin)]
    return suited(texts[0], look) if texts else ""


def offered(places: Sequence[Passed], look: Look, several: bool) -> list[str]:
    """A line below the moves: the key, and what it calls; at a keyboard of `several` people with who may."""
    if not places:
        return []
    words = dict.fromkeys(word for place in places for word in place.others(look))
    seats = ", ".join(dict.fromkeys(look.seat(place.seat) for place in places))
    text = ", ".join(words) + (f" ({seats})" if several else "")
    return [t("plain.value", what=KEY, value=text) if look.plain else f"{look.ink(f'{KEY:>3}', 'number')}  {text}"]


def is_call(line: str, places: Sequence[Passed], look: Look) -> bool:
    """Is that what one says to be asked, whatever points stand about it? (A part of it may well be part of a move.)"""
    return bool(_bare(line)) and any(_bare(line) == _bare(word) for place in places for word in place.others(look))


def _bare(text: str) -> str:
    return "".join(sign for sign in folded(text) if sign.isalnum())


def listed(places: Sequence[Passed], look: Look) -> list[str]:
    """After what one might have been asked, by number."""
    lines = (place.after(look) for place in places)
    return [f"{look.ink(f'{n:>3}', 'number')}  {line}" for n, line in enumerate(lines, 1)]


def chosen(answer: str, places: Sequence[Passed]) -> Passed | None:
    """The place of this number; the last one, if nothing is said."""
    number = whole(answer) if answer else len(places)
    return places[number - 1] if number is not None and 1 <= number <= len(places) else None
