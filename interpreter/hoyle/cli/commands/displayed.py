"""What `hoyle describe` tells of the hints at how things lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hoyle.cli.catalogue import lang, t, typed
from hoyle.language.display import PileHint, ShownValue, StateHint
from hoyle.language.ir import Expr
from hoyle.language.model import Ruleset
from hoyle.reading.tree import Node, listed, texts_of
from hoyle.running.naming import in_language

_KEYS = ("for", "is", "numbered", "bar", "off", "order", "held_by", "while")


def of_rules(found: Ruleset) -> list[dict[str, Any]]:
    """By name of a pile, of state or of a value that is shown: what is said of it, as it is written."""
    display = found.display
    words = {name: pile.words for name, pile in found.piles.items()}
    words |= {name: state.words for name, state in found.state.items()}
    words |= {name: value.words for name, value in display.values.items()}
    rows = [
        (name, in_language(words[name], lang(), name), dict(_said(hint)))
        for part in (display.piles, display.state, display.values)
        for name, hint in part.items()
    ]
    return [{"name": name, "label": label, "hints": said} for name, label, said in rows if said]


def _said(hint: PileHint | StateHint | ShownValue) -> Iterator[tuple[str, str]]:
    if isinstance(hint, ShownValue):
        if hint.loop is not None:
            where = f" where {_text(hint.loop.where)}" if hint.loop.where is not None else ""
            yield "for", f"{hint.loop.var.name} in {_text(hint.loop.items)}{where}"
        yield "is", _text(hint.value)
    elif isinstance(hint, PileHint):
        yield from _of_pile(hint)
    yield from [("held_by", _text(hint.holder.player))] if hint.holder is not None else []
    yield from [("while", _text(hint.shown))] if hint.shown is not None else []


def _of_pile(hint: PileHint) -> Iterator[tuple[str, str]]:
    if hint.board is not None:
        yield from [("numbered", _text(hint.board.number))] if hint.board.number is not None else []
        yield from ((key, name) for key, name in (("bar", hint.board.bar), ("off", hint.board.off)) if name)
    yield from [("order", ", ".join(map(_text, hint.order)))] if hint.order else []


def _text(expr: Expr) -> str:
    return " ".join(expr.span.text.split())


def of_tree(root: Node) -> list[dict[str, Any]]:
    """The same of a library, which alone cannot be checked."""
    node = root.get("display")
    entries = node.entries() if node is not None and node.kind == "map" else ()
    said = [(name, value, {key: _raw(value, key) for key in _KEYS if value.get(key)}) for name, _, value in entries]
    return [{"name": n, "label": in_language(texts_of(v), lang(), n), "hints": hints} for n, v, hints in said if hints]


def _raw(node: Node, key: str) -> str:
    return ", ".join(" ".join(item.raw.split()) for item in listed(node[key]))


def row(data: Mapping[str, Any]) -> tuple[str, str]:
    label = [data["label"]] if data["label"] != data["name"] else []
    hints = [t(f"describe.hint.{key}", value=typed(value)) for key, value in data["hints"].items()]
    return typed(data["name"]), ", ".join(label + hints)
