"""Worked examples of a ruleset (docs/language.md, section 17): positions, and what must hold in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from hoyle.checking import build
from hoyle.diagnostics import Problems, Refused
from hoyle.game.compiled import compile_ruleset
from hoyle.game.examples.expectations import Checker
from hoyle.game.game import Game, State
from hoyle.reading.tree import Node


class Outcome(Struct, frozen=True):
    """An example, and what did not hold."""

    name: str
    problems: Problems

    @property
    def passed(self) -> bool:
        return not self.problems.errors


class Report(Struct):
    """Outcomes of all examples. `unreached` are rules that no example reached, if coverage was asked for."""

    game: str
    outcomes: list[Outcome] = []
    reached: dict[tuple[str, str], int] = {}
    rules: tuple[tuple[str, str], ...] = ()

    @property
    def unreached(self) -> list[tuple[str, str]]:
        """Pairs of section and name."""
        return [rule for rule in self.rules if not self.reached.get(rule)]

    @property
    def passed(self) -> bool:
        return all(o.passed for o in self.outcomes)


def run_examples(game: str | Path, values: dict[str, Any] | None = None, coverage: bool = False) -> Report:
    """Run every example of a ruleset. Raises Refused if the ruleset itself is wrong."""
    runner = Runner(
        lambda options: Game(compile_ruleset(*build.load_ruleset(game, {**(values or {}), **options}), trace=coverage))
    )
    base = runner.game({})
    report = Report(base.name, rules=tuple(list_own_rules(base)))
    report.outcomes += [Outcome(name, problems) for name, problems in runner.examples()]
    report.reached = runner.reached()
    return report


def list_own_rules(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the rules that the file itself writes and that can apply, as (section, name)."""
    own, points, r = str(game.merged.files[-1]), game.machine.points.values(), game.ruleset
    offered = {m.name for p in points for m in p.moves}
    obeyed = {o.name for p in points for o in p.obey}
    sections: tuple[tuple[str, Any, set[str]], ...] = (
        ("move", r.moves, offered),
        ("obligation", r.obligations, obeyed),
        ("whenever", r.whenever, set(r.whenever)),
    )
    for section, entries, met in sections:
        yield from ((section, name) for name, e in entries.items() if name in met and e.span.source.name == own)


class Runner:
    """Runs examples. Games are compiled once for each set of options."""

    def __init__(self, opened: Callable[[dict[str, Any]], Game]) -> None:
        self.opened = opened
        self.games: dict[tuple[tuple[str, str], ...], Game] = {}

    def game(self, options: dict[str, Any]) -> Game:
        key = tuple(sorted((k, str(v)) for k, v in options.items()))
        if key not in self.games:
            self.games[key] = self.opened(options)
        return self.games[key]

    def examples(self, plain_first: bool = False) -> Iterator[tuple[str, Problems]]:
        """Yield each example's name and problems. `plain_first`: examples without options first, which need no
        compiling."""
        examples = self.game({}).merged.root.get("examples")
        entries = list(examples.entries()) if examples is not None and examples.kind == "map" else []
        for name, _, node in sorted(entries, key=lambda e: bool(example_options(e[2])[0])) if plain_first else entries:
            yield name, self.example(node)

    def reached(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for game in self.games.values():
            for rule, index in game.machine.counters.items():
                found[rule] = found.get(rule, 0) + game.machine.hits[index]
        return found

    def example(self, node: Node) -> Problems:
        problems = Problems()
        try:
            Checker(problems).check(node, self.start(node))
        except Refused as refused:
            problems.extend(refused.diagnostics)
        return problems

    def start(self, node: Node) -> State:
        """Return the state that an example begins with. Raises Refused."""
        given = node.get("given")
        wanted, places = example_options(node)
        try:
            game = self.game(wanted)
        except Refused as refused:
            raise refused.at((*places, node)[0].span) from None
        seed = node.get("seed") or (given.get("seed") if given is not None and given.kind == "map" else None)
        number = int(seed.value) if seed is not None and isinstance(seed.value, int) else 0
        return game.position(given, number) if given is not None and given.kind == "map" else game.start(number)


def example_options(node: Node) -> tuple[dict[str, Any], list[Node]]:
    """Return the options that an example sets, and their nodes."""
    given = node.get("given")
    inside = given.get("options") if given is not None and given.kind == "map" else None
    places = [place for place in (inside, node.get("options")) if place is not None]
    wanted: dict[str, Any] = {}
    for place in reversed(places):
        for name, _, value in place.entries() if place.kind == "map" else ():
            wanted[name] = value.value if value.value is not None else value.raw
    return wanted, places
