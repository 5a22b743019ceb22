"""The moves to choose from, in full or in as few lines as fit. Similar moves are joined; choices of several pieces become a question."""

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


MANY_SUBSETS = 12
"""More subsets than this become a question."""
GAP = 3
FEW_WORDS = 3
"""Bare moves that are kept in a cut list."""
SHARED, APART = 2, 3
"""Moves are joined if they share this many words at the start and differ in at most so many."""


class Offer(Struct, frozen=True):
    """Moves that are listed together, by number, and their text."""

    numbers: tuple[int, ...]
    text: str
    is_word: bool = False
    """True if the move names no piece, number or place."""

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


def list_choices(state: State, moves: Sequence[Move], look: Look, room: int | None = None) -> list[str]:
    """List the moves in at most `room` lines; None: no limit, one move a line."""
    if _is_question(moves) and len(moves) > (FEW if room is None else MANY_SUBSETS):
        asked = _make_questions(moves, look)
        lines = _draw(asked, look)
        return (
            lines if room is None or len(lines) <= room else _arrange_questions(asked, look, max(room, 1), len(moves))
        )
    if room is None:
        return _split_lines(list_moves(moves, look, FEW))
    lines = _split_lines(list_moves(moves, look, len(moves)))
    alike = _merge_alike(state, moves, look)
    if len(lines) <= room and len(alike) == len(moves):
        return lines
    return _fit(alike, moves, look, max(room, 1))


def count_fewest_lines(state: State, moves: Sequence[Move], look: Look) -> int:
    """Return the lines of the shortest list of all moves."""
    if _is_question(moves) and len(moves) > MANY_SUBSETS:
        asked = _make_questions(moves, look)
        return min(len(_draw(asked, look)), len(_arrange_questions(asked, look, len(moves), len(moves))))
    return min(map(len, _arrange(_merge_alike(state, moves, look), moves, look)))


def paginate(moves: Sequence[Move], look: Look, height: int) -> Iterator[list[str]]:
    """Yield all moves in columns, in pages of so many lines."""
    left = [Offer((n,), format_move(move, look)) for n, move in enumerate(moves, 1)]
    while left:
        most = _count_fitting(left, look, height)
        yield _draw_columns(left[:most], look)
        left = left[most:]


def _count_fitting(offers: Sequence[Offer], look: Look, height: int) -> int:
    """Return how many offers fit, at least one."""
    low, high = 1, len(offers)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(_draw_columns(offers[:middle], look)) <= height else (low, middle - 1)
    return low


def _arrange_questions(asked: Sequence[Offer], look: Look, room: int, count: int) -> list[str]:
    """Put questions on their own lines and the other moves in columns below."""
    questions = [offer for offer in asked if len(offer.numbers) > 1]
    others = [offer for offer in asked if len(offer.numbers) == 1]
    lines = _draw(questions, look)
    below = _draw_columns(others, look)
    fits = len(lines) + len(below) <= room
    return [*lines, *(below if fits else _cut(others, look, max(1, room - len(lines)), count))] if others else lines


def _split_lines(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in line.split("\n")]


def _fit(alike: Sequence[Offer], moves: Sequence[Move], look: Look, room: int) -> list[str]:
    """Return the first arrangement that fits, else the shortest with as many moves as possible."""
    ways = list(_arrange(alike, moves, look))
    if (found := next((lines for lines in ways if len(lines) <= room), None)) is not None:
        return found
    begun = _cut(next(iter(_use_notation(alike, moves, look)), _join_runs(alike)), look, room, len(moves))
    return min([begun, *ways][::-1], key=len)


def _arrange(alike: Sequence[Offer], moves: Sequence[Move], look: Look) -> Iterator[list[str]]:
    """Yield arrangements of all moves, in ever fewer lines."""
    offers, noted = _join_runs(alike), _use_notation(alike, moves, look)
    yield _draw(alike, look)
    yield from map(partial(_draw_columns, look=look), noted)
    yield _draw(offers, look)
    yield _draw_columns(offers, look)


def _use_notation(alike: Sequence[Offer], moves: Sequence[Move], look: Look) -> list[list[Offer]]:
    """Use the game's notation if most moves have one."""
    short = {offer: draw_text(moves[offer.numbers[0] - 1].short(look.lang), look) for offer in alike}
    if 2 * sum(map(bool, short.values())) <= len(alike):
        return []
    return [[replace(offer, text=short[offer] or offer.text) for offer in alike]]


def _cut(offers: Sequence[Offer], look: Look, room: int, count: int) -> list[str]:
    """Return as many offers as fit and a count of the others. Bare moves stay."""
    words = [offer for offer in offers if offer.is_word]
    others = [offer for offer in offers if not offer.is_word] if len(words) <= FEW_WORDS else list(offers)
    kept = words if len(words) <= FEW_WORDS else []
    room -= len(_draw_columns(kept, look))
    most = _count_fitting(others, look, room - 1) if room > 1 else 0
    most = most if len(_draw_columns(others[:most], look)) < max(room, 2) else 0
    left = count - (others[most - 1].numbers[-1] if most else 0)
    left -= sum(not most or offer.numbers[0] > others[most - 1].numbers[-1] for offer in kept)
    return [*_draw_columns(others[:most], look), *_draw_columns(kept, look), _format_rest(left, look)]


def _format_rest(count: int, look: Look) -> str:
    long, short = (f"     {t(key, count=count)}" for key in ("play.more_moves", "play.more_briefly"))
    return long if width(long) <= look.width else short


def _merge_alike(state: State, moves: Sequence[Move], look: Look) -> list[Offer]:
    numbers = {move: n for n, move in enumerate(moves, 1)}
    shown = merge_equivalent(state.game.compiled, state.core, moves)
    return [Offer((numbers[move],), format_move(move, look), is_bare_move(move)) for move in shown]


# ---- together --------------------------------------------------------------------------------------------------------


def _join_runs(offers: Sequence[Offer]) -> list[Offer]:
    """Join consecutive offers that differ only in a few words."""
    found: list[list[Offer]] = []
    for offer in offers:
        if found and _join([*found[-1], offer]) is not None:
            found[-1].append(offer)
        else:
            found.append([offer])
    return [_join(group) or group[0] for group in found]


def _join(group: Sequence[Offer]) -> Offer | None:
    words = [offer.text.split(" ") for offer in group]
    before = _count_shared(words)
    after = _count_shared([own[before:][::-1] for own in words])
    apart = [own[before : len(own) - after] for own in words]
    if before < SHARED or not all(0 < len(own) <= APART for own in apart) or _has_long_difference(apart):
        return None
    ends = [" ".join(own) for own in apart]
    text = " ".join([*words[0][:before], _join_ends(ends), *words[0][len(words[0]) - after :]])
    return Offer(tuple(n for offer in group for n in offer.numbers), text)


def _has_long_difference(apart: Sequence[Sequence[str]]) -> bool:
    """Return whether the differing words are more than a place with its contents."""
    return any(len(own) > 1 and not own[1].startswith("(") for own in apart)


def _count_shared(words: Sequence[Sequence[str]]) -> int:
    """Return the number of equal words at the start."""
    return next(
        (n for n, found in enumerate(zip(*words, strict=False)) if len(set(found)) > 1), min(map(len, words), default=0)
    )


def _join_ends(ends: Sequence[str]) -> str:
    """Join consecutive numbers into a range, or list the ends."""
    numbers = [int(end) for end in ends if end.isascii() and end.isdigit()]
    if len(numbers) == len(ends) > 2 and numbers == [*range(numbers[0], numbers[0] + len(ends))]:
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(ends)


# ---- lines -----------------------------------------------------------------------------------------------------------


def _measure_heads(offers: Sequence[Offer]) -> int:
    return max(3, *(len(offer.head) for offer in offers)) if offers else 3


def _draw(offers: Sequence[Offer], look: Look) -> list[str]:
    wide = _measure_heads(offers)
    return _split_lines([offer.line(look, wide) for offer in offers])


def _draw_columns(offers: Sequence[Offer], look: Look) -> list[str]:
    """Fill the first column, then the next."""
    wide = _measure_heads(offers)
    cells = [f"{look.ink(f'{offer.head:>{wide}}', 'number')}  {offer.text}" for offer in offers]
    each = max(map(width, cells), default=1)
    columns = max(1, (look.width + GAP) // (each + GAP))
    if columns == 1:
        return _draw(offers, look)
    rows = -(-len(cells) // columns)
    table = ([pad(cell, each) for cell in cells[row::rows]] for row in range(rows))
    return [(" " * GAP).join(row).rstrip() for row in table]


# ---- a choice of several pieces --------------------------------------------------------------------------------------


def _is_question(moves: Sequence[Move]) -> bool:
    """Return whether most moves choose one set of pieces."""
    return 2 * sum(len(move.sets) == 1 for move in moves) > len(moves)


def _make_questions(moves: Sequence[Move], look: Look) -> list[Offer]:
    found: list[Offer] = []
    numbered = list(enumerate(moves, 1))
    for name, group in groupby(numbered, key=lambda item: (item[1].name, len(item[1].sets) == 1)):
        own = list(group)
        if name[1] and len(own) > MANY_SUBSETS:
            found.append(_make_question(own, look))
        else:
            found += [Offer((n,), format_move(move, look)) for n, move in own]
    return found


def _make_question(own: Sequence[tuple[int, Move]], look: Look) -> Offer:
    """Return a question: how many pieces, of which, and an example."""
    sizes = sorted({len(move.sets[0]) for _, move in own})
    signs = sorted({sign for _, move in own for sign in move.sets[0]}, key=lambda sign: get_hand_order(sign, look))
    largest = next(move for _, move in own if len(move.sets[0]) == sizes[-1])
    example = " ".join(sorted(largest.sets[0], key=lambda sign: get_hand_order(sign, look)))
    said = t(
        "play.pieces", what=_get_label(own, look), count=_format_sizes(sizes), pieces=" ".join(signs), example=example
    )
    return Offer(tuple(n for n, _ in own), draw_text(said, look))


def _get_label(own: Sequence[tuple[int, Move]], look: Look) -> str:
    return look.label(own[0][1].name, "moves").rstrip(" …")


def _format_sizes(sizes: Sequence[int]) -> str:
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"
