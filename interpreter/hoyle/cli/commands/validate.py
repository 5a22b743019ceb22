"""`hoyle validate`, `hoyle explain`, `hoyle test`: are rulesets right, and what does a complaint mean?"""

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
from hoyle.cli.options import File, Named, OneOf, json_option, lang_option
from hoyle.cli.output import complain, deserted, diagnose, emit, flush, note, paint, say, screen, show
from hoyle.cli.rulesets import tell_named, tell_taken
from hoyle.cli.shell import argument, command, option
from hoyle.diagnostics import told
from hoyle.language.sentences import said
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.terminal import has_colours
from hoyle.resources import ENDINGS, language_of, name_below, ruleset_of

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
    from hoyle.reporting.report import Code


MOST_FILES = 20_000
"""How many files and folders a folder may hold in which rulesets are looked for."""


@command("validate")
@argument("files", type=Named(), nargs=-1, required=True)
@option("--format", "form", type=OneOf("text", "json", "sarif", "github"), default="text")
@option("--watch", is_flag=True)
@lang_option
def validate_command(files: tuple[str, ...], form: str, watch: bool) -> int:
    if files.count("-") > 1:
        raise UserError(t("usage.one_stdin"), code=2)
    if watch:
        return _watch(files, form)
    return 1 if any(d.severity == "error" for d in _validated(files, form)) else 0


def _validated(files: Sequence[str], form: str) -> list[Diagnostic]:
    """What is found, once it is told."""
    from hoyle.game.examples.static_checks import validate

    paths = rulesets_of(files)
    found = validate(paths)
    _report(found, form)
    for name in files:
        tell_named(name)
    tell_taken(paths)
    if not found and form == "text":
        note(t("validate.clean", files=len(paths)))
    return found


def _watch(files: Sequence[str], form: str) -> int:
    """Until it is ended."""

    if "-" in files:
        raise UserError(t("usage.no_watch"), code=2)
    rulesets_of(files)  # a folder without rulesets is told at once
    behind = Behind()

    def look() -> None:
        try:
            found = _validated(files, form)
        except UserError as trouble:  # what was there has gone
            complain(str(trouble))
            return
        if form == "text":
            errors = sum(d.severity == "error" for d in found)
            key = "found" if found else "watching"
            note(t(f"watch.{key}", time=_clock(), errors=errors, warnings=len(found) - errors))

    watch(look, lambda: behind.of(_paths(files)))
    return 0


def _clock() -> str:
    import time

    return time.strftime("%H:%M:%S")


def _paths(files: Sequence[str]) -> list[Path]:
    """The files as they are now, and the folders that are named, which change when a file comes or goes."""
    from hoyle.checking.build import find
    from hoyle.diagnostics import Refused

    try:
        names = rulesets_of(files)
    except UserError:
        names = []
    paths = [Path(name) for name in files if os.path.isdir(name)]
    for name in names:
        try:
            paths.append(find(name))
        except Refused:
            paths.append(Path(name))
    return paths


def rulesets_of(files: Sequence[str]) -> list[str]:
    """The files that are named, and the rulesets in the folders that are."""
    return list(dict.fromkeys(_of_words(path) for name in files for path in files_in(name)))


def _of_words(path: str) -> str:
    """Words are validated with the ruleset that they are words of."""
    ruleset = ruleset_of(Path(path))
    return str(ruleset) if language_of(Path(path)) and ruleset.exists() else path


def files_in(name: str) -> list[str]:
    """The file named, or the rulesets in the folder named."""
    if name == "-" or not os.path.isdir(name):
        return [name]
    found = sorted(path for path in _below(name) if path.endswith(ENDINGS) and name_below(Path(path), Path(name)))
    if not found:
        raise UserError(t("validate.no_rulesets", name=name))
    return found


def _below(folder: str) -> Iterator[str]:
    """The files in a folder and below it that are not hidden. A whole disk was not meant."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        names = [name for name in names if not name.startswith(".")]
        seen += len(folders) + len(names)
        if seen > MOST_FILES:
            raise UserError(t("validate.too_many", name=folder, most=MOST_FILES))
        yield from (os.path.join(place, name) for name in names)


def _report(found: Sequence[Diagnostic], form: str) -> None:
    from hoyle.reporting import report

    told = [d.in_language(lang()) for d in found] if form != "sarif" else found  # its rules are told in English
    text = report.text(told, colour=has_colours()) if form == "text" else report.FORMATS[form](told)
    if text:
        show(text.rstrip("\n"))


@command("explain")
@argument("code", required=False)
@json_option
@lang_option
def explain_command(code: str | None, as_json: bool) -> int:
    from hoyle.reporting import report

    if code is None:
        return _explain_all(report.all_codes(lang()), as_json)
    try:
        found = report.code(code, lang())
    except KeyError:
        raise UserError(_no_code(code, [c.code for c in report.all_codes()])) from None
    if as_json:
        emit("code", _code_data(found))
    else:
        say(_explained(found))
    return 0


def _no_code(given: str, known: Sequence[str]) -> str:
    from hoyle.diagnostics import similar

    close = similar(given, known)
    return t("explain.unknown", code=given[:80]) + (" " + t("usage.meant", names=f"`{close}`") if close else "")


def _explain_all(found: Sequence[Code], as_json: bool) -> int:
    if as_json:
        emit("codes", {"codes": [_code_data(code) for code in found]})
    else:
        say("\n".join(f"{code.code}  {code.title}" for code in found))
    return 0


def _code_data(found: Code) -> dict[str, Any]:
    names = ("code", "severity", "title", "explanation", "wrong", "right")
    return {name: getattr(found, name) for name in names}


def _explained(found: Code) -> str:
    import textwrap

    head = t("explain.head", code=found.code, severity=told(said(found.severity), lang()), title=found.title)
    parts = [head, textwrap.fill(found.explanation, 80)]
    for key in ("wrong", "right"):
        example = getattr(found, key)
        if example:
            parts.append(f"{t(f'explain.{key}')}\n\n{textwrap.indent(example.rstrip(), '    ')}")
    return "\n\n".join(parts)


PAUSE = 0.25
"""Seconds between two looks, and at least four times as long as a look takes."""
_SETTLED = 0.05
Stamps = dict[Path, tuple[int, int, int] | None]


def watch(look: Callable[[], object], files: Callable[[], Iterable[Path]]) -> None:
    """Looks at once, and again whenever one of the files changes, comes or goes. It ends with Ctrl-C, or when nobody reads what is said."""
    before: Stamps | None = None
    while not deserted():
        began = time.monotonic()
        now = _stamps(files())
        if now != before:
            before = _settled(now, files)
            screen()
            look()
            flush()
        time.sleep(max(PAUSE, 4 * (time.monotonic() - began) if now == before else 0))


def _settled(now: Stamps, files: Callable[[], Iterable[Path]]) -> Stamps:
    """The state of the files once nothing is written any more; half a second is waited for a file that somebody is replacing."""
    for _ in range(10):
        time.sleep(_SETTLED)
        last, now = now, _stamps(files())
        if last == now and None not in now.values():
            break
    return now


def _stamps(files: Iterable[Path]) -> Stamps:
    return {path: _stamp(path) for path in files}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Behind:
    """The files on which what is looked at depends: what they extend and use, and their words in other languages. What a file was built on when it
    could last be read is watched as long as it cannot."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Any, list[Path]]] = {}

    def of(self, paths: Iterable[Path]) -> list[Path]:
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
            self._known[path] = stamp, below = stamp, [*_built_on(path)] or below
        return below


def _built_on(path: Path) -> Iterator[Path]:
    """What a file says that it is built on, as far as it can be read and is found."""
    from hoyle.diagnostics import Refused
    from hoyle.reading.sources import meant, read
    from hoyle.reading.tree import listed
    from hoyle.reading.yaml_tree import load

    try:
        root = load(read(path), only=("extends", "use"))
    except Refused:
        return
    names = [node for key in ("extends", "use") for node in listed(root.get(key))] if root.kind == "map" else []
    yield from (found for node in names if node.raw and (found := meant(node.raw, path)) is not None)


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
        raise UserError(t("usage.one_stdin"), code=2)
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
