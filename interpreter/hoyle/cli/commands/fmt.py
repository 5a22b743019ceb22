"""`hoyle fmt`: how rulesets are written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from hoyle.cli.catalogue import t
from hoyle.cli.commands.checks import files_in
from hoyle.cli.files import write
from hoyle.cli.options import File, lang_option
from hoyle.cli.output import Trouble, diagnose, note, paint, say, show
from hoyle.cli.shell import argument, command, option

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_IS_OURS = re.compile(rb"^(?:ruleset|words)[ \t]*:", re.MULTILINE)
"""What tells a ruleset or its words from other files in YAML that a folder may hold."""


class _Formatted(Struct, frozen=True):
    """A file, what it says, and how that is best written."""

    name: str
    before: str
    after: str

    @property
    def changes(self) -> bool:
        return self.before != self.after


@command("fmt")
@argument("files", type=File(), nargs=-1, required=True)
@option("--check", is_flag=True)
@option("--diff", is_flag=True)
@lang_option
def fmt_command(files: tuple[str, ...], check: bool, diff: bool) -> int:
    if files.count("-") > 1:
        raise Trouble(t("usage.one_stdin"), code=2)
    names = [*dict.fromkeys(name for given in files for name in _named(given))]
    found = [_formatted(name) for name in names]
    some = [one for one in found if one is not None]
    changed = [one for one in some if one.changes]
    for one in some if not (check or diff) else changed:
        _put(one, check, diff)
    if some and files != ("-",):
        key = "would" if check or diff else "done"
        note(t(f"fmt.{key}", changed=len(changed), kept=len(some) - len(changed)))
    return 1 if len(some) < len(found) or (changed and (check or diff)) else 0


def _named(given: str) -> Iterator[str]:
    """The file given; of a folder, its rulesets and their words."""
    names = files_in(given)
    yield from names if names == [given] else filter(_is_ours, names)


def _is_ours(name: str) -> bool:
    """Is it a ruleset, or its words? What cannot be read is told as if it were."""
    from hoyle.reading.sources import MAX_BYTES

    try:
        with open(name, "rb") as file:
            return _IS_OURS.search(file.read(MAX_BYTES)) is not None
    except OSError:
        return True


def _formatted(name: str) -> _Formatted | None:
    """None where it cannot be read, which is told."""
    from hoyle.diagnostics import Refused
    from hoyle.formatting.formatter import formatted
    from hoyle.reading.sources import read

    try:
        source = read(name)
        return _Formatted(name, source.text, formatted(source.text, source.name))
    except Refused as refused:
        diagnose(refused.diagnostics)
        return None


def _put(one: _Formatted, check: bool, diff: bool) -> None:
    shown = "<stdin>" if one.name == "-" else one.name
    if diff:
        for line in _difference(one, shown):
            show(paint(line, _COLOURS[line[0]]) if line[0] in _COLOURS else line)
    elif check:
        say(shown)
    elif one.name == "-":
        say(one.after.rstrip("\n"))
    elif one.changes:
        write(one.name, _as_it_was(one))


def _difference(one: _Formatted, shown: str) -> Iterator[str]:
    lines = difflib.unified_diff(one.before.splitlines(), one.after.splitlines(), shown, shown, lineterm="")
    yield from lines


def _as_it_was(one: _Formatted) -> str:
    """The text with the line ends that the file has, and with its byte order mark."""
    data = Path(one.name).read_bytes()
    text = one.after.replace("\n", "\r\n") if b"\r\n" in data else one.after
    return "\ufeff" * data.startswith(b"\xef\xbb\xbf") + text
