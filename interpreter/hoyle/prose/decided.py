"""What the options decide, whatever happens in the game."""

from __future__ import annotations

from hoyle.language.evaluate import settled as known
from hoyle.language.ir import Const, Expr
from hoyle.language.steps import Score
from hoyle.prose.noting import plainly
from hoyle.prose.settled import TooLong, settled
from hoyle.prose.voice import Voice


def known_now(condition: Expr, voice: Voice) -> bool | None:
    """Whether the options make it hold always or never."""
    found = known(condition, voice.rules.attributes.by_name)
    if found is None:
        try:
            plain = settled(condition, voice.rules.attributes.by_name)
        except TooLong:
            return None
        found = bool(plain.value) if isinstance(plain, Const) else None
    return found


def scores_nothing(verb: Score, voice: Voice) -> bool:
    """Do the options make it worth nothing?"""
    points = plainly(verb.points, voice)
    return isinstance(points, Const) and points.value == 0
