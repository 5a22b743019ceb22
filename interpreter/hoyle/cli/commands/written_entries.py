"""Entries of rulesets and libraries as written, as data for `hoyle describe`. Libraries alone cannot be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hoyle.language.phrases import Unreadable, name_of_phrase, parse_phrase
from hoyle.presentation.catalogue import join_sentences, lang, quote_name, t
from hoyle.reading.grammar import step_verbs
from hoyle.reading.tree import STEPS_INSIDE, Node, is_text_key, list_items, texts_of
from hoyle.resources import language_of, words_beside
from hoyle.running.naming import in_language

_STATE = ("kind", "range", "each", "starts", "optional", "renewed", "secret", "track")
"""Keys of state that are shown."""


def get_label(node: Node, name: str) -> str:
    """Return the label of an entry, without bindings."""
    text = in_language(texts_of(node), lang(), name)
    try:
        return name_of_phrase(parse_phrase(text))
    except Unreadable:  # what has no places may hold any braces
        return text


def describe_state(root: Node) -> list[dict[str, Any]]:
    """Return each state entry with its label and its keys, as written."""
    return [
        {
            "name": name,
            "label": get_label(node, name),
            "says": {key: format_node(node[key]) for key in _STATE if node.get(key) is not None},
        }
        for name, node in _list_entries(root, "state")
    ]


def describe_conditions(root: Node, move: str) -> list[dict[str, str]]:
    """Return the conditions of a move with their formulas."""
    moves = root.get("moves")
    found = moves.get(move) if moves is not None else None
    named = _list_entries(found, "if") if found is not None else []
    return [{"name": name, "formula": _format_formula(node)} for name, node in named]


def describe_steps(root: Node, phase: str) -> list[dict[str, Any]]:
    """Return the steps of a phase with their verbs and inner steps."""
    flow = root.get("flow")
    return _describe_step_map(flow[phase]) if flow is not None and phase in flow.pairs else []


def make_state_row(data: Mapping[str, Any]) -> tuple[str, str]:
    label = data["label"] if data["label"] != data["name"] else ""
    says = quote_name(", ".join(f"{key}: {value}" for key, value in data["says"].items()))
    return quote_name(data["name"]), join_sentences(label, says) if label else says


def format_conditions(data: Sequence[Mapping[str, str]]) -> str:
    return t("describe.if", names=", ".join(quote_name(one["name"]) for one in data)) if data else ""


def format_steps(steps: Sequence[Mapping[str, Any]]) -> str:
    """Return the names of steps, with inner steps in parentheses."""
    return ", ".join(
        quote_name(step["name"]) + (f" ({format_steps(step['steps'])})" if step["steps"] else "") for step in steps
    )


def format_node(node: Node) -> str:
    """Return a value on one line."""
    if node.kind == "scalar":
        return " ".join(node.raw.split())
    if node.kind == "list":
        return f"[{', '.join(map(format_node, node.items))}]"
    return f"{{{', '.join(f'{name}: {format_node(value)}' for name, _, value in node.entries())}}}"


def _describe_step_map(node: Node) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "verb": _find_verb(step),
            "steps": [one for key in STEPS_INSIDE for one in _describe_inner_steps(step.get(key))],
        }
        for name, _, step in node.entries()
        if step.kind == "map" and not is_text_key(name)
    ]


def _describe_inner_steps(node: Node | None) -> list[dict[str, Any]]:
    return _describe_step_map(node) if node is not None and node.kind == "map" else []


def _find_verb(step: Node) -> str:
    return next((verb for verb in step_verbs() if step.get(verb) is not None), "")


def _format_formula(node: Node) -> str:
    return format_node(node["is"]) if node.kind == "map" and node.get("is") is not None else format_node(node)


def _list_entries(root: Node, section: str) -> list[tuple[str, Node]]:
    node = root.get(section)
    return [(name, value) for name, _, value in node.entries()] if node is not None else []


_HEAD = re.compile(r"(?:^# .*\n)+", re.MULTILINE)
_FOR_EDITORS = "# yaml-language-server"


def describe_library(root: Node) -> dict[str, Any]:
    """Describe a library: names, labels and rules by section. `comment` is its first comment, translated if possible."""
    name = root.raw_of("library")
    return {
        "library": name,
        "title": _translate(root.get("title"), name),
        "comment": _find_comment(_load_translation(root)) or _find_comment(root.span.source.text),
        "use": [item.raw for item in list_items(root.get("use"))],
        "needs": {
            section: [item.raw for item in list_items(value)] for section, value in _library_entries(root, "needs")
        },
        "options": [
            _describe_named(n, node) | {"values": _list_values(node)} for n, node in _library_entries(root, "options")
        ],
        "tables": [_describe_table(n, node) for n, node in _library_entries(root, "tables")],
        **{key: [_describe_named(n, node) for n, node in _library_entries(root, key)] for key in ("pieces", "piles")},
        "state": describe_state(root),
        "terms": [{"name": n, "formula": " ".join(node.raw.split())} for n, node in _library_entries(root, "terms")],
        "moves": [
            _describe_rule(n, node) | {"conditions": describe_conditions(root, n)}
            for n, node in _library_entries(root, "moves")
        ],
        **{
            key: [_describe_rule(n, node) for n, node in _library_entries(root, key)]
            for key in ("obligations", "whenever")
        },
        "phases": [n for n, _ in _library_entries(root, "flow")],
        "steps": {n: describe_steps(root, n) for n, _ in _library_entries(root, "flow")},
    }


def _load_translation(root: Node) -> str:
    """Return the text of the translation file, or an empty string."""
    beside = words_beside(Path(root.span.source.name))
    return next((path.read_text(encoding="utf-8") for path in beside if language_of(path) == lang()), "")


def _find_comment(text: str) -> str:
    """Return the first comment block."""
    blocks = ([line for line in m[0].splitlines() if not line.startswith(_FOR_EDITORS)] for m in _HEAD.finditer(text))
    return " ".join(line.removeprefix("# ").strip() for line in next(filter(None, blocks), ()))


def _library_entries(root: Node, section: str) -> Iterator[tuple[str, Node]]:
    node = root.get(section)
    yield from ((name, value) for name, _, value in node.entries()) if node is not None else ()


def _translate(node: Node | None, name: str) -> str:
    return in_language(texts_of(node) if node is not None else {}, lang(), name)


def _describe_named(name: str, node: Node) -> dict[str, Any]:
    return {"name": name, "label": get_label(node, name)}


def _list_values(node: Node) -> list[str]:
    """Return the choices of an option, its range, or `bool`."""
    return [item.raw for item in node.items_of("choices")] or [node.raw_of("range") or node.raw_of("kind")]


def collect_symbols(root: Node, table: str) -> dict[str, dict[str, str]]:
    """Map rows of a table to their symbols by language."""
    rows = [(name, row.get("symbol")) for name, row in _library_entries(root["tables"][table], "rows")]
    return {name: texts_of(symbol) for name, symbol in rows if symbol is not None}


def _describe_table(name: str, node: Node) -> dict[str, Any]:
    rows = node.get("rows")
    order = [item.raw for item in node.items_of("order")] or [row for row, _ in _library_entries(node, "rows")]
    found = [(row, rows[row]) for row in order if rows is not None and row in rows.pairs]
    signs = [{"sign": value.raw_of("sign") or None} for _, value in found]
    columns = [column for column, _ in _library_entries(node, "columns")]
    return {
        **_describe_named(name, node),
        "columns": columns,
        "rows": [_describe_named(row, value) | sign for (row, value), sign in zip(found, signs, strict=True)],
    }


def _describe_rule(name: str, node: Node) -> dict[str, Any]:
    rule = node.get("rule")
    return {
        **_describe_named(name, node),
        "at": rule.raw_of("at") if rule is not None else "",
        "text": _translate(rule, ""),
    }


_KEYS = ("for", "is", "numbered", "bar", "off", "order", "held_by", "while")


def describe_hints(root: Node) -> list[dict[str, Any]]:
    """Return the display hints of a library, as written."""
    node = root.get("display")
    entries = node.entries() if node is not None and node.kind == "map" else ()
    said = [(name, value, {key: _get_raw(value, key) for key in _KEYS if value.get(key)}) for name, _, value in entries]
    return [{"name": n, "label": in_language(texts_of(v), lang(), n), "hints": hints} for n, v, hints in said if hints]


def _get_raw(node: Node, key: str) -> str:
    return ", ".join(" ".join(item.raw.split()) for item in list_items(node[key]))
