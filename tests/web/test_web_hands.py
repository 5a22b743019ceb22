"""What hands do at the table in a real browser: with a mouse, with a finger, by keyboard; what may not be is told, and what is over is looked at."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from browsing import Page
from webbed import Web

pytestmark = [pytest.mark.slow, pytest.mark.whole]


def begun(page: Page, web: Web, name: str, *kinds: str, seed: int) -> None:
    page.sit(next(iter(web.begin(name, *kinds, seed=seed).values())))
    page.rest()


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.page.locator(selector).last.bounding_box()
    return box["x"] + min(box["width"] / 2, 16), box["y"] + min(box["height"] / 2, 12)


def drag(page: Page, source: str, to: tuple[float, float]) -> None:
    mouse, (x, y) = page.page.mouse, middle(page, source)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 12, y + 12, steps=3)
    mouse.move(*to, steps=6)
    mouse.up()


def held(page: Page) -> int:
    return int(page.page.locator("#table .piece.picked").count())


# ---- where something is put ------------------------------------------------------------------------------------------


def test_a_piece_is_only_put_where_it_was_let_fall(web: Web, page: Page) -> None:
    begun(page, web, "backgammon", "human", "random", seed=6)
    piece = page.page.locator('#table .piece.source[data-pile^="arrow"]').last
    pile, at = piece.get_attribute("data-pile"), piece.get_attribute("data-at")
    source = f'#table .piece[data-pile="{pile}"][data-at="{at}"]'
    page.click(piece)
    reach = set(page.page.eval_on_selector_all("#table .reach.target", "all => all.map(one => one.dataset.pile)"))
    page.page.keyboard.press("Escape")
    points = page.page.eval_on_selector_all("#table g.pile", "all => all.map(one => one.dataset.pile)")
    other = next(one for one in points if one.startswith(pile.split()[0]) and one not in {*reach, pile})
    drag(page, source, middle(page, f'#table g.pile[data-pile="{other}"]'))
    page.page.wait_for_selector("#told.why p")
    assert page.sent == 0 and held(page) == 0
    drag(page, source, (2, 790))  # beside the board
    page.wait("document.querySelector('.lifted, .carried') === null")
    assert page.sent == 0 and held(page) == 0


def test_a_card_that_may_not_be_played_is_picked_up_and_why_not_is_told(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human", seed=1)
    before = page.number
    loose = page.page.locator("#table .piece[role=button]:not(.source)").first
    sign = loose.get_attribute("data-sign")
    goal = next(
        one
        for one in page.page.eval_on_selector_all("#table .piece[data-sign]", "all => all.map(one => one.dataset.sign)")
        if one != sign and one != "2H"
    )
    drag(page, f'#table .piece[data-sign="{sign}"]', middle(page, f'#table .piece[data-sign="{goal}"]'))
    page.page.wait_for_selector("#told.why p")
    assert re.search(r"\[K\d+\]", page.text("#told"))
    page.page.locator(f'#table .piece[data-sign="{sign}"]').evaluate("node => node.focus()")
    page.page.keyboard.press("Enter")
    assert page.page.get_attribute("#table .piece.picked", "data-sign") == sign
    page.page.locator(f'#table .piece[data-sign="{goal}"]').evaluate("node => node.focus()")
    page.page.keyboard.press("Enter")
    assert held(page) == 0 and page.number == before


def test_a_card_of_another_suit_is_refused_by_its_rule_at_a_click(web: Web, page: Page) -> None:
    begun(page, web, "hearts", "human", "random", "random", "random", seed=3)
    for _ in range(60):
        loose = page.page.locator('#table .piece[role=button][data-pile="hand of A"]:not(.source):not(.picked)')
        if page.page.locator("#table .piece.source").count() and loose.count():
            break
        page.step(Random(2))
    before = page.number
    page.click(loose.last)
    page.page.wait_for_selector("#told.why p")
    assert re.search(r"\[HE\d+\]", page.text("#told"))
    assert page.number == before and held(page) == 0
    page.shot("refused-card")


# ---- fingers ---------------------------------------------------------------------------------------------------------


def touch(line: Any, kind: str, *points: tuple[float, float]) -> None:
    line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def swipe(page: Page, line: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    touch(line, "touchStart", start)
    for n in range(1, 9):
        at = (start[0] + (end[0] - start[0]) * n / 8, start[1] + (end[1] - start[1]) * n / 8)
        touch(line, "touchMove", at)
        page.page.wait_for_timeout(20)
    touch(line, "touchEnd")
    page.page.wait_for_timeout(150)


def test_a_finger_drags_and_taps_and_a_swipe_plays_nothing(web: Web, pages: Any) -> None:
    page = pages(viewport={"width": 400, "height": 700}, has_touch=True, is_mobile=True)
    begun(page, web, "klondike", "human", seed=1)
    line = page.page.context.new_cdp_session(page.page)
    swipe(page, line, (middle(page, "#table g.pile[data-pile=stock]")[0], 300), (200, 60))
    assert page.sent == 0
    x, y = middle(page, "#table g.pile[data-pile=stock]")
    swipe(page, line, (x, y), (x, y + 120))  # over what a tap would turn
    assert page.sent == 0
    swipe(page, line, middle(page, '[data-sign="2H"]'), middle(page, '[data-sign="3C"]'))
    page.settle(0)
    assert page.page.get_attribute('[data-sign="2H"]', "data-pile") == "column at 6"
    page.page.touchscreen.tap(*middle(page, "#table g.pile[data-pile=stock]"))
    page.settle(1)


# ---- links, ends, keys -----------------------------------------------------------------------------------------------


def test_links_are_kept_whatever_is_closed(web: Web, page: Page) -> None:
    page.shelf()
    page.page.click(".game[data-game=cribbage]")
    page.page.wait_for_selector("#who select")
    page.page.locator("#who select").nth(1).select_option("human")
    page.page.click("#start")
    page.page.wait_for_selector("#invite[open]")
    link = page.page.input_value("#links input")
    page.page.keyboard.press("Escape")
    page.page.wait_for_selector("#table svg")
    page.page.reload()
    page.page.wait_for_selector("#show-links:not([hidden])")
    assert page.page.locator("#invite[open]").count() == 0
    page.page.click("#show-links")
    page.page.wait_for_selector("#invite[open]")
    once_more = page.page.input_value("#links input")
    assert web.sit(once_more.partition("#")[2]).table["seat"] == web.sit(link.partition("#")[2]).table["seat"] == "B"
    page.page.keyboard.press("Escape")
    page.shelf()
    assert page.page.locator("#mine li").count() == 1


def test_a_deal_that_is_over_stays_until_continue(web: Web, page: Page) -> None:
    begun(page, web, "cribbage", "human", "random", seed=3)
    for n in range(60):
        if page.page.locator("#go-on").count():
            break
        if page.page.locator("#show-moves:not([disabled])").count():
            page._clicked(Random(n))
        page.page.wait_for_timeout(60)
    page.page.wait_for_selector("#go-on")
    page.shot("counted")
    piles = {
        one: page.page.locator(f'#table .piece[data-pile="{one}"][data-sign]').count()
        for one in ("crib", "starter", "played of A", "played of B")
    }
    assert piles == {"crib": 4, "starter": 1, "played of A": 4, "played of B": 4}
    assert "the crib" in page.text("#told") and "+" in page.text("#told")
    page.page.wait_for_timeout(1500)
    assert page.page.locator("#go-on").count() == 1
    page.page.click("#go-on")
    page.rest()
    assert page.page.locator("#go-on").count() == 0


def test_a_full_trick_is_seen_before_it_goes(web: Web, page: Page) -> None:
    begun(page, web, "belote", "human", "random", "random", "random", seed=6)
    page.page.evaluate(
        "window.most = 0; setInterval(() => { window.most = Math.max(window.most, document.querySelectorAll("
        "'#table .piece[data-pile^=\"trick of\"]').length) }, 15)"
    )
    for n in range(30):
        if page.page.evaluate("window.most") == 4:
            break
        page.step(Random(n))
    assert page.page.evaluate("window.most") == 4


def test_the_keyboard_is_on_the_table_again_when_others_have_moved(web: Web, page: Page) -> None:
    begun(page, web, "backgammon", "human", "random", seed=6)
    page.page.locator("#table .piece.source").first.evaluate("node => node.focus()")
    keys = page.page.keyboard
    inside = "document.querySelector('#table').contains(document.activeElement)"
    for _ in range(3):
        before = page.number
        keys.press("Enter")
        page.page.wait_for_timeout(60)
        if page.page.locator("#choose[open]").count():
            keys.press("Enter")
        if page.page.locator("#table .reach.target").count():
            keys.press("ArrowUp")
            page.page.locator("#table .reach.target").first.evaluate("node => node.focus()")
            keys.press("Enter")
        page.settle(before)
        assert page.page.evaluate(inside)
    keys.press("w")
    assert page.page.input_value("#why-move") == ""


def test_any_place_of_a_point_takes_its_piece_and_print_can_be_read(web: Web, page: Page) -> None:
    begun(page, web, "backgammon", "human", "random", seed=6)
    lit = page.page.locator('#table .piece.source[data-pile^="arrow"]')
    pile = next(one.get_attribute("data-pile") for one in lit.all() if int(one.get_attribute("data-at") or 0) > 0)
    other = page.page.locator(f'#table .piece[data-pile="{pile}"]:not(.source)').first
    page.click(other)
    assert page.sent == 1 or held(page) == 1 or page.page.locator("#choose[open]").count()
    page.shot("point")
    begun(page, web, "klondike", "human", seed=1)
    assert page.page.evaluate("document.querySelector('#table svg').getScreenCTM().a") >= 0.9
    page.shot("klondike-wide")
