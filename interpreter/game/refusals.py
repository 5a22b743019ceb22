"""Why a move that people name cannot be meant here: this decision does not offer it, or there is nothing it could be bound to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile

from msgspec import Struct

from interpreter.game.bindings import actions_of, sources_of
from interpreter.game.compiled import Compiled
from interpreter.game.spelling import plain_sign, sign_codes
from interpreter.language.ir import Var
from interpreter.language.kinds import List, families_of
from interpreter.language.model import Move, Texts, texts_of
from interpreter.language.sentences import Sentence
from interpreter.running.naming import in_language, slug
from interpreter.running.places import Point
from interpreter.running.state import Core

MOST = 13
"""So many moves or values are named; the rest are not."""


class Wanted(Struct, frozen=True):
    """A move as somebody wrote it: the words after its name."""

    game: Compiled
    core: Core
    move: Move
    words: tuple[str, ...]


def not_offered(game: Compiled, move: Move, point: Point) -> Texts:
    """This decision does not offer the move; what it does offer."""
    return _said(
        "not_offered",
        move=lambda lang: in_language(move.words, lang, move.name),
        some=lambda lang: ", ".join(in_language(m.words, lang, m.name) for m in point.moves),
    )


def not_bound(game: Compiled, core: Core, move: Move, words: Sequence[str], legal: Sequence[str]) -> Texts:
    """What of the words after a move's name cannot be meant."""
    wanted = Wanted(game, core, move, tuple(words))
    actions = [game.namer.bound(move, action, core.actor) for action in actions_of(game, core, move)]
    return _meant(wanted, actions, legal) or _first_unmet(wanted, actions)


Bound = list[tuple[Var, str]]


def _meant(wanted: Wanted, actions: Sequence[Bound], legal: Sequence[str]) -> Texts | None:
    """A move that has all the words and a few more, or all but a few; legal ones first."""
    own = [tuple(words for _, part in bound for words in part.split()) for bound in actions]
    first = [i.split()[1:] for i in legal if i.split()[0] == _head(wanted)]
    for known in (*first, *own):
        if wanted.words and _within(wanted.words, known):
            return _said("did_you_mean", some=_always(" ".join([_head(wanted), *known])))
    for known in (*first, *own):
        if wanted.words and _within(known, wanted.words):
            extra = _beyond(wanted.words, known)
            return _said("too_much", word=_always(extra), some=_always(" ".join([_head(wanted), *known])))
    return None


def _beyond(words: Sequence[str], known: Sequence[str]) -> str:
    """The first word that stands more often among the words than among the others."""
    left = Counter(k.casefold() for k in known)
    for word in words:
        left[word.casefold()] -= 1
        if left[word.casefold()] < 0:
            return word
    raise ValueError(f"{words} are no more than {known}")


def _head(wanted: Wanted) -> str:
    return slug(wanted.move.name)


def _within(words: Sequence[str], known: Sequence[str]) -> bool:
    """Are the words among the others, in their order?"""
    rest = iter([k.casefold() for k in known])
    return all(word.casefold() in rest for word in words)


def _first_unmet(wanted: Wanted, actions: Sequence[Bound]) -> Texts:
    """Name by name, as far as some binding fits the words: what the first name that fits none of them could be."""
    left, rest = list(actions), _without_family(wanted, actions)
    for at, var in enumerate(_names(wanted.move)):
        fitting = [b for b in left if _begins(rest, b[at][1].split())]
        if not fitting:
            return _unmet(wanted, var, [b[at][1] for b in left], rest)
        longest = max(len(b[at][1].split()) for b in fitting)
        left = [b for b in fitting if len(b[at][1].split()) == longest]
        rest = rest[longest:]
    return _say_more([" ".join(part for _, part in b) for b in left])


def _without_family(wanted: Wanted, actions: Sequence[Bound]) -> list[str]:
    """The words without the name of a family where a pile needs none."""
    origin, first = wanted.move.origin, wanted.words[:1]
    families = [slug(f) for f in families_of(origin.kind)] if origin is not None else []
    needed = any(_begins(first, words.split()[:1]) for bound in actions for _, words in bound[:1])
    return list(wanted.words[1:] if first and first[0] in families and not needed else wanted.words)


def _begins(words: Sequence[str], with_these: Sequence[str]) -> bool:
    return [w.casefold() for w in words[: len(with_these)]] == [w.casefold() for w in with_these]


def _names(move: Move) -> list[Var]:
    """What of a move is named, in the order of its id."""
    return [var for var in (move.card, *(var for var, _ in move.withs), move.aim) if var is not None]


def _unmet(wanted: Wanted, var: Var, known: Sequence[str], rest: Sequence[str]) -> Texts:
    known = [k.removeprefix("-> ") for k in known]
    word = next((w for w in rest if w != "->"), "")
    if not word and known:
        return _say_more(known)
    if var is wanted.move.card:
        return _not_taken(wanted, rest)
    if not known:
        return _said("no_choice", name=_always(var.name.replace("_", " ")))
    if isinstance(var.kind, List):
        known = [part for k in known for part in k.split()]
        word = next((w for w in rest if w not in known), word)
    return _said("no_such_target" if var is wanted.move.target else "not_among", word=_always(word), some=_some(known))


def _say_more(known: Sequence[str]) -> Texts:
    return _said("say_more", some=_some(known))


def _some(known: Sequence[str]) -> Callable[[str], str]:
    """The first few of the values there are; numbers that follow each other from the first to the last."""
    found = list(dict.fromkeys(known))
    numbers = [int(k) for k in found if k.isascii() and k.isdigit()]
    if len(numbers) > 2 and numbers == [*range(numbers[0], numbers[0] + len(found))]:
        return _always(f"{numbers[0]}–{numbers[-1]}")
    return _always(", ".join(found[:MOST]) + (" …" if len(found) > MOST else ""))


# ---- what is taken ---------------------------------------------------------------------------------------------------


def _not_taken(wanted: Wanted, words: Sequence[str]) -> Texts:
    """Why the piece or the place that was named is not there to be taken."""
    sources = sources_of(wanted.game, wanted.core, wanted.move)
    named = list(takewhile(lambda word: word != "->", words))
    if any(take.any_piece for take in wanted.move.takes) and named:
        return _no_such_piece(wanted, named[0], sources)
    pile = _pile_named(wanted, named)
    if pile is not None and pile not in sources:
        return _nothing_there(wanted, pile)
    if named and pile is None:
        return _said("no_such_place", word=_always(" ".join(named)))
    empty = [n for n in ([pile] if pile is not None else sources) if not wanted.core.piles[n]]
    return _empty(wanted, empty[0]) if empty else _said("nothing_to_take")


def _no_such_piece(wanted: Wanted, word: str, sources: Sequence[int]) -> Texts:
    game, move = wanted.game, wanted.move
    families = [game.ruleset.piles[f] for f in sorted(families_of(move.origin.kind))] if move.origin is not None else []
    kinds = list(dict.fromkeys(f.holds for f in families)) or list(game.ruleset.pieces)
    codes = {sign: code for kind in kinds for sign, code in sign_codes(game, kind).items()}
    if plain_sign(word) not in codes:
        words = game.ruleset.pieces[kinds[0]].words
        return _said("no_such_piece", word=_always(word), kind=lambda lang: in_language(words, lang, kinds[0]))
    if not sources:
        return _said("nothing_to_take")
    own = all(game.namer.owner(n) == wanted.core.actor for n in sources)
    looked_in = list({f.name: f for f in map(game.namer.family, sources)}.values())
    return _said(
        "not_yours_to_take" if own else "not_there",
        word=_always(game.namer.signs[codes[plain_sign(word)] >> 1]),
        pile=lambda lang: ", ".join(in_language(f.words, lang, f.name) for f in looked_in),
    )


def _pile_named(wanted: Wanted, words: Sequence[str]) -> int | None:
    """The pile that words stand for where this move takes from, with the name of its family or without."""
    move, namer = wanted.move, wanted.game.namer
    if move.origin is None:
        return None
    for number in range(len(wanted.core.piles) - 1):
        family = namer.family(number)
        if family.name not in (families_of(move.origin.kind) or (family.name,)):
            continue
        token, own = namer.pile_token(number, move.origin, wanted.core.actor).split(), slug(family.name)
        if any(_begins(words, t) for t in (token, token[1:] if token[0] == own else [own, *token]) if t):
            return number
    return None


def _nothing_there(wanted: Wanted, pile: int) -> Texts:
    """The pile is there, and the rules let nothing be taken from it."""
    game, core = wanted.game, wanted.core
    if not core.piles[pile]:
        return _empty(wanted, pile)
    top = core.piles[pile][-1]
    kind = game.namer.piece_kinds[top >> 1]
    key = "not_taken"
    if "owner" in kind.attributes:
        owner = kind.classes[(top >> 1) - kind.base]["owner"]
        key = "not_yours" if owner != core.actor else key
    return _said(key, kind=lambda lang: in_language(kind.words, lang, kind.name), pile=_pile(wanted, pile))


def _empty(wanted: Wanted, pile: int) -> Texts:
    return _said("empty", pile=_pile(wanted, pile))


def _pile(wanted: Wanted, pile: int) -> Callable[[str], str]:
    return lambda lang: wanted.game.namer.pile(pile, lang, wanted.core.actor)


def _always(text: str) -> Callable[[str], str]:
    return lambda lang: text


def _said(key: str, **words: Callable[[str], str]) -> Texts:
    sentence = Sentence(f"refusal.{key}")
    return texts_of(lambda lang: sentence[lang].format(**{name: word(lang) for name, word in words.items()}))
