"""Misspelt overrides get the inherited name as help. Problems in an inherited line show the line of the variant that causes them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from diagnostic_lines import one_line
from games import FEW
from rules import read_cases
from tiers import some_now

from hoyle import Diagnostic, validate
from hoyle.checking.build import merge_files
from hoyle.reading.tree import Node
from hoyle.resources import shipped

CASES = read_cases("checking/misremembered")

PARTS = dict(CASES["parts"])
"""For each section, a part of an entry that a variant may change alone."""
SHORTEST = 4


def slip(name: str) -> str:
    """Drop a letter in the middle of a name."""
    middle = len(name.split("(")[0]) // 2
    return name[:middle] + name[middle + 1 :]


def entries(root: Node) -> Iterator[tuple[str, str]]:
    """List every entry with the text of a variant that changes it under a misspelt name."""
    for section, part in PARTS.items():
        node = root.get(section)
        for name in node.pairs if node is not None else ():
            yield name, f"{section}:\n  '{slip(name)}': {part}\n"
    for phase, _, steps in root["flow"].entries():
        yield phase, f"flow:\n  '{slip(phase)}': {{other: {{when: true}}}}\n"
        for name in steps.pairs:
            yield name, f"flow:\n  {phase}:\n    '{slip(name)}': {{when: true}}\n"


def cases(name: str) -> list[tuple[str, str]]:
    found = [(n, text) for n, text in entries(merge_files(shipped()[name]).root) if len(n.split("(")[0]) >= SHORTEST]
    return [(n, text) for n, text in found if slip(n) not in dict(found) and n != "game"]


def told(name: str, text: str, place: Path) -> list[Diagnostic]:
    place.write_text(f"ruleset: 1\ngame: variant\nextends: {name}\n{text}", encoding="utf-8")
    return validate([place])


def offers_a_name(problem: Diagnostic) -> bool:
    return "with a similar name" in problem.help or "a similar name exists" in " ".join((problem.help, *problem.notes))


def may_serve(text: str, problems: list[Diagnostic]) -> bool:
    """Return whether some rule takes any pile, so that a new pile is no error."""
    return text.startswith("piles:") and not any(d.severity == "error" for d in problems)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "every"), some_now([("hearts", 30), *((name, 4) for name in FEW)], 1))
def test_a_misspelt_name_of_an_inherited_entry_gets_a_similar_name(name: str, every: int, tmp_path: Path) -> None:
    found = [(text, told(name, text, tmp_path / "variant.yaml")) for _, text in cases(name)[::every]]
    assert found
    assert [t for t, problems in found if not any(map(offers_a_name, problems)) and not may_serve(t, problems)] == []


@pytest.mark.whole
@pytest.mark.parametrize(("entry", "line"), CASES["a similar name is told beside what else helps"])
def test_a_similar_name_is_given_besides_other_help(entry: str, line: str, tmp_path: Path) -> None:
    place = tmp_path / "variant.yaml"
    assert line in [one_line(d, str(place)) for d in told("hearts", entry, place)]


WRONG = {"terms": "pairs", "state": "{kind: bool}"}
"""Replace each entry of a section by this value, which hardly any formula can use."""
FIXED = ("range", "each", "starts")


def changed(name: str) -> Iterator[tuple[str, str]]:
    root = merge_files(shipped()[name]).root
    for section, wrong in WRONG.items():
        node = root.get(section)
        for entry, _, value in node.entries() if node is not None else ():
            gone = ", ".join(f"{key}: ~" for key in FIXED if key != "each" and value.get(key) is not None)
            yield section, f"{entry!r}: " + (wrong if section == "terms" or not gone else f"{{kind: bool, {gone}}}")


def told_causes(name: str, section: str, entry: str, place: Path) -> list[Diagnostic]:
    place.write_text(f"ruleset: 1\ngame: variant\nextends: {name}\n{section}:\n  {entry}\n", encoding="utf-8")
    return [d for d in validate([place]) if d.severity == "error"]


def places(problem: Diagnostic) -> set[str]:
    own = {problem.span.source.name} if problem.span else set()
    return own | {span.source.name for span, _ in problem.related}


@pytest.mark.whole
@pytest.mark.parametrize(("name", "every"), some_now([("hearts", 12), *((name, 2) for name in FEW)], 1))
def test_a_problem_in_an_inherited_line_shows_the_line_that_causes_it(name: str, every: int, tmp_path: Path) -> None:
    place = tmp_path / "variant.yaml"
    found = [
        (entry, d) for section, entry in list(changed(name))[::every] for d in told_causes(name, section, entry, place)
    ]
    inherited = [(entry, d) for entry, d in found if d.span and d.span.source.name != str(place)]
    assert inherited
    assert [f"{e}: {d.code} {d.message} {d.span}" for e, d in inherited if str(place) not in places(d)] == []


@pytest.mark.whole
@pytest.mark.parametrize(
    ("section", "entry"),
    CASES["a problem in a called term a move or an option shows its cause"],
)
def test_a_problem_in_a_called_entry_shows_its_cause(section: str, entry: str, tmp_path: Path) -> None:
    place = tmp_path / "variant.yaml"
    found = told_causes("hearts", section, entry, place)
    assert found
    assert all(str(place) in places(d) for d in found), [(d.code, d.message) for d in found]
