"""`hoyle validate`, `explain` and `fmt`: check rulesets, explain diagnostics, format files."""

from __future__ import annotations

import difflib
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli.files import write
from hoyle.cli.options import FileName, OneOf, RulesetName, json_option, lang_option
from hoyle.cli.output import clear_screen, complain, diagnose, emit, flush, has_lost_reader, note, paint, say, show
from hoyle.cli.rulesets import note_origin, note_shadowed_files
from hoyle.cli.shell import argument, command, option
from hoyle.diagnostics import localize
from hoyle.language.sentences import make_message
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.terminal import has_colours
from hoyle.resources import ENDINGS, language_of, name_below, ruleset_of

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
    from hoyle.reporting.report import Code


MOST_FILES = 20_000
"""Files and folders that a searched folder may hold."""


@command("validate")
@argument("files", type=RulesetName(), nargs=-1, required=True)
@option("--format", "form", type=OneOf("text", "json", "sarif", "github"), default="text")
@option("--watch", is_flag=True)
@lang_option
def validate_command(files: tuple[str, ...], form: str, watch: bool) -> int:
    if files.count("-") > 1:
        raise UserError(t("usage.one_stdin"), code=2)
    if watch:
        return _watch_files(files, form)
    return 1 if any(d.severity == "error" for d in _validate(files, form)) else 0


def _validate(files: Sequence[str], form: str) -> list[Diagnostic]:
    """Validate, print the result, and return the diagnostics."""
    from hoyle.game.examples.static_checks import validate

    paths = list_rulesets(files)
    found = validate(paths)
    _print_diagnostics(found, form)
    for name in files:
        note_origin(name)
    note_shadowed_files(paths)
    if not found and form == "text":
        note(t("validate.clean", files=len(paths)))
    return found


def _watch_files(files: Sequence[str], form: str) -> int:
    """Validate again after each change, until interrupted."""

    if "-" in files:
        raise UserError(t("usage.no_watch"), code=2)
    list_rulesets(files)  # a folder without rulesets is told at once
    behind = Dependencies()

    def look() -> None:
        try:
            found = _validate(files, form)
        except UserError as trouble:  # what was there has gone
            complain(str(trouble))
            return
        if form == "text":
            errors = sum(d.severity == "error" for d in found)
            key = "found" if found else "watching"
            note(t(f"watch.{key}", time=_format_time(), errors=errors, warnings=len(found) - errors))

    watch(look, lambda: behind.find(_list_watched(files)))
    return 0


def _format_time() -> str:
    import time

    return time.strftime("%H:%M:%S")


def _list_watched(files: Sequence[str]) -> list[Path]:
    """Return the current files and the given folders, which change when files come or go."""
    from hoyle.checking.build import find_ruleset
    from hoyle.diagnostics import Refused

    try:
        names = list_rulesets(files)
    except UserError:
        names = []
    paths = [Path(name) for name in files if os.path.isdir(name)]
    for name in names:
        try:
            paths.append(find_ruleset(name))
        except Refused:
            paths.append(Path(name))
    return paths


def list_rulesets(files: Sequence[str]) -> list[str]:
    """Return the given files and the rulesets in given folders."""
    return list(dict.fromkeys(_find_ruleset(path) for name in files for path in list_files(name)))


def _find_ruleset(path: str) -> str:
    """Return the ruleset of a translation file."""
    ruleset = ruleset_of(Path(path))
    return str(ruleset) if language_of(Path(path)) and ruleset.exists() else path


def list_files(name: str) -> list[str]:
    """Return the file itself, or the rulesets in a folder. Raises UserError if there are none."""
    if name == "-" or not os.path.isdir(name):
        return [name]
    found = sorted(path for path in _walk(name) if path.endswith(ENDINGS) and name_below(Path(path), Path(name)))
    if not found:
        raise UserError(t("validate.no_rulesets", name=name))
    return found


def _walk(folder: str) -> Iterator[str]:
    """Yield the visible files below a folder. Raises UserError beyond `MOST_FILES`."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        names = [name for name in names if not name.startswith(".")]
        seen += len(folders) + len(names)
        if seen > MOST_FILES:
            raise UserError(t("validate.too_many", name=folder, most=MOST_FILES))
        yield from (os.path.join(place, name) for name in names)


def _print_diagnostics(diagnostics: Sequence[Diagnostic], form: str) -> None:
    from hoyle.reporting import report

    told = (
        [d.in_language(lang()) for d in diagnostics] if form != "sarif" else diagnostics
    )  # its rules are told in English
    text = report.as_text(told, colour=has_colours()) if form == "text" else report.FORMATS[form](told)
    if text:
        show(text.rstrip("\n"))


@command("explain")
@argument("code", required=False)
@json_option
@lang_option
def explain_command(code: str | None, as_json: bool) -> int:
    from hoyle.reporting import report

    if code is None:
        return _list_codes(report.list_codes(lang()), as_json)
    try:
        found = report.find_code(code, lang())
    except KeyError:
        raise UserError(_explain_unknown_code(code, [c.code for c in report.list_codes()])) from None
    if as_json:
        emit("code", _make_code_data(found))
    else:
        say(_format_code(found))
    return 0


def _explain_unknown_code(given: str, known: Sequence[str]) -> str:
    from hoyle.diagnostics import find_close_name

    close = find_close_name(given, known)
    return t("explain.unknown", code=given[:80]) + (" " + t("usage.meant", names=f"`{close}`") if close else "")


def _list_codes(codes: Sequence[Code], as_json: bool) -> int:
    if as_json:
        emit("codes", {"codes": [_make_code_data(code) for code in codes]})
    else:
        say("\n".join(f"{code.code}  {code.title}" for code in codes))
    return 0


def _make_code_data(code: Code) -> dict[str, Any]:
    names = ("code", "severity", "title", "explanation", "wrong", "right")
    return {name: getattr(code, name) for name in names}


def _format_code(code: Code) -> str:
    import textwrap

    head = t("explain.head", code=code.code, severity=localize(make_message(code.severity), lang()), title=code.title)
    parts = [head, textwrap.fill(code.explanation, 80)]
    for key in ("wrong", "right"):
        example = getattr(code, key)
        if example:
            parts.append(f"{t(f'explain.{key}')}\n\n{textwrap.indent(example.rstrip(), '    ')}")
    return "\n\n".join(parts)


PAUSE = 0.25
"""Seconds between looks, and at least four times as long as a look takes."""
_SETTLED = 0.05
Stamps = dict[Path, tuple[int, int, int] | None]


def watch(look: Callable[[], object], files: Callable[[], Iterable[Path]]) -> None:
    """Call `look` now and after each change of the files, until Ctrl-C or the reader of the output leaves."""
    before: Stamps | None = None
    while not has_lost_reader():
        began = time.monotonic()
        now = _stamp_all(files())
        if now != before:
            before = _wait_until_settled(now, files)
            clear_screen()
            look()
            flush()
        time.sleep(max(PAUSE, 4 * (time.monotonic() - began) if now == before else 0))


def _wait_until_settled(now: Stamps, files: Callable[[], Iterable[Path]]) -> Stamps:
    """Wait until nothing is written, and half a second for a file that is being replaced."""
    for _ in range(10):
        time.sleep(_SETTLED)
        last, now = now, _stamp_all(files())
        if last == now and None not in now.values():
            break
    return now


def _stamp_all(files: Iterable[Path]) -> Stamps:
    return {path: _stamp(path) for path in files}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Dependencies:
    """The files on which rulesets depend: parents, libraries, translations. The last readable state is remembered."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Any, list[Path]]] = {}

    def find(self, paths: Iterable[Path]) -> list[Path]:
        from hoyle.resources import words_beside

        found: dict[Path, None] = {}
        waiting = list(paths)
        while waiting:
            path = waiting.pop()
            if path not in found:
                found[path] = None
                found.update(dict.fromkeys(words_beside(path)))
                waiting += self._below(path)
        return [*found]

    def _below(self, path: Path) -> list[Path]:
        stamp, (known, below) = _stamp(path), self._known.get(path, (None, []))
        if stamp is not None and stamp != known:
            self._known[path] = stamp, below = stamp, [*_find_parents(path)] or below
        return below


def _find_parents(path: Path) -> Iterator[Path]:
    """Yield the files that a ruleset builds on, as far as they can be read and found."""
    from hoyle.diagnostics import Refused
    from hoyle.reading.sources import locate, read
    from hoyle.reading.tree import list_items
    from hoyle.reading.yaml_tree import load

    try:
        root = load(read(path), only=("extends", "use"))
    except Refused:
        return
    names = [node for key in ("extends", "use") for node in list_items(root.get(key))] if root.kind == "map" else []
    yield from (found for node in names if node.raw and (found := locate(node.raw, path)) is not None)


_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_IS_OURS = re.compile(rb"^(?:ruleset|words)[ \t]*:", re.MULTILINE)
"""Pattern of rulesets and translations among YAML files."""


class _FormattedFile(Struct, frozen=True):
    """A file, its text, and the formatted text."""

    name: str
    before: str
    after: str

    @property
    def changes(self) -> bool:
        return self.before != self.after


@command("fmt")
@argument("files", type=FileName(), nargs=-1, required=True)
@option("--check", is_flag=True)
@option("--diff", is_flag=True)
@lang_option
def fmt_command(files: tuple[str, ...], check: bool, diff: bool) -> int:
    if files.count("-") > 1:
        raise UserError(t("usage.one_stdin"), code=2)
    names = [*dict.fromkeys(name for given in files for name in _list_given(given))]
    found = [_format(name) for name in names]
    some = [one for one in found if one is not None]
    changed = [one for one in some if one.changes]
    for one in some if not (check or diff) else changed:
        _write_formatted(one, check, diff)
    if some and files != ("-",):
        key = "would" if check or diff else "done"
        note(t(f"fmt.{key}", changed=len(changed), kept=len(some) - len(changed)))
    return 1 if len(some) < len(found) or (changed and (check or diff)) else 0


def _list_given(given: str) -> Iterator[str]:
    """Yield a given file, or the rulesets and translations of a folder."""
    names = list_files(given)
    yield from names if names == [given] else filter(_is_ruleset, names)


def _is_ruleset(name: str) -> bool:
    """Return whether a file is a ruleset or a translation. Unreadable files count, so that they are reported."""
    from hoyle.reading.sources import MAX_BYTES

    try:
        with open(name, "rb") as file:
            return _IS_OURS.search(file.read(MAX_BYTES)) is not None
    except OSError:
        return True


def _format(name: str) -> _FormattedFile | None:
    """Return None, after printing the problems, if the file cannot be read."""
    from hoyle.diagnostics import Refused
    from hoyle.formatting.formatter import format_ruleset
    from hoyle.reading.sources import read

    try:
        source = read(name)
        return _FormattedFile(name, source.text, format_ruleset(source.text, source.name))
    except Refused as refused:
        diagnose(refused.diagnostics)
        return None


def _write_formatted(file: _FormattedFile, check: bool, diff: bool) -> None:
    shown = "<stdin>" if file.name == "-" else file.name
    if diff:
        for line in _make_diff(file, shown):
            show(paint(line, _COLOURS[line[0]]) if line[0] in _COLOURS else line)
    elif check:
        say(shown)
    elif file.name == "-":
        say(file.after.rstrip("\n"))
    elif file.changes:
        write(file.name, _restore_line_ends(file))


def _make_diff(file: _FormattedFile, shown: str) -> Iterator[str]:
    lines = difflib.unified_diff(file.before.splitlines(), file.after.splitlines(), shown, shown, lineterm="")
    yield from lines


def _restore_line_ends(file: _FormattedFile) -> str:
    """Return the text with the file's line ends and byte order mark."""
    data = Path(file.name).read_bytes()
    text = file.after.replace("\n", "\r\n") if b"\r\n" in data else file.after
    return "\ufeff" * data.startswith(b"\xef\xbb\xbf") + text
