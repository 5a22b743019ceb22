"""What must hold of whatever is given to the program: no traceback, no fault of its own, in time, no file touched that was not
named, and no character printed that a terminal obeys."""

import contextlib
import io
import os
import signal
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hoyle.cli.main import main
from hoyle.diagnostics import Refused
from hoyle.game.game import State
from hoyle.reporting import report
from hoyle.running.chance import PLAYER, Chance

SECONDS = 5.0  # of the processor, for one case
HANGS = 60  # seconds of the clock
ROOT = Path(__file__).parents[2]
OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
FAULTS_OF_RULES = {"R901", "R902", "R903", "R904", "R905", "R906"}
SECRET = "do-not-tell"


@dataclass
class Watch:
    place: Path | None = None
    touched: list[str] = field(default_factory=list)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.place is None:
            return
        if event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate"):
            self._look(arguments[0], True)
        elif event == "open":
            name, mode, flags = arguments
            writes = (
                bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) if mode is None else bool(set(mode) & set("wax+"))
            )
            self._look(name, writes)
        elif event in ("socket.connect", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
            self.touched.append(event)

    def _look(self, name: Any, writes: bool) -> None:
        assert self.place is not None
        if isinstance(name, int):
            return
        path = os.path.realpath(os.path.join(self.place, os.fsdecode(name)))
        if (
            sys.pycache_prefix or "__pycache__"
        ) in path:  # Python keeps what it compiles when a module is first imported
            return
        known = () if writes else (str(ROOT), sys.prefix, sys.base_prefix, "/usr", "/lib", "/etc/terminfo")
        if not path.startswith((str(self.place), "/dev/", *known)):
            self.touched.append(f"{'writes' if writes else 'reads'} {path}")


WATCH = Watch()


@cache
def _listen() -> None:
    """It cannot be undone, and from then on costs whatever this process does: it is begun when it is needed, and such tests come last."""
    sys.addaudithook(WATCH.hear)


@contextlib.contextmanager
def held(place: Path) -> Iterator[None]:
    """What is done here is done in time, and inside the folder."""

    def hang(*_: object) -> None:
        raise AssertionError("it hangs")

    _listen()
    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(HANGS)
    WATCH.place, WATCH.touched = place, []
    begun = time.process_time()
    try:
        yield
    finally:
        WATCH.place = None
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - begun < SECONDS
    assert WATCH.touched == []


def clean(text: str) -> None:
    assert not {c for c in text if unicodedata.category(c) in ("Cc", "Cs") and c != "\n"}
    assert not {c for c in text if unicodedata.bidirectional(c) in OVERRIDES}
    assert SECRET not in text


def command(*words: str, stdin: str = "") -> tuple[int, str, str]:
    """A command line in this process, as a terminal's program would see it."""
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogateescape")), encoding="utf-8")
    heard = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    sys.stdout, sys.stderr = heard
    try:
        code = main(words)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    said = [stream.detach().getvalue().decode() for stream in heard]
    clean("".join(said))
    assert code in (0, 1, 2), said[1]
    assert "Traceback" not in said[1]
    return code, said[0], said[1]


def answered(ask: Callable[[], Any]) -> Any:
    """What the interpreter gives, or None if it refuses, in words that can be printed."""
    try:
        return ask()
    except Refused as refused:
        clean(report.as_text(refused.diagnostics))
        return None


def played(state: State, moves: int) -> None:
    """A game of random moves goes on, or the rules say what is wrong with them; everybody can look at it."""
    pick = Chance.stream(5, 0, PLAYER).below

    def go_on() -> None:
        found = state
        for _ in range(moves):
            legal = found.moves() if not found.is_over else []
            if not legal:
                break
            clean("".join(move.id + move.text("fr") for move in legal[:20]))
            found.view(found.to_act)
            found = found.play(legal[pick(len(legal))])
        clean("".join(event.text("en") for event in found.events))

    try:
        go_on()
    except Refused as refused:
        assert {d.code for d in refused.diagnostics} <= FAULTS_OF_RULES | {"R712"}
