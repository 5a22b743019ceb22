"""Make the score sheets of a state: state with two or three keys, points between players, and the points of each deal.

`view_data` has the types. Pictures and the terminal draw the sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import to_plain, value_name
from hoyle.game.views.display import PublicState
from hoyle.language.display import Boxes
from hoyle.language.ir import Var
from hoyle.language.model import StateFamily, Texts, text_in, texts_of
from hoyle.language.sentences import FALLBACK, Sentence, format_integer
from hoyle.language.value_types import PLAYER, Number, ValueType
from hoyle.running.naming import in_language
from hoyle.running.state import ENDED, Core
from hoyle.running.wording import label_text
from hoyle.view_data import EMPTY, SheetCell, SheetKey, SheetRow, SheetView

_TOTAL = Sentence("sheet.total")


def in_languages(game: Compiled, text: Callable[[str], str]) -> Texts:
    return texts_of(text, game.ruleset.languages)


def make_key(game: Compiled, value_type: ValueType, n: int) -> SheetKey:
    """Make the head of the row or column for the n-th value of a type."""
    namer = game.namer
    if value_type.name == "pair":
        members = game.machine.constants["MEMBERS"][n]
        return SheetKey(
            namer.key_name(value_type, n),
            in_languages(game, lambda lang: "-".join(namer.seat(p, lang) for p in members)),
        )
    held = n + (value_type.low if isinstance(value_type, Number) else 0)
    return SheetKey(
        value_name(game, held, value_type), in_languages(game, lambda lang: namer.value(held, value_type, lang))
    )


def make_number_cell(game: Compiled, value: int) -> SheetCell:
    return SheetCell(value, in_languages(game, lambda lang: format_integer(value, lang)))


def make_totals(game: Compiled, sums: Sequence[int | None]) -> SheetRow:
    """Make the last row, which has the sums of the columns."""
    key = SheetKey("", in_languages(game, lambda lang: _TOTAL[lang]))
    return SheetRow(key, tuple(make_number_cell(game, found) if found is not None else None for found in sums))


_DEAL, _BEFORE = Sentence("sheet.deal"), Sentence("sheet.before")
_OVER = ENDED.index("deal")
Label = tuple[tuple[str, str], ...]


class ScoreItem(Struct, frozen=True):
    """Points of one scoring event: the member of the state, and the label."""

    member: int
    points: int
    label: Label


class DealScores(Struct):
    """Points scored in a deal."""

    items: list[ScoreItem] = []
    over: bool = False

    def sums_by_member(self, size: int) -> list[int]:
        found = [0] * size
        for item in self.items:
            found[item.member] += item.points
        return found


def deal_sheets(
    game: Compiled, core: Core, shown: Sequence[StateFamily], hidden: frozenset[int]
) -> Iterator[SheetView]:
    """Yield a sheet for each public state to which points are added. Yields nothing before the first deal is over."""
    for family in shown:
        own = range(family.base, family.base + family.size)
        if family.keys in ((PLAYER,), (game.ruleset.side,)) and not family.track and hidden.isdisjoint(own):
            found = _split_deals(game, core, family)
            if len(own) > 1 and any(deal.items for deal in found) and any(deal.over for deal in found):
                yield from _make_sheet(game, core, family, found)


def _split_deals(game: Compiled, core: Core, family: StateFamily) -> list[DealScores]:
    found = [DealScores()]
    for event in core.log or ():
        if event[0] == "ends" and event[1] == _OVER:
            found[-1].over = True
            found.append(DealScores())
        elif event[0] == "score" and family.base <= event[3] < family.base + family.size:
            label = in_languages(game, lambda lang, e=event: label_text(game.namer, e[4], e[5], lang))  # type: ignore[misc]
            found[-1].items.append(ScoreItem(event[3] - family.base, event[1], label))
    return found if found[-1].items else found[:-1]


def _make_sheet(game: Compiled, core: Core, family: StateFamily, found: Sequence[DealScores]) -> Iterator[SheetView]:
    """List the deals since the values were last reset. Points that these deals do not explain are a row before them."""
    held = [int(value) for value in core.cells[family.base : family.base + family.size]]
    sums = [deal.sums_by_member(family.size) for deal in found]
    since = next((n for n in range(len(found) + 1) if _added(sums[n:], family.size) == held), None)
    if since == len(found):
        return
    assert family.each is not None
    columns = tuple(make_key(game, family.each, m) for m in range(family.size))
    before = [a - b for a, b in zip(held, _added(sums, family.size), strict=True)]
    first = [] if since is not None else [_points_row(game, in_languages(game, lambda lang: _BEFORE[lang]), before)]
    rows = [_deal_row(game, n + 1, found[n], family.size) for n in range(since or 0, len(found))]
    title = in_languages(game, lambda lang: in_language(family.words, lang, family.name))
    yield SheetView(family.name, "deals", title, columns, (*first, *rows), make_totals(game, held))


def _added(sums: Sequence[Sequence[int]], size: int) -> list[int]:
    return [sum(deal[m] for deal in sums) for m in range(size)]


def _deal_row(game: Compiled, n: int, deal: DealScores, size: int) -> SheetRow:
    """Return the row of a deal. If points have several labels, each label has a row below it."""
    parts: dict[Label, list[int | None]] = {}
    for item in deal.items:
        points = parts.setdefault(item.label, [None] * size)
        points[item.member] = (points[item.member] or 0) + item.points
    rows = tuple(_points_row(game, label, points) for label, points in parts.items())
    named = in_languages(game, lambda lang: _DEAL[lang].format(number=n))
    sums: list[int | None] = [*deal.sums_by_member(size)] if deal.over else _sums_so_far(parts.values(), size)
    return _points_row(game, named, sums, rows if len(rows) > 1 else ())


def _sums_so_far(parts: Iterable[Sequence[int | None]], size: int) -> list[int | None]:
    """Return the points so far of an unfinished deal; None for members that have scored nothing."""
    found = [[part[m] for part in parts if part[m] is not None] for m in range(size)]
    return [sum(filter(None, points)) if points else None for points in found]


def _points_row(
    game: Compiled, texts: Label, points: Sequence[int | None], parts: tuple[SheetRow, ...] = ()
) -> SheetRow:
    cells = tuple(make_number_cell(game, value) if value is not None else None for value in points)
    return SheetRow(SheetKey(text_in(texts, "en"), texts), cells, parts)


def sheets(
    game: Compiled, core: Core, known: PublicState, shown: Sequence[StateFamily], hidden: frozenset[int]
) -> tuple[SheetView, ...]:
    """Return the sheets that a seat is shown. `hidden` are the cells that it may not know.

    If no sheet has totals, the deals are added as a sheet.
    """
    made = _SheetMaker(game, core, hidden, known)
    found = [sheet for family in shown for sheet in made.of(family)]
    kept = any(sheet.totals is not None for sheet in found)
    return (*found, *(() if kept else deal_sheets(game, core, shown, hidden)))


class _SheetMaker(Struct):
    game: Compiled
    core: Core
    hidden: frozenset[int]
    known: PublicState

    def of(self, family: StateFamily) -> Iterator[SheetView]:
        """Yield the sheets of a state. Yields none if the state is shown beside seat names, or if all boxes are empty."""
        keys, found, side = family.keys, list[SheetView](), self.game.ruleset.side
        if len(keys) == 3 and keys[0] in (PLAYER, side) and not any(_are_people(key, side) for key in keys[1:]):
            found = [self._players_side_by_side(family)]
        elif len(keys) == 3:
            found = self._sheet_per_first_key(family)
        elif keys == (PLAYER, PLAYER) and family.type.name == "number":
            found = [replace(self._make_sheet(family, 0, *keys), sort="square")]
        elif len(keys) == 2 and keys[0] not in (PLAYER, side):
            found = [self._make_sheet(family, 0, *keys)]
        elif len(keys) == 2 and keys[0] != PLAYER:
            found = [self._side_columns(family)]
        elif len(keys) == 1 and keys[0].name == "pair":
            found = [self._pair_square(family)]
        for sheet in found:
            sheet = self._with_legend(sheet, family)
            written = tuple(row for row in sheet.rows if any(cell is not None for cell in row.cells))
            if written:
                is_whole = sheet.sort == "square" or (sheet.totals is not None and self._box_hint(family) is None)
                yield sheet if is_whole else replace(sheet, rows=written)

    def _with_legend(self, sheet: SheetView, family: StateFamily) -> SheetView:
        """Add the names of numbers: in the cells of a square, else below the sheet."""
        hint = self.game.ruleset.display.state.get(family.name)
        if hint is None or not hint.called:
            return sheet
        called = in_languages(self.game, lambda lang: "|".join(hint.called.get(lang) or hint.called[FALLBACK]))
        if sheet.sort != "square":
            words = ((lang, enumerate(text.split("|"), 1)) for lang, text in called)
            return replace(sheet, legend=tuple((lang, ", ".join(f"{n} {word}" for n, word in w)) for lang, w in words))
        rows = [replace(row, cells=tuple(_name_value(cell, called) for cell in row.cells)) for row in sheet.rows]
        return replace(sheet, texts=tuple((lang, text.replace("|", " / ")) for lang, text in called), rows=tuple(rows))

    def _sheet_per_first_key(self, family: StateFamily) -> list[SheetView]:
        first, down, across = family.keys
        count = self.game.count_of(first)
        inner, found = family.size // count, list[SheetView]()
        for n in range(count):
            sheet, whose = self._make_sheet(family, n * inner, down, across), make_key(self.game, first, n).texts
            titles = [(lang, f"{title} {text_in(whose, lang)}") for lang, title in sheet.texts]
            found.append(replace(sheet, texts=tuple(titles)))
        return found

    def _players_side_by_side(self, family: StateFamily) -> SheetView:
        """Put the columns of all players on one sheet.

        If each player has one column only, it is headed by the player's name alone.
        """
        whose, middle, down = family.keys
        seats, wide, high = (self.game.count_of(value_type) for value_type in (whose, middle, down))
        cells = [self._cell(family, n) for n in range(family.size)]
        found = {n // high % wide for n, cell in enumerate(cells) if cell is not None}
        written = sorted(found or {0})
        columns = [(p, m) for p in range(seats) for m in written]
        heads = (self._player_column(whose, p, middle, m, alone=len(written) == 1) for p, m in columns)
        rows = self._make_rows(down, lambda n: [cells[(p * wide + m) * high + n] for p, m in columns])
        last = self._hinted_totals(family) if len(written) == 1 else None
        return SheetView(family.name, "state", self._title(family), tuple(heads), rows, last)

    def _side_columns(self, family: StateFamily) -> SheetView:
        """Put the values of each side below its name."""
        whose, down = family.keys
        sides, high = self.game.count_of(whose), self.game.count_of(down)
        rows = self._make_rows(down, lambda n: [self._cell(family, s * high + n) for s in range(sides)])
        last = self._hinted_totals(family) or self._added(family, rows, whose)
        return SheetView(family.name, "state", self._title(family), self._make_heads(whose), rows, last)

    def _player_column(self, whose: ValueType, p: int, middle: ValueType, m: int, alone: bool) -> SheetKey:
        seat, own = make_key(self.game, whose, p), make_key(self.game, middle, m)
        if alone:
            return seat
        texts = [(lang, f"{text} {text_in(own.texts, lang)}") for lang, text in seat.texts]
        return SheetKey(f"{seat.key} of {own.key}", tuple(texts))

    def _make_sheet(self, family: StateFamily, base: int, down: ValueType, across: ValueType) -> SheetView:
        wide = self.game.count_of(across)
        rows = self._make_rows(down, lambda n: [self._cell(family, base + n * wide + m) for m in range(wide)])
        sums = self._added(family, rows, across)
        return SheetView(family.name, "state", self._title(family), self._make_heads(across), rows, sums)

    def _make_heads(self, value_type: ValueType) -> tuple[SheetKey, ...]:
        return tuple(make_key(self.game, value_type, n) for n in range(self.game.count_of(value_type)))

    def _make_rows(self, down: ValueType, cells: Callable[[int], Iterable[SheetCell | None]]) -> tuple[SheetRow, ...]:
        """Make a row for each value of a type. `cells` returns the cells of a row."""
        return tuple(SheetRow(head, tuple(cells(n))) for n, head in enumerate(self._make_heads(down)))

    def _added(self, family: StateFamily, rows: Sequence[SheetRow], across: ValueType) -> SheetRow | None:
        """Return the sums of columns if players or sides head them and the values are numbers."""
        people = across in (PLAYER, self.game.ruleset.side)
        return self._sum_columns(rows) if people and family.type.name == "number" and family.type.optional else None

    def _hinted_totals(self, family: StateFamily) -> SheetRow | None:
        """Return the totals from the state that a display hint names."""
        hint = self.game.ruleset.display.state.get(family.name)
        if hint is None or not hint.total:
            return None
        state = self.game.ruleset.state[hint.total]
        cells = range(state.base, state.base + state.size)
        return make_totals(self.game, [int(self.core.cells[n]) if n not in self.hidden else None for n in cells])

    def _box_hint(self, family: StateFamily) -> Boxes | None:
        hint = self.game.ruleset.display.state.get(family.name)
        return hint.boxes if hint is not None else None

    def _is_open_box(self, family: StateFamily, member: int) -> bool:
        """Return whether a display hint makes this member a box that can be filled."""
        boxes = self._box_hint(family)
        return boxes is not None and bool(self.known.value(boxes.open, self._box_keys(boxes, member)))

    def _box_keys(self, boxes: Boxes, member: int) -> dict[Var, int]:
        """Return the keys of a member of a family, first key first."""
        found = dict[Var, int]()
        for key in reversed(boxes.keys):
            member, n = divmod(member, self.game.count_of(key.type))
            found[key] = n + (key.type.low if isinstance(key.type, Number) else 0)
        return {key: found[key] for key in boxes.keys}

    def _pair_square(self, family: StateFamily) -> SheetView:
        """Put the value of each pair once, where the row of one player meets the column of the other."""
        seats = self._make_heads(PLAYER)
        members = self.game.machine.constants["MEMBERS"][: family.size]
        cells = {self._pair_direction(family, n, pair): self._cell(family, n) for n, pair in enumerate(members)}
        rows = [SheetRow(seat, tuple(cells.get((p, q)) for q in range(len(seats)))) for p, seat in enumerate(seats)]
        return SheetView(family.name, "square", self._title(family), seats, tuple(rows))

    def _pair_direction(self, family: StateFamily, n: int, pair: tuple[int, int]) -> tuple[int, int]:
        """Return the pair as (row, column): the player who did it and the other, if a display hint says which."""
        hint = self.game.ruleset.display.state.get(family.name)
        if hint is None or not hint.by:
            return pair
        cell = self.game.ruleset.state[hint.by].base + n
        return pair if cell in self.hidden or self.core.cells[cell] != pair[1] else (pair[1], pair[0])

    def _title(self, family: StateFamily) -> tuple[tuple[str, str], ...]:
        return in_languages(self.game, lambda lang: in_language(family.words, lang, family.name))

    def _cell(self, family: StateFamily, member: int) -> SheetCell | None:
        """Return the cell of a member; None if it is absent, false, hidden, or zero by default."""
        cell = family.base + member
        held = self.core.cells[cell]
        value = to_plain(self.game, held, family.type) if cell not in self.hidden else None
        if value is None and cell not in self.hidden and self._is_open_box(family, member):
            return EMPTY
        if value is None or value is False or (value == 0 and not family.type.optional):
            return None
        return SheetCell(value, in_languages(self.game, lambda lang: self.game.namer.value(held, family.type, lang)))

    def _sum_columns(self, rows: Sequence[SheetRow]) -> SheetRow:
        columns = zip(*(row.cells for row in rows), strict=True)
        found = [[cell.value for cell in column if cell not in (None, EMPTY)] for column in columns]
        return make_totals(self.game, [sum(values) if values else None for values in found])


def _are_people(value_type: ValueType, side: ValueType) -> bool:
    return value_type == side or value_type.name in ("player", "pair")


def _name_value(cell: SheetCell | None, called: Texts) -> SheetCell | None:
    """Replace a number by its name. Names count from 1; numbers without a name stay."""
    if cell is None:
        return None
    texts = [(lang, text.split("|")) for lang, text in called]
    told = [(lang, names[cell.value - 1] if 0 < cell.value <= len(names) else str(cell.value)) for lang, names in texts]
    return replace(cell, texts=tuple(told))
