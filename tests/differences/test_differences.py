"""What two rulesets do not have in common: all of it, nothing else, and each thing once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from games import names
from tiers import in_tiers

from interpreter.checking import build
from interpreter.diagnostics import Refused
from interpreter.differences.changes import OPPOSITE, Change
from interpreter.differences.edition import Edition, edition
from interpreter.differences.finding import differences
from interpreter.differences.telling import sentence
from interpreter.language.sentences import LANGUAGES
from interpreter.series.mutants import mutants

GAME = """ruleset: 1
game: race
players: {count: 2, seats: [A, B]}
options:
  fewest: {range: 1..5, default: 2, en: cards that end it}
  short: {kind: bool, default: false, en: does one stop at three}
tables: {ranks: {columns: {sign: text}, rows: {ace: {sign: A}, two: {sign: K}}}}
pieces: {card: {of: [ranks], copies: 9, from: pack}}
piles: {pack: {face: down}, laid: {each: player}}
terms:
  full(p): count(laid of p) >= fewest
  others_full(p): some q in others has full(q)
moves:
  play:
    rule: {at: R1, en: Cards are played.}
    take: pack
    put: laid
    if:
      room: count(laid) < 9
      in turn: not short or no c in laid has (c.rank is two and count(laid) > 3)
  pass:
    rule: {at: R2, en: One may pass.}
obligations:
  play if able:
    rule: {at: R3, en: One may not pass.}
    when: short
    prefer: [play]
flow:
  game:
    turns: {turns: turn, from: first(players), until: some p in players has full(p), at_most: 40}
  turn:
    one: {choose: [play, pass], obey: [play if able]}
    two: {for: p in players where full(p), say: {en: done}}
result:
  best: count(laid of p)
"""
SAME = {
    "spaces": ("count(laid of p) >= fewest", "count( laid of p )  >=  fewest"),
    "parentheses": ("count(laid of p) >= fewest", "(count((laid of p))) >= (fewest)"),
    "a parameter": ("full(p): count(laid of p)", "full(who): count(laid of who)"),
    "a bound name": ("some q in others has full(q)", "some someone in others has full(someone)"),
    "a nested bound name": (
        "no c in laid has (c.rank is two and",
        "no card_there in laid has (card_there.rank is two and",
    ),
    "a term written out": ("count(laid of p) >= fewest", "enough(p)\n  enough(p): count(laid of p) >= fewest"),
    "the other side first": ("count(laid of p) >= fewest", "fewest <= count(laid of p)"),
    "a number more, and more than it": ("count(laid) < 9", "count(laid of me) <= 8"),
    "not one is": ("some p in players has full(p)", "not (every x in players has not full(x))"),
    "neither nor": (
        "not short or no c in laid has (c.rank is two and count(laid) > 3)",
        "not (short and (some c in laid has (count(laid) >= 4 and ranks.two is c.rank)))",
    ),
    "a loop": ("for: p in players where full(p)", "for: x in players where full(x)"),
    "a comment": ("  pass:\n", "  # somebody may do nothing\n  pass:\n"),
    "quotes": ("when: short", 'when: "short"'),
    "the order of keys": ("    take: pack\n    put: laid\n", "    put: laid\n    take: pack\n"),
    "a condition written out": ("room: count(laid) < 9", "room: {is: count(laid) < 9}"),
    "the order of declarations": (
        "{pack: {face: down}, laid: {each: player}}",
        "{laid: {each: player}, pack: {face: down}}",
    ),
}
OTHER = {
    "a number": ("count(laid) < 9", "count(laid) < 8", [("replaced", "moves", ("play",))]),
    "a bound name that is another": (
        "some q in others has full(q)",
        "some q in others has full(p)",
        [("replaced", "terms", ("others_full",))],
    ),
    "an obligation": ("    when: short\n", "", [("replaced", "obligations", ("play if able",))]),
    "the order of steps": (
        "    one: {choose: [play, pass], obey: [play if able]}\n    two: {for: p in players where full(p), say: {en: done}}\n",
        "    two: {for: p in players where full(p), say: {en: done}}\n    one: {choose: [play, pass], obey: [play if able]}\n",
        [("moved", "flow", ("turn", "one"))],
    ),
    "the sentence of a rule": ("One may pass.", "One passes.", [("replaced", "moves", ("pass",))]),
    "a row less": (", two: {sign: K}", ", three: {sign: K}", None),
    "another bound by a longer table": (
        "two: {sign: K}",
        "two: {sign: K}, three: {sign: Q}",
        [("replaced", "tables", ("ranks",))],
    ),
    "a value of an option": (
        "range: 1..5, default: 2",
        "range: 1..5, default: 3",
        [("replaced", "options", ("fewest",))],
    ),
    "a pile by another name": ("laid", "played", [("renamed", "piles", ("played",))]),
    "a term by another name": (
        "full(",
        "done(",
        [],
    ),
    "a move by another name": ("play:", "lay:", None),
    "a term more, where it is needed": (
        "count(laid of p) >= fewest",
        "enough(p)\n  enough(p): count(laid of p) > fewest",
        [("replaced", "terms", ("full",))],
    ),
}
"""What is written otherwise, and the changes that there are then; None: whatever they are, at that place."""


@cache
def shipped(name: str) -> Edition:
    return edition(name, {})


def written(text: str, place: Path, **options: object) -> Edition:
    place.write_text(text, encoding="utf-8")
    return edition(place, options)


def kinds(found: list[Change]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(change.kind, change.section, change.path) for change in found]


def everything(found: list[Change] | tuple[Change, ...]) -> Iterator[Change]:
    """Changes and all that is told with them."""
    for change in found:
        yield change
        for inner in (change.follows, change.helpers, change.also):
            yield from everything(inner)


def lines(found: list[Change], file: str) -> set[int]:
    """The lines of a file that changes and their details point at."""
    every = list(everything(found))
    sides = [side for one in every for part in (one, *one.details) for side in (part.before, part.after)]  # type: ignore[attr-defined]
    return {
        side.span.line for side in sides if side is not None and side.span is not None and side.span.source.name == file
    }


@pytest.mark.parametrize("name", SAME)
def test_what_means_the_same_is_no_difference(name: str, tmp_path: Path) -> None:
    old, new = SAME[name]
    assert GAME.count(old) == 1
    found = differences(written(GAME, tmp_path / "a.yaml"), written(GAME.replace(old, new), tmp_path / "b.yaml"))
    assert kinds(found) == []


@pytest.mark.parametrize("name", [name for name, case in OTHER.items() if case[2] is not None])
def test_what_differs_is_told_once(name: str, tmp_path: Path) -> None:
    old, new, expected = OTHER[name]
    assert old in GAME
    found = differences(written(GAME, tmp_path / "a.yaml"), written(GAME.replace(old, new), tmp_path / "b.yaml"))
    assert kinds(found) == expected
    assert all(sentence(change, lang) for change in found for lang in LANGUAGES)


def test_what_options_decide_is_told_with_the_option(tmp_path: Path) -> None:
    one, other = written(GAME, tmp_path / "a.yaml"), written(GAME, tmp_path / "a.yaml", short=True)
    [change] = differences(one, other)
    assert (change.kind, change.section, change.path) == ("replaced", "options", ("short",))
    assert kinds(list(change.follows)) == [("applies", "obligations", ("play if able",))]
    assert (
        sentence(change, "en")
        == "Does one stop at three: yes instead of no. Binding now, “play if able”: One may not pass (R3)."
    )
    [back] = differences(other, one)
    assert kinds(list(back.follows)) == [("lapses", "obligations", ("play if able",))]
    assert change.after is not None and change.after.span is None, "the command line says it, and no file"
    assert change.before is not None and change.before.span is not None


@pytest.mark.whole
def test_an_option_is_a_cause_before_a_table_is() -> None:
    """Both are asked for on the way to these moves, and both differ."""
    found = differences(shipped("barbu"), shipped("barbu-32"))
    assert {(change.section, change.path) for change in found if any(c.section == "moves" for c in change.follows)} == {
        ("options", ("doubling",))
    }


def test_what_the_options_leave_without_effect_stands_apart(tmp_path: Path) -> None:
    changed = GAME.replace("prefer: [play]", "prefer: count(laid) > 1")
    one, other = written(GAME, tmp_path / "a.yaml"), written(changed, tmp_path / "b.yaml")
    [change] = differences(one, other)
    assert not change.in_force
    [change] = differences(one, written(changed, tmp_path / "b.yaml", short=True))[1:]
    assert change.in_force


def test_a_term_that_one_alone_has_is_told_with_what_needs_it(tmp_path: Path) -> None:
    old, new, _ = OTHER["a term more, where it is needed"]
    one, other = written(GAME, tmp_path / "a.yaml"), written(GAME.replace(old, new), tmp_path / "b.yaml")
    for found, kind in ((differences(one, other), "added"), (differences(other, one), "removed")):
        assert [kinds(list(change.helpers)) for change in found] == [[(kind, "terms", ("enough",))]]


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", in_tiers([name for name, _ in names()], quick=("grabuge",), whole=("barbu-salade", "scopone"))
)
def test_nothing_differs_from_itself(name: str) -> None:
    assert differences(shipped(name), edition(name, {})) == []


def parents() -> dict[str, str]:
    """Every shipped variant and what it extends."""
    texts = {name: build.find(name).read_text(encoding="utf-8") for name, variant in names() if variant}
    return {
        name: next(line.split()[1] for line in text.split("\n") if line.startswith("extends:"))
        for name, text in texts.items()
    }


def pairs() -> list[tuple[str, str]]:
    """Every variant beside every other of the same game, and its game."""
    above = parents()

    def root(name: str) -> str:
        return root(above[name]) if name in above else name

    every = sorted({*above, *above.values()})
    return [(a, b) for a in every for b in every if a < b and root(a) == root(b)]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("a", "b"),
    in_tiers(
        pairs(),
        quick=[("grabuge", "grabuge-short")],
        whole=[("barbu-32", "barbu-contre"), ("cribbage-4p", "cribbage-7")],
    ),
)
def test_from_the_other_side_all_is_the_other_way_round(a: str, b: str) -> None:
    there, back = (differences(one, other) for one, other in ((shipped(a), shipped(b)), (shipped(b), shipped(a))))
    told = Counter(
        (change.kind, change.section, change.path) for change in everything(there) if change.kind not in UNEVEN
    )
    turned = Counter((OPPOSITE[c.kind], c.section, c.path) for c in everything(back) if c.kind not in UNEVEN)
    assert told == turned
    uneven = [Counter(c.kind for c in everything(found) if c.kind in UNEVEN) for found in (there, back)]
    assert uneven[0] == uneven[1]


UNEVEN = ("moved", "renamed")
"""Of two that changed places either may be said to have moved; who is renamed has another name on the other side."""


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("grabuge", 6),
        ("barbu-contre", 4),
        *(pytest.param(n, 60, marks=pytest.mark.slow) for n in ("grabuge", "hearts", "klondike")),
    ],
)
def test_a_rule_that_is_changed_is_found_and_nothing_else(name: str, count: int) -> None:
    """Of every change of one place of a ruleset: it is told, with its line, and all that is told belongs to it."""
    every = mutants(name)
    tried = 0
    for mutant in random.Random(name).sample(every, min(count, len(every))):
        try:
            rules, merged = build.ruleset(name, {}, mutant.root())
        except Refused:
            continue
        tried += 1
        found = differences(shipped(name), Edition(rules, merged.root))
        assert len(found) == 1, (mutant.span.line, mutant.what, kinds(found))
        assert mutant.span.line in lines(found, mutant.span.source.name), (mutant.span.line, mutant.what, kinds(found))
    assert tried


RESTATED = """
ruleset: 1
game: short-race
extends: race
set: {short: true}
moves:
  pass: {rule: {at: R2, en: Nobody passes.}}
  play: {if: {in turn: {rule: {at: R1, en: One stops at three.}}}}
clauses: {R1: "Cards are played, three at most."}
"""


def test_sentences_that_an_option_changes_are_told_with_it(tmp_path: Path) -> None:
    """Each once: a clause instead of the rules that cite it. A rule that does not hang on the option stands by itself."""
    text = (
        GAME
        + 'clauses: {R1: {en: "Cards are played, as many as one likes."}, R2: One may pass., R3: One may not pass.}\n'
    )
    text = text.replace(
        "in turn: not short or", "in turn: {rule: {at: R1, en: As one likes.}, is: not short or"
    ).replace("count(laid) > 3)\n", "count(laid) > 3)}\n")
    one = written(text, tmp_path / "race.yaml")
    option, passing = differences(one, written(RESTATED, tmp_path / "short-race.yaml"))
    assert (option.section, passing.path) == ("options", ("pass",))
    assert "Cards are played, three at most (R1)." in sentence(option, "en")
    assert "One stops at three" not in sentence(option, "en")
