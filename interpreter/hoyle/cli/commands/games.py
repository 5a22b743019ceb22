"""`hoyle list`, `diff` and `rules`: the games, their differences, and their rulebooks."""

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
from hoyle.cli.options import FileName, OneOf, RulesetName, Setting, Settings, json_option, lang_option, set_option
from hoyle.cli.output import emit, note, say
from hoyle.cli.rulesets import (
    describe_origin,
    describe_place,
    load_for_comparison,
    note_hidden,
    note_troubles,
    open_game,
)
from hoyle.cli.shell import argument, command, option
from hoyle.language.sentences import FALLBACK
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.terminal import WIDTH
from hoyle.printable import printable_lines
from hoyle.reading.tree import text_key
from hoyle.resources import pause_collection, shipped

if TYPE_CHECKING:
    from hoyle.differences.report import Report
    from hoyle.reading.tree import Node
    from hoyle.rulebook.document import Book


Listed = dict[str, Any]
Reader = Callable[[Path], "Node"]


@command("list")
@json_option
@lang_option
def list_command(as_json: bool) -> int:
    every = packs.list_all()
    with pause_collection():
        read = _summarise_all({name: found[0].path for name, found in every.items()})
    games = [one for one in read if isinstance(one, dict)]
    if as_json:
        emit("list", {"games": [game | describe_origin(every[game["name"]]) for game in games]})
    else:
        _print_games(games, every)
    for one in read:
        if isinstance(one, UnreadableRuleset):
            note(t("list.left_out", name=one.name, why=one.why))
    note_hidden(every)
    note_troubles()
    return 0


def list_names(players: str | None = None) -> list[str]:
    """Return the shipped games, or those with this entry for players ("1", "2..4")."""
    games = [game for game in _summarise_all(shipped()) if isinstance(game, dict)]
    return [game["name"] for game in games if players in (None, game["players"])]


def _print_games(games: Sequence[Listed], every: Mapping[str, Sequence[packs.Found]]) -> None:
    names = {game["name"]: _format_game(game, every[game["name"]][0].place) for game in games}
    children = [(game["extends"], game["name"]) for game in games]
    for parent, name in children:
        if parent not in names or parent == name:
            _print_family(name, names, children, 0)


def _format_game(game: Listed, place: packs.Place) -> str:
    count = t("list.players", players=game["players"].replace("..", "–"))
    origin = f"  [{describe_place(place)}]" if place.origin != "shipped" else ""
    return f"{game['title']}  ({count}){origin}"


def list_families() -> dict[str, str | None]:
    """Map each shipped game to the game that it is a variant of, or None."""
    found = {game["name"]: game["extends"] for game in _summarise_all(shipped()) if isinstance(game, dict)}
    return {name: parent if parent in found else None for name, parent in found.items()}


def _print_family(name: str, names: Mapping[str, str], children: Sequence[tuple[str | None, str]], depth: int) -> None:
    """Print a game and its variants below it."""
    say(f"{'  ' * depth + name:<26} {names[name]}")
    for parent, variant in children:
        if parent == name and variant != name:
            _print_family(variant, names, children, depth + 1)


class UnreadableRuleset(Struct, frozen=True):
    """A ruleset whose beginning cannot be read, and why."""

    name: str
    why: str


def _summarise_all(paths: Mapping[str, Path]) -> list[Listed | UnreadableRuleset]:
    """Return summaries in the order of names, without libraries."""
    reader, words = cache(_load_head), cache(_load_titles)  # what many are built on is read once
    found = (_try_summary(name, path, reader, words) for name, path in sorted(paths.items()))
    return [one for one in found if one is not None]


def _try_summary(name: str, path: Path, reader: Reader, words: Reader) -> Listed | UnreadableRuleset | None:
    from hoyle.diagnostics import Refused

    try:
        return _summarise(name, path, reader, words)
    except Refused as refused:
        return UnreadableRuleset(name, str(refused.diagnostics[0].in_language(lang()).message))


def _summarise(name: str, path: Path, reader: Reader, words: Reader) -> Listed | None:
    """Return a summary; None for a library."""
    from hoyle.reading.merge import merge
    from hoyle.reading.translation import apply_translations

    own = reader(path)
    if own.get("library") is not None:
        return None
    root = merge(path, reader, root=own, translator=partial(apply_translations, reader=words)).root
    extends = own.get("extends")
    return {
        "name": name,
        "title": _translate(root.get("title"), name),
        "players": _get_raw(root.get("players"), "count"),
        "extends": extends.raw if extends is not None else None,
    }


def _load_head(path: Path) -> Node:
    """Load only the sections that `list` needs, and those that name parents."""
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(path), only=("game", "title", "players", "library", "extends", "use"))


def _load_titles(path: Path) -> Node:
    """Load only the title of a translation file."""
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(path), only=("words", "game", "library", "title"))


def _translate(node: Node | None, name: str) -> str:
    if node is None:
        return name
    if node.kind == "scalar":
        return node.raw
    return _get_raw(node, text_key(lang())) or _get_raw(node, FALLBACK) or name


def _get_raw(node: Node | None, key: str) -> str:
    found = node.get(key) if node is not None and node.kind == "map" else None
    return found.raw if found is not None else ""


@command("diff")
@argument("a", type=RulesetName())
@argument("b", type=RulesetName(), required=False)
@set_option
@option("--set-a", "settings_a", type=Setting(), multiple=True)
@option("--set-b", "settings_b", type=Setting(), multiple=True)
@option("--format", "form", type=OneOf("text", "json", "html"), default="text")
@json_option
@option("--out", type=FileName())
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
    first = load_for_comparison(a, (*settings, *settings_a))
    found = report(first, load_for_comparison(a if b is None else b, (*settings, *settings_b)), lang())
    _write_differences(found, "json" if as_json else form, out)
    return 1 if exit_code and found.changes else 0


def _write_differences(report: Report, form: str, out: str | None) -> None:
    from hoyle.differences.report import data, lines, page

    if form == "text":
        text = "".join(f"{printable_lines(line)}\n" for line in lines(report, WIDTH))
    else:
        text = page(report) if form == "html" else f"{as_json('diff', data(report))}\n"
    write(out or "-", text)


_FORMS = ("html", "md", "pdf")
_BEGINNING = 600
"""Bytes of a page that contain the mark of our own pages."""


@command("rules")
@argument("game", type=RulesetName(), required=False)
@option("--format", "form", type=OneOf(*_FORMS))
@option("--precise", is_flag=True)
@option("--all", "every", is_flag=True)
@option("--out", "--output", "-o", "output", type=FileName())
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
        return _write_site(output)
    assert game is not None
    form = form or _find_form(output)
    _write_book(game, settings, form, output or "-", precise)
    return 0


def _find_form(output: str | None) -> str:
    ending = os.path.splitext(output or "")[1][1:].lower()
    return ending if ending in _FORMS else {"htm": "html"}.get(ending, "md")


def _write_book(game: str, settings: Settings, form: str, output: str, precise: bool) -> None:
    """"""
    from hoyle.rulebook.book import build_book
    from hoyle.rulebook.formats import Missing, render_html, render_markdown, render_pdf

    if form == "pdf" and output == "-" and sys.stdout.isatty():
        raise UserError(t("file.no_text"), code=2)
    found = build_book(open_game(game, settings), lang(), pictures=form != "md")
    write_as: Any = {"pdf": render_pdf, "html": render_html, "md": render_markdown}[form]
    try:
        made = write_as(found, precise=precise)
    except Missing:
        raise UserError(t("rules.no_pdf"), code=2) from None
    write(output, made)


# ---- all games -------------------------------------------------------------------------------------------------------


def _write_site(output: str | None) -> int:
    """Write a page for each game, then the index."""
    from hoyle.rulebook.formats import INDEX, name_file, render_html, render_index

    if output is None or output == "-":
        raise click.UsageError(t("rules.where"))
    parents = list_families()
    _check_replaceable(output, [INDEX, *map(name_file, parents)])
    books = []
    for name in parents:
        found = _make_book(name)
        write_into(output, name_file(name), render_html(found, home=INDEX))
        books.append(found)
    write_into(output, INDEX, render_index(books, parents, lang()))
    note(t("rules.written", count=len(books), place=os.path.join(output, INDEX)))
    return 0


def _make_book(name: str) -> Book:
    from hoyle.resources import shipped
    from hoyle.rulebook.book import build_book

    return build_book(open_game(str(shipped()[name])), lang())


def _check_replaceable(folder: str, names: list[str]) -> None:
    """Raise UserError if a file is not one of our own pages."""
    from hoyle.rulebook.formats import GENERATED_MARK

    for name in names:
        place = Path(folder, name)
        if place.exists() and not (place.is_file() and GENERATED_MARK.encode() in place.read_bytes()[:_BEGINNING]):
            raise UserError(t("file.exists", name=str(place)), code=2)
