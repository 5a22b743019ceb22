"""What formulas read and what steps change, by name: `("state", name)`, `("piles", name)`, or `ANY` where it cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.language.ir import Expr, Instance, Var
from interpreter.language.kinds import Kind
from interpreter.language.model import Label, Move, Ruleset, Step

Key = tuple[str, str]
ANY: Key = ("*", "*")


@dataclass(slots=True)
class Effect:
    """What is changed, which of it is filled with pieces, and which phases are left."""

    changes: set[Key] = field(default_factory=set)
    fills: set[Key] = field(default_factory=set)
    leaves: set[str] = field(default_factory=set)

    def add(self, other: Effect) -> None:
        self.changes |= other.changes
        self.fills |= other.fills
        self.leaves |= other.leaves

    def fill(self, keys: Iterable[Key]) -> None:
        found = set(keys)
        self.fills |= found
        self.changes |= found


class Reader:
    """Answers for one ruleset; what terms, moves and phases do is found once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._terms: dict[int, frozenset[Key]] = {}
        self._moves: dict[str, Effect] = {}
        self._phases: dict[tuple[str, bool], Effect] = {}

    # ---- formulas ----------------------------------------------------------------------------------------------------

    def reads(self, *found: Expr | None) -> set[Key]:
        """Everything of the game that these formulas look at."""
        return {key for expr in found if expr is not None for part in expr.walk() for key in self._part(part)}

    def _part(self, part: Expr) -> Iterable[Key]:
        if part.op == "cell":
            return [("state", part.value.family)]
        if part.op == "term":
            return self._instance(part.value)
        if part.op == "column":
            return [key for instance in part.value for key in self._instance(instance)]
        if part.op == "fault":
            return [ANY]
        if part.op in ("pile", "piles", "local"):
            return piles_of(part.kind)
        return ()

    def _instance(self, instance: Instance) -> frozenset[Key]:
        if id(instance) not in self._terms:
            self._terms[id(instance)] = frozenset(self.reads(instance.body))
        return self._terms[id(instance)]

    # ---- moves and steps ---------------------------------------------------------------------------------------------

    def asks(self, move: Move) -> set[Key]:
        """What decides whether a move is possible."""
        bindings = [expr for _, expr in move.withs]
        return self.reads(*(t.source for t in move.takes), *bindings, move.put, *(c.expr for c in move.conditions))

    def move(self, name: str) -> Effect:
        if name not in self._moves:
            self._moves[name] = found = Effect()
            move = self.ruleset.moves[name]
            if move.takes and move.put is not None:
                found.changes |= {key for t in move.takes for key in piles_of(t.source.kind)}
                found.fill(piles_of(move.put.kind))
            found.add(self.steps(move.then))
        return self._moves[name]

    def phase(self, name: str, acting: bool) -> Effect:
        if (name, acting) not in self._phases:
            self._phases[name, acting] = found = Effect()
            found.changes |= {("state", s.name) for s in self.ruleset.state.values() if s.renewed == name}
            phase = self.ruleset.phases.get((name, acting))
            found.add(self.steps(phase.steps if phase else []))
        return self._phases[name, acting]

    def steps(self, steps: Iterable[Step]) -> Effect:
        found = Effect()
        for step in steps:
            own = _EFFECTS.get(step.verb)
            if own is not None:
                own(self, step, found)
            for inner in step.inner.values():
                found.add(self.steps(inner))
        return found

    def by_themselves(self) -> Effect:
        """What rules that act by themselves may do."""
        found = Effect()
        for entry in self.ruleset.whenever.values():
            found.add(self.steps(entry.do))
        return found


def piles_of(kind: Kind) -> set[Key]:
    """The families that a pile, a piece or a list of them may belong to."""
    while kind.item is not None:
        kind = kind.item
    if kind.name not in ("pile", "piece"):
        return set()
    return {("piles", name) for name in kind.families} or ({ANY} if kind.name == "pile" else set())


def formulas(step: Step) -> Iterator[Expr]:
    """The formulas a step computes, not what it stores into; without those of the steps inside it."""
    loop = step.loop[1:] if step.loop else ()
    for found in (*loop, step.by, step.when, *(v for k, v in step.fields.items() if k not in ("set", "into"))):
        yield from _formulas(found)
    for target, value in step.fields.get("set", ()):
        yield from (*target.args, value)
    into = step.fields.get("into")
    yield from into.args if into is not None else ()


def _formulas(found: Any) -> Iterator[Expr]:
    if isinstance(found, Expr):
        yield found
    elif isinstance(found, Label) and found.row is not None:
        yield found.row


def every_step(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        for inner in step.inner.values():
            yield from every_step(inner)


def roots(ruleset: Ruleset) -> Iterator[list[Step]]:
    """Every list of steps that is in no other."""
    yield from (phase.steps for phase in ruleset.phases.values())
    yield from (move.then for move in ruleset.moves.values())
    yield from (entry.do for entry in ruleset.whenever.values())


def all_formulas(ruleset: Ruleset) -> Iterator[Expr]:
    """Every formula of a checked ruleset; terms and columns are met where they are called."""
    for steps in roots(ruleset):
        for step in every_step(steps):
            yield from formulas(step)
    for move in ruleset.moves.values():
        yield from (t.source for t in move.takes)
        yield from (expr for _, expr in move.withs)
        yield from (c.expr for c in move.conditions)
        yield from [move.put] if move.put is not None else []
    yield from _of_obligations(ruleset)
    for entry in ruleset.whenever.values():
        yield entry.condition
        yield from (e for e in (entry.loop or ())[1:] if isinstance(e, Expr))
    result = ruleset.result
    yield from (e for e in (*result.best, result.score, result.stake, result.margin) if e is not None)


def _of_obligations(ruleset: Ruleset) -> Iterator[Expr]:
    for found in ruleset.judged.values():
        yield from found if isinstance(found, tuple) else (found,)
    for o in ruleset.obligations.values():
        yield from (e for e in (o.when, o.callable, o.piles, *o.most) if e is not None)


def mentions(expr: Expr, var: Var) -> bool:
    return any(e.op == "local" and e.value is var for e in expr.walk())


# ---- what each verb does ---------------------------------------------------------------------------------------------


def _pile(reader: Reader, step: Step, found: Effect) -> None:
    pile = step.fields.get("pile")
    found.changes |= piles_of(pile.kind) if pile is not None else set()


def _carry(reader: Reader, step: Step, found: Effect) -> None:
    for key in ("pile", "pieces", "from"):
        source = step.fields.get(key)
        found.changes |= piles_of(source.kind) if source is not None else set()
    to = step.fields.get("to")
    if isinstance(to, str):
        found.fill([("piles", to)])
    elif to is not None:
        found.fill(piles_of(to.kind))


def _gather(reader: Reader, step: Step, found: Effect) -> None:
    kind = step.fields["kind"]
    found.changes |= {("piles", f.name) for f in reader.ruleset.piles.values() if f.holds == kind}
    if kind in reader.ruleset.pieces:
        found.fill([("piles", reader.ruleset.pieces[kind].home)])


def _lots(reader: Reader, step: Step, found: Effect) -> None:
    into = step.fields.get("into")
    found.changes |= {("state", into.value.family)} if into is not None else set()


def _set(reader: Reader, step: Step, found: Effect) -> None:
    found.changes |= {("state", target.value.family) for target, _ in step.fields["set"]}


def _score(reader: Reader, step: Step, found: Effect) -> None:
    found.changes |= {("state", step.fields["in"])} if "in" in step.fields else set()


def _offer(reader: Reader, step: Step, found: Effect) -> None:
    for name in step.fields["moves"]:
        found.add(reader.move(name))


def _phase(reader: Reader, step: Step, found: Effect) -> None:
    found.add(reader.phase(step.fields["phase"], step.verb == "turns" or step.me is not None))


def _leave(reader: Reader, step: Step, found: Effect) -> None:
    found.leaves.add(step.fields["phase"])


def _take_back(reader: Reader, step: Step, found: Effect) -> None:
    found.fill([ANY])


_EFFECTS: dict[str, Callable[[Reader, Step, Effect], None]] = {
    "shuffle": _pile,
    "turn": _pile,
    "roll": _carry,
    "deal": _carry,
    "move": _carry,
    "gather": _gather,
    "lots": _lots,
    "set": _set,
    "score": _score,
    "choose": _offer,
    "play": _offer,
    "turns": _phase,
    "run": _phase,
    "leave": _leave,
    "take_back": _take_back,
}
