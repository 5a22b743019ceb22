"""The words of a game: its places, and what is written down or kept in mind; and the source, clause by clause."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language import ir
from interpreter.language.evaluate import everything
from interpreter.language.kinds import Kind, Number
from interpreter.language.model import Family, StateFamily
from interpreter.prose.speech import a, listed, plural, sentence
from interpreter.prose.voice import noun_of
from interpreter.rulebook.document import Block, Entries, Entry, Paragraph
from interpreter.rulebook.telling import Telling


def glossary(told: Telling) -> Iterator[Block]:
    """In the order of the alphabet."""
    named = {
        part.ref.family
        for formula in told.force.formulas
        for part in everything(formula)
        if isinstance(part, ir.Cell | ir.Pile | ir.Piles)
    }
    places = [_place(family, told) for family in told.rules.piles.values() if family.name in named]
    kept = [_kept(family, told) for family in told.rules.state.values() if family.name in named]
    entries = sorted({entry.head: entry for entry in (*kept, *places)}.values(), key=lambda e: e.head.casefold())
    if entries:
        yield Entries(tuple(entries))


def _place(family: Family, told: Telling) -> Entry:
    what = plural(told.voice.label("pieces", family.holds), told.lang)
    each = "" if family.each is None or family.each.name == "number" else _for_each((family.each,), told)
    return Entry(told.say("glossary.place", pieces=what) + each, sentence(told.voice.label("piles", family.name)))


def _kept(family: StateFamily, told: Telling) -> Entry:
    kind = family.kind
    if kind.name == "bool":
        text = told.say("glossary.fact")
    elif isinstance(kind, Number):
        text = told.say("glossary.number")
    else:
        text = told.say("glossary.thing", thing=a(noun_of(kind, told.voice), told.lang))
    return Entry(text + _for_each(family.keys, told), sentence(told.voice.label("state", family.name)))


def _for_each(keys: tuple[Kind, ...], told: Telling) -> str:
    nouns = [noun_of(kind, told.voice) for kind in keys]
    return " " + told.say("glossary.each", nouns=listed(nouns, told.lang)) if nouns else ""


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
