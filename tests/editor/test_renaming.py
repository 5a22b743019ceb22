"""Renaming anything that a ruleset names changes neither its problems nor its games."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rules import watched_at
from tiers import in_tiers

from hoyle import load
from hoyle.diagnostics import Source, Span
from hoyle.editor.analysis import Analysis, analyse, load_tree, resolve_path
from hoyle.editor.names.plain_names import Use
from hoyle.editor.names.references import Target, find_references
from hoyle.editor.names.renaming import RENAMABLE, RenameError, apply_edits, rename_symbol, write_name
from hoyle.editor.names.symbols import Declaration, Symbol, list_declarations
from hoyle.resources import shipped

SPOKEN = "players may be shown a text"
"""Part of a refusal: names of more than one letter need words in other languages first."""
FIXED = "the language itself looks for the name"


def named(path: Path) -> Iterator[Declaration]:
    tree = load_tree(path, {})
    assert tree is not None
    several = [d for d in list_declarations(tree) if d.symbol.category in RENAMABLE]
    chance = random.Random(path.name)
    for sort in sorted({d.symbol.category for d in several}):
        yield chance.choice([d for d in several if d.symbol.category == sort])


def other_name(one: Declaration) -> str:
    if one.symbol.category in ("seats", "rows") and len(one.symbol.name) == 1:
        return "Q"
    return "zz9" if one.symbol.category == "clauses" else one.symbol.name + "_too"


def nearby(path: Path, folder: Path) -> Path:
    """Copy a ruleset, its bases and their words into a folder without other rulesets."""
    for name in analyse(path, {}).files:
        (folder / Path(name).name).write_bytes(Path(name).read_bytes())
    return folder / path.name


def played(path: Path) -> tuple[object, ...]:
    state, pick = load(path).start(seed=3), random.Random(3)
    for _ in range(12):
        if state.is_over:
            break
        state.play_here(pick.choice(state.moves()))
    return state.core.key()


def analyse_saved(path: str) -> Analysis:
    return analyse(Path(path), {})


def try_one(path: Path, known: Analysis, one: Declaration) -> dict[Path, str]:
    """Rename and return the changed texts; none if it is rightly refused."""
    target = Target(one.symbol, one.name)
    try:
        found = rename_symbol(known, target, other_name(one), analyse_saved, lambda _: True, "en")
    except RenameError as refused:
        assert SPOKEN in str(refused) or FIXED in str(refused), (one.symbol, str(refused))
        return {}
    return {Path(place): apply_edits(edits) for place, edits in found.items()}


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["watched", "cribbage", "belote"], whole=["watched"]))
def test_renamed_rulesets_play_the_same_games(name: str, tmp_path: Path) -> None:
    path = nearby(shipped()[name], tmp_path) if name in shipped() else watched_at(tmp_path)
    known, before, renamings = analyse(path, {}), played(path), 0
    kept = {place: place.read_bytes() for place in tmp_path.iterdir()}
    for one in named(path):
        new = try_one(path, known, one)
        renamings += bool(new)
        for place, text in new.items():
            place.write_text(text, encoding="utf-8")
        assert not new or played(path) == before, one.symbol
        for place, was in kept.items():
            place.write_bytes(was)
    assert renamings > 3


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["whist", "klondike", "cribbage", "barbu"], whole=["klondike"]))
def test_references_have_the_name_they_refer_to(name: str, tmp_path: Path) -> None:
    path = nearby(shipped()[name], tmp_path)
    known = analyse(path, {})
    for one in named(path):
        target = Target(one.symbol, one.name)
        uses = find_references(known, target, analyse_saved)
        texts = {re.sub("[-_]", " ", use.span.text) for use in uses}
        plain = one.symbol.name.replace("_", " ")
        assert one.name in [use.span for use in uses] and len(uses) > 1, one.symbol
        assert texts <= {plain, plain.removesuffix("s")}, one.symbol


def test_new_names_are_written_in_the_form_of_the_use() -> None:
    span, table = Span(Source("x", "pile"), 0, 4), Symbol("tables", "piles")
    assert write_name(Use(span, is_singular=True), table, "heaps") == "heap"
    assert write_name(Use(span, in_move=True), table, "heaps") == "heaps"


@pytest.mark.whole
def test_fixed_names_are_refused_with_the_reason(tmp_path: Path) -> None:
    path = nearby(shipped()["klondike"], tmp_path)
    known = analyse(path, {})
    assert known.root is not None
    names = {(d.symbol.category, d.symbol.name): d for d in list_declarations(known.root)}
    game, clause = names["phases", "game"], names["clauses", "K4"]
    with pytest.raises(RenameError, match=re.escape("`game`")):
        rename_symbol(known, Target(game.symbol, game.name), "play", lambda _: known, lambda _: True, "en")
    assert resolve_path(path) in known.files
    edits = rename_symbol(known, Target(clause.symbol, clause.name), "zz9", lambda _: known, lambda _: True, "en")
    assert "at: zz9" in "".join(map(apply_edits, edits.values()))
