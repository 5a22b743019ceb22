"""Describe moves, obligations, and rules that apply automatically."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.language.ir import Piles, Var
from hoyle.language.kinds import List
from hoyle.language.model import Condition, Maximise, Move, NeverTwice, Obligation, Prefer, PreferMoves, Whenever
from hoyle.language.steps import Leave, every_step
from hoyle.prose.deeds import lines
from hoyle.prose.loops import among
from hoyle.prose.moves import move_name, move_title
from hoyle.prose.noting import known_now
from hoyle.prose.settled import TooLong, settled
from hoyle.prose.speech import articles, listed, quoted, sentence
from hoyle.prose.truths import any_of, said
from hoyle.prose.voice import Voice, noun_of
from hoyle.rulebook.course import Course
from hoyle.rulebook.document import Block, Entry, Rules, anchor, left_out
from hoyle.rulebook.telling import Telling


def moves(told: Telling, course: Course) -> Iterator[Block]:
    """Yield the moves in force that the course of the game has not described."""
    names = (name for name in told.rules.moves if name in told.force.moves)
    found = [told_move(name, course) for name in names if anchor("move", name) not in course.shown]
    if found:
        yield Rules(tuple(found))


def told_move(name: str, course: Course) -> Entry:
    """Describe a move: its sentence, conditions and effects; in the exact part also what it moves and where to."""
    told = course.told
    move = told.rules.moves[name]
    voice = bound(move, told.voice)
    after, label = lines(move.then, voice), move_title(name, told.voice)
    parts = [*_taken(move, voice), *_chosen(move, voice), *_put(move, voice)]
    inside = [*_said(move, {move.rule.text(told.lang)}, told), *told.besides(move.rule)]
    follows = course.of_rule(after)
    if follows:
        inside.append(Entry(voice.say("move.after"), inside=follows))
    exact = [*parts, *(entry for condition in move.conditions for entry in _condition(move, condition, voice))]
    if after and left_out(course.exact(after), follows):
        exact.append(Entry(voice.say("move.after"), inside=course.exact(after)))
    here = anchor("move", name)
    cites = told.cites_beside(move.rule.at, inside, here)
    return Entry(move.rule.text(told.lang), label, cites, tuple(inside), here, exact=tuple(exact))


def _said(move: Move, sentences: set[str], told: Telling) -> Iterator[Entry]:
    """Yield the conditions that have their own sentences; the sentence of the move covers the others."""
    for condition in move.conditions:
        own = condition.rule.text(told.lang) if condition.rule is not None else ""
        if (
            own
            and own not in sentences
            and condition.rule is not None
            and known_now(condition.expr, told.voice) is None
        ):
            sentences.add(own)
            inside = told.besides(condition.rule)
            cites = told.cites_beside(condition.rule.at, inside, anchor("move", move.name))
            yield Entry(own, cites=cites, inside=inside)


def bound(move: Move, voice: Voice) -> Voice:
    """Return a voice with different names for the origin and target of a move, if they would be called alike."""
    ends = [var for var in (move.origin, move.target) if var is not None]
    if len({noun_of(var.kind, voice) for var in ends}) < len(ends) or any(_is_any(var, voice) for var in ends):
        for var, key in ((move.origin, "leaves"), (move.target, "reaches")):
            if var is not None and var.kind.name == "pile":
                voice = voice.calling(var, voice.say(f"value.{key}"))
    return voice


def _is_any(var: Var, voice: Voice) -> bool:
    return noun_of(var.kind, voice) == voice.say("noun.pile")


def _taken(move: Move, voice: Voice) -> Iterator[Entry]:
    """Yield sentences about the pieces that a move takes and the places it may take them from."""
    piece = noun_of(move.card.kind, voice) if move.card is not None else voice.say("noun.piece")
    found: dict[str, list[str]] = {}
    for take in move.takes:
        source = any_of(take.source, voice)
        if source is not None:
            found.setdefault("takes_any" if take.any_piece else "takes_top", []).append(source)
    for key, sources in found.items():
        where = listed(sources, voice.lang, "or_of")
        words = voice.say(f"move.{key}", piece=piece, piles=where, pieces=where, **articles(piece, voice.lang))
        yield Entry(words)


def _chosen(move: Move, voice: Voice) -> Iterator[Entry]:
    for _, items in move.withs:
        what = any_of(items, voice)
        if what is not None:
            yield Entry(voice.say("move.chooses", what=what))


def _put(move: Move, voice: Voice) -> Iterator[Entry]:
    where = any_of(move.put, voice) if move.put is not None else None
    if where is not None and move.put is not None:
        several = isinstance(move.put.kind, List)
        yield Entry(
            voice.say(
                "move.puts_any" if several and not isinstance(move.put, Piles) else "move.puts_one",
                pile=where,
                piles=where,
            )
        )


def _condition(move: Move, condition: Condition, voice: Voice) -> Iterator[Entry]:
    if known_now(condition.expr, voice) is True:
        return
    words = said(condition.expr, voice)
    label = voice.label(f"moves/{move.name}", condition.name)
    if words:
        yield Entry(voice.say("move.only_if", condition=words), sentence(label))


# ---- obligations -----------------------------------------------------------------------------------------------------


def obligations(told: Telling, course: Course) -> Iterator[Block]:
    """Yield the obligations in force that the course of the game has not described."""
    names = (name for name in told.rules.obligations if name in told.force.obligations)
    found = [told_duty(name, course) for name in names if anchor("obligation", name) not in course.shown]
    if found:
        yield Rules(tuple(found))


def told_duty(name: str, course: Course) -> Entry:
    """Describe an obligation: its sentence; in the exact part also its demands."""
    told, voice = course.told, course.told.voice
    duty = told.rules.obligations[name]
    inside, exact = [*told.besides(duty.rule)], [Entry(text) for text in _demanded(duty, told)]
    if duty.when is not None and known_now(duty.when, voice) is None:
        words = said(duty.when, voice)
        exact += [Entry(voice.say("move.binds_when", condition=words))] if words else []
    if duty.callable is not None and known_now(duty.callable, voice) is not False:
        inside.append(Entry(voice.say("move.callable")))
    label = sentence(voice.label("obligations", duty.name))
    here = anchor("obligation", name)
    cites = told.cites_beside(duty.rule.at, inside, here)
    return Entry(duty.rule.text(told.lang), label, cites, tuple(inside), here, exact=tuple(exact))


def _demanded(duty: Obligation, told: Telling) -> Iterator[str]:
    voice = told.voice
    match duty.demand:
        case Prefer():
            words = [
                text
                for (name, move), judged in told.rules.judged.items()
                if name == duty.name and move in told.force.moves and not isinstance(judged, tuple)
                if known_now(judged, voice) is None and (text := said(judged, bound(told.rules.moves[move], voice)))
            ]
            if len(set(words)) == 1:
                yield voice.say("move.demands", condition=words[0])
        case PreferMoves(moves=moves):
            names = [quoted(move_name(name, voice), voice.lang) for name in moves if name in told.force.moves]
            if names:
                yield voice.say("move.demands_moves", moves=listed(names, voice.lang, "or"))
        case NeverTwice():
            yield voice.say("move.never_twice")
        case Maximise():
            pass
    if duty.over is not None:
        names = [quoted(move_name(name, voice), voice.lang) for name in duty.over if name in told.force.moves]
        if names:
            yield voice.say("move.over", moves=listed(names, voice.lang))


# ---- what happens by itself ------------------------------------------------------------------------------------------


def by_itself(told: Telling, course: Course, ends: bool) -> Iterator[Block]:
    """Yield the automatic rules that end the game if `ends`, otherwise the others."""
    found = [entry for name, entry in told.rules.whenever.items() if name in told.force.whenever]
    found = [entry for entry in found if _ends(entry) == ends]
    if found:
        yield Rules(tuple(_whenever(entry, told, course) for entry in found))


def _ends(entry: Whenever) -> bool:
    return any(isinstance(step.verb, Leave) and step.verb.phase == "game" for step in every_step(entry.do))


def _whenever(entry: Whenever, told: Telling, course: Course) -> Entry:
    voice = told.voice
    inner = voice.naming(entry.loop.var) if entry.loop is not None else voice
    done = lines(entry.do, inner)
    inside, exact = (
        (*told.besides(entry.rule), *course.of_rule(done)),
        [Entry(text) for text in [_happens(entry, inner, voice)] if text],
    )
    if left_out(course.exact(done), inside):
        exact += course.exact(done)
    label = sentence(voice.label("whenever", entry.name))
    here = anchor("whenever", entry.name)
    cites = told.cites_beside(entry.rule.at, inside, here)
    return Entry(entry.rule.text(told.lang), label, cites, inside, here, exact=tuple(exact))


def _happens(entry: Whenever, inner: Voice, voice: Voice) -> str:
    words = said(entry.condition, inner)
    if words is None:
        return ""
    if entry.loop is None:
        return voice.say("move.happens_when", condition=words)
    try:
        items = among(settled(entry.loop.items, voice.rules.attributes.by_name), voice)
    except TooLong:
        return ""
    return voice.say("move.happens_for", condition=words, noun=noun_of(entry.loop.var.kind, voice), among=items)
