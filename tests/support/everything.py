"""One small ruleset with a bit of everything, random states of it, and what it has of each sort."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.sections import Sections
from interpreter.checking.world import World
from interpreter.compiling.outline import constants_of
from interpreter.diagnostics import Problems, Source
from interpreter.language.ir import ABSENT, absent_of
from interpreter.language.model import PieceKind, StateFamily
from interpreter.reading.yaml_tree import load

RULESET = """
ruleset: 1
game: everything
players: {count: 3, seats: [A, B, C], sides: {both: [A, C], lone: [B]}}
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
  lead:    {each: side, range: 0..9}
  ahead_by: {kind: side, optional: true}
  friend: {kind: player, optional: true}
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
    here: Any = SimpleNamespace(seats=world().seats, sides=world().sides, piles=world().piles, state=world().state)
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


# ---- what there is of each sort ----------------------------------------------------------------------------------------

SURE = {
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
    "side": "side(me)",
}
LEAVES: dict[str, list[Any]] = {
    "bool": ["true", "false", "bonus", "flag", "(doubled of first(pairs))", "(played of hearts)"],
    "number": [
        "0",
        "1",
        "3",
        "(-2)",
        "size",
        "score",
        "debt",
        "total",
        "lead",
        "count(pack)",
        "(bid of hearts)",
        "none",
    ],
    "player": ["me", "A", "C", "leader", "friend", "(taker at 3)", "last(others)"],
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
    "side": ["side(me)", "both", "lone", "ahead_by", "first(sides)"],
}
LISTS: dict[str, list[str]] = {
    "number": ["(1..4)", "(1, 5, 3)", "(0..size)", "(score of p for p in players)", "(bid of s for s in suits)"],
    "player": ["players", "others", "round(leader)", "(A, leader)"],
    "pair": ["pairs"],
    "side": ["sides", "(side(p) for p in others)"],
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
