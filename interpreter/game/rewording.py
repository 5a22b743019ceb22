"""Other words for a move: a verb that means the same, or the pile that its steps take from."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.game.compiled import Compiled
from interpreter.game.spelling import plain_words
from interpreter.language.kinds import families_of
from interpreter.language.model import Move
from interpreter.language.sentences import LANGUAGES, Sentence
from interpreter.language.steps import MovePile, every_step
from interpreter.running.naming import folded, in_language

_GROUPS = [
    frozenset(folded(group).split()) for lang in LANGUAGES for group in Sentence("input.same_words")[lang].split("|")
]
"""Verbs that people say for one another."""


def rewordings(wanted: str) -> list[str]:
    """Plain words that begin with another verb for the same."""
    first, _, rest = wanted.partition(" ")
    others = sorted({word for group in _GROUPS if first in group for word in group - {first}})
    return [f"{word} {rest}".rstrip() for word in others]


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
