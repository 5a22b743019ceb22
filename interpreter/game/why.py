"""Why a move is legal or not, and what a formula is worth: the clause, its source, the values of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.world import Scope, TermSource, World
from interpreter.compiling.code import Writer, assemble
from interpreter.compiling.emitter import Emitter
from interpreter.compiling.expressions import program as new_program
from interpreter.diagnostics import Diagnostic, Problems, Refused, Source, Span
from interpreter.language.evaluate import Names, Part, evaluate, explain
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import PLAYER, Kind, describe
from interpreter.language.model import Condition, Move, Obligation, Rule
from interpreter.reading import parse
from interpreter.reading.tree import Node
from interpreter.running.chance import Chance
from interpreter.running.lookahead import sums
from interpreter.running.state import Action, Core

if TYPE_CHECKING:
    from interpreter.game.game import Game, State
    from interpreter.running.places import Point


@dataclass(frozen=True, slots=True)
class Value:
    """A formula's value: `plain` data, its `kind` in words, its text, and (depth, formula, value) of each part."""

    plain: Any
    kind: str
    words: tuple[tuple[str, str], ...]
    parts: tuple[tuple[int, str, str], ...]

    def text(self, lang: str = "en") -> str:
        return dict(self.words).get(lang) or dict(self.words)["en"]


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


# ---- formulas given by hand ------------------------------------------------------------------------------------------


def checked(game: Game, formula: str, acting: bool, expected: Kind | None = None) -> tuple[Expr, Var]:
    """A formula typed by a user, checked against the game's names. Raises Refused."""
    source = Source("<formula>", formula)
    span = Span(source, 0, len(formula))
    form = parse.formula(Node("scalar", span, formula, formula))
    problems = Problems()
    me = Var("me", PLAYER)
    checker = FormulaChecker(_world(game, problems))
    found = checker.check(form, Scope(me=me if acting else None), expected)
    problems.stop_on_errors()
    return found, me


def _world(game: Game, problems: Problems) -> World:
    r = game.ruleset
    world = World(problems, r.seats, r.options, r.tables, r.pieces, r.piles, r.state, attributes=r.attributes)
    world.moves = {name: m.number for name, m in r.moves.items()}
    world.obligations = {name: o.number for name, o in r.obligations.items()}
    terms = game.merged.root.get("terms")
    for _, key, node in terms.entries() if terms is not None and terms.kind == "map" else ():
        signature = parse.signature(key)
        world.terms[signature.name] = TermSource(signature.name, signature.parameters, parse.formula(node), key.span)
    return world


def value(state: State, formula: str, seat: str | None) -> Value:
    """The value of a formula in a state, for `seat` as `me` (default: whoever acts)."""
    core, game = state.core, state.game
    player = game.seats.index(seat) if seat is not None else core.actor
    expr, me = checked(game, formula, player >= 0)
    part = explain(expr, game.setting(core), {me: player})
    words = tuple((lang, game.namer.value(part.value, expr.kind, lang)) for lang in ("en", "fr"))
    return Value(_plain(game, part.value, expr.kind), describe(expr.kind), words, tuple(_parts(game, part)))


def _plain(game: Game, found: Any, kind: Kind) -> Any:
    if kind.name == "list":
        return [_plain(game, v, kind.of_item) for v in found]
    if kind.name == "bool":
        return bool(found)
    text = game.namer.value(found, kind)
    if text == "none":
        return None
    return (
        int(found)
        if kind.name == "number"
        else game.namer.key_name(kind, found)
        if kind.name in ("row", "player", "choice")
        else text
    )


def _parts(game: Game, part: Part, depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """The formula and its parts, except constants, each once."""
    yield depth, " ".join(part.expr.span.text.split()), game.namer.value(part.value, part.expr.kind)
    seen = {part.expr.span.text}
    for inner in part.parts:
        if inner.expr.op not in ("const", "contents", "rows") and inner.expr.span.text not in seen and depth < 6:
            seen.add(inner.expr.span.text)
            yield from _parts(game, inner, depth + 1)


def compiled(game: Game, formula: str, piles: Sequence[str]) -> Callable[..., Any]:
    """See `Game.evaluator`."""
    from interpreter.game.spelling import pieces_of, pile_number

    expr, me = checked(game, formula, False)
    program = new_program(game.ruleset.attributes.by_name, game.machine.constants)
    writer = Writer()
    emitter = Emitter(program, writer, {me: "-1"}, expr.span.source.name)
    writer.put(f"return {emitter(expr)}")
    program.function("formula", "P, C", expr.span, writer)
    assemble(program.functions, program.namespace)
    for name in dict.fromkeys(program.namespace.get("__columns__", ())):
        program.namespace[name] = [program.namespace[f] for f in program.namespace[name]]
    run = program.namespace["formula"]
    core = game.machine.fresh(Chance.stream(0))
    places = [pile_number(game, name) for name in piles]
    for pile in core.piles:
        pile.clear()

    def call(*contents: Sequence[Any]) -> Any:
        for place, pieces in zip(places, contents, strict=True):
            core.piles[place] = pieces_of(game, pieces) if pieces and isinstance(pieces[0], str) else list(pieces)
        return run(core.piles, core.cells)

    return call


# ---- moves -----------------------------------------------------------------------------------------------------------


def why(state: State, move_id: str) -> Why:
    """Every condition and obligation that bears on a move, with its outcome. The first that fails is the reason."""
    legal = {m.id.casefold(): m for m in state.moves()}
    wanted = " ".join(move_id.split()).casefold()
    nearest = tuple(m.id for m in state.moves()[:8])
    point = state.game.machine.points.get(state.core.pc)
    if point is None or state.is_over:
        return Why(move_id, False, False, Rule(""), (), nearest)
    best: Why | None = None
    for move, action in _candidates(state, point):
        if _ident(state, move, action).casefold() != wanted and _unique_legal(legal, wanted) is not action:
            continue
        found = _judged(state, point, move, action, wanted in legal, nearest, move_id)
        if best is None or (found.legal, -_failed_at(found)) > (best.legal, -_failed_at(best)):
            best = found
    return best or _unbound(state, point, wanted, move_id, nearest)


def _unbound(state: State, point: Point, wanted: str, move_id: str, nearest: tuple[str, ...]) -> Why:
    """A move that has nothing to bind here: say why its kind of move is not to be had."""
    from interpreter.running.naming import slug

    for move in point.moves:
        if slug(move.name).casefold() == wanted.split(" ")[0]:
            return Why(move_id, True, False, move.rule, (Reason(move.name, "move", False, move.rule, ()),), nearest)
    for move in state.game.ruleset.moves.values():
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


def _unique_legal(legal: dict[str, Any], wanted: str) -> Action | None:
    found = legal.get(wanted)
    return found.action if found is not None else None


def _ident(state: State, move: Move, action: Action) -> str:
    return state.game.namer.move_id(move, action, state.core.actor)


def _candidates(state: State, point: Point) -> Iterator[tuple[Move, Action]]:
    """Every binding of every move offered here, whether its conditions hold or not."""
    setting = state.game.setting(state.core)
    for move in point.moves:
        names: Names = {move.me: state.core.actor}
        for bound in _bindings(state, move, setting, names):
            yield (
                move,
                (
                    move.number,
                    *(bound[v] if not isinstance(bound[v], list) else tuple(bound[v]) for v in move.bindings),
                ),
            )


def _bindings(state: State, move: Move, setting: Any, names: Names) -> Iterator[Names]:
    for taken in _taken(state, move, setting, names):
        for chosen in _chosen(move.withs, setting, taken):
            if move.put is None or move.target is None:
                yield chosen
                continue
            places = evaluate(move.put, setting, chosen)
            for place in [places] if move.put.kind.name == "pile" else places:
                if place >= 0:
                    yield {**chosen, move.target: place}


def _taken(state: State, move: Move, setting: Any, names: Names) -> Iterator[Names]:
    if not move.takes or move.origin is None or move.card is None:
        yield names
        return
    for take in move.takes:
        piles = evaluate(take.source, setting, names)
        for pile in [piles] if take.source.kind.name == "pile" else piles:
            pieces = state.core.piles[pile]
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
    state: State, point: Point, move: Move, action: Action, legal: bool, nearest: tuple[str, ...], move_id: str
) -> Why:
    names: Names = {move.me: state.core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    reasons = [_condition(state, move, c, names) for c in move.conditions]
    if all(r.holds for r in reasons):
        reasons += _obligations(state, point, move, action)
    return Why(move_id, True, legal, move.rule, tuple(reasons), nearest)


def _condition(state: State, move: Move, condition: Condition, names: Names) -> Reason:
    part = explain(condition.expr, state.game.setting(state.core), names)
    return Reason(
        condition.name, "condition", bool(part.value), condition.rule or move.rule, tuple(_parts(state.game, part))
    )


def _obligations(state: State, point: Point, move: Move, action: Action) -> Iterator[Reason]:
    """The obligations in order; the first that would drop the action is at fault if it is not legal."""
    setting = state.game.setting(state.core)
    survivors = [(m, a) for m, a in _candidates(state, point) if _allowed(state, m, a)]
    for obligation in point.obey:
        names: Names = {obligation.me: state.core.actor}
        if obligation.when is not None and not evaluate(obligation.when, setting, names):
            continue
        if obligation.sort != "prefer":
            found = _searched(state, point, obligation, action)
            yield found
            if not found.holds:
                return
            continue
        good = [(m, a) for m, a in survivors if _preferred(state, obligation, m, a)]
        dropped = (
            bool(good)
            and not _preferred(state, obligation, move, action)
            and (obligation.over is None or move.name in obligation.over)
        )
        instead = tuple((0, "instead", _ident(state, m, a)) for m, a in good[:4]) if dropped else ()
        yield Reason(obligation.name, "obligation", not dropped, obligation.rule, instead)
        if dropped:
            return
        if good:
            survivors = [
                (m, a)
                for m, a in survivors
                if (m, a) in good or (obligation.over is not None and m.name not in obligation.over)
            ]


def _allowed(state: State, move: Move, action: Action) -> bool:
    names: Names = {move.me: state.core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    return all(evaluate(c.expr, state.game.setting(state.core), names) for c in move.conditions)


def _preferred(state: State, obligation: Obligation, move: Move, action: Action) -> bool:
    if obligation.prefer_moves is not None:
        return move.name in obligation.prefer_moves
    judged = state.game.ruleset.judged.get((obligation.name, move.name))
    if not isinstance(judged, Expr):
        return False
    names: Names = {obligation.me: state.core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    return bool(evaluate(judged, state.game.setting(state.core), names))


def _searched(state: State, point: Point, obligation: Obligation, action: Action) -> Reason:
    """`maximise` and `never_twice` are settled by trying; for a maximum, the sums are told."""
    if obligation.over is not None and state.game.ruleset.moves[_name(point, action)].name not in obligation.over:
        return Reason(obligation.name, "obligation", True, obligation.rule, ())
    return (_summed if obligation.sort == "maximise" else _repeated)(state, point, obligation, action)


def _name(point: Point, action: Action) -> str:
    return next(m.name for m in point.moves if m.number == action[0])


def _summed(state: State, point: Point, obligation: Obligation, action: Action) -> Reason:
    machine, core = state.game.machine, state.core
    weigh = machine.function(f"weigh_{point.label}_{obligation.number}")
    own = sums(machine, core, action, point.label, weigh, core.actor)
    best = sums(machine, core, core.acts[0], point.label, weigh, core.actor)
    parts = [(0, form.span.text, f"{o}, at best {b}") for form, o, b in zip(obligation.weights, own, best, strict=True)]
    parts.append((0, "instead", ", ".join(m.id for m in state.moves()[:4])))
    return Reason(obligation.name, "obligation", own >= best, obligation.rule, tuple(parts) if own < best else ())


def _repeated(state: State, point: Point, obligation: Obligation, action: Action) -> Reason:
    assert obligation.piles is not None
    numbers = evaluate(obligation.piles, state.game.setting(state.core), {obligation.me: state.core.actor})
    never = state.game.machine.function("never_twice")
    left = never(state.core, [action], point.label, (action[0],), tuple(numbers), state.core.cells[point.seen])
    return Reason(obligation.name, "obligation", bool(left), obligation.rule, ())


def refuse(code: str, message: str) -> Refused:
    return Refused([Diagnostic(code, message)])


__all__ = ["Core", "Reason", "Value", "Why", "checked", "compiled", "value", "why"]
