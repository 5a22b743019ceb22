"""The Python of decisions and of rules that act by themselves, as text: what is tested early, computed once and tried again.

`code.yaml` is the ruleset, `code.out` the code; the header of a function names the lines of the ruleset that it comes from. After
a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoyle import Game, load

FOLDER = Path(__file__).parent
ALIKE = {"first", "only", "other", "called", "among", "times", "strict"}
"""Decisions whose obligations change nothing in how their actions are done: those are moves of others."""


def told(game: Game) -> Iterator[str]:
    """The code of each decision: list its actions, do one, end it; of steps that rules follow; then of other functions."""
    code = dict(re.findall(r"^def (\w+)(.*\n(?: .*\n)*)", game.machine.source, re.MULTILINE))
    for name, text in code.items():
        head, _, body = text.partition("  # ")
        lines = {line for *_, line in game.machine.function(name).__code__.co_lines() if line}
        code[name] = f"{head}  # {' '.join(map(str, sorted(lines)))}{body[body.index(chr(10)) :]}"
    for label, point in game.machine.points.items():
        yield f"--- {' / '.join(point.path)}: {', '.join(o.name for o in point.obey)}\n"
        ways = "be" if point.path[-1] in ALIKE else "bae"
        yield from (f"{way}{code[f'{way}{label}']}" for way in ways if f"{way}{label}" in code)
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
