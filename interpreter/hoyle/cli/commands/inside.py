"""What `hoyle describe` tells of the entries that a variant changes, as they are written: state, conditions of moves, steps of phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle.cli.catalogue import both, lang, t, typed
from hoyle.language.phrases import Unreadable, bare, phrase_of
from hoyle.reading.grammar import verbs
from hoyle.reading.tree import STEPS_INSIDE, Node, is_text_key, texts_of
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
    says = typed(", ".join(f"{key}: {value}" for key, value in data["says"].items()))
    return typed(data["name"]), both(label, says) if label else says


def condition_names(data: Sequence[Mapping[str, str]]) -> str:
    return t("describe.if", names=", ".join(typed(one["name"]) for one in data)) if data else ""


def steps_line(steps: Sequence[Mapping[str, Any]]) -> str:
    """Their names, those inside one in parentheses behind it."""
    return ", ".join(
        typed(step["name"]) + (f" ({steps_line(step['steps'])})" if step["steps"] else "") for step in steps
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
