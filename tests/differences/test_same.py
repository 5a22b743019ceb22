"""What means the same is no difference, however it is spelt; what is only called otherwise is told as that."""

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from respelling import Edit, respellings, respelt
from test_differences import CASES, GAME, edited, kinds, written
from tiers import examples, in_tiers, sized

from hoyle.checking import build
from hoyle.diagnostics import Refused
from hoyle.differences.changes import Change
from hoyle.differences.compared_ruleset import ComparedRuleset, load_side
from hoyle.differences.detection import find_changes
from hoyle.editor.analysis import Analysis, analyse, load_tree, resolve_path
from hoyle.editor.names.references import find_declarations, find_target, list_symbols
from hoyle.editor.names.renaming import RENAMABLE, RenameError, apply_edits, rename_symbol
from hoyle.editor.names.symbols import Symbol

NAME = "quite_other"
SPELT = in_tiers(["game", "barbu", "cribbage", "scopa"], whole=("game",))
DEEPEST = 5
"""So many laws, one in what the other has written."""


def text_of(name: str) -> str:
    return GAME if name == "game" else build.find_ruleset(name).read_text(encoding="utf-8")


@cache
def _known(name: str, folder: Path) -> ComparedRuleset:
    place = folder / f"{name}.yaml"
    place.write_text(text_of(name), encoding="utf-8")
    return load_side(place, {})


def _edits(place: Path, text: str) -> list[Edit]:
    place.write_text(text, encoding="utf-8")
    root = load_tree(place, {})
    assert root is not None
    return respellings(root)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("same")


@pytest.mark.whole
@pytest.mark.parametrize("name", SPELT)
@given(st.data())
@settings(max_examples=examples(4, 40, part=10), deadline=None)
def test_another_spelling_is_no_difference(name: str, folder: Path, data: st.DataObject) -> None:
    place = folder / f"{name}-other.yaml"
    known = _known(name, folder)
    picks = data.draw(st.lists(st.integers(0, 2**20), min_size=1, max_size=DEEPEST))
    text, before, after = respelt(text_of(name), picks, lambda text: _edits(place, text))
    place.write_text(text, encoding="utf-8")
    try:
        found = find_changes(known, load_side(place, {}))
    except Refused:  # parentheses around a name that only one place knows
        return
    assert kinds(found) == [], (before, after)


# ---- names -----------------------------------------------------------------------------------------------------------


def names_in(analysis: Analysis) -> list[Symbol]:
    """What this file alone gives names to, and what may have another."""
    own = resolve_path(analysis.path)
    return [
        symbol
        for symbol in list_symbols(analysis)
        if symbol.category in RENAMABLE
        and symbol.name != "sign"  # which is what records write, so no other name does
        and (places := find_declarations(analysis, symbol))
        and {resolve_path(place.name.source.name) for place in places} == {own}
    ]


def called(analysis: Analysis, symbol: Symbol) -> str | None:
    """The text with another name, as the editor writes it; None where it refuses to."""
    own = resolve_path(analysis.path)
    found = find_target(analysis, own, find_declarations(analysis, symbol)[0].name.start)
    assert found is not None
    try:
        edits = rename_symbol(analysis, found, NAME, lambda place: analyse(Path(place), {}), lambda place: True, "en")
    except RenameError:
        return None
    return apply_edits(edits[own]) if set(edits) == {own} else None


def only_called(found: list[Change]) -> bool:
    return all(
        change.kind == "renamed" or {detail.kind for detail in change.details} == {"renamed"} for change in found
    )


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["game", "klondike", "barbu"], whole=("game",)))
def test_another_name_is_told_as_one(name: str, folder: Path) -> None:
    place = folder / f"{name}-names.yaml"
    place.write_text(text_of(name), encoding="utf-8")
    one, analysis = load_side(place, {}), analyse(place, {})
    every = names_in(analysis)
    tried = 0
    for symbol in random.Random(name).sample(every, min(sized(4, 15), len(every))):
        text = called(analysis, symbol)
        if text is None:
            continue
        try:
            other = written(text, folder / f"{name}-called.yaml")
        except Refused:
            continue
        tried += 1
        found = find_changes(one, other)
        assert only_called(found), (symbol, kinds(found))
        assert len(found) <= 2, (symbol, kinds(found))
    assert tried


@pytest.mark.whole
@pytest.mark.parametrize(("sort", "name"), CASES["shared"])
def test_a_name_that_stands_in_unusual_places_is_told_as_one(sort: str, name: str, tmp_path: Path) -> None:
    text = edited(GAME, CASES["sharing"])
    one = written(text, tmp_path / "a.yaml")
    analysis = analyse(tmp_path / "a.yaml", {})
    (symbol,) = [found for found in names_in(analysis) if (found.category, found.name) == (sort, name)]
    other = called(analysis, symbol)
    assert other is not None and other != text
    found = find_changes(one, written(other, tmp_path / "b.yaml"))
    assert only_called(found), [(kinds([change]), change.details) for change in found]


@pytest.mark.whole
@pytest.mark.parametrize(("edits", "told"), CASES["beside"])
def test_seats_constraints_and_what_is_shown_are_compared_by_what_they_mean(
    edits: dict[str, str], told: list[list[str]], tmp_path: Path
) -> None:
    text = edited(GAME, CASES["told"]) + CASES["shown"]
    found = find_changes(written(text, tmp_path / "a.yaml"), written(edited(text, edits), tmp_path / "b.yaml"))
    assert [[change.kind, change.section] for change in found if not only_called([change])] == told


@pytest.mark.whole
@pytest.mark.parametrize(("old", "new", "before", "after", "named", "changed"), CASES["both"])
def test_another_name_and_another_number_are_told_as_both(
    old: str, new: str, before: str, after: str, named: str | None, changed: str, tmp_path: Path
) -> None:
    text = GAME.replace(old, new).replace(before.replace(old, new), after)
    text = text.replace("choose: [play, pass]", "choose: [play, leave it]") if old == "pass:" else text
    found = find_changes(written(GAME, tmp_path / "a.yaml"), written(text, tmp_path / "b.yaml"))
    assert text != GAME
    expected = sorted([("replaced", changed), *([("renamed", named)] if named else [])])
    assert sorted((change.kind, change.section) for change in found) == expected
