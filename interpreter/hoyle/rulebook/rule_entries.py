"""Describe moves, obligations, and rules that apply automatically."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.language.ir import Piles, Var
from hoyle.language.model import Condition, Maximise, Move, NeverTwice, Obligation, Prefer, PreferMoves, Whenever
from hoyle.language.steps import Leave, every_step
from hoyle.language.value_types import List
from hoyle.prose.assignments import decide_condition
from hoyle.prose.conditions import describe_choice, describe_formula
from hoyle.prose.grammar import capitalize, find_articles, join_list, quote
from hoyle.prose.loops import describe_source
from hoyle.prose.moves import build_move_name, build_move_title
from hoyle.prose.simplification import TooLong, simplify_formula
from hoyle.prose.step_sentences import describe_steps
from hoyle.prose.voice import Voice, find_noun
from hoyle.rulebook.context import RulebookContext
from hoyle.rulebook.course import Course
from hoyle.rulebook.document import Block, Entry, Rules, has_more_text, make_anchor


def write_moves(context: RulebookContext, course: Course) -> Iterator[Block]:
    """Yield the moves in force that the course of the game has not described."""
    names = (name for name in context.rules.moves if name in context.force.moves)
    found = [describe_move(name, course) for name in names if make_anchor("move", name) not in course.shown]
    if found:
        yield Rules(tuple(found))


def describe_move(name: str, course: Course) -> Entry:
    """Describe a move: its sentence, conditions and effects; in the exact part also what it moves and where to."""
    context = course.context
    move = context.rules.moves[name]
    voice = name_ends(move, context.voice)
    after, label = describe_steps(move.then, voice), build_move_title(name, context.voice)
    parts = [*_describe_taken(move, voice), *_describe_chosen(move, voice), *_describe_placed(move, voice)]
    inside = [*_list_conditions(move, {move.rule.text(context.lang)}, context), *context.besides(move.rule)]
    follows = course.of_rule(after)
    if follows:
        inside.append(Entry(voice.say("move.after"), inside=follows))
    exact = [*parts, *(entry for condition in move.conditions for entry in _describe_condition(move, condition, voice))]
    if after and has_more_text(course.exact(after), follows):
        exact.append(Entry(voice.say("move.after"), inside=course.exact(after)))
    here = make_anchor("move", name)
    cites = context.cites_beside(move.rule.at, inside, here)
    return Entry(move.rule.text(context.lang), label, cites, tuple(inside), here, exact=tuple(exact))


def _list_conditions(move: Move, sentences: set[str], context: RulebookContext) -> Iterator[Entry]:
    """Yield the conditions that have their own sentences; the sentence of the move covers the others."""
    for condition in move.conditions:
        own = condition.rule.text(context.lang) if condition.rule is not None else ""
        if (
            own
            and own not in sentences
            and condition.rule is not None
            and decide_condition(condition.expr, context.voice) is None
        ):
            sentences.add(own)
            inside = context.besides(condition.rule)
            cites = context.cites_beside(condition.rule.at, inside, make_anchor("move", move.name))
            yield Entry(own, cites=cites, inside=inside)


def name_ends(move: Move, voice: Voice) -> Voice:
    """Return a voice in which the origin and target of a move have different names, if both would have the same name."""
    ends = [var for var in (move.origin, move.target) if var is not None]
    if len({find_noun(var.type, voice) for var in ends}) < len(ends) or any(_is_any(var, voice) for var in ends):
        for var, key in ((move.origin, "leaves"), (move.target, "reaches")):
            if var is not None and var.type.name == "pile":
                voice = voice.calling(var, voice.say(f"value.{key}"))
    return voice


def _is_any(var: Var, voice: Voice) -> bool:
    return find_noun(var.type, voice) == voice.say("noun.pile")


def _describe_taken(move: Move, voice: Voice) -> Iterator[Entry]:
    """Yield sentences about the pieces that a move takes and the places it may take them from."""
    piece = find_noun(move.card.type, voice) if move.card is not None else voice.say("noun.piece")
    found: dict[str, list[str]] = {}
    for take in move.takes:
        source = describe_choice(take.source, voice)
        if source is not None:
            found.setdefault("takes_any" if take.any_piece else "takes_top", []).append(source)
    for key, sources in found.items():
        where = join_list(sources, voice.lang, "or_of")
        words = voice.say(f"move.{key}", piece=piece, piles=where, pieces=where, **find_articles(piece, voice.lang))
        yield Entry(words)


def _describe_chosen(move: Move, voice: Voice) -> Iterator[Entry]:
    for _, items in move.withs:
        what = describe_choice(items, voice)
        if what is not None:
            yield Entry(voice.say("move.chooses", what=what))


def _describe_placed(move: Move, voice: Voice) -> Iterator[Entry]:
    where = describe_choice(move.put, voice) if move.put is not None else None
    if where is not None and move.put is not None:
        several = isinstance(move.put.type, List)
        yield Entry(
            voice.say(
                "move.puts_any" if several and not isinstance(move.put, Piles) else "move.puts_one",
                pile=where,
                piles=where,
            )
        )


def _describe_condition(move: Move, condition: Condition, voice: Voice) -> Iterator[Entry]:
    if decide_condition(condition.expr, voice) is True:
        return
    words = describe_formula(condition.expr, voice)
    label = voice.label(f"moves/{move.name}", condition.name)
    if words:
        yield Entry(voice.say("move.only_if", condition=words), capitalize(label))


# ---- obligations -----------------------------------------------------------------------------------------------------


def write_obligations(context: RulebookContext, course: Course) -> Iterator[Block]:
    """Yield the obligations in force that the course of the game has not described."""
    names = (name for name in context.rules.obligations if name in context.force.obligations)
    found = [describe_obligation(name, course) for name in names if make_anchor("obligation", name) not in course.shown]
    if found:
        yield Rules(tuple(found))


def describe_obligation(name: str, course: Course) -> Entry:
    """Describe an obligation: its sentence; in the exact part also its demands."""
    context, voice = course.context, course.context.voice
    duty = context.rules.obligations[name]
    inside, exact = [*context.besides(duty.rule)], [Entry(text) for text in _describe_demands(duty, context)]
    if duty.when is not None and decide_condition(duty.when, voice) is None:
        words = describe_formula(duty.when, voice)
        exact += [Entry(voice.say("move.binds_when", condition=words))] if words else []
    if duty.callable is not None and decide_condition(duty.callable, voice) is not False:
        inside.append(Entry(voice.say("move.callable")))
    label = capitalize(voice.label("obligations", duty.name))
    here = make_anchor("obligation", name)
    cites = context.cites_beside(duty.rule.at, inside, here)
    return Entry(duty.rule.text(context.lang), label, cites, tuple(inside), here, exact=tuple(exact))


def _describe_demands(duty: Obligation, context: RulebookContext) -> Iterator[str]:
    voice = context.voice
    match duty.demand:
        case Prefer():
            words = [
                text
                for (name, move), judged in context.rules.judged.items()
                if name == duty.name and move in context.force.moves and not isinstance(judged, tuple)
                if decide_condition(judged, voice) is None
                and (text := describe_formula(judged, name_ends(context.rules.moves[move], voice)))
            ]
            if len(set(words)) == 1:
                yield voice.say("move.demands", condition=words[0])
        case PreferMoves(moves=write_moves):
            names = [
                quote(build_move_name(name, voice), voice.lang) for name in write_moves if name in context.force.moves
            ]
            if names:
                yield voice.say("move.demands_moves", moves=join_list(names, voice.lang, "or"))
        case NeverTwice():
            yield voice.say("move.never_twice")
        case Maximise():
            pass
    if duty.over is not None:
        names = [quote(build_move_name(name, voice), voice.lang) for name in duty.over if name in context.force.moves]
        if names:
            yield voice.say("move.over", moves=join_list(names, voice.lang))


# ---- what happens by itself ------------------------------------------------------------------------------------------


def write_automatic_rules(context: RulebookContext, course: Course, ends: bool) -> Iterator[Block]:
    """Yield the automatic rules that end the game if `ends`, otherwise the others."""
    found = [entry for name, entry in context.rules.whenever.items() if name in context.force.whenever]
    found = [entry for entry in found if _ends(entry) == ends]
    if found:
        yield Rules(tuple(_describe_automatic_rule(entry, context, course) for entry in found))


def _ends(entry: Whenever) -> bool:
    return any(isinstance(step.verb, Leave) and step.verb.phase == "game" for step in every_step(entry.do))


def _describe_automatic_rule(entry: Whenever, context: RulebookContext, course: Course) -> Entry:
    voice = context.voice
    inner = voice.naming(entry.loop.var) if entry.loop is not None else voice
    done = describe_steps(entry.do, inner)
    inside, exact = (
        (*context.besides(entry.rule), *course.of_rule(done)),
        [Entry(text) for text in [_describe_event(entry, inner, voice)] if text],
    )
    if has_more_text(course.exact(done), inside):
        exact += course.exact(done)
    label = capitalize(voice.label("whenever", entry.name))
    here = make_anchor("whenever", entry.name)
    cites = context.cites_beside(entry.rule.at, inside, here)
    return Entry(entry.rule.text(context.lang), label, cites, inside, here, exact=tuple(exact))


def _describe_event(entry: Whenever, inner: Voice, voice: Voice) -> str:
    words = describe_formula(entry.condition, inner)
    if words is None:
        return ""
    if entry.loop is None:
        return voice.say("move.happens_when", condition=words)
    try:
        items = describe_source(simplify_formula(entry.loop.items, voice.rules.attributes.by_name), voice)
    except TooLong:
        return ""
    return voice.say("move.happens_for", condition=words, noun=find_noun(entry.loop.var.type, voice), among=items)
