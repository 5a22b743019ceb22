"""Lowers steps without a decision to loops and branches inside a block, and each `whenever` rule to a function that applies it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from hoyle.compiling import code, effects
from hoyle.compiling.blocks import Blocks, Context
from hoyle.compiling.calls import compute_together
from hoyle.compiling.code import (
    FALSE,
    ME,
    TRUE,
    Add,
    Assign,
    Break,
    C,
    Fill,
    For,
    Forever,
    If,
    Item,
    LogRule,
    Name,
    Not,
    Open,
    P,
    Return,
    S,
    Tuple,
    Value,
    call,
    cell,
    compare,
    is_between,
    number,
)
from hoyle.language.ir import Const, Expr, Local, Piles, Var
from hoyle.language.model import Phase, Whenever
from hoyle.language.step_analysis import (
    Touched,
    all_changes,
    filtered_list,
    find_phase,
    list_changes,
    list_left_phases,
    list_reads,
)
from hoyle.language.steps import AsOne, Choose, Deed, Do, Leave, Loop, Play, Repeat, Run, Score, Set, Step, Turns
from hoyle.passes.loops import rows_of
from hoyle.passes.subformulas import substitute

HEAVY_ROWS = 60
"""From this weight on, a shared function computes the points of all rows."""
After = Callable[[Touched, Var | None, Context], None]
"""A callback after a verb that changed something: the changes, the player who did it, and the context."""


class Statements:
    """Writes steps into the open function. `after` is called after each verb. `leave` writes the jump out of a phase."""

    def __init__(self, blocks: Blocks, after: After, leave: Callable[[int], None]) -> None:
        self.blocks, self.after, self._go = blocks, after, leave

    def steps(self, steps: Iterable[Step], context: Context) -> None:
        for step in steps:
            inner = context.inside(step.name)
            self.blocks.put_use("step", " / ".join(inner.path))
            self.step(step, inner)

    def step(self, step: Step, context: Context) -> None:
        """`context` is the one inside the step."""
        blocks = self.blocks
        if self._rows(step, context):
            return
        with self._write_together(step), blocks.nested():
            if step.loop is not None:
                self._loop(step, step.loop)
            if step.by is not None and step.me is not None:
                blocks.emit.names[step.me] = blocks.emit.name(blocks.emit(step.by), "me")
            if step.when is None:
                blocks.count_step(step)
                self._verb(step, context)
            else:
                self._guarded(step, blocks.emit.write_watched(step.when), context)

    @contextmanager
    def _write_together(self, step: Step) -> Iterator[None]:
        """Write a loop of verbs that wake no rules `together`. Values they do not change are computed before the loop."""
        quiet = self.after is nothing_after or not self.blocks.ruleset.whenever
        one = isinstance(step.verb, Deed) and not (isinstance(step.verb, Set) and len(step.verb.pairs) > 1)
        if step.loop is None or step.by is not None or not quiet or not one or step.otherwise:
            yield
            return
        with self.blocks.emit.together():
            yield
            self.blocks.emit.forget(all_changes(self.blocks.ruleset, [step]))

    def _loop(self, step: Step, loop: Loop) -> None:
        """List the items first, unless the steps change nothing that the loop depends on."""
        blocks, ruleset = self.blocks, self.blocks.ruleset
        quiet = self.after is nothing_after or not ruleset.whenever
        changed = all_changes(ruleset, [step]) if quiet else frozenset(ruleset.piles) | frozenset(ruleset.state)
        if loop.where is None or list_reads(*loop.formulas) & changed:
            blocks.each(loop.var, filtered_list(loop), changed)
        else:
            blocks.each(loop.var, loop.items, changed)
            blocks.begin(If(blocks.emit(loop.where), []))

    def _guarded(self, step: Step, condition: Value, context: Context) -> None:
        """Write `when` and `else`."""
        if condition is not FALSE or self.blocks.traced:
            with self.blocks.test(condition):
                self.blocks.count_step(step)
                self._verb(step, context)
        if condition is TRUE or condition is FALSE:
            if condition is FALSE or self.blocks.traced:
                with self.blocks.test(FALSE if condition is TRUE else TRUE):
                    self.steps(step.otherwise, context)
        elif step.otherwise:
            with self.blocks.otherwise():
                self.steps(step.otherwise, context)

    def _rows(self, step: Step, context: Context) -> bool:
        """Write the points of each row of a table if a column holds them. Rows without points are omitted.

        Returns False for other steps.
        """
        verb, loop, fold, parts = step.verb, step.loop, self.blocks.program.fold, self.blocks.program.parts
        if not isinstance(verb, Score) or loop is None or loop.where or step.when or step.by is not None:
            return False
        found = rows_of(loop.items, loop.var, (verb.points,))
        if found is None:
            return False
        self.blocks.count_step(step)
        rows = {row.value: row for row in found}
        points = {row: fold(substitute(verb.points, {loop.var: const})) for row, const in rows.items()}
        points = {row: e for row, e in points.items() if not (isinstance(e, Const) and e.value == 0)}
        apart = self.after is nothing_after and not any(list_reads(e) & {verb.into} for e in points.values())
        with self.blocks.emit.together():
            named = all(v in self.blocks.emit.names for e in points.values() for v in parts.shape(e)[1])
            if apart and named and sum(map(parts.weight, points.values())) > HEAVY_ROWS:
                points = self._share_points(points)
            for row, each in points.items():
                self.blocks.emit.names[loop.var] = number(row)
                of = fold(substitute(verb.of, {loop.var: rows[row]})) if verb.of is not None else None
                self.deed(replace(verb, points=each, of=of), step.me, context)
                self.blocks.emit.forget(frozenset([verb.into]))
        return True

    def _share_points(self, points: dict[int, Expr]) -> dict[int, Expr]:
        """Compute the points in a function that other steps with the same formulas share."""
        emit, program = self.blocks.emit, self.blocks.program
        needed = list(dict.fromkeys(v for e in points.values() for v in program.parts.shape(e)[1]))
        like = tuple(
            (program.parts.shape(e)[0], *map(needed.index, program.parts.shape(e)[1])) for e in points.values()
        )
        name = program.shared.get(like)
        if name is None:
            name = program.shared[like] = f"rows_{len(program.shared)}"
            own = [f"p{n}" for n in range(len(needed))]
            with self.blocks.function(name, ("P", "C", *own), next(iter(points.values())).span):
                self.blocks.emit.names.update(zip(needed, map(Name, own), strict=True))
                with self.blocks.emit.together():
                    compute_together(self.blocks.emit, points.values())
                    self.blocks.put(Return(Tuple(tuple([self.blocks.emit(e) for e in points.values()]))))
        found = emit.give(call(name, P, C, *(emit.names[v] for v in needed)), "points")
        worth = {row: Var("points", e.type) for row, e in points.items()}
        emit.names.update({var: Item(found, number(n)) for n, var in enumerate(worth.values())})
        return {row: Local(var.type, points[row].span, var) for row, var in worth.items()}

    def _verb(self, step: Step, context: Context) -> None:
        verb = step.verb
        match verb:
            case Do(steps):
                self.steps(steps, context)
            case AsOne(steps):
                self.as_one(steps, step.me, context)
            case Repeat():
                self._repeat(verb, context)
            case Run():
                self._phase(find_phase(self.blocks.ruleset, step, verb), step.me, context)
            case Leave():
                self.leave(verb, context)
            case Choose() | Play() | Turns():
                raise AssertionError("somebody decides in this step")
            case _:
                self.deed(verb, step.me, context)

    def deed(self, deed: Deed, me: Var | None, context: Context) -> None:
        effects.write(self.blocks, deed, me)
        before = len(self.blocks.emit.writer.open)
        self.after(list_changes(self.blocks.ruleset, deed), me, context)
        if len(self.blocks.emit.writer.open) > before:
            self.blocks.emit.forget_all()

    def as_one(self, steps: Iterable[Step], me: Var | None, context: Context) -> None:
        """Write steps as one event. Rules are tried after all of them, and before the event is left."""
        touched = all_changes(self.blocks.ruleset, steps)

        def leave(target: int) -> None:
            self.after(touched, me, context)
            self._go(target)

        Statements(self.blocks, nothing_after, leave).steps(steps, context)
        self.after(touched, me, context)

    def _repeat(self, verb: Repeat, context: Context) -> None:
        blocks, done = self.blocks, self.blocks.fresh("round")
        blocks.assign(done, number(0))
        with blocks.block(Forever([])):
            blocks.put_bounds(verb, done, Break, context)
            self.steps(verb.steps, context)
            if verb.until is not None:
                blocks.exit_if(blocks.emit.write_watched(verb.until), Break())
            blocks.put(Add(done, number(1)))

    def _phase(self, phase: Phase, me: Var | None, context: Context) -> None:
        reset_state(self.blocks, phase.name)
        if phase.me is not None:
            names = self.blocks.emit.names
            names[phase.me] = names[me] if me is not None and me in names else number(-1)
        self.steps(phase.steps, context.inside(phase.name))

    def leave(self, verb: Leave, context: Context) -> None:
        self.blocks.leave(context.leaves[verb.phase], context)
        self._go(context.leaves[verb.phase])


def nothing_after(touched: Touched, me: Var | None, context: Context) -> None:
    """Do nothing after a verb that is part of a larger event."""


def reset_state(blocks: Blocks, phase: str) -> None:
    """Reset the state that is renewed when this phase begins."""
    for family in blocks.ruleset.state.values():
        if phase in family.renewed:
            start = number(family.starts)
            once = Assign(cell(family.base), start)
            blocks.put(Fill(family.base, family.size, start) if family.size > 1 else once)


MOST_ROUNDS = 1000
_FIRED = Name("fired")


class Settler(Struct, frozen=True):
    """A function that tries rules: first the `woken` ones, then all of the `closure` until none applies.

    It returns 0, or the position (from 1) of the phase it `leaves`.
    """

    name: str
    woken: list[Whenever]
    closure: list[Whenever]
    leaves: tuple[str, ...]
    known: bool
    """True if the caller passes the piles that have changed."""


class Settlers:
    """The settlers of one game: one for each set of rules that a verb may wake."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self._settlers: dict[tuple[tuple[int, ...], tuple[int, ...], bool, bool], Settler] = {}
        self._statements = Statements(
            blocks, after=nothing_after, leave=lambda place: blocks.put(Return(number(place)))
        )
        """Calls nothing after a verb, since the settler's own loop tries rules again. The caller leaves the phase."""

    # ---- calling -----------------------------------------------------------------------------------------------------

    def after(self, touched: Touched, me: Var | None, context: Context, piles: Value | None = None) -> None:
        """Call the settler for rules that a verb's changes may wake. `piles` are the only piles that changed, if known."""
        blocks = self.blocks
        actor = blocks.emit.names.get(me) if me is not None else None
        woken = [w for w in self._awake(context, actor is not None) if _wakes(w, touched)]
        if not woken:
            return
        settler = self._settler(
            woken, self._closure(woken, context, actor is not None), actor is not None, piles is not None
        )
        settled = call(settler.name, S, actor or -1, *([piles] if piles is not None else []))
        if settler.leaves:
            self._leave(settler, settled, context)
        else:
            blocks.put(code.Do(settled))

    def _leave(self, settler: Settler, settled: Value, context: Context) -> None:
        left = self.blocks.fresh("left")
        self.blocks.assign(left, settled)
        for place, phase in enumerate(settler.leaves, 1):
            with self.blocks.block(If(compare(left, "==", place), [])):
                self.blocks.leave(context.leaves[phase], context)
                self.blocks.jump(context.leaves[phase])

    # ---- selecting rules ---------------------------------------------------------------------------------------------

    def _awake(self, context: Context, acting: bool) -> list[Whenever]:
        here = set(context.path)
        entries = list(self.blocks.ruleset.whenever.values())
        return [w for w in entries if (w.during is None or here & set(w.during)) and (acting or not w.uses_me)]

    def _closure(self, woken: list[Whenever], context: Context, acting: bool) -> list[Whenever]:
        """Return the woken rules, and those that these may wake."""
        found, waiting = {w.number: w for w in woken}, list(woken)
        asleep = [w for w in self._awake(context, acting) if w.number not in found]
        while waiting:
            touched = all_changes(self.blocks.ruleset, waiting.pop().do)
            waiting += (new := [w for w in asleep if _wakes(w, touched)])
            asleep = [w for w in asleep if w not in new] if new else asleep
            found.update({w.number: w for w in new})
        return [found[number] for number in sorted(found)]

    # ---- writing -----------------------------------------------------------------------------------------------------

    def _settler(self, woken: list[Whenever], closure: list[Whenever], acting: bool, known: bool) -> Settler:
        key = (tuple(w.number for w in woken), tuple(w.number for w in closure), acting, known)
        if key not in self._settlers:
            left = frozenset[str]().union(*(list_left_phases(self.blocks.ruleset, w.do) for w in closure))
            settler = Settler(f"settle_{len(self._settlers)}", woken, closure, tuple(sorted(left)), known)
            self._settlers[key] = settler
            self._define(settler)
        return self._settlers[key]

    def _define(self, settler: Settler) -> None:
        blocks, span = self.blocks, settler.woken[0].span
        with blocks.function(settler.name, ("s", "me", "piles") if settler.known else ("s", "me"), span, "settler"):
            blocks.put(Open(), Assign(_FIRED, FALSE))
            context = Context(leaves={phase: place for place, phase in enumerate(settler.leaves, 1)})
            for entry in settler.woken:
                self._try(entry, context, settler.known)
            blocks.put_if(Not(_FIRED), Return(number(0)))
            with blocks.block(For(Name("again"), call("range", MOST_ROUNDS), [])):
                blocks.assign(_FIRED, FALSE)
                for entry in settler.closure:
                    self._try(entry, context)
                blocks.put_if(Not(_FIRED), Return(number(0)))
            blocks.put(code.Do(call("restless", blocks.fault(span))))

    def _try(self, entry: Whenever, context: Context, known: bool = False) -> None:
        blocks = self.blocks
        blocks.emit.names[entry.me] = ME
        with blocks.nested():
            if entry.loop is not None:
                self._loop(entry, known)
            with blocks.test(blocks.emit.write_watched(entry.condition)):
                blocks.assign(_FIRED, TRUE)
                blocks.put_use("whenever", entry.name)
                blocks.put(LogRule(entry.number, ME))
                self._statements.steps(entry.do, context)

    def _loop(self, entry: Whenever, known: bool) -> None:
        """Try only the piles that changed, if the rule reads nothing but the piles it iterates."""
        assert entry.loop is not None
        var, items, blocks = entry.loop.var, filtered_list(entry.loop), self.blocks
        family = items if isinstance(items, Piles) and items.member is None else None
        if not known or family is None or entry.during is not None or list_reads(entry.condition):
            blocks.each(var, items)
            return
        blocks.begin_each_of(var, Name("piles"))
        blocks.begin(If(is_between(family.ref.base, blocks.emit.names[var], family.ref.all.stop), []))


def _wakes(entry: Whenever, touched: Touched) -> bool:
    return bool(list_reads(entry.condition, *(entry.loop.formulas if entry.loop is not None else ())) & touched)
