"""A pile, a move and a phase may share a name. Each is shown in its own words."""

from __future__ import annotations

from pathlib import Path

from commands import Run, command_lines

from interpreter import load
from interpreter.cli.drawing.lines import look_of, place_words, why_lines
from interpreter.cli.drawing.table import table

run = command_lines
GAME = """
ruleset: 1
game: alike
title: Alike
players: {count: 2, seats: [A, B]}
options:
  way: {choices: [build, other], default: build, words: {build: as one builds}}
tables:
  colours: {order: [build, green], rows: {build: {en: builder's red}, green: {}}}
  shapes: {order: [build, round], rows: {build: {en: square}, round: {}}}
pieces: {stone: {of: [colours], copies: 3, from: bag}}
piles:
  bag: {face: up}
  build: {columns: 2, en: buildings}
  side: {each: shapes, face: up}
state:
  chosen: {each: colours, range: 0..9, starts: 2}
  formed: {each: shapes, range: 0..9, starts: 3}
  ways: {each: way, range: 0..9, starts: 4}
moves:
  build:
    rule: {at: §1, en: A stone is laid.}
    take: bag
    put: build
    if: {bag: {is: count(bag) > 9, en: enough in the bag}}
    en: build on {to}
  end: {rule: {at: §1, en: No more is done.}, then: {stop: {leave: game}}}
  lay:
    rule: {at: §1, en: A stone is laid.}
    take: bag
    put: build
    if: {bag: {is: count(bag) < 6, en: not too many}}
    en: build on {to}
flow:
  game:
    build: {turns: build, from: A, rounds: 2, en: the building}
  build:
    en: a turn
    build: {choose: [build, lay, end], en: one stone}
result: {best: count(build at 1)}
display: {side: {while: true}}
"""


def test_parts_of_one_name_have_their_own_words(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "alike.yaml"
    file.write_text(GAME.lstrip(), encoding="utf-8")
    game = load(file)
    state, look = game.start(1), look_of(game)
    drawn = "\n".join(table(state.view("A"), game.seats, look))
    for words in ("buildings", "builder's red 2", "square 3", "as one builds 4", "side square"):
        assert words in drawn
    assert place_words(state.place, look) == "a turn / one stone"
    marks = [why_lines(state.why(f"{move} -> 1"), look) for move in ("build", "lay")]
    assert ["enough in the bag" in "".join(lines) for lines in marks] == [True, False]
    assert ["not too many" in "".join(lines) for lines in marks] == [False, True]
    code, out, _ = run("simulate", str(file), "-n", "2", "--seed", "1")
    assert code == 0 and "build on … (build)" in out and "build on … (lay)" in out
