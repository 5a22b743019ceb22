"""`simulate` and `replay`: the same numbers whatever the number of processes, and records that are verified line by line."""

from __future__ import annotations

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import Run, runner, told
from msgspec.structs import replace

from interpreter import load
from interpreter.cli.catalogue import speaking
from interpreter.cli.commands.simulate import _measures, _results
from interpreter.cli.drawing.figures import columns, figure
from interpreter.language.model import Maximise
from interpreter.language.sentences import LANGUAGES
from interpreter.series import simulate
from interpreter.series.measures import Measure, measure, share
from interpreter.series.simulate import Order, account, series, traced


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    return runner(capsys, monkeypatch, tmp_path)


def simulated(run: Run, *words: str, game: str = "game.yaml") -> Any:
    return told(run, "simulate", game, "--seed", "3", *words)


# ---- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_figures_do_not_depend_on_the_number_of_processes(run: Run) -> None:
    words = ("-n", "40", "--seats", "greedy,first")
    one, two, three = (simulated(run, *words, "--jobs", jobs) for jobs in ("1", "2", "3"))
    assert one == two == three
    assert one["seats"] == {"A": "greedy", "B": "first"}
    assert one["wins"] != simulated(run, "-n", "40")["wins"]
    wins = simulated(run, "-n", "40", "--seats", "greedy,random")["wins"]
    assert wins["A"]["games"] > wins["B"]["games"]


@pytest.mark.whole
def test_figures_are_those_of_the_games(run: Run) -> None:
    found = simulated(run, "-n", "30", "--set", "cards_each=3")
    game = load("game.yaml", cards_each=3)
    ends = [game.playout(seed=3, index=index) for index in range(30)]
    decisions = [end.decisions for end in ends]
    assert found["decisions"]["mean"] == pytest.approx(statistics.fmean(decisions), abs=1e-6)
    assert (found["decisions"]["min"], found["decisions"]["max"]) == (min(decisions), max(decisions))
    assert found["wins"]["A"]["games"] == sum(end.winners == ["A"] for end in ends)
    assert found["draws"]["games"] == sum(len(end.winners) > 1 for end in ends)
    assert found["scores"]["B"]["mean"] == pytest.approx(statistics.fmean(end.scores["B"] for end in ends), abs=1e-6)
    assert sum(found["uses"]["move"].values()) == sum(decisions)
    assert found["options"]["cards_each"] == 3
    assert simulated(run, "-n", "30", "--set", "cards_each=3", "--seed", "4") != found


def test_a_series_from_python(run: Run) -> None:
    order = Order("game.yaml", (), 5)
    game = traced(order)
    heard: list[int] = []
    found = account(game, series(game, order, 20, tick=heard.append))
    assert sum(heard) == found.games == 20
    assert sum(found.wins.values()) + found.draws + found.unfinished == 20


def test_intervals_of_means_and_shares() -> None:
    """Student's with three degrees of freedom; Wilson's as published: 10 of 20 is 0.299 to 0.701 at 95 %."""
    found = measure([1, 2, 3, 4])
    assert (found.mean, found.min, found.max) == (2.5, 1, 4)
    assert found.high - found.mean == pytest.approx(3.182446 * math.sqrt(5 / 3) / 2, abs=1e-5)
    assert measure([7]).low == 7
    half = share(10, 20)
    assert [half.low, half.high] == pytest.approx([0.2993, 0.7007], abs=1e-4)
    assert (share(0, 10).low, share(10, 10).high) == (0.0, 1.0)
    assert all(math.copysign(1, share(0, games).low) == 1 for games in range(1, 60))


def test_zero_is_written_without_a_sign() -> None:
    with speaking("en"):
        assert [figure(value) for value in (-0.001, 0.0, -0.25, 12.345)] == ["0.00", "0.00", "-0.25", "12.35"]


@pytest.mark.whole
def test_columns_never_touch() -> None:
    """However long a seat is called, and however much is scored."""
    order = Order("golf", (), 1)
    found = account(traced(order), series(traced(order), order, 2))
    great = Measure(-123456789.5, -1234567890.25, 1234567890.25, 9.0, -1234567890.0, 1e12)
    large = replace(found, wins={"A": 1_000_000_000}, games=1_000_000_000, scores={"A": great})
    labels = {"A": "somebody who has a very long name"}
    with speaking("en"):
        results = columns(_results(large, labels), (24, 6, 8, 0), "<>><")
        measures = columns(_measures(large, labels), (24, 8, 20, 0), "<><<")
    for lines in (results, measures):
        cells = [[cell.strip() for cell in line.split("  ") if cell] for line in lines]
        assert {len(row) for row in cells[1:]} == {len(cells[-1])}
    assert f"{labels['A']}  -123,456,789.50   [-1,234,567,890.25 – 1,234,567,890.25]  " in measures[1]


# ---- output ----------------------------------------------------------------------------------------------------------


def test_the_report_is_in_the_language_asked_for(run: Run) -> None:
    code, out, err = run("simulate", "game.yaml", "-n", "10", "--lang", "fr")
    assert code == 0 and "graine" in err
    for part in ("Game : 10 parties, graine", "(A hasard, B hasard)", "victoires A", "piocher", "intervalle à 95 %"):
        assert part in out


def test_the_result_is_written_whole(run: Run) -> None:
    code, out, _ = run("simulate", "game.yaml", "-n", "3", "--seed", "1", "--json", "--out", "r.json")
    assert (code, out) == (0, "")
    assert json.loads(Path("r.json").read_text())["format"] == "hoyle simulate"
    assert run("simulate", "game.yaml", "-n", "1", "--seed", "1", "--out", "no/r.json")[0] == 1


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
def test_players_are_named_in_any_language(lang: str, run: Run) -> None:
    found = [
        simulated(run, "-n", "2", "--lang", lang, "--seats", seats) for seats in ("first,random", "premier,hasard")
    ]
    assert found[0] == found[1] and found[0]["seats"] == {"A": "first", "B": "random"}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("seats", "lang", "said"),
    [
        ("gourman", "fr", "vouliez-vous dire `gourmand` ?"),
        ("recherche:0", "fr", "erreur : `recherche:0` n'est pas une sorte de joueur : derrière `recherche:` vient"),
        ("human", "en", "`human` is not a kind of player; there are easy, first, greedy, normal, random, search, strong"),
        ("human", "en", "search:2000:score, normal:score\n"),
        ("normal:points", "en", "behind `normal` only `:score` may stand (normal:score)\n"),
    ],
)  # fmt: skip
def test_wrong_players_are_told(seats: str, lang: str, said: str, run: Run) -> None:
    code, _, err = run("simulate", "game.yaml", "--seats", seats, "--lang", lang)
    assert code == 2 and said in err
    assert lang == "fr" or "gourmand" not in err


@pytest.mark.whole
def test_players_that_are_not_reproducible_are_noted(run: Run) -> None:
    words = ("simulate", "game.yaml", "-n", "1", "--engine", "python", "--seats")
    noted = ["do not make the same moves again" in run(*words, f"search:{n},first")[1] for n in ("0.001s", "1")]
    assert noted == [True, False]


@pytest.mark.whole
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_error_of_the_ruleset_is_told_with_its_game(run: Run, jobs: str) -> None:
    turn = "flow: {turn: {count them: {set: {made: made + 1}}}}"
    text = f"ruleset: 1\ngame: faulty\nextends: game\nstate: {{made: {{range: 0..3}}}}\n{turn}\n"
    Path("faulty.yaml").write_text(text)
    code, _, err = run("simulate", "faulty.yaml", "-n", "40", "--seed", "3", "--jobs", jobs)
    assert code == 1
    assert "`made` would be 4, which is outside 0..3" in err
    assert "= note: in game 1 of the series with seed 3" in err


# ---- uses of rules ---------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_an_obligation_that_looks_ahead_is_counted_where_it_rules_something_out() -> None:
    order = Order("backgammon", (), 3)
    played, used = series(traced(order), order, 5)
    maximising = [o.name for o in load("backgammon").ruleset.obligations.values() if isinstance(o.demand, Maximise)]
    counts = [used["obligation", name] for name in maximising]
    assert maximising and all(0 < count < sum(game.choices for game in played) / 2 for count in counts), counts


@pytest.mark.whole
def test_unused_rules_are_named(run: Run) -> None:
    more = "  fly away:\n    rule: {at: §9, en: No., fr: Non.}\n    if: {never: cards_each is 99}\n\nobligations:"
    text = Path("game.yaml").read_text().replace("\nobligations:", f"\n{more}", 1)
    Path("game.yaml").write_text(text.replace("[play a card, draw a card]", "[play a card, draw a card, fly away]"))
    assert simulated(run, "-n", "5")["unused"]["move"] == ["fly away"]
    assert "never made: fly away" in run("simulate", "game.yaml", "-n", "5", "--seed", "1")[1]


PASSING = """
ruleset: 1
game: passing
title: {en: Passing, fr: Passer}
use: [french]
players: {count: 2, seats: [A, B]}
pieces: {card: {of: [ranks, suits], from: pack}}
piles: {pack: {face: down}}
state: {score: {each: player, range: 0..9}}
moves: {never: {rule: {at: §1, en: No., fr: Non.}, if: {never: score > 9}}}
flow:
  game:
    rounds: {turns: turn, from: A, rounds: 2, at_most: 9}
  turn:
    ask: {choose: [never]}
    else: {choose: [never], else: {note: {say: {en: nothing}}}}
    together: {choose: [never], together: players}
result: {best: score of p}
"""


def test_choices_that_were_passed_over_are_counted(run: Run) -> None:
    Path("passing.yaml").write_text(PASSING)
    uses = simulated(run, "-n", "3", game="passing.yaml")["uses"]
    assert uses["passed"] == {"game / rounds / turn / together": 24, "game / rounds / turn / ask": 12}
    assert uses["step"]["game / rounds / turn / else / note"] == 12
    said = run("simulate", "passing.yaml", "-n", "3")[1]
    assert "for nothing was possible\n  game / rounds / turn / together" in said


LOOPS = """\
ruleset: 1
game: loops
players: {count: 2, seats: [A, B]}
tables: {suits: {rows: {hearts: {}, spades: {}}}}
pieces: {card: {of: [suits], from: pack}}
piles: {pack: {}}
state: {score: {each: player, range: 0..99}, soon: {kind: bool}, late: {kind: bool}}
whenever:
  at once: {rule: {at: §1, en: Soon.}, if: score of A > 1 and not soon, do: {noted: {set: {soon: true}}}}
  later: {rule: {at: §1, en: Late.}, if: score of A > 20 and not late, do: {noted: {set: {late: true}}}}
moves: {wait: {rule: {at: §1, en: One waits.}, then: {more: {score: 1, to: A}}}}
flow:
  game:
    inside:  {repeat: {one: {run: one}}, until: score of B > 0, at_most: 2}
    by rule: {repeat: {one: {run: one}}, at_most: 3}
    counted: {repeat: {one: {run: one}}, until: score of B > 0, rounds: 4, at_most: 5}
    ended:   {repeat: {one: {run: one}}, until: score of A >= 10, at_most: 1}
    never:   {repeat: {one: {run: one}}, rounds: count(pack) - 2}
    asked:   {repeat: {ask: {by: A, choose: [wait]}}, until: score of B > 0, at_most: 2}
    thrice:  {repeat: {ask: {by: A, choose: [wait]}}, rounds: count(players) + 1}
    turns:   {turns: turn, from: A, until: score of B > 0, at_most: 5}
    all:     {turns: turn, from: A, until: score of B > 0, rounds: 2, at_most: 4}
  turn: {ask: {choose: [wait]}}
  one: {more: {score: 1, to: A}}
result: {best: score of p}
"""


@pytest.mark.whole
def test_loops_cut_short_and_rules_that_act_early_are_counted(run: Run) -> None:
    Path("loops.yaml").write_text(LOOPS)
    found = simulated(run, "-n", "3", game="loops.yaml")
    assert found["uses"]["at_most"] == {"game / asked": 3, "game / inside": 3, "game / turns": 3}
    assert found["uses"]["whenever"] == {"at once": 3, "later": 3} and found["uses"]["early"] == {"at once": 3}
    assert found["uses"]["move"] == {"wait": 3 * (2 + 3 + 5 + 4)}
    assert found["scores"]["A"]["mean"] == 2 + 3 + 4 + 1 + 2 + 3 + 5 + 4
    assert "came true\n  game / asked" in run("simulate", "loops.yaml", "-n", "3")[1]


# ---- interrupting ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_shows_what_was_played_and_leaves_no_file(run: Run, jobs: str) -> None:
    words = ["simulate", "game.yaml", "-n", "1000000", "--seed", "1", "--engine", "python", "--json", "--out", "r.json"]
    command = [sys.executable, "-m", "interpreter", *words, "--jobs", jobs]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ})
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    note = b"`r.json` is not written: what was played until then is shown here alone\n" if out else b""
    assert (child.returncode, err) == (130, b"\nstopped\n" + note)
    assert not list(Path().glob("*.json")) + list(Path().glob(".*"))
    if not out:
        return  # a busy machine had not begun
    found = json.loads(out)
    assert found.pop("interrupted") and 0 < found["games"] < 1_000_000
    whole = simulated(run, "-n", str(found["games"]), "--seed", "1")
    assert whole.pop("interrupted") is False and whole == found


@pytest.mark.whole
@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_series_shows_the_games_it_played(run: Run, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play_some = simulate.play_some

    def until_then(game: Any, order: Order, indices: range) -> Any:
        if indices.start >= after:
            raise KeyboardInterrupt
        return play_some(game, order, indices)

    monkeypatch.setattr(simulate, "play_some", until_then)
    code, out, err = run("simulate", "game.yaml", "-n", "40", "--seed", "3")
    assert (code, err, bool(out)) == (130, "\nstopped\n", after > 0)
    if after:
        title, stopped, *rest = out.splitlines()
        assert title.startswith(f"{after} game") and stopped == f"stopped after {after} of 40 games"
        monkeypatch.setattr(simulate, "play_some", play_some)
        assert run("simulate", "game.yaml", "-n", str(after), "--seed", "3")[1].splitlines()[1:] == rest


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def record(run: Run) -> list[str]:
    """The lines of r.jsonl."""
    assert run("play", "game.yaml", "--seats", "random,random", "--seed", "2", "--record", "r.jsonl")[0] == 0
    return Path("r.jsonl").read_text().splitlines()


@pytest.mark.whole
def test_replay_verifies_a_record(run: Run, record: list[str]) -> None:
    code, out, err = run("replay", "r.jsonl")
    assert (code, err) == (0, "")
    assert f"{len(record)} lines, all as recorded" in out
    found = json.loads(run("replay", "r.jsonl", "--json")[1])
    assert (found["ok"], found["over"], found["lines"]) == (True, True, len(record))
    assert run("replay", "-", stdin="\n".join(record))[0] == 0
    assert "3 moves of the record, all as recorded" in run("replay", "r.jsonl", "--to", "3")[1]
    assert run("replay", "r.jsonl", "--to", "0")[0] == 0
    code, out, _ = run("replay", "-", stdin="\n".join(record[:6]) + "\n")
    assert code == 0 and "the game is not over" in out


@pytest.mark.whole
def test_every_changed_line_is_noticed(run: Run, record: list[str]) -> None:
    for number in (1, len(record) // 2, len(record) - 1):
        changed = [*record]
        changed[number] = changed[number].replace('": ', '": "x', 1) if number % 2 else changed[number][:-3]
        Path("changed.jsonl").write_text("\n".join(changed))
        code, _, err = run("replay", "changed.jsonl")
        assert code == 1 and f"changed.jsonl:{number + 1}:" in err
    code, out, _ = run("replay", "changed.jsonl", "--json")
    assert code == 1 and json.loads(out)["problems"][0]["line"] == len(record)


@pytest.mark.whole
def test_a_record_of_other_rules_is_refused(run: Run, record: list[str]) -> None:
    Path("game.yaml").write_text(Path("game.yaml").read_text().replace("at_most: 500", "at_most: 50"))
    code, _, err = run("replay", "r.jsonl")
    assert code == 1 and "other rules" in err
    assert [line.strip() for line in err.splitlines()[1:]] == ["--> r.jsonl:1:1"]
