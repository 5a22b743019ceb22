"""Several moves said at once, to be made one after the other: `24/23 13/9`, `21/18*/14`, `8/4(2)`, ids between commas."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import named
from hoyle.game.moves.phrases import links
from hoyle.game.spelling import plain_words

_TIMES = re.compile(r"(.+)\(([1-9])\)")
_COMMAS = re.compile(r"\s*[,;]\s*")


def in_turn(game: Compiled, text: str) -> list[str]:
    """The moves that a text lists, each as it may be typed alone; none where a part of it is written as no move of the game is, or where
    it is but one."""
    found = list[str]()
    for part in filter(None, _COMMAS.split(text.strip())):
        steps = [part] if _is_named(game, part) else _in_notation(game, part.split())
        if not steps:
            return []
        found += steps
    return found if len(found) > 1 else []


def _is_named(game: Compiled, part: str) -> bool:
    """Does it begin with the name of a move?"""
    return named(game.ruleset.moves.values(), plain_words(part, game.namer.readings)) != []


def _in_notation(game: Compiled, words: Iterable[str]) -> list[str]:
    """The steps that these words write in the notation of the game; none if one of them is no such."""
    found = list[str]()
    for word in words:
        steps = [step for once in _times(word) for step in _links(game, once)]
        if not steps:
            return []
        found += steps
    return found


def _times(word: str) -> list[str]:
    """What is written so many times in brackets, so many times."""
    found = _TIMES.fullmatch(word)
    return [found[1]] * int(found[2]) if found is not None else [word]


def _links(game: Compiled, word: str) -> list[str]:
    """The steps of one piece: each begins where the one before ended."""
    plain = plain_words(word, game.namer.readings)
    moves = (move for move in game.ruleset.moves.values() if move.short is not None)
    return next(filter(None, (links(move, plain) for move in moves)), [])
