"""The page around the table in a real browser: the end of a game, links, messages, rules, records."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Page, begun, serious

if TYPE_CHECKING:
    from webbed import Web

pytestmark = pytest.mark.slow
PHONE = {"width": 360, "height": 740}
HOW = {"bypass_csp": True}
PLACE = "JSON.stringify([...document.querySelectorAll('#table, #table svg, #actions')].map((node) => node.getBoundingClientRect().y + scrollY))"


def refused(page: Page) -> None:
    """Put a card where it may not go."""
    page.click(page.page.query_selector('[data-sign="2H"]'))
    page.click(page.page.query_selector('[data-sign="5D"]'))
    page.page.wait_for_selector("#told.why p")


def test_the_same_people_play_again(web: Web, pages: Any) -> None:
    """One player asks for it, and the other follows after a countdown."""
    tokens = web.finish("watched", "human", "human")
    one, two = pages(), pages(viewport=PHONE, locale="fr-FR")
    two.page.clock.install()
    one.sit(tokens["A"])
    two.sit(tokens["B"])
    for page in (one, two):
        page.page.wait_for_selector("#over:not([hidden])")
        assert page.page.locator("#result p").count() >= 1 and serious(page) == []
    assert "Play again" in one.text("#over") and "Rejouer" in two.text("#over")
    one.page.click("#again")
    one.page.wait_for_selector("#over", state="hidden")
    two.page.wait_for_selector("#along:not([hidden])")
    two.page.clock.run_for(60_000)
    two.page.wait_for_selector("#over", state="hidden")
    two.page.wait_for_selector("#table svg")
    assert (one.number, two.number) == (0, 0)
    seats = [web.sit(page.page.evaluate("location.hash.slice(1)")).table["seat"] for page in (one, two)]
    assert seats == ["A", "B"] and one.page.evaluate("location.hash") != f"#{tokens['A']}"


def test_a_game_is_analysed_and_its_record_read_step_by_step(web: Web, pages: Any) -> None:
    page = pages(viewport=PHONE)
    page.sit(web.finish("golf", "human")["A"])
    page.page.click("#analyse")
    page.page.wait_for_selector("#analysis[open] table", timeout=120_000)
    assert page.page.locator("#analysis-told tbody tr").count() > 3
    page.page.keyboard.press("Escape")
    page.page.click("#replay")
    page.page.wait_for_selector("#steps:not([hidden])")
    page.page.wait_for_selector("#table svg")
    assert [page.text(one) for one in ("#first", "#previous", "#next", "#last")] == ["Start", "Back", "Next", "End"]
    page.page.click("#next")
    page.page.focus("#slider")
    page.page.keyboard.press("ArrowRight")
    page.wait("document.querySelector('#number').textContent.startsWith('2 /')")
    page.page.click("#last")
    page.wait("document.querySelector('#result p')")
    page.wait("document.querySelector('#slider').value === document.querySelector('#slider').max")
    assert page.news and not page.overflows() and serious(page) == []


def test_links_are_copied_and_shown_again(web: Web, pages: Any) -> None:
    page = pages(permissions=["clipboard-read", "clipboard-write"])
    page.shelf()
    page.page.click(".game[data-game=cribbage]")
    page.page.wait_for_selector("#who select")
    page.page.locator("#who select").nth(1).select_option("human")
    page.page.click("#start")
    page.page.wait_for_selector("#invite[open]")
    link = page.page.input_value("#links input")
    page.page.keyboard.press("Escape")
    page.page.click("#show-links")
    page.page.wait_for_selector("#invite[open]")
    assert page.page.locator("#links li").count() == 2 and serious(page) == []
    page.page.locator("#links button").first.click()
    page.wait("[...document.querySelectorAll('#live p')].some((one) => /cop/.test(one.textContent))")
    copied = page.page.evaluate("navigator.clipboard.readText()")
    looker = page.page.locator("#links input").last.input_value()
    seats = [web.sit(one.partition("#")[2]).table["seat"] for one in (link, copied, looker)]
    assert seats == ["B", "B", None]
    page.sit(link.partition("#")[2])
    assert not page.page.is_visible("#show-links")


def test_a_dead_link_offers_nothing(web: Web, page: Page) -> None:
    page.page.goto(f"{web.origin}/table#nowhere")
    page.page.wait_for_selector("#told p")
    page.wait("document.querySelector('#state').textContent === ''")
    assert "not valid" in page.text("#told")
    tools = ("#undo", "#hint", "#show-moves", "#why", "#show-rules")
    page.wait(f"!document.querySelector('{', '.join(f'{one}:enabled' for one in tools)}')")


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_messages_do_not_move_the_table(web: Web, pages: Any, size: dict[str, int]) -> None:
    page = pages(viewport=size)
    begun(page, web, "klondike", "human")
    before = page.page.evaluate(PLACE)
    refused(page)
    assert page.page.evaluate(PLACE) == before
    page.page.click("#told .close")
    assert not page.page.is_visible("#told")
    refused(page)
    page.step(Random(1))
    assert not page.page.is_visible("#told"), "what was told of the table before goes with it"


def test_rules_are_folded_searched_and_open_at_the_refused_one(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    page.page.click("#show-rules")
    page.page.wait_for_selector("#rules-told summary")
    assert page.page.locator("#rules-told details[open]").count() == 0
    page.page.fill("#rules-search", "KING")
    shown = page.page.locator("#rules-told .rule:visible").all_text_contents()
    assert shown and all("king" in one.lower() for one in shown)
    for _ in range(2):  # empties the field, closes the dialog
        page.page.keyboard.press("Escape")
    refused(page)
    page.page.click("#told button:has-text('rules')")
    page.page.wait_for_selector("#rules-told .rule.lit:visible")
    assert all("K2" in one for one in page.page.locator("#rules-told .rule.lit").all_text_contents())


def test_the_last_move_is_marked_until_the_next(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    marked = "[...document.querySelectorAll('#table .piece > .last')].map(one => one.parentNode.dataset.sign)"
    assert page.page.evaluate(marked) == []
    page.click(page.page.query_selector('[data-sign="2H"]'))
    page.click(page.page.query_selector('[data-sign="3C"]'))
    page.settle(0)
    page.page.reload()
    page.page.wait_for_selector("#table svg")
    assert page.page.evaluate(marked) == ["2H"]
    page.page.click("#table .pile[data-pile=stock]")
    page.settle(1)
    assert "2H" not in page.page.evaluate(marked)
