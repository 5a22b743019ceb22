"""What people call the things of a game. Each name space has its own words: a pile, a move and a phase of one name keep apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from hoyle.language.kinds import SIDES, Kind
from hoyle.language.model import Ruleset, Words
from hoyle.running.naming import in_language


class _Named(Protocol):
    @property
    def words(self) -> Words: ...


def labels(rules: Ruleset, lang: str) -> dict[str, dict[str, str]]:
    """Name space → name → words: the sections by their names, `seats` (sides too), and what an entry has inside by its path, the rows
    of a table (`tables/suits`), the choices of an option (`options/suit_rule`), the conditions of a move (`moves/lay`)."""
    sections: dict[str, Mapping[str, _Named]] = {
        "options": rules.options,
        "pieces": rules.pieces,
        "piles": rules.piles,
        "state": {**rules.state, **rules.display.values},
        "moves": rules.moves,
        "obligations": rules.obligations,
        "whenever": rules.whenever,
        "phases": {name: phase for (name, _), phase in rules.phases.items()},
    }
    sides = rules.tables[SIDES].words if SIDES in rules.tables else {}
    spaces: dict[str, Iterable[tuple[str, Words]]] = {
        "seats": {**sides, **rules.seat_words}.items(),
        **{section: [(name, e.words) for name, e in entries.items()] for section, entries in sections.items()},
        **{f"tables/{name}": table.words.items() for name, table in rules.tables.items()},
        **{f"options/{o.name}": zip(o.choices, o.choice_words, strict=True) for o in rules.options.values()},
        **{f"moves/{name}": [(c.name, c.words) for c in move.conditions] for name, move in rules.moves.items()},
    }
    return {space: {n: in_language(words, lang, n) for n, words in named} for space, named in spaces.items()}


def key_spaces(rules: Ruleset) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Family of piles or of state → for each of its keys the name spaces in which its members have their words."""
    piles = {name: (found.each,) for name, found in rules.piles.items() if found.each is not None}
    state = {name: found.keys for name, found in rules.state.items()}
    shown = {name: (value.loop.var.kind,) for name, value in rules.display.values.items() if value.loop is not None}
    keys: dict[str, tuple[Kind, ...]] = {**piles, **state, **shown}
    return {name: tuple(_spaces(kind, rules) for kind in kinds) for name, kinds in keys.items()}


def _spaces(kind: Kind, rules: Ruleset) -> tuple[str, ...]:
    match kind.name:
        case "player" | "pair":
            return ("seats",)
        case "row":
            return ("seats",) if kind == rules.side else (f"tables/{kind.table}",)
        case "choice":
            return (f"options/{kind.option}",)
        case "piece":
            attributes = rules.pieces[kind.of].attributes.values()
            return tuple(space for attribute in attributes for space in _spaces(attribute, rules))
    return ()
