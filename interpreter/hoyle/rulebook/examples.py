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
from hoyle.language.model import text_in
from hoyle.language.sentences import FALLBACK, Sentence, format_integer
from hoyle.language.value_types import Row
from hoyle.prose.grammar import capitalize, join_list, quote
from hoyle.prose.moves import build_move_title
from hoyle.prose.step_sentences import uncapitalize
from hoyle.reading.tree import Node, texts_of
from hoyle.rulebook.context import RulebookContext
from hoyle.rulebook.document import Block, Entries, Entry, Figure, Heading, Paragraph
from hoyle.rulebook.positions import list_facts, list_piles, list_position, list_view, open_hands
from hoyle.rulebook.tables import find_used_tables, list_references

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


def list_outcomes(node: Node, state: State, context: RulebookContext) -> Iterator[Entry]:
    """Yield the outcomes of a position, then those of the positions that its moves lead to.

    Raises Refused if a move is not legal.
    """
    moves = node.get("moves")
    before = len(state.events)
    if moves is not None:
        texts, after = _play_moves(state, [text for item in moves.items for text in item.raw.split(";")], context)
        inside = [
            *_list_events(after, before, context),
            *_outcome_entries(node, after, context),
            *_list_changes(node, state, after, context),
        ]
        if inside:
            yield Entry(context.say("outcome.after", moves=texts), inside=tuple(inside))
        elif node.get("after") is not None:  # what is told next comes of it
            yield Entry(context.say("outcome.only", moves=texts))
        state = after
    else:
        if node.get("scores") is not None or node.get("said") is not None:
            yield from _list_events(state, 0, context)
        yield from _outcome_entries(node, state, context)
    yield from _list_later_outcomes(node, state, context)


def _list_later_outcomes(node: Node, state: State, context: RulebookContext) -> Iterator[Entry]:
    after = node.get("after")
    for text, _, inner in after.entries() if after is not None and after.kind == "map" else ():
        if inner.kind == "map":
            texts, reached = _play_moves(state, text.split(";"), context)
            inside = [
                *_list_events(reached, len(state.events), context),
                *_outcome_entries(inner, reached, context),
                *_list_changes(inner, state, reached, context),
                *_list_later_outcomes(inner, reached, context),
            ]
            if inside:
                yield Entry(context.say("outcome.after", moves=texts), inside=tuple(inside))


def _play_moves(state: State, moves: Sequence[str], context: RulebookContext) -> tuple[str, State]:
    """Play the moves; return them in words, and the state after them."""
    texts = []
    for move in moves:
        found = state.find(move.strip())
        texts.append(_describe_move(found, context))
        state = state.play(found)
    return context.say("outcome.then").join(texts), state


def _describe_move(move: Move, context: RulebookContext) -> str:
    seat = context.voice.label("seats", move.seat)
    return context.say("outcome.move", seat=seat, move=move.text(context.lang))


def _list_events(state: State, before: int, context: RulebookContext) -> Iterator[Entry]:
    """Yield scores and announcements after event number `before`; adjacent scores of a player are added up."""
    shown = [event for event in state.events[before:] if event.kind in ("score", "say") and event.text(context.lang)]
    for (kind, seat), group in groupby(shown, key=lambda event: (event.kind, event.data.get("to", event.seat))):
        found = list(group)
        if kind == "score" and seat is not None and len(found) > 1:
            yield Entry(_join_scores(found, str(seat), context))
        elif kind == "say" and len(found) > 1:
            yield Entry(_join_announcements(found, context))
        else:
            yield from (Entry(capitalize(event.text(context.lang))) for event in found)


def _join_announcements(found: Sequence[Event], context: RulebookContext) -> str:
    """Join announcements of one player under a single name: `B — A♠, 10♠`"""
    first, *rest = [event.text(context.lang) for event in found]
    whose = _find_shared_prefix(first, rest)
    return capitalize(", ".join((first, *(text.removeprefix(whose) for text in rest))))


def _find_shared_prefix(first: str, rest: Sequence[str]) -> str:
    """Return the prefix up to the dash that all texts share; empty if they do not share it."""
    whose, dash, _ = first.partition(_SAYS)
    return whose + dash if dash and all(text.startswith(whose + dash) for text in rest) else ""


def _join_scores(found: Sequence[Event], seat: str, context: RulebookContext) -> str:
    """Join scores of one player: `A scores 8: fifteen (…) 2, pair (…) 6`"""
    label = context.voice.label("seats", seat)
    parts = [re.sub(rf"^{re.escape(label)} ", "", event.text(context.lang)) for event in found]
    points = sum(int(event.data["score"]) for event in found)
    return context.say(
        "outcome.scored",
        seat=label,
        points=format_integer(points, context.lang),
        parts=context.say("examples.between").join(parts),
    )


def _outcome_entries(node: Node, state: State, context: RulebookContext) -> Iterator[Entry]:
    if any(node.get(key) is not None for key in ("legal", "forced")):
        yield from _list_legal(state, context)
    elif node.get("includes") is not None:
        named = [state.find(item.raw) for item in node["includes"].items]
        yield _describe_permission(named, "outcome.may_also", state, context)
    yield from _list_refusals(node.get("refused"), state, context)
    yield from _describe_result(node, state, context)


def _list_changes(node: Node, before: State, state: State, context: RulebookContext) -> Iterator[Entry]:
    """Yield the changed piles and the player to act, if the example states no clearer outcome."""
    if any(node.get(key) is not None for key in ("legal", "forced", "includes", "refused", "scores")):
        return
    rows = list_piles(node, state, context, before)[:MOST_PILES]
    yield from (Entry(context.say("outcome.lies", place=place, what=what)) for place, what in rows)
    if node.get("to_act") is not None and state.to_act is not None:
        yield Entry(context.say("outcome.turn", seat=context.voice.label("seats", state.to_act)))


def _list_legal(state: State, context: RulebookContext) -> Iterator[Entry]:
    moves = state.moves()
    if not moves:
        return
    forced = len(moves) == 1
    shown = moves if len(moves) <= MOST_MOVES else moves[:MOST_MOVES]
    key = "outcome.must" if forced else "outcome.may" if len(moves) <= MOST_MOVES else "outcome.may_also"
    yield _describe_permission(shown, key, state, context)


def _describe_permission(moves: Sequence[Move], key: str, state: State, context: RulebookContext) -> Entry:
    seat = context.voice.label("seats", state.to_act or state.game.seats[0])
    said = dict.fromkeys(quote(move.text(context.lang), context.lang) for move in moves)
    return Entry(context.say(key, seat=seat, moves=join_list([*said], context.lang, "or")))


def _list_refusals(node: Node | None, state: State, context: RulebookContext) -> Iterator[Entry]:
    """Yield the illegal moves with the rule that forbids them, grouped by rule."""
    names = [key.raw for _, key, _ in node.entries()] if node is not None and node.kind == "map" else []
    names += [item.raw for item in node.items] if node is not None and node.kind == "list" else []
    forbidden: dict[str, tuple[Reason, list[str]]] = {}
    for name in (name for name in names if not _names_excluded_row(name, context)):
        why = state.why(name)
        reason = why.failing
        if reason is not None and reason.sort in ("condition", "obligation") and why.texts:
            moves = forbidden.setdefault(reason.rule.text(context.lang), (reason, []))[1]
            moves.append(f"{quote(why.text(context.lang), context.lang)}{_describe_grounds(reason, context)}")
    for words, (reason, moves) in forbidden.items():
        listing = join_list(moves, context.lang, "or")
        yield Entry(context.say("outcome.not", move=listing, why=words), cites=context.cites(reason.rule.at))


def _names_excluded_row(move: str, context: RulebookContext) -> bool:
    """Return whether the move names a table row that the options exclude."""
    kinds = {
        var.type.table for one in context.rules.moves.values() for var in one.bindings if isinstance(var.type, Row)
    }
    rows = {context.rules.tables[table].rows[n] for table in kinds for n in context.reach.gone.get(table, ())}
    return any(word.replace("-", "_") in rows for word in move.split())


def _describe_grounds(reason: Reason, context: RulebookContext) -> str:
    """Return the visible grounds of a refusal in brackets; empty if players could see none of them."""
    seen = [re.compile(_GAP.sub(".+", re.escape(one[context.lang]))) for one in _SEEN]
    found = [text_in(texts, context.lang) for texts in reason.grounds]
    found = [text for text in found if any(one.match(text) for one in seen) and not _BELOW_ZERO.search(text)]
    return f" ({context.say('examples.between').join(found)})" if found else ""


def _describe_result(node: Node, state: State, context: RulebookContext) -> Iterator[Entry]:
    over = node.get("over")
    if over is not None and state.is_over:
        yield Entry(context.say("outcome.over"))
    if node.get("winner") is not None and state.is_over:
        names = [context.voice.label("seats", side) for side in state.winning_sides]
        won = (
            context.say("outcome.winner", seats=join_list(names, context.lang))
            if names
            else context.say("outcome.nobody")
        )
        yield Entry(context.say("outcome.tie") if len(names) == len(state.scores) > 1 else won)
    scores = node.get("scores")
    if scores is not None:
        found = [f"{context.voice.label('seats', side)} {points}" for side, points in state.scores.items()]
        yield Entry(context.say("outcome.scores", scores=", ".join(found).replace(" -", " −")))


MOST_NAMED = 2
"""Most subjects named in a title."""
_MARK = re.compile(r"^[A-Z]+\d+\w*\s+(?=\w)")
"""The test number before the name of an example."""
MOST = 20
"""Most examples in a rulebook; those that show a new clause come first."""
WIDTH, NARROW = 720, 370
"""Width of pictures in pixels, for pages and for telephones."""
SEED = 1


def write_start(context: RulebookContext, pictures: bool) -> Iterator[Block]:
    """Yield the table at the first decision of a game with a fixed seed."""
    state = context.game.start(SEED)
    yield Paragraph(context.say("layout.lead"))
    yield _draw_figure(state, context, state.view(state.to_act) if pictures else None, list_view(state, context.lang))


def _draw_figure(state: State, context: RulebookContext, seen: View | None, rows: Sequence[tuple[str, str]]) -> Figure:
    """Return a figure of the state, drawn if a view is given."""
    game, lang = state.game.compiled, context.lang
    svg, narrow = (draw_state(game, seen, lang, width=w) if seen is not None else "" for w in (WIDTH, NARROW))
    acts = context.voice.label("seats", state.to_act) if state.to_act else ""
    return Figure(svg, tuple(rows), context.say("layout.seen", seat=acts) if acts else "", narrow)


class _Example(Struct, frozen=True):
    name: str
    node: Node
    given: Node
    shows: tuple[str, ...]


def write_examples(context: RulebookContext, pictures: bool) -> Iterator[Block]:
    """Yield the examples that hold under the options in force, in the order of the ruleset."""
    number = 0
    for example in _choose_examples(context):
        try:
            found = tuple(_write_example(example, context, pictures))
        except Refused:
            continue
        if found:
            number += 1
            cites = tuple(cite for cite in context.cites(" ".join(example.shows)) if cite.link)
            yield Heading(_make_title(example, number, context), f"example-{number}", cites)
            yield from found


def _choose_examples(context: RulebookContext) -> list[_Example]:
    every = [one for one in _iter_examples(context) if _fits(one, context)]
    shown = set[str]()
    first, rest = list[_Example](), list[_Example]()
    for one in every:
        (first if not one.shows or set(one.shows) - shown else rest).append(one)
        shown.update(one.shows)
    kept = {one.name for one in (*first, *rest)[:MOST]}
    return [one for one in every if one.name in kept]


def _iter_examples(context: RulebookContext) -> Iterator[_Example]:
    section = context.game.compiled.merged.root.get("examples")
    for name, _, node in section.entries() if section is not None and section.kind == "map" else ():
        given = node.get("given") if node.kind == "map" else None
        if given is not None and given.kind == "map":
            shows = tuple(node.raw_of("shows").split()) if node.get("shows") is not None else ()
            yield _Example(name, node, given, shows)


def _fits(example: _Example, context: RulebookContext) -> bool:
    """Return whether the example has the options in force and, if it shows clauses, shows one of this book."""
    wanted, _ = example_options(example.node)
    now = context.game.options
    same = all(str(now.get(name)).lower() == str(value).lower() for name, value in wanted.items())
    return same and (not example.shows or any(word in context.clauses for word in example.shows))


def _make_title(example: _Example, number: int, context: RulebookContext) -> str:
    """Return the title of an example: its text in the language, its name in English, or else its subjects."""
    own = texts_of(example.node).get(context.lang)
    if own:
        return capitalize(own)
    if context.lang == FALLBACK:
        return capitalize(_MARK.sub("", example.name.replace("_", " ")))
    state = context.game.position(example.given, _read_seed(example.given))
    about = [*dict.fromkeys(_list_subjects(example, state, context))][:MOST_NAMED] or [_describe_place(state, context)]
    numbered = context.say("examples.numbered", number=number)
    return context.say("examples.about", example=numbered, about=join_list(about, context.lang))


def _describe_place(state: State, context: RulebookContext) -> str:
    known = context.voice.labels["phases"]
    return [known["game"], *(known[name] for name in split_path(state.place) if name in known)][-1]


def _list_subjects(example: _Example, state: State, context: RulebookContext) -> Iterator[str]:
    """Yield the rules that forbid its moves, the rules behind the clauses it shows, and the moves it makes."""
    reasons = [state.why(name) for name in _iter_first_moves(example.node)]
    forbidding = [why.failing.name for why in reasons if why.failing is not None and why.failing.sort == "obligation"]
    yield from (context.voice.label("obligations", name) for name in forbidding)
    yield from _list_shown_rules(set(example.shows), context)
    if example.node.get("scores") is not None:
        yield context.say("examples.reckoning")
    made = [why.rule for why in reasons]
    yield from (
        uncapitalize(build_move_title(one, context.voice))
        for one, move in context.rules.moves.items()
        if move.rule in made
    )


def _list_shown_rules(shows: set[str], context: RulebookContext) -> Iterator[str]:
    """Yield labels of the obligations, table rows, conditions and moves that name these clauses."""
    rules, force, lang = context.rules, context.force, context.lang
    for name, duty in rules.obligations.items():
        if name in force.obligations and shows & set(duty.rule.at.split()):
            yield context.voice.label("obligations", name)
    for table in find_used_tables(context):
        places = list_references(table, context)
        for n in context.rows(table):
            if shows & set(places[n].split()):
                yield context.voice.label(f"tables/{table.name}", table.rows[n])
    for name in (name for name in rules.moves if name in force.moves):
        for one in rules.moves[name].conditions:
            if one.rule is not None and lang in one.words and shows & set(one.rule.at.split()):
                yield one.words[lang]
    for name, move in rules.moves.items():
        if name in force.moves and shows & set(move.rule.at.split()):
            yield uncapitalize(build_move_title(name, context.voice))


def _iter_first_moves(node: Node) -> Iterator[str]:
    """Yield the first move of each sequence that the example makes or refuses."""
    refused, moves, after = (node.get(key) for key in ("refused", "moves", "after"))
    for found in (refused, after):
        if found is not None and found.kind == "map":
            yield from (key.raw.split(";")[0].strip() for _, key, _ in found.entries())
    for found in (refused, moves):
        if found is not None and found.kind == "list":
            yield from (item.raw.split(";")[0].strip() for item in found.items[:1])


def _write_example(example: _Example, context: RulebookContext, pictures: bool) -> Iterator[Block]:
    state = context.game.position(example.given, _read_seed(example.given))
    ends = list(list_outcomes(example.node, state, context))
    if not ends or _has_excluded_row(state, context):
        return
    rows, facts = list_position(example.given, state, context), list_facts(example.given, context)
    stands = _is_unchanged(example.given, state)
    seen = open_hands(example.given, state) if pictures and stands else None
    found = _draw_figure(state, context, seen, rows) if stands else Figure("", tuple(rows), "")
    if found.svg or found.rows:
        yield found
    if facts:
        yield Paragraph(facts)
    yield Entries(tuple(ends))


def _has_excluded_row(state: State, context: RulebookContext) -> bool:
    """Return whether a cell of the state holds a table row that the options exclude."""
    for family in context.rules.state.values():
        gone = context.reach.gone.get(family.type.table, ()) if isinstance(family.type, Row) else ()
        if any(state.core.cells[family.base + n] in gone for n in range(family.size)):
            return True
    return False


def _read_seed(given: Node) -> int:
    seed = given.get("seed")
    return int(seed.value) if seed is not None and isinstance(seed.value, int) else 0


def _is_unchanged(given: Node, state: State) -> bool:
    """Return whether the state is still at the place that the position gives."""
    at = given.get("at")
    return not state.is_over and (at is None or is_at_place(at.raw, split_path(state.place)))
