"""The words of a game: its places, the rows of its tables, what it keeps, its terms, and words of all games; and the source, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.language import ir
from interpreter.language.evaluate import everything
from interpreter.language.kinds import Row
from interpreter.language.sentences import FALLBACK, LANGUAGES, catalogue
from interpreter.prose.speech import articles, sentence
from interpreter.prose.voice import noun_of
from interpreter.rulebook.document import Block, Cite, Entries, Entry, Paragraph
from interpreter.rulebook.tables import looked_at, places_of
from interpreter.rulebook.telling import HERE, Telling

MOST_CITES = 4
"""So many clauses that speak of a word are named."""
_GENERAL = "words."


def glossary(told: Telling) -> Iterator[Block]:
    """In the order of the alphabet."""
    found = {entry.head: entry for entry in (*_rows(told), *_places(told), *_general(told))}
    if found:
        yield Entries(tuple(found[head] for head in sorted(found, key=str.casefold)))


def _places(told: Telling) -> Iterator[Entry]:
    """Places of which the source speaks, with where it does."""
    named = {
        part.ref.family
        for formula in told.force.formulas
        for part in everything(formula)
        if isinstance(part, ir.Pile | ir.Piles)
    }
    for family in told.rules.piles.values():
        label = told.voice.label("piles", family.name)
        if family.name in named and (cites := _spoken_of(label, told)):
            yield Entry("", sentence(label), cites)


def _rows(told: Telling) -> Iterator[Entry]:
    """The rows of tables that the source speaks of, with the place where it does."""
    for table in looked_at(told):
        noun = noun_of(Row(table.name), told.voice)
        for row, at in zip(table.rows, places_of(table, told), strict=True):
            cites = tuple(cite for cite in told.cites(at) if cite.link)
            if cites:
                text = sentence(told.say("glossary.row", noun=noun, **articles(noun, told.lang)))
                yield Entry(text, sentence(told.voice.label(f"tables/{table.name}", row)), cites)


def _spoken_of(label: str, told: Telling) -> tuple[Cite, ...]:
    """The clauses that speak of it."""
    stem = re.compile(rf"\b{re.escape(label)}(?:s|x|es)?\b", re.IGNORECASE)
    names = [name for name, words in told.clauses.items() if stem.search(words)]
    return tuple(cite for name in names[:MOST_CITES] for cite in told.cites(name))


def _general(told: Telling) -> Iterator[Entry]:
    """Words that card players of all games know and others do not, if a sentence uses them: `word => what it means` by pattern."""
    known = catalogue(HERE, told.lang if told.lang in LANGUAGES else FALLBACK)
    for key, text in known.items():
        if key.startswith(_GENERAL):
            head, pattern, meaning = text.split("\n")
            if _occurs(pattern, told.places):
                yield Entry(meaning, head)


def _occurs(pattern: str, sentences: Iterable[str]) -> bool:
    found = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return any(found.search(words) for words in sentences)


def sources(told: Telling) -> Iterator[Block]:
    """Where the rules come from, and what clauses in force say that is told nowhere before."""
    own = told.rules.source
    parts = (
        [own[told.lang]]
        if told.lang in own
        else [value for key, value in own.items() if len(key) > 2 or key in ("by", "in")]
    )
    if parts:
        yield Paragraph(", ".join(parts))
    items = told.tell(" ".join(told.clauses))
    if items:
        yield Paragraph(told.say("sources.rest"))
        yield Entries(items)
