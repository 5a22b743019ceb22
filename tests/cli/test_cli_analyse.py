"""`analyse`: the table, the JSON and the page of a record."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_cases import case_list, check_case
from commands import Run, command_lines
from games import game
from rules import change_rules

from hoyle.cli.shell import INTERRUPTED
from hoyle.diagnostics import Source
from hoyle.game.records.records import record_lines
from hoyle.players.record_analysis import RecordedGame, read_record
from hoyle.series import analysis as series
from hoyle.series.analysis import Order
from hoyle.series.workers import Workers

run = command_lines
pytestmark = pytest.mark.whole
Look = Callable[..., Iterator[Any]]
QUICK = ("--engine", "python", "--search", "12", "--deals", "0")
FOUND: dict[tuple[Any, ...], list[Any]] = {}
COURSES: dict[tuple[str, str | None], RecordedGame] = {}
RECORDS: dict[tuple[int, int], str] = {}


def search_once(look: Look) -> Look:
    """Cache what a search of a number of games finds, for all forms and tests. A search of seconds is not cached."""

    def found(order: Order, course: RecordedGame, wanted: Any, workers: Workers, kept: Any = None) -> Iterator[Any]:
        if order.kind.endswith("s") or kept is not None:
            return look(order, course, wanted, workers, kept)
        key = look, order.text, order.kind, order.seed, repr(wanted), workers
        if key not in FOUND:
            FOUND[key] = [*look(order, course, wanted, workers)]
        return iter(FOUND[key])

    return found


def replay_once(source: Source, given: Any = None) -> RecordedGame:
    if (source.text, given) not in COURSES:
        COURSES[source.text, given] = read_record(source, given)
    return COURSES[source.text, given]


@cache
def searches() -> dict[str, Look]:
    return {"judge_choices": series.judge_choices, "play_other_deals": series.play_other_deals}


@pytest.fixture
def analyse(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    text = Path("game.yaml").read_text(encoding="utf-8").replace("title: Game", 'title: "<b>R & B</b>"')
    Path("game.yaml").write_text(text, encoding="utf-8")
    record(run, 7)
    monkeypatch.setattr(series, "read_record", replay_once)
    for name, look in searches().items():
        monkeypatch.setattr(series, name, search_once(look))
    return lambda *words: run("analyse", "r.jsonl", *words)


def record(run: Run, seed: int, cards: int = 3) -> None:
    if (seed, cards) not in RECORDS:
        words = ("--seed", str(seed), "--record", "r.jsonl", "--set", f"cards_each={cards}")
        assert run("play", "game.yaml", "--seats", "random,random", *words)[0] == 0
        RECORDS[seed, cards] = Path("r.jsonl").read_text(encoding="utf-8")
    Path("r.jsonl").write_text(RECORDS[seed, cards], encoding="utf-8")


def plain(text: str) -> str:
    return " ".join(text.split())


def data(analyse: Run, *words: str) -> dict[str, Any]:
    code, out, _ = analyse(*QUICK, "--json", *words)
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_table(analyse: Run) -> None:
    code, out, err = analyse(*QUICK)
    assert (code, err) == (0, "")
    head, _, columns, *rows = out.splitlines()
    assert "each after a search of 12 games (seed 0)" in head
    assert columns.split() == ["choices", "lost", "each", "errors", "points", "lost", "luck", "deal"]
    assert [row.split()[0] for row in rows[:2]] == ["A", "B"]
    assert "without the mistakes of others" in plain(out)
    assert "Points: the lead over the others; + is good luck." in rows
    assert ("The most costly moves" in out) != ("No move was surely worse" in out)
    assert out.count(" (you) ─") == len(data(analyse)["worst"]) > 0
    assert max(map(len, out.splitlines())) <= 100
    assert max(len(row) for row in rows if "──" in row) == 80
    assert "The game is over." in out


@pytest.mark.parametrize("case", case_list("cli/analyse", "whole"))
def test_command_line(analyse: Run, run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case, monkeypatch)


def test_moves_have_the_numbers_that_replay_shows(analyse: Run, run: Run) -> None:
    out = analyse(*QUICK)[1]
    listed = dict(re.findall(r"^ *([0-9]+)  (.*)", run("replay", "r.jsonl")[1], re.MULTILINE))
    bad = re.findall(r"^  ([AB]), move ([0-9]+).* lost .*\n    ([^:]*):", out, re.MULTILINE)
    shown = [move.replace("play", f"{seat} plays", 1) for seat, _, move in bad]
    assert [listed[number] for _, number, _ in bad] == shown != []
    found = data(analyse)
    seats = {one["number"]: one["seat"] for one in found["decisions"]}
    assert [(str(number), seats[number]) for number in found["worst"]] == [(number, seat) for seat, number, _ in bad]
    before = str(int(bad[0][1]) - 1)
    assert f"`hoyle replay r.jsonl` lists all moves by their numbers; with `--to {before}` it shows" in plain(out)
    then = run("replay", "r.jsonl", "--to", before)[1]
    drawn = out.split("The most costly moves")[1].split("move ")[1]
    assert f"▶ {bad[0][0]}" in then
    assert re.findall(r"heap +(\S+)", drawn)[0] == re.findall(r"heap +(\S+)", then)[0]


def test_page(analyse: Run) -> None:
    """The page escapes texts, draws the worst moves, and shows the cost of each move and its error."""
    assert analyse(*QUICK, "--format", "html", "--out", "page.html")[:2] == (0, "")
    page, found = Path("page.html").read_text(encoding="utf-8"), data(analyse)
    assert page.startswith("<!doctype html>")
    assert f"<h1>&lt;b&gt;R &amp; B&lt;/b&gt;: {found['choices']} choices" in page
    assert "<b>" not in page and "<script" not in page
    assert "http" not in page.replace(' xmlns="http://www.w3.org/2000/svg"', "")
    assert page.count("<tr") == page.count("</tr>") > 10
    assert page.count("<svg") == len(found["worst"]) > 0
    decisions = {one["number"]: one for one in found["decisions"]}
    rows = re.findall(r"<tr.*?</tr>", page.partition("All choices")[2], re.DOTALL)
    cells = [[cell for cell in re.split(r"</?t[dr][^>]*>", row) if cell] for row in rows]
    shown = {int(number): more for number, *more in cells if number.isdigit()}
    assert shown.keys() == decisions.keys()
    for number, one in decisions.items():
        cost = [cell for cell in shown[number] if "(±" in cell]
        is_worse = one["loss"] > 0 and not one["exact"]
        assert cost == [f"{100 * one['loss']:.1f} (±{max(0.1, 100 * one['error']):.1f})"] * is_worse
        assert cost or shown[number][1] == shown[number][2], "no other move is called better"


@pytest.mark.slow
def test_better_moves_are_shown_with_what_follows_them(analyse: Run, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.players.move_evaluation.OFTEN", 1)
    monkeypatch.setattr("hoyle.players.judgement.OFTEN", 1)
    Path("r.jsonl").unlink()
    record(run, 5, 5)
    further = ("--search", "120")
    known = data(analyse, *further)
    found = {one["number"]: one for one in known["decisions"]}
    worst = [found[number] for number in known["worst"]]
    assert all(one["line"] for one in worst) and any(one["others"] for one in worst)
    assert not any(one["line"] or one["others"] for one in found.values() if one["loss"] <= 0.005)
    assert all(len(one["others"]) <= 2 and one["best"] not in one["others"] for one in worst)
    for form, start in (("text", "\n    "), ("html", "<br>")):
        shown = analyse(*QUICK, *further, "--format", form)[1]
        bad = shown.partition("The most costly moves")[2].partition("All choices")[0]
        assert bad.count(f"{start}better: ") == len(worst)
        assert bad.count(f"{start}or: ") == sum(len(one["others"]) for one in worst)
        assert bad.count(f"{start}After ") == sum(len(one["line"]) > 1 for one in worst) > 0


@pytest.mark.slow
def test_only_a_search_of_games_finds_the_same_again(analyse: Run) -> None:
    note = "does not repeat its results"
    assert note in plain(analyse("--engine", "python", "--search", "0.01s")[1])
    assert note not in analyse(*QUICK)[1]
    first = analyse(*QUICK)
    FOUND.clear()
    assert analyse(*QUICK) == first != analyse(*QUICK, "--seed", "2")


@pytest.mark.slow
def test_luck_of_the_deal_needs_other_deals(analyse: Run) -> None:
    assert {seat["deal"] for seat in data(analyse)["seats"].values()} == {None}
    measured = data(analyse, "--deals", "8")["seats"]
    assert all(seat["deal"] is not None and seat["deal_error"] > 0 for seat in measured.values())
    assert "(±" in analyse(*QUICK, "--deals", "8")[1].splitlines()[3].split("  ")[-1]


def test_json(analyse: Run) -> None:
    found = data(analyse)
    decisions = found["decisions"]
    assert (found["format"], found["iterations"], found["seconds"], found["over"]) == ("hoyle analyse", 12, None, True)
    assert found["choices"] == len(decisions) == sum(seat["decisions"] for seat in found["seats"].values())
    for one in decisions:
        assert {one["made"], one["best"]} <= {move["move"] for move in one["moves"]}
        assert (one["made"] != one["best"]) or one["loss"] == one["error"] == 0
    costs = {one["number"]: one["loss"] for one in decisions}
    assert [costs[number] for number in found["worst"]] == sorted((costs[n] for n in found["worst"]), reverse=True)
    for seat, total in found["seats"].items():
        own = [one["loss"] for one in decisions if one["seat"] == seat]
        assert 0 <= total["loss"] <= sum(own) + 1e-9 and min(own) >= 0


def test_one_seat_by_any_of_its_names(analyse: Run, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = data(analyse, "--seat", "B")
    assert [*found["seats"]] == ["B"] == sorted({one["seat"] for one in found["decisions"]})
    out = analyse(*QUICK, "--seat", "B")[1]
    assert "with the mistakes of others" in plain(out) and analyse(*QUICK, "--seat", "b")[1] == out
    state = game("backgammon").start(1)
    for _ in range(6):
        state = state.play(state.moves()[0])
    Path("b.jsonl").write_text("\n".join(record_lines(state, 1)), encoding="utf-8")
    monkeypatch.setattr(series, "judge_choices", lambda *_: iter(()))
    assert run("analyse", "b.jsonl", *QUICK, "--seat", "White")[0] == 0


def test_way_to_win_that_was_left(analyse: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stone that wins lay on top, and all were mixed instead. The last choice is certain, since the game was won."""
    monkeypatch.setattr("hoyle.players.judgement.solve_view", lambda *_, **__: None)
    state, seen = change_rules("players/reds", tmp_path, {}).start(1), 0
    while seen < 2:
        seen += "red" in str(state.view("A").piles[0].pieces[-1].sign)
        state = state.play("mix" if seen < 2 else "take")
    while not state.is_over:
        state = state.play("take")
    Path("r.jsonl").write_text("\n".join(record_lines(state, 1)), encoding="utf-8")
    found = data(analyse)
    *_, left, last = [one for one in found["decisions"] if one["way"] is not None]
    assert (left["made"], left["way"], last["made"], last["way"]) == ("mix", "take", "take", "take")
    assert (last["exact"], last["loss"]) == (True, 0) and last == found["decisions"][-1]
    out, page = analyse(*QUICK)[1], analyse(*QUICK, "--format", "html")[1]
    assert "1 choice after which a certain win was known: nothing was lost." in out
    assert f"`--to {left['number'] - 1}`" in plain(out)
    head = f"A, move {left['number']}: a certain win was known, and none was found after this move"
    for text in (plain(out), page):
        assert "Where the last known win was given up" in text
        assert "No win was found afterwards, which does not prove that there was none." in text
        assert text.count(head) == 1 and "the win: take" in text


def test_interrupted_analysis_shows_what_it_found(analyse: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = series.judge_choices

    def stopped(*given: Any) -> Any:
        yield next(judged(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr(series, "judge_choices", stopped)
    code, out, _ = analyse(*QUICK)
    assert code == INTERRUPTED
    assert "Interrupted after 1 of" in out
