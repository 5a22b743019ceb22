"""Formulas as functions of piles, by Python and by machine code; and the C text of games."""

import os
import re
import subprocess
import warnings
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from call_graph import call_graph, circle
from engines import GAMES, difference, engine_of, with_compiler
from games import game, names
from rules import read_cases
from tiers import in_tiers, sized, some_now

from hoyle import Game, Refused, load
from hoyle.compiling.game import lower_ruleset
from hoyle.game import evaluators
from hoyle.game.evaluators import Evaluator
from hoyle.native import unit as unit_module
from hoyle.native.compiler import Compiler, find_compiler
from hoyle.native.layout import Untranslatable
from hoyle.native.unit import FORWARD, PLAYING, write_unit

WORTH = ("cribbage", "worth(hand of A)", ("hand of A", "starter"))
HAND = ("hand of A",)
ASKED: list[tuple[str, str, list[str]]] = [tuple(row) for row in read_cases("native/evaluators")["asked"]]
Kind = Literal["auto", "python", "native"]


def asked(kind: Kind, name: str, formula: str, piles: Sequence[str]) -> Evaluator:
    return Evaluator(game(name).compiled, kind, formula, piles)  # without an engine for the whole game


def dealt(name: str, piles: int, times: int) -> list[list[list[int]]]:
    """Up to five pieces for each pile, in each column as often."""
    stream, classes = Random(7), len(game(name).machine.homes)
    sizes = [[stream.randrange(6) for _ in range(piles)] for _ in range(times)]
    packs = (iter(stream.sample(range(classes), sum(row))) for row in sizes)
    rows = [[[2 * n | 1 for n in islice(pack, size)] for size in row] for row, pack in zip(sizes, packs, strict=True)]
    return [list(column) for column in zip(*rows, strict=True)]


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize(("name", "formula", "piles"), in_tiers(ASKED, whole=ASKED[1:3]))
def test_engines_agree(name: str, formula: str, piles: list[str]) -> None:
    given = dealt(name, len(piles), 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = asked("native", name, formula, piles).many(*given)
    one = asked("python", name, formula, piles)
    assert found == one.many(*given) == array("q", (int(one(*row)) for row in zip(*given, strict=True)))
    assert len({*found}) > 1


@pytest.mark.slow
@with_compiler
def test_one_built_for_the_sizes_of_its_piles_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [[2 * n | 1 for n in Random(seed).sample(range(52), 5)] for seed in range(sized(100, 2000))]
    hands, shorter, starters = ([row[a:b] for row in cards] for a, b in ((0, 4), (0, 3), (4, 5)))
    found = asked("native", *WORTH).many(hands, starters)
    monkeypatch.setattr(evaluators, "_REPAYS_SIZES", 1)
    other = asked("native", *WORTH)
    assert other.many(hands, starters) == found
    assert other.many(shorter, starters) == asked("python", *WORTH).many(shorter, starters)


KINDS = pytest.mark.parametrize("kind", [pytest.param("native", marks=[with_compiler, pytest.mark.slow]), "python"])


@pytest.mark.whole
@KINDS
def test_contents_are_signs_numbers_or_buffers(kind: Kind) -> None:
    worth = asked(kind, *WORTH)
    signs = [["5H", "5S", "5D", "JC"], ["2H", "4S", "6D", "8C"]], [["5C"], ["KH"]]
    cards, starters = ([[game("cribbage").piece(sign) for sign in row] for row in pile] for pile in signs)
    rows = memoryview(array("i", chain(*cards))).cast("B").cast("i", (2, 4))
    wide = memoryview(array("q", chain(*cards))).cast("B").cast("q", (2, 4))
    single = array("i", chain(*starters))
    for given in ((*signs,), (cards, starters), (rows, single), (rows.toreadonly(), starters), (wide, single)):
        assert [*worth.many(*given)] == [29, 0]
    assert [*worth.many([], [])] == [] == [*worth.many(memoryview(b"").cast("i"), [])]


@pytest.mark.whole
@KINDS
def test_contents_that_no_pile_holds_are_refused(kind: Kind) -> None:
    worth = asked(kind, *WORTH)
    for wrong in (["5H", "1X"], [5, 1000], [5, -2]):
        with pytest.raises(Refused, match="R705"):
            worth.many([[5], wrong], [[1], [1]])
        with pytest.raises(Refused, match="R705"):
            worth(wrong, [1])
    for given in (([[5]], [[1], [1]]), ([[5]],)):
        with pytest.raises(ValueError, match="2 piles"):
            worth.many(*given)
    with pytest.raises(ValueError, match="a row for each"):
        worth.many(memoryview(bytes(8)).cast("B", (2, 2, 2)), [[1], [1]])
    with pytest.raises(Refused, match="R306"):
        asked(kind, "cribbage", "hand of A + starter", HAND).many([[5]])


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["fevga", "grabuge", "cribbage"], 1))
def test_no_piece_lies_there_more_often_than_there_are(name: str) -> None:
    """In all piles together, whichever side of it is up: of a pack, of several packs, of men that are all alike."""
    one = game(name)
    first, second, *_ = (pile for n in range(len(one.machine.face)) if (pile := one.namer.key(n)))
    many = asked("python", name, f"count({first}) + count({second})", (first, second))
    copies = one.machine.copies[0]
    assert [*many.many([[0] * copies, [1]], [[], [0] * (copies - 1)])] == [copies, copies]
    too_many: list[tuple[list[list[int]], list[list[int]]]] = [
        ([[1, *[0] * copies]], [[]]),
        ([[1]], [[0] * copies]),
        ([[]], [[0] * (sum(one.machine.copies) + 1)]),
    ]
    for wrong in too_many:
        with pytest.raises(Refused, match=rf"R706.*there is only {copies}"):
            many.many(*wrong)
        with pytest.raises(Refused, match="R706"):
            many(*(pile[0] for pile in wrong))


@pytest.mark.slow
@with_compiler
def test_threads_share_an_evaluator() -> None:
    worth, given = asked("native", *WORTH), dealt("cribbage", 2, 1000)
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: worth.many(*given), range(4))]
    assert found == [worth.many(*given)] * 4


# fmt: off
HANDS = [
    1009008, 99792, 2813796, 505008, 2855676, 697508, 1800268, 751324, 1137236, 361224, 388740, 51680, 317340, 19656,
    90100, 9168, 58248, 11196, 2708, 0, 8068, 2496, 444, 356, 3680, 0, 0, 0, 76, 4,
]
# fmt: on
"""The number of hands of cribbage, with a starter, that are worth 0, 1, 2, … points: long known."""


@with_compiler
@pytest.mark.slow
def test_all_hands_of_cribbage() -> None:
    from benchmarks.shows import FORMULA, PILES, distribution

    found = distribution(asked("native", "cribbage", FORMULA, PILES), game("cribbage"))
    assert [found[points] for points in range(30)] == HANDS
    assert found.total() == sum(HANDS) == 12_994_800


@pytest.mark.slow
@with_compiler
def test_formulas_of_the_same_code_have_different_tables() -> None:
    one = load("hearts", engine="native")
    for formula in ("top(hand of A).rank.order", "top(hand of A).suit.order", "top(hand of A).rank"):
        ours = load("hearts", engine="python").evaluator(formula, "hand of A").many([["7H"], ["QS"], ["AC"]])
        assert one.evaluator(formula, "hand of A").many([["7H"], ["QS"], ["AC"]]) == ours


FOLDER = Path(__file__).parent
SMALL = FOLDER.parent / "checking" / "diagnostics" / "_game.yaml"
TRYING = FOLDER.parent / "compiling" / "flow" / "_back.yaml"
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
LIBRARY = {"memcpy", "memset", "memmove"}


def text_of(one: Game) -> str:
    return write_unit(lower_ruleset(one.ruleset)).text


@cache
def text(name: str) -> str:
    return text_of(game(name))


def golden(name: str, found: str) -> None:
    out = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")


def test_functions_of_a_small_game() -> None:
    """Lines of the ruleset stand after the first line that they hold for."""
    _, found = text_of(load(SMALL)).split(FORWARD)
    found = re.sub(r'^#line (\d+) "_game.yaml"\n(.*)$', r"\2  // \1", found, flags=re.MULTILINE)
    golden("functions.out", found.split("/* Scores of the sides")[0])


def test_constants_of_a_game_with_tries() -> None:
    library = {line for path in Path(unit_module.__file__).parent.glob("*.c") for line in path.read_text().splitlines()}
    lines = [line for line in text_of(load(TRYING)).splitlines() if line not in library]
    sizes = [line.removeprefix("#define ") for line in lines if re.match(r"#define \w+ \d+$", line)]
    tables = [line.removeprefix("static const ") for line in lines if line.startswith("static const ") and "=" in line]
    golden("constants.out", "\n".join([", ".join(sizes), *tables, ""]))


@with_compiler
@pytest.mark.parametrize("name", GAMES[::2])
@pytest.mark.slow
def test_a_game_needs_only_three_functions(name: str, tmp_path: Path) -> None:
    """It is built without a C library, as for WebAssembly, and without warnings."""
    compiler = find_compiler()
    assert isinstance(compiler, Compiler)
    (tmp_path / "game.c").write_text(text(name), encoding="utf-8")
    flags = ("-std=c11", "-ffreestanding", "-O0", *WARNINGS, "-c", "game.c", "-o", "game.o")
    subprocess.run([*compiler.words, *flags], cwd=tmp_path, check=True)
    told = subprocess.run(["nm", "-u", "game.o"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1].lstrip("_") for line in told.splitlines()} <= {*LIBRARY, "GLOBAL_OFFSET_TABLE_"}


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES[::3], 1))
def test_lines_are_those_of_the_ruleset(name: str) -> None:
    told = {file for _, file in re.findall(r'^#line (\d+) "(.*)"$', text(name), flags=re.MULTILINE)}
    assert told == {*PLAYING, *(Path(function.file).name for function in lower_ruleset(game(name).ruleset).functions)}


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_no_function_calls_itself(name: str) -> None:
    """So the depth of calls is known before play: look-ahead has a stack of its own, of a known size."""
    compiler = find_compiler()
    assert isinstance(compiler, Compiler)
    command = [*compiler.words, "-E", "-P", "-x", "c", "-"]
    told = subprocess.run(command, input=text(name), capture_output=True, text=True, check=True).stdout
    graph = call_graph(told)
    assert {"advance", "apply"} <= graph["act"]
    assert circle(graph) == []


TESTS = Path(__file__).parent.parent
LOADED = 50
"""The least number of rulesets below `tests` that load; the others are there for their errors."""


@cache
def loaded(name: str) -> Game | None:
    try:
        return load(TESTS / name if name.endswith(".yaml") else name, engine="python")
    except Refused:
        return None


@cache
def rulesets() -> list[str]:
    every = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.yaml"))
    found = [name for name in every if loaded(name) is not None]
    assert len(found) >= LOADED
    return found


def refused(name: str) -> str:
    """The reason why a ruleset cannot be written as C, if there is one."""
    game = loaded(name)
    assert game is not None
    try:
        write_unit(lower_ruleset(game.ruleset))
    except Untranslatable as why:
        return str(why)
    return ""


def differing(name: str) -> list[object]:
    """The first differences of two random games, in a plain run of one."""
    game = loaded(name)
    assert game is not None
    native = engine_of(game)
    return [told for seed in (1, 2)[: sized(1, 2)] if (told := difference(game, native, seed)) is not None]


@pytest.mark.parametrize("name", ["compiling/flow/removed.yaml"])
def test_a_ruleset_can_be_written_as_c(name: str) -> None:
    assert refused(name) == ""


@pytest.mark.slow
def test_every_ruleset_can_be_written_as_c() -> None:
    every = [*rulesets(), *(name for name, _ in names())]
    assert {name: why for name in every if (why := refused(name))} == {}


@pytest.mark.whole
@with_compiler
def test_a_ruleset_of_lists_is_played_alike() -> None:
    assert differing("native/nested.yaml") == []


@pytest.mark.slow
@with_compiler
def test_every_ruleset_is_played_alike() -> None:
    assert {name: told for name in rulesets() if (told := differing(name))} == {}
