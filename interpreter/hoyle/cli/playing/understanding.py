"""Which moves a line means: what the game reads itself, then pieces in words, then a piece named by one of its parts."""

from __future__ import annotations

from string import punctuation
from typing import TYPE_CHECKING

from hoyle.game.moves.legal import said_turned
from hoyle.game.moves.phrases import in_signs
from hoyle.game.moves.piece_names import in_names, is_small, pieces_with
from hoyle.game.moves.verbs import own_deed
from hoyle.game.spelling import plain_words
from hoyle.presentation.catalogue import t
from hoyle.running.naming import folded

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hoyle.game.game import Game, State
    from hoyle.game.moves.legal import Move


def read(game: Game, line: str, lang: str) -> str:
    """What was typed, with signs for letters that only the language shown has, then for pieces in words: a sign that stands for words is
    no letters of that language."""
    return in_names(game.compiled, in_signs(game.compiled, line, lang), lang)


def meant(state: State, moves: Sequence[Move], line: str, lang: str) -> list[Move]:
    """The moves meant; where nothing begins so, those that do once the name of a move stands before it."""
    word = _as_a_part(state, moves, line, lang)
    if word:
        return word
    as_typed = in_signs(state.game.compiled, line, lang)
    pieces = (read(state.game, line, lang), _with_parts(state, moves, line, lang))
    readings = dict.fromkeys((as_typed, *pieces, _with_arrows(pieces[0])))
    found = next(filter(None, (_starting(state, moves, text) for text in readings)), [])
    return _as_shown(found, line, lang) if len(found) > 1 else found or _by_parts(state, moves, line, lang)


def _by_parts(state: State, moves: Sequence[Move], line: str, lang: str) -> list[Move]:
    """The moves that have a word or a piece for each of these words, of which some name pieces by a part: `9 queen`, `8♥ on the nine`."""
    compiled, readings = state.game.compiled, state.game.compiled.namer.readings
    said = plain_words(read(state.game, line, lang), readings)
    words = [word for word in (own_deed(said, lang) or said).split() if not is_small(word)]
    about = [{folded(sign) for sign in pieces_with(compiled, word, lang, compiled.namer.signs)} for word in words]
    if not any(found and _is_word(word) for word, found in zip(words, about, strict=True)):
        return []
    wanted = [found | {word} for word, found in zip(words, about, strict=True)]
    ways = ((move, (plain_words(way, readings).split() for way in (move.text(lang), move.id))) for move in moves)
    return [move for move, texts in ways if any(_each_one(wanted, text) for text in texts)]


def _each_one(wanted: Sequence[Collection[str]], words: Sequence[str]) -> bool:
    """Is there another of these words for each that is wanted?"""
    if not wanted:
        return True
    first, *others = wanted
    left = ([*words[:n], *words[n + 1 :]] for n, word in enumerate(words) if word in first)
    return any(_each_one(others, rest) for rest in left)


def names_part(state: State, line: str, lang: str) -> list[str]:
    """The pieces of which a part is called so, in words."""
    words = [word for word in line.split() if not is_small(word)]
    if len(words) != 1 or not _is_word(words[0]):
        return []
    return pieces_with(state.game.compiled, words[0], lang, state.game.compiled.namer.signs)


def _is_word(word: str) -> bool:
    return not is_letter(word) and not word.isdecimal()


def is_letter(line: str) -> bool:
    """Is there but one letter, whatever points stand about it?"""
    bare = line.strip(f"{punctuation} ")
    return len(bare) == 1 and bare.isalpha()


def _with_arrows(line: str) -> str:
    """A line with an arrow for what is said for one; none stands first, where a move may be called so (`to a house`)."""
    said, (first, *others) = t("plain.arrow"), line.split(" ")
    return " ".join([first, *("→" if word == said else word for word in others)])


def _as_shown(found: list[Move], line: str, lang: str) -> list[Move]:
    """Of several those that begin so in the words that are shown, before those of other languages and of ids."""
    return [move for move in found if folded(move.text(lang)).startswith(folded(line))] or found


def turned(state: State, moves: Sequence[Move], line: str, lang: str) -> Move | None:
    """The only move that a line names with the place before the piece, where it says another move too."""
    compiled = state.game.compiled
    wanted = plain_words(read(state.game, line, lang), compiled.namer.readings)
    found = said_turned(compiled, state.core, moves, wanted)
    return found[0] if len(found) == 1 else None


def heads(moves: Sequence[Move]) -> list[str]:
    """The names that ids begin with."""
    return list(dict.fromkeys(move.id.partition(" ")[0] for move in moves))


def _starting(state: State, moves: Sequence[Move], line: str) -> list[Move]:
    return state.meant(line) or [move for head in heads(moves) for move in state.meant(f"{head} {line}")]


def _as_a_part(state: State, moves: Sequence[Move], line: str, lang: str) -> list[Move]:
    """Of a word that is a part of pieces in the language shown and the sign of a piece in ids, as `as` in French: the moves of these."""
    namer, word = state.game.compiled.namer, folded(line)
    about = pieces_with(state.game.compiled, line, lang, _signs(state, moves)) if word in namer.folded_signs else []
    return [move for move in moves if not set(about).isdisjoint(move.id.split())]


def _with_parts(state: State, moves: Sequence[Move], line: str, lang: str) -> str:
    """A line with the piece for each word that only one may be called by: `2♥ 5` with a single five. A number alone is none."""
    namer, among = state.game.compiled.namer, _signs(state, moves)
    words = read(state.game, line, lang).split()
    signs = [plain_words(word, namer.readings) in namer.folded_signs for word in words]
    if not any(signs) and not any(len(word) > 1 and word.isalpha() for word in words):
        return line
    found = [
        [] if own else pieces_with(state.game.compiled, w, lang, among) for w, own in zip(words, signs, strict=True)
    ]
    return " ".join(one[0] if len(one) == 1 else word for word, one in zip(words, found, strict=True))


def _signs(state: State, moves: Sequence[Move]) -> list[str]:
    """The pieces that ids of moves name."""
    known = set(state.game.compiled.namer.signs)
    return list(dict.fromkeys(word for move in moves for word in move.id.split() if word in known))
