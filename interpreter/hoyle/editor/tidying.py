"""What to change in a text so that it stands as it is best written: lines, and no more of them than must be."""

from __future__ import annotations

from difflib import SequenceMatcher

from hoyle.diagnostics import Fix, Source, Span
from hoyle.formatting.text import formatted


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
