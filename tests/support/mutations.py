"""Texts, trees and words changed at random, towards what is likely to hurt. Every change is a function of a `random.Random`."""

import copy
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from hoyle.language.vocabulary import NAMES, WORDS

_DATA = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


def _repeated(text: str, times: int, before: str = "", after: str = "") -> str:
    return before + text * times + after


HOSTILE: list[str] = [text if isinstance(text, str) else _repeated(*text) for text in _DATA["hostile"]]
ODD: list[Any] = _DATA["odd"]
WORDS_OF_FORMULAS: list[str] = [*WORDS, *NAMES, *_DATA["words"]]
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def text(rng: Random, whole: str) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        whole = rng.choice((_tokens, _tokens, _tokens, _lines, _characters))(rng, whole)
    return whole


def _tokens(rng: Random, whole: str) -> str:
    found = _TOKEN.findall(whole) or [""]
    at, other = rng.randrange(len(found)), rng.choice(found)
    match rng.randrange(5):
        case 0:
            found[at] = other
        case 1:
            found[at] = rng.choice(HOSTILE)
        case 2:
            found[at] = rng.choice(WORDS_OF_FORMULAS)
        case 3:
            del found[at : at + rng.choice((1, 1, 3))]
        case _:
            found.insert(at, other)
    return "".join(found)


def _lines(rng: Random, whole: str) -> str:
    found = whole.split("\n")
    at, to = rng.randrange(len(found)), rng.randrange(len(found))
    match rng.randrange(4):
        case 0:
            del found[at]
        case 1:
            found.insert(to, found[at])
        case 2:
            found[at] = " " * rng.randrange(5) + found[at].lstrip()
        case _:
            found[at], found[to] = found[to], found[at]
    return "\n".join(found)


def _characters(rng: Random, whole: str) -> str:
    at = rng.randrange(len(whole) + 1)
    if rng.random() < 0.1:
        return whole[:at]
    return whole[:at] + rng.choice("{}[]:,#&*!|>'\"%@`~-?\t \x00\x07\x1b\u202eé²") + whole[at + rng.randrange(2) :]


def formula(rng: Random, whole: str) -> str:
    """A formula changed, wrapped in another, or made of words that come as they like."""
    match rng.randrange(6):
        case 0:
            return " ".join(rng.choice(WORDS_OF_FORMULAS) for _ in range(rng.randrange(1, 12)))
        case 1:
            return f"{rng.choice(list(WORDS))}({whole}, {rng.choice(WORDS_OF_FORMULAS)})"
        case 2:
            return f"if {whole} then {whole} else {rng.choice(WORDS_OF_FORMULAS)}"
        case 3:
            return f" {rng.choice(('+', '*', 'and', 'or', 'then', '..'))} ".join(
                [f"({whole})"] * rng.choice((2, 3, 60))
            )
        case _:
            return text(rng, whole)


def tree(rng: Random, data: Any) -> Any:
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = _changed(rng, data)
    return data


def _changed(rng: Random, data: Any) -> Any:
    places = list(inner(data))
    if not places:
        return copy.deepcopy(rng.choice(ODD))
    holder, key = rng.choice(places)
    other_holder, other = rng.choice(places)
    match rng.randrange(7):
        case 0:
            holder[key] = copy.deepcopy(rng.choice(ODD))  # what is put in may be changed, too
        case 1:
            holder[key] = rng.choice(HOSTILE)
        case 2:
            holder[key] = copy.deepcopy(other_holder[other])
        case 3:
            del holder[key]
        case 4 if isinstance(holder, dict):
            holder[rng.choice((str(other), rng.choice(HOSTILE), f"{key}s"))] = holder.pop(key)
        case 5 if isinstance(holder[key], str):
            holder[key] = formula(rng, holder[key])
        case _:
            holder[key] = [copy.deepcopy(holder[key])] * rng.choice((1, 2, 30))
    return data


def inner(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside: what holds it, and its key or index."""
    for key, value in (
        list(data.items()) if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    ):
        yield data, key
        yield from inner(value)


def ruleset(rng: Random, whole: str) -> str:
    if rng.random() < 0.4:
        return text(rng, whole)
    data = tree(rng, plain(whole))
    return in_yaml(data)


def in_yaml(data: Any) -> str:
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return str(yaml.dump(data, Dumper=dumper, allow_unicode=True, sort_keys=False, width=1000))


@lru_cache(maxsize=32)
def plain(whole: str) -> Any:
    """Parse a YAML text into Python's own types. Do not change the result: it is shared."""
    return yaml.load(whole, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def words(rng: Random, given: Sequence[str]) -> list[str]:
    """Words of a command line, some of them changed, lost, said twice or in another place."""
    found = list(given)
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(len(found) + 1)
        match rng.randrange(5):
            case 0:
                found.insert(at, rng.choice(found or ["-"]))
            case 1:
                found.insert(at, rng.choice([word for word in HOSTILE if "/" not in word]))
            case 2:
                del found[at : at + 1]
            case 3:
                found[at : at + 1] = [text(rng, "".join(found[at : at + 1])).replace("/", "")]
            case _:
                rng.shuffle(found)
    return found
