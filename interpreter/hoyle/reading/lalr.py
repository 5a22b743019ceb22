"""A text by parsing tables: what stands in it, built from the inside out with a stack of its own, so that no text exhausts Python's."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from hoyle.private import held, is_private, prepare, temporary_folder
from hoyle.resources import cache_folder, folder

_FORMAT = 2
_STARTS = ("formula", "generator", "signature")
END = "$END"


class Rule(Struct, frozen=True):
    """What is done when the parts of a rule have been read.

    name    of what they make up, by which the next state is looked up
    made    the name of the form that is built
    length  how many parts there are
    keeps   (number of a part, is it a list to be joined in, absent parts before it) of those that the form has
    absent  how many absent parts follow
    single  is a lone part itself what is built
    passes  is what is built always the only part: most of what a formula's words are reduced by
    """

    name: str
    made: str
    length: int
    keeps: tuple[tuple[int, bool, int], ...]
    absent: int
    single: bool
    passes: bool


class Tables(Struct, frozen=True):
    """words: each word's name is a group of this expression. skipped: those that mean nothing. states: name of a word or rule → the state that follows, or -1 - the number
    of the rule that is complete. ends: the state in which a text of that sort is whole."""

    words: re.Pattern[str]
    skipped: frozenset[str]
    states: tuple[dict[str, int], ...]
    starts: dict[str, int]
    ends: dict[str, int]
    rules: tuple[Rule, ...]


@cache
def tables() -> Tables:
    text = (folder("grammar") / "formula.lark").read_text(encoding="utf-8")
    key = hashlib.sha256(f"{_FORMAT} {text}".encode()).hexdigest()[:16]
    name = f"formula-{key}.json"
    for place in _folders():
        try:
            return _read(json.loads(_kept(place, name)))
        except (OSError, ValueError, LookupError, TypeError):  # absent, broken or not the user's own: made anew
            continue
    made = _work_out(text)
    _keep(json.dumps(made), name)
    return _read(made)


def _folders() -> Iterator[Path]:
    """Yield the folders for cached tables, best first."""
    wanted = cache_folder()
    if wanted is not None:
        yield wanted / "grammar"
    if (instead := temporary_folder()) is not None:
        yield instead


def _kept(place: Path, name: str) -> str:
    """The text of a kept file. Raises OSError, ValueError if it is not what was written."""
    prepare(place)
    with held(place) as folder:
        if not is_private(folder / name):
            raise ValueError(name)
        digest, text = (folder / name).read_text(encoding="utf-8").split("\n", 1)
    if digest != _digest(text):
        raise ValueError(digest)
    return text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read(data: Any) -> Tables:
    rules = tuple(_read_rule(*rule) for rule in data["rules"])
    words, skipped = re.compile(data["words"]), frozenset(data["skipped"])
    return Tables(words, skipped, tuple(data["states"]), data["starts"], data["ends"], rules)


def _read_rule(name: str, made: str, length: int, keeps: list[list[Any]], absent: int, single: bool) -> Rule:
    passes = single and length == 1 and not absent and not name.startswith("_") and keeps == [[0, False, 0]]
    return Rule(name, made, length, _triples(keeps), absent, single, passes)


def _triples(keeps: list[list[Any]]) -> tuple[tuple[int, bool, int], ...]:
    return tuple((int(part), bool(joined), int(absent)) for part, joined, absent in keeps)


def _keep(text: str, name: str) -> None:
    """Written beside and renamed, so that no reader meets half a file; a cache that cannot be written is done without."""
    for place in _folders():
        half = place / f"{name}.{os.getpid()}"
        try:
            prepare(place)
            half.write_text(f"{_digest(text)}\n{text}", encoding="utf-8")
            half.chmod(0o600)
            os.replace(half, place / name)
            return
        except OSError:
            with suppress(OSError):
                half.unlink()


# ---- from Lark -------------------------------------------------------------------------------------------------------


def _work_out(text: str) -> dict[str, Any]:
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    lark = Lark(text, parser="lalr", start=list(_STARTS), maybe_placeholders=True)
    data, memo = lark.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    rules = {number: rule for number, rule in memo.items() if rule["__type__"] == "Rule"}
    numbers = {number: i for i, number in enumerate(rules)}
    states = sorted(table["states"])
    place = {state: i for i, state in enumerate(states)}

    def action(found: tuple[int, Any]) -> int:
        return place[found[1]] if found[0] == 0 else -1 - numbers[found[1]["@"]]

    return {
        "words": "|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in _in_order(list(lark.terminals))),
        "skipped": list(lark.ignore_tokens),
        "states": [{table["tokens"][w]: action(a) for w, a in table["states"][s].items()} for s in states],
        "starts": {name: place[state] for name, state in table["start_states"].items()},
        "ends": {name: place[state] for name, state in table["end_states"].items()},
        "rules": [_rule(rule) for rule in rules.values()],
    }


def _in_order(terminals: list[Any]) -> list[Any]:
    """Longer words first, so that `..` is not two points."""
    return sorted(terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))


def _rule(rule: dict[str, Any]) -> list[Any]:
    """Name, form, length, kept parts, absent parts after them, is it transparent: see `Rule`."""
    options, name = rule["options"], rule["origin"]["name"]
    gaps = [0] * (len(rule["expansion"]) + 1)
    if options["empty_indices"]:
        gaps = [len(run) for run in "".join(str(int(b)) for b in options["empty_indices"]).split("0")]
    keeps, absent = [], 0
    for number, part in enumerate(rule["expansion"]):
        absent += gaps[number]
        if not part.get("filter_out"):
            keeps.append([number, part["__type__"] == "NonTerminal" and part["name"].startswith("_"), absent])
            absent = 0
    single = options["expand1"] and rule["alias"] is None
    return [name, rule["alias"] or name, len(rule["expansion"]), keeps, absent + gaps[-1], single]


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
