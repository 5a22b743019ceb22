"""A game that is over, gone through: what `hoyle analyse` says of it, as data for a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hoyle.cli.catalogue import speaking, t

NAME = "game"
KIND, DEALS = "normal", 10
"""Who judges, and how many other deals show what could be expected of one."""
Tick = Callable[[int, int], None]


def judged(record: str, rules: Path, lang: str, tick: Tick) -> dict[str, Any]:
    """Raises Refused if this is no record of these rules. It takes long; `tick` is told how much is done."""
    from hoyle.cli.commands.analyse import Report
    from hoyle.players.hindsight import with_hindsight
    from hoyle.series.analyse import Order, redealt
    from hoyle.series.analyse import judged as judge

    order = Order(NAME, record, str(rules), KIND, 0, "auto")
    with speaking(lang):
        course = order.course()
        numbers, found = [*range(len(course.decisions))], []
        for done, one in enumerate(judge(order, course, numbers), 1):
            found += [one] if one is not None else []
            tick(done, len(numbers))
        found = with_hindsight(course, found)
        deals = list(redealt(order, course, DEALS)) if not (found and found[0].is_kept) else []
        return _told(Report(order, course, found, len(numbers), deals))


def _told(report: Any) -> dict[str, Any]:
    from hoyle.cli.drawing.judged import heads

    return {
        "t": "analysis",
        "title": report.title(seeded=False),
        "heads": list(heads()),
        "accounts": [list(row) for row in report.accounts()],
        "notes": report.facts(),
        "parts": [
            {
                "head": part.head,
                "note": part.note,
                "moves": [{"title": one.title, "at": one.number - 1, "told": one.told} for one in part.found],
            }
            for part in report.parts
        ],
        "columns": [t(f"analyse.{name}") for name in ("move", "seat", "played", "best", "lost")],
        "moves": [[one.number, one.seat, one.made, one.best, one.loss] for one in report.told(report.found)],
    }
