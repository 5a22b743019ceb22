"""After an error of shape, nothing is told that only follows from it, and errors elsewhere are told."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from files import write_anew
from games import FEW
from tiers import some_now

from interpreter import validate
from interpreter.diagnostics import Diagnostic, Source
from interpreter.reading.tree import Node
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import shipped

Change = Callable[[str, Node, Node], str]
GAME = Path(__file__).parent / "diagnostics" / "_game.yaml"
LATER = {
    "choose: [play a card]": ("choose: [play a cart]", "R307"),
    "top(heap).suit is trump": ("top(heaps).suit is trump", "R301"),
    "from: leader": ("from: leader +", "R201"),
}
"""Mistakes of sense in the game."""


def places(node: Node) -> Iterator[tuple[Node, Node]]:
    for name, key, value in node.entries():
        yield key, value
        yield from places(value) if name != "examples" else ()


def misspelt(text: str, key: Node, _: Node) -> str:
    return f"{text[: key.span.start]}x{text[key.span.start :]}"


def odd(text: str, _: Node, value: Node) -> str:
    """Replace a scalar by a map, and a map or list in braces by a scalar."""
    other = "{odd: 3}" if value.kind == "scalar" else "3"
    return text[: value.span.start] + other + text[value.span.end :] if value.style != "block" else text


def told(place: Path, text: str) -> set[str]:
    write_anew(place, text)
    return {d.code for d in validate([place])}


def is_about(problem: Diagnostic, key: Node) -> bool:
    """Does it stand at the misspelt word, such as that nothing runs a phase of that name?"""
    return problem.span is not None and problem.span.start == key.span.start


@pytest.mark.whole
@pytest.mark.parametrize(("change", "every"), some_now([(misspelt, 3), (odd, 4), (misspelt, 1), (odd, 1)], 2))
def test_after_an_error_of_shape_there_are_only_such(change: Change, every: int, tmp_path: Path) -> None:
    source, shapes = read(GAME), 0
    for key, value in list(places(load(source)))[::every]:
        found = told(tmp_path / "game.yaml", change(source.text, key, value))
        if any(code.startswith("R1") for code in found):
            shapes += 1
            assert all(code.startswith("R1") for code in found), (key.raw, found)
    assert shapes > 40 / every


@pytest.mark.slow
@pytest.mark.parametrize("game", FEW)
def test_after_an_error_of_shape_in_a_game_there_are_only_such(game: str, tmp_path: Path) -> None:
    source, chance = read(shipped()[game]), random.Random(game)
    every = list(places(load(source)))
    for key, value in chance.sample(every, min(12, len(every))):
        text = chance.choice([misspelt, odd])(source.text, key, value)
        write_anew(tmp_path / "game.yaml", text)
        found = validate([tmp_path / "game.yaml"])
        others = [d for d in found if not d.code.startswith("R1") and not is_about(d, key)]
        assert not others or not any(d.code.startswith("R1") for d in found), (key.raw, [d.code for d in found])


@pytest.mark.slow
def test_other_errors_are_told_beside_a_misspelt_key(tmp_path: Path) -> None:
    """Wherever a key is misspelt, most of the other mistakes are told all the same."""
    text = GAME.read_text(encoding="utf-8")
    for right, (wrong, _) in LATER.items():
        text = text.replace(right, wrong, 1)
    place, codes, cases = tmp_path / "game.yaml", [code for _, code in LATER.values()], []
    place.write_text(text, encoding="utf-8")
    source = read(place)
    for key, value in places(load(source)):
        found = told(place, misspelt(source.text, key, value))
        cases += [code in found for code in codes] if any(code.startswith("R1") for code in found) else []
    assert sum(cases) > 0.7 * len(cases) > 80, f"{sum(cases)} of {len(cases)}"


BEGUN = """\
ruleset: 1
game: begun
title: {en: Begun}
use: [french]
players: {count: 2, seats: [A, B]}
pieces: {card: {of: [ranks, suits], from: pak}}
piles: {pack: {face: down}}
flow: {game: {mix: {shufle: pack}}}
"""


def test_a_game_just_begun_is_told_all_its_errors(tmp_path: Path) -> None:
    """A step misspelt, a pile misspelt, a section not yet written."""
    assert told(tmp_path / "begun.yaml", BEGUN) == {"R102", "R103", "R301"}


def test_a_misspelt_section_is_not_missing(tmp_path: Path) -> None:
    text = BEGUN.replace("shufle", "shuffle").replace("pak", "pack") + "resullt: {best: 1}\n"
    assert told(tmp_path / "begun.yaml", text) == {"R102"}


OTHERS = ["~", "0", "odd", "''", "[]", "[odd]", "{}", "{odd: 3}"]
"""Values that are put where another should stand; `~` takes away what is inherited."""
TOLD = {
    "    take: cards(hand)\n": "    take: cards(hand)\n    let: {now: size}\n    en: play {card}, {now} at most\n",
    "      to: me\n": "      to: me\n      of: lying\n",
    "moves:\n": "  lying: cards(heap)\nmoves:\n",
    "result:": "display: {hand: {order: [card.rank]}, lies: {is: heap is not empty, en: something lies}}\nresult:",
}
"""Text of the game, and what replaces it: entries with words, parts and hints for people."""


def telling() -> Source:
    source = read(GAME)
    for place, more in TOLD.items():
        assert place in source.text
        source = Source(source.name, source.text.replace(place, more, 1))
    return source


def exchanged(text: str, value: Node, other: str) -> str:
    """Replace a value. The last line of a block map is part of it, blank lines behind it are not."""
    end = value.span.start + len(text[value.span.start : value.span.end].rstrip())
    return text[: value.span.start] + other + text[end:]


ACCEPTED = {("game", "odd"), ("title", "odd"), ("title", "''"), ("title", "{}"), ("display", "{}")}
"""Sections, and what may stand there instead without an error."""


@pytest.mark.whole
@pytest.mark.parametrize("others", some_now([["~", "odd", "{}"], OTHERS], 1), ids=len)
def test_a_section_that_is_something_else_is_told(others: list[str], tmp_path: Path) -> None:
    source, place = telling(), tmp_path / "game.yaml"
    assert told(place, source.text) == set()
    cases = {(name, other): value for name, _, value in load(source).entries() for other in others}
    right = {at for at, value in cases.items() if not told(place, exchanged(source.text, value, at[1]))}
    assert right == {(name, other) for name, other in ACCEPTED if other in others}


@pytest.mark.whole
@pytest.mark.parametrize("others", some_now([["~", "0"], OTHERS], 1), ids=len)
def test_a_variant_may_make_anything_of_a_section(others: list[str], tmp_path: Path) -> None:
    """It may take away what is inherited."""
    source = telling()
    (tmp_path / "told.yaml").write_text(source.text, encoding="utf-8")
    for name in [name for name, _, _ in load(source).entries() if name not in ("ruleset", "game")]:
        text = f"ruleset: 1\ngame: a variant\nextends: told\n{name}: "
        found = {other: told(tmp_path / "game.yaml", text + other) for other in others}
        assert found["~"] or name in ("title", "display"), name
        assert found["0"]


@pytest.mark.slow
def test_any_value_may_be_anything(tmp_path: Path) -> None:
    source, several = telling(), set[frozenset[str]]()
    for _, value in places(load(source)):
        for other in OTHERS:
            several.add(frozenset(told(tmp_path / "game.yaml", exchanged(source.text, value, other))))
    assert len(several) > 40
