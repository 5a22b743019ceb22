"""The table in a real browser: whole games by clicks, drags, fingers, keyboard, two browsers, a telephone, a lost connection."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Page, begun, drag, held, middle, serious, signs_of_others
from rules import read_cases

from hoyle.diagnostics import Source
from hoyle.game.records.records import replay

if TYPE_CHECKING:
    from webbed import Web

pytestmark = pytest.mark.slow
HOW = {"viewport": {"width": 1280, "height": 900}, "bypass_csp": True}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
SMALL = """[...document.querySelectorAll('button, a, select, summary, input:not([type=checkbox])')].filter((node) => {
  const box = node.getBoundingClientRect();
  return node.checkVisibility({visibilityProperty: true}) && box.width > 1 && box.height > 1 && box.height < 43.5 || (box.width > 1 && box.width < 24);
}).map((node) => node.outerHTML.slice(0, 80))"""
"""Controls that are too small for a finger."""


@pytest.fixture(autouse=True)
def _short_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.web.seat_requests.HINT_SECONDS", 0.1)


@pytest.mark.smoke
def test_a_whole_game_by_clicks_from_the_shelf_to_its_record(web: Web, page: Page) -> None:
    page.shelf()
    page.wait("[...document.querySelectorAll('.game img')].slice(0, 4).every(one => one.complete && one.naturalWidth)")
    page.shot("shelf")
    page.page.fill("#search", "golf")
    page.page.click(".game[data-game=golf]")
    page.page.wait_for_selector("#who select")
    page.page.click("#options-box summary")
    page.page.click("#start")
    page.page.wait_for_selector("#table svg")
    pick, made = random.Random(1), 0
    while not page.over:
        page.step(pick)
        made += 1
    page.shot("golf-over")
    assert made > 10 and page.text("#result")
    with page.page.expect_download() as kept:
        page.page.click("#download")
    record = Path(kept.value.path()).read_text(encoding="utf-8")
    assert replay(Source("r.jsonl", record), game="golf").complete


@pytest.mark.smoke
def test_two_browsers_at_one_table(web: Web, pages: Any) -> None:
    tokens = web.begin("cribbage", "human", "human", seed=3)
    one, two = pages(), pages(locale="fr-FR")
    one.sit(tokens["A"])
    two.sit(tokens["B"])
    pick, made = random.Random(5), 0
    while made < 8:
        for page in (one, two):
            if page.asked():
                before = page.number
                page.clicks(pick)
                page.wait(f"Number(document.querySelector('#table').dataset.n) > {before}")
                made += 1
    assert two.text("#news") != one.text("#news")
    assert signs_of_others(one.heard, "hand of A") and signs_of_others(two.heard, "hand of B")
    assert not signs_of_others(one.heard, "hand of B") and not signs_of_others(two.heard, "hand of A")


@pytest.mark.smoke
def test_by_keyboard_alone(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    keys = page.page.keyboard
    inside = "document.querySelector('#table').contains(document.activeElement)"
    for _ in range(20):
        keys.press("Tab")
        if page.page.evaluate(inside):
            break
    page.page.evaluate("document.querySelector('#table .piece.source[data-sign=\"2H\"]').focus()")
    keys.press("Enter")
    assert page.page.get_attribute(".piece.picked", "data-sign") == "2H"
    assert "column 6" in page.page.get_attribute("#table .reach.target", "aria-label")
    keys.press("Escape")
    assert held(page) == 0
    keys.press("Enter")
    page.page.wait_for_selector("#table .reach.target")
    for _ in range(12):
        if page.page.evaluate("document.activeElement?.classList.contains('target')"):
            break
        keys.press("ArrowRight")
    keys.press("Enter")
    page.settle(0)
    assert page.number == 1 and page.page.evaluate(inside)
    keys.press("u")
    page.settle(1)
    assert page.number == 2
    keys.press("h")
    page.page.wait_for_selector("#told.hint p")
    keys.press("w")
    keys.type("column-to-column 1 2H -> 3")
    keys.press("Enter")
    page.page.wait_for_selector("#why-told p")
    assert "[K2]" in page.text("#why-told")


@pytest.mark.smoke
def test_an_illegal_drop_is_answered_by_the_rule(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    drag(page, '[data-sign="2H"]', middle(page, '[data-sign="5D"]'), drop=False)
    assert page.page.locator("#table .lifted").count() == 1
    page.shot("dragging")
    page.page.mouse.up()
    page.page.wait_for_selector("#told.why p")
    assert "[K2]" in page.text("#told") and page.number == 0
    page.page.keyboard.press("Escape")
    drag(page, '[data-sign="2H"]', (2, 890))  # beside the table
    page.wait("document.querySelector('.lifted, .carried') === null")
    assert page.sent == 0 and held(page) == 0
    drag(page, '[data-sign="2H"]', middle(page, '[data-sign="3C"]'))
    page.settle(0)
    assert page.page.get_attribute('[data-sign="2H"]', "data-pile") == "column at 6"


@pytest.mark.smoke
@pytest.mark.parametrize("name", ["klondike", "backgammon", "barbu", "yams"])
def test_french_in_the_dark_on_a_telephone_after_a_reload(web: Web, pages: Any, name: str) -> None:
    page = pages(locale="fr-FR", color_scheme="dark", **PHONE)
    others = {"klondike": 0, "barbu": 3}.get(name, 1)
    begun(page, web, name, "human", *["random"] * others, seed=6)
    page.step(random.Random(1))
    before, shown = page.number, page.page.inner_html("#spoken")
    page.page.reload()
    page.page.wait_for_selector("#table svg")
    page.wait("!document.querySelector('#table .drawn-before')")  # the connection opens before the table arrives
    page.rest()
    assert (page.number, page.page.inner_html("#spoken")) == (before, shown)
    settings = page.page.evaluate("[document.documentElement.lang, document.documentElement.dataset.tone]")
    assert settings == ["fr", "dark"]
    assert page.page.locator("#table svg").bounding_box()["width"] >= 340
    assert not page.overflows() and page.page.evaluate(SMALL) == []
    page.shot(f"phone-{name}")


def test_the_shelf_remembers_games_language_and_colours(web: Web, pages: Any) -> None:
    page = pages(locale="fr-FR", color_scheme="dark", viewport={"width": 375, "height": 720})
    tokens = web.begin("klondike", "human", seed=6)
    web.sit(tokens["A"]).move()
    page.sit(tokens["A"])
    page.sit(web.finish("golf", "human")["A"])
    page.page.wait_for_selector("#over:not([hidden])")
    page.shelf("?lang=en")
    row = page.text("#going li")
    assert "Klondike" in row and "1 move made" in row and "Your turn" in row
    page.page.click("#ended summary")
    assert "Golf" in page.text("#ended li") and not page.overflows() and serious(page) == []
    page.page.click("#ended li button")
    assert not page.page.is_visible("#ended")
    page.page.click(".settings summary")
    page.page.select_option("#lang", "fr")
    page.page.select_option("#theme", "light")
    page.wait("document.querySelector('h1').textContent !== 'Games'")
    assert page.page.evaluate("document.documentElement.dataset.tone") == "light"
    page.page.keyboard.press("Escape")
    page.page.click("#going a")
    page.page.wait_for_selector("#table svg")


def test_a_game_goes_on_after_a_lost_connection(web: Web, page: Page) -> None:
    token = web.begin("klondike", "human")["A"]
    page.sit(token)
    page.rest()
    for line in list(web.server.server_state.connections):
        line.loop.call_soon_threadsafe(line.transport.abort)
    web.sit(token).move()
    page.wait("document.querySelector('#table').dataset.n === '1'")
    page.step(random.Random(2))
    assert page.number == 2


def test_axe_finds_no_barrier(web: Web, pages: Any) -> None:
    page = pages(color_scheme="dark")
    page.shelf()
    assert serious(page) == []
    page.page.click(".game[data-game=barbu]")
    page.page.wait_for_selector("#who select")
    assert serious(page) == []
    begun(page, web, "barbu", "human", *["random"] * 3, seed=2)
    page.step(random.Random(1))
    page.page.click(".settings summary")
    page.page.evaluate("document.querySelector('#table svg').dataset.before = 'yes'")
    page.page.click("#four")
    page.wait("!document.querySelector('#table svg').dataset.before")  # drawn again in four colours
    page.page.keyboard.press("Escape")
    assert serious(page) == []
    for opens, what in (("w", "#asking"), ("m", "#moves"), ("?", "#keys")):
        page.page.keyboard.press(opens)
        page.page.wait_for_selector(f"{what}[open]")
        assert serious(page) == []
        page.page.keyboard.press("Escape")
        page.page.wait_for_selector(what, state="hidden")


def test_moves_of_others_are_announced_animated_and_stop_at_a_full_trick(web: Web, pages: Any) -> None:
    page = pages(reduced_motion="no-preference")
    begun(page, web, "belote", "human", "random", "random", "random", seed=6)
    page.page.evaluate(
        "window.moving = window.most = 0; setInterval(() => {"
        "window.moving = Math.max(window.moving, document.getAnimations().length);"
        "window.most = Math.max(window.most, document.querySelectorAll('#table .piece[data-pile^=\"trick of\"]').length)}, 10)"
    )
    for n in range(30):
        if page.page.evaluate("window.most") == 4:
            break
        page.step(random.Random(n))
    assert page.page.evaluate("window.most") == 4 and page.page.evaluate("window.moving") > 0
    assert page.page.locator("#live p").count() > 0


def test_windows_of_any_width_show_all_tools(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    tools = ("#undo", "#hint", "#show-moves", "#why", "#show-rules", "#show-keys")
    assert all(page.page.is_visible(one) for one in tools)
    page.page.set_viewport_size({"width": 700, "height": 900})
    page.page.wait_for_selector("#why", state="hidden")  # the page notices a moment later
    page.page.click(".settings summary")
    assert all(page.page.is_visible(one) for one in tools) and not page.overflows()


def test_a_finger_drags_and_taps_and_a_swipe_plays_nothing(web: Web, pages: Any) -> None:
    page = pages(viewport={"width": 400, "height": 700}, has_touch=True, is_mobile=True)
    begun(page, web, "klondike", "human", seed=1)
    line = page.page.context.new_cdp_session(page.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def swipe(start: tuple[float, float], end: tuple[float, float]) -> None:
        touch("touchStart", start)
        for n in range(1, 9):
            touch("touchMove", (start[0] + (end[0] - start[0]) * n / 8, start[1] + (end[1] - start[1]) * n / 8))
            page.page.wait_for_timeout(10)
        touch("touchEnd")
        page.page.wait_for_timeout(60)

    x, y = middle(page, "#table g.pile[data-pile=stock]")
    swipe((x, y), (x, y + 120))  # over what a tap would turn
    assert page.sent == 0
    swipe(middle(page, '[data-sign="2H"]'), middle(page, '[data-sign="3C"]'))
    page.settle(0)
    assert page.page.get_attribute('[data-sign="2H"]', "data-pile") == "column at 6"
    page.page.touchscreen.tap(*middle(page, "#table g.pile[data-pile=stock]"))
    page.settle(1)


def test_places_without_a_move_explain_why(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human", options={"unlimited_redeals": False, "redeals": 0})
    stock = page.page.locator("#table g.pile[data-pile=stock]")
    for n in range(8):
        page.click(stock)
        page.settle(n)
    page.click(stock)
    page.page.wait_for_selector("#told.why p")
    assert "[K4 " in page.text("#told") and page.number == 8
    page.page.keyboard.press("Escape")
    page.click(page.page.locator('#table g.pile[data-pile="foundation of clubs"]'))
    page.page.wait_for_selector("#told.why p")
    assert page.text("#told p") == "Nothing can be done here now."


CLICK_ALL = """async (cases) => {
  const { Selection } = await import('/static/selection.js');
  return cases.map(({ moves, clicks, aims }) => {
    const selection = new Selection(moves.map((move, n) => ({ id: n, ...move })), () => null, aims ?? false);
    const said = clicks.map((spot) => (spot.twice ? selection.doubleClick(spot) : selection.click(spot))).at(-1);
    const meant = said.play ? [said.play.id] : (said.choose ?? []).map((move) => move.id);
    return { meant, picked: selection.picked.length, targets: selection.listTargets(), wrong: Boolean(said.wrong), done: selection.findComplete().length, full: said.full ?? 0 };
  });
}"""


def test_meanings_of_clicks(web: Web, page: Page) -> None:
    page.page.goto(f"{web.origin}/record")  # any page with scripts of the server
    cases = read_cases("web/clicks")["clicks"]
    for case, found in zip(cases, page.page.evaluate(CLICK_ALL, cases), strict=True):
        wanted = {key: value for key, value in case.items() if key in found}
        assert found | wanted == found, case["about"]
