"""The documentation is true: its rulesets validate, its programs run, its sessions print the text shown, its links
lead somewhere. How a fence is tried stands in a comment before it; CONTRIBUTING.md lists them."""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from engines import QUICKLY
from english import spaced
from shells import ROOT, in_bash
from tiers import in_tiers, spread

from hoyle import Event, Game, Move, State, View, load, validate
from hoyle.cli.main import COMMANDS, main
from hoyle.game.examples import examples
from hoyle.game.explain.reasons import Reason, Why
from hoyle.game.values import Value
from hoyle.language.model import Rule
from hoyle.language.vocabulary import WORDS
from hoyle.native import engine_builder
from hoyle.presentation import catalogue
from hoyle.view_data import PieceView, PileView, StateView

BASES = Path(__file__).parent / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("**/*.md"))]
PROMPT = re.compile(r"^\w+> (.+)$", re.MULTILINE)
HEAD = "ruleset: 1\ngame: fragment\nextends: {base}\ntitle: {{en: A fragment}}\n"


@dataclass(frozen=True)
class Fence:
    """A piece of a page between two fences. `how` is the comment before it."""

    page: Path
    line: int
    lang: str
    text: str
    how: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def fences(page: Path, *langs: str) -> list[Fence]:
    return [fence for fence in _all_fences(page) if fence.lang in langs]


def _all_fences(page: Path) -> Iterator[Fence]:
    lines = page.read_text(encoding="utf-8").splitlines()
    opened: tuple[int, str] | None = None
    for i, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if opened is None:
            opened = i, line[3:].strip()
            continue
        begin, lang = opened
        comment = re.fullmatch(r"<!-- (.*) -->", lines[begin - 1]) if begin else None
        yield Fence(page, begin + 1, lang, "\n".join(lines[begin + 1 : i]) + "\n", comment[1] if comment else "")
        opened = None


def every(lang: str) -> list[Fence]:
    return [fence for page in PAGES for fence in fences(page, lang)]


# YAML


@pytest.mark.whole
@pytest.mark.parametrize("fence", spread(every("yaml"), 40), ids=str)
def test_a_ruleset_shown_is_valid(fence: Fence, tmp_path: Path) -> None:
    """The comment before the fence says how it is tried (CONTRIBUTING.md)."""
    how, _, name = fence.how.partition(": ")
    for base in BASES.glob("*.yaml"):
        shutil.copy(base, tmp_path)
    match how:
        case "a file":
            assert _diagnostics(tmp_path / (name or "shown.yaml"), fence.text) == []
        case "in":  # a warning says that nothing uses what a fragment declares
            text = HEAD.format(base=name) + fence.text
            assert [d for d in _diagnostics(tmp_path / "fragment.yaml", text) if d[0] == "error"] == []
        case "words":  # R567, a warning, says which words are missing
            for other in fences(fence.page, "yaml"):
                how, _, ruleset = other.how.partition(": ")
                if how == "a file" and ruleset and name.startswith(f"{ruleset.removesuffix('.yaml')}."):
                    (tmp_path / ruleset).write_text(other.text, encoding="utf-8")
            assert [d for d in _diagnostics(tmp_path / name, fence.text) if d[1] != "R567"] == []
        case "position":
            import yaml

            base = tmp_path / f"{name}.yaml"
            assert load(base if base.exists() else name).position(yaml.safe_load(fence.text)).moves()
        case "from":
            _is_quoted(fence.text, (ROOT / name).read_text(encoding="utf-8"))
        case _:
            assert how == "step" and name, fence  # the sessions of the page run it


def _diagnostics(path: Path, text: str) -> list[tuple[str, str, int, str]]:
    """Problems of the text, and of its worked examples."""
    path.write_text(text, encoding="utf-8")
    found = list(validate([path]))
    if not any(d.severity == "error" for d in found) and "\nexamples:" in text:
        found += [d for outcome in examples.run_examples(path).outcomes for d in outcome.problems]
    return [(d.severity, d.code, d.span.line if d.span else 0, d.message) for d in found]


def _is_quoted(text: str, rest: str) -> None:
    """The lines are in the file, perhaps with others between the parts that `# …` separates."""
    for part in re.split(r"^ *# …\n", text, flags=re.MULTILINE):
        assert part in rest, part
        rest = rest[rest.index(part) + len(part) :]


# Python


@pytest.mark.whole
@pytest.mark.parametrize(
    "page",
    in_tiers(
        [page.relative_to(ROOT).as_posix() for page in PAGES if fences(page, "python")],
        whole=("README.md", "docs/pictures.md", "docs/api.md"),
    ),
)
def test_programs_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of `docs/learning.md` take seconds: they build an engine and import OpenSpiel."""
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"__name__": "__main__"}
    for fence in fences(ROOT / page, "python"):
        program = compile("\n" * fence.line + fence.text.replace("games=40", "games=8"), page, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as told:
            exec(program, space)
        assert "Traceback" not in told.getvalue()


# Sessions at the terminal


SESSIONS = [page for page in PAGES if fences(page, "console")]
STUDIES = ROOT / "docs" / "studies"
"""Its pages play many games of several rulesets: only the slow test runs them."""
SLOW = re.compile(r"hoyle (?:mutants|sweep|match|analyse)|--seats search:100|-n 300 --seed 1$|grep -m 1 lay")
"""Commands of more than half a second that only the slow test runs."""
MANY = re.compile(r"(-n|--search) (?:\d{3,}|50)\b")
"""Commands of more than half a second that a plain run shortens: it runs them with two games, and does not compare the output."""
LONG = {f"{name}.md" for name in ("differences", "laboratory", "packs", "pictures", "players", "rulebooks", "series")}
"""Pages that only the slow test runs: the tests of their commands run the same code."""


@pytest.mark.whole
@pytest.mark.parametrize(
    "page", [p for p in SESSIONS if p.parent != STUDIES and p.name not in LONG], ids=lambda page: page.name
)
def test_sessions_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """All sessions of a page run in one folder, which has nothing but the files that the page shows."""
    _run_sessions(page, tmp_path, in_full=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        p
        for p in SESSIONS
        if p.parent == STUDIES or p.name in LONG or re.search(f"{SLOW.pattern}|{MANY.pattern}", p.read_text("utf-8"))
    ],
    ids=lambda page: page.name,
)
def test_long_sessions_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """After a wanted change, run with UPDATE_DOCS=1 and read the difference."""
    _run_sessions(page, tmp_path, in_full=True)


def _run_sessions(page: Path, folder: Path, in_full: bool) -> None:
    for fence in fences(page, "yaml"):
        how, _, name = fence.how.partition(": ")
        if how in ("a file", "words") and name:
            (folder / name).write_text(fence.text, encoding="utf-8")
    for fence in fences(page, "yaml", "console"):
        if fence.lang == "yaml":
            _step(fence, folder)
            continue
        for command, expected in _commands(fence.text):
            if SLOW.search(command) and not in_full:
                continue
            run = command if in_full else MANY.sub(r"\1 2", command)
            found = _shell(run, "".join(f"{typed}\n" for typed in PROMPT.findall(expected)), folder)
            if run == command or "error[" in expected:
                _compare(fence, command, expected, found)
            else:
                assert found or not expected
                assert "error[" not in found


def _compare(fence: Fence, command: str, expected: str, found: str) -> None:
    if os.environ.get("UPDATE_DOCS") and expected and not _like(expected, found):
        text = fence.page.read_text(encoding="utf-8").replace(f"$ {command}\n{expected}", f"$ {command}\n{found}")
        fence.page.write_text(text, encoding="utf-8")
        return
    assert _like(expected, found), f"{fence}: $ {command}\nshown:\n{expected}\nfound:\n{found}"


def _step(fence: Fence, folder: Path) -> None:
    """Follow a tutorial as its author would: add entries to a file, or replace those of the same name."""
    how, _, name = fence.how.partition(": ")
    if how == "step":
        path = folder / name
        path.write_text(_added(path.read_text(encoding="utf-8") if path.exists() else "", fence.text), encoding="utf-8")


def test_the_file_that_the_tutorial_ends_with_lies_beside_it(tmp_path: Path) -> None:
    """After a wanted change, run with UPDATE_DOCS=1."""
    for fence in fences(ROOT / "docs" / "tutorial.md", "yaml"):
        _step(fence, tmp_path)
    for path in sorted(tmp_path.glob("sevens*.yaml")):
        finished, text = ROOT / "docs" / path.name, path.read_text(encoding="utf-8")
        if os.environ.get("UPDATE_DOCS"):
            finished.write_text(text, encoding="utf-8")
        assert finished.read_text(encoding="utf-8") == text


def _added(text: str, more: str) -> str:
    """The YAML text with other entries in it: below a heading that is there come its new lines, and a line that has the name of another
    takes its place."""
    found = _entries(text)
    for name, entry in _entries(more).items():
        (head, old), (_, new) = _parted(found.get(name, "")), _parted(entry)
        found[name] = head + textwrap.indent(_added(old, new), "  ") if old and new else entry
    return "".join(found.values())


def _entries(text: str) -> dict[str, str]:
    """The entries of a block by name; what is empty belongs to the one before."""
    parts = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    return {part.partition(":")[0]: part for part in parts if part.strip()}


def _parted(entry: str) -> tuple[str, str]:
    """The line with its name, and what stands below it, as a block of its own."""
    head, _, below = entry.partition("\n")
    return f"{head}\n", textwrap.dedent(below)


def _commands(text: str) -> list[tuple[str, str]]:
    """Each command with what is shown below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert parts[0] == "", "a session begins with `$ `"
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts[1:])]


def _shell(command: str, typed: str, folder: Path) -> str:
    """Return the output of a command. `hoyle` runs in this process, and bash runs the part behind the first `|`."""
    own, _, rest = command.partition(" | ")
    if not own.startswith("hoyle ") or set(own) & set("|<>;&$*"):
        return in_bash(command, folder, typed=typed).stdout
    said = _hoyle(shlex.split(own)[1:], typed, folder)
    return in_bash(rest, folder, typed=said).stdout if rest else said


def _hoyle(words: list[str], typed: str, folder: Path) -> str:
    """Both of its streams, in the order in which it has written to them."""
    heard = io.BytesIO()
    said = io.TextIOWrapper(heard, encoding="utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        patch.chdir(folder)
        patch.setattr(catalogue, "_chosen", catalogue._chosen)  # what was spoken here is not spoken on
        patch.setenv("LANG", "C.UTF-8")
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8"))
        patch.setattr(
            engine_builder, "FLAGS", (*engine_builder.FLAGS, QUICKLY)
        )  # built as other tests have it built, and in a tenth of the time
        main(words)
    return heard.getvalue().decode()


def _like(expected: str, found: str) -> bool:
    """Letter for letter, but a line `…` stands for any lines, and spaces at the ends of lines do not count."""
    lines = [line.rstrip() for line in expected.strip("\n").splitlines()]
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + r"\n" for line in lines)
    text = "".join(f"{line.rstrip()}\n" for line in spaced(found).strip("\n").splitlines())
    return re.fullmatch(pattern, text) is not None


# The rest


def test_the_line_that_runs_the_tests_is_the_one_that_is_checked() -> None:
    """.ci/run looks for the line in the README; there must be one."""
    lines = [
        line
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        if re.fullmatch("pip install .*pytest", line)
    ]
    assert lines == ["pip install -e '.[test]' && pytest"]


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `hoyle (\w+)", text, flags=re.MULTILINE)) == set(COMMANDS)


API = (Game, State, Move, Event, View, PileView, PieceView, StateView, Why, Reason, Rule, Value)


@pytest.mark.quick
@pytest.mark.parametrize("owner", API, ids=lambda owner: owner.__name__)
def test_the_api_is_documented_in_full(owner: type) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    rows = " ".join(re.findall(rf"^\| (`{owner.__name__}\.[^|]*)", text, flags=re.MULTILINE))
    assert {name for name in dir(owner) if name[0] != "_" and not re.search(rf"\.{name}\b", rows)} == set()
    assert set(re.findall(r"\.(\w+)", rows)) <= set(dir(owner))


@pytest.mark.quick
def test_every_word_is_documented() -> None:
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    section = text[text.index("\n## 4. ") : text.index("\n## 5. ")]
    assert {word for word in WORDS if not re.search(rf"`{word}\b", section)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            broken.append(target)
    assert broken == []


def _anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
