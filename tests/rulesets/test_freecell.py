"""FreeCell: solutions of numbered deals as records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiers import some_now

from interpreter.diagnostics import Refused, Source
from interpreter.game.records import replay

RECORDS = sorted((Path(__file__).parent / "freecell").glob("*.jsonl"), key=lambda path: int(path.stem))
RANKS = "A23456789TJQK"


@pytest.mark.whole
@pytest.mark.parametrize("path", some_now(RECORDS, 2), ids=lambda path: path.stem)
def test_a_solution_wins_its_deal_and_no_other(path: Path) -> None:
    found = replay(Source(path.name, path.read_text(encoding="utf-8")))
    assert found.complete
    assert found.header["options"]["deal"] == int(path.stem)
    assert (found.state.winners, found.state.scores) == (["A"], {"A": 52})
    header, first, *rest = path.read_text(encoding="utf-8").splitlines()
    other = json.loads(header)
    other["options"]["deal"] += 1
    for lines in ([json.dumps(other), first, *rest], [header, *rest]):
        with pytest.raises(Refused):
            replay(Source(path.name, "\n".join(lines)))
