"""`hoyle validate`, `hoyle explain`, `hoyle test`: are rulesets right, and what does a complaint mean?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import lang, t
from hoyle.cli.found import tell_named, tell_taken
from hoyle.cli.options import Named, OneOf, json_option, lang_option
from hoyle.cli.output import Trouble, colours, complain, emit, note, say, show
from hoyle.cli.shell import argument, command, option
from hoyle.diagnostics import told
from hoyle.language.sentences import said
from hoyle.resources import ENDINGS, language_of, name_below, ruleset_of

MOST_FILES = 20_000
"""How many files and folders a folder may hold in which rulesets are looked for."""

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
    from hoyle.reporting.report import Code


@command("validate")
@argument("files", type=Named(), nargs=-1, required=True)
@option("--format", "form", type=OneOf("text", "json", "sarif", "github"), default="text")
@option("--watch", is_flag=True)
@lang_option
def validate_command(files: tuple[str, ...], form: str, watch: bool) -> int:
    if files.count("-") > 1:
        raise Trouble(t("usage.one_stdin"), code=2)
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
    from hoyle.cli.watching import Behind, watch

    if "-" in files:
        raise Trouble(t("usage.no_watch"), code=2)
    rulesets_of(files)  # a folder without rulesets is told at once
    behind = Behind()

    def look() -> None:
        try:
            found = _validated(files, form)
        except Trouble as trouble:  # what was there has gone
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
    except Trouble:
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
        raise Trouble(t("validate.no_rulesets", name=name))
    return found


def _below(folder: str) -> Iterator[str]:
    """The files in a folder and below it that are not hidden. A whole disk was not meant."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        names = [name for name in names if not name.startswith(".")]
        seen += len(folders) + len(names)
        if seen > MOST_FILES:
            raise Trouble(t("validate.too_many", name=folder, most=MOST_FILES))
        yield from (os.path.join(place, name) for name in names)


def _report(found: Sequence[Diagnostic], form: str) -> None:
    from hoyle.reporting import report

    told = [d.in_language(lang()) for d in found] if form != "sarif" else found  # its rules are told in English
    text = report.text(told, colour=colours()) if form == "text" else report.FORMATS[form](told)
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
        raise Trouble(_no_code(code, [c.code for c in report.all_codes()])) from None
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
