"""What people say of a move: the things that it is about, each as it may be called, in any order and with the words shown about them or
without; and a sentence in the order of its language in that of ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import plain_words
from hoyle.language.ir import Var, WordCall
from hoyle.language.kinds import Kind, families_of
from hoyle.language.model import Move
from hoyle.language.phrases import Blank, Phrase
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence
from hoyle.running.naming import folded, slug
from hoyle.running.state import Action, Core

Words = tuple[str, ...]
Offer = tuple[Move, Action]
ARROW = "→"
LONGEST = 24
"""So many words may be said of a move."""
_SMALL = frozenset(folded(word) for lang in LANGUAGES for word in Sentence("input.small_words")[lang].split())
"""What may stand before any thing, and says nothing."""


class Thing(Struct, frozen=True):
    """One thing that a move is about: what it may be called, or which words name it in `any_order`. `aim`: the place that it puts on;
    `is_piece`: it is what is put there."""

    names: frozenset[Words]
    any_order: Words = ()
    aim: bool = False
    is_piece: bool = False

    def lengths(self, words: Words) -> set[int]:
        """How many of these words, from the first on, may name it."""
        found = {len(name) for name in self.names if words[: len(name)] == name}
        own = self.any_order
        return found | ({len(own)} if own and Counter(words[: len(own)]) == Counter(own) else set())


class Saying(Struct, frozen=True):
    """What may be said of an action: things, and the words about them. A place alone is where it takes from, unless it is all that there
    is to choose (`aims`)."""

    things: tuple[Thing, ...]
    about: frozenset[str]
    aims: bool

    def fits(self, words: Words, used: frozenset[int] = frozenset(), aimed: bool = False) -> bool:
        """Can the words be taken as its things and what stands about them, with at least one of these?"""
        if not words:
            return bool(used)
        for number, thing in enumerate(self.things):
            if number in used or (thing.aim and not (used or aimed or self.aims)):
                continue
            if any(self.fits(words[n:], used | {number}) for n in thing.lengths(words)):
                return True
        return (words[0] == ARROW or words[0] in self.about) and self.fits(words[1:], used, words[0] == ARROW)

    def fits_turned(self, words: Words) -> bool:
        """Do they name the place that it puts on, and then what is put there?"""
        put = Saying(tuple(thing for thing in self.things if thing.is_piece), self.about, self.aims)
        lengths = {n for thing in self.things if thing.aim for n in thing.lengths(words)}
        return ARROW not in words and any(put.fits(words[n:]) for n in lengths)


def spoken(game: Compiled, core: Core, offers: Iterable[Offer], wanted: str) -> list[Offer]:
    """The actions of which somebody may have said these plain words. Numbers alone say nothing."""
    words = tuple(word for word in wanted.split() if word not in _SMALL)
    if not words or len(words) > LONGEST or all(word.isdigit() for word in words):
        return []
    return [(move, action) for move, action in offers if _saying(game, core, move, action).fits(words)]


def spoken_turned(game: Compiled, core: Core, offers: Iterable[Offer], wanted: str) -> list[Offer]:
    """The actions of which somebody may have said these plain words with the place first: `6 2h`."""
    words = tuple(word for word in wanted.split() if word not in _SMALL)
    if not 1 < len(words) <= LONGEST:
        return []
    return [(move, action) for move, action in offers if _saying(game, core, move, action).fits_turned(words)]


def _saying(game: Compiled, core: Core, move: Move, action: Action) -> Saying:
    things = tuple(thing for thing in _things(game, core, move, action) if thing.names or thing.any_order)
    chosen = bool(move.withs) or (move.taken is not None and _is_chosen(game, move))
    return Saying(things, _about(game, move), not chosen)


def _is_chosen(game: Compiled, move: Move) -> bool:
    """Could another piece be taken?"""
    assert move.origin is not None
    return any(take.any_piece for take in move.takes) or game.namer.several_origins(move, move.origin)


def _about(game: Compiled, move: Move) -> frozenset[str]:
    """The words of a move about its things, in every language."""
    found: frozenset[str] | None = game.kept.get(("about", move.number))
    if found is None:
        texts = [part for phrase in move.telling.phrases.values() for part in _texts(phrase)]
        words = (word for text in (move.name, *texts) for word in _plain(game, text))
        found = game.kept["about", move.number] = frozenset(words)
    return found


def _texts(phrase: Phrase) -> Iterator[str]:
    for part in phrase:
        if isinstance(part, str):
            yield part
        else:
            yield from part.forms or ()


def _plain(game: Compiled, text: str) -> Words:
    found: Words | None = game.kept.get(("words", text))
    if found is None:
        words = plain_words(text, game.namer.readings).split()
        found = game.kept["words", text] = tuple(word for word in words if word not in _SMALL) or tuple(words)
    return found


# ---- things ----------------------------------------------------------------------------------------------------------


def _things(game: Compiled, core: Core, move: Move, action: Action) -> Iterator[Thing]:
    values = dict(zip(move.bindings, action[1:], strict=True))
    if move.taken is not None:
        origin, card = move.taken
        yield _piece(game, core, values[origin], values[card])
        yield Thing(_pile_names(game, values[origin], origin, core.actor))
    for var, items in move.withs:
        yield _chosen(game, core, var, values[var], isinstance(items, WordCall) and items.word == "subsets")
    if move.target is not None:
        pile = values[move.target]
        top = [_sign(game, piece) for piece in core.piles[pile][-1:] if piece & 1]
        yield Thing(_pile_names(game, pile, move.target, core.actor) | {*top}, aim=True)


def _piece(game: Compiled, core: Core, pile: int, piece: int) -> Thing:
    """Nobody names what he does not see."""
    own = game.namer.family(pile).face == "owner" and game.namer.owner(pile) == core.actor
    return Thing(frozenset({_sign(game, piece)} if piece & 1 or own else ()), is_piece=True)


def _sign(game: Compiled, piece: int) -> Words:
    return _plain(game, game.namer.signs[piece >> 1])


def _chosen(game: Compiled, core: Core, var: Var, value: Any, is_set: bool) -> Thing:
    """A list in any order; of pieces that lie one upon the other the first is enough."""
    if var.kind.name != "list":
        return Thing(_value_names(game, core, value, var.kind), is_piece=var.kind.name == "piece")
    kind = var.kind.of_item
    items = [_plain(game, game.namer.token(item, kind, core.actor)) for item in value]
    first = {items[0]} if items and kind.name == "piece" and not is_set else set()
    joined = tuple(word for item in items for word in item)
    return Thing(frozenset(first), joined if len(joined) == len(items) else (), is_piece=kind.name == "piece")


def _value_names(game: Compiled, core: Core, value: int, kind: Kind) -> frozenset[Words]:
    if kind.name == "pile" and value >= 0:
        return _pile_names(game, value, Var("", kind), core.actor)
    token = game.namer.token(value, kind, core.actor)
    said = {_plain(game, game.namer.value(value, kind, lang)) for lang in game.ruleset.languages}
    pieces = game.namer.folded_signs  # in French `as` is an ace, and a piece that is typed is that piece
    return frozenset({_plain(game, token), *(words for words in said if len(words) != 1 or words[0] not in pieces)})


def _pile_names(game: Compiled, pile: int, var: Var, actor: int) -> frozenset[Words]:
    """A pile as ids have it, with the name of its family or without, as it is shown, and as notations have it."""
    namer, token = game.namer, game.namer.pile_token(pile, var, actor)
    found: frozenset[Words] | None = game.kept.get(("pile said", pile, token, actor))
    if found is not None:
        return found
    family, brief = namer.family(pile), namer.brief(pile, actor)
    noted = (namer.brief(pile, actor, lang) for lang in game.ruleset.languages)
    shown = (namer.pile(pile, lang, actor) for lang in game.ruleset.languages)
    names = (token, f"{family.name} {token}", f"{family.name} {brief}", *noted, *shown)
    found = game.kept["pile said", pile, token, actor] = frozenset(_plain(game, name) for name in names)
    return found


# ---- the order of a language -----------------------------------------------------------------------------------------


def in_notation(game: Compiled, core: Core, moves: Iterable[Move], wanted: str) -> tuple[Move, Words] | None:
    """The move whose notation this is, whatever stands in its places, and what it takes from, as ids have it."""
    for move in moves:
        found = re.fullmatch(_notation(move), wanted) if move.short is not None else None
        if found is not None and move.origin is not None and move.origin.name in found.groupdict():
            piles = range(len(core.piles) - 1)
            own = [n for n in piles if found[move.origin.name] in _noted(game, n, core.actor)]
            named = [pile_words(game, n, core.actor) for n in own]
            return move, named[0] if named else (found[move.origin.name],)
    return None


def _noted(game: Compiled, pile: int, actor: int) -> list[str]:
    """A pile as notations have it in every language, as it is compared."""
    return [" ".join(_plain(game, game.namer.brief(pile, actor, lang))) for lang in game.ruleset.languages]


def pile_words(game: Compiled, pile: int, actor: int) -> Words:
    """A pile as it is shown in English, as it is compared."""
    return _plain(game, game.namer.pile(pile, actor=actor))


def _notation(move: Move) -> str:
    assert move.short is not None
    parts = move.short.phrases[FALLBACK]
    return "".join(re.escape(part) if isinstance(part, str) else _place(part) for part in parts)


def links(move: Move, word: str) -> list[str]:
    """A notation step by step, where each begins with the place at which the one before ended: `21/18*/14` is `21/18*` and `18/14`; none
    if it is written in another way."""
    assert move.short is not None
    first, *rest = move.short.phrases[FALLBACK]
    if not isinstance(first, Blank) or first.forms is not None or not rest:
        return []
    step = "".join(re.escape(part) if isinstance(part, str) else _unnamed(part) for part in rest)
    if re.fullmatch(rf"\w+(?:{step})+", word) is None:
        return []
    found, origin = list[str](), re.findall(r"\w+", word)[0]
    for link in re.finditer(step, word):
        found.append(f"{origin}{link[0]}")
        origin = re.findall(r"\w+", link[0])[-1]
    return found


def _unnamed(blank: Blank) -> str:
    return _place(blank) if blank.forms is not None else r"\w+"


def _place(blank: Blank) -> str:
    if blank.forms is not None:
        return f"(?:{'|'.join(map(re.escape, blank.forms))})"
    return rf"(?P<{blank.name}>\w+)" if "." not in blank.name else r"\w+"


def in_id_order(game: Compiled, core: Core, move: Move, words: Sequence[str]) -> list[str]:
    """The plain words behind a move's name, as a sentence has them in some language, in the order in which ids have them."""
    places = {blank.name for phrase in move.telling.phrases.values() for blank in phrase if isinstance(blank, Blank)}
    named = [var for var in _id_order(game, move) if var.name in places]
    for phrase in move.telling.phrases.values():
        for found in _read(_parts(game, phrase), tuple(words)):
            if all(_could_be(game, core, var, found[var.name]) for var in move.bindings if var.name in found):
                return [word for var in named for word in _arrowed(move, var, found.get(var.name, ()))]
    return list(words)


def _could_be(game: Compiled, core: Core, var: Var, words: Words) -> bool:
    """Is this how something of its kind is written?"""
    if var.kind.name == "pile":
        families = families_of(var.kind)
        piles = [n for n in range(len(core.piles) - 1) if not families or game.namer.family(n).name in families]
        return any(_plain(game, " ".join(words)) in _pile_names(game, n, var, core.actor) for n in piles)
    if var.kind.name == "piece":
        return any(words == _sign(game, 2 * cls) for cls in range(len(game.namer.signs)))
    return var.kind.name != "number" or (len(words) == 1 and words[0].isdigit())


def _id_order(game: Compiled, move: Move) -> list[Var]:
    taken = [var for var in (move.card, move.origin) if var is not None and _is_named(game, move, var)]
    return [*taken, *(var for var, _ in move.withs), *([move.aim] if move.aim is not None else [])]


def _is_named(game: Compiled, move: Move, var: Var) -> bool:
    """Do ids name it?"""
    if var is move.card:
        return any(take.any_piece for take in move.takes)
    return game.namer.several_origins(move, var)


def _arrowed(move: Move, var: Var, words: Words) -> Words:
    return (ARROW, *words) if var is move.aim and words and words[0] != ARROW else words


def _parts(game: Compiled, phrase: Phrase) -> list[str | Blank]:
    """The words and places behind the first words; without what is only added."""
    first = next((n for n, part in enumerate(phrase) if isinstance(part, Blank)), len(phrase))
    found: list[str | Blank] = []
    for part in phrase[first:]:
        if isinstance(part, Blank):
            found += [part] if part.forms is None else []
        else:
            found += plain_words(part, game.namer.readings).split()
    return found


def _read(parts: Sequence[str | Blank], words: Words) -> Iterator[dict[str, Words]]:
    """Each way to say what stands in each place; the end may be missing."""
    if not words:
        yield {}
    if not words or not parts:
        return
    first, *rest = parts
    if isinstance(first, str):
        yield from _read(rest, words[1:]) if words[0] == first else ()
        return
    for size in range(1, len(words) + 1):
        yield from ({first.name: words[:size], **found} for found in _read(rest, words[size:]))


# ---- letters of a language -------------------------------------------------------------------------------------------


def in_signs(game: Compiled, text: str, lang: str) -> str:
    """A line as it is typed by who reads a language: letters of pieces that are that language's own are its signs. A line that begins like
    an id is one."""
    heads = {slug(move.name) for move in game.ruleset.moves.values()}
    known = game.namer.letters(lang)
    if not known or text.split(" ", 1)[0].casefold() in heads:
        return text
    return " ".join(known.get(folded(word.strip(",;()")), word) for word in text.split())
