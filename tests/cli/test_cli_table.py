"""The table as lines: legible at 80 columns, hiding what a view hides, the same for every game."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs
from views import FakeBoard, FakeItem, FakePile, FakeView, columns, pieces, pile

from interpreter import load
from interpreter.cli.catalogue import choose
from interpreter.cli.drawing import progress
from interpreter.cli.drawing.ink import Look, cut, pad, pieces_of
from interpreter.cli.drawing.lines import in_order, look_of, move_lines, why_lines
from interpreter.cli.drawing.table import table
from interpreter.game.moves import Move
from interpreter.language.model import Rule
from interpreter.printable import width
from interpreter.reading.shape import schema_text

LOOK = Look(pieces=pieces_of(load("klondike").pieces("en")))
LONG = "KS QH JS TH 9C 8D 7S 6H 5C 4D 3S 2H AC QS 2D"
SEATS = ["A", "B"]


def lines(
    *piles: FakePile, seat: str | None = "A", look: Look | None = None, state: tuple[FakeItem, ...] = ()
) -> list[str]:
    return table(FakeView(seat, "A", list(piles), list(state)), SEATS, look or LOOK)


def drawn(*piles: FakePile, **more: object) -> str:
    return "\n".join(lines(*piles, **more))  # type: ignore[arg-type]


def test_eight_long_columns_fit_80_columns_with_every_card_to_be_read() -> None:
    found = lines(*columns("side", [LONG] * 8))
    assert max(map(width, found)) <= 80
    rows = [line for line in found if line.split() == ["2♦"] * 8]
    assert len(rows) == 1


def test_low_terminals_get_strips_instead_of_fans() -> None:
    fans = lines(*columns("side", [LONG] * 8))
    strips = lines(*columns("side", [LONG] * 8), look=structs.replace(LOOK, height=14))
    assert len(strips) < len(fans)
    assert "  1 K♠ Q♥ J♠ 10♥ 9♣ 8♦ 7♠ 6♥ 5♣ 4♦ 3♠ 2♥ A♣ Q♠ 2♦" in strips


def test_sixteen_foundations_show_top_and_number() -> None:
    found = lines(*columns("centre", ["AS 2S 3S", *[""] * 14, "AD"], layout="count"))
    assert max(map(width, found)) <= 80
    assert "  3♠ ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  A♦" in found
    assert any(line.startswith("  ×3") for line in found)


def test_more_columns_than_fit_go_on_below() -> None:
    found = lines(*columns("tableau", ["AS"] * 40))
    assert max(map(width, found)) <= 80
    assert sum(line.split().count("A♠") for line in found) == 40


def test_bands_of_columns_are_about_as_wide() -> None:
    found = lines(*columns("tableau", ["AS"] * 32))
    heads = [line.split() for line in found if line.split()[:1] in (["1"], ["17"])]
    assert [len(head) for head in heads] == [16, 16]


def test_whose_men_lie_under_whose_is_seen() -> None:
    assert "3B1W" in drawn(FakePile("point", None, 1, "board", pieces("W B B B")))


def test_the_places_of_a_board_are_called_and_lie_as_the_view_says() -> None:
    points = [FakePile("point", None, n, "board", pieces("W" if n == 1 else "")) for n in (1, 2, 3)]
    ring = FakeBoard("point", tuple(pile.key for pile in reversed(points)), ("7", "8", "9"))
    found = table(FakeView("A", "A", points, boards=[ring]), SEATS, LOOK)
    assert found[-3:-1] == ["  7  8  9", "  ·  ·  1W"]


def test_a_heap_of_different_cards_is_no_number_of_its_top_one() -> None:
    assert "won Q♥ (3)" in drawn(pile("won", "AS 2S QH", layout="count"))
    assert "box W×3" in drawn(FakePile("box", None, None, "count", pieces("W W W")))


def test_a_row_is_shown_in_the_order_that_the_view_says_and_a_column_as_it_lies() -> None:
    cards, order = pile("hand", "KH 2C 5S"), (2, 0, 1)
    assert "hand 5♠ K♥ 2♣" in drawn(replace(cards, places=order))
    column = lines(replace(cards, layout="column", number=1, places=order))
    assert [line.strip() for line in column[-4:-1]] == ["K♥", "2♣", "5♠"]


def test_what_is_hidden_is_a_back_and_many_backs_are_counted() -> None:
    assert "talon ▒▒×44" in drawn(pile("talon", "?*44", layout="count"))
    assert "stock ▒▒×7 7♦" in drawn(pile("stock", "?*7 7D"))
    assert "hand ▒▒ ▒▒" in drawn(pile("hand", "? ?", owner="B"))


def test_hidden_layouts_are_not_shown() -> None:
    assert "pack" not in drawn(pile("pack", "?*52", layout="hidden"))


def test_the_seat_that_looks_sits_at_the_bottom() -> None:
    piles = [pile("hand", "AS", owner="A"), pile("heap", "2S"), pile("hand", "3S", owner="B")]
    for seat, order in (("A", "3♠ 2♠ A♠"), ("B", "A♠ 2♠ 3♠"), (None, "3♠ 2♠ A♠")):
        signs = [sign for line in lines(*piles, seat=seat) for sign in line.split() if sign.endswith("♠")]
        assert " ".join(signs) == order


def test_state_is_told_unless_it_is_nothing_for_everybody() -> None:
    state = (
        FakeItem("packets", "A", 3),
        FakeItem("packets", "B", 0),
        FakeItem("idle", None, 0),
        FakeItem("trump", None, "hearts"),
        FakeItem("open", None, True),
        FakeItem("passed", "B", False),
    )
    found = drawn(state=state)
    assert all(word in found for word in ("packets 3", "packets 0", "trump hearts", "open"))
    assert "idle" not in found
    assert "passed" not in found


def test_state_by_other_keys_is_told_together_and_only_where_there_is_some() -> None:
    pairs = (FakeItem("doubled", "A B", 0), FakeItem("doubled", "A C", 2), FakeItem("doubled", "B C", 1))
    played = (FakeItem("played", "A of plis", True), FakeItem("played", "A of dames", False))
    numbered = (FakeItem("worth", "1", 9), FakeItem("worth", "2", 0), FakeItem("builder", "1", "A"))
    found = drawn(state=(*pairs, *played, *numbered))
    assert "worth 1=9   builder 1=A" in found
    assert "doubled A-C 2, B-C 1" in found
    assert "played plis" in found
    assert "dames" not in found


def test_a_track_shows_how_far_the_peg_has_come() -> None:
    found = lines(state=(FakeItem("score", "A", 60, 121), FakeItem("score", "B", 400, 121)))
    assert found[-2].endswith(" 60/121")
    assert 20 < found[-2].index("●") < 60
    assert max(map(width, found)) <= 80


def test_the_back_peg_stands_where_the_front_peg_came_from() -> None:
    (line,) = [text for text in lines(state=(FakeItem("score", "A", 60, 121, back=52),)) if "121" in text]
    assert 0 < line.index("○") < line.index("●")
    (line,) = [text for text in lines(state=(FakeItem("score", "A", 0, 121, back=0),)) if "121" in text]
    assert "○" not in line


def test_plain_terminals_get_plain_characters() -> None:
    found = drawn(
        pile("hand", "KH 2C ?*5", owner="A"),
        *columns("side", ["", "AS"]),
        look=structs.replace(LOOK, unicode=False),
        state=(FakeItem("score", "A", 6, 61),),
    )
    assert found.isascii()
    assert "KH 2C ##x5" in found


def test_colours_do_not_change_the_layout() -> None:
    piles = [pile("hand", "KH 2C ?*5", owner="A"), *columns("side", [LONG, "", "?*3 7D"])]
    plain, coloured = lines(*piles), lines(*piles, look=structs.replace(LOOK, colour=True))
    assert [width(line) for line in plain] == [width(line) for line in coloured]
    assert any("\x1b[31mK♥" in line for line in coloured)


def test_words_of_the_ruleset_cannot_command_the_terminal() -> None:
    look = structs.replace(LOOK, labels={"piles": {"hand": "\x1b[2Jhand\x07"}})
    assert "\x1b" not in drawn(pile("hand", "KH", owner="A"), look=look)


def test_names_of_the_ruleset_are_used() -> None:
    found = drawn(
        pile("hand", "KH", owner="A"),
        look=structs.replace(LOOK, labels={"piles": {"hand": "main"}, "seats": {"A": "Anne"}}, you="vous"),
    )
    assert "main K♥" in found
    assert "Anne (vous)" in found


def test_piles_by_row_are_named_by_their_row() -> None:
    rows = [replace(pile("layout", "5S 6S", owner=None), member="spades"), replace(pile("layout", ""), member="hearts")]
    found = drawn(*rows)
    assert "layout spades 5♠ 6♠  hearts ·" in found, "their name once, as long as they fit a line"
    long = [replace(pile("layout", LONG), member=member) for member in ("spades", "hearts")]
    assert all(f"layout {member} K♠" in drawn(*long) for member in ("spades", "hearts"))
    mixed = [*long[:1], replace(rows[1], member="diamonds"), *long[1:]]
    told = [line.split()[1] for line in drawn(*mixed).splitlines() if line.startswith("  layout")]
    assert told == ["spades", "diamonds", "hearts"], "where one is long, each has its line, in their own order"
    assert "  layout diamonds ·" in drawn(*mixed)


def test_of_a_pile_hinted_to_be_a_stack_the_top_piece_and_the_number_are_shown() -> None:
    homes = [
        replace(pile("home", text), member=member, stacked=True) for member, text in (("a", "AS 2S 3S"), ("b", "AH"))
    ]
    assert "home a 3♠ (3)  b A♥" in drawn(*homes)
    runs = columns("run", ["", "", "", "KS"], layout="row")
    assert "run 1–3 ·  4 K♠" in drawn(*runs)
    fans = lines(*(replace(column, stacked=True) for column in columns("home", ["AS 2S 3S", "AH", ""])))
    assert [line.split() for line in fans[-4:-1]] == [["1", "2", "3"], ["3♠", "A♥", "·"], ["×3"]]


def test_empty_columns_of_a_low_table_are_named_from_the_first_to_the_last() -> None:
    sides = columns("side", ["AS", *[""] * 4, "2S", "", ""])
    assert "  side   1 A♠   6 2♠   2–5 7 8 ·" in low(*sides, height=1)
    bare = structs.replace(LOOK, height=1, unicode=False)
    assert "  side   1 AS   6 2S   2-5 7 8 ." in lines(*sides, look=bare)


@pytest.mark.parametrize(("text", "columns_taken"), [("abc", 3), ("é", 1), ("漢", 2), ("\x1b[31mx\x1b[0m", 1)])
def test_width(text: str, columns_taken: int) -> None:
    assert width(text) == columns_taken
    assert width(pad(text, 9)) == 9


def test_cutting() -> None:
    assert cut("abcdef", 4) == "abc~"
    assert cut("abc", 4) == "abc"


def test_state_that_is_too_long_for_a_line_goes_on_below() -> None:
    sheet = tuple(FakeItem("sheet", f"{a} {b}", n + 1) for a in "ABCD" for n, b in enumerate("ABCDEFGH"))
    found = lines(state=sheet)
    assert max(map(width, found)) <= 80
    assert sum(line.count("-H 8") for line in found) == 4


def test_long_moves_keep_their_id_below() -> None:
    from interpreter.cli.drawing.lines import move_lines

    class Long:
        id, name, fault = "a-very-long-move 1 -> 2", "a very long move", "the " + "longest " * 9 + "rule"
        sets = ()

        def text(self, lang: str) -> str:
            return "a very long move KH (side case 1) → side case 2 (7C)"

        def short(self, lang: str) -> str:
            return ""

    found = "\n".join(move_lines([Long()], structs.replace(LOOK, colour=True))).splitlines()  # type: ignore[list-item]
    assert max(map(width, found)) <= 80
    assert "a-very-long-move 1 -> 2" in found[-1]
    assert "\x1b[31mK♥\x1b[0m" in found[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("name", "behind"), [("backgammon", {"en": "13/11", "fr": "13/11"}), ("klondike", {"en": "turn-cards"})]
)
def test_behind_the_words_stands_the_notation_or_in_english_the_id(
    name: str, behind: dict[str, str], lang: str
) -> None:
    moves = load(name).start(3).moves()
    said = "\n".join(move_lines(moves, structs.replace(LOOK, lang=lang)))
    assert ("  " + behind.get(lang, "turn-cards") in said) == (lang in behind)


def test_how_far_long_work_is() -> None:
    assert progress.line("playing", 0, 100, 3.0) == f"playing {'─' * 32}   0/100"
    assert progress.line("playing", 25, 100, 30.0) == f"playing {'━' * 8}{'─' * 24}  25/100 1:30"
    assert progress.line("playing", 100, 100, 30.0, fine=False) == f"playing {'#' * 32} 100/100 0:00"


def test_every_layout_is_drawn_in_its_own_way() -> None:
    layouts = json.loads(schema_text())["definitions"]["pile"]["properties"]["layout"]["enum"][:-1]
    heap = columns("side", [LONG, "KS"])
    assert len({drawn(*(replace(one, layout=layout) for one in heap)) for layout in layouts}) == len(layouts)


def test_moves_are_listed_as_a_hand_lies_by_numbers_and_else_as_the_game_has_them() -> None:
    ids = ["wish nine", "wish ten", "wish jack", "lay 9H -> 10", "lay KS -> 2", "lay 9H -> 2", "wish jack KS", "pass"]
    moves = [Move(ident, ident.split()[0], "A", Rule(""), None, (), (), str, str) for ident in ids]
    shown = [move.id for move in in_order(moves, LOOK)]
    listed = [
        "wish nine",
        "wish ten",
        "wish jack",
        "wish jack KS",
        "lay KS -> 2",
        "lay 9H -> 2",
        "lay 9H -> 10",
        "pass",
    ]
    assert shown == listed


def test_a_reason_is_told_in_values_where_formulas_are_not_the_language_spoken() -> None:
    state, words = load("klondike").start(5), "to-the-foundation column 7"
    try:
        choose(["--lang", "fr"])
        look = look_of(state.game)
        french = [line for line in why_lines(state.why(words), look) if line.startswith("      ")]
    finally:
        choose(["--lang", "en"])
    english = why_lines(state.why(words), look_of(state.game))
    assert french == ["      famille trèfle, en tout\u00a0: 0"]
    assert "      card.rank.order is count(to) + 1 = false" in english


def test_a_value_stands_as_the_language_puts_it() -> None:
    state = (FakeItem("dealer", None, "B"), FakeItem("shut", None, True))
    assert "  dealer B   shut" in lines(state=state)
    assert "  dealer : B   shut" in lines(state=state, look=structs.replace(LOOK, entry="{name} : {value}"))


def low(*piles: FakePile, height: int, brief: bool = False, state: tuple[FakeItem, ...] = ()) -> list[str]:
    look = structs.replace(LOOK, height=height)
    return table(FakeView("A", "A", list(piles), list(state)), SEATS, look, "Game", brief=brief)


def test_a_low_table_lies_closer_before_anything_is_left_out() -> None:
    """The others take a line each, what is empty is not shown, short strips share a line; everything that lies there is still to be read."""
    sides = columns("side", ["AS 2S", "", "3S", "4S 5S", "6S", "7S"])
    piles = (pile("hand", "?*5", owner="B"), pile("won", "", owner="B"), *sides, pile("hand", "KH", owner="A"))
    large = low(*piles, height=30)
    assert any(line.startswith("  B ──") for line in large) and "won ·" in "\n".join(large)
    assert low(*piles, height=5) == [
        "Game",
        "  B   hand ▒▒×5",
        "  side   1 A♠ 2♠   3 3♠      4 4♠ 5♠   5 6♠      6 7♠   2 ·",
        "▶ A (you) ──────────────────────────────────────────────────────────────────────",
        "  hand K♥",
    ]
    assert low(*piles, height=1) == low(*piles, height=5), "no lower than that, unless it may be brief"


def test_a_brief_table_shows_the_ends_of_strips_and_says_so() -> None:
    sides = columns("side", [LONG] * 8)
    found = low(*sides, height=6, brief=True)
    assert len(found) <= 6
    assert found[0] == "Game (`table` shows all)"
    assert sum(line.count("Q♠ 2♦") for line in found) == 8
    assert "K♠" not in "\n".join(found)
    assert "K♠" in "\n".join(low(*sides, height=6))


def test_pegging_tracks_of_a_low_table_lie_beside_each_other() -> None:
    scores = tuple(FakeItem("score", seat, 60, 121) for seat in "AB")
    assert sum("/121" in line for line in low(state=scores, height=30)) == 2
    (line,) = [line for line in low(state=scores, height=4) if "/121" in line]
    assert line.count("60/121") == 2 and width(line) <= 80


def test_a_pile_whose_count_the_state_tells_is_left_out() -> None:
    won = FakePile("won", "A", None, "count", pieces("AS 2S QH"), told_by="tricks")
    state = (FakeItem("tricks", "A", 1),)
    assert "tricks 1" in drawn(won, state=state)
    assert "won" not in drawn(won, state=state)
