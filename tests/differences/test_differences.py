"""What two rulesets do not have in common: all of it, nothing else, and each thing once."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from games import FEW, names
from tiers import in_tiers, some_now, spread

from hoyle import resources as files
from hoyle.checking import build
from hoyle.diagnostics import Refused
from hoyle.differences.change_sentences import describe_change
from hoyle.differences.changes import OPPOSITE, Change
from hoyle.differences.compared_ruleset import ComparedRuleset, load_side
from hoyle.differences.detection import find_changes
from hoyle.language.sentences import LANGUAGES
from hoyle.series.mutants import list_mutants

HERE = Path(__file__).parent
GAME = (HERE / "race.yaml").read_text(encoding="utf-8")
CASES: dict[str, Any] = yaml.safe_load((HERE / "respelt.yaml").read_text(encoding="utf-8"))
SAME: dict[str, tuple[str, str]] = CASES["same"]
OTHER: dict[str, tuple[str, str, list[tuple[str, str, list[str]]]]] = CASES["other"]


@cache
def shipped(name: str) -> ComparedRuleset:
    return load_side(name, {})


def written(text: str, place: Path, **options: object) -> ComparedRuleset:
    place.write_text(text, encoding="utf-8")
    return load_side(place, options)


def edited(text: str, edits: dict[str, str]) -> str:
    for before, after in edits.items():
        assert before in text
        text = text.replace(before, after)
    return text


def kinds(found: list[Change]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(change.kind, change.section, change.path) for change in found]


def everything(found: list[Change] | tuple[Change, ...]) -> Iterator[Change]:
    for change in found:
        yield change
        for inner in (change.follows, change.helpers, change.also):
            yield from everything(inner)


def lines(found: list[Change], file: str) -> set[int]:
    every = list(everything(found))
    sides = [side for one in every for part in (one, *one.details) for side in (part.before, part.after)]  # type: ignore[attr-defined]
    return {
        side.span.line for side in sides if side is not None and side.span is not None and side.span.source.name == file
    }


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> ComparedRuleset:
    return written(GAME, tmp_path_factory.mktemp("race") / "race.yaml")


@pytest.mark.parametrize("name", spread([*SAME, *OTHER], 18))
def test_meanings_differ_and_spellings_do_not(name: str, race: ComparedRuleset, tmp_path: Path) -> None:
    old, new, expected = OTHER[name] if name in OTHER else (*SAME[name], [])
    assert old in GAME
    found = find_changes(race, written(GAME.replace(old, new), tmp_path / "other.yaml"))
    assert [(kind, section, [*path]) for kind, section, path in kinds(found)] == [(*case,) for case in expected]
    assert all(describe_change(change, lang) for change in found for lang in LANGUAGES)


def test_what_options_decide_is_told_with_the_option(tmp_path: Path) -> None:
    one, other = written(GAME, tmp_path / "a.yaml"), written(GAME, tmp_path / "a.yaml", short=True)
    [change] = find_changes(one, other)
    assert (change.kind, change.section, change.path) == ("replaced", "options", ("short",))
    assert kinds(list(change.follows)) == [("applies", "obligations", ("play if able",))]
    assert (
        describe_change(change, "en")
        == "Does one stop at three: yes instead of no. Binding now, “play if able”: One may not pass (R3)."
    )
    [back] = find_changes(other, one)
    assert kinds(list(back.follows)) == [("lapses", "obligations", ("play if able",))]
    assert change.after is not None and change.after.span is None, "the command line says it, and no file"
    assert change.before is not None and change.before.span is not None


@pytest.mark.whole
def test_an_option_is_a_cause_before_a_table_is(tmp_path: Path) -> None:
    """Both differ, and the condition of the move asks for both."""
    move = "  swap:\n    rule: {at: R3, en: Cards are swapped.}\n    take: pack\n    put: laid\n    if: {agreed: short and some r in ranks has r is ace}\n  pass:\n"
    text = GAME.replace("  pass:\n", move).replace("choose: [play,", "choose: [play, swap,")
    longer = text.replace("two: {sign: K}", "two: {sign: K}, three: {sign: Q}")
    found = find_changes(written(text, tmp_path / "a.yaml"), written(longer, tmp_path / "b.yaml", short=True))
    assert {(c.section, c.path) for c in found if any(inner.section == "moves" for inner in c.follows)} == {
        ("options", ("short",))
    }


@pytest.mark.whole
def test_what_the_options_leave_without_effect_stands_apart(tmp_path: Path) -> None:
    changed = GAME.replace("prefer: [play]", "prefer: count(laid) > 1")
    one, other = written(GAME, tmp_path / "a.yaml"), written(changed, tmp_path / "b.yaml")
    [change] = find_changes(one, other)
    assert not change.in_force
    [change] = find_changes(one, written(changed, tmp_path / "b.yaml", short=True))[1:]
    assert change.in_force


@pytest.mark.whole
def test_a_term_that_one_alone_has_is_told_with_what_needs_it(tmp_path: Path) -> None:
    old, new, _ = OTHER["a term more, where it is needed"]
    one, other = written(GAME, tmp_path / "a.yaml"), written(GAME.replace(old, new), tmp_path / "b.yaml")
    for found, kind in ((find_changes(one, other), "added"), (find_changes(other, one), "removed")):
        assert [kinds(list(change.helpers)) for change in found] == [[(kind, "terms", ("enough",))]]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers([*FEW, "grabuge"], whole=["grabuge"]))
def test_nothing_differs_from_itself(name: str) -> None:
    assert find_changes(shipped(name), load_side(name, {})) == []


@cache
def parents() -> dict[str, str]:
    texts = {name: files.shipped()[name].read_text(encoding="utf-8") for name, is_variant in names() if is_variant}
    return {name: text.partition("\nextends:")[2].split()[0] for name, text in texts.items()}


def pairs() -> list[tuple[str, str]]:
    above = parents()

    def root(name: str) -> str:
        return root(above[name]) if name in above else name

    every = sorted({*above, *above.values()})
    return [(a, b) for a in every for b in every if a < b and root(a) == root(b)]


UNEVEN = ("moved", "renamed")
"""When two entries change places, either counts as moved; a renamed one has another name on the other side."""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("a", "b"),
    some_now([("grabuge", "grabuge-short"), *random.Random(1).sample(pairs(), 20)], 1),
)
def test_from_the_other_side_every_change_is_its_opposite(a: str, b: str) -> None:
    there, back = (find_changes(one, other) for one, other in ((shipped(a), shipped(b)), (shipped(b), shipped(a))))
    told = Counter((c.kind, c.section, c.path) for c in everything(there) if c.kind not in UNEVEN)
    turned = Counter((OPPOSITE[c.kind], c.section, c.path) for c in everything(back) if c.kind not in UNEVEN)
    assert told == turned
    uneven = [Counter(c.kind for c in everything(found) if c.kind in UNEVEN) for found in (there, back)]
    assert uneven[0] == uneven[1]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "count"), some_now([("race", 8), *((n, 40) for n in ("race", "grabuge", "barbu-contre", "hearts"))], 1)
)
def test_a_mutant_differs_where_it_was_changed_and_nowhere_else(name: str, count: int, tmp_path: Path) -> None:
    place = tmp_path / "race.yaml"
    place.write_text(GAME, encoding="utf-8")
    game = str(place) if name == "race" else name
    known, every, tried = load_side(game, {}), list_mutants(game), 0
    for mutant in random.Random(name).sample(every, min(count, len(every))):
        try:
            rules, merged = build.load_ruleset(game, {}, mutant.root())
        except Refused:
            continue
        tried += 1
        found = find_changes(known, ComparedRuleset(rules, merged.root))
        assert len(found) == 1, (mutant.span.line, mutant.what, kinds(found))
        assert mutant.span.line in lines(found, mutant.span.source.name), (mutant.span.line, mutant.what, kinds(found))
    assert tried


def test_sentences_that_an_option_changes_are_told_with_it(tmp_path: Path) -> None:
    """Each once: a clause instead of the rules that cite it. A rule that does not hang on the option stands by itself."""
    one = written(edited(GAME, CASES["restated"]), tmp_path / "race.yaml")
    option, passing = find_changes(one, written(CASES["short race"], tmp_path / "short-race.yaml"))
    assert (option.section, passing.path) == ("options", ("pass",))
    assert "Cards are played, three at most (R1)." in describe_change(option, "en")
    assert "One stops at three" not in describe_change(option, "en")
