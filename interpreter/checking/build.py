"""From a name or path to a checked ruleset: load, schema, merge, check. Nothing is played here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter.checking.ruleset import check as check_ruleset
from interpreter.diagnostics import Diagnostic, Problems, Refused, Source, similar
from interpreter.language.model import Ruleset
from interpreter.reading import parse
from interpreter.reading.merge import Merged, copy_likes, merge
from interpreter.reading.schema import check_shape
from interpreter.reading.shape import formulas
from interpreter.reading.tree import Node
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import ENDINGS, shipped, uncollected


def find(game: str | Path) -> Path:
    """The file of a shipped name, or the path itself. Raises Refused."""
    known = shipped()
    if str(game) in known:
        return known[str(game)]
    path = Path(game)
    if path.suffix in ENDINGS or os.path.exists(path) or "/" in str(game) or str(game) == "-":
        return path
    close = similar(str(game), known)
    raise Refused(
        [
            Diagnostic(
                "R605",
                f"there is no game `{game}`",
                help=f"a similar name exists: `{close}`"
                if close
                else "`hoyle list` shows the games; a path ends in `.yaml`",
            )
        ]
    )


def tree(path: Path, problems: Problems, root: Node | None = None) -> Merged:
    """The merged tree of a file and everything it is built on, each file's shape checked; `root`: the tree to take for the file
    itself, unchecked. Raises Refused."""

    def reader(place: Path) -> Node:
        node, found = _tree_of(read(place))
        problems.extend(found)
        return node

    merged = merge(path, reader, root=root)
    copy_likes(merged)
    problems.extend(merged.problems)
    return merged


@lru_cache(maxsize=64)
def _tree_of(source: Source) -> tuple[Node, tuple[Diagnostic, ...]]:
    """A text's tree, and what is wrong with its shape. The text itself is the key, so what is kept cannot be out of date. Raises Refused."""
    problems = Problems()
    node = load(source)
    check_shape(node, problems)
    return node, tuple(problems)


def ruleset(game: str | Path, values: Mapping[str, Any], root: Node | None = None) -> tuple[Ruleset, Merged]:
    """The checked ruleset with these option values; `root` as in `tree`. Raises Refused with every problem found."""
    problems = Problems()
    with uncollected():
        found, merged = _checked(find(game), dict(values), problems, root)
    problems.stop_on_errors()
    assert merged is not None
    if found is None:
        raise Refused([_no_game(merged)])
    return found, merged


def _no_game(merged: Merged) -> Diagnostic:
    key, name = merged.root.pairs["library"]
    help = "`hoyle list` shows the games; `hoyle validate` checks libraries too"
    return Diagnostic("R613", f"`{name.raw}` is a library: games use it, and it is none", key.span, help=help)


def _checked(
    path: Path, values: dict[str, Any], problems: Problems, root: Node | None = None
) -> tuple[Ruleset | None, Merged | None]:
    try:
        merged = tree(path, problems, root)
    except Refused as refused:
        problems.extend(refused.diagnostics)
        return None, None
    if problems.errors:
        return None, merged
    if merged.root.get("library") is not None:
        _parse_all(merged.root, problems)
        return None, merged
    return check_ruleset(merged, problems, values), merged


def _parse_all(root: Node, problems: Problems) -> None:
    """Of a library alone no more can be said than whether its formulas can be read."""
    for place in formulas(root):
        read = {"generator": parse.generator, "signature": parse.signature}.get(place.kind, parse.formula)
        try:
            read(place.node)
        except Refused as refused:
            problems.extend(refused.diagnostics)


def checked(path: str | Path, problems: Problems) -> tuple[Ruleset | None, Merged | None]:
    """The ruleset and its tree as far as they can be made out; what is wrong with them goes to `problems`. Raises nothing."""
    try:
        return _checked(find(path), {}, problems)
    except Refused as refused:
        problems.extend(refused.diagnostics)
        return None, None
