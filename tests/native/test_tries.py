"""Obligations that try what would come of an action: machine code leaves the same actions as Python, at every decision of random games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from tiers import in_tiers

from interpreter import Game, load

pytestmark = with_compiler
CHAPTERS = Path(__file__).parents[1] / "compiling" / "flow"
KINDS = ("many", "even", "spare", "both", "all", "evenly", "anyhow")
WEIGHED = """
ruleset: 1
game: weighed
extends: turns.yaml
options:
  weighed: {choices: [many, even, spare, both, all, evenly, anyhow], default: many}
flow:
  game:
    a turn: ~
    over:   ~
    turns:  {repeat: {chips: {run: anew}, turn: {run: climbing}}, rounds: 8}
  climbing:
    many:   {when: weighed is many}
    even:   {when: weighed is even}
    spare:  {when: weighed is spare}
    both:   {when: weighed is both}
    all:    {when: weighed is all, by: A, play: [climb], obey: [many unless the six, most even ones, least in all]}
    evenly: {when: weighed is evenly, obey: [ends evenly, least in all]}
    anyhow: {when: weighed is anyhow, at_most: 2}
  anew:
    back:  {gather: chip}
    mixed: {shuffle: box}
    dealt: {move: box, count: 5, to: hand of A}
    empty: {set: {total: 0}}
examples: ~
"""
BACK = """
ruleset: 1
game: back
title: {en: Back}
use: [_table.yaml]
moves:
  lay:
    rule: {at: §4, en: Lay a chip.}
    take: cards(hand)
    put: heap
  undo:
    rule: {at: §5, en: The last action is taken back.}
    then: {back: {take_back: last move}}
  away:
    rule: {at: §6, en: The last chip goes away.}
    take: heap
    put: box
obligations:
  nothing as it was:
    rule: {at: §7, en: Something must change.}
    never_twice: piles(heap, hand)
flow:
  game:
    mixed: {shuffle: box}
    dealt: {move: box, count: 4, to: hand of A}
    turns: {by: A, play: [lay, pass], at_most: 12, then: {judged: {by: B, choose: [undo, away, pass], obey: [nothing as it was]}}}
"""
WIDE = """
ruleset: 1
game: wide
players: {count: 1, seats: [A]}
tables:
  tens: {rows: {ROWS}}
  ones: {rows: {ROWS}}
pieces: {card: {of: [tens, ones], from: cup}}
piles:
  cup:    {layout: hidden}
  column: {columns: 80}
moves:
  shift: {rule: {at: §1, en: Shift a card.}, take: column, put: column, if: {far: to is not from}}
obligations:
  nothing twice: {rule: {at: §2, en: No place twice.}, never_twice: piles(column), over: [shift]}
flow:
  game:
    thrown: {roll: 3, from: cup, to: column at 79}
    more:   {roll: 2, from: cup, to: column at 3}
    turns:  {by: A, play: [shift], obey: [nothing twice], at_most: 6}
result: {best: 0}
""".replace("ROWS", ", ".join(f"r{n}: {{}}" for n in range(9)))


def ruleset(text: str, folder: Path, **options: str) -> Game:
    for name in ("_table", "turns"):
        shutil.copy(CHAPTERS / f"{name}.yaml", folder)
    (folder / "obliged.yaml").write_text(text, encoding="utf-8")
    return load(folder / "obliged.yaml", options)


@pytest.mark.parametrize("weighed", in_tiers(KINDS, whole=("both",)))
@pytest.mark.slow
def test_whole_turns_are_weighed_the_same(weighed: str, tmp_path: Path) -> None:
    """One obligation and several; some that spare sequences, or let only some of them end."""
    one = ruleset(WEIGHED, tmp_path, weighed=weighed)
    other = engine_of(one)
    assert [difference(one, other, seed) for seed in range(12)] == [None] * 12
    assert one.playout(0).decisions > 8


@pytest.mark.whole
def test_what_would_be_taken_back_is_tried(tmp_path: Path) -> None:
    """Taking back is refused where it would change nothing, which only who knows the last action can tell."""
    one = ruleset(BACK, tmp_path)
    laid, passed = (one.start().play(move) for move in (one.start().moves()[0], "pass"))
    assert {move.name for move in laid.moves()} >= {"undo"} and "undo" not in {move.name for move in passed.moves()}
    other = engine_of(one)
    assert [difference(one, other, seed) for seed in range(12)] == [None] * 12


@pytest.mark.slow
def test_more_piles_and_kinds_than_a_word_has_bits(tmp_path: Path) -> None:
    """What was changed in a try is marked by bits, several piles to one where there are many; dice are drawn from a set of kinds."""
    one = ruleset(WIDE, tmp_path)
    other = engine_of(one)
    assert [difference(one, other, seed) for seed in range(6)] == [None] * 6
    assert one.playout(0).decisions == 6
