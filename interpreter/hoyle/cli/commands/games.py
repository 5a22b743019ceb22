"""`hoyle list`: which games there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle import packs
from hoyle.cli.catalogue import lang, t
from hoyle.cli.found import data_of, tell_hidden, tell_troubles, where
from hoyle.cli.options import json_option, lang_option
from hoyle.cli.output import emit, note, say
from hoyle.cli.shell import command
from hoyle.language.sentences import FALLBACK
from hoyle.reading.tree import text_key
from hoyle.resources import shipped, uncollected

if TYPE_CHECKING:
    from hoyle.reading.tree import Node

Listed = dict[str, Any]
Reader = Callable[[Path], "Node"]


@command("list")
@json_option
@lang_option
def list_command(as_json: bool) -> int:
    every = packs.every()
    with uncollected():
        read = _read_all({name: found[0].path for name, found in every.items()})
    games = [one for one in read if isinstance(one, dict)]
    if as_json:
        emit("list", {"games": [game | data_of(every[game["name"]]) for game in games]})
    else:
        _tell(games, every)
    for one in read:
        if isinstance(one, Unread):
            note(t("list.left_out", name=one.name, why=one.why))
    tell_hidden(every)
    tell_troubles()
    return 0


def names(players: str | None = None) -> list[str]:
    """The shipped games and variants: all, or those whose number of players is said so ("1", "2..4")."""
    games = [game for game in _read_all(shipped()) if isinstance(game, dict)]
    return [game["name"] for game in games if players in (None, game["players"])]


def _tell(games: Sequence[Listed], every: Mapping[str, Sequence[packs.Found]]) -> None:
    names = {game["name"]: _line(game, every[game["name"]][0].place) for game in games}
    children = [(game["extends"], game["name"]) for game in games]
    for parent, name in children:
        if parent not in names or parent == name:
            _list(name, names, children, 0)


def _line(game: Listed, place: packs.Place) -> str:
    count = t("list.players", players=game["players"].replace("..", "–"))
    origin = f"  [{where(place)}]" if place.origin != "shipped" else ""
    return f"{game['title']}  ({count}){origin}"


def families() -> dict[str, str | None]:
    """The shipped games and variants, each with the one that it is a variant of, if that is a game too."""
    found = {game["name"]: game["extends"] for game in _read_all(shipped()) if isinstance(game, dict)}
    return {name: parent if parent in found else None for name, parent in found.items()}


def _list(name: str, names: Mapping[str, str], children: Sequence[tuple[str | None, str]], depth: int) -> None:
    """A game and below it its variants."""
    say(f"{'  ' * depth + name:<26} {names[name]}")
    for parent, variant in children:
        if parent == name and variant != name:
            _list(variant, names, children, depth + 1)


class Unread(Struct, frozen=True):
    """A ruleset whose beginning cannot be read, and why."""

    name: str
    why: str


def _read_all(paths: Mapping[str, Path]) -> list[Listed | Unread]:
    """What `list` tells of rulesets, in the order of their names, without libraries."""
    reader, words = cache(_head), cache(_titled)  # what many are built on is read once
    found = (_read(name, path, reader, words) for name, path in sorted(paths.items()))
    return [one for one in found if one is not None]


def _read(name: str, path: Path, reader: Reader, words: Reader) -> Listed | Unread | None:
    from hoyle.diagnostics import Refused

    try:
        return _summary(name, path, reader, words)
    except Refused as refused:
        return Unread(name, str(refused.diagnostics[0].in_language(lang()).message))


def _summary(name: str, path: Path, reader: Reader, words: Reader) -> Listed | None:
    """What `list` tells of a ruleset; None for a library."""
    from hoyle.reading.merge import merge
    from hoyle.reading.translation import translated

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
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(path), only=("game", "title", "players", "library", "extends", "use"))


def _titled(path: Path) -> Node:
    """The title in a file of words."""
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

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
