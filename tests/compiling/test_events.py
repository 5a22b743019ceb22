"""Steps that are one event: rules that act by themselves wait for its end, also if `leave` ends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Refused

GAME = """
ruleset: 1
game: sums
players: {count: 2, seats: [A, B]}
tables: {amounts: {columns: {worth: 0..9}, rows: {three: {worth: 3}, four: {worth: 4}, five: {worth: 5}}}}
pieces: {card: {of: [amounts], from: pack}}
piles: {pack: {face: down}, hand: {each: player}}
state: {score: {each: player, range: 0..99}, seen: {each: player, range: 0..99}}
flow:
  game:
    deal: {deal: pack, count: 1, to: hand, from: A}
    it:
      by: B
      EVENT
    after: {score: 50, to: A, as: {en: after}}
  part:
    all: {for: a in amounts, score: a.worth, to: me, as: a}
whenever:
  ten:
    rule: {at: §1, en: Ten points win.}
    for: p in players
    if: score of p >= 10 and seen of p is 0
    do:
      note: {set: {seen of p: score of p}}
      won: {leave: game}
result: {best: score of p}
"""


@pytest.mark.parametrize(
    ("event", "scores"),
    [
        ("run: part", {"A": 0, "B": 12}),
        (
            "as_one: {all: {for: a in amounts, score: a.worth, to: me, as: a}, more: {score: 20, to: me}}",
            {"A": 0, "B": 32},
        ),
        ("as_one: {first: {score: 9, to: me}, all: {run: part}}", {"A": 0, "B": 21}),
        ("as_one: {inner: {as_one: {ten: {score: 10, to: me}}}, more: {score: 1, to: me}}", {"A": 0, "B": 11}),
        ("as_one: {twice: {repeat: {six: {score: 6, to: opponent}}, at_most: 3}}", {"A": 18, "B": 0}),
        ("as_one: {none: {for: a in amounts where a.worth > 9, score: a.worth, to: me}}", {"A": 50, "B": 0}),
        (
            "do: {nine: {score: 9, to: me}, all: {as_one: {two: {score: 2, to: me}, three: {score: 3, to: me}}}}",
            {"A": 0, "B": 14},
        ),
        (
            "do: {all: {as_one: {ten: {score: 10, to: me}, go: {leave: game}, more: {score: 5, to: me}}}}",
            {"A": 0, "B": 10},
        ),
    ],
)
def test_scores_when_the_game_ends(event: str, scores: dict[str, int], tmp_path: Path) -> None:
    path = tmp_path / "sums.yaml"
    path.write_text(GAME.replace("EVENT", event), encoding="utf-8")
    state = load(path).start()
    assert state.is_over
    assert state.scores == scores


def test_a_phase_that_asks_cannot_be_one_event(tmp_path: Path) -> None:
    """Where it is met first in a place that may ask, only the unfolded flow shows it."""
    asking = GAME.replace("EVENT", "as_one: {all: {run: part}}")
    asking = asking.replace("  part:\n", "  part:\n    ask: {choose: [draw]}\n")
    moves = "moves:\n  draw: {rule: {at: §2, en: Draw.}, take: pack, put: hand}\n"
    asking = asking.replace("whenever:", f"{moves}whenever:")
    path = tmp_path / "asks.yaml"
    for text in (asking, asking.replace("    it:\n", "    before: {by: A, run: part}\n    it:\n")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(Refused, match="R522"):
            load(path)
