"""What two rulesets do not have in common: all of it, nothing else, and each thing once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from games import FEW, names
from tiers import in_tiers

from interpreter import resources as files
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
    "one player more": (
        "players: {count: 2, seats: [A, B]}",
        "players: {count: 3, seats: [A, B, C]}",
        [("replaced", "players", ())],
    ),
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


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Edition:
    """GAME as it is."""
    return written(GAME, tmp_path_factory.mktemp("race") / "race.yaml")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [*((*case, []) for case in SAME.values()), *(case for case in OTHER.values() if case[2] is not None)],
    ids=[*SAME, *(name for name, case in OTHER.items() if case[2] is not None)],
)
def test_another_spelling_is_no_difference_and_another_meaning_is_one(
    old: str, new: str, expected: list[tuple[str, str, tuple[str, ...]]], race: Edition, tmp_path: Path
) -> None:
    assert old in GAME
    found = differences(race, written(GAME.replace(old, new), tmp_path / "other.yaml"))
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


def test_an_option_is_a_cause_before_a_table_is(tmp_path: Path) -> None:
    """Both differ, and the condition of the move asks for both."""
    move = "  swap:\n    rule: {at: R3, en: Cards are swapped.}\n    take: pack\n    put: laid\n    if: {agreed: short and some r in ranks has r is ace}\n  pass:\n"
    text = GAME.replace("  pass:\n", move).replace("choose: [play,", "choose: [play, swap,")
    longer = text.replace("two: {sign: K}", "two: {sign: K}, three: {sign: Q}")
    found = differences(written(text, tmp_path / "a.yaml"), written(longer, tmp_path / "b.yaml", short=True))
    assert {(c.section, c.path) for c in found if any(inner.section == "moves" for inner in c.follows)} == {
        ("options", ("short",))
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
@pytest.mark.parametrize("name", in_tiers({*FEW, "grabuge"}, whole=["grabuge"]))
def test_nothing_differs_from_itself(name: str) -> None:
    assert differences(shipped(name), edition(name, {})) == []


@cache
def parents() -> dict[str, str]:
    """Every shipped variant and what it extends."""
    texts = {name: files.shipped()[name].read_text(encoding="utf-8") for name, is_variant in names() if is_variant}
    return {name: text.partition("\nextends:")[2].split()[0] for name, text in texts.items()}


def pairs() -> list[tuple[str, str]]:
    """Every variant beside every other of the same game, and its game."""
    above = parents()

    def root(name: str) -> str:
        return root(above[name]) if name in above else name

    every = sorted({*above, *above.values()})
    return [(a, b) for a in every for b in every if a < b and root(a) == root(b)]


UNEVEN = ("moved", "renamed")
"""Of two that changed places either may be said to have moved; who is renamed has another name on the other side."""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("grabuge", "grabuge-short"),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in random.Random(1).sample(pairs(), 20)),
    ],
)
def test_from_the_other_side_every_change_is_its_opposite(a: str, b: str) -> None:
    there, back = (differences(one, other) for one, other in ((shipped(a), shipped(b)), (shipped(b), shipped(a))))
    told = Counter((c.kind, c.section, c.path) for c in everything(there) if c.kind not in UNEVEN)
    turned = Counter((OPPOSITE[c.kind], c.section, c.path) for c in everything(back) if c.kind not in UNEVEN)
    assert told == turned
    uneven = [Counter(c.kind for c in everything(found) if c.kind in UNEVEN) for found in (there, back)]
    assert uneven[0] == uneven[1]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("race", 15),
        *(pytest.param(n, 40, marks=pytest.mark.slow) for n in ("race", "grabuge", "barbu-contre", "hearts")),
    ],
)
def test_a_mutant_differs_where_it_was_changed_and_nowhere_else(name: str, count: int, tmp_path: Path) -> None:
    place = tmp_path / "race.yaml"
    place.write_text(GAME, encoding="utf-8")
    game = str(place) if name == "race" else name
    known, every, tried = edition(game, {}), mutants(game), 0
    for mutant in random.Random(name).sample(every, min(count, len(every))):
        try:
            rules, merged = build.ruleset(game, {}, mutant.root())
        except Refused:
            continue
        tried += 1
        found = differences(known, Edition(rules, merged.root))
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
