"""Scenes: what a game shows, tells and offers, step by step, to each seat in both languages, letter for letter.

`scenes/NAME.scene` is a list of commands for the game of `scenes/NAME.yaml`; what they print is `NAME.out`. After a wanted
change, run with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sights import advised_move
from spaces import spaced

from interpreter import State, load
from interpreter.diagnostics import Refused, Source
from interpreter.game import records
from interpreter.game.positions import to_position
from interpreter.game.records import lines, replay
from interpreter.game.view import PileView, StateView

FOLDER = Path(__file__).parent / "scenes"
NAMES = sorted(p.stem for p in FOLDER.glob("*.scene"))


class Scene:
    """A game as it goes on; each command is a method that says what it found."""

    def __init__(self, file: Path) -> None:
        self.file, self.game = file, load(file)
        self.state, self.told = self.game.start(), 0
        self.shown: dict[str, set[str]] = {}

    def run(self, command: str) -> Iterator[str]:
        name, _, rest = command.partition(" ")
        yield f"> {command}"
        try:
            yield from getattr(self, name)(rest)
        except Refused as refused:
            for d in refused.diagnostics:
                yield from (
                    f"{d.code}: {d.message}",
                    *(f"  {n}" for n in d.notes),
                    *([f"  help: {d.help}"] if d.help else []),
                )

    def start(self, seed: str) -> Iterator[str]:
        yield from self._now(self.game.start(int(seed)), 0)

    def playout(self, seed: str) -> Iterator[str]:
        self.state = self.game.playout(int(seed))
        self.told = len(self.state.events)
        yield from self._now(self.state, self.told - 4)

    def position(self, text: str) -> Iterator[str]:
        yield from self._now(self.game.position(json.loads(text), 1), 0)

    def play(self, move: str) -> Iterator[str]:
        yield from self._now(self.state.play(move), self.told)

    def _now(self, state: State, told: int) -> Iterator[str]:
        self.state, self.told = state, len(state.events)
        for event in state.events[told:]:
            yield f"{event.kind} {event.seat or '-'} {json.dumps(dict(event.data), ensure_ascii=False)}"
            heard: dict[str, list[str]] = {}
            for seat in (None, *self.game.seats):
                heard.setdefault(" | ".join(event.text(lang, seat) for lang in ("en", "fr")), []).append(seat or "-")
            yield from (f"  {' '.join(seats)}: {words}" for words, seats in heard.items())
        yield f"{state.place or '(over)'}: {state.to_act or '-'}"

    def moves(self, _: str) -> Iterator[str]:
        for move in self.state.moves():
            yield f"{move.id} | {move.text('en')} | {move.text('fr')}{' — at fault: ' * bool(move.fault)}{move.fault or ''}"

    def view(self, seat: str) -> Iterator[str]:
        """What a seat sees that it has not been shown like this before."""
        view = self.state.view(seat if seat in self.game.seats else None)
        found = [*map(_pile, view.piles), *map(_value, view.state)]
        yield from (line for line in found if line not in self.shown.setdefault(seat, set()))
        self.shown[seat] |= set(found)
        yield f"{view.place}: {view.to_act}, {len(view.moves)} moves"

    def to(self, seat: str) -> Iterator[str]:
        yield json.dumps(
            to_position(self.game.compiled, self.state.core, seat if seat in self.game.seats else None),
            ensure_ascii=False,
            indent=1,
        )

    def why(self, move: str) -> Iterator[str]:
        found = self.state.why(move)
        yield f"known {found.known}, legal {found.legal}: {found.summary('en')} | {found.summary('fr')}"
        yield from found.lines()

    def value(self, formula: str) -> Iterator[str]:
        found = self.state.value(formula)
        yield f"{found.plain!r}: {found.kind}, {found.text('en')} | {found.text('fr')}"
        yield from (f"  {'  ' * depth}{part} = {value}" for depth, part, value in found.parts)

    def hint(self, games: str) -> Iterator[str]:
        found = advised_move(self.state, int(games))
        yield f"{found[0]} {found[1].ahead:+.2f} {found[1].worst:+.2f} after {found[1].games}" if found else "nothing"

    def result(self, _: str) -> Iterator[str]:
        s = self.state
        yield f"{s.scores} {s.winners} {s.stake} {s.margin} over {s.is_over}, {s.decisions} decisions"

    def seen(self, words: str) -> Iterator[str]:
        """Why a move is legal or not, as a seat can know it."""
        seat, _, move = words.partition(" ")
        found = self.state.why(move, seat)
        yield f"known {found.known}, legal {found.legal}: {found.summary('en')} | {found.summary('fr')}"
        yield from found.lines()

    def record(self, _: str) -> Iterator[str]:
        found = list(lines(self.state, 1))
        assert replay(Source("scene.jsonl", "\n".join(found)), game=self.file).state == self.state
        yield from found[1:]

    def replay(self, edit: str) -> Iterator[str]:
        """The record so far, up to a move (`to 3`), or with a line left out (`3`), replaced (`3 {…}`) or added (`+ {…}`)."""
        found = list(lines(self.state, 1))
        where, _, other = edit.partition(" ")
        if where == "+":
            found.append(other)
        elif where and where != "to":
            found[int(where) : int(where) + 1] = [other] if other else []
        to = int(other) if where == "to" else None
        try:
            done = replay(Source("scene.jsonl", "\n".join(found)), to, self.file)
            yield f"complete {done.complete}, {done.lines} lines, {done.state.decisions} decisions, {done.state.place or 'over'}"
        except Refused as refused:
            for d in refused.diagnostics:
                yield f"{d.code} in line {d.span and d.span.line - 1}: {d.message}"

    def save(self, _: str) -> Iterator[str]:
        """What does not hang on how the game was compiled."""
        saved = self.state.to_json()
        yield json.dumps({key: saved[key] for key in ("state", "options", "pieces", "piles", "over", "chance")})
        assert self.game.resume(json.loads(json.dumps(saved))) == self.state


def _pile(pile: PileView) -> str:
    pieces = " ".join(f"{p.sign or '?'}{'^' * p.up}{p.colour and '/'}{p.colour}" for p in pile.pieces)
    return f"{pile.key} [{pile.family} {pile.owner} {pile.member} {pile.number}, {pile.layout}] {pile.count}: {pieces}"


def _value(value: StateView) -> str:
    words = " | ".join(text for _, text in value.texts)
    return f"{value.name} of {value.member}: {value.value!r}, {words}; {value.track} {value.back}"


@pytest.mark.parametrize("name", NAMES)
def test_a_scene(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(FOLDER / f"{name}.yaml")
    monkeypatch.setattr(records, "load", lambda *_: scene.game)  # once is enough
    commands = (FOLDER / f"{name}.scene").read_text(encoding="utf-8").splitlines()
    found = "".join(f"{spaced(line)}\n" for command in commands for line in scene.run(command))
    out = FOLDER / f"{name}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")
