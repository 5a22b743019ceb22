"""`analyse`: the table, JSON and page of a record that is gone through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from games import game
from reds import reds_at
from spaces import spaced
from starter import in_french

from interpreter.cli.main import main
from interpreter.cli.shell import INTERRUPTED
from interpreter.diagnostics import Source
from interpreter.game.records import lines
from interpreter.players.analysis import Course, course
from interpreter.series import analyse as series
from interpreter.series.analyse import Order
from interpreter.series.workers import Workers

pytestmark = pytest.mark.whole
Run = Callable[..., tuple[int, str, str]]
Look = Callable[..., Iterator[Any]]
QUICK = ("--engine", "python", "--search", "12", "--deals", "0")
_FOUND: dict[tuple[Any, ...], list[Any]] = {}


def looked_for_once(look: Look) -> Look:
    """What was found of a record is not looked for again for the next form of it, or the next test; but in so many seconds something else
    may be found each time. That the same seed finds the same has a test of its own."""

    def found(order: Order, course: Course, wanted: Any, workers: Workers, kept: Any = None) -> Iterator[Any]:
        if order.kind.endswith("s") or kept is not None:
            return look(order, course, wanted, workers, kept)
        key = look, order, repr(wanted), workers
        if key not in _FOUND:
            _FOUND[key] = [*look(order, course, wanted, workers)]
        return iter(_FOUND[key])

    return found


_COURSES: dict[tuple[str, str | None], Course] = {}


def replayed_once(source: Source, game: Any = None) -> Course:
    if (source.text, game) not in _COURSES:
        _COURSES[source.text, game] = course(source, game)
    return _COURSES[source.text, game]


SEARCHES: dict[str, Look] = {"judged": series.judged, "redealt": series.redealt}


@pytest.fixture(autouse=True)
def sparing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "slow" not in request.keywords:
        monkeypatch.setattr(series, "course", replayed_once)
        for name, look in SEARCHES.items():
            monkeypatch.setattr(series, name, looked_for_once(look))


def plain(text: str) -> str:
    """However long the lines are."""
    return " ".join(text.split())


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Goes through a random game of the starter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert main(["new", "game"]) == 0
    in_french(tmp_path)
    made = Path("game.yaml").read_text(encoding="utf-8").replace("title: Game", 'title: "<b>R & B</b>"')
    assert "<b>" in made
    Path("game.yaml").write_text(made, encoding="utf-8")
    assert main(["play", "game.yaml", "--seats", "random,random", "--seed", "4", "--record", "r.jsonl"]) == 0
    capsys.readouterr()

    def call(*words: str) -> tuple[int, str, str]:
        code = main(["analyse", "r.jsonl", *words])
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    return call


def test_the_table(run: Run) -> None:
    code, out, err = run(*QUICK)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert "each after a search of 12 games (seed 0)" in lines[0]
    assert lines[2].split() == ["choices", "lost", "each", "errors", "points", "lost", "luck", "deal"]
    assert [line.split()[0] for line in lines[3:5]] == ["A", "B"]
    assert "without what the others threw away" in plain(out)
    assert "Points: by which one is ahead of the others; + is good luck." in lines
    assert ("What cost most" in out) != ("No move was surely worse" in out)


def test_the_worst_moves_are_drawn_no_wider_than_a_terminal(run: Run) -> None:
    out, worst = run(*QUICK)[1], data(run)["worst"]
    assert out.count(" (you) ─") == len(worst) > 0
    assert max(map(len, out.splitlines())) <= 100
    drawn = [line for line in out.splitlines() if "──" in line]
    assert drawn and max(map(len, drawn)) == 80
    assert "The game is over." in out


def test_moves_have_the_numbers_that_replay_lists_them_with(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(*QUICK)[1]
    assert main(["replay", "r.jsonl"]) == 0
    listed = dict(re.findall(r"^ *([0-9]+)  (.*)", capsys.readouterr().out, re.MULTILINE))
    bad = re.findall(r"^  ([AB]), move ([0-9]+).* lost .*\n    ([^:]*):", out, re.MULTILINE)
    assert (
        [listed[number] for _, number, _ in bad]
        == [move.replace("play", f"{seat} plays", 1) for seat, _, move in bad]
        != []
    )
    found = data(run)
    assert [str(number) for number in found["worst"]] == [number for _, number, _ in bad]
    assert {number: seat for _, number, _ in bad for seat in listed[number][:1]} == {
        str(one["number"]): one["seat"] for one in found["decisions"] if one["number"] in found["worst"]
    }
    assert (
        f"`hoyle replay r.jsonl` lists all moves by their numbers; with `--to {int(bad[0][1]) - 1}` it shows"
        in plain(out)
    )
    drawn = out.split("What cost most")[1].split("move ")[1]
    assert main(["replay", "r.jsonl", "--to", str(int(bad[0][1]) - 1)]) == 0
    then = capsys.readouterr().out
    assert f"▶ {bad[0][0]}" in then
    assert re.search(r"heap .*", drawn)[0].split() == re.search(r"heap .*", then)[0].split()  # type: ignore[index]


def test_the_page_says_what_every_move_cost_and_how_sure_that_is(run: Run) -> None:
    """Where no other move is claimed to be better, none is named."""
    found = {one["number"]: one for one in data(run)["decisions"]}
    page = run(*QUICK, "--format", "html")[1].partition("All choices")[2]
    rows = [re.sub(r"</?t[dr][^>]*>", "|", row).split("|") for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)]
    told = {int(cells[0]): cells[1:] for row in rows if (cells := [cell for cell in row if cell])[0].isdigit()}
    assert told.keys() == found.keys()
    for number, one in found.items():
        cost = [cell for cell in told[number] if "(±" in cell]
        assert bool(cost) == (one["loss"] > 0 and not one["exact"])
        assert not cost or cost == [f"{100 * one['loss']:.1f} (±{max(0.1, 100 * one['error']):.1f})"]
        assert bool(cost) or told[number][1] == told[number][2]


@pytest.mark.slow
def test_a_record_from_standard_input_is_named_as_one(run: Run, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("r.jsonl").read_bytes())))
    assert main(["analyse", "-", *QUICK, "--game", "game.yaml"]) == 0
    assert "`hoyle replay RECORD` lists all moves" in plain(capsys.readouterr().out)


@pytest.mark.slow
def test_what_was_better_is_told_with_how_it_goes_on_and_what_else_was(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the table, on the page and as JSON."""
    monkeypatch.setattr("interpreter.players.lines.OFTEN", 1)
    monkeypatch.setattr("interpreter.players.judging.OFTEN", 1)
    Path("r.jsonl").unlink()
    assert main(["play", "game.yaml", "--seats", "random,random", "--seed", "5", "--record", "r.jsonl"]) == 0
    further, _ = ("--search", "120"), capsys.readouterr()
    known = data(run, *further)
    found = {one["number"]: one for one in known["decisions"]}
    worst = [found[number] for number in known["worst"]]
    assert all(one["line"] for one in worst) and any(one["others"] for one in worst)
    assert not any(one["line"] or one["others"] for one in found.values() if one["loss"] <= 0.005)
    assert all(len(one["others"]) <= 2 and one["best"] not in one["others"] for one in worst)
    shown = run(*QUICK, *further)[1], run(*QUICK, *further, "--format", "html")[1]
    for text, start in zip(shown, ("\n    ", "<br>"), strict=True):
        bad = text.partition("What cost most")[2].partition("All choices")[0]
        assert bad.count(f"{start}better: ") == len(worst)
        assert bad.count(f"{start}or: ") == sum(len(one["others"]) for one in worst)
        assert bad.count(f"{start}After ") == sum(len(one["line"]) > 1 for one in worst) > 0


@pytest.mark.slow
def test_what_is_found_in_so_long_is_not_found_again_and_that_is_said(run: Run) -> None:
    said = "does not find the same again"
    assert said in plain(run("--engine", "python", "--search", "0.01s")[1])
    assert said not in run(*QUICK)[1]


@pytest.mark.slow
def test_the_luck_of_the_deal(run: Run) -> None:
    """It needs some other deals."""
    assert {seat["deal"] for seat in data(run)["seats"].values()} == {None}
    measured = data(run, "--deals", "8")["seats"]
    assert all(seat["deal"] is not None and seat["deal_error"] > 0 for seat in measured.values())
    assert "(±" in run(*QUICK, "--deals", "8")[1].splitlines()[3].split("  ")[-1]


@pytest.mark.slow
def test_the_same_seed_finds_the_same(run: Run) -> None:
    assert run(*QUICK) == run(*QUICK)
    assert run(*QUICK)[1] != run(*QUICK, "--seed", "2")[1]


def data(run: Run, *words: str) -> dict[str, Any]:
    code, out, _ = run(*QUICK, "--json", *words)
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_json(run: Run) -> None:
    found = data(run)
    assert (found["format"], found["iterations"], found["seconds"], found["over"]) == ("hoyle analyse", 12, None, True)
    assert found["choices"] == len(found["decisions"]) == sum(seat["decisions"] for seat in found["seats"].values())
    for one in found["decisions"]:
        assert {one["made"], one["best"]} <= {move["move"] for move in one["moves"]}
        assert (one["made"] != one["best"]) or one["loss"] == one["error"] == 0
    costs = {one["number"]: one["loss"] for one in found["decisions"]}
    assert [costs[number] for number in found["worst"]] == sorted((costs[n] for n in found["worst"]), reverse=True)
    for seat, total in found["seats"].items():
        own = [one["loss"] for one in found["decisions"] if one["seat"] == seat]
        assert 0 <= total["loss"] <= sum(own) + 1e-9 and min(own) >= 0


def test_one_seat_alone(run: Run) -> None:
    found = data(run, "--seat", "B")
    assert [*found["seats"]] == ["B"]
    assert {one["seat"] for one in found["decisions"]} == {"B"}
    assert "with what the others threw away" in plain(run(*QUICK, "--seat", "B")[1])


def test_a_page_on_which_everything_is_escaped(run: Run) -> None:
    assert run(*QUICK, "--format", "html", "--out", "page.html")[:2] == (0, "")
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<h1>&lt;b&gt;R &amp; B&lt;/b&gt;: 18 choices" in page
    assert "<b>" not in page and "<script" not in page
    assert "http" not in page.replace(' xmlns="http://www.w3.org/2000/svg"', "")  # what says that it is a picture
    assert page.count("<tr") == page.count("</tr>") > 10
    assert page.count("<svg") == len(data(run)["worst"]) > 0


def test_in_french(run: Run) -> None:
    code, out, _ = run(*QUICK, "--lang", "fr")
    assert code == run(*QUICK, "--format", "html", "--out", "page.html", "--lang", "fr")[0] == 0
    assert "Ce qui a coûté le plus" in out
    assert "mieux : jouer une carte" in out
    assert 'lang="fr"' in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_same_in_every_form_on_standard_output_and_in_a_file(run: Run) -> None:
    for form in ("text", "json", "html"):
        _, shown, _ = run(*QUICK, "--format", form)
        assert run(*QUICK, "--format", form, "--out", "found")[:2] == (0, "")
        assert Path("found").read_text(encoding="utf-8").strip() == shown.strip()
    assert run(*QUICK, "--json")[1] == run(*QUICK, "--format", "json")[1]


@pytest.fixture
def mixed(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A patience in which the stone that wins lay on top, and was not taken: everything was mixed again. Nothing is solved without a search."""
    monkeypatch.setattr("interpreter.players.judging.ending_of", lambda *_, **__: None)
    state, seen = reds_at(tmp_path).start(1), 0
    while seen < 2:
        seen += "red" in str(state.view("A").piles[0].pieces[-1].sign)
        state = state.play("mix" if seen < 2 else "take")
    while not state.is_over:
        state = state.play("take")
    Path("r.jsonl").write_text("\n".join(lines(state, 1)), encoding="utf-8")


def test_a_way_to_win_that_was_left(run: Run, mixed: None) -> None:
    """In the table, on the page and as JSON; of what came after, the last choice is certain, since the game was won."""
    found = data(run)
    *_, left, last = [one for one in found["decisions"] if one["way"] is not None]
    assert (left["made"], left["way"], last["made"], last["way"]) == ("mix", "take", "take", "take")
    assert (last["exact"], last["loss"]) == (True, 0) and last == found["decisions"][-1]
    out, page = run(*QUICK)[1], run(*QUICK, "--format", "html")[1]
    assert "1 choice after which a way to win is known: nothing was lost, for certain." in out
    note = "That none was found afterwards does not prove that there was none."
    head = f"A, move {left['number']}: a way to win is known, and none was found after this move"
    for text in (plain(out), page):
        assert "Where the last way to win that is known was left" in text and note in text
        assert text.count(head) == 1 and "a way to win: take" in text
    assert f"`--to {left['number'] - 1}`" in plain(out)
    assert note not in run(*QUICK, "--lang", "fr")[1]
    assert "un chemin gagnant était connu, et aucun n'a été trouvé après ce coup" in plain(
        run(*QUICK, "--lang", "fr")[1]
    )


def test_what_cannot_be_gone_through(run: Run) -> None:
    for words, said in (
        (("--search", "far"), "`far` is no search"),
        (("--search", "9:score"), "`9:score` is no search"),
        (("--search", "0"), "give a number of games, from 1 to 999999 (500)"),
        (("--search", "0s"), "or of seconds, from 0.001s to 999.999s (0.5s)"),
        (("--seat", "Z"), "there is no seat `Z`"),
    ):
        code, _, err = run(*words)
        assert code == 2
        assert said in err
    Path("r.jsonl").write_text(Path("r.jsonl").read_text().replace('"move": "', '"move": "un', 1))
    assert run(*QUICK)[0] == 1


def test_what_was_found_until_ctrl_c(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = series.judged

    def stopped(*given: Any) -> Any:
        found = judged(*given)
        yield next(found)
        raise KeyboardInterrupt

    monkeypatch.setattr(series, "judged", stopped)
    code, out, _ = run(*QUICK)
    assert code == INTERRUPTED
    assert "Interrupted after 1 of" in out


def test_a_seat_by_what_it_is_called(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*QUICK, "--seat", "b")[1] == run(*QUICK, "--seat", "B")[1]
    state = game("backgammon").start(1)
    for _ in range(6):
        state = state.play(state.moves()[0])
    Path("b.jsonl").write_text("\n".join(lines(state, 1)), encoding="utf-8")
    monkeypatch.setattr("interpreter.series.analyse.judged", lambda *_: iter(()))
    assert main(["analyse", "b.jsonl", *QUICK, "--seat", "White"]) == 0
