"""Name moves whose blanks are not filled yet: `lay off a card on a meld`."""

from __future__ import annotations

import re

from hoyle.language.model import Family
from hoyle.language.phrases import Blank, Phrase
from hoyle.language.sentences import FALLBACK
from hoyle.language.value_types import Number, Pile, ValueType
from hoyle.prose.grammar import add_a, add_the, capitalize, find_articles, smooth
from hoyle.prose.voice import Voice, find_noun


def build_move_name(name: str, voice: Voice) -> str:
    """Return the name of a move with nouns in its blanks: `play a card from a column to its foundation`."""
    move = voice.rules.moves[name]
    phrase = move.telling.phrases.get(voice.lang) or move.telling.phrases.get(FALLBACK, ())
    types = {var.name: var.type for var in move.names}
    words = ""
    for n, part in enumerate(phrase):
        if isinstance(part, str):
            words += voice.say("move.beside") if part == " " and _are_two_things(phrase, n, types) else part
        elif part.forms is not None:
            words += "" if part.alone else part.forms[1]
        elif part.name in types:
            words = _fill_blank(words, types[part.name], _is_count(phrase, n, types), voice)
    return smooth(words, voice.lang)


def build_move_title(name: str, voice: Voice) -> str:
    """Return the name of a move as a heading, without blanks that say nothing."""
    return capitalize(re.sub(voice.say("move.unnamed"), "", build_move_name(name, voice)))


def _are_two_things(phrase: Phrase, n: int, types: dict[str, ValueType]) -> bool:
    """Return whether this space separates two blanks that name different things."""
    around = (phrase[n - 1 : n], phrase[n + 1 : n + 2])
    named = [part[0].name for part in around if part and isinstance(part[0], Blank) and part[0].forms is None]
    return len(named) == 2 and all(name in types for name in named)


def _is_count(phrase: Phrase, n: int, types: dict[str, ValueType]) -> bool:
    """Return whether the blank is a number before its own noun: `{number} {number:trick|tricks}`."""
    here, behind = phrase[n], phrase[n + 2 : n + 3]
    return (
        isinstance(here, Blank)
        and isinstance(types[here.name], Number)
        and bool(behind)
        and isinstance(behind[0], Blank)
        and behind[0].name == here.name
        and behind[0].forms is not None
    )


def _fill_blank(before: str, value_type: ValueType, counts: bool, voice: Voice) -> str:
    """Return the words before a blank, followed by a noun with its article for the blank."""
    if counts:
        return before + voice.say("move.so_many")
    noun = find_noun(value_type, voice)
    if not isinstance(value_type, Pile):
        return before + add_a(noun, voice.lang)
    if noun == voice.say("noun.pile"):
        return f"{before}…"
    if re.search(voice.say("move.bare"), before):
        return before + noun
    return re.sub(voice.say("move.definite"), "", before) + _name_place(value_type, noun, before, voice)


def _name_place(value_type: Pile, noun: str, before: str, voice: Voice) -> str:
    """Return a place with its article: definite if the player has only one."""
    if not _is_one_of_several(voice.rules.piles[next(iter(value_type.families))]):
        return add_the(noun, voice.lang)
    if add_a(noun, voice.lang) in before:
        return voice.say("move.another", **find_articles(noun, voice.lang))
    return add_a(noun, voice.lang)


def _is_one_of_several(family: Family) -> bool:
    return family.has_columns or (family.each is not None and family.each.name not in ("player", "side"))
