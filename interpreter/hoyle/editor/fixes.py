"""What mends a problem by itself, as it is offered while one types."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Fix, Source
from hoyle.editor.desk import real


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
