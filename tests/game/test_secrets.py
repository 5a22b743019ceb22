"""A seat is shown, offered and told only what follows from what it has seen.

Pieces that it never saw are exchanged through the whole history of a game: nothing may change for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
from exchange import History, Script, beginning, exchanged, unseen, walked
from games import game
from msgspec import structs
from rules import load_rules
from sights import advised_move, seen_in
from tiers import sized, some_now

from hoyle import State
from hoyle.cli import output
from hoyle.cli.playing.keyboard import Console, Left
from hoyle.cli.playing.session import Session
from hoyle.game.events import make_event
from hoyle.game.moves.legal import list_actions
from hoyle.game.positions import to_position
from hoyle.game.values import Value
from hoyle.game.views.redaction import sample_determinizations
from hoyle.players import move_evaluation
from hoyle.presentation import hints
from hoyle.presentation.hints import give_hint
from hoyle.presentation.look import make_look
from hoyle.running.chance import Chance

LANGUAGES = ("en", "fr")
GAMES = ["cribbage", "spades", "crapette", "barbu", "backgammon", "grabuge", "klondike", "spite-and-malice", "hearts"]
GAMES += ["belote", "coinchee", "gin-rummy", "golf", "president", "scopa", "piquet-au-cent", "oh-hell"]
"""Games of every kind."""


def shown(state: State, seat: str, known: int) -> list[object]:
    """Everything that a seat is shown of a state. `known`: it has seen so many events of the log before."""
    view, game = state.view(seat), state.game.compiled
    happened = [make_event(game, raw) for raw in (state.core.log or ())[known:]]
    return [
        (view.piles, view.state, view.to_act, view.place, view.boards),
        [(m.id, m.fault, m.text("en"), m.text("fr")) for m in view.moves],
        [e.text(lang, seat) for lang in LANGUAGES for e in happened if e is not None and e.kind != "shuffle"],
        to_position(game, state.core, seat),
        [(value.plain, value.known, value.parts) for value in values(state, seat)],
    ]


def values(state: State, seat: str) -> Iterator[Value]:
    return (state.value(f"cards({pile.key})", seat) for pile in state.view(seat).piles)


def reasons(state: State, seat: str, asked: Sequence[str]) -> Iterator[object]:
    for ident in asked if state.to_act == seat else ():
        why = state.why(ident, seat)
        yield ident, why.known, why.legal, [why.summary(lang) for lang in LANGUAGES], why.reasons


def asked_about(history: History, first: int, second: int) -> list[str]:
    """Moves that may depend on hidden pieces: of any bindings, and of the two exchanged pieces."""
    state = history.states[-1]
    point, signs = state.game.machine.points[state.core.pc], state.game.namer.signs
    found = [
        state.game.namer.move_id(move, action, state.core.actor)
        for move in point.moves
        for action in list_actions(state.game.compiled, state.core, move)
    ]
    idents = list(dict.fromkeys(found))
    heads = dict.fromkeys(ident.split(" ")[0] for ident in idents)
    alone = [signs[first], signs[second]]
    return [*alone, *idents[:3], *idents[-3:], *(f"{head} {signs[c]}" for head in heads for c in (first, second))][:12]


def pairs(name: str, seeds: Sequence[int], steps: Sequence[int]) -> Iterator[tuple[History, History, str, list[str]]]:
    """Two histories that a seat cannot tell apart, and moves to ask about. Those of one seed begin with the same states."""
    for seed in seeds:
        longest = walked(game(name), seed, max(steps))
        for count in steps:
            history = beginning(longest, count)
            if history.states[-1].is_over:
                continue
            for seat in game(name).seats:
                for other, first, second in exchanged(history, seat, seed + count):
                    yield history, other, seat, asked_about(history, first, second)
                    break


def differ(name: str, seeds: Sequence[int], steps: Sequence[int]) -> int:
    """Fails if a seat is told something else. Returns the number of pairs compared."""
    count = 0
    before: dict[tuple[int, str], list[object]] = {}
    for history, other, seat, asked in pairs(name, seeds, steps):
        known = 0, 0
        for one, two in zip(history.states, other.states, strict=True):
            if (id(one), seat) not in before:
                before[id(one), seat] = [one, *shown(one, seat, known[0])]
            assert before[id(one), seat][1:] == shown(two, seat, known[1])
            known = len(one.core.log or ()), len(two.core.log or ())
        assert list(reasons(history.states[-1], seat, asked)) == list(reasons(other.states[-1], seat, asked))
        count += 1
    return count


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_unseen_pieces_change_nothing_that_a_seat_is_told(name: str) -> None:
    seeds, steps = ((1,), (9,)) if sized(0, 9) < 9 else ((1, 2), (9, 1, 5, 25, 60))
    has_secrets = any(unseen(walked(game(name), 1, 4).states[-1], seat) for seat in game(name).seats)
    assert differ(name, seeds, steps) > 0 or not has_secrets


def advised(state: State) -> object:
    return advised_move(state, 3), give_hint(state, state.moves(), make_look(state.game))


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", some_now(["cribbage", "klondike", "barbu", "crapette", "spite-and-malice", "whist"], 1)
)
def test_a_hint_follows_from_what_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 15)
    monkeypatch.setattr(move_evaluation, "OFTEN", 2)
    compared = 0
    for history, other, seat, _ in pairs(name, (1,), (1, 6)):
        if history.states[-1].to_act == seat:
            assert advised(history.states[-1]) == advised(other.states[-1])
            compared += 1
    assert compared


# ---- at the terminal -------------------------------------------------------------------------------------------------


class Keyboard(Console):
    """Answers with the moves of a history, after a few questions. Collects the screens and who looked at them."""

    pages = False

    def __init__(self, played: History, questions: Sequence[str], shown: Callable[[], str], paged: bool) -> None:
        super().__init__()
        self.terminal = self.pages = paged
        self.played, self.questions, self.shown = played, questions, shown
        self.screens: list[tuple[str | None, str]] = []
        self.answers: list[str] = []
        self.session: Session

    def next_move(self) -> str:
        at = self.session.state.decisions
        return self.played.moves[at][1] if at < len(self.played.moves) else "quit"

    def look(self) -> None:
        self.screens.append((self.session.looking, self.shown()))

    def ask(self, prompt: str, offered: bool = False, again: object = None) -> str:
        self.answers = self.answers or [*self.questions, self.next_move()]
        output.say(prompt)
        self.look()
        return self.answers.pop(0)

    def wait(self, prompt: str) -> None:
        output.say(prompt)
        self.look()

    def clear(self) -> None:
        self.look()


class Shown(Session):
    """A game at the terminal that ends with its history. A person who is to move then is asked once more."""

    def _decide(self) -> None:
        assert isinstance(self.console, Keyboard)
        seat, moves = self.state.to_act, self.state.moves()
        if self.console.next_move() != "quit":
            Session._decide(self)
        elif seat in self.people:
            self._ask(seat, moves)
        else:
            raise Left

    def _offer_save(self) -> bool:
        return True


class Bots(Chance):
    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(0, 1)
        self.keyboard = keyboard

    def copy(self) -> Bots:
        return self

    def below(self, bound: int) -> int:
        idents = [move.id for move in self.keyboard.session.state.moves()]
        return idents.index(self.keyboard.next_move())


def screens(
    history: History,
    people: Sequence[str],
    questions: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    paged: bool = False,
) -> list[tuple[str | None, str]]:
    """The screens of a whole history and who looked at them. `paged`: as on a terminal of 24 lines."""
    own = history.states[0].game
    keyboard = Keyboard(history, questions, lambda: capsys.readouterr().out, paged)
    bots = Bots(keyboard)
    keyboard.session = Shown(
        game=own,
        name="game",
        state=own.start(chance=Script(history.chance)),
        kinds={seat: "human" if seat in people else "random" for seat in own.seats},
        look=structs.replace(make_look(own), height=20 if paged else None),
        players={seat: lambda seen, chance: chance.below(len(seen.moves or ())) for seat in own.seats},
        bots=bots,
        record=None,
        recorded=lambda state, name: "",
        console=keyboard,
    )
    keyboard.session.run()
    keyboard.look()
    return keyboard.screens


TERMINALS = [("cribbage", True, False), ("spades", False, False), ("crapette", False, False), ("barbu", True, False)]
TERMINALS += [("cribbage", True, True), ("hearts", False, True), ("spades", True, True), ("grabuge", False, True)]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "alone", "paged"), some_now(TERMINALS, 1))
def test_nobody_reads_at_the_terminal_what_another_knows(
    name: str, alone: bool, paged: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On pages events are repeated, changes are marked, and a screen may be too low for all."""
    monkeypatch.setattr(hints, "ITERATIONS", 12)
    monkeypatch.setattr(move_evaluation, "OFTEN", 2)
    compared = 0
    for history, other, seat, asked in pairs(name, (1,), (3, 23) if paged else (7,)):
        people = [seat] if alone else list(game(name).seats)
        why = [f"why {ident}" for ident in asked[-2:]]
        questions = ["last", "table"] if paged else [] if compared else ["hint", *why]
        first, second = (screens(h, people, questions, capsys, paged) for h in (history, other))
        assert [text for viewer, text in first if viewer == seat] == [text for viewer, text in second if viewer == seat]
        compared += 1
    assert compared


# ---- secret state ----------------------------------------------------------------------------------------------------


@pytest.fixture
def guessing() -> State:
    return load_rules("game/guessing").start(3)


def with_cell(state: State, name: str, member: int, value: int) -> State:
    core = state.core.copy()
    core.cells[state.game.ruleset.state[name].base + member] = value
    state.game.machine.advance(core, core.pc)
    return State(state.game, core)


@pytest.mark.whole
def test_reasons_and_hints_do_not_know_secrets(guessing: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 12)
    own = next(value.value for value in guessing.view("A").state if value.name == "number")
    others = [with_cell(guessing, "number", 1, value) for value in (3, 17, 29)]
    assert len({repr(state.why(f"guess {own}", "A")) for state in others}) == 1
    assert f"number = {own}" in " ".join(guessing.why(f"guess {own}", "A").lines())
    assert len({repr(advised(state)) for state in others[:2]}) == 1


@pytest.mark.whole
@pytest.mark.parametrize("name", ["hearts", "cribbage"])
def test_worlds_choose_again_what_others_chose_unseen(name: str) -> None:
    state = walked(game(name), 3, 1).states[-1]
    point = state.game.machine.points[state.core.pc]
    assert point.together is not None
    found = list(sample_determinizations(state.game.compiled, seen_in(state), Chance.stream(1), 20))
    assert len(found) == 20
    assert len({world.cells[point.together.chosen] for world in found}) > 10
    for world in found:
        hand = {piece >> 1 for piece in world.piles[state.game.ruleset.piles["hand"].base]}
        (chosen,) = world.cells[point.together.chosen]
        assert {piece >> 1 for piece in _pieces(chosen[1:])} <= hand
        state.game.machine.play(world, world.acts[0])


def _pieces(values: Iterable[Any]) -> Iterator[int]:
    for value in values:
        yield from _pieces(value) if isinstance(value, tuple) else (value,)
