"""Problems that a variant causes in an inherited line show the line of the variant, too."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from games import FEW
from tiers import some_now

from hoyle import Diagnostic, validate
from hoyle.checking.build import merge_files
from hoyle.resources import shipped

WRONG = {"terms": "pairs", "state": "{kind: bool}"}
"""Replace each entry of a section by this value, which hardly any formula can use."""
FIXED = ("range", "each", "starts")


def changed(name: str) -> Iterator[tuple[str, str]]:
    """List the section and a new text of every term and state of a game."""
    root = merge_files(shipped()[name]).root
    for section, wrong in WRONG.items():
        node = root.get(section)
        for entry, _, value in node.entries() if node is not None else ():
            gone = ", ".join(f"{key}: ~" for key in FIXED if key != "each" and value.get(key) is not None)
            yield section, f"{entry!r}: " + (wrong if section == "terms" or not gone else f"{{kind: bool, {gone}}}")


def told(name: str, section: str, entry: str, place: Path) -> list[Diagnostic]:
    place.write_text(f"ruleset: 1\ngame: variant\nextends: {name}\n{section}:\n  {entry}\n", encoding="utf-8")
    return [d for d in validate([place]) if d.severity == "error"]


def places(problem: Diagnostic) -> set[str]:
    """List the files whose lines a diagnostic shows."""
    own = {problem.span.source.name} if problem.span else set()
    return own | {span.source.name for span, _ in problem.related}


@pytest.mark.whole
@pytest.mark.parametrize(("name", "every"), some_now([("hearts", 12), *((name, 2) for name in FEW)], 1))
def test_a_problem_in_an_inherited_line_shows_the_line_that_causes_it(name: str, every: int, tmp_path: Path) -> None:
    place = tmp_path / "variant.yaml"
    found = [(entry, d) for section, entry in list(changed(name))[::every] for d in told(name, section, entry, place)]
    inherited = [(entry, d) for entry, d in found if d.span and d.span.source.name != str(place)]
    assert inherited
    assert [f"{e}: {d.code} {d.message} {d.span}" for e, d in inherited if str(place) not in places(d)] == []


@pytest.mark.whole
@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("terms", "all_penalties: 26 + costs(3)"),
        ("moves", "play a card: {take: {card: ~, from: me}}"),
        ("options", "target: {kind: bool, range: ~, default: true}"),
    ],
)
def test_a_problem_in_a_called_term_a_move_or_an_option_shows_its_cause(
    section: str, entry: str, tmp_path: Path
) -> None:
    place = tmp_path / "variant.yaml"
    found = told("hearts", section, entry, place)
    assert found
    assert all(str(place) in places(d) for d in found), [(d.code, d.message) for d in found]
