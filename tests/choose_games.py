"""Choose the shipped games that reach most of the interpreter: the list `FEW` in `tests/support/games.py`.

    python tests/choose_games.py [--most 10]

Each game is loaded, played at random for 60 moves, told in words and written as C, in a process of its own, and the lines of
`interpreter/hoyle/` that this executes are noted. Then games are taken one by one, each the one that adds most lines.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "interpreter"), str(ROOT / "tests" / "support")]

from games import FEW, names  # noqa: E402

Lines = set[tuple[str, int]]
MOVES = 60


def lines_of(name: str) -> Lines:
    """The lines of the interpreter that loading and playing this game executes."""
    package, found = str(ROOT / "interpreter" / "hoyle"), Lines()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(package):
            return None
        if event == "line":
            found.add((file, frame.f_lineno))
        return trace

    sys.settrace(trace)
    try:
        _play(name)
    finally:
        sys.settrace(None)
    return found


def _play(name: str) -> None:
    from hoyle import load
    from hoyle.compiling.game import lower_ruleset
    from hoyle.native.layout import Untranslatable
    from hoyle.native.unit import write_unit

    game = load(name)
    state, chance = game.start(1), Random(1)
    for _ in range(MOVES):
        if state.is_over:
            break
        move = chance.choice(state.moves())
        for language in ("en", "fr"):
            move.text(language)
        state = state.play(move)
    state.picture()
    try:
        write_unit(lower_ruleset(game.ruleset))
    except Untranslatable as reason:
        print(f"{name} is not written as C: {reason}", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=10, help="how many games to choose")
    most = parser.parse_args().most
    every = [name for name, _ in names()]
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        reached = dict(zip(every, pool.map(lines_of, every), strict=True))
    total = len(Lines().union(*reached.values()))
    told = len(Lines().union(*(reached[name] for name in FEW)))
    print(f"{total} lines are reached by all {len(every)} games, {100 * told / total:.1f} % of them by FEW")
    found = Lines()
    for _ in range(most):
        best = max(reached, key=lambda name: len(reached[name] - found))
        found |= reached.pop(best)
        print(f"{100 * len(found) / total:5.1f} %  {best}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
