"""What an editor waits for: how much of a processor the check of a long ruleset takes after an edit in one formula, and from nothing.
`python -m benchmarks.editing [--edits 7] [GAME ...]`

Each edit puts a blank before a formula, at places all over the file, so that all that stands below it moves. The first answer is what the
formulas say, the whole one all that `validate` tells; their times are of the processor (`time.process_time`), the best of the edits, with the
worst beside it. From nothing is the same with nothing kept of what was read before."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from hoyle.checking import build
from hoyle.editor.analysis import Texts, analyse, find_all_problems, resolve_path
from hoyle.reading import parse, translation
from hoyle.reading.shape import formulas
from hoyle.reading.sources import read
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped

LONG = 900
"""Lines of a ruleset that is long."""
Clock = Callable[[], float]
Seconds = tuple[float, float]
"""Until the first answer, and until the whole one."""


def long_rulesets() -> list[str]:
    lines = {name: path.read_text(encoding="utf-8").count("\n") for name, path in shipped().items()}
    return sorted((name for name in lines if lines[name] > LONG), key=lambda name: -lines[name])


def forget() -> None:
    """Nothing is kept of what was read and parsed."""
    build.clear_caches()
    for kept in (parse._parse_once, parse._first_result, translation._load_cached):
        kept.cache_clear()


def edited(path: Path, count: int) -> Iterator[Texts]:
    """The text with a blank before a formula, each time another one."""
    source = read(path)
    places = [f.node.span.start for f in formulas(load(source)) if not f.is_key and f.path[0] != "examples"]
    for at in random.Random(0).sample(places, count):
        yield {resolve_path(path): f"{source.text[:at]} {source.text[at:]}"}


def answered(path: Path, texts: Texts, clock: Clock = time.process_time) -> Seconds:
    start = clock()
    known = analyse(path, texts)
    first = clock() - start
    find_all_problems(known)
    return first, clock() - start


def after_edits(
    path: Path, count: int, before: Callable[[], None] = lambda: None, clock: Clock = time.process_time
) -> list[Seconds]:
    """`before`: what is done before each; `clock`: what counts."""
    answered(path, {})
    found = []
    for texts in edited(path, count):
        before()
        found.append(answered(path, texts, clock))
    return found


def _told(seconds: list[float]) -> str:
    return f"{1000 * min(seconds):4.0f} ({1000 * max(seconds):3.0f})"


def main() -> None:
    words = argparse.ArgumentParser(description="What an editor waits for after an edit.")
    words.add_argument("games", nargs="*", default=long_rulesets())
    words.add_argument("--edits", type=int, default=7)
    asked = words.parse_args()
    print("ms of a processor  lines   first answer   whole answer   from nothing   ratio")
    for name in asked.games:
        path = shipped()[name]
        first, whole = zip(*after_edits(path, asked.edits), strict=True)
        anew = [whole for _, whole in after_edits(path, asked.edits, forget)]
        lines = path.read_text(encoding="utf-8").count("\n")
        shown = "     ".join(_told(list(times)) for times in (first, whole, anew))
        print(f"{name:17} {lines:6}     {shown}    {min(anew) / min(whole):4.1f}")


if __name__ == "__main__":
    main()
