"""Notations of moves, such as `21/18*/14`, and several moves typed on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hoyle.game.compiled import Compiled
from hoyle.game.moves.parsing import match_name
from hoyle.game.moves.phrases import Words, pile_phrase, plain_of
from hoyle.game.spelling import plain_words
from hoyle.language.model import Move
from hoyle.language.phrases import Blank
from hoyle.language.sentences import FALLBACK
from hoyle.running.state import Core

_TIMES = re.compile(r"(.+)\(([1-9])\)")
_COMMAS = re.compile(r"\s*[,;]\s*")


def parse_notation(game: Compiled, core: Core, moves: Iterable[Move], wanted: str) -> tuple[Move, Words] | None:
    """Return the move whose notation plain words have, whatever stands in its places, and the pile it takes from."""
    for move in moves:
        found = re.fullmatch(_pattern(move), wanted) if move.short is not None else None
        if found is not None and move.origin is not None and move.origin.name in found.groupdict():
            origin = found[move.origin.name]
            for n in range(len(core.piles) - 1):
                if any(
                    origin == " ".join(plain_of(game, game.namer.brief(n, core.actor, lang)))
                    for lang in game.ruleset.languages
                ):
                    return move, pile_phrase(game, n, core.actor)
            return move, (origin,)
    return None


def _pattern(move: Move) -> str:
    assert move.short is not None
    parts = move.short.phrases[FALLBACK]
    return "".join(re.escape(part) if isinstance(part, str) else _blank_pattern(part) for part in parts)


def _blank_pattern(blank: Blank) -> str:
    if blank.forms is not None:
        return f"(?:{'|'.join(map(re.escape, blank.forms))})"
    return rf"(?P<{blank.name}>\w+)" if "." not in blank.name else r"\w+"


# ---- several moves ---------------------------------------------------------------------------------------------------


def split_moves(game: Compiled, text: str) -> list[str]:
    """Split a line into several moves: `24/23 13/9`, `21/18*/14`, `8/4(2)`, ids between commas.

    Returns nothing if a part is no move of the game, or if there is only one."""
    found = list[str]()
    for part in filter(None, _COMMAS.split(text.strip())):
        is_named = match_name(game.ruleset.moves.values(), plain_words(part, game.namer.readings))
        steps = [part] if is_named else _split_notations(game, part.split())
        if not steps:
            return []
        found += steps
    return found if len(found) > 1 else []


def _split_notations(game: Compiled, words: Iterable[str]) -> list[str]:
    """Split words of a notation into steps; nothing if one of them is no notation."""
    found = list[str]()
    noted = [move for move in game.ruleset.moves.values() if move.short is not None]
    for word in words:
        repeated = _TIMES.fullmatch(word)
        once, times = (repeated[1], int(repeated[2])) if repeated is not None else (word, 1)
        plain = plain_words(once, game.namer.readings)
        steps = next(filter(None, (_split_steps(move, plain) for move in noted)), [])
        if not steps:
            return []
        found += steps * times
    return found


def _split_steps(move: Move, word: str) -> list[str]:
    """Split a chain of steps of one piece: `21/18*/14` is `21/18*` and `18/14`. Returns nothing for another form."""
    assert move.short is not None
    first, *rest = move.short.phrases[FALLBACK]
    if not isinstance(first, Blank) or first.forms is not None or not rest:
        return []
    step = "".join(
        re.escape(part) if isinstance(part, str) else _blank_pattern(part) if part.forms is not None else r"\w+"
        for part in rest
    )
    if re.fullmatch(rf"\w+(?:{step})+", word) is None:
        return []
    found, origin = list[str](), re.findall(r"\w+", word)[0]
    for link in re.finditer(step, word):
        found.append(f"{origin}{link[0]}")
        origin = re.findall(r"\w+", link[0])[-1]
    return found
