"""The Python API: `load`, `Game`, `State`, `Move`, `Event`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from hoyle.checking import build
from hoyle.diagnostics import Diagnostic, Refused, find_close_name
from hoyle.game import results
from hoyle.game.compiled import Compiled, compile_ruleset
from hoyle.game.events import Event, list_events
from hoyle.game.explain.reasons import Why, summarize
from hoyle.game.explain.why import explain_as_known, explain_move, sample_alike_states
from hoyle.game.moves.legal import Move, automatic_move, legal_moves, quote_moves
from hoyle.game.moves.parsing import parse_move
from hoyle.game.pieces import PieceFace, list_piece_faces
from hoyle.game.positions import set_up_position
from hoyle.game.saving import resume_state, save_state
from hoyle.game.spelling import parse_piece
from hoyle.game.values import Value, evaluate_formula
from hoyle.game.views.labels import make_labels
from hoyle.game.views.view import View, make_open_view, make_view
from hoyle.language.model import Rule
from hoyle.language.sentences import FALLBACK, make_message
from hoyle.resources import pause_collection
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
    """Raised for a move that is not legal; its diagnostic names the rule that forbids it."""


def load(game: str | Path, options: Mapping[str, Any] | None = None, *, engine: Engine = "auto", **more: Any) -> Game:
    """Load a game by shipped name, variant or path, with these options.

    Args:
        game: name or path of a ruleset.
        options: option values by name; also as keywords.
        engine: "python", "native" (C, compiled on this machine; falls back to Python) or "auto" (native for long series).
            All engines play the same games.

    Raises:
        Refused: the ruleset or an option is wrong; `diagnostics` says what and where.
    """
    with pause_collection():
        return Game(compile_ruleset(*build.load_ruleset(game, {**(options or {}), **more})), engine)


class Game:
    """A ruleset with its options fixed. Immutable; states of it are values."""

    def __init__(self, found: Compiled, engine: Engine = "auto") -> None:
        if engine not in get_args(Engine):
            raise ValueError(f"`{engine}` is no engine; there are {', '.join(get_args(Engine))}")
        if engine == "native":
            from hoyle.game.playouts import with_native_engine

            found = with_native_engine(found)
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
        """Return HTML for notebooks: title, options, and the table at the start."""
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
        """Names of the sides, which win or lose together. In games without sides, the seats."""
        return self.ruleset.side_names

    @property
    def digest(self) -> str:
        """Digest of the rules and options, 16 hexadecimal digits."""
        return self.ruleset.digest

    def title(self, lang: str = "en") -> str:
        return in_language(self.ruleset.title, lang, self.name)

    @cached_property
    def options(self) -> dict[str, Any]:
        """Option values by name: numbers, booleans, or names of choices. Includes `players` if their number may change."""
        return self.compiled.options

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Rules of moves, obligations and `whenever` entries, by name."""
        r = self.ruleset
        return {name: entry.rule for section in (r.moves, r.obligations, r.whenever) for name, entry in section.items()}

    def labels(self, lang: str = "en") -> dict[str, dict[str, str]]:
        """Return the words for names of the ruleset in a language, by name space (`piles`, `moves`, `tables/suits`, …)."""
        return make_labels(self.ruleset, lang)

    def pieces(self, lang: str = "en") -> tuple[PieceFace, ...]:
        """Return every class of pieces, as a language writes it."""
        return list_piece_faces(self.compiled, lang)

    # ---- states ------------------------------------------------------------------------------------------------------

    def start(self, seed: int = 0, index: int = 0, chance: Any = None) -> State:
        """Start a game and run it to its first decision. `index` selects a game of the series of `seed`."""
        core = self.machine.start(chance or Chance.stream(seed, index), log=True)
        return State(self, core)

    def playout(self, seed: int = 0, index: int = 0) -> State:
        """Play random moves to the end of a game and return the last state."""
        core, _ = self.machine.playout(seed, index, log=True)
        return State(self, core)

    def playouts(self, seed: int, games: int, first: int = 0) -> Playouts:
        """Play a series of random games, beginning with number `first`; return their results. Raises Refused."""
        from hoyle.game.playouts import Playouts, play_random_games

        return Playouts.of(self.compiled, play_random_games(self.compiled, self.engine, seed, first, games))

    def position(self, data: Any, seed: int = 0) -> State:
        """Create a state from a position (docs/language.md, section 16). Raises Refused."""
        found, core = set_up_position(self.compiled, data, seed)
        return State(self if found is self.compiled else Game(found, self.engine), core)

    def resume(self, data: Any) -> State:
        """Restore a state from the data that `State.to_json` returned. Raises Refused."""
        return State(self, resume_state(self.compiled, data))

    def piece(self, sign: str) -> int:
        """Return the number of a face-up piece, given its sign. Raises Refused."""
        return parse_piece(self.compiled, sign)

    def evaluator(self, formula: str, *piles: str) -> Evaluator:
        """Compile a formula to a function of the contents of piles: lists of signs, or of numbers from `piece`.

        The rest of the state is as at the start. Values are integers or booleans. `Evaluator.many` evaluates many contents
        in one native call. Raises Refused."""
        from hoyle.game.evaluators import Evaluator

        return Evaluator(self.compiled, self.engine, formula, piles)


class State:
    """A state of a game. `play` returns a new state and does not change this one."""

    def __init__(self, game: Game, core: Core) -> None:
        self.game, self.core = game, core
        self._moves: list[Move] | None = None
        self._alike: dict[str, list[Core]] = {}
        self._events: tuple[Event, ...] = ()
        self._logged = 0

    def __repr__(self) -> str:
        """Return the place in the flow, without hidden information."""
        if self.is_over:
            return f"<State {self.game.name}: over after {self.decisions} decisions>"
        place = f" ({self.place})" * bool(self.place)
        return f"<State {self.game.name}: {self.to_act} to act{place} after {self.decisions} decisions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self.core)

    # ---- where it stands ---------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> str | None:
        """Seat that decides; None after the end of the game."""
        return self.game.compiled.to_act(self.core)

    @property
    def is_over(self) -> bool:
        return self.core.over

    @property
    def unfinished(self) -> bool:
        """True if the game was stopped because it did not end."""
        return not self.core.over and self.decisions >= MOST_DECISIONS

    @property
    def decisions(self) -> int:
        return sum(1 for e in self.core.log or () if e[0] == "move")

    @property
    def place(self) -> str:
        """Path of the current decision: phases and steps."""
        return self.game.compiled.place(self.core)

    # ---- moves -------------------------------------------------------------------------------------------------------

    def moves(self) -> list[Move]:
        """Return the legal moves of the seat that decides. Raises Refused if the position does not say where it stands in the flow."""
        if self._moves is None:
            self._moves = legal_moves(self.game.compiled, self.core)
        return list(self._moves)

    @property
    def unasked(self) -> Move | None:
        """Move that displays make by themselves for people here; None if people are asked."""
        return automatic_move(self.game.compiled, self.core, self.moves()) if not self.is_over else None

    def meant(self, text: str) -> list[Move]:
        """Return the legal moves that a text may mean.

        A text is an id, the words of a move in any language, the beginning of either, or pieces with or without places (`8S`, `8S 3`).
        """
        return parse_move(self.game.compiled, self.core, self.moves(), text)

    def find(self, move: Move | str) -> Move:
        """Return the only legal move that a text may mean. Raises IllegalMove."""
        wanted = move.id if isinstance(move, Move) else " ".join(str(move).split())
        near = self.meant(wanted)
        if len(near) == 1:
            return near[0]
        raise IllegalMove(self._refusal(wanted, near))

    def _refusal(self, wanted: str, near: Sequence[Move]) -> list[Diagnostic]:
        if self.is_over:
            return [Diagnostic("R804", make_message("over"))]
        if near:
            return [Diagnostic("R803", make_message("several_moves", move=wanted, moves=quote_moves(near)))]
        why, moves = self.why(wanted), self.moves()
        help = make_message("legal", moves=quote_moves(moves[:8]))
        if why.known:
            reason = summarize(why)
            return [
                Diagnostic(
                    "R802", make_message("illegal", move=wanted, why=reason), notes=tuple(why.lines()), help=help
                )
            ]
        close = find_close_name(wanted, [move.id for move in moves])
        return [
            Diagnostic(
                "R801", make_message("no_move", move=wanted), help=make_message("meant", close=close) if close else help
            )
        ]

    def play(self, move: Move | str) -> State:
        """Return the state after a legal move. Raises IllegalMove."""
        found = self.find(move)
        core = self.core.copy()
        self.game.machine.play(core, found.action)
        after = State(self.game, core)
        after._events, after._logged = self._events, self._logged
        return after

    def play_here(self, move: Move | str) -> None:
        """Make a legal move in place. Raises IllegalMove."""
        self.game.machine.play(self.core, self.find(move).action)
        self._moves = None
        self._alike.clear()

    # ---- views and explanations --------------------------------------------------------------------------------------

    def view(self, seat: str | None = None) -> View:
        """Return what a seat sees, or a spectator (`None`)."""
        return make_view(self.game.compiled, self.core, seat, self.moves)

    def picture(
        self,
        seat: str | None = None,
        lang: str = FALLBACK,
        theme: Theme | None = None,
        width: int = 800,
        height: int | None = None,
        since: State | None = None,
    ) -> str:
        """Draw what a seat sees, or a spectator, as SVG. After the end all pieces are shown.

        Args:
            width, height: pixels; the picture is fitted to the height if one is given.
            since: an earlier state; pieces that moved since then are highlighted.
        """
        from hoyle.game.views.labels import draw_state
        from hoyle.pictures.pieces import find_moved

        lit = find_moved(since.view(seat).piles, self.view(seat).piles) if since is not None else frozenset()
        seen = make_open_view(self.game.compiled, self.core, seat) if self.is_over else self.view(seat)
        return draw_state(self.game.compiled, seen, lang, theme, width, height, lit)

    def _repr_html_(self) -> str:
        """Return SVG of what a spectator sees, for notebooks."""
        return self.picture()

    def why(self, move: str, seat: str | None = None) -> Why:
        """Explain why a move is legal or not: rule, source, values. With a seat, only what that seat knows."""
        if seat is None:
            return explain_move(self.game.compiled, self.core, move)
        if seat not in self._alike:
            self._alike[seat] = sample_alike_states(self.game.compiled, self.core, self.game.seats.index(seat))
        return explain_as_known(self.game.compiled, self.core, move, self._alike[seat])

    def value(self, formula: str, seat: str | None = None) -> Value:
        """Evaluate a formula here. With a seat, hidden values are not `known`. Raises Refused."""
        return evaluate_formula(self.game.compiled, self.core, formula, seat)

    @property
    def events(self) -> tuple[Event, ...]:
        """Events since the start of the game."""
        count = len(self.core.log or ())
        if count != self._logged:
            self._events += list_events(self.game.compiled, self.core, self._logged)
            self._logged = count
        return self._events

    # ---- results -----------------------------------------------------------------------------------------------------

    @property
    def scores(self) -> dict[str, int]:
        """Score of each side so far. A player without partner is a side with the seat's name."""
        return dict(zip(self.game.sides, results.count_scores(self.game.compiled, self.core), strict=True))

    @property
    def standings(self) -> list[int]:
        """First ranking criterion of each side, in the order of sides; higher is better."""
        best = self.game.ruleset.result.best[0]
        return [results.evaluate_result(self.game.compiled, self.core, best, n) for n in range(len(self.game.sides))]

    @property
    def winning_sides(self) -> list[str]:
        """Sides with the best result; several if they tie, none before the end."""
        return [self.game.sides[n] for n in results.find_winners(self.game.compiled, self.core)]

    @property
    def winners(self) -> list[str]:
        """Seats of the winning sides."""
        game = self.game
        won = {p for n, side in enumerate(game.sides) if side in self.winning_sides for p in game.ruleset.sides[n]}
        return [seat for p, seat in enumerate(game.seats) if p in won]

    @property
    def stake(self) -> int:
        expr = self.game.ruleset.result.stake
        return results.evaluate_result(self.game.compiled, self.core, expr) if expr is not None and self.is_over else 1

    @property
    def margin(self) -> int | None:
        expr = self.game.ruleset.result.margin
        return (
            results.evaluate_result(self.game.compiled, self.core, expr) if expr is not None and self.is_over else None
        )

    # ---- saving ------------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return plain data from which `Game.resume` restores an equal state."""
        return save_state(self.game.compiled, self.core)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self.game.digest == other.game.digest and self.core.key() == other.core.key()
        )

    def __hash__(self) -> int:
        return hash(self.core.key())
