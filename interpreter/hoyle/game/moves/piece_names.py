"""Pieces called by words for their parts: `ace of spades`, `as de pique`, `as♦`, `10 carreau`. Ids have signs instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from hoyle.game.compiled import Compiled
from hoyle.game.moves.phrases import SMALL_WORDS
from hoyle.language.model import PieceKind, Table
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence
from hoyle.language.value_types import Row
from hoyle.running.naming import fold_case, in_language, slug

Parts = tuple[str, ...]
_ELIDED = tuple(fold_case(word) for lang in LANGUAGES for word in Sentence("input.elided")[lang].split())
"""Small words that are written together with the next word: `l'as`, `quatre d'épées`."""
_AROUND = "«»“”\"'’`,;.()"


def replace_letters(game: Compiled, text: str, lang: str) -> str:
    """Replace a language's letters for pieces by signs. A line that begins like an id is left as it is."""
    heads = {slug(move.name) for move in game.ruleset.moves.values()}
    known = game.namer.letters(lang)
    if not known or text.split(" ", 1)[0].casefold() in heads:
        return text
    return " ".join(known.get(fold_case(word.strip(",;()")), word) for word in text.split())


def replace_names(game: Compiled, text: str, lang: str) -> str:
    """Replace names of pieces by signs."""
    known = game.cached(("called", lang), lambda: _unambiguous_names(game, lang))
    words, found = text.split(), list[str]()
    while words:
        sign, used = _first_piece(words, known)
        found.append(sign or words[0])
        words = words[used:]
    return " ".join(found)


def is_small_word(word: str) -> bool:
    """Return whether a word may stand between the words for a piece, and means nothing by itself."""
    return _bare(word) in SMALL_WORDS


def part_letters(game: Compiled, lang: str) -> frozenset[str]:
    """Return the letters and signs of ranks and suits, as a language shows or types them, folded."""
    found = set[str]()
    for _, tables in _composed_kinds(game):
        for table in tables.values():
            for row in table.rows:
                letter = table.letters.get(row, {}).get(lang)
                symbols = table.symbols.get(row, {})
                own = symbols.get(lang) or symbols.get(FALLBACK) or ""
                found |= {letter or "", own if own.isalnum() else "" if letter else _sign(table, row)}
    return frozenset(map(fold_case, found - {""}))


def find_by_part(game: Compiled, word: str, lang: str, among: Sequence[str]) -> list[str]:
    """Return those signs of pieces that have a part called so: `king`, `roi`, `5`."""
    known = game.cached(("parts", lang), lambda: _signs_by_part(game, lang))
    return [sign for sign in among if sign in known.get(_bare(word), ())]


def _first_piece(words: Sequence[str], known: Mapping[Parts, str]) -> tuple[str, int]:
    """Return the sign of the piece that these words begin with, if any, and how many words name it."""
    bare = [_bare(word) for word in words[:5]]
    for used in range(len(bare), 0, -1):
        parts = tuple(word for word in bare[:used] if word not in SMALL_WORDS or word == bare[0])
        if bare[used - 1] in parts and (sign := known.get(parts)):
            return sign, used
    return "", 1


def _unambiguous_names(game: Compiled, lang: str) -> dict[Parts, str]:
    signs = dict[Parts, set[str]]()
    for kind, tables in _composed_kinds(game):
        for rows, sign in _rows_of_pieces(game, kind, tables):
            for parts in product(
                *(_row_names(table, row, lang) for table, row in zip(tables.values(), rows, strict=True))
            ):
                if len(parts[-1]) > 1 or not parts[-1].isalnum():  # a last letter alone would be a sign
                    signs.setdefault(parts, set()).add(sign)
                    signs.setdefault(("".join(parts),), set()).add(sign)
    return {parts: found.pop() for parts, found in signs.items() if len(found) == 1}


def _signs_by_part(game: Compiled, lang: str) -> dict[str, set[str]]:
    found = dict[str, set[str]]()
    for kind, tables in _composed_kinds(game):
        for rows, sign in _rows_of_pieces(game, kind, tables):
            for table, row in zip(tables.values(), rows, strict=True):
                for name in _row_names(table, row, lang):
                    found.setdefault(name, set()).add(sign)
    return found


def _composed_kinds(game: Compiled) -> Iterator[tuple[PieceKind, dict[str, Table]]]:
    """Yield the types of pieces whose signs have several parts, with the tables of the parts by attribute."""
    tables = game.ruleset.tables
    for kind in game.ruleset.pieces.values():
        parts = {name: tables[k.table] for name, k in kind.attributes.items() if isinstance(k, Row)}
        if len(parts) > 1 and all(table.signs for table in parts.values()):
            yield kind, parts


def _rows_of_pieces(game: Compiled, kind: PieceKind, tables: Mapping[str, Table]) -> Iterator[tuple[list[str], str]]:
    for cls, sign in zip(kind.classes, game.namer.signs[kind.base :], strict=False):
        yield [table.rows[cls[name]] for name, table in tables.items()], sign


def _row_names(table: Table, row: str, lang: str) -> set[str]:
    """Return the names of a row: its words, singular and plural, its letters and its symbols."""
    words = {fold_case(in_language(table.words[row], here, row)) for here in (lang, FALLBACK)}
    symbols = {fold_case(symbol) for symbol in table.symbols.get(row, {}).values()}
    letter = table.letters.get(row, {}).get(lang)
    shown = letter or table.symbols.get(row, {}).get(lang) or _sign(table, row)
    return words | {_other_number(word) for word in words} | symbols | {fold_case(shown), fold_case(_sign(table, row))}


def _other_number(word: str) -> str:
    """Add or remove the `s` of a plural."""
    return word.removesuffix("s") if len(word) > 2 and word.endswith("s") else f"{word}s"


def _sign(table: Table, row: str) -> str:
    return table.signs[table.rows.index(row)] if table.signs else row


def _bare(word: str) -> str:
    """Fold a word, without punctuation and elided small words about it."""
    found = fold_case(word.strip(_AROUND)).replace("’", "'")
    return next((found.removeprefix(small) for small in _ELIDED if found.startswith(small)), found)
