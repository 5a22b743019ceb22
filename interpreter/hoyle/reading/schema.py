"""Has a tree the shape of a ruleset? What keeps it from that, in our own words.

The shape is data, `grammar/ruleset.schema.json`, which editors use too. Each finding is told at the exact key or value, and what follows
from another mistake is left out.
"""

from __future__ import annotations

from hoyle.diagnostics import Problems
from hoyle.language.sentences import said
from hoyle.reading import wrong_keys, wrong_values
from hoyle.reading.shape import Finding, Path, Shaped, shape_of
from hoyle.reading.tree import Node
from hoyle.reading.wrong_keys import unknown_keys


def check_shape(node: Node, problems: Problems, known: Shaped = frozenset()) -> Shaped:
    """Add everything that keeps a tree from having the shape of a ruleset; what of it has. `known`: what is known to have it, of the same tree."""
    return _check(node, problems, "ruleset", known)


def check_position(node: Node, problems: Problems) -> None:
    """Add everything that keeps a tree from having the shape of a position."""
    _check(node, problems, "position")


def _check(node: Node, problems: Problems, what: str, known: Shaped = frozenset()) -> Shaped:
    shape = shape_of(node, what, known)
    findings = shape.findings
    typos = {f.place.path: names for f in findings if (names := unknown_keys(f))}
    for finding in findings:
        if _is_under(finding.place.path, typos):
            continue  # what an unknown key holds cannot be judged
        rule = _RULES.get(finding.word, _anything_else)
        rule(finding, typos.get(finding.place.path, []), problems)
    return frozenset(shape.shaped)


def _is_under(path: Path, typos: dict[Path, list[str]]) -> bool:
    return any(path[at] in typos.get(path[:at], []) for at in range(len(path)))


def _anything_else(finding: Finding, _: list[str], problems: Problems) -> None:
    problems.add("R101", said("shape.not_so", subject=finding.place.subject), finding.place.shown)


_RULES = {**wrong_keys.RULES, **wrong_values.RULES}
