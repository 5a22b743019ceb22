"""Consequences of an error are not reported, errors elsewhere are. An error in an argument is reported at the argument."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from games import FEW, game
from rules import find_rules, write_anew
from tiers import some_now

from hoyle import Refused, validate
from hoyle.diagnostics import Source
from hoyle.game.values import check_formula
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load

Change = Callable[[str, Node, Node], str]
GAME = Path(__file__).parent / "diagnostics" / "_game.yaml"
LATER = {
    "choose: [play a card]": ("choose: [play a cart]", "R307"),
    "top(heap).suit is trump": ("top(heaps).suit is trump", "R301"),
    "from: leader": ("from: leader +", "R201"),
}
"""Mistakes that the schema cannot find."""


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


@pytest.mark.whole
@pytest.mark.parametrize(("change", "every"), some_now([(misspelt, 6), (odd, 8), (misspelt, 1), (odd, 1)], 2))
def test_after_an_error_of_shape_only_errors_of_shape_are_reported(change: Change, every: int, tmp_path: Path) -> None:
    source, shapes = read(GAME), 0
    for key, value in list(places(load(source)))[::every]:
        found = told(tmp_path / "game.yaml", change(source.text, key, value))
        if any(code.startswith("R1") for code in found):
            shapes += 1
            assert all(code.startswith("R1") for code in found), (key.raw, found)
    assert shapes > 40 / every


@pytest.mark.slow
def test_other_errors_are_reported_beside_a_misspelt_key(tmp_path: Path) -> None:
    """Wherever a key is misspelt, most of the other mistakes are still reported."""
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


def test_all_errors_of_an_unfinished_game_are_reported(tmp_path: Path) -> None:
    """A misspelt step, a misspelt pile, and a section that is missing or misspelt."""
    begun = find_rules("checking/begun").read_text(encoding="utf-8")
    assert told(tmp_path / "begun.yaml", begun) == {"R102", "R103", "R301"}
    text = begun.replace("shufle", "shuffle").replace("pak", "pack") + "resullt: {best: 1}\n"
    assert told(tmp_path / "begun.yaml", text) == {"R102"}


OTHERS = ["~", "0", "odd", "''", "[]", "[odd]", "{}", "{odd: 3}"]
"""Values put in place of others. `~` removes an inherited one."""
TOLD = {
    "    take: cards(hand)\n": "    take: cards(hand)\n    let: {now: size}\n    en: play {card}, {now} at most\n",
    "      to: me\n": "      to: me\n      of: lying\n",
    "{way: which": "{size: how many there are at most is another matter, way: which",
    "moves:\n": "  lying: cards(heap)\nmoves:\n",
    "result:": "display: {hand: {order: [card.rank]}, lies: {is: heap is not empty, en: something lies}}\nresult:",
}
"""Texts of the game with their replacements: entries with words, parts and hints."""


def telling() -> Source:
    source = read(GAME)
    for place, more in TOLD.items():
        assert place in source.text
        source = Source(source.name, source.text.replace(place, more, 1))
    return source


def exchanged(text: str, value: Node, other: str) -> str:
    """Replace a value. A block map ends with its last line; blank lines behind it stay."""
    end = value.span.start + len(text[value.span.start : value.span.end].rstrip())
    return text[: value.span.start] + other + text[end:]


ACCEPTED = {("game", "odd"), ("title", "odd"), ("title", "''"), ("title", "{}"), ("display", "{}")}
"""Sections with values that cause no error there."""


@pytest.mark.whole
@pytest.mark.parametrize("others", some_now([["~", "odd", "{}"], OTHERS], 1), ids=len)
def test_a_section_of_the_wrong_type_is_reported(others: list[str], tmp_path: Path) -> None:
    source, place = telling(), tmp_path / "game.yaml"
    assert told(place, source.text) == set()
    cases = {(name, other): value for name, _, value in load(source).entries() for other in others}
    right = {at for at, value in cases.items() if not told(place, exchanged(source.text, value, at[1]))}
    assert right == {(name, other) for name, other in ACCEPTED if other in others}


@pytest.mark.slow
def test_any_value_anywhere_gives_diagnostics(tmp_path: Path) -> None:
    source, several = telling(), set[frozenset[str]]()
    for _, value in places(load(source)):
        for other in OTHERS:
            several.add(frozenset(told(tmp_path / "game.yaml", exchanged(source.text, value, other))))
    assert len(several) > 40


WRONG = "cards(1, 2, 3)"
"""A call of unknown type."""


def called_wrongly(name: str) -> list[str]:
    """List calls of every term with parameters, each with a mistake in an argument."""
    terms = game(name).ruleset.terms.values()
    return [f"{t.name}({', '.join([WRONG] * len(t.parameters))})" for t in terms if t.parameters]


def blamed(name: str, call: str) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        check_formula(game(name).compiled, call, True)
    return [(d.code, d.message) for d in refused.value.diagnostics if d.span and d.span.text != WRONG]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["piquet", "hearts", *FEW], 1))
def test_a_mistake_in_an_argument_is_not_reported_in_the_term(name: str) -> None:
    calls = called_wrongly(name)
    assert calls or name == "yams"
    assert not {call: found for call in calls if (found := blamed(name, call))}


@pytest.mark.whole
def test_a_name_of_a_move_is_not_unknown_where_a_mistake_hides_that_moves_are_meant(tmp_path: Path) -> None:
    text = "terms:\n  all_penalties: 26 + (if cards(1, 2) is pass_cards then 1 else 0)\n"
    place = tmp_path / "variant.yaml"
    place.write_text(f"ruleset: 1\ngame: variant\nextends: hearts\n{text}", encoding="utf-8")
    assert [d.code for d in validate([place]) if d.severity == "error"] == ["R403"]
