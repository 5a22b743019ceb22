"""Converts states and events between rows of integers, as the native engine has them, and Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from hoyle.native.layout import Binding, Layout
from hoyle.running.chance import Chance
from hoyle.running.machine import Machine
from hoyle.running.state import Action, Core, Event

_M64 = (1 << 64) - 1
Row = Iterator[int]


def longest(places: Layout, machine: Machine) -> int:
    """Return an upper bound for the length of a state's row."""
    piles = len(machine.face) + 1
    kept = sum(places.lists.values()) + len(places.lists) + 16 * len(places.aims)
    chosen = len(places.chosen) * (1 + len(machine.ruleset.seats) * places.width)
    return (
        64
        + 2 * places.cells
        + 4 * (piles + piles * places.pieces)
        + kept
        + chosen
        + 2048 * (places.width + 1)
        + len(places.seen) * 40_000
    )


def core_of(row: Sequence[int], places: Layout, machine: Machine) -> Core:
    """Return the state that a row encodes."""
    pc, actor, over, looking, backed, state, step = row[:7]
    core = Core(Chance(state & _M64, step & _M64))
    core.pc, core.over, core.looking = pc, bool(over), bool(looking)
    core.actor = actor
    at = 7 + places.cells
    core.cells = [*row[7:at]]
    core.piles, at = _piles(row, at, machine)
    for number in (*places.lists, *sorted(places.aims)):
        core.cells[number], at = _items(row, at)
    for number in sorted(places.chosen):
        chosen, at = actions_in(row, at, places)
        core.cells[number] = tuple(chosen)
    if backed:
        cells = [*row[at : at + machine.state_size]]
        piles, at = _piles(row, at + machine.state_size, machine)
        core.back = (piles, cells)
    for number in sorted(places.seen):
        core.cells[number], at = _seen(row, at)
    core.acts, at = actions_in(row, at, places)
    core.faults, _ = _items(row, at)
    return core


def _items(row: Sequence[int], at: int) -> tuple[tuple[int, ...], int]:
    """Return a list, and the offset after it."""
    end = at + 1 + row[at]
    return tuple(row[at + 1 : end]), end


def _piles(row: Sequence[int], at: int, machine: Machine) -> tuple[list[list[int]], int]:
    """Return all piles, and the offset after them.

    The pile that is always empty is first in a row and last in a state.
    """
    found = []
    for _ in range(len(machine.face) + 1):
        end = at + 1 + row[at]
        found.append([*row[at + 1 : end]])
        at = end
    empty, *others = found
    return [*others, empty], at


def _seen(row: Sequence[int], at: int) -> tuple[frozenset[object], int]:
    begin = at + 2 + 3 * row[at]
    end = begin + row[at + 1]
    text, heads = row[begin:end], row[at + 2 : begin]
    each = zip(heads[::3], heads[1::3], heads[2::3], strict=True)
    return frozenset((guard, tuple(_parts(text[one : one + size]))) for guard, one, size in each), end


def _parts(text: Sequence[int]) -> Iterator[tuple[int, ...]]:
    it = iter(text)
    for count in it:
        yield tuple(islice(it, count))


def actions_in(row: Sequence[int], at: int, places: Layout) -> tuple[list[Action], int]:
    """Return the actions listed at an offset, and the offset after them."""
    begin, width = at + 1, places.width
    end = begin + row[at] * width
    return [_action(row[one : one + width], places) for one in range(begin, end, width)], end


def _action(numbers: Sequence[int], places: Layout) -> Action:
    move = numbers[0]
    if move in places.flat:
        return tuple(numbers[: 1 + len(places.moves[move])])
    return (move, *[_bound(numbers, b) for b in places.moves[move]]) if move >= 0 else ()


def _bound(numbers: Sequence[int], binding: Binding) -> Any:
    at = binding.at
    return numbers[at] if binding.most is None else tuple(numbers[at + 1 : at + 1 + numbers[at]])


# ---- to a row --------------------------------------------------------------------------------------------------------


def row_of(core: Core, places: Layout, machine: Machine, acts: Sequence[int] | None = None) -> list[int]:
    """Return a state as a row. `acts` is the part with the legal actions, if it is known (`acts_of`)."""
    cells = core.cells[:]
    for number in (*places.lists, *places.aims, *places.chosen, *places.seen):
        cells[number] = 0  # its content follows later in the row
    row = [core.pc, core.actor, int(core.over), int(core.looking), int(core.back is not None)]
    row += [_signed(core.chance.state), _signed(core.chance.step), *cells]
    _add_piles(row, core.piles)
    for number in (*places.lists, *sorted(places.aims)):
        _add_items(row, core.cells[number])
    for number in sorted(places.chosen):
        row.append(len(core.cells[number]))
        for action in core.cells[number]:
            row += _numbers(action, places)
    if core.back is not None:
        row += [int(v) for v in core.back[1]]
        _add_piles(row, core.back[0])
    for number in sorted(places.seen):
        _add_seen(row, core.cells[number])
    row += acts_of(core.acts, places) if acts is None else acts
    _add_items(row, core.faults)
    return row


def acts_of(acts: Sequence[Action], places: Layout) -> list[int]:
    """Return legal actions as a part of a row."""
    return [len(acts), *chain.from_iterable(_numbers(action, places) for action in acts)]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _add_items(row: list[int], items: Sequence[int]) -> None:
    row.append(len(items))
    row += items


def _add_piles(row: list[int], piles: Sequence[Sequence[int]]) -> None:
    row.append(0)
    for pile in piles[:-1]:
        row.append(len(pile))
        row += pile


def _add_seen(row: list[int], seen: frozenset[Any]) -> None:
    texts = [(guard, [n for pile in made for n in (len(pile), *pile)]) for guard, made in seen]
    row += [len(texts), sum(len(text) for _, text in texts)]
    at = 0
    for guard, text in texts:
        row += [guard, at, len(text)]
        at += len(text)
    for _, text in texts:
        row += text


def _numbers(action: Action, places: Layout) -> list[int]:
    if action and action[0] in places.flat:
        return [*action, *[0] * (places.width - len(action))]
    found = [-1] + [0] * (places.width - 1)
    if action:
        found[0] = action[0]
        for value, binding in zip(action[1:], places.moves[action[0]], strict=True):
            listed = [value] if binding.most is None else [len(value), *value]
            found[binding.at : binding.at + len(listed)] = listed
    return found


# ---- events ----------------------------------------------------------------------------------------------------------


def events_of(row: Sequence[int], places: Layout) -> list[Event]:
    """Return the engine's notes as events of a state's log."""
    it, found = iter(row), list[Event]()
    for kind in it:
        found.append(_EVENTS[kind](it, places))
    return found


def _score(it: Row, places: Layout) -> Event:
    points, player, cell, label = islice(it, 4)
    return ("score", points, player, cell, label, _value(it), *_groups(it))


def _say(it: Row, places: Layout) -> Event:
    label, player = islice(it, 2)
    return ("say", label, _value(it), player, *_groups(it))


def _read_list(it: Row) -> tuple[int, ...]:
    return tuple(islice(it, next(it)))


def _groups(it: Row) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Read the groups of pieces that are shown along with an event, if any."""
    found = tuple(group for group in [_read_list(it) for _ in range(next(it))] if group)
    return (found,) if found else ()


def _value(it: Row) -> Any:
    """Read a number, or a number or list for each placeholder of some words."""
    count = next(it)
    return next(it) if count < 0 else tuple(_place(it) for _ in range(count))


def _place(it: Row) -> Any:
    count = next(it)
    return next(it) if count < 0 else tuple(islice(it, count))


_EVENTS = (
    lambda it, places: ("move", next(it), next(it), _action([*islice(it, places.width)], places)),
    lambda it, places: ("rule", next(it), next(it)),
    lambda it, places: ("shuffle", next(it), _read_list(it)),
    lambda it, places: ("cut", next(it), _read_list(it)),
    lambda it, places: ("roll", next(it), _read_list(it), next(it)),
    lambda it, places: ("lots", next(it), next(it)),
    _score,
    _say,
    lambda it, places: ("received", next(it), _read_list(it), next(it)),
    lambda it, places: ("turned", next(it), next(it), _read_list(it)),
    lambda it, places: ("ends", next(it), next(it)),
    lambda it, places: ("taken_back",),
)
