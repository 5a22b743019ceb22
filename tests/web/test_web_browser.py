"""The table in a real browser: whole games by clicks, by keyboard, in French, in the dark, on a telephone; after a reload and after a kill."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from browsing import serious, signs_of_others, until
from webbed import Web

from interpreter.diagnostics import Source
from interpreter.game.records import replay

pytestmark = [pytest.mark.slow, pytest.mark.whole]
HOW = {"viewport": {"width": 1280, "height": 900}}


def own(tokens: dict[str, str]) -> str:
    return next(iter(tokens.values()))


def test_a_whole_klondike_by_clicks_from_the_shelf_to_its_record(web: Web, pages: Any) -> None:
    page = pages()
    page.shelf()
    page.wait("[...document.querySelectorAll('.game img')].slice(0, 10).every(one => one.complete && one.naturalWidth)")
    page.shot("shelf")
    page.page.fill("#search", "klond")
    page.page.click(".game[data-game=klondike]")
    page.page.wait_for_selector("#who select")
    page.page.click("#options-box summary")
    page.shot("order")
    page.page.click("#start")
    page.page.wait_for_selector("#table svg")
    made = until(page, lambda: False, 1, 400)
    page.shot("klondike-over")
    assert page.over and made > 10
    assert page.text("#result")
    with page.page.expect_download() as kept:
        page.page.click("#download")
    record = Path(kept.value.path()).read_text(encoding="utf-8")
    assert replay(Source("r.jsonl", record), game="klondike").complete
    page.page.click("#replay")
    page.page.wait_for_selector("#steps")
    page.page.wait_for_selector("#table svg")
    page.page.focus("#slider")
    page.page.keyboard.press("End")
    page.wait("document.querySelector('#slider').value === document.querySelector('#slider').max")
    page.wait("document.querySelectorAll('#news li').length > 0")
    page.shot("record")


def test_a_deal_of_cribbage_by_clicks(web: Web, pages: Any) -> None:
    page = pages()
    page.sit(own(web.begin("cribbage", "human", "random", seed=3)))

    def deals() -> int:
        return sum("shuffled" in line for line in page.news)

    first = deals()
    page.rest()
    page.shot("cribbage")
    for node in page.lit("source")[:2]:
        page.click(node)
    assert len(page.lit("picked")) == 2
    assert page.page.locator("#actions button.main").count() == 1
    page.page.click("#actions button.main")
    until(page, lambda: deals() > first, 3, 60)
    assert deals() > first
    assert any(re.search(r"\+\d", line) for line in page.news)
    page.shot("cribbage-counted")


def test_a_fault_is_called_by_one_key_without_being_asked_after_every_move(web: Web, pages: Any) -> None:
    tokens = web.begin("crapette", "human", "human", options={"faults": "callable"}, seed=5)
    pages = [pages(), pages()]
    for page, token in zip(pages, tokens.values(), strict=True):
        page.sit(token, "?lang=fr")
    mover, other = pages if pages[0].asked() else pages[::-1]
    mover.step(random.Random(1))
    assert mover.asked(), "the other is not asked"
    other.wait("!document.querySelector('#call').hidden")
    assert "Crapette" in other.text("#call") and not other.asked()
    other.shot("crapette-may-call")
    other.page.keyboard.press("!")
    other.wait("document.querySelectorAll('#actions button').length > 1")
    mover.wait("!document.querySelector('#told').hidden")
    mover.shot("crapette-called")
    assert not mover.asked() and other.text("#call") == ""
    other.page.click("#actions button >> nth=1")
    other.wait(
        "document.querySelector('#actions').children.length === 0 || document.querySelector('#show-moves').disabled"
    )
    other.shot("crapette-judged")


def test_two_browsers_in_one_barbu(web: Web, pages: Any) -> None:
    tokens = web.begin("barbu", "human", "random", "human", "random", seed=4)
    one, two = pages(), pages(locale="fr-FR")
    one.sit(tokens["A"])
    two.sit(tokens["C"])
    pick, made = random.Random(5), 0
    while made < 34:
        for page in (one, two):
            if page.asked():
                before = page.number
                page.clicks(pick)
                page.wait(f"Number(document.querySelector('#table').dataset.n) > {before}")
                made += 1
        one.page.wait_for_timeout(30)
    one.shot("barbu-A")
    two.shot("barbu-C-french")
    assert two.text("#news") != one.text("#news")
    assert signs_of_others(one.heard, "hand of A") and signs_of_others(two.heard, "hand of C")
    assert not signs_of_others(one.heard, "hand of C") and not signs_of_others(two.heard, "hand of A")
    assert abs(one.number - two.number) <= 4


def test_by_keyboard_alone(web: Web, pages: Any) -> None:
    page = pages()
    page.sit(own(web.begin("klondike", "human", seed=1)))
    keys = page.page.keyboard
    focus = "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''"
    for _ in range(20):
        keys.press("Tab")
        if page.page.evaluate("document.querySelector('#table').contains(document.activeElement)"):
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
    assert page.page.locator(".piece.picked").count() == 0
    keys.press("Enter")
    page.page.wait_for_selector("#table .reach.target")
    page.shot("keyboard")
    for _ in range(12):
        if page.page.evaluate("document.activeElement?.classList.contains('target')"):
            break
        keys.press("ArrowRight")
    keys.press("Enter")
    page.settle(0)
    assert page.number == 1
    assert page.page.evaluate("document.querySelector('#table').contains(document.activeElement)")
    keys.press("u")
    page.settle(1)
    assert page.number == 2
    keys.press("h")
    page.page.wait_for_selector("#told.hint p")
    keys.press("?")
    assert page.page.is_visible("#keys")
    keys.press("Escape")
    keys.press("w")
    page.page.keyboard.type("column-to-column 1 2H -> 3")
    keys.press("Enter")
    page.page.wait_for_selector("#why-told p")
    assert "[K2]" in page.text("#why-told")
    keys.press("Escape")
    keys.press("r")
    page.page.wait_for_selector("#rules-told .rule.lit")
    page.shot("rules")


PRESSED_AT_ONCE = """() => {
  const field = document.querySelector('#why-move');
  const had = document.activeElement === field;
  document.querySelector('#asking').close();
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true, cancelable: true }));
  return [had, document.querySelector('#moves').open];
}"""
"""A key that comes when a dialog has been closed, and the page not drawn since: it still goes to the field that was written into."""


def test_no_key_is_lost_when_a_field_is_closed(web: Web, pages: Any) -> None:
    page = pages()
    page.sit(own(web.begin("klondike", "human", seed=1)))
    page.rest()
    page.page.keyboard.press("w")
    page.page.wait_for_selector("#asking[open]")
    page.page.keyboard.type("m")
    assert page.page.input_value("#why-move") == "m"
    assert page.page.evaluate(PRESSED_AT_ONCE) == [True, True]


def test_an_illegal_drop_is_answered_by_the_rule_and_its_source(web: Web, pages: Any) -> None:
    page = pages(reduced_motion="no-preference")
    page.sit(own(web.begin("klondike", "human", seed=1)))
    source, target = page.page.locator('[data-sign="2H"]'), page.page.locator('[data-sign="5D"]')
    box, to = source.bounding_box(), target.bounding_box()
    mouse = page.page.mouse
    mouse.move(box["x"] + 20, box["y"] + 20)
    mouse.down()
    mouse.move(box["x"] + 60, box["y"] + 50, steps=4)
    mouse.move(to["x"] + 20, to["y"] + 40, steps=8)
    page.shot("dragging")
    mouse.up()
    page.page.wait_for_selector("#told.why p")
    assert "[K2]" in page.text("#told")
    page.shot("illegal-drop")
    assert page.number == 0
    box, to = source.bounding_box(), page.page.locator('[data-sign="3C"]').bounding_box()
    mouse.move(box["x"] + 20, box["y"] + 20)
    mouse.down()
    mouse.move(to["x"] + 20, to["y"] + 40, steps=8)
    mouse.up()
    page.settle(0)
    assert page.number == 1
    assert page.page.get_attribute('[data-sign="2H"]', "data-pile") == "column at 6"


def test_reload_in_mid_game_french_dark_on_a_telephone(web: Web, pages: Any) -> None:
    how = {"locale": "fr-FR", "color_scheme": "dark", "viewport": {"width": 375, "height": 720}, "has_touch": True}
    page = pages(**how)
    for name, kinds in (
        ("klondike", ["human"]),
        ("belote", ["human", *["random"] * 3]),
        ("backgammon", ["human", "random"]),
    ):
        page.sit(own(web.begin(name, *kinds, seed=6)))
        page.rest()
        for n in range(4):
            page.step(random.Random(n))
        before, shown = page.number, page.page.inner_html("#spoken")
        page.page.reload()
        page.page.wait_for_selector("#table svg")
        page.wait("!document.querySelector('#table .drawn-before')")  # the line is open before the table has come by it
        page.rest()
        assert (page.number, page.page.inner_html("#spoken")) == (before, shown)
        assert not page.overflows()
        assert page.page.evaluate("document.documentElement.lang") == "fr"
        assert page.page.evaluate("document.documentElement.dataset.tone") == "dark"
        page.shot(f"phone-{name}")
    page.shelf()
    assert not page.overflows()
    page.shot("phone-shelf")
    assert page.page.locator("#mine li").count() == 3
    page.page.click(".settings summary")
    page.page.select_option("#lang", "en")
    page.page.select_option("#theme", "light")
    page.wait("document.querySelector('h1').textContent === 'Games'")
    assert page.page.evaluate("document.documentElement.dataset.tone") == "light"


def test_on_a_projector(web: Web, pages: Any) -> None:
    page = pages(viewport={"width": 2560, "height": 1440})
    page.sit(own(web.begin("hearts", "human", "random", "random", "random", seed=2)))
    page.rest()
    assert not page.overflows()
    page.shot("projector-hearts")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


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


def test_the_server_is_killed_and_the_game_goes_on(tmp_path: Path, pages: Any) -> None:
    place, port = tmp_path / "games.sqlite", free_port()
    server = serving(place, port)
    page = pages(f"http://127.0.0.1:{port}")
    try:
        page.shelf()
        order = {"game": "klondike", "seats": {"A": "human"}, "seed": 1}
        send = (
            "order => fetch('/api/tables', {method: 'POST', body: JSON.stringify(order)}).then(answer => answer.json())"
        )
        page.sit(own(page.page.evaluate(send, order)["tokens"]))
        for n in range(5):
            page.step(random.Random(n))
        before, shown = page.number, page.page.inner_html("#spoken")
        assert before == 5
        page.page.evaluate("document.querySelector('#table [role=button]').classList.add('drawn-before')")
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        page.wait("/again/.test(document.querySelector('#state').textContent)")
        page.shot("lost")
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


@pytest.mark.parametrize("tone", ["light", "dark"])
def test_nobody_is_kept_out(web: Web, pages: Any, tone: str) -> None:
    page = pages(color_scheme=tone, bypass_csp=True)
    page.shelf()
    assert serious(page) == []
    page.page.click(".game[data-game=klondike]")
    page.page.wait_for_selector("#who select")
    assert serious(page) == []
    for name, kinds in (
        ("klondike", ["human"]),
        ("barbu", ["human", *["random"] * 3]),
        ("cribbage", ["human", "random"]),
    ):
        page.sit(own(web.begin(name, *kinds, seed=2)))
        page.rest()
        assert serious(page) == []
        page.step(random.Random(1))
        assert serious(page) == []
        for opens, what in (("w", "#asking"), ("m", "#moves"), ("?", "#keys")):
            page.page.keyboard.press(opens)
            page.page.wait_for_selector(f"{what}[open]")
            assert serious(page) == []
            page.page.keyboard.press("Escape")
            page.page.wait_for_selector(what, state="hidden")
    page.page.goto(f"{web.origin}/record")
    page.page.wait_for_selector("#file")
    page.wait("document.querySelector('#news-head').textContent !== ''")  # words come after the page
    assert serious(page) == []


def test_what_others_do_is_announced_and_seen_moving(web: Web, pages: Any) -> None:
    page = pages(reduced_motion="no-preference")
    page.sit(own(web.begin("hearts", "human", "random", "random", "random", seed=3)))
    page.rest()
    page.page.evaluate(
        "window.moving = 0; setInterval(() => { window.moving = Math.max(window.moving, document.getAnimations().length) }, 10)"
    )
    for n in range(3):
        page.step(random.Random(n))
    assert page.page.evaluate("window.moving") > 0
    assert page.page.locator("#live p").count() > 0


def test_at_the_end_the_analysis(web: Web, pages: Any) -> None:
    page = pages()
    page.sit(own(web.begin("golf", "human", seed=1)))
    until(page, lambda: False, 1, 200)
    page.page.click("#analyse")
    page.page.wait_for_selector("#analysis[open] table", timeout=120_000)
    page.shot("analysis")
    assert page.page.locator("#analysis-told tbody tr").count() > 3


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


def test_what_a_click_means(web: Web, pages: Any) -> None:
    page = pages()
    page.shelf()

    def meant(moves: list[dict[str, Any]], *clicks: dict[str, Any], aims: bool = False) -> dict[str, Any]:
        found: list[dict[str, Any]] = page.page.evaluate(HOLD, [[moves, list(clicks), aims]])
        return found[0]

    card = {"pile": "hand", "sign": "7H"}
    other = {"pile": "hand", "sign": "8H"}
    trick = {"pick": [card], "to": "trick"}
    assert meant([trick], HAND)["meant"] == [0]  # nothing to choose: it is played
    assert meant([{**trick, "aimed": True}], HAND) == {
        "meant": [],
        "picked": 1,
        "targets": ["trick"],
        "wrong": False,
        "done": 0,
        "full": 0,
    }
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
    assert meant(several, OTHER, HAND) == {
        "meant": [],
        "picked": 2,
        "targets": [],
        "wrong": False,
        "done": 1,
        "full": 0,
    }
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
