"""Rulesets that are at fault, each in one step of the same small game."""

from __future__ import annotations

from pathlib import Path

_GAME = """
ruleset: 1
game: faults
title: {en: Faults}
players: {count: 2, seats: [A, B]}
tables: {faces: {rows: {heads: {}, tails: {}}}}
pieces: {coin: {of: [faces], copies: 3, from: box}}
piles:
  box:   {}
  small: {room: 2}
  cups:  {columns: 2}
  one:   {each: player, room: 1}
state:
  count: {each: player, range: 0..50, starts: 30}
  total: {range: 0..9}
  maybe: {range: 0..9, optional: true}
  whose: {kind: player, optional: true}
  slot:  {each: 1..3, range: 0..9}
  grid:  {each: [player, 3..5], range: 0..9}
  score: {each: player, range: 0..20}
moves:
  go: {rule: {at: §1, en: Go on.}}
  into one: {rule: {at: §5, en: Into one.}, take: one, put: small}
  the one:  {rule: {at: §6, en: The one.}, take: cards(cups), put: one}
  fill: {rule: {at: §2, en: Fill up.}, take: box, put: cups}
flow:
  game:
    begin: {by: A, choose: [go]}
    step:  {STEP}
    end:   {by: B, choose: [go]}
WHENEVER
result: {best: score of p}
"""
_FLIPS = """whenever:
  up:   {rule: {at: §3, en: Up.}, if: total is 1, do: {set: {set: {total: 2}}}}
  down: {rule: {at: §4, en: Down.}, if: total is 2, do: {set: {set: {total: 1}}}}
"""
_QUIET = """
ruleset: 1
game: quiet
players: {count: 2, seats: [A, B]}
tables: {pips: {rows: {low: {}, high: {}}}}
pieces: {die: {of: [pips], from: cup}}
piles: {cup: {face: down}, tray: {}}
state: {lucky: {kind: player}}
moves: {pass: {rule: {at: §1, en: Nothing.}}}
flow:
  game:
    first: {by: A, choose: [pass]}
    many:  {turns: quiet, from: A, rounds: 90}
  quiet: {rolled: {roll: 2, from: cup, to: tray}, home: {gather: die}, noted: {choose: [pass], when: count(tray) > 2}}
result: {best: count(tray)}
"""

FAULTS: list[tuple[str, str, str | None, str]] = [
    ("check: total > 3", "R901", "total > 3", "this does not hold"),
    ("set: {total: 1}", "R902", "up", "rules that act by themselves wake each other without end"),
    ("set: {total: total - 1}", "R903", "total", "`total` would be -1, which is outside 0..9"),
    ("set: {maybe: total - 1}", "R903", "maybe", "`maybe` would be -1, which is outside 0..9"),
    (
        "set: {count of B: count of A + 21}",
        "R903",
        "count of B",
        "`count of B` would be 51, which is outside 0..50",
    ),
    ("score: total + 21, to: B", "R903", "total + 21", "`score of B` would be 21, which is outside 0..20"),
    (
        "set: {grid of B of 4: count of A - 20}",
        "R903",
        "grid of B of 4",
        "`grid of B of 4` would be 10, which is outside 0..9",
    ),
    ("lots: 23..23, into: total", "R903", "total", "`total` would be 23, which is outside 0..9"),
    ("set: {slot at total: 1}", "R904", "total", "there is no member 0 of 3 to set"),
    ("set: {slot at (total + 4): 1}", "R904", "total + 4", "there is no member 4 of 3 to set"),
    (
        "do: {now: {set: {whose: A}}, then: {when: whose is not none, set: {whose: none, count of whose: 1}}}",
        "R904",
        "whose",
        "there is no member 0 of 2 to set",
    ),
    ("move: box, to: small", "R905", "small", "more than 2 pieces would lie in `small`"),
    ("move: cards(box), from: box, to: small", "R905", "small", "more than 2 pieces would lie in `small`"),
    ("roll: 3, from: box, to: small", "R905", "small", "more than 2 pieces would lie in `small`"),
    ("roll: 7, from: box, to: cups at 1", "R909", "7", "`box` holds 6, and 7 are rolled out of it"),
    ("deal: box, count: 2, to: one, from: A", "R905", "box", "more than 1 piece would lie in `one of A`"),
    (
        "do: {lie: {deal: box, count: 1, to: one, from: A}, near: {move: box, count: 1, to: small}, put: {choose: [into one], together: players}}",
        "R905",
        "into one",
        "more than 2 pieces would lie in `small`",
    ),
    (
        "do: {lie: {move: box, count: 1, to: cups at 1}, grab: {choose: [the one], together: players}}",
        "R908",
        "the one",
        "`tails` is no longer in `cups at 1`: another player has taken it at the same time",
    ),
]
"""A step, the code and the place of what is told of it, and the message."""
NO_FAULTS = [
    "set: {total: 9}",
    "set: {maybe: maybe + 1}",
    "set: {slot at 3: 9, count of B: count of A + 20}",
    "score: 20, to: A",
    "move: box, count: 2, to: small",
    "check: total is 0",
    "roll: 3, from: box, to: cups at 1",
    "roll: total - 1, from: box, to: cups at 1",
]
"""Steps as near to a fault as can be."""


def ruleset(step: str, code: str, folder: Path) -> Path:
    """A ruleset with this step."""
    path = folder / "faults.yaml"
    whenever = _FLIPS if code == "R902" else ""
    path.write_text(_GAME.replace("STEP", step).replace("WHENEVER", whenever), encoding="utf-8")
    return path


def quiet(folder: Path) -> Path:
    """A ruleset that asks nobody for a long time: 184 steps."""
    path = folder / "quiet.yaml"
    path.write_text(_QUIET, encoding="utf-8")
    return path
