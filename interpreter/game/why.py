"""Why a move is legal or not, and what a formula is worth: the clause, its source, the values of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.game.compiled import Compiled
from interpreter.game.values import parts_of
from interpreter.language.evaluate import Names, evaluate, explain
from interpreter.language.ir import Expr, Var
from interpreter.language.model import Condition, Maximise, Move, NeverTwice, Obligation, PreferMoves, Rule
from interpreter.running.lookahead import is_spared, sums
from interpreter.running.naming import slug
from interpreter.running.places import Point
from interpreter.running.state import Action, Core
from interpreter.running.verbs import Guard


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that was looked at: its name, does it allow the move, its rule, and (depth, formula, value) of its parts."""

    name: str
    sort: str
    holds: bool
    rule: Rule
    parts: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Why:
    """The answer to "why (not)?": `known` says whether such a move exists here at all."""

    move: str
    known: bool
    legal: bool
    rule: Rule
    reasons: tuple[Reason, ...]
    nearest: tuple[str, ...]

    @property
    def failing(self) -> Reason | None:
        return next((r for r in self.reasons if not r.holds), None)

    def summary(self, lang: str = "en") -> str:
        """One sentence: the rule that decides, with its source."""
        reason = self.failing
        rule = reason.rule if reason is not None else self.rule
        at = f" [{rule.at}]" if rule.at else ""
        return f"{rule.text(lang)}{at}"

    def lines(self) -> Iterator[str]:
        """The condition that fails and the values of its parts."""
        reason = self.failing
        if reason is not None:
            yield f"{reason.sort} `{reason.name}`"
            for depth, formula, value in reason.parts[:12]:
                yield f"{'  ' * depth}{formula} = {value}"


# ---- moves -----------------------------------------------------------------------------------------------------------


def why(game: Compiled, core: Core, move_id: str) -> Why:
    """Every condition and obligation that bears on a move, with its outcome. The first that fails is the reason."""
    ids = _legal_ids(game, core)
    legal = {ident.casefold(): action for ident, action in zip(ids, core.acts, strict=False)}
    wanted, nearest = " ".join(move_id.split()).casefold(), tuple(ids[:8])
    point = game.machine.points.get(core.pc)
    if point is None or core.over:
        return Why(move_id, False, False, Rule(""), (), nearest)
    best: Why | None = None
    for move, action in _candidates(game, core, point):
        if _ident(game, core, move, action).casefold() != wanted and legal.get(wanted) != action:
            continue
        found = _judged(game, core, point, move, action, wanted in legal, nearest, move_id)
        if best is None or (found.legal, -_failed_at(found)) > (best.legal, -_failed_at(best)):
            best = found
    return best or _unbound(game, core, point, wanted, move_id, nearest)


def _unbound(game: Compiled, core: Core, point: Point, wanted: str, move_id: str, nearest: tuple[str, ...]) -> Why:
    """A move that has nothing to bind here: say why its kind of move is not to be had."""
    for move in point.moves:
        if slug(move.name).casefold() == wanted.split(" ")[0]:
            return Why(move_id, True, False, move.rule, (Reason(move.name, "move", False, move.rule, ()),), nearest)
    for move in game.ruleset.moves.values():
        if slug(move.name).casefold() == wanted.split(" ")[0]:
            instead = ((0, "here", ", ".join(m.name for m in point.moves)),)
            return Why(
                move_id,
                True,
                False,
                move.rule,
                (Reason("offered here", "decision", False, move.rule, instead),),
                nearest,
            )
    return Why(move_id, False, False, Rule(""), (), nearest)


def _failed_at(found: Why) -> int:
    return sum(1 for r in found.reasons if not r.holds)


def _legal_ids(game: Compiled, core: Core) -> list[str]:
    return game.namer.ids(core, core.acts, core.actor) if not core.over else []


def _ident(game: Compiled, core: Core, move: Move, action: Action) -> str:
    return game.namer.move_id(move, action, core.actor)


def _candidates(game: Compiled, core: Core, point: Point) -> Iterator[tuple[Move, Action]]:
    """Every binding of every move offered here, whether its conditions hold or not."""
    setting = game.setting(core)
    for move in point.moves:
        names: Names = {move.me: core.actor}
        for bound in _bindings(game, core, move, setting, names):
            yield (
                move,
                (
                    move.number,
                    *(bound[v] if not isinstance(bound[v], list) else tuple(bound[v]) for v in move.bindings),
                ),
            )


def _bindings(game: Compiled, core: Core, move: Move, setting: Any, names: Names) -> Iterator[Names]:
    for taken in _taken(game, core, move, setting, names):
        for chosen in _chosen(move.withs, setting, taken):
            if move.put is None or move.target is None:
                yield chosen
                continue
            places = evaluate(move.put, setting, chosen)
            for place in [places] if move.put.kind.name == "pile" else places:
                if place >= 0:
                    yield {**chosen, move.target: place}


def _taken(game: Compiled, core: Core, move: Move, setting: Any, names: Names) -> Iterator[Names]:
    if not move.takes or move.origin is None or move.card is None:
        yield names
        return
    for take in move.takes:
        piles = evaluate(take.source, setting, names)
        for pile in [piles] if take.source.kind.name == "pile" else piles:
            pieces = core.piles[pile]
            for piece in dict.fromkeys(pieces if take.any_piece else pieces[-1:]):
                yield {**names, move.origin: pile, move.card: piece}


def _chosen(withs: list[tuple[Var, Expr]], setting: Any, names: Names) -> Iterator[Names]:
    if not withs:
        yield names
        return
    var, items = withs[0]
    for item in evaluate(items, setting, names):
        yield from _chosen(withs[1:], setting, {**names, var: item})


def _judged(
    game: Compiled,
    core: Core,
    point: Point,
    move: Move,
    action: Action,
    legal: bool,
    nearest: tuple[str, ...],
    move_id: str,
) -> Why:
    names: Names = {move.me: core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    reasons = [_condition(game, core, move, c, names) for c in move.conditions]
    if all(r.holds for r in reasons):
        reasons += _obligations(game, core, point, move, action)
    return Why(move_id, True, legal, move.rule, tuple(reasons), nearest)


def _condition(game: Compiled, core: Core, move: Move, condition: Condition, names: Names) -> Reason:
    part = explain(condition.expr, game.setting(core), names)
    return Reason(
        condition.name, "condition", bool(part.value), condition.rule or move.rule, tuple(parts_of(game, part))
    )


def _obligations(game: Compiled, core: Core, point: Point, move: Move, action: Action) -> Iterator[Reason]:
    """The obligations in order; the first that would drop the action is at fault if it is not legal."""
    setting = game.setting(core)
    survivors = [(m, a) for m, a in _candidates(game, core, point) if _allowed(game, core, m, a)]
    for obligation in point.obey:
        names: Names = {obligation.me: core.actor}
        if obligation.when is not None and not evaluate(obligation.when, setting, names):
            continue
        if isinstance(obligation.demand, Maximise | NeverTwice):
            found = _searched(game, core, point, obligation, obligation.demand, action)
            yield found
            if not found.holds:
                return
            continue
        good = [(m, a) for m, a in survivors if _preferred(game, core, obligation, m, a)]
        dropped = (
            bool(good)
            and not _preferred(game, core, obligation, move, action)
            and (obligation.over is None or move.name in obligation.over)
        )
        instead = tuple((0, "instead", _ident(game, core, m, a)) for m, a in good[:4]) if dropped else ()
        yield Reason(obligation.name, "obligation", not dropped, obligation.rule, instead)
        if dropped:
            return
        if good:
            survivors = [
                (m, a)
                for m, a in survivors
                if (m, a) in good or (obligation.over is not None and m.name not in obligation.over)
            ]


def _allowed(game: Compiled, core: Core, move: Move, action: Action) -> bool:
    names: Names = {move.me: core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    return all(evaluate(c.expr, game.setting(core), names) for c in move.conditions)


def _preferred(game: Compiled, core: Core, obligation: Obligation, move: Move, action: Action) -> bool:
    if isinstance(obligation.demand, PreferMoves):
        return move.name in obligation.demand.moves
    judged = game.ruleset.judged.get((obligation.name, move.name))
    if not isinstance(judged, Expr):
        return False
    names: Names = {obligation.me: core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    return bool(evaluate(judged, game.setting(core), names))


def _searched(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: Maximise | NeverTwice, action: Action
) -> Reason:
    """`maximise` and `never_twice` are settled by trying; for a maximum, the sums are told."""
    if obligation.over is not None and game.ruleset.moves[_name(point, action)].name not in obligation.over:
        return Reason(obligation.name, "obligation", True, obligation.rule, ())
    if isinstance(demand, Maximise):
        return _summed(game, core, point, obligation, demand, action)
    return _repeated(game, core, point, obligation, demand, action)


def _name(point: Point, action: Action) -> str:
    return next(m.name for m in point.moves if m.number == action[0])


def _summed(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: Maximise, action: Action
) -> Reason:
    machine = game.machine
    weigh = machine.function(f"weigh_{point.label}_{obligation.number}")
    own = sums(machine, core, action, point.label, weigh, core.actor)
    best = max(sums(machine, core, legal, point.label, weigh, core.actor) for legal in core.acts)
    spared = _is_spared(game, core, point, obligation, demand, action)
    parts = [(0, form.span.text, f"{o}, at best {b}") for form, o, b in zip(demand.weights, own, best, strict=True)]
    parts.append((0, "instead", ", ".join(_legal_ids(game, core)[:4])))
    holds = own >= best or spared
    return Reason(obligation.name, "obligation", holds, obligation.rule, () if holds else tuple(parts))


def _is_spared(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: Maximise, action: Action
) -> bool:
    name = f"spare_{point.label}_{obligation.number}"
    if demand.unless is None or name not in game.machine.space:
        return False
    return is_spared(game.machine, core, action, point.label, game.machine.function(name), core.actor)


def _repeated(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: NeverTwice, action: Action
) -> Reason:
    numbers = evaluate(demand.piles, game.setting(core), {obligation.me: core.actor})
    guard = Guard(point.label, obligation.number, point.seen, over=(action[0],), forgetting=())
    left = game.machine.function("never_twice")(core, [action], guard, tuple(numbers))
    return Reason(obligation.name, "obligation", bool(left), obligation.rule, ())
