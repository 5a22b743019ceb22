"""The page around the table in a real browser: nothing jumps, what was moved is marked, the end is an end, and all of it has room on a telephone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from browsing import Page, serious, until
from webbed import Seat, Web

pytestmark = [pytest.mark.slow, pytest.mark.whole]
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
HOW = {"bypass_csp": True}
GAMES = {
    "klondike": ["human"],
    "cribbage": ["human", "random"],
    "backgammon": ["human", "random"],
    "barbu": ["human", "random", "random", "random"],
    "crapette": ["human", "random"],
    "hearts": ["human", "random", "random", "random"],
    "yams": ["human", "random"],
}
SMALL = """[...document.querySelectorAll('button, a, select, summary, input:not([type=checkbox])')].filter((node) => {
  const box = node.getBoundingClientRect();
  return node.checkVisibility({visibilityProperty: true}) && box.width > 1 && box.height > 1 && box.height < 43.5 || (box.width > 1 && box.width < 24);
}).map((node) => node.outerHTML.slice(0, 80))"""
PLACE = "JSON.stringify([...document.querySelectorAll('#table, #table svg, #actions')].map((node) => node.getBoundingClientRect().y + scrollY))"


def own(tokens: dict[str, str]) -> str:
    return next(iter(tokens.values()))


def sat(page: Page, web: Web, name: str, *kinds: str, seed: int = 1) -> None:
    page.sit(own(web.begin(name, *kinds, seed=seed)))
    page.rest()


def refused(page: Page) -> None:
    """Puts a card where it may not go."""
    page.click(page.page.query_selector('[data-sign="2H"]'))
    page.click(page.page.query_selector('[data-sign="5D"]'))
    page.page.wait_for_selector("#told.why p")


# ---- the end ---------------------------------------------------------------------------------------------------------


def play_out(seats: dict[str, Seat]) -> None:
    """The first move there is, until it is over."""
    while not all(seat.table["over"] for seat in seats.values()):
        for seat in seats.values():
            if seat.table["moves"]:
                seat.move()
        newest = max(seat.table["n"] for seat in seats.values())
        for seat in seats.values():
            while seat.table["n"] < newest or "stop" in seat.table:
                seat.hear("table")


def test_at_the_end_the_same_people_play_again(web: Web, pages: Any) -> None:
    tokens = web.begin("cribbage", "human", "human", seed=3)
    play_out({seat: web.sit(token) for seat, token in tokens.items()})
    one, two = pages(), pages(viewport=PHONE, locale="fr-FR")
    one.sit(tokens["A"])
    two.sit(tokens["B"])
    for page in (one, two):
        page.page.wait_for_selector("#over:not([hidden])")
        assert page.page.locator("#result p").count() >= 2
        assert serious(page) == []
        page.shot(f"end-{page is two}")
    assert "Play again" in one.text("#over") and "Rejouer" in two.text("#over")
    one.page.click("#again")
    one.page.wait_for_selector("#over", state="hidden")
    one.page.wait_for_selector("#table svg")
    two.page.wait_for_selector("#along:not([hidden])")
    assert "second" in two.text("#along")
    two.page.click("#stay")
    two.page.wait_for_timeout(1500)
    assert two.over
    two.page.click("#again")
    two.page.wait_for_selector("#over", state="hidden")
    two.page.wait_for_selector("#table svg")
    assert (one.number, two.number) == (0, 0)
    seats = [web.sit(page.page.evaluate("location.hash.slice(1)")).table["seat"] for page in (one, two)]
    assert seats == ["A", "B"]
    assert one.page.evaluate("location.hash") != f"#{tokens['A']}"


def test_who_does_not_say_otherwise_is_brought_along(web: Web, pages: Any) -> None:
    tokens = web.begin("cribbage", "human", "human", seed=3)
    play_out({seat: web.sit(token) for seat, token in tokens.items()})
    page = pages()
    page.sit(tokens["B"])
    page.page.wait_for_selector("#over:not([hidden])")
    other = web.sit(tokens["A"])
    other.say(t="again")
    begun = other.hear("again")["token"]
    for _ in range(30):
        page.page.wait_for_timeout(500)
        if not page.over:
            break
    assert page.number == 0 and not page.over
    assert page.page.evaluate("location.hash") not in (f"#{tokens['B']}", f"#{begun}")


# ---- links and one's own games ---------------------------------------------------------------------------------------


def test_links_come_from_the_server_and_are_copied(web: Web, pages: Any) -> None:
    page = pages(permissions=["clipboard-read", "clipboard-write"])
    tokens = web.begin("cribbage", "human", "human", seed=3)
    page.sit(tokens["A"])  # this browser has begun nothing: it remembers no link
    page.page.click("#show-links")
    page.page.wait_for_selector("#invite[open]")
    assert page.page.locator("#links li").count() == 2
    assert serious(page) == []
    page.page.locator("#links button").first.click()
    page.wait(
        "[...document.querySelectorAll('#live p')].some((one) => /B/.test(one.textContent) && /cop/.test(one.textContent))"
    )
    kept = page.page.evaluate("navigator.clipboard.readText()")
    assert web.sit(kept.partition("#")[2]).table["seat"] == "B"
    looker = page.page.locator("#links input").last.input_value()
    assert web.sit(looker.partition("#")[2]).table["seat"] is None
    page.sit(tokens["B"])
    assert not page.page.is_visible("#show-links")


def test_own_games_say_how_far_they_are_and_can_be_taken_off(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "klondike", "human")
    for n in range(3):
        page.step(Random(n))
    sat(page, web, "golf", "human")
    until(page, lambda: False, 1, 200)
    page.shelf()
    assert page.page.locator("#going li").count() == 1
    row = page.text("#going li")
    assert "Klondike" in row and "3 moves made" in row and "Your turn" in row and "20" in row
    assert not page.page.locator("#ended li").first.is_visible()
    page.page.click("#ended summary")
    assert "Golf" in page.text("#ended li")
    page.shot("own-games")
    assert serious(page) == []
    page.page.click("#ended li button")
    assert not page.page.is_visible("#ended")
    page.page.click("#going a")
    page.page.wait_for_selector("#table svg")
    page.rest()
    assert page.number == 3


# ---- on a telephone --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en-GB", "fr-FR"])
def test_a_telephone_has_room_for_the_table_and_for_fingers(web: Web, pages: Any, lang: str) -> None:
    page = pages(viewport=PHONE, locale=lang, color_scheme="dark", has_touch=True)
    for name, kinds in GAMES.items():
        sat(page, web, name, *kinds, seed=2)
        page.step(Random(1))
        box = page.page.locator("#table svg").bounding_box()
        assert box["width"] >= 340 and page.page.evaluate("document.querySelector('#table').offsetTop") <= 130
        assert not page.overflows(), name
        assert page.page.evaluate(SMALL) == [], name
        page.shot(f"phone-{name}-{lang}")
    for opens, what in ((".settings summary", "#show-rules"), ("#show-news", "#news")):
        page.page.click(opens)
        page.page.wait_for_selector(what, state="visible")
        assert serious(page) == [] and page.page.evaluate(SMALL) == [] and not page.overflows()
        page.page.keyboard.press("Escape")
        page.page.wait_for_selector(what, state="hidden")
    page.page.click("#show-news")
    page.page.touchscreen.tap(180, 120)  # beside the sheet
    page.page.wait_for_selector("#news", state="hidden")


def test_a_window_that_becomes_narrow_keeps_all_its_tools(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "klondike", "human")
    tools = ("#undo", "#hint", "#show-moves", "#why", "#show-rules", "#show-keys")
    assert all(page.page.is_visible(one) for one in tools)
    page.page.set_viewport_size({"width": 700, "height": 900})
    page.page.wait_for_selector("#why", state="hidden")  # the page is told of it a moment later
    page.page.click(".settings summary")
    assert all(page.page.is_visible(one) for one in tools)
    page.page.click("#show-rules")
    page.page.wait_for_selector("#rules[open]")
    page.page.keyboard.press("Escape")
    page.page.set_viewport_size(WIDE)
    for one in tools:
        page.page.wait_for_selector(one)


# ---- nothing jumps, and what was moved is marked ---------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_nothing_that_is_told_pushes_the_table(web: Web, pages: Any, size: dict[str, int]) -> None:
    page = pages(viewport=size)
    sat(page, web, "klondike", "human")
    before = page.page.evaluate(PLACE)
    refused(page)
    assert page.page.evaluate(PLACE) == before
    page.page.click("#told .close")
    assert not page.page.is_visible("#told")
    refused(page)
    page.page.keyboard.press("Escape")
    assert not page.page.is_visible("#told")
    page.page.keyboard.press("h")
    page.page.wait_for_selector("#table .arrow, #table .hinted, #actions .hinted")
    assert page.page.evaluate(PLACE) == before
    page.step(Random(1))
    assert not page.page.is_visible("#told"), "what was told of the table before goes with it"


def test_the_last_move_is_marked_until_the_next(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "klondike", "human")

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


def test_what_is_dragged_leaves_its_shadow_and_not_a_blank(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "klondike", "human")
    page.page.click("#table .pile[data-pile=stock]")
    page.settle(0)
    box = page.page.locator("#table .piece[data-pile=waste]").last.bounding_box()
    mouse = page.page.mouse
    mouse.move(box["x"] + 20, box["y"] + 20)
    mouse.down()
    mouse.move(box["x"] + 90, box["y"] + 120, steps=5)
    page.shot("shadow")
    found = page.page.eval_on_selector(
        "#table .lifted", "node => [getComputedStyle(node).visibility, +getComputedStyle(node).opacity]"
    )
    assert found[0] == "visible" and 0 < found[1] < 1
    mouse.up()
    page.wait("document.querySelector('.lifted, .carried') === null")


# ---- what a click comes to -------------------------------------------------------------------------------------------


def test_a_card_more_than_may_be_chosen_is_refused_with_a_word(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "hearts", "human", "random", "random", "random", seed=3)
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


def test_a_click_takes_what_goes_somewhere_and_a_double_click_plays_it(web: Web, pages: Any) -> None:
    page = pages()
    page.sit(own(web.begin("freecell", "human", options={"deal": 1})))
    page.rest()

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
    sat(page, web, "belote", "human", "random", "random", "random", seed=6)
    until(page, lambda: page.page.locator('#table .piece.source[data-pile^="hand"]').count() > 0, 1, 40)
    before = page.number
    page.click(page.page.locator("#table .piece.source").first)
    page.settle(before)  # there is nothing to choose: one click


def held(page: Page) -> int:
    return int(page.page.locator("#table .piece.picked").count())


def test_a_place_where_nothing_can_be_done_says_so(web: Web, pages: Any) -> None:
    page = pages()
    page.sit(own(web.begin("klondike", "human", seed=1, options={"unlimited_redeals": False, "redeals": 0})))
    page.rest()
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
    sat(page, web, "spider", "human")
    page.click(page.page.locator("#table g.pile[data-pile=stock]"))
    page.settle(0)
    assert page.number == 1


GHOSTS = """() => [...document.querySelectorAll('#table .last.left')].map((ghost) => {
  const [one, pile] = [ghost.getBoundingClientRect(), ghost.nextElementSibling.getBoundingClientRect()];
  if (!ghost.nextElementSibling.querySelector('.piece'))
    return ['x', 'y', 'right', 'bottom'].every((edge) => Math.abs(one[edge] - pile[edge]) < 8);
  const near = Math.max(one.width, one.height);
  return one.x < pile.right + near && one.right > pile.x - near && one.y < pile.bottom + near && one.bottom > pile.y - near;
})"""
"""Of each mark where something came from: is it at the pile that it came from, and as that is drawn where nothing is left?"""


@pytest.mark.parametrize("name", ["scopa", "belote"])
def test_where_something_came_from_is_marked_where_its_pile_lies_now(web: Web, pages: Any, name: str) -> None:
    page = pages()
    sat(page, web, name, "human", *["random"] * (1 if name == "scopa" else 3), seed=6)
    marked, pick = 0, Random(1)
    for _ in range(400):
        ghosts = page.page.evaluate(GHOSTS)
        assert all(ghosts)
        marked += len(ghosts)
        if page.page.locator("#go-on").count() and "deal" in page.text("#state"):
            break
        if page.page.locator("#show-moves:not([disabled])").count():
            page._clicked(pick)
        page.page.wait_for_timeout(60)
    page.shot(f"deal-over-{name}")
    assert marked, "otherwise nothing was looked at"
    page.page.click("#go-on")
    page.page.wait_for_selector("#told", state="hidden")
    assert all(page.page.evaluate(GHOSTS))


def test_a_dead_link_says_so_and_offers_nothing(web: Web, pages: Any) -> None:
    page = pages()
    page.page.goto(f"{web.origin}/table#nowhere")
    page.page.wait_for_selector("#told p")
    page.wait("document.querySelector('#state').textContent === ''")
    assert "no seat" in page.text("#told")
    page.wait(
        "!document.querySelector('#undo:enabled, #hint:enabled, #show-moves:enabled, #why:enabled, #show-rules:enabled')"
    )


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_the_rules_are_folded_searched_and_open_where_something_was_refused(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "klondike", "human")
    page.page.click("#show-rules")
    page.page.wait_for_selector("#rules-told summary")
    assert page.page.locator("#rules-told details[open]").count() == 0
    page.page.fill("#rules-search", "KING")
    assert page.page.locator("#rules-told .rule:visible").count() > 0
    shown = page.page.locator("#rules-told .rule:visible").all_text_contents()
    assert all("king" in one.lower() for one in shown)
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Escape")
    refused(page)
    page.page.click("#told button:has-text('rules')")
    page.page.wait_for_selector("#rules-told .rule.lit:visible")
    assert all("K2" in one for one in page.page.locator("#rules-told .rule.lit").all_text_contents())
    assert serious(page) == []


def test_who_is_not_to_move_is_told_who_is(web: Web, pages: Any) -> None:
    tokens = web.begin("hearts", "human", "human", "human", "human", seed=3)
    page = pages()
    acting = next(seat for seat, token in tokens.items() if web.sit(token).table["moves"])
    other = next(seat for seat in tokens if seat != acting)
    page.sit(tokens[other])
    page.click(page.page.query_selector(f'#table .piece[data-pile="hand of {other}"]'))
    page.page.wait_for_selector("#told.refused p")
    assert f"It is not your turn: {acting} " in page.text("#told")


def test_many_moves_are_grouped_and_searched(web: Web, pages: Any) -> None:
    page = pages()
    sat(page, web, "cribbage", "human", "random", seed=3)
    page.page.keyboard.press("m")
    page.page.wait_for_selector("#moves[open]")
    every = page.page.locator("#all-moves li").count()
    assert every == 15
    first = page.text("#all-moves li button")
    card = first.split()[-1]
    page.page.fill("#moves-search", card)
    assert 0 < page.page.locator("#all-moves li:visible").count() < every
    page.page.fill("#moves-search", first)
    page.page.keyboard.press("Enter")
    page.settle(0)
    assert page.number >= 1


def test_a_record_is_gone_through_by_words(web: Web, pages: Any) -> None:
    page = pages(viewport=PHONE)
    sat(page, web, "golf", "human")
    until(page, lambda: False, 1, 200)
    page.page.click("#replay")
    page.page.wait_for_selector("#steps:not([hidden])")
    page.page.wait_for_selector("#table svg")
    assert [page.text(one) for one in ("#first", "#previous", "#next", "#last")] == ["Start", "Back", "Next", "End"]
    assert not page.overflows() and page.page.evaluate(SMALL) == []
    at = page.page.locator("#slider").bounding_box()
    page.page.click("#next")
    page.page.focus("#slider")
    page.page.keyboard.press("ArrowRight")
    page.wait("document.querySelector('#number').textContent.startsWith('2 /')")
    page.page.click("#last")
    page.wait("document.querySelector('#result p')")
    assert page.page.locator("#slider").bounding_box() == at
    assert serious(page) == []
    page.shot("record-phone")


def test_colours_can_be_told_apart_in_every_look(web: Web, pages: Any) -> None:
    for scheme in ("light", "dark"):
        page = pages(color_scheme=scheme)
        sat(page, web, "klondike", "human")
        assert page.page.evaluate("document.documentElement.dataset.tone") == scheme
        page.page.click(".settings summary")
        page.page.evaluate("document.querySelector('#table svg').dataset.before = 'yes'")
        page.page.click("#four")
        page.wait("!document.querySelector('#table svg').dataset.before")  # drawn anew
        page.page.keyboard.press("Escape")
        refused(page)
        assert serious(page) == []
        page.shot(f"four-{scheme}")
