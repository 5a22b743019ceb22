"""Why a move that people name cannot be meant here: this decision does not offer it, or there is nothing it could be bound to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import list_actions, source_piles
from hoyle.game.moves.parsing import Argument, list_arguments
from hoyle.game.spelling import fold_sign, plain_words, sign_codes
from hoyle.language.ir import Var
from hoyle.language.kinds import families_of
from hoyle.language.model import Move, PieceKind, Texts, texts_of
from hoyle.language.phrases import stem
from hoyle.language.sentences import FALLBACK, Sentence, filled
from hoyle.running.machine import Point
from hoyle.running.naming import in_language, slug
from hoyle.running.state import Core

MOST = 13
"""So many values are named; the rest are not."""
FEW = 4
"""So many whole moves are named."""
ARROW = "→"
"""What stands before a place in plain words."""


class Wanted(Struct, frozen=True):
    """A move as somebody wrote it: the plain words after its name in the order of ids, the whole text, and these words as they stand in it."""

    game: Compiled
    core: Core
    move: Move
    words: tuple[str, ...]
    text: str
    said: tuple[str, ...] = ()

    def texts(self) -> Texts:
        """The move as it was asked for, by its name in each language."""
        rest = self.written(self.said or self.words)
        return texts_of(lambda lang: f"{_called(self.move, lang)} {rest}".rstrip(), self.game.ruleset.languages)

    def written(self, words: Sequence[str]) -> str:
        """Plain words as they were written."""
        found = {plain_words(word, self.game.namer.readings): word for word in re.split(r"[\s()]+", self.text)}
        return " ".join(found.get(word, word) for word in words)


def not_offered(core: Core, move: Move, point: Point) -> Texts:
    """This decision does not offer the move; which of those that it offers are legal now."""
    numbers = {action[0] for action in core.acts}
    return refusal(
        "not_offered",
        move=lambda lang: _said_once(in_language(move.words, lang, move.name)),
        some=lambda lang: ", ".join(in_language(m.words, lang, m.name) for m in point.moves if m.number in numbers),
    )


def _said_once(words: str) -> str:
    """Words that are put between quotes, without those that they have themselves."""
    return words.strip('“”«»"\u00a0\u202f ')


def not_here() -> Texts:
    """There may be such a move, or why there is none hangs on what is hidden."""
    return refusal("not_here")


def leads_elsewhere(ways: Callable[[str], Sequence[str]]) -> Texts:
    """From there a move leads, but not where somebody said."""
    return refusal("leads_elsewhere", some=lambda lang: _some([f"`{way}`" for way in ways(lang)])(lang))


Bound = list[Argument]


def not_bound(wanted: Wanted, legal: Sequence[str]) -> Texts:
    """What of the words after a move's name cannot be meant."""
    game, core, move = wanted.game, wanted.core, wanted.move
    actions = [list_arguments(game, move, action, core.actor) for action in list_actions(game, core, move)]
    walked = _walked(wanted, actions)
    legal_first = sorted(actions, key=lambda bound: _ident(wanted, bound) not in legal)
    return _listed(wanted, walked) or _meant(wanted, legal_first) or _first_unmet(wanted, walked[-1])


def _ident(wanted: Wanted, bound: Bound, lang: str = FALLBACK) -> str:
    return " ".join([_called(wanted.move, lang), *(part.text for part in bound if part.text)])


def _called(move: Move, lang: str) -> str:
    """A move's name as one may write it: as in ids, or in another language."""
    words = stem(move.telling.phrases.get(lang, ())).rstrip(" ,;:") if lang != FALLBACK else ""
    return words or slug(move.name)


def _words(bound: Bound) -> list[str]:
    return [word for part in bound for word in part.words]


def _meant(wanted: Wanted, actions: Sequence[Bound]) -> Texts | None:
    """A move that has all the words and a few more, or all but a few; legal ones, which stand first."""
    more = [b for b in actions if wanted.words and _within(wanted.words, _words(b))]
    if more:
        return refusal("did_you_mean", some=_idents(wanted, more))
    for bound in actions:
        if wanted.words and _within(_words(bound), wanted.words):
            extra = wanted.written([_beyond(wanted.words, _words(bound))])
            return refusal("too_much", word=_always(extra), some=_idents(wanted, [bound]))
    return None


def _idents(wanted: Wanted, found: Sequence[Bound]) -> Callable[[str], str]:
    return lambda lang: _some([f"`{_ident(wanted, bound, lang)}`" for bound in found], FEW)(lang)


def _beyond(words: Sequence[str], known: Sequence[str]) -> str:
    """The first word that stands more often among the words than among the others."""
    left = Counter(known)
    for word in words:
        left[word] -= 1
        if left[word] < 0:
            return word
    raise ValueError(f"{words} are no more than {known}")


def _within(words: Sequence[str], known: Sequence[str]) -> bool:
    """Are the words among the others, in their order?"""
    rest = iter(known)
    return all(word in rest for word in words)


class Step(Struct, frozen=True):
    """Words held against one name of a move: what it can be bound to after what the words before have said, and the words left.

    `var`  None behind the last name
    """

    var: Var | None
    at: int
    left: list[Bound]
    rest: list[str]

    @property
    def parts(self) -> list[Argument]:
        return [bound[self.at] for bound in self.left] if self.var is not None else []


def _walked(wanted: Wanted, actions: Sequence[Bound]) -> list[Step]:
    """Name by name, as far as the words fit; the last is the first that they do not fit."""
    names = _names(wanted.move)
    steps = [Step(next(iter(names), None), 0, list(actions), _spelled(wanted, actions))]
    for at, var in enumerate([*names[1:], None] if names else [], 1):
        fitting = [(taken, b) for b in steps[-1].left if (taken := b[at - 1].match_length(steps[-1].rest)) is not None]
        if not fitting:
            break
        longest = max(taken for taken, _ in fitting)
        steps.append(Step(var, at, [b for taken, b in fitting if taken == longest], steps[-1].rest[longest:]))
    return steps


def _first_unmet(wanted: Wanted, step: Step) -> Texts:
    """What the first name that does not fit the words could be."""
    if step.var is None:
        more = [" ".join(part.text for part in b if part.text) for b in step.left]
        return _say_more(more) if any(more) or not wanted.said else _says_all(wanted, step)
    return _unmet(wanted, step.var, [part.text for part in step.parts], step.rest)


def _says_all(wanted: Wanted, step: Step) -> Texts:
    """The name of the move is all that is to be said: what stands behind it names nothing that it is about."""
    return refusal("too_much", word=_always(wanted.written(wanted.said)), some=_idents(wanted, step.left))


def _spelled(wanted: Wanted, actions: Sequence[Bound]) -> list[str]:
    """The words, with the pile that is taken from as ids write it: with the name of its family where it needs one."""
    words, first = list(wanted.words), [b[0].words for b in actions if b]
    if any(take.any_piece for take in wanted.move.takes) or any(_begins(words, known) for known in first if known):
        return words
    number, used = _pile_named(wanted, words)
    origin = wanted.move.origin
    if number is None or origin is None:
        return words
    token = plain_words(wanted.game.namer.pile_token(number, origin, wanted.core.actor)).split()
    return [*(token if any(first) or not first else []), *words[used:]]


def _begins(words: Sequence[str], with_these: Sequence[str]) -> bool:
    return list(words[: len(with_these)]) == list(with_these)


def _names(move: Move) -> list[Var]:
    """What of a move is named, in the order of its id."""
    return [var for var in (move.card, *(var for var, _ in move.withs), move.aim) if var is not None]


def _unmet(wanted: Wanted, var: Var, known: Sequence[str], rest: Sequence[str]) -> Texts:
    known = [k.removeprefix("-> ") for k in known]
    words = [w for w in rest if w != ARROW]
    if not words and known:
        return _say_more(known)
    if var is wanted.move.card:
        return _not_taken(wanted, known, rest)
    if not known:
        return refusal("no_choice", name=_always(var.name.replace("_", " ")))
    if var is wanted.move.target:
        return refusal("no_such_target", word=_always(wanted.written(words)), some=_some(known))
    return refusal("not_among", word=_always(wanted.written(words[:1])), some=_some_called(wanted, var, known))


def _some_called(wanted: Wanted, var: Var, known: Sequence[str]) -> Callable[[str], str]:
    """The first few of the values there are; rows of a table in other languages by their words, which are understood too."""
    table = wanted.game.ruleset.tables.get(var.kind.table) if var.kind.name == "row" else None

    def said(lang: str) -> str:
        words = table.words if table is not None and lang != FALLBACK else {}
        return _some([in_language(words[name], lang, name) if name in words else name for name in known])(lang)

    return said


# ---- lists -----------------------------------------------------------------------------------------------------------


def _listed(wanted: Wanted, walked: Sequence[Step]) -> Texts | None:
    """What is wrong with the items of a list: one is not there, one is named too often, there are too many or too few."""
    for step in walked[-2:]:
        lists, given = step.parts, list(takewhile(lambda word: word != ARROW, step.rest))
        whole = any(part.match_length(given) == len(given) for part in lists)
        if not given or not lists or whole or not all(part.is_unordered for part in lists):
            continue
        known = {word: item for part in lists for word, item in zip(part.words, part.items, strict=False)}
        stranger = next((word for word in given if word not in known), None)
        if stranger is None:
            return _named_too_often(lists, given, known) or _miscounted(wanted, lists, given)
        if step is walked[-1]:
            return refusal("not_among", word=_always(wanted.written([stranger])), some=_some([*known.values()]))
    return None


def _named_too_often(lists: Sequence[Argument], given: Sequence[str], known: Mapping[str, str]) -> Texts | None:
    for word, count in Counter(given).items():
        most = max(part.words.count(word) for part in lists)
        if count > most:
            return refusal("too_often", word=_always(known[word]), count=count, most=most, wanted=_sizes(lists))
    return None


def _miscounted(wanted: Wanted, lists: Sequence[Argument], given: Sequence[str]) -> Texts:
    word = _always(wanted.written(given))
    if len(given) in {len(part.items) for part in lists}:
        return refusal("not_among", word=word, some=_some([part.text for part in lists]))
    more = [part.text for part in lists if Counter(given) <= Counter(part.words)]
    key = "too_few" if more else "too_many"
    return refusal(key, word=word, count=len(given), wanted=_sizes(lists), some=_some(more))


def _sizes(lists: Sequence[Argument]) -> Callable[[str], str]:
    return _some([str(size) for size in sorted({len(part.items) for part in lists})])


def _say_more(known: Sequence[str]) -> Texts:
    named = [*filter(None, known)]
    return refusal("say_more", some=_some(named)) if named else not_here()


def _some(known: Sequence[str], most: int = MOST) -> Callable[[str], str]:
    """The first few of the values there are; numbers that follow each other from the first to the last."""
    found = list(dict.fromkeys(known))
    numbers = [int(k) for k in found if k.isascii() and k.isdigit()]
    if len(numbers) > 2 and numbers == [*range(numbers[0], numbers[0] + len(found))]:
        return _always(f"{numbers[0]}–{numbers[-1]}")
    return _always(", ".join(found[:most]) + (" …" if len(found) > most else ""))


# ---- what is taken ---------------------------------------------------------------------------------------------------


def _not_taken(wanted: Wanted, known: Sequence[str], words: Sequence[str]) -> Texts:
    """Why the piece or the place that was named is not there to be taken."""
    sources = source_piles(wanted.game, wanted.core, wanted.move)
    named = list(takewhile(lambda word: word != ARROW, words))
    if any(take.any_piece for take in wanted.move.takes) and named:
        there = [k for k in known if _begins(plain_words(k).split(), named[:1])]
        return _say_more(there) if there else _no_such_piece(wanted, named[0], sources)
    pile, _ = _pile_named(wanted, named)
    if pile is not None and pile not in sources:
        return _nothing_there(wanted, pile)
    if named and pile is None:
        return refusal("no_such_place", word=_always(wanted.written(named)))
    empty = [n for n in ([pile] if pile is not None else sources) if not wanted.core.piles[n]]
    return _empty(wanted, empty[0]) if empty else refusal("nothing_to_take")


def _no_such_piece(wanted: Wanted, word: str, sources: Sequence[int]) -> Texts:
    game, move = wanted.game, wanted.move
    families = [game.ruleset.piles[f] for f in sorted(families_of(move.origin.kind))] if move.origin is not None else []
    kinds = list(dict.fromkeys(f.holds for f in families)) or list(game.ruleset.pieces)
    codes = {sign: code for kind in kinds for sign, code in sign_codes(game, kind).items()}
    if fold_sign(word) not in codes:
        words = game.ruleset.pieces[kinds[0]].words
        return refusal(
            "no_such_piece",
            word=_always(wanted.written([word])),
            kind=lambda lang: in_language(words, lang, kinds[0]),
        )
    if not sources:
        return refusal("nothing_to_take")
    sign = game.namer.signs[codes[fold_sign(word)] >> 1]
    return refusal("not_there", word=_always(sign), pile=places(wanted.game, wanted.core, sources))


def _pile_named(wanted: Wanted, words: Sequence[str]) -> tuple[int | None, int]:
    """The pile that words begin with where this move takes from, by its id, with the name of its family or without, or as it is
    shown; and how many words that are."""
    found: tuple[int | None, int] = (None, 0)
    for number in range(len(wanted.core.piles) - 1):
        for name in _names_of_pile(wanted, number):
            if len(name) > found[1] and _begins(words, name):
                found = number, len(name)
    return found


def _names_of_pile(wanted: Wanted, number: int) -> Iterator[list[str]]:
    origin, namer, actor = wanted.move.origin, wanted.game.namer, wanted.core.actor
    family = namer.family(number)
    if origin is None or family.name not in (families_of(origin.kind) or (family.name,)):
        return
    token, own = plain_words(namer.pile_token(number, origin, actor)).split(), plain_words(family.name).split()
    yield token
    yield token[len(own) :] if _begins(token, own) else [*own, *token]
    yield from (plain_words(namer.pile(number, lang, actor)).split() for lang in namer.ruleset.languages)


def _nothing_there(wanted: Wanted, pile: int) -> Texts:
    """The pile is there, and the rules let nothing be taken from it."""
    game, core = wanted.game, wanted.core
    if not core.piles[pile]:
        return _empty(wanted, pile)
    cls = core.piles[pile][-1] >> 1
    kind = game.namer.piece_kinds[cls]
    if "owner" in kind.attributes and kind.classes[cls - kind.base]["owner"] != core.actor:
        return _not_yours(wanted, kind, pile)
    return refusal("not_taken", pile=places(wanted.game, wanted.core, [pile]))


def _empty(wanted: Wanted, pile: int) -> Texts:
    kind = wanted.game.ruleset.pieces.get(wanted.game.namer.family(pile).holds)
    if kind is not None and "owner" in kind.attributes:
        return _not_yours(wanted, kind, pile)
    return refusal("empty", pile=places(wanted.game, wanted.core, [pile]))


def _not_yours(wanted: Wanted, kind: PieceKind, pile: int) -> Texts:
    words = kind.words
    return refusal(
        "not_yours",
        kind=lambda lang: in_language(words, lang, kind.name),
        pile=places(wanted.game, wanted.core, [pile]),
    )


def places(game: Compiled, core: Core, piles: Sequence[int]) -> Callable[[str], str]:
    """These piles as a sentence has them: `your hand`, `the waste`, `column 3`, `any column`."""
    namer = game.namer
    families = {namer.family(n).name: [m for m in piles if namer.family(m) is namer.family(n)] for n in piles}

    def place(own: Sequence[int], lang: str) -> str:
        family = namer.family(own[0])
        name = in_language(family.words, lang, family.name)
        yours = all(namer.owner(n) == core.actor for n in own)
        if len(own) > 1:
            return Sentence("refusal.your" if yours else "refusal.any")[lang].format(pile=name)
        words = namer.pile(own[0], lang, core.actor)
        return Sentence(f"refusal.{'your' if yours else 'the' if words == name else 'this'}")[lang].format(pile=words)

    return lambda lang: Sentence("refusal.or")[lang].join(place(own, lang) for own in families.values())


def _always(text: str) -> Callable[[str], str]:
    return lambda lang: text


def refusal(key: str, **words: Callable[[str], str] | int) -> Texts:
    """A sentence of these, in every language."""
    sentence = Sentence(f"refusal.{key}")

    def said(lang: str) -> str:
        values = {name: word if isinstance(word, int) else word(lang) for name, word in words.items()}
        text = filled(sentence[lang], lang, values)
        return text[:1].upper() + text[1:] if sentence[lang].startswith("{pile}") else text

    return texts_of(said)
