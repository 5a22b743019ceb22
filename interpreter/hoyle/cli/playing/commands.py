"""The words that a prompt takes for commands, in both languages, and which letters stand for them beside the pieces of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.moves.piece_names import part_letters
from hoyle.language.syntax import whole
from hoyle.presentation.catalogue import t, use_language
from hoyle.presentation.look import Look
from hoyle.presentation.play_text import describe_last_move, list_alternatives
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
        return list_alternatives(self.state, look)

    def after(self, look: Look) -> str:
        return describe_last_move(self.state, look)


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


COMMANDS = {
    "?": "help",
    "help": "help",
    "aide": "help",
    "why": "why",
    "pourquoi": "why",
    "undo": "undo",
    "reprendre": "undo",
    "annuler": "undo",
    "hint": "hint",
    "conseil": "hint",
    "indice": "hint",
    "list": "moves",
    "moves": "moves",
    "liste": "moves",
    "coups": "moves",
    "table": "table",
    "last": "last",
    "dernier": "last",
    "save": "save",
    "enregistrer": "save",
    "sauver": "save",
    "quit": "quit",
    "exit": "quit",
    "quitter": "quit",
    KEY: "interrupt",
}
BRIEF = ("hint", "why", "undo", "quit")
"""Commands that a slip does no harm with: they have their first letters in the language shown. No other letter does anything."""


def commands(game: Compiled, lang: str) -> dict[str, str]:
    """What is typed for each command. A letter that stands for a rank or a suit in the language shown is that, and nothing else."""
    pieces = part_letters(game, lang)
    return COMMANDS | {letter: command for letter, command in letters(lang).items() if letter not in pieces}


def letters(lang: str) -> dict[str, str]:
    """The commands by the letters that stand for them in this language."""
    with use_language(lang):
        return {t(f"play.short_for.{command}")[0]: command for command in BRIEF}


def told_commands() -> list[str]:
    """The commands in the language shown: those that the help tells."""
    heads = (line.split(maxsplit=1)[0] for line in t("play.help").split("\n"))
    return [word for word in heads if word in COMMANDS]
