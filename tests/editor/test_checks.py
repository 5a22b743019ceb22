"""Checks of an edited text in two steps give the problems of a full check; hover, completion and definitions answer at random places."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tiers import in_tiers, sized

from benchmarks.editing import forget
from hoyle.diagnostics import Diagnostic
from hoyle.editor.analysis import Analysis, Texts, analyse, find_all_problems, resolve_path
from hoyle.editor.completion import complete
from hoyle.editor.hover import find_hover
from hoyle.editor.names.references import find_definitions
from hoyle.editor.names.resolution import Mention, is_in_file, list_mentions
from hoyle.game.examples.static_checks import validate
from hoyle.reading.sources import unsaved
from hoyle.resources import language_of, shipped

FOLDER = Path(__file__).parents[1] / "checking" / "diagnostics"
GOLDEN = sorted(p.name for p in FOLDER.glob("*.yaml") if not language_of(p))


def from_nothing(path: Path, texts: Texts) -> tuple[Diagnostic, ...]:
    forget()
    with unsaved(texts):
        return tuple(validate(str(path)))


@pytest.mark.parametrize("name", in_tiers(GOLDEN[::5], quick=GOLDEN[::200], whole=GOLDEN[::20]))
def test_both_steps_give_the_problems_of_validate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    known = analyse(Path(name), {})
    assert find_all_problems(known) == find_all_problems(known) == from_nothing(Path(name), {})


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
        texts = {resolve_path(path): text}
        known = analyse(path, texts)
        assert {d.code for d in known.problems if d.severity == "error"} <= {d.code for d in find_all_problems(known)}
        assert find_all_problems(known) == from_nothing(path, texts)


# ---- answers at random places ------------------------------------------------------------------------------------------

ASKED = in_tiers(["klondike", "barbu", "belote", "crapette", "coinchee", "backgammon", "tables"], whole=["klondike"])


@cache
def known(name: str) -> Analysis:
    return analyse(shipped()[name], {})


def some_mentions(name: str) -> list[Mention]:
    file = resolve_path(shipped()[name])
    found = {m.span.start: m for m in list_mentions(known(name).trace) if is_in_file(m.span, file)}
    return random.Random(name).sample([found[start] for start in sorted(found)], min(len(found), sized(10, 90)))


@pytest.mark.whole
@pytest.mark.parametrize("name", ASKED)
def test_names_in_formulas_are_explained_defined_and_offered(name: str) -> None:
    place, text = resolve_path(shipped()[name]), shipped()[name].read_text(encoding="utf-8")
    for number, mention in enumerate(some_mentions(name)):
        for at in {mention.span.start, mention.span.end - 1}:
            found = find_hover(known(name), place, at, ("en", "fr")[number % 2])
            assert found is not None, mention.symbol
            head, *lines = found.text.split("\n\n")
            assert head and any(line.strip() for line in lines), (mention.symbol, found.text)
        if mention.symbol.category not in ("words", "locals"):
            assert find_definitions(known(name), place, mention.span.start), mention.symbol
        offered = {offer.name for offer in complete(known(name), place, text, mention.span.start, "en")}
        assert mention.symbol.name in offered or mention.span.text in offered, mention


@pytest.mark.whole
@pytest.mark.parametrize("name", ASKED)
def test_every_offset_is_answered(name: str) -> None:
    place, text = resolve_path(shipped()[name]), shipped()[name].read_text(encoding="utf-8")
    for at in random.Random(name).sample(range(len(text)), sized(10, 90)):
        find_hover(known(name), place, at, "en")
        for offer in complete(known(name), place, text, at, "fr"):
            assert offer.name and offer.category
