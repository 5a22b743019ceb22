"""Other words for a move: a verb that means the same, one in the form in which it is told of somebody, or the pile that its steps take from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import plain_words
from hoyle.language.kinds import families_of
from hoyle.language.model import Move
from hoyle.language.phrases import any_of, forms_of, own_forms
from hoyle.language.sentences import LANGUAGES, Sentence
from hoyle.language.steps import MovePile, every_step
from hoyle.running.naming import folded, in_language

_AND, _PRONOUNS = Sentence("verb.and"), Sentence("input.pronouns")
_GROUPS = [
    frozenset(folded(group).split()) for lang in LANGUAGES for group in Sentence("input.same_words")[lang].split("|")
]
"""Verbs that people say for one another."""


def rewordings(wanted: str) -> list[str]:
    """Plain words that begin with another verb for the same, or in which somebody's deed is the move."""
    own = [own_deed(wanted, lang) or infinitive(wanted, lang) for lang in LANGUAGES]
    others = [other for words in dict.fromkeys((wanted, *own)) for other in _synonyms(words)]
    return [words for words in dict.fromkeys((*own, *others)) if words != wanted]


def _synonyms(wanted: str) -> list[str]:
    first, _, rest = wanted.partition(" ")
    others = sorted({word for group in _GROUPS if first in group for word in group - {first}})
    return [f"{word} {rest}".rstrip() for word in others]


def infinitive(wanted: str, lang: str) -> str:
    """Plain words with their verbs as moves have them: `joue 7h` is `jouer 7h`."""
    pattern, forms = _told(lang)
    return pattern.sub(lambda found: found[1] + forms[found[2]], wanted)


def own_deed(wanted: str, lang: str) -> str:
    """Plain words in which somebody says what he does, with the verb as moves have it: `je prends 7h` is `prendre 7h`; else none."""
    pattern, forms = _own(lang)
    found = pattern.match(wanted)
    return f"{forms[found[1]]}{wanted[found.end() :]}" if found else ""


@cache
def _own(lang: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What verbs look like behind “I”, and what they are of a move."""
    forms = {folded(form): folded(verb) for form, verb in own_forms(lang).items()}
    pronouns = [word if word.endswith("'") else f"{word} " for word in _PRONOUNS[lang].split()]
    return re.compile(rf"{any_of(pronouns)}({any_of(forms)})(?!\S)"), forms


@cache
def _told(lang: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What verbs look like where somebody's deed is told, first and behind an “and”, and what they are of a move."""
    forms = {folded(does): folded(verb) for verb, does in forms_of(lang).items()}
    return re.compile(rf"(^|(?<!\S){any_of(_AND[lang].split())} )({any_of(forms)})(?!\S)"), forms


def piles_used(game: Compiled, move: Move) -> frozenset[str]:
    """What the piles are called that only this move's steps take from, not its words."""
    found: frozenset[str] | None = game.kept.get(("used", move.number))
    if found is None:
        names = (plain_words(name, game.namer.readings) for name in _names(game, move))
        found = game.kept["used", move.number] = frozenset(names)
    return found


def _names(game: Compiled, move: Move) -> Iterator[str]:
    for step in every_step(move.then):
        families = families_of(step.verb.pile.kind) if isinstance(step.verb, MovePile) else frozenset[str]()
        for family in (game.ruleset.piles[name] for name in families if len(families) == 1):
            yield family.name
            yield from (in_language(family.words, lang, family.name) for lang in game.ruleset.languages)
