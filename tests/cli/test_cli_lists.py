"""Lists of moves at a terminal of 80 × 24: they fit below the table, are paged, and take what is typed there."""

import pytest
from commands import Run, command_lines
from games import game
from spaces import spaced
from terminals import Sitting

run = command_lines
pytestmark = pytest.mark.whole
PROMPT = r"\r\n[^\s>]+> "
PAGER = "arrêter -- "


def sit(name: str, rows: int = 24, columns: int = 80) -> Sitting:
    seats = ",".join(["human", *["random"] * (len(game(name).seats) - 1)])
    return Sitting(name, "--lang", "fr", "--seed", "3", "--seats", seats, rows=rows, columns=columns)


def test_three_cards_are_named_and_all_choices_are_paged(run: Run) -> None:
    with sit("hearts") as table:
        first = table.until(PROMPT)
        assert any(line.startswith("1–286") for line in first)
        assert sum(line.lstrip()[:1].isdigit() for line in first) == 1
        page = table.answer("liste", PAGER)
        assert len(page) <= 24 and "  1  passer" in "\n".join(page)
        table.answer("q", PROMPT)
        assert "choisissez-en encore 1" in "\n".join(table.answer("10p, 8c", PROMPT))
        assert "B reçoit 5♠ 10♠ 8♥" in "\n".join(table.answer("5p 10p et 8c", PROMPT))


def test_notation_of_a_game_is_shown_and_typed(run: Run) -> None:
    with sit("backgammon", rows=20, columns=60) as table:
        assert any(line.endswith("24/23") for line in table.until(PROMPT))
        table.answer("13/12", PROMPT)
        assert "pas permis. Un pion ne peut" in " ".join(spaced(table.written).split())
        assert "Blanc joue 1 (flèche 24 → flèche 23)" in "\n".join(table.answer("24/23", PROMPT))
        assert len(table.answer("aide", PAGER)) <= 20
        assert any(line.startswith("  ?  ") for line in table.answer("", PROMPT))
