"""Assemble the rulebook of a game: its sections in the order of a printed rulebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from hoyle.game.game import Game
from hoyle.language.sentences import FALLBACK, LANGUAGES, load_catalogue
from hoyle.prose.grammar import capitalize, join_list, pluralize
from hoyle.rulebook.context import HERE, RulebookContext, build_context, say
from hoyle.rulebook.course import Course
from hoyle.rulebook.document import Block, Book, Entries, Entry, Paragraph, Section, typeset
from hoyle.rulebook.ending import (
    name_option,
    name_option_value,
    write_aim,
    write_ending,
    write_options,
    write_scoring,
    write_summary,
)
from hoyle.rulebook.examples import write_examples, write_start
from hoyle.rulebook.material import count_pieces, write_pieces, write_players, write_starting_amounts
from hoyle.rulebook.rule_entries import (
    describe_move,
    describe_obligation,
    write_automatic_rules,
    write_moves,
    write_obligations,
)
from hoyle.running.naming import in_language

_GENERAL = "words."


def write_glossary(context: RulebookContext) -> Iterator[Block]:
    """Yield the glossary in alphabetical order, if it has any entry."""
    found = {entry.head.casefold(): entry for entry in (*_list_general_terms(context), *_list_own_words(context))}
    if found:
        yield Entries(tuple(found[head] for head in sorted(found)))


def _list_own_words(context: RulebookContext) -> Iterator[Entry]:
    """Yield the words that the ruleset itself explains, written as `Word: explanation`."""
    for name, words in context.rules.glossary.items():
        head, _, meaning = words.get(context.lang, "").partition(":")
        if meaning.strip():
            yield Entry(capitalize(meaning.strip()), capitalize(head.strip()))
        elif head.strip():
            yield Entry(capitalize(head.strip()), capitalize(name.replace("_", " ")))


def _list_general_terms(context: RulebookContext) -> Iterator[Entry]:
    """Yield the general terms of card and table games that this rulebook uses.

    Each text in the catalogue holds a headword, a pattern that finds it, its explanation, and optional
    further patterns that must also occur, for words with different meanings in different games.
    """
    said = [*context.places, context.rules.summary.get(context.lang, "")]
    known = load_catalogue(HERE, context.lang if context.lang in LANGUAGES else FALLBACK)
    for key, text in known.items():
        if key.startswith(_GENERAL):
            head, pattern, meaning, *beside = text.split("\n")
            if all(_occurs(one, said) for one in (pattern, *beside)):
                yield Entry(meaning, head)


def _occurs(pattern: str, sentences: Iterable[str]) -> bool:
    found = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return any(found.search(words) for words in sentences)


def write_sources(context: RulebookContext) -> Iterator[Block]:
    """Yield the source of the rules, in the reader's language if the ruleset has it."""
    own = context.rules.source
    parts = (
        [own[context.lang]]
        if context.lang in own
        else [value for key, value in own.items() if len(key) > 2 or key in ("by", "in")]
    )
    if parts:
        yield Paragraph(", ".join(parts))


def write_remaining_clauses(context: RulebookContext) -> Iterator[Block]:
    """Yield the clauses in force that no earlier section has told."""
    items = context.tell(" ".join(context.clauses))
    if items:
        yield Entries(items)


_ORDER = (
    *("summary", "aim", "players", "material", "deal", "layout", "course", "moves", "obligations", "by_itself", "end"),
    *("scoring", "more", "examples", "options", "glossary", "sources"),
)
_PAGE = ("contents", "example", "search", "back", "made", "all_games", "nothing_found", "exactly", "once_more", "colon")


def build_book(game: Game, lang: str, pictures: bool = True) -> Book:
    """Build the rulebook of a game under its options.

    Without `pictures`, positions are listed pile by pile only.
    """
    context = build_context(game, lang)
    course = Course(context, describe_move, describe_obligation)
    made: dict[str, tuple[Block, ...]] = {
        name: tuple(make()) for name, make in _list_section_makers(context, course, pictures).items()
    }
    sections = _merge_exact_sections(
        [Section(name, say(f"section.{name}", lang), made[name]) for name in _ORDER if made[name]]
    )
    rules = game.ruleset
    words = tuple((key, say(f"page.{key}", lang)) for key in _PAGE)
    title = in_language(rules.title, lang, rules.name)
    found = Book(
        rules.name, title, lang, _describe_changed_options(context), tuple(_list_facts(context)), tuple(sections), words
    )
    made_up: Book = typeset(found)
    return made_up


def _merge_exact_sections(sections: Sequence[Section]) -> list[Section]:
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


def _list_section_makers(
    context: RulebookContext, course: Course, pictures: bool
) -> dict[str, Callable[[], Iterable[Block]]]:
    """Return the makers of sections, in the order in which they may claim clauses.

    A clause is told only once, by the first section here that asks for it.
    """
    return {
        "summary": lambda: write_summary(context),
        "aim": lambda: write_aim(context),
        "deal": lambda: (*course.preparation(), *write_starting_amounts(context)),
        "course": course.phases,
        "moves": lambda: _add_lead("moves.lead", write_moves(context, course), context),
        "obligations": lambda: _add_lead("obligations.lead", write_obligations(context, course), context),
        "by_itself": lambda: _add_lead("by_itself.lead", write_automatic_rules(context, course, ends=False), context),
        "end": lambda: (*write_automatic_rules(context, course, ends=True), *write_ending(context)),
        "scoring": lambda: write_scoring(context),
        "players": lambda: write_players(context),
        "material": lambda: write_pieces(context),
        "layout": lambda: write_start(context, pictures),
        "options": lambda: _add_lead("options.lead", write_options(context), context),
        "more": lambda: write_remaining_clauses(context),
        "examples": lambda: write_examples(context, pictures),
        "glossary": lambda: write_glossary(context),
        "sources": lambda: write_sources(context),
    }


def _add_lead(key: str, blocks: Iterable[Block], context: RulebookContext) -> tuple[Block, ...]:
    found = tuple(blocks)
    return (Paragraph(context.say(key)), *found) if found else ()


def _describe_changed_options(context: RulebookContext) -> str:
    """Return a sentence that lists the options with other than default values; empty if there are none."""
    changed = [o for o in context.rules.options.values() if o.value != o.default and o.name not in context.rules.idle]
    agreed = [f"{name_option(o, context)} ({name_option_value(o, o.value, context)})" for o in changed]
    return context.say("lead.changed", agreed=join_list(agreed, context.lang)) if agreed else ""


def _list_facts(context: RulebookContext) -> Iterable[tuple[str, str]]:
    low, high = context.rules.may_play[0], context.rules.may_play[-1]
    yield context.say("facts.players"), str(low) if low == high else f"{low}–{high}"
    yield context.say("facts.pieces"), ", ".join(_list_counts(context))


def _list_counts(context: RulebookContext) -> Iterable[str]:
    for kind in context.rules.pieces.values():
        yield f"{count_pieces(kind, context)} {pluralize(context.voice.label('pieces', kind.name), context.lang)}"
