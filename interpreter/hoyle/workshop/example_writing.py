"""Writes a worked example from a position on the table, in the form of the language, as an edit of the draft."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from hoyle.diagnostics import Refused
from hoyle.game.explain.move_lookup import find_actions
from hoyle.game.game import Game, State
from hoyle.game.positions import to_position
from hoyle.language.model import Move
from hoyle.language.sentences import fill_sentence, load_catalogue
from hoyle.reading.tree import Node, quote
from hoyle.running.state import Action
from hoyle.workshop.drafts import Draft, Options
from hoyle.workshop.entry_placement import indent, place_entry
from hoyle.workshop.offsets import Offsets

_HERE = Path(__file__).resolve().parent
Claim = Literal["legal", "illegal"]
Json = dict[str, Any]
_SHORT = ("refused",)
_PLAIN = re.compile(r"[^\W_][\w \-+/>().|?*]*(?<! )")
"""Texts that need no quotes in YAML, in brackets and out of them."""
_NOT_TEXT = re.compile(r"(?i:true|false|null|yes|no|on|off|~)|[-+.\d][\d_.eExXa-f+-]*")
"""Texts that YAML would read as something else."""


def write_example(
    draft: Draft, options: Options, seed: int, moves: Sequence[str], claim: Claim, move: str, lang: str
) -> Json:
    """Return the edit that adds an example: after these moves, `move` must be legal, or illegal.

    The example begins with the position if that has the same legal moves, else with the seed and the moves.

    Raises:
        Refused: the draft has errors, a move cannot be made, or `move` is none of the game.
    """
    game = draft.load_game(options)
    state = game.start(seed)
    for made in moves:
        state.play_here(made)
    ident, reason = _identify(state, move)
    expected: Json = {"includes": [ident]}
    if claim == "illegal":
        expected = {"refused": {ident: reason} if reason else [ident]}
    example = {**(_describe_position(game, state) or _describe_start(game, seed, moves)), **expected}
    name = _choose_name(
        draft.tree, fill_sentence(load_catalogue(_HERE, lang)[f"example.{claim}"], lang, {"move": ident})
    )
    lines = [f"{name}:", *indent(_write_block(example))]
    at, text = place_entry(draft, "examples", lines, f"{name}: {_write(example)}")
    start = Offsets(draft.text).to_units(at)
    return {"edits": [{"from": start, "to": start, "text": text}], "at": start + text.index(name), "name": name}


def _identify(state: State, text: str) -> tuple[str, str]:
    """Return the id of a move that may not be legal here, and the name of what forbids it. Raises Refused."""
    legal = state.meant(text) if not state.is_over else []
    if len(legal) == 1:
        return legal[0].id, ""
    compiled, core = state.game.compiled, state.core
    point, why = compiled.machine.points.get(core.pc), state.why(text)
    if point is None or state.is_over or len(legal) > 1 or not why.known:
        state.find(text)  # raises the reason
        raise AssertionError(text)
    for action in find_actions(compiled, core, point, text):
        ident = compiled.namer.move_id(_find_move(state.game, action), action, core.actor)
        break
    else:
        ident = " ".join(why.move.split())
    failing = why.failing
    return ident, failing.name if failing is not None and failing.sort in ("condition", "obligation") else ""


def _find_move(game: Game, action: Action) -> Move:
    return next(move for move in game.ruleset.moves.values() if move.number == action[0])


# ---- the start -------------------------------------------------------------------------------------------------------


def _describe_position(game: Game, state: State) -> Json:
    """Return the position as data; empty if a game that begins there would go on differently."""
    data = to_position(game.compiled, state.core, everything=True)
    given = {key: data[key] for key in ("at", "to_act", "piles", "state")}
    try:
        again = game.position(given)
        is_same = again.to_act == state.to_act and {m.id for m in again.moves()} == {m.id for m in state.moves()}
    except Refused:
        return {}
    given = {"options": game.compiled.set_options, **given}
    return {"given": {key: value for key, value in given.items() if value not in ({}, "", None)}} if is_same else {}


def _describe_start(game: Game, seed: int, moves: Sequence[str]) -> Json:
    """Return a deal and the moves after it as data."""
    options = game.compiled.set_options
    given = {"options": options, "seed": seed} if options else {"seed": seed}
    return {"given": given, "moves": list(moves)} if moves else {"given": given}


# ---- as text ---------------------------------------------------------------------------------------------------------


def _write_block(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a map. Maps inside are blocks, except what is expected, which is short."""
    for key, value in values.items():
        if isinstance(value, Mapping) and key not in _SHORT:
            yield f"{_write(key)}:"
            yield from indent(_write_block(value))
        else:
            yield f"{_write(key)}: {_write(value)}"


def _write(value: Any) -> str:
    """Return a value as YAML on one line, with quotes where they are needed."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_write(key)}: {_write(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write, value))}]"
    if value is None:
        return "~"
    if isinstance(value, bool | int):
        return str(value).lower()
    text = str(value)
    return text if _PLAIN.fullmatch(text) and not _NOT_TEXT.fullmatch(text) else quote(text)


# ---- the name -------------------------------------------------------------------------------------------------------


def _choose_name(tree: Node | None, name: str) -> str:
    """Return a name that no example has."""
    known = tree.get("examples") if tree is not None and tree.kind == "map" else None
    taken = set(known.pairs) if known is not None else set()
    plain = " ".join(re.sub(r"[^\w ]+", " ", name).split())
    names = (plain if number == 1 else f"{plain} {number}" for number in range(1, len(taken) + 2))
    return next(free for free in names if free not in taken)
