"""The flow as it is when every phase stands where it is run, as the compiler will write it: is it too large, is a phase left where it is
not running, is somebody asked where nobody can be?"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.world import World
from hoyle.diagnostics import Span, verbatim
from hoyle.language.ir import Expr
from hoyle.language.model import Move, Phase, Ruleset, Whenever
from hoyle.language.sentences import in_figures, said
from hoyle.language.step_analysis import Touched, all_changes, are_plain, changes, families, is_inline, leaves, reads
from hoyle.language.steps import (
    AsOne,
    Choose,
    Deed,
    Leave,
    Play,
    Repeat,
    Run,
    Step,
    Turns,
    every_step,
    formulas,
    inner_lists,
)

MOST_PARTS, STEP = 25_000, 10
"""How many parts of formulas a game may have when its phases are unfolded; a step, and a move that is offered, count as so many."""
MOST_LOOPS = 8
"""How many `for` and `repeat` may stand in each other."""


class Around(Struct, frozen=True):
    """What stands around a step: the names of phases, steps and moves, the phases that are running, how many loops, and whether some
    step is so plain that no position can stand inside it."""

    path: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    loops: int = 0
    inside_plain: bool = False

    def inside(self, name: str) -> Around:
        return replace(self, path=(*self.path, name))

    def inside_phase(self, name: str) -> Around:
        return replace(self, path=(*self.path, name), running=(*self.running, name))

    def inside_step(self, step: Step) -> Around:
        loops = (step.loop is not None) + isinstance(step.verb, Repeat)
        return replace(self, path=(*self.path, step.name), loops=self.loops + loops)


class Unfolded:
    """Checks one ruleset whose formulas are without fault."""

    def __init__(self, found: Ruleset, world: World) -> None:
        self.found, self.world = found, world
        self._sizes: dict[int, int] = {}
        self._open: list[Phase | Move] = []
        self.places: dict[tuple[str, ...], None] = {}
        """Where a position may stand."""
        self._written = 0
        """The parts of the rules that act by themselves, as often as they are written."""
        self._looks = {w.number: reads(w.condition, *_listed(w)) for w in found.whenever.values()}
        self._during = frozenset(name for w in found.whenever.values() for name in w.during or ())
        self._wakened: dict[tuple[Touched, bool, frozenset[str]], list[Whenever]] = {}

    def check(self) -> bool:
        """Whether the flow can be followed at all: it is not too large and does not run in a circle."""
        entries, game = self.found.whenever.values(), self.found.phases["game", False]
        size = self._size_of(game) + sum(self._size(entry.do) for entry in entries)
        if size > MOST_PARTS or any(d.code == "R521" for d in self.world.problems.errors):
            return False
        for entry in entries:
            self._by_itself(entry)
        self._phase(game, Around())
        self.found.places = tuple(self.places)
        return True

    # ---- how large ---------------------------------------------------------------------------------------------------

    def _size_of(self, part: Phase | Move) -> int:
        """How many parts a phase or the `then` of a move has with all that it runs; told once if there are too many."""
        if id(part) not in self._sizes:
            if any(part.name == other.name and type(part) is type(other) for other in self._open):
                self._circle(part)
                return 0
            self._open.append(part)
            found = self._size(part.steps if isinstance(part, Phase) else part.then)
            self._open.pop()
            self._sizes[id(part)] = found
            if found > MOST_PARTS and not any(d.code == "R524" for d in self.world.problems):
                self._too_large(part.name, found, part.span)
        return self._sizes[id(part)]

    def _size(self, steps: Iterable[Step]) -> int:
        return sum(STEP + self._parts(*formulas(step)) + self._inside(step) for step in every_step(steps))

    def _inside(self, step: Step) -> int:
        """The parts of what a step runs or offers."""
        match step.verb:
            case Run(name):
                return self._size_of(self.found.phases[name, step.me is not None])
            case Turns(name):
                return self._size_of(self.found.phases[name, True])
            case Choose(moves, obey) | Play(moves, obey):
                judged = [self.found.judged.get((o, m), ()) for o in obey for m in moves]
                judged += [self.found.apart[o, m] for o in obey for m in moves if (o, m) in self.found.apart]
                weighed = sum(self._parts(*(j if isinstance(j, tuple) else (j,))) for j in judged)
                return weighed + sum(self._offered(self.found.moves[name]) for name in moves)
            case _:
                return 0

    def _offered(self, move: Move) -> int:
        own = (*(t.source for t in move.takes), *(e for _, e in move.withs), *(c.expr for c in move.conditions))
        return STEP + self._parts(*own, *([move.put] if move.put is not None else [])) + self._size_of(move)

    def _parts(self, *found: Expr) -> int:
        return sum(1 + self._parts(*expr.args) for expr in found)

    def _too_large(self, name: str, size: int, span: Span) -> None:
        shown = in_figures(size) if size < 10**12 else said("huge")
        self.world.problems.add(
            "R524",
            said("unfolded.too_large", name=name, shown=shown),
            span,
            notes=[said("unfolded.may_have", most=in_figures(MOST_PARTS))],
            help=said("unfolded.run_once"),
        )

    def _circle(self, part: Phase | Move) -> None:
        names = [other.name for other in self._open]
        names = names[names.index(part.name) :]
        message = said("runs_itself" if isinstance(part, Phase) else "move_runs_itself", name=part.name)
        way = verbatim(" → ".join([*names, part.name]))
        self.world.problems.add("R521", message, part.span, notes=[way])

    # ---- what stands where -------------------------------------------------------------------------------------------

    def _steps(self, steps: Iterable[Step], around: Around) -> None:
        for step in steps:
            inner = around.inside_step(step)
            if inner.loops > MOST_LOOPS:
                self.world.problems.add("R524", said("unfolded.loops", most=MOST_LOOPS), step.span)
                return
            self._stand(inner)
            inner = replace(inner, inside_plain=inner.inside_plain or is_inline(self.found, step))
            self._step(step, inner)
            if isinstance(step.verb, AsOne):
                self._steps(step.otherwise, inner)
                continue
            for listed in inner_lists(step):
                self._steps(listed, inner)

    def _phase(self, phase: Phase, around: Around) -> None:
        inner = around.inside_phase(phase.name)
        if phase.steps:
            self._stand(inner)
        self._steps(phase.steps, inner)

    def _stand(self, around: Around) -> None:
        if not around.inside_plain:
            self.places[around.path] = None

    def _step(self, step: Step, around: Around) -> None:
        match step.verb:
            case Leave(phase):
                self._leave(phase, step.verb.span, around)
            case AsOne(steps):
                self._as_one(step, steps, around)
            case Run(name):
                self._phase(self.found.phases[name, step.me is not None], around)
            case Turns(name):
                self._phase(self.found.phases[name, True], around)
            case Choose(moves) | Play(moves):
                for move in moves:
                    self._move(self.found.moves[move], step, around.inside(move))
            case verb if isinstance(verb, Deed):
                self._after(changes(self.found, verb), step, around)

    def _leave(self, phase: str, span: Span, around: Around) -> None:
        if phase not in around.running and phase in self.world.phases:
            self.world.problems.add(
                "R520",
                said("unfolded.not_running", phase=phase),
                span,
                notes=[said("unfolded.running", phases=", ".join(f"`{name}`" for name in around.running))],
            )

    def _as_one(self, step: Step, steps: tuple[Step, ...], around: Around) -> None:
        if not are_plain(self.found, steps):
            self.world.problems.add("R522", said("unfolded.asked_in_event", name=step.name), step.span)
            return
        for phase in sorted(leaves(self.found, steps)):
            self._leave(phase, step.span, around)
        self._after(all_changes(self.found, steps), step, around)

    def _move(self, move: Move, step: Step, around: Around) -> None:
        if isinstance(step.verb, Choose) and step.verb.together is not None and not are_plain(self.found, move.then):
            self.world.problems.add("R525", said("unfolded.asked_together"), move.span)
            return
        if move.card is not None and move.target is not None and move.origin is not None:
            touched = families(self.found, move.origin) | families(self.found, move.target)
            self._after(touched, step, around)
        plain = around.inside_plain or are_plain(self.found, move.then)
        self._steps(move.then, replace(around, inside_plain=plain))

    # ---- rules that act by themselves --------------------------------------------------------------------------------

    def _by_itself(self, entry: Whenever) -> None:
        if not are_plain(self.found, entry.do):
            self.world.problems.add("R522", said("unfolded.asked_by_itself", name=entry.name), entry.span)

    def _after(self, touched: Touched, step: Step, around: Around) -> None:
        """May a rule that these changes wake leave a phase that is not running here?"""
        for entry in self._woken(touched, step.me is not None, self._during & frozenset(around.path)):
            for phase in leaves(self.found, entry.do) - set(around.running):
                self.world.problems.add("R520", said("unfolded.may_not_run", phase=phase), entry.span)

    def _woken(self, touched: Touched, acting: bool, names: frozenset[str]) -> list[Whenever]:
        """The rules that look at what has changed, and those that their own doing may wake."""
        key = (touched, acting, names)
        if key not in self._wakened:
            entries = self.found.whenever.values()
            awake = [w for w in entries if (w.during is None or names & set(w.during)) and (acting or not w.uses_me)]
            found, done = list[Whenever](), touched
            while woken := [w for w in awake if self._looks[w.number] & done]:
                found += woken
                awake = [w for w in awake if not self._looks[w.number] & done]
                done = frozenset[str]().union(*(all_changes(self.found, w.do) for w in woken))
            self._wakened[key] = found
            self._written += sum(2 * STEP + 2 * self._parts(w.condition) + 2 * self._size(w.do) for w in found)
            if self._written > MOST_PARTS and not any(d.code == "R524" for d in self.world.problems):
                self._too_large(found[0].name, self._written, found[0].span)
        return self._wakened[key]


def _listed(entry: Whenever) -> tuple[Expr, ...]:
    return entry.loop.formulas if entry.loop is not None else ()
