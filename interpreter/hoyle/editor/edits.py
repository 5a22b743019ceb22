"""Edits of a text: quick fixes of problems, and formatting with as few changed lines as possible."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Fix, Source, Span
from hoyle.editor.analysis import resolve_path
from hoyle.editor.wording import translate
from hoyle.formatting.formatter import format_ruleset

LONGEST_LABEL = 60
"""Characters of replaced and new text in the title of a quick fix."""


class QuickFix(Struct, frozen=True):
    """A fix and the problem that it solves."""

    fix: Fix
    problem: Diagnostic


def find_quick_fixes(problems: Iterable[Diagnostic], file: str, text: str) -> list[QuickFix]:
    """Return the fixes of a file, each once. Fixes of an earlier text of the file are left out."""
    by_change: dict[tuple[int, int, str], QuickFix] = {}
    for problem in problems:
        for fix in problem.fixes:
            if fix.span.source.text == text and resolve_path(fix.span.source.name) == file:
                by_change.setdefault((fix.span.start, fix.span.end, fix.text), QuickFix(fix, problem))
    return list(by_change.values())


def describe_fix(fix: Fix, lang: str) -> str:
    """Return the title of a quick fix."""
    return translate(lang, "fix.replace", old=_shorten(fix.span.text), new=_shorten(fix.text))


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LABEL else line[:LONGEST_LABEL] + "…"


def format_with_edits(text: str, name: str) -> list[Fix]:
    """Return the edits that format a text, in order. Raises Refused if it cannot be read."""
    return diff_lines(Source(name, text), format_ruleset(text, name))


def diff_lines(source: Source, after: str) -> list[Fix]:
    """Return the edits that turn a source into another text. Equal lines are kept, and with them cursors and marks."""
    old, new = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    return [
        Fix(Span(source, starts[first], starts[last]), "".join(new[begin:end]))
        for tag, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
