"""Loads and checks rulesets: find the file, check its shape, merge what it is built on, check the result. Plays nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations, islice, product
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle import packs
from hoyle.checking.formulas.symbols import CheckTrace
from hoyle.checking.inherited_causes import add_inherited_causes, suggest_inherited_name
from hoyle.checking.ruleset import build_ruleset
from hoyle.checking.sections.options import EXCLUDED, PLAYERS, list_options_in
from hoyle.checking.sections.reader import without_question_mark
from hoyle.checking.sections.texts import check_sentences
from hoyle.checking.translations import check_translations
from hoyle.diagnostics import Diagnostic, Fix, Problems, Refused, Source, find_close_name
from hoyle.language.evaluate import walk_all
from hoyle.language.model import Option, Ruleset
from hoyle.language.sentences import make_message
from hoyle.language.value_types import BOOL, get_bounds
from hoyle.reading import parse
from hoyle.reading.damage import Damage, declared_names, remove_damage
from hoyle.reading.incremental import Parsed, parse_again
from hoyle.reading.merge import Merged, copy_likes, merge
from hoyle.reading.shape import ValidParts, formulas
from hoyle.reading.shape_errors import check_shape
from hoyle.reading.sources import read
from hoyle.reading.translation import apply_translations
from hoyle.reading.tree import Node
from hoyle.reading.yaml_errors import protect_commas
from hoyle.reading.yaml_tree import load
from hoyle.resources import language_of, pause_collection, ruleset_of

MOST_PROBLEMS = 1_000
"""A file with more problems is not checked further."""
MOST_EXPLAINED = 100
"""Number of problems of a file whose inherited causes and meant names are searched for. Each search walks the whole tree."""
MOST_TRIES = 40
"""Greatest number of settings that `find_remedy` tries. Each takes some hundredths of a second."""
FEW = 12
"""`find_remedy` tries all values of a range with at most so many, else its ends."""
_MOST_CACHED = 64


# ---- files -----------------------------------------------------------------------------------------------------------


def find_ruleset(game: str | Path) -> Path:
    """Return the file of a ruleset, given its name, its path or the path of one of its files of words. Raises Refused."""
    path = Path(game)
    if language_of(path):
        ruleset = ruleset_of(path)
        if os.path.exists(ruleset):
            return ruleset
        message = make_message("build.no_ruleset_beside", name=ruleset.name, words=path)
        raise Refused([Diagnostic("R615", message, help=make_message("build.no_language"))])
    if packs.is_path(str(game)):
        return path
    named = packs.find(str(game))
    if named is not None:
        return named
    if os.path.exists(path):
        return path
    close = find_close_name(str(game), packs.list_known())
    help = make_message("similar", close=close) if close else make_message("list_games")
    raise Refused([Diagnostic("R605", make_message("no_game", name=game), help=help)])


def merge_files(path: Path) -> Merged:
    """Merge a ruleset with what it is built on and all their words, unchecked. Raises Refused."""
    return merge(path, lambda place: load(read(place)), translator=apply_translations)


def load_tree(source: Source) -> Node:
    """Parse the tree of a text, whatever its shape. It is cached, so nobody may change it. Raises Refused."""
    return _parse_cached(source).tree


T = TypeVar("T")
_READINGS: dict[str, Parsed] = {}
"""The last reading of each file name, which speeds up the next one."""
_SHAPES: dict[str, tuple[Source, ValidParts]] = {}
"""The nodes that had the right shape in the last text of each file name."""


@lru_cache(maxsize=_MOST_CACHED)
def _parse_cached(source: Source) -> Parsed:
    """Parse a text. The key is the text itself, so no entry is ever stale."""
    reading = parse_again(source, _READINGS.get(source.name))
    _remember(_READINGS, source.name, reading)
    return reading


class _ShapedFile(Struct, frozen=True):
    """A tree without its damaged parts, the problems of its shape, and the damage."""

    tree: Node
    problems: tuple[Diagnostic, ...]
    damage: Damage | None


@lru_cache(maxsize=_MOST_CACHED)
def _read_shaped(source: Source) -> _ShapedFile:
    """Parse a text and check its shape. Parts that did not change since the last text of this name are not checked again. Raises Refused."""
    problems = LimitedProblems()
    node = load_tree(source)
    if node.kind == "map" and not {"ruleset", "library"} & {*node.pairs} and {"at", "to_act"} & {*node.pairs}:
        span = next(iter(node.entries()))[1].span
        raise Refused([Diagnostic("R614", make_message("a_position"), span, help=make_message("give_position"))])
    reading, (last, shaped) = _parse_cached(source), _SHAPES.get(source.name, (None, frozenset()))
    unchanged = frozenset(part for part in shaped if part[1] in reading.same) if last is reading.since else frozenset()
    _remember(_SHAPES, source.name, (source, check_shape(node, problems, unchanged)))
    if not len(problems):
        return _ShapedFile(node, (), None)
    kept, damage = remove_damage(node)
    return _ShapedFile(kept, tuple(problems), damage)


def clear_caches() -> None:
    _READINGS.clear()
    _SHAPES.clear()
    _parse_cached.cache_clear()
    _read_shaped.cache_clear()


def _remember(cache: dict[str, T], name: str, value: T) -> None:
    """Store the latest value of a name, and drop the oldest names."""
    cache.pop(name, None)
    cache[name] = value
    while len(cache) > _MOST_CACHED:
        cache.pop(next(iter(cache)), None)


# ---- checking --------------------------------------------------------------------------------------------------------


class LimitedProblems(Problems):
    """Problems of one file. Raises Refused with all of them when there are more than MOST_PROBLEMS."""

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            super().extend([diagnostic])
            if len(self) > MOST_PROBLEMS:
                message = make_message("too_many_problems", most=MOST_PROBLEMS)
                raise Refused([*self, Diagnostic("R620", message, diagnostic.span)])


class CheckRun(Struct):
    """The state of one check, which may have stopped early.

    ruleset         the checked ruleset, if there is one
    merged          the merged tree, if there is one
    shape_problems  problems of single files
    problems        problems of the whole; those that damage explains are dropped in the report
    damages         the damaged parts of the files
    """

    ruleset: Ruleset | None = None
    merged: Merged | None = None
    shape_problems: Problems = field(default_factory=Problems)
    problems: Problems = field(default_factory=LimitedProblems)
    damages: list[Damage] = []

    def stop(self, refused: Refused) -> None:
        """Add the problems that ended the check, beyond the limit, too."""
        before, self.problems = self.problems, Problems()
        self.problems.extend([*before, *refused.diagnostics])

    def report(self, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
        """Add all problems to the list. Return the ruleset if it is undamaged, and its tree."""
        merged = self.merged
        declared = declared_names(merged.root) if merged is not None and self.damages else frozenset()
        problems.extend(self.shape_problems)
        unexplained = (d for d in self.problems if not any(damage.explains(d, declared) for damage in self.damages))
        repaired = (replace(d, fixes=tuple(map(_repair_fix, d.fixes))) if d.fixes else d for d in unexplained)
        if merged is not None:
            first = islice(repaired, MOST_EXPLAINED)
            problems.extend([suggest_inherited_name(add_inherited_causes(d, merged), merged.root) for d in first])
        problems.extend(repaired)
        return (None if self.damages else self.ruleset), merged


def _repair_fix(fix: Fix) -> Fix:
    try:
        return protect_commas(fix, load_tree(fix.span.source))
    except Refused:
        return fix  # the text is no YAML


def _run_check(
    path: Path, values: dict[str, Any], root: Node | None = None, trace: CheckTrace | None = None
) -> CheckRun:
    """Check a file. `root`: replaces the tree of the file itself, unchecked."""
    run = CheckRun()

    def read_file(place: Path) -> Node:
        file = _read_shaped(read(place))
        run.shape_problems.extend(file.problems)
        run.damages.extend([file.damage] if file.damage is not None else [])
        return file.tree

    try:
        merged = run.merged = merge(path, read_file, root=root, translator=apply_translations)
        copy_likes(merged)
        run.problems.extend(merged.problems)
        if merged.root.get("library") is not None or any(damage.lost for damage in run.damages):
            _check_formulas(merged.root, run.problems)
        else:
            doubtful = frozenset[str]().union(*(damage.names for damage in run.damages))
            run.ruleset = build_ruleset(merged, run.problems, values, doubtful, trace)
    except Refused as refused:
        run.stop(refused)
    return run


def _check_formulas(root: Node, problems: Problems) -> None:
    """Parse the formulas of a library or a badly damaged file, of which no more can be checked."""
    for place in formulas(root):
        if place.path[0] != "examples":  # these have positions and values
            read = {"generator": parse.generator, "signature": parse.signature}.get(place.kind, parse.formula)
            try:
                read(without_question_mark(place.node) if place.kind == "kind" else place.node)
            except Refused as refused:
                problems.extend(refused.diagnostics)
    check_sentences(root, problems)


def load_ruleset(game: str | Path, values: Mapping[str, Any], root: Node | None = None) -> tuple[Ruleset, Merged]:
    """Load and check a ruleset with these option values.

    root: replaces the tree of the file itself, unchecked

    Raises Refused with all problems if one is an error.
    """
    problems = Problems()
    with pause_collection():
        ruleset, merged = _run_check(find_ruleset(game), dict(values), root).report(problems)
    problems.stop_on_errors()
    assert merged is not None
    if ruleset is None:
        key, name = merged.root.pairs["library"]
        raise Refused(
            [Diagnostic("R613", make_message("a_library", name=name.raw), key.span, help=make_message("see_library"))]
        )
    return ruleset, merged


def load_library(path: Path) -> Node | None:
    """Load the merged tree of a library and parse its formulas; None for a game. Raises Refused with every problem found."""
    problems = Problems()
    with pause_collection():
        own = _read_shaped(read(path)).tree
        if own.kind != "map" or own.get("library") is None:
            return None
        _, merged = _run_check(path, {}).report(problems)
    problems.stop_on_errors()
    assert merged is not None
    return merged.root


def check_file(path: str | Path, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
    """Check a file as far as possible and collect its problems. Returns the ruleset and tree that there are. Raises nothing."""
    try:
        return _complete(path, _run_check(find_ruleset(path), {}), problems)
    except Refused as refused:
        problems.extend(refused.diagnostics)
        return None, None


def start_check(path: Path, trace: CheckTrace) -> CheckRun:
    """Check a file up to the global checks, which `finish_check` runs, and trace every form. Raises nothing."""
    try:
        with pause_collection():
            return _run_check(find_ruleset(path), {}, trace=trace)
    except Refused as refused:
        run = CheckRun()
        run.stop(refused)
        return run


def finish_check(
    path: Path, check: CheckRun, trace: CheckTrace, problems: Problems
) -> tuple[Ruleset | None, Merged | None]:
    """Finish a started check, once, with the result of `check_file`. Raises nothing."""
    try:
        if trace.rest is not None:
            trace.rest()
    except Refused as refused:
        check.stop(refused)
    return _complete(path, check, problems)


def _complete(path: str | Path, run: CheckRun, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
    """Report a check. Without errors, also check translations and other numbers of players. Raises Refused."""
    ruleset, merged = run.report(problems)
    if ruleset is not None and merged is not None and not problems.errors:
        check_translations(ruleset, problems, merged)
        problems.extend(_check_player_counts(find_ruleset(path), ruleset))
    return ruleset, merged


def _check_player_counts(path: Path, usual: Ruleset) -> Iterator[Diagnostic]:
    """Yield the errors of other numbers of players, except those that a constraint excludes."""
    for count in usual.may_play:
        problems = Problems()
        if count != len(usual.seats):
            _run_check(path, {PLAYERS: count}).report(problems)
        errors, note = problems.errors, make_message("build.with_players", count=count)
        if EXCLUDED not in {d.code for d in errors}:
            yield from (replace(d, notes=(*d.notes, note)) for d in errors)


# ---- remedies for excluded options -----------------------------------------------------------------------------------


def find_remedy(game: str, values: Mapping[str, Any], refused: Refused) -> dict[str, Any]:
    """Find the fewest other options with which excluded values are allowed; none if a short search finds none."""
    base, _ = load_ruleset(game, {})
    places = {d.span for d in refused.diagnostics if d.code == EXCLUDED}
    broken = [c.expr for c in base.constraints.values() if c.span in places]
    named = list_options_in([part for expr in broken for part in walk_all(expr)]) - values.keys()
    free = {name: _list_other_values(option) for name, option in base.options.items() if name in named}
    if PLAYERS in named:
        free[PLAYERS] = [count for count in base.may_play if count != len(base.seats)]
    groups = chain(combinations(free, 1), combinations(free, 2))
    changes = (dict(zip(names, row, strict=True)) for names in groups for row in product(*(free[n] for n in names)))
    return next((change for change in islice(changes, MOST_TRIES) if _is_allowed(game, {**values, **change})), {})


def _list_other_values(option: Option) -> list[Any]:
    """List values of an option besides its default, those next to the default first."""
    default = int(option.default)
    if option.choices:
        return [choice for number, choice in enumerate(option.choices) if number != default]
    if option.type == BOOL:
        return [not option.default]
    low, high = get_bounds(option.type)
    numbers = range(low, high + 1) if high - low < FEW else (low, high)
    return sorted((n for n in numbers if n != default), key=lambda n: abs(n - default))


def _is_allowed(game: str, values: Mapping[str, Any]) -> bool:
    try:
        load_ruleset(game, values)
    except Refused:
        return False
    return True
