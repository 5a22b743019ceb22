"""FreeCell: solutions of numbered deals as records, and every decision of random games against a referee."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from games import loaded
from tiers import some_now

from hoyle import State
from hoyle.diagnostics import Refused, Source
from hoyle.game.records.records import replay

RECORDS = sorted((Path(__file__).parent / "freecell").glob("*.jsonl"), key=lambda path: int(path.stem))
RANKS = "A23456789TJQK"


@pytest.mark.whole
@pytest.mark.parametrize("path", some_now(RECORDS, 2), ids=lambda path: path.stem)
def test_a_solution_wins_its_deal_and_no_other(path: Path) -> None:
    found = replay(Source(path.name, path.read_text(encoding="utf-8")))
    assert found.complete
    assert found.header["options"]["deal"] == int(path.stem)
    assert (found.state.winners, found.state.scores) == (["A"], {"A": 52})
    header, first, *rest = path.read_text(encoding="utf-8").splitlines()
    other = json.loads(header)
    other["options"]["deal"] += 1
    for lines in ([json.dumps(other), first, *rest], [header, *rest]):
        with pytest.raises(Refused):
            replay(Source(path.name, "\n".join(lines)))


class Referee:
    """A position, and the moves that the rules allow in it. Cards are two letters, rank and suit."""

    def __init__(self, state: State, options: dict[str, Any]) -> None:
        piles: dict[str, list[list[str]]] = {}
        for pile in state.view(None).piles:
            piles.setdefault(pile.family, []).append([str(piece.sign) for piece in pile.pieces])
        self.columns, self.cells, self.options = piles["column"], piles["cell"], options
        self.built = {cards[-1] for cards in piles["foundation"] if cards}

    def moves(self) -> Iterator[str]:
        for n, cell in enumerate(self.cells, 1):
            for card in cell:
                yield from [f"to-the-foundation cell {n}"] if self._is_next(card) else []
                yield from (f"cell-to-column {n} -> {to}" for to in self._places([card]))
        for n, column in enumerate(self.columns, 1):
            if column:
                yield from [f"to-the-foundation column {n}"] if self._is_next(column[-1]) else []
                yield from [f"to-a-free-cell {n}"] if [] in self.cells else []
            for packet in self._packets(column):
                places = (to for to in self._places(packet) if to != n)
                yield from (f"column-to-column {n} {' '.join(packet)} -> {to}" for to in places)

    def _is_next(self, card: str) -> bool:
        return card[0] == "A" or RANKS[RANKS.index(card[0]) - 1] + card[1] in self.built

    def _packets(self, column: list[str]) -> Iterator[list[str]]:
        """The last card of a column, and longer rows of cards as long as each fits on the one before."""
        for size in range(1, len(column) + 1):
            packet = column[-size:]
            if size > 1 and (self.options.get("packets") == "single" or not self._fits(packet[1], packet[0])):
                return
            yield packet

    def _places(self, packet: list[str]) -> Iterator[int]:
        for n, column in enumerate(self.columns, 1):
            kings = self.options.get("spaces") == "kings"
            spare = 0 if kings else sum(not other for m, other in enumerate(self.columns, 1) if m != n)
            room = (self.cells.count([]) + 1) * 2**spare
            fits = self._fits(packet[0], column[-1]) if column else not kings or packet[0][0] == "K"
            if fits and len(packet) <= room:
                yield n

    def _fits(self, card: str, above: str) -> bool:
        in_suit = self.options.get("builds") == "in_suit"
        suits = card[1] == above[1] if in_suit else (card[1] in "HD") != (above[1] in "HD")
        return suits and RANKS.index(card[0]) + 1 == RANKS.index(above[0])


@pytest.mark.parametrize(
    ("options", "deals"),
    [
        ({}, range(1, 2)),
        ({"spaces": "kings", "cells": 6}, range(2, 3)),
        *(
            pytest.param(options, range(1, 30), marks=pytest.mark.slow)
            for options in ({}, {"spaces": "kings", "cells": 6}, {"packets": "single", "builds": "in_suit"})
        ),
    ],
    ids=str,
)
def test_every_decision_is_that_of_a_referee(options: dict[str, Any], deals: range) -> None:
    decisions = 0
    for deal in deals:
        state, pick = loaded("freecell", options, deal=deal).start(), Random(deal)
        while not state.is_over and decisions < 100 * len(deals):
            moves = [move.id for move in state.moves()]
            assert sorted(moves) == sorted(Referee(state, options).moves()), (deal, decisions)
            state, decisions = state.play(pick.choice(moves)), decisions + 1
    assert decisions > 10 * len(deals)
