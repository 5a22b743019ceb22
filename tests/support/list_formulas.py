"""Random formulas that are lists, for the maker in `formulas`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everything import LISTS

if TYPE_CHECKING:
    from formulas import Maker

BOOL = "bool"
LISTED = ("number", "player", "pair", "side", "rank", "suit", "card", "man", "coin", "pile")


def _collected(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(list(LISTED))
    items = make.list(kind, d)
    where = make.choose(2)
    return make.bound(
        kind, lambda x: f"({make.some(sort, d)} for {x} in {items}{f' where {make.some(BOOL, d)}' if where else ''})"
    )


def _listed(make: Maker, sort: str, d: int) -> str:
    return f"({', '.join(make.some(sort, d) for _ in range(2 + make.choose(2)))})"


def _joined(make: Maker, sort: str, d: int) -> str:
    return f"({make.list(sort, d)} + {make.list(sort, d)})"


def _turned(make: Maker, sort: str, d: int) -> str:
    return f"reversed({make.list(sort, d)})"


def _one_subset(make: Maker, sort: str, d: int) -> str:
    return f"(subsets({make.pick(LISTS['player'])}, 2) at 1)" if sort == "player" else make.list(sort, d)


def _less(make: Maker, sort: str, d: int) -> str:
    return f"({make.list(sort, d)} without {make.pick([make.list, make.some])(sort, d)})"


def _nothing(make: Maker, sort: str, d: int) -> str:
    return f"({make.list(sort, d)} + ())"


def _in_order(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(list(LISTED))
    items = make.list(kind, d)
    by = make.pick([make.sure("number", d), f"({make.sure('rank', d)}, {make.sure('number', d)})"])
    return make.bound(kind, lambda x: f"sorted({make.some(sort, d)} for {x} in {items} by {by})")


def _branch(make: Maker, sort: str, d: int) -> str:
    return f"(if {make.some(BOOL, d)} then {make.list(sort, d)} else {make.list(sort, d)})"


LIST_MAKERS = [_collected, _listed, _joined, _turned, _branch, _one_subset, _less, _nothing, _in_order]


def _contents(make: Maker, sort: str, d: int) -> str:
    return f"({make.some('pile', d)} + hand)"


def _suited(make: Maker, sort: str, d: int) -> str:
    return f"suited({make.list('card', d)}, {make.some('suit', d)})"


def _last_few(make: Maker, sort: str, d: int) -> str:
    return f"{make.pick(['first', 'last'])}({make.list(sort, d)}, {make.pick(['0', '1', '2', '7'])})"


def _range(make: Maker, sort: str, d: int) -> str:
    return f"({make.sure('number', d)}..{make.sure('number', d)})"


def _sorted(make: Maker, sort: str, d: int) -> str:
    return f"sorted({make.list(sort, d)})"


OWN_LISTS: dict[str, list[Any]] = {
    "card": [_contents, _suited, _last_few, _sorted],
    "number": [_range, _sorted],
    "rank": [_sorted],
    "player": [_last_few],
    "pile": [
        lambda make, s, d: f"started({make.list('pile', d)})",
        lambda make, s, d: f"piles({make.list('pile', d)}, {make.some('pile', d)})",
    ],
}
