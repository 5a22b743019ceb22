"""Worked examples of a ruleset as positions with what comes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.examples.examples import options_of
from hoyle.game.game import State
from hoyle.game.spelling import path_words, stands_at
from hoyle.game.views.labels import picture_of
from hoyle.game.views.view import View
from hoyle.language.kinds import Row
from hoyle.language.sentences import FALLBACK
from hoyle.prose.deeds import within
from hoyle.prose.moves import move_title
from hoyle.prose.speech import listed, sentence
from hoyle.reading.tree import Node, texts_of
from hoyle.rulebook.document import Block, Entries, Figure, Heading, Paragraph
from hoyle.rulebook.outcomes import outcomes
from hoyle.rulebook.positions import given_facts, given_rows, opened, seen_rows
from hoyle.rulebook.tables import looked_at, places_of
from hoyle.rulebook.telling import Telling

MOST_NAMED = 2
"""So many things are named in a title."""
_MARK = re.compile(r"^[A-Z]+\d+\w*\s+(?=\w)")
"""The number of a test before the name of an example."""
MOST = 20
"""So many examples are told: first those that show a clause which none before them has shown."""
WIDTH, NARROW = 720, 370
"""So wide, in pixels, are pictures on a page, and on the page of a telephone."""
SEED = 1


def start_figure(told: Telling, pictures: bool) -> Iterator[Block]:
    """The table as it lies when the first decision is to be made."""
    state = told.game.start(SEED)
    yield Paragraph(told.say("layout.lead"))
    yield _figure(state, told, state.view(state.to_act) if pictures else None, seen_rows(state, told.lang))


def _figure(state: State, told: Telling, seen: View | None, rows: Sequence[tuple[str, str]]) -> Figure:
    """Drawn as it is `seen`, if it is."""
    game, lang = state.game.compiled, told.lang
    svg, narrow = (picture_of(game, seen, lang, width=w) if seen is not None else "" for w in (WIDTH, NARROW))
    acts = told.voice.label("seats", state.to_act) if state.to_act else ""
    return Figure(svg, tuple(rows), told.say("layout.seen", seat=acts) if acts else "", narrow)


class _Example(Struct, frozen=True):
    name: str
    node: Node
    given: Node
    shows: tuple[str, ...]


def examples(told: Telling, pictures: bool) -> Iterator[Block]:
    """Those that hold for the options in force, in the order of the ruleset."""
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
    """Is it about the options in force, and does it show a clause that is told, if it shows any?"""
    wanted, _ = options_of(example.node)
    now = told.game.options
    same = all(str(now.get(name)).lower() == str(value).lower() for name, value in wanted.items())
    return same and (not example.shows or any(word in told.clauses for word in example.shows))


def _title(example: _Example, number: int, told: Telling) -> str:
    """What it is called in the language; its name is written in one, and in others it is told what it is about."""
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
    return [known["game"], *(known[name] for name in path_words(state.place) if name in known)][-1]


def _about(example: _Example, state: State, told: Telling) -> Iterator[str]:
    """The rules that forbid its moves or carry out the clauses it shows, and the moves it makes."""
    reasons = [state.why(name) for name in _named(example.node)]
    forbidding = [why.failing.name for why in reasons if why.failing is not None and why.failing.sort == "obligation"]
    yield from (told.voice.label("obligations", name) for name in forbidding)
    yield from _shown(set(example.shows), told)
    if example.node.get("scores") is not None:
        yield told.say("examples.reckoning")
    made = [why.rule for why in reasons]
    yield from (within(move_title(one, told.voice)) for one, move in told.rules.moves.items() if move.rule in made)


def _shown(shows: set[str], told: Telling) -> Iterator[str]:
    """The obligations, rows of tables, conditions and moves that carry out these clauses."""
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
    """The moves that are made first or forbidden."""
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
    """Is something written down that the options leave out?"""
    for family in told.rules.state.values():
        gone = told.reach.gone.get(family.kind.table, ()) if isinstance(family.kind, Row) else ()
        if any(state.core.cells[family.base + n] in gone for n in range(family.size)):
            return True
    return False


def _seed(given: Node) -> int:
    seed = given.get("seed")
    return int(seed.value) if seed is not None and isinstance(seed.value, int) else 0


def _stands(given: Node, state: State) -> bool:
    """Is the position where it was said to be, so that nothing has happened since?"""
    at = given.get("at")
    return not state.is_over and (at is None or stands_at(at.raw, path_words(state.place)))
