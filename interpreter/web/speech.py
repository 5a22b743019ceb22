"""What is said to one person, in the language that they chose: the words of the terminal, and those of the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from interpreter.cli.catalogue import speaking
from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.lines import look_of, place_words, result_lines, why_lines
from interpreter.game.game import Game, State
from interpreter.language.sentences import FALLBACK, LANGUAGES, Sentence, catalogue, filled, typeset

_HERE = Path(__file__).resolve().parent


def language(asked: object) -> str:
    """The one that was asked for, if there is such a one."""
    return str(asked) if asked in LANGUAGES else FALLBACK


def word(lang: str, key: str, **values: object) -> str:
    """A sentence of the page."""
    return filled(catalogue(_HERE, lang)[key], lang, values)


@cache
def page_words(lang: str) -> dict[str, Any]:
    """All that the page itself says, and which numbers take a singular."""
    found: dict[str, dict[str, str]] = json.loads((_HERE / f"{lang}.json").read_text(encoding="utf-8"))
    said = {part: {key: typeset(text, lang) for key, text in table.items()} for part, table in found.items()}
    return {**said, "singular": Sentence("number.singular")[lang]}


def look(game: Game, lang: str) -> Look:
    """The game's words in a language, without colours of a terminal."""
    key = ("web", lang)
    found: Look | None = game.compiled.kept.get(key)
    if found is None:
        with speaking(lang):
            found = replace(look_of(game), colour=False, unicode=True, width=400, height=None)
        game.compiled.kept[key] = found
    return found


def result(state: State, lang: str) -> list[str]:
    """How the game ended."""
    with speaking(lang):
        return result_lines(state, look(state.game, lang))


def place(state: State, lang: str) -> str:
    """What is to be decided."""
    with speaking(lang):
        return place_words(state.place, look(state.game, lang))


def why(state: State, moves: Sequence[str], seat: str, lang: str) -> list[str]:
    """Why the first of these moves that the game knows is legal or not, as far as the seat can know."""
    found = [state.why(move, seat) for move in moves]
    told = next((one for one in found if one.known), None)
    with speaking(lang):
        lines = why_lines(told, look(state.game, lang)) if told is not None else []
    return [line.replace(told.move, told.text(lang), 1) if told and told.known else line for line in lines[:1]] + lines[
        1:
    ]
