"""Events: pieces that a step turns up, hands over or tells with points and words, and the ends of tricks and deals.

Each seat reads only pieces that it may see. None of this stands in a record, and both engines tell the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from games import game as shipped_game
from games import originals
from rules import change_rules, load_rules, write_rules
from tiers import some_now

from interpreter import State, validate
from interpreter.diagnostics import Source
from interpreter.game.events import told
from interpreter.game.records import lines, replay
from interpreter.language.steps import Ends, every_step
from interpreter.running.along import ENDED


def check_record(state: State, folder: Path, *absent: str) -> None:
    written = list(lines(state.play("go-on"), 1, folder=folder))
    assert not any(word in line for line in written for word in absent)
    assert replay(Source(str(folder / "record"), "\n".join(written))).complete


def texts(state: State, known: int = 0) -> list[str]:
    return [event.text() for _, event in told(state.game.compiled, state.core, known)]


# ---- what a step turns up and hands over: nothing is shuffled, dill lies on top of the stock, then cakes -------------


@pytest.mark.parametrize(
    ("step", "found"),
    [
        (
            "do: {up: {turn: stock, count: 2, face: up}, taken: {move: stock, count: 2, to: hand}}",
            ["stock, turned up: b b"],
        ),
        (
            "do: {two: {move: stock, count: 2, to: seen}, down: {turn: seen, face: down}, up: {turn: seen, face: up}}",
            ["seen, turned up: b", "seen, turned up: b"],
        ),
        ("turn: hand of B, face: up", ["hand of B, turned up: c d"]),
        ("turn: stock, count: 1, face: down", []),
        ("turn: market, face: up", []),
        ("move: stock, count: 2, to: market", ["market, turned up: b b"]),
        ("move: '(top(hand of A), top(stock))', from: '(hand of A, stock)', to: market", []),
        ("do: {known: {move: market, to: stock}, back: {move: stock, count: 1, to: market}}", ["market, turned up: b"]),
        ("do: {up: {move: stock, count: 1, to: market}, on: {move: market, to: seen}}", ["market, turned up: b"]),
        ("do: {laid: {move: stock, count: 2, to: heap}, off: {move: top(heap), to: market}}", ["heap, turned up: b"] * 2),
        ("do: {laid: {move: market, to: heap}, off: {move: heap, to: seen}}", []),
    ],
)  # fmt: skip
def test_everybody_is_told_what_is_turned_up(step: str, found: list[str], tmp_path: Path) -> None:
    piles = {"STEP": step, "market: {}": "market: {}\n  seen: {face: top seen}\n  heap: {face: top up}"}
    state = change_rules("game/gifts", tmp_path, piles).start(1)
    opened, *turned = [event for event in state.events if event.kind == "turned"]
    assert opened.text("en") == "market, turned up: b"
    for seat in ("A", "B", None):
        assert [event.text("en", seat) for event in turned] == found
    check_record(state, tmp_path, "turned")


@pytest.mark.parametrize(
    ("step", "own", "others"),
    [
        ("deal: stock, count: 1, to: hand, from: B", ["B receives ?", "A receives b"], ["B receives b", "A receives ?"]),
        (
            "move: '(bottom(hand of B), top(purse of A))', from: '(hand of B, purse of A)', to: hand",
            ["A receives c d"],
            ["A receives 2 × ?"],
        ),
        ("move: stock, count: 3, to: hand", ["A receives a b b"], ["A receives 3 × ?"]),
        ("move: top(hand of B), to: hand", ["A receives c"], ["A receives c"]),
        ("move: purse of A, to: hand", [], []),
        ("move: market, to: hand", [], []),
        ("move: hand of A, to: stock", [], []),
        ("do: {all: {move: hand, to: stock}, new: {move: stock, count: 2, to: hand}}", [], []),
    ],
)  # fmt: skip
def test_a_seat_reads_what_it_receives_and_others_how_much(
    step: str, own: list[str], others: list[str], tmp_path: Path
) -> None:
    state = change_rules("game/gifts", tmp_path, {"STEP": step}).start(1)
    received = [event for event in state.events if event.kind == "received"]
    assert [event.text("en", "A") for event in received] == own
    assert [event.text("en", "B") for event in received] == others
    assert all("?" in event.text("en", None) for event in received)
    check_record(state, tmp_path, "received")


def test_cards_laid_out_before_the_first_move_are_not_told(tmp_path: Path) -> None:
    """The view shows them. A single pile is told, and so is what comes later."""
    step = "do: {one: {move: stock, count: 1, to: stall at 1}, two: {move: stock, count: 2, to: stall at 2}}"
    changes = {"STEP": step, "market: {}": "market: {}\n  stall: {columns: 2, face: up}"}
    changes["[go on]}"] = "[go on]}\n    later: {move: stock, count: 1, to: stall at 1}"
    state = change_rules("game/gifts", tmp_path, changes).start(1)
    assert texts(state) == ["market, turned up: b"]
    later, known = state.play("go-on"), len(state.core.log or ())
    found = [(n, e.text()) for n, e in told(later.game.compiled, later.core, known)]
    assert found[-1] == (known + 1, "stall 1, turned up: a")


@pytest.mark.parametrize(
    ("step", "found"),
    [
        (
            "do: {up: {move: stock, count: 1, to: market}, first: {say: bottom(market)}, name: {say: top(market)}}",
            ["market, turned up: b"],
        ),
        (
            "do: {up: {turn: stock, count: 1, face: up}, words: {say: {en: look}, of: top(stock)}}",
            ["stock, turned up: b", "A — look (b)"],
        ),
        ("do: {up: {move: stock, count: 1, to: market}, name: {say: top(market)}}", ["market, turned up: b"]),
        ("do: {over: {ends: deal}, name: {say: top(market)}}", ["end of the deal", "A — b"]),
    ],
)
def test_a_piece_just_turned_up_is_not_named_again(step: str, found: list[str], tmp_path: Path) -> None:
    assert texts(change_rules("game/gifts", tmp_path, {"STEP": step}).start(1)) == ["market, turned up: b", *found]


def test_cards_that_a_move_uncovers_are_told_after_it() -> None:
    """A whole row at once; nothing of what lay there before the first move."""
    assert texts(load_rules("game/row").start(1).play("clear 2").play("row")) == [
        "A clears column 2",
        "column 2, turned up: d",
        "A — row",
        "column 1 … column 4, turned up: b b b b",
    ]


# ---- pieces told with points and words: two of each lie on the market, cakes on top ---------------------------------

COUNTS = {"FACE": "up"}


@pytest.mark.parametrize(
    ("step", "text", "of"),
    [
        (
            "score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'",
            "A +4 pairs (c c, c b, c b)",
            [["c", "c"], ["c", "b"], ["c", "b"]],
        ),
        ("score: 2, to: me, as: {en: both}, of: '(cards(hand of B), cards(shelf))'", "A +2 both", None),
        ("score: 2, to: me, as: {en: fair}, of: top(shelf)", "A +2 fair (b)", [["b"]]),
        ("score: 2, to: me, as: {en: fair}, of: shelf", "A +2 fair (c c b)", [["c", "c", "b"]]),
        ("score: 2, to: me, of: 'last(shelf, 2)'", "A +2 (c b)", [["c", "b"]]),
        ("score: 2, to: me, as: {en: pair}, of: pairs_of(2)", "A +2 pair (c c)", [["c", "c"]]),
        ("score: 2, to: me, as: {en: none}, of: pairs_of(3)", "A +2 none", None),
        ("score: 2, to: me, as: {en: hidden}, of: hand of B", "A +2 hidden", None),
        ("score: 2, to: me, as: {en: nothing}, of: top(hand of A)", "A +2 nothing", None),
        ("for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)", "A +2, bread (b)", [["b"]]),
        ("say: {en: shows}, of: shelf", "A shows (c c b)", [["c", "c", "b"]]),
        ("say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'", "A shows (c c b + b)", [["c", "c", "b"], ["b"]]),
        ("say: {en: keeps}, of: hand of B", "A keeps", None),
        ("ends: trick", "A wins the trick", None),
    ],
)  # fmt: skip
def test_pieces_are_told_with_points_and_words(
    step: str, text: str, of: list[list[str]] | None, tmp_path: Path
) -> None:
    state = change_rules("game/counts", tmp_path, COUNTS | {"STEP": step}).start(1)
    (found,) = [event for event in state.events if event.text() == text]
    assert {found.text("en", seat) for seat in ("A", "B", None)} == {text}
    assert found.data.get("of") == of
    check_record(state, tmp_path, '"of"', '"ends"')


@pytest.mark.whole
@with_compiler
def test_both_engines_tell_the_same(tmp_path: Path) -> None:
    steps = [
        "pairs: {score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'}",
        "goods: {for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)}",
        "hidden: {score: 2, to: me, of: hand of B}",
        "shown: {say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'}",
        "trick: {by: B, ends: trick}",
        "deal: {ends: deal}",
    ]
    game = change_rules("game/counts", tmp_path, COUNTS | {"STEP": f"do: {{{', '.join(steps)}}}"})
    assert difference(game, engine_of(game), 1) is None


def test_covered_pieces_cannot_be_told(tmp_path: Path) -> None:
    path = write_rules("game/counts", tmp_path, {"STEP": "score: 2, to: me, of: shelf", "FACE": "top seen"})
    assert [(d.code, "covered in `shelf`" in d.message) for d in validate([path])] == [("R401", True)]


def test_rules_that_only_tell_do_not_change_the_digest(tmp_path: Path) -> None:
    """Records and saves from before they were told stay valid. A term that is also played by is a rule."""
    plain = change_rules("game/counts", tmp_path, COUNTS | {"STEP": "score: 2, to: me"}).digest
    telling = COUNTS | {"STEP": "score: 2, to: me, of: 'finest(2)'"}
    telling["terms: {"] = "terms: {finest(n): 'last(shelf, some_of(n))', some_of(n): n, "
    telling["    asked:"] = "    over:   {ends: deal}\n    asked:"
    assert change_rules("game/counts", tmp_path, telling).digest == plain
    played = COUNTS | {"STEP": "score: count(pairs_of(2)), to: me, of: pairs_of(2)"}
    other = played | {"subsets(shelf, n)": "subsets(market, n)"}
    digests = {change_rules("game/counts", tmp_path, changes).digest for changes in (played, other)}
    assert len(digests) == 2


@pytest.mark.slow
def test_every_game_of_tricks_tells_their_winners_and_the_ends_of_deals() -> None:
    for name in originals():
        game = shipped_game(name)
        phases = game.ruleset.phases
        steps = every_step(step for phase in phases.values() for step in phase.steps)
        ends = {step.verb.what for step in steps if isinstance(step.verb, Ends)}
        if ("play the tricks", False) in phases or ("play the tricks", True) in phases:
            assert ends == {"trick", "deal"}, name
        if ("deal", False) in phases or ("deal", True) in phases:
            assert "deal" in ends or len(game.seats) == 1, name


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["cribbage", "scopa", "barbu", "gin-rummy", "piquet-au-cent", "hearts"], 1))
def test_the_last_deal_ends_with_the_game(name: str) -> None:
    log = shipped_game(name).playout(1).core.log or ()
    last = max(n for n, raw in enumerate(log) if raw[0] == "move")
    assert ("ends", ENDED.index("deal")) in [raw[:2] for raw in log[last:]]
