"""`hoyle rules`: the rules of a game as a book, or those of all as a site."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import write, write_into
from hoyle.cli.options import File, Named, OneOf, Settings, lang_option, open_game, set_option
from hoyle.cli.output import Trouble, note
from hoyle.cli.shell import argument, command, option

if TYPE_CHECKING:
    from hoyle.rulebook.document import Book

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
    _write(game, settings, form, output or "-", precise)
    return 0


def _form_of(output: str | None) -> str:
    ending = os.path.splitext(output or "")[1][1:].lower()
    return ending if ending in _FORMS else {"htm": "html"}.get(ending, "md")


def _write(game: str, settings: Settings, form: str, output: str, precise: bool) -> None:
    from hoyle.rulebook.book import book
    from hoyle.rulebook.writing import Missing, html, markdown, pdf

    if form == "pdf" and output == "-" and sys.stdout.isatty():
        raise Trouble(t("file.no_text"), code=2)
    found = book(open_game(game, settings), lang(), pictures=form != "md")
    write_as: Any = {"pdf": pdf, "html": html, "md": markdown}[form]
    try:
        made = write_as(found, precise=precise)
    except Missing:
        raise Trouble(t("rules.no_pdf"), code=2) from None
    write(output, made)


# ---- all games -------------------------------------------------------------------------------------------------------


def _site(output: str | None) -> int:
    """A page for each game, and then the one before them all."""
    from hoyle.cli.commands.games import families
    from hoyle.rulebook.site import INDEX, file_of, index
    from hoyle.rulebook.writing import html

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
    """Raises Trouble if something there was made by somebody else."""
    from hoyle.rulebook.site import OURS

    for name in names:
        place = Path(folder, name)
        if place.exists() and not (place.is_file() and OURS.encode() in place.read_bytes()[:_BEGINNING]):
            raise Trouble(t("file.exists", name=str(place)), code=2)
