"""What examples and random games come to in a ruleset, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiers import in_tiers

from interpreter.checking import build
from interpreter.game.coverage import Coverage, Status, cover
from interpreter.game.game import Game
from interpreter.game.ready import compiled
from interpreter.resources import shipped
from interpreter.running.watching import Counts, Watch

STATUS: dict[str, Status] = {
    "is_one(p)": "examples",
    "unused_here": "out",
    "kept(p)": "examples",
    "told": "",
    "take one:": "examples",
    "take: cards": "examples",
    "small: kept": "examples",
    "more:": "never",
    "when: count(heap) > 9": "examples",
    "again:": "out",
    "stop:": "games",
    "then: {over": "games",
    "turns: {turns": "games",
    "only then:": "out",
    "a move:": "examples",
    "nothing:": "out",
    "title:": "",
    "result:": "",
    "legal:": "",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "covered.yaml"
    place.write_text(GAME, encoding="utf-8")
    return place


def lines(found: Coverage, begin: str) -> list[tuple[Status, int, int]]:
    file = found.files[0]
    return [(line.status, line.examples, line.games) for line in file.lines if line.text.strip().startswith(begin)]


@pytest.mark.parametrize("begin", STATUS)
def test_what_comes_to_a_line(path: Path, begin: str) -> None:
    [(status, _, _)] = lines(cover(path, games=5, seed=1), begin)
    assert status == STATUS[begin]


def test_how_often(path: Path) -> None:
    found = cover(path, games=5, seed=1)
    games = [Game(compiled(*build.ruleset(path, {}))).playout(1, index) for index in range(5)]
    made = [event.data["move"].partition(" ")[0] for state in games for event in state.events if event.kind == "move"]
    assert lines(found, "take one:") == [("examples", 1, made.count("take-one"))]
    assert lines(found, "stop:") == [("games", 0, made.count("stop"))]
    assert lines(found, "turns: {turns") == [("games", 0, 5)]
    [small] = [line.formulas for line in found.files[0].lines if "small: kept" in line.text]
    assert [(f.start, f.end, f.examples.yes > 0, f.examples.no > 0) for f in small] == [(13, 23, True, True)]
    [more] = [line.formulas for line in found.files[0].lines if "> 9" in line.text]
    assert [(f.examples, f.games.yes, f.games.no) for f in more] == [(Counts(no=1), 0, made.count("take-one"))]


def test_without_games_only_examples_count(path: Path) -> None:
    found = cover(path)
    assert lines(found, "stop:") == [("never", 0, 0)] and found.of_games == frozenset()
    assert found.files[0].count("games") == 0 and found.report.unreached == [("move", "stop")]
    examples = found.files[0].examples
    assert [found.files[0].lines[n - 1].text for n in (examples.start, examples.stop - 1)] == [
        "examples:",
        "    after: {take-one one: {piles: {heap: one}}}",
    ]


def test_a_step_that_cites_is_a_rule(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = text.replace("      more:\n", "      more:\n        at: §1\n").replace(
        "from: A, rounds: 2}", "from: A, rounds: 2, at: §3}"
    )
    path.write_text(text.replace("{choose: [take one, stop]}", "{choose: [take one, stop], at: §2}"), encoding="utf-8")
    found = cover(path, games=20, seed=1)
    assert found.unreached == (("move", "stop"), ("step", "take one / more"), ("step", "game / turns"))
    assert ("step", "game / turns") in found.of_games and ("step", "take one / more") not in found.of_games


def test_options_bring_other_parts_into_reach(path: Path) -> None:
    found = cover(path, {"twice": True}, games=60, seed=1)
    assert [lines(found, begin)[0][0] for begin in ("again:", "nothing:", "only then:")] == [
        "examples",
        "games",
        "games",
    ]
    [(status, _, _)] = lines(found, "unused_here")
    assert status == "out", "nothing names it"


def test_files_below_are_told_of_too(path: Path) -> None:
    (path.parent / "more.yaml").write_text(
        "ruleset: 1\ngame: more\nextends: covered\ntitle: More\nterms: {is_one(p): p.number is two}\n",
        encoding="utf-8",
    )
    found = cover(path.parent / "more.yaml", games=3)
    assert [Path(file.path).stem for file in found.files] == ["more", "covered"]
    assert [line.status for line in found.files[1].lines if "is_one(p): " in line.text] == [""], "it has been replaced"
    assert [line.status for line in found.files[0].lines if "is_one(p): " in line.text] == ["games"]


@pytest.mark.parametrize("name", in_tiers(sorted(shipped()), whole=["klondike", "hearts", "cribbage", "backgammon"]))
def test_a_game_that_is_watched_is_the_same(name: str) -> None:
    """Whatever is counted, nothing plays otherwise; and what has certainly happened has been counted."""
    if build.library(shipped()[name]) is not None:
        return
    rules, watch = build.ruleset(name, {}), Watch()
    plain, watched = Game(compiled(*rules), "python"), Game(compiled(*rules, trace=True, watch=watch), "python")
    one, _ = plain.machine.playout(3, most=200)
    other, _ = watched.machine.playout(3, most=200)
    assert one.key() == other.key() and one.acts == other.acts
    assert any(counts.all for counts in watch.counts)
    places = [span for span in watch.numbers if not Path(span[0]).is_file()]
    assert places == []
