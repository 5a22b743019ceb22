"""How long trial games are, and that those which the rules cannot carry on tell nothing."""

from pathlib import Path

import pytest
from rules import change_rules
from sights import advised, seen_in

from hoyle.players import bots
from hoyle.running.chance import Chance


@pytest.mark.parametrize("longest", [0, 49, 119, 200])
def test_trial_game_is_so_long_or_to_its_end(longest: int, tmp_path: Path) -> None:
    state = change_rules("players/steady", tmp_path, {"MOST": "120"}).start()
    ended = bots._play_out(state.game, state.core, 0, Chance.stream(1), longest)
    assert (ended.over, ended.cells[0]) == (longest >= 119, min(longest + 1, 120))


def test_no_advice_where_the_rules_cannot_go_on(tmp_path: Path) -> None:
    state = change_rules("players/steady", tmp_path, {"MOST": "4"}).start()
    for longest, count in ((3, 2), (9, 0)):
        found = bots._sum_leads(state.game, seen_in(state), Chance.stream(1), [0, 1], longest, 2)
        assert found == ({0: 0.0, 1: 0.0}, count)
    assert advised(state, 3) is None
