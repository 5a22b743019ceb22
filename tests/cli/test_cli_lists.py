"""Lists of moves at a real terminal of 80 × 24: all on the screen with the table, and what is typed there."""

from __future__ import annotations

import pytest
from spaces import spaced
from test_cli_terminal import Sitting
from tiers import in_tiers

pytestmark = pytest.mark.whole
LONG = ["hearts", "spite-and-malice", "backgammon", "piquet", "grabuge", "crapette"]


@pytest.mark.parametrize("name", in_tiers(LONG, whole=["hearts"]))
def test_a_list_fits_below_its_table(name: str) -> None:
    with Sitting(
        name, "--lang", "fr", "--seed", "3", "--seats", ",".join(["human", "random", "random", "random"][: seats(name)])
    ) as table:
        for _ in range(3):
            screen = table.until(PROMPT)
            assert len(screen) <= 24
            assert any(line.lstrip().startswith("▶") for line in screen), screen
            numbered = [line for line in screen if line.lstrip()[:1].isdigit()]
            assert numbered
            table.child.sendline("1")


PROMPT = r"\r\n[^\s>]+> "


def seats(name: str) -> int:
    return 4 if name == "hearts" else 2


def test_three_cards_are_named_and_all_choices_are_paged() -> None:
    with Sitting("hearts", "--lang", "fr", "--seed", "3", "--seats", "human,random,random,random") as table:
        first = table.until(PROMPT)
        assert any(line.startswith("1–286") for line in first)
        assert sum(line.lstrip()[:1].isdigit() for line in first) == 1
        table.child.sendline("liste")
        page = table.until("arrêter -- ")
        assert len(page) <= 24
        assert "  1  passer" in "\n".join(page)
        table.child.sendline("q")
        table.until(PROMPT)
        told = "\n".join(table.answer("10p, 8c", PROMPT))
        assert "encore 1 à choisir" in told
        after = "\n".join(table.answer("5p 10p et 8c", PROMPT))
        assert "B reçoit 5♠ 10♠ 8♥" in after


def test_the_notation_of_a_game_is_shown_and_typed() -> None:
    with Sitting("backgammon", "--lang", "fr", "--seed", "3", "--seats", "human,random") as table:
        assert any(line.endswith("24/23") for line in table.until(PROMPT))
        table.answer("13/12", PROMPT)
        assert "pas permis. Un pion ne peut" in spaced(table.written)
        assert "Blanc joue 1 (flèche 24 → flèche 23)" in "\n".join(table.answer("24/23", PROMPT))


def test_help_is_no_higher_than_a_small_screen() -> None:
    with Sitting(
        "belote", "--lang", "fr", "--seed", "4", "--seats", "human,random,random,random", rows=20, columns=60
    ) as table:
        table.until(PROMPT)
        first = table.answer("aide", "arrêter -- ")
        assert len(first) <= 20
        assert first[0].startswith(("A> aide", "  3, ou un nom"))
        assert any(line.startswith("  ?  ") for line in table.answer("", PROMPT))
