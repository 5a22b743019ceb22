"""Free phrases for a move: its pieces, piles and values in any order, with the move's words about them or without.

Also reorders a sentence to the order of ids, and replaces verbs by others that mean the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import plain_words
from hoyle.language.ir import Var, WordCall
from hoyle.language.model import Move
from hoyle.language.phrases import Blank, Phrase, any_of, forms_of, own_forms
from hoyle.language.sentences import LANGUAGES, Sentence
from hoyle.language.steps import MovePile, every_step
from hoyle.language.value_types import ValueType, get_families
from hoyle.running.naming import fold_case, in_language
from hoyle.running.state import Action, Core

Words = tuple[str, ...]
Offer = tuple[Move, Action]
ARROW = "→"
MOST_WORDS = 24
"""Longer phrases are not read."""
SMALL_WORDS = frozenset(fold_case(word) for lang in LANGUAGES for word in Sentence("input.small_words")[lang].split())
"""Articles, prepositions and the like: they may stand before anything, and mean nothing."""
_AND, _PRONOUNS = Sentence("verb.and"), Sentence("input.pronouns")
_SYNONYMS = [
    frozenset(fold_case(group).split()) for lang in LANGUAGES for group in Sentence("input.same_words")[lang].split("|")
]


class Referent(Struct, frozen=True):
    """A piece, pile or value that a move is about.

    names      each way to name it
    any_order  words that name it together, in any order
    is_target  the pile that the move puts on
    is_piece   what is put there
    """

    names: frozenset[Words]
    any_order: Words = ()
    is_target: bool = False
    is_piece: bool = False

    def match_lengths(self, words: Words) -> set[int]:
        """Return how many of these words, from the first on, may name it."""
        found = {len(name) for name in self.names if words[: len(name)] == name}
        own = self.any_order
        return found | ({len(own)} if own and Counter(words[: len(own)]) == Counter(own) else set())


class PhrasePattern(Struct, frozen=True):
    """Phrases for an action. A pile alone names the source, unless only the target is to be chosen (`only_target`)."""

    referents: tuple[Referent, ...]
    move_words: frozenset[str]
    only_target: bool

    def matches(self, words: Words, used: frozenset[int] = frozenset(), after_arrow: bool = False) -> bool:
        """Return whether the words are referents, at least one, and words of the move."""
        if not words:
            return bool(used)
        for number, referent in enumerate(self.referents):
            if number in used or (referent.is_target and not (used or after_arrow or self.only_target)):
                continue
            if any(self.matches(words[n:], used | {number}) for n in referent.match_lengths(words)):
                return True
        return (words[0] == ARROW or words[0] in self.move_words) and self.matches(words[1:], used, words[0] == ARROW)

    def matches_target_first(self, words: Words) -> bool:
        """Return whether the words name the target, and then the pieces put there."""
        put = PhrasePattern(tuple(r for r in self.referents if r.is_piece), self.move_words, self.only_target)
        lengths = {n for referent in self.referents if referent.is_target for n in referent.match_lengths(words)}
        return ARROW not in words and any(put.matches(words[n:]) for n in lengths)


def match_phrase(game: Compiled, core: Core, offers: Iterable[Offer], wanted: str) -> list[Offer]:
    """Return the actions that plain words may describe. Numbers alone describe none."""
    words = _without_small_words(wanted)
    if not words or len(words) > MOST_WORDS or all(word.isdigit() for word in words):
        return []
    return [(move, action) for move, action in offers if _pattern(game, core, move, action).matches(words)]


def match_target_first(game: Compiled, core: Core, offers: Iterable[Offer], wanted: str) -> list[Offer]:
    """Return the actions that plain words describe with the target first: `6 2h`."""
    words = _without_small_words(wanted)
    if not 1 < len(words) <= MOST_WORDS:
        return []
    return [(move, action) for move, action in offers if _pattern(game, core, move, action).matches_target_first(words)]


def _without_small_words(text: str) -> Words:
    return tuple(word for word in text.split() if word not in SMALL_WORDS)


def _pattern(game: Compiled, core: Core, move: Move, action: Action) -> PhrasePattern:
    referents = tuple(r for r in _list_referents(game, core, move, action) if r.names or r.any_order)
    is_chosen = False
    if move.taken is not None:
        assert move.origin is not None
        is_chosen = any(take.any_piece for take in move.takes) or game.namer.several_origins(move, move.origin)
    return PhrasePattern(referents, _move_words(game, move), not (move.withs or is_chosen))


def _move_words(game: Compiled, move: Move) -> frozenset[str]:
    """Words of a move that stand about its referents, in every language."""

    def collect() -> frozenset[str]:
        parts = [part for phrase in move.telling.phrases.values() for part in phrase]
        texts = [text for part in parts for text in ([part] if isinstance(part, str) else part.forms or ())]
        return frozenset(word for text in (move.name, *texts) for word in plain_of(game, text))

    return game.cached(("about", move.number), collect)


def plain_of(game: Compiled, text: str) -> Words:
    """Return the plain words of a name made here, without small words. Cached, so do not pass what somebody typed."""

    def split() -> Words:
        text_ = plain_words(text, game.namer.readings)
        return _without_small_words(text_) or tuple(text_.split())

    return game.cached(("words", text), split)


def _list_referents(game: Compiled, core: Core, move: Move, action: Action) -> Iterator[Referent]:
    values = dict(zip(move.bindings, action[1:], strict=True))
    if move.taken is not None:
        origin, card = move.taken
        pile, piece = values[origin], values[card]
        own = game.namer.family(pile).face == "owner" and game.namer.owner(pile) == core.actor
        seen = {_sign_words(game, piece)} if piece & 1 or own else ()  # nobody names a piece that is hidden from him
        yield Referent(frozenset(seen), is_piece=True)
        yield Referent(_pile_names(game, pile, origin, core.actor))
    for var, items in move.withs:
        is_set = isinstance(items, WordCall) and items.word == "subsets"
        yield _chosen_referent(game, core, var, values[var], is_set)
    if move.target is not None:
        pile = values[move.target]
        top = [_sign_words(game, piece) for piece in core.piles[pile][-1:] if piece & 1]
        yield Referent(_pile_names(game, pile, move.target, core.actor) | {*top}, is_target=True)


def _sign_words(game: Compiled, piece: int) -> Words:
    return plain_of(game, game.namer.signs[piece >> 1])


def _chosen_referent(game: Compiled, core: Core, var: Var, value: Any, is_set: bool) -> Referent:
    """A list may be named in any order; of pieces that lie upon each other, the first is enough."""
    if var.type.name != "list":
        return Referent(_value_names(game, core, value, var.type), is_piece=var.type.name == "piece")
    value_type = var.type.item_type
    items = [plain_of(game, game.namer.token(item, value_type, core.actor)) for item in value]
    first = {items[0]} if items and value_type.name == "piece" and not is_set else set()
    joined = tuple(word for item in items for word in item)
    return Referent(frozenset(first), joined if len(joined) == len(items) else (), is_piece=value_type.name == "piece")


def _value_names(game: Compiled, core: Core, value: int, value_type: ValueType) -> frozenset[Words]:
    if value_type.name == "pile" and value >= 0:
        return _pile_names(game, value, Var("", value_type), core.actor)
    token = game.namer.token(value, value_type, core.actor)
    names = {plain_of(game, game.namer.value(value, value_type, lang)) for lang in game.ruleset.languages}
    pieces = game.namer.folded_signs  # in French `as` is an ace, and a piece that is typed is that piece
    return frozenset({plain_of(game, token), *(words for words in names if len(words) != 1 or words[0] not in pieces)})


def _pile_names(game: Compiled, pile: int, var: Var, actor: int) -> frozenset[Words]:
    """Return names of a pile: as ids have it, with its family's name or without, as shown, and as notations have it."""
    namer, token = game.namer, game.namer.pile_token(pile, var, actor)

    def collect() -> frozenset[Words]:
        family, languages = namer.family(pile).name, game.ruleset.languages
        names = [token, f"{family} {token}", f"{family} {namer.brief(pile, actor)}"]
        names += [
            name for lang in languages for name in (namer.brief(pile, actor, lang), namer.pile(pile, lang, actor))
        ]
        return frozenset(plain_of(game, name) for name in names)

    return game.cached(("pile said", pile, token, actor), collect)


def pile_phrase(game: Compiled, pile: int, actor: int) -> Words:
    """Return the plain words of a pile as it is shown in English."""
    return plain_of(game, game.namer.pile(pile, actor=actor))


# ---- the order of a language -----------------------------------------------------------------------------------------


def reorder_to_id(game: Compiled, core: Core, move: Move, words: Sequence[str]) -> list[str]:
    """Put the plain words behind a move's name, in the order of a sentence in some language, in the order of ids."""
    phrases = move.telling.phrases.values()
    places = {blank.name for phrase in phrases for blank in phrase if isinstance(blank, Blank)}
    named = [var for var in _id_order(game, move) if var.name in places]
    for phrase in phrases:
        for found in _match_blanks(_words_and_blanks(game, phrase), tuple(words)):
            if all(_can_name(game, core, var, found[var.name]) for var in move.bindings if var.name in found):
                return [word for var in named for word in _with_arrow(move, var, found.get(var.name, ()))]
    return list(words)


def _can_name(game: Compiled, core: Core, var: Var, words: Words) -> bool:
    """Return whether something of the variable's type is written so."""
    if var.type.name == "pile":
        families = get_families(var.type)
        piles = [n for n in range(len(core.piles) - 1) if not families or game.namer.family(n).name in families]
        return any(plain_of(game, " ".join(words)) in _pile_names(game, n, var, core.actor) for n in piles)
    if var.type.name == "piece":
        return any(words == _sign_words(game, 2 * cls) for cls in range(len(game.namer.signs)))
    return var.type.name != "number" or (len(words) == 1 and words[0].isdigit())


def _id_order(game: Compiled, move: Move) -> list[Var]:
    taken = []
    if move.card is not None and any(take.any_piece for take in move.takes):
        taken.append(move.card)
    if move.origin is not None and game.namer.several_origins(move, move.origin):
        taken.append(move.origin)
    return [*taken, *(var for var, _ in move.withs), *([move.aim] if move.aim is not None else [])]


def _with_arrow(move: Move, var: Var, words: Words) -> Words:
    return (ARROW, *words) if var is move.aim and words and words[0] != ARROW else words


def _words_and_blanks(game: Compiled, phrase: Phrase) -> list[str | Blank]:
    """Return what stands behind the first words of a phrase, without optional forms."""
    first = next((n for n, part in enumerate(phrase) if isinstance(part, Blank)), len(phrase))
    found: list[str | Blank] = []
    for part in phrase[first:]:
        if isinstance(part, Blank):
            found += [part] if part.forms is None else []
        else:
            found += plain_words(part, game.namer.readings).split()
    return found


def _match_blanks(parts: Sequence[str | Blank], words: Words) -> Iterator[dict[str, Words]]:
    """Yield each way to fill the blanks with words; the end of the phrase may be missing."""
    if not words:
        yield {}
    if not words or not parts:
        return
    first, *rest = parts
    if isinstance(first, str):
        yield from _match_blanks(rest, words[1:]) if words[0] == first else ()
        return
    for size in range(1, len(words) + 1):
        yield from ({first.name: words[:size], **found} for found in _match_blanks(rest, words[size:]))


# ---- verbs -----------------------------------------------------------------------------------------------------------


def list_rewordings(wanted: str) -> list[str]:
    """Return plain words with another verb for the same, or with the verb of a move instead of what somebody does."""
    own = [from_first_person(wanted, lang) or to_infinitive(wanted, lang) for lang in LANGUAGES]
    others = [other for words in dict.fromkeys((wanted, *own)) for other in _list_synonyms(words)]
    return [words for words in dict.fromkeys((*own, *others)) if words != wanted]


def _list_synonyms(wanted: str) -> list[str]:
    first, _, rest = wanted.partition(" ")
    others = sorted({word for group in _SYNONYMS if first in group for word in group - {first}})
    return [f"{word} {rest}".rstrip() for word in others]


def to_infinitive(wanted: str, lang: str) -> str:
    """Replace verbs by the form that moves have: `joue 7h` becomes `jouer 7h`."""
    pattern, forms = _third_person_verbs(lang)
    return pattern.sub(lambda found: found[1] + forms[found[2]], wanted)


def from_first_person(wanted: str, lang: str) -> str:
    """Replace “I” and its verb by the verb of a move: `je prends 7h` becomes `prendre 7h`; empty for other words."""
    pattern, forms = _first_person_verbs(lang)
    found = pattern.match(wanted)
    return f"{forms[found[1]]}{wanted[found.end() :]}" if found else ""


@cache
def _first_person_verbs(lang: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of pronouns with verbs, and the verbs of moves by these forms."""
    forms = {fold_case(form): fold_case(verb) for form, verb in own_forms(lang).items()}
    pronouns = [word if word.endswith("'") else f"{word} " for word in _PRONOUNS[lang].split()]
    return re.compile(rf"{any_of(pronouns)}({any_of(forms)})(?!\S)"), forms


@cache
def _third_person_verbs(lang: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of verbs at the start or behind an “and”, and the verbs of moves by these forms."""
    forms = {fold_case(does): fold_case(verb) for verb, does in forms_of(lang).items()}
    return re.compile(rf"(^|(?<!\S){any_of(_AND[lang].split())} )({any_of(forms)})(?!\S)"), forms


def source_pile_names(game: Compiled, move: Move) -> frozenset[str]:
    """Return the plain names of piles that the steps of a move take from, though its words do not name them."""

    def collect() -> Iterator[str]:
        for step in every_step(move.then):
            families = get_families(step.verb.pile.type) if isinstance(step.verb, MovePile) else frozenset[str]()
            for family in (game.ruleset.piles[name] for name in families if len(families) == 1):
                names = (in_language(family.words, lang, family.name) for lang in game.ruleset.languages)
                yield from (plain_words(name, game.namer.readings) for name in (family.name, *names))

    return game.cached(("used", move.number), lambda: frozenset(collect()))
