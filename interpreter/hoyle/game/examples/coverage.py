"""Coverage of a ruleset by its examples and by random games: rules, steps and formulas, and by these each line."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking import build
from hoyle.checking.analysis import find_reachable
from hoyle.diagnostics import Span
from hoyle.game.compiled import compile_ruleset
from hoyle.game.examples.examples import Outcome, Report, Runner, list_own_rules
from hoyle.game.examples.rule_parts import Part, entry_span, list_rule_parts, words_elsewhere
from hoyle.game.game import Game
from hoyle.language.evaluate import fixed_truth
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.running.hit_counts import Counts, Stretch, Watch

Status = Literal["examples", "games", "never", "out", "decided", ""]
"""Coverage of a line: by examples; by games only; never; out of reach under these options; decided by the options;
or "" if it has nothing to cover."""
Tick = Callable[[int], None]
Rule = tuple[str, str]
"""Section and name."""


class Formula(Struct, frozen=True):
    """A counted formula: columns in its line from 0 (to the end of the line if it goes on), status, and counts."""

    start: int
    end: int
    status: Status
    examples: Counts
    games: Counts


class Line(Struct, frozen=True):
    """A line of a ruleset. Its counts are those of the innermost rule, step or formula that begins before its text."""

    number: int
    text: str
    status: Status = ""
    examples: int = 0
    games: int = 0
    formulas: tuple[Formula, ...] = ()


class File(Struct, frozen=True):
    """A file of a ruleset. `examples`: the lines of its examples, which need no coverage."""

    path: str
    lines: list[Line]
    examples: range = range(0)

    def count(self, status: Status) -> int:
        """Return how many lines have this status."""
        return sum(line.status == status for line in self.lines)


class Coverage(Struct, frozen=True):
    """Coverage of each file, the ruleset's own first.

    unreached  rules that no example covers; steps of the file itself that cite a source (section `step`)
    of_games   those of `unreached` that games cover"""

    report: Report
    games: int
    files: list[File]
    unreached: tuple[Rule, ...]
    of_games: frozenset[Rule]


class _Reached(Struct):
    """Counts of formulas and steps by place, and of rules by name."""

    places: dict[Stretch, Counts] = {}
    rules: dict[Rule, int] = {}


def cover(
    game: str | Path,
    values: Mapping[str, Any] | None = None,
    games: int = 0,
    seed: int = 0,
    tick: Tick = lambda more: None,
) -> Coverage:
    """Run all examples of a ruleset, then random games with these options. Raises Refused if the ruleset is wrong."""
    watches: list[Watch] = []

    def opened(options: dict[str, Any]) -> Game:
        watches.append(Watch())
        return Game(
            compile_ruleset(*build.load_ruleset(game, {**(values or {}), **options}), trace=True, watch=watches[-1])
        )

    runner = Runner(opened)
    base = runner.game({})
    report = Report(base.name, rules=tuple(list_own_rules(base)))
    report.outcomes += [Outcome(name, problems) for name, problems in runner.examples()]
    report.reached = runner.reached()
    by_examples = _Reached(_add_counts(watch.found() for watch in watches), report.reached)
    by_games = _play_games(base, watches[0], games, seed, tick)
    roots = [load(read(file)) for file in reversed(base.merged.files)]
    parts = _judge_parts(roots, base, by_examples, by_games)
    own, *others = [_read_file(root, parts) for root in roots]
    steps = {
        ("step", one.part.name): one.status
        for one in parts
        if _is_cited_step(one, own) and one.status in _NOT_IN_EXAMPLES
    }
    reached = {rule for rule, count in by_games.rules.items() if count}
    reached |= {step for step, status in steps.items() if status == "games"}
    shown = [own, *(f for f in others if any(line.status for line in f.lines))]
    return Coverage(report, games, shown, (*report.unreached, *steps), frozenset(reached))


def _add_counts(found: Iterable[Mapping[Stretch, Counts]]) -> dict[Stretch, Counts]:
    joined: dict[Stretch, Counts] = {}
    for counts in found:
        for place, count in counts.items():
            joined.setdefault(place, Counts()).add(count)
    return joined


def _play_games(base: Game, watch: Watch, games: int, seed: int, tick: Tick) -> _Reached:
    """Play random games and return what they reach."""
    machine, before, hits = base.machine, watch.found(), base.machine.hits[:]
    for index in range(games):
        machine.playout(seed, index)
        tick(1)
    places = watch.found()
    for place, counts in before.items():
        places[place].add(counts, -1)
    return _Reached(places, {rule: machine.hits[n] - hits[n] for rule, n in machine.counters.items()})


_NOT_IN_EXAMPLES: tuple[Status, ...] = ("games", "never")


def _is_cited_step(one: _PartStatus, own: File) -> bool:
    """Return whether this is a step of the file that cites its source."""
    return one.part.sort == "step" and bool(one.part.name) and one.part.span.source.name == own.path


# ---- what each part is -----------------------------------------------------------------------------------------------


class _PartStatus(Struct, frozen=True):
    part: Part
    status: Status
    examples: Counts
    games: Counts


class _InForce(Struct, frozen=True):
    """Rules and phases in force, and conditions that never hold under these options."""

    in_force: frozenset[Rule]
    dead: tuple[Stretch, ...]

    def is_dead(self, span: Span | None) -> bool:
        """Return whether this condition never holds."""
        return span is not None and any(
            name == span.source.name and span.start <= start and end <= span.end for name, start, end in self.dead
        )


def _judge_parts(roots: Iterable[Node], base: Game, examples: _Reached, games: _Reached) -> list[_PartStatus]:
    """Return the parts of all files with their statuses, outer ones first."""
    found: list[_PartStatus] = []
    ruled, elsewhere = _find_in_force(base, examples, games), frozenset[str]()
    for root in roots:
        elsewhere |= words_elsewhere(root)
        for part in list_rule_parts(root, base.ruleset):
            by = _count_part(part, examples), _count_part(part, games)
            is_out = any(one.status == "out" and part.span.lies_in(one.part.span) for one in found)
            status = _status(part, by, examples, ruled)
            found.append(_PartStatus(part, "out" if is_out and status in _UNDECIDED else status, *by))
    return _settle_terms(found, elsewhere)


_UNDECIDED: tuple[Status, ...] = ("never", "")


def _find_in_force(base: Game, examples: _Reached, games: _Reached) -> _InForce:
    now = find_reachable(base.ruleset, partial(fixed_truth, attributes=base.ruleset.attributes.by_name))
    sections = {"move": now.moves, "obligation": now.obligations, "whenever": now.whenever, "phase": now.phases}
    names = frozenset((section, name) for section, names in sections.items() for name in names)
    places = examples.places.items()
    return _InForce(
        names, tuple(p for p, c in places if c.known == {False} and not c.all and not games.places.get(p, Counts()).all)
    )


def _count_part(part: Part, counted: _Reached) -> Counts:
    if part.rule is not None:
        return Counts(other=counted.rules.get(part.rule, 0))
    return counted.places.get(_span_key(part.counted), Counts())


def _span_key(span: Span) -> Stretch:
    return span.source.name, span.start, span.end


def _status(part: Part, by: tuple[Counts, Counts], examples: _Reached, ruled: _InForce) -> Status:
    """Return the status of a part, ignoring what stands around it."""
    if by[0].all or by[1].all:
        return "examples" if by[0].all else "games"
    if part.sort == "phase":
        return "" if ("phase", part.name) in ruled.in_force else "out"
    if part.rule is not None:
        return "never" if part.rule in ruled.in_force else "out"
    if part.sort == "term":
        return "never"
    known = examples.places.get(_span_key(part.counted))
    if known is None or ruled.is_dead(part.when):  # it was not even written, or never applies
        return "out"
    return "decided" if known.known and part.sort == "formula" else "never"


def _settle_terms(found: list[_PartStatus], elsewhere: frozenset[str]) -> list[_PartStatus]:
    """Give inlined terms the status of what names them.

    Terms named only `elsewhere`, where nothing is counted, have no status. Terms that nothing in force names are out
    of reach."""
    waiting = {n for n, one in enumerate(found) if one.part.sort == "term" and one.status == "never"}
    for status in _BY_CERTAINTY:
        while True:
            words = _words_of_status(found, status, waiting) | (elsewhere if not status else frozenset())
            named = {n for n in waiting if found[n].part.name in words}
            if not named:
                break
            waiting -= named
            for n in named:
                found[n] = replace(found[n], status=status)
    for n in waiting:
        found[n] = replace(found[n], status="out")
    return found


_BY_CERTAINTY: tuple[Status, ...] = ("examples", "games", "decided", "never", "")


def _words_of_status(found: Iterable[_PartStatus], status: Status, but: Container[int]) -> frozenset[str]:
    """Return the words of all parts of a status."""
    words = (one.part.words for n, one in enumerate(found) if one.status == status and n not in but)
    return frozenset[str]().union(*words)


# ---- lines -----------------------------------------------------------------------------------------------------------


def _read_file(root: Node, parts: Iterable[_PartStatus]) -> File:
    source = root.span.source
    own = [one for one in parts if one.part.span.source.name == source.name]
    found, start = [], 0
    for number, text in enumerate(source.text.split("\n"), 1):
        found.append(_read_line(number, text, start, own))
        start += len(text) + 1
    return File(source.name, found[:-1] if found and not found[-1].text else found, _example_lines(root))


def _example_lines(root: Node) -> range:
    entry = root.pairs.get("examples")
    if entry is None:
        return range(0)
    span = entry_span(*entry)
    return range(span.line, span.line + span.text.count("\n") + 1)


def _read_line(number: int, text: str, start: int, parts: list[_PartStatus]) -> Line:
    said = text.lstrip()
    if not said or said.startswith("#"):
        return Line(number, text)
    place, end = start + len(text) - len(said), start + len(text)
    around = [one for one in parts if one.part.span.start <= place < one.part.span.end]
    around = around or [one for one in parts if place <= one.part.span.start < end][:1]
    formulas = tuple(_formulas_on_line(parts, start, end))
    if not around:
        return Line(number, text, formulas=formulas)
    inner = min(around, key=lambda one: one.part.span.end - one.part.span.start)
    if formulas and inner.part.span.start < start:  # a condition on a line of its own
        inner = next(one for one in parts if one.part.counted.start == start + formulas[0].start)
    return Line(number, text, inner.status, inner.examples.all, inner.games.all, formulas)


def _formulas_on_line(parts: Iterable[_PartStatus], start: int, end: int) -> Iterator[Formula]:
    """Yield the formulas that begin on a line."""
    for one in parts:
        span = one.part.counted
        if one.part.sort in ("formula", "term") and start <= span.start < end:
            columns = span.start - start, min(span.end, end) - start
            yield Formula(*columns, one.status, one.examples, one.games)
