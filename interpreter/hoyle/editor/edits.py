"""What to change in a text so that it stands as it is best written: lines, and no more of them than must be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Fix, Source, Span
from hoyle.editor.analysis import real
from hoyle.formatting.formatter import formatted


def tidied(text: str, name: str) -> list[Fix]:
    """The edits, in order; none where it stands so already. Raises Refused if the text cannot be read."""
    return changed_lines(Source(name, text), formatted(text, name))


def changed_lines(source: Source, after: str) -> list[Fix]:
    """What makes this text of that source, line by line: what stays is not touched, so that pointers and marks stay where they are."""
    old, new = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        Fix(Span(source, starts[first], starts[last]), "".join(new[begin:end]))
        for word, first, last, begin, end in found
        if word != "equal"
    ]


class Repair(Struct, frozen=True):
    """One fix, and the problem that it mends."""

    fix: Fix
    problem: Diagnostic


def repairs(problems: Iterable[Diagnostic], place: str, text: str) -> list[Repair]:
    """What mends some of these problems in the file at this place, as it reads now; what was found in an earlier text is left out. What
    several rulesets are told of is offered once."""
    several = [Repair(fix, d) for d in problems for fix in d.fixes if _stands(fix.span.source, place, text)]
    return list({(r.fix.span.start, r.fix.span.end, r.fix.text): r for r in reversed(several)}.values())[::-1]


def _stands(source: Source, place: str, text: str) -> bool:
    return source.text == text and real(source.name) == place
