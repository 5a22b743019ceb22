"""`hoyle mutants`: which changes of a ruleset would no worked example notice?"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.figures import of_hundred
from hoyle.cli.options import Whole, game_argument, json_option, lang_option, open_game, seed_option
from hoyle.cli.output import Trouble, emit, say
from hoyle.cli.shell import command, option
from hoyle.diagnostics import told

if TYPE_CHECKING:
    from hoyle.series.mutants import Mutant, Verdict

Judged = tuple["Mutant", "Verdict"]


@command("mutants")
@game_argument
@option("--most", type=Whole(1))
@option("-n", "--games", type=Whole(1), default=10)
@seed_option
@option("--jobs", "-j", type=Whole(1), default=1)
@json_option
@lang_option
def mutants_command(game: str, most: int | None, games: int, seed: int | None, jobs: int, as_json: bool) -> int:
    from hoyle.series.mutants import failing, judged, mutants

    opened, every, wrong = open_game(game), mutants(game), failing(game)
    if wrong:
        raise Trouble(t("mutants.failing", count=len(wrong), names=", ".join(wrong), game=game))
    tried = _some(every, most, seed or 0)
    found: list[Judged] = []
    for one in zip(tried, judged(game, tried, games, seed or 0, jobs), strict=True):
        found.append(one)
        if one[1].kind == "survived" and not as_json:
            _tell(*one)
    if as_json:
        emit("mutants", {"game": opened.name, "changes": len(every), "tried": [_data(*one) for one in found]})
    else:
        _sum(opened.name, Counter(verdict.kind for _, verdict in found))
    return 0


def _some(every: list[Mutant], most: int | None, seed: int) -> list[Mutant]:
    """A sample in the order of the file; the same for the same seed."""
    if most is None or most >= len(every):
        return every
    return [every[i] for i in sorted(random.Random(seed).sample(range(len(every)), most))]


def _tell(mutant: Mutant, verdict: Verdict) -> None:
    say(f"{mutant.span.source.name}:{mutant.span.line}:{mutant.span.column}: {told(mutant.what, lang())}")
    line = mutant.span.source.text.split("\n")[mutant.span.line - 1].strip()
    say(f"    {line}")
    if verdict.by:
        say("    " + t("mutants.where", options=verdict.by))


def _sum(name: str, kinds: Counter[str]) -> None:
    noticed, survived = kinds["noticed"], kinds["survived"]
    numbers = {kind: kinds[kind] for kind in ("refused", "noticed", "survived", "same")}
    say(t("mutants.sum", game=name, tried=kinds.total(), **numbers))
    if noticed + survived:
        say(t("mutants.rate", percent=of_hundred(noticed / (noticed + survived), 0)))


def _data(mutant: Mutant, verdict: Verdict) -> dict[str, Any]:
    span = mutant.span
    place = {"file": span.source.name, "line": span.line, "column": span.column}
    return {**place, "change": told(mutant.what, lang()), "verdict": verdict.kind, "by": verdict.by}
