"""Checks the flow with every phase inlined where it runs, as the compiler writes it.

Refuses a flow that is too large, that leaves a phase which is not running, or that asks somebody where nobody can be asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.diagnostics import Span, verbatim
from hoyle.language.ir import Expr
from hoyle.language.model import Move, Phase, Ruleset, Whenever
from hoyle.language.sentences import localize_integer, make_message
from hoyle.language.step_analysis import (
    Touched,
    all_changes,
    are_plain,
    families,
    is_inline,
    list_changes,
    list_left_phases,
    list_reads,
)
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
"""Greatest number of parts of formulas in an inlined game. A step, and a move that is offered, count as `STEP` parts."""
MOST_LOOPS = 8
"""Greatest depth of `for` and `repeat` inside each other."""


class Context(Struct, frozen=True):
    """The surroundings of a step.

    path          the names of phases, steps and moves around it
    running       the phases that are running
    loops         the number of loops around it
    inside_plain  true if a step around it asks nobody, so that no position can stand inside
    """

    path: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    loops: int = 0
    inside_plain: bool = False


def find_places(ruleset: Ruleset, symbols: SymbolTable) -> tuple[tuple[str, ...], ...] | None:
    """Check the inlined flow of a ruleset without errors. Return the paths where a position may stand.

    None if the flow cannot be inlined because it is too large or runs in a circle, which is reported.
    """
    return _InlinedFlow(ruleset, symbols).check()


class _InlinedFlow:
    def __init__(self, ruleset: Ruleset, symbols: SymbolTable) -> None:
        self.ruleset, self.symbols = ruleset, symbols
        self._sizes: dict[int, int] = {}
        self._open: list[Phase | Move] = []
        self._places: dict[tuple[str, ...], None] = {}
        self._whenever_size = 0
        """Number of parts of the rules that act by themselves, as often as they are inlined."""
        self._reads = {
            w.number: list_reads(w.condition, *(w.loop.formulas if w.loop else ())) for w in ruleset.whenever.values()
        }
        self._during = frozenset(name for w in ruleset.whenever.values() for name in w.during or ())
        self._woken: dict[tuple[Touched, bool, frozenset[str]], list[Whenever]] = {}

    def check(self) -> tuple[tuple[str, ...], ...] | None:
        entries, game = self.ruleset.whenever.values(), self.ruleset.phases["game", False]
        size = self._size_of(game) + sum(self._count_steps(entry.do) for entry in entries)
        if size > MOST_PARTS or any(d.code == "R521" for d in self.symbols.problems.errors):
            return None
        for entry in entries:
            if not are_plain(self.ruleset, entry.do):
                self.symbols.report("R522", "unfolded.asked_by_itself", entry.span, name=entry.name)
        self._follow_phase(game, Context())
        return tuple(self._places)

    # ---- size --------------------------------------------------------------------------------------------------------

    def _size_of(self, part: Phase | Move) -> int:
        """Count the parts of a phase, or of the `then` of a move, with all that it runs. Too many are reported once."""
        if id(part) not in self._sizes:
            if any(part.name == other.name and type(part) is type(other) for other in self._open):
                self._report_circle(part)
                return 0
            self._open.append(part)
            size = self._count_steps(part.steps if isinstance(part, Phase) else part.then)
            self._open.pop()
            self._sizes[id(part)] = size
            self._check_size(part.name, size, part.span)
        return self._sizes[id(part)]

    def _count_steps(self, steps: Iterable[Step]) -> int:
        return sum(STEP + _count_parts(*formulas(step)) + self._count_inside(step) for step in every_step(steps))

    def _count_inside(self, step: Step) -> int:
        """Count the parts of what a step runs or offers."""
        match step.verb:
            case Run(name):
                return self._size_of(self.ruleset.phases[name, step.me is not None])
            case Turns(name):
                return self._size_of(self.ruleset.phases[name, True])
            case Choose(moves, obey) | Play(moves, obey):
                size, pairs = 0, [(o, m) for o in obey for m in moves]
                for pair in pairs:
                    judged = self.ruleset.judged.get(pair, ())
                    size += _count_parts(*(judged if isinstance(judged, tuple) else (judged,)))
                    size += _count_parts(self.ruleset.apart[pair]) if pair in self.ruleset.apart else 0
                for move in (self.ruleset.moves[name] for name in moves):
                    own = [
                        *(t.source for t in move.takes),
                        *(e for _, e in move.withs),
                        *(c.expr for c in move.conditions),
                    ]
                    own += [move.put] if move.put is not None else []
                    size += STEP + _count_parts(*own) + self._size_of(move)
                return size
            case _:
                return 0

    def _check_size(self, name: str, size: int, span: Span) -> None:
        if size > MOST_PARTS and not any(d.code == "R524" for d in self.symbols.problems):
            shown, note = localize_integer(size) if size < 10**12 else make_message("huge"), "unfolded.may_have"
            most, help = localize_integer(MOST_PARTS), "unfolded.run_once"
            self.symbols.report(
                "R524", "unfolded.too_large", span, name=name, shown=shown, most=most, note=note, help=help
            )

    def _report_circle(self, part: Phase | Move) -> None:
        names = [other.name for other in self._open]
        circle = verbatim(" → ".join([*names[names.index(part.name) :], part.name]))
        key = "runs_itself" if isinstance(part, Phase) else "move_runs_itself"
        self.symbols.report("R521", key, part.span, name=part.name, note=circle)

    # ---- following the flow ------------------------------------------------------------------------------------------

    def _follow_phase(self, phase: Phase, context: Context) -> None:
        inner = replace(context, path=(*context.path, phase.name), running=(*context.running, phase.name))
        if phase.steps:
            self._add_place(inner)
        self._follow_steps(phase.steps, inner)

    def _add_place(self, context: Context) -> None:
        if not context.inside_plain:
            self._places[context.path] = None

    def _follow_steps(self, steps: Iterable[Step], context: Context) -> None:
        for step in steps:
            loops = context.loops + (step.loop is not None) + isinstance(step.verb, Repeat)
            inner = replace(context, path=(*context.path, step.name), loops=loops)
            if loops > MOST_LOOPS:
                self.symbols.report("R524", "unfolded.loops", step.span, most=MOST_LOOPS)
                return
            self._add_place(inner)
            inner = replace(inner, inside_plain=inner.inside_plain or is_inline(self.ruleset, step))
            self._follow_verb(step, inner)
            for listed in [step.otherwise] if isinstance(step.verb, AsOne) else inner_lists(step):
                self._follow_steps(listed, inner)

    def _follow_verb(self, step: Step, context: Context) -> None:
        ruleset = self.ruleset
        match step.verb:
            case Leave(phase):
                self._check_leave(phase, step.verb.span, context)
            case AsOne(steps) if not are_plain(ruleset, steps):
                self.symbols.report("R522", "unfolded.asked_in_event", step.span, name=step.name)
            case AsOne(steps):
                for phase in sorted(list_left_phases(ruleset, steps)):
                    self._check_leave(phase, step.span, context)
                self._check_woken(all_changes(ruleset, steps), step, context)
            case Run(name):
                self._follow_phase(ruleset.phases[name, step.me is not None], context)
            case Turns(name):
                self._follow_phase(ruleset.phases[name, True], context)
            case Choose(moves) | Play(moves):
                for name in moves:
                    self._follow_move(ruleset.moves[name], step, replace(context, path=(*context.path, name)))
            case verb if isinstance(verb, Deed):
                self._check_woken(list_changes(ruleset, verb), step, context)

    def _check_leave(self, phase: str, span: Span, context: Context) -> None:
        if phase not in context.running and phase in self.symbols.phases:
            phases = ", ".join(f"`{name}`" for name in context.running)
            self.symbols.report(
                "R520", "unfolded.not_running", span, phase=phase, phases=phases, note="unfolded.running"
            )

    def _follow_move(self, move: Move, step: Step, context: Context) -> None:
        is_plain = are_plain(self.ruleset, move.then)
        if isinstance(step.verb, Choose) and step.verb.together is not None and not is_plain:
            self.symbols.report("R525", "unfolded.asked_together", move.span)
            return
        if move.card is not None and move.target is not None and move.origin is not None:
            touched = families(self.ruleset, move.origin) | families(self.ruleset, move.target)
            self._check_woken(touched, step, context)
        self._follow_steps(move.then, replace(context, inside_plain=context.inside_plain or is_plain))

    # ---- rules that act by themselves --------------------------------------------------------------------------------

    def _check_woken(self, touched: Touched, step: Step, context: Context) -> None:
        """Report rules woken by a change that may leave a phase which is not running here."""
        for entry in self._find_woken(touched, step.me is not None, self._during & frozenset(context.path)):
            for phase in list_left_phases(self.ruleset, entry.do) - set(context.running):
                self.symbols.report("R520", "unfolded.may_not_run", entry.span, phase=phase)

    def _find_woken(self, touched: Touched, acting: bool, names: frozenset[str]) -> list[Whenever]:
        """Find the rules that read what has changed, and those that their own steps may wake."""
        key = (touched, acting, names)
        if key not in self._woken:
            entries = self.ruleset.whenever.values()
            awake = [w for w in entries if (w.during is None or names & set(w.during)) and (acting or not w.uses_me)]
            woken, done = list[Whenever](), touched
            while new := [w for w in awake if self._reads[w.number] & done]:
                woken += new
                awake = [w for w in awake if not self._reads[w.number] & done]
                done = frozenset[str]().union(*(all_changes(self.ruleset, w.do) for w in new))
            self._woken[key] = woken
            parts = sum(STEP + _count_parts(w.condition) + self._count_steps(w.do) for w in woken)
            self._whenever_size += 2 * parts
            if woken:
                self._check_size(woken[0].name, self._whenever_size, woken[0].span)
        return self._woken[key]


def _count_parts(*exprs: Expr) -> int:
    return sum(1 + _count_parts(*expr.args) for expr in exprs)
