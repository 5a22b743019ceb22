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
from interpreter.language.kinds import Kind
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


def _junction(m: Maker, sort: str, d: int) -> str:
    return f"({m.some('bool', d)} {m.pick(['and', 'or'])} {m.some('bool', d)})"


def _not(m: Maker, sort: str, d: int) -> str:
    return f"(not {m.some('bool', d)})"


def _same(m: Maker, sort: str, d: int) -> str:
    kind = m.pick([s for s in SORTS if s != "bool"])
    return f"({m.some(kind, d)} {m.pick(['is', 'is not'])} {m.some(kind, d)})"


def _same_bool(m: Maker, sort: str, d: int) -> str:
    return f"({m.some('bool', d)} {m.pick(['is', 'is not'])} {m.some('bool', d)})"


def _same_list(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(["card", "number", "player"])
    return f"({m.list(kind, d)} {m.pick(['is', 'is not'])} {m.list(kind, d)})"


def _compare(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(["number", "rank", "suit"])
    return f"({m.some(kind, d)} {m.pick(['<', '<=', '>', '>='])} {m.some(kind, d)})"


def _absent(m: Maker, sort: str, d: int) -> str:
    return (
        f"({m.some(m.pick([s for s in SORTS if s not in ('bool', 'choice')]), d)} {m.pick(['is none', 'is not none'])})"
    )


def _empty(m: Maker, sort: str, d: int) -> str:
    return f"({m.list(m.pick(list(LISTED)), d)} {m.pick(['is empty', 'is not empty'])})"


def _in(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(list(LISTED))
    return f"({m.some(kind, d)} {m.pick(['in', 'not in'])} {m.list(kind, d)})"


def _quantifier(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(list(LISTED))
    items = m.list(kind, d)
    return m.bound(kind, lambda x: f"({m.pick(['some', 'every', 'no'])} {x} in {items} has {m.some('bool', d)})")


def _question(m: Maker, sort: str, d: int) -> str:
    made = m.pick(
        [
            lambda: f"fits({m.some('card', d)}, {m.some('pile', d)})",
            lambda: f"same_suit({m.some('card', d)}, {m.some('card', d)})",
            lambda: f"ahead({m.some('player', d)})",
            lambda: f"up({m.some('card', d)})",
            lambda: f"distinct({m.list(m.pick(list(LISTED)), d)})",
            lambda: f"{m.some('rank', d)}.lucky",
            lambda: f"{m.some('rank', d)}.wanted({m.some('player', d)})",
            lambda: f"(flag of {m.some('player', d)})",
            lambda: f"(doubled of {m.some('pair', d)})",
            lambda: f"(played of {m.some('player', d)} of {m.some('suit', d)})",
            lambda: f"({m.some('suit', d)}.colour is red)",
        ]
    )
    return str(made())


def _arithmetic(m: Maker, sort: str, d: int) -> str:
    return f"({m.some('number', d)} {m.pick(['+', '-', '*'])} {m.some('number', d)})"


def _divided(m: Maker, sort: str, d: int) -> str:
    return f"({m.some('number', d)} {m.pick(['div', 'mod'])} {m.pick(['2', '3', 'size'])})"


def _negative(m: Maker, sort: str, d: int) -> str:
    return f"(-{m.some('number', d)})"


def _counted(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(list(LISTED))
    items = m.list(kind, d)
    filtered = m.bound(kind, lambda x: f"count({x} for {x} in {items} where {m.some('bool', d)})")
    return str(m.pick([filtered, f"count({items})"]))


def _summed(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(list(LISTED))
    items = m.list(kind, d)
    value = m.bound(
        kind, lambda x: f"{m.sure('number', d)} for {x} in {items}{m.pick(['', f' where {m.some(BOOL, d)}'])}"
    )
    return f"sum({value})"


def _extreme_number(m: Maker, sort: str, d: int) -> str:
    word = m.pick(["min", "max"])
    kind = m.pick(list(LISTED))
    items = m.list(kind, d)
    collected = m.bound(kind, lambda x: f"{word}({m.some('number', d)} for {x} in {items})")
    return str(
        m.pick([f"{word}({m.some('number', d)}, {m.some('number', d)})", collected, f"{word}({m.list('number', d)})"])
    )


def _numeric(m: Maker, sort: str, d: int) -> str:
    made = m.pick(
        [
            lambda: f"abs({m.some('number', d)})",
            lambda: f"index({m.some('pile', d)})",
            lambda: f"{m.some('rank', d)}.order",
            lambda: f"{m.some('rank', d)}.worth",
            lambda: f"{m.some('rank', d)}.next_one",
            lambda: f"{m.some('card', d)}.rank.order",
            lambda: f"{m.some('card', d)}.rank.worth",
            lambda: f"{m.some('suit', d)}.cost({m.some('player', d)})",
            lambda: f"(score of {m.some('player', d)})",
            lambda: f"(bid of {m.some('suit', d)})",
            lambda: f"(stake at {m.some('number', d)})",
            lambda: f"(rated of {m.some('player', d)} of {m.some('suit', d)})",
            lambda: f"deep({m.some('player', d)})",
            lambda: f"twice({m.some('number', d)})",
            lambda: f"weight({m.some('player', d)})",
            lambda: f"count(subsets({m.list('player', 0)}, {m.pick(['0', '1', '2'])}))",
            lambda: f"count(tails({m.list('card', d)}))",
        ]
    )
    return str(made())


def _player(m: Maker, sort: str, d: int) -> str:
    made = m.pick(
        [
            lambda: f"next({m.sure('player', d)})",
            lambda: f"seat({m.sure('player', d)}, {m.sure('number', d)})",
            lambda: f"first({m.some('pair', d)})",
            lambda: f"last({m.some('pair', d)})",
            lambda: f"{m.some('man', d)}.owner",
            lambda: f"(taker at {m.some('number', d)})",
            lambda: f"(owner_of of {m.some('coin', d)})",
        ]
    )
    return str(made())


def _pair(m: Maker, sort: str, d: int) -> str:
    return f"pair({m.sure('player', d)}, {m.sure('player', d)})"


def _rank(m: Maker, sort: str, d: int) -> str:
    return str(m.pick([f"{m.some('card', d)}.rank", f"(best of {m.some('player', d)})"]))


def _suit(m: Maker, sort: str, d: int) -> str:
    made = m.pick(
        [
            lambda: f"{m.some('card', d)}.suit",
            lambda: f"{m.some('suit', d)}.partner",
            lambda: f"{m.some('coin', d)}.suit",
            lambda: f"{m.some('rank', d)}.match({m.some('player', d)}, {m.some('card', d)})",
        ]
    )
    return str(made())


def _card(m: Maker, sort: str, d: int) -> str:
    pile = m.pick(
        [
            "pack",
            "hand",
            f"(hand of {m.some('player', d)})",
            f"(layout of {m.some('suit', d)})",
            f"(tableau at {m.some('number', d)})",
        ]
    )
    return str(
        m.pick(
            [
                f"{m.pick(['top', 'bottom'])}({pile})",
                f"{m.pick(['first', 'last'])}({m.list('card', d)})",
                f"highest({m.list('card', d)})",
            ]
        )
    )


def _man(m: Maker, sort: str, d: int) -> str:
    return f"{m.pick(['top', 'bottom'])}(spot at {m.some('number', d)})"


def _coin(m: Maker, sort: str, d: int) -> str:
    return f"top(shared of {m.some('pair', d)})"


def _pile(m: Maker, sort: str, d: int) -> str:
    return str(
        m.pick(
            [
                f"(hand of {m.some('player', d)})",
                f"(layout of {m.some('suit', d)})",
                f"vacant({m.list('pile', d)})",
                f"(tableau at {m.some('number', d)})",
            ]
        )
    )


def _choice(m: Maker, sort: str, d: int) -> str:
    return "style"


def _if(m: Maker, sort: str, d: int) -> str:
    return f"(if {m.some('bool', d)} then {m.some(sort, d)} else {m.some(sort, d)})"


def _otherwise(m: Maker, sort: str, d: int) -> str:
    return f"({m.some(sort, d)} otherwise {m.some(sort, d)})"


def _item(m: Maker, sort: str, d: int) -> str:
    if sort not in LISTED:
        return m.some(sort, d)
    return f"({m.list(sort, d)} at {m.some('number', d)})"


def _chosen(m: Maker, sort: str, d: int) -> str:
    if sort not in LISTED:
        return m.some(sort, d)
    items, word, by = m.list(sort, d), m.pick(["most", "least"]), m.pick(["number", "rank"])
    return m.bound(
        sort, lambda x: f"({word} {x} in {items}{m.pick(['', f' where {m.some(BOOL, d)}'])} by {m.some(by, d)})"
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


def _collected(m: Maker, sort: str, d: int) -> str:
    kind = m.pick(list(LISTED))
    items = m.list(kind, d)
    where = m.choose(2)
    return m.bound(
        kind, lambda x: f"({m.some(sort, d)} for {x} in {items}{f' where {m.some(BOOL, d)}' if where else ''})"
    )


def _listed(m: Maker, sort: str, d: int) -> str:
    return f"({', '.join(m.some(sort, d) for _ in range(2 + m.choose(2)))})"


def _joined(m: Maker, sort: str, d: int) -> str:
    return f"({m.list(sort, d)} + {m.list(sort, d)})"


def _turned(m: Maker, sort: str, d: int) -> str:
    return f"reversed({m.list(sort, d)})"


def _one_subset(m: Maker, sort: str, d: int) -> str:
    return f"(subsets({m.pick(_LISTS['player'])}, 2) at 1)" if sort == "player" else m.list(sort, d)


def _branch(m: Maker, sort: str, d: int) -> str:
    return f"(if {m.some(BOOL, d)} then {m.list(sort, d)} else {m.list(sort, d)})"


_LIST_MAKERS = [_collected, _listed, _joined, _turned, _branch, _one_subset]


def _contents(m: Maker, sort: str, d: int) -> str:
    return f"({m.some('pile', d)} + hand)"


def _suited(m: Maker, sort: str, d: int) -> str:
    return f"suited({m.list('card', d)}, {m.some('suit', d)})"


def _last_few(m: Maker, sort: str, d: int) -> str:
    return f"last({m.list(sort, d)}, {m.pick(['0', '1', '2', '7'])})"


def _range(m: Maker, sort: str, d: int) -> str:
    return f"({m.sure('number', d)}..{m.sure('number', d)})"


def _sorted(m: Maker, sort: str, d: int) -> str:
    return f"sorted({m.list(sort, d)})"


_OWN_LISTS: dict[str, list[Any]] = {
    "card": [_contents, _suited, _last_few, _sorted],
    "number": [_range, _sorted],
    "rank": [_sorted],
    "player": [_last_few],
    "pile": [
        lambda m, s, d: f"started({m.list('pile', d)})",
        lambda m, s, d: f"piles({m.list('pile', d)}, {m.some('pile', d)})",
    ],
}


def plain(value: Any, kind: Kind) -> Any:
    """A value in one form: lists of whatever type are lists."""
    if kind.name == "list":
        return [plain(item, kind.of_item) for item in value]
    return bool(value) if kind.name == "bool" else value


__all__ = ["NO_NUMBER", "SORTS", "Family", "Maker", "Position", "constants", "plain", "position", "world"]
