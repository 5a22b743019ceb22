"""What play went through after a move without asking anybody: phases that began, decisions at which nothing was possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.diagnostics import Said
from hoyle.game.game import Game, State
from hoyle.game.ready import compiled
from hoyle.language.model import Ruleset
from hoyle.language.sentences import said
from hoyle.language.steps import Repeat, Turns, every_step


class Passing:
    """Makes moves again and counts; compiled anew for that once it is asked, and only then."""

    def __init__(self) -> None:
        self._traced: dict[Game, Game] = {}

    def notes(self, before: State, move: str) -> Iterator[Said]:
        """What explains that the state after a legal move is another than one might think."""
        done = self._done(before, move)
        if done["passed"]:
            yield said("example.passed_over", places=_listed(map(_short, done["passed"])))
        phases = [
            name for name, first in _renewing(before.game.ruleset) if any(_is_in(p, name, first) for p in done["step"])
        ]
        if phases:
            yield said("example.renewed", phases=_listed(phases))

    def _done(self, before: State, move: str) -> dict[str, list[str]]:
        """The places of what was done and of what was passed over."""
        game = before.game
        if game not in self._traced:
            self._traced[game] = Game(compiled(game.ruleset, game.merged, trace=True))
        machine = self._traced[game].machine
        hits = machine.hits[:]
        core = before.core.copy()
        machine.play(core, before.find(move).action)
        used = [rule for rule, index in machine.counters.items() if machine.hits[index] > hits[index]]
        return {sort: [name for section, name in used if section == sort] for sort in ("step", "passed")}


def _renewing(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The phases that renew state, each with its first step."""
    named = {name for family in ruleset.state.values() for name in family.renewed}
    for (name, _), phase in ruleset.phases.items():
        if name in named and phase.steps:
            yield name, phase.steps[0].name


def _is_in(place: str, phase: str, step: str) -> bool:
    return place.split(" / ")[-2:] == [phase, step]


def counted_anew(state: State) -> list[Said]:
    """The loops around a decision that end after so many rounds: from a position on they count them from none."""
    inside = state.place.split(" / ")
    steps = [s for phase in state.game.ruleset.phases.values() for s in every_step(phase.steps) if s.name in inside]
    loops = [s.name for s in steps if isinstance(s.verb, Repeat | Turns) and s.verb.rounds is not None]
    return [said("example.counted_anew", loops=_listed(loops))] if loops else []


def _short(place: str) -> str:
    return " / ".join(place.split(" / ")[-2:])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))
