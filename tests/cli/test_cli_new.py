"""`new --extends`: the variant that it writes is valid, and so are the options that it proposes."""

import re
from pathlib import Path

import pytest
from commands import Run, command_lines

from hoyle.checking.build import load_ruleset
from hoyle.game.examples.static_checks import validate

run = command_lines
GAMES = [
    "grabuge",
    *(pytest.param(n, marks=pytest.mark.slow) for n in ("belote", "cribbage-6p")),
]


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_variant_proposes_the_options_of_its_parent(name: str, lang: str, run: Run) -> None:
    assert run("new", "mine", "--extends", name, "--lang", lang)[0] == 0
    text = Path("mine.yaml").read_text()
    parent, _ = load_ruleset(name, {})
    for option in parent.options.values():
        plain = str(bool(option.value)).lower() if option.type.name == "bool" else option.value
        shown = option.choices[option.value] if option.choices else plain
        assert f"\n#   {option.name}: {shown}\n" in text
    assert text.count("\n#   # ") >= len(parent.options)
    assert validate("mine.yaml") == []
    Path("mine.yaml").write_text(re.sub(r"^# (?=set:|  )", "", text, flags=re.MULTILINE))
    assert [d for d in validate("mine.yaml") if d.severity == "error"] == []
    taken, _ = load_ruleset("mine.yaml", {})
    assert {o.name: o.value for o in taken.options.values()} == {o.name: o.value for o in parent.options.values()}


def test_parent_without_options(run: Run) -> None:
    text = re.sub(r"options:\n.*\n\n", "", Path("game.yaml").read_text()).replace("count: cards_each", "count: 5")
    Path("bare.yaml").write_text(text.replace("game: game", "game: bare"))
    assert run("new", "mine", "--extends", "bare.yaml")[0] == 0
    assert Path("mine.yaml").read_text() == "ruleset: 1\ngame: mine\nextends: bare.yaml\ntitle: Mine\n"
