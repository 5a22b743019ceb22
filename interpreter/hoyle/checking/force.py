"""What is in force: the phases that are run, the moves that are offered and the obligations that are obeyed, and what they look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from hoyle.checking.reads import of_obligation
from hoyle.language.evaluate import everything
from hoyle.language.ir import Const, Expr
from hoyle.language.model import Ruleset
from hoyle.language.steps import Choose, Play, Run, Step, Turns, formulas, inner_lists

Known = Callable[[Expr], bool | None]
"""Whether a condition holds whatever happens in the game, or never does; None if that depends on the game."""


class Force(Struct):
    """Names by section, in no order, and the formulas that may ever be computed."""

    phases: set[str] = set()
    moves: set[str] = set()
    obligations: set[str] = set()
    whenever: set[str] = set()
    formulas: list[Expr] = []

    def mentions(self) -> set[str]:
        """The constants of these formulas as they are written: options among them."""
        return constants(self.formulas)


def constants(formulas: Iterable[Expr]) -> set[str]:
    """The constants of formulas as they are written."""
    return {part.span.text for found in formulas for part in everything(found) if isinstance(part, Const)}


def in_force(ruleset: Ruleset, known: Known = lambda condition: None) -> Force:
    """What play can come to from the phase `game` on. `known` decides what the options rule out; without it, whatever they are."""
    walk = _Walk(ruleset, known)
    walk.phase("game")
    for name, entry in ruleset.whenever.items():
        if known(entry.condition) is not False:
            walk.found.whenever.add(name)
            walk.found.formulas += [entry.condition, *(entry.loop.formulas if entry.loop else ())]
            walk.steps(entry.do)
    walk.found.formulas += ruleset.result.formulas
    return walk.found


class _Walk:
    def __init__(self, ruleset: Ruleset, known: Known) -> None:
        self.ruleset, self.known, self.found = ruleset, known, Force()

    def phase(self, name: str) -> None:
        if name not in self.found.phases:
            self.found.phases.add(name)
            for acting in (False, True):
                phase = self.ruleset.phases.get((name, acting))
                self.steps(phase.steps if phase is not None else ())

    def steps(self, steps: Iterable[Step]) -> None:
        for step in steps:
            done = self.known(step.when) if step.when is not None else None
            if done is False:
                self.steps(step.otherwise)
            else:
                self._step(step)

    def _step(self, step: Step) -> None:
        self.found.formulas += formulas(step)
        for inner in inner_lists(step):
            self.steps(inner)
        match step.verb:
            case Run(phase) | Turns(phase=phase):
                self.phase(phase)
            case Choose(moves, obey) | Play(moves, obey):
                offered = [name for name in moves if self._possible(name)]
                for name in offered:
                    self._move(name)
                for name in obey:
                    self._obligation(name, offered)

    def _possible(self, name: str) -> bool:
        return all(self.known(condition.expr) is not False for condition in self.ruleset.moves[name].conditions)

    def _move(self, name: str) -> None:
        if name not in self.found.moves:
            self.found.moves.add(name)
            move = self.ruleset.moves[name]
            sources = [t.source for t in move.takes] + [expr for _, expr in move.withs]
            self.found.formulas += [*sources, *(c.expr for c in move.conditions), *([move.put] if move.put else [])]
            self.steps(move.then)

    def _obligation(self, name: str, moves: Iterable[str]) -> None:
        found = self.ruleset.obligations[name]
        if found.when is not None and self.known(found.when) is False:
            return
        self.found.obligations.add(name)
        self.found.formulas += of_obligation(found)
        for move in moves:
            judged = self.ruleset.judged.get((name, move), ())
            self.found.formulas += judged if isinstance(judged, tuple) else (judged,)
            self.found.formulas += [self.ruleset.apart[name, move]] if found.each is not None else []
