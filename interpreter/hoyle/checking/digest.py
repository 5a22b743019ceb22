"""What tells two rulesets apart: everything but examples, translations, hints for the display and what is only told to people, and the options in force."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from hoyle.checking.world import World
from hoyle.language.sentences import FALLBACK
from hoyle.reading.tree import Node, is_text_key

_WORD = re.compile(r"[^\W\d]\w*")
_WORDS = ("en", "short", "let")
"""Where the words of a move stand, and what only they may name."""


def digest(root: Node, world: World) -> str:
    told = list[str]()
    pairs = {
        name: _untranslated(value, told)
        for name, _, value in root.entries()
        if name not in ("examples", "display", "summary", "in_words", "glossary", "unaffected")
    }
    told += _told_of_moves(pairs)
    if told:
        _without_telling(pairs, told)
    values = {name: option.value for name, option in world.options.items()}
    text = json.dumps([pairs, values, world.seats], sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _told_of_moves(pairs: dict[str, Any]) -> list[str]:
    """Leaves out what `let` gives to the words of moves alone, with the places of these words that it fills; returns its formulas."""
    moves = [move for move in _map(pairs, "moves").values() if isinstance(move, dict)]
    lets = {name: formula for move in moves for name, formula in _map(move, "let").items()}
    if not lets:
        return []
    bare = [{key: value for key, value in move.items() if key not in _WORDS} for move in moves]
    only_told = lets.keys() - _words([_text({**pairs, "moves": bare}), *map(_text, lets.values())])
    formulas = [_text(move["let"].pop(name)) for move in moves for name in only_told & _map(move, "let").keys()]
    for move in moves:
        _without_places(move, only_told)
    return formulas


def _without_places(move: dict[str, Any], names: Iterable[str]) -> None:
    for key in ("en", "short"):
        for name in names:
            if isinstance(words := move.get(key), str):
                move[key] = re.sub(rf"\{{{name}(:[^{{}}]*)?\}}", "", words)
    if not move.get("let", True):
        del move["let"]


def _without_telling(pairs: dict[str, Any], told: Iterable[str]) -> None:
    """Leaves out the terms that are there only for what is told."""
    terms = _map(pairs, "terms")
    called = {name.partition("(")[0]: _text(value) for name, value in terms.items()}
    played = _named([_text({**pairs, "terms": None})], called)
    only_told = _named(told, called) - played
    pairs["terms"] = {name: value for name, value in terms.items() if name.partition("(")[0] not in only_told}


def _map(pairs: dict[str, Any], name: str) -> dict[str, Any]:
    """What stands there, unless it was taken away with `~` or is damaged."""
    return found if isinstance(found := pairs.get(name), dict) else {}


def _text(value: object) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def _named(texts: Iterable[str], terms: dict[str, str]) -> set[str]:
    """The terms that these texts name, and those that these name."""
    found, new = set[str](), _words(texts) & terms.keys()
    while new:
        found |= new
        new = (_words(terms[name] for name in new) & terms.keys()) - found
    return found


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def _untranslated(node: Node, told: list[str]) -> Any:
    """The value as plain data, the same whatever languages it is translated to; what is only told goes to `told`."""
    if node.kind != "map":
        return node.plain()
    if node.get("score") is not None or node.get("say") is not None:
        told += [str(of.plain()) for of in [node.get("of")] if of is not None]
    kept = {
        name: _untranslated(value, told)
        for name, _, value in node.entries()
        if (name == FALLBACK or not is_text_key(name)) and not _is_told(name, node, value)
    }
    if isinstance(words := kept.get("words"), dict):
        kept["words"] = {name: said for name, said in words.items() if said}
    for name in ("words", "symbol", "letter"):
        if not kept.get(name, True) and node[name].pairs:
            del kept[name]
    return kept["is"] if set(kept) == {"is"} else kept  # a condition that is a formula alone


def _is_told(name: str, node: Node, value: Node) -> bool:
    """Does this entry only tell something: pieces along with points or words, or that something is over?"""
    if name == "of":
        return node.get("score") is not None or node.get("say") is not None
    return value.kind == "map" and value.get("ends") is not None
