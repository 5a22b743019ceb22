"""Sentences that say why a requested move cannot be meant: it is not offered here, or it cannot be bound so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import list_actions, source_piles
from hoyle.game.moves.parsing import Argument, list_arguments
from hoyle.game.moves.phrases import ARROW
from hoyle.game.spelling import fold_sign, plain_words, sign_codes
from hoyle.language.ir import Var
from hoyle.language.model import Move, PieceKind, Texts, texts_of
from hoyle.language.phrases import stem
from hoyle.language.sentences import FALLBACK, Sentence, fill_sentence
from hoyle.language.value_types import get_families
from hoyle.running.machine import Point
from hoyle.running.naming import in_language, slug
from hoyle.running.state import Core

MOST_VALUES, MOST_MOVES = 13, 4
"""Values and whole moves that a sentence lists at most."""
Arguments = list[Argument]
Wording = Callable[[str], str]
"""Text by language."""


class Request(Struct, frozen=True):
    """A move as somebody wrote it.

    words  plain words after the name, in the order of ids
    text   the whole text
    said   plain words after the name, in the order of the text
    """

    game: Compiled
    core: Core
    move: Move
    words: tuple[str, ...]
    text: str
    said: tuple[str, ...] = ()

    def texts(self) -> Texts:
        """Return the move as it was asked for, by its name in each language."""
        rest = self.as_typed(self.said or self.words)
        return texts_of(lambda lang: f"{_move_name(self.move, lang)} {rest}".rstrip(), self.game.ruleset.languages)

    def as_typed(self, words: Sequence[str]) -> str:
        """Return plain words as they were typed."""
        typed = {plain_words(word, self.game.namer.readings): word for word in re.split(r"[\s()]+", self.text)}
        return " ".join(typed.get(word, word) for word in words)


def refusal(key: str, **words: Wording | int) -> Texts:
    """Fill the sentence `refusal.<key>` in every language."""
    sentence = Sentence(f"refusal.{key}")

    def fill(lang: str) -> str:
        values = {name: word if isinstance(word, int) else word(lang) for name, word in words.items()}
        text = fill_sentence(sentence[lang], lang, values)
        return text[:1].upper() + text[1:] if sentence[lang].startswith("{pile}") else text

    return texts_of(fill)


def _always(text: str) -> Wording:
    return lambda lang: text


def explain_not_offered(core: Core, move: Move, point: Point) -> Texts:
    """Say that the decision does not offer a move, and which moves it offers."""
    numbers = {action[0] for action in core.acts}
    return refusal(
        "not_offered",
        # the sentence has quotes of its own
        move=lambda lang: in_language(move.words, lang, move.name).strip('“”«»"\u00a0\u202f '),
        some=lambda lang: ", ".join(in_language(m.words, lang, m.name) for m in point.moves if m.number in numbers),
    )


def explain_nothing() -> Texts:
    """Say only that the game has no such move here, because the reason may be hidden information."""
    return refusal("not_here")


def explain_wrong_target(list_ways: Callable[[str], Sequence[str]]) -> Texts:
    """Say to which targets the move can lead instead."""
    return refusal("leads_elsewhere", some=lambda lang: _list([f"`{way}`" for way in list_ways(lang)])(lang))


def explain_unbound(request: Request, legal: Sequence[str]) -> Texts:
    """Say which of the words after a move's name is wrong."""
    game, core, move = request.game, request.core, request.move
    actions = [list_arguments(game, move, action, core.actor) for action in list_actions(game, core, move)]
    steps = _match_words(request, actions)
    legal_first = sorted(actions, key=lambda arguments: _move_id(request, arguments) not in legal)
    return _explain_list(request, steps) or _suggest(request, legal_first) or _explain_step(request, steps[-1])


def _move_id(request: Request, arguments: Arguments, lang: str = FALLBACK) -> str:
    return " ".join([_move_name(request.move, lang), *(argument.text for argument in arguments if argument.text)])


def _move_name(move: Move, lang: str) -> str:
    """Return a move's name as one may type it: as in ids, or in another language."""
    words = stem(move.telling.phrases.get(lang, ())).rstrip(" ,;:") if lang != FALLBACK else ""
    return words or slug(move.name)


def _suggest(request: Request, actions: Sequence[Arguments]) -> Texts | None:
    """Suggest a move that has all the words and more, or all but a few. Legal moves come first in `actions`."""
    if not request.words:
        return None
    words = [[word for argument in arguments for word in argument.words] for arguments in actions]
    more = [arguments for arguments, own in zip(actions, words, strict=True) if _is_subsequence(request.words, own)]
    if more:
        return refusal("did_you_mean", some=_list_ids(request, more))
    for arguments, own in zip(actions, words, strict=True):
        if _is_subsequence(own, request.words):
            extra = next(iter(_without(request.words, own)))
            return refusal("too_much", word=_always(request.as_typed([extra])), some=_list_ids(request, [arguments]))
    return None


def _list_ids(request: Request, actions: Sequence[Arguments]) -> Wording:
    return lambda lang: _list([f"`{_move_id(request, a, lang)}`" for a in actions], MOST_MOVES)(lang)


def _without(words: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """Yield the words that occur more often in `words` than in `known`."""
    left = Counter(known)
    for word in words:
        left[word] -= 1
        if left[word] < 0:
            yield word


def _is_subsequence(words: Sequence[str], known: Sequence[str]) -> bool:
    rest = iter(known)
    return all(word in rest for word in words)


# ---- words matched with arguments ------------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """State of matching words with the variables of a move, in the order of its id.

    var   the variable to be matched; None behind the last one
    left  the actions that agree with the words before
    rest  the words to be matched
    """

    var: Var | None
    at: int
    left: list[Arguments]
    rest: list[str]

    @property
    def arguments(self) -> Arguments:
        return [arguments[self.at] for arguments in self.left] if self.var is not None else []


def _match_words(request: Request, actions: Sequence[Arguments]) -> list[Step]:
    """Match variable by variable, as far as the words agree. The last step is the first that does not."""
    move = request.move
    variables = [var for var in (move.card, *(var for var, _ in move.withs), move.aim) if var is not None]
    steps = [Step(next(iter(variables), None), 0, list(actions), _with_family_names(request, actions))]
    for at, var in enumerate([*variables[1:], None] if variables else [], 1):
        lengths = [
            (length, a) for a in steps[-1].left if (length := a[at - 1].match_length(steps[-1].rest)) is not None
        ]
        if not lengths:
            break
        longest = max(length for length, _ in lengths)
        steps.append(Step(var, at, [a for length, a in lengths if length == longest], steps[-1].rest[longest:]))
    return steps


def _with_family_names(request: Request, actions: Sequence[Arguments]) -> list[str]:
    """Return the words with the source pile as ids write it, that is, with its family's name where it needs one."""
    words, first = list(request.words), [arguments[0].words for arguments in actions if arguments]
    if any(take.any_piece for take in request.move.takes) or any(_begins(words, known) for known in first if known):
        return words
    number, used = _find_source(request, words)
    origin = request.move.origin
    if number is None or origin is None:
        return words
    token = plain_words(request.game.namer.pile_token(number, origin, request.core.actor)).split()
    return [*(token if any(first) or not first else []), *words[used:]]


def _begins(words: Sequence[str], with_these: Sequence[str]) -> bool:
    return list(words[: len(with_these)]) == list(with_these)


def _explain_step(request: Request, step: Step) -> Texts:
    """Say what the first variable that does not match could be."""
    if step.var is not None:
        return _explain_variable(request, step.var, [argument.text for argument in step.arguments], step.rest)
    more = [" ".join(argument.text for argument in arguments if argument.text) for arguments in step.left]
    if any(more) or not request.said:
        return _ask_for_more(more)
    # the name says it all: the words behind it name nothing that the move is about
    return refusal("too_much", word=_always(request.as_typed(request.said)), some=_list_ids(request, step.left))


def _explain_variable(request: Request, var: Var, known: Sequence[str], rest: Sequence[str]) -> Texts:
    known = [k.removeprefix("-> ") for k in known]
    words = [w for w in rest if w != ARROW]
    if not words and known:
        return _ask_for_more(known)
    if var is request.move.card:
        return _explain_not_taken(request, known, rest)
    if not known:
        return refusal("no_choice", name=_always(var.name.replace("_", " ")))
    if var is request.move.target:
        return refusal("no_such_target", word=_always(request.as_typed(words)), some=_list(known))
    table = request.game.ruleset.tables.get(var.type.table) if var.type.name == "row" else None

    def list_known(lang: str) -> str:  # rows of a table by their words, which are understood too
        names = table.words if table is not None and lang != FALLBACK else {}
        return _list([in_language(names[name], lang, name) if name in names else name for name in known])(lang)

    return refusal("not_among", word=_always(request.as_typed(words[:1])), some=list_known)


def _explain_list(request: Request, steps: Sequence[Step]) -> Texts | None:
    """Say what is wrong with the items of a list: one is not there, one is named too often, too many or too few."""
    for step in steps[-2:]:
        lists, given = step.arguments, list(takewhile(lambda word: word != ARROW, step.rest))
        is_whole = any(argument.match_length(given) == len(given) for argument in lists)
        if not given or not lists or is_whole or not all(argument.is_unordered for argument in lists):
            continue
        known = {word: item for a in lists for word, item in zip(a.words, a.items, strict=False)}
        stranger = next((word for word in given if word not in known), None)
        if stranger is None:
            return _explain_repeated(lists, given, known) or _explain_count(request, lists, given)
        if step is steps[-1]:
            return refusal("not_among", word=_always(request.as_typed([stranger])), some=_list([*known.values()]))
    return None


def _explain_repeated(lists: Sequence[Argument], given: Sequence[str], known: Mapping[str, str]) -> Texts | None:
    for word, count in Counter(given).items():
        most = max(argument.words.count(word) for argument in lists)
        if count > most:
            return refusal("too_often", word=_always(known[word]), count=count, most=most, wanted=_list_sizes(lists))
    return None


def _explain_count(request: Request, lists: Sequence[Argument], given: Sequence[str]) -> Texts:
    word = _always(request.as_typed(given))
    if len(given) in {len(argument.items) for argument in lists}:
        return refusal("not_among", word=word, some=_list([argument.text for argument in lists]))
    more = [argument.text for argument in lists if Counter(given) <= Counter(argument.words)]
    key = "too_few" if more else "too_many"
    return refusal(key, word=word, count=len(given), wanted=_list_sizes(lists), some=_list(more))


def _list_sizes(lists: Sequence[Argument]) -> Wording:
    return _list([str(size) for size in sorted({len(argument.items) for argument in lists})])


def _ask_for_more(known: Sequence[str]) -> Texts:
    named = [*filter(None, known)]
    return refusal("say_more", some=_list(named)) if named else explain_nothing()


def _list(known: Sequence[str], most: int = MOST_VALUES) -> Wording:
    """List the first values; consecutive numbers as a range."""
    found = list(dict.fromkeys(known))
    numbers = [int(k) for k in found if k.isascii() and k.isdigit()]
    if len(numbers) > 2 and numbers == [*range(numbers[0], numbers[0] + len(found))]:
        return _always(f"{numbers[0]}–{numbers[-1]}")
    return _always(", ".join(found[:most]) + (" …" if len(found) > most else ""))


# ---- the source of a move --------------------------------------------------------------------------------------------


def _explain_not_taken(request: Request, known: Sequence[str], words: Sequence[str]) -> Texts:
    """Say why the piece or the pile that was named cannot be taken."""
    sources = source_piles(request.game, request.core, request.move)
    named = list(takewhile(lambda word: word != ARROW, words))
    if any(take.any_piece for take in request.move.takes) and named:
        there = [k for k in known if _begins(plain_words(k).split(), named[:1])]
        return _ask_for_more(there) if there else _explain_missing_piece(request, named[0], sources)
    pile, _ = _find_source(request, named)
    if pile is not None and pile not in sources:
        return _explain_wrong_source(request, pile)
    if named and pile is None:
        return refusal("no_such_place", word=_always(request.as_typed(named)))
    empty = [n for n in ([pile] if pile is not None else sources) if not request.core.piles[n]]
    return _explain_empty(request, empty[0]) if empty else refusal("nothing_to_take")


def _explain_missing_piece(request: Request, word: str, sources: Sequence[int]) -> Texts:
    game, origin = request.game, request.move.origin
    families = [game.ruleset.piles[f] for f in sorted(get_families(origin.type))] if origin is not None else []
    kinds = list(dict.fromkeys(f.holds for f in families)) or list(game.ruleset.pieces)
    codes = {sign: code for kind in kinds for sign, code in sign_codes(game, kind).items()}
    if fold_sign(word) not in codes:
        words = game.ruleset.pieces[kinds[0]].words
        typed = _always(request.as_typed([word]))
        return refusal("no_such_piece", word=typed, kind=lambda lang: in_language(words, lang, kinds[0]))
    if not sources:
        return refusal("nothing_to_take")
    sign = game.namer.signs[codes[fold_sign(word)] >> 1]
    return refusal("not_there", word=_always(sign), pile=name_piles(game, request.core, sources))


def _find_source(request: Request, words: Sequence[str]) -> tuple[int | None, int]:
    """Return the source pile that words begin with, and how many words name it."""
    found: tuple[int | None, int] = (None, 0)
    for number in range(len(request.core.piles) - 1):
        for name in _source_names(request, number):
            if len(name) > found[1] and _begins(words, name):
                found = number, len(name)
    return found


def _source_names(request: Request, number: int) -> Iterator[list[str]]:
    """Yield the names of a pile: by its id, with its family's name or without, and as it is shown."""
    origin, namer, actor = request.move.origin, request.game.namer, request.core.actor
    family = namer.family(number)
    if origin is None or family.name not in (get_families(origin.type) or (family.name,)):
        return
    token, own = plain_words(namer.pile_token(number, origin, actor)).split(), plain_words(family.name).split()
    yield token
    yield token[len(own) :] if _begins(token, own) else [*own, *token]
    yield from (plain_words(namer.pile(number, lang, actor)).split() for lang in namer.ruleset.languages)


def _explain_wrong_source(request: Request, pile: int) -> Texts:
    """Say why nothing can be taken from a pile that the rules do not allow."""
    game, core = request.game, request.core
    if not core.piles[pile]:
        return _explain_empty(request, pile)
    cls = core.piles[pile][-1] >> 1
    kind = game.namer.piece_kinds[cls]
    if "owner" in kind.attributes and kind.classes[cls - kind.base]["owner"] != core.actor:
        return _explain_owner(request, kind, pile)
    return refusal("not_taken", pile=name_piles(game, core, [pile]))


def _explain_empty(request: Request, pile: int) -> Texts:
    kind = request.game.ruleset.pieces.get(request.game.namer.family(pile).holds)
    if kind is not None and "owner" in kind.attributes:
        return _explain_owner(request, kind, pile)
    return refusal("empty", pile=name_piles(request.game, request.core, [pile]))


def _explain_owner(request: Request, kind: PieceKind, pile: int) -> Texts:
    where = name_piles(request.game, request.core, [pile])
    return refusal("not_yours", kind=lambda lang: in_language(kind.words, lang, kind.name), pile=where)


def name_piles(game: Compiled, core: Core, piles: Sequence[int]) -> Wording:
    """Name piles as sentences do: `your hand`, `the waste`, `column 3`, `any column`."""
    namer = game.namer
    families = {namer.family(n).name: [m for m in piles if namer.family(m) is namer.family(n)] for n in piles}

    def name(own: Sequence[int], lang: str) -> str:
        family = namer.family(own[0])
        family_name = in_language(family.words, lang, family.name)
        yours = all(namer.owner(n) == core.actor for n in own)
        if len(own) > 1:
            return Sentence("refusal.your" if yours else "refusal.any")[lang].format(pile=family_name)
        words = namer.pile(own[0], lang, core.actor)
        which = "your" if yours else "the" if words == family_name else "this"
        return Sentence(f"refusal.{which}")[lang].format(pile=words)

    return lambda lang: Sentence("refusal.or")[lang].join(name(own, lang) for own in families.values())
