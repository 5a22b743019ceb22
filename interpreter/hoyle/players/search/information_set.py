"""Nodes, edges and rewards of a search tree: information sets of a seat, actions split into parts, values of ends.

The search itself is in `ismcts`. Choosing actions part by part equals the second half of `native/tree.c`: if many actions differ by
a list of pieces (three cards of thirteen), results of one action count for all that share a part. Parts of a list have no order,
so the choice at each step also counts for the parts that were still to be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.visibility_tables import EVERYBODY, FIRST_SEAT, LISTED, PIECE, natures, secrets
from hoyle.running.machine import Machine
from hoyle.running.outcomes import GREATEST
from hoyle.running.state import Action, Core

HIDDEN = -2
"""Stands for a piece that the seat cannot identify."""

FEW = 16
"""Up to this many actions, each is a single edge."""
ARMS, STEPS, ITEMS, CREDITS = 96, 64, 8192, 128
"""Limits: parts to choose from at a step, parts of an action, parts of all actions, edges credited for one choice."""
DONE = "done"
"""The part that ends a list."""


# ---- information sets ------------------------------------------------------------------------------------------------

InformationSet = tuple[int, int, tuple[tuple[int, ...], ...], tuple[Any, ...]]
"""Place in the game, actor (-1 if over), pieces of each pile, values of `SeatView.known_cells`."""


class SeatView:
    """Maps states to the information sets of one seat, and actions to what their actor can distinguish."""

    def __init__(self, machine: Machine, seat: int) -> None:
        self.machine, self.seat = machine, seat
        self._only_top_seen = [
            (f.face == "top seen") for f in machine.ruleset.piles.values() for _ in range(f.members * f.columns)
        ]
        allowed = (EVERYBODY, FIRST_SEAT + seat)
        self.known_cells = [cell for cell, who in enumerate(secrets(machine)) if who in allowed]
        self.natures = natures(machine)

    def __call__(self, core: Core) -> InformationSet:
        """Return all that the seat sees of a state."""
        piles = tuple(self._pile(core, number) for number in range(len(core.piles) - 1))
        cells = tuple(core.cells[cell] for cell in self.known_cells)
        return core.pc, -1 if core.over else core.actor, piles, cells

    def _pile(self, core: Core, number: int) -> tuple[int, ...]:
        pile, machine = core.piles[number], self.machine
        own, top = machine.hands[number] == self.seat, len(pile) - 1
        seen = [
            piece if own or (piece & 1 and (height == top or not self._only_top_seen[number])) else HIDDEN
            for height, piece in enumerate(pile)
        ]
        return tuple(sorted(seen) if number in machine.heaps else seen)

    def action_key(self, core: Core, action: Action) -> tuple[Any, ...]:
        """Return the action with `HIDDEN` for each piece that the actor cannot identify."""
        values = zip(action[1:], self.natures[action[0]], strict=True)
        return (
            action[0],
            *(self._identify(core, value) if nature & PIECE else _plain(value) for value, nature in values),
        )

    def _identify(self, core: Core, value: int | Sequence[int]) -> int | tuple[int, ...]:
        if not isinstance(value, int):
            return tuple(self._identify_piece(core, piece) for piece in value)
        return self._identify_piece(core, value)

    def _identify_piece(self, core: Core, piece: int) -> int:
        held = (pile for pile, hand in zip(core.piles, self.machine.hands, strict=False) if hand == core.actor)
        return piece if piece & 1 or piece < 0 or any(piece in pile for pile in held) else HIDDEN


def _plain(value: int | Sequence[int]) -> int | tuple[int, ...]:
    return value if isinstance(value, int) else tuple(value)


# ---- rewards ---------------------------------------------------------------------------------------------------------


def compute_rewards(
    game: Compiled, core: Core, lead: Sequence[float], scale: float, score: bool = False
) -> tuple[list[float], list[float], list[float]]:
    """Return for each side its reward (0 to 1), its share of the win, and its gain over `lead`.

    A finished game counts 0.9 for the win and 0.1 for the gain, relative to the usual `scale`. With `score`, or if the game is not
    over, only the gain counts.
    """
    gains = [now - before for now, before in zip(results.compute_leads(game, core), lead, strict=True)]
    rewards = [squash_gain(gain, scale, score) for gain in gains]
    if not core.over:
        return rewards, [0.0 for _ in rewards], gains
    shares = _win_shares(game, core)
    if not score:
        rewards = [0.9 * share + 0.1 * reward for share, reward in zip(shares, rewards, strict=True)]
    return rewards, shares, gains


def squash_gain(gain: float, scale: float, score: bool) -> float:
    """Map a gain to 0..1, with 0.5 for no gain: linear up to a limit if only the score counts."""
    part = min(1.0, max(-1.0, gain / (GREATEST * scale))) if score else gain / (abs(gain) + scale)
    return 0.5 + 0.5 * part


def _win_shares(game: Compiled, core: Core) -> list[float]:
    winners, sides = results.find_winners(game, core), range(len(game.ruleset.sides))
    if not winners:
        return [1.0 / len(sides) if len(sides) > 1 else 0.0 for _ in sides]
    return [float(side in winners) / len(winners) for side in sides]


# ---- edges and parts of actions --------------------------------------------------------------------------------------


class Edge(Struct):
    """Statistics of an action, or of a part, at a node: see `running.tried.Tried`."""

    tried: int = 0
    there: int = 0
    total: float = 0.0
    squares: float = 0.0


Pick = Callable[[Sequence[Edge]], int]
FindEdge = Callable[[Hashable], Edge]


class Trial(Struct):
    """An action to try: its number, its edge and the edges of its parts.

    `began` is the first action that has the same first chosen part.
    """

    number: int
    began: int
    edge: Edge
    parts: list[Edge] = []


class SplitAction(Struct):
    """A candidate action: `rest` is all of it but the list, `items` the parts of the list, `left` those not chosen yet."""

    number: int
    rest: Hashable
    items: tuple[Hashable, ...]
    left: list[Hashable]

    def list_parts(self, step: int) -> Sequence[Hashable]:
        return [self.rest] if not step else self.left or [DONE]

    def take_part(self, part: Hashable, step: int) -> bool:
        """Take a part out of `left`. Returns False if the action does not continue with it."""
        fits = part in self.list_parts(step)
        if fits and step and self.left:
            self.left.remove(part)
        return fits


class Step(Struct, frozen=True):
    """A chosen part at a node; `is_open` if there were others."""

    node: Hashable
    part: Hashable
    is_open: bool


def split_actions(view: SeatView, core: Core) -> list[SplitAction] | None:
    """Split all legal actions into parts. None if they are few, have no lists of several parts, or have too many."""
    if len(core.acts) <= FEW:
        return None
    actions = [_split_action(view, core, number) for number in range(len(core.acts))]
    sizes = [len(action.items) for action in actions]
    return actions if 1 < max(sizes) < STEPS and sum(sizes) <= ITEMS else None


def _split_action(view: SeatView, core: Core, number: int) -> SplitAction:
    action = core.acts[number]
    key, bindings = view.action_key(core, action), view.natures[action[0]]
    place = next((place for place, nature in enumerate(bindings, 1) if nature & LISTED), None)
    if place is None:
        return SplitAction(number, key, (), [])
    return SplitAction(number, (*key[:place], *key[place + 1 :]), key[place], [*key[place]])


def choose_parts(
    actions: list[SplitAction], node: Hashable, find_edge: FindEdge, action_edge: Callable[[int], Edge], pick: Pick
) -> Trial | None:
    """Choose an action part by part. None if a step offers too many parts.

    Args:
        find_edge: returns the edge of a key.
        action_edge: returns the edge of a whole action, by its number.
    """
    steps, began, chosen = list[Step](), -1, tuple[Hashable, ...]()
    while len(actions) > 1:
        key = node, tuple(sorted(chosen, key=repr))
        arms: dict[Hashable, int] = {}
        for action in actions:
            for part in action.list_parts(len(steps)):
                arms.setdefault(part, action.number)
        if len(arms) > ARMS:
            return None
        parts = [*arms]
        best = pick([find_edge((key, part)) for part in parts]) if len(arms) > 1 else 0
        if len(arms) == 1 and steps and parts[0] == DONE:
            break
        began = arms[parts[best]] if began < 0 < len(arms) - 1 else began
        actions = [action for action in actions if action.take_part(parts[best], len(steps))]
        steps.append(Step(key, parts[best], len(arms) > 1))
        chosen = *chosen, parts[best]
    action = actions[0]
    credited = _list_credits(action, steps, find_edge)
    return Trial(action.number, began if began >= 0 else action.number, action_edge(action.number), credited)


def _list_credits(action: SplitAction, steps: Sequence[Step], find_edge: FindEdge) -> list[Edge]:
    """Return the edges of the chosen parts, and of parts of the same action that could have been chosen instead."""
    action.left = [*action.items]
    keys: dict[tuple[Hashable, Hashable], None] = {}
    for number, step in enumerate(steps):
        if step.is_open:
            keys |= dict.fromkeys((step.node, part) for part in (step.part, *(action.left if number else ())))
        action.take_part(step.part, number)
    return [find_edge(key) for key in keys][:CREDITS]
