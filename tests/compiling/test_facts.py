"""Facts of generated functions, against what CPython made of them: which functions are called, also through tables, and which read piles."""

import re
from collections.abc import Iterator
from types import CodeType

import pytest
from games import game, names
from tiers import in_tiers

from hoyle.running.machine import Machine

READING = re.compile(r"\bP\[(?!.*\]\.(?:append|remove|pop)\()|\b(?:maximise|never_twice|remember)\(")


def mentioned(code: CodeType, machine: Machine) -> Iterator[str]:
    """The names that a function asks for, with the functions of columns of tables."""
    for name in code.co_names:
        column = machine.space.get(name)
        yield from [each.__name__ for each in column] if name.startswith("G_") and column else [name]
    for inner in code.co_consts:
        yield from mentioned(inner, machine) if isinstance(inner, CodeType) else ()


@pytest.mark.parametrize(
    "name", in_tiers([n for n, _ in names()], quick=["klondike"], whole=["barbu", "crapette", "scopa"])
)
def test_functions_that_look_at_pieces_and_decisions_they_stop_at(name: str) -> None:
    machine = game(name).machine
    texts = dict(re.findall(r"^def (\w+).*\n((?: .*\n)*)", machine.source, re.MULTILINE))
    calls = {one: {*mentioned(machine.space[one].__code__, machine)} for one in texts}
    readers = {one for one, text in texts.items() if READING.search(text)}
    while more := {one for one, called in calls.items() if one not in readers and called & readers}:
        readers |= more
    facts = machine.facts()
    assert {one for one, found in facts.items() if found.reads_pieces} == readers
    assert all(label in facts[f"b{label}"].asks for label in machine.points)
