"""Coverage of a ruleset by examples and random games, line by line, and problems of examples that do not hold."""

import os
from pathlib import Path

import pytest
from english import left_in_english
from games import game
from rules import find_rules, write_rules
from tiers import some_now

from hoyle.checking import build
from hoyle.diagnostics import Diagnostic
from hoyle.game.compiled import compile_ruleset
from hoyle.game.examples.coverage import Coverage, Status, cover
from hoyle.game.examples.examples import run_examples
from hoyle.game.game import Game
from hoyle.running.hit_counts import Counts, Watch

PATH = find_rules("game/covered")
STATUS: dict[Status, list[str]] = {
    "examples": ["is_one(p)", "kept(p)", "take one:", "take: cards", "small: kept", "when: count(heap) > 9", "a move:"],
    "games": ["stop:", "over:", "turns: {turns"],
    "never": ["more:"],
    "out": ["unused_here", "again:", "only then:", "nothing:"],
    "": ["told", "title:", "result:", "legal:"],
}
"""The status of lines, by how they begin."""


@pytest.fixture(scope="module")
def covered() -> Coverage:
    return cover(PATH, games=5, seed=1)


def lines(found: Coverage, begin: str, number: int = 0) -> list[tuple[Status, int, int]]:
    file = found.files[number]
    return [(line.status, line.examples, line.games) for line in file.lines if line.text.strip().startswith(begin)]


def test_each_line_has_a_status(covered: Coverage) -> None:
    for wanted, begins in STATUS.items():
        for begin in begins:
            assert [status for status, _, _ in lines(covered, begin)] == [wanted], begin


def test_lines_and_conditions_are_counted(covered: Coverage) -> None:
    games = [Game(compile_ruleset(*build.load_ruleset(PATH, {}))).playout(1, index) for index in range(5)]
    made = [event.data["move"].partition(" ")[0] for state in games for event in state.events if event.kind == "move"]
    assert lines(covered, "take one:") == [("examples", 1, made.count("take-one"))]
    assert lines(covered, "stop:") == [("games", 0, made.count("stop"))]
    assert lines(covered, "turns: {turns") == [("games", 0, 5)]
    [small] = [line.formulas for line in covered.files[0].lines if "small: kept" in line.text]
    assert [(f.start, f.end, f.examples.yes > 0, f.examples.no > 0) for f in small] == [(13, 23, True, True)]
    [more] = [line.formulas for line in covered.files[0].lines if "> 9" in line.text]
    assert [(f.examples, f.games.yes, f.games.no) for f in more] == [(Counts(no=1), 0, made.count("take-one"))]


def test_without_games_only_examples_count() -> None:
    found = cover(PATH)
    assert lines(found, "stop:") == lines(found, "over:") == [("never", 0, 0)] and found.of_games == frozenset()
    assert found.files[0].count("games") == 0 and found.report.unreached == [("move", "stop")]
    examples = found.files[0].examples
    first, last = (found.files[0].lines[n - 1].text for n in (examples.start, examples.stop - 1))
    assert first == "examples:" and last == "    after: {take-one one: {piles: {heap: one}}}"


def test_a_step_that_cites_is_a_rule(tmp_path: Path) -> None:
    cited = {"      more:\n": "      more:\n        at: §1\n", "A, rounds: 2}": "A, rounds: 2, at: §3}"}
    cited["{choose: [take one, stop]}"] = "{choose: [take one, stop], at: §2}"
    found = cover(write_rules("game/covered", tmp_path, cited), games=20, seed=1)
    assert found.unreached == (("move", "stop"), ("step", "take one / more"), ("step", "game / turns"))
    assert ("step", "game / turns") in found.of_games and ("step", "take one / more") not in found.of_games


def test_options_bring_other_parts_into_reach() -> None:
    found = cover(PATH, {"twice": True}, games=60, seed=1)
    wanted = {"again:": "examples", "nothing:": "games", "only then:": "games", "unused_here": "out"}
    assert {begin: lines(found, begin)[0][0] for begin in wanted} == wanted


def test_files_that_a_ruleset_extends_are_reported_too(tmp_path: Path) -> None:
    write_rules("game/covered", tmp_path, {})
    (tmp_path / "more.yaml").write_text(
        "ruleset: 1\ngame: more\nextends: covered\ntitle: More\nterms: {is_one(p): p.number is two}\n", encoding="utf-8"
    )
    found = cover(tmp_path / "more.yaml", games=3)
    assert [Path(file.path).stem for file in found.files] == ["more", "covered"]
    assert [line.status for line in found.files[1].lines if "is_one(p): " in line.text] == [""], "it has been replaced"
    assert [line.status for line in found.files[0].lines if "is_one(p): " in line.text] == ["games"]


WATCHED = ["crapette", "cribbage", "barbu", "backgammon", "hearts", "yams", "spite-and-malice", "gin-rummy"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(WATCHED, 1))
def test_a_watched_game_is_the_same(name: str) -> None:
    watch = Watch()
    watched = Game(compile_ruleset(*build.load_ruleset(name, {}), trace=True, watch=watch), "python")
    one, _ = game(name).machine.playout(3, most=200)
    other, _ = watched.machine.playout(3, most=200)
    assert one.key() == other.key() and one.acts == other.acts
    assert any(counts.all for counts in watch.counts)
    assert all(Path(span[0]).is_file() for span in watch.numbers)


FOLDER = Path(__file__).parent / "scenes"


def told(problem: Diagnostic) -> str:
    """The code, the line, the text pointed at and the message; notes and help behind them."""
    at = f"{problem.span.line} `{problem.span.text}`" if problem.span else "nowhere"
    found = " / ".join([problem.message, *problem.notes, *([f"help: {problem.help}"] if problem.help else [])])
    return f"  {problem.code} {at}: {found}"


@pytest.mark.parametrize("name", ["again", "bargain", "together", "expected", "fewer"])
def test_problems_of_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """UPDATE_GOLDEN=1 renews `scenes/NAME.out`."""
    monkeypatch.chdir(FOLDER)
    outcomes = run_examples(f"{name}.yaml").outcomes
    found = "".join(
        f"{line}\n"
        for o in outcomes
        for line in (f"{o.name}: {'holds' if o.passed else 'does not hold'}", *map(told, o.problems))
    )
    if os.environ.get("UPDATE_GOLDEN"):
        Path(f"{name}.out").write_text(found, encoding="utf-8")
    assert found == Path(f"{name}.out").read_text(encoding="utf-8")
    assert not left_in_english(problem for o in outcomes for problem in o.problems)


@pytest.mark.whole
def test_which_rules_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    inherited, own = run_examples("expected.yaml", coverage=True), run_examples("ladder.yaml", coverage=True)
    assert inherited.rules == () and not inherited.passed, "the rules of the file itself, and it has none"
    assert inherited.reached["move", "climb"] > 0 and inherited.reached.get(("obligation", "no circle"), 0) == 0
    assert own.unreached == list(own.rules) and own.passed, "without examples nothing is reached"
    assert own.rules[0] == ("move", "climb") and ("obligation", "climb first") in own.rules
