"""Scenes: what a game shows, tells and offers, step by step, to each seat in both languages.

`scenes/NAME.scene` lists commands for games: the one of `scenes/NAME.yaml`, if there is one, and those that `load` names. `scenes/NAME.out`
has one line for each event, refusal, set of moves and view; a view is what differs from the view before it. UPDATE_GOLDEN=1 renews it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import yaml
from english import spaced
from games import loaded
from rules import change_rules, find_rules, load_rules
from sights import advised_move
from tiers import in_tiers

from hoyle import Game, State
from hoyle.diagnostics import Refused, Source
from hoyle.game.events import list_told_events
from hoyle.game.explain.reasons import Why
from hoyle.game.positions import to_position
from hoyle.game.records import records
from hoyle.game.records.records import record_lines, replay
from hoyle.view_data import EMPTY, PileView, SheetRow, SheetView, StateView

FOLDER = Path(__file__).parent / "scenes"
PUBLIC = "-"


class Scene:
    """A game and its current state. Each command of a scene is a method that yields lines: the first belongs to the command."""

    def __init__(self, name: str, folder: Path) -> None:
        self.folder, self.loads, self.file = folder, 0, FOLDER / f"{name}.yaml"
        if self.file.exists():
            self._begin(load_rules(f"game/{name}"))

    def run(self, command: str) -> Iterator[str]:
        if command.startswith("#"):
            yield command
            return
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

    def load(self, words: str) -> Iterator[str]:
        """`ROOM/NAME` with some texts replaced, or a shipped game with options."""
        self._begin(self._loaded(words))
        yield repr(self.game)

    def compare(self, words: str) -> Iterator[str]:
        """Is the digest of another ruleset the same?"""
        yield "the same" if self._loaded(words).digest == self.game.digest else "another"

    def _loaded(self, words: str) -> Game:
        name, _, rest = words.partition(" ")
        changes = yaml.safe_load(rest or "{}")
        if "/" not in name:
            return loaded(name, changes)
        self.file = find_rules(name)
        if not changes:
            return load_rules(name)
        self.loads += 1
        own = self.folder / str(self.loads)
        own.mkdir()
        self.file = own / self.file.name
        return change_rules(name, own, changes)

    def _begin(self, game: Game) -> None:
        self.game, self.views = game, dict[str, dict[str, str]]()
        self.state, self.told = self.game.start(), 0

    def start(self, seed: str) -> Iterator[str]:
        yield from self._now(self.game.start(int(seed)), 0)

    def playout(self, seed: str) -> Iterator[str]:
        state = self.game.playout(int(seed))
        yield from self._now(state, len(state.events) - 4)

    def position(self, text: str) -> Iterator[str]:
        yield from self._now(self.game.position(yaml.safe_load(text), 1), 0)

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

    def quietly(self, moves: str) -> Iterator[str]:
        """Plays several moves and tells the last."""
        *first, last = moves.split("; ")
        for move in first:
            self.state = self.state.play(move)
        yield from self._now(self.state.play(last), len(self.state.events))

    def first(self, count: str) -> Iterator[str]:
        """Plays the first move that is legal, so many times."""
        for _ in range(int(count)):
            self.state = self.state.play(self.state.moves()[0])
        yield from self._now(self.state, self.told)

    def log(self, _: str) -> Iterator[str]:
        yield " | ".join(event.text() for _, event in list_told_events(self.game.compiled, self.state.core))

    def words(self, move: str) -> Iterator[str]:
        """A move in words and in the notation."""
        found = self.state.find(move)
        yield " / ".join(
            [
                *map(found.text, ("en", "fr")),
                *(found.short(lang) or "" for lang in ("en", "fr")),
                *map(" ".join, found.sets),
            ]
        )

    def meant(self, text: str) -> Iterator[str]:
        """The moves that a typed line means. `why` knows them also."""
        found = [move.id for move in self.state.meant(text)]
        why = self.state.why(text)
        yield f"{'; '.join(found) or 'nothing'} ({'known' if why.known else 'unknown'}, {'legal' if why.legal else 'illegal'})"

    def moves(self, _: str) -> Iterator[str]:
        found = self.state.moves()
        yield f"{len(found)}: {'; '.join(move.id for move in found)}"
        by_name = [list(group) for _, group in groupby(found, lambda move: move.name)]
        said = dict.fromkeys(move for group in by_name for move in (group[0], group[-1]))
        yield "; ".join(f"{move.text('en')} / {move.text('fr')}" for move in said)
        faults = [f"{move.id}: {move.fault}" for move in found if move.fault]
        yield from ["at fault: " + "; ".join(faults)] if faults else []

    def view(self, seat: str) -> Iterator[str]:
        """Return the difference from the last view of this seat, or else from the public view."""
        view = self.state.view(seat if seat in self.game.seats else None)
        yield f"{view.place}: {view.to_act}, {len(view.moves)} moves"
        boards = [(f"board {board.family}", repr(board)) for board in view.boards]
        shown = dict([*map(_pile, view.piles), *map(_value, view.state), *boards])
        before = self.views.get(seat, self.views.get(PUBLIC, {}))
        self.views[seat] = shown
        changed = [f"{key}: {text}" for key, text in shown.items() if before.get(key) != text]
        gone = [f"no {key}" for key in before if key not in shown]
        yield from ["; ".join(changed + gone)] if changed or gone else []

    def sheets(self, seat: str) -> Iterator[str]:
        found = self.state.view(seat if seat in self.game.seats else None).sheets
        yield f"{len(found)} sheets"
        for sheet in found:
            yield from _sheet(sheet)

    def to(self, seat: str) -> Iterator[str]:
        yield _compact(
            to_position(self.state.game.compiled, self.state.core, seat if seat in self.game.seats else None)
        )

    def why(self, move: str) -> Iterator[str]:
        yield _reason(self.state.why(move))

    def seen(self, words: str) -> Iterator[str]:
        """Why a move is legal or not, as a seat can know it."""
        seat, _, move = words.partition(" ")
        yield _reason(self.state.why(move, seat))

    def whole(self, _: str) -> Iterator[str]:
        """The position with everything in it, read again."""
        written = to_position(self.game.compiled, self.state.core, everything=True)
        yield _compact(written)
        given = {key: value for key, value in written.items() if value}
        assert self.game.position(given).core.key()[:2] == self.state.core.key()[:2]

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
        found = list(record_lines(self.state, 1))
        assert replay(Source("scene.jsonl", "\n".join(found)), game=self.file).state == self.state
        yield f"{len(found)} lines: {' '.join(found[1:] if len(found) < 30 else [*found[1:4], *found[-3:]])}"

    def replay(self, edit: str) -> Iterator[str]:
        """The record so far, up to a move (`to 3`), or with a line left out (`3`), replaced (`3 {…}`) or added (`+ {…}`)."""
        found = list(record_lines(self.state, 1))
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
        """Return the part that does not depend on how the game was compiled."""
        saved = self.state.to_json()
        yield _compact({key: saved[key] for key in ("state", "options", "pieces", "piles", "over", "chance")})
        assert self.game.resume(json.loads(json.dumps(saved))) == self.state


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def _reason(why: Why) -> str:
    summary, parts = f"{why.summary('en')} / {why.summary('fr')}", "; ".join(why.lines())
    return f"{'known' if why.known else 'unknown'}, {'legal' if why.legal else 'illegal'}: {summary} ({parts})"


def _pile(pile: PileView) -> tuple[str, str]:
    of, at = pile.owner or pile.member, f" at {pile.number}" if pile.number else ""
    assert pile.key in (f"{pile.family}{f' of {of}' if of else ''}{at}", f"{pile.family}{at}")
    pieces = "".join(f" {p.sign or '?'}{'^' * p.up}{p.colour and '/'}{p.colour}" for p in pile.pieces)
    assert pile.count == len(pile.pieces)
    order = "" if list(pile.order) == [*range(pile.count)] else f", in this order: {' '.join(map(str, pile.order))}"
    return f"{pile.key}{'*' if pile.owner else ''}", f"{pile.layout}{pieces}{order}"


def _value(value: StateView) -> tuple[str, str]:
    track = f", track {value.track} {value.back}" if value.track else ""
    return f"{value.name} of {value.member}", f"{value.value!r} {_words(text for _, text in value.texts)}{track}"


def _sheet(sheet: SheetView) -> Iterator[str]:
    columns = ", ".join(_words(text for _, text in column.texts) for column in sheet.columns)
    legend = f" ({_words(text for _, text in sheet.legend)})" if sheet.legend else ""
    yield f"{sheet.name}, {sheet.sort}, {_words(text for _, text in sheet.texts)}{legend}: {columns}"
    for row in (*sheet.rows, *([sheet.totals] if sheet.totals else [])):
        yield f"  {_row(row)}" + "".join(f" ({_row(part)})" for part in row.parts)


def _row(row: SheetRow) -> str:
    cells = [
        "" if cell is None else "box" if cell == EMPTY else f"{cell.value} {_words(t for _, t in cell.texts)}"
        for cell in row.cells
    ]
    return f"{_words(text for _, text in row.head.texts)}: {', '.join(cells)}"


def _words(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(texts))


FIRST = ["cabinet", "ladder", "market"]
OTHERS = sorted({place.stem for place in FOLDER.glob("*.scene")} - {*FIRST})


@pytest.mark.parametrize("name", in_tiers(FIRST, quick=["cabinet", "market"], whole=FIRST))
def test_a_scene(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_scene(name, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", in_tiers(OTHERS, quick=["remembering"], whole={*OTHERS} - {"counting", "typed"}))
def test_a_scene_of_several_games(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_scene(name, tmp_path, monkeypatch)


def check_scene(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(name, folder)
    monkeypatch.setattr(records, "load", lambda *_: scene.game)  # loaded once
    commands = (FOLDER / f"{name}.scene").read_text(encoding="utf-8").splitlines()
    found = "".join(f"{spaced(line)}\n" for command in commands for line in scene.run(command))
    out = FOLDER / f"{name}.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")
