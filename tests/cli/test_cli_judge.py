"""`moves`, `why`, `eval`, `list`, `test`, `validate`, `explain`, `new`, `words`, `schema`: answers about rules, and bad input."""

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run, command_lines

run = command_lines


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
    assert "`deutsch` is not a language" in run("words", "game.yaml", "deutsch")[2]
    assert "words: de\nlibrary: french" in run("words", "french", "de")[1]


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
