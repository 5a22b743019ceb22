"""States as plain data and back, for programs. For people, see `positions`."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from hoyle.diagnostics import Diagnostic, Refused
from hoyle.game.compiled import Compiled
from hoyle.game.events import UNTOLD, make_event
from hoyle.game.moves.legal import legal_moves
from hoyle.language.ir import ABSENT, absent_of
from hoyle.language.sentences import make_message
from hoyle.language.value_types import ValueType
from hoyle.running.chance import Chance
from hoyle.running.state import Core, Event

FORMAT = 1


def save_state(game: Compiled, core: Core) -> dict[str, Any]:
    """A state as plain data."""
    return {
        "state": FORMAT,
        "game": game.name,
        "digest": game.digest,
        "options": game.options,
        "pieces": sum(map(len, core.piles)),
        "piles": [list(p) for p in core.piles[:-1]],
        "cells": _to_lists(core.cells),
        "pc": core.pc,
        "actor": core.actor,
        "over": core.over,
        "chance": core.chance.to_json(),
        "log": _to_lists(core.log or ()),
        "back": _to_lists(core.back) if core.back is not None else None,
    }


def _to_lists(found: Any) -> Any:
    """Convert to lists and integers. True is 1, as in the native engine."""
    if isinstance(found, frozenset):
        return sorted(_to_lists(f) for f in found)
    if isinstance(found, (list, tuple)):
        return [_to_lists(f) for f in found]
    return int(found) if isinstance(found, bool) else found


def _to_tuples(found: Any) -> Any:
    return tuple(_to_tuples(f) for f in found) if isinstance(found, list) else found


def resume_state(game: Compiled, data: Any) -> Core:
    """Return the state that `save_state` wrote.

    Raises Refused if the data is not a state of this game with these options. Nothing else may reach the machine."""
    try:
        _check_header(game, data)
        return _read_core(game, data)
    except (KeyError, IndexError, StopIteration) as error:
        raise _refused(make_message("missing", what=error)) from None
    except (TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise _refused(str(error)) from None


def _refused(what: str) -> Refused:
    return Refused([Diagnostic("R721", make_message("not_saved", what=what))])


def _require(right: bool, what: str) -> None:
    if not right:
        raise _refused(make_message("cannot_be", what=what))


def _check_header(game: Compiled, data: Any) -> None:
    _require(isinstance(data, dict), make_message("no_object"))
    if data["state"] != FORMAT or data["digest"] != game.digest:
        message = make_message("other_version", name=data["game"])
        notes = (make_message("two_digests", old=data["digest"], new=game.digest),)
        raise Refused([Diagnostic("R722", message, notes=notes)])
    for key, wanted in (("game", game.name), ("options", game.options)):
        _require(data[key] == wanted, f"`{key}`")


def _read_core(game: Compiled, data: dict[str, Any]) -> Core:
    machine = game.machine
    core = machine.fresh(_read_chance(data["chance"]))
    core.piles = [*_read_piles(game, data["piles"], data.get("pieces", sum(machine.copies))), []]
    core.cells = _read_cells(game, data["cells"])
    if data["back"] is not None:
        piles, cells = data["back"]
        pieces = sum(map(len, core.piles))
        core.back = ([*_read_piles(game, piles[:-1], pieces), []], _read_cells(game, cells)[: machine.state_size])
    core.log = _read_log(game, data["log"])
    _run_to_place(game, core, data["pc"], data["actor"], data["over"])
    return core


def _read_chance(words: Any) -> Chance:
    _require(len(words) == 2 and all(re.fullmatch("[0-9a-f]{16}", word) for word in words), "`chance`")
    return Chance.from_json(words)


def _read_piles(game: Compiled, piles: Any, pieces: int) -> list[list[int]]:
    """Check the number of pieces, and that the game has them."""
    copies = game.machine.copies
    found = [[piece for piece in pile if _is_whole(piece, 0, 2 * len(copies) - 1)] for pile in piles]
    held = Counter(piece >> 1 for pile in found for piece in pile)
    fits = len(piles) == len(game.machine.face) and sum(map(len, piles)) == held.total() == pieces
    _require(fits and all(copies[kind] >= count for kind, count in held.items()), "`piles`")
    return found


def _read_cells(game: Compiled, cells: Any) -> list[Any]:
    """Check state within its bounds, then registers."""
    machine = game.machine
    types = [family.type for family in game.ruleset.state.values() for _ in range(family.size)]
    found = [_to_tuples(cell) for cell in cells]
    _require(len(found) in (len(machine.first_cells), machine.state_size), "`cells`")
    for number, value_type in enumerate([*types, *machine.register_types][: len(found)]):
        first = machine.first_cells[number]
        if isinstance(first, frozenset):
            _require(all(_is_arrangement(game, entry) for entry in found[number]), f"cell {number}")
            found[number] = frozenset(found[number])
        else:
            absent = number >= machine.state_size or value_type.optional
            _require(
                fits_type(game, found[number], value_type, absent) or _is_same_type_and_value(found[number], first),
                f"cell {number}",
            )
    return found


def _is_arrangement(game: Compiled, entry: Any) -> bool:
    """Return whether this is the number of an obligation and an arrangement of piles, as `never_twice` keeps them."""
    number, piles = entry
    most = 2 * len(game.machine.copies) - 1
    return _is_whole(number, 0, len(game.ruleset.obligations) - 1) and all(
        _is_whole(piece, 0, most) for pile in piles for piece in pile
    )


def _is_same_type_and_value(value: Any, first: Any) -> bool:
    return type(value) is type(first) and bool(value == first)


def fits_type(game: Compiled, value: Any, value_type: ValueType, absent: bool = True) -> bool:
    """Return whether a cell of this type can hold a value, or be absent."""
    match value_type.name:
        case "list":
            return isinstance(value, tuple) and all(fits_type(game, item, value_type.item_type) for item in value)
        case "move":
            return value == () or _is_action(game, value)
        case "bool":
            return isinstance(value, bool) or _is_whole(value, 0, 1)
        case "number":
            low, high = value_type.low, value_type.high
        case "piece":
            pieces = [p for p in game.ruleset.pieces.values() if value_type.of in ("", p.name)]
            low, high = 2 * pieces[0].base, 2 * (pieces[-1].base + len(pieces[-1].classes)) - 1
        case "pile":
            low, high = 0, len(game.machine.face) - 1
        case "obligation":
            low, high = 0, len(game.ruleset.obligations) - 1
        case _:
            low, high = 0, game.count_of(value_type) - 1
    return _is_whole(value, low, high) or (absent and _is_whole(value, absent_of(value_type), absent_of(value_type)))


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_action(game: Compiled, action: Any) -> bool:
    """Return whether this is a move's number and a value for each of its bindings."""
    move = next((m for m in game.ruleset.moves.values() if m.number == action[0]), None)
    if move is None:
        return False
    return all(fits_type(game, value, var.type) for value, var in zip(action[1:], move.bindings, strict=True))


def _read_log(game: Compiled, log: Any) -> list[Event]:
    """Check events by rendering them."""
    found = [_to_tuples(raw) for raw in log]
    for raw in found:
        told = make_event(game, raw)
        _require(told is not None or raw[0] in UNTOLD, "`log`")
        if told is not None:
            told.text()
    return found


def _run_to_place(game: Compiled, core: Core, pc: Any, actor: Any, over: Any) -> None:
    """Place the state at a decision, at the end, or nowhere, as a position without a place does."""
    nowhere = _is_whole(pc, -1, -1) and (over or not core.log)
    _require(isinstance(over, bool), "`over`")
    _require(_is_whole(actor, ABSENT, ABSENT) if over else _is_whole(actor, 0, len(game.seats) - 1), "`actor`")
    _require(nowhere or (_is_whole(pc, 0, len(game.machine.blocks)) and pc in game.machine.points), "`pc`")
    core.pc, core.actor, core.over = pc, actor, over
    if pc in game.machine.points and not over:
        game.machine.advance(core, pc)
        _require((core.pc, core.actor, core.over) == (pc, actor, over), "who decides")
        legal_moves(game, core)
