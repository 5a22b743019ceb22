"""A game in play: deeds are done once, in turn, from their seat; what was taken back is as it was."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from games import game

from interpreter.web.minds import Minds
from interpreter.web.store import Deed
from interpreter.web.tables import HUMAN, NotNow, Table, counting

GAMES = [("klondike", 1), ("cribbage", 2), ("backgammon", 2)]


class Notes(list[tuple[int, Deed]]):
    def write(self, number: int, deed: Deed) -> None:
        self.append((number, deed))


def table(name: str, kinds: list[str], deeds: list[Deed] | None = None) -> Table:
    rules = game(name)
    return Table("t", rules.start(3), dict(zip(rules.seats, kinds, strict=True)), 3, deeds or [])


def step(at: Table, notes: Notes, which: int = 0) -> str:
    seat, moves = at.state.to_act, at.state.moves()
    assert seat is not None
    move = moves[which % len(moves)].id
    assert at.move(seat, at.number, move, notes.write)
    return move


def refused(do: Any, *given: Any) -> str:
    with pytest.raises(NotNow) as why:
        do(*given)
    return why.value.key


@pytest.mark.parametrize(("name", "people"), GAMES)
def test_a_game_goes_on_where_it_was(name: str, people: int) -> None:
    at, notes = table(name, [HUMAN] * people), Notes()
    for n in range(12):
        step(at, notes, n)
    again = table(name, [HUMAN] * people, [deed for _, deed in notes])
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
    assert refused(at.move, seat, 0, second, notes.write) in ("late", "turn")  # of another window
    assert at.state is after and len(notes) == 1


def test_what_cannot_be_written_is_not_done() -> None:
    at = table("klondike", [HUMAN])
    before = at.state

    def fails(number: int, deed: Deed) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        at.move("A", 0, at.state.moves()[0].id, fails)
    assert at.state is before and at.number == 0


def test_taken_back_is_as_it_was_and_its_number_never_comes_again() -> None:
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
    assert [deed.move for deed in counting(deed for _, deed in notes)] == [deed.move for _, deed in notes[:2]]


def test_who_is_asked_again_takes_back_its_own_move_and_nobody_else() -> None:
    at, notes = table("cribbage", [HUMAN, HUMAN]), Notes()
    first = at.state.to_act
    assert first is not None and not at.may_undo(first)
    step(at, notes)
    for seat in at.game.seats:  # the other one has been asked meanwhile
        assert at.may_undo(seat) == (at.state.to_act == seat == first)


def test_what_seats_without_a_person_did_since_is_taken_back_too() -> None:
    at, notes = table("cribbage", [HUMAN, "random"]), Notes()
    minds = Minds(at.begun, at.kinds, at.seed)
    while at.state.to_act != "A" or not at.made:
        seat = at.state.to_act
        assert seat is not None
        move = at.state.moves()[0].id if seat == "A" else minds.choice([deed.move for deed in at.made])
        at.move(seat, at.number, move, notes.write)
    assert at.may_undo("A") and not at.may_undo("B")
    at.undo("A", at.number, notes.write)
    assert at.state.to_act == "A"
    assert all(at.kinds[deed.seat] != HUMAN or n < len(at.made) for n, deed in enumerate(at.made))


def test_seats_without_a_person_choose_alike_however_the_game_was_come_to() -> None:
    at, notes = table("cribbage", ["search:30", "search:30"]), Notes()
    minds, line = Minds(at.begun, at.kinds, at.seed), list[str]()
    for _ in range(8):
        seat = at.state.to_act
        assert seat is not None
        line.append(minds.choice(line))
        at.move(seat, at.number, line[-1], notes.write)
    fresh = Minds(at.begun, at.kinds, at.seed)
    fresh.known_to("A", [*line[:3]])
    assert fresh.choice(line[:5]) == line[5]
    assert fresh.choice(line[:2]) == line[2]  # back, as after moves that were taken back
    assert list(islice(line, 8)) == [deed.move for deed in at.made]


def test_an_end_is_looked_at_while_its_pieces_lie_there_and_taken_back_with_its_move() -> None:
    at, notes = table("hearts", [HUMAN] * 4), Notes()
    while not at.stops:
        step(at, notes)
    stop = at.stops[-1]
    tricks = [pile for pile in stop.state.view("A").piles if pile.family == "trick"]
    assert (stop.what, stop.number) == ("trick", at.number - 1)
    assert [pile.count for pile in tricks] == [1] * 4 and not stop.state.view("A").moves
    assert stop.state.core.log == (at.state.core.log or [])[: len(stop.state.core.log or [])]
    hands = [pile for pile in stop.state.view("A").piles if pile.family == "hand" and pile.owner != "A"]
    assert hands and all(piece.sign is None for pile in hands for piece in pile.pieces)
    again = table("hearts", [HUMAN] * 4, [deed for _, deed in notes])
    assert again.state == at.state
    while not (at.state.to_act is not None and at.may_undo(at.state.to_act)):
        step(at, notes)
    at.undo(at.state.to_act, at.number, notes.write)
    assert at.stops == []
