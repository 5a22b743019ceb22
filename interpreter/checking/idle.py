"""What is certain whatever is played: conditions that are always true or never, and steps that never do anything."""

from __future__ import annotations

from interpreter.checking.reads import all_formulas, roots
from interpreter.checking.world import World
from interpreter.language import ir
from interpreter.language.evaluate import everything, static
from interpreter.language.ir import Expr
from interpreter.language.kinds import bounds
from interpreter.language.model import Ruleset
from interpreter.language.steps import Deal, MovePieces, MovePile, Play, Repeat, Roll, Turns, every_step


def check_idle(found: Ruleset, world: World) -> None:
    """Warns only of what no option could change."""
    for steps in roots(found):
        for step in every_step(steps):
            for key, number in _numbers(step.verb):
                if number is not None and number.kind.name == "number" and bounds(number.kind)[1] <= 0:
                    message = f"`{key}` is never more than 0, so nothing is done"
                    world.problems.add("R558", message, number.span, severity="warning")
    seen: set[int] = set()
    for formula in all_formulas(found):
        for part in everything(formula):
            if isinstance(part, ir.Compare) and id(part) not in seen:
                seen.add(id(part))
                _compare(part, world)


def _numbers(verb: object) -> tuple[tuple[str, Expr | None], ...]:
    match verb:
        case Deal(count=count) | MovePile(count=count) | MovePieces(count=count) | Roll(count=count):
            return (("count", count),)
        case Play(at_most=at_most) | Repeat(at_most=at_most):
            return (("at_most", at_most),)
        case Turns(rounds=rounds, at_most=at_most):
            return (("rounds", rounds), ("at_most", at_most))
    return ()


def _compare(part: ir.Compare, world: World) -> None:
    left, right = part.left.kind, part.right.kind
    if not (left.name == right.name == "number") or static(part):
        return
    (low, high), (least, most) = bounds(left), bounds(right)
    ways = {"<": (high < least, low >= most), "<=": (high <= least, low > most)}
    ways |= {">": (low > most, high <= least), ">=": (low >= most, high < least)}
    always, never = ways[part.op]
    if never or (always and not left.optional and not right.optional):
        shown = " and ".join(f"{a}..{b}" if a != b else str(a) for a, b in ((low, high), (least, most)))
        what = "is never true" if never else "is always true"
        world.problems.add("R559", f"this {what}", part.span, notes=[f"{shown} are compared"], severity="warning")
