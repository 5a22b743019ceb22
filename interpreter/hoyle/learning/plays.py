"""A game as a program that learns plays it: numbers that may be chosen, and what a seat observes."""

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
from hoyle.language.sentences import said
from hoyle.learning.encoding import Begun, Encoder, Numbers
from hoyle.learning.layout import build_layout
from hoyle.learning.numbering import Numbering, Offer, Path
from hoyle.native.visibility_tables import sides
from hoyle.players.inference.knowledge import Knowledge, Moved, has_hidden_information, know_start
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core

_WORDS = re.compile(r"[^\W_]\w*( [\w/]+)*")
_NO_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
"""Words that YAML reads as something else."""


def render_text(game: Compiled, core: Core, seat: int, begun: Sequence[str] = ()) -> str:
    """What a seat sees of a state, as a position without the game and its options. What has been chosen of an action (`begun`), which no position tells, is a comment
    of its last line."""
    found = to_position(game, sort_unordered(game, core, seat), game.seats[seat])
    shown = {key: value for key, value in found.items() if key not in ("game", "options") and value not in (None, "")}
    return "\n".join([*_lines(shown), *([f"# begun: {', '.join(begun)}"] if begun else [])])


def sort_unordered(game: Compiled, core: Core, seat: int) -> Core:
    """The same with pieces whose order is nobody's business in one that tells nothing: first those that the seat does not see, then those that lie face down, by what they
    are. Two states that it cannot tell apart are then told in the same words."""
    found = core.copy()
    for number in game.machine.heaps:
        pile = core.piles[number]
        seen = [can_see(game, number, at, len(pile), piece, seat) for at, piece in enumerate(pile)]
        if game.namer.family(number).face != "top seen":
            order = sorted(range(len(pile)), key=lambda at: (pile[at] & 1, seen[at], pile[at] * seen[at]))
            found.piles[number] = [pile[at] for at in order]
    return found


def _lines(found: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """A map, one entry a line."""
    for key, value in found.items():
        if isinstance(value, dict):
            yield f"{indent}{format_scalar(key)}:" if value else f"{indent}{format_scalar(key)}: {{}}"
            yield from _lines(value, indent + "  ")
        else:
            yield f"{indent}{format_scalar(key)}: {format_scalar(value)}"


def format_scalar(value: Any) -> str:
    """A value as YAML reads it again: text that it would read as something else stands in quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    plain = _WORDS.fullmatch(value) and (" " in value or value[0].isalpha()) and value.lower() not in _NO_TEXT
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


Rewards = Literal["win", "score"]
"""What is rewarded: at the end, that a side has won; or, move by move, by how much it has come to stand better than the others."""


_Passed: TypeAlias = "tuple[_Passed, Moved] | None"
"""Moves that a seat has not followed yet, the last one outermost: copies of a play share them."""


class Form:
    """What does not change while a game is played: the numbers of its actions, and how its observations are laid out. `memory`: do they tell what a seat
    remembers? Copies are the same, and it is pickled as the game. Raises numbering.TooMany."""

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
    """One game. `seed` and `index` say what chance does, as for `Game.start`; `core`: the state that it begins with, if not its own beginning."""

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
        """What is pickled: all but what follows from it. What seats remember is worked out now, so that the moves before need not be told."""
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
        """The seat that chooses, by its number; ABSENT when the game is over."""
        return self.core.actor

    @property
    def offer(self) -> Offer:
        """The numbers that may be chosen now."""
        if self._offer is None:
            self._offer = Offer(self.form.numbering, self.core)
        return self._offer

    def choose(self, number: int) -> bool:
        """Choose a number; whether a move was made with it, or there is more to choose. Raises ValueError if it is not legal."""
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
        """What a seat observes."""
        chosen = self._chosen(seat)
        first = self.form.numbering.first_item
        begun = Begun(chosen[0], tuple(item - first for item in chosen[1:])) if chosen else None
        return self.form.encoders[seat](self.core, self.knowledge(seat), begun)

    def text(self, seat: int) -> str:
        """What a seat sees, as a position, and what it has chosen of an action."""
        begun = [self.form.numbering.words(number, seat) for number in self._chosen(seat)]
        return render_text(self.form.game.compiled, self.core, seat, begun)

    def _chosen(self, seat: int) -> Path:
        """What a seat has chosen of an action."""
        return self._offer.chosen if self._offer is not None and seat == self.core.actor else ()

    def news(self, seat: int) -> list[str]:
        """What a seat is told of the last move, and of what came of it; at the beginning, of that."""
        name, found = self.form.game.seats[seat], list_events(self.form.game.compiled, self.core)
        return [*filter(None, (event.text(seat=name) for event in found))]

    def knowledge(self, seat: int) -> Knowledge | None:
        """What a seat remembers, which is worked out when it is asked for."""
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
    """Raises ValueError."""
    if rewards not in get_args(Rewards):
        raise ValueError(said("learning.no_reward", name=rewards, known=", ".join(get_args(Rewards))))
    return "win" if rewards == "win" else "score"


def list_win_rewards(play: Play) -> list[float]:
    """Of each seat, what the end of the game is worth: 1 for who has won alone, -1 for the others of two sides; of more sides, -1 shared so that all sum to 0; what
    several have won is shared. 0 where nobody has won, or the game is not over. Who plays alone has 1 if he has won, else 0."""
    game = play.form.game.compiled
    count, winners = len(game.ruleset.sides), results.find_winners(game, play.core)
    if not winners:
        return [0.0] * play.form.seats
    share = {side: 1 / len(winners) for side in winners}
    worth = [(count * share.get(side, 0.0) - 1) / (count - 1) if count > 1 else 1.0 for side in range(count)]
    return [worth[side] for side in sides(game.machine)]


def list_standings(play: Play) -> list[float]:
    """Of each seat, by how much its side is ahead of the others' mean in what wins first; of one alone, where it stands."""
    game = play.form.game.compiled
    leads = results.compute_leads(game, play.core)
    return [leads[side] for side in sides(game.machine)]
