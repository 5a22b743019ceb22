"""Scenes: what a game shows, tells and offers, step by step, to each seat in both languages.

`scenes/NAME.scene` lists commands for the game of `scenes/NAME.yaml`. `scenes/NAME.out` has one line for each event, refusal, set of moves
and view; a view is what differs from the view before it. UPDATE_GOLDEN=1 renews it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from rules import load_rules
from sights import advised_move
from spaces import spaced

from interpreter import State
from interpreter.diagnostics import Refused, Source
from interpreter.game import records
from interpreter.game.positions import to_position
from interpreter.game.reasons import Why
from interpreter.game.records import lines, replay
from interpreter.game.view import PileView, StateView

FOLDER = Path(__file__).parent / "scenes"
PUBLIC = "-"


class Scene:
    """A game and its current state. Each command of a scene is a method that yields lines: the first belongs to the command."""

    def __init__(self, file: Path) -> None:
        self.file, self.game = file, load_rules(f"game/{file.stem}")
        self.state, self.told = self.game.start(), 0
        self.views: dict[str, dict[str, str]] = {}

    def run(self, command: str) -> Iterator[str]:
        name, _, rest = command.partition(" ")
        try:
            first, *more = getattr(self, name)(rest)
        except Refused as refused:
            first, *more = [
                " / ".join([f"{d.code}: {d.message}", *d.notes, *([f"help: {d.help}"] if d.help else [])])
                for d in refused.diagnostics
            ]
        yield f"> {command} => {first}"
        yield from more

    def start(self, seed: str) -> Iterator[str]:
        yield from self._now(self.game.start(int(seed)), 0)

    def playout(self, seed: str) -> Iterator[str]:
        state = self.game.playout(int(seed))
        yield from self._now(state, len(state.events) - 4)

    def position(self, text: str) -> Iterator[str]:
        yield from self._now(self.game.position(json.loads(text), 1), 0)

    def play(self, move: str) -> Iterator[str]:
        yield from self._now(self.state.play(move), self.told)

    def _now(self, state: State, told: int) -> Iterator[str]:
        self.state, self.told = state, len(state.events)
        yield f"{state.place or '(over)'}: {state.to_act or PUBLIC}"
        for event in state.events[told:]:
            heard: dict[str, list[str]] = {}
            for seat in (None, *self.game.seats):
                heard.setdefault(" / ".join(event.text(lang, seat) for lang in ("en", "fr")), []).append(seat or PUBLIC)
            told_to = " | ".join(f"{' '.join(seats)}: {words}" for words, seats in heard.items())
            yield f"{event.kind} {event.seat or PUBLIC} {_compact(dict(event.data))} {told_to}"

    def moves(self, _: str) -> Iterator[str]:
        """The ids; the words of the first and the last move of each name; faults."""
        found = self.state.moves()
        yield f"{len(found)}: {'; '.join(move.id for move in found)}"
        by_name = [list(group) for _, group in groupby(found, lambda move: move.name)]
        said = dict.fromkeys(move for group in by_name for move in (group[0], group[-1]))
        yield "; ".join(f"{move.text('en')} / {move.text('fr')}" for move in said)
        faults = [f"{move.id}: {move.fault}" for move in found if move.fault]
        yield from ["at fault: " + "; ".join(faults)] if faults else []

    def view(self, seat: str) -> Iterator[str]:
        """What differs from the last view of this seat, or else from that of the public."""
        view = self.state.view(seat if seat in self.game.seats else None)
        yield f"{view.place}: {view.to_act}, {len(view.moves)} moves"
        shown = dict([*map(_pile, view.piles), *map(_value, view.state)])
        before = self.views.get(seat, self.views.get(PUBLIC, {}))
        self.views[seat] = shown
        changed = [f"{key}: {text}" for key, text in shown.items() if before.get(key) != text]
        gone = [f"no {key}" for key in before if key not in shown]
        yield from ["; ".join(changed + gone)] if changed or gone else []

    def to(self, seat: str) -> Iterator[str]:
        yield _compact(to_position(self.game.compiled, self.state.core, seat if seat in self.game.seats else None))

    def why(self, move: str) -> Iterator[str]:
        yield _reason(self.state.why(move))

    def seen(self, words: str) -> Iterator[str]:
        """Why a move is legal or not, as a seat can know it."""
        seat, _, move = words.partition(" ")
        yield _reason(self.state.why(move, seat))

    def value(self, formula: str) -> Iterator[str]:
        found = self.state.value(formula)
        parts = "; ".join(f"{depth} {part} = {value}" for depth, part, value in found.parts)
        yield f"{found.plain!r}: {found.kind}, {found.text('en')} / {found.text('fr')} ({parts})"

    def hint(self, games: str) -> Iterator[str]:
        found = advised_move(self.state, int(games))
        yield f"{found[0]} {found[1].ahead:+.2f} {found[1].worst:+.2f} after {found[1].games}" if found else "nothing"

    def result(self, _: str) -> Iterator[str]:
        s = self.state
        yield f"{s.scores} {s.winners} {s.stake} {s.margin} over {s.is_over}, {s.decisions} decisions"

    def record(self, _: str) -> Iterator[str]:
        """All lines but the header; of a long record the ends."""
        found = list(lines(self.state, 1))
        assert replay(Source("scene.jsonl", "\n".join(found)), game=self.file).state == self.state
        yield f"{len(found)} lines: {' '.join(found[1:] if len(found) < 30 else [*found[1:4], *found[-3:]])}"

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
            yield "; ".join(f"{d.code} in line {d.span and d.span.line - 1}: {d.message}" for d in refused.diagnostics)

    def save(self, _: str) -> Iterator[str]:
        """What does not depend on how the game was compiled."""
        saved = self.state.to_json()
        yield _compact({key: saved[key] for key in ("state", "options", "pieces", "piles", "over", "chance")})
        assert self.game.resume(json.loads(json.dumps(saved))) == self.state


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def _reason(why: Why) -> str:
    summary, parts = f"{why.summary('en')} / {why.summary('fr')}", "; ".join(why.lines())
    return f"{'known' if why.known else 'unknown'}, {'legal' if why.legal else 'illegal'}: {summary} ({parts})"


def _pile(pile: PileView) -> tuple[str, str]:
    of, at = pile.owner or pile.member, pile.number
    assert pile.key == f"{pile.family}{f' of {of}' if of else ''}{f' at {at}' if at else ''}"
    pieces = "".join(f" {p.sign or '?'}{'^' * p.up}{p.colour and '/'}{p.colour}" for p in pile.pieces)
    assert pile.count == len(pile.pieces)
    return f"{pile.key}{'*' if pile.owner else ''}", f"{pile.layout}{pieces}"


def _value(value: StateView) -> tuple[str, str]:
    track = f", track {value.track} {value.back}" if value.track else ""
    return f"{value.name} of {value.member}", f"{value.value!r} {_words(text for _, text in value.texts)}{track}"


def _words(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(texts))


@pytest.mark.parametrize("name", ["cabinet", "ladder", "market"])
def test_a_scene(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(FOLDER / f"{name}.yaml")
    monkeypatch.setattr(records, "load", lambda *_: scene.game)  # loaded once
    commands = (FOLDER / f"{name}.scene").read_text(encoding="utf-8").splitlines()
    found = "".join(f"{spaced(line)}\n" for command in commands for line in scene.run(command))
    out = FOLDER / f"{name}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")
