"""Sentences of shipped rulesets: they mention the options that they depend on, and are translated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games import names, originals
from msgspec import Struct
from rules import read_cases
from stated import elsewhere, excused, says, stated
from tiers import in_tiers

import hoyle
from hoyle.checking.build import check_file
from hoyle.checking.translations import list_shown
from hoyle.diagnostics import Problems
from hoyle.game.game import Game
from hoyle.language.ir import Const, Local
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.prose.simplification import TooLong, simplify_formula
from hoyle.reading.sources import read
from hoyle.reading.tree import Node, text_nodes
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped, words_beside

CASES = read_cases("rulesets/stated")

NAMES = [name for name, _ in names()]
MADE = """\
ruleset: 1
game: made
extends: gin-rummy
title: Made
clauses:
  GR12: {en: "Gin is worth {undercut_bonus} points.", fr: Le gin vaut vingt-cinq points.}
  GR13: {en: "The difference is scored, not 25.", fr: On marque la différence.}
  GR14: {en: "Undercut, one scores {undercut_bonus} points.", fr: "On marque {undercut_bonus} points."}
  GR18: {en: "A box is {box_bonus} points, elsewhere twenty.", fr: "{box_bonus} points par donne, ailleurs vingt.", if: ~}
  GR2: {en: "By agreement, an ace counts fifteen.", fr: Un as compte quinze., if: aces is round_the_corner}
"""


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(NAMES, whole=["gin-rummy"]))
def test_no_sentence_says_by_hand_a_number_that_an_option_settles(name: str) -> None:
    found = {f"{one.place} {one.option}": f"{one.lang}: {one.text}" for one in stated(name)}
    assert {place: text for place, text in found.items() if place not in excused("numbers", name)} == {}
    assert excused("numbers", name) - found.keys() == set(), "reasons that nothing needs any more"


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(NAMES, whole=["gin-rummy"]))
def test_no_sentence_tells_what_would_hold_if_something_else_were_agreed(name: str) -> None:
    found = {one.place: f"{one.lang}: {one.text}" for one in elsewhere(name)}
    assert {place: text for place, text in found.items() if place not in excused("agreed", name)} == {}
    assert excused("agreed", name) - found.keys() == set(), "reasons that nothing needs any more"


@pytest.mark.whole
def test_what_is_said_by_hand_is_found(tmp_path: Path) -> None:
    """Not where the number is another thing, or the clause does not hold."""
    place = tmp_path / "made.yaml"
    place.write_text(MADE, encoding="utf-8")
    assert {(one.place, one.option, one.lang) for one in stated(str(place))} == {("GR12", "gin_bonus", "fr")}
    assert {(one.place, one.lang) for one in elsewhere(str(place))} == {("GR18", "en"), ("GR18", "fr")}


@pytest.mark.parametrize(
    ("number", "lang", "text", "said"),
    CASES["numbers are known as they are written"],
)
def test_numbers_are_known_as_they_are_written(number: int, lang: str, text: str, said: bool) -> None:
    assert says(text, number, lang) is said


def _dump(found: Any) -> Any:
    """A formula without places and types, variables by their names."""
    if isinstance(found, Local):
        return found.var.name
    if isinstance(found, Struct):
        fields = (name for name in found.__struct_fields__ if name not in ("type", "span"))
        return type(found).__name__, *(_dump(getattr(found, name)) for name in fields)
    return tuple(map(_dump, found)) if isinstance(found, tuple | list) else found


def _does(game: Game) -> dict[str, tuple[Any, tuple[str, ...]]]:
    """Each condition that quotes a sentence, by its place: what it asks, and what it says."""
    found = {}
    for move in game.ruleset.moves.values():
        for condition in move.conditions:
            if condition.rule is not None:
                try:
                    asked = simplify_formula(condition.expr, game.ruleset.attributes.by_name, room=100)
                except TooLong:
                    continue
                said = tuple(text for _, text in condition.rule.texts)
                found[f"moves/{move.name}/if/{condition.name}"] = (asked, said)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", originals())
def test_sentences_differ_where_options_change_conditions(name: str) -> None:
    game = hoyle.load(name)
    options = game.ruleset.options.values()
    unaffected = game.merged.root.get("unaffected")
    reasons = unaffected.plain() if unaffected is not None else {}
    through_terms = {option for place, given in reasons.items() if place.startswith("terms/") for option in given}
    before = _does(game)
    for option in options:
        for number, choice in enumerate(option.choices or ()):
            if number == option.default:
                continue
            try:
                after = _does(hoyle.load(name, {option.name: choice}))
            except hoyle.Refused:
                continue  # other options must follow
            for place, (asked, said) in after.items():
                was, told = before.get(place, (asked, said))
                decided = isinstance(asked, Const) or isinstance(was, Const)
                if not decided and said == told and option.name not in {*reasons.get(place, ()), *through_terms}:
                    assert _dump(asked) == _dump(was), f"{place} under {option.name}={choice}"


OTHERS = [lang for lang in LANGUAGES if lang != FALLBACK]


def inline(node: Node, path: str = "") -> Iterator[str]:
    """Yield the paths of texts in other languages than English."""
    for name, _, value in node.entries():
        if name in OTHERS:
            yield f"{path}/{name}"
        yield from inline(value, f"{path}/{name}")


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(shipped(), whole=["barbu", "cribbage-6p", "tricks"]))
def test_a_ruleset_is_in_english_and_its_words_beside_it_are_complete(name: str) -> None:
    own, problems = load(read(shipped()[name])), Problems()
    assert [path for path in inline(own) if not path.startswith("/examples/")] == []
    found, merged = check_file(name, problems)
    assert [d for d in problems if d.code in ("R567", "R615", "R616", "R617")] == []
    assert [lang for lang in OTHERS if not any(f.stem == f"{name}.{lang}" for f in words_beside(shipped()[name]))] == []
    if found is None or merged is None:
        return
    assert [item.path for lang in OTHERS for item in list_shown(merged.root, found) if not item.says(lang)] == []
    if "fr" in found.source and own.get("source") is not None:  # and not that of the ruleset it extends
        assert text_nodes(merged.root["source"])["fr"].span.source.name.endswith(f"{name}.fr.yaml")
