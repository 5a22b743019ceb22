"""`validate` finds an error exactly where `load` refuses: in the cases of the golden diagnostics, and in rulesets changed at random."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rules import write_anew
from tiers import some_now, spread

from hoyle import Refused, load, validate
from hoyle.checking.sections.options import EXCLUDED
from hoyle.resources import shipped

FOLDER = Path(__file__).parent / "diagnostics"
CASES = sorted(p.name for p in FOLDER.glob("*.yaml"))
GAMES = ("klondike", "oh-hell", "spite-and-malice", "whist", "garanguet")
WORD = re.compile(r"\w+|[(){}\[\],.<>~+-]")
STRANGE = ("0", "-1", "1000000000", "none", "me", "true", "count", "x²", "1..0", "not", "div 0", "[]", "~")


EXAMPLES = {
    "nobody-is-told.yaml",
    "examples-not-played.yaml",
    "example-with-too-many.yaml",
    "moves-that-cannot-be-written-so.yaml",
}
"""Cases with right rules and wrong examples. They load, but `validate` finds an error."""


def validates(path: str | Path) -> bool:
    return not any(d.severity == "error" for d in validate([path]))


def loads(path: str | Path) -> bool:
    """Return whether a file loads with every number of players that its constraints allow."""
    try:
        game = load(path)
    except Refused:
        return False
    return all(loads_with(path, count) for count in game.ruleset.may_play if count != len(game.seats))


def loads_with(path: str | Path, players: int) -> bool:
    try:
        load(path, players=players)
    except Refused as refused:
        return EXCLUDED in {d.code for d in refused.diagnostics}
    return True


@pytest.mark.whole
@pytest.mark.parametrize("case", spread(CASES, 24))
def test_validate_and_load_agree_on_every_case(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert validates(case) == (loads(case) and case not in EXAMPLES) or "library:" in Path(case).read_text(
        encoding="utf-8", errors="replace"
    )


@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_checked_and_compiled_games_have_the_same_places(name: str) -> None:
    game = load(name)
    assert {place.path for place in game.machine.places} == set(game.ruleset.places)


def changed(text: str, chance: random.Random) -> str:
    """Replace a word, swap two lines or remove one."""
    if chance.random() < 0.7:
        words = list(WORD.finditer(text))
        at, other = chance.choice(words), chance.choice(words).group()
        return text[: at.start()] + (other if chance.random() < 0.8 else chance.choice(STRANGE)) + text[at.end() :]
    lines = text.split("\n")
    here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[here], lines[there] = (lines[there], lines[here]) if chance.random() < 0.5 else ("", lines[there])
    return "\n".join(lines)


def changed_rulesets(count: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    texts = [
        (FOLDER / "_game.yaml").read_text(),
        *(path.read_text().split("\nexamples:")[0] for path in (shipped()[name] for name in GAMES)),
    ]
    for number in range(count):
        text = texts[number % len(texts)]
        for _ in range(chance.randint(1, 3)):
            text = changed(text, chance)
        yield text


@pytest.mark.whole
@pytest.mark.parametrize("seed", some_now(range(1, 5), 1))
def test_validate_and_load_agree_on_changed_rulesets(seed: int, tmp_path: Path) -> None:
    """The fuzzer asks the same of thousands of small rulesets (`cli/test_fuzz.py`)."""
    for text in changed_rulesets(9 if seed == 1 else 300, seed):
        place = write_anew(tmp_path / "changed.yaml", f"{text}\n")
        assert validates(place) == loads(place), text
