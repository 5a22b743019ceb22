"""Command lines, sessions and refusals with `--lang fr`: no English is printed, and refusals name neither rules nor formulas."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from commands import Run, command_lines, told
from english import english, small
from games import FEW, game
from rules import read_cases
from tiers import in_tiers, sized

import hoyle
from hoyle import State
from hoyle.cli.commands.validate import Dependencies
from hoyle.cli.main import COMMANDS
from hoyle.game.moves.legal import list_actions
from hoyle.language.evaluate import walk_all
from hoyle.language.model import Ruleset
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import make_look
from hoyle.presentation.play_text import format_reasons
from hoyle.resources import shipped

run = command_lines
PACKAGE = Path(hoyle.__file__).parent
RECORD = ["play", "game.yaml", "--seats", "hasard,hasard", "--seed", "3", "--record", "partie.jsonl"]
CASES = read_cases("cli/french")
LINES = CASES["lines"]
_MACHINE = re.compile(
    r"^(?:Python|système|compilateur|cache|moteurs|essai|[a-z-]+ {2,}\d).*\n(?: {12}.*\n)*", re.MULTILINE
)
"""Matches facts of the machine and versions, which `doctor` reports."""
_NAMES = re.compile(
    r"(?:[~.]*(?:/[\w.-]+)+|--?[a-z][\w-]*|[\w./-]+\.(?:yaml|jsonl|svg|txt)|\w+_\w+|nowhere|nothing|frobnicate|foo)(?![\w-])"
    r"|^ *\d+ \|.*$|<formula>|^#? *[a-z]+:|^ {2}[a-z]+\(.*\)(?=$|  )|^ {2}[a-z]+(?=  )",
    re.MULTILINE,
)
"""Options, files, unknown names, lines of a file, keys of rules, words of formulas, commands in a list."""


def left(*shown: str) -> set[str]:
    """Return the small words of English in it, but for what is to be typed."""
    return small(_NAMES.sub("`…`", _MACHINE.sub("", "\n".join(shown))))


def all_left(*shown: str) -> set[str]:
    """Return all English in it. The words of all games are read for this, which takes a second."""
    return left(*shown) | english(_NAMES.sub("`…`", _MACHINE.sub("", "\n".join(shown))))


@pytest.mark.slow
def test_english_of_games_is_found() -> None:
    assert {"the", "moves", "waste", "dealer"} <= english("A : the moves, waste ou dealer")
    assert english("la levée est complète : `the waste` [Movement PL3]") == set()


def said(run: Run, line: str) -> str:
    words = line.split()
    for name, text in CASES["files"]:
        Path(name).write_text(text, encoding="utf-8")
    if "partie.jsonl" in words and not Path("partie.jsonl").exists():
        assert run(*RECORD)[0] == 0
    _, out, err = run(*words, "--lang", "fr")
    examples = r"(?m)^ {4}.*$" if words[0] == "explain" else "$^"
    return f"{re.sub(examples, '', out)}\n{err}"


@pytest.mark.whole
@pytest.mark.parametrize("line", [*LINES[:2], *LINES[-16:-8], *LINES[3::4]])
def test_command_line_has_no_english(line: str, run: Run) -> None:
    assert left(said(run, line)) == set()


@pytest.mark.slow
def test_command_lines_have_no_english_word_of_a_game(run: Run) -> None:
    assert {line: found for line in LINES if (found := all_left(said(run, line)))} == {}


@pytest.mark.slow
def test_list_of_games_has_no_english(run: Run) -> None:
    """A title may be the same in both languages."""
    titles = {lang: {g["title"] for g in told(run, "list", "--lang", lang)["games"]} for lang in ("en", "fr")}
    out = run("list", "--lang", "fr")[1]
    for title in titles["en"] & titles["fr"]:
        out = out.replace(title, "")
    assert all_left(out) == set()


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_has_no_english(name: str, run: Run) -> None:
    code, out, err = run(*filter(None, [name]), "--help", "--lang", "fr")
    text = re.sub(r"\n {2}hoyle .*|auto[^.:]*both", "", out)
    assert code == 0 and not err and left(text) == set()


GAMES = ["scopa", "cribbage", "backgammon", "crapette", "barbu", "coinchee", "yams", "plakoto", "spite-and-malice"]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(GAMES, whole=["scopa"]))
def test_session_has_no_english(name: str, run: Run, request: pytest.FixtureRequest) -> None:
    seats = ",".join(["humain", *["hasard"] * (len(game(name).seats) - 1)])
    asked = ["aide", "liste", "1", "pourquoi 1", "dernier", "table", "2", "9999", "xyz", "pourquoi xyz"]
    is_slow = request.node.get_closest_marker("slow") is not None
    lines = [*asked, *["1"] * 5, *["conseil 0.2", "1", *["1", "2", "dernier"] * 150] * is_slow, ""]
    out = run("play", name, "--seed", "4", "--seats", seats, "--lang", "fr", stdin="\n".join(lines))[1]
    assert (english(out) if is_slow else left(out)) == set()
    moves = run("moves", name, "--seed", "1", "--lang", "fr")[1]
    series = run("simulate", name, "-n", "2", "--seed", "1", "--engine", "python", "--lang", "fr")[1]
    series = series.replace(game(name).title("fr"), "")  # a title may be English
    assert left(moves) == left(series) == set()


def test_pages_hold_no_sentences() -> None:
    static = PACKAGE / "web" / "static"
    for page in static.glob("*.html"):
        assert set(re.findall(r">\s*([^<>]*\w[^<>]*?)\s*<", page.read_text(encoding="utf-8"))) == {"Hoyle"}
    for script in static.glob("*.js"):
        text = re.sub(
            r"/\*.*?\*/|(?<![:\"])//.*?$", "", script.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        said = {m[1] for m in re.finditer(r"[\"`'](\w+(?:[ ,.;:!?…]+\w+)+[.!?…]?)[\"`']", text)}
        assert {words for words in said if small(words)} <= {"last left"}, script


_NAME = re.compile(r"[a-z_]{3,}")


def _leaves(node: Any, french: bool) -> Iterator[str]:
    """The French texts in a file: all of one of French words, else those under `fr`."""
    if isinstance(node, str) and french:
        yield node
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from _leaves(value, french or key == "fr")


def _french(name: str) -> set[str]:
    """All French words in the catalogues, in the game and in what it is built on."""
    package = Path(hoyle.__file__).parent
    found = set[str]()
    for path in [
        package / "language" / "fr.json",
        package / "presentation" / "fr.json",
        *Dependencies().find([shipped()[name]]),
    ]:
        tree = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for text in _leaves(tree, ".fr." in path.name or path.name == "fr.json"):
            found.update(_NAME.findall(text.casefold()))
    return found


def _english(rules: Ruleset, french: set[str]) -> set[str]:
    """The names in the conditions of moves, and their own, that are no French words."""
    conditions = [c for move in rules.moves.values() for c in move.conditions]
    written = [e.span.text for c in conditions for e in walk_all(c.expr)]
    own = [*(c.name for c in conditions), *rules.obligations, *rules.moves, *rules.state, *rules.piles]
    return {word for text in (*written, *own) for word in _NAME.findall(text)} - french


def _illegal(state: State, pick: Random) -> Iterator[str]:
    inside, core = state.game.compiled, state.core
    legal = {move.id for move in state.moves()}
    for move in inside.machine.points[core.pc].moves:
        every = [inside.namer.move_id(move, action, core.actor) for action in list_actions(inside, core, move)]
        others = [one for one in every if one not in legal]
        yield from pick.sample(others, min(2, len(others)))


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", in_tiers(sorted({*FEW, "hearts", "klondike", "spades", "grabuge"}), whole=["backgammon"])
)
def test_reasons_in_french_have_no_english(name: str) -> None:
    state, pick = game(name).start(3), Random(1)
    foreign = _english(state.game.ruleset, _french(name))
    with use_language("fr"):
        look = make_look(state.game)
        for _ in range(sized(8, 25)):
            if state.is_over:
                break
            for move in _illegal(state, pick):
                told = " ".join(format_reasons(state.why(move), look))
                said = re.sub(r"\[[^]]*\]", "", told)
                assert not foreign & {*_NAME.findall(said)}, told
                assert " = " not in said
            state = state.play(pick.choice(state.moves()))
