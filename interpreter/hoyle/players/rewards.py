"""What the end of a game, or of a deal of it, is worth to each side that plays towards it."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.running.state import Core
from hoyle.running.tried import GREATEST


def rewards(
    game: Compiled, core: Core, lead: Sequence[float], scale: float, score: bool = False
) -> tuple[list[float], list[float], list[float]]:
    """Between 0 and 1 for each side: its share of the win, and by how much it is better off than with `lead`, where `scale` is usual; only that if
    nobody has won yet or only standings count (`score`). And both as they are."""
    gained = [now - before for now, before in zip(results.leads(game, core), lead, strict=True)]
    found = [better_off(change, scale, score) for change in gained]
    if not core.over:
        return found, [0.0 for _ in found], gained
    won = _won(game, core)
    if score:
        return found, won, gained
    return [0.9 * share + 0.1 * reward for share, reward in zip(won, found, strict=True)], won, gained


def better_off(change: float, scale: float, score: bool) -> float:
    """Between 0 and 1, for standing so much better than before."""
    part = min(1.0, max(-1.0, change / (GREATEST * scale))) if score else change / (abs(change) + scale)
    return 0.5 + 0.5 * part


def _won(game: Compiled, core: Core) -> list[float]:
    winners, sides = results.winning(game, core), range(len(game.ruleset.sides))
    if not winners:
        return [1.0 / len(sides) if len(sides) > 1 else 0.0 for _ in sides]
    return [float(n in winners) / len(winners) for n in sides]
