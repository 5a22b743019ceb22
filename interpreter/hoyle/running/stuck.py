"""What to tell an author whose game runs on and asks nobody: the innermost step that goes round, and where nothing was possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hoyle.diagnostics import Diagnostic, Said
from hoyle.language.sentences import in_figures, said
from hoyle.running.places import STOP, Place, Point
from hoyle.running.state import Core

Path = tuple[str, ...]
Block = Callable[[Core], int]

WATCHED = 10_000
"""So many blocks more are run to see where it goes: more than a loop has that a game goes round in."""


def stuck(
    s: Core,
    pc: int,
    most: int,
    blocks: Sequence[Block],
    paths: Mapping[int, Path],
    places: Sequence[Place],
    points: Iterable[Point],
) -> Diagnostic:
    """R906. `paths` are where in the flow each block is written; the state is of no use afterwards."""
    seen = {paths[label] for label in _visited(s, pc, blocks) if label in paths}
    loop = _shared(seen)
    place = next((p for n in range(len(loop), 0, -1) for p in places if p.path == loop[:n]), places[0])
    idle = [_from(point.path, loop) for point in points if point.path in seen and _nothing(s, point, blocks)]
    return Diagnostic(
        "R906",
        said("running.nobody_decides", most=in_figures(most)),
        span=place.span,
        notes=(said("running.goes_round", place=" / ".join(place.path)), *_told(idle)),
        help=said("running.passed") if idle else said("running.comes_true"),
    )


def _told(idle: Sequence[str]) -> Iterator[Said]:
    if idle:
        yield said("running.nothing_possible", places=", ".join(f"`{name}`" for name in dict.fromkeys(idle)))


def _visited(s: Core, pc: int, blocks: Sequence[Block]) -> Iterator[int]:
    for _ in range(WATCHED):
        if pc < 0:
            return
        yield pc
        pc = blocks[pc](s)


def _shared(paths: Iterable[Path]) -> Path:
    """What all the paths begin with: the step that holds everything that is done again and again."""
    first, *others = sorted(paths) or [()]
    last = others[-1] if others else first
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:same]


def _from(path: Path, loop: Path) -> str:
    """A place as seen from the loop, with what it stands in."""
    return " / ".join(path[min(len(loop), len(path) - 1) :])


def _nothing(s: Core, point: Point, blocks: Sequence[Block]) -> bool:
    """Nobody can do anything at this decision, as things are."""
    return point.together is None and blocks[point.label](s.copy()) != STOP
