"""`moves`, `why`, `eval`, `list`, `test`, `validate`, `explain`, `new`, `words`, `schema`: answers about rules, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run, command_lines, told

run = command_lines
POSITION = "at: turn\nto_act: A\npiles: {pack: 2S 3S, heap: 7H, hand of A: 7C 9H KS, hand of B: AD}\n"
AT = ("--position", "-")
BOTH = """\
ruleset: 1
game: both
use: [french]
players: {count: 2, seats: [A, B]}
pieces: {card: {of: [ranks, suits], from: pack}}
piles: {pack: {}, hand: {each: player, face: owner}, heap: {}}
moves: {lay: {rule: {at: §1, en: A card is laid., fr: On pose une carte.}, take: cards(hand), put: heap}}
flow:
  game: {each: {turns: turn, from: A, rounds: 3}}
  turn: {a card: {choose: [lay]}}
result: {best: count(hand of p)}
"""
"""Each lays a card in turn. In the position below, A has none."""


def test_moves(run: Run) -> None:
    first = run("moves", "game.yaml", "--seed", "4")
    assert first[0] == 0 and "A has" in first[1]
    assert first == run("moves", "game.yaml", "--seed", "4")
    code, out, _ = run("moves", "game.yaml", *AT, stdin=POSITION)
    assert code == 0 and "[§1]" in out
    assert [word in out for word in ("play-a-card 7C", "play-a-card 9H", "KS")] == [True, True, False]


def test_moves_of_the_next_player(run: Run) -> None:
    Path("both.yaml").write_text(BOTH, encoding="utf-8")
    nothing = "at: turn / a card\nto_act: A\npiles: {hand of B: 7C 8C}\n"
    code, out, err = run("moves", "both.yaml", *AT, stdin=nothing)
    assert code == 0 and "B has 2" in out
    assert "A can do nothing there: the game goes on to B" in err


def test_moves_as_json(run: Run) -> None:
    found = told(run, "moves", "game.yaml", *AT, "--lang", "fr", stdin=POSITION)
    assert (found["format"], found["to_act"]) == ("hoyle moves", "A")
    assert [move["id"] for move in found["moves"]] == ["play-a-card 7C", "play-a-card 9H"]
    assert found["moves"][0]["rule"]["text"].startswith("Une carte doit avoir la couleur")
    data = json.dumps({"options": {"cards_each": 3}, "at": "turn", "piles": {"heap": "7H", "hand of A": "7C"}})
    assert [move["id"] for move in told(run, "moves", "game.yaml", *AT, stdin=data)["moves"]] == ["play-a-card 7C"]


@pytest.mark.whole
def test_why(run: Run) -> None:
    code, out, _ = run("why", "game.yaml", "play-a-card KS", *AT, stdin=POSITION)
    assert code == 0 and "✗ fits" in out
    assert "not legal. A card must have the suit or the rank of the card it covers. [§1]" in out.replace("\n  ", " ")
    assert "legal. A card" in run("why", "game.yaml", "play-a-card 9H", *AT, stdin=POSITION)[1]
    found = told(run, "why", "game.yaml", "draw-a-card", *AT, stdin=POSITION)
    assert found["legal"] is False
    assert [reason["name"] for reason in found["reasons"] if not reason["holds"]] == ["play if you can"]
    code, out, _ = run("why", "game.yaml", "fly", *AT, "--lang", "fr", stdin=POSITION)
    assert code == 1 and "`fly` n'est pas un coup" in out


@pytest.mark.whole
def test_why_takes_the_beginning_of_a_legal_move(run: Run) -> None:
    assert run("why", "scopa", "capture 6S", "--seed", "3")[1].startswith("capture 6S 6D: legal. ")
    assert run("why", "scopa", "lay", "--seed", "3")[1] == "lay: not legal. Say more: 6S, RC, 2C.\n"


def test_eval(run: Run) -> None:
    code, out, _ = run("eval", "game.yaml", "count(hand) + 1", *AT, stdin=POSITION)
    assert (code, out.splitlines()[0].split()[0]) == (0, "4")
    assert told(run, "eval", "game.yaml", "fits(top(hand))", *AT, stdin=POSITION)["value"] is False


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lines", "values", "why"),
    [
        ("hand of A | heap\n7H 8D | 9S\n\n | 9S\n", ["3", "1"], ""),
        ('{"heap": "9S", "hand of A": ["7H", "8D"]}\n{"hand of A": "", "heap": []}\n', ["3", "0"], ""),
        ("hand of A | heap\n7H | 9S\n7H | 9X\n", [], "`9X` is not a piece of game\n  = note: in line 3"),
        ("hand of A | heap\n7H | 9S\n7H\n", [], "line 3 does not have these piles: hand of A | heap"),
        ('{"hand of A": "7H"}\n{"heap": "7H"}\n', [], "line 2 does not have these piles: hand of A"),
        ('{"hand of A": 7}\n', [], "line 1 is no JSON object of piles and pieces"),
        ("hand of A | haep\n", [], "there is no pile `haep`"),
        ("\n", [], "there are no lines"),
    ],
)
def test_eval_each_line(run: Run, lines: str, values: list[str], why: str) -> None:
    code, out, err = run("eval", "game.yaml", "count(hand of A) + count(heap)", "--each", "-", stdin=lines)
    assert (code, out.split()) == (1 if why else 0, values)
    assert why in err


@pytest.mark.whole
def test_eval_each_line_in_each_form_and_engine(run: Run) -> None:
    words = ("eval", "game.yaml", "count(hand of A) > 1", "--each", "-")
    found = told(run, *words, stdin="hand of A\n7H\n7H 8D\n")
    assert (found["piles"], found["values"]) == (["hand of A"], [False, True])
    for engine in ("python", "native", "auto"):
        code, out, _ = run(*words, "--engine", engine, stdin="hand of A\n7H\n7H 8D\n")
        assert (code, out.split()) == (0, ["false", "true"])
    code, _, err = run("eval", "game.yaml", "count(players)", "--engine", "native")
    assert code == 2 and "--each" in err


@pytest.mark.whole
@pytest.mark.parametrize("formula", ["count(hnad)", "1 +", "__import__('os')", "(" * 5000, "1..1000000000"])
def test_eval_of_a_wrong_formula(formula: str, run: Run) -> None:
    code, out, err = run("eval", "game.yaml", formula)
    assert (code, out) == (1, "")
    assert err.startswith("error[R540]" if formula.startswith("1..") else "error[R")


def test_position_without_a_place(run: Run) -> None:
    code, _, err = run("moves", "game.yaml", *AT, stdin="piles: {heap: 7H}")
    assert code == 1 and "`at:`" in err
    assert run("eval", "game.yaml", "count(heap)", *AT, stdin="piles: {heap: 7H}")[1].startswith("1 ")


def test_bad_position_has_its_place_in_the_file(run: Run) -> None:
    code, _, err = run("moves", "game.yaml", *AT, stdin="at: turn\npiles: {heap: 7X, hnad of A: 2S}\n")
    assert code == 1
    assert all(part in err for part in ("`7X` is not a card", "--> <stdin>:2:15", "did you mean `hand`?"))


@pytest.mark.whole
def test_options(run: Run) -> None:
    assert "A has" in run("moves", "game.yaml", "--set", "cards_each=3")[1]
    for bad in ("cards_each=99", "cards_each=x", "card_each=3"):
        code, out, err = run("moves", "game.yaml", "--set", bad)
        assert (code, out) == (2, "")
        assert err.startswith("error[R") and err.count("error") == 1


@pytest.mark.whole
def test_constraint_of_options(run: Run) -> None:
    Path("large.yaml").write_text(
        "ruleset: 1\ngame: large\nextends: game.yaml\nconstraints:\n  hands: {is: cards_each * count(players) <= 20, "
        "at: §3, en: Twenty cards at most are dealt., fr: On donne vingt cartes au plus.}\n"
    )
    assert told(run, "describe", "large.yaml")["constraints"] == [
        {"name": "hands", "at": "§3", "text": "Twenty cards at most are dealt."}
    ]
    assert "On donne vingt cartes au plus. [§3]" in run("describe", "large.yaml", "--lang", "fr")[1]
    chosen = ("play", "large.yaml", "--set", "cards_each=9", "--set", "players=3")
    code, out, err = run(*chosen)
    assert (code, out) == (2, "")
    assert "error[R612]: Twenty cards at most are dealt." in err
    assert "`cards_each` is 9, `players` is 3" in err
    assert "erreur[R612] : On donne vingt cartes au plus." in run(*chosen, "--lang", "fr")[2]


@pytest.mark.whole
def test_test(run: Run) -> None:
    assert run("test", "game.yaml") == (0, "game: 2 examples, all as written\n", "")
    assert "every rule is reached" in run("test", "game.yaml", "--coverage")[1]
    Path("game.yaml").write_text(Path("game.yaml").read_text().replace("play-a-card 9H]", "play-a-card 9D]"))
    code, out, err = run("test", "game.yaml")
    assert (code, out) == (1, "game: 1 of 2 examples fails\n")
    assert "suit or rank:" in err
    code, out, _ = run("test", "game.yaml", "--json")
    assert code == 1
    assert json.loads(out)["games"][0]["failures"][0]["example"] == "suit or rank"


@pytest.mark.whole
def test_validate(run: Run) -> None:
    assert run("validate", "game.yaml") == (0, "", "no problem in 1 file\n")
    Path("bad.yaml").write_text(Path("game.yaml").read_text().replace("take: cards(hand)", "tkae: cards(hand)"))
    code, out, _ = run("validate", ".")
    assert code == 1
    assert "bad.yaml:" in out
    assert "game.yaml" not in out
    assert json.loads(run("validate", "bad.yaml", "--format", "json")[1])["diagnostics"]
    assert json.loads(run("validate", "bad.yaml", "--format", "sarif")[1])["version"] == "2.1.0"
    assert run("validate", "bad.yaml", "--format", "github")[1].startswith("::error ")
    assert run("validate", "-", stdin=Path("bad.yaml").read_text())[0] == 1
    assert run("validate", "-", stdin=Path("game.yaml").read_text())[0] == 0


def test_validate_folder_without_rulesets(run: Run) -> None:
    Path("empty").mkdir()
    assert run("validate", "empty") == (1, "", "error: there is no ruleset in `empty`\n")


def test_explain(run: Run) -> None:
    code, out, _ = run("explain", "r102")
    assert code == 0
    assert out.startswith("R102 ")
    assert "Right:" in out
    assert told(run, "explain", "R102")["code"] == "R102"
    assert len(told(run, "explain")["codes"]) > 50
    code, _, err = run("explain", "R999")
    assert code == 1
    assert "there is no diagnostic `R999`" in err


def test_new_by_the_name_of_a_shipped_game(run: Run) -> None:
    code, _, err = run("new", "hearts")
    assert code == 0 and "hearts.yaml is called `hearts`, too" in err
    assert "shipped" not in run("new", "hearts-of-mine")[2]


@pytest.mark.whole
def test_new(run: Run) -> None:
    code, _, err = run("new", "game")
    assert code == 1
    assert "`game.yaml` exists already" in err and "title: Game" in Path("game.yaml").read_text()
    assert run("new", "variant", "--extends", "game.yaml", "-o", "v.yaml")[0] == 0
    assert run("validate", "v.yaml")[0] == 0
    Path("v.yaml").write_text(Path("v.yaml").read_text().replace("# set:", "set:").replace("#  cards", "  cards"))
    assert run("validate", "v.yaml")[0] == 0
    assert "game: other" in run("new", "other", "--output", "-")[1]
    assert not Path("other.yaml").exists()


@pytest.mark.whole
def test_words(run: Run) -> None:
    assert run("words", "game.yaml", "de", "-o", "game.de.yaml")[0] == 0
    written = Path("game.de.yaml").read_text()
    assert written.startswith("words: de\ngame: game\n# Game\ntitle:\n")
    assert run("words", "game.yaml", "de")[1] == written
    code, out, _ = run("validate", "game.yaml")
    assert code == 0
    assert "that `de` has no words for" in out
    assert run("words", "game.yaml", "de", "-o", "game.de.yaml")[0] == 1
    assert "`deutsch` is no language" in run("words", "game.yaml", "deutsch")[2]
    assert "words: de\nlibrary: french" in run("words", "french", "de")[1]


def test_schema(run: Run) -> None:
    assert json.loads(run("schema")[1])["title"]


BAD: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "folder": lambda path: path.mkdir(),
    "empty": lambda path: path.write_bytes(b""),
    "binary": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "huge": lambda path: path.write_bytes(b"a: " + b"x" * 10_000_000),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "deeper": lambda path: path.write_bytes(b"".join(b" " * i + b"a:\n" for i in range(400))),
    "nul": lambda path: path.write_bytes(b"a: \0"),
    "bomb": lambda path: path.write_text(
        "a0: &a0 [x]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(99))
    ),
    "aliases": lambda path: path.write_text(
        "at: turn\na: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(99))
    ),
    "list": lambda path: path.write_text("- 1\n"),
    "other": lambda path: path.write_text("hello: world\nat: turn\n"),
}


READERS = {
    "validate {}": [kind for kind in BAD if kind != "folder"],
    "moves game.yaml --position {}": ["missing", "huge", "deep", "bomb", "aliases", "other"],
    "replay {}": ["missing", "folder", "empty", "binary", "huge", "list"],
    "describe {}": ["folder", "huge", "bomb"],
    "moves {}": ["deep", "list"],
    "why game.yaml x --position {}": ["missing", "aliases"],
    "test {}": ["deeper", "other"],
    "eval game.yaml 1 --position {}": ["huge", "nul"],
    "simulate {} -n 1": ["empty", "binary"],
    "play game.yaml --resume {}": ["missing", "folder", "other"],
    "new x --extends {}": ["missing", "binary", "list"],
}


@pytest.mark.whole
@pytest.mark.parametrize(("words", "kind"), [(words, kind) for words, kinds in READERS.items() for kind in kinds])
def test_bad_file_is_an_error(run: Run, kind: str, words: str) -> None:
    BAD[kind](Path("bad.yaml"))
    code, out, err = run(*words.format("bad.yaml").split())
    assert code == 1 and "error" in out + err and "fault of this program" not in err
    assert not Path("x.yaml").exists()
    assert words.startswith("validate") or len(out + err) < 20_000
