"""Hints in words: the best moves, their outcomes with errors, and how play may continue. The search is in `players`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hoyle.game.views.redaction import redact
from hoyle.players.move_evaluation import evaluate_moves, select_followed
from hoyle.players.search.driver import prepare_if_built
from hoyle.presentation.catalogue import format_error, format_number, join_sentences, lang, t
from hoyle.presentation.look import draw_text

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move
    from hoyle.players.inference.knowledge import Knowledge
    from hoyle.players.move_evaluation import Evaluation, Step
    from hoyle.players.search.win_search import StateKey
    from hoyle.presentation.look import Look
    from hoyle.running.outcomes import Outcome


def describe_outcome(outcome: Outcome, ended: bool, alike: bool, sides: int) -> str:
    """Return the chance to win if games were played to the end, else points; both if the chances are alike."""
    if not outcome.tells:
        return t("outcome.unknown")
    if outcome.is_exact:
        return _describe_exact_outcome(outcome, ended, alike, sides)
    won = t("outcome.won", share=to_percent(outcome.share), error=max(1, to_percent(outcome.share_error)))
    gained = t(_choose_outcome_key("about", outcome, sides), **_format_points(outcome, sides))
    return join_sentences(won, gained) if ended and alike else won if ended else gained


def _describe_exact_outcome(outcome: Outcome, ended: bool, alike: bool, sides: int) -> str:
    won = t("outcome.wins", share=_round_number(100 * outcome.share))
    gained = t(_choose_outcome_key("exactly", outcome, sides), **_format_points(outcome, sides))
    return join_sentences(won, gained) if ended and alike else won if ended else gained


def _choose_outcome_key(how: str, outcome: Outcome, sides: int) -> str:
    """Return the key for who is better off. In some games fewer points are better."""
    whom = "ahead" if sides > 1 else "better"
    if round(outcome.gain, 1) == 0:
        return f"outcome.{how}.even"
    return f"outcome.{how}.{whom if outcome.gain > 0 else _CONTRARY[whom]}"


_CONTRARY = {"ahead": "behind", "better": "worse"}


def _format_points(outcome: Outcome, sides: int) -> dict[str, object]:
    gain = format_number(abs(outcome.gain), 1)
    return {"gain": gain, "error": format_error(outcome.gain_error), "others": max(1, sides - 1)}


def _round_number(number: float) -> str:
    """Format with one decimal unless it is zero."""
    return format_number(number, 0 if round(number, 1) == round(number) else 1)


def describe_line(state: State, steps: Sequence[Step], look: Look) -> str:
    """Describe a continuation as told to the player to act."""
    return join_sentences(*filter(None, (_describe_step(state, step, look) for step in steps)))


def _describe_step(state: State, step: Step, look: Look) -> str:
    text = draw_text(step.event(state.game.compiled).text(lang(), state.to_act), look)
    return t("outcome.doubtful", move=text) if step.doubtful and text else text


def to_percent(share: float) -> int:
    return round(100 * share)


SECONDS, MOST_SECONDS = 1.0, 60.0
ITERATIONS: int | None = None
"""Number of playouts; None: until the time is up."""


def parse_seconds(text: str) -> float | None:
    """Parse the time for a hint; None if it is no time or too long."""
    said = re.fullmatch(r"([0-9]+(?:[.,][0-9]+)?) ?s?", text.strip() or str(SECONDS))
    found = float(said[1].replace(",", ".")) if said is not None else 0.0
    return found if 0 < found <= MOST_SECONDS else None


def give_hint(
    state: State,
    moves: Sequence[Move],
    look: Look,
    knowledge: Knowledge | None = None,
    seconds: float = SECONDS,
    ways: dict[StateKey, int] | None = None,
) -> list[str]:
    """Return sentences about good moves for the player to act.

    Args:
        moves: legal moves in the order of their numbers on the screen.
        knowledge: what the player remembers.
        ways: certain wins found by earlier hints; updated.

    """
    return advise(state, moves, look, knowledge, seconds, ways)[1]


def advise(
    state: State,
    moves: Sequence[Move],
    look: Look,
    knowledge: Knowledge | None = None,
    seconds: float = SECONDS,
    ways: dict[StateKey, int] | None = None,
) -> tuple[Move, list[str]]:
    """Return the best move and the sentences of a hint. `moves` is empty if the user sees no numbers."""
    look, legal = replace(look, colour=False), state.moves()  # what stands in a sentence is shown as it is
    if len(legal) == 1:
        return legal[0], [_format_hint(legal[0], moves, look, t("play.hint_only"))]
    seen = redact(state.game.compiled, state.core, state.core.actor)
    found = evaluate_moves(prepare_if_built(state.game), seen, state.decisions, seconds, ITERATIONS, knowledge, ways)
    if found is None:
        return legal[0], [_format_hint(legal[0], moves, look, t("play.hint_first"))]
    told = [*_describe_results(state, found, moves, look), *_describe_lines(state, found, look)]
    return legal[found.shown[0].number], told


def _format_hint(move: Move, moves: Sequence[Move], look: Look, why: str) -> str:
    """Format a move, with its number if moves are listed."""
    text = _format_move(move, look)
    return (
        t("play.hint", number=moves.index(move) + 1, move=text, why=why)
        if moves
        else t("play.hint_move", move=text, why=why)
    )


def _format_move(move: Move, look: Look) -> str:
    return draw_text(move.text(lang()), look)


# ---- what moves come to ----------------------------------------------------------------------------------------------


def _describe_results(state: State, weighed: Evaluation, moves: Sequence[Move], look: Look) -> list[str]:
    """Describe the best moves with their figures and the source of these figures."""
    shown, ended = weighed.shown, weighed.ended
    words = [describe_outcome(weight.outcome, ended, weighed.is_alike, len(state.game.sides)) for weight in shown]
    legal = state.moves()
    lines = [_format_hint(legal[weight.number], moves, look, why) for weight, why in zip(shown, words, strict=True)]
    if weighed.won is not None:
        return [*lines, t("play.hint_won", choices=len(weighed.won.chosen))]
    if weighed.is_exact:
        return [*lines, t("play.hint_exact")]
    unknown = [t("play.hint_sought")] if weighed.sought else []
    return [*lines, t("play.hint_games" if ended else "play.hint_part", games=weighed.games), *unknown]


# ---- and why ---------------------------------------------------------------------------------------------------------


def _describe_lines(state: State, weighed: Evaluation, look: Look) -> list[str]:
    """Describe the continuations after the two best moves, or that these are equal."""
    if weighed.is_close:
        return [t("play.hint_equal" if weighed.is_exact else "play.hint_close")]
    lines = [describe_line(state, steps[1:], look) for steps in weighed.lines]
    if not all(lines) or (len(lines) > 1 and lines[0] == lines[1]):
        return []
    moves, key = state.moves(), "surely" if weighed.won is not None else "at_best" if weighed.is_exact else "mostly"
    return [
        t(f"outcome.{key}", move=_format_move(moves[weight.number], look), line=line)
        for weight, line in zip(select_followed(weighed.shown), lines, strict=False)
    ]
