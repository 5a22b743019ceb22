"""`hoyle list`: which games there are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from hoyle import packs
from hoyle.cli.files import write, write_into
from hoyle.cli.options import File, Named, OneOf, Setting, Settings, json_option, lang_option, set_option
from hoyle.cli.output import emit, note, say
from hoyle.cli.rulesets import data_of, open_game, tell_hidden, tell_troubles, where, with_settings
from hoyle.cli.shell import argument, command, option
from hoyle.language.sentences import FALLBACK
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.terminal import WIDTH
from hoyle.printable import printable_lines
from hoyle.reading.tree import text_key
from hoyle.resources import shipped, uncollected

if TYPE_CHECKING:
    from hoyle.differences.edition import Edition
    from hoyle.differences.report import Report
    from hoyle.reading.tree import Node
    from hoyle.rulebook.document import Book


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


@command("diff")
@argument("a", type=Named())
@argument("b", type=Named(), required=False)
@set_option
@option("--set-a", "settings_a", type=Setting(), multiple=True)
@option("--set-b", "settings_b", type=Setting(), multiple=True)
@option("--format", "form", type=OneOf("text", "json", "html"), default="text")
@json_option
@option("--out", type=File())
@option("--exit-code", "exit_code", is_flag=True)
@lang_option
def diff_command(
    a: str,
    b: str | None,
    settings: Settings,
    settings_a: Settings,
    settings_b: Settings,
    form: str,
    as_json: bool,
    out: str | None,
    exit_code: bool,
) -> int:
    from hoyle.differences.report import report

    if a == "-" and b in ("-", None):
        raise UserError(t("usage.one_stdin"), code=2)
    first = _opened(a, (*settings, *settings_a))
    found = report(first, _opened(a if b is None else b, (*settings, *settings_b)), lang())
    _write(found, "json" if as_json else form, out)
    return 1 if exit_code and found.changes else 0


def _opened(name: str, settings: Settings) -> Edition:
    from hoyle.differences.edition import edition

    def opened(game: str, values: dict[str, Any]) -> Edition:
        return edition(game, values)

    return with_settings(opened, name, settings)


def _write(found: Report, form: str, out: str | None) -> None:
    """In this form, into this file if there is one."""
    from hoyle.differences.report import data, lines, page

    if form == "text":
        text = "".join(f"{printable_lines(line)}\n" for line in lines(found, WIDTH))
    else:
        text = page(found) if form == "html" else f"{as_json('diff', data(found))}\n"
    write(out or "-", text)


_FORMS = ("html", "md", "pdf")
_BEGINNING = 600
"""So many bytes of a page say whether it was made here."""


@command("rules")
@argument("game", type=Named(), required=False)
@option("--format", "form", type=OneOf(*_FORMS))
@option("--precise", is_flag=True)
@option("--all", "every", is_flag=True)
@option("--out", "--output", "-o", "output", type=File())
@set_option
@lang_option
def rules_command(
    game: str | None, form: str | None, every: bool, output: str | None, precise: bool, settings: Settings
) -> int:
    if (game is None) != every:
        raise click.UsageError(t("rules.game_or_all"))
    if every and (settings or form not in (None, "html")):
        raise click.UsageError(t("rules.all_is_html"))
    if every:
        return _site(output)
    assert game is not None
    form = form or _form_of(output)
    _write_book(game, settings, form, output or "-", precise)
    return 0


def _form_of(output: str | None) -> str:
    ending = os.path.splitext(output or "")[1][1:].lower()
    return ending if ending in _FORMS else {"htm": "html"}.get(ending, "md")


def _write_book(game: str, settings: Settings, form: str, output: str, precise: bool) -> None:
    from hoyle.rulebook.book import book
    from hoyle.rulebook.writing import Missing, html, markdown, pdf

    if form == "pdf" and output == "-" and sys.stdout.isatty():
        raise UserError(t("file.no_text"), code=2)
    found = book(open_game(game, settings), lang(), pictures=form != "md")
    write_as: Any = {"pdf": pdf, "html": html, "md": markdown}[form]
    try:
        made = write_as(found, precise=precise)
    except Missing:
        raise UserError(t("rules.no_pdf"), code=2) from None
    write(output, made)


# ---- all games -------------------------------------------------------------------------------------------------------


def _site(output: str | None) -> int:
    """A page for each game, and then the one before them all."""
    from hoyle.rulebook.writing import INDEX, file_of, html, index

    if output is None or output == "-":
        raise click.UsageError(t("rules.where"))
    parents = families()
    _only_ours(output, [INDEX, *map(file_of, parents)])
    books = []
    for name in parents:
        found = _book(name)
        write_into(output, file_of(name), html(found, home=INDEX))
        books.append(found)
    write_into(output, INDEX, index(books, parents, lang()))
    note(t("rules.written", count=len(books), place=os.path.join(output, INDEX)))
    return 0


def _book(name: str) -> Book:
    from hoyle.resources import shipped
    from hoyle.rulebook.book import book

    return book(open_game(str(shipped()[name])), lang())


def _only_ours(folder: str, names: list[str]) -> None:
    """Raises UserError if something there was made by somebody else."""
    from hoyle.rulebook.writing import OURS

    for name in names:
        place = Path(folder, name)
        if place.exists() and not (place.is_file() and OURS.encode() in place.read_bytes()[:_BEGINNING]):
            raise UserError(t("file.exists", name=str(place)), code=2)
