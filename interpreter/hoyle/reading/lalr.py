"""A text by parsing tables: what stands in it, built from the inside out with a stack of its own, so that no text exhausts Python's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hoyle.reading.tables import END, Rule, Tables

MAX_DEPTH = 60
"""How deep the parts of a formula may be nested."""
MOST_WORDS = 3_000
"""How many words a formula may have."""

_ENCLOSED = "enclosed"
"""What stands in parentheses is no deeper for them."""

Build = Callable[[str, list[Any], int, int], Any]
"""(name of a form, its parts, where it begins, where it ends) → what is built of them."""


class Unexpected(Exception):
    """What stands at `at` cannot stand there; `expected` names the words that could. At the end of the text `at_end` holds."""

    def __init__(self, at: int, expected: list[str], at_end: bool = False) -> None:
        self.at, self.expected, self.at_end = at, expected, at_end


class TooLarge(Exception):
    """The part from `start` to `end` is nested deeper than `MAX_DEPTH`, or the words up to it are more than `MOST_WORDS`."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


class _Item(NamedTuple):
    """What has been read: a word's text or what was built; from where to where; how deep."""

    value: Any
    start: int
    end: int
    depth: int = 0


def read_by(tables: Tables, text: str, low: int, high: int, sort: str, build: Build) -> Any:
    """What `text[low:high]` is, read as `sort` (a start of the grammar). Raises Unexpected, TooLarge."""
    states, items = [tables.starts[sort]], [_Item(None, low, low)]
    for count, (word, item) in enumerate(_words(tables, text, low, high, states)):
        if count > MOST_WORDS:
            raise TooLarge(item.start, item.end)
        while True:
            action = tables.states[states[-1]].get(word)
            if action is None:
                raise Unexpected(item.start, _possible(tables, states), at_end=word == END)
            if action >= 0:
                states.append(action)
                items.append(item)
                break
            rule = tables.rules[-1 - action]
            if rule.passes:
                states[-1] = tables.states[states[-2]][rule.name]
                continue
            done = _reduce(rule, items[-rule.length :], build)
            del states[-rule.length :], items[-rule.length :]
            states.append(tables.states[states[-1]][rule.name])
            items.append(done)
            if word == END and states[-1] == tables.ends[sort]:
                return done.value
    raise AssertionError("the end of a text ends it")


def _words(tables: Tables, text: str, low: int, high: int, states: list[int]) -> Iterator[tuple[str, _Item]]:
    at = low
    while at < high:
        match = tables.words.match(text, at, high)
        if match is None or match.end() == at:
            raise Unexpected(at, _possible(tables, states))
        if match.lastgroup is not None and match.lastgroup not in tables.skipped:
            yield match.lastgroup, _Item(match[0], at, match.end())
        at = match.end()
    yield END, _Item("", high, high)


def _reduce(rule: Rule, parts: list[_Item], build: Build) -> _Item:
    children: list[Any] = []
    for number, joined, absent in rule.keeps:
        children += [None] * absent
        children += parts[number].value if joined else [parts[number].value]
    children += [None] * rule.absent
    start, end, depth = parts[0].start, parts[-1].end, max(part.depth for part in parts)
    if rule.name.startswith("_"):
        return _Item(children, start, end, depth)
    if rule.single and len(children) == 1:
        return _Item(children[0], start, end, depth)
    deeper = depth if rule.made == _ENCLOSED else depth + 1
    if deeper > MAX_DEPTH:
        raise TooLarge(start, end)
    return _Item(build(rule.made, children, start, end), start, end, deeper)


def _possible(tables: Tables, states: list[int]) -> list[str]:
    """The words that could stand next."""
    here = tables.states[states[-1]]
    return sorted(word for word in here if word in tables.words.groupindex and _shifts(tables, list(states), word))


def _shifts(tables: Tables, states: list[int], word: str) -> bool:
    """Would this word be taken, once what stands before it is complete?"""
    while (action := tables.states[states[-1]].get(word)) is not None and action < 0:
        rule = tables.rules[-1 - action]
        del states[-rule.length :]
        states.append(tables.states[states[-1]][rule.name])
    return action is not None
