"""A game as a PettingZoo environment in which agents act one after the other (AEC). `hoyle.learning.env` makes it."""

from __future__ import annotations

from secrets import randbits
from typing import Any

from hoyle.game.game import Game, State
from hoyle.language.sentences import make_message
from hoyle.learning import Missing, check_bool, check_int, check_position, check_range, find_seat, start_position
from hoyle.learning.plays import Form, Play, check_rewards, list_standings, list_win_rewards
from hoyle.running.machine import MOST_DECISIONS

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv
except ImportError as error:
    raise Missing(make_message("learning.missing", what=error.name or "pettingzoo", extra="rl")) from None

RENDERED = ("ansi", "human", "svg")


UNBEGUN = ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
"""Attributes that exist only after `reset`."""


class Unbegun(ResetNeeded, AttributeError):
    """Raised when an attribute is read before `reset`."""


class Environment(AECEnv):  # type: ignore[misc]
    """A game whose agents are its seats.

    Observations are `{"observation": …, "action_mask": …}` in the layout `form.layouts[seat]`; actions are the numbers of `form.numbering`.
    Raises gymnasium.error.ResetNeeded if no game is being played, and ValueError for wrong arguments.
    """

    def __init__(
        self,
        game: Game,
        memory: bool = True,
        rewards: str = "win",
        most: int = MOST_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDERED:
            raise ValueError(make_message("learning.no_rendering", name=render_mode, known=", ".join(RENDERED)))
        self.most, self.rewarded, self.render_mode = check_range(most, "most", 1), check_rewards(rewards), render_mode
        self.game, self.form = game, Form(game, check_bool(memory, "memory"))
        self.metadata = {
            "name": f"hoyle_{game.name}",
            "render_modes": [*RENDERED],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [*game.seats]
        self._seat = {agent: n for n, agent in enumerate(self.possible_agents)}
        self._seed, self._index = randbits(32), -1
        self._play: Play | None = None
        self._spaces = {agent: self._space(seat) for agent, seat in self._seat.items()}
        self._actions = {agent: spaces.Discrete(self.form.numbering.size) for agent in self.possible_agents}

    def __getattr__(self, name: str) -> Any:
        """Raise Unbegun for attributes that exist after `reset`, as PettingZoo's wrappers do, else AttributeError."""
        if name in UNBEGUN and self.__dict__.get("_play") is None:
            raise Unbegun(make_message("learning.reset_first"))
        raise AttributeError(name)

    def _space(self, seat: int) -> spaces.Dict:
        least, most = (np.array(bound, dtype=np.float32) for bound in self.form.layouts[seat].bounds())
        mask = spaces.Box(0, 1, (self.form.numbering.size,), np.int8)
        return spaces.Dict({"observation": spaces.Box(least, most, dtype=np.float32), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[self._named(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[self._named(agent)]

    def _named(self, agent: str) -> str:
        return self.possible_agents[find_seat(self.game, agent)]

    # ---- playing -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of the series `seed`, or the next of the current series.

        `options["position"]` is a position to begin with, as for `Game.position`; unknown cards are dealt again in each game. Warns of other options.
        Raises ValueError, and Refused for a wrong position.
        """
        asked = (check_int(seed, "seed"), 0) if seed is not None else (self._seed, self._index + 1)
        position = check_position(options)
        core = start_position(self.game, position, *asked) if position is not None else None
        self._seed, self._index = asked
        self._play = Play(self.form, *asked, core)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._stood = list_standings(self.play) if self.rewarded == "score" else []
        self._go_on()

    @property
    def play(self) -> Play:
        """The current or last game. Raises ResetNeeded."""
        if self._play is None:
            raise ResetNeeded(make_message("learning.reset_first"))
        return self._play

    def _going_on(self) -> Play:
        """Return the current game until all agents have seen its end. Raises ResetNeeded."""
        if self._play is None or not self.agents:
            raise ResetNeeded(make_message("learning.reset_first"))
        return self._play

    def agent_iter(self, max_iter: int = 1 << 63) -> Any:
        """Yield the agents in turn until the game ends. Raises ResetNeeded."""
        self._going_on()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> Any:
        """Return observation, reward since its last choice, and flags of the acting agent. Raises ResetNeeded."""
        self._going_on()
        return super().last(observe)

    def step(self, action: int | None) -> None:
        """Choose an action for the acting agent. Raises ValueError if it is illegal, and ResetNeeded."""
        play, agent = self._going_on(), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(make_message("learning.must_act", agent=agent))
        moved = play.choose(check_int(action, "action"))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if moved:
            self._reward()
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _reward(self) -> None:
        if self.rewarded == "score":
            before, self._stood = self._stood, list_standings(self.play)
            found = [now - then for now, then in zip(self._stood, before, strict=True)]
        else:
            found = list_win_rewards(self.play)
        self.rewards = dict(zip(self.possible_agents, found, strict=True))

    def _go_on(self) -> None:
        """Select the next agent. At the end every agent has one more turn, as PettingZoo demands."""
        over = self.play.over
        if over or self.play.moves >= self.most:
            (self.terminations if over else self.truncations).update(dict.fromkeys(self.agents, True))
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.play.actor]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation and action mask of an agent; the mask is empty unless it acts."""
        play, seat = self.play, find_seat(self.game, agent)
        mask = np.zeros(self.form.numbering.size, np.int8)
        if play.actor == seat and not self.truncations.get(agent):
            mask[play.offer.legal] = 1
        return {"observation": np.frombuffer(play.observed(seat), np.float32), "action_mask": mask}

    # ---- showing -----------------------------------------------------------------------------------------------------

    def render(self) -> str | None:
        """Return the view of the acting agent as a position (`ansi`) or picture (`svg`), or print it (`human`)."""
        state = State(self.game, self.play.core)
        agent = self.agent_selection
        if self.render_mode == "svg":
            return state.picture(agent)
        text = self.play.text(self._seat[agent])
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing; no resources are held."""
