"""Pieces called by the words for their parts: `ace of spades`, `as de pique`, `as♦`, `10 carreau` for the sign that ids have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from hoyle.game.compiled import Compiled
from hoyle.language.kinds import Row
from hoyle.language.model import PieceKind, Table
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence
from hoyle.running.naming import folded, in_language

Parts = tuple[str, ...]
_SMALL = frozenset(folded(word) for lang in LANGUAGES for word in Sentence("input.small_words")[lang].split())
"""What may stand between the words."""
_ELIDED = tuple(folded(word) for lang in LANGUAGES for word in Sentence("input.elided")[lang].split())
"""What of these is written together with the word behind it: `l'as`, `quatre d'épées`."""
_AROUND = "«»“”\"'’`,;.()"


def in_names(game: Compiled, text: str, lang: str) -> str:
    """A line with the signs of pieces for the words that call them."""
    known = _known(game, lang)
    words, found = text.split(), list[str]()
    while words:
        sign, used = _first(words, known)
        found.append(sign or words[0])
        words = words[used:]
    return " ".join(found)


def is_small(word: str) -> bool:
    """May it stand between the words for a piece, and means nothing by itself?"""
    return _bare(word) in _SMALL


def part_signs(game: Compiled, lang: str) -> frozenset[str]:
    """What stands, as a language shows it or has it typed, for a part of a piece: the letters of ranks and suits."""
    found = set[str]()
    for _, tables in _kinds(game):
        for table in tables:
            for row in table.rows:
                letter = table.letters.get(row, {}).get(lang)
                symbols = table.symbols.get(row, {})
                own = symbols.get(lang) or symbols.get(FALLBACK) or ""
                found |= {letter or "", own if own.isalnum() else "" if letter else _sign(table, row)}
    return frozenset(map(folded, found - {""}))


def _first(words: Sequence[str], known: Mapping[Parts, str]) -> tuple[str, int]:
    """The sign of the piece that these words begin with, if any, and how many words that takes."""
    bare = [_bare(word) for word in words[:5]]
    for used in range(len(bare), 0, -1):
        parts = tuple(word for word in bare[:used] if word not in _SMALL or word == bare[0])
        if bare[used - 1] in parts and (sign := known.get(parts)):
            return sign, used
    return "", 1


def _known(game: Compiled, lang: str) -> Mapping[Parts, str]:
    found: dict[Parts, str] | None = game.kept.get(("called", lang))
    if found is None:
        meant = dict[Parts, set[str]]()
        for parts, sign in _called(game, lang):
            meant.setdefault(parts, set()).add(sign)
        found = {parts: signs.pop() for parts, signs in meant.items() if len(signs) == 1}
        game.kept["called", lang] = found
    return found


def _called(game: Compiled, lang: str) -> Iterator[tuple[Parts, str]]:
    """Each way to call each piece: apart where the last part is a word, or a sign that is no letter; else in one."""
    for kind, tables in _kinds(game):
        for cls, sign in zip(kind.classes, game.namer.signs[kind.base :], strict=False):
            rows = [table.rows[cls[name]] for name, table in _tables(game, kind)]
            for parts in product(*(_names(table, row, lang) for table, row in zip(tables, rows, strict=True))):
                if len(parts[-1]) > 1 or not parts[-1].isalnum():
                    yield parts, sign
                    yield ("".join(parts),), sign


def _kinds(game: Compiled) -> Iterator[tuple[PieceKind, list[Table]]]:
    """The kinds of pieces whose signs have several parts."""
    for kind in game.ruleset.pieces.values():
        tables = [table for _, table in _tables(game, kind)]
        if len(tables) > 1 and all(table.signs for table in tables):
            yield kind, tables


def _tables(game: Compiled, kind: PieceKind) -> list[tuple[str, Table]]:
    tables = game.ruleset.tables
    return [(name, tables[k.table]) for name, k in kind.attributes.items() if isinstance(k, Row)]


def _names(table: Table, row: str, lang: str) -> set[str]:
    """What a row may be called: its words, one or many, its letters and its symbols."""
    words = {folded(in_language(table.words[row], here, row)) for here in (lang, FALLBACK)}
    symbols = {folded(symbol) for symbol in table.symbols.get(row, {}).values()}
    letter = table.letters.get(row, {}).get(lang)
    shown = letter or table.symbols.get(row, {}).get(lang) or _sign(table, row)
    return words | {_one_or_many(word) for word in words} | symbols | {folded(shown), folded(_sign(table, row))}


def _one_or_many(word: str) -> str:
    return word.removesuffix("s") if len(word) > 2 and word.endswith("s") else f"{word}s"


def _sign(table: Table, row: str) -> str:
    return table.signs[table.rows.index(row)] if table.signs else row


def pieces_with(game: Compiled, word: str, lang: str, among: Sequence[str]) -> list[str]:
    """Those of these pieces of which a part is called so: `king`, `roi`, `5`."""
    known = game.kept.get(("parts", lang))
    if known is None:
        known = game.kept["parts", lang] = _parted(game, lang)
    return [sign for sign in among if sign in known.get(_bare(word), ())]


def _bare(word: str) -> str:
    """A word as names are compared, without what is about it."""
    found = folded(word.strip(_AROUND)).replace("’", "'")
    return next((found.removeprefix(small) for small in _ELIDED if found.startswith(small)), found)


def _parted(game: Compiled, lang: str) -> Mapping[str, set[str]]:
    found = dict[str, set[str]]()
    for kind, _ in _kinds(game):
        for cls, sign in zip(kind.classes, game.namer.signs[kind.base :], strict=False):
            for attribute, table in _tables(game, kind):
                for name in _names(table, table.rows[cls[attribute]], lang):
                    found.setdefault(name, set()).add(sign)
    return found
