"""FreeCell: numbered deals and their solutions as records; deals, solutions and single moves against an independent solver."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import freecell_solver as solver
import pytest
from games import loaded
from tiers import some_now

from interpreter import IllegalMove, State
from interpreter.diagnostics import Refused, Source
from interpreter.game.records import replay

RECORDS = sorted((Path(__file__).parent / "freecell").glob("*.jsonl"), key=lambda path: int(path.stem))
MORE = [*range(3, 1003, 25)]
"""Deals that the solver is asked for."""
EVERY = 15
"""Of the positions on the way to a solution, every so many is looked at closely."""
asks_the_solver = pytest.mark.skipif(
    not (shutil.which(solver.SOLVER) and shutil.which(solver.DEALER)),
    reason="`fc-solve` (freecell-solver) is not there",
)


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


# ---- against the solver ----------------------------------------------------------------------------------------------


def lies(state: State) -> solver.Layout:
    piles: dict[str, list[tuple[str, ...]]] = {}
    for pile in state.view(None).piles:
        piles.setdefault(pile.family, []).append(tuple(str(piece.sign) for piece in pile.pieces))
    built = {cards[0][1]: len(cards) for cards in piles["foundation"] if cards}
    cells = frozenset(card for cell in piles["cell"] for card in cell)
    return solver.Layout(tuple(piles["column"]), cells, tuple((suit, built.get(suit, 0)) for suit in "CDHS"))


def in_our_words(state: State, words: str) -> str:
    """The solver's move as an id. Its columns and cells are counted from 0; which cell is which is known by the card there."""
    if sent := re.fullmatch(r"Move (a|\d+) cards? from stack (\d+) to (stack|freecell|the foundations) ?(\d*)", words):
        count, column, where, number = sent.groups()
        pile = lies(state).columns[int(column)]
        packet = " ".join(pile[-(1 if count == "a" else int(count)) :])
        return {
            "stack": f"column-to-column {int(column) + 1} {packet} -> {int(number or 0) + 1}",
            "freecell": f"to-a-free-cell {int(column) + 1}",
            "the foundations": f"to-the-foundation column {int(column) + 1}",
        }[where]
    raise AssertionError(f"the solver says {words!r}")


def played(state: State, step: solver.Step) -> State:
    """The solver's step, made here."""
    cell = re.fullmatch(r"Move a card from freecell \d+ to (stack|the foundations) ?(\d*)", step.words)
    if cell is None:
        return state.play(in_our_words(state, step.words))
    (card,) = lies(state).cells - step.after.cells
    number = cells_of(state).index(card) + 1
    where = (
        f"cell-to-column {number} -> {int(cell[2]) + 1}" if cell[1] == "stack" else f"to-the-foundation cell {number}"
    )
    return state.play(where)


def cells_of(state: State) -> list[str | None]:
    found = [pile.pieces for pile in state.view(None).piles if pile.family == "cell"]
    return [pieces[0].sign if pieces else None for pieces in found]


def test_the_solver_is_understood() -> None:
    state = loaded("freecell", deal=1).start()
    assert lies(state) == solver.layout(solver.spelt(lies(state)))
    assert in_our_words(state, "Move a card from stack 4 to freecell 0") == "to-a-free-cell 5"
    assert in_our_words(state, "Move 2 cards from stack 0 to stack 1") == "column-to-column 1 6D 6S -> 2"
    with pytest.raises(AssertionError):
        in_our_words(state, "Move all")


@asks_the_solver
@pytest.mark.slow
@pytest.mark.parametrize("deal", MORE)
def test_every_solution_of_an_independent_solver_is_accepted_and_every_other_move_refused(deal: int) -> None:
    packets, singles = loaded("freecell", deal=deal), loaded("freecell", deal=deal, packets="single")
    steps = solver.solution(solver.dealt(deal))
    state = packets.start()
    assert lies(state) == steps[0].after
    for number, step in enumerate(steps[1:]):
        if number % EVERY == 0 and len(steps) - number > EVERY:
            same_single_moves(singles.position(position(state)))
        state = played(state, step)
        assert lies(state) == step.after
    assert state.winners == ["A"]


def position(state: State) -> dict[str, object]:
    """How the pieces lie, to go on under other options."""
    found: dict[str, str | list[str]] = {}
    for pile in state.view(None).piles:
        cards = " ".join(str(piece.sign) for piece in pile.pieces) or "~"
        if pile.family == "foundation":
            found[pile.key] = cards
        elif pile.family in ("column", "cell"):
            found[pile.family] = [*found.get(pile.family, []), cards]
    return {"at": "game / play", "to_act": "A", "piles": found}


def same_single_moves(state: State) -> None:
    """What one card's move can make here is what the solver says, and nothing else; it does not tell empty columns apart."""
    made = {lies(state.play(move)).unordered() for move in state.moves()}
    found = solver.single_moves(lies(state))
    assert made - {lies(state).unordered()} == found
    wrong = next(text for text in tried(state) if text not in {move.id for move in state.moves()})
    with pytest.raises(IllegalMove):
        state.play(wrong)


def tried(state: State) -> Iterator[str]:
    """The last card of each column onto the next."""
    columns = lies(state).columns
    for number, cards in enumerate(columns, 1):
        yield f"column-to-column {number} {cards[-1] if cards else 'KS'} -> {number % len(columns) + 1}"
