"""Why a move is legal or not: what decides, its clause, and what in this position it hangs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Any

from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.explain.move_lookup import (
    actions_meant,
    asked_for,
    leading_from_there,
    legal_ids,
    no_move_of,
    piece_named,
    seen_lying,
)
from hoyle.game.explain.reasons import DEMANDED, Reason, Why, list_grounds, list_witnesses, trace_decision
from hoyle.game.explain.refusals import Wanted, leads_elsewhere, not_bound, not_here, not_offered
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

WORLDS = 6
"""So many states that look alike are compared before a reason is told to a seat."""
INSTEAD = 4
"""So many of the moves that an obligation demands are named."""
Offer = tuple[Move, Action]
Told = Sequence[tuple[int, str, str]]
_HERE = Sentence("reason.here")
_INSTEAD, _FEWER = Sentence("reason.instead"), Sentence("reason.fewer")


def explain_move(game: Compiled, core: Core, move_id: str) -> Why:
    """Everything that bears on a move, with its outcome. The first that fails is the reason."""
    point, wanted, legal = (
        game.machine.points.get(core.pc),
        plain_words(move_id, game.namer.readings),
        legal_ids(game, core),
    )
    nothing = Why(move_id, False, False, Rule(""), (), tuple(legal)[: 2 * INSTEAD])
    if point is None or core.over or not wanted:
        return nothing
    piece = piece_named(game, wanted)
    hidden = piece is not None and not any(seen_lying(game, core, piece))
    actions = [] if hidden else _meant(game, core, point, move_id, wanted)
    known = {move.number: move for move in point.moves}
    found = [_judged(game, core, point, known[action[0]], action) for action in actions]
    if found:
        at = min(range(len(found)), key=lambda i: [r.holds for r in found[i][1]].count(False))
        return _answer(game, core, nothing, (known[actions[at][0]], actions[at]), found[at])
    asked = asked_for(game, core, point, move_id)
    if asked is None:
        return _about_a_piece(game, core, nothing, point, piece)
    if parse_notation(game, core, point.moves, wanted) is None:
        return replace(
            nothing, known=True, rule=asked.move.rule, reasons=(_not_here(asked, point),), texts=asked.texts()
        )
    ways = partial(leading_from_there, asked)
    reason = _no_move(leads_elsewhere(ways)) if ways(FALLBACK) else _not_here(asked, point)
    return replace(nothing, known=True, rule=asked.move.rule, reasons=(reason,))


def _answer(
    game: Compiled,
    core: Core,
    asked: Why,
    about: tuple[Move, Action],
    found: tuple[Rule, tuple[Reason, ...]],
) -> Why:
    """What was asked about, with what was found. By its pieces alone a move is not named, so its id is told."""
    move, action = about
    ident = (
        asked.move
        if match_name([move], plain_words(asked.move, game.namer.readings))
        else _ident(game, core, move, action)
    )
    texts = _words(game, core, move, action)
    legal = action in core.acts
    return replace(asked, move=ident, known=True, legal=legal, rule=found[0], reasons=found[1], texts=texts)


def _meant(game: Compiled, core: Core, point: Point, move_id: str, wanted: str) -> Sequence[Action]:
    """The one legal move that is meant, else all that might be."""
    moves = legal_moves(game, core)
    own = find_exact(game, core, moves, move_id) or find_by_pieces(game, core, moves, wanted)[:1]
    return [own[0].action] if len(own) == 1 else actions_meant(game, core, point, move_id)


def _about_a_piece(game: Compiled, core: Core, asked: Why, point: Point, piece: int | None) -> Why:
    """A piece alone that no move here is about, wherever it lies."""
    if piece is None:
        return asked
    texts = texts_of(lambda lang: game.namer.shown(lang)[piece], game.ruleset.languages)
    return replace(asked, known=True, reasons=(_no_move(no_move_of(game, core, point, piece)),), texts=texts)


def _no_move(words: Texts) -> Reason:
    return Reason("no move", "binding", False, Rule(""), (), words)


def sample_alike_states(game: Compiled, core: Core, player: int) -> list[Core]:
    """A few states that look to a player like this one: none twice, so that it is but one where he sees everything."""
    chance = Chance.stream(sum(1 for e in core.log or () if e[0] == "move"))
    found = islice(sample_determinizations(game, redact(game, core, player), chance, 10 * WORLDS), WORLDS)
    return [*{(world.key(), repr(world.back)): world for world in found}.values()]


def explain_as_known(game: Compiled, core: Core, move_id: str, worlds_seen: Sequence[Core]) -> Why:
    """The same as far as a player can know it: what is found in all states that look `alike` to it."""
    found = [explain_move(game, world, move_id) for world in worlds_seen]
    if not found:
        return Why(move_id, False, False, Rule(""), (), tuple(legal_ids(game, core))[: 2 * INSTEAD])
    first = found[0]
    if any((w.move, w.texts) != (first.move, first.texts) for w in found):
        first = replace(first, move=move_id, texts=())
    if any((w.known, w.legal, w.rule) != (first.known, first.legal, first.rule) for w in found):
        return replace(first, known=True, reasons=() if first.rule.texts else (_no_move(not_here()),))
    told = replace(first, reasons=tuple(_common([w.reasons for w in found])))
    return told if told.legal or told.summary() else replace(told, reasons=(_no_move(not_here()),))


def _common(found: Sequence[Sequence[Reason]]) -> Iterator[Reason]:
    """The reasons that are the same in all, with what is the same of them, up to the first that is not."""
    for first, *others in zip(*found, strict=False):
        if any((r.name, r.holds) != (first.name, first.holds) for r in others):
            return
        parts = tuple(p for p in first.parts if all(p in r.parts for r in others))
        values = tuple(g for g in first.grounds if all(g in r.grounds for r in others))
        yield replace(
            first, parts=parts, grounds=values, words=first.words if all(r.words == first.words for r in others) else ()
        )


def _not_here(asked: Wanted, point: Point) -> Reason:
    """Before any rule is asked: the decision does not offer the move, or the move has nothing to be bound to."""
    move, game, core = asked.move, asked.game, asked.core
    if move not in point.moves:
        return Reason("not offered here", "decision", False, move.rule, (), not_offered(core, move, point))
    return Reason(move.name, "binding", False, move.rule, (), not_bound(asked, list(legal_ids(game, core))))


# ---- what its rules say ----------------------------------------------------------------------------------------------


def _judged(game: Compiled, core: Core, point: Point, move: Move, action: Action) -> tuple[Rule, tuple[Reason, ...]]:
    names = bound_names(move, action, core.actor)
    reasons = [_condition(game, core, move, c, names) for c in move.conditions]
    if all(r.holds for r in reasons):
        reasons += _obligations(game, core, point, move, action)
    return move.rule, tuple(reasons)


def _condition(game: Compiled, core: Core, move: Move, condition: Condition, names: Names) -> Reason:
    part = explain(condition.expr, game.setting(core), names)
    met = list(list_witnesses(part))
    words = texts_of(lambda lang: _HERE[lang].format(what=", ".join(game.namer.value(v, k, lang) for v, k in met)))
    rule = condition.rule or move.rule
    holds, parts = bool(part.value), tuple(trace_decision(game, part))
    return Reason(condition.name, "condition", holds, rule, parts, words if met else (), list_grounds(game, core, part))


def _obligations(game: Compiled, core: Core, point: Point, move: Move, action: Action) -> Iterator[Reason]:
    """The obligations in order; the first that would drop the action is at fault if it is not legal."""
    setting = game.setting(core)
    survivors: list[Offer] | None = None
    for obligation in point.obey:
        names: Names = {obligation.me: core.actor}
        if obligation.when is not None and not evaluate(obligation.when, setting, names):
            continue
        if isinstance(obligation.demand, Maximise | NeverTwice):
            found = _searched(game, core, point, obligation, obligation.demand, move, action)
            yield found
            if not found.holds:
                return
            continue
        if survivors is None:
            survivors = [(m, a) for m in point.moves for a in list_actions(game, core, m) if _allowed(game, core, m, a)]
        instead = _dropping(game, core, obligation, survivors)
        demanded = instead(move, action)
        yield _obliged(game, core, obligation, demanded)
        if demanded:
            return
        survivors = [(m, a) for m, a in survivors if not instead(m, a)]


def _dropping(
    game: Compiled, core: Core, obligation: Obligation, survivors: Sequence[Offer]
) -> Callable[[Move, Action], list[Offer]]:
    """What an obligation prefers to an action: of all actions, or of those that it weighs together with it."""
    good: dict[Any, list[Offer]] = {}
    for offer in survivors:
        if _preferred(game, core, obligation, *offer):
            good.setdefault(_apart(game, core, obligation, *offer), []).append(offer)

    def instead(move: Move, action: Action) -> list[Offer]:
        free = obligation.over is not None and move.name not in obligation.over
        if free or _preferred(game, core, obligation, move, action):
            return []
        return good.get(_apart(game, core, obligation, move, action), [])

    return instead


def _apart(game: Compiled, core: Core, obligation: Obligation, move: Move, action: Action) -> Any:
    """What the actions that an obligation weighs together have in common."""
    if obligation.each is None:
        return None
    each = game.ruleset.apart[obligation.name, move.name]
    found = evaluate(each, game.setting(core), {**bound_names(move, action, core.actor), obligation.me: core.actor})
    return found >> 1 if each.kind.name == "piece" else found


def _obliged(game: Compiled, core: Core, obligation: Obligation, instead: Sequence[Offer], parts: Told = ()) -> Reason:
    """An obligation, and the moves that it demands instead if it forbids this one."""
    match_name = {_ident(game, core, *offer): offer for offer in instead}
    shown = dict(list(match_name.items())[:INSTEAD])

    def called(lang: str) -> str:
        """Ids are English."""
        words = shown if lang == FALLBACK else [text_in(_words(game, core, *offer), lang) for offer in shown.values()]
        return ", ".join(f"`{word}`" for word in words)

    lines = (*parts, *((0, DEMANDED, ident) for ident in shown))
    words = texts_of(lambda lang: _INSTEAD[lang].format(what=called(lang)))
    return Reason(obligation.name, "obligation", not instead, obligation.rule, lines, words if shown else ())


def _words(game: Compiled, core: Core, move: Move, action: Action) -> Texts:
    return texts_of(
        lambda lang: render_move(game, move, action, wording_context(game, core, move, action, lang)),
        game.ruleset.languages,
    )


def _ident(game: Compiled, core: Core, move: Move, action: Action) -> str:
    return game.namer.move_id(move, action, core.actor)


def _allowed(game: Compiled, core: Core, move: Move, action: Action) -> bool:
    names, setting = bound_names(move, action, core.actor), game.setting(core)
    return all(evaluate(c.expr, setting, names) for c in move.conditions)


def _preferred(game: Compiled, core: Core, obligation: Obligation, move: Move, action: Action) -> bool:
    if isinstance(obligation.demand, PreferMoves):
        return move.name in obligation.demand.moves
    judged = game.ruleset.judged[obligation.name, move.name]
    assert isinstance(judged, Expr)
    names = {**bound_names(move, action, core.actor), obligation.me: core.actor}
    return bool(evaluate(judged, game.setting(core), names))


def _searched(
    game: Compiled,
    core: Core,
    point: Point,
    obligation: Obligation,
    demand: Maximise | NeverTwice,
    move: Move,
    action: Action,
) -> Reason:
    """`maximise` and `never_twice` are settled by trying; for a maximum, the sums are told."""
    if obligation.over is not None and move.name not in obligation.over:
        return _obliged(game, core, obligation, ())
    if isinstance(demand, Maximise):
        return _summed(game, core, point, obligation, demand, action)
    return _repeated(game, core, point, obligation, demand, action)


def _summed(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: Maximise, action: Action
) -> Reason:
    earlier = tuple(_aim(point, o) for o in _before(game, core, point, obligation))
    search = Search(game.machine, _aim(point, obligation), core.actor, earlier)
    own, best = search.sums(core, action), search.greatest(core, core.acts)[0]
    if (own or ()) >= best or search.is_spared(core, action):
        return _obliged(game, core, obligation, ())
    if own is None and demand.ends_if is not None:
        return _obliged(game, core, obligation, _offers(core, point), [(0, demand.ends_if.span.text, "false")])
    parts = [
        (0, form.span.text, f"{o}, at best {b}") for form, o, b in zip(demand.weights, own or (), best, strict=True)
    ]
    fewer = next((o, b) for o, b in zip(own or (), best, strict=True) if o != b)
    said = texts_of(lambda lang: _FEWER[lang].format(own=fewer[0], best=fewer[1]))
    return replace(_obliged(game, core, obligation, _offers(core, point), parts), grounds=(said,))


def _offers(core: Core, point: Point) -> list[Offer]:
    """The legal moves."""
    known = {move.number: move for move in point.moves}
    return [(known[action[0]], action) for action in core.acts]


def _aim(point: Point, obligation: Obligation) -> Aim:
    return Aim(point.label, obligation.number, None)


def _before(game: Compiled, core: Core, point: Point, obligation: Obligation) -> Iterator[Obligation]:
    """Those obligations on whole turns that bind before this one."""
    for other in takewhile(lambda o: o is not obligation, point.obey):
        binds = other.when is None or evaluate(other.when, game.setting(core), {other.me: core.actor})
        if isinstance(other.demand, Maximise) and binds:
            yield other


def _repeated(
    game: Compiled, core: Core, point: Point, obligation: Obligation, demand: NeverTwice, action: Action
) -> Reason:
    numbers = evaluate(demand.piles, game.setting(core), {obligation.me: core.actor})
    assert point.seen is not None
    guard = Guard(point.label, obligation.number, point.seen, over=(action[0],), forgetting=())
    left = game.machine.function("never_twice")(core, [action], guard, tuple(numbers))
    return Reason(obligation.name, "obligation", bool(left), obligation.rule)
