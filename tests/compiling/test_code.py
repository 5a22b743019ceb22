"""Generated Python: its text, its size, its idioms, its line numbers, and the facts known of its functions."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest
from games import game, names
from nodes import function, printed, statements
from rules import change_rules, read_cases
from tiers import in_tiers, some_now

from hoyle import Game, load
from hoyle.compiling.code_passes import copy_for_shared_piles, use_idioms
from hoyle.compiling.python import place_lines
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Machine

FOLDER = Path(__file__).parent
ALIKE = {"first", "only", "other", "called", "among", "times", "strict"}
"""Decisions whose obligations change nothing in how their actions are done: those are moves of others."""


def told(game: Game) -> Iterator[str]:
    """The code of each decision: list its actions, do one, end it; of steps that rules follow; then of other functions."""
    code = dict(re.findall(r"^def (\w+)(.*\n(?: .*\n)*)", game.machine.source, re.MULTILINE))
    for name, text in code.items():
        head, _, body = text.partition("  # ")
        lines = {line for *_, line in game.machine.function(name).__code__.co_lines() if line}
        code[name] = f"{head}  # {' '.join(map(str, sorted(lines)))}{body[body.index(chr(10)) :]}"
    for label, point in game.machine.points.items():
        yield f"--- {' / '.join(point.path)}: {', '.join(o.name for o in point.obey)}\n"
        ways = "be" if point.path[-1] in ALIKE else "bae"
        yield from (f"{way}{code[f'{way}{label}']}" for way in ways if f"{way}{label}" in code)
    for place in game.machine.places:
        if "settle_" in code[f"b{place.label}"]:
            yield f"--- {' / '.join(place.path)}\nb{code[f'b{place.label}']}"
    yield from (f"{name}{body}" for name, body in code.items() if not re.fullmatch(r"[abe]\d+", name))


def test_the_code_of_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    found = "".join(told(load("code.yaml")))
    out = FOLDER / "code.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")


CASES = read_cases("compiling/idioms")


def polished(name: str, text: str) -> str:
    one = function(name, text)
    use_idioms(one)
    return printed(one.body)


def alike(text: str) -> str:
    return printed(statements(text))


def test_code_for_which_python_has_a_quicker_idiom() -> None:
    found = {case: polished(name, written) for case, name, written, _ in CASES["changed"]}
    assert found == {case: alike(quicker) for case, _, _, quicker in CASES["changed"]}


def test_code_that_needs_more_stays() -> None:
    assert [case for case, name, text in CASES["unchanged"] if polished(name, text) != alike(text)] == []


TRIED: str = CASES["tried"][0]


def spared(text: str) -> str | None:
    found = copy_for_shared_piles(function("a7", text))
    return printed(found.body) if found is not None else None


def test_an_action_that_leaves_the_piles_of_another_state_alone() -> None:
    found = spared(TRIED)
    assert found is not None
    assert "P[from_1] = P[from_1][:-1]\nP[to_3] = [*P[to_3], card_2 | 1]" in found
    assert "spare_piece(s, card_2, to_3, 32, 13)" in found


def test_lines_that_may_change_other_piles() -> None:
    assert [line for line in CASES["changing"] if spared(TRIED.replace("v_4 = A_6[card_2]", line)) is not None] == []


@pytest.mark.parametrize("name", some_now(["backgammon", "jacquet"], 1))
def test_actions_are_listed_one_by_one_and_tried_on_shared_piles(name: str) -> None:
    machine = game(name).machine
    [each_name] = [found for found in machine.space if found.startswith("each_")]
    label = int(each_name.removeprefix("each_"))
    each, trying = machine.space[each_name], machine.space[f"c{label}"]
    core, pick, several = machine.start(Chance.stream(4)), Chance.stream(4, 0, PLAYER).picker(), 0
    for _ in range(60):
        if core.over:
            break
        if core.pc == label:
            looked = core.tried()
            machine.advance(looked, label)
            assert [*each(core, core.actor)] == looked.acts
            assert [*each(core, 1 - core.actor)] == []
            several += len(looked.acts) > 1
            for action in looked.acts:
                before, own, shared = core.key(), core.tried(), core.lent()
                assert machine.apply[label](own, action) == trying(shared, action)
                assert (own.piles, own.cells) == (shared.piles, shared.cells)
                assert own.key() != before == core.key()
        machine.play(core, core.acts[pick(len(core.acts))])
    assert several


PRINT = "import sys; from hoyle import load; print(load(sys.argv[1]).machine.source)"


@pytest.mark.slow
def test_a_game_compiles_to_the_same_text_in_every_process() -> None:
    command = [sys.executable, "-c", PRINT, "barbu"]
    texts = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, check=True).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) > 500


@pytest.mark.whole
def test_code_grows_no_faster_than_the_steps(tmp_path: Path) -> None:
    """Each step can be begun at, but the code that follows it is written once."""
    lines = []
    for count in (20, 80):
        steps = ", ".join(f"s{n}: {{move: pack, count: 1, to: heap}}" for n in range(count))
        game = change_rules("compiling/steps", tmp_path, {"last: {leave: game}": steps})
        lines.append(len(game.machine.source.splitlines()))
    assert lines[1] < 4 * lines[0]


TEXT = """
def first(P, C):
    found = [p for p in P if p in C]
    for piece in found:
        if piece > 2 and (
            piece < 5
            or not C
        ):
            return lambda: piece
    with C as c:
        found += c
    return 7


def second():
    return 3
"""
LINES = TEXT.count("\n")


def lines_of(code: CodeType) -> Iterator[int | None]:
    """The first line of this code and of all code within it, and the line of each of their instructions."""
    yield code.co_firstlineno
    for start, end, line in code.co_lines():
        yield from [line or None] * (end - start)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from lines_of(part)


@pytest.mark.parametrize("further", some_now([0, 100_000, 1, 30, 31, 32, 63, 64, 2_000], 2))
def test_every_instruction_stands_where_it_comes_from(further: int) -> None:
    chance, written = random.Random(further), compile(TEXT, "game.yaml", "exec")
    for _ in range(5):
        origins = [line + chance.choice((0, further)) for line in chance.sample(range(1, LINES + 1), LINES)]
        moved = place_lines(written, origins)
        assert list(lines_of(moved)) == [origins[line - 1] if line else None for line in lines_of(written)]
        assert moved.co_code == written.co_code


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
