"""Print what the last `pytest` run cost by room: tests functions, processor seconds, and the most expensive functions.

    python tests/costs.py [ROOM]

With a room, its functions are listed, the most expensive first.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / ".pytest_cache" / "v" / "hoyle" / "costs"


def main(arguments: list[str]) -> int:
    if not (found := sorted(FOLDER.glob("*"), key=lambda path: path.stat().st_mtime)):
        print("No figures: run `pytest` first.")
        return 1
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, seconds in json.loads(found[-1].read_text(encoding="utf-8")).items():
        rooms[name.split("/")[1]][name] = seconds
    if arguments:
        for name, seconds in rooms[arguments[0]].most_common():
            print(f"{seconds:8.2f}  {name}")
        return 0
    for room, functions in sorted(rooms.items(), key=lambda pair: -pair[1].total()):
        dearest, seconds = functions.most_common(1)[0]
        print(
            f"{functions.total():8.1f} s  {len(functions):5}  {room:12}  {seconds:5.2f} s {dearest.partition('::')[2]}"
        )
    print(f"{sum(one.total() for one in rooms.values()):8.1f} s  {sum(map(len, rooms.values())):5}  in all")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
