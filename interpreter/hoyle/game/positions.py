"""Positions: states as people write them (docs/language.md, section 16). Reading reports every mistake at its place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hoyle.checking import build
from hoyle.diagnostics import NO_TEXT, Diagnostic, Problems, Refused, Source, Span, build_replacement, find_close_name
from hoyle.game.compiled import Compiled, compile_ruleset
from hoyle.game.position_entries import UNKNOWN, EntryReader, lies_up_by_default
from hoyle.game.spelling import find_place, is_at_place, member_name, owned_sign, split_path, to_plain
from hoyle.game.views.view import can_know, can_see, seat_number
from hoyle.language.evaluate import evaluate
from hoyle.language.model import Family
from hoyle.language.sentences import make_message
from hoyle.reading.shape_errors import check_position
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.running.chance import Chance
from hoyle.running.machine import Place
from hoyle.running.state import Core

FILL = 2
"""Use of chance that deals unknown pieces."""
KEYS = ("game", "options", "at", "to_act", "piles", "state", "seed")


def set_up_position(game: Compiled, data: Any, seed: int) -> tuple[Compiled, Core]:
    """Return the state of a position, and the game with the options it names. Raises Refused with all mistakes."""
    node = to_node(data)
    _check_keys(game, node)
    problems = Problems()
    check_position(node, problems)
    problems.stop_on_errors()
    game = _with_options(game, node)
    if any(node.get(k) for k in ("piles", "at", "state", "to_act")):
        return game, _make_core(game, node, seed)
    return game, game.machine.start(Chance.stream(seed), log=True)


def to_node(data: Any) -> Node:
    """Return a position as a tree. Plain data gets a source text to point into."""
    if isinstance(data, Node):
        node = data
    else:
        source = Source("<position>", json.dumps(data, ensure_ascii=False, default=str))
        _refuse_boolean_keys(data, source)
        node = load(source)
    if node.kind != "map":
        raise Refused([Diagnostic("R701", make_message("a_map"), node.span)])
    return node


def _refuse_boolean_keys(data: Any, source: Source) -> None:
    """Raise Refused for a truth value as a name. YAML 1.1 readers make one of a pile `off`, and its name is lost."""
    waiting = [data]
    while waiting:
        part = waiting.pop()
        for key in part if isinstance(part, Mapping) else ():
            if isinstance(key, bool):
                start = source.text.find(f"{json.dumps(str(key).lower())}: ")
                span = Span(source, start, start + len(str(key)) + 2)
                message, help = make_message("truth_as_name", key=key), make_message("quote_name")
                raise Refused([Diagnostic("R701", message, span, help=help)])
        waiting += part.values() if isinstance(part, Mapping) else part if isinstance(part, list | tuple) else ()


def _with_options(game: Compiled, node: Node) -> Compiled:
    """Return the game with the options that the position names."""
    options = node.get("options")
    if options is None or options.kind != "map":
        return game
    wanted = {name: value.value if value.value is not None else value.raw for name, _, value in options.entries()}
    if all(str(game.options.get(name)) == str(value) for name, value in wanted.items()):
        return game
    try:
        return compile_ruleset(*build.load_ruleset(game.merged.files[-1], {**game.options, **wanted}))
    except Refused as refused:
        raise refused.at(options.span) from None


def _check_keys(game: Compiled, node: Node) -> None:
    """Raise Refused for an unknown key, or for a position of another game."""
    problems = Problems()
    for name, key, _ in node.entries():
        if name not in KEYS:
            close = find_close_name(name, KEYS)
            problems.add(
                "R701",
                make_message("unknown_key", name=name),
                key.span,
                notes=[make_message("known_keys", known=", ".join(KEYS))],
                help=make_message("similar_key", close=close) if close else NO_TEXT,
                fixes=build_replacement(key.span, name, close),
            )
    named = node.get("game")
    if named is not None and named.raw not in (game.name, *(f.stem for f in game.merged.files)):
        message = make_message("other_position", named=named.raw, game=game.name)
        problems.add("R702", message, named.span, help=make_message("write_game", game=game.name))
    problems.stop_on_errors()


def _make_core(game: Compiled, node: Node, seed: int) -> Core:
    core = game.machine.fresh(Chance.stream(seed))
    core.log = []
    problems = Problems()
    reader = EntryReader(game, problems)
    _lay_piles(reader, core, node, seed)
    state = node.get("state")
    for _, _, index, _, value in reader.values(state) if state is not None and state.kind == "map" else ():
        core.cells[index] = value
    problems.stop_on_errors()
    return _place_state(game, core, node)


# ---- piles -----------------------------------------------------------------------------------------------------------


def _lay_piles(reader: EntryReader, core: Core, node: Node, seed: int) -> None:
    piles = node.get("piles")
    if piles is None:
        return
    for pile in core.piles:
        pile.clear()
    if piles.kind != "map":
        reader.problems.add("R701", make_message("piles_a_map"), piles.span)
        return
    for name, key, value in piles.entries():
        for number, written in reader.places(name, key, value):
            reader.lay(core.piles, number, written)
    reader.check_counts()
    _deal_unknown(reader, core, Chance.stream(seed, 0, FILL))


def _deal_unknown(reader: EntryReader, core: Core, chance: Chance) -> None:
    game = reader.game
    used = Counter(p >> 1 for pile in core.piles for p in pile if p != UNKNOWN)
    free = [kind for kind, copies in enumerate(game.machine.copies) for _ in range(copies - used[kind])]
    free = chance.shuffle(0, free)
    for pile, height, up in reader.unknown:
        holds = game.namer.family(pile).holds
        kind = next((k for k in free if game.namer.piece_kinds[k].name == holds), None)
        if kind is None:
            return  # too many unknown pieces, which has been reported
        free.remove(kind)
        core.piles[pile][height] = 2 * kind + up


# ---- place -----------------------------------------------------------------------------------------------------------


def _place_state(game: Compiled, core: Core, node: Node) -> Core:
    """Run the state to the decision at the named place, with the right player to act."""
    actor, at = _find_actor(game, node), node.get("at")
    if at is None:
        core.actor = actor if actor is not None else 0
        return core
    place = find_place(game, at.raw, at.span)
    if not place.by:
        return _run_from(game, core, place, actor or 0)
    tried: list[Core] = []
    for me in range(len(game.seats)):  # who acts there follows from who acts around it
        tried.append(_run_from(game, core, place, me))
        if actor in (None, tried[-1].actor) and is_at_place(at.raw, split_path(game.place(tried[-1]))):
            return tried[-1]
    return next((core for core in tried if actor in (None, core.actor)), tried[-1])


def _run_from(game: Compiled, core: Core, place: Place, me: int) -> Core:
    """Return a copy of the state, run from a place in the flow to the next decision. `me` is the player in whose turn the place lies."""
    tried = core.copy()
    for register in place.acting:
        tried.cells[register] = me
    _set_turns_done(game, tried, place)
    game.machine.advance(tried, place.label)
    return tried


def _set_turns_done(game: Compiled, core: Core, place: Place) -> None:
    """Count the turns from where they began to the player that acts."""
    for turn in place.turns:
        names = {var: core.cells[register] for var, register in turn.registers.items()}
        first = evaluate(turn.first, game.setting(core), names)
        core.cells[turn.done] = (core.cells[turn.me] - first) % len(game.seats)


def _find_actor(game: Compiled, node: Node) -> int | None:
    named = node.get("to_act")
    if named is None:
        return None
    if named.raw not in game.seats:
        message, notes = make_message("no_seat", name=named.raw), (make_message("seats", known=", ".join(game.seats)),)
        raise Refused([Diagnostic("R709", message, named.span, notes=notes)])
    return game.seats.index(named.raw)


# ---- a state as a position -------------------------------------------------------------------------------------------


def to_position(game: Compiled, core: Core, seat: str | None = None, everything: bool = False) -> dict[str, Any]:
    """Return a state as a position, as `seat` (None: a spectator) sees it, or with `everything`."""
    player = seat_number(game, seat)
    piles: dict[str, str] = {}
    for n, pile in enumerate(core.piles[:-1]):
        if pile:
            words = [
                owned_sign(game, p >> 1) if everything or can_see(game, n, i, len(pile), p, player) else "?"
                for i, p in enumerate(pile)
            ]
            piles[game.namer.key(n)] = _render_pile(pile, words, game.namer.family(n))
    cells = {}
    for family in game.ruleset.state.values():
        for i in range(family.size):
            value = core.cells[family.base + i]
            if value != family.starts and (everything or can_know(game, family, i, player)):
                member = member_name(game, family, i)
                cells[f"{family.name} of {member}" if member is not None else family.name] = to_plain(
                    game, value, family.type
                )
    return {
        "game": game.name,
        "options": game.options,
        "at": game.place(core),
        "to_act": game.to_act(core),
        "piles": piles,
        "state": cells,
    }


def _render_pile(pile: Sequence[int], words: Sequence[str], family: Family) -> str:
    usual = [lies_up_by_default(family, i == len(pile) - 1) for i in range(len(pile))]
    ups = [bool(p & 1) for p in pile]
    if ups == usual:
        return " ".join(words)
    first = ups.index(True) if True in ups else len(ups)
    return " ".join([*words[:first], "|", *words[first:]])
