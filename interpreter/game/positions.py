"""Positions: what lies where, as people write it (the language, 16) → a state, or every mistake in it at its place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics import Diagnostic, Problems, Refused, Source, Span, similar
from interpreter.game.spelling import cell_value, cells_of, find_place, numbers_of, plain_sign, sign_codes
from interpreter.language.evaluate import evaluate
from interpreter.language.model import Family, StateFamily
from interpreter.reading.tree import Node
from interpreter.running.chance import Chance
from interpreter.running.state import Core

if TYPE_CHECKING:
    from interpreter.game.game import Game, State
    from interpreter.running.places import Place

UNKNOWN = -1
FILL = 2
"""The use of chance that deals unknown cards."""
KEYS = ("game", "options", "at", "to_act", "piles", "state", "seed")


def set_up(game: Game, data: Any, seed: int) -> State:
    """The state of a position. Raises Refused with everything wrong in it."""
    from interpreter.game.game import State

    node = as_node(data)
    game = _game_for(game, node)
    setter = Setter(game, node, seed)
    if not any(node.get(k) for k in ("piles", "at", "state", "to_act")):
        setter.check_keys()
        return game.start(seed)
    core = setter.core()
    setter.problems.stop_on_errors()
    return State(game, core)


def as_node(data: Any) -> Node:
    """A position as a tree with places; plain data gets a text of its own to point into."""
    from interpreter.reading.yaml_tree import load

    if isinstance(data, Node):
        node = data
    else:
        node = load(Source("<position>", json.dumps(data, ensure_ascii=False, default=str)))
    if node.kind != "map":
        raise Refused([Diagnostic("R701", "a position is a map: `at`, `to_act`, `piles`, `state`", node.span)])
    return node


def _game_for(game: Game, node: Node) -> Game:
    """The game with the options that the position names."""
    options = node.get("options")
    if options is None or options.kind != "map":
        return game
    wanted = {name: value.value if value.value is not None else value.raw for name, _, value in options.entries()}
    if all(str(game.options.get(name)) == str(value) for name, value in wanted.items()):
        return game
    from interpreter.game.game import load

    try:
        return load(game.merged.files[-1], {**game.options, **wanted})
    except Refused as refused:
        raise Refused(
            [
                Diagnostic(d.code, d.message, d.span or options.span, d.label, d.notes, d.help)
                for d in refused.diagnostics
            ]
        ) from None


class Setter:
    """Fills one state from one position."""

    def __init__(self, game: Game, node: Node, seed: int) -> None:
        self.game, self.node, self.seed = game, node, seed
        self.problems = Problems()
        self.unknown: list[tuple[int, int, bool]] = []
        """Where unknown pieces lie: pile, height, face."""

    def core(self) -> Core:
        core = self.game.machine.fresh(Chance.stream(self.seed))
        core.log = []
        self.check_keys()
        if self.node.get("piles"):
            for pile in core.piles:
                pile.clear()
            self._piles(core)
        self._state(core)
        self.problems.stop_on_errors()
        self._stand(core)
        return core

    def check_keys(self) -> None:
        """Raises Refused for a key that positions do not have."""
        for name, key, _ in self.node.entries():
            if name not in KEYS:
                close = similar(name, KEYS)
                self.problems.add(
                    "R701",
                    f"unknown key `{name}` in a position",
                    key.span,
                    notes=[f"known keys: {', '.join(KEYS)}"],
                    help=f"a similar key exists: `{close}`" if close else "",
                )
        game = self.node.get("game")
        if game is not None and game.raw not in (self.game.name, *(f.stem for f in self.game.merged.files)):
            self.problems.add("R702", f"this is a position of `{game.raw}`, not of `{self.game.name}`", game.span)
        self.problems.stop_on_errors()

    # ---- piles -------------------------------------------------------------------------------------------------------

    def _piles(self, core: Core) -> None:
        piles = self.node.pairs["piles"][1]
        if piles.kind != "map":
            self.problems.add("R701", "`piles` is a map from piles to pieces", piles.span)
            return
        for name, key, value in piles.entries():
            for number, node in self._places(name, key, value):
                self._lay(core, number, node)
        self._enough(core, piles)
        self._deal_unknown(core, piles)

    def _places(self, name: str, key: Node, value: Node) -> Iterator[tuple[int, Node]]:
        """The piles a key names, each with what lies there."""
        found = numbers_of(self.game, name)
        if isinstance(found, str):
            self.problems.add("R703", found, key.span)
            return
        family, numbers = found
        if value.kind == "map":
            yield from self._members(family, value)
        elif len(numbers) == 1 and not (family.has_columns and " at " not in name and value.kind == "list"):
            yield numbers[0], value
        else:
            yield from self._columns(family, numbers, value)

    def _members(self, family: Family, value: Node) -> Iterator[tuple[int, Node]]:
        for member, key, node in value.entries():
            found = numbers_of(self.game, f"{family.name} of {member}")
            if isinstance(found, str):
                self.problems.add("R703", found, key.span)
                continue
            yield from self._columns(found[0], found[1], node) if len(found[1]) > 1 else [(found[1][0], node)]

    def _columns(self, family: Family, numbers: Sequence[int], value: Node) -> Iterator[tuple[int, Node]]:
        items = value.items if value.kind == "list" else [value]
        if len(items) > len(numbers):
            self.problems.add(
                "R704", f"`{family.name}` has {len(numbers)} piles, and here are {len(items)}", value.span
            )
        yield from zip(numbers, items, strict=False)

    def _lay(self, core: Core, number: int, node: Node) -> None:
        family = self.game.namer.family(number)
        text = " ".join(i.raw for i in node.items) if node.kind == "list" else "" if node.is_null else node.raw
        down, bar, rest = text.partition("|")
        pieces = [(p, False) for p in self._pieces(down, node, family)] + [
            (p, True) for p in self._pieces(rest, node, family)
        ]
        for height, (piece, after_bar) in enumerate(pieces):
            up = after_bar if bar else _starts_up(family, height == len(pieces) - 1)
            if piece == UNKNOWN:
                self.unknown.append((number, height, up))
            core.piles[number].append(piece if piece == UNKNOWN else piece | up)
        if len(pieces) > family.room:
            self.problems.add(
                "R704", f"`{family.name}` has room for {family.room} pieces, and here are {len(pieces)}", node.span
            )

    def _pieces(self, text: str, node: Node, family: Family) -> list[int]:
        found: list[int] = []
        tokens = text.replace(",", " ").split()
        while tokens:
            token = tokens.pop(0)
            count, sign = 1, token
            if "*" in token:
                sign, _, many = token.partition("*")
                count = int(many) if many.isdigit() else 1
            code = self._sign(sign, family)
            if code is None and sign.isdigit() and tokens:
                count, sign = int(sign), tokens.pop(0)
                code = self._sign(sign, family)
            if code is None:
                self._no_piece(sign, node, family)
            else:
                found += [code] * min(count, 1000)
        return found

    def _sign(self, sign: str, family: Family) -> int | None:
        if sign in ("-", "_", "~", "…", "..."):
            return None
        return UNKNOWN if sign == "?" else sign_codes(self.game, family.holds).get(plain_sign(sign))

    def _no_piece(self, sign: str, node: Node, family: Family) -> None:
        if sign in ("-", "_", "~"):
            return
        known = [
            s for s, k in zip(self.game.namer.signs, self.game.namer.piece_kinds, strict=True) if k.name == family.holds
        ]
        close = similar(sign, known)
        where = node.span.text.find(sign)
        span = (
            Span(node.span.source, node.span.start + where, node.span.start + where + len(sign))
            if where >= 0
            else node.span
        )
        self.problems.add(
            "R705",
            f"`{sign}` is not a {family.holds}",
            span,
            notes=[f"pieces are written like {', '.join(f'`{k}`' for k in known[:3])}"],
            help=f"did you mean `{close}`?" if close else "",
        )

    def _enough(self, core: Core, piles: Node) -> None:
        """No piece is written more often than there are."""
        machine = self.game.machine
        used = Counter(p >> 1 for pile in core.piles for p in pile if p != UNKNOWN)
        for kind, count in used.items():
            if count > machine.copies[kind]:
                sign = self.game.namer.signs[kind]
                self.problems.add(
                    "R706", f"`{sign}` is written {count} times, and there is only {machine.copies[kind]}", piles.span
                )

    def _deal_unknown(self, core: Core, piles: Node) -> None:
        machine = self.game.machine
        used = Counter(p >> 1 for pile in core.piles for p in pile if p != UNKNOWN)
        free = [kind for kind in range(len(machine.copies)) for _ in range(machine.copies[kind] - used[kind])]
        free = Chance.stream(self.seed, 0, FILL).shuffle(0, free)
        for pile, height, up in self.unknown:
            holds = self.game.namer.family(pile).holds
            kind = next((k for k in free if self.game.namer.piece_kinds[k].name == holds), None)
            if kind is None:
                self.problems.add("R706", "there are more unknown pieces than are left", piles.span)
                return
            free.remove(kind)
            core.piles[pile][height] = 2 * kind + up

    # ---- state and place ---------------------------------------------------------------------------------------------

    def _state(self, core: Core) -> None:
        state = self.node.get("state")
        for name, key, value in state.entries() if state is not None and state.kind == "map" else ():
            cells = cells_of(self.game, name)
            if isinstance(cells, str):
                self.problems.add("R707", cells, key.span)
                continue
            for family, index, node in self._cells(cells[0], cells[1], value):
                found = cell_value(
                    self.game, family, node.value if node.value is not None else None if node.is_null else node.raw
                )
                if isinstance(found, str):
                    self.problems.add("R708", found, node.span)
                else:
                    core.cells[index] = found

    def _cells(
        self, family: StateFamily, indices: Sequence[int], value: Node
    ) -> Iterator[tuple[StateFamily, int, Node]]:
        if value.kind == "map":
            for member, key, node in value.entries():
                found = cells_of(self.game, f"{family.name} of {member}")
                if isinstance(found, str):
                    self.problems.add("R707", found, key.span)
                else:
                    yield from self._cells(found[0], found[1], node)
        elif value.kind == "list":
            yield from ((family, i, node) for i, node in zip(indices, value.items, strict=False))
        else:
            yield from ((family, i, value) for i in indices)

    def _stand(self, core: Core) -> None:
        """Go to the place, with the right player acting, and run to the decision there."""
        actor = self._actor()
        at = self.node.get("at")
        if at is None:
            core.actor = actor if actor is not None else 0
            return
        place = find_place(self.game, at.raw, at.span)
        tries = range(len(self.game.seats)) if place.by else [actor if actor is not None else 0]
        for me in tries:
            tried = core.copy()
            for register in place.acting:
                tried.cells[register] = me
            self._turns_done(tried, place)
            self.game.machine.advance(tried, place.label)
            if actor is None or tried.actor == actor or not place.by:
                break
        for name in ("piles", "cells", "pc", "acts", "faults", "actor", "over", "chance", "back", "log"):
            setattr(core, name, getattr(tried, name))

    def _turns_done(self, core: Core, place: Place) -> None:
        """Whoever acts has been reached in turn from where the turns began."""
        for turn in place.turns:
            names = {var: core.cells[register] for var, register in turn.registers.items()}
            first = evaluate(turn.first, self.game.setting(core), names)
            core.cells[turn.done] = (core.cells[turn.me] - first) % len(self.game.seats)

    def _actor(self) -> int | None:
        node = self.node.get("to_act")
        if node is None:
            return None
        if node.raw not in self.game.seats:
            self.problems.add(
                "R709", f"there is no seat `{node.raw}`", node.span, notes=[f"seats: {', '.join(self.game.seats)}"]
            )
            self.problems.stop_on_errors()
        return self.game.seats.index(node.raw)


def _starts_up(family: Family, top: bool) -> bool:
    return top if family.face == "top up" else family.face in ("up", "top seen")


# ---- a state as a position -------------------------------------------------------------------------------------------


def to_position(state: State, seat: str | None = None, everything: bool = False) -> dict[str, Any]:
    """The position as data: as `seat` (None: an onlooker) sees it, or `everything`."""
    game, core = state.game, state.core
    from interpreter.game.view import member_name, plain, sees

    player = game.seats.index(seat) if seat is not None else -1
    piles: dict[str, str] = {}
    for n, pile in enumerate(core.piles[:-1]):
        if pile:
            words = [
                game.namer.signs[p >> 1] if everything or sees(game, n, i, len(pile), p, player) else "?"
                for i, p in enumerate(pile)
            ]
            piles[game.namer.key(n)] = _with_bar(pile, words, game.namer.family(n))
    cells = {}
    for family in game.ruleset.state.values():
        for i in range(family.size):
            member = member_name(game, family, i)
            if core.cells[family.base + i] != family.starts:
                cells[f"{family.name} of {member}" if member is not None else family.name] = plain(
                    game, core.cells[family.base + i], family
                )
    return {
        "game": game.name,
        "options": dict(game.options),
        "at": state.place,
        "to_act": state.to_act,
        "piles": piles,
        "state": cells,
    }


def _with_bar(pile: Sequence[int], words: Sequence[str], family: Family) -> str:
    usual = [_starts_up(family, i == len(pile) - 1) for i in range(len(pile))]
    ups = [bool(p & 1) for p in pile]
    if ups == usual:
        return " ".join(words)
    first = ups.index(True) if True in ups else len(ups)
    return " ".join([*words[:first], "|", *words[first:]])
