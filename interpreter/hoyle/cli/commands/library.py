"""What a library brings, read from its tree: of a library alone nothing can be checked that its users have to say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hoyle.cli.catalogue import lang
from hoyle.cli.commands.inside import called, conditions_of, state_of, steps_of
from hoyle.reading.tree import Node, listed, texts_of
from hoyle.resources import language_of, words_beside
from hoyle.running.naming import in_language

_HEAD = re.compile(r"(?:^# .*\n)+", re.MULTILINE)
_FOR_EDITORS = "# yaml-language-server"


def data_of(root: Node) -> dict[str, Any]:
    """Its names by section, what they are called and what the rules among them say; `comment` is what stands at its
    top, or at that of its words in another language."""
    name = root.raw_of("library")
    return {
        "library": name,
        "title": _called(root.get("title"), name),
        "comment": _comment(_in_words(root)) or _comment(root.span.source.text),
        "use": [item.raw for item in listed(root.get("use"))],
        "needs": {section: [item.raw for item in listed(value)] for section, value in _entries(root, "needs")},
        "options": [_named(n, node) | {"values": _values(node)} for n, node in _entries(root, "options")],
        "tables": [_table(n, node) for n, node in _entries(root, "tables")],
        **{key: [_named(n, node) for n, node in _entries(root, key)] for key in ("pieces", "piles")},
        "state": state_of(root),
        "terms": [{"name": n, "formula": " ".join(node.raw.split())} for n, node in _entries(root, "terms")],
        "moves": [_rule(n, node) | {"conditions": conditions_of(root, n)} for n, node in _entries(root, "moves")],
        **{key: [_rule(n, node) for n, node in _entries(root, key)] for key in ("obligations", "whenever")},
        "phases": [n for n, _ in _entries(root, "flow")],
        "steps": {n: steps_of(root, n) for n, _ in _entries(root, "flow")},
    }


def _in_words(root: Node) -> str:
    """The file of words beside it in the language of what is shown."""
    beside = words_beside(Path(root.span.source.name))
    return next((path.read_text(encoding="utf-8") for path in beside if language_of(path) == lang()), "")


def _comment(text: str) -> str:
    """The first comment that has lines of its own."""
    blocks = ([line for line in m[0].splitlines() if not line.startswith(_FOR_EDITORS)] for m in _HEAD.finditer(text))
    return " ".join(line.removeprefix("# ").strip() for line in next(filter(None, blocks), ()))


def _entries(root: Node, section: str) -> Iterator[tuple[str, Node]]:
    node = root.get(section)
    yield from ((name, value) for name, _, value in node.entries()) if node is not None else ()


def _called(node: Node | None, name: str) -> str:
    return in_language(texts_of(node) if node is not None else {}, lang(), name)


def _named(name: str, node: Node) -> dict[str, Any]:
    return {"name": name, "label": called(node, name)}


def _values(node: Node) -> list[str]:
    """The choices of an option, or its range; of a `kind` that is `bool`."""
    return [item.raw for item in node.items_of("choices")] or [node.raw_of("range") or node.raw_of("kind")]


def symbols_of(root: Node, table: str) -> dict[str, dict[str, str]]:
    """What people read instead of the signs of a table's rows."""
    rows = [(name, row.get("symbol")) for name, row in _entries(root["tables"][table], "rows")]
    return {name: texts_of(symbol) for name, symbol in rows if symbol is not None}


def _table(name: str, node: Node) -> dict[str, Any]:
    rows = node.get("rows")
    order = [item.raw for item in node.items_of("order")] or [row for row, _ in _entries(node, "rows")]
    found = [(row, rows[row]) for row in order if rows is not None and row in rows.pairs]
    signs = [{"sign": value.raw_of("sign") or None} for _, value in found]
    columns = [column for column, _ in _entries(node, "columns")]
    return {
        **_named(name, node),
        "columns": columns,
        "rows": [_named(row, value) | sign for (row, value), sign in zip(found, signs, strict=True)],
    }


def _rule(name: str, node: Node) -> dict[str, Any]:
    rule = node.get("rule")
    return {
        **_named(name, node),
        "at": rule.raw_of("at") if rule is not None else "",
        "text": _called(rule, ""),
    }
