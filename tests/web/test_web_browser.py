"""The table in a real browser: whole games by clicks, two browsers, keyboard, a telephone; after a reload and after a kill."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Page, begun, drag, held, middle, serious, signs_of_others, until

from interpreter.diagnostics import Source
from interpreter.game.records import replay

if TYPE_CHECKING:
    from webbed import Web

pytestmark = [pytest.mark.slow, pytest.mark.whole]
HOW = {"viewport": {"width": 1280, "height": 900}, "bypass_csp": True}
SMALL = """[...document.querySelectorAll('button, a, select, summary, input:not([type=checkbox])')].filter((node) => {
  const box = node.getBoundingClientRect();
  return node.checkVisibility({visibilityProperty: true}) && box.width > 1 && box.height > 1 && box.height < 43.5 || (box.width > 1 && box.width < 24);
}).map((node) => node.outerHTML.slice(0, 80))"""
"""Controls that are too small for a finger."""


@pytest.fixture(autouse=True)
def _short_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.web.asked.SECONDS", 0.1)


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
    made = until(page, lambda: False, 1, 200)
    page.shot("golf-over")
    assert page.over and made > 10 and page.text("#result")
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
    waiting, seat = (two, "B") if one.asked() else (one, "A")
    waiting.click(waiting.page.query_selector(f'#table .piece[data-pile="hand of {seat}"]'))
    waiting.page.wait_for_selector("#told.refused p")
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
    assert abs(one.number - two.number) <= 2


PRESSED_AT_ONCE = """() => {
  const field = document.querySelector('#why-move');
  const had = document.activeElement === field;
  document.querySelector('#asking').close();
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true, cancelable: true }));
  return [had, document.querySelector('#moves').open];
}"""
"""A key that comes after a dialog was closed and before the page is drawn again still goes to the field of the dialog."""


@pytest.mark.smoke
def test_by_keyboard_alone(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    keys = page.page.keyboard
    focus = "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''"
    inside = "document.querySelector('#table').contains(document.activeElement)"
    for _ in range(20):
        keys.press("Tab")
        if page.page.evaluate(inside):
            break
    reached = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight"):
        reached.add(page.page.evaluate(focus))
        keys.press(key)
    assert len(reached) >= 3
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
    keys.press("?")
    assert page.page.is_visible("#keys")
    keys.press("Escape")
    keys.press("w")
    keys.type("column-to-column 1 2H -> 3")
    keys.press("Enter")
    page.page.wait_for_selector("#why-told p")
    assert "[K2]" in page.text("#why-told")
    keys.press("Escape")
    keys.press("r")
    page.page.wait_for_selector("#rules-told .rule.lit")
    keys.press("Escape")
    page.page.wait_for_selector("#rules[open]", state="hidden")
    keys.press("w")
    page.page.wait_for_selector("#asking[open]")
    assert page.page.evaluate(PRESSED_AT_ONCE) == [True, True]


@pytest.mark.smoke
def test_an_illegal_drop_is_answered_by_the_rule(web: Web, pages: Any) -> None:
    page = pages(reduced_motion="no-preference")
    begun(page, web, "klondike", "human")
    drag(page, '[data-sign="2H"]', middle(page, '[data-sign="5D"]'), drop=False)
    found = page.page.eval_on_selector(
        "#table .lifted", "node => [getComputedStyle(node).visibility, +getComputedStyle(node).opacity]"
    )
    assert found[0] == "visible" and 0 < found[1] < 1, "the place of a dragged card shows its shadow"
    page.shot("dragging")
    page.page.mouse.up()
    page.page.wait_for_selector("#told.why p")
    assert "[K2]" in page.text("#told") and page.number == 0
    page.page.keyboard.press("Escape")
    loose = page.page.locator("#table .piece[role=button]:not(.source)").first.get_attribute("data-sign")
    for sign in (loose, "5D" if loose != "5D" else "3C"):
        page.page.locator(f'#table .piece[data-sign="{sign}"]').evaluate("node => node.focus()")
        page.page.keyboard.press("Enter")
    assert held(page) == 0 and page.number == 0
    drag(page, '[data-sign="2H"]', middle(page, '[data-sign="3C"]'))
    page.settle(0)
    assert page.number == 1
    assert page.page.get_attribute('[data-sign="2H"]', "data-pile") == "column at 6"


@pytest.mark.smoke
def test_french_in_the_dark_on_a_telephone_after_a_reload(web: Web, pages: Any) -> None:
    viewport = {"width": 360, "height": 740}
    page = pages(locale="fr-FR", color_scheme="dark", viewport=viewport, has_touch=True)
    for name, kinds in (("klondike", ["human"]), ("backgammon", ["human", "random"])):
        begun(page, web, name, *kinds, seed=6)
        page.step(random.Random(1))
        before, shown = page.number, page.page.inner_html("#spoken")
        page.page.reload()
        page.page.wait_for_selector("#table svg")
        page.wait("!document.querySelector('#table .drawn-before')")  # the line is open before the table has come by it
        page.rest()
        assert (page.number, page.page.inner_html("#spoken")) == (before, shown)
        assert page.page.evaluate("[document.documentElement.lang, document.documentElement.dataset.tone]") == [
            "fr",
            "dark",
        ]
        assert not page.overflows() and page.page.evaluate(SMALL) == []
        page.shot(f"phone-{name}")


def test_the_shelf_remembers_games_language_and_colours(web: Web, pages: Any) -> None:
    page = pages(locale="fr-FR", color_scheme="dark", viewport={"width": 375, "height": 720})
    tokens = web.begin("klondike", "human", seed=6)
    seat = web.sit(tokens["A"])
    for _ in range(3):
        seat.move()
    page.sit(tokens["A"])
    page.sit(web.finish("golf", "human")["A"])
    page.page.wait_for_selector("#over:not([hidden])")
    page.shelf("?lang=en")
    assert not page.overflows()
    row = page.text("#going li")
    assert page.page.locator("#going li").count() == 1
    assert "Klondike" in row and "3 moves made" in row and "Your turn" in row and "20" in row
    assert not page.page.locator("#ended li").first.is_visible()
    page.page.click("#ended summary")
    assert "Golf" in page.text("#ended li")
    assert serious(page) == []
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
    page.rest()
    assert page.number == 3


def test_a_deal_stays_on_the_table_until_continue(web: Web, page: Page) -> None:
    begun(page, web, "cribbage", "human", "random", seed=3)
    page.page.keyboard.press("m")
    page.page.wait_for_selector("#moves[open]")
    assert page.page.locator("#all-moves li").count() == 15
    page.page.fill("#moves-search", page.text("#all-moves li button").split()[-1])
    assert 0 < page.page.locator("#all-moves li:visible").count() < 15
    for _ in range(2):  # empties the field, closes the dialog
        page.page.keyboard.press("Escape")
    page.page.wait_for_selector("#moves[open]", state="hidden")
    for node in page.lit("source")[:2]:
        page.click(node)
    assert len(page.lit("picked")) == 2
    assert page.page.locator("#actions button.main").count() == 1
    page.page.click("#actions button.main")
    for n in range(120):
        if page.page.locator("#go-on").count():
            break
        if page.page.locator("#show-moves:not([disabled])").count():
            page._clicked(random.Random(n))
        page.page.wait_for_timeout(30)
    page.page.wait_for_selector("#go-on")
    page.shot("counted")
    piles = {
        one: page.page.locator(f'#table .piece[data-pile="{one}"][data-sign]').count()
        for one in ("crib", "starter", "played of A", "played of B")
    }
    assert piles == {"crib": 4, "starter": 1, "played of A": 4, "played of B": 4}
    assert "the crib" in page.text("#told") and "+" in page.text("#told")
    page.page.click("#go-on")
    page.rest()
    assert page.page.locator("#go-on").count() == 0 and any("+" in line for line in page.news)


def test_a_fault_is_called_by_one_key(web: Web, pages: Any) -> None:
    tokens = web.begin("crapette", "human", "human", options={"faults": "callable"}, seed=5)
    opened = [pages(), pages()]
    for page, token in zip(opened, tokens.values(), strict=True):
        page.sit(token, "?lang=fr")
    mover, other = opened if opened[0].asked() else opened[::-1]
    mover.step(random.Random(1))
    assert mover.asked(), "the other is not asked"
    other.wait("!document.querySelector('#call').hidden")
    assert "Crapette" in other.text("#call") and not other.asked()
    other.page.keyboard.press("!")
    other.wait("document.querySelectorAll('#actions button').length > 1")
    mover.wait("!document.querySelector('#told').hidden")
    assert not mover.asked() and other.text("#call") == ""
    other.page.click("#actions button >> nth=1")
    other.wait(
        "document.querySelector('#actions').children.length === 0 || document.querySelector('#show-moves').disabled"
    )


def serving(place: Path, port: int) -> subprocess.Popen[bytes]:
    words = ["serve", "--port", str(port), "--games", str(place)]
    found = subprocess.Popen([sys.executable, "-m", "interpreter", *words], stdout=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return found
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def test_a_game_goes_on_after_the_server_was_killed(tmp_path: Path, pages: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    place = tmp_path / "games.sqlite"
    server = serving(place, port)
    page = pages(f"http://127.0.0.1:{port}")
    try:
        page.page.goto(f"{page.origin}/record")
        order = {"game": "klondike", "seats": {"A": "human"}, "seed": 1}
        send = (
            "order => fetch('/api/tables', {method: 'POST', body: JSON.stringify(order)}).then(answer => answer.json())"
        )
        page.sit(page.page.evaluate(send, order)["tokens"]["A"])
        for n in range(2):
            page.step(random.Random(n))
        before, shown = page.number, page.page.inner_html("#spoken")
        assert before == 2
        page.page.evaluate("document.querySelector('#table [role=button]').classList.add('drawn-before')")
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        page.wait("/again/.test(document.querySelector('#state').textContent)")
        server = serving(place, port)
        page.wait("!/again/.test(document.querySelector('#state').textContent)")
        page.rest()
        assert (page.number, page.page.inner_html("#spoken")) == (before, shown)
        page.step(random.Random(7))
        assert page.number == before + 1
    finally:
        page.wrong.clear()  # a browser complains of a line that breaks
        server.kill()
        server.wait()


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tone", "name", "kinds"), [("light", "cribbage", 1), ("dark", "barbu", 3)])
def test_axe_finds_no_barrier(web: Web, pages: Any, tone: str, name: str, kinds: int) -> None:
    page = pages(color_scheme=tone)
    page.shelf()
    assert serious(page) == []
    page.page.click(f".game[data-game={name}]")
    page.page.wait_for_selector("#who select")
    assert serious(page) == []
    begun(page, web, name, "human", *["random"] * kinds, seed=2)
    assert page.page.evaluate("document.documentElement.dataset.tone") == tone
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


@pytest.mark.parametrize(
    ("name", "others"), [("cribbage", 1), ("barbu", 3), ("crapette", 1), ("yams", 1), ("hearts", 3)]
)
def test_a_telephone_has_room_for_the_table_and_for_fingers(web: Web, pages: Any, name: str, others: int) -> None:
    page = pages(viewport={"width": 360, "height": 740}, has_touch=True)
    begun(page, web, name, "human", *["random"] * others, seed=2)
    box = page.page.locator("#table svg").bounding_box()
    assert box["width"] >= 340 and page.page.evaluate("document.querySelector('#table').offsetTop") <= 130
    assert not page.overflows() and page.page.evaluate(SMALL) == []
    page.shot(f"phone-{name}")
    if name != "cribbage":
        return
    for opens, what in ((".settings summary", "#show-rules"), ("#show-news", "#news")):
        page.page.click(opens)
        page.page.wait_for_selector(what, state="visible")
        assert serious(page) == [] and page.page.evaluate(SMALL) == [] and not page.overflows()
        page.page.keyboard.press("Escape")
        page.page.wait_for_selector(what, state="hidden")
    page.page.click("#show-news")
    page.page.touchscreen.tap(180, 120)  # beside the sheet
    page.page.wait_for_selector("#news", state="hidden")


def test_windows_of_any_width_keep_all_tools(web: Web, page: Page) -> None:
    begun(page, web, "klondike", "human")
    tools = ("#undo", "#hint", "#show-moves", "#why", "#show-rules", "#show-keys")
    assert all(page.page.is_visible(one) for one in tools)
    page.page.set_viewport_size({"width": 700, "height": 900})
    page.page.wait_for_selector("#why", state="hidden")  # the page is told of it a moment later
    page.page.click(".settings summary")
    assert all(page.page.is_visible(one) for one in tools)
    page.page.click("#show-rules")
    page.page.wait_for_selector("#rules[open]")
    page.page.keyboard.press("Escape")
    page.page.set_viewport_size({"width": 2560, "height": 1440})
    for one in tools:
        page.page.wait_for_selector(one)
    assert not page.overflows()
