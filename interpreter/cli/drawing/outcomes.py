"""What a move comes to, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.cli.catalogue import t

if TYPE_CHECKING:
    from interpreter.running.tried import Outcome


def outcome_words(outcome: Outcome, ended: bool, alike: bool, sides: int) -> str:
    """The chance to win, where games were played to their end; points, where they were not, or where that makes no difference."""
    if not outcome.tells:
        return t("outcome.unknown")
    if outcome.is_exact:
        return _exact_words(outcome, ended, alike, sides)
    won = t("outcome.won", share=percent(outcome.share), error=max(1, percent(outcome.share_error)))
    key, gain = "outcome.gained" if sides > 1 else "outcome.more", f"{outcome.gain:+.1f}"
    gained = t(key, gain=gain, error=f"{max(0.1, outcome.gain_error):.1f}", others=max(1, sides - 1))
    return f"{won}; {gained}" if ended and alike else won if ended else gained


def _exact_words(outcome: Outcome, ended: bool, alike: bool, sides: int) -> str:
    won = t("outcome.wins", share=f"{100 * outcome.share:.1f}".removesuffix(".0"))
    gain = f"{round(outcome.gain, 1) + 0.0:+.1f}"
    gained = t("outcome.gains" if sides > 1 else "outcome.gains_more", gain=gain, others=max(1, sides - 1))
    return f"{won}; {gained}" if ended and alike else won if ended else gained


def percent(share: float) -> int:
    return round(100 * share)
