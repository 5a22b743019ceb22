"""The words that a prompt takes for commands, in both languages, and which letters stand for them beside the pieces of a game."""

from __future__ import annotations

from hoyle.cli.catalogue import speaking, t
from hoyle.cli.playing.interrupting import KEY
from hoyle.game.compiled import Compiled
from hoyle.game.moves.piece_names import part_signs

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
    pieces = part_signs(game, lang)
    return COMMANDS | {letter: command for letter, command in letters(lang).items() if letter not in pieces}


def letters(lang: str) -> dict[str, str]:
    """The commands by the letters that stand for them in this language."""
    with speaking(lang):
        return {t(f"play.short_for.{command}")[0]: command for command in BRIEF}


def told_commands() -> list[str]:
    """The commands in the language shown: those that the help tells."""
    heads = (line.split(maxsplit=1)[0] for line in t("play.help").split("\n"))
    return [word for word in heads if word in COMMANDS]
