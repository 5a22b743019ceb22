"""What a call takes: shown while its arguments are typed."""

from __future__ import annotations

import re

from msgspec import Struct

from hoyle.diagnostics import told
from hoyle.editor.desk import Analysis
from hoyle.editor.hovering import meant
from hoyle.editor.symbols import Symbol
from hoyle.editor.where import where
from hoyle.language.vocabulary import WORDS


class Signature(Struct, frozen=True):
    """How a call is written, what it means, its parameters, and at which of them the pointer stands."""

    label: str
    meaning: str
    parameters: tuple[str, ...]
    active: int


def signature(analysis: Analysis, text: str, offset: int, lang: str) -> Signature | None:
    """Of the innermost call around the pointer."""
    called = _call(where(text, offset).said)
    if called is None:
        return None
    name, active = called
    if name in WORDS:
        usage = WORDS[name].usage
        inside = re.findall(r"[^,()]+", usage.partition("(")[2].partition(")")[0])
        return Signature(usage, told(WORDS[name].meaning, lang), tuple(part.strip() for part in inside), active)
    world = analysis.hearing.world
    term = world.terms.get(name) if world is not None else None
    if term is None:
        return None
    label = f"{name}({', '.join(term.parameters)})"
    return Signature(label, meant(analysis, Symbol("terms", name), lang), term.parameters, active)


def _call(said: str) -> tuple[str, int] | None:
    """The name before the bracket that is open last, and how many commas stand since."""
    waiting: list[tuple[str, int]] = []
    for found in re.finditer(r"(\w*)\s*\(|[),\[\]]", said):
        if found[0].endswith("("):
            waiting.append((found[1], 0))
        elif found[0] == "[":
            waiting.append(("", 0))
        elif found[0] in ")]" and waiting:
            waiting.pop()
        elif found[0] == "," and waiting:
            waiting[-1] = (waiting[-1][0], waiting[-1][1] + 1)
    return waiting[-1] if waiting and waiting[-1][0] else None
