"""One small ruleset with a bit of everything (`everything.yaml`), and random states of it."""

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.checking.sections.pieces import read_declarations
from hoyle.compiling.outline import constants_of
from hoyle.diagnostics import Problems, Source
from hoyle.language.ir import ABSENT, absent_of
from hoyle.language.model import PieceKind, StateFamily
from hoyle.reading.yaml_tree import load

RULESET = Path(__file__).with_suffix(".yaml")


@cache
def world() -> SymbolTable:
    found = SymbolTable(Problems())
    root = load(Source(RULESET.name, RULESET.read_text(encoding="utf-8")))
    read_declarations(root, found, FormulaChecker(found), {})
    assert not list(found.problems), list(found.problems)
    return found


@cache
def constants() -> dict[str, Any]:
    here: Any = SimpleNamespace(seats=world().seats, sides=world().sides, piles=world().piles, state=world().state)
    return constants_of(here)


@dataclass(slots=True)
class Position:
    piles: list[list[int]]
    cells: list[int]


def position(chance: random.Random) -> Position:
    """Every piece in some pile that may hold it, or in none; every cell at some value of its type."""
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
    value_type = family.type
    if value_type.optional and chance.random() < 0.4:
        return absent_of(value_type)
    if value_type.name == "number":
        return chance.randint(value_type.low, value_type.high)
    if value_type.name == "piece":
        return 2 * chance.randrange(len(world().pieces[value_type.of].classes)) + chance.randint(0, 1)
    return chance.randrange(2 if value_type.name == "bool" else world().size_of(value_type))
