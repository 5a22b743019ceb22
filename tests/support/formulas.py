"""Random formulas that have a kind, over the ruleset of `everything`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from everything import LEAVES, LISTS, SURE
from list_formulas import BOOL, LIST_MAKERS, LISTED, OWN_LISTS

SORTS = ("bool", "number", "player", "pair", "rank", "suit", "card", "man", "coin", "pile", "choice", "side")
Choose = Callable[[int], int]
"""A number below n."""


@dataclass
class Maker:
    """Writes formulas. `some(sort)` may be absent, `sure(sort)` is not."""

    choose: Choose
    names: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def pick(self, options: list[Any]) -> Any:
        return options[self.choose(len(options))]

    def some(self, sort: str, depth: int) -> str:
        known = [name for name, kind in self.names if kind == sort]
        if known and self.choose(3) == 0:
            return str(self.pick(known))
        makers = LEAVES[sort] if depth <= 0 else [*LEAVES[sort], *_MAKERS[sort], *_MAKERS[sort], *_ANY]
        made = self.pick(makers)
        return made if isinstance(made, str) else str(made(self, sort, depth - 1))

    def sure(self, sort: str, depth: int) -> str:
        return f"({self.some(sort, depth)} otherwise {SURE[sort]})"

    def bound(self, sort: str, make: Callable[[str], str]) -> str:
        """What `make` writes with a new name of this sort."""
        self.count += 1
        name = f"x{self.count}"
        self.names.append((name, sort))
        made = make(name)
        self.names.pop()
        return made

    def list(self, sort: str, depth: int) -> str:
        if depth <= 0:
            return str(self.pick(LISTS[sort]))
        made = self.pick([*LISTS[sort], *LIST_MAKERS, *OWN_LISTS.get(sort, [])])
        return made if isinstance(made, str) else str(made(self, sort, depth - 1))


def _junction(make: Maker, sort: str, d: int) -> str:
    return f"({make.some('bool', d)} {make.pick(['and', 'or'])} {make.some('bool', d)})"


def _not(make: Maker, sort: str, d: int) -> str:
    return f"(not {make.some('bool', d)})"


def _same(make: Maker, sort: str, d: int) -> str:
    kind = make.pick([s for s in SORTS if s != "bool"])
    return f"({make.some(kind, d)} {make.pick(['is', 'is not'])} {make.some(kind, d)})"


def _same_bool(make: Maker, sort: str, d: int) -> str:
    return f"({make.some('bool', d)} {make.pick(['is', 'is not'])} {make.some('bool', d)})"


def _same_list(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(["card", "number", "player"])
    return f"({make.list(kind, d)} {make.pick(['is', 'is not'])} {make.list(kind, d)})"


def _compare(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(["number", "rank", "suit"])
    return f"({make.some(kind, d)} {make.pick(['<', '<=', '>', '>='])} {make.some(kind, d)})"


def _absent(make: Maker, sort: str, d: int) -> str:
    return f"({make.some(make.pick([s for s in SORTS if s not in ('bool', 'choice')]), d)} {make.pick(['is none', 'is not none'])})"


def _empty(make: Maker, sort: str, d: int) -> str:
    return f"({make.list(make.pick(list(LISTED)), d)} {make.pick(['is empty', 'is not empty'])})"


def _in(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(list(LISTED))
    return f"({make.some(kind, d)} {make.pick(['in', 'not in'])} {make.list(kind, d)})"


def _quantifier(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(list(LISTED))
    items = make.list(kind, d)
    return make.bound(
        kind, lambda x: f"({make.pick(['some', 'every', 'no'])} {x} in {items} has {make.some('bool', d)})"
    )


def _question(make: Maker, sort: str, d: int) -> str:
    made = make.pick(
        [
            lambda: f"fits({make.some('card', d)}, {make.some('pile', d)})",
            lambda: f"same_suit({make.some('card', d)}, {make.some('card', d)})",
            lambda: f"ahead({make.some('player', d)})",
            lambda: f"up({make.some('card', d)})",
            lambda: f"distinct({make.list(make.pick(list(LISTED)), d)})",
            lambda: f"{make.some('rank', d)}.lucky",
            lambda: f"{make.some('rank', d)}.wanted({make.some('player', d)})",
            lambda: f"(flag of {make.some('player', d)})",
            lambda: f"(doubled of {make.some('pair', d)})",
            lambda: f"(played of {make.some('player', d)} of {make.some('suit', d)})",
            lambda: f"({make.some('suit', d)}.colour is red)",
        ]
    )
    return str(made())


def _arithmetic(make: Maker, sort: str, d: int) -> str:
    return f"({make.some('number', d)} {make.pick(['+', '-', '*'])} {make.some('number', d)})"


def _divided(make: Maker, sort: str, d: int) -> str:
    return f"({make.some('number', d)} {make.pick(['div', 'mod'])} {make.pick(['2', '3', 'size'])})"


def _negative(make: Maker, sort: str, d: int) -> str:
    return f"(-{make.some('number', d)})"


def _counted(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(list(LISTED))
    items = make.list(kind, d)
    filtered = make.bound(kind, lambda x: f"count({x} for {x} in {items} where {make.some('bool', d)})")
    return str(make.pick([filtered, f"count({items})"]))


def _summed(make: Maker, sort: str, d: int) -> str:
    kind = make.pick(list(LISTED))
    items = make.list(kind, d)
    value = make.bound(
        kind, lambda x: f"{make.sure('number', d)} for {x} in {items}{make.pick(['', f' where {make.some(BOOL, d)}'])}"
    )
    return f"sum({value})"


def _extreme_number(make: Maker, sort: str, d: int) -> str:
    word = make.pick(["min", "max"])
    kind = make.pick(list(LISTED))
    items = make.list(kind, d)
    collected = make.bound(kind, lambda x: f"{word}({make.some('number', d)} for {x} in {items})")
    return str(
        make.pick(
            [
                f"{word}({make.some('number', d)}, {make.some('number', d)})",
                collected,
                f"{word}({make.list('number', d)})",
            ]
        )
    )


def _numeric(make: Maker, sort: str, d: int) -> str:
    made = make.pick(
        [
            lambda: f"abs({make.some('number', d)})",
            lambda: f"index({make.some('pile', d)})",
            lambda: f"{make.some('rank', d)}.order",
            lambda: f"{make.some('rank', d)}.worth",
            lambda: f"{make.some('rank', d)}.next_one",
            lambda: f"{make.some('card', d)}.rank.order",
            lambda: f"{make.some('card', d)}.rank.worth",
            lambda: f"{make.some('suit', d)}.cost({make.some('player', d)})",
            lambda: f"(score of {make.some('player', d)})",
            lambda: f"(bid of {make.some('suit', d)})",
            lambda: f"(stake at {make.some('number', d)})",
            lambda: f"(rated of {make.some('player', d)} of {make.some('suit', d)})",
            lambda: f"deep({make.some('player', d)})",
            lambda: f"(lead of {make.some(make.pick(['player', 'side']), d)})",
            lambda: f"twice({make.some('number', d)})",
            lambda: f"weight({make.some('player', d)})",
            lambda: f"count(subsets({make.list('player', 0)}, {make.pick(['0', '1', '2'])}))",
            lambda: f"count(tails({make.list('card', d)}))",
        ]
    )
    return str(made())


def _player(make: Maker, sort: str, d: int) -> str:
    made = make.pick(
        [
            lambda: f"next({make.some('player', d)})",
            lambda: f"seat({make.sure('player', d)}, {make.sure('number', d)})",
            lambda: f"first({make.some('pair', d)})",
            lambda: f"last({make.some('pair', d)})",
            lambda: f"{make.some('man', d)}.owner",
            lambda: f"last(members({make.sure('side', d)}))",
            lambda: f"(taker at {make.some('number', d)})",
            lambda: f"(owner_of of {make.some('coin', d)})",
        ]
    )
    return str(made())


def _pair(make: Maker, sort: str, d: int) -> str:
    return f"pair({make.sure('player', d)}, {make.sure('player', d)})"


def _side(make: Maker, sort: str, d: int) -> str:
    return str(make.pick([f"side({make.sure('player', d)})", f"(opponent of {make.some('side', d)})"]))


def _rank(make: Maker, sort: str, d: int) -> str:
    return str(make.pick([f"{make.some('card', d)}.rank", f"(best of {make.some('player', d)})"]))


def _suit(make: Maker, sort: str, d: int) -> str:
    made = make.pick(
        [
            lambda: f"{make.some('card', d)}.suit",
            lambda: f"{make.some('suit', d)}.partner",
            lambda: f"{make.some('coin', d)}.suit",
            lambda: f"{make.some('rank', d)}.match({make.some('player', d)}, {make.some('card', d)})",
        ]
    )
    return str(made())


def _card(make: Maker, sort: str, d: int) -> str:
    pile = make.pick(
        [
            "pack",
            "hand",
            f"(hand of {make.some('player', d)})",
            f"(layout of {make.some('suit', d)})",
            f"(tableau at {make.some('number', d)})",
        ]
    )
    return str(
        make.pick(
            [
                f"{make.pick(['top', 'bottom'])}({pile})",
                f"{make.pick(['first', 'last'])}({make.list('card', d)})",
                f"highest({make.list('card', d)})",
            ]
        )
    )


def _man(make: Maker, sort: str, d: int) -> str:
    return f"{make.pick(['top', 'bottom'])}(spot at {make.some('number', d)})"


def _coin(make: Maker, sort: str, d: int) -> str:
    return f"top(shared of {make.some('pair', d)})"


def _pile(make: Maker, sort: str, d: int) -> str:
    return str(
        make.pick(
            [
                f"(hand of {make.some('player', d)})",
                f"(layout of {make.some('suit', d)})",
                f"vacant({make.list('pile', d)})",
                f"(tableau at {make.some('number', d)})",
            ]
        )
    )


def _choice(make: Maker, sort: str, d: int) -> str:
    return "style"


def _if(make: Maker, sort: str, d: int) -> str:
    return f"(if {make.some('bool', d)} then {make.some(sort, d)} else {make.some(sort, d)})"


def _otherwise(make: Maker, sort: str, d: int) -> str:
    return f"({make.some(sort, d)} otherwise {make.some(sort, d)})"


def _item(make: Maker, sort: str, d: int) -> str:
    if sort not in LISTED:
        return make.some(sort, d)
    return f"({make.list(sort, d)} at {make.some('number', d)})"


def _chosen(make: Maker, sort: str, d: int) -> str:
    if sort not in LISTED:
        return make.some(sort, d)
    items, word, by = make.list(sort, d), make.pick(["most", "least"]), make.pick(["number", "rank"])
    one, other = make.some(by, d), make.some("number", d)
    return make.bound(
        sort,
        lambda x: (
            f"({word} {x} in {items}{make.pick(['', f' where {make.some(BOOL, d)}'])} "
            f"by {make.pick([one, f'({one}, {other})'])})"
        ),
    )


_ANY = [_if, _otherwise, _item, _chosen]
_MAKERS: dict[str, list[Any]] = {
    "bool": [
        _junction,
        _not,
        _same,
        _same_bool,
        _same_list,
        _compare,
        _absent,
        _empty,
        _in,
        _quantifier,
        _question,
        _question,
    ],
    "number": [_arithmetic, _divided, _negative, _counted, _summed, _extreme_number, _numeric, _numeric],
    "player": [_player],
    "pair": [_pair],
    "rank": [_rank],
    "suit": [_suit],
    "card": [_card],
    "man": [_man],
    "coin": [_coin],
    "pile": [_pile],
    "choice": [_choice],
    "side": [_side],
}
