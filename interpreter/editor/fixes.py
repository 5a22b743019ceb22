"""What mends a problem by itself: the name that was probably meant, where a problem tells of one."""

from __future__ import annotations

import re

from msgspec import Struct

from interpreter.diagnostics import Diagnostic, Span

_SIMILAR = re.compile(r"similar (?:name|key) exists: `([^`]+)`\Z")
_NAMED = re.compile(r"`([^`]+)`")


class Fix(Struct, frozen=True):
    """This stretch is replaced by that name, which mends this problem."""

    span: Span
    name: str
    problem: Diagnostic


def fixes(problem: Diagnostic, text: str) -> list[Fix]:
    """Of a problem found in this very text."""
    meant = meant_in(problem)
    if meant is None or problem.span is None or problem.span.source.text != text:
        return []
    wrong = [name for name in _NAMED.findall(problem.message) if name in problem.span.text]
    at = problem.span.text.rfind(wrong[0]) if wrong else -1
    if at < 0:
        return []
    start = problem.span.start + at
    return [Fix(Span(problem.span.source, start, start + len(wrong[0])), meant, problem)]


def meant_in(problem: Diagnostic) -> str | None:
    """The similar name that the help of a problem ends with; the message itself is in English, whatever it is told in."""
    found = _SIMILAR.search(problem.help)
    return found[1] if found else None
