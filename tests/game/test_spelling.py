"""Positions: what they say and how they are written back; every mistake in one at its place."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import Game, Refused, load
from interpreter.game.positions import as_node, to_position



@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("positions") / "keys.yaml"
    path.write_text(RULES, encoding="utf-8")
    return load(path)


WHOLE: dict[str, Any] = {
    "game": "keys",
    "options": {"mode": "short", "size": 2},
    "at": "game / round / turn / card",
    "to_act": "B",
    "piles": {
        "pack": "2S | 3S",
        "hand of B": "KC KD",
        "row at 2": "4S 5H",
        "heap": "6S 7S",
    },
    "state": {
        "dealer": "C",
        "won of long": 3,
        "marks of 4 of B": 2,
        "trump": "hearts",
        "open": True,
    },
}


def test_a_position_is_written_back_as_it_was_read(keys: Game) -> None:
    state = keys.position(WHOLE)
    assert to_position(keys.compiled, state.core, everything=True) == WHOLE
    assert [m.id for m in state.moves()][:2] == ["lay KC -> 1", "lay KC -> 2"]


def test_what_a_seat_does_not_see_is_a_question_mark(keys: Game) -> None:
    state = keys.position(WHOLE)
    assert to_position(keys.compiled, state.core, "B")["piles"]["hand of B"] == "KC KD"
    other = to_position(keys.compiled, state.core, None)["piles"]
    assert (other["hand of B"], other["pack"], other["heap"]) == ("? ?", "? | 3S", "? 7S")


def test_members_have_their_names_in_views(keys: Game) -> None:
    shown = {(v.name, v.member): v.value for v in keys.position(WHOLE).view(None).state}
    assert shown["won", "long"] == 3
    assert shown["won", "short"] == 0
    assert [m for n, m in shown if n == "marks"] == [f"{i} of {p}" for i in (3, 4, 5) for p in "ABC"]
    assert shown["marks", "4 of B"] == 2
    assert shown["trump", None] == "hearts"


SPELT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"piles": {"row": ["2S", None, "3S 4S"]}}, {"row at 1": "2S", "row at 3": "3S 4S"}),
    ({"piles": {"hand": {"A": "2S", "C": "10♥"}}}, {"hand of A": "2S", "hand of C": "TH"}),
    ({"piles": {"pack": "?*2 2S"}}, {"pack": "? ? 2S"}),
    ({"piles": {"heap": "2 ?"}}, {"heap": "? ?"}),
    ({"state": {"won": 4}}, {"won of short": 4, "won of long": 4}),
    ({"state": {"won": [1, 2]}}, {"won of short": 1, "won of long": 2}),
    ({"state": {"marks of 5": [1, 0, 2]}}, {"marks of 5 of A": 1, "marks of 5 of C": 2}),
    ({"state": {"marks of 3 of B": 7}}, {"marks of 3 of B": 7}),
    ({"state": {"trump": None}}, {}),
]


@pytest.mark.parametrize(("given", "found"), SPELT)
def test_the_ways_to_write_it(keys: Game, given: dict[str, Any], found: dict[str, Any]) -> None:
    state = keys.position({"at": "last", **given})
    section = next(iter(given))
    written = to_position(keys.compiled, state.core, everything=True)[section]
    if section == "piles":
        for name, pieces in found.items():
            assert len(written[name].replace("| ", "").split()) == len(pieces.split())
            assert all(
                p in ("?", w) for p, w in zip(pieces.split(), written[name].replace("| ", "").split(), strict=True)
            )
    else:
        assert written == found


STANDS = [
    ({"at": "first", "state": {"dealer": "B"}}, "B", "game / first"),
    ({"at": "first", "to_act": "C", "state": {"dealer": "C"}}, "C", "game / first"),
    ({"at": "turn", "to_act": "C"}, "C", "game / round / turn / card"),
    ({"at": "round / card", "to_act": "A"}, "A", "game / round / turn / card"),
    ({"at": "last", "to_act": "A"}, "A", "game / last"),
]


@pytest.mark.parametrize(("position", "actor", "place"), STANDS)
def test_it_stands_at_the_place_with_the_player(keys: Game, position: dict[str, Any], actor: str, place: str) -> None:
    state = keys.position(position)
    assert (state.to_act, state.place) == (actor, place)


def test_turns_go_on_from_who_acts(keys: Game) -> None:
    """With C as the dealer, B is the last of the round."""
    state = keys.position({"at": "turn", "to_act": "B", "state": {"dealer": "C"}}).play("stop")
    assert (state.to_act, state.place) == ("A", "game / last")


def test_options_of_a_position_are_those_of_its_game(keys: Game) -> None:
    state = keys.position({"options": {"mode": "long"}, "at": "last"})
    assert (state.game.options["mode"], keys.options["mode"]) == ("long", "short")
    assert keys.position({"options": {"mode": "short"}, "at": "last"}).game is keys


WRONG: list[tuple[dict[str, Any] | list[Any], str, str]] = [
    ([], "R701", "a position is a map"),
    ({"pile": {}}, "R701", "unknown key `pile`"),
    ({"piles": "2S"}, "R101", "`piles` must be a map"),
    ({"game": "chess", "at": "last"}, "R702", "a position of `chess`"),
    ({"piles": {"rows": "2S"}}, "R703", "did you mean `row`?"),
    ({"piles": {"hand of D": "2S"}}, "R703", "no member `D`"),
    ({"piles": {"row at 4": "2S"}}, "R703", "no pile `row at 4`"),
    ({"piles": {"row": ["2S", "3S", "4S", "5S"]}}, "R704", "has 3 piles, and here are 4"),
    ({"piles": {"row at 1": "2S 3S 4S 5S 6S"}}, "R704", "has room for 4"),
    ({"piles": {"heap": "2X"}}, "R705", "`2X` is not a card"),
    ({"piles": {"heap": "2S", "pack": "2S"}}, "R706", "written 2 times"),
    ({"piles": {"pack": "?*52", "heap": "2S"}}, "R706", "more unknown pieces"),
    ({"state": {"one": 1}}, "R707", "no state `one`"),
    ({"state": {"won of wide": 1}}, "R707", "no member `wide`"),
    ({"state": {"won of long of A": 1}}, "R707", "no member `long of A`"),
    ({"state": {"opne": True}}, "R707", "did you mean `open`?"),
    ({"state": {"marks of 4 of D": 1}}, "R707", "no member"),
    ({"state": {"won of long": 10}}, "R708", "not in 0..9"),
    ({"state": {"trump": "rain"}}, "R708", "not a value of `trump`"),
    ({"state": {"dealer": None}}, "R708", "cannot be absent"),
    ({"state": {"open": 1}}, "R708", "true or false"),
    ({"at": "last", "to_act": "D"}, "R709", "no seat `D`"),
    ({"at": "list"}, "R710", "no place `list`"),
    ({"options": {"size": 9}, "at": "last"}, "R611", "size"),
]


@pytest.mark.parametrize(
    ("position", "code", "message"), WRONG, ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_mistake_is_told_at_its_place(keys: Game, position: Any, code: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        keys.position(position)
    (found, *_) = refused.value.diagnostics
    assert found.code.startswith(code)
    assert message in f"{found.message}; {found.help}"
    assert found.span is not None


def test_a_similar_key_is_named(keys: Game) -> None:
    with pytest.raises(Refused) as refused:
        keys.position({"pile": {"heap": "2S"}})
    assert refused.value.diagnostics[0].help == "a similar key exists: `piles`"


def test_all_mistakes_are_told_in_one_run(keys: Game) -> None:
    with pytest.raises(Refused) as refused:
        keys.position({"piles": {"heap": "2X 3Y"}, "state": {"one": 1, "won of long": 10}})
    assert [d.code for d in refused.value.diagnostics] == ["R705", "R705", "R707", "R708"]


def test_a_position_points_into_its_own_text() -> None:
    node = as_node({"at": "turn"})
    assert node.pairs["at"][1].span.text == '"turn"'
