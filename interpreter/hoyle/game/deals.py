"""What each deal has brought, as a sheet: from what was scored since the start, and where deals ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.paper import head, number, totals, words
from hoyle.language.kinds import PLAYER
from hoyle.language.model import StateFamily, text_in
from hoyle.language.sentences import Sentence
from hoyle.running.naming import in_language
from hoyle.running.state import ENDED, Core
from hoyle.running.wording import label_text
from hoyle.views import SheetKey, SheetRow, SheetView

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
