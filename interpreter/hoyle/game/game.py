"""The Python API: games, states, moves. Everything else in the package is behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from hoyle.checking import build
from hoyle.diagnostics import Diagnostic, Refused, similar
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.events import Event, events
from hoyle.game.labels import labels
from hoyle.game.moves import Move, legal_moves, listed, meant, unasked
from hoyle.game.pieces import PieceFace, piece_faces
from hoyle.game.positions import set_up
from hoyle.game.ready import compiled
from hoyle.game.reasons import Why, summary_of
from hoyle.game.saving import resume, to_json
from hoyle.game.spelling import piece_code
from hoyle.game.values import Value, value
from hoyle.game.view import View, view, view_of_all
from hoyle.game.why import alike, why, why_seen
from hoyle.language.model import Rule
from hoyle.language.sentences import FALLBACK, said
from hoyle.resources import uncollected
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_DECISIONS, Engine
from hoyle.running.naming import in_language
from hoyle.running.state import Core

if TYPE_CHECKING:
    from hoyle.game.evaluators import Evaluator
    from hoyle.game.playouts import Playouts
    from hoyle.pictures.theme import Theme

__all__ = ["Event", "Game", "IllegalMove", "Move", "State", "load"]


class IllegalMove(Refused):
    """The move is not legal here; the diagnostic says which rule forbids it."""


def load(game: str | Path, options: Mapping[str, Any] | None = None, *, engine: Engine = "auto", **more: Any) -> Game:
    """A shipped name, a variant or a path → a game with these options. Raises Refused.

    `engine`: "python", "native" (C, built with the compiler of this machine; what it cannot do, and everything where there is no
    compiler, Python does), or "auto": native for series of games that repay its building. All play the same games."""
    with uncollected():
        return Game(compiled(*build.ruleset(game, {**(options or {}), **more})), engine)


class Game:
    """A ruleset with its options fixed. Immutable; states of it are values."""

    def __init__(self, found: Compiled, engine: Engine = "auto") -> None:
        if engine not in get_args(Engine):
            raise ValueError(f"`{engine}` is no engine; there are {', '.join(get_args(Engine))}")
        if engine == "native":
            from hoyle.game.playouts import natively  # what only some need is read when it is needed

            found = natively(found)
        self.compiled = found
        self.engine: Engine = engine
        self.ruleset, self.merged, self.machine, self.namer = found.ruleset, found.merged, found.machine, found.namer

    def __repr__(self) -> str:
        set_to = "".join(f" {name}={value}" for name, value in self.compiled.set_options.items())
        return f"<Game {self.name}{set_to} engine={self.engine}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.compiled, self.engine)

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def _repr_html_(self) -> str:
        """For notebooks: its title, its options, and what an onlooker sees at the start of a game."""
        from html import escape

        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"<p><strong>{escape(self.title())}</strong></p><p>{escape(options)}</p>{self.start().picture()}"

    @property
    def name(self) -> str:
        return self.ruleset.name

    @property
    def seats(self) -> tuple[str, ...]:
        return self.ruleset.seats

    @property
    def sides(self) -> tuple[str, ...]:
        """Who wins or loses together; the seats, where everybody plays alone."""
        return self.ruleset.side_names

    @property
    def digest(self) -> str:
        """Tells rulesets apart: what the rules and the options are, in 16 hex digits."""
        return self.ruleset.digest

    def title(self, lang: str = "en") -> str:
        return in_language(self.ruleset.title, lang, self.name)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options in force: numbers, truth values, or the names of choices; `players` if their number may change."""
        return self.compiled.options

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Moves, obligations and whenever entries by name."""
        r = self.ruleset
        return {name: entry.rule for section in (r.moves, r.obligations, r.whenever) for name, entry in section.items()}

    def labels(self, lang: str = "en") -> dict[str, dict[str, str]]:
        """What names of the ruleset are called in a language, by their name space: see `game.labels`."""
        return labels(self.ruleset, lang)

    def pieces(self, lang: str = "en") -> tuple[PieceFace, ...]:
        """Every sort of piece, as a language writes it."""
        return piece_faces(self.compiled, lang)

    # ---- states ------------------------------------------------------------------------------------------------------

    def start(self, seed: int = 0, index: int = 0, chance: Any = None) -> State:
        """A new game, at its first decision. `index`: which game of the series `seed`."""
        core = self.machine.start(chance or Chance.stream(seed, index), log=True)
        return State(self, core)

    def playout(self, seed: int = 0, index: int = 0) -> State:
        """A game of random moves, to its end."""
        core, _ = self.machine.playout(seed, index, log=True)
        return State(self, core)

    def playouts(self, seed: int, games: int, first: int = 0) -> Playouts:
        """Games of random moves, first … of the series `seed`: what each came to. Raises Refused."""
        from hoyle.game.playouts import Playouts, random_games

        return Playouts.of(self.compiled, random_games(self.compiled, self.engine, seed, first, games))

    def position(self, data: Any, seed: int = 0) -> State:
        """A state from a position (see the language, 16). Raises Refused."""
        found, core = set_up(self.compiled, data, seed)
        return State(self if found is self.compiled else Game(found, self.engine), core)

    def resume(self, data: Any) -> State:
        """The state that `State.to_json` wrote. Raises Refused."""
        return State(self, resume(self.compiled, data))

    def piece(self, sign: str) -> int:
        """The number of a piece, face up. Raises Refused."""
        return piece_code(self.compiled, sign)

    def evaluator(self, formula: str, *piles: str) -> Evaluator:
        """A compiled formula as a function of the contents of these piles (lists of signs or of `piece` numbers), or, by its method
        `many`, of the contents that they have one time after another.

        Everything else is as at the start; the value is a plain number or truth value. Raises Refused."""
        from hoyle.game.evaluators import Evaluator

        return Evaluator(self.compiled, self.engine, formula, piles)


class State:
    """A position of a game. A value: `play` gives a new one and leaves this as it is."""

    def __init__(self, game: Game, core: Core) -> None:
        self.game, self.core = game, core
        self._moves: list[Move] | None = None
        self._alike: dict[str, list[Core]] = {}
        self._events: tuple[Event, ...] = ()
        self._logged = 0

    def __repr__(self) -> str:
        """Where it stands, and nothing that only some may see."""
        if self.is_over:
            return f"<State {self.game.name}: over after {self.decisions} decisions>"
        place = f" ({self.place})" * bool(self.place)
        return f"<State {self.game.name}: {self.to_act} to act{place} after {self.decisions} decisions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self.core)

    # ---- where it stands ---------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> str | None:
        """The seat that decides; None when the game is over."""
        return self.game.compiled.to_act(self.core)

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
        return self.game.compiled.place(self.core)

    # ---- moves -------------------------------------------------------------------------------------------------------

    def moves(self) -> list[Move]:
        """The legal moves of whoever acts. Raises Refused if the state is a position that does not say where it stands."""
        if self._moves is None:
            self._moves = legal_moves(self.game.compiled, self.core)
        return list(self._moves)

    @property
    def unasked(self) -> Move | None:
        """The move here that is made for people who do not ask to make another one; None where they are asked."""
        return unasked(self.game.compiled, self.core, self.moves()) if not self.is_over else None

    def meant(self, text: str) -> list[Move]:
        """The legal moves that a text may mean: the one of that id or of these words (`Move.text`, in any language), the pieces of a
        list in any order; or all that begin so; or all that are about just these pieces (`8S`), or these pieces and places (`8S 3`)."""
        return meant(self.game.compiled, self.core, self.moves(), text)

    def find(self, move: Move | str) -> Move:
        """The one legal move that is meant. Raises IllegalMove."""
        wanted = move.id if isinstance(move, Move) else " ".join(str(move).split())
        near = self.meant(wanted)
        if len(near) == 1:
            return near[0]
        raise IllegalMove(self._refusal(wanted, near))

    def _refusal(self, wanted: str, near: Sequence[Move]) -> list[Diagnostic]:
        if self.is_over:
            return [Diagnostic("R804", said("over"))]
        if near:
            return [Diagnostic("R803", said("several_moves", move=wanted, moves=listed(near)))]
        why, moves = self.why(wanted), self.moves()
        help = said("legal", moves=listed(moves[:8]))
        if why.known:
            reason = summary_of(why)
            return [Diagnostic("R802", said("illegal", move=wanted, why=reason), notes=tuple(why.lines()), help=help)]
        close = similar(wanted, [move.id for move in moves])
        return [Diagnostic("R801", said("no_move", move=wanted), help=said("meant", close=close) if close else help)]

    def play(self, move: Move | str) -> State:
        """The state after a legal move. Raises IllegalMove."""
        found = self.find(move)
        core = self.core.copy()
        self.game.machine.play(core, found.action)
        after = State(self.game, core)
        after._events, after._logged = self._events, self._logged
        return after

    def play_here(self, move: Move | str) -> None:
        """Make a legal move in place: this state itself changes. Raises IllegalMove."""
        self.game.machine.play(self.core, self.find(move).action)
        self._moves = None
        self._alike.clear()

    # ---- what is seen, and why ---------------------------------------------------------------------------------------

    def view(self, seat: str | None = None) -> View:
        """What one seat, or an onlooker, sees."""
        return view(self.game.compiled, self.core, seat, self.moves)

    def picture(
        self,
        seat: str | None = None,
        lang: str = FALLBACK,
        theme: Theme | None = None,
        width: int = 800,
        height: int | None = None,
        since: State | None = None,
    ) -> str:
        """What one seat, or an onlooker, sees, as SVG so many pixels wide, and in a room so high; what has moved `since` is lit. Of a game that
        is over, all is seen."""
        from hoyle.game.pictured import picture_of
        from hoyle.pictures.lit import moved

        lit = moved(since.view(seat).piles, self.view(seat).piles) if since is not None else frozenset()
        seen = view_of_all(self.game.compiled, self.core, seat) if self.is_over else self.view(seat)
        return picture_of(self.game.compiled, seen, lang, theme, width, height, lit)

    def _repr_html_(self) -> str:
        """What an onlooker sees, for notebooks."""
        return self.picture()

    def why(self, move: str, seat: str | None = None) -> Why:
        """Why a move is legal here or not: the rule, its source, the values of its parts; with a seat, what it can know of them."""
        if seat is None:
            return why(self.game.compiled, self.core, move)
        if seat not in self._alike:
            self._alike[seat] = alike(self.game.compiled, self.core, self.game.seats.index(seat))
        return why_seen(self.game.compiled, self.core, move, self._alike[seat])

    def value(self, formula: str, seat: str | None = None) -> Value:
        """The value of a formula here, with its kind and its parts. Raises Refused."""
        return value(self.game.compiled, self.core, formula, seat)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the start."""
        count = len(self.core.log or ())
        if count != self._logged:
            self._events += events(self.game.compiled, self.core, self._logged)
            self._logged = count
        return self._events

    # ---- results -----------------------------------------------------------------------------------------------------

    @property
    def scores(self) -> dict[str, int]:
        """What the result counts as each side's score, so far or at the end; a player alone is a side of the seat's name."""
        return dict(zip(self.game.sides, results.scores(self.game.compiled, self.core), strict=True))

    @property
    def standings(self) -> list[int]:
        """What the result ranks the sides by first, so far or at the end: the more the better, whatever scores say."""
        best = self.game.ruleset.result.best[0]
        return [results.number(self.game.compiled, self.core, best, n) for n in range(len(self.game.sides))]

    @property
    def winning_sides(self) -> list[str]:
        """Who has the best result of those who can win; several if they share it, nobody while the game goes on."""
        return [self.game.sides[n] for n in results.winning(self.game.compiled, self.core)]

    @property
    def winners(self) -> list[str]:
        """The seats of the sides that win."""
        game = self.game
        won = {p for n, side in enumerate(game.sides) if side in self.winning_sides for p in game.ruleset.sides[n]}
        return [seat for p, seat in enumerate(game.seats) if p in won]

    @property
    def stake(self) -> int:
        expr = self.game.ruleset.result.stake
        return results.number(self.game.compiled, self.core, expr) if expr is not None and self.is_over else 1

    @property
    def margin(self) -> int | None:
        expr = self.game.ruleset.result.margin
        return results.number(self.game.compiled, self.core, expr) if expr is not None and self.is_over else None

    # ---- saving ------------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Plain data from which `Game.resume` makes an equal state."""
        return to_json(self.game.compiled, self.core)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self.game.digest == other.game.digest and self.core.key() == other.core.key()
        )

    def __hash__(self) -> int:
        return hash(self.core.key())
