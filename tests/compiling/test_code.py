"""What Python is written for decisions and for rules that act by themselves, letter for letter: what is looked for first, tested
early, computed once, and tried again only after what can wake it; and from which lines of the ruleset it comes.

`code.yaml` is the ruleset, `code.out` the code. After a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import Game, load

FOLDER = Path(__file__).parent


def told(game: Game) -> Iterator[str]:
    """The code of each decision: what lists its actions, then what does one; of steps that rules follow; then all that is no block."""
    code = dict(re.findall(r"^def (\w+)(.*\n(?: .*\n)*)", game.machine.source, re.MULTILINE))
    for name in code:
        lines = {line for *_, line in game.machine.function(name).__code__.co_lines() if line}
        code[name] += f"    # lines: {' '.join(map(str, sorted(lines)))}\n"
    for label, point in game.machine.points.items():
        yield f"--- {' / '.join(point.path)}: {', '.join(o.name for o in point.obey)}\n"
        yield from (f"{way}{code[f'{way}{label}']}" for way in "bae" if f"{way}{label}" in code)
    for place in game.machine.places:
        if "settle_" in code[f"b{place.label}"]:
            yield f"--- {' / '.join(place.path)}\nb{code[f'b{place.label}']}"
    yield from (f"{name}{body}" for name, body in code.items() if not re.fullmatch(r"[abe]\d+", name))


def test_the_code_of_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    found = "".join(told(load("code.yaml")))
    out = FOLDER / "code.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")
