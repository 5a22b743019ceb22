"""What an example says must come of a position, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from hoyle.game.events import Event
from hoyle.game.explain.reasons import Reason
from hoyle.game.game import State
from hoyle.game.moves.legal import Move
from hoyle.language.kinds import Row
from hoyle.language.model import text_in
from hoyle.language.sentences import Sentence, integer
from hoyle.prose.speech import listed, quoted, sentence
from hoyle.reading.tree import Node
from hoyle.rulebook.document import Entry
from hoyle.rulebook.positions import piles_of
from hoyle.rulebook.telling import Telling

MOST_MOVES = 10
MOST_PILES = 4
"""What lies there afterwards is told of so many places."""
_BELOW_ZERO = re.compile(r"[-−]\d")
"""What nobody reckons at a table."""
_SAYS = "— "
"""Behind it stands what somebody announces."""
_SEEN = (Sentence("ground.top"), Sentence("reason.fewer"))
"""Of what a refusal hangs on, what one sees or reckons at a table: what lies on top somewhere, and how much less a move brings than the best."""
_GAP = re.compile(r"\\\{\w+\\\}")
"""A place to be filled, in a sentence that is made a pattern."""


def outcomes(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    """What is told of a position, then of those that moves lead to. Raises Refused."""
    moves = node.get("moves")
    before = len(state.events)
    if moves is not None:
        texts, after = _made(state, [text for item in moves.items for text in item.raw.split(";")], told)
        inside = [*_events(after, before, told), *_told(node, after, told), *_reached(node, state, after, told)]
        if inside:
            yield Entry(told.say("outcome.after", moves=texts), inside=tuple(inside))
        elif node.get("after") is not None:  # what is told next comes of it
            yield Entry(told.say("outcome.only", moves=texts))
        state = after
    else:
        if node.get("scores") is not None or node.get("said") is not None:
            yield from _events(state, 0, told)
        yield from _told(node, state, told)
    yield from _after(node, state, told)


def _after(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    after = node.get("after")
    for text, _, inner in after.entries() if after is not None and after.kind == "map" else ():
        if inner.kind == "map":
            texts, reached = _made(state, text.split(";"), told)
            inside = [
                *_events(reached, len(state.events), told),
                *_told(inner, reached, told),
                *_reached(inner, state, reached, told),
                *_after(inner, reached, told),
            ]
            if inside:
                yield Entry(told.say("outcome.after", moves=texts), inside=tuple(inside))


def _made(state: State, moves: Sequence[str], told: Telling) -> tuple[str, State]:
    """The moves in words, and the state after them."""
    texts = []
    for move in moves:
        found = state.find(move.strip())
        texts.append(_words(found, told))
        state = state.play(found)
    return told.say("outcome.then").join(texts), state


def _words(move: Move, told: Telling) -> str:
    seat = told.voice.label("seats", move.seat)
    return told.say("outcome.move", seat=seat, move=move.text(told.lang))


def _events(state: State, before: int, told: Telling) -> Iterator[Entry]:
    """What was scored and said on the way; what one player scores at a stroke is added up."""
    shown = [event for event in state.events[before:] if event.kind in ("score", "say") and event.text(told.lang)]
    for (kind, seat), group in groupby(shown, key=lambda event: (event.kind, event.data.get("to", event.seat))):
        found = list(group)
        if kind == "score" and seat is not None and len(found) > 1:
            yield Entry(_added_up(found, str(seat), told))
        elif kind == "say" and len(found) > 1:
            yield Entry(_in_one_breath(found, told))
        else:
            yield from (Entry(sentence(event.text(told.lang))) for event in found)


def _in_one_breath(found: Sequence[Event], told: Telling) -> str:
    """What one player announces, one thing after the other, with his name only once: `B — A♠, 10♠`"""
    first, *rest = [event.text(told.lang) for event in found]
    whose = _shared(first, rest)
    return sentence(", ".join((first, *(text.removeprefix(whose) for text in rest))))


def _shared(first: str, rest: Sequence[str]) -> str:
    """The words up to the dash with which all begin, if they do."""
    whose, dash, _ = first.partition(_SAYS)
    return whose + dash if dash and all(text.startswith(whose + dash) for text in rest) else ""


def _added_up(found: Sequence[Event], seat: str, told: Telling) -> str:
    """`A scores 8: fifteen (…) 2, pair (…) 6`"""
    label = told.voice.label("seats", seat)
    parts = [re.sub(rf"^{re.escape(label)} ", "", event.text(told.lang)) for event in found]
    points = sum(int(event.data["score"]) for event in found)
    return told.say(
        "outcome.scored", seat=label, points=integer(points, told.lang), parts=told.say("examples.between").join(parts)
    )


def _told(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    if any(node.get(key) is not None for key in ("legal", "forced")):
        yield from _legal(state, told)
    elif node.get("includes") is not None:
        named = [state.find(item.raw) for item in node["includes"].items]
        yield _may(named, "outcome.may_also", state, told)
    yield from _refused(node.get("refused"), state, told)
    yield from _result(node, state, told)


def _reached(node: Node, before: State, state: State, told: Telling) -> Iterator[Entry]:
    """Where moves have led, if no more telling outcome says so: what lies elsewhere than before, and whose turn it is."""
    if any(node.get(key) is not None for key in ("legal", "forced", "includes", "refused", "scores")):
        return
    rows = piles_of(node, state, told, before)[:MOST_PILES]
    yield from (Entry(told.say("outcome.lies", place=place, what=what)) for place, what in rows)
    if node.get("to_act") is not None and state.to_act is not None:
        yield Entry(told.say("outcome.turn", seat=told.voice.label("seats", state.to_act)))


def _legal(state: State, told: Telling) -> Iterator[Entry]:
    moves = state.moves()
    if not moves:
        return
    forced = len(moves) == 1
    shown = moves if len(moves) <= MOST_MOVES else moves[:MOST_MOVES]
    key = "outcome.must" if forced else "outcome.may" if len(moves) <= MOST_MOVES else "outcome.may_also"
    yield _may(shown, key, state, told)


def _may(moves: Sequence[Move], key: str, state: State, told: Telling) -> Entry:
    seat = told.voice.label("seats", state.to_act or state.game.seats[0])
    said = dict.fromkeys(quoted(move.text(told.lang), told.lang) for move in moves)
    return Entry(told.say(key, seat=seat, moves=listed([*said], told.lang, "or")))


def _refused(node: Node | None, state: State, told: Telling) -> Iterator[Entry]:
    """What may not be done, and the rule that says so; what the same rule forbids stands together."""
    names = [key.raw for _, key, _ in node.entries()] if node is not None and node.kind == "map" else []
    names += [item.raw for item in node.items] if node is not None and node.kind == "list" else []
    forbidden: dict[str, tuple[Reason, list[str]]] = {}
    for name in (name for name in names if not _is_of_others(name, told)):
        why = state.why(name)
        reason = why.failing
        if reason is not None and reason.sort in ("condition", "obligation") and why.texts:
            moves = forbidden.setdefault(reason.rule.text(told.lang), (reason, []))[1]
            moves.append(f"{quoted(why.text(told.lang), told.lang)}{_because(reason, told)}")
    for words, (reason, moves) in forbidden.items():
        listing = listed(moves, told.lang, "or")
        yield Entry(told.say("outcome.not", move=listing, why=words), cites=told.cites(reason.rule.at))


def _is_of_others(move: str, told: Telling) -> bool:
    """Does it name a row of a table that the options leave out, so that nobody at this table knows of it?"""
    kinds = {var.kind.table for one in told.rules.moves.values() for var in one.bindings if isinstance(var.kind, Row)}
    rows = {told.rules.tables[table].rows[n] for table in kinds for n in told.reach.gone.get(table, ())}
    return any(word.replace("-", "_") in rows for word in move.split())


def _because(reason: Reason, told: Telling) -> str:
    """What it hangs on in this position, in brackets, as far as people at the table would say it: the rest is what the rule says."""
    seen = [re.compile(_GAP.sub(".+", re.escape(one[told.lang]))) for one in _SEEN]
    found = [text_in(texts, told.lang) for texts in reason.grounds]
    found = [text for text in found if any(one.match(text) for one in seen) and not _BELOW_ZERO.search(text)]
    return f" ({told.say('examples.between').join(found)})" if found else ""


def _result(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    over = node.get("over")
    if over is not None and state.is_over:
        yield Entry(told.say("outcome.over"))
    if node.get("winner") is not None and state.is_over:
        names = [told.voice.label("seats", side) for side in state.winning_sides]
        won = told.say("outcome.winner", seats=listed(names, told.lang)) if names else told.say("outcome.nobody")
        yield Entry(told.say("outcome.tie") if len(names) == len(state.scores) > 1 else won)
    scores = node.get("scores")
    if scores is not None:
        found = [f"{told.voice.label('seats', side)} {points}" for side, points in state.scores.items()]
        yield Entry(told.say("outcome.scores", scores=", ".join(found).replace(" -", " −")))
