"""The score sheets of a state: what stands in state with two keys or three, who has done what to whom, and what each deal has brought."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import to_plain, value_name
from hoyle.game.views.display import PublicState
from hoyle.language.display import Boxes
from hoyle.language.ir import Var
from hoyle.language.kinds import PLAYER, Kind, Number
from hoyle.language.model import StateFamily, Texts, text_in, texts_of
from hoyle.language.sentences import FALLBACK, Sentence, integer
from hoyle.running.naming import in_language
from hoyle.running.state import ENDED, Core
from hoyle.running.wording import label_text
from hoyle.view_data import EMPTY, SheetCell, SheetKey, SheetRow, SheetView

_TOTAL = Sentence("sheet.total")


def words(game: Compiled, text: Callable[[str], str]) -> Texts:
    return texts_of(text, game.ruleset.languages)


def head(game: Compiled, kind: Kind, n: int) -> SheetKey:
    """The n-th value of a kind."""
    namer = game.namer
    if kind.name == "pair":
        members = game.machine.constants["MEMBERS"][n]
        return SheetKey(
            namer.key_name(kind, n), words(game, lambda lang: "-".join(namer.seat(p, lang) for p in members))
        )
    held = n + (kind.low if isinstance(kind, Number) else 0)
    return SheetKey(value_name(game, held, kind), words(game, lambda lang: namer.value(held, kind, lang)))


def number(game: Compiled, value: int) -> SheetCell:
    return SheetCell(value, words(game, lambda lang: integer(value, lang)))


def totals(game: Compiled, sums: Sequence[int | None]) -> SheetRow:
    """The last row: what each column comes to."""
    key = SheetKey("", words(game, lambda lang: _TOTAL[lang]))
    return SheetRow(key, tuple(number(game, found) if found is not None else None for found in sums))


def is_blank(row: SheetRow) -> bool:
    return all(cell is None for cell in row.cells)


_DEAL, _BEFORE = Sentence("sheet.deal"), Sentence("sheet.before")
_OVER = ENDED.index("deal")
Label = tuple[tuple[str, str], ...]


class Item(Struct, frozen=True):
    """Points as they were scored: by which member of the state, and as what, in words."""

    member: int
    points: int
    label: Label


class Deal(Struct):
    """What was scored in a deal, and whether it is over."""

    items: list[Item] = []
    over: bool = False

    def sums(self, size: int) -> list[int]:
        found = [0] * size
        for item in self.items:
            found[item.member] += item.points
        return found


def deals(game: Compiled, core: Core, shown: Sequence[StateFamily], hidden: frozenset[int]) -> Iterator[SheetView]:
    """A sheet for each state that all may know and that points are added to, once a deal is over."""
    for family in shown:
        own = range(family.base, family.base + family.size)
        if family.keys in ((PLAYER,), (game.ruleset.side,)) and not family.track and hidden.isdisjoint(own):
            found = _deals(game, core, family)
            if len(own) > 1 and any(deal.items for deal in found) and any(deal.over for deal in found):
                yield from _sheet(game, core, family, found)


def _deals(game: Compiled, core: Core, family: StateFamily) -> list[Deal]:
    found = [Deal()]
    for event in core.log or ():
        if event[0] == "ends" and event[1] == _OVER:
            found[-1].over = True
            found.append(Deal())
        elif event[0] == "score" and family.base <= event[3] < family.base + family.size:
            label = words(game, lambda lang, e=event: label_text(game.namer, e[4], e[5], lang))  # type: ignore[misc]
            found[-1].items.append(Item(event[3] - family.base, event[1], label))
    return found if found[-1].items else found[:-1]


def _sheet(game: Compiled, core: Core, family: StateFamily, found: Sequence[Deal]) -> Iterator[SheetView]:
    """The deals that make up what has been reached: where it began anew, those since. What they do not make up was there before."""
    held = [int(value) for value in core.cells[family.base : family.base + family.size]]
    sums = [deal.sums(family.size) for deal in found]
    since = next((n for n in range(len(found) + 1) if _added(sums[n:], family.size) == held), None)
    if since == len(found):
        return
    assert family.each is not None
    columns = tuple(head(game, family.each, m) for m in range(family.size))
    before = [a - b for a, b in zip(held, _added(sums, family.size), strict=True)]
    first = [] if since is not None else [_row(game, words(game, lambda lang: _BEFORE[lang]), before)]
    rows = [_deal(game, n + 1, found[n], family.size) for n in range(since or 0, len(found))]
    title = words(game, lambda lang: in_language(family.words, lang, family.name))
    yield SheetView(family.name, "deals", title, columns, (*first, *rows), totals(game, held))


def _added(sums: Sequence[Sequence[int]], size: int) -> list[int]:
    return [sum(deal[m] for deal in sums) for m in range(size)]


def _deal(game: Compiled, n: int, deal: Deal, size: int) -> SheetRow:
    """Its points; and what they were announced as, if that is several things."""
    parts: dict[Label, list[int | None]] = {}
    for item in deal.items:
        points = parts.setdefault(item.label, [None] * size)
        points[item.member] = (points[item.member] or 0) + item.points
    rows = tuple(_row(game, label, points) for label, points in parts.items())
    named = words(game, lambda lang: _DEAL[lang].format(number=n))
    sums: list[int | None] = [*deal.sums(size)] if deal.over else _only(parts.values(), size)
    return _row(game, named, sums, rows if len(rows) > 1 else ())


def _only(parts: Iterable[Sequence[int | None]], size: int) -> list[int | None]:
    """Of a deal that goes on what has been scored so far, and nothing for who has scored nothing."""
    found = [[part[m] for part in parts if part[m] is not None] for m in range(size)]
    return [sum(filter(None, points)) if points else None for points in found]


def _row(game: Compiled, texts: Label, points: Sequence[int | None], parts: tuple[SheetRow, ...] = ()) -> SheetRow:
    cells = tuple(number(game, value) if value is not None else None for value in points)
    return SheetRow(SheetKey(text_in(texts, "en"), texts), cells, parts)


def sheets(
    game: Compiled, core: Core, known: PublicState, shown: Sequence[StateFamily], hidden: frozenset[int]
) -> tuple[SheetView, ...]:
    """The sheets of what a seat is shown of the state; `hidden` are the cells that it may not know. Where no state is a sheet with totals, what
    the deals have brought is one."""
    made = _Sheets(game, core, hidden, known)
    found = [sheet for family in shown for sheet in made.of(family)]
    kept = any(sheet.totals is not None for sheet in found)
    return (*found, *(() if kept else deals(game, core, shown, hidden)))


class _Sheets(Struct):
    game: Compiled
    core: Core
    hidden: frozenset[int]
    known: PublicState

    def of(self, family: StateFamily) -> Iterator[SheetView]:
        """Those of a family; none of what stands beside a name, nor where nothing is written."""
        keys, found, side = family.keys, list[SheetView](), self.game.ruleset.side
        if len(keys) == 3 and keys[0] in (PLAYER, side) and not any(_are_people(key, side) for key in keys[1:]):
            found = [self._side_by_side(family)]
        elif len(keys) == 3:
            found = self._for_each_first(family)
        elif keys == (PLAYER, PLAYER) and family.kind.name == "number":
            found = [replace(self._sheet(family, 0, *keys), sort="square")]
        elif len(keys) == 2 and keys[0] not in (PLAYER, side):
            found = [self._sheet(family, 0, *keys)]
        elif len(keys) == 2 and keys[0] != PLAYER:
            found = [self._below_each(family)]
        elif len(keys) == 1 and keys[0].name == "pair":
            found = [self._pairs(family)]
        for sheet in found:
            sheet = self._explained(sheet, family)
            told = tuple(row for row in sheet.rows if not is_blank(row))
            if told:
                whole = sheet.sort == "square" or (sheet.totals is not None and self._boxes(family) is None)
                yield sheet if whole else replace(sheet, rows=told)

    def _explained(self, sheet: SheetView, family: StateFamily) -> SheetView:
        """A square says in words what its numbers mean, any other sheet in a line below it."""
        hint = self.game.ruleset.display.state.get(family.name)
        if hint is None or not hint.called:
            return sheet
        called = words(self.game, lambda lang: "|".join(hint.called.get(lang) or hint.called[FALLBACK]))
        if sheet.sort != "square":
            return replace(sheet, legend=tuple((lang, _numbered(text)) for lang, text in called))
        rows = [replace(row, cells=tuple(_named(cell, called) for cell in row.cells)) for row in sheet.rows]
        return replace(sheet, texts=tuple((lang, text.replace("|", " / ")) for lang, text in called), rows=tuple(rows))

    def _for_each_first(self, family: StateFamily) -> list[SheetView]:
        first, down, across = family.keys
        count = self.game.count_of(first)
        inner, found = family.size // count, list[SheetView]()
        for n in range(count):
            sheet, whose = self._sheet(family, n * inner, down, across), head(self.game, first, n).texts
            titles = [(lang, f"{title} {text_in(whose, lang)}") for lang, title in sheet.texts]
            found.append(replace(sheet, texts=tuple(titles)))
        return found

    def _side_by_side(self, family: StateFamily) -> SheetView:
        """What each player writes for himself, on one sheet: his columns stand beside those of the others, without a name of their own as long as
        one of them is all that is written in."""
        whose, middle, down = family.keys
        seats, wide, high = (self.game.count_of(kind) for kind in (whose, middle, down))
        cells = [self._cell(family, n) for n in range(family.size)]
        found = {n // high % wide for n, cell in enumerate(cells) if cell is not None}
        written = sorted(found or {0})
        columns = [(p, m) for p in range(seats) for m in written]
        heads = (self._column(whose, p, middle, m, alone=len(written) == 1) for p, m in columns)
        rows = [
            SheetRow(head(self.game, down, n), tuple(cells[(p * wide + m) * high + n] for p, m in columns))
            for n in range(high)
        ]
        last = self._totals_of(family) if len(written) == 1 else None
        return SheetView(family.name, "state", self._title(family), tuple(heads), tuple(rows), last)

    def _below_each(self, family: StateFamily) -> SheetView:
        """What each side writes for itself, below its name."""
        whose, down = family.keys
        sides, high = self.game.count_of(whose), self.game.count_of(down)
        heads = tuple(head(self.game, whose, s) for s in range(sides))
        rows = [
            SheetRow(head(self.game, down, n), tuple(self._cell(family, s * high + n) for s in range(sides)))
            for n in range(high)
        ]
        last = self._totals_of(family) or self._added(family, rows, whose)
        return SheetView(family.name, "state", self._title(family), heads, tuple(rows), last)

    def _column(self, whose: Kind, p: int, middle: Kind, m: int, alone: bool) -> SheetKey:
        seat, own = head(self.game, whose, p), head(self.game, middle, m)
        if alone:
            return seat
        texts = [(lang, f"{text} {text_in(own.texts, lang)}") for lang, text in seat.texts]
        return SheetKey(f"{seat.key} of {own.key}", tuple(texts))

    def _sheet(self, family: StateFamily, base: int, down: Kind, across: Kind) -> SheetView:
        high, wide = self.game.count_of(down), self.game.count_of(across)
        columns = tuple(head(self.game, across, m) for m in range(wide))
        rows = [
            SheetRow(head(self.game, down, n), tuple(self._cell(family, base + n * wide + m) for m in range(wide)))
            for n in range(high)
        ]
        sums = self._added(family, rows, across)
        return SheetView(family.name, "state", self._title(family), columns, tuple(rows), sums)

    def _added(self, family: StateFamily, rows: Sequence[SheetRow], across: Kind) -> SheetRow | None:
        """Numbers that are written below those who play are added up."""
        people = across in (PLAYER, self.game.ruleset.side)
        return self._sums(rows) if people and family.kind.name == "number" and family.kind.optional else None

    def _totals_of(self, family: StateFamily) -> SheetRow | None:
        """What a hint says that each comes to."""
        hint = self.game.ruleset.display.state.get(family.name)
        if hint is None or not hint.total:
            return None
        state = self.game.ruleset.state[hint.total]
        cells = range(state.base, state.base + state.size)
        return totals(self.game, [int(self.core.cells[n]) if n not in self.hidden else None for n in cells])

    def _boxes(self, family: StateFamily) -> Boxes | None:
        hint = self.game.ruleset.display.state.get(family.name)
        return hint.boxes if hint is not None else None

    def _is_box(self, family: StateFamily, member: int) -> bool:
        """Is this a place to write in, as a hint says?"""
        boxes = self._boxes(family)
        return boxes is not None and bool(self.known.value(boxes.open, self._keys(boxes, member)))

    def _keys(self, boxes: Boxes, member: int) -> dict[Var, int]:
        """The keys of a member of a family, the last of them counted first."""
        found = dict[Var, int]()
        for key in reversed(boxes.keys):
            member, n = divmod(member, self.game.count_of(key.kind))
            found[key] = n + (key.kind.low if isinstance(key.kind, Number) else 0)
        return {key: found[key] for key in boxes.keys}

    def _pairs(self, family: StateFamily) -> SheetView:
        """Each pair once, where the row of the one (who did it, where a hint says that) and the column of the other meet."""
        seats = tuple(head(self.game, PLAYER, n) for n in range(len(self.game.seats)))
        members = self.game.machine.constants["MEMBERS"][: family.size]
        cells = {self._directed(family, n, pair): self._cell(family, n) for n, pair in enumerate(members)}
        rows = [SheetRow(seat, tuple(cells.get((p, q)) for q in range(len(seats)))) for p, seat in enumerate(seats)]
        return SheetView(family.name, "square", self._title(family), seats, tuple(rows))

    def _directed(self, family: StateFamily, n: int, pair: tuple[int, int]) -> tuple[int, int]:
        """Who did it, and to whom, as far as a hint says."""
        hint = self.game.ruleset.display.state.get(family.name)
        if hint is None or not hint.by:
            return pair
        cell = self.game.ruleset.state[hint.by].base + n
        return pair if cell in self.hidden or self.core.cells[cell] != pair[1] else (pair[1], pair[0])

    def _title(self, family: StateFamily) -> tuple[tuple[str, str], ...]:
        return words(self.game, lambda lang: in_language(family.words, lang, family.name))

    def _cell(self, family: StateFamily, member: int) -> SheetCell | None:
        """Nothing where there is nothing; a nought is one where nothing written means something else."""
        cell = family.base + member
        held = self.core.cells[cell]
        value = to_plain(self.game, held, family.kind) if cell not in self.hidden else None
        if value is None and cell not in self.hidden and self._is_box(family, member):
            return EMPTY
        if value is None or value is False or (value == 0 and not family.kind.optional):
            return None
        return SheetCell(value, words(self.game, lambda lang: self.game.namer.value(held, family.kind, lang)))

    def _sums(self, rows: Sequence[SheetRow]) -> SheetRow:
        columns = zip(*(row.cells for row in rows), strict=True)
        found = [[cell.value for cell in column if cell not in (None, EMPTY)] for column in columns]
        return totals(self.game, [sum(values) if values else None for values in found])


def _are_people(kind: Kind, side: Kind) -> bool:
    return kind == side or kind.name in ("player", "pair")


def _numbered(called: str) -> str:
    return ", ".join(f"{n} {word}" for n, word in enumerate(called.split("|"), 1))


def _named(cell: SheetCell | None, called: Texts) -> SheetCell | None:
    """A number from 1 on by what it is called; a greater one than there are words for is a number."""
    if cell is None:
        return None
    texts = [(lang, text.split("|")) for lang, text in called]
    told = [(lang, names[cell.value - 1] if 0 < cell.value <= len(names) else str(cell.value)) for lang, names in texts]
    return replace(cell, texts=tuple(told))
