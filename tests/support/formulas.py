"""Random formulas that have a kind, over one small ruleset with a bit of everything, and random states of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.sections import Sections
from interpreter.checking.world import World
from interpreter.compiling.game import constants_of
from interpreter.diagnostics import Problems, Source
from interpreter.language.ir import ABSENT, NO_NUMBER, absent_of
from interpreter.language.model import Family, PieceKind, StateFamily
from interpreter.reading.yaml_tree import load

RULESET = """
ruleset: 1
game: everything
players: {count: 3, seats: [A, B, C]}
options:
  size:  {range: 1..5, default: 3}
  style: {choices: [plain, fancy, odd], default: fancy}
  bonus: {kind: bool, default: true}
tables:
  colours: {rows: {red: {}, black: {}}}
  suits:
    columns: {colour: colours, partner: "suits?", "cost(p)": 0..40}
    rows:
      hearts: {colour: red, partner: clubs, "cost(p)": score of p + 1}
      clubs:  {colour: black, "cost(p)": "count(hand of p)"}
      spades: {colour: black, partner: hearts, "cost(p)": if flag of p then 0 else size}
  ranks:
    order: [two, three, king, ace]
    columns: {worth: 0..10, lucky: bool, next_one: "0..4?", "wanted(p)": bool, "match(p, c)": "suits?"}
    rows:
      ace:   {worth: 10, lucky: true, wanted: leader is p, "match(p, c)": c.suit}
      two:   {worth: 2, lucky: false, next_one: 2, wanted: flag of p, "match(p, c)": trump}
      three: {worth: 3, lucky: true, next_one: 3, wanted: hand of p is empty, "match(p, c)": none}
      king:  {worth: 0, lucky: false, wanted: "count(cards(tableau)) > 2", "match(p, c)": top(hand of p).suit}
pieces:
  card: {of: [ranks, suits], copies: 2, from: pack}
  man:  {each: player, copies: 3, from: box}
  coin: {of: [suits], from: bank}
piles:
  pack:    {face: down}
  hand:    {each: player, face: owner}
  tableau: {columns: 3, room: 6}
  reserve: {each: player, columns: 2}
  layout:  {each: suits}
  box:     {holds: man}
  spot:    {each: 1..4, holds: man}
  bank:    {holds: coin}
  shared:  {each: pair, holds: coin}
  shelf:   {each: 2..3, columns: 2, holds: man}
state:
  score:   {each: player, range: 0..20}
  debt:    {range: -5..5}
  leader:  {kind: player}
  partner: {kind: player, optional: true}
  trump:   {kind: suits, optional: true}
  best:    {each: player, kind: ranks, optional: true}
  flag:    {each: player, kind: bool}
  bid:     {each: suits, range: 0..9, optional: true}
  taker:   {each: 2..5, kind: player, optional: true}
  stake:   {each: -1..1, range: 0..7}
  owner_of: {each: coin, kind: player, optional: true}
  doubled: {each: pair, kind: bool}
  played:  {each: [player, suits], kind: bool}
  rated:   {each: [player, suits], range: 0..9, optional: true}
  laid:    {each: [coin, -1..1], kind: player, optional: true}
  turns:   {each: [2..4, pair], range: 0..9}
  shown:   {kind: card, optional: true}
  team:    {kind: pair, optional: true}
terms:
  total: sum(score of p for p in players)
  mine: hand of me
  my_best: best of me
  fits(card, pile): pile is empty or card.rank.order is (top(pile).rank.order otherwise 0) + 1
  same_suit(a, b): a.suit is b.suit
  highest(xs): most x in xs by x.rank.order
  ahead(p): some q in others has (score of q < score of p)
  deep(p): if ahead(p) then count(hand of p) else total - debt
  lead_suit: top(hand of leader).suit
  twice(n): n + n
  suited(xs, s): (x for x in xs where x.suit is s)
  weight(p): sum(c.rank.worth * (if c.rank.lucky then 2 else 1) for c in hand of p) + max(score of q for q in players where q is not p) * size
flow: {game: {go: {shuffle: pack}}}
result: {best: score of p}
"""


@cache
def world() -> World:
    found = World(Problems())
    Sections(load(Source("everything.yaml", RULESET)), found, FormulaChecker(found), {}).read()
    assert not list(found.problems), list(found.problems)
    return found


@cache
def constants() -> dict[str, Any]:
    here: Any = SimpleNamespace(seats=world().seats, piles=world().piles, state=world().state)
    return constants_of(here)


# ---- states ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Position:
    piles: list[list[int]]
    cells: list[int]


def position(chance: random.Random) -> Position:
    """Every piece in some pile that may hold it, or in none; every cell at some value of its kind."""
    piles: list[list[int]] = [[] for _ in range(sum(f.members * f.columns for f in world().piles.values()) + 1)]
    for kind in world().pieces.values():
        _lay(kind, piles, chance)
    cells = [_value(family, chance) for family in world().state.values() for _ in range(family.size)]
    return Position(piles, [*cells, ABSENT])


def _lay(kind: PieceKind, piles: list[list[int]], chance: random.Random) -> None:
    places = [
        (f, f.base + i) for f in world().piles.values() if f.holds == kind.name for i in range(f.members * f.columns)
    ]
    chosen = chance.sample(places, chance.randint(1, len(places)))
    for number in chance.sample(range(kind.total), kind.total):
        family, place = chance.choice(chosen)
        if chance.random() < 0.8 and len(piles[place]) < family.room:
            piles[place].append(2 * (kind.base + number // kind.copies) + chance.randint(0, 1))


def _value(family: StateFamily, chance: random.Random) -> int:
    kind = family.kind
    if kind.optional and chance.random() < 0.4:
        return absent_of(kind)
    if kind.name == "number":
        return chance.randint(kind.low, kind.high)
    if kind.name == "piece":
        return 2 * chance.randrange(len(world().pieces[kind.of].classes)) + chance.randint(0, 1)
    return chance.randrange(2 if kind.name == "bool" else world().size_of(kind))


# ---- formulas --------------------------------------------------------------------------------------------------------

SORTS = ("bool", "number", "player", "pair", "rank", "suit", "card", "man", "coin", "pile", "choice")
LISTED = ("number", "player", "pair", "rank", "suit", "card", "man", "coin", "pile")
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
        makers = _LEAVES[sort] if depth <= 0 else [*_LEAVES[sort], *_MAKERS[sort], *_MAKERS[sort], *_ANY]
        made = self.pick(makers)
        return made if isinstance(made, str) else str(made(self, sort, depth - 1))

    def sure(self, sort: str, depth: int) -> str:
        return f"({self.some(sort, depth)} otherwise {_SURE[sort]})"

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
            return str(self.pick(_LISTS[sort]))
        made = self.pick([*_LISTS[sort], *_LIST_MAKERS, *_OWN_LISTS.get(sort, [])])
        return made if isinstance(made, str) else str(made(self, sort, depth - 1))


_SURE = {
    "number": "0",
    "player": "me",
    "pair": "first(pairs)",
    "rank": "ace",
    "suit": "hearts",
    "bool": "false",
    "card": "shown",
    "man": "top(box)",
    "coin": "top(bank)",
    "pile": "pack",
    "choice": "style",
}
_LEAVES: dict[str, list[Any]] = {
    "bool": ["true", "false", "bonus", "flag", "(doubled of first(pairs))", "(played of hearts)"],
    "number": ["0", "1", "3", "(-2)", "size", "score", "debt", "total", "count(pack)", "(bid of hearts)", "none"],
    "player": ["me", "A", "C", "leader", "partner", "(taker at 3)", "last(others)"],
    "pair": ["pair(A, B)", "first(pairs)", "last(pairs)", "team"],
    "rank": ["ace", "ranks.two", "best", "my_best", "first(ranks)"],
    "suit": ["clubs", "suits.hearts", "trump", "lead_suit", "last(suits)"],
    "card": ["top(pack)", "bottom(hand)", "top(tableau at 1)", "shown"],
    "man": ["top(box)", "bottom(spot at 2)"],
    "coin": ["top(bank)", "top(shared of first(pairs))"],
    "pile": [
        "pack",
        "hand",
        "(hand of leader)",
        "(tableau at 2)",
        "(layout of clubs)",
        "vacant(tableau)",
        "first(reserve)",
    ],
    "choice": ["plain", "style", "style.fancy", "odd"],
}
_LISTS: dict[str, list[str]] = {
    "number": ["(1..4)", "(1, 5, 3)", "(0..size)", "(score of p for p in players)", "(bid of s for s in suits)"],
    "player": ["players", "others", "round(leader)", "(A, leader)"],
    "pair": ["pairs"],
    "rank": ["ranks", "(c.rank for c in hand)", "(two, ace)"],
    "suit": ["suits", "(c.suit for c in cards(tableau))"],
    "card": [
        "hand",
        "pack",
        "cards(tableau)",
        "cards(reserve)",
        "(hand + pack)",
        "mine",
        "(layout of hearts)",
        "kinds(pack)",
        "last(pack, 3)",
    ],
    "man": ["box", "(spot at 3)", "cards(piles(box, spot at 1))"],
    "coin": ["bank", "cards(piles(bank, shared of last(pairs)))"],
    "pile": [
        "tableau",
        "reserve",
        "(reserve of leader)",
        "piles(hand, tableau)",
        "started(tableau)",
        "layout",
        "(h for h in tableau)",
    ],
}


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
            lambda: f"next({make.sure('player', d)})",
            lambda: f"seat({make.sure('player', d)}, {make.sure('number', d)})",
            lambda: f"first({make.some('pair', d)})",
            lambda: f"last({make.some('pair', d)})",
            lambda: f"{make.some('man', d)}.owner",
            lambda: f"(taker at {make.some('number', d)})",
            lambda: f"(owner_of of {make.some('coin', d)})",
        ]
    )
    return str(made())


def _pair(make: Maker, sort: str, d: int) -> str:
    return f"pair({make.sure('player', d)}, {make.sure('player', d)})"


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
    return make.bound(
        sort,
        lambda x: f"({word} {x} in {items}{make.pick(['', f' where {make.some(BOOL, d)}'])} by {make.some(by, d)})",
    )


BOOL = "bool"
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
}


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
    return f"(subsets({make.pick(_LISTS['player'])}, 2) at 1)" if sort == "player" else make.list(sort, d)


def _branch(make: Maker, sort: str, d: int) -> str:
    return f"(if {make.some(BOOL, d)} then {make.list(sort, d)} else {make.list(sort, d)})"


_LIST_MAKERS = [_collected, _listed, _joined, _turned, _branch, _one_subset]


def _contents(make: Maker, sort: str, d: int) -> str:
    return f"({make.some('pile', d)} + hand)"


def _suited(make: Maker, sort: str, d: int) -> str:
    return f"suited({make.list('card', d)}, {make.some('suit', d)})"


def _last_few(make: Maker, sort: str, d: int) -> str:
    return f"last({make.list(sort, d)}, {make.pick(['0', '1', '2', '7'])})"


def _range(make: Maker, sort: str, d: int) -> str:
    return f"({make.sure('number', d)}..{make.sure('number', d)})"


def _sorted(make: Maker, sort: str, d: int) -> str:
    return f"sorted({make.list(sort, d)})"


_OWN_LISTS: dict[str, list[Any]] = {
    "card": [_contents, _suited, _last_few, _sorted],
    "number": [_range, _sorted],
    "rank": [_sorted],
    "player": [_last_few],
    "pile": [
        lambda make, s, d: f"started({make.list('pile', d)})",
        lambda make, s, d: f"piles({make.list('pile', d)}, {make.some('pile', d)})",
    ],
}


__all__ = ["NO_NUMBER", "SORTS", "Family", "Maker", "Position", "constants", "position", "world"]
