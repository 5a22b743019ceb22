"""`hoyle list`: which games there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.catalogue import lang, t
from interpreter.cli.options import json_option, lang_option
from interpreter.cli.output import emit, say
from interpreter.cli.shell import command
from interpreter.language.sentences import FALLBACK
from interpreter.reading.tree import text_key
from interpreter.resources import uncollected

if TYPE_CHECKING:
    from interpreter.reading.tree import Node


@command("list")
@json_option
@lang_option
def list_command(as_json: bool) -> int:
    with uncollected():
        games = list(_shipped())
    if as_json:
        emit("list", {"games": games})
        return 0
    counts = {game["name"]: t("list.players", players=game["players"].replace("..", "–")) for game in games}
    names = {game["name"]: f"{game['title']}  ({counts[game['name']]})" for game in games}
    children = [(game["extends"], game["name"]) for game in games]
    for parent, name in children:
        if parent not in names:
            _list(name, names, children, 0)
    return 0


def names(players: str | None = None) -> list[str]:
    """The shipped games and variants: all, or those whose number of players is said so ("1", "2..4")."""
    return [game["name"] for game in _shipped() if players in (None, game["players"])]


def _list(name: str, names: Mapping[str, str], children: Sequence[tuple[str | None, str]], depth: int) -> None:
    """A game and below it its variants."""
    say(f"{'  ' * depth + name:<26} {names[name]}")
    for parent, variant in children:
        if parent == name:
            _list(variant, names, children, depth + 1)


def _shipped() -> Iterable[dict[str, Any]]:
    from interpreter.diagnostics import Refused
    from interpreter.resources import shipped

    reader, words = cache(_head), cache(_titled)  # what many are built on is read once
    for name, path in sorted(shipped().items()):
        try:
            found = _summary(name, path, reader, words)
        except Refused as refused:
            found = {"name": name, "title": str(refused), "players": "?", "extends": None}
        if found:
            yield found


def _summary(
    name: str, path: Path, reader: Callable[[Path], Node], words: Callable[[Path], Node]
) -> dict[str, Any] | None:
    """What `list` tells of a ruleset; None for a library."""
    from interpreter.reading.merge import merge
    from interpreter.reading.translation import translated

    own = reader(path)
    if own.get("library") is not None:
        return None
    root = merge(path, reader, root=own, translator=partial(translated, reader=words)).root
    extends = own.get("extends")
    return {
        "name": name,
        "title": _words(root.get("title"), name),
        "players": _raw(root.get("players"), "count"),
        "extends": extends.raw if extends is not None else None,
    }


def _head(path: Path) -> Node:
    """The sections of a file that `list` looks at, and those that say what it is built on."""
    from interpreter.reading.yaml_tree import load, read

    return load(read(path), only=("game", "title", "players", "library", "extends", "use"))


def _titled(path: Path) -> Node:
    """The title in a file of words."""
    from interpreter.reading.yaml_tree import load, read

    return load(read(path), only=("words", "game", "library", "title"))


def _words(node: Node | None, name: str) -> str:
    if node is None:
        return name
    if node.kind == "scalar":
        return node.raw
    return _raw(node, text_key(lang())) or _raw(node, FALLBACK) or name


def _raw(node: Node | None, key: str) -> str:
    found = node.get(key) if node is not None and node.kind == "map" else None
    return found.raw if found is not None else ""
