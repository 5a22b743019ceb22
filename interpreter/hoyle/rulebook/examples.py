"""Show the worked examples of a ruleset as positions with their outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.events import Event
from hoyle.game.examples.examples import example_options
from hoyle.game.explain.reasons import Reason
from hoyle.game.game import State
from hoyle.game.moves.legal import Move
from hoyle.game.spelling import is_at_place, split_path
from hoyle.game.views.labels import draw_state
from hoyle.game.views.view import View
from hoyle.language.kinds import Row
from hoyle.language.model import text_in
from hoyle.language.sentences import FALLBACK, Sentence, integer
from hoyle.prose.deeds import within
from hoyle.prose.moves import move_title
from hoyle.prose.speech import listed, quoted, sentence
from hoyle.reading.tree import Node, texts_of
from hoyle.rulebook.document import Block, Entries, Entry, Figure, Heading, Paragraph
from hoyle.rulebook.positions import given_facts, given_rows, opened, piles_of, seen_rows
from hoyle.rulebook.tables import looked_at, places_of
from hoyle.rulebook.telling import Telling

MOST_MOVES = 10
MOST_PILES = 4
"""Most piles whose contents after the moves are listed."""
_BELOW_ZERO = re.compile(r"[-−]\d")
"""Negative numbers: no player counts with them in a refusal."""
_SAYS = "— "
"""Separates a player's name from the announcement that follows."""
_SEEN = (Sentence("ground.top"), Sentence("reason.fewer"))
"""Kinds of reasons for a refusal that players see: the top piece of a pile, a move that brings fewer points."""
_GAP = re.compile(r"\\\{\w+\\\}")
"""A placeholder in a sentence after `re.escape`."""


def outcomes(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    """Yield the outcomes of a position, then those of the positions that its moves lead to.

    Raises Refused if a move is not legal.
    """
    moves = node.get("moves")
    before = len(state.events)
    if moves is not None:
        texts, after = _made(state, [text for item in moves.items for text in item.raw.split(";")], told)
        inside = [
            *_events(after, before, told),
            *_outcome_entries(node, after, told),
            *_reached(node, state, after, told),
        ]
        if inside:
            yield Entry(told.say("outcome.after", moves=texts), inside=tuple(inside))
        elif node.get("after") is not None:  # what is told next comes of it
            yield Entry(told.say("outcome.only", moves=texts))
        state = after
    else:
        if node.get("scores") is not None or node.get("said") is not None:
            yield from _events(state, 0, told)
        yield from _outcome_entries(node, state, told)
    yield from _after(node, state, told)


def _after(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    after = node.get("after")
    for text, _, inner in after.entries() if after is not None and after.kind == "map" else ():
        if inner.kind == "map":
            texts, reached = _made(state, text.split(";"), told)
            inside = [
                *_events(reached, len(state.events), told),
                *_outcome_entries(inner, reached, told),
                *_reached(inner, state, reached, told),
                *_after(inner, reached, told),
            ]
            if inside:
                yield Entry(told.say("outcome.after", moves=texts), inside=tuple(inside))


def _made(state: State, moves: Sequence[str], told: Telling) -> tuple[str, State]:
    """Play the moves; return them in words, and the state after them."""
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
    """Yield scores and announcements after event number `before`; adjacent scores of a player are added up."""
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
    """Join announcements of one player under a single name: `B — A♠, 10♠`"""
    first, *rest = [event.text(told.lang) for event in found]
    whose = _shared(first, rest)
    return sentence(", ".join((first, *(text.removeprefix(whose) for text in rest))))


def _shared(first: str, rest: Sequence[str]) -> str:
    """Return the prefix up to the dash that all texts share; empty if they do not share it."""
    whose, dash, _ = first.partition(_SAYS)
    return whose + dash if dash and all(text.startswith(whose + dash) for text in rest) else ""


def _added_up(found: Sequence[Event], seat: str, told: Telling) -> str:
    """Join scores of one player: `A scores 8: fifteen (…) 2, pair (…) 6`"""
    label = told.voice.label("seats", seat)
    parts = [re.sub(rf"^{re.escape(label)} ", "", event.text(told.lang)) for event in found]
    points = sum(int(event.data["score"]) for event in found)
    return told.say(
        "outcome.scored", seat=label, points=integer(points, told.lang), parts=told.say("examples.between").join(parts)
    )


def _outcome_entries(node: Node, state: State, told: Telling) -> Iterator[Entry]:
    if any(node.get(key) is not None for key in ("legal", "forced")):
        yield from _legal(state, told)
    elif node.get("includes") is not None:
        named = [state.find(item.raw) for item in node["includes"].items]
        yield _may(named, "outcome.may_also", state, told)
    yield from _refused(node.get("refused"), state, told)
    yield from _result(node, state, told)


def _reached(node: Node, before: State, state: State, told: Telling) -> Iterator[Entry]:
    """Yield the changed piles and the player to act, if the example states no clearer outcome."""
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
    """Yield the illegal moves with the rule that forbids them, grouped by rule."""
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
    """Return whether the move names a table row that the options exclude."""
    kinds = {var.kind.table for one in told.rules.moves.values() for var in one.bindings if isinstance(var.kind, Row)}
    rows = {told.rules.tables[table].rows[n] for table in kinds for n in told.reach.gone.get(table, ())}
    return any(word.replace("-", "_") in rows for word in move.split())


def _because(reason: Reason, told: Telling) -> str:
    """Return the visible grounds of a refusal in brackets; empty if players could see none of them."""
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


MOST_NAMED = 2
"""Most subjects named in a title."""
_MARK = re.compile(r"^[A-Z]+\d+\w*\s+(?=\w)")
"""The test number before the name of an example."""
MOST = 20
"""Most examples in a rulebook; those that show a new clause come first."""
WIDTH, NARROW = 720, 370
"""Width of pictures in pixels, for pages and for telephones."""
SEED = 1


def start_figure(told: Telling, pictures: bool) -> Iterator[Block]:
    """Yield the table at the first decision of a game with a fixed seed."""
    state = told.game.start(SEED)
    yield Paragraph(told.say("layout.lead"))
    yield _figure(state, told, state.view(state.to_act) if pictures else None, seen_rows(state, told.lang))


def _figure(state: State, told: Telling, seen: View | None, rows: Sequence[tuple[str, str]]) -> Figure:
    """Return a figure of the state, drawn if a view is given."""
    game, lang = state.game.compiled, told.lang
    svg, narrow = (draw_state(game, seen, lang, width=w) if seen is not None else "" for w in (WIDTH, NARROW))
    acts = told.voice.label("seats", state.to_act) if state.to_act else ""
    return Figure(svg, tuple(rows), told.say("layout.seen", seat=acts) if acts else "", narrow)


class _Example(Struct, frozen=True):
    name: str
    node: Node
    given: Node
    shows: tuple[str, ...]


def examples(told: Telling, pictures: bool) -> Iterator[Block]:
    """Yield the examples that hold under the options in force, in the order of the ruleset."""
    number = 0
    for example in _chosen(told):
        try:
            found = tuple(_told(example, told, pictures))
        except Refused:
            continue
        if found:
            number += 1
            cites = tuple(cite for cite in told.cites(" ".join(example.shows)) if cite.link)
            yield Heading(_title(example, number, told), f"example-{number}", cites)
            yield from found


def _chosen(told: Telling) -> list[_Example]:
    every = [one for one in _every(told) if _fits(one, told)]
    shown = set[str]()
    first, rest = list[_Example](), list[_Example]()
    for one in every:
        (first if not one.shows or set(one.shows) - shown else rest).append(one)
        shown.update(one.shows)
    kept = {one.name for one in (*first, *rest)[:MOST]}
    return [one for one in every if one.name in kept]


def _every(told: Telling) -> Iterator[_Example]:
    section = told.game.compiled.merged.root.get("examples")
    for name, _, node in section.entries() if section is not None and section.kind == "map" else ():
        given = node.get("given") if node.kind == "map" else None
        if given is not None and given.kind == "map":
            shows = tuple(node.raw_of("shows").split()) if node.get("shows") is not None else ()
            yield _Example(name, node, given, shows)


def _fits(example: _Example, told: Telling) -> bool:
    """Return whether the example has the options in force and, if it shows clauses, shows one of this book."""
    wanted, _ = example_options(example.node)
    now = told.game.options
    same = all(str(now.get(name)).lower() == str(value).lower() for name, value in wanted.items())
    return same and (not example.shows or any(word in told.clauses for word in example.shows))


def _title(example: _Example, number: int, told: Telling) -> str:
    """Return the title of an example: its text in the language, its name in English, or else its subjects."""
    own = texts_of(example.node).get(told.lang)
    if own:
        return sentence(own)
    if told.lang == FALLBACK:
        return sentence(_MARK.sub("", example.name.replace("_", " ")))
    state = told.game.position(example.given, _seed(example.given))
    about = [*dict.fromkeys(_about(example, state, told))][:MOST_NAMED] or [_place(state, told)]
    numbered = told.say("examples.numbered", number=number)
    return told.say("examples.about", example=numbered, about=listed(about, told.lang))


def _place(state: State, told: Telling) -> str:
    known = told.voice.labels["phases"]
    return [known["game"], *(known[name] for name in split_path(state.place) if name in known)][-1]


def _about(example: _Example, state: State, told: Telling) -> Iterator[str]:
    """Yield the rules that forbid its moves, the rules behind the clauses it shows, and the moves it makes."""
    reasons = [state.why(name) for name in _named(example.node)]
    forbidding = [why.failing.name for why in reasons if why.failing is not None and why.failing.sort == "obligation"]
    yield from (told.voice.label("obligations", name) for name in forbidding)
    yield from _shown(set(example.shows), told)
    if example.node.get("scores") is not None:
        yield told.say("examples.reckoning")
    made = [why.rule for why in reasons]
    yield from (within(move_title(one, told.voice)) for one, move in told.rules.moves.items() if move.rule in made)


def _shown(shows: set[str], told: Telling) -> Iterator[str]:
    """Yield labels of the obligations, table rows, conditions and moves that name these clauses."""
    rules, force, lang = told.rules, told.force, told.lang
    for name, duty in rules.obligations.items():
        if name in force.obligations and shows & set(duty.rule.at.split()):
            yield told.voice.label("obligations", name)
    for table in looked_at(told):
        places = places_of(table, told)
        for n in told.rows(table):
            if shows & set(places[n].split()):
                yield told.voice.label(f"tables/{table.name}", table.rows[n])
    for name in (name for name in rules.moves if name in force.moves):
        for one in rules.moves[name].conditions:
            if one.rule is not None and lang in one.words and shows & set(one.rule.at.split()):
                yield one.words[lang]
    for name, move in rules.moves.items():
        if name in force.moves and shows & set(move.rule.at.split()):
            yield within(move_title(name, told.voice))


def _named(node: Node) -> Iterator[str]:
    """Yield the first move of each sequence that the example makes or refuses."""
    refused, moves, after = (node.get(key) for key in ("refused", "moves", "after"))
    for found in (refused, after):
        if found is not None and found.kind == "map":
            yield from (key.raw.split(";")[0].strip() for _, key, _ in found.entries())
    for found in (refused, moves):
        if found is not None and found.kind == "list":
            yield from (item.raw.split(";")[0].strip() for item in found.items[:1])


def _told(example: _Example, told: Telling, pictures: bool) -> Iterator[Block]:
    state = told.game.position(example.given, _seed(example.given))
    ends = list(outcomes(example.node, state, told))
    if not ends or _never_comes_up(state, told):
        return
    rows, facts = given_rows(example.given, state, told), given_facts(example.given, told)
    stands = _stands(example.given, state)
    seen = opened(example.given, state) if pictures and stands else None
    found = _figure(state, told, seen, rows) if stands else Figure("", tuple(rows), "")
    if found.svg or found.rows:
        yield found
    if facts:
        yield Paragraph(facts)
    yield Entries(tuple(ends))


def _never_comes_up(state: State, told: Telling) -> bool:
    """Return whether a cell of the state holds a table row that the options exclude."""
    for family in told.rules.state.values():
        gone = told.reach.gone.get(family.kind.table, ()) if isinstance(family.kind, Row) else ()
        if any(state.core.cells[family.base + n] in gone for n in range(family.size)):
            return True
    return False


def _seed(given: Node) -> int:
    seed = given.get("seed")
    return int(seed.value) if seed is not None and isinstance(seed.value, int) else 0


def _stands(given: Node, state: State) -> bool:
    """Return whether the state is still at the place that the position gives."""
    at = given.get("at")
    return not state.is_over and (at is None or is_at_place(at.raw, split_path(state.place)))
