"""Words that a prompt takes for commands, and requests to be asked where a seat usually is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.moves.piece_names import part_letters
from hoyle.language.syntax import parse_integer
from hoyle.presentation.catalogue import t, use_language
from hoyle.presentation.look import Look
from hoyle.presentation.play_text import describe_last_move, list_alternatives
from hoyle.running.naming import fold_case

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.running.chance import Chance


KEY = "!"


class SkippedChoice(Struct, frozen=True):
    """A choice that a player was not asked for: decisions made before, state and chance of bots."""

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


def format_offer(places: Sequence[SkippedChoice], look: Look, several: bool) -> list[str]:
    """Return a line with the key and the choices it opens; with several people, also who may use it."""
    if not places:
        return []
    words = dict.fromkeys(word for place in places for word in place.others(look))
    seats = ", ".join(dict.fromkeys(look.seat(place.seat) for place in places))
    text = ", ".join(words) + (f" ({seats})" if several else "")
    return [t("plain.value", what=KEY, value=text) if look.plain else f"{look.ink(f'{KEY:>3}', 'number')}  {text}"]


def is_request(line: str, places: Sequence[SkippedChoice], look: Look) -> bool:
    """Return whether a line says the name of an offered choice. Punctuation is ignored."""
    return bool(_strip(line)) and any(_strip(line) == _strip(word) for place in places for word in place.others(look))


def _strip(text: str) -> str:
    return "".join(sign for sign in fold_case(text) if sign.isalnum())


def list_skipped(places: Sequence[SkippedChoice], look: Look) -> list[str]:
    """Return numbered lines with the moves after which a choice was skipped."""
    lines = (place.after(look) for place in places)
    return [f"{look.ink(f'{n:>3}', 'number')}  {line}" for n, line in enumerate(lines, 1)]


def select_skipped(answer: str, places: Sequence[SkippedChoice]) -> SkippedChoice | None:
    """Return the choice with this number, or the last one."""
    number = parse_integer(answer) if answer else len(places)
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
SAFE_COMMANDS = ("hint", "why", "undo", "quit")
"""Commands with one-letter shortcuts, because a slip does no harm."""


def get_commands(game: Compiled, lang: str) -> dict[str, str]:
    """Map typed words to commands. Letters that stand for a rank or a suit are not commands."""
    pieces = part_letters(game, lang)
    return COMMANDS | {letter: command for letter, command in get_letters(lang).items() if letter not in pieces}


def get_letters(lang: str) -> dict[str, str]:
    """Map the letters of this language to commands."""
    with use_language(lang):
        return {t(f"play.short_for.{command}")[0]: command for command in SAFE_COMMANDS}


def list_commands() -> list[str]:
    """Return the commands of this language that the help mentions."""
    heads = (line.split(maxsplit=1)[0] for line in t("play.help").split("\n"))
    return [word for word in heads if word in COMMANDS]
