"""`hoyle diff`: what changes from one ruleset or setting of options to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.cli import output
from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import write
from hoyle.cli.options import (
    File,
    Named,
    OneOf,
    Setting,
    Settings,
    json_option,
    lang_option,
    set_option,
    with_settings,
)
from hoyle.cli.shell import WIDTH, argument, command, option
from hoyle.printable import printable_lines

if TYPE_CHECKING:
    from hoyle.differences.edition import Edition
    from hoyle.differences.report import Report


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
        raise output.Trouble(t("usage.one_stdin"), code=2)
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
    from hoyle.differences.page import page
    from hoyle.differences.report import data, lines

    if form == "text":
        text = "".join(f"{printable_lines(line)}\n" for line in lines(found, WIDTH))
    else:
        text = page(found) if form == "html" else f"{output.as_json('diff', data(found))}\n"
    write(out or "-", text)
