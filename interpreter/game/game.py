"""The Python API: games, states, moves. Everything else in the package is behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.checking import build
from interpreter.compiling.game import compile_game
from interpreter.diagnostics import Diagnostic, Refused, similar
from interpreter.language.evaluate import Setting, evaluate
from interpreter.language.ir import ABSENT
from interpreter.language.kinds import BOOL
from interpreter.language.model import Obligation, Rule, Ruleset
from interpreter.running.chance import Chance
from interpreter.running.machine import MOST_DECISIONS, Machine
from interpreter.running.naming import Namer, in_language
from interpreter.running.state import Action, Core

if TYPE_CHECKING:
    from interpreter.game.view import View
    from interpreter.game.why import Value, Why
    from interpreter.reading.merge import Merged


class IllegalMove(Refused):
    """The move is not legal here; the diagnostic says which rule forbids it."""


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move. `id` is stable and unique in its position; `action` is what the machine carries out."""

    id: str
    name: str
    seat: str
    rule: Rule
    fault: str | None
    action: Action
    texts: tuple[tuple[str, str], ...]

    def text(self, lang: str = "en") -> str:
        """The move in words."""
        return dict(self.texts).get(lang) or dict(self.texts)["en"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: `kind` is shuffle, roll, lots, move, score, say or taken_back.

    `data` has plain values: of a move its `id` and `by`, of a score `points`, `to`, `total` and `as`, of a roll the `pieces`.
    """

    kind: str
    seat: str | None
    data: Mapping[str, Any]
    texts: Callable[[str, str | None], str]

    def text(self, lang: str = "en", seat: str | None = None) -> str:
        """The event in words, as `seat` (None: an onlooker) may know it."""
        return self.texts(lang, seat)


def load(game: str | Path, options: Mapping[str, Any] | None = None, **more: Any) -> Game:
    """A shipped name, a variant or a path → a game with these options. Raises Refused."""
    found, merged = build.ruleset(game, {**(options or {}), **more})
    return Game(found, merged)


class Game:
    """A ruleset with its options fixed. Immutable; states of it are values."""

    def __init__(self, ruleset: Ruleset, merged: Merged, trace: bool = False) -> None:
        self.ruleset, self.merged = ruleset, merged
        self.machine: Machine = compile_game(ruleset, trace)
        self.namer = Namer(self.machine)

    @property
    def name(self) -> str:
        return self.ruleset.name

    @property
    def seats(self) -> tuple[str, ...]:
        return self.ruleset.seats

    @property
    def digest(self) -> str:
        """Tells rulesets apart: what the rules and the options are, in 16 hex digits."""
        return self.ruleset.digest

    def title(self, lang: str = "en") -> str:
        return in_language(self.ruleset.title, lang, self.name)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options in force: numbers, truth values, or the names of choices; `players` if their number may change."""
        found = {
            name: o.choices[int(o.value)] if o.choices else bool(o.value) if o.kind == BOOL else o.value
            for name, o in self.ruleset.options.items()
        }
        node = self.merged.root.pairs["players"][1].get("count")
        return {**found, "players": len(self.seats)} if node is not None and ".." in node.raw else found

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Moves, obligations and whenever entries by name."""
        r = self.ruleset
        return {name: entry.rule for section in (r.moves, r.obligations, r.whenever) for name, entry in section.items()}

    def labels(self, lang: str = "en") -> dict[str, str]:
        """Every name of the ruleset in a language."""
        r = self.ruleset
        sections: Sequence[Mapping[str, Any]] = (r.options, r.piles, r.state, r.moves, r.pieces, r.obligations)
        found = {c.name: in_language(c.words, lang, c.name) for m in r.moves.values() for c in m.conditions}
        found |= {name: in_language(entry.words, lang, name) for section in sections for name, entry in section.items()}
        found |= {name: in_language(phase.words, lang, name) for (name, _), phase in r.phases.items()}
        found |= {
            row: in_language(words, lang, row) for table in r.tables.values() for row, words in table.words.items()
        }
        return found | {seat: in_language(words, lang, seat) for seat, words in r.seat_words.items()}

    # ---- states ------------------------------------------------------------------------------------------------------

    def start(self, seed: int = 0, index: int = 0, chance: Any = None) -> State:
        """A new game, at its first decision. `index`: which game of the series `seed`."""
        core = self.machine.start(chance or Chance.stream(seed, index), log=True)
        return State(self, core)

    def playout(self, seed: int = 0, index: int = 0) -> State:
        """A game of random moves, to its end."""
        core, _ = self.machine.playout(seed, index, log=True)
        return State(self, core)

    def position(self, data: Any, seed: int = 0) -> State:
        """A state from a position (see the language, 16). Raises Refused."""
        from interpreter.game.positions import set_up

        return set_up(self, data, seed)

    def resume(self, data: Any) -> State:
        """The state that `State.to_json` wrote. Raises Refused."""
        from interpreter.game.saving import resume

        return resume(self, data)

    def piece(self, sign: str) -> int:
        """The number of a piece, face up. Raises Refused."""
        from interpreter.game.spelling import piece_code

        return piece_code(self, sign)

    def evaluator(self, formula: str, *piles: str) -> Callable[..., Any]:
        """A compiled formula as a function of the contents of these piles (lists of signs or of `piece` numbers).

        Everything else is as at the start; the value is a plain number or truth value."""
        from interpreter.game.why import compiled

        return compiled(self, formula, piles)

    def setting(self, core: Core) -> Setting:
        """What the explainer needs to know of a state."""
        k = self.machine.constants
        return Setting(
            self.ruleset.attributes.by_name,
            core.piles,
            core.cells,
            core.cells[self.machine.fault_register],
            k["INDEX"],
            k["NEXT"],
            k["ROUND"],
            k["PAIR"],
            k["MEMBERS"],
            k["SEATS"],
        )


class State:
    """A position of a game. A value: `play` gives a new one and leaves this as it is."""

    def __init__(self, game: Game, core: Core) -> None:
        self.game, self.core = game, core
        self._moves: list[Move] | None = None

    # ---- where it stands ---------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> str | None:
        """The seat that decides; None when the game is over."""
        return self.game.seats[self.core.actor] if self.core.actor >= 0 and not self.core.over else None

    @property
    def is_over(self) -> bool:
        return self.core.over

    @property
    def unfinished(self) -> bool:
        """Was it stopped because it would not end?"""
        return not self.core.over and self.decisions >= MOST_DECISIONS

    @property
    def decisions(self) -> int:
        return sum(1 for e in self.core.log or () if e[0] == "move")

    @property
    def place(self) -> str:
        """The path of the decision it stands at."""
        point = self.game.machine.points.get(self.core.pc)
        return " / ".join(point.path) if point and not self.core.over else ""

    # ---- moves -------------------------------------------------------------------------------------------------------

    def moves(self) -> list[Move]:
        """The legal moves of whoever acts."""
        if self._moves is None:
            self._moves = self._named(self.core.acts) if not self.core.over else []
        return list(self._moves)

    def _named(self, actions: Sequence[Action]) -> list[Move]:
        core, namer = self.core, self.game.namer
        point = self.game.machine.points[core.pc]
        by_number = {m.number: m for m in point.moves}
        found = []
        for i, (action, ident) in enumerate(zip(actions, namer.ids(core, actions, core.actor), strict=True)):
            move = by_number[action[0]]
            texts = tuple((lang, namer.move_text(move, action, core.actor, lang, core.piles)) for lang in ("en", "fr"))
            found.append(Move(ident, move.name, self.game.seats[core.actor], move.rule, self._fault(i), action, texts))
        return found

    def _fault(self, i: int) -> str | None:
        faults = self.core.faults
        obligation = faults[i] if i < len(faults) else ABSENT
        names: list[Obligation] = [o for o in self.game.ruleset.obligations.values() if o.number == obligation]
        return names[0].name if names else None

    def find(self, move: Move | str) -> Move:
        """The legal move of that id (or its only unique beginning). Raises IllegalMove."""
        wanted = move.id if isinstance(move, Move) else " ".join(str(move).split())
        legal = self.moves()
        folded = wanted.casefold()
        exact = [m for m in legal if m.id.casefold() == folded]
        if exact:
            return exact[0]
        near = [m for m in legal if m.id.casefold().startswith(folded)] if folded else []
        if len(near) == 1:
            return near[0]
        raise IllegalMove(self._refusal(wanted, near))

    def _refusal(self, wanted: str, near: Sequence[Move]) -> list[Diagnostic]:
        if self.is_over:
            return [Diagnostic("R804", "the game is over")]
        if near:
            return [Diagnostic("R803", f"`{wanted}` could be {', '.join(f'`{m.id}`' for m in near)}")]
        why = self.why(wanted)
        legal = [m.id for m in self.moves()]
        if why.known:
            return [
                Diagnostic(
                    "R802",
                    f"`{wanted}` is not legal here: {why.summary()}",
                    notes=tuple(why.lines()),
                    help=f"legal: {', '.join(f'`{m}`' for m in legal[:8])}",
                )
            ]
        close = similar(wanted, legal)
        return [
            Diagnostic(
                "R801",
                f"there is no move `{wanted}` here",
                help=f"did you mean `{close}`?" if close else f"legal: {', '.join(f'`{m}`' for m in legal[:8])}",
            )
        ]

    def play(self, move: Move | str) -> State:
        """The state after a legal move. Raises IllegalMove."""
        found = self.find(move)
        core = self.core.copy()
        self.game.machine.play(core, found.action)
        return State(self.game, core)

    def play_here(self, move: Move | str) -> None:
        """Make a legal move in place: this state itself changes. Raises IllegalMove."""
        self.game.machine.play(self.core, self.find(move).action)
        self._moves = None

    # ---- what is seen, and why ---------------------------------------------------------------------------------------

    def view(self, seat: str | None = None) -> View:
        """What one seat, or an onlooker, sees."""
        from interpreter.game.view import view

        return view(self, seat)

    def why(self, move: str) -> Why:
        """Why a move is legal here or not: the rule, its source, the values of its parts."""
        from interpreter.game.why import why

        return why(self, move)

    def value(self, formula: str, seat: str | None = None) -> Value:
        """The value of a formula here, with its kind and its parts. Raises Refused."""
        from interpreter.game.why import value

        return value(self, formula, seat)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the start."""
        from interpreter.game.events import events

        return events(self)

    # ---- results -----------------------------------------------------------------------------------------------------

    def _number(self, expr: Any, player: int | None = None) -> int:
        names = {self.game.ruleset.result.p: player} if player is not None else {}
        return int(evaluate(expr, self.game.setting(self.core), names))

    @property
    def scores(self) -> dict[str, int]:
        """What the result counts as each seat's score, so far or at the end."""
        return {seat: self._number(self.game.ruleset.result.score, p) for p, seat in enumerate(self.game.seats)}

    @property
    def winners(self) -> list[str]:
        """Who has the best result; several if they share it, nobody while the game goes on."""
        if not self.is_over:
            return []
        best = [tuple(self._number(e, p) for e in self.game.ruleset.result.best) for p in range(len(self.game.seats))]
        return [seat for p, seat in enumerate(self.game.seats) if best[p] == max(best)]

    @property
    def stake(self) -> int:
        expr = self.game.ruleset.result.stake
        return self._number(expr) if expr is not None and self.is_over else 1

    @property
    def margin(self) -> int | None:
        expr = self.game.ruleset.result.margin
        return self._number(expr) if expr is not None and self.is_over else None

    # ---- saving ------------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Plain data from which `Game.resume` makes an equal state."""
        from interpreter.game.saving import to_json

        return to_json(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self.game.digest == other.game.digest and self.core.key() == other.core.key()
        )

    def __hash__(self) -> int:
        return hash(self.core.key())
