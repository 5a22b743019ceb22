"""The moves to choose from as they are listed: in full, or in as few lines as fit: alike ones once, those that differ in one thing together,
a choice of several pieces as a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.moves.legal import merge_equivalent
from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, draw_text, get_hand_order, pad, wrap_cells
from hoyle.presentation.play_text import FEW, format_move, is_bare_move, list_moves
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move


MANY = 12
"""So many subsets are more than anybody reads."""
GAP = 3
FEW_WORDS = 3
"""So many choices of words alone are kept where a list is cut."""
SHARED, APART = 2, 3
"""Moves stand together that begin with so many words alike, and differ in no more than so many."""


class Offer(Struct, frozen=True):
    """Moves that are listed together, by their numbers, and what is said of them."""

    numbers: tuple[int, ...]
    text: str
    is_word: bool = False
    """Is it one thing to say, about no piece, number or place?"""

    def line(self, look: Look, wide: int) -> str:
        if look.plain:
            return t("plain.value", what=self.head, value=self.text)
        head = look.ink(f"{self.head:>{wide}}", "number")
        return f"{head}  " + f"\n{' ' * (wide + 2)}".join(wrap_cells(self.text.split(" "), look.width - wide - 2))

    @property
    def head(self) -> str:
        first, last = self.numbers[0], self.numbers[-1]
        if self.numbers == (*range(first, last + 1),):
            return "–".join(dict.fromkeys((str(first), str(last))))
        return ",".join(map(str, self.numbers))


def choices(state: State, moves: Sequence[Move], look: Look, room: int | None = None) -> list[str]:
    """The moves by number in so many lines; without a number line by line, as scripts count on. `list` shows what is left out."""
    if _asks(moves) and len(moves) > (FEW if room is None else MANY):
        asked = _questions(moves, look)
        lines = _drawn(asked, look)
        return lines if room is None or len(lines) <= room else _asked(asked, look, max(room, 1), len(moves))
    if room is None:
        return _each(list_moves(moves, look, FEW))
    lines = _each(list_moves(moves, look, len(moves)))
    alike = _alike(state, moves, look)
    if len(lines) <= room and len(alike) == len(moves):
        return lines
    return _fitted(alike, moves, look, max(room, 1))


def fewest(state: State, moves: Sequence[Move], look: Look) -> int:
    """The lines of the shortest list with all moves."""
    if _asks(moves) and len(moves) > MANY:
        asked = _questions(moves, look)
        return min(len(_drawn(asked, look)), len(_asked(asked, look, len(moves), len(moves))))
    return min(map(len, _ways(_alike(state, moves, look), moves, look)))


def in_pages(moves: Sequence[Move], look: Look, height: int) -> Iterator[list[str]]:
    """All moves, side by side as far as there is room, in pages of so many lines."""
    left = [Offer((n,), format_move(move, look)) for n, move in enumerate(moves, 1)]
    while left:
        most = _most(left, look, height)
        yield _columns(left[:most], look)
        left = left[most:]


def _most(offers: Sequence[Offer], look: Look, height: int) -> int:
    """So many fit side by side on so many lines, and one at least."""
    low, high = 1, len(offers)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(_columns(offers[:middle], look)) <= height else (low, middle - 1)
    return low


def _asked(asked: Sequence[Offer], look: Look, room: int, count: int) -> list[str]:
    """Questions on lines of their own, the other moves side by side below them."""
    questions = [offer for offer in asked if len(offer.numbers) > 1]
    others = [offer for offer in asked if len(offer.numbers) == 1]
    lines = _drawn(questions, look)
    below = _columns(others, look)
    fits = len(lines) + len(below) <= room
    return [*lines, *(below if fits else _begun(others, look, max(1, room - len(lines)), count))] if others else lines


def _each(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in line.split("\n")]


def _fitted(alike: Sequence[Offer], moves: Sequence[Move], look: Look, room: int) -> list[str]:
    """The moves in fewer lines: the first way in which all fit; else as many as do, if that takes fewer lines than all."""
    ways = list(_ways(alike, moves, look))
    if (found := next((lines for lines in ways if len(lines) <= room), None)) is not None:
        return found
    begun = _begun(next(iter(_noted(alike, moves, look)), _together(alike)), look, room, len(moves))
    return min([begun, *ways][::-1], key=len)


def _ways(alike: Sequence[Offer], moves: Sequence[Move], look: Look) -> Iterator[list[str]]:
    """All moves, in ever fewer lines."""
    offers, noted = _together(alike), _noted(alike, moves, look)
    yield _drawn(alike, look)
    yield from map(partial(_columns, look=look), noted)
    yield _drawn(offers, look)
    yield _columns(offers, look)


def _noted(alike: Sequence[Offer], moves: Sequence[Move], look: Look) -> list[list[Offer]]:
    """The same in the notation of the game, if most have one: it says as much in a quarter of the room."""
    short = {offer: draw_text(moves[offer.numbers[0] - 1].short(look.lang), look) for offer in alike}
    if 2 * sum(map(bool, short.values())) <= len(alike):
        return []
    return [[replace(offer, text=short[offer] or offer.text) for offer in alike]]


def _begun(offers: Sequence[Offer], look: Look, room: int, count: int) -> list[str]:
    """As many as there is room for, side by side where that is more, and how many are left out. Words alone, as to pass, stay."""
    words = [offer for offer in offers if offer.is_word]
    others = [offer for offer in offers if not offer.is_word] if len(words) <= FEW_WORDS else list(offers)
    kept = words if len(words) <= FEW_WORDS else []
    room -= len(_columns(kept, look))
    most = _most(others, look, room - 1) if room > 1 else 0
    most = most if len(_columns(others[:most], look)) < max(room, 2) else 0
    left = count - (others[most - 1].numbers[-1] if most else 0)
    left -= sum(not most or offer.numbers[0] > others[most - 1].numbers[-1] for offer in kept)
    return [*_columns(others[:most], look), *_columns(kept, look), _left_out(left, look)]


def _left_out(count: int, look: Look) -> str:
    """That there are more, on one line."""
    long, short = (f"     {t(key, count=count)}" for key in ("play.more_moves", "play.more_briefly"))
    return long if width(long) <= look.width else short


def _alike(state: State, moves: Sequence[Move], look: Look) -> list[Offer]:
    numbers = {move: n for n, move in enumerate(moves, 1)}
    shown = merge_equivalent(state.game.compiled, state.core, moves)
    return [Offer((numbers[move],), format_move(move, look), is_bare_move(move)) for move in shown]


# ---- together --------------------------------------------------------------------------------------------------------


def _together(offers: Sequence[Offer]) -> list[Offer]:
    """Those that follow each other and differ only behind the words that they begin with."""
    found: list[list[Offer]] = []
    for offer in offers:
        if found and _joined([*found[-1], offer]) is not None:
            found[-1].append(offer)
        else:
            found.append([offer])
    return [_joined(group) or group[0] for group in found]


def _joined(group: Sequence[Offer]) -> Offer | None:
    words = [offer.text.split(" ") for offer in group]
    before = _shared(words)
    after = _shared([own[before:][::-1] for own in words])
    apart = [own[before : len(own) - after] for own in words]
    if before < SHARED or not all(0 < len(own) <= APART for own in apart) or _told_by_more(apart):
        return None
    ends = [" ".join(own) for own in apart]
    text = " ".join([*words[0][:before], _range(ends), *words[0][len(words[0]) - after :]])
    return Offer(tuple(n for offer in group for n in offer.numbers), text)


def _told_by_more(apart: Sequence[Sequence[str]]) -> bool:
    """Do they differ in more than where they go? A number, or a word, and what lies there."""
    return any(len(own) > 1 and not own[1].startswith("(") for own in apart)


def _shared(words: Sequence[Sequence[str]]) -> int:
    """So many words all begin with alike."""
    return next(
        (n for n, found in enumerate(zip(*words, strict=False)) if len(set(found)) > 1), min(map(len, words), default=0)
    )


def _range(ends: Sequence[str]) -> str:
    """Numbers that follow each other from the first to the last; else all of them."""
    numbers = [int(end) for end in ends if end.isascii() and end.isdigit()]
    if len(numbers) == len(ends) > 2 and numbers == [*range(numbers[0], numbers[0] + len(ends))]:
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(ends)


# ---- lines -----------------------------------------------------------------------------------------------------------


def _wide(offers: Sequence[Offer]) -> int:
    return max(3, *(len(offer.head) for offer in offers)) if offers else 3


def _drawn(offers: Sequence[Offer], look: Look) -> list[str]:
    wide = _wide(offers)
    return _each([offer.line(look, wide) for offer in offers])


def _columns(offers: Sequence[Offer], look: Look) -> list[str]:
    """Down the first column, then the next, as newspapers do."""
    wide = _wide(offers)
    cells = [f"{look.ink(f'{offer.head:>{wide}}', 'number')}  {offer.text}" for offer in offers]
    each = max(map(width, cells), default=1)
    columns = max(1, (look.width + GAP) // (each + GAP))
    if columns == 1:
        return _drawn(offers, look)
    rows = -(-len(cells) // columns)
    table = ([pad(cell, each) for cell in cells[row::rows]] for row in range(rows))
    return [(" " * GAP).join(row).rstrip() for row in table]


# ---- a choice of several pieces --------------------------------------------------------------------------------------


def _asks(moves: Sequence[Move]) -> bool:
    """Is it mostly a choice of several pieces, which are sooner named than looked for?"""
    return 2 * sum(len(move.sets) == 1 for move in moves) > len(moves)


def _questions(moves: Sequence[Move], look: Look) -> list[Offer]:
    found: list[Offer] = []
    numbered = list(enumerate(moves, 1))
    for name, group in groupby(numbered, key=lambda item: (item[1].name, len(item[1].sets) == 1)):
        own = list(group)
        if name[1] and len(own) > MANY:
            found.append(_question(own, look))
        else:
            found += [Offer((n,), format_move(move, look)) for n, move in own]
    return found


def _question(own: Sequence[tuple[int, Move]], look: Look) -> Offer:
    """How many pieces, of which, and one way to say it."""
    sizes = sorted({len(move.sets[0]) for _, move in own})
    signs = sorted({sign for _, move in own for sign in move.sets[0]}, key=lambda sign: get_hand_order(sign, look))
    largest = next(move for _, move in own if len(move.sets[0]) == sizes[-1])
    example = " ".join(sorted(largest.sets[0], key=lambda sign: get_hand_order(sign, look)))
    said = t("play.pieces", what=_called(own, look), count=_sizes(sizes), pieces=" ".join(signs), example=example)
    return Offer(tuple(n for n, _ in own), draw_text(said, look))


def _called(own: Sequence[tuple[int, Move]], look: Look) -> str:
    return look.label(own[0][1].name, "moves").rstrip(" …")


def _sizes(sizes: Sequence[int]) -> str:
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"
