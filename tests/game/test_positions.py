"""Positions and files of other programs: what they become, and where mistakes are reported."""

import time
from functools import cache, partial
from random import Random
from typing import Any

import mutations
import pytest
from english import left_in_english
from fuzzing import answered
from games import game
from rules import TESTS, load_rules, read_cases
from tiers import some_now

from hoyle import load
from hoyle.diagnostics import Refused, Source
from hoyle.game.game import Game
from hoyle.game.positions import to_node, to_position
from hoyle.game.records.importing import Imported, import_text
from hoyle.game.records.records import record_lines, replay
from hoyle.reading.yaml_tree import load as tree


@pytest.fixture
def keys() -> Game:
    return load_rules("game/keys")


def codes(game: Game, position: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        game.position(tree(Source("p.yaml", position)) if isinstance(position, str) else position)
    return [d.code for d in refused.value.diagnostics]


def test_options_of_a_position_choose_its_game(keys: Game) -> None:
    state = keys.position({"options": {"mode": "long"}, "at": "last"})
    assert (state.game.options["mode"], keys.options["mode"]) == ("long", "short")
    assert keys.position({"options": {"mode": "short"}, "at": "last"}).game is keys


@pytest.mark.parametrize("name", ["off", "on", "yes", "no", "y", "n"])
def test_names_that_yaml_1_1_takes_for_truth_values(name: str, keys: Game) -> None:
    """A file has them as text. What another reader made of them is refused with the remedy, in whatever it stands."""
    node = tree(Source("p.yaml", f"{name}: {{{name}: [{name}]}}"))
    assert [(key, value.items[0].value) for key, _, value in node[name].entries()] == [(name, name)]
    for inner in ({True: "4C"}, {False: "4C"}):
        with pytest.raises(Refused) as refused:
            keys.position({"piles": inner, "at": "turn"})
        found = refused.value.diagnostics[0]
        assert (found.code, found.span and found.span.text) == ("R701", f'"{str(*inner).lower()}"')
        assert "quotes" in found.help


def test_all_mistakes_are_reported_at_once(keys: Game) -> None:
    wrong = {"piles": {"heap": "2X 3Y"}, "state": {"one": 1, "won of long": 10}}
    assert codes(keys, wrong) == ["R705", "R705", "R707", "R708"]
    assert to_node({"at": "turn"}).pairs["at"][1].span.text == '"turn"'


@pytest.mark.whole
@pytest.mark.parametrize(
    "text",
    [
        *("piles: {hand of A: {4C: {}}}", "state: {taken of A: {x: {}}}", "[]", "just a text", "piles: [4C]"),
        *("piles: {hand of A: [[4C]]}", "piles: {hand of A: 1.5}", "state: [1]", "state: 5", "options: [1]"),
        *("options: {shooting: {}}", "at: [play]", "to_act: {A: B}", "seed: x", "game: ../elsewhere", "nonsense: 1"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    assert codes(game("hearts"), text)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        *(("hand of A", written) for written in ("4C*²", "² 4C", "4C*x", "4C*-1", "4C*", "*", "x" * 5000)),
        *(("hand of A", written) for written in ("9" * 5000, f"{'9' * 5000} 4C", f"4C*{'9' * 5000}")),
        *((name, "4C") for name in ("hand at ²", "hand of A at " + "9" * 5000, "x" * 300, "hand of " + "A" * 5000)),
        *((name, "4C") for name in ("", "of", " ")),
    ],
    ids=range(17),
)
def test_odd_pieces_and_piles_are_refused(name: str, pieces: str) -> None:
    found = set(codes(game("hearts"), f'piles: {{"{name}": "{pieces}"}}'))
    assert found <= ({"R704", "R705", "R706"} if name == "hand of A" else {"R703", "R016", "R021"})


@pytest.mark.whole
@pytest.mark.parametrize("written", ["?*1000 " * 2000, *(sign * 50_000 for sign in ("4C ", "zz ", "? "))], ids=range(4))
def test_no_more_is_read_than_could_be_right(written: str) -> None:
    begun = time.process_time()
    assert len(codes(game("hearts"), f"piles: {{hand of A: {written}}}")) <= 20
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("seed", ["x", None, 1.5, [1]])
def test_a_seed_is_a_whole_number(keys: Game, seed: Any) -> None:
    for begin in (keys.start, keys.playout):
        with pytest.raises(TypeError, match="a seed is a whole number"):
            begin(seed)


@cache
def loaded(game: str, *options: tuple[str, Any]) -> Game:
    return load(game, dict(options))


def imported(text: str) -> Imported:
    return import_text(Source("x.txt", text), "", lambda game, options: loaded(game, *options.items()))


def outcome(text: str) -> Any:
    """The scores of a record that replays, the piles of a position, or the code and the place of a refusal."""
    try:
        found = imported(text)
    except Refused as refused:
        place = refused.cause.span
        assert place is not None and not left_in_english(refused.diagnostics)
        return f"{refused.cause.code} {place.line}:{place.column}"
    if not found.played:
        return to_position(found.state.game.compiled, found.state.core, everything=True)["piles"]
    again = replay(Source("r.jsonl", "\n".join(record_lines(found.state, None))), game=found.state.game).state
    assert again == found.state
    return again.scores


@pytest.mark.whole
@pytest.mark.parametrize("part", some_now(range(5), 1))
def test_files_become_records_and_positions_or_are_refused_at_their_place(part: int) -> None:
    cases = [(text, *case) for text, *some in read_cases("game/imports").values() for case in some]
    for text, changes, wanted in cases[part::5]:
        for old, new in changes.items():
            assert old in text, old
            text = text.replace(old, new)
        found = outcome(text)
        assert (found if isinstance(wanted, str) else {key: found[key] for key in wanted}) == wanted, text


@pytest.mark.slow
@pytest.mark.parametrize(("points", "white", "black"), [(5, 8, 0), (7, 9, 2)])
def test_a_long_match_is_imported_and_replayed(points: int, white: int, black: int) -> None:
    text = (TESTS / "game" / "cases" / f"match-{points}-points.mat").read_text(encoding="utf-8")
    assert outcome(text) == {"white": white, "black": black}


@pytest.mark.whole
@pytest.mark.parametrize("batch", some_now(range(50), 1))
def test_damaged_files_are_answered(batch: int) -> None:
    texts = [text for text, *_ in read_cases("game/imports").values()]
    for seed in range(20 * batch, 20 * batch + 20):
        rng = Random(seed)
        answered(partial(imported, mutations.text(rng, rng.choice(texts))))
