"""Advice in words: the best moves, what each comes to, how sure that is, and how play goes on after the two best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hoyle.game.views.redaction import redact
from hoyle.players.move_evaluation import followed, weigh
from hoyle.players.search.driver import at_hand
from hoyle.presentation.catalogue import both, figure, lang, t, within
from hoyle.presentation.look import suited

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move
    from hoyle.players.inference.knowledge import Knowledge
    from hoyle.players.move_evaluation import Step, Weighed
    from hoyle.players.search.win_search import Key
    from hoyle.presentation.look import Look
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


SECONDS, MOST_SECONDS = 1.0, 60.0
ITERATIONS: int | None = None
"""Games that are tried; None: as many as there is time for."""


def seconds_of(text: str) -> float | None:
    """For how long a hint is asked for; None if that says no time, or a longer one than anybody waits."""
    said = re.fullmatch(r"([0-9]+(?:[.,][0-9]+)?) ?s?", text.strip() or str(SECONDS))
    found = float(said[1].replace(",", ".")) if said is not None else 0.0
    return found if 0 < found <= MOST_SECONDS else None


def hint(
    state: State,
    moves: Sequence[Move],
    look: Look,
    knowledge: Knowledge | None = None,
    seconds: float = SECONDS,
    ways: dict[Key, int] | None = None,
) -> list[str]:
    """Good moves for whoever acts, and what speaks for them: sentences, each to stand on lines of its own. `moves`: the legal ones, as they are
    numbered to whoever asks; `knowledge`: what it remembers besides what it sees; `ways`: what is to be chosen on ways to win that were found by hints before, which are kept there."""
    return advised(state, moves, look, knowledge, seconds, ways)[1]


def advised(
    state: State,
    moves: Sequence[Move],
    look: Look,
    knowledge: Knowledge | None = None,
    seconds: float = SECONDS,
    ways: dict[Key, int] | None = None,
) -> tuple[Move, list[str]]:
    """The same with the best move. Where nobody sees a list with numbers, there are no `moves`."""
    look, legal = replace(look, colour=False), state.moves()  # what stands in a sentence is shown as it is
    if len(legal) == 1:
        return legal[0], [_line(legal[0], moves, look, t("play.hint_only"))]
    seen = redact(state.game.compiled, state.core, state.core.actor)
    found = weigh(at_hand(state.game), seen, state.decisions, seconds, ITERATIONS, knowledge, ways)
    if found is None:
        return legal[0], [_line(legal[0], moves, look, t("play.hint_first"))]
    told = [*_results(state, found, moves, look), *_reasons(state, found, look)]
    return legal[found.told[0].number], told


def _line(move: Move, moves: Sequence[Move], look: Look, why: str) -> str:
    """A move with its number among those that are listed, so that it need not be looked for there."""
    text = _text(move, look)
    return (
        t("play.hint", number=moves.index(move) + 1, move=text, why=why)
        if moves
        else t("play.hint_move", move=text, why=why)
    )


def _text(move: Move, look: Look) -> str:
    return suited(move.text(lang()), look)


# ---- what moves come to ----------------------------------------------------------------------------------------------


def _results(state: State, found: Weighed, moves: Sequence[Move], look: Look) -> list[str]:
    """The best moves with the figures that they are in the order of, and where these come from."""
    shown, ended = found.told, found.ended
    words = [outcome_words(weight.outcome, ended, found.is_alike, len(state.game.sides)) for weight in shown]
    legal = state.moves()
    lines = [_line(legal[weight.number], moves, look, why) for weight, why in zip(shown, words, strict=True)]
    if found.won is not None:
        return [*lines, t("play.hint_won", choices=len(found.won.chosen))]
    if found.is_exact:
        return [*lines, t("play.hint_exact")]
    unknown = [t("play.hint_sought")] if found.sought else []
    return [*lines, t("play.hint_games" if ended else "play.hint_part", games=found.games), *unknown]


# ---- and why ---------------------------------------------------------------------------------------------------------


def _reasons(state: State, found: Weighed, look: Look) -> list[str]:
    """How play goes on after the best and after the second, where that shows something; or that there is nothing to choose between them."""
    if found.is_close:
        return [t("play.hint_equal" if found.is_exact else "play.hint_close")]
    lines = [line_words(state, steps[1:], look) for steps in found.lines]
    if not all(lines) or (len(lines) > 1 and lines[0] == lines[1]):
        return []
    moves, key = state.moves(), "surely" if found.won is not None else "at_best" if found.is_exact else "mostly"
    return [
        t(f"outcome.{key}", move=_text(moves[weight.number], look), line=line)
        for weight, line in zip(followed(found.told), lines, strict=False)
    ]
