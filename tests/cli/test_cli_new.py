"""`hoyle new`: what it writes is right at once, and what it proposes is right once it is taken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Run
from tiers import some_now

from interpreter.checking.build import ruleset
from interpreter.game.unplayed import validate
from interpreter.resources import shipped

GAMES = [
    name for name, path in shipped().items() if re.search(r"^game:", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", some_now(sorted(GAMES, key=lambda name: name != "grabuge")[::3], 2))
def test_options_stand_ready_to_be_chosen(name: str, lang: str, run: Run) -> None:
    assert run("new", "mine", "--extends", name, "--lang", lang)[0] == 0
    text = Path("mine.yaml").read_text()
    parent, _ = ruleset(name, {})
    for option in parent.options.values():  # each with its sentence, and as it is
        value = option.value
        shown = (
            option.choices[value]
            if option.choices
            else str(bool(value)).lower()
            if option.kind.name == "bool"
            else value
        )
        assert f"\n#   {option.name}: {shown}\n" in text
    assert text.count("\n#   # ") >= len(parent.options)
    assert validate("mine.yaml") == []
    Path("mine.yaml").write_text(re.sub(r"^# (?=set:|  )", "", text, flags=re.MULTILINE))
    assert [d for d in validate("mine.yaml") if d.severity == "error"] == []
    taken, _ = ruleset("mine.yaml", {})
    assert {o.name: o.value for o in taken.options.values()} == {o.name: o.value for o in parent.options.values()}


def test_a_game_without_options_has_none_to_choose_from(run: Run) -> None:
    text = re.sub(r"options:\n.*\n\n", "", Path("game.yaml").read_text()).replace("count: cards_each", "count: 5")
    Path("bare.yaml").write_text(text.replace("game: game", "game: bare"))
    assert run("new", "mine", "--extends", "bare.yaml")[0] == 0
    assert Path("mine.yaml").read_text() == "ruleset: 1\ngame: mine\nextends: bare.yaml\ntitle: Mine\n"


def test_what_is_there_is_never_written_over(run: Run) -> None:
    Path("mine.yaml").write_text("mine")
    code, _, err = run("new", "mine", "--extends", "klondike")
    assert code == 1 and "exists already" in err and Path("mine.yaml").read_text() == "mine"
