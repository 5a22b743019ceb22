"""A new entry that lacks something, or that nothing uses, may be an inherited one whose name was not remembered well."""

from __future__ import annotations

from msgspec.structs import replace

from hoyle.diagnostics import MOST_KNOWN, Diagnostic, Span, replacing, similar
from hoyle.language.sentences import said
from hoyle.reading.tree import Node

_LACKING = ("R103", "R106", "R116", "R117", "R301", "R418", "R611")
_NAMED = ("moves", "obligations", "whenever", "state", "piles", "tables", "options", "pieces", "clauses", "flow")
"""Sections of which an entry can be misremembered; of others that is told where they are read."""
_UNUSED = ("R530", "R531", "R534", "R535", "R536", "R537", "R538", "R544", "R545", "R549")


def with_the_name_meant(problem: Diagnostic, root: Node) -> Diagnostic:
    """The problem; of a new entry with the inherited one beside it that has a similar name, if there is one. What else would help
    becomes a note where an entry lacks something; where nothing uses it, it is whole, and the name is only noted."""
    if problem.span is None or problem.code not in _LACKING + _UNUSED or not problem.span.shares_file(root.span):
        return problem
    close = _similar_beside(problem.span, root)
    if close is None or f"`{close}`" in problem.help:
        return problem
    meant = said("similar", close=close)
    if problem.code in _UNUSED:
        return replace(problem, notes=(*problem.notes, meant))
    notes = (*problem.notes, *([problem.help] if problem.help else []))
    return replace(problem, notes=notes, help=meant, fixes=replacing(problem.span, _name(problem.span), close))


def _similar_beside(place: Span, root: Node) -> str | None:
    """The inherited name most like that of the entry whose name stands there."""
    sections = [node for name in _NAMED if (node := root.get(name)) is not None]
    phases = [steps for _, _, steps in root["flow"].entries()] if root.get("flow") is not None else []
    for node in (*sections, *phases):
        key, _ = node.pairs.get(_name(place), (None, None))
        if key is not None and key.span == place:
            if len(node.pairs) > MOST_KNOWN:
                return None
            return similar(_name(place), [n for n, k, _ in node.entries() if not k.span.shares_file(place)])
    return None


def _name(place: Span) -> str:
    return place.text.strip("'\"")
