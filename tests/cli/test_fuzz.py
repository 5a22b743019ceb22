"""Random inputs: no traceback, no internal error, in time, no file touched that was not named, and no character printed that a terminal
obeys. The same seeds always make the same cases."""

import json
import os
import shutil
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

import mutations
import pytest
from fuzzing import FAULTS_OF_RULES, ROOT, SECRET, answered, clean, command, held, played
from games import game
from rules import read_cases, write_anew
from tiers import is_thorough, sized, some_now

from hoyle import load, validate
from hoyle.diagnostics import Diagnostic, Refused, Source
from hoyle.game.game import Game, State
from hoyle.game.positions import to_position
from hoyle.game.records.records import record_lines, replay
from hoyle.language.syntax import parse_integer
from hoyle.presentation.starters import make_starter
from hoyle.reading import yaml_tree
from hoyle.reading.tree import Node
from hoyle.reporting import report
from hoyle.resources import folder
from hoyle.running.chance import PLAYER, Chance

SMALL = ROOT / "tests" / "checking" / "diagnostics" / "_game.yaml"
BASES = [SMALL] * 24 + [ROOT / "interpreter" / "hoyle" / "presentation" / "starter.yaml"] * 8
BASES += [ROOT / "tests" / "project" / "docs" / "base.yaml"] * 8 + [folder("rulesets") / "french.yaml"] * 5
BASES += [folder("rulesets") / f"{name}.yaml" for name in ("garanguet", "klondike", "hearts")]
"""Small ones above all: a change is as likely to hurt there, and tried ten times as quickly. Changed games of some hundred lines are loaded
and validated by the thousand in `checking/test_agreement.py`, too."""


@cache
def text_of(path: Path) -> str:
    return make_starter("a-game") if path.name == "starter.yaml" else path.read_text(encoding="utf-8")


@cache
def games() -> list[Game]:
    return [load(SMALL), *map(game, ("garanguet", "hearts", "crapette"))]


@cache
def states() -> list[State]:
    found = []
    for one in games():
        for count in (0, 3, 12, 40):
            state, pick = one.start(count), Chance.stream(count, 0, PLAYER).below
            for _ in range(count):
                if not state.is_over:
                    state = state.play(state.moves()[pick(len(state.core.acts))])
            found.append(state)
    return found


def a_ruleset(rng: Random) -> None:
    """A ruleset that validates loads and can be played; another does not load."""
    changed = mutations.ruleset(rng, text_of(rng.choice(BASES)))
    write_anew(Path("case.yaml"), changed)
    code, _, _ = command("validate", "case.yaml", "--format", rng.choice(("text", "text", "json", "github", "sarif")))
    try:
        game = load("case.yaml")
    except Refused as refused:
        clean(report.as_text(refused.diagnostics))
        assert code == 1 or {d.code for d in refused.diagnostics} == {"R613"}, refused
        return
    assert code == 0 or all(map(is_in_examples, validate(["case.yaml"])))
    if rng.random() < 0.3:
        command("describe", "case.yaml")
    state = _begun(game)
    if state is not None:
        played(state, 25)


def is_in_examples(found: Diagnostic) -> bool:
    """Examples that cannot be right are told by `validate`; a game can be played all the same."""
    assert found.span is not None
    examples = examples_of(found.span.source)
    return found.severity == "warning" or (examples is not None and found.span.start >= examples.span.start)


@lru_cache(maxsize=4)
def examples_of(source: Source) -> Node | None:
    return yaml_tree.load(source).get("examples")


def _begun(game: Game) -> State | None:
    try:
        return game.start(3)
    except Refused as refused:
        assert {d.code for d in refused.diagnostics} <= FAULTS_OF_RULES
        return None


def a_formula(rng: Random) -> None:
    state, changed = rng.choice(states()), mutations.formula(rng, rng.choice(CASES["formulas"]))
    if rng.random() < 0.02:
        command("eval", "small.yaml", changed)
    found = answered(lambda: state.value(changed))
    if found is not None:
        clean(found.text("fr") + str(found.plain))


def a_position(rng: Random) -> None:
    state = rng.choice(states())
    data = mutations.tree(rng, answered(lambda: positions(state)))
    written = mutations.in_yaml(data) if rng.random() < 0.5 else json.dumps(data)
    if rng.random() < 0.2:
        written = mutations.text(rng, written)
    if rng.random() < 0.02:
        write_anew(Path("p.yaml"), written)
        command(rng.choice(("moves", "why", "eval")), "small.yaml", "--position", "p.yaml")
    found = answered(lambda: state.game.position(yaml_tree.load(Source("p.yaml", written))))
    if found is not None:
        played(found, 6)


def positions(state: State) -> dict[str, Any]:
    return to_position(state.game.compiled, state.core, everything=True)


@cache
def a_record() -> str:
    return "".join(
        f"{line}\n" for line in record_lines(load("small.yaml").playout(1), 1, seats={"A": "human", "B": "random"})
    )


def a_record_changed(rng: Random) -> None:
    found = a_record().splitlines()
    for at in rng.sample(range(len(found)), rng.choice((1, 1, 2))):
        is_text = rng.random() < 0.5
        found[at] = (
            mutations.text(rng, found[at]) if is_text else json.dumps(mutations.tree(rng, json.loads(found[at])))
        )
    write_anew(Path("r.jsonl"), "\n".join(found))
    if rng.random() < 0.1:
        command("play", "small.yaml", "--resume", "r.jsonl", stdin="1\nwhy 1\nquit\n")
    elif rng.random() < 0.1:
        command("replay", "r.jsonl", *rng.choice(((), ("--json",), ("--to", "2"))))
    else:
        answered(lambda: replay(Source("r.jsonl", "\n".join(found))))


def a_move(rng: Random) -> None:
    state = rng.choice(states())
    legal = [move.id for move in state.moves()] or ["pass"]
    changed = mutations.text(rng, rng.choice(legal)) if rng.random() < 0.8 else rng.choice(mutations.HOSTILE)
    answered(lambda: state.find(changed))
    why = state.why(changed)
    assert not why.known or why.summary("fr")


def an_option(rng: Random) -> None:
    options = mutations.tree(rng, {"size": 3, "way": "up", "players": 2})
    answered(lambda: load("small.yaml", options if isinstance(options, dict) else {}))


CASES = read_cases("cli/fuzz")
NUMBERS = ["0", "1", "2", "-1", "x", "9" * 18, "9" * 5000, "1.5", ""]
LONG_WORK = ("simulate", "match", "pairs", "bench", "test", "validate", "analyse")
"""Commands whose changed words could ask for an hour of work."""


def a_command_line(rng: Random) -> None:
    name, *words = rng.choice(CASES["commands"]).split()
    given = [word for word in words if rng.random() < 0.8]
    for at, word in enumerate(given):
        choices = (
            CASES["in"]
            if word in CASES["in"]
            else CASES["out"]
            if word == "out.json"
            else NUMBERS
            if word.isdigit()
            else [word]
        )
        if rng.random() < 0.3:
            given[at] = rng.choice(choices)
    typed = [rng.choice([*CASES["lines"], rng.choice(mutations.HOSTILE).replace("/", "")]) for _ in range(6)]
    given = mutations.words(rng, given)
    if name in LONG_WORK:
        given = [word for word in given if (parse_integer(word) or 0) <= 9 and word != "hearts"]
        given += ["small.yaml"] * (name in ("test", "bench"))
    given = [word for word in given if word.strip("-") not in ("jobs", "j", "pipe", "secret-link")]
    command(name, *given, stdin="\n".join(typed) + "\n")


WEIGHTS = {
    a_ruleset: 8,
    a_formula: 5,
    a_position: 5,
    a_record_changed: 4,
    a_move: 2,
    an_option: 1,
    a_command_line: 2,
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files to be named, beside one that is nobody's business."""
    found = tmp_path / "place"
    (found / "folder").mkdir(parents=True)
    shutil.copy(SMALL, found / "small.yaml")
    shutil.copy(SMALL, found / "folder" / "below.yaml")
    (tmp_path / "secret.yaml").write_text(f"{SECRET}: {SECRET}\n")
    for link, target in (
        ("secret-link", "../secret.yaml"),
        ("secret-link.yaml", "../secret.yaml"),
        ("small-link.yaml", "small.yaml"),
    ):
        (found / link).symlink_to(target)
    (found / "broken.yaml").write_text("ruleset: 1\ngame: [\n")
    os.mkfifo(found / "pipe.yaml")
    monkeypatch.chdir(found)
    (found / "p.yaml").write_text("at: play\nto_act: A\npiles: {heap: '?'}\n")
    (found / "r.jsonl").write_text(a_record())
    monkeypatch.setattr("secrets.randbelow", lambda most: 1)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CC", "nowhere")  # without a compiler: what one builds is kept elsewhere
    return found


def fuzz(seeds: range, place: Path) -> None:
    games(), states()
    for seed in seeds:
        rng = Random(seed)
        (case,) = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
        try:
            with held(place):
                case(rng)
        except Exception as error:
            raise AssertionError(f"case {seed} ({case.__name__}): {type(error).__name__} {error}") from error


@pytest.mark.whole
@pytest.mark.parametrize("batch", some_now(range(61 if is_thorough() else 21), 1))
def test_random_inputs_are_answered(place: Path, batch: int) -> None:
    fuzz(range(500 * batch, 500 * batch + (sized(20, 60) if batch == 0 else 500)), place)
