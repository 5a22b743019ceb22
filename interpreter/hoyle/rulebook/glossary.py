"""The words of a game: those of all games that it uses, and those that its ruleset explains; and the source, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hoyle.language.sentences import FALLBACK, LANGUAGES, catalogue
from hoyle.prose.speech import sentence
from hoyle.rulebook.document import Block, Entries, Entry, Paragraph
from hoyle.rulebook.telling import HERE, Telling

_GENERAL = "words."


def glossary(told: Telling) -> Iterator[Block]:
    """In the order of the alphabet."""
    found = {entry.head.casefold(): entry for entry in (*_general(told), *_own(told))}
    if found:
        yield Entries(tuple(found[head] for head in sorted(found)))


def _own(told: Telling) -> Iterator[Entry]:
    """Those that the ruleset explains: `Word: what it means`."""
    for name, words in told.rules.glossary.items():
        head, _, meaning = words.get(told.lang, "").partition(":")
        if meaning.strip():
            yield Entry(sentence(meaning.strip()), sentence(head.strip()))
        elif head.strip():
            yield Entry(sentence(head.strip()), sentence(name.replace("_", " ")))


def _general(told: Telling) -> Iterator[Entry]:
    """Words that players of all games know and others do not, if a sentence uses them: the word, a pattern that finds it, what it means, and where it means
    something else in other games, a pattern of what is spoken of here, too."""
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
    """Where the rules come from."""
    own = told.rules.source
    parts = (
        [own[told.lang]]
        if told.lang in own
        else [value for key, value in own.items() if len(key) > 2 or key in ("by", "in")]
    )
    if parts:
        yield Paragraph(", ".join(parts))


def besides(told: Telling) -> Iterator[Block]:
    """What clauses in force say that is told nowhere before."""
    items = told.tell(" ".join(told.clauses))
    if items:
        yield Entries(items)
