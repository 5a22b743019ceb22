"""What commands that play a series have in common: options, its progress, what Ctrl-C leaves, where its outcome goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from hoyle.cli import output
from hoyle.cli.catalogue import t
from hoyle.cli.drawing.progress import progress
from hoyle.cli.engines import engine_option, telling_of_engines
from hoyle.cli.options import File, Whole, Word, lang_option, seed_option, set_option, some_seed
from hoyle.cli.outlet import outlet_options
from hoyle.cli.shell import INTERRUPTED, option

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.series.result_file import Form, Head, Kept
    from hoyle.series.workers import Tick, Workers

jobs_option = option("--jobs", "-j", type=Whole(1), default=1)
cluster_option = option("--cluster", type=Word("address"))
keep_option = option("--keep", type=File())


def series_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is played, by how many processes, where what is done is kept, and where the outcome goes."""
    return set_option(run_options(function))


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same, where it is said otherwise what is played."""
    return seed_option(workers_options(engine_option(outlet_options(lang_option(function)))))


def workers_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Who does the work, given to the command as `workers`, and where it is kept."""

    @wraps(function)
    def with_workers(*, jobs: int, cluster: str | None, **others: Any) -> Any:
        return function(workers=workers_of(jobs, cluster), **others)

    return jobs_option(cluster_option(keep_option(with_workers)))


def workers_of(jobs: int, cluster: str | None) -> Workers:
    """Raises Trouble where what talks to clusters is not there."""
    from hoyle.series.workers import Workers

    if cluster is not None and find_spec("distributed") is None:
        raise output.Trouble(t("keep.no_cluster"))
    return Workers(jobs, cluster or "")


def seed_for(given: int | None, keep: str | None) -> int:
    """The seed given, or that of the series which goes on, or a new one."""
    from hoyle.series.result_file import seed_of

    return some_seed(seed_of(keep) if given is None and keep is not None else given)


@contextmanager
def keeping(keep: str | None, head: Callable[[], Head], form: Form[Any]) -> Iterator[Kept[Any] | None]:
    """The file in which what is done is kept, if one is wanted. Raises Refused."""
    if keep is None:
        yield None
        return
    from hoyle.series.result_file import Kept

    with telling_of_engines():
        found = head()
    with Kept(keep, found, form) as kept:
        if kept.found:
            output.note(t("keep.goes_on_with", file=keep))
        yield kept


def play_through(
    wanted: int,
    done: Sequence[object],
    work: Callable[[Tick], object],
    kept: Kept[Any] | None = None,
    size: Callable[[Any], int] = lambda result: 1,
) -> int:
    """Plays all, with a bar on a terminal, and adds what is played to `done`; the exit code. Ctrl-C ends it, and everything if nothing was done. `size`: how many
    of those wanted a result that is kept is of."""
    before = sum(map(size, kept.found)) if kept is not None else 0
    with telling_of_engines(), progress(t("simulate.working"), wanted, before) as tick:
        try:
            work(tick)
            return 0
        except KeyboardInterrupt:
            if not done:
                raise
    stopped(kept)
    return INTERRUPTED


def stopped(kept: Kept[Any] | None) -> None:
    """Says that it was stopped, and how it goes on."""
    output.stopped()
    if kept is not None:
        output.note(t("keep.goes_on", file=kept.name))


def head(game: Game, seed: int) -> dict[str, Any]:
    """What the JSON of a series begins with."""
    return {"game": game.name, "digest": game.digest, "options": dict(game.options), "seed": seed}
