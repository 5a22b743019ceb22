"""Describe the steps of a phase in words, with nested steps inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.kinds import Kind, Pile
from hoyle.language.sentences import integer
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
from hoyle.prose.loops import always, among
from hoyle.prose.moves import move_name
from hoyle.prose.noting import known_now, noted, of_words, plainly, scores_nothing
from hoyle.prose.speech import articles, listed, plural, quoted, sentence, the
from hoyle.prose.truths import said
from hoyle.prose.values import pieces_of
from hoyle.prose.voice import Voice, noun_of
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


def lines(steps: Iterable[Step], voice: Voice) -> tuple[Line, ...]:
    """Describe the steps, without those that the options switch off."""
    return tuple(line for step in steps for line in _step(step, voice))


def _step(step: Step, voice: Voice) -> Iterator[Line]:
    if step.loop is not None:
        inner = voice.naming(step.loop.var)
        body = tuple(_conditional(step, inner))
        if body and not _never(step.loop.where, voice):
            yield (
                Line(_for(step.loop, voice, inner), step.at, body)
                if len(body) > 1 or body[0].text.endswith(":")
                else _short(_for(step.loop, voice, inner), body[0], step.at, voice)
            )
        return
    yield from _conditional(step, voice)


def _conditional(step: Step, voice: Voice) -> Iterator[Line]:
    when = step.when
    holds = known_now(when, voice) if when is not None else True
    if holds is False:
        yield from lines(step.otherwise, voice)
        return
    body = tuple(_verb(step, voice))
    if when is None or holds is True:
        yield from body
        return
    if body:
        words, unsaid = said(when, voice), voice.say("verb.when_unsaid")
        lead = voice.say("verb.when", condition=words) if words else unsaid
        if len(body) == 1:
            yield _short(lead, body[0], step.at, voice)
        else:
            yield Line(sentence(lead), step.at, body, brief=sentence(unsaid) if _is_odd(lead, voice) else "")
    others = lines(step.otherwise, voice)
    if others:
        yield Line(voice.say("verb.otherwise"), "", others)


def _short(lead: str, body: Line, at: str, voice: Voice) -> Line:
    """Join a condition and a line in one sentence: `If the stock is empty: …`

    The brief form leaves out a condition that is hard to follow.
    """
    text, brief = sentence(f"{lead} {within(body.text)}").strip(), body.brief
    if not _is_odd(lead, voice):
        brief = sentence(f"{lead} {within(body.brief)}").strip() if body.brief else ""
    elif body.phase and not body.moves:
        text = body.text if body.brief else ""
    return replace(body, text=text, at=at or body.at, brief=brief)


def _is_odd(lead: str, voice: Voice) -> bool:
    """Return whether a condition is too long to follow or quotes an internal label."""
    return len(lead) > LONGEST_LEAD or voice.say("quoted", label="").strip()[0] in lead


def within(text: str) -> str:
    """Return the text with a small first letter, for use inside a sentence."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _never(condition: Expr | None, voice: Voice) -> bool:
    return condition is not None and known_now(condition, voice) is False


def _for(loop: Loop, voice: Voice, inner: Voice) -> str:
    noun = noun_of(loop.var.kind, voice)
    items = plainly(loop.items, voice)
    place = among(items, voice) if items is not None else ""
    if loop.where is None or known_now(loop.where, voice) is True:
        return voice.say("verb.for", noun=noun, among=place)
    where = said(loop.where, inner, LONGEST_WHERE)
    if where is None:
        return voice.say("verb.for_some", noun=noun, among=place)
    return voice.say("verb.for_where", noun=noun, among=place, where=where)


# ---- verbs -----------------------------------------------------------------------------------------------------------


def _verb(step: Step, voice: Voice) -> Iterator[Line]:
    verb = step.verb
    match verb:
        case Do(steps) | AsOne(steps):
            yield from _together(step, lines(steps, voice))
        case Repeat(steps) if _is_once(verb, voice):
            yield from _together(step, lines(steps, voice))
        case Repeat(steps):
            inside = lines(steps, voice)
            if inside:
                yield Line(_repeated(verb, voice), step.at, inside, verb="Repeat", brief=voice.say("verb.repeat"))
        case Turns():
            yield from _turns(verb, step, voice)
        case Run(phase):
            acting = step.me is not None or step.by is not None
            text, brief = _who(step.by, voice) if step.by is not None else ("", "")
            yield Line(text, step.at, phase=phase, acting=acting, verb="Run", brief=brief)
        case Choose() | Play():
            yield _asked(verb, step, voice)
        case Set(pairs):
            for one, value in pairs:
                text = sentence(noted(one, value, voice))
                if voice.rules.state[one.ref.family].layout != "hidden" or len(text) <= LONGEST_NOTE:
                    yield Line(text, step.at, verb="Set", cell=one.ref.family)
        case Score() if scores_nothing(verb, voice):
            return
        case Ends() | Check():
            return
        case _:
            text = _deed(step, voice)
            if text:
                odd = isinstance(verb, Score) and _is_reckoned(verb, voice)
                ends = isinstance(verb, Leave) and verb.phase == "game"
                sort = "Reckoned" if odd else "End" if ends else type(verb).__name__
                yield Line(sentence(text), step.at, verb=sort)


def _is_once(verb: Repeat, voice: Voice) -> bool:
    """Return whether the options leave a single round of the loop."""
    rounds = plainly(verb.rounds, voice) if verb.rounds is not None else None
    stops = verb.until is not None and known_now(verb.until, voice) is True
    return stops or (isinstance(rounds, Const) and rounds.value == 1)


def _together(step: Step, inside: tuple[Line, ...]) -> Iterator[Line]:
    """Yield the lines of a step; the first one gets its references."""
    for n, line in enumerate(inside):
        yield line if n or line.at else replace(line, at=step.at)


def _repeated(verb: Repeat, voice: Voice) -> str:
    until = said(verb.until, voice) if verb.until is not None and known_now(verb.until, voice) is not False else None
    if until:
        return voice.say("verb.repeat_until", until=until)
    if verb.rounds is not None:
        return voice.say("verb.repeat_rounds", rounds=of_words(verb.rounds, voice))
    return voice.say("verb.repeat")


def _turns(verb: Turns, step: Step, voice: Voice) -> Iterator[Line]:
    first = of_words(verb.first, voice)
    until = said(verb.until, voice) if verb.until is not None else None
    once = verb.rounds is not None and isinstance(plain := plainly(verb.rounds, voice), Const) and plain.value == 1
    odd = _is_odd(first, voice)
    form = "turns_until" if until else "turns_once" if once else "turns"
    if odd:
        form = "turns_until_any" if until else "turns_once_any" if once else "turns_any"
    words = {"until": until} if until else {}
    words |= {} if odd else {"first": first}
    text = voice.say(f"verb.{form}", **words)
    brief = voice.say("verb.turns_once_any" if once else "verb.turns_any")
    yield Line(text, step.at, tuple(_passed_over(verb, voice)), phase=verb.phase, acting=True, brief=brief)


def _passed_over(verb: Turns, voice: Voice) -> Iterator[Line]:
    """Yield a sentence about the players who are skipped; later mentions of the player become `he`."""
    if verb.skip is None or known_now(verb.skip, voice) is False:
        return
    player = voice.say("verb.turns_player")
    skip = said(verb.skip, voice.calling(verb.me, player))
    if skip:
        skip = re.sub(rf"^{player}\b", voice.say("verb.turns_he"), skip)
        yield Line(sentence(voice.say("verb.turns_skip", skip=skip)), verb="Skip")


def _who(by: Expr, voice: Voice) -> tuple[str, str]:
    """Return who goes through a phase, with and without the condition that decides between two players."""
    words, plain = said(by, voice), plainly(by, voice)
    if words is None or isinstance(plain, ir.Local) or words == voice.say("value.me"):
        return "", ""
    text = sentence(voice.say("verb.by", player=words))
    if not isinstance(plain, ir.If):
        return text, text
    one, other = voice.of(plain.yes), voice.of(plain.no)
    return text, sentence(voice.say("verb.by_one_of", one=one, other=other))


def _asked(verb: Choose | Play, step: Step, voice: Voice) -> Line:
    moves = [name for name in verb.moves if _possible(name, voice)]
    words = listed([quoted(move_name(name, voice), voice.lang) for name in moves], voice.lang, "or")
    text, brief = (sentence(_offer(verb, step, some, len(moves), voice)) for some in (words, ""))
    inside = [*(lines(verb.then, voice) if isinstance(verb, Play) else ())]
    if step.otherwise and step.when is None:
        inside.append(Line(voice.say("verb.otherwise"), "", lines(step.otherwise, voice)))
    return Line(text, step.at, tuple(inside), tuple(moves), verb.obey, brief=brief.rstrip(" .\u00a0\u202f"))


def _offer(verb: Choose | Play, step: Step, moves: str, count: int, voice: Voice) -> str:
    """Return a sentence about who may make these moves, and how many."""
    by = of_words(step.by, voice) if step.by is not None else voice.say("value.me")
    if isinstance(verb, Play):
        most = said(verb.at_most, voice) if verb.at_most is not None else None
        key, values = ("play_most", {"count": most}) if most else ("play", {})
        return voice.say(f"verb.{key}", by=by, moves=moves, **values)
    if verb.together is not None:
        if _is_everybody(plainly(verb.together, voice)):
            return voice.say("verb.choose_everybody", moves=moves)
        who = of_words(verb.together, voice)
        some = "choose_some" if _is_odd(who, voice) else "choose_together"
        return voice.say(f"verb.{some}", moves=moves, **({"who": who} if some == "choose_together" else {}))
    return voice.say("verb.choose" if count > 1 else "verb.choose_one", by=by, moves=moves)


def _is_everybody(who: Expr | None) -> bool:
    if isinstance(who, ir.Collect):
        return always(who.where) and _is_everybody(who.items)
    return isinstance(who, ir.Rows)


def _possible(name: str, voice: Voice) -> bool:
    return all(known_now(c.expr, voice) is not False for c in voice.rules.moves[name].conditions)


def _deed(step: Step, voice: Voice) -> str:
    verb = step.verb
    match verb:
        case Shuffle(pile, least):
            return voice.say("verb.shuffle" if least is None else "verb.cut", pile=of_words(pile, voice))
        case Roll(count, cup):
            if not isinstance(plainly(count, voice), Const):
                return voice.say("verb.roll_some", pieces=pieces_of(cup.kind, voice))
            return voice.say("verb.roll", amount=_amount(count, cup.kind, voice))
        case Lots(items, into) if isinstance(plainly(items, voice), ir.Rows):
            return voice.say("verb.lots_all", cell=of_words(into, voice))
        case Lots(items, into):
            return voice.say("verb.lots", cell=of_words(into, voice), items=of_words(items, voice))
        case Gather(kind):
            return voice.say("verb.gather", pieces=plural(voice.label("pieces", kind), voice.lang))
        case Deal():
            return _dealt(verb, voice)
        case MovePile() | MovePieces():
            return _moved(verb, voice)
        case Turn(pile, _, up):
            return voice.say("verb.turn_up" if up else "verb.turn_down", pile=of_words(pile, voice))
        case Score():
            return _scored(verb, voice)
        case Say(label):
            by = of_words(step.by, voice) if step.by is not None else voice.say("value.me")
            words = label_words(label, voice)
            key = "say" if label.row is None else "say_row"
            return voice.say(f"verb.{key}", by=by, words=words) if words else ""
        case Leave(phase):
            if phase == "game":
                return voice.say("verb.leave_game")
            return voice.say("verb.leave", phase=quoted(voice.label("phases", phase), voice.lang))
        case TakeBack():
            return voice.say("verb.take_back")
    raise AssertionError(verb)


def _dealt(verb: Deal, voice: Voice) -> str:
    to = the(voice.label("piles", verb.to), voice.lang)
    amount = _amount(verb.count, verb.pile.kind, voice)
    return voice.say(
        "verb.deal", amount=amount, pile=of_words(verb.pile, voice), first=of_words(verb.first, voice), to=to
    )


def _amount(count: Expr, kind: Kind, voice: Voice) -> str:
    """Return a number of pieces in words: `one card`, `13 cards`, `as many cards as …`."""
    pieces, plain = pieces_of(kind, voice), plainly(count, voice)
    if not isinstance(plain, Const):
        return voice.say("verb.amount", pieces=pieces, count=of_words(count, voice))
    if plain.value == 1:
        piece = noun_of(kind.piece if isinstance(kind, Pile) else kind, voice)
        return voice.say("verb.one", piece=piece, **articles(piece, voice.lang))
    return f"{integer(plain.value, voice.lang)} {pieces}"


def _moved(verb: MovePile | MovePieces, voice: Voice) -> str:
    to = of_words(verb.to, voice)
    if isinstance(verb, MovePieces):
        pieces, source = of_words(verb.pieces, voice), of_words(verb.source, voice)
        if verb.count is None:
            return voice.say("verb.move_pieces", pieces=pieces, source=source, to=to)
        return voice.say("verb.move_at_most", pieces=pieces, source=source, to=to, count=of_words(verb.count, voice))
    words = {"pile": of_words(verb.pile, voice), "to": to, "pieces": pieces_of(verb.pile.kind, voice)}
    if verb.count is None:
        return voice.say("verb.move_all_packet" if verb.packet else "verb.move_all", **words)
    key = "verb.move_packet" if verb.packet else "verb.move_some"
    return voice.say(key, amount=_amount(verb.count, verb.pile.kind, voice), **words)


def _is_reckoned(verb: Score, voice: Voice) -> bool:
    """Return whether the points are too complicated to be spelled out."""
    points = said(verb.points, voice)
    return points is None or len(points) > LONGEST_SUM or "(" in points or _is_odd(points, voice)


def _scored(verb: Score, voice: Voice) -> str:
    to, points = of_words(verb.to, voice), said(verb.points, voice)
    label = label_words(verb.label, voice) if verb.label is not None else ""
    row = verb.label is not None and verb.label.row is not None
    if points is None:
        return voice.say("verb.score_unsaid", to=to, label=label) if label else voice.say("verb.score_bare", to=to)
    key = "score_row" if row else "score_for" if label else "score"
    return voice.say(f"verb.{key}", to=to, points=points, label=label)


def label_words(label: Label, voice: Voice) -> str:
    """Return the words of an announcement, as far as they do not depend on the player."""
    if label.telling is not None:
        return in_language(label.telling.words, voice.lang)
    return said(label.row, voice) or "" if label.row is not None else ""
