"""Talks to `fc-solve`, an independent solver of FreeCell (freecell-solver), if it is there: it deals, solves, and lists what single moves give."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

SOLVER, DEALER = "fc-solve", "make-microsoft-freecell-board"
PRESET = "lg"
"""How it searches: as it does without being told, it is lost in one deal of two hundred."""
SINGLE_MOVES = "01ABCDE"
"""To a foundation from a column and from a cell, and everything between columns and cells, one card at a time."""


class Layout(NamedTuple):
    """What lies where: columns in order, cells in no order, how many cards on each foundation."""

    columns: tuple[tuple[str, ...], ...]
    cells: frozenset[str]
    foundations: tuple[tuple[str, int], ...]

    def unordered(self) -> tuple[object, ...]:
        """The same whichever column is which."""
        return frozenset(Counter(self.columns).items()), self.cells, self.foundations


class Step(NamedTuple):
    """What the solver says that it does, and what lies on the table afterwards."""

    words: str
    after: Layout


def ask(program: str, *arguments: str, board: str | None = None) -> str:
    surroundings = {**os.environ, "FREECELL_SOLVER_QUIET": "1"}
    done = subprocess.run(
        [program, *arguments], input=board, capture_output=True, text=True, timeout=60, env=surroundings
    )
    return done.stdout


def dealt(number: int) -> str:
    """The board of a numbered deal, as its own dealer makes it."""
    return ask(DEALER, "-t", str(number))


def solution(board: str) -> list[Step]:
    """The steps that solve a board; none if it finds no solution. The first has no words: it is the board."""
    found = ask(SOLVER, "-l", PRESET, "-p", "-t", "-sam", board=board)
    if "This game is solveable" not in found:
        return []
    blocks = [block.partition("Foundations:") for block in re.split(r"={10,}", found)]
    return [Step(_words(before), layout("Foundations:" + board)) for before, there, board in blocks if there]


def _words(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith("Move")), "")


def layout(text: str) -> Layout:
    """A board in the solver's spelling: foundations, free cells, then a line for each column."""
    lines = [line.rstrip() for line in text.strip().split("\n")]
    built = tuple(sorted((suit, RANKS.index(rank)) for suit, rank in re.findall(r"([SHDC])-(\w)", lines[0])))
    cells = frozenset(lines[1].partition(":")[2].split())
    columns = tuple(tuple(line.partition(":")[2].split()) for line in lines[2:] if line.startswith(":"))
    return Layout(columns, cells, built)


RANKS = "0A23456789TJQK"


def spelt(found: Layout) -> str:
    """A layout as the solver reads it."""
    built = " ".join(f"{suit}-{RANKS[count]}" for suit, count in found.foundations)
    columns = "".join(f": {' '.join(column)}\n" for column in found.columns)
    return f"Foundations: {built}\nFreecells: {' '.join(sorted(found.cells))}\n{columns}"


def single_moves(found: Layout) -> set[tuple[object, ...]]:
    """All that one card's move can make of a layout, by the solver's own search in breadth."""
    text = ask(SOLVER, "--method", "bfs", "-to", SINGLE_MOVES, "-i", "-s", "-p", "-t", "-mi", "150", board=spelt(found))
    return {made.unordered() for depth, made in _looked_at(text) if depth == 1}


def _looked_at(text: str) -> Iterator[tuple[int, Layout]]:
    for part in text.split("Iteration: ")[1:]:
        depth = re.search(r"Depth: (\d+)", part)
        if depth is not None and "Foundations:" in part:
            yield int(depth[1]), layout(part[part.index("Foundations:") :].partition("-----")[0])
