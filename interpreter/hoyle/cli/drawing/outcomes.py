"""What a move comes to, in words, and how play goes on after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.cli.catalogue import both, lang, t
from hoyle.cli.drawing.figures import figure, within
from hoyle.cli.drawing.ink import suited

if TYPE_CHECKING:
    from hoyle.cli.drawing.ink import Look
    from hoyle.game.game import State
    from hoyle.players.move_evaluation import Step
    from hoyle.running.outcomes import Outcome


def outcome_words(outcome: Outcome, ended: bool, alike: bool, sides: int) -> str:
    """The chance to win, where games were played to their end; points, where they were not, or where that makes no difference."""
    if not outcome.tells:
        return t("outcome.unknown")
    if outcome.is_exact:
        return _exact_words(outcome, ended, alike, sides)
    won = t("outcome.won", share=percent(outcome.share), error=max(1, percent(outcome.share_error)))
    gained = t(_better_off("about", outcome, sides), **_points(outcome, sides))
    return both(won, gained) if ended and alike else won if ended else gained


def _exact_words(outcome: Outcome, ended: bool, alike: bool, sides: int) -> str:
    won = t("outcome.wins", share=_round(100 * outcome.share))
    gained = t(_better_off("exactly", outcome, sides), **_points(outcome, sides))
    return both(won, gained) if ended and alike else won if ended else gained


def _better_off(how: str, outcome: Outcome, sides: int) -> str:
    """The sentence for who stands better or worse, which is no matter of more or fewer points: there are games that the fewest win."""
    whom = "ahead" if sides > 1 else "better"
    if round(outcome.gain, 1) == 0:
        return f"outcome.{how}.even"
    return f"outcome.{how}.{whom if outcome.gain > 0 else _CONTRARY[whom]}"


_CONTRARY = {"ahead": "behind", "better": "worse"}


def _points(outcome: Outcome, sides: int) -> dict[str, object]:
    gain = figure(abs(outcome.gain), 1)
    return {"gain": gain, "error": within(outcome.gain_error), "others": max(1, sides - 1)}


def _round(number: float) -> str:
    """With a digit behind the point where it says something."""
    return figure(number, 0 if round(number, 1) == round(number) else 1)


def line_words(state: State, steps: Sequence[Step], look: Look) -> str:
    """How play goes on, as whoever acts in this state would be told of it."""
    return both(*filter(None, (_step(state, step, look) for step in steps)))


def _step(state: State, step: Step, look: Look) -> str:
    text = suited(step.event(state.game.compiled).text(lang(), state.to_act), look)
    return t("outcome.doubtful", move=text) if step.doubtful and text else text


def percent(share: float) -> int:
    return round(100 * share)
