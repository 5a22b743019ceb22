"""Every command line under `--lang fr`: whatever it does or refuses, no English is in what it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from commands import Run, told
from english import english, small
from tiers import in_tiers

import interpreter
from interpreter.cli.main import COMMANDS
from interpreter.resources import shipped

PACKAGE = Path(interpreter.__file__).parent
RECORD = ["play", "game.yaml", "--seats", "hasard,hasard", "--seed", "3", "--record", "partie.jsonl"]
LINES = [
    "explain",
    "explain R571",
    "explain R9999",
    "describe --words",
    "describe game.yaml --observation",
    "describe game.yaml",
    "describe game.yaml --set cards_each=99",
    "describe game.yaml --set nothing=1",
    "describe nowhere",
    "validate game.yaml",
    "validate nowhere.yaml",
    "test game.yaml --coverage",
    "test nowhere",
    "pairs game.yaml -n 1 --seed 1",
    "mutants game.yaml --most 2 --seed 2",
    "simulate game.yaml -n 3 --seed 1 --engine python",
    "simulate game.yaml --seats foo",
    "simulate game.yaml --jobs 0",
    "match game.yaml premier hasard -n 2 --seed 1",
    "match klondike premier hasard -n 2",
    "bench game.yaml --seconds 0.01 --engine python",
    "replay partie.jsonl",
    "replay partie.jsonl --to 3",
    "replay game.yaml",
    "replay partie.jsonl --game klondike",
    "analyse partie.jsonl --search 3 --deals 0",
    "analyse partie.jsonl --seat Z",
    "analyse partie.jsonl --search x",
    "moves game.yaml",
    "moves game.yaml --position nowhere.yaml",
    "why game.yaml jouer-7",
    "why game.yaml play-a-card",
    "eval game.yaml count(pack)>3",
    "eval game.yaml players",
    "eval game.yaml count(pack) --each nowhere.txt",
    "show game.yaml -o table.svg",
    "show game.yaml --width 3",
    "show partie.jsonl --to 9999 -o table.svg",
    "play game.yaml --seats recherche:a",
    "play game.yaml --seats hasard:3",
    "play game.yaml --seats a,b,c,d,e,f,g",
    "play game.yaml --resume nowhere.jsonl",
    "new game",
    "new a/b",
    "new variante --extends game.yaml --output -",
    "words game.yaml xx9",
    "serve --port 99999",
    "doctor",
    "frobnicate",
    "play --frob",
    "play",
    "play game.yaml --seed x",
    "play game.yaml --seed",
    "list --json=3",
    "explain R1 R2",
]
BROKEN = {
    "wrong.yaml": "ruleset: 1\ngame: wrong\nextends: game.yaml\nterms:\n  fits(card): card.rnk > top(heep).rank\n",
    "failing.yaml": "ruleset: 1\ngame: failing\nextends: game.yaml\nexamples:\n  d\u00e9but:\n    legal: [draw-a-card]\n",
    "place.yaml": "game: game\nat: turn / nowhere\npiles: {hand of A: 7Z}\n",
    "record.jsonl": "{}\n",
}
"""Files with something wrong in them."""
LINES += [
    "validate wrong.yaml",
    "describe wrong.yaml",
    "test failing.yaml",
    "eval game.yaml hand_of_A",
    "moves game.yaml --position place.yaml",
    "replay record.jsonl",
    "diff game.yaml game.yaml --set cards_each=7",
]
QUICK = [LINES[1], *LINES[-16:-8]]
_MACHINE = re.compile(
    r"^(?:Python|système|compilateur|cache|moteurs|essai|[a-z-]+ {2,}\d).*\n(?: {12}.*\n)*", re.MULTILINE
)
"""What `doctor` says of the machine, and versions."""
_NAMES = re.compile(
    r"(?:[~.]*(?:/[\w.-]+)+|--?[a-z][\w-]*|[\w./-]+\.(?:yaml|jsonl|svg|txt)|\w+_\w+|nowhere|nothing|frobnicate|foo)(?![\w-])"
    r"|^ *\d+ \|.*$|<formula>|^#? *[a-z]+:|^ {2}[a-z]+\(.*\)(?=$|  )|^ {2}[a-z]+(?=  )",
    re.MULTILINE,
)
"""Options, files and what is not there; lines of a file, keys of rules, words of formulas, commands in a list."""


def left(*shown: str) -> set[str]:
    """The English in it, but for what is typed."""
    text = _NAMES.sub("`…`", _MACHINE.sub("", "\n".join(shown)))
    return small(text) | english(text)


def test_english_is_found() -> None:
    assert left("rien n'est fait with the pile") == {"with", "the"}
    assert left("`the pile` --with nowhere") == set()


@pytest.mark.parametrize("line", in_tiers(LINES, quick=QUICK, whole=LINES[::3]))
def test_nothing_is_said_in_english(line: str, run: Run) -> None:
    words = line.split()
    for name, text in BROKEN.items():
        Path(name).write_text(text, encoding="utf-8")
    if "partie.jsonl" in words:
        assert run(*RECORD)[0] == 0
    _, out, err = run(*words, "--lang", "fr")
    examples = r"(?m)^ {4}.*$" if words[0] == "explain" else "$^"
    assert left(re.sub(examples, "", out), err) == set()


@pytest.mark.whole
def test_the_list_of_games_is_in_french(run: Run) -> None:
    """But for what is called the same in every language."""
    titles = {lang: {g["title"] for g in told(run, "list", "--lang", lang)["games"]} for lang in ("en", "fr")}
    out = run("list", "--lang", "fr")[1]
    for title in titles["en"] & titles["fr"]:
        out = out.replace(title, "")
    assert left(out) == set()


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_in_french(name: str, run: Run) -> None:
    code, out, err = run(*filter(None, [name]), "--help", "--lang", "fr")
    text = re.sub(r"\n {2}hoyle .*|auto[^.:]*both", "", out)
    assert code == 0 and not err and left(text) == set()


@pytest.mark.parametrize("name", in_tiers(sorted(shipped()), quick=["tables", "scopa"], whole=["belote", "klondike"]))
def test_a_description_is_in_french(name: str, run: Run) -> None:
    """But for the titles of the game and of books, which stand at its top."""
    _, out, err = run("describe", name, "--lang", "fr")
    head, _, rest = out.partition("\n\n")
    assert head and left(rest, err) == set()


ROOMS = ("cli", "editor", "web")
_BESIDE = re.compile(r"^(?:SELECT|INSERT|\nCREATE|default-src|asked of$| \w+ $|\w+ \| None$|.*\(\?)")
"""Questions to the database, what browsers are told of pages, parts of formulas, and kinds and patterns in Python."""


def literals(path: Path) -> set[str]:
    """The texts in a module that somebody might read: no documentation, and nothing that is written for whoever runs a server."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aside: list[ast.AST] = [
        n.value for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
    ]
    aside += [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func).startswith("_log.")]
    known = {id(part) for node in aside for part in ast.walk(node)}
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in known]
    return {n.value for n in found if isinstance(n.value, str) and " " in n.value}


@pytest.mark.whole
def test_what_people_read_stands_in_the_catalogues() -> None:
    """Not in the modules, where it would have one language."""
    found = {text for room in ROOMS for path in (PACKAGE / room).rglob("*.py") for text in literals(path)}
    assert {text for text in found if small(text) and not _BESIDE.match(text)} == set()


def test_what_a_page_says_stands_in_the_catalogues() -> None:
    static = PACKAGE / "web" / "static"
    for page in static.glob("*.html"):
        assert set(re.findall(r">\s*([^<>]*\w[^<>]*?)\s*<", page.read_text(encoding="utf-8"))) == {"Hoyle"}
    for script in static.glob("*.js"):
        text = re.sub(
            r"/\*.*?\*/|(?<![:\"])//.*?$", "", script.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        said = {m[1] for m in re.finditer(r"[\"`'](\w+(?:[ ,.;:!?…]+\w+)+[.!?…]?)[\"`']", text)}
        assert {words for words in said if small(words)} <= {"last left"}, script
