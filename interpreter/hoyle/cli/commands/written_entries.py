"""What `hoyle describe` tells of the entries that a variant changes, as they are written: state, conditions of moves, steps of phases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hoyle.language.phrases import Unreadable, bare, phrase_of
from hoyle.presentation.catalogue import join_sentences, lang, quote_name, t
from hoyle.reading.grammar import verbs
from hoyle.reading.tree import STEPS_INSIDE, Node, is_text_key, listed, texts_of
from hoyle.resources import language_of, words_beside
from hoyle.running.naming import in_language

_STATE = ("kind", "range", "each", "starts", "optional", "renewed", "secret", "track")
"""What is told of state: not how it is shown."""


def called(node: Node, name: str) -> str:
    """What an entry is called, whatever it is bound to."""
    text = in_language(texts_of(node), lang(), name)
    try:
        return bare(phrase_of(text))
    except Unreadable:  # what has no places may hold any braces
        return text


def state_of(root: Node) -> list[dict[str, Any]]:
    """Each entry with what it is called and what is said of it, by key, as it is written."""
    return [
        {
            "name": name,
            "label": called(node, name),
            "says": {key: written(node[key]) for key in _STATE if node.get(key) is not None},
        }
        for name, node in _entries(root, "state")
    ]


def conditions_of(root: Node, move: str) -> list[dict[str, str]]:
    """The conditions of a move by name, each with its formula."""
    moves = root.get("moves")
    found = moves.get(move) if moves is not None else None
    named = _entries(found, "if") if found is not None else []
    return [{"name": name, "formula": _formula(node)} for name, node in named]


def steps_of(root: Node, phase: str) -> list[dict[str, Any]]:
    """The steps of a phase, with the verb of each and those inside it."""
    flow = root.get("flow")
    return _steps(flow[phase]) if flow is not None and phase in flow.pairs else []


def state_row(data: Mapping[str, Any]) -> tuple[str, str]:
    label = data["label"] if data["label"] != data["name"] else ""
    says = quote_name(", ".join(f"{key}: {value}" for key, value in data["says"].items()))
    return quote_name(data["name"]), join_sentences(label, says) if label else says


def condition_names(data: Sequence[Mapping[str, str]]) -> str:
    return t("describe.if", names=", ".join(quote_name(one["name"]) for one in data)) if data else ""


def steps_line(steps: Sequence[Mapping[str, Any]]) -> str:
    """Their names, those inside one in parentheses behind it."""
    return ", ".join(
        quote_name(step["name"]) + (f" ({steps_line(step['steps'])})" if step["steps"] else "") for step in steps
    )


def written(node: Node) -> str:
    """A value on one line, as it might be written."""
    if node.kind == "scalar":
        return " ".join(node.raw.split())
    if node.kind == "list":
        return f"[{', '.join(map(written, node.items))}]"
    return f"{{{', '.join(f'{name}: {written(value)}' for name, _, value in node.entries())}}}"


def _steps(node: Node) -> list[dict[str, Any]]:
    return [
        {"name": name, "verb": _verb(step), "steps": [one for key in STEPS_INSIDE for one in _steps_in(step.get(key))]}
        for name, _, step in node.entries()
        if step.kind == "map" and not is_text_key(name)
    ]


def _steps_in(node: Node | None) -> list[dict[str, Any]]:
    return _steps(node) if node is not None and node.kind == "map" else []


def _verb(step: Node) -> str:
    return next((verb for verb in verbs() if step.get(verb) is not None), "")


def _formula(node: Node) -> str:
    return written(node["is"]) if node.kind == "map" and node.get("is") is not None else written(node)


def _entries(root: Node, section: str) -> list[tuple[str, Node]]:
    node = root.get(section)
    return [(name, value) for name, _, value in node.entries()] if node is not None else []


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
        "needs": {section: [item.raw for item in listed(value)] for section, value in _library_entries(root, "needs")},
        "options": [_named(n, node) | {"values": _values(node)} for n, node in _library_entries(root, "options")],
        "tables": [_table(n, node) for n, node in _library_entries(root, "tables")],
        **{key: [_named(n, node) for n, node in _library_entries(root, key)] for key in ("pieces", "piles")},
        "state": state_of(root),
        "terms": [{"name": n, "formula": " ".join(node.raw.split())} for n, node in _library_entries(root, "terms")],
        "moves": [
            _rule(n, node) | {"conditions": conditions_of(root, n)} for n, node in _library_entries(root, "moves")
        ],
        **{key: [_rule(n, node) for n, node in _library_entries(root, key)] for key in ("obligations", "whenever")},
        "phases": [n for n, _ in _library_entries(root, "flow")],
        "steps": {n: steps_of(root, n) for n, _ in _library_entries(root, "flow")},
    }


def _in_words(root: Node) -> str:
    """The file of words beside it in the language of what is shown."""
    beside = words_beside(Path(root.span.source.name))
    return next((path.read_text(encoding="utf-8") for path in beside if language_of(path) == lang()), "")


def _comment(text: str) -> str:
    """The first comment that has lines of its own."""
    blocks = ([line for line in m[0].splitlines() if not line.startswith(_FOR_EDITORS)] for m in _HEAD.finditer(text))
    return " ".join(line.removeprefix("# ").strip() for line in next(filter(None, blocks), ()))


def _library_entries(root: Node, section: str) -> Iterator[tuple[str, Node]]:
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
    rows = [(name, row.get("symbol")) for name, row in _library_entries(root["tables"][table], "rows")]
    return {name: texts_of(symbol) for name, symbol in rows if symbol is not None}


def _table(name: str, node: Node) -> dict[str, Any]:
    rows = node.get("rows")
    order = [item.raw for item in node.items_of("order")] or [row for row, _ in _library_entries(node, "rows")]
    found = [(row, rows[row]) for row in order if rows is not None and row in rows.pairs]
    signs = [{"sign": value.raw_of("sign") or None} for _, value in found]
    columns = [column for column, _ in _library_entries(node, "columns")]
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


_KEYS = ("for", "is", "numbered", "bar", "off", "order", "held_by", "while")


def of_tree(root: Node) -> list[dict[str, Any]]:
    """The same of a library, which alone cannot be checked."""
    node = root.get("display")
    entries = node.entries() if node is not None and node.kind == "map" else ()
    said = [(name, value, {key: _raw(value, key) for key in _KEYS if value.get(key)}) for name, _, value in entries]
    return [{"name": n, "label": in_language(texts_of(v), lang(), n), "hints": hints} for n, v, hints in said if hints]


def _raw(node: Node, key: str) -> str:
    return ", ".join(" ".join(item.raw.split()) for item in listed(node[key]))
