"""Entries of a position: the piles and cells that its keys name, and the pieces and values written there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from hoyle.diagnostics import NO_TEXT, Fix, LocalizedText, Problems, Span, build_replacement, find_close_name
from hoyle.game.compiled import Compiled
from hoyle.game.spelling import find_cells, find_piles, fold_sign, parse_cell_value, sign_codes
from hoyle.language.model import Family, StateFamily
from hoyle.language.sentences import FALLBACK, make_message
from hoyle.language.syntax import parse_integer
from hoyle.reading.tree import Node, list_items

UNKNOWN = -1
"""A piece written `?`."""
NOTHING = ("-", "_", "~")
"""Words for an empty place."""
MOST_PROBLEMS = 20


def _join_signs(words: Sequence[str], codes: Mapping[str, int], longest: int) -> Iterator[str]:
    """Join words that are one sign: without table signs, a piece is called `ace hearts`.

    `longest`: most words of a sign."""
    at = 0
    while at < len(words):
        tries = range(min(longest, len(words) - at), 1, -1)
        taken = next((n for n in tries if fold_sign(" ".join(words[at : at + n])) in codes), 1)
        yield " ".join(words[at : at + taken])
        at += taken


class EntryReader:
    """Reads entries of positions for one game. Problems are added to `problems`."""

    def __init__(self, game: Compiled, problems: Problems) -> None:
        self.game, self.problems = game, problems
        self.unknown: list[tuple[int, int, bool]] = []
        """Places of unknown pieces: pile, height, face."""
        self._signs: dict[str, tuple[dict[str, int], int]] = {}
        """Codes by sign, and the most words of a sign, for each type of piece."""
        self._left_by_kind = Counter[str]()
        for kind, many in zip(game.namer.piece_kinds, game.machine.copies, strict=True):
            self._left_by_kind[kind.name] += many
        self._most_read = 1 + self._left_by_kind.total()
        self._places_written: dict[int, list[tuple[Node, str, str]]] = {}
        """Places where each class of piece (unknown ones together) is written: node, sign, type of piece."""

    # ---- piles -------------------------------------------------------------------------------------------------------

    def places(self, name: str, key: Node, value: Node) -> Iterator[tuple[int, Node]]:
        """Yield the piles that a key names, each with the node that lists its pieces."""
        found = find_piles(self.game, name)
        if isinstance(found, str):
            self.problems.add("R703", found, key.span, fixes=self._suggest(key, name, self.game.ruleset.piles))
            return
        family, numbers = found
        if value.kind == "map" and family.has_columns and (family.each is None or " of " in name):
            yield from self._read_numbered(name, family, value)
        elif value.kind == "map":
            yield from self._read_members(family, value)
        elif len(numbers) == 1 and not (family.has_columns and " at " not in name and value.kind == "list"):
            yield numbers[0], value
        else:
            yield from self._read_columns(family, numbers, value)

    def _read_members(self, family: Family, value: Node) -> Iterator[tuple[int, Node]]:
        for member, key, node in value.entries():
            yield from self.places(f"{family.name} of {member}", key, node)

    def _read_numbered(self, name: str, family: Family, value: Node) -> Iterator[tuple[int, Node]]:
        """Yield columns that are named by their numbers."""
        for number, key, node in value.entries():
            if parse_integer(number) not in range(1, family.columns + 1):
                message = make_message("no_column", name=family.name, number=number, most=family.columns)
                self.problems.add("R703", message, key.span)
                continue
            yield from self.places(f"{name} at {number}", key, node)

    def _read_columns(self, family: Family, numbers: Sequence[int], value: Node) -> Iterator[tuple[int, Node]]:
        items = value.items if value.kind == "list" else [value]
        if len(items) > len(numbers):
            message = make_message("many_piles", name=family.name, most=len(numbers), count=len(items))
            self.problems.add("R704", message, value.span)
        yield from zip(numbers, items, strict=False)

    def lay(self, piles: Sequence[list[int]], number: int, node: Node) -> None:
        """Put the pieces of a node on a pile, bottom to top; unknown ones as UNKNOWN."""
        family = self.game.namer.family(number)
        text = " ".join(i.raw for i in node.items) if node.kind == "list" else "" if node.is_null else node.raw
        down, bar, rest = text.partition("|")
        pieces = [(p, False) for p in self._read_pieces(down, node, family)] + [
            (p, True) for p in self._read_pieces(rest, node, family)
        ]
        for height, (piece, after_bar) in enumerate(pieces):
            up = after_bar if bar else lies_up_by_default(family, height == len(pieces) - 1)
            if piece == UNKNOWN:
                self.unknown.append((number, height, up))
            piles[number].append(piece if piece == UNKNOWN else piece | up)
        if len(pieces) > family.room:
            message = make_message("many_pieces", name=family.name, most=family.room, count=len(pieces))
            self.problems.add("R704", message, node.span)

    def _read_pieces(self, text: str, node: Node, family: Family) -> list[int]:
        """Read pieces: `KH`, `3 white`, `white*3`, `?`. Reading stops when there are more than could be right."""
        codes, longest = self._signs_by_kind(family.holds)
        most = self._most_read
        found: list[int] = []
        wrong: list[str] = []
        words = iter(_join_signs(text.replace(",", " ").split(), codes, longest))
        for word in words:
            sign, star, many = ("", "", "") if fold_sign(word) in codes else word.partition("*")
            code = codes.get(fold_sign(sign or word))
            count = parse_integer(many) if star else 1
            if code is None and not star and parse_integer(word) and (following := next(words, None)) is not None:
                count, word, sign = parse_integer(word), following, following
                code = codes.get(fold_sign(word))
            if code is not None and count is not None and count >= 0:
                found += [code] * min(count, most)
                self._places_written.setdefault(code >> 1, []).extend(
                    [(node, sign or word, family.holds)] * min(count, most)
                )
            elif word not in NOTHING:
                wrong.append(word)
            if len(found) > most or len(wrong) >= MOST_PROBLEMS:
                break
        for word in wrong:
            self._report_unknown_sign(word, node, family)
        return found

    def _signs_by_kind(self, holds: str) -> tuple[dict[str, int], int]:
        if holds not in self._signs:
            codes = sign_codes(self.game, holds) | {"?": UNKNOWN}
            self._signs[holds] = codes, max(len(sign.split()) for sign in codes)
        return self._signs[holds]

    def check_counts(self) -> None:
        """Report pieces that are written more often than they exist, since the last call."""
        copies, namer = self.game.machine.copies, self.game.namer
        left = self._left_by_kind.copy()
        written, self._places_written = self._places_written, {}
        unknown = written.pop(UNKNOWN, [])
        for kind, places in written.items():
            left[namer.piece_kinds[kind].name] -= len(places)
            sign, most = namer.signs[kind], copies[kind]
            self._check_count(places, most, partial(make_message, "too_often", sign=sign, count=len(places), most=most))
        for holds in left:
            places = [place for place in unknown if place[2] == holds]
            self._check_count(places, max(0, left[holds]), partial(make_message, "many_unknown"))

    def _suggest(self, key: Node, name: str, known: Iterable[str]) -> tuple[Fix, ...]:
        """Suggest a known name if a key begins with an unknown one."""
        first = name.split(" ")[0]
        return build_replacement(key.span, first, find_close_name(first, known)) if first not in known else ()

    def _check_count(
        self, places: Sequence[tuple[Node, str, str]], most: int, message: Callable[[], LocalizedText]
    ) -> None:
        """Report the first place beyond `most`. The message is made only if it is needed, because that takes long."""
        if len(places) > most:
            self.problems.add("R706", message(), _span_of_sign(places, most))

    def _report_unknown_sign(self, sign: str, node: Node, family: Family) -> None:
        known = [
            s for s, k in zip(self.game.namer.signs, self.game.namer.piece_kinds, strict=True) if k.name == family.holds
        ]
        close = find_close_name(sign, known)
        span = next(iter(_matching_spans(node, re.escape(sign))), node.span)
        self.problems.add(
            "R705",
            make_message("not_of_kind", sign=sign, kind=_kind_name(self.game, family.holds)),
            span,
            notes=[make_message("written_like", known=", ".join(f"`{k}`" for k in known[:3]))],
            help=make_message("meant", close=close) if close else NO_TEXT,
            fixes=build_replacement(span, sign, close),
        )

    # ---- state -------------------------------------------------------------------------------------------------------

    def values(self, state: Node) -> Iterator[tuple[str, StateFamily, int, Node, int]]:
        """Yield the entries of `state:`: name as written, family, cell, node of the value, and value."""
        for name, key, written in state.entries():
            cells = find_cells(self.game, name)
            if isinstance(cells, str):
                self.problems.add("R707", cells, key.span, fixes=self._suggest(key, name, self.game.ruleset.state))
                continue
            for family, index, node in self._read_cells(cells[0], cells[1], written):
                found = parse_cell_value(self.game, family, _scalar_value(node))
                if isinstance(found, str):
                    self.problems.add("R708", found, node.span)
                else:
                    yield name, family, index, node, found

    def _read_cells(
        self, family: StateFamily, indices: Sequence[int], value: Node
    ) -> Iterator[tuple[StateFamily, int, Node]]:
        if value.kind != "list":
            yield from ((family, i, value) for i in indices)
            return
        if len(value.items) > len(indices):
            message = make_message("many_values", name=family.name, most=len(indices), count=len(value.items))
            self.problems.add("R707", message, value.span)
        yield from ((family, i, node) for i, node in zip(indices, value.items, strict=False))


def _span_of_sign(places: Sequence[tuple[Node, str, str]], which: int) -> Span:
    """Return the span of one of these signs. `2 KH` and `KH*2` stand once for several."""
    node, sign, _ = places[which]
    before = sum(other is node and word == sign for other, word, _ in places[:which])
    found = _matching_spans(node, rf"(?<![^\W_]){re.escape(sign)}(?![^\W_])")
    return found[min(before, len(found) - 1)] if found else node.span


def _matching_spans(node: Node, pattern: str) -> list[Span]:
    """Return the spans that match a pattern in a text, or in the texts of a list."""
    return [text.span_of_slice(*found.span()) for text in list_items(node) for found in re.finditer(pattern, text.raw)]


def _kind_name(game: Compiled, holds: str) -> LocalizedText:
    """Return the name of a type of piece, in all languages."""
    words = game.ruleset.pieces[holds].words
    return LocalizedText(holds, {lang: text for lang, text in words.items() if lang != FALLBACK})


def _scalar_value(node: Node) -> Any:
    if node.is_null:
        return None
    return node.value if node.value is not None else node.raw


def lies_up_by_default(family: Family, top: bool) -> bool:
    """Return whether a piece lies face up where a position does not say it."""
    return top if family.face == "top up" else family.face in ("up", "top seen")
