"""Assemble the rulebook of a game: its sections in the order of a printed rulebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from hoyle.game.game import Game
from hoyle.language.sentences import FALLBACK, LANGUAGES, catalogue
from hoyle.prose.speech import listed, plural, sentence
from hoyle.rulebook.course import Course
from hoyle.rulebook.document import Block, Book, Entries, Entry, Paragraph, Section, typeset
from hoyle.rulebook.duties import by_itself, moves, obligations, told_duty, told_move
from hoyle.rulebook.ending import aim, ending, option_words, options, scoring, summary, value_words
from hoyle.rulebook.examples import examples, start_figure
from hoyle.rulebook.material import beginnings, how_many, pieces, players
from hoyle.rulebook.telling import HERE, Telling, say, telling
from hoyle.running.naming import in_language

_GENERAL = "words."


def glossary(told: Telling) -> Iterator[Block]:
    """Yield the glossary in alphabetical order, if it has any entry."""
    found = {entry.head.casefold(): entry for entry in (*_general(told), *_own(told))}
    if found:
        yield Entries(tuple(found[head] for head in sorted(found)))


def _own(told: Telling) -> Iterator[Entry]:
    """Yield the words that the ruleset itself explains, written as `Word: explanation`."""
    for name, words in told.rules.glossary.items():
        head, _, meaning = words.get(told.lang, "").partition(":")
        if meaning.strip():
            yield Entry(sentence(meaning.strip()), sentence(head.strip()))
        elif head.strip():
            yield Entry(sentence(head.strip()), sentence(name.replace("_", " ")))


def _general(told: Telling) -> Iterator[Entry]:
    """Yield the general terms of card and table games that this rulebook uses.

    Each text in the catalogue holds a headword, a pattern that finds it, its explanation, and optional
    further patterns that must also occur, for words with different meanings in different games.
    """
    said = [*told.places, told.rules.summary.get(told.lang, "")]
    known = catalogue(HERE, told.lang if told.lang in LANGUAGES else FALLBACK)
    for key, text in known.items():
        if key.startswith(_GENERAL):
            head, pattern, meaning, *beside = text.split("\n")
            if all(_occurs(one, said) for one in (pattern, *beside)):
                yield Entry(meaning, head)


def _occurs(pattern: str, sentences: Iterable[str]) -> bool:
    found = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return any(found.search(words) for words in sentences)


def sources(told: Telling) -> Iterator[Block]:
    """Yield the source of the rules, in the reader's language if the ruleset has it."""
    own = told.rules.source
    parts = (
        [own[told.lang]]
        if told.lang in own
        else [value for key, value in own.items() if len(key) > 2 or key in ("by", "in")]
    )
    if parts:
        yield Paragraph(", ".join(parts))


def besides(told: Telling) -> Iterator[Block]:
    """Yield the clauses in force that no earlier section has told."""
    items = told.tell(" ".join(told.clauses))
    if items:
        yield Entries(items)


_ORDER = (
    *("summary", "aim", "players", "material", "deal", "layout", "course", "moves", "obligations", "by_itself", "end"),
    *("scoring", "more", "examples", "options", "glossary", "sources"),
)
_PAGE = ("contents", "example", "search", "back", "made", "all_games", "nothing_found", "exactly", "once_more", "colon")


def book(game: Game, lang: str, pictures: bool = True) -> Book:
    """Build the rulebook of a game under its options.

    Without `pictures`, positions are listed pile by pile only.
    """
    told = telling(game, lang)
    course = Course(told, told_move, told_duty)
    made: dict[str, tuple[Block, ...]] = {
        name: tuple(make()) for name, make in _by_need(told, course, pictures).items()
    }
    sections = _with_something(
        [Section(name, say(f"section.{name}", lang), made[name]) for name in _ORDER if made[name]]
    )
    rules = game.ruleset
    words = tuple((key, say(f"page.{key}", lang)) for key in _PAGE)
    title = in_language(rules.title, lang, rules.name)
    found = Book(rules.name, title, lang, _lead(told), tuple(_facts(told)), tuple(sections), words)
    made_up: Book = typeset(found)
    return made_up


def _with_something(sections: Sequence[Section]) -> list[Section]:
    """Keep the sections that have plain text; append the exact blocks of the others to the section before."""
    found = list[Section]()
    for section in sections:
        plain = [block for block in section.blocks if not (isinstance(block, Entries) and not block.items)]
        exact = tuple(block for block in section.blocks if block not in plain)
        if plain or not found:
            found.append(section)
        else:
            found[-1] = replace(found[-1], blocks=(*found[-1].blocks, *exact))
    return found


def _by_need(told: Telling, course: Course, pictures: bool) -> dict[str, Callable[[], Iterable[Block]]]:
    """Return the makers of sections, in the order in which they may claim clauses.

    A clause is told only once, by the first section here that asks for it.
    """
    return {
        "summary": lambda: summary(told),
        "aim": lambda: aim(told),
        "deal": lambda: (*course.preparation(), *beginnings(told)),
        "course": course.phases,
        "moves": lambda: _led("moves.lead", moves(told, course), told),
        "obligations": lambda: _led("obligations.lead", obligations(told, course), told),
        "by_itself": lambda: _led("by_itself.lead", by_itself(told, course, ends=False), told),
        "end": lambda: (*by_itself(told, course, ends=True), *ending(told)),
        "scoring": lambda: scoring(told),
        "players": lambda: players(told),
        "material": lambda: pieces(told),
        "layout": lambda: start_figure(told, pictures),
        "options": lambda: _led("options.lead", options(told), told),
        "more": lambda: besides(told),
        "examples": lambda: examples(told, pictures),
        "glossary": lambda: glossary(told),
        "sources": lambda: sources(told),
    }


def _led(key: str, blocks: Iterable[Block], told: Telling) -> tuple[Block, ...]:
    found = tuple(blocks)
    return (Paragraph(told.say(key)), *found) if found else ()


def _lead(told: Telling) -> str:
    """Return a sentence that lists the options with other than default values; empty if there are none."""
    changed = [o for o in told.rules.options.values() if o.value != o.default and o.name not in told.rules.idle]
    agreed = [f"{option_words(o, told)} ({value_words(o, o.value, told)})" for o in changed]
    return told.say("lead.changed", agreed=listed(agreed, told.lang)) if agreed else ""


def _facts(told: Telling) -> Iterable[tuple[str, str]]:
    low, high = told.rules.may_play[0], told.rules.may_play[-1]
    yield told.say("facts.players"), str(low) if low == high else f"{low}–{high}"
    yield told.say("facts.pieces"), ", ".join(_counts(told))


def _counts(told: Telling) -> Iterable[str]:
    for kind in told.rules.pieces.values():
        yield f"{how_many(kind, told)} {plural(told.voice.label('pieces', kind.name), told.lang)}"
