"""Pieces that are told along with points and words, and the ends of tricks and deals: in no record, alike in both engines, and
never pieces that somebody may not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from games import game as shipped_game
from games import originals
from tiers import in_tiers

from interpreter import load, validate
from interpreter.diagnostics import Source
from interpreter.game.game import Game
from interpreter.game.records import lines, replay
from interpreter.language.steps import Ends, every_step
from interpreter.running.along import ENDED

"""Two apples, two breads and two cakes lie on the market, cakes on top."""


def counts(folder: Path, step: str, face: str = "up") -> Game:
    path = folder / "counts.yaml"
    path.write_text(GAME.replace("STEP", step).replace("FACE", face), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("step", "text", "of"),
    [
        ("score: 2, to: me, as: {en: fair}, of: top(shelf)", "A +2 fair (b)", [["b"]]),
        ("score: 2, to: me, as: {en: fair}, of: shelf", "A +2 fair (c c b)", [["c", "c", "b"]]),
        ("score: 2, to: me, of: 'last(shelf, 2)'", "A +2 (c b)", [["c", "b"]]),
        (
            "score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'",
            "A +4 pairs (c c, c b, c b)",
            [["c", "c"], ["c", "b"], ["c", "b"]],
        ),
        ("score: 2, to: me, as: {en: pair}, of: pairs_of(2)", "A +2 pair (c c)", [["c", "c"]]),
        ("score: 2, to: me, as: {en: none}, of: pairs_of(3)", "A +2 none", None),
        ("score: 2, to: me, as: {en: hidden}, of: hand of B", "A +2 hidden", None),
        ("score: 2, to: me, as: {en: both}, of: '(cards(hand of B), cards(shelf))'", "A +2 both", None),
        ("score: 2, to: me, as: {en: nothing}, of: top(hand of A)", "A +2 nothing", None),
        ("for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)", "A +2, bread (b)", [["b"]]),
        ("say: {en: shows}, of: shelf", "A shows (c c b)", [["c", "c", "b"]]),
        ("say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'", "A shows (c c b + b)", [["c", "c", "b"], ["b"]]),
        ("say: {en: keeps}, of: hand of B", "A keeps", None),
        ("ends: trick", "A wins the trick", None),
    ],
)  # fmt: skip
def test_what_is_told(step: str, text: str, of: list[list[str]] | None, tmp_path: Path) -> None:
    game = counts(tmp_path, step)
    state = game.start(1)
    found = [event for event in state.events if event.text() == text]
    assert len(found) == 1, [event.text() for event in state.events]
    for seat in ("A", "B", None):
        assert found[0].text("en", seat) == text
    assert found[0].data.get("of") == of
    written = list(lines(state.play("go-on"), 1, folder=tmp_path))
    assert not any('"of"' in line or '"ends"' in line for line in written)
    assert replay(Source(str(tmp_path / "record"), "\n".join(written))).complete


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize(
    "step",
    [
        "score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'",
        "for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)",
        "score: 2, to: me, of: hand of B",
        "say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'",
        "do: {one: {by: B, ends: trick}, all: {ends: deal}}",
    ],
)
def test_both_engines_tell_the_same(step: str, tmp_path: Path) -> None:
    game = counts(tmp_path, step)
    assert difference(game, engine_of(game), 1) is None


def test_what_lies_covered_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "counts.yaml"
    text = GAME.replace("STEP", "score: 2, to: me, of: shelf").replace("FACE", "top seen")
    path.write_text(text, encoding="utf-8")
    assert [(d.code, "covered in `shelf`" in d.message) for d in validate([path])] == [("R401", True)]


def test_rules_that_only_tell_are_no_other_rules(tmp_path: Path) -> None:
    """What was recorded or saved before they were told is of the same game."""
    plain = counts(tmp_path, "score: 2, to: me").digest
    told = GAME.replace("STEP", "score: 2, to: me, of: 'finest(2)'").replace("FACE", "up")
    told = told.replace("terms: {", "terms: {finest(n): 'last(shelf, some_of(n))', some_of(n): n, ")
    told = told.replace("    asked:", "    over:   {ends: deal}\n    asked:")
    (tmp_path / "counts.yaml").write_text(told, encoding="utf-8")
    assert load(tmp_path / "counts.yaml").digest == plain


def test_a_term_that_is_told_and_played_by_is_a_rule(tmp_path: Path) -> None:
    step = "score: count(pairs_of(2)), to: me, of: pairs_of(2)"
    (tmp_path / "other").mkdir()
    path = tmp_path / "other" / "counts.yaml"
    path.write_text(GAME.replace("STEP", step).replace("FACE", "up").replace("subsets(shelf, n)", "subsets(market, n)"))
    assert load(path).digest != counts(tmp_path, step).digest


def test_every_game_of_tricks_tells_who_wins_them_and_where_a_deal_ends() -> None:
    for name in originals():
        game = shipped_game(name)
        phases = game.ruleset.phases
        steps = every_step(step for phase in phases.values() for step in phase.steps)
        told = {step.verb.what for step in steps if isinstance(step.verb, Ends)}
        if ("play the tricks", False) in phases or ("play the tricks", True) in phases:
            assert told == {"trick", "deal"}, name
        if ("deal", False) in phases or ("deal", True) in phases:
            assert "deal" in told or len(game.seats) == 1, name


@pytest.mark.parametrize(
    "name", in_tiers([*originals(), "piquet-au-cent"], quick=["cribbage"], whole=["cribbage", "scopa"])
)
def test_the_last_deal_ends_with_the_game_though_it_is_left(name: str) -> None:
    game = shipped_game(name)
    steps = every_step(step for phase in game.ruleset.phases.values() for step in phase.steps)
    if any(isinstance(step.verb, Ends) and step.verb.what == "deal" for step in steps):
        log = game.playout(1).core.log or ()
        last = max(n for n, raw in enumerate(log) if raw[0] == "move")
        assert ("ends", ENDED.index("deal")) in [raw[:2] for raw in log[last:]]
