"""A running game with numbered legal actions and encoded observations, shared by all environments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.events import list_events
from hoyle.game.game import Game
from hoyle.game.positions import to_position
from hoyle.game.views.view import can_see
from hoyle.language.sentences import make_message
from hoyle.learning.encoding import Begun, Encoder, Numbers
from hoyle.learning.layout import build_layout
from hoyle.learning.numbering import Numbering, Offer, Path
from hoyle.native.visibility_tables import sides
from hoyle.players.inference.knowledge import Knowledge, Moved, has_hidden_information, know_start
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core

_WORDS = re.compile(r"[^\W_]\w*( [\w/]+)*")
_NO_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
"""Words that YAML does not read as text."""


def render_text(game: Compiled, core: Core, seat: int, begun: Sequence[str] = ()) -> str:
    """Return a seat's view as a position, without game and options. A partial action (`begun`) is a comment in the last line."""
    found = to_position(game, sort_unordered(game, core, seat), game.seats[seat])
    shown = {key: value for key, value in found.items() if key not in ("game", "options") and value not in (None, "")}
    return "\n".join([*_lines(shown), *([f"# begun: {', '.join(begun)}"] if begun else [])])


def sort_unordered(game: Compiled, core: Core, seat: int) -> Core:
    """Return the state with unordered pieces sorted: hidden ones first, then face-down ones by class.

    Two states that a seat cannot tell apart then give the same text.
    """
    found = core.copy()
    for number in game.machine.heaps:
        pile = core.piles[number]
        seen = [can_see(game, number, at, len(pile), piece, seat) for at, piece in enumerate(pile)]
        if game.namer.family(number).face != "top seen":
            order = sorted(range(len(pile)), key=lambda at: (pile[at] & 1, seen[at], pile[at] * seen[at]))
            found.piles[number] = [pile[at] for at in order]
    return found


def _lines(found: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield a mapping as YAML, one entry a line."""
    for key, value in found.items():
        if isinstance(value, dict):
            yield f"{indent}{format_scalar(key)}:" if value else f"{indent}{format_scalar(key)}: {{}}"
            yield from _lines(value, indent + "  ")
        else:
            yield f"{indent}{format_scalar(key)}: {format_scalar(value)}"


def format_scalar(value: Any) -> str:
    """Return a scalar as YAML, quoted if it would be read as something else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    plain = _WORDS.fullmatch(value) and (" " in value or value[0].isalpha()) and value.lower() not in _NO_TEXT
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


Rewards = Literal["win", "score"]
""""win": at the end; "score": after each move, the change of a side's lead."""


_Passed: TypeAlias = "tuple[_Passed, Moved] | None"
"""Moves that a seat's memory has not replayed yet, the last outermost. Copies of a play share them."""


class Form:
    """The constant parts of an environment: numbers of actions and layouts of observations.

    With `memory`, observations include what a seat remembers. Copies are the same object; a pickle holds the game. Raises numbering.TooMany.
    """

    def __init__(self, game: Game, memory: bool = True) -> None:
        self.game, self.memory, self.seats = game, memory, len(game.seats)
        self.numbering = Numbering(game.compiled)
        heads, items = self.numbering.composed, self.numbering.items
        self.layouts = [build_layout(game.compiled, seat, heads, items, memory) for seat in range(self.seats)]
        self.encoders = [Encoder(game.compiled, found) for found in self.layouts]
        self.remembers = memory and has_hidden_information(game.compiled)

    def __reduce__(self) -> tuple[Any, ...]:
        return Form, (self.game, self.memory)

    def __deepcopy__(self, memo: Any) -> Form:
        return self


class Play:
    """One game. `seed` and `index` are those of `Game.start`; `core` replaces the usual start."""

    def __init__(self, form: Form, seed: int, index: int = 0, core: Core | None = None) -> None:
        self.form = form
        self.core = core if core is not None else form.game.machine.start(Chance.stream(seed, index), log=True)
        self.moves = 0
        self._pick = Chance.stream(seed, index, PLAYER)
        self._known: list[Knowledge | None] = [None] * form.seats
        self._passed: list[_Passed] = [None] * form.seats
        self._began = self.core.copy() if form.remembers else self.core
        self._offer: Offer | None = None

    def copy(self) -> Play:
        found = Play.__new__(Play)
        found.form, found.core, found.moves = self.form, self.core.copy(), self.moves
        found._pick, found._began, found._known = self._pick.copy(), self._began, [*self._known]
        found._passed = [*self._passed]
        found._offer = self._offer.copy() if self._offer is not None else None
        return found

    def __deepcopy__(self, memo: Any) -> Play:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling. Memory is computed now, so earlier moves need not be stored."""
        known = [self.knowledge(seat) for seat in range(self.form.seats)]
        chosen = self._offer.chosen if self._offer is not None else ()
        return {
            "form": self.form, "core": self.core, "moves": self.moves, "pick": self._pick, "known": known, "chosen": chosen,
        }  # fmt: skip

    def __setstate__(self, found: Mapping[str, Any]) -> None:
        self.form, self.core, self.moves = found["form"], found["core"], found["moves"]
        self._pick, self._known, self._began = found["pick"], found["known"], self.core
        self._passed, self._offer = [None] * self.form.seats, None
        for number in found["chosen"]:
            self.offer.choose(number)

    # ---- choosing ----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.core.over

    @property
    def actor(self) -> int:
        """Number of the acting seat; ABSENT when the game is over."""
        return self.core.actor

    @property
    def offer(self) -> Offer:
        """The legal numbers."""
        if self._offer is None:
            self._offer = Offer(self.form.numbering, self.core)
        return self._offer

    def choose(self, number: int) -> bool:
        """Choose a number. Return True if it completed a move. Raises ValueError if it is illegal."""
        found = self.offer.choose(number)
        if found is None:
            return False
        action = self.core.acts[found[self._pick.below(len(found))] if len(found) > 1 else found[0]]
        self.core.log = []
        before = self.core.copy() if self.form.remembers else None
        self.form.game.machine.play(self.core, action)
        self._offer = None
        self.moves += 1
        if before is not None:
            made = before, action, self.core.copy()
            self._passed = [(passed, made) for passed in self._passed]
        return True

    # ---- observing ---------------------------------------------------------------------------------------------------

    def observed(self, seat: int) -> Numbers:
        """Return a seat's observation."""
        chosen = self._chosen(seat)
        first = self.form.numbering.first_item
        begun = Begun(chosen[0], tuple(item - first for item in chosen[1:])) if chosen else None
        return self.form.encoders[seat](self.core, self.knowledge(seat), begun)

    def text(self, seat: int) -> str:
        """Return a seat's view as a position, with its partial action."""
        begun = [self.form.numbering.words(number, seat) for number in self._chosen(seat)]
        return render_text(self.form.game.compiled, self.core, seat, begun)

    def _chosen(self, seat: int) -> Path:
        """Return a seat's partial action."""
        return self._offer.chosen if self._offer is not None and seat == self.core.actor else ()

    def news(self, seat: int) -> list[str]:
        """Return the events of the last move, or of the start, that a seat is allowed to see."""
        name, found = self.form.game.seats[seat], list_events(self.form.game.compiled, self.core)
        return [*filter(None, (event.text(seat=name) for event in found))]

    def knowledge(self, seat: int) -> Knowledge | None:
        """Return a seat's memory, computed on demand."""
        if not self.form.remembers:
            return None
        known = self._known[seat]
        if known is None:
            known = know_start(self.form.game.compiled, self._began, seat)
        for before, action, after in _in_order(self._passed[seat]):
            known = known.after(before, action, after)
        self._known[seat], self._passed[seat] = known, None
        return known


def _in_order(passed: _Passed) -> list[Moved]:
    found = list[Moved]()
    while passed is not None:
        passed, moved = passed
        found.append(moved)
    return found[::-1]


# ---- rewards ---------------------------------------------------------------------------------------------------------


def check_rewards(rewards: str) -> Rewards:
    """Return the kind of rewards. Raises ValueError."""
    if rewards not in get_args(Rewards):
        raise ValueError(make_message("learning.no_reward", name=rewards, known=", ".join(get_args(Rewards))))
    return "win" if rewards == "win" else "score"


def list_win_rewards(play: Play) -> list[float]:
    """Return the final rewards by seat; all 0 while the game is not over or if nobody won.

    A sole winner has 1; the other of two sides has -1; several losers share -1, several winners share 1, so that the sum is 0. Alone: 1 for a win, else 0.
    """
    game = play.form.game.compiled
    count, winners = len(game.ruleset.sides), results.find_winners(game, play.core)
    if not winners:
        return [0.0] * play.form.seats
    share = {side: 1 / len(winners) for side in winners}
    worth = [(count * share.get(side, 0.0) - 1) / (count - 1) if count > 1 else 1.0 for side in range(count)]
    return [worth[side] for side in sides(game.machine)]


def list_standings(play: Play) -> list[float]:
    """Return, by seat, the lead of its side in the first value of the result: over the mean of the others, or over 0 if there are none."""
    game = play.form.game.compiled
    leads = results.compute_leads(game, play.core)
    return [leads[side] for side in sides(game.machine)]
