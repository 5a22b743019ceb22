"""The shortest test of the page in a real browser: it sends the chosen move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browsing import Page, begun, drag, middle

if TYPE_CHECKING:
    from webbed import Web

pytestmark = pytest.mark.slow


def test_clicks_and_drags_make_the_chosen_move(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    page.page.click("#show-moves")
    page.page.click("#all-moves button:has-text('2♥ from column 1 to column 6')")
    page.settle(0)
    assert page.page.get_attribute('[data-sign="2H"]', "data-pile") == "column at 6"
    drag(page, '[data-sign="AD"]', middle(page, '[data-pile="foundation of diamonds"]'))
    page.settle(1)
    assert page.page.get_attribute('[data-sign="AD"]', "data-pile") == "foundation of diamonds"
