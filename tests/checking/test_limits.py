"""Generated rulesets beyond the limits are reported within seconds, without a traceback."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import compiled_once
import pytest
from everything import world
from oracle import ME
from tiers import in_tiers

from hoyle import Refused, load, validate
from hoyle.checking import build
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas import checker as checker_module
from hoyle.checking.formulas.checker import Checker
from hoyle.checking.formulas.symbols import Scope
from hoyle.checking.sections import flow as flow_module
from hoyle.diagnostics import Problems, Source, Span
from hoyle.reading import parse
from hoyle.reading.tree import Node

HEAD = "ruleset: 1\ngame: large\nextends: game.yaml\n"


@pytest.fixture(autouse=True)
def _checked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check again each time, since tests lower the limits between two checks of a text."""
    monkeypatch.setattr(build, "_run_check", compiled_once._check)


GAME = Path(__file__).parent / "diagnostics" / "_game.yaml"


def steps(texts: Iterable[str]) -> str:
    return "flow:\n  turn:\n" + "".join(f"    s{i}: {text}\n" for i, text in enumerate(texts))


def phases(count: int, twice: bool) -> str:
    runs = "".join(f"  p{i}: {{a: {{run: p{i + 1}}}{f', b: {{run: p{i + 1}}}' * twice}}}\n" for i in range(count))
    return f"flow:\n  turn: {{go: {{run: p0}}}}\n{runs}  p{count}: {{a: {{choose: [play a card]}}}}\n"


def terms(count: int, form: str, last: str) -> str:
    made = "".join(f"  t{i}(x): {form.format(f't{i + 1}(x)')}\n" for i in range(count))
    return f"terms:\n{made}  t{count}(x): {last}\nflow: {{turn: {{points: {{when: t0(me)}}}}}}\n"


def moves(count: int) -> str:
    names = ", ".join(f"m{i}" for i in range(count))
    made = "".join(f"  m{i}: {{rule: {{at: x, en: y}}, take: hand, put: heap}}\n" for i in range(count))
    demands = "".join(f"  o{i}: {{rule: {{at: x, en: y}}, prefer: card.rank is ace}}\n" for i in range(count))
    asks = f"flow: {{turn: {{play: {{choose: [{names}], obey: [{names.replace('m', 'o')}]}}}}}}\n"
    return f"moves:\n{made}obligations:\n{demands}{asks}"


def many(count: int, entry: str) -> str:
    return "{" + ", ".join(entry.format(i, i + 1) for i in range(count)) + "}"


def lets(count: int, value: str) -> str:
    made = "".join(f"      k{i + 1}: {value.format(i)}\n" for i in range(count))
    return f"moves:\n  play a card:\n    let:\n      k0: score\n{made}"


def whenever(count: int) -> str:
    rule = "{rule: {at: x, en: y}, if: heap is empty, do: {a: {move: top(pack), to: heap}}}"
    return "whenever:\n" + "".join(f"  w{i}: {rule}\n" for i in range(count)) + steps(["{shuffle: pack}"] * 300)


LARGE: dict[str, Callable[[], str]] = {
    "steps": lambda: steps(["{set: {leader: me}}"] * 2400),
    "decisions": lambda: steps(["{choose: [play a card]}"] * 600),
    "phases that run each other twice": lambda: phases(22, twice=True),
    "phases in each other": lambda: phases(400, twice=False),
    "terms in each other": lambda: terms(150, "not {}", "x is A"),
    "terms that name each other twice": lambda: terms(30, "{0} and {0}", "x is A"),
    "operands": lambda: steps([f"{{score: {' + '.join(['1'] * 400)}, to: me}}"]),
    "negations": lambda: steps([f"{{when: {'not ' * 9000} me is A, set: {{leader: me}}}}"]),
    "parentheses": lambda: steps([f"{{score: {'(' * 9000}1{')' * 9000}, to: me}}"]),
    "arguments": lambda: steps([f'{{when: "max({", ".join(["score"] * 60000)}) > 3", set: {{leader: me}}}}']),
    "moves and obligations": lambda: moves(150),
    "rules that act by themselves": lambda: whenever(400),
    "rows": lambda: "tables:\n  ranks:\n    rows:\n" + "".join(f"      r{i}: {{worth: 1}}\n" for i in range(3000)),
    "rows by rows": lambda: (
        "tables:\n"
        + "".join(f"  {t}: {{rows: {{{', '.join(f'{t}{i}: {{}}' for i in range(1500))}}}}}\n" for t in "ab")
        + "pieces: {thing: {of: [a, b], from: heap}}\n"
    ),
    "piles": lambda: "piles: {big: {each: 1..10000000}}\n",
    "state": lambda: "state: {big: {each: 1..1000000000, range: 0..3}}\n",
    "a comment": lambda: f"# {'x' * 990_000}\n",
    "a text": lambda: f"notes: {{a: {'x y ' * 240_000}}}\n",
    "a name": lambda: f"terms: {{{'a' * 900_000}: 1}}\n",
    "unknown names": lambda: steps(f"{{score: nosuch{i}, to: mee}}" for i in range(1000)),
    "uncited clauses": lambda: "clauses:\n" + "".join(f"  Z{i}: a sentence\n" for i in range(9000)),
    "unknown places": lambda: f"summary: '{'{o: x} ' * 100_000}'\n",
    "a library many times": lambda: f"use: [{', '.join(['french'] * 9000)}]\n",
    "values that double": lambda: lets(40, "k{0} + k{0}"),
    "moves like each other": lambda: "moves:\n" + "".join(f"  m{i}: {{like: m{i + 1}}}\n" for i in range(3000)),
    "columns by rows": lambda: (
        f"tables: {{ranks: {{columns: {many(2000, 'c{0}: 0..9')}, rows: {many(2000, 'r{0}: {{}}')}}}}}\n"
    ),
    "columns of columns": lambda: f"tables: {{ranks: {{columns: {many(2000, 'c{0}: (c{1} + 1)')}}}}}\n",
    "long columns": lambda: f"tables: {{ranks: {{columns: {many(2000, 'c{0}: ' + ' + '.join(['worth'] * 60))}}}}}\n",
    "places": lambda: 'summary: {en: "' + "".join(f"{{o{i}: x}}" for i in range(90000)) + '"}\n',
    "unknown keys": lambda: "".join(f"sectoin{i}: 1\n" for i in range(3000)),
}


NOW = [
    "values that double",
    "moves like each other",
    "columns by rows",
    "phases that run each other twice",
    "terms in each other",
    "piles",
    "operands",
]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(LARGE, whole=NOW))
def test_large_rulesets_are_checked_in_seconds(name: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME.read_text(encoding="utf-8"), encoding="utf-8")
    place = tmp_path / "large.yaml"
    place.write_text(HEAD + LARGE[name](), encoding="utf-8")
    before = time.process_time()
    errors = [d for d in validate([place]) if d.severity == "error"]
    try:
        load(place)
        assert errors == []
    except Refused:
        assert errors
    assert time.process_time() - before < 10  # five for each on a quiet machine


def test_formulas_have_a_limited_number_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Checker] = []
    begin = Checker.__init__

    def begun(self: Checker, *given: Any) -> None:
        begin(self, *given)
        made.append(self)

    monkeypatch.setattr(Checker, "__init__", begun)
    assert validate([GAME]) == []
    parts = max(checker.parts for checker in made)
    monkeypatch.setattr(checker_module, "MOST_PARTS", parts)
    assert validate([GAME]) == []
    monkeypatch.setattr(checker_module, "MOST_PARTS", parts - 1)
    assert [d.code for d in validate([GAME])] == ["R207"]


@pytest.mark.parametrize(("module", "depth", "code"), [(checker_module, 7, "R205"), (flow_module, 4, "R524")])
def test_nesting_is_limited(module: ModuleType, depth: int, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for most, codes in ((depth, set()), (depth - 1, {code})):
        monkeypatch.setattr(module, "MOST_NESTED", most)
        assert {d.code for d in validate([GAME])} == codes


def test_checking_a_formula_silently_leaves_no_trace() -> None:
    """A silent check must not hide later reports, nor change the count of parts."""
    here, text = world(), "ahead(me) is total or twice(none)"
    here.problems, here.instances = Problems(), {}
    checker = FormulaChecker(here)
    with checker.checking_silently():
        checker.check(parse.formula(Node("scalar", Span(Source("f", text), 0, len(text)), text, text)), Scope(me=ME))
        assert here.instances
        assert checker.parts
        assert len(here.problems)
    assert (here.instances, checker.parts, len(here.problems)) == ({}, 0, 0)


@pytest.mark.whole
def test_a_chain_of_files_is_limited(tmp_path: Path) -> None:
    for i in range(60):
        (tmp_path / f"x{i}.yaml").write_text(f"ruleset: 1\ngame: x\nextends: x{i + 1}\n", encoding="utf-8")
    assert [d.code for d in validate([tmp_path / "x0.yaml"])] == ["R609"]


@pytest.mark.whole
def test_a_diamond_of_libraries_is_merged_once_a_file(tmp_path: Path) -> None:
    for i in range(30):
        for side in "ab":
            text = f"ruleset: 1\nlibrary: {side}{i}\nuse: [a{i + 1}, b{i + 1}]\n"
            (tmp_path / f"{side}{i}.yaml").write_text(text, encoding="utf-8")
    for side in "ab":
        (tmp_path / f"{side}30.yaml").write_text(f"ruleset: 1\nlibrary: {side}30\n", encoding="utf-8")
    assert validate([tmp_path / "a0.yaml"]) == []
