"""What worked examples and random games come to in a ruleset: each rule, step and formula, and by that each line."""

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
from hoyle.game.examples.rule_parts import Part, parts_of, whole, words_elsewhere
from hoyle.game.game import Game
from hoyle.language.evaluate import settled
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.running.hit_counts import Counts, Stretch, Watch

Status = Literal["examples", "games", "never", "out", "decided", ""]
"""By whom a line is come to: examples; games alone; neither; it is out of reach under these options; the options decide what it is;
nothing is, since nothing there can be come to."""
Tick = Callable[[int], None]
Rule = tuple[str, str]
"""A section, and a name in it."""


class Formula(Struct, frozen=True):
    """A formula that is counted: where it stands in its line (columns from 0; to the end of the line where it goes on), by whom it is come
    to, and how often."""

    start: int
    end: int
    status: Status
    examples: Counts
    games: Counts


class Line(Struct, frozen=True):
    """A line of a ruleset: the innermost rule, step or formula that begins before its text says how often it is come to."""

    number: int
    text: str
    status: Status = ""
    examples: int = 0
    games: int = 0
    formulas: tuple[Formula, ...] = ()


class File(Struct, frozen=True):
    """A file of a ruleset. `examples`: the lines between which its examples stand, which nobody needs to come to."""

    path: str
    lines: list[Line]
    examples: range = range(0)

    def count(self, status: Status) -> int:
        """How many lines are of this status."""
        return sum(line.status == status for line in self.lines)


class Coverage(Struct, frozen=True):
    """The examples, and what they and so many games come to in each file, the ruleset's own file first. `unreached`: rules that no example
    comes to, and steps of the file itself that cite where their rule comes from (their section is `step`); `of_games`: what of that games
    come to."""

    report: Report
    games: int
    files: list[File]
    unreached: tuple[Rule, ...]
    of_games: frozenset[Rule]


class _Counted(Struct):
    """What was come to: formulas and steps by their places, rules by their names."""

    places: dict[Stretch, Counts] = {}
    rules: dict[Rule, int] = {}


def cover(
    game: str | Path,
    values: Mapping[str, Any] | None = None,
    games: int = 0,
    seed: int = 0,
    tick: Tick = lambda more: None,
) -> Coverage:
    """Runs all examples of a ruleset, then so many random games with these options. Raises Refused if the ruleset itself is wrong."""
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
    by_examples = _Counted(_together(watch.found() for watch in watches), report.reached)
    by_games = _played(base, watches[0], games, seed, tick)
    roots = [load(read(file)) for file in reversed(base.merged.files)]
    parts = _judged(roots, base, by_examples, by_games)
    own, *others = [_lines(root, parts) for root in roots]
    steps = {("step", one.part.name): one.status for one in parts if _cites(one, own) and one.status in _UNREACHED}
    reached = {rule for rule, count in by_games.rules.items() if count}
    reached |= {step for step, status in steps.items() if status == "games"}
    shown = [own, *(f for f in others if any(line.status for line in f.lines))]
    return Coverage(report, games, shown, (*report.unreached, *steps), frozenset(reached))


def _together(found: Iterable[Mapping[Stretch, Counts]]) -> dict[Stretch, Counts]:
    joined: dict[Stretch, Counts] = {}
    for counts in found:
        for place, count in counts.items():
            joined.setdefault(place, Counts()).add(count)
    return joined


def _played(base: Game, watch: Watch, games: int, seed: int, tick: Tick) -> _Counted:
    """What random games come to."""
    machine, before, hits = base.machine, watch.found(), base.machine.hits[:]
    for index in range(games):
        machine.playout(seed, index)
        tick(1)
    places = watch.found()
    for place, counts in before.items():
        places[place].add(counts, -1)
    return _Counted(places, {rule: machine.hits[n] - hits[n] for rule, n in machine.counters.items()})


_UNREACHED: tuple[Status, ...] = ("games", "never")


def _cites(one: _Judged, own: File) -> bool:
    """Is it a step of this file that says where its rule comes from?"""
    return one.part.sort == "step" and bool(one.part.name) and one.part.span.source.name == own.path


# ---- what each part is -----------------------------------------------------------------------------------------------


class _Judged(Struct, frozen=True):
    part: Part
    status: Status
    examples: Counts
    games: Counts


class _Ruled(Struct, frozen=True):
    """What the options of the game rule out: rules and phases that are not in force (the others by section and name), and conditions that never hold."""

    in_force: frozenset[Rule]
    dead: tuple[Stretch, ...]

    def is_dead(self, span: Span | None) -> bool:
        """Does this condition never hold?"""
        return span is not None and any(
            name == span.source.name and span.start <= start and end <= span.end for name, start, end in self.dead
        )


def _judged(roots: Iterable[Node], base: Game, examples: _Counted, games: _Counted) -> list[_Judged]:
    """The parts of all files with what is known of each, outer ones before those inside."""
    found: list[_Judged] = []
    ruled, elsewhere = _ruled(base, examples, games), frozenset[str]()
    for root in roots:
        elsewhere |= words_elsewhere(root)
        for part in parts_of(root, base.ruleset):
            by = _counts(part, examples), _counts(part, games)
            is_out = any(one.status == "out" and part.span.lies_in(one.part.span) for one in found)
            status = _status(part, by, examples, ruled)
            found.append(_Judged(part, "out" if is_out and status in _NOWHERE else status, *by))
    return _through_names(found, elsewhere)


_NOWHERE: tuple[Status, ...] = ("never", "")


def _ruled(base: Game, examples: _Counted, games: _Counted) -> _Ruled:
    now = find_reachable(base.ruleset, partial(settled, attributes=base.ruleset.attributes.by_name))
    sections = {"move": now.moves, "obligation": now.obligations, "whenever": now.whenever, "phase": now.phases}
    names = frozenset((section, name) for section, names in sections.items() for name in names)
    places = examples.places.items()
    return _Ruled(
        names, tuple(p for p, c in places if c.known == {False} and not c.all and not games.places.get(p, Counts()).all)
    )


def _counts(part: Part, counted: _Counted) -> Counts:
    if part.rule is not None:
        return Counts(other=counted.rules.get(part.rule, 0))
    return counted.places.get(_stretch(part.counted), Counts())


def _stretch(span: Span) -> Stretch:
    return span.source.name, span.start, span.end


def _status(part: Part, by: tuple[Counts, Counts], examples: _Counted, ruled: _Ruled) -> Status:
    """What is known of a part without what stands around it."""
    if by[0].all or by[1].all:
        return "examples" if by[0].all else "games"
    if part.sort == "phase":
        return "" if ("phase", part.name) in ruled.in_force else "out"
    if part.rule is not None:
        return "never" if part.rule in ruled.in_force else "out"
    if part.sort == "term":
        return "never"
    known = examples.places.get(_stretch(part.counted))
    if known is None or ruled.is_dead(part.when):  # it was not even written, or never applies
        return "out"
    return "decided" if known.known and part.sort == "formula" else "never"


def _through_names(found: list[_Judged], elsewhere: frozenset[str]) -> list[_Judged]:
    """Terms that were written where they are called are come to by what names them. What is named `elsewhere` alone, where nothing is
    counted, is of no status; what nothing names that is in force is out of reach."""
    waiting = {n for n, one in enumerate(found) if one.part.sort == "term" and one.status == "never"}
    for status in _NAMING:
        while True:
            words = _words(found, status, waiting) | (elsewhere if not status else frozenset())
            named = {n for n in waiting if found[n].part.name in words}
            if not named:
                break
            waiting -= named
            for n in named:
                found[n] = replace(found[n], status=status)
    for n in waiting:
        found[n] = replace(found[n], status="out")
    return found


_NAMING: tuple[Status, ...] = ("examples", "games", "decided", "never", "")


def _words(found: Iterable[_Judged], status: Status, but: Container[int]) -> frozenset[str]:
    """What stands in parts of this status."""
    words = (one.part.words for n, one in enumerate(found) if one.status == status and n not in but)
    return frozenset[str]().union(*words)


# ---- lines -----------------------------------------------------------------------------------------------------------


def _lines(root: Node, parts: Iterable[_Judged]) -> File:
    source = root.span.source
    own = [one for one in parts if one.part.span.source.name == source.name]
    found, start = [], 0
    for number, text in enumerate(source.text.split("\n"), 1):
        found.append(_line(number, text, start, own))
        start += len(text) + 1
    return File(source.name, found[:-1] if found and not found[-1].text else found, _examples(root))


def _examples(root: Node) -> range:
    entry = root.pairs.get("examples")
    if entry is None:
        return range(0)
    span = whole(*entry)
    return range(span.line, span.line + span.text.count("\n") + 1)


def _line(number: int, text: str, start: int, parts: list[_Judged]) -> Line:
    said = text.lstrip()
    if not said or said.startswith("#"):
        return Line(number, text)
    place, end = start + len(text) - len(said), start + len(text)
    around = [one for one in parts if one.part.span.start <= place < one.part.span.end]
    around = around or [one for one in parts if place <= one.part.span.start < end][:1]
    formulas = tuple(_formulas(parts, start, end))
    if not around:
        return Line(number, text, formulas=formulas)
    inner = min(around, key=lambda one: one.part.span.end - one.part.span.start)
    if formulas and inner.part.span.start < start:  # a condition on a line of its own
        inner = next(one for one in parts if one.part.counted.start == start + formulas[0].start)
    return Line(number, text, inner.status, inner.examples.all, inner.games.all, formulas)


def _formulas(parts: Iterable[_Judged], start: int, end: int) -> Iterator[Formula]:
    """Those that begin on a line."""
    for one in parts:
        span = one.part.counted
        if one.part.sort in ("formula", "term") and start <= span.start < end:
            columns = span.start - start, min(span.end, end) - start
            yield Formula(*columns, one.status, one.examples, one.games)
