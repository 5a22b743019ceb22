"""Clicks, drags, fingers and keys at the table in a real browser."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Page, begun, drag, held, middle, until

if TYPE_CHECKING:
    from webbed import Web

pytestmark = [pytest.mark.slow, pytest.mark.whole]


# ---- where something is put ------------------------------------------------------------------------------------------


def test_a_piece_is_only_put_where_it_is_dropped(web: Web, page: Page) -> None:
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
    lit = page.page.locator('#table .piece.source[data-pile^="arrow"]')
    pile = next(one.get_attribute("data-pile") for one in lit.all() if int(one.get_attribute("data-at") or 0) > 0)
    page.click(page.page.locator(f'#table .piece[data-pile="{pile}"]:not(.source)').first)
    assert page.sent == 1 or held(page) == 1 or page.page.locator("#choose[open]").count(), "any piece of a point"


def test_a_click_on_a_card_of_another_suit_is_refused_by_its_rule(web: Web, page: Page) -> None:
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
        page.page.wait_for_timeout(10)
    touch(line, "touchEnd")
    page.page.wait_for_timeout(60)


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


# ---- the table after a move -------------------------------------------------------------------------------------------


def test_focus_is_on_the_table_after_moves_of_others(web: Web, page: Page) -> None:
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


def test_the_last_move_is_marked_until_the_next(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")

    def marked() -> list[str]:
        found: list[str] = page.page.eval_on_selector_all(
            "#table .piece > .last", "all => all.map(one => one.parentNode.dataset.sign)"
        )
        return found

    assert marked() == []
    page.click(page.page.query_selector('[data-sign="2H"]'))
    page.click(page.page.query_selector('[data-sign="3C"]'))
    page.settle(0)
    assert marked() == ["2H"] and page.page.locator("#table .last.left").count() == 1
    page.shot("marked")
    page.page.reload()
    page.page.wait_for_selector("#table svg")
    assert marked() == ["2H"]
    page.page.click("#table .pile[data-pile=stock]")
    page.settle(1)
    assert "2H" not in marked() and marked()


# ---- what a click comes to -------------------------------------------------------------------------------------------


def test_one_card_too_many_is_refused(web: Web, page: Page) -> None:
    begun(page, web, "hearts", "human", "random", "random", "random", seed=3)
    cards = page.page.locator('#table .piece[data-pile="hand of A"]')
    for n in (0, 2, 4, 6):
        page.click(cards.nth(n))
    assert page.page.locator("#table .piece.picked").count() == 3
    assert page.text("#told p") == "3 pieces are chosen: put one back first."
    assert page.page.locator("#actions button.main").count() == 1
    page.shot("full")
    page.click(cards.nth(0))
    assert not page.page.is_visible("#told")
    page.click(cards.nth(6))
    assert page.page.locator("#table .piece.picked").count() == 3


def test_a_click_takes_a_card_and_a_double_click_plays_it(web: Web, page: Page) -> None:
    begun(page, web, "freecell", "human", options={"deal": 1})

    def alone(to: str) -> Any:
        """A card whose only place is one of these."""
        found = page.page.evaluate("document.querySelectorAll('#table .piece.source').length")
        for n in range(found):
            node = page.page.locator("#table .piece.source").nth(n)
            page.click(node)
            goals = page.page.eval_on_selector_all("#table .reach.target", "all => all.map(one => one.dataset.pile)")
            assert page.sent == 0 and held(page) == 1, "one click throws nothing anywhere"
            page.page.keyboard.press("Escape")
            if len(goals) == 1 and goals[0].startswith(to):
                return page.page.locator(f'#table .piece[data-sign="{node.get_attribute("data-sign")}"]')
        raise AssertionError(f"no card for {to} alone")

    card = alone("cell")
    sign, box = card.get_attribute("data-sign"), card.bounding_box()
    page.page.wait_for_timeout(500)
    page.page.mouse.dblclick(box["x"] + 9, box["y"] + 9)
    page.settle(0)
    assert page.page.locator(f'#table .piece[data-sign="{sign}"]').get_attribute("data-pile").startswith("cell")
    before = page.number
    begun(page, web, "belote", "human", "random", "random", "random", seed=6)
    until(page, lambda: page.page.locator('#table .piece.source[data-pile^="hand"]').count() > 0, 1, 40)
    before = page.number
    page.click(page.page.locator("#table .piece.source").first)
    page.settle(before)  # there is nothing to choose: one click


def test_places_without_a_move_say_so(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human", options={"unlimited_redeals": False, "redeals": 0})
    stock = page.page.locator("#table g.pile[data-pile=stock]")
    for n in range(8):
        page.click(stock)
        page.settle(n)
    page.click(stock)
    page.page.wait_for_selector("#told.why p")
    assert "[K4 " in page.text("#told") and page.number == 8
    page.shot("empty-stock")
    page.page.keyboard.press("Escape")
    page.click(page.page.locator('#table g.pile[data-pile="foundation of clubs"]'))
    page.page.wait_for_selector("#told.why p")
    assert page.text("#told p") == "Nothing can be done here now."
    begun(page, web, "spider", "human")
    page.click(page.page.locator("#table g.pile[data-pile=stock]"))
    page.settle(0)
    assert page.number == 1


# ---- what a click means ----------------------------------------------------------------------------------------------

HOLD = """async (cases) => {
  const { Hold } = await import('/static/hold.js');
  return cases.map(([moves, clicks, aims]) => {
    const hold = new Hold(moves.map((move, n) => ({ id: n, ...move })), () => null, aims);
    const said = clicks.map((spot) => (spot.twice ? hold.twice(spot) : hold.click(spot))).at(-1);
    const meant = said.play ? [said.play.id] : (said.choose ?? []).map((move) => move.id);
    return { meant, picked: hold.picked.length, targets: hold.targets(), wrong: Boolean(said.wrong), done: hold.complete().length, full: said.full ?? 0 };
  });
}"""
HAND = {"pile": "hand", "at": 0, "sign": "7H"}
OTHER = {"pile": "hand", "at": 1, "sign": "8H"}


def test_meanings_of_clicks(web: Web, page: Page) -> None:
    page.page.goto(f"{web.origin}/record")  # any page with scripts of the server

    def meant(moves: list[dict[str, Any]], *clicks: dict[str, Any], aims: bool = False) -> dict[str, Any]:
        found: list[dict[str, Any]] = page.page.evaluate(HOLD, [[moves, list(clicks), aims]])
        return found[0]

    card = {"pile": "hand", "sign": "7H"}
    other = {"pile": "hand", "sign": "8H"}
    trick = {"pick": [card], "to": "trick"}
    assert meant([trick], HAND)["meant"] == [0]  # nothing to choose: it is played
    nothing = {"meant": [], "targets": [], "wrong": False, "done": 0, "full": 0}
    assert meant([{**trick, "aimed": True}], HAND) == {**nothing, "picked": 1, "targets": ["trick"]}
    assert meant([trick], HAND, aims=True)["targets"] == ["trick"]  # elsewhere a place is chosen: it is taken
    assert meant([{"pick": [card]}], HAND, aims=True)["meant"] == [0]  # and this is put nowhere
    again = {**HAND, "twice": True}
    assert meant([trick], HAND, again, aims=True)["meant"] == [0]
    home, left, right = ({"pick": [card], "to": to, "group": to[:4]} for to in ("home", "side 1", "side 2"))
    assert meant([home, left, right], HAND, again, aims=True)["meant"] == [0]
    assert meant([left, right, home], HAND, again, aims=True)["meant"] == [0, 1, 2]
    assert meant([trick, dict(trick)], HAND)["meant"] == [0, 1]  # two sayings for one card: which?
    two = [{"pick": [card], "to": "left"}, {"pick": [card], "to": "right"}]
    assert meant(two, HAND)["targets"] == ["left", "right"]
    assert meant(two, HAND, {"pile": "right"})["meant"] == [1]
    assert meant(two, HAND, {"pile": "nowhere"})["wrong"]
    assert meant(two, HAND, HAND)["picked"] == 0
    several = [{"pick": [card, other], "several": True}, {"pick": [card], "several": True}]
    assert meant(several, HAND)["done"] == 1
    assert meant(several, OTHER)["done"] == 0
    assert meant(several, OTHER, HAND) == {**nothing, "picked": 2, "done": 1}
    cards: list[dict[str, Any]] = [{"pile": "hand", "at": n, "sign": f"{n}H"} for n in range(4)]
    pairs = [{"pick": [one, two], "several": True} for one in cards for two in cards if one["at"] < two["at"]]
    full = meant(pairs, *cards[:3])
    assert (full["full"], full["picked"]) == (2, 2)  # nothing is dropped unsaid
    assert meant(pairs, *cards[:2], cards[1], cards[2])["picked"] == 2
    only = [{"pick": cards[:2], "several": True}, {"pick": cards[2:], "several": True}]
    assert meant(only, *cards[:3])["picked"] == 1  # to put one back would not help: another set is begun
    die = [{"pick": [{"pile": "a", "at": 4}, {"pile": "dice", "sign": n}], "to": f"p{n}"} for n in "12"]
    assert meant(die, {"pile": "a", "at": 4, "sign": "w"})["targets"] == ["p1", "p2"]
    assert meant(die, {"pile": "dice", "at": 0, "sign": "2"}, {"pile": "a", "at": 4, "sign": "w"})["meant"] == [1]
    assert meant([{"near": "stock"}], {"pile": "stock", "at": 9})["meant"] == [0]
    assert meant([trick], OTHER)["meant"] == []
