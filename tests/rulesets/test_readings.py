"""Sentences of shipped games mention the options that change their conditions: each choice is compared with the default."""

from typing import Any

import pytest
from games import originals
from msgspec import Struct

import hoyle
from hoyle.game.game import Game
from hoyle.language.ir import Const, Local
from hoyle.prose.simplification import TooLong, simplify_formula


def _dump(found: Any) -> Any:
    """A formula without places and kinds, variables by their names."""
    if isinstance(found, Local):
        return found.var.name
    if isinstance(found, Struct):
        fields = (name for name in found.__struct_fields__ if name not in ("kind", "span"))
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
