"""Describe the steps of a phase in words, with nested steps inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.sentences import format_integer
from hoyle.language.steps import (
    AsOne,
    Check,
    Choose,
    Deal,
    Do,
    Ends,
    Gather,
    Label,
    Leave,
    Loop,
    Lots,
    MovePieces,
    MovePile,
    Play,
    Repeat,
    Roll,
    Run,
    Say,
    Score,
    Set,
    Shuffle,
    Step,
    TakeBack,
    Turn,
    Turns,
)
from hoyle.language.value_types import Pile, ValueType
from hoyle.prose.assignments import decide_condition, describe_assignment, describe_briefly, is_zero_score, try_simplify
from hoyle.prose.conditions import describe_formula
from hoyle.prose.grammar import add_the, capitalize, find_articles, join_list, pluralize, quote
from hoyle.prose.loops import describe_source, is_always_true
from hoyle.prose.moves import build_move_name
from hoyle.prose.values import name_pieces
from hoyle.prose.voice import Voice, find_noun
from hoyle.running.naming import in_language

LONGEST_NOTE = 110
"""Most characters of a sentence about a hidden cell."""


LONGEST_WHERE = 240
"""Most characters of the condition of a loop."""


LONGEST_SUM = 60
"""Most characters of points that are spelled out although a clause may tell them."""
LONGEST_LEAD = 120
"""Most characters of the condition of a step."""


class Line(Struct, frozen=True):
    """A sentence about a step, with the lines inside it.

    `at` holds its references to the source, `moves` the moves offered, `obey` their obligations, `phase`
    the phase it runs. `verb` is the type of the step, `cell` the cell that a `Set` changes. `brief` is the
    sentence without its condition, if a clause can tell that.
    """

    text: str
    at: str = ""
    inside: tuple[Line, ...] = ()
    moves: tuple[str, ...] = ()
    obey: tuple[str, ...] = ()
    phase: str = ""
    acting: bool = False
    verb: str = ""
    cell: str = ""
    brief: str = ""


def describe_steps(steps: Iterable[Step], voice: Voice) -> tuple[Line, ...]:
    """Describe the steps, without those that the options switch off."""
    return tuple(line for step in steps for line in _describe_step(step, voice))


def _describe_step(step: Step, voice: Voice) -> Iterator[Line]:
    if step.loop is not None:
        inner = voice.naming(step.loop.var)
        body = tuple(_describe_conditional_step(step, inner))
        if body and not _is_never_true(step.loop.where, voice):
            yield (
                Line(_describe_loop(step.loop, voice, inner), step.at, body)
                if len(body) > 1 or body[0].text.endswith(":")
                else _join_condition(_describe_loop(step.loop, voice, inner), body[0], step.at, voice)
            )
        return
    yield from _describe_conditional_step(step, voice)


def _describe_conditional_step(step: Step, voice: Voice) -> Iterator[Line]:
    when = step.when
    holds = decide_condition(when, voice) if when is not None else True
    if holds is False:
        yield from describe_steps(step.otherwise, voice)
        return
    body = tuple(_describe_verb(step, voice))
    if when is None or holds is True:
        yield from body
        return
    if body:
        words, unsaid = describe_formula(when, voice), voice.say("verb.when_unsaid")
        lead = voice.say("verb.when", condition=words) if words else unsaid
        if len(body) == 1:
            yield _join_condition(lead, body[0], step.at, voice)
        else:
            yield Line(
                capitalize(lead), step.at, body, brief=capitalize(unsaid) if _is_hard_to_follow(lead, voice) else ""
            )
    others = describe_steps(step.otherwise, voice)
    if others:
        yield Line(voice.say("verb.otherwise"), "", others)


def _join_condition(lead: str, body: Line, at: str, voice: Voice) -> Line:
    """Join a condition and a line in one sentence: `If the stock is empty: …`

    The brief form leaves out a condition that is hard to follow.
    """
    text, brief = capitalize(f"{lead} {uncapitalize(body.text)}").strip(), body.brief
    if not _is_hard_to_follow(lead, voice):
        brief = capitalize(f"{lead} {uncapitalize(body.brief)}").strip() if body.brief else ""
    elif body.phase and not body.moves:
        text = body.text if body.brief else ""
    return replace(body, text=text, at=at or body.at, brief=brief)


def _is_hard_to_follow(lead: str, voice: Voice) -> bool:
    """Return whether a condition is too long to follow or quotes an internal label."""
    return len(lead) > LONGEST_LEAD or voice.say("quoted", label="").strip()[0] in lead


def uncapitalize(text: str) -> str:
    """Return the text with a small first letter, for use inside a sentence."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _is_never_true(condition: Expr | None, voice: Voice) -> bool:
    return condition is not None and decide_condition(condition, voice) is False


def _describe_loop(loop: Loop, voice: Voice, inner: Voice) -> str:
    noun = find_noun(loop.var.type, voice)
    items = try_simplify(loop.items, voice)
    place = describe_source(items, voice) if items is not None else ""
    if loop.where is None or decide_condition(loop.where, voice) is True:
        return voice.say("verb.for", noun=noun, among=place)
    where = describe_formula(loop.where, inner, LONGEST_WHERE)
    if where is None:
        return voice.say("verb.for_some", noun=noun, among=place)
    return voice.say("verb.for_where", noun=noun, among=place, where=where)


# ---- verbs -----------------------------------------------------------------------------------------------------------


def _describe_verb(step: Step, voice: Voice) -> Iterator[Line]:
    verb = step.verb
    match verb:
        case Do(steps) | AsOne(steps):
            yield from _attach_references(step, describe_steps(steps, voice))
        case Repeat(steps) if _is_once(verb, voice):
            yield from _attach_references(step, describe_steps(steps, voice))
        case Repeat(steps):
            inside = describe_steps(steps, voice)
            if inside:
                yield Line(
                    _describe_repetition(verb, voice), step.at, inside, verb="Repeat", brief=voice.say("verb.repeat")
                )
        case Turns():
            yield from _describe_turns(verb, step, voice)
        case Run(phase):
            acting = step.me is not None or step.by is not None
            text, brief = _describe_player(step.by, voice) if step.by is not None else ("", "")
            yield Line(text, step.at, phase=phase, acting=acting, verb="Run", brief=brief)
        case Choose() | Play():
            yield _describe_choice(verb, step, voice)
        case Set(pairs):
            for one, value in pairs:
                text = capitalize(describe_assignment(one, value, voice))
                if voice.rules.state[one.ref.family].layout != "hidden" or len(text) <= LONGEST_NOTE:
                    yield Line(text, step.at, verb="Set", cell=one.ref.family)
        case Score() if is_zero_score(verb, voice):
            return
        case Ends() | Check():
            return
        case _:
            text = _describe_action(step, voice)
            if text:
                odd = isinstance(verb, Score) and _is_complicated_sum(verb, voice)
                ends = isinstance(verb, Leave) and verb.phase == "game"
                sort = "Reckoned" if odd else "End" if ends else type(verb).__name__
                yield Line(capitalize(text), step.at, verb=sort)


def _is_once(verb: Repeat, voice: Voice) -> bool:
    """Return whether the options leave a single round of the loop."""
    rounds = try_simplify(verb.rounds, voice) if verb.rounds is not None else None
    stops = verb.until is not None and decide_condition(verb.until, voice) is True
    return stops or (isinstance(rounds, Const) and rounds.value == 1)


def _attach_references(step: Step, inside: tuple[Line, ...]) -> Iterator[Line]:
    """Yield the lines of a step; the first one gets its references."""
    for n, line in enumerate(inside):
        yield line if n or line.at else replace(line, at=step.at)


def _describe_repetition(verb: Repeat, voice: Voice) -> str:
    until = (
        describe_formula(verb.until, voice)
        if verb.until is not None and decide_condition(verb.until, voice) is not False
        else None
    )
    if until:
        return voice.say("verb.repeat_until", until=until)
    if verb.rounds is not None:
        return voice.say("verb.repeat_rounds", rounds=describe_briefly(verb.rounds, voice))
    return voice.say("verb.repeat")


def _describe_turns(verb: Turns, step: Step, voice: Voice) -> Iterator[Line]:
    first = describe_briefly(verb.first, voice)
    until = describe_formula(verb.until, voice) if verb.until is not None else None
    once = verb.rounds is not None and isinstance(plain := try_simplify(verb.rounds, voice), Const) and plain.value == 1
    odd = _is_hard_to_follow(first, voice)
    form = "turns_until" if until else "turns_once" if once else "turns"
    if odd:
        form = "turns_until_any" if until else "turns_once_any" if once else "turns_any"
    words = {"until": until} if until else {}
    words |= {} if odd else {"first": first}
    text = voice.say(f"verb.{form}", **words)
    brief = voice.say("verb.turns_once_any" if once else "verb.turns_any")
    yield Line(text, step.at, tuple(_describe_skipped_players(verb, voice)), phase=verb.phase, acting=True, brief=brief)


def _describe_skipped_players(verb: Turns, voice: Voice) -> Iterator[Line]:
    """Yield a sentence about the players who are skipped; later mentions of the player become `he`."""
    if verb.skip is None or decide_condition(verb.skip, voice) is False:
        return
    player = voice.say("verb.turns_player")
    skip = describe_formula(verb.skip, voice.calling(verb.me, player))
    if skip:
        skip = re.sub(rf"^{player}\b", voice.say("verb.turns_he"), skip)
        yield Line(capitalize(voice.say("verb.turns_skip", skip=skip)), verb="Skip")


def _describe_player(by: Expr, voice: Voice) -> tuple[str, str]:
    """Return who goes through a phase, with and without the condition that decides between two players."""
    words, plain = describe_formula(by, voice), try_simplify(by, voice)
    if words is None or isinstance(plain, ir.Local) or words == voice.say("value.me"):
        return "", ""
    text = capitalize(voice.say("verb.by", player=words))
    if not isinstance(plain, ir.If):
        return text, text
    one, other = voice.of(plain.yes), voice.of(plain.no)
    return text, capitalize(voice.say("verb.by_one_of", one=one, other=other))


def _describe_choice(verb: Choose | Play, step: Step, voice: Voice) -> Line:
    moves = [name for name in verb.moves if _is_possible(name, voice)]
    words = join_list([quote(build_move_name(name, voice), voice.lang) for name in moves], voice.lang, "or")
    text, brief = (capitalize(_describe_offer(verb, step, some, len(moves), voice)) for some in (words, ""))
    inside = [*(describe_steps(verb.then, voice) if isinstance(verb, Play) else ())]
    if step.otherwise and step.when is None:
        inside.append(Line(voice.say("verb.otherwise"), "", describe_steps(step.otherwise, voice)))
    return Line(text, step.at, tuple(inside), tuple(moves), verb.obey, brief=brief.rstrip(" .\u00a0\u202f"))


def _describe_offer(verb: Choose | Play, step: Step, moves: str, count: int, voice: Voice) -> str:
    """Return a sentence about who may make these moves, and how many."""
    by = describe_briefly(step.by, voice) if step.by is not None else voice.say("value.me")
    if isinstance(verb, Play):
        most = describe_formula(verb.at_most, voice) if verb.at_most is not None else None
        key, values = ("play_most", {"count": most}) if most else ("play", {})
        return voice.say(f"verb.{key}", by=by, moves=moves, **values)
    if verb.together is not None:
        if _is_everybody(try_simplify(verb.together, voice)):
            return voice.say("verb.choose_everybody", moves=moves)
        who = describe_briefly(verb.together, voice)
        some = "choose_some" if _is_hard_to_follow(who, voice) else "choose_together"
        return voice.say(f"verb.{some}", moves=moves, **({"who": who} if some == "choose_together" else {}))
    return voice.say("verb.choose" if count > 1 else "verb.choose_one", by=by, moves=moves)


def _is_everybody(who: Expr | None) -> bool:
    if isinstance(who, ir.Collect):
        return is_always_true(who.where) and _is_everybody(who.items)
    return isinstance(who, ir.Rows)


def _is_possible(name: str, voice: Voice) -> bool:
    return all(decide_condition(c.expr, voice) is not False for c in voice.rules.moves[name].conditions)


def _describe_action(step: Step, voice: Voice) -> str:
    verb = step.verb
    match verb:
        case Shuffle(pile, least):
            return voice.say("verb.shuffle" if least is None else "verb.cut", pile=describe_briefly(pile, voice))
        case Roll(count, cup):
            if not isinstance(try_simplify(count, voice), Const):
                return voice.say("verb.roll_some", pieces=name_pieces(cup.type, voice))
            return voice.say("verb.roll", amount=_describe_amount(count, cup.type, voice))
        case Lots(items, into) if isinstance(try_simplify(items, voice), ir.Rows):
            return voice.say("verb.lots_all", cell=describe_briefly(into, voice))
        case Lots(items, into):
            return voice.say("verb.lots", cell=describe_briefly(into, voice), items=describe_briefly(items, voice))
        case Gather(kind):
            return voice.say("verb.gather", pieces=pluralize(voice.label("pieces", kind), voice.lang))
        case Deal():
            return _describe_deal(verb, voice)
        case MovePile() | MovePieces():
            return _describe_transfer(verb, voice)
        case Turn(pile, _, up):
            return voice.say("verb.turn_up" if up else "verb.turn_down", pile=describe_briefly(pile, voice))
        case Score():
            return _describe_score(verb, voice)
        case Say(label):
            by = describe_briefly(step.by, voice) if step.by is not None else voice.say("value.me")
            words = describe_label(label, voice)
            key = "say" if label.row is None else "say_row"
            return voice.say(f"verb.{key}", by=by, words=words) if words else ""
        case Leave(phase):
            if phase == "game":
                return voice.say("verb.leave_game")
            return voice.say("verb.leave", phase=quote(voice.label("phases", phase), voice.lang))
        case TakeBack():
            return voice.say("verb.take_back")
    raise AssertionError(verb)


def _describe_deal(verb: Deal, voice: Voice) -> str:
    to = add_the(voice.label("piles", verb.to), voice.lang)
    amount = _describe_amount(verb.count, verb.pile.type, voice)
    return voice.say(
        "verb.deal",
        amount=amount,
        pile=describe_briefly(verb.pile, voice),
        first=describe_briefly(verb.first, voice),
        to=to,
    )


def _describe_amount(count: Expr, value_type: ValueType, voice: Voice) -> str:
    """Return a number of pieces in words: `one card`, `13 cards`, `as many cards as …`."""
    pieces, plain = name_pieces(value_type, voice), try_simplify(count, voice)
    if not isinstance(plain, Const):
        return voice.say("verb.amount", pieces=pieces, count=describe_briefly(count, voice))
    if plain.value == 1:
        piece = find_noun(value_type.piece if isinstance(value_type, Pile) else value_type, voice)
        return voice.say("verb.one", piece=piece, **find_articles(piece, voice.lang))
    return f"{format_integer(plain.value, voice.lang)} {pieces}"


def _describe_transfer(verb: MovePile | MovePieces, voice: Voice) -> str:
    to = describe_briefly(verb.to, voice)
    if isinstance(verb, MovePieces):
        pieces, source = describe_briefly(verb.pieces, voice), describe_briefly(verb.source, voice)
        if verb.count is None:
            return voice.say("verb.move_pieces", pieces=pieces, source=source, to=to)
        return voice.say(
            "verb.move_at_most", pieces=pieces, source=source, to=to, count=describe_briefly(verb.count, voice)
        )
    words = {"pile": describe_briefly(verb.pile, voice), "to": to, "pieces": name_pieces(verb.pile.type, voice)}
    if verb.count is None:
        return voice.say("verb.move_all_packet" if verb.packet else "verb.move_all", **words)
    key = "verb.move_packet" if verb.packet else "verb.move_some"
    return voice.say(key, amount=_describe_amount(verb.count, verb.pile.type, voice), **words)


def _is_complicated_sum(verb: Score, voice: Voice) -> bool:
    """Return whether the points are too complicated to be spelled out."""
    points = describe_formula(verb.points, voice)
    return points is None or len(points) > LONGEST_SUM or "(" in points or _is_hard_to_follow(points, voice)


def _describe_score(verb: Score, voice: Voice) -> str:
    to, points = describe_briefly(verb.to, voice), describe_formula(verb.points, voice)
    label = describe_label(verb.label, voice) if verb.label is not None else ""
    row = verb.label is not None and verb.label.row is not None
    if points is None:
        return voice.say("verb.score_unsaid", to=to, label=label) if label else voice.say("verb.score_bare", to=to)
    key = "score_row" if row else "score_for" if label else "score"
    return voice.say(f"verb.{key}", to=to, points=points, label=label)


def describe_label(label: Label, voice: Voice) -> str:
    """Return the words of an announcement, as far as they do not depend on the player."""
    if label.telling is not None:
        return in_language(label.telling.words, voice.lang)
    return describe_formula(label.row, voice) or "" if label.row is not None else ""
