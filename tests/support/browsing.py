"""Chromium without a window, driven by Playwright. Tests that need it are skipped where it is missing."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from webbed import Web

SHOTS = os.environ.get("HOYLE_ARTEFACTS")
"""The folder for screenshots."""
SECONDS = 30_000.0
"""Milliseconds: the longest wait, also on a busy machine."""
USUAL = {"reduced_motion": "reduce", "locale": "en-GB", "viewport": {"width": 1280, "height": 800}}
"""The options of new pages, unless `HOW` of a test file or a test changes them."""
COUNTED = """(() => {
  const say = WebSocket.prototype.send;
  window.movesSent = 0;
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).t === "move") window.movesSent += 1;
    return say.call(this, text);
  };
})()"""
"""Counts the moves that a page sends. It runs before the page's own scripts. Counting answers would miss a move on its way."""


def chromium() -> str | None:
    """Return the path of Chromium: `HOYLE_CHROMIUM`, else the one that is installed."""
    named = os.environ.get("HOYLE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def needed() -> tuple[Any, str]:
    """Return Playwright and the path of Chromium. Skip the test if one is missing, unless `HOYLE_BROWSER=1`."""
    must = os.environ.get("HOYLE_BROWSER") == "1"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        (pytest.fail if must else pytest.skip)("Playwright is not installed: `pip install 'hoyle[browser]'`")
    found = chromium()
    if found is None:
        (pytest.fail if must else pytest.skip)("there is no Chromium on this machine (`apt install chromium`)")
    return sync_playwright, str(found)


class Page:
    """A page, used by somebody who sees what is highlighted."""

    def __init__(self, page: Any, origin: str) -> None:
        self.page, self.origin, self.wrong = page, origin, list[str]()
        self.heard = list[str]()
        page.set_default_timeout(SECONDS)
        page.add_init_script(COUNTED)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("websocket", lambda line: line.on("framereceived", lambda text: self.heard.append(str(text))))

    def shelf(self, query: str = "") -> None:
        self.page.goto(f"{self.origin}/{query}")
        self.page.wait_for_selector(".game")

    def sit(self, token: str, query: str = "") -> None:
        self.page.goto("about:blank")
        self.page.goto(f"{self.origin}/table{query}#{token}")
        self.page.wait_for_selector("#table svg")

    def shot(self, name: str) -> None:
        if SHOTS is not None:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))

    # ---- what is seen ----

    @property
    def number(self) -> int:
        return int(self.page.get_attribute("#table", "data-n") or 0)

    @property
    def sent(self) -> int:
        return int(self.page.evaluate("window.movesSent"))

    @property
    def over(self) -> bool:
        return bool(self.page.is_visible("#over"))

    @property
    def news(self) -> list[str]:
        found: list[str] = self.page.locator("#news li").all_text_contents()
        return found

    def text(self, selector: str) -> str:
        return str(self.page.text_content(selector)).strip()

    def overflows(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def asked(self) -> bool:
        return bool(
            self.page.evaluate(
                "document.querySelector('#go-on')?.click(), document.querySelector('#show-moves').disabled === false"
            )
        )

    def lit(self, what: str) -> list[Any]:
        found: list[Any] = self.page.query_selector_all(f"#table [role=button].{what}")
        return found

    # ---- what is done ----

    def wait(self, so: str) -> None:
        """Wait for a condition. Playwright's own wait would violate the page's policy."""
        end = time.monotonic() + SECONDS / 1000
        while not self.page.evaluate(so):
            assert time.monotonic() < end, f"never: {so}"
            self.page.wait_for_timeout(20)

    def settle(self, before: int) -> None:
        """Wait until a move has been answered and bots have made theirs."""
        self.wait(f"Number(document.querySelector('#table').dataset.n) > {before}")
        self.rest()

    def rest(self) -> None:
        """Wait until this seat is to move or the game is over."""
        self.wait(
            "document.querySelector('#go-on')?.click(),"
            "!document.querySelector('#over').hidden || document.querySelector('#show-moves').disabled === false"
        )

    def click(self, node: Any) -> None:
        """Return the middle of the visible part: a covered piece shows its upper edge."""
        node.scroll_into_view_if_needed()
        box = node.bounding_box()
        if box is None:
            from playwright.sync_api import Error

            raise Error("it is not attached any more: the table has been drawn anew")
        self.page.mouse.click(box["x"] + min(box["width"] / 2, 9), box["y"] + min(box["height"] / 2, 9))

    def step(self, pick: random.Random) -> None:
        """Make a random move by clicking highlighted pieces."""
        before = self.number
        self.clicks(pick)
        self.settle(before)

    def clicks(self, pick: random.Random, most: int = 12) -> None:
        """Click until a move has been sent or somebody else has moved. A further click would begin the next move."""
        before, sent = self.number, self.sent
        for _ in range(most):
            if self.sent > sent or self.number > before or self.over or not self._clicked(pick):
                return
            self.page.wait_for_timeout(20)

    def _clicked(self, pick: random.Random) -> bool:
        choices = self.page.query_selector_all("#choose[open] .choices button")
        main = self.page.query_selector_all("#actions button.main")
        ready = choices or main
        if ready:
            self._press(pick.choice(ready))
            return True
        targets = self.lit("target")
        sources = [*self.lit("source"), *self.page.query_selector_all("#actions button")]
        found = targets or sources
        if found:
            self._press(pick.choice(found))
        return bool(found)

    def _press(self, node: Any) -> None:
        from playwright.sync_api import Error

        try:
            node.click() if node.evaluate("node => node.tagName === 'BUTTON'") else self.click(node)
        except Error as error:
            if "attached" not in str(error):  # else it has been drawn anew: somebody has moved meanwhile
                raise


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_playwright, place = needed()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=place, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    from webbed import shared  # needs packages that only tests of tables need

    found = shared(tmp_path_factory.mktemp("server"))
    yield found
    found.stop()


@pytest.fixture
def web(server: Web, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """The same server without a limit of messages per second."""
    from hoyle.web.guards import RateLimit

    monkeypatch.setattr("hoyle.web.sockets.RateLimit", lambda: RateLimit(1e9, 1e9))
    yield server
    server.leave()


@pytest.fixture
def pages(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Open pages, each in a browser context of its own. An error on any of them fails the test."""
    made, usual = list[Page](), {**USUAL, **getattr(request.module, "HOW", {})}

    def opened(origin: str = "", **how: Any) -> Page:
        context = browser.new_context(**{**usual, **how})
        made.append(Page(context.new_page(), origin or request.getfixturevalue("web").origin))
        return made[-1]

    yield opened
    for page in made:
        assert page.wrong == []
    for page in made:
        page.page.context.close()


@pytest.fixture
def page(pages: Callable[..., Page]) -> Page:
    return pages()


def begun(page: Page, web: Web, name: str, *kinds: str, seed: int = 1, **more: Any) -> None:
    """Create a table, sit at its first seat, and wait until that is to move."""
    page.sit(next(iter(web.begin(name, *kinds, seed=seed, **more).values())))
    page.rest()


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return a visible point of a piece or pile."""
    box = page.page.locator(selector).last.bounding_box()
    return box["x"] + min(box["width"] / 2, 16), box["y"] + min(box["height"] / 2, 12)


def drag(page: Page, source: str, to: tuple[float, float], drop: bool = True) -> None:
    mouse, (x, y) = page.page.mouse, middle(page, source)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 12, y + 12, steps=3)
    mouse.move(*to, steps=6)
    if drop:
        mouse.up()


def held(page: Page) -> int:
    return int(page.page.locator("#table .piece.picked").count())


def signs_of_others(heard: list[str], pile: str) -> set[str]:
    found = set[str]()
    for text in heard:
        for part in re.findall(rf'"key":"{re.escape(pile)}".*?"pieces":(\[.*?\])\}}', text):
            found |= set(re.findall(r'\["([^"]+)"', part))
    return found


def serious(page: Page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page.page).response["violations"]
    return [
        f"{one['id']}: {one['help']} — {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
