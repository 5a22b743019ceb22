"""Games for OpenSpiel. Importing this module registers `pyspiel.load_game("python_hoyle", {"game": …})`; it raises Missing without OpenSpiel.

Chance nodes draw a seed for the generator: eight draws of one in sixteen. So a state follows from its history and is saved by it, and a search cannot foresee chance.
`observation_tensor` is the observation of `layout`. The information state is a string only: a digest of all that a seat observed and chose, and its view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from hoyle.game.game import load as load_rules
from hoyle.language.sentences import make_message
from hoyle.learning import Missing, check_bool, check_game_name, check_range
from hoyle.learning.chance_nodes import DRAWS, OUTCOMES, Node
from hoyle.learning.plays import Form, list_win_rewards
from hoyle.players.inference.knowledge import has_hidden_information
from hoyle.running.machine import MOST_DECISIONS

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise Missing(make_message("learning.missing", what=error.name or "pyspiel", extra="openspiel")) from None

NAME = "python_hoyle"
DEFAULTS = {"game": "", "options": "", "memory": True, "most": MOST_DECISIONS}
"""Parameters: the game, its options (`draw:1;take_back:true`), whether observations include memory, and the moves after which a game is cut."""
MOST_SEATS = 16
EVENLY = [(number, 1 / OUTCOMES) for number in range(OUTCOMES)]


@lru_cache(maxsize=16)
def form_of(game: str, options: str, memory: bool) -> Form:
    """Load a game with options. Raises Refused, numbering.TooMany and ValueError."""
    if not game:
        raise ValueError(make_message("learning.no_game_named"))
    return Form(load_rules(game, dict(_settings(options))), memory)


def _settings(options: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of options. Raises ValueError."""
    for setting in filter(None, map(str.strip, options.split(";"))):
        name, colon, value = (part.strip() for part in setting.partition(":"))
        if not (name and colon and value) or {*setting} & {*"=,"} or ":" in value:
            raise ValueError(make_message("learning.no_setting", given=setting))
        yield name, value


def load(game: str | Path, *, memory: bool = True, most: int = MOST_DECISIONS, **options: Any) -> HoyleGame:
    """Load a game (name or path) with options. Raises Refused, and ValueError for wrong arguments."""
    written = ";".join(f"{name}:{_written(value)}" for name, value in options.items())
    found: HoyleGame = pyspiel.load_game(
        NAME,
        {
            "game": str(check_game_name(game)),
            "options": written,
            "memory": check_bool(memory, "memory"),
            "most": check_range(most, "most", 1),
        },
    )
    return found


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _type(form: Form | None) -> Any:
    """Return OpenSpiel's type of a game, or of all games before one is chosen."""
    information, utility = pyspiel.GameType.Information, pyspiel.GameType.Utility
    hidden = form is None or has_hidden_information(form.game.compiled)
    return pyspiel.GameType(
        short_name=NAME,
        long_name=form.game.title() if form is not None else "hoyle",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if form is not None and _sums_to_nothing(form) else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=form.seats if form is not None else MOST_SEATS,
        min_num_players=form.seats if form is not None else 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
        default_loadable=False,
    )


def _sums_to_nothing(form: Form) -> bool:
    """Return whether the rewards of all players sum to zero: there are several sides of equal size."""
    sides = form.game.ruleset.sides
    return len(sides) > 1 and len({*map(len, sides)}) == 1


def _info(form: Form, most: int) -> Any:
    alone = len(form.game.sides) == 1
    longest = max((len(heads.lists) for heads in form.numbering.heads.values()), default=0)
    items = 1 + longest * (sum(form.game.machine.copies) + 1)
    return pyspiel.GameInfo(
        num_distinct_actions=form.numbering.size,
        max_chance_outcomes=OUTCOMES,
        num_players=form.seats,
        min_utility=0.0 if alone else -1.0,
        max_utility=1.0,
        utility_sum=0.0 if _sums_to_nothing(form) else None,
        max_game_length=most * items,
    )


class HoyleGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        self.most = check_range(given["most"], "most", 1)
        self.form = form_of(str(given["game"]), str(given["options"]), bool(given["memory"]))
        super().__init__(_type(self.form), _info(self.form, self.most), dict(params or {}))

    def new_initial_state(self) -> HoyleState:
        return HoyleState(self)

    def max_chance_nodes_in_history(self) -> int:
        return DRAWS * (self.most + 1)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.form, recall)


class HoyleState(pyspiel.State):  # type: ignore[misc]
    """A state, copied and saved by its `node`."""

    def __init__(self, game: HoyleGame) -> None:
        super().__init__(game)
        given = {**DEFAULTS, **game.get_parameters()}
        self.node = Saved(Node(game.form, game.most), tuple(given[key] for key in DEFAULTS))

    def current_player(self) -> int:
        node = self.node.node
        if node.waits is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if node.over or node.play is None else node.play.actor

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return EVENLY

    def _apply_action(self, action: int) -> None:
        self.node = Saved(self.node.node.after(action), self.node.given)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player < 0 else self.node.node.form.numbering.words(action, player)

    def is_terminal(self) -> bool:
        return self.node.node.over

    def returns(self) -> list[float]:
        node = self.node.node
        return list_win_rewards(node.play) if node.over and node.play is not None else [0.0] * node.form.seats

    def information_state_tensor(self, player: int | None = None) -> NoReturn:
        """Raise pyspiel.SpielError: no tensor of fixed length recalls a whole game."""
        raise pyspiel.SpielError(make_message("learning.no_tensor"))

    def __str__(self) -> str:
        """Return the views of all seats."""
        return "\n".join(_lines(self.node.node))


def _lines(node: Node) -> Iterator[str]:
    for seat, name in enumerate(node.form.game.seats if node.play is not None else ()):
        assert node.play is not None
        yield f"{name}:"
        yield node.play.text(seat)
    if node.waits is not None:
        yield f"drawn: {[*node.drawn]}"


class Saved:
    """A node; copies share it, and pickles hold the numbers that lead to it."""

    def __init__(self, node: Node, given: tuple[Any, ...]) -> None:
        self.node, self.given = node, given

    def __deepcopy__(self, memo: Any) -> Saved:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return again, (self.given, self.node.numbers())


def again(given: tuple[Any, ...], numbers: list[int]) -> Saved:
    """Replay these numbers and return the resulting node."""
    game, options, memory, most = given
    node = Node(form_of(game, options, memory), most)
    for number in numbers:
        node = node.after(number)
    return Saved(node, given)


class Observer:
    """OpenSpiel's observer: the observation tensor, or with perfect recall the string of all observations."""

    def __init__(self, form: Form, recall: bool) -> None:
        self.recall = recall
        self.tensor = np.zeros(form.layouts[0].size, np.float32) if not recall else None
        self.dict = {"observation": self.tensor} if self.tensor is not None else {}

    def set_from(self, state: HoyleState, player: int) -> None:
        play = state.node.node.play
        if self.tensor is not None:
            self.tensor[:] = np.frombuffer(play.observed(player), np.float32) if play is not None else 0

    def string_from(self, state: HoyleState, player: int) -> str:
        node = state.node.node
        text = node.play.text(player) if node.play is not None else ""
        return f"{node.digest(player).hex()}\n{text}" if self.recall else text


pyspiel.register_game(_type(None), HoyleGame)
