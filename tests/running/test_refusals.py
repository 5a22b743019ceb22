"""Errors of a ruleset that only a running game finds, with the place at fault."""

from pathlib import Path

import pytest
from faults import CASES, FAULTS, ruleset
from untranslated import left_in_english

from hoyle import State, load
from hoyle.diagnostics import Refused


def played_out(state: State) -> None:
    while not state.is_over:
        state = state.play(state.moves()[0].id)


@pytest.mark.parametrize(("step", "code", "blamed", "message"), FAULTS)
def test_a_step_is_refused(step: str, code: str, blamed: str | None, message: str, tmp_path: Path) -> None:
    state = load(ruleset(step, code, tmp_path)).start()
    with pytest.raises(Refused) as refused:
        played_out(state)
    first = refused.value.diagnostics[0]
    assert not left_in_english(refused.value.diagnostics)
    assert (first.code, first.message) == (code, message)
    assert (first.span.text if first.span else None) == blamed


@pytest.mark.parametrize("step", CASES["right"])
def test_a_step_within_the_bounds_runs(step: str, tmp_path: Path) -> None:
    assert load(ruleset(step, "", tmp_path)).start().play("go").to_act == "B"
