"""From a name or path to a checked ruleset: load, schema, merge, check. Nothing is played here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle import packs
from hoyle.checking.behind import with_what_is_behind
from hoyle.checking.constraints import EXCLUDED
from hoyle.checking.misremembered import with_the_name_meant
from hoyle.checking.reader import without_mark
from hoyle.checking.ruleset import check as check_ruleset
from hoyle.checking.statements import check_sentences
from hoyle.checking.untold import check_told
from hoyle.checking.world import Hearing
from hoyle.diagnostics import Diagnostic, Fix, Problems, Refused, Source, similar
from hoyle.language.model import Ruleset
from hoyle.language.sentences import said
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
from hoyle.resources import language_of, ruleset_of, uncollected


def find(game: str | Path) -> Path:
    """The file that a name means (`packs`), or the path itself; of a file of words the ruleset that it lies beside. Raises Refused."""
    path = Path(game)
    if language_of(path):
        return _translated(path)
    if packs.is_path(str(game)):
        return path
    found = packs.named(str(game))
    if found is not None:
        return found
    if os.path.exists(path):
        return path
    close = similar(str(game), packs.known())
    help = said("similar", close=close) if close else said("list_games")
    raise Refused([Diagnostic("R605", said("no_game", name=game), help=help)])


def joined(path: Path) -> Merged:
    """The tree of a ruleset with what it is built on and all their words, as they are written. Raises Refused."""
    return merge(path, lambda place: load(read(place)), translator=apply_translations)


def _translated(words: Path) -> Path:
    """The ruleset that a file has words of."""
    path = ruleset_of(words)
    if os.path.exists(path):
        return path
    message = said("build.no_ruleset_beside", name=path.name, words=words)
    raise Refused([Diagnostic("R615", message, help=said("build.no_language"))])


T = TypeVar("T")
_MOST_KEPT = 64


class _Read(Struct, frozen=True):
    """A text's tree without what is not as it must be, what is said of that, and what it may explain."""

    tree: Node
    problems: tuple[Diagnostic, ...]
    damage: Damage | None


def loaded(source: Source) -> Node:
    """The tree of a text, whatever its shape, which nobody changes. Raises Refused."""
    return _reading(source).tree


@lru_cache(maxsize=_MOST_KEPT)
def _reading(source: Source) -> Parsed:
    """The text itself is the key, so what is kept cannot be out of date."""
    found = parse_again(source, _READINGS.get(source.name))
    _keep(_READINGS, source.name, found)
    return found


_READINGS: dict[str, Parsed] = {}
"""How a file of this name was read last."""
MOST_PROBLEMS = 1_000
"""A file with more problems is not checked further."""
MOST_EXPLAINED = 100
"""Number of problems of a file whose inherited causes and meant names are searched for. Each search walks the whole tree."""
_SHAPES: dict[str, tuple[Source, ValidParts]] = {}
"""What had the shape it must in the text of this name whose shape was looked at last."""


@lru_cache(maxsize=_MOST_KEPT)
def _read(source: Source) -> _Read:
    """Kept like what is loaded. Raises Refused."""
    problems = Limited()
    node = loaded(source)
    if node.kind == "map" and not {"ruleset", "library"} & {*node.pairs} and {"at", "to_act"} & {*node.pairs}:
        span = next(iter(node.entries()))[1].span
        raise Refused([Diagnostic("R614", said("a_position"), span, help=said("give_position"))])
    shaped = check_shape(node, problems, _still_shaped(_reading(source)))
    _keep(_SHAPES, source.name, (source, shaped))
    if not len(problems):
        return _Read(node, (), None)
    kept, damage = remove_damage(node)
    return _Read(kept, tuple(problems), damage)


def _still_shaped(reading: Parsed) -> ValidParts:
    """What is as it was in the text whose shape was looked at last, and had the shape it must there."""
    source, shaped = _SHAPES.get(reading.source.name, (None, frozenset()))
    return frozenset(one for one in shaped if one[1] in reading.same) if source is reading.since else frozenset()


def forget() -> None:
    """Nothing is kept any more of what was read."""
    _READINGS.clear()
    _SHAPES.clear()
    for kept in (_reading, _read):
        kept.cache_clear()


def _keep(kept: dict[str, T], name: str, value: T) -> None:
    """The last of each name, of so many names as there are texts that are kept."""
    kept.pop(name, None)
    kept[name] = value
    while len(kept) > _MOST_KEPT:
        kept.pop(next(iter(kept)), None)


def ruleset(game: str | Path, values: Mapping[str, Any], root: Node | None = None) -> tuple[Ruleset, Merged]:
    """The checked ruleset with these option values; `root`: the tree to take for the file itself, unchecked. Raises Refused with every problem found."""
    problems = Problems()
    with uncollected():
        found, merged = _checked(find(game), dict(values), problems, root)
    problems.stop_on_errors()
    assert merged is not None
    if found is None:
        raise Refused([_no_game(merged)])
    return found, merged


def library(path: Path) -> Node | None:
    """The merged tree of a library, its formulas read; None for a game. Raises Refused with every problem found."""
    problems = Problems()
    with uncollected():
        own = _read(read(path)).tree
        if own.kind != "map" or own.get("library") is None:
            return None
        _, merged = _checked(path, {}, problems)
    problems.stop_on_errors()
    assert merged is not None
    return merged.root


def _no_game(merged: Merged) -> Diagnostic:
    key, name = merged.root.pairs["library"]
    return Diagnostic("R613", said("a_library", name=name.raw), key.span, help=said("see_library"))


class Limited(Problems):
    """Problems of one file, of which at most MOST_PROBLEMS are told. Raises Refused with all of them where there are more."""

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for found in diagnostics:
            super().extend([found])
            if len(self) > MOST_PROBLEMS:
                raise Refused([*self, Diagnostic("R620", said("too_many_problems", most=MOST_PROBLEMS), found.span)])


class Check(Struct):
    """The check of one ruleset, as far as it came: the ruleset and its tree, None as far as there is none; what is wrong with its files and
    with all of it, and what of that some damage explains."""

    found: Ruleset | None = None
    merged: Merged | None = None
    shape: Problems = field(default_factory=Problems)
    later: Problems = field(default_factory=Limited)
    damages: list[Damage] = []

    def add(self, refused: Refused) -> None:
        """Add what ended the check, however much that is."""
        found, self.later = self.later, Problems()
        self.later.extend([*found, *refused.diagnostics])

    def tell(self, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
        """Adds what is wrong; the ruleset if it is without damage, and its tree."""
        declared = declared_names(self.merged.root) if self.merged is not None and self.damages else frozenset()
        problems.extend(self.shape)
        later = (d for d in self.later if not any(damage.explains(d, declared) for damage in self.damages))
        mended = (replace(d, fixes=tuple(map(_uncut, d.fixes))) if d.fixes else d for d in later)
        if self.merged is not None:
            problems.extend([_in_view_of(self.merged, d) for d in islice(mended, MOST_EXPLAINED)])
        problems.extend(mended)
        return (None if self.damages else self.found), self.merged


def _uncut(fix: Fix) -> Fix:
    try:
        return protect_commas(fix, loaded(fix.span.source))
    except Refused:
        return fix  # of what is no YAML


def _checked(
    path: Path, values: dict[str, Any], problems: Problems, root: Node | None = None
) -> tuple[Ruleset | None, Merged | None]:
    """`root`: the tree to take for the file itself, unchecked. None for the ruleset if it has none, for the tree if there is none."""
    return _check(path, values, root).tell(problems)


def _check(path: Path, values: dict[str, Any], root: Node | None = None, hearing: Hearing | None = None) -> Check:
    check = Check()

    def reader(place: Path) -> Node:
        read_file = _read(read(place))
        check.shape.extend(read_file.problems)
        check.damages.extend([read_file.damage] if read_file.damage is not None else [])
        return read_file.tree

    try:
        check.merged = merge(path, reader, root=root, translator=apply_translations)
        copy_likes(check.merged)
        check.later.extend(check.merged.problems)
        check.found = _judged(check.merged, check.later, values, check.damages, hearing)
    except Refused as refused:
        check.add(refused)
    return check


def _in_view_of(merged: Merged, problem: Diagnostic) -> Diagnostic:
    """What can only be told of a problem where it is known what is inherited."""
    return with_the_name_meant(with_what_is_behind(problem, merged), merged.root)


def _judged(
    merged: Merged, problems: Problems, values: dict[str, Any], damages: list[Damage], hearing: Hearing | None
) -> Ruleset | None:
    """None for a library, and where too little is left to judge more than formulas."""
    if merged.root.get("library") is not None or any(damage.lost for damage in damages):
        _parse_all(merged.root, problems)
        return None
    doubtful = frozenset[str]().union(*(damage.names for damage in damages))
    return check_ruleset(merged, problems, values, doubtful, hearing)


def _parse_all(root: Node, problems: Problems) -> None:
    """Of a library alone no more can be said than whether its formulas can be read, those in its sentences too."""
    for place in formulas(root):
        if place.path[0] == "examples":
            continue  # these are positions and values
        read = {"generator": parse.generator, "signature": parse.signature}.get(place.kind, parse.formula)
        try:
            read(without_mark(place.node) if place.kind == "kind" else place.node)
        except Refused as refused:
            problems.extend(refused.diagnostics)
    check_sentences(root, problems)


def _with_others(path: Path, usual: Ruleset) -> Iterator[Diagnostic]:
    """What forbids the game with another number of players than usual, but for constraints, which say so themselves."""
    for count in usual.may_play:
        own = Problems()
        if count != len(usual.seats):
            _checked(path, {"players": count}, own)
        note = said("build.with_players", count=count)
        if EXCLUDED not in {d.code for d in own.errors}:
            yield from (replace(d, notes=(*d.notes, note)) for d in own.errors)


def heard(path: Path, hearing: Hearing) -> Check:
    """What a file says for itself, each form of which is noted; what only the whole ruleset can tell, `finished` asks. Raises nothing."""
    try:
        with uncollected():
            return _check(find(path), {}, hearing=hearing)
    except Refused as refused:
        check = Check()
        check.add(refused)
        return check


def finished(path: Path, check: Check, hearing: Hearing, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
    """What `checked` tells, of a check that was heard; to be asked once. Raises nothing."""
    try:
        if hearing.rest is not None:
            hearing.rest()
    except Refused as refused:
        check.add(refused)
    return _with_usual(path, *check.tell(problems), problems)


def checked(path: str | Path, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
    """The ruleset and its tree as far as they can be made out; what is wrong with them goes to `problems`. Raises nothing."""
    try:
        return _with_usual(path, *_checked(find(path), {}, problems), problems)
    except Refused as refused:
        problems.extend(refused.diagnostics)
        return None, None


def _with_usual(
    path: str | Path, found: Ruleset | None, merged: Merged | None, problems: Problems
) -> tuple[Ruleset | None, Merged | None]:
    """The same, with what is wrong besides where nothing else is: words that lack, and other numbers of players. Raises Refused."""
    if found is not None and merged is not None and not problems.errors:
        check_told(found, problems, merged)
        problems.extend(_with_others(find(path), found))
    return found, merged
