"""`hoyle validate --watch`: files are checked again whenever they are saved, until Ctrl-C."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run, runner

from hoyle.cli.commands import validate
from hoyle.cli.commands.validate import Dependencies

PARENT = "ruleset: 1\ngame: parent\nextends: game.yaml\ntitle: Parent\n"
CHILD = "ruleset: 1\ngame: child\nextends: parent.yaml\ntitle: Child\n"
TO_END = getattr(signal, "CTRL_C_EVENT", signal.SIGINT)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    call = runner(capsys, monkeypatch, tmp_path)
    Path("parent.yaml").write_text(PARENT)
    Path("child.yaml").write_text(CHILD)
    return call


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Do these things between two checks, one after the other; then press Ctrl-C."""

    def set_up(*actions: Callable[[], object]) -> None:
        waiting = iter(actions)

        def sleep(seconds: float) -> None:
            if seconds == validate._SETTLED:
                return
            action = next(waiting, None)
            if action is None:
                raise KeyboardInterrupt
            action()

        monkeypatch.setattr("hoyle.cli.commands.validate.time.sleep", sleep)

    return set_up


def saved(name: str, text: str) -> Callable[[], object]:
    return lambda: Path(name).write_text(text)


@pytest.mark.whole
def test_saved_files_are_checked_again(run: Run, between: Callable[..., None]) -> None:
    """The file itself, what it is built on, and words beside either."""
    between(
        saved("child.yaml", CHILD + "moves: {play a card: {tale: heap}}\n"),
        lambda: None,  # nothing is saved: nothing is said
        saved("child.yaml", CHILD),
        saved("game.yaml", Path("game.yaml").read_text().replace("fits(card):", "fit(card):")),
        saved("parent.fr.yaml", "words: fr\ngame: parent\nmoves: {play: jouer}\n"),
    )
    code, out, err = run("validate", "child.yaml", "--watch")
    assert code == 130 and err.endswith("stopped\n")
    assert re.findall(r"(?:error|warning)\[(R\d+)\]", out)[:1] == ["R102"] and "game.yaml:" in out
    found = re.findall(r"\d\d:\d\d:\d\d: (watching|\d+ errors?)", err)
    assert len(found) == 5 and found[:3] == ["watching", "1 error", "watching"] and found[3] != "watching"


@pytest.mark.whole
def test_a_folder_is_watched_for_new_and_removed_files(run: Run, between: Callable[..., None]) -> None:
    Path("games").mkdir()
    Path("games", "one.yaml").write_text("ruleset: 1\ngame: one\nextends: klondike\ntitle: One\n")
    two = Path("games", "two.yaml")
    between(saved("games/two.yaml", "ruleset: 1\ngame: ["), two.unlink, Path("games", "one.yaml").unlink)
    code, out, err = run("validate", "games", "--watch")
    assert code == 130 and out.count("error[R015]") == 1
    assert err.count("no problem in 1 file\n") == 2 and "there is no ruleset in `games`" in err


def test_parents_are_watched_while_a_file_cannot_be_read(run: Run) -> None:
    behind = Dependencies()
    before = {path.name for path in behind.find([Path("child.yaml")])}
    assert before == {"child.yaml", "parent.yaml", "game.yaml", "game.fr.yaml", "french.yaml", "french.fr.yaml"}
    Path("parent.yaml").write_text("ruleset: [")
    assert {path.name for path in behind.find([Path("child.yaml")])} == before
    Path("parent.yaml").write_text("ruleset: 1\nextends: klondike\n")
    assert {path.name for path in behind.find([Path("child.yaml")])} == {
        *before,
        "klondike.yaml",
        "klondike.fr.yaml",
    } - {
        "game.yaml",
        "game.fr.yaml",
    }


@pytest.mark.parametrize("loop", ["child.yaml", "parent.yaml"])
def test_circular_files_are_watched_once(run: Run, loop: str) -> None:
    Path("parent.yaml").write_text(f"ruleset: 1\nextends: {loop}\n")
    assert len(Dependencies().find([Path("child.yaml")])) == 2


def test_standard_input_and_empty_folders_cannot_be_watched(run: Run) -> None:
    assert run("validate", "-", "--watch")[::2] == (2, "error: standard input cannot be watched\n")
    Path("none").mkdir()
    assert run("validate", "none", "--watch")[0] == 1
