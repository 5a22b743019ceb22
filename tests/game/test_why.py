"""Why a move is refused: the true reason first, in one sentence, in both languages; and which thing of the position it hangs on."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import games
import pytest
import yaml
from mutations import plain
from spaces import spaced

from interpreter import Game, IllegalMove, load
from interpreter.game.why import alike, why_seen

CASES = Path(__file__).parent / "why.yaml"
FURTHER = [CASES.parents[1] / place for place in ("compiling/flow/turns.yaml", "checking/diagnostics/_game.yaml")]
OTHERS = [*CASES.parent.glob("scenes/*.yaml"), *FURTHER]



class Whole(yaml.SafeDumper):
    """Writes each case in full."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


@cache
def game(name: str, folder: Path) -> Game:
    made = next((place for place in OTHERS if place.stem == name), None)
    if name != "fishing":
        return load(made) if made is not None else games.game(name)
    path = folder / "fishing.yaml"
    path.write_text(FISHING, encoding="utf-8")
    return load(path)


@cache
def cases() -> list[dict[str, Any]]:
    return list(plain(CASES.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("why")


@pytest.mark.parametrize("number", range(len(cases())))
def test_the_reason_in_one_sentence(number: int, folder: Path) -> None:
    """After a wanted change, run with UPDATE_GOLDEN=1 (and one process), and read the difference."""
    every = cases()
    case = every[number]
    state = game(case["game"], folder).position(case["position"], seed=1)
    why = state.why(case["move"])
    found = {
        "en": why.summary("en"),
        "fr": spaced(why.summary("fr")),
        "failing": why.failing and why.failing.name,
        "hangs_on": [f"{formula} = {value}" for _, formula, value in why.failing.parts] if why.failing else [],
    }
    if os.environ.get("UPDATE_GOLDEN"):
        every[number] = {key: case[key] for key in ("game", "position", "move")} | found
        CASES.write_text(
            yaml.dump(every, Dumper=Whole, allow_unicode=True, sort_keys=False, width=120), encoding="utf-8"
        )
        return
    assert found == {key: case[key] for key in found}
    assert not why.legal
    with pytest.raises(IllegalMove) as refused:
        state.play(case["move"])
    assert why.summary() in str(refused.value) or refused.value.diagnostics[0].code == "R803"


def test_a_move_in_words_is_what_is_meant_or_what_was_asked(folder: Path) -> None:
    state = game("market", folder).position({"at": "last", "to_act": "A", "piles": {"hand of A": "a c"}}, seed=1)
    asked = {text: (state.why(text).text("en"), state.why(text).text("fr")) for text in ("name a", "pick", "xyzzy")}
    assert asked == {"name a": ("name a", "nommer a"), "pick": ("pick", "choisir"), "xyzzy": ("xyzzy", "xyzzy")}


def test_where_nothing_looks_alike_nothing_is_known(folder: Path) -> None:
    state = game("fishing", folder).position({"at": "turn", "to_act": "A", "piles": {"hand of A": "3S"}})
    found = why_seen(state.game.compiled, state.core, "lay-down 3S", [])
    assert (found.move, found.known, found.legal, found.nearest) == ("lay-down 3S", False, False, ("lay-down 3S",))


def test_the_reason_of_a_legal_move_is_its_rule(folder: Path) -> None:
    why = (
        game("fishing", folder).position({"at": "turn", "to_act": "A", "piles": {"hand of A": "3S"}}).why("lay-down 3S")
    )
    assert (why.legal, why.failing, why.summary("fr")) == (True, None, "Qui peut prendre ne pose pas. [F1]")


def test_there_is_no_reason_where_nobody_decides(folder: Path) -> None:
    over = game("fishing", folder).playout(1)
    assert not over.why("lay-down 3S").known
    assert not over.why("").known


def test_moves_of_the_same_name_are_told_by_their_numbers() -> None:
    """Equal cards from equal places: the second is the second."""
    state = games.game("grabuge").start(4)
    for move in state.moves():
        assert state.why(move.id).legal


def test_what_is_not_empty_is_told_as_it_is_asked() -> None:
    """`is not empty` is one question: its value is not that of the `is empty` in it."""
    parts = games.game("klondike").start(1).value("waste is not empty or foundation of spades is not empty").parts
    assert [(formula, value) for _, formula, value in parts][1:] == [
        ("waste is not empty", "false"),
        ("foundation of spades is not empty", "false"),
    ]


def test_what_there_is_is_told_in_the_words_of_the_reader() -> None:
    why = games.game("president").start(1).why("play 1 xyz")
    assert "three, four" in why.summary("en")
    assert "trois, quatre" in why.summary("fr")


@pytest.mark.parametrize(
    ("name", "position", "asked", "texts"),
    [
        (
            "golf",
            {"at": "hole / play", "to_act": "A", "piles": {"column": ["8S 3D", "KC"], "waste": "9C", "stock": "?*3"}},
            "8♠",
            ("3♦ lies on 8♠; only the top of column 1 may be taken.", "3♦ est par-dessus 8♠"),
        ),
        (
            "klondike",
            {"at": "game / play", "to_act": "A", "piles": {"waste": "8S 3D", "column": ["KH", "8H | 9C"]}},
            "8♠",
            ("8♠ is nowhere to be seen.", "8♠ ne se voit nulle part."),
        ),
        (
            "klondike",
            {"at": "game / play", "to_act": "A", "piles": {"waste": "8S 3D", "column": ["KH", "8H | 9C"]}},
            "8♥",
            ("8♥ is nowhere to be seen.", "8♥ ne se voit nulle part."),
        ),
        ("barbu", {}, "8♠", ("No move takes 8♠ from your hand now.", "Main : aucun coup n'y prend 8♠ maintenant.")),
        (
            "hearts",
            {},
            "2♣",
            ("There is no move with 2♣ alone here.", "Aucun coup ne concerne 2♣ seul ici."),
        ),
    ],
)
def test_a_piece_that_no_move_is_about_is_told_what_stands_in_its_way(
    name: str, position: dict[str, Any], asked: str, texts: tuple[str, str]
) -> None:
    state = games.game(name).position(position) if position else games.game(name).start(1)
    answer = state.why(asked, state.to_act)
    assert texts[0] in answer.summary("en")
    assert texts[1] in spaced(answer.summary("fr"))
    assert answer.known and not answer.legal


@pytest.mark.parametrize(
    ("name", "several"), [("freecell", False), ("backgammon", False), ("hearts", True), ("crapette", True)]
)
def test_what_looks_alike_is_looked_at_once(name: str, several: bool) -> None:
    """Where a player sees everything there is but one state, so nothing is worked out again for him."""
    state = games.game(name).start(1)
    found = alike(state.game.compiled, state.core, state.core.actor)
    assert (len(found) > 1) is several and len({core.key() for core in found}) == len(found)
