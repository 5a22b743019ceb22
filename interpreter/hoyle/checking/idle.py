"""What is certain whatever is played: conditions that are always true or never, values that are never needed, steps that never do
anything. Only of the file itself, and only what no option could change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from hoyle.checking.adjustable import Adjustable
from hoyle.checking.reads import all_formulas, roots
from hoyle.checking.world import World
from hoyle.diagnostics import UNSAID, Said, Span
from hoyle.language import ir
from hoyle.language.evaluate import instances
from hoyle.language.ir import Expr, Var
from hoyle.language.kinds import Kind, bounds, lengths
from hoyle.language.model import Ruleset
from hoyle.language.sentences import said
from hoyle.language.steps import Deal, MovePieces, MovePile, Play, Repeat, Roll, Step, Turns, every_step
from hoyle.reading.tree import Node


class Later(Struct, frozen=True):
    """A sentence that is put into words if it is told: most findings are not."""

    key: str = ""
    values: tuple[tuple[str, str], ...] = ()

    def __call__(self) -> Said:
        return said(self.key, **dict(self.values)) if self.key else UNSAID


Finding = tuple[str, Later, Later]
"""Code, message and a note."""
ALWAYS, NEVER = Later("idle.always"), Later("idle.never")
SAME_SIDES, NOTHING_MORE = Later("idle.same_sides"), Later()


def check_idle(found: Ruleset, world: World, root: Node) -> None:
    """Tell what is certain in every sort of argument that a formula is used with."""
    idle = _Idle(found, world, root)
    for steps in roots(found):
        for step in every_step(steps):
            idle.step(step)
    idle.conditions()
    idle.parts()


class _Idle:
    def __init__(self, found: Ruleset, world: World, root: Node) -> None:
        self.found, self.world, self.own = found, world, root.span
        self.adjustable = Adjustable(found, world, root)

    def _tell(self, code: str, message: Said, span: Span, note: Said = UNSAID) -> None:
        self.world.problems.add(code, message, span, notes=[note] if note else [])

    def step(self, step: Step) -> None:
        for key, number in _numbers(step.verb):
            if number is None or number.kind.name != "number" or bounds(number.kind)[1] > 0:
                continue
            if number.span.shares_file(self.own) and not self.adjustable(number):
                self._tell("R558", said("idle.never_done", key=key), number.span)

    def conditions(self) -> None:
        """A condition that is no more than `true` or `false`."""
        for condition in _conditions(self.found):
            own = condition.span.shares_file(self.own)
            if own and isinstance(condition, ir.Const) and condition.span.text in ("true", "false"):
                self._tell("R559", (ALWAYS if condition.value else NEVER)(), condition.span)

    def parts(self) -> None:
        """A formula stands in one place and may be checked often: in a term, once for each sort of arguments."""
        verdicts: dict[tuple[int, int, type], tuple[Expr, Finding | None]] = {}
        parameters: set[Var] = set()
        for part in _all_parts(self.found, parameters):
            if type(part) not in _JUDGES or not part.span.shares_file(self.own):
                continue
            place = (part.span.start, part.span.end, type(part))
            verdict = certain(part)
            known = verdicts.setdefault(place, (part, verdict))
            if known[1] is not None and known[1] != verdict:
                verdicts[place] = (part, None)
        for part, verdict in verdicts.values():
            if verdict is not None and not _mentions(part, parameters) and not self.adjustable(part):
                self._tell(verdict[0], verdict[1](), part.span, verdict[2]())


def _numbers(verb: object) -> tuple[tuple[str, Expr | None], ...]:
    match verb:
        case Deal(count=count) | MovePile(count=count) | MovePieces(count=count) | Roll(count=count):
            return (("count", count),)
        case Play(at_most=at_most):
            return (("at_most", at_most),)
        case Repeat(rounds=rounds, at_most=at_most) | Turns(rounds=rounds, at_most=at_most):
            return (("rounds", rounds), ("at_most", at_most))
    return ()


def _conditions(found: Ruleset) -> Iterator[Expr]:
    """What decides whether something is done. (`check: false` and `callable: true` may well be meant.)"""
    for steps in roots(found):
        for step in every_step(steps):
            yield from (e for e in (step.when, step.loop.where if step.loop else None) if e is not None)
            if isinstance(step.verb, Repeat | Turns) and step.verb.until is not None:
                yield step.verb.until
            if isinstance(step.verb, Turns) and step.verb.skip is not None:
                yield step.verb.skip
    yield from (condition.expr for move in found.moves.values() for condition in move.conditions)
    yield from (o.when for o in found.obligations.values() if o.when is not None)
    yield from (entry.condition for entry in found.whenever.values())


def _all_parts(found: Ruleset, parameters: set[Var]) -> Iterator[Expr]:
    """Every part of every formula, of terms once; what terms are given is added to `parameters`."""
    waiting, seen = list(all_formulas(found)), set[int]()
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.args
        for instance in instances(part):
            if id(instance) not in seen:
                seen.add(id(instance))
                parameters.update(instance.parameters)
                waiting.append(instance.body)


def _mentions(part: Expr, variables: set[Var]) -> bool:
    return any(isinstance(e, ir.Local) and e.var in variables for e in ir.walk(part))


# ---- what is certain of one part -------------------------------------------------------------------------------------


def certain(part: Expr) -> Finding | None:
    """What is sure of a part of a formula by the kinds of its operands alone."""
    judge = _JUDGES.get(type(part))
    return judge(part) if judge is not None else None


def _compared(part: ir.Compare) -> Finding | None:
    if _itself(part):
        return _sure(part.op in ("<=", ">="), part, SAME_SIDES)
    (low, high), (least, most) = bounds(part.left.kind), bounds(part.right.kind)
    ways = {"<": (high < least, low >= most), "<=": (high <= least, low > most)}
    ways |= {">": (low > most, high <= least), ">=": (low >= most, high < least)}
    always, never = ways[part.op]
    if not _numbers_that_change(part) or not (always or never):
        return None
    return _sure(always, part, _both(part))


def _same(part: ir.Same) -> Finding | None:
    if _itself(part):
        return _sure(True, part, SAME_SIDES)
    return ("R559", NEVER, _both(part)) if _apart(part) else None


def _differs(part: ir.Differs) -> Finding | None:
    if _itself(part):
        return None if part.left.kind.optional else ("R559", NEVER, SAME_SIDES)
    return ("R559", ALWAYS, _both(part)) if _apart(part) else None


def _sure(always: bool, part: ir.Compare | ir.Same, note: Later) -> Finding | None:
    """What is absent is compared in vain, so nothing with it is always true."""
    if always and (part.left.kind.optional or part.right.kind.optional):
        return None
    return "R559", ALWAYS if always else NEVER, note


def _itself(part: ir.Compare | ir.Same | ir.Differs) -> bool:
    left, right = part.left.span, part.right.span
    return left.start != right.start and left.text == right.text and part.left.kind.name != "list"


def _apart(part: ir.Same | ir.Differs) -> bool:
    """Two numbers that cannot be equal."""
    (low, high), (least, most) = bounds(part.left.kind), bounds(part.right.kind)
    return _numbers_that_change(part) and (high < least or low > most)


def _numbers_that_change(part: ir.Compare | ir.Same | ir.Differs) -> bool:
    """What hangs on tables and seats alone is how a game fits itself to its variants; two numbers as they are written are nothing."""
    if not part.left.kind.name == part.right.kind.name == "number":
        return False
    kinds = [type(e) for e in ir.walk(part)]
    changes = any(kind in (ir.Local, ir.Cell, ir.Contents, ir.Pile, ir.Piles, ir.TermCall) for kind in kinds)
    return changes or all(side.span.text.isdecimal() for side in part.args)


def _both(part: Expr) -> Later:
    left, right = (_shown(side.kind) for side in part.args)
    return Later("idle.compared", (("left", left), ("right", right)))


def _shown(kind: Kind) -> str:
    low, high = bounds(kind)
    return f"{low}..{high}" if low != high else str(low)


def _absent(part: ir.Absent) -> Finding | None:
    kind = part.value.kind
    if kind.optional or kind.name in ("unknown", "nothing", "bool", "list"):
        return None
    return "R560", Later("idle.never_absent"), Later("idle.always_there")


def _otherwise(part: ir.Otherwise) -> Finding | None:
    kind = part.left.kind
    if kind.optional or kind.name in ("unknown", "nothing"):
        return None
    return "R560", Later("idle.otherwise_unused"), Later("idle.never_used")


def _empty(part: ir.Empty) -> Finding | None:
    if lengths(part.value.kind)[0] == 0:
        return None
    piles = part.value.kind.of_item.name == "pile"
    return "R559", Later("idle.never_empty"), Later("idle.list_of_piles") if piles else NOTHING_MORE


def _range(part: ir.Range) -> Finding | None:
    (low, _), (_, high) = bounds(part.left.kind), bounds(part.right.kind)
    if {part.left.kind.name, part.right.kind.name} != {"number"} or low <= high:
        return None
    return "R561", Later("idle.empty_range"), Later("idle.range_ends", (("low", str(low)), ("high", str(high))))


_JUDGES: dict[type, Callable[..., Finding | None]] = {
    ir.Compare: _compared,
    ir.Same: _same,
    ir.Differs: _differs,
    ir.Absent: _absent,
    ir.Otherwise: _otherwise,
    ir.Empty: _empty,
    ir.Range: _range,
}
