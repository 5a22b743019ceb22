"""Thousands of games at once, stepped by one call on numpy arrays. `hoyle.learning.vector` makes them.

The native engine plays them. Observations, action numbers and rewards equal those of `env(…, memory=False)`, game for game. Memory is not available.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from hoyle.game.game import Game, State
from hoyle.language.ir import NO_NUMBER
from hoyle.language.sentences import make_message
from hoyle.learning import Missing, check_int, check_range, find_seat
from hoyle.learning.encoding import Encoder
from hoyle.learning.numbering import Digit, Heads, Numbering, explain_refusal
from hoyle.learning.plays import Form, check_rewards
from hoyle.native.batch import Coded, Lanes, Tables
from hoyle.native.engine import Native, NativeMachine, places_of
from hoyle.native.engine_builder import native
from hoyle.native.layout import Binding
from hoyle.running.machine import MOST_DECISIONS

Values = tuple[tuple[int, ...], ...]


def build_tables(form: Form) -> Tables:
    """Return the tables for C. Raises Untranslatable if the native engine cannot play the game."""
    numbering, bindings = form.numbering, places_of(form.game.machine).moves
    values, begins = _values(numbering)
    moves, codes = [0] * len(bindings), list[int]()
    for number, heads in numbering.heads.items():
        moves[number] = len(codes)
        codes += _codes(heads, bindings[number], begins)
    return Tables(
        moves,
        codes,
        values,
        _points(form.game, form.encoders[0]),
        _rows(form.encoders),
        numbering.size,
        numbering.end,
        numbering.first_item,
        max(layout.size for layout in form.layouts),
    )


# ---- actions ---------------------------------------------------------------------------------------------------------


def _codes(heads: Heads, bindings: Sequence[Binding], begins: dict[Values, int]) -> Iterator[int]:
    yield heads.first
    yield len(heads.digits)
    for digit in heads.digits:
        yield from (bindings[digit.place - 1].at, digit.size, int(digit.piece), begins[digit.values])
    yield len(heads.lists)
    for one in heads.lists:
        yield from (
            bindings[one.place - 1].at,
            one.first,
            int(one.digit.piece),
            begins[one.digit.values],
            int(one.is_set),
        )


def _values(numbering: Numbering) -> tuple[list[int], dict[Values, int]]:
    """Return the places of all values, and the offset of each kind of digit."""
    found, begins = list[int](), dict[Values, int]()
    for digit in _digits(numbering):
        if digit.values not in begins:
            begins[digit.values] = begin = len(found)
            found += [0] * len(digit.values)
            for seat, own in enumerate(digit.values):
                found[begin + seat] = len(found)
                found += _places({value: place for place, value in enumerate(own)})
    return found, begins


def _digits(numbering: Numbering) -> Iterator[Digit]:
    for heads in numbering.heads.values():
        yield from heads.digits
        yield from (one.digit for one in heads.lists)


def _places(places: dict[int, int]) -> list[int]:
    """Return least value, size of the range and place of an absent number, then the place of each value (-1: none)."""
    none = places.pop(NO_NUMBER, -1)
    least, most = min(places, default=0), max(places, default=-1)
    return [least, most - least + 1, none, *(places.get(value, -1) for value in range(least, most + 1))]


# ---- observations ----------------------------------------------------------------------------------------------------


def _points(game: Game, encoder: Encoder) -> list[int]:
    found = [0] * (max(game.machine.points, default=0) + 1)
    for label, place in encoder.place.items():
        found[label] = place
    return found


def _rows(encoders: Sequence[Encoder]) -> list[int]:
    """Return rows of piles and cells by seat, after the offset of each seat, and the orders that these use."""
    found, orders = [0] * len(encoders), dict[tuple[int, ...], list[int]]()
    for seat, encoder in enumerate(encoders):
        found[seat] = len(found)
        found.append(len(encoder.piles))
        for pile in encoder.piles:
            found += [pile.pile, pile.first, pile.count, pile.among, pile.shown, pile.top, pile.places, pile.room]
        found.append(len(encoder.cells))
        for cell in encoder.cells:
            if cell.places is not None:
                orders.setdefault(cell.places, []).append(len(found) + 5)
            found += [cell.cell, cell.at, cell.high, cell.there, int(cell.piece), -1]
        found += encoder.begun
    for order, named in orders.items():
        for at in named:
            found[at] = len(found)
        found += order
    return found


try:
    import numpy as np
    import numpy.typing as npt
except ImportError as error:
    raise Missing(make_message("learning.missing", what=error.name or "numpy", extra="rl")) from None

Array: TypeAlias = npt.NDArray[Any]


MOST_THREADS = 1024


class NoEngine(RuntimeError):
    """The native engine cannot play the game here, for the reason in the message."""


class StepResult(NamedTuple):
    """Results of a step, one row for each game. The next step overwrites observations, masks, seats, `last` and `last_seats`, which are read-only.

    observations  of the acting seat                          float32 (count, width)
    masks         its legal numbers: 1, else 0                int8 (count, size)
    seats         number of the acting seat                   int8 (count)
    rewards       of the step, for each seat                  float32 (count, seats)
    over          whether a game ended by its rules           bool (count)
    cut           whether a game was cut before its end       bool (count)
    last          final observation of an ended game          float32 (count, width)
    last_seats    its seat; -1: nothing was observed          int8 (count)

    Where a game ended or was cut, the next one has begun and is observed. Rewards and `last` belong to the former game: `last` is observed by the
    seat that would have acted in a cut game, and by the seat that acted last in an ended one. Other rows of `last` are undefined.
    """

    observations: Array
    masks: Array
    seats: Array
    rewards: Array
    over: Array
    cut: Array
    last: Array
    last_seats: Array


class Played(NamedTuple):
    """Results of random steps: a row of int64 for each running game. `scores` and `wins` are sums by side over the `ended` games."""

    decisions: Array
    ended: Array
    left: Array
    scores: Array
    wins: Array


class Vector:
    """`count` games at once. Row n plays the games n, n + count, n + 2 * count, … of the series of `simulate` with this seed.

    `rewards` as for `env`. A game is cut after `most` decisions, at a fault of its rules, or if the native engine has no room for it. `threads` share each call.
    `form.layouts[seat]` and `form.numbering` give the meaning of numbers. Observations have `width` numbers between `low` and `high` (float32); `size` is the
    number of actions. Raises NoEngine; ValueError; Refused if the engine cannot be built.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int = 0,
        rewards: str = "win",
        most: int = MOST_DECISIONS,
        threads: int = 1,
    ) -> None:
        count, seed, most = check_range(count, "count", 1), check_int(seed, "series"), check_range(most, "most", 1)
        threads = check_range(threads, "threads", 1, MOST_THREADS)
        self.game, self.form, self.count, self.seed = game, Form(game, memory=False), count, seed
        self.rewarded, engine = check_rewards(rewards), _engine(game)
        self._lanes = Lanes(engine, count, seed, most, threads, self.rewarded == "score")
        self._coded = Coded(self._lanes, build_tables(self.form))
        self.width, self.size = self._coded.tables.width, self._coded.tables.size
        self._sides, self._side_of = self._lanes.sides, np.array(engine.sides)
        self._observed = _shown(self._coded.seen, np.float32).reshape(count, self.width)
        self._masks = _shown(self._coded.mask, np.int8).reshape(count, self.size)
        self._last = _shown(self._coded.last, np.float32).reshape(count, self.width)
        self._last_seats = _shown(self._coded.whose, np.int8)
        self.low, self.high = _bounds(self.form, self.width)
        self._seats, self._offered = _shown(self._lanes.actor, np.int8), _shown(self._lanes.count, np.int32)
        self._over, self._cut = (_shown(one, np.bool_) for one in (self._lanes.over, self._lanes.cut))
        self._results = _shown(self._lanes.results, np.int64).reshape(count, 2 * self._sides)
        self._gained = _shown(self._lanes.gained, np.float64).reshape(count, self._sides)

    def __reduce__(self) -> NoReturn:
        """Raise TypeError: the games lie in memory of the native engine and cannot be copied or pickled."""
        raise TypeError(make_message("learning.no_copy"))

    # ---- playing -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> StepResult:
        """Begin the first games of the series `seed`, or of the current series. Rewards are 0."""
        self.seed = self.seed if seed is None else check_int(seed, "seed")
        self._coded.begin(self.seed)
        return self._make_result(np.zeros((self.count, len(self._side_of)), np.float32))

    def step(self, actions: npt.ArrayLike) -> StepResult:
        """Choose a number in each game: integers (count). Raises ValueError before any game changes if one is illegal.

        In a game that offers nothing (it was over when it began) the number is ignored.
        """
        chosen = self._checked(np.asarray(actions))
        refused = self._coded.choose(chosen.ctypes.data)
        assert not refused, "masks say what may be chosen"
        return self._make_result(self._rewards())

    def _checked(self, actions: Array) -> Array:
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise ValueError(make_message("learning.no_actions", count=self.count))
        within = (actions >= 0) & (actions < self.size)
        allowed = within & (self._masks[np.arange(self.count), np.where(within, actions, 0)] > 0)
        wrong = np.flatnonzero(~allowed & (self._offered > 0))
        if len(wrong):
            raise ValueError(self._refused(int(actions[wrong[0]]), int(wrong[0])))
        return np.ascontiguousarray(actions, np.int64)

    def _refused(self, number: int, game: int) -> str:
        legal = [int(one) for one in np.flatnonzero(self._masks[game])]
        return make_message(
            "learning.not_there",
            game=game,
            why=explain_refusal(self.form.numbering, number, legal, int(self._seats[game])),
        )

    def _make_result(self, rewards: Array) -> StepResult:
        over, cut = self._over.copy(), self._cut.copy()
        return StepResult(self._observed, self._masks, self._seats, rewards, over, cut, self._last, self._last_seats)

    def _rewards(self) -> Array:
        """Return the rewards of the last step, as in `plays`."""
        if self.rewarded == "score":
            return self._gained[:, self._side_of].astype(np.float32)
        found = np.zeros((self.count, len(self._side_of)), np.float32)
        ended = np.flatnonzero(self._over)
        if len(ended):
            found[ended] = self._worth(self._results[ended, self._sides :])[:, self._side_of]
        return found

    def _worth(self, wins: Array) -> Array:
        """Return the final rewards by side, given the winning sides."""
        if self._sides == 1:
            return wins.astype(np.float64)
        winners = wins.sum(1, keepdims=True)
        share = wins / np.maximum(winners, 1)
        return np.asarray(np.where(winners > 0, (self._sides * share - 1) / (self._sides - 1), 0.0))

    # ---- at random ---------------------------------------------------------------------------------------------------

    def sample(self, random: np.random.Generator) -> Array:
        """Draw a legal number in each game, uniformly; 0 where nothing is offered. int64 (count). Raises ValueError if `random` is no numpy generator."""
        if not isinstance(random, np.random.Generator):
            raise ValueError(make_message("learning.no_generator", given=repr(random)))
        parts, found = random.random(self.count), np.zeros(self.count, np.int64)
        self._coded.nth(parts.ctypes.data, found.ctypes.data)
        return found

    def play(self, steps: int) -> Played:
        """Make `steps` random moves in each game in one call, uniformly over legal moves. These are the random games of `simulate` if no other moves were made.

        Partial actions are dropped. Raises ValueError for a negative number.
        """
        totals = np.array(self._coded.play(check_range(steps, "steps", 0))).reshape(self.count, -1)
        scores, wins = np.split(totals[:, 3:], 2, axis=1)
        return Played(totals[:, 0], totals[:, 1], totals[:, 2], scores, wins)

    # ---- looking -----------------------------------------------------------------------------------------------------

    @property
    def games(self) -> Array:
        """Return the number of each running game in the series. uint64 (count)."""
        return _shown(self._lanes.index, np.uint64).copy()

    def observe(self, seat: int | str) -> Array:
        """Return the observations of a seat (number or name), whoever acts. float32 (count, width). Raises ValueError for an unknown seat."""
        seat = find_seat(self.game, seat)
        found = np.zeros((self.count, self.width), np.float32)
        self._coded.observe(seat, found.ctypes.data)
        return found

    def state(self, number: int) -> State:
        """Return a game as a state; negative numbers count from the end. Raises IndexError."""
        if not -self.count <= check_int(number) < self.count:
            raise IndexError(make_message("learning.no_such_game", number=number, most=self.count - 1))
        return State(self.game, self._lanes.core(range(self.count)[number]))


def _engine(game: Game) -> Native:
    """Return the native engine of a game. Raises NoEngine; Refused if it cannot be built."""
    if isinstance(game.machine, NativeMachine) and game.machine.native is not None:
        return game.machine.native
    found = native(game.ruleset, game.machine)
    if not isinstance(found, Native):
        raise NoEngine(make_message("learning.no_engine", game=game.name, why=str(found)))
    return found


def _bounds(form: Form, width: int) -> tuple[Array, Array]:
    """Return the least and greatest value of each number over all seats."""
    found = np.zeros((2, form.seats, width), np.float32)
    for seat, layout in enumerate(form.layouts):
        found[:, seat, : layout.size] = layout.bounds()
    return found[0].min(0), found[1].max(0)


def _shown(numbers: Any, kind: Any) -> Array:
    """Return a read-only array on the same memory."""
    found = np.frombuffer(numbers, kind)
    found.flags.writeable = False
    return found
