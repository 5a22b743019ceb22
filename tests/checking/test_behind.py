"""A problem in an inherited line that comes of what a variant changes names the variant's line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from games import FEW

from interpreter import Diagnostic, validate
from interpreter.checking.build import joined
from interpreter.resources import shipped

WRONG = {"terms": "pairs", "state": "{kind: bool}"}
"""What an entry is changed into: what hardly any formula can use."""
FIXED = ("range", "each", "starts")


def changed(name: str) -> Iterator[tuple[str, str]]:
    """Every term and state of a game, made something else."""
    root = joined(shipped()[name]).root
    for section, wrong in WRONG.items():
        node = root.get(section)
        for entry, _, value in node.entries() if node is not None else ():
            gone = ", ".join(f"{key}: ~" for key in FIXED if key != "each" and value.get(key) is not None)
            yield section, f"{entry!r}: " + (wrong if section == "terms" or not gone else f"{{kind: bool, {gone}}}")


def told(name: str, section: str, entry: str, place: Path) -> list[Diagnostic]:
    place.write_text(f"ruleset: 1\ngame: variant\nextends: {name}\n{section}:\n  {entry}\n", encoding="utf-8")
    return [d for d in validate([place]) if d.severity == "error"]


def places(problem: Diagnostic) -> set[str]:
    """The files whose lines are shown."""
    own = {problem.span.source.name} if problem.span else set()
    return own | {span.source.name for span, _ in problem.related}


def unnamed(name: str, place: Path, few: int | None = None) -> tuple[int, list[str]]:
    """How many problems stand in inherited lines, and those of them that do not name the variant."""
    found = [(entry, d) for section, entry in list(changed(name))[:few] for d in told(name, section, entry, place)]
    inherited = [(entry, d) for entry, d in found if d.span and d.span.source.name != str(place)]
    return len(inherited), [f"{e}: {d.code} {d.message} {d.span}" for e, d in inherited if str(place) not in places(d)]


@pytest.mark.whole
def test_an_inherited_line_is_told_with_the_line_that_changes_what_it_says(tmp_path: Path) -> None:
    count, silent = unnamed("hearts", tmp_path / "variant.yaml")
    assert count > 10
    assert silent == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_every_inherited_line_is(name: str, tmp_path: Path) -> None:
    count, silent = unnamed(name, tmp_path / "variant.yaml")
    assert count
    assert silent == []


@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("terms", "all_penalties: 26 + costs(3)"),
        ("moves", "play a card: {take: {card: ~, from: me}}"),
        ("options", "target: {kind: bool, range: ~, default: true}"),
    ],
)
def test_what_is_called_what_is_part_of_a_rule_and_what_is_chosen(section: str, entry: str, tmp_path: Path) -> None:
    place = tmp_path / "variant.yaml"
    found = told("hearts", section, entry, place)
    assert found
    assert all(str(place) in places(d) for d in found), [(d.code, d.message) for d in found]
