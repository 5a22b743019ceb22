"""Explain why a move is legal or not: the conditions and obligations that decide, with their values in this position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Any

from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.explain.move_lookup import (
    explain_piece,
    find_actions,
    find_piece,
    find_request,
    legal_ids,
    list_ways_from,
    locate_piece,
)
from hoyle.game.explain.reasons import DEMANDED, Reason, Why, list_grounds, list_witnesses, trace_decision
from hoyle.game.explain.refusals import (
    Request,
    explain_not_offered,
    explain_nothing,
    explain_unbound,
    explain_wrong_target,
)
from hoyle.game.moves.legal import bound_names, legal_moves, list_actions, render_move, wording_context
from hoyle.game.moves.notation import parse_notation
from hoyle.game.moves.parsing import find_by_pieces, find_exact, match_name
from hoyle.game.spelling import plain_words
from hoyle.game.views.redaction import redact, sample_determinizations
from hoyle.language.evaluate import Names, evaluate, explain
from hoyle.language.ir import Expr
from hoyle.language.model import (
    Condition,
    Maximise,
    Move,
    NeverTwice,
    Obligation,
    PreferMoves,
    Rule,
    Texts,
    text_in,
    texts_of,
)
from hoyle.language.sentences import FALLBACK, Sentence
from hoyle.running.chance import Chance
from hoyle.running.lookahead import Aim, Search
from hoyle.running.machine import Point
from hoyle.running.state import Action, Core
from hoyle.running.verbs import Guard

SAMPLES = 6
"""States that look alike to a seat, compared before a reason is shown to it."""
MOST_INSTEAD = 4
"""Moves listed that an obligation demands instead."""
Offer = tuple[Move, Action]
_HERE, _INSTEAD, _FEWER = Sentence("reason.here"), Sentence("reason.instead"), Sentence("reason.fewer")


def explain_move(game: Compiled, core: Core, text: str) -> Why:
    """Return everything that decides a move. The first reason that fails decides."""
    point, wanted = game.machine.points.get(core.pc), plain_words(text, game.namer.readings)
    unknown = Why(text, False, False, Rule(""), (), tuple(legal_ids(game, core))[: 2 * MOST_INSTEAD])
    if point is None or core.over or not wanted:
        return unknown
    piece = find_piece(game, wanted)
    is_hidden = piece is not None and not any(locate_piece(game, core, piece))
    offers = _offers(point, [] if is_hidden else _find_actions(game, core, point, text, wanted))
    judged = [(offer, _judge(game, core, point, *offer)) for offer in offers]
    if judged:
        (move, action), reasons = min(judged, key=lambda one: [r.holds for r in one[1]].count(False))
        # by its pieces alone a move is not named, so its id is shown
        move_id = text if match_name([move], wanted) else _move_id(game, core, move, action)
        texts, legal = _texts(game, core, move, action), action in core.acts
        return replace(
            unknown, move=move_id, known=True, legal=legal, rule=move.rule, reasons=tuple(reasons), texts=texts
        )
    request = find_request(game, core, point, text)
    if request is not None:
        return _explain_request(game, core, point, unknown, request, wanted)
    if piece is None:
        return unknown
    texts = texts_of(lambda lang: game.namer.shown(lang)[piece], game.ruleset.languages)
    return replace(unknown, known=True, reasons=(_no_move(explain_piece(game, core, point, piece)),), texts=texts)


def _find_actions(game: Compiled, core: Core, point: Point, text: str, wanted: str) -> Sequence[Action]:
    """Return the one legal action that is meant, else all that may be."""
    moves = legal_moves(game, core)
    own = find_exact(game, core, moves, text) or find_by_pieces(game, core, moves, wanted)[:1]
    return [own[0].action] if len(own) == 1 else find_actions(game, core, point, text)


def _explain_request(game: Compiled, core: Core, point: Point, unknown: Why, request: Request, wanted: str) -> Why:
    """Explain a move that cannot be bound as the text says."""
    known = replace(unknown, known=True, rule=request.move.rule)
    ways = partial(list_ways_from, request)
    if parse_notation(game, core, point.moves, wanted) is None:
        return replace(known, reasons=(_explain_absence(request, point),), texts=request.texts())
    is_wrong_target = ways(FALLBACK)
    reason = _no_move(explain_wrong_target(ways)) if is_wrong_target else _explain_absence(request, point)
    return replace(known, reasons=(reason,))


def _explain_absence(request: Request, point: Point) -> Reason:
    """Say that the decision does not offer a move, or that the move has nothing to be bound to."""
    move, game, core = request.move, request.game, request.core
    if move not in point.moves:
        return Reason("not offered here", "decision", False, move.rule, (), explain_not_offered(core, move, point))
    return Reason(move.name, "binding", False, move.rule, (), explain_unbound(request, list(legal_ids(game, core))))


def _no_move(words: Texts) -> Reason:
    return Reason("no move", "binding", False, Rule(""), (), words)


# ---- as far as a seat knows ------------------------------------------------------------------------------------------


def sample_alike_states(game: Compiled, core: Core, player: int) -> list[Core]:
    """Return a few different states that look to a player like this one; only one if he sees everything."""
    chance = Chance.stream(sum(1 for e in core.log or () if e[0] == "move"))
    found = islice(sample_determinizations(game, redact(game, core, player), chance, 10 * SAMPLES), SAMPLES)
    return [*{(world.key(), repr(world.back)): world for world in found}.values()]


def explain_as_known(game: Compiled, core: Core, text: str, states: Sequence[Core]) -> Why:
    """Explain a move as far as a player can know it, that is, what is the same in all states that look alike to him."""
    found = [explain_move(game, state, text) for state in states]
    if not found:
        return Why(text, False, False, Rule(""), (), tuple(legal_ids(game, core))[: 2 * MOST_INSTEAD])
    first, unexplained = found[0], (_no_move(explain_nothing()),)
    if any((w.move, w.texts) != (first.move, first.texts) for w in found):
        first = replace(first, move=text, texts=())
    if any((w.known, w.legal, w.rule) != (first.known, first.legal, first.rule) for w in found):
        return replace(first, known=True, reasons=() if first.rule.texts else unexplained)
    common = replace(first, reasons=tuple(_common_reasons([w.reasons for w in found])))
    return common if common.legal or common.summary() else replace(common, reasons=unexplained)


def _common_reasons(found: Sequence[Sequence[Reason]]) -> Iterator[Reason]:
    """Yield what is the same in all lists of reasons, up to the first reason that differs."""
    for first, *others in zip(*found, strict=False):
        if any((r.name, r.holds) != (first.name, first.holds) for r in others):
            return
        parts = tuple(p for p in first.parts if all(p in r.parts for r in others))
        grounds = tuple(g for g in first.grounds if all(g in r.grounds for r in others))
        words = first.words if all(r.words == first.words for r in others) else ()
        yield replace(first, parts=parts, grounds=grounds, words=words)


# ---- conditions and obligations --------------------------------------------------------------------------------------


def _judge(game: Compiled, core: Core, point: Point, move: Move, action: Action) -> list[Reason]:
    names = bound_names(move, action, core.actor)
    reasons = [_judge_condition(game, core, move, c, names) for c in move.conditions]
    if all(r.holds for r in reasons):
        reasons += _judge_obligations(game, core, point, move, action)
    return reasons


def _judge_condition(game: Compiled, core: Core, move: Move, condition: Condition, names: Names) -> Reason:
    part = explain(condition.expr, game.setting(core), names)
    met = list(list_witnesses(part))
    words = texts_of(lambda lang: _HERE[lang].format(what=", ".join(game.namer.value(v, k, lang) for v, k in met)))
    rule, parts, grounds = condition.rule or move.rule, trace_decision(game, part), list_grounds(game, core, part)
    return Reason(condition.name, "condition", bool(part.value), rule, tuple(parts), words if met else (), grounds)


def _judge_obligations(game: Compiled, core: Core, point: Point, move: Move, action: Action) -> Iterator[Reason]:
    """Yield the obligations in order. The first that would drop the action forbids it."""
    setting = game.setting(core)
    survivors: list[Offer] | None = None
    for obligation in point.obey:
        names: Names = {obligation.me: core.actor}
        if obligation.when is not None and not evaluate(obligation.when, setting, names):
            continue
        demand = obligation.demand
        if isinstance(demand, Maximise | NeverTwice):
            if obligation.over is not None and move.name not in obligation.over:
                reason = _make_reason(game, core, obligation, ())
            elif isinstance(demand, Maximise):
                reason = _judge_maximum(game, core, point, obligation, demand, action)
            else:
                reason = _judge_repetition(game, core, point, obligation, demand, action)
            yield reason
            if not reason.holds:
                return
            continue
        if survivors is None:
            survivors = [
                (m, a) for m in point.moves for a in list_actions(game, core, m) if _is_allowed(game, core, m, a)
            ]
        list_preferred = _preference(game, core, obligation, survivors)
        demanded = list_preferred(move, action)
        yield _make_reason(game, core, obligation, demanded)
        if demanded:
            return
        survivors = [(m, a) for m, a in survivors if not list_preferred(m, a)]


def _preference(
    game: Compiled, core: Core, obligation: Obligation, survivors: Sequence[Offer]
) -> Callable[[Move, Action], list[Offer]]:
    """Return a function: the actions that an obligation prefers to one, of those that it weighs together with it."""

    def group(move: Move, action: Action) -> Any:
        if obligation.each is None:
            return None
        each = game.ruleset.apart[obligation.name, move.name]
        value = evaluate(each, game.setting(core), {**bound_names(move, action, core.actor), obligation.me: core.actor})
        return value >> 1 if each.type.name == "piece" else value

    preferred: dict[Any, list[Offer]] = {}
    for offer in survivors:
        if _is_preferred(game, core, obligation, *offer):
            preferred.setdefault(group(*offer), []).append(offer)

    def list_preferred(move: Move, action: Action) -> list[Offer]:
        is_free = obligation.over is not None and move.name not in obligation.over
        if is_free or _is_preferred(game, core, obligation, move, action):
            return []
        return preferred.get(group(move, action), [])

    return list_preferred


def _make_reason(
    game: Compiled,
    core: Core,
    obligation: Obligation,
    instead: Sequence[Offer],
    parts: Sequence[tuple[int, str, str]] = (),
) -> Reason:
    """Make the reason of an obligation; `instead` are the moves that it demands if it forbids this one."""
    named = {_move_id(game, core, *offer): offer for offer in instead}
    shown = dict(list(named.items())[:MOST_INSTEAD])

    def quote(lang: str) -> str:
        """Quote ids in English, words in other languages."""
        words = shown if lang == FALLBACK else [text_in(_texts(game, core, *offer), lang) for offer in shown.values()]
        return ", ".join(f"`{word}`" for word in words)

    lines = (*parts, *((0, DEMANDED, move_id) for move_id in shown))
    words = texts_of(lambda lang: _INSTEAD[lang].format(what=quote(lang)))
    return Reason(obligation.name, "obligation", not instead, obligation.rule, lines, words if shown else ())


def _texts(game: Compiled, core: Core, move: Move, action: Action) -> Texts:
    return texts_of(
        lambda lang: render_move(game, move, action, wording_context(game, core, move, action, lang)),
        game.ruleset.languages,
    )


def _move_id(game: Compiled, core: Core, move: Move, action: Action) -> str:
    return game.namer.move_id(move, action, core.actor)


def _is_allowed(game: Compiled, core: Core, move: Move, action: Action) -> bool:
    names, setting = bound_names(move, action, core.actor), game.setting(core)
    return all(evaluate(c.expr, setting, names) for c in move.conditions)


def _is_preferred(game: Compiled, core: Core, obligation: Obligation, move: Move, action: Action) -> bool:
    if isinstance(obligation.demand, PreferMoves):
        return move.name in obligation.demand.moves
    judged = game.ruleset.judged[obligation.name, move.name]
    assert isinstance(judged, Expr)
    names = {**bound_names(move, action, core.actor), obligation.me: core.actor}
    return bool(evaluate(judged, game.setting(core), names))


def _judge_maximum(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: Maximise, action: Action
) -> Reason:
    """Compare the sums that an action leads to with the greatest ones, by trying all turns."""
    earlier = tuple(_aim(point, o) for o in _binding_before(game, core, point, obligation))
    search = Search(game.machine, _aim(point, obligation), core.actor, earlier)
    own, best = search.sums(core, action), search.greatest(core, core.acts)[0]
    if (own or ()) >= best or search.is_spared(core, action):
        return _make_reason(game, core, obligation, ())
    legal = _offers(point, core.acts)
    if own is None and demand.ends_if is not None:
        return _make_reason(game, core, obligation, legal, [(0, demand.ends_if.span.text, "false")])
    parts = [
        (0, form.span.text, f"{o}, at best {b}") for form, o, b in zip(demand.weights, own or (), best, strict=True)
    ]
    fewer = next((o, b) for o, b in zip(own or (), best, strict=True) if o != b)
    grounds = texts_of(lambda lang: _FEWER[lang].format(own=fewer[0], best=fewer[1]))
    return replace(_make_reason(game, core, obligation, legal, parts), grounds=(grounds,))


def _offers(point: Point, actions: Sequence[Action]) -> list[Offer]:
    known = {move.number: move for move in point.moves}
    return [(known[action[0]], action) for action in actions]


def _aim(point: Point, obligation: Obligation) -> Aim:
    return Aim(point.label, obligation.number, None)


def _binding_before(game: Compiled, core: Core, point: Point, obligation: Obligation) -> Iterator[Obligation]:
    """Yield the obligations on whole turns that bind before this one."""
    for other in takewhile(lambda o: o is not obligation, point.obey):
        binds = other.when is None or evaluate(other.when, game.setting(core), {other.me: core.actor})
        if isinstance(other.demand, Maximise) and binds:
            yield other


def _judge_repetition(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: NeverTwice, action: Action
) -> Reason:
    numbers = evaluate(demand.piles, game.setting(core), {obligation.me: core.actor})
    assert point.seen is not None
    guard = Guard(point.label, obligation.number, point.seen, over=(action[0],), forgetting=())
    left = game.machine.function("never_twice")(core, [action], guard, tuple(numbers))
    return Reason(obligation.name, "obligation", bool(left), obligation.rule)
