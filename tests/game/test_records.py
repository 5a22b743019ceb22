"""Records: what is verified, which ruleset a record may name, and what is told of damaged ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from interpreter import State, load
from interpreter.diagnostics import Refused, Source
from interpreter.game.records import header, lines, read_header, replay
from interpreter.game.tape import LONGEST_LINE, MOST_AHEAD

GAME = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "place" / "below").mkdir(parents=True)
    shutil.copy(GAME, tmp_path / "place" / "small.yaml")
    shutil.copy(GAME, tmp_path / "above.yaml")
    monkeypatch.chdir(tmp_path / "place")


def recorded() -> list[str]:
    return list(lines(load("small.yaml").playout(1), 1, seats={"A": "random", "B": "random"}))


def source(*text: str) -> Source:
    return Source("r.jsonl", "\n".join(text))


def refused(*text: str, **more: Any) -> str:
    with pytest.raises(Refused) as found:
        replay(source(*text), **more)
    (diagnostic,) = found.value.diagnostics
    return diagnostic.code


def test_a_record_is_verified() -> None:
    found = replay(source(*recorded()))
    assert (found.complete, found.lines) == (True, len(recorded()))
    assert found.state == load("small.yaml").playout(1)


def test_a_game_that_was_replayed_can_be_saved() -> None:
    """Its chance was on the record; from here on it is any."""
    state = replay(source(*recorded()), to=0).state
    found = load("small.yaml").resume(json.loads(json.dumps(state.to_json())))
    assert found == state
    found.play(found.moves()[0])


def test_a_header_is_read_alone() -> None:
    record = recorded()
    assert read_header(source(record[0], "junk")) == json.loads(record[0])
    for text in ("", "\n"):
        with pytest.raises(Refused) as found:
            read_header(source(text))
        (told,) = found.value.diagnostics
        assert told.span is not None
        assert (told.code, told.span.start, told.span.end) == ("R812", 0, 0)


def test_empty_lines_are_passed_over_however_far_down() -> None:
    first, *rest = recorded()
    assert replay(source(first + " " * 600_000, "", *rest, "", "")).complete


def with_header(**changed: Any) -> list[str]:
    first, *rest = recorded()
    return [json.dumps({**json.loads(first), **changed}), *rest]


def test_what_a_header_may_leave_out() -> None:
    first, *rest = recorded()
    kept = {key: value for key, value in json.loads(first).items() if key in ("record", "game")}
    assert replay(source(json.dumps(kept), *rest)).complete


@pytest.mark.parametrize(
    "changed",
    [
        {"record": 2},
        {"record": "1"},
        {"game": None},
        {"game": ["small"]},
        {"options": [1]},
        {"options": "size"},
        {"digest": 7},
        {"seed": "1"},
        {"seed": 1.5},
        {"seed": True},
        {"index": "0"},
        {"seats": [1]},
        {"seats": {"A": 1}},
        {"seats": "human"},
        {"lang": 1},
    ],
)
def test_headers_that_are_none(changed: dict[str, Any]) -> None:
    assert refused(*with_header(**changed)) == "R813"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"record": 2}, "R813"),
        ({"game": "../above"}, "R821"),
        ({"options": {"size": 99}}, "R611"),
        ({"options": {"sise": 2}}, "R610"),
        ({"digest": "0" * 16}, "R814"),
    ],
)
def test_what_is_wrong_with_a_header_is_told_there(changed: dict[str, Any], code: str) -> None:
    record = with_header(**changed)
    with pytest.raises(Refused) as found:
        replay(source(*record))
    (diagnostic,) = found.value.diagnostics
    assert (diagnostic.code, diagnostic.span and diagnostic.span.text) == (code, record[0])


@pytest.mark.parametrize("options", [{}, {"size": 2}])
def test_a_record_of_another_game_is_told_as_that(options: dict[str, Any]) -> None:
    with pytest.raises(Refused) as found:
        replay(source(*with_header(options=options)), game="klondike")
    (diagnostic,) = found.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("R814", "this is a game of `small`, not of `klondike`")
    assert diagnostic.in_language("fr").message == "c'est une partie de `small`, pas de `klondike`"


@pytest.mark.parametrize(
    "name", ["../above.yaml", "../above", "/etc/passwd", "/proc/self/environ", "-", "", ".", "x" * 5000, "a\0b"]
)
def test_a_record_names_no_ruleset_elsewhere(name: str) -> None:
    assert refused(*with_header(game=name)) == "R821"
    assert replay(source(*with_header(game=name)), game="../above.yaml").complete


def test_names_are_those_beside_the_record() -> None:
    state = load("small.yaml").start(1)
    folders = {Path(): "small.yaml", Path("..").resolve(): "place/small.yaml", Path("below"): "small.yaml"}
    assert {folder: header(state, 1, folder=folder)["game"] for folder in folders} == folders
    assert header(load("grabuge").start(1), 1)["game"] == "grabuge"
    shutil.copy("small.yaml", "below/small.yaml")
    assert replay(Source("below/r.jsonl", "\n".join(recorded()))).complete


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("", "R812"),
        ("\n\n", "R812"),
        ("[]", "R811"),
        ("{", "R811"),
        ("[" * 100_000, "R811"),
        ('{"record": NaN}', "R811"),
        ('{"record": ' + "9" * 5000 + "}", "R811"),
        (" " * LONGEST_LINE + "{}", "R811"),
        ("{}", "R813"),
    ],
)
def test_first_lines_that_are_none(damage: str, code: str) -> None:
    assert refused(damage) == code


DAMAGE: list[tuple[dict[str, Any], set[str]]] = [
    ({"shuffle": "heap"}, {"R818", "R820", "R816", "R817"}),
    ({"cards": 5}, {"R819", "R820", "R816", "R817"}),
    ({"cards": ["ace hearts"] * 3}, {"R819", "R820", "R816", "R817"}),
    ({"lots": {"A": 1}}, {"R819", "R820", "R818", "R816", "R817"}),
    ({"roll": None}, {"R818", "R819", "R820", "R816", "R817"}),
    ({"move": ["play"], "by": {}}, {"R801", "R815", "R818", "R820", "R816", "R817"}),
    ({"by": 7}, {"R815", "R820", "R816", "R817"}),
    ({"over": True, "scores": 3}, {"R817", "R820", "R816"}),
    ({"score": "many"}, {"R820", "R816", "R817"}),
]


@pytest.mark.parametrize(("changed", "codes"), DAMAGE)
def test_every_damaged_line_is_told(changed: dict[str, Any], codes: set[str]) -> None:
    whole = recorded()
    for number in range(1, len(whole)):
        data = {**json.loads(whole[number]), **changed}
        assert refused(*whole[:number], json.dumps(data), *whole[number + 1 :]) in codes


@pytest.mark.whole
def test_a_record_is_read_no_further_than_it_is_right() -> None:
    first, second, *_ = recorded()
    assert refused(first, second, "junk", *["{}"] * 10) == "R811"
    assert refused(first, *["{}"] * (MOST_AHEAD + 10), "junk") == "R818"


# Chance that is recorded



def drawn() -> tuple[State, list[str]]:
    Path("lots.yaml").write_text(LOTS, encoding="utf-8")
    state = load("lots.yaml").playout(3)
    return state, list(lines(state, 3))


def test_lots_are_recorded_as_what_was_drawn() -> None:
    state, record = drawn()
    values = [str(value.value) for value in state.view(None).state]
    assert [json.loads(line)["lots"] for line in record[1:5]] == values
    assert replay(source(*record)).state == state


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_other_lots_are_another_game(number: int) -> None:
    state, record = drawn()
    others = {1: "3" if json.loads(record[1])["lots"] != "3" else "4", 2: "AB", 3: "hearts", 4: "2S"}
    lots = json.loads(record[number])["lots"]
    other = ("B" if lots == "A" else "A") if number == 2 else others[number]
    assert other != lots
    changed = [*record[:number], json.dumps({"lots": other}), *record[number + 1 :]]
    try:
        assert replay(source(*changed)).state != state
    except Refused as found:
        assert found.diagnostics[0].code in ("R815", "R817")


def test_lots_that_are_none_of_them_are_refused() -> None:
    _, record = drawn()
    assert refused(record[0], json.dumps({"lots": "30"}), *record[2:]) == "R819"


@pytest.mark.parametrize("moves", [0, 1, 3, 6])
def test_a_record_is_played_up_to_a_move(moves: int) -> None:
    _, record = drawn()
    found = replay(source(*record), to=moves)
    assert (found.state.decisions, found.complete) == (moves, False)




def test_chance_is_found_however_much_is_told_before_it() -> None:
    Path("chatty.yaml").write_text(CHATTY, encoding="utf-8")
    state = load("chatty.yaml").playout(1)
    record = list(lines(state, 1))
    assert replay(source(*record)).state == state
    for number, line in enumerate(record):
        if any(key in json.loads(line) for key in ("shuffle", "roll")):
            assert refused(*record[:number], *record[number + 1 :]) in ("R815", "R818", "R819", "R820"), line
