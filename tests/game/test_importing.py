"""Files of other programs: what they become, where they are refused, and that any text is answered."""

from functools import cache, partial
from random import Random
from typing import Any

import mutations
import pytest
from english import left_in_english
from fuzzing import answered
from rules import TESTS, read_cases
from tiers import some_now

from hoyle import Game, load
from hoyle.diagnostics import Refused, Source
from hoyle.game.positions import to_position
from hoyle.game.records.importing import Imported, import_text
from hoyle.game.records.records import record_lines, replay


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
