"""What commands that play a series have in common: options, its progress, what Ctrl-C leaves, where its outcome goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.cli import output
from interpreter.cli.catalogue import t
from interpreter.cli.drawing.progress import progress
from interpreter.cli.engines import engine_option, telling_of_engines
from interpreter.cli.files import write
from interpreter.cli.options import File, Whole, json_option, lang_option, seed_option, set_option
from interpreter.cli.shell import INTERRUPTED, option

if TYPE_CHECKING:
    from interpreter.game.game import Game
    from interpreter.series.portions import Tick

jobs_option = option("--jobs", "-j", type=Whole(1), default=1)
out_option = option("--out", type=File())


def series_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is played, by how many processes, and where the outcome goes."""
    options = (set_option, seed_option, jobs_option, engine_option, json_option, out_option, lang_option)
    for one in reversed(options):
        function = one(function)
    return function


def play_through(wanted: int, done: Sequence[object], work: Callable[[Tick], object]) -> int:
    """Plays all, with a bar on a terminal, and adds what is played to `done`; the exit code. Ctrl-C ends it, and everything if nothing was done."""
    with telling_of_engines(), progress(t("simulate.working"), wanted) as tick:
        try:
            work(tick)
            return 0
        except KeyboardInterrupt:
            if not done:
                raise
    output.stopped()
    return INTERRUPTED


def tell(text: str, out: str | None, code: int) -> None:
    """The outcome goes to its file, which is for a whole series; else to standard output."""
    write("-" if code or out is None else out, f"{text}\n")


def head(game: Game, seed: int) -> dict[str, Any]:
    """What the JSON of a series begins with."""
    return {"game": game.name, "digest": game.digest, "options": dict(game.options), "seed": seed}
