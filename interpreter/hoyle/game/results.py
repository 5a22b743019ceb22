"""Results of a state: scores, winners, leads."""

from __future__ import annotations

from hoyle.game.compiled import Compiled
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import Compare, Expr, Same
from hoyle.language.value_types import Number
from hoyle.running.machine import STOP
from hoyle.running.state import Core


def evaluate_result(game: Compiled, core: Core, formula: Expr, side: int | None = None) -> int:
    """Evaluate a formula of the result, for a side if it is about one."""
    names = {game.ruleset.result.p: side} if side is not None else {}
    return int(evaluate(formula, game.setting(core), names))


def count_scores(game: Compiled, core: Core) -> list[int]:
    """Return the scores of the sides, in their order."""
    return [evaluate_result(game, core, game.ruleset.result.score, n) for n in range(len(game.ruleset.sides))]


def find_winners(game: Compiled, core: Core) -> list[int]:
    """Return the numbers of the sides with the best result of those that can win; none before the end."""
    if not core.over:
        return []
    result = game.ruleset.result
    able = [
        n for n in range(len(game.ruleset.sides)) if result.won is None or evaluate_result(game, core, result.won, n)
    ]
    found = {n: tuple(evaluate_result(game, core, e, n) for e in result.best) for n in able}
    return [n for n, best in found.items() if best == max(found.values())]


def win_progress(game: Compiled, core: Core) -> tuple[int, int] | None:
    """Return what the first side has of a number, and what it needs to win; None if `won` asks for no such number."""
    won = game.ruleset.result.won
    if not isinstance(won, Same) and not (isinstance(won, Compare) and won.op == ">="):
        return None
    if not isinstance(won.left.type, Number):
        return None
    have, wanted = evaluate_result(game, core, won.left, 0), evaluate_result(game, core, won.right, 0)
    return (have, wanted) if 0 <= have < wanted else None


def win_progress_name(game: Compiled) -> str:
    """Return the displayed value that counts what `won` counts, by the same formula; empty if there is none."""
    won = game.ruleset.result.won
    if not isinstance(won, Same | Compare):
        return ""
    shown = game.ruleset.display.values.values()
    return next((hint.name for hint in shown if hint.loop is None and hint.value.span.text == won.left.span.text), "")


def can_continue(game: Compiled, core: Core) -> bool:
    """Return whether the seat that chose last would still have a move."""
    chosen = (raw for raw in reversed(core.log or ()) if raw[0] == "move")
    last = next(chosen, None)
    if last is None:
        return False
    with game.machine.uncounted():
        return game.machine.blocks[game.machine.points[last[2]].label](core.copy()) == STOP


def compute_leads(game: Compiled, core: Core) -> list[float]:
    """Return each side's lead over the mean of the others, by the first ranking criterion; a single side's own
    value."""
    best, sides = game.ruleset.result.best[0], range(len(game.ruleset.sides))
    stand = [float(evaluate_result(game, core, best, side)) for side in sides]
    total, others = sum(stand), len(stand) - 1
    return [own - (total - own) / others for own in stand] if others else stand
