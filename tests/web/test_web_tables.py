"""A game in play: each move is made once, in turn, from its seat; undo restores the state before."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from games import game
from rules import watched_at
from tiers import in_tiers, some_now

from hoyle import load
from hoyle.web.play.bot_runner import BotRunner
from hoyle.web.play.stored_tables import Operation
from hoyle.web.play.tables import HUMAN, Table, TableError

GAMES = in_tiers([("klondike", 1), ("cribbage", 2), ("backgammon", 2)], [("klondike", 1)], [("backgammon", 2)])


class Notes(list[tuple[int, Operation]]):
    def write(self, number: int, operation: Operation) -> None:
        self.append((number, operation))


def table(name: str, kinds: list[str], operations: list[Operation] | None = None) -> Table:
    rules = game(name)
    return Table("t", rules.start(3), dict(zip(rules.seats, kinds, strict=True)), 3, operations or [])


def step(at: Table, notes: Notes, which: int = 0) -> str:
    seat, moves = at.state.to_act, at.state.moves()
    assert seat is not None
    move = moves[which % len(moves)].id
    assert at.move(seat, at.number, move, notes.write)
    return move


def refused(do: Any, *given: Any) -> str:
    with pytest.raises(TableError) as why:
        do(*given)
    return why.value.key


@pytest.mark.parametrize(("name", "people"), GAMES)
def test_a_game_is_restored_from_its_operations(name: str, people: int) -> None:
    at, notes = table(name, [HUMAN] * people), Notes()
    for n in range(12):
        step(at, notes, n)
    again = table(name, [HUMAN] * people, [operation for _, operation in notes])
    assert again.state == at.state
    assert again.number == at.number == len(notes) == 12
    assert [number for number, _ in notes] == list(range(12))


def test_a_move_is_made_once_in_turn_from_its_seat() -> None:
    at, notes = table("cribbage", [HUMAN, HUMAN]), Notes()
    before, seat = at.state, at.state.to_act
    assert seat is not None
    other = next(s for s in at.game.seats if s != seat)
    move, second = at.state.moves()[0].id, at.state.moves()[1].id
    assert refused(at.move, other, 0, move, notes.write) == "turn"
    assert refused(at.move, seat, 0, "no such move", notes.write) == "move"
    assert refused(at.move, seat, 5, move, notes.write) == "late"
    assert at.state is before and notes == []
    assert at.move(seat, 0, move, notes.write)
    after = at.state
    assert not at.move(seat, 0, move, notes.write)  # sent again
    assert refused(at.move, seat, 0, second, notes.write) in ("late", "turn")  # from another window
    assert at.state is after and len(notes) == 1


def test_moves_that_fail_or_cannot_be_written_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    at, notes = table("klondike", [HUMAN]), Notes()
    before = at.state

    def fails(*_: object) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        at.move("A", 0, at.state.moves()[0].id, fails)
    assert at.state is before and at.number == 0
    monkeypatch.setattr("hoyle.web.play.tables.play_with_pauses", fails)
    with pytest.raises(OSError, match="no room"):
        step(at, notes)
    assert notes == [] and at.number == 0


def test_undo_restores_the_state_under_a_new_number() -> None:
    at, notes = table("klondike", [HUMAN]), Notes()
    states = [at.state]
    for n in range(4):
        step(at, notes, n)
        states.append(at.state)
    assert at.undo("A", at.number, notes.write)
    assert at.state == states[3] and at.state.core.chance.to_json() == states[3].core.chance.to_json()
    assert not at.undo("A", 4, notes.write)  # sent again
    assert at.undo("A", at.number, notes.write)
    assert at.state == states[2] and at.number == 6
    assert refused(at.move, "A", 2, notes[2][1].move + "!", notes.write) == "late"
    again = table("klondike", [HUMAN], [operation for _, operation in notes])
    assert again.moves == [operation for _, operation in notes[:2]] and again.state == at.state


def test_undo_takes_back_the_moves_of_bots_too() -> None:
    at, notes = table("cribbage", [HUMAN, "random"]), Notes()
    bots = BotRunner(at.start, at.kinds, at.seed)
    while at.state.to_act != "A" or not at.moves:
        seat = at.state.to_act
        assert seat is not None
        move = at.state.moves()[0].id if seat == "A" else bots.choose([operation.move for operation in at.moves])
        at.move(seat, at.number, move, notes.write)
    assert at.can_undo("A") and not at.can_undo("B")
    at.undo("A", at.number, notes.write)
    assert at.state.to_act == "A"
    assert all(at.kinds[operation.seat] != HUMAN or n < len(at.moves) for n, operation in enumerate(at.moves))


@pytest.mark.parametrize("kind", some_now(["random", "search:30"], 1))
def test_bots_choose_alike_in_a_game_that_is_opened_again(kind: str) -> None:
    at, notes = table("cribbage", [kind, kind]), Notes()
    bots, line = BotRunner(at.start, at.kinds, at.seed), list[str]()
    for _ in range(8):
        seat = at.state.to_act
        assert seat is not None
        line.append(bots.choose(line))
        at.move(seat, at.number, line[-1], notes.write)
    fresh = BotRunner(at.start, at.kinds, at.seed)
    fresh.recall("A", [*line[:3]])
    assert fresh.choose(line[:5]) == line[5]
    assert fresh.choose(line[:2]) == line[2]  # backwards, as after an undo
    assert list(islice(line, 8)) == [operation.move for operation in at.moves]


@pytest.mark.whole
def test_a_full_trick_is_a_pause_and_undone_with_its_move() -> None:
    at, notes = table("hearts", [HUMAN] * 4), Notes()
    while not at.pauses:
        step(at, notes)
    stop = at.pauses[-1]
    tricks = [pile for pile in stop.state.view("A").piles if pile.family == "trick"]
    assert (stop.what, stop.number) == ("trick", at.number - 1)
    assert [pile.count for pile in tricks] == [1] * 4 and not stop.state.view("A").moves
    assert stop.state.core.log == (at.state.core.log or [])[: len(stop.state.core.log or [])]
    hands = [pile for pile in stop.state.view("A").piles if pile.family == "hand" and pile.owner != "A"]
    assert hands and all(piece.sign is None for pile in hands for piece in pile.pieces)
    again = table("hearts", [HUMAN] * 4, [operation for _, operation in notes])
    assert again.state == at.state
    while not (at.state.to_act is not None and at.can_undo(at.state.to_act)):
        step(at, notes)
    at.undo(at.state.to_act, at.number, notes.write)
    assert at.pauses == []


# ---- passes and calls ------------------------------------------------------------------------------------------------


def watched(folder: Path, *kinds: str, operations: Sequence[Operation] = ()) -> Table:
    rules = load(str(watched_at(folder)))
    return Table("t", rules.start(1), dict(zip(rules.seats, kinds, strict=True)), 1, operations)


def moved(at: Table, notes: Notes, *moves: str) -> None:
    for move in moves:
        at.move(str(at.state.to_act), at.number, move, notes.write)
        at.pass_unasked(notes.write)


def test_unasked_seats_pass_and_may_call_until_they_move(tmp_path: Path) -> None:
    at, notes = watched(tmp_path, HUMAN, HUMAN), Notes()
    assert not at.pass_unasked(notes.write)
    moved(at, notes, "take-one", "take-two", "take-one")
    done = [(operation.kind, operation.seat) for _, operation in notes]
    assert done == [("move", "A"), ("pass", "B")] * 2 + [("move", "B"), ("pass", "A")]
    assert [place.move_count for place in at.list_calls("A")] == [5] and at.list_calls("B") == []
    again = watched(tmp_path, HUMAN, HUMAN, operations=[operation for _, operation in notes])
    assert again.state == at.state and [place.move_count for place in again.list_calls("A")] == [5]


def test_a_call_goes_back_to_the_fault(tmp_path: Path) -> None:
    at, notes = watched(tmp_path, HUMAN, HUMAN), Notes()
    moved(at, notes, "take-one")
    number = at.number
    moved(at, notes, "take-two")  # meanwhile
    assert refused(at.call, "B", number, 0, notes.write) == "late"
    assert refused(at.call, "A", number, 1, notes.write) == "late"
    assert at.call("B", number, 1, notes.write)
    assert not at.call("B", number, 1, notes.write)  # sent again
    assert at.state.to_act == "B" and at.is_called and not at.pass_unasked(notes.write)
    assert {move.name for move in at.state.moves()} == {"let it pass", "call"}
    opened = watched(tmp_path, HUMAN, HUMAN, operations=[operation for _, operation in notes])
    assert opened.is_called and not opened.pass_unasked(notes.write), "asked also after a break"
    at.move("B", at.number, "call thrift", notes.write)
    assert "B — a fault it was" in [event.text("en") for event in at.state.events]
    assert at.list_calls("B") == [] and not at.is_called


def test_undone_moves_cannot_be_called(tmp_path: Path) -> None:
    """A pass is no move of its seat, so it cannot be undone."""
    at, notes = watched(tmp_path, HUMAN, HUMAN), Notes()
    moved(at, notes, "take-one")
    assert at.can_undo("A") and not at.can_undo("B")
    number = at.number
    at.undo("A", number, notes.write)
    assert at.moves == [] and at.state.to_act == "A"
    moved(at, notes, "take-two")
    assert refused(at.call, "B", number, 1, notes.write) == "late"


def test_bots_are_asked_to_call(tmp_path: Path) -> None:
    at, notes = watched(tmp_path, HUMAN, "random"), Notes()
    moved(at, notes, "take-one")
    assert at.bot_to_move == "B" and at.moves[-1].kind == "move"
