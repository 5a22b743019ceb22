"""Parse what a player types to candidate moves.

`parse_move` reads ids, the words shown in any language, notations, pieces, and free phrases; in a person's language also
names and letters of pieces. It finds legal moves only: `explain.move_lookup` finds others, to say why they are not legal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from string import punctuation

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import Move, definitions_here, list_actions, render_move, wording_context
from hoyle.game.moves.phrases import (
    ARROW,
    from_first_person,
    list_rewordings,
    match_phrase,
    match_target_first,
    source_pile_names,
)
from hoyle.game.moves.piece_names import find_by_part, is_small_word, replace_letters, replace_names
from hoyle.game.spelling import plain_words
from hoyle.language.ir import Var
from hoyle.language.model import Move as Definition
from hoyle.language.phrases import stem
from hoyle.language.sentences import FALLBACK, Sentence
from hoyle.language.value_types import List
from hoyle.running.naming import fold_case
from hoyle.running.state import Action, Core
from hoyle.running.wording import Reader, short_text, text_key, visible_pieces

Fits = Callable[[Sequence["Argument"], Sequence[str]], bool]
_ARROW_WORD = Sentence("input.arrow")
_ON_TOP = re.compile(r" \(([^()]*)\)")


def parse_move(
    game: Compiled, core: Core, moves: Sequence[Move], text: str, lang: str | None = None, shown: Sequence[Move] = ()
) -> list[Move]:
    """Return the candidates of a typed line: one legal move, several if the text is ambiguous, or none.

    Args:
        moves: the legal moves.
        lang: language of the person; None reads no names and letters of pieces.
        shown: the legal moves in the order in which the person sees them.
    """
    if lang is None:
        return _parse(game, core, moves, text)
    shown = shown or moves
    found = _find_by_word_like_a_sign(game, shown, text, lang)
    if found:
        return found
    with_signs = replace_pieces(game, text, lang)
    readings = (
        replace_letters(game, text, lang),
        with_signs,
        _replace_unique_parts(game, shown, text, lang),
        _replace_arrow_words(with_signs, lang),
    )
    for reading in dict.fromkeys(readings):
        found = _parse(game, core, moves, reading)
        found = found or [m for head in list_heads(shown) for m in _parse(game, core, moves, f"{head} {reading}")]
        if found:
            break
    if len(found) > 1:  # the words on the screen come before ids and other languages
        return [move for move in found if fold_case(move.text(lang)).startswith(fold_case(text))] or found
    return found or _find_by_words_and_parts(game, shown, text, lang)


def _parse(game: Compiled, core: Core, moves: Sequence[Move], text: str) -> list[Move]:
    """Try readings in order: full names, beginnings, pieces, phrases, synonyms, phrases with the target first."""
    exact = find_exact(game, core, moves, text)
    wanted = plain_words(text, game.namer.readings) if len(exact) != 1 else ""
    if not wanted or (not exact and _is_illegal_id(game, core, wanted)):
        return exact
    started = _match_ids(game, core, moves, wanted, _starts_arguments)
    return (
        [m for m in moves if starts_with(_plain(game, m.id), wanted) or m in started]
        or [m for m in moves if any(starts_with(_plain(game, words), wanted) for _, words in m.texts)]
        or find_by_pieces(game, core, moves, wanted)
        or _keep(moves, match_phrase(game, core, _offers(game, core, moves), wanted))
        or _find_reworded(game, core, moves, wanted)
        or _find_target_first_if_unambiguous(game, core, moves, wanted)
    )


def _offers(game: Compiled, core: Core, moves: Sequence[Move]) -> list[tuple[Definition, Action]]:
    known = definitions_here(game, core)
    return [(known[move.action[0]], move.action) for move in moves]


def _keep(moves: Sequence[Move], offers: Iterable[tuple[Definition, Action]]) -> list[Move]:
    actions = {action for _, action in offers}
    return [move for move in moves if move.action in actions]


# ---- ids and words ---------------------------------------------------------------------------------------------------


class Argument(Struct, frozen=True):
    """A value that a move is bound to, as its id writes it: `text`, the `items` of a list, and the plain `words`."""

    var: Var
    text: str
    items: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def is_unordered(self) -> bool:
        return isinstance(self.var.type, List) and len(self.items) in (0, len(self.words))

    def match_length(self, words: Sequence[str]) -> int | None:
        """Return how many of the first words spell this argument; None if they spell another."""
        own, given = self.words, tuple(words[: len(self.words)])
        return len(own) if given == own or (self.is_unordered and sorted(given) == sorted(own)) else None


def list_arguments(game: Compiled, move: Definition, action: Action, actor: int) -> list[Argument]:
    """Return the arguments of an action, in the order of its id."""
    namer, values = game.namer, dict(zip(move.bindings, action[1:], strict=True))

    def argument(var: Var, text: str) -> Argument:
        items = (
            [namer.token(v, var.type.item_type, actor) for v in values[var]] if isinstance(var.type, List) else [text]
        )
        return Argument(var, text, tuple(items), tuple(_plain(game, text).split()))

    return [argument(var, text) for var, text in namer.bound(move, action, actor)]


def plain_names(move: Definition) -> set[str]:
    """Return the first words of a move, in an id and in each language."""
    return {plain_words(name) for name in (move.name, *map(stem, move.telling.phrases.values()))}


def match_name(moves: Iterable[Definition], wanted: str) -> list[tuple[Definition, list[str]]]:
    """Return the moves whose name the words begin with, and the words after it. Only the longest names count."""
    found = [
        (move, wanted[len(name) :].split(), len(name))
        for move in moves
        for name in plain_names(move)
        if name and f"{wanted} ".startswith(f"{name} ")
    ]
    longest = max((length for _, _, length in found), default=0)
    return [(move, words) for move, words, length in found if length == longest]


def matches_arguments(arguments: Sequence[Argument], words: Sequence[str]) -> bool:
    """Return whether the words after a move's name spell these arguments. Items of lists may stand in any order."""
    for argument in arguments:
        length = argument.match_length(words)
        if length is None:
            return False
        words = words[length:]
    return not words


def _starts_arguments(arguments: Sequence[Argument], words: Sequence[str]) -> bool:
    """Return whether words spell the first arguments. The last may be a list of which some pieces are missing."""
    for argument in arguments:
        length = argument.match_length(words)
        if length is None:
            return argument.is_unordered and Counter(words) <= Counter(argument.words)
        words = words[length:]
    return not words


def find_exact(game: Compiled, core: Core, moves: Sequence[Move], text: str) -> list[Move]:
    """Return the legal moves that a text names in full: by id, in the words shown, or with a list in another order."""
    typed = " ".join(text.split()).casefold()
    exact = [move for move in moves if move.id.casefold() == typed]
    wanted = plain_words(text, game.namer.readings) if not exact else ""
    if not wanted:
        return exact[:1]
    shown = [
        move
        for move, (definition, action) in zip(moves, _offers(game, core, moves), strict=True)
        if wanted == _plain(game, move.id) or wanted in list_spellings(game, core, definition, action)
    ]
    return shown if len(shown) == 1 else _match_ids(game, core, moves, wanted, matches_arguments)


def _match_ids(game: Compiled, core: Core, moves: Sequence[Move], wanted: str, fits: Fits) -> list[Move]:
    known = definitions_here(game, core) if moves else {}
    named = [(definition.number, words) for definition, words in match_name(known.values(), wanted)]
    return [
        move
        for move in moves
        for number, words in named
        if number == move.action[0] and fits(list_arguments(game, known[number], move.action, core.actor), words)
    ]


def _is_illegal_id(game: Compiled, core: Core, wanted: str) -> bool:
    """Return whether the text names an action of this decision in full. Legal ones have been found before."""
    return any(
        matches_arguments(list_arguments(game, move, action, core.actor), words)
        for move, words in match_name(definitions_here(game, core).values(), wanted)
        for action in list_actions(game, core, move)
    )


def list_spellings(game: Compiled, core: Core, move: Definition, action: Action) -> frozenset[str]:
    """Return the plain words of an action in every language, and its notation.

    Includes spellings without optional words, and without the top pieces of target piles.
    """
    context = wording_context(game, core, move, action, FALLBACK)

    def spell() -> frozenset[str]:
        found, signs = set[str](), game.namer.folded_signs
        for lang in game.ruleset.languages:
            for seen in (replace(context, lang=lang), replace(context, lang=lang, bare=True)):
                text = render_move(game, move, action, seen)
                uncovered = _ON_TOP.sub(lambda top: "" if _plain(game, top[1]) in signs else top[0], text)
                short = short_text(game.namer, move, action, seen)
                found |= {_plain(game, spelling) for spelling in (text, uncovered, short)}
        return frozenset(found - {""})

    return game.cached(("written", action, *text_key(move, action, context)), spell)


def starts_with(words: str, typed: str) -> bool:
    """Return whether words start with what is typed. A number is typed whole: `2` starts neither `20` nor `2h`."""
    return words.startswith(typed) and not (typed[-1:].isdigit() and words[len(typed) :][:1].isalnum())


def _plain(game: Compiled, text: str) -> str:
    """Return the plain words of a generated text. Do not pass typed text, because results are cached."""
    return game.cached(("plain", text), lambda: plain_words(text, game.namer.readings))


def list_heads(moves: Sequence[Move]) -> list[str]:
    """Return the first words of the ids of moves, without duplicates."""
    return list(dict.fromkeys(move.id.partition(" ")[0] for move in moves))


# ---- pieces and phrases ----------------------------------------------------------------------------------------------


def find_by_pieces(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """Return the legal moves that are about exactly these pieces."""
    offers = zip(moves, _offers(game, core, moves), strict=True)
    return [move for move, offer in offers if is_about_pieces(game, core, *offer, wanted)]


def is_about_pieces(game: Compiled, core: Core, move: Definition, action: Action, wanted: str) -> bool:
    """Return whether the words are exactly the pieces that an action is about, in any order."""
    pieces = visible_pieces(game.namer, move, action, Reader(core.actor, FALLBACK, core.piles))
    words = [word for piece in pieces for word in _plain(game, game.namer.signs[piece >> 1]).split()]
    return words != [] and sorted(words) == sorted(wanted.split())


def _find_reworded(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """Return the legal moves that begin with a synonym, or whose steps take from the pile that is named."""
    others = list_rewordings(wanted)
    texts = ((m, [_plain(game, words) for words in (m.id, *(text for _, text in m.texts))]) for m in moves if others)
    found = [move for move, spellings in texts if any(starts_with(s, other) for s in spellings for other in others)]
    known = definitions_here(game, core)
    return found or [m for m in moves if wanted in source_pile_names(game, known[m.action[0]])]


def find_target_first(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """Return the legal moves that plain words describe with the target before the piece."""
    return _keep(moves, match_target_first(game, core, _offers(game, core, moves), wanted))


def _find_target_first_if_unambiguous(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """Like `find_target_first`, but return nothing if the words read piece first describe an illegal action."""
    found = find_target_first(game, core, moves, wanted)
    known = definitions_here(game, core).values() if found else ()
    every = ((move, action) for move in known for action in list_actions(game, core, move))
    return [] if match_phrase(game, core, every, wanted) else found


# ---- readings in a person's language ---------------------------------------------------------------------------------


def replace_pieces(game: Compiled, text: str, lang: str) -> str:
    """Replace a language's letters and names of pieces by signs."""
    return replace_names(game, replace_letters(game, text, lang), lang)


def find_signs_by_part(game: Compiled, text: str, lang: str) -> list[str]:
    """Return the signs of pieces that have a part called by this one word, such as `queen`."""
    words = [word for word in text.split() if not is_small_word(word)]
    return find_by_part(game, words[0], lang, game.namer.signs) if len(words) == 1 and _is_word(words[0]) else []


def is_single_letter(text: str) -> bool:
    """Return whether a text is one letter, apart from punctuation."""
    bare = text.strip(f"{punctuation} ")
    return len(bare) == 1 and bare.isalpha()


def _is_word(word: str) -> bool:
    return not is_single_letter(word) and not word.isdecimal()


def _signs_in_ids(game: Compiled, moves: Sequence[Move]) -> list[str]:
    known = set(game.namer.signs)
    return list(dict.fromkeys(word for move in moves for word in move.id.split() if word in known))


def _find_by_word_like_a_sign(game: Compiled, moves: Sequence[Move], text: str, lang: str) -> list[Move]:
    """Return the moves of pieces that a word names, if the word is also a sign. French `as` is both ace and A of spades."""
    is_sign = fold_case(text) in game.namer.folded_signs
    signs = find_by_part(game, text, lang, _signs_in_ids(game, moves)) if is_sign else []
    return [move for move in moves if not set(signs).isdisjoint(move.id.split())]


def _replace_unique_parts(game: Compiled, moves: Sequence[Move], text: str, lang: str) -> str:
    """Replace words that fit only one piece by its sign: `2♥ 5` with a single five. A number alone is not replaced."""
    among, words = _signs_in_ids(game, moves), replace_pieces(game, text, lang).split()
    are_signs = [plain_words(word, game.namer.readings) in game.namer.folded_signs for word in words]
    if not any(are_signs) and not any(len(word) > 1 and word.isalpha() for word in words):
        return text
    found = list[str]()
    for word, is_sign in zip(words, are_signs, strict=True):
        signs = [] if is_sign else find_by_part(game, word, lang, among)
        found.append(signs[0] if len(signs) == 1 else word)
    return " ".join(found)


def _replace_arrow_words(text: str, lang: str) -> str:
    """Replace the word for an arrow by an arrow. The first word stays, because it may name a move: `to a house`."""
    first, *others = text.split(" ")
    return " ".join([first, *(ARROW if word == _ARROW_WORD[lang] else word for word in others)])


def _find_by_words_and_parts(game: Compiled, moves: Sequence[Move], text: str, lang: str) -> list[Move]:
    """Return the moves that contain every typed word; a word may name a part of a piece: `9 queen`, `8♥ on the nine`."""
    readings = game.namer.readings
    said = plain_words(replace_pieces(game, text, lang), readings)
    words = [word for word in (from_first_person(said, lang) or said).split() if not is_small_word(word)]
    signs = [{fold_case(sign) for sign in find_by_part(game, word, lang, game.namer.signs)} for word in words]
    if not any(found and _is_word(word) for word, found in zip(words, signs, strict=True)):
        return []
    wanted = [found | {word} for word, found in zip(words, signs, strict=True)]
    texts = (
        (move, (plain_words(spelling, readings).split() for spelling in (move.text(lang), move.id))) for move in moves
    )
    return [move for move, spellings in texts if any(_covers(wanted, words) for words in spellings)]


def _covers(wanted: Sequence[Collection[str]], words: Sequence[str]) -> bool:
    """Return whether each wanted set can be matched with a different word."""
    if not wanted:
        return True
    first, *others = wanted
    left = ([*words[:n], *words[n + 1 :]] for n, word in enumerate(words) if word in first)
    return any(_covers(others, rest) for rest in left)
