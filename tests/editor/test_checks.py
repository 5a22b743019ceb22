"""Checks of an edited text in two steps, with caches, give the problems of a full check."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiers import in_tiers, sized

from benchmarks.editing import forget
from interpreter.diagnostics import Diagnostic
from interpreter.editor.desk import Texts, analysed, judged, real
from interpreter.game.unplayed import validate
from interpreter.reading.opened import unsaved
from interpreter.resources import language_of, shipped

FOLDER = Path(__file__).parents[1] / "checking" / "diagnostics"
GOLDEN = sorted(p.name for p in FOLDER.glob("*.yaml") if not language_of(p))


def from_nothing(path: Path, texts: Texts) -> tuple[Diagnostic, ...]:
    forget()
    with unsaved(texts):
        return tuple(validate(str(path)))


@pytest.mark.parametrize("name", in_tiers(GOLDEN[::5], quick=GOLDEN[::200], whole=GOLDEN[::20]))
def test_both_steps_give_the_problems_of_validate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    known = analysed(Path(name), {})
    assert judged(known) == judged(known) == from_nothing(Path(name), {})


WORD = re.compile(r"[A-Za-z_]{3,}|[<>+*()]|\d+")


def edits(text: str, chance: random.Random) -> Iterator[str]:
    """Edited texts, each from the last one or the original: words are removed, changed, exchanged."""
    now = text
    for _ in range(sized(3, 6)):
        one, other = (chance.choice([*WORD.finditer(now)]) for _ in range(2))
        new = chance.choice(["", one[0][:-1], one[0] + "x", other[0], f"{one[0]} {other[0]}", one[0] + "\n"])
        now = now[: one.start()] + new + now[one.end() :]
        yield now
        now = chance.choice([now, text])


NAMES = ["yukon", "klondike", "gin-rummy", "french", "cribbage", "belote", "piquet", "yams", "spades", "barbu-contre"]


@pytest.mark.parametrize("name", in_tiers(NAMES, whole=["yukon"]))
def test_caches_are_never_stale_after_edits(name: str) -> None:
    path, chance = shipped()[name], random.Random(name)
    for text in edits(path.read_text(encoding="utf-8"), chance):
        texts = {real(path): text}
        known = analysed(path, texts)
        assert {d.code for d in known.problems if d.severity == "error"} <= {d.code for d in judged(known)}
        assert judged(known) == from_nothing(path, texts)
