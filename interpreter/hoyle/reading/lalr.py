"""LALR(1) parser of formulas with a stack of its own, and the parse tables that drive it. The only module that imports Lark.

Lark computes the tables from `grammar/formula.lark` in 0.6 s, so they are shipped as `grammar/formula.tables.json`, with a digest of the
grammar. While they are stale, because somebody edits the grammar, they are computed when they are needed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from hoyle.resources import folder

MAX_DEPTH = 60
"""How deep the parts of a formula may be nested."""
MOST_WORDS = 3_000
"""How many tokens a formula may have."""
_STARTS = ("formula", "generator", "signature")
_END = "$END"
_ENCLOSED = "enclosed"
"""The form of parentheses, which do not count as depth."""

Build = Callable[[str, list[Any], int, int], Any]
"""(name of a form, its parts, begin, end) → the node for it."""


class Rule(Struct, frozen=True):
    """A production of the grammar.

    name    the nonterminal, by which the next state is looked up
    form    the form that is built
    length  the number of symbols
    keeps   (index of a symbol, is it a list to be spliced, absent parts before it) for the symbols that the form keeps
    absent  the number of absent parts at the end
    single  a lone part is itself the result
    passes  the result is always the only part, as for most productions that a formula is reduced by
    """

    name: str
    form: str
    length: int
    keeps: tuple[tuple[int, bool, int], ...]
    absent: int
    single: bool
    passes: bool


class Tables(Struct, frozen=True):
    """Parse tables.

    words    matches a token; its name is the name of the group
    skipped  names of tokens that are ignored
    states   for each state: name of a token or nonterminal → the next state, or -1 - the number of the rule to reduce by
    starts   the first state, by start symbol
    ends     the state in which a whole text has been read, by start symbol
    """

    words: re.Pattern[str]
    skipped: frozenset[str]
    states: tuple[dict[str, int], ...]
    starts: dict[str, int]
    ends: dict[str, int]
    rules: tuple[Rule, ...]


class Unexpected(Exception):
    """A token that cannot stand at offset `at`; `expected` are the names of those that could. `at_end`: the text ends too early."""

    def __init__(self, at: int, expected: list[str], at_end: bool = False) -> None:
        self.at, self.expected, self.at_end = at, expected, at_end


class TooLarge(Exception):
    """The part from `start` to `end` is nested deeper than `MAX_DEPTH`, or the text has more than `MOST_WORDS` tokens."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


class _Item(NamedTuple):
    """An entry of the stack: the text of a token or a built node, its offsets and its depth."""

    value: Any
    start: int
    end: int
    depth: int = 0


def parse_by(tables: Tables, text: str, low: int, high: int, start: str, build: Build) -> Any:
    """Parse `text[low:high]` from a start symbol. Raises Unexpected, TooLarge."""
    states, items = [tables.starts[start]], [_Item(None, low, low)]
    for count, (word, item) in enumerate(_tokenize(tables, text, low, high, states)):
        if count > MOST_WORDS:
            raise TooLarge(item.start, item.end)
        while True:
            action = tables.states[states[-1]].get(word)
            if action is None:
                raise Unexpected(item.start, _possible_tokens(tables, states), at_end=word == _END)
            if action >= 0:
                states.append(action)
                items.append(item)
                break
            rule = tables.rules[-1 - action]
            if rule.passes:
                states[-1] = tables.states[states[-2]][rule.name]
                continue
            reduced = _reduce(rule, items[-rule.length :], build)
            del states[-rule.length :], items[-rule.length :]
            states.append(tables.states[states[-1]][rule.name])
            items.append(reduced)
            if word == _END and states[-1] == tables.ends[start]:
                return reduced.value
    raise AssertionError("the end of a text ends it")


def _tokenize(tables: Tables, text: str, low: int, high: int, states: list[int]) -> Iterator[tuple[str, _Item]]:
    at = low
    while at < high:
        match = tables.words.match(text, at, high)
        if match is None or match.end() == at:
            raise Unexpected(at, _possible_tokens(tables, states))
        if match.lastgroup is not None and match.lastgroup not in tables.skipped:
            yield match.lastgroup, _Item(match[0], at, match.end())
        at = match.end()
    yield _END, _Item("", high, high)


def _reduce(rule: Rule, parts: list[_Item], build: Build) -> _Item:
    children: list[Any] = []
    for number, is_list, absent in rule.keeps:
        children += [None] * absent
        children += parts[number].value if is_list else [parts[number].value]
    children += [None] * rule.absent
    start, end, depth = parts[0].start, parts[-1].end, max(part.depth for part in parts)
    if rule.name.startswith("_"):
        return _Item(children, start, end, depth)
    if rule.single and len(children) == 1:
        return _Item(children[0], start, end, depth)
    depth += rule.form != _ENCLOSED
    if depth > MAX_DEPTH:
        raise TooLarge(start, end)
    return _Item(build(rule.form, children, start, end), start, end, depth)


def _possible_tokens(tables: Tables, states: list[int]) -> list[str]:
    """The names of the tokens that could stand next."""
    here = tables.states[states[-1]]
    return sorted(word for word in here if word in tables.words.groupindex and _is_shifted(tables, [*states], word))


def _is_shifted(tables: Tables, states: list[int], word: str) -> bool:
    """Is a token accepted after the reductions that it causes?"""
    while (action := tables.states[states[-1]].get(word)) is not None and action < 0:
        rule = tables.rules[-1 - action]
        del states[-rule.length :]
        states.append(tables.states[states[-1]][rule.name])
    return action is not None


# ---- tables ----------------------------------------------------------------------------------------------------------


@cache
def load_tables() -> Tables:
    """The shipped tables, or computed ones if the grammar has changed since."""
    data = json.loads((folder("grammar") / "formula.tables.json").read_text(encoding="utf-8"))
    text = _grammar_text()
    if data["grammar"] != _digest(text):
        data = compute_tables(text)
    rules = tuple(_rule_of(*rule) for rule in data["rules"])
    words, skipped = re.compile(data["words"]), frozenset(data["skipped"])
    return Tables(words, skipped, tuple(data["states"]), data["starts"], data["ends"], rules)


def _grammar_text() -> str:
    return (folder("grammar") / "formula.lark").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _rule_of(name: str, form: str, length: int, keeps: list[list[int]], absent: int, single: bool) -> Rule:
    passes = single and length == 1 and not absent and not name.startswith("_") and keeps == [[0, False, 0]]
    kept = tuple((part, bool(is_list), before) for part, is_list, before in keeps)
    return Rule(name, form, length, kept, absent, single, passes)


def compute_tables(text: str = "") -> dict[str, Any]:
    """Compute the tables of a grammar, by default that of formulas, as JSON data."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    text = text or _grammar_text()
    lark = Lark(text, parser="lalr", start=list(_STARTS), maybe_placeholders=True)
    data, memo = lark.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    rules = {number: rule for number, rule in memo.items() if rule["__type__"] == "Rule"}
    numbers = {number: i for i, number in enumerate(rules)}
    places = {state: i for i, state in enumerate(sorted(table["states"]))}

    def encode(action: tuple[int, Any]) -> int:
        return places[action[1]] if action[0] == 0 else -1 - numbers[action[1]["@"]]

    # longer words first, so that `..` is not two points
    terminals = sorted(lark.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    return {
        "grammar": _digest(text),
        "words": "|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in terminals),
        "skipped": list(lark.ignore_tokens),
        "states": [{table["tokens"][w]: encode(a) for w, a in table["states"][state].items()} for state in places],
        "starts": {name: places[state] for name, state in table["start_states"].items()},
        "ends": {name: places[state] for name, state in table["end_states"].items()},
        "rules": [_encode_rule(rule) for rule in rules.values()],
    }


def _encode_rule(rule: dict[str, Any]) -> list[Any]:
    """Name, form, length, kept parts, absent parts, single: see `Rule`."""
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
