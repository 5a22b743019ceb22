"""Steps in which somebody decides: where the machine stops, and what each action does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter.compiling.effects import transfer
from interpreter.compiling.moves import Decision
from interpreter.language.model import Move, Step
from interpreter.running.places import STOP, Context, Point

if TYPE_CHECKING:
    from interpreter.compiling.flow import FlowCompiler


def choose(c: FlowCompiler, step: Step, context: Context) -> None:
    if step.fields.get("together") is not None:
        _together(c, step, context)
        return
    assert step.me is not None
    again = step.verb == "play"
    done, head = c.label(), c.label()
    counter = c.register()
    decision = _decision(c, step, head)
    c.m.writer.put(f"C[{counter}] = 0")
    if decision.seen >= 0:
        c.m.writer.put(f"C[{decision.seen}] = UNSEEN")
    c.jump(head)
    c.open(head, step.span, context)
    other = c.label() if step.inner.get("else") else done
    if step.fields["at_most"] is not None:
        c.m.writer.put(f"if C[{counter}] >= {c.m(step.fields['at_most'])}: return L{done}")
    _stop(
        c, decision, c.m.names[step.me], f"L{other} if C[{counter}] == 0 else L{done}" if other != done else f"L{done}"
    )
    _point(c, decision, step, context)
    follow = head if again else done
    _apply(c, decision, step, context, follow, counter)
    if other != done:
        c.open(other, step.span, context)
        c.steps(step.inner["else"], context)
        c.jump(done)
    c.open(done, step.span, context)


def _decision(c: FlowCompiler, step: Step, label: int) -> Decision:
    moves = [c.ruleset.moves[name] for name in step.fields["moves"]]
    obey = [c.ruleset.obligations[name] for name in step.fields["obey"]]
    seen = c.register(frozenset()) if any(o.sort == "never_twice" for o in obey) else -1
    return Decision(label, moves, obey, seen)


def _stop(c: FlowCompiler, decision: Decision, me: str, nothing: str) -> None:
    """List the legal actions; go on if there are none, else stop for whoever acts."""
    w = c.m.writer
    w.put(f"me = {me}")
    c.moves.enumerate(c.m, decision, "me")
    if any(c.moves._is_callable(o) for o in decision.obey):
        w.put("s.faults = (-1,) * len(acts) + tuple([o for _, o in late]); acts = acts + [a for a, _ in late]")
    if any(o.sort == "maximise" for o in decision.obey):
        w.put("if not acts and s.looking: ended()")
    w.put(f"if not acts: return {nothing}")
    w.put(f"s.acts = acts; s.actor = me; s.pc = {decision.label}")
    w.put(f"return {STOP}")


def _point(c: FlowCompiler, decision: Decision, step: Step, context: Context) -> None:
    c.points[decision.label] = Point(
        decision.label,
        context.path,
        tuple(decision.moves),
        tuple(decision.obey),
        step.fields.get("together") is not None,
        decision.seen,
        step.span,
    )


def _apply(c: FlowCompiler, decision: Decision, step: Step, context: Context, follow: int, counter: int) -> None:
    """What each action does, as one function; then the `then` steps of the decision."""
    then = c.label() if step.inner.get("then") else follow
    jobs = []
    c.open(decision.label, step.span, context, "a", "s, a")
    w = c.m.writer
    if _uses(c, "take_back") and step.verb == "play":
        w.put("keep(s)")
    if _uses(c, "fault") and any(o.callable is not None for o in decision.obey):
        w.put(f"C[{c.fault_register}] = fault_of(s, a)")
    w.put(f"C[{counter}] += 1")
    if decision.seen >= 0:
        assert step.me is not None
        c.moves.remember(c.m, decision, c.m.names[step.me])
    for move in decision.moves:
        with w.block(f"if a[0] == {move.number}:"):
            jobs.append(_effect(c, move, step, context, then))
    for job in jobs:
        if job is not None:
            job()
    if step.inner.get("then"):
        c.open(then, step.span, context)
        c.steps(step.inner["then"], context)
        c.jump(follow)


def _uses(c: FlowCompiler, what: str) -> bool:
    return what in c.ruleset.uses


def _effect(c: FlowCompiler, move: Move, step: Step, context: Context, follow: int | None) -> Callable[[], None] | None:
    """One action in place; if somebody is asked inside its `then`, its bindings go to registers and it continues in blocks."""
    assert step.me is not None
    c.m.names[move.me] = c.m.names[step.me]
    c.moves.unpack(c.m, move)
    c.hit("move", move.name)
    path = replace(context, path=(*context.path, move.name))
    touched = transfer(c, c.m, move)
    both = f"{c.m.names[move.origin]}, {c.m.names[move.target]}" if move.origin and move.target else ""
    c.settlers.after(touched, move.me, path, both)
    if all(c.straight(s) for s in move.then):
        c.plain_steps(move.then, path)
        c.m.writer.put(f"return {STOP}" if follow is None else f"return L{follow}")
        return None
    assert follow is not None
    inner = path
    for var in move.bindings:
        register = c.register()
        c.m.writer.put(f"C[{register}] = {c.m.names[var]}")
        inner = inner.bind(var, register)
    inner = inner.bind(move.me, context.registers[step.me])
    begin = c.label()
    c.jump(begin)
    return lambda: _continued(c, move, begin, inner, follow)


def _continued(c: FlowCompiler, move: Move, begin: int, context: Context, follow: int) -> None:
    c.open(begin, move.span, context)
    c.steps(move.then, context)
    c.jump(follow)


def _together(c: FlowCompiler, step: Step, context: Context) -> None:
    """Each of the players decides in turn, unseen; then all actions are carried out in seat order."""
    assert step.me is not None
    players, cursor, chosen, me = c.register(()), c.register(), c.register(()), c.register()
    head, carry, done = c.label(), c.label(), c.label()
    decision = _decision(c, step, head)
    c.m.writer.put(f"C[{players}] = tuple({c.m(step.fields['together'])}); C[{cursor}] = 0; C[{chosen}] = ()")
    c.jump(head)
    inner = c.acting(step.me, me, context)
    c.open(head, step.span, inner)
    w = c.m.writer
    w.put(f"if C[{cursor}] >= len(C[{players}]): return L{carry}")
    w.put(f"C[{me}] = C[{players}][C[{cursor}]]")
    skip = c.label()
    _stop(c, decision, f"C[{me}]", f"L{skip}")
    _point(c, decision, step, inner)
    for label, action in ((skip, "()"), (decision.label, "a")):
        c.open(label, step.span, inner, *(("a", "s, a") if label == decision.label else ()))
        c.m.writer.put(f"C[{chosen}] += ({action},); C[{cursor}] += 1")
        c.jump(head)
    _effects(c, decision, step, inner)
    c.open(carry, step.span, inner)
    with c.m.writer.block(f"for C[{me}], a in sorted(zip(C[{players}], C[{chosen}])):"):
        with c.m.writer.block("if a:"):
            c.m.writer.put(f"r = e{decision.label}(s, a)")
            c.m.writer.put("if r >= 0: return r")
    c.m.writer.put(f"C[{chosen}] = ()")
    c.jump(done)
    c.open(done, step.span, context)


def _effects(c: FlowCompiler, decision: Decision, step: Step, context: Context) -> None:
    c.open(decision.label, step.span, context, "e", "s, a")
    for move in decision.moves:
        with c.m.writer.block(f"if a[0] == {move.number}:"):
            if not all(c.straight(s) for s in move.then):
                c.problems.add("R525", "what players choose together cannot ask them again", move.span)
                return
            _effect(c, move, step, context, None)
