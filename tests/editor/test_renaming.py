"""Whatever a ruleset gives a name to may have another: everything says what it said, and the game is played as it was."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiers import in_tiers

from interpreter import load
from interpreter.editor.desk import Analysis, analysed, judged, own_tree, real
from interpreter.editor.referring import Target
from interpreter.editor.renaming import NAMABLE, NoRename, applied, renamed
from interpreter.editor.symbols import Declared, declared
from interpreter.resources import shipped

NAMES = sorted(shipped())
FOLDER = next(iter(shipped().values())).parent
SPOKEN = "players may be shown a text"
"""A name of one letter needs no words in other languages, and longer ones do: then they must be given first."""
FIXED = "the language itself looks for the name"


def named(path: Path) -> Iterator[Declared]:
    """One of each sort of things that a file gives a name to."""
    tree = own_tree(path, {})
    assert tree is not None
    several = [d for d in declared(tree) if d.symbol.sort in NAMABLE]
    chance = random.Random(path.name)
    for sort in sorted({d.symbol.sort for d in several}):
        yield chance.choice([d for d in several if d.symbol.sort == sort])


def other_name(one: Declared) -> str:
    if one.symbol.sort in ("seats", "rows") and len(one.symbol.name) == 1:
        return "Q"
    return "zz9" if one.symbol.sort == "clauses" else one.symbol.name + "_too"


def nearby(path: Path, folder: Path) -> Path:
    """A copy in a folder of its own, with what it is built on and all words, so that nothing else is built on it."""
    for name in analysed(path, {}).files:
        (folder / Path(name).name).write_bytes(Path(name).read_bytes())
    return folder / path.name


def played(path: Path) -> tuple[object, ...]:
    """How a random game goes on, by the numbers that stand for everything."""
    state, pick = load(path).start(seed=3), random.Random(3)
    for _ in range(12):
        if state.is_over:
            break
        state.play_here(pick.choice(state.moves()))
    return state.core.key()


def try_one(path: Path, known: Analysis, one: Declared) -> dict[Path, str]:
    """The texts with the new name; none where it is rightly refused."""
    target = Target(one.symbol, one.name, None)  # type: ignore[arg-type]
    try:
        found = renamed(known, target, other_name(one), lambda place: analysed(Path(place), {}), lambda _: True, "en")
    except NoRename as refused:
        assert SPOKEN in str(refused) or FIXED in str(refused), (one.symbol, str(refused))
        return {}
    return {Path(place): applied(edits) for place, edits in found.items()}


@pytest.mark.parametrize("name", in_tiers(NAMES, quick=NAMES[::50], whole=NAMES[7::26]))
def test_a_ruleset_with_another_name_in_it_says_what_it_said(name: str, tmp_path: Path) -> None:
    path = nearby(shipped()[name], tmp_path)
    known = analysed(path, {})
    assert [d for d in judged(known) if d.severity == "error"] == []
    for one in named(path):
        try_one(path, known, one)


@pytest.mark.parametrize("name", in_tiers(["cribbage", "belote"], whole=["belote"]))
def test_a_game_with_another_name_in_it_is_played_as_it_was(name: str, tmp_path: Path) -> None:
    path = nearby(shipped()[name], tmp_path)
    known, before = analysed(path, {}), played(path)
    kept = {place: place.read_bytes() for place in tmp_path.iterdir()}
    for one in named(path):
        new = try_one(path, known, one)
        for place, text in new.items():
            place.write_text(text, encoding="utf-8")
        assert not new or played(path) == before, one.symbol
        for place, was in kept.items():
            place.write_bytes(was)


def test_what_cannot_be_named_otherwise_says_why(tmp_path: Path) -> None:
    path = nearby(shipped()["klondike"], tmp_path)
    known = analysed(path, {})
    game = next(d for d in declared(own_tree(path, {})) if (d.symbol.sort, d.symbol.name) == ("phases", "game"))  # type: ignore[arg-type]
    with pytest.raises(NoRename, match=re.escape("`game`")):
        renamed(known, Target(game.symbol, game.name, None), "play", lambda _: known, lambda _: True, "en")  # type: ignore[arg-type]
    assert real(path) in known.files
