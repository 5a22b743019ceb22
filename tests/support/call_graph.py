"""Which functions of a preprocessed C text may come to call which."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter


def call_graph(text: str) -> dict[str, set[str]]:
    """Map each function to those that it calls, itself or through a table that it mentions, and each such table to its functions."""
    text = re.sub(r"^#.*$|__attribute__\(\(.*?\)\)\)", "", text, flags=re.MULTILINE)
    functions, tables = {}, {}
    for head, body in _definitions(text):
        if (table := re.search(r"\(\*const (\w+)\[\]\)|(\w+)\s*\[\]\s*=", head)) is not None:
            tables[table[1] or table[2]] = body
        elif "=" not in head and (function := re.search(r"(\w+)\s*\(", head)) is not None:
            functions[function[1]] = body
    found = {name: {*re.findall(r"\w+", body)} & functions.keys() for name, body in tables.items()}
    for name, body in functions.items():
        calls = {*re.findall(r"(?<![\w.>])(\w+)\s*\(", body)} & functions.keys()
        found[name] = calls | ({*re.findall(r"\w+", body)} & tables.keys())
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return [*found.args[1]]
    return []


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    start = opened = depth = 0
    for place in re.finditer(r"[{};]", text):
        at = place.start()
        if place[0] == "{":
            opened = at if depth == 0 else opened
            depth += 1
        elif place[0] == "}":
            depth -= 1
            if depth == 0:
                yield text[start:opened], text[opened : at + 1]
                start = at + 1
        elif depth == 0:
            start = at + 1
