"""Records: what is verified, which ruleset a record may name, and how a damaged record is refused."""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rules import load_rules, read_cases

from hoyle import State, load
from hoyle.diagnostics import Diagnostic, Refused, Source
from hoyle.game.records import tape
from hoyle.game.records.records import make_header, read_header, record_lines, replay
from hoyle.game.records.tape import LONGEST_LINE

GAME = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"
CASES = read_cases("game/records")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "place" / "below").mkdir(parents=True)
    shutil.copy(GAME, tmp_path / "place" / "small.yaml")
    shutil.copy(GAME, tmp_path / "above.yaml")
    monkeypatch.chdir(tmp_path / "place")


@cache
def recorded() -> tuple[str, ...]:
    return (*record_lines(load("small.yaml").playout(1), 1, seats={"A": "random", "B": "random"}),)


def source(*text: str) -> Source:
    return Source("r.jsonl", "\n".join(text))


def refused(*text: str, game: Any = None) -> Diagnostic:
    with pytest.raises(Refused) as found:
        replay(source(*text), game=game)
    (diagnostic,) = found.value.diagnostics
    return diagnostic


def with_header(**changed: Any) -> list[str]:
    first, *rest = recorded()
    return [json.dumps({**json.loads(first), **changed}), *rest]


def test_a_record_is_verified() -> None:
    """Empty lines are skipped, and what replays can be saved and played on."""
    record = recorded()
    found = replay(source(*record))
    assert (found.complete, found.lines) == (True, len(record))
    assert found.state == load("small.yaml").playout(1)
    begun = replay(source(record[0] + " " * 600_000, "", *record[1:], "", ""), to=0).state
    again = load("small.yaml").resume(json.loads(json.dumps(begun.to_json())))
    assert again == begun
    again.play(again.moves()[0])


def test_a_header_is_read_alone() -> None:
    record = recorded()
    assert read_header(source(record[0], "junk")) == json.loads(record[0])
    kept = {key: value for key, value in json.loads(record[0]).items() if key in ("record", "game")}
    assert replay(source(json.dumps(kept), *record[1:])).complete
    for text in ("", "\n"):
        with pytest.raises(Refused) as found:
            read_header(source(text))
        (told,) = found.value.diagnostics
        assert told.span is not None
        assert (told.code, told.span.start, told.span.end) == ("R812", 0, 0)


def test_a_refused_header_is_pointed_at() -> None:
    for changed, code in CASES["headers"]:
        record = with_header(**changed)
        found = refused(*record)
        assert (found.code, found.span and found.span.text) == (code, record[0]), changed


@pytest.mark.whole
@pytest.mark.parametrize("options", [{}, {"size": 2}])
def test_a_record_of_another_game_is_refused(options: dict[str, Any]) -> None:
    found = refused(*with_header(options=options), game="klondike")
    assert (found.code, found.message) == ("R814", "this is a game of `small`, not of `klondike`")
    assert found.in_language("fr").message == "c'est une partie de `small`, pas de `klondike`"


def test_a_record_names_no_ruleset_elsewhere() -> None:
    for name in ("../above.yaml", "../above", "/etc/passwd", "/proc/self/environ", "-", "", ".", "x" * 5000, "a\0b"):
        assert refused(*with_header(game=name)).code == "R821"
    assert replay(source(*with_header(game="../above")), game="../above.yaml").complete


@pytest.mark.whole
def test_a_header_names_the_ruleset_from_its_folder() -> None:
    state = load("small.yaml").start(1)
    folders = {Path(): "small.yaml", Path("..").resolve(): "place/small.yaml", Path("below"): "small.yaml"}
    assert {folder: make_header(state, 1, folder=folder)["game"] for folder in folders} == folders
    assert make_header(load("klondike").start(1), 1)["game"] == "klondike"
    shutil.copy("small.yaml", "below/small.yaml")
    assert replay(Source("below/r.jsonl", "\n".join(recorded()))).complete


def test_a_first_line_that_is_no_header_is_refused() -> None:
    wrong = ["[]", "{", "[" * 100_000, '{"record": NaN}', '{"record": ' + "9" * 5000 + "}", " " * LONGEST_LINE + "{}"]
    wrong.append(r'{"record": 1, "game": "\ud800"}')
    for code, firsts in {"R811": wrong, "R812": ["", "\n\n"], "R813": ["{}"]}.items():
        for first in firsts:
            assert refused(first).code == code, first[:30]


@pytest.mark.whole
@pytest.mark.parametrize(("changed", "codes"), CASES["lines"])
def test_every_damaged_line_is_refused(changed: dict[str, Any], codes: str) -> None:
    whole = recorded()
    for number in (1, 2, len(whole) // 2, len(whole) - 1):
        data = json.dumps({**json.loads(whole[number]), **changed})
        assert refused(*whole[:number], data, *whole[number + 1 :]).code in {*codes.split(), "R816", "R817", "R820"}


def test_a_record_is_read_no_further_than_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape, "MOST_AHEAD", 50)
    first, second, *_ = recorded()
    assert refused(first, second, "junk", *["{}"] * 10).code == "R811"
    assert refused(first, *["{}"] * 60, "junk").code == "R818"


# ---- recorded chance -------------------------------------------------------------------------------------------------


@cache
def drawn() -> tuple[State, tuple[str, ...]]:
    state = load_rules("game/lots").playout(3)
    return state, (*record_lines(state, 3),)


def replayed(*record: str, to: int | None = None) -> Any:
    return replay(source(*record), to, game=Path(__file__).parent / "rules" / "lots.yaml")


def test_lots_are_recorded_as_what_was_drawn() -> None:
    state, record = drawn()
    assert [json.loads(line)["lots"] for line in record[1:5]] == [str(v.value) for v in state.view(None).state]
    assert replayed(*record).state == state
    with pytest.raises(Refused) as found:
        replayed(record[0], json.dumps({"lots": "30"}), *record[2:])
    assert [d.code for d in found.value.diagnostics] == ["R819"]


@pytest.mark.parametrize(("number", "lots"), [(2, "AB"), (1, "34"), (3, ["hearts", "spades"]), (4, ["2S", "3S"])])
def test_other_lots_are_another_game(number: int, lots: list[str] | str) -> None:
    state, record = drawn()
    other = next(item for item in lots if item != json.loads(record[number])["lots"])
    try:
        assert replayed(*record[:number], json.dumps({"lots": other}), *record[number + 1 :]).state != state
    except Refused as found:
        assert found.diagnostics[0].code in ("R815", "R817")


def test_a_record_is_played_up_to_a_move() -> None:
    _, record = drawn()
    for moves in (0, 1, 3, 6):
        found = replayed(*record, to=moves)
        assert (found.state.decisions, found.complete) == (moves, False)


def test_chance_is_found_however_much_is_told_before_it() -> None:
    file = Path(__file__).parent / "rules" / "chatty.yaml"
    state = load(file).playout(1)
    record = list(record_lines(state, 1))
    assert replay(source(*record), game=file).state == state
    for number, line in enumerate(record):
        if any(key in json.loads(line) for key in ("shuffle", "roll")):
            found = refused(*record[:number], *record[number + 1 :], game=file)
            assert found.code in ("R815", "R818", "R819", "R820"), line
