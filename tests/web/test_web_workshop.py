"""The workshop in a real browser: a variant is written, broken, fixed, played, tried by examples and shared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Page, serious

from hoyle.web.app import STATIC

if TYPE_CHECKING:
    from webbed import Web

pytestmark = pytest.mark.slow
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": "fr-FR", "bypass_csp": True}
TEXT = "document.querySelector('#editor textarea')?.value ?? document.querySelector('#editor').shadowRoot.querySelector('.cm-content').innerText"
DRAFT = "JSON.parse(localStorage.getItem('hoyle.draft.' + sessionStorage.getItem('hoyle.currentDraft')) ?? '{}')"
FIELD = "#editor .cm-content, #editor textarea"


def begin_variant(page: Page, game: str) -> Any:
    """Begin a variant of a game that changes nothing yet, and return the frame of its table."""
    page.page.click(f"#begin-games li[data-game={game}] button")
    return shown(page)


def shown(page: Page) -> Any:
    """Return the frame of the table once it has one."""
    page.page.frame_locator("#table-frame").locator("#table svg").wait_for(state="attached")
    return page.page.frames[-1]


def add(page: Page, text: str) -> None:
    """Write at the end of the text."""
    page.page.click(FIELD)
    page.page.keyboard.press("Control+End")
    page.page.keyboard.insert_text(text)


def checked(page: Page, status: str = "No problem") -> None:
    page.wait(f"document.querySelector('#check-status').textContent === {status!r}")


@pytest.mark.smoke
def test_a_variant_is_written_broken_fixed_tried_and_shared(web: Web, pages: Any, tmp_path: Path) -> None:
    page = pages()
    page.page.goto(f"{web.origin}/")
    page.page.click("nav a >> text=Workshop")
    table = begin_variant(page, "klondike")
    table.click("#actions button")
    page.wait(f"({DRAFT}).moves?.length === 1")

    add(page, "terms:\n  fits(card, to): to is empty or next_bellow(card, top(to))\n")
    checked(page, "1 error")
    assert "next_bellow" in page.text("#problems") and page.page.is_visible("#table-note")
    page.page.click("#problems .fix >> text=next_below")
    checked(page)
    assert "next_below(card" in page.page.evaluate(TEXT) and not page.page.is_visible("#problems")
    page.wait("document.querySelector('#table-note').hidden")
    assert len(page.page.evaluate(DRAFT)["moves"]) == 1 and not page.page.is_visible("#stopped")
    assert table.get_attribute("#table", "data-n") == "1"

    page.page.click("#claim")
    page.page.click("#claim-moves button >> text=turn cards")
    page.page.click("#claim-form .main")
    page.wait("document.querySelector('#examples-count').textContent === '0/1'")
    assert page.page.locator("#examples .failed").count() == 1
    written = page.page.evaluate(TEXT).rstrip().splitlines()[-1]
    assert written.strip() == "refused: [turn-cards]"
    page.page.click("#examples .place")
    page.page.keyboard.press("Control+End")
    while page.page.evaluate(TEXT).rstrip().endswith("]"):
        page.page.keyboard.press("Backspace")
    for _ in range(len("refused: [turn-cards")):
        page.page.keyboard.press("Backspace")
    page.page.keyboard.insert_text("includes: [turn-cards]")
    page.wait("document.querySelector('#examples-count').textContent === '1/1'")
    page.shot("workshop")

    with page.page.expect_download() as kept:
        page.page.keyboard.press("Control+s")
    assert "next_below" in Path(kept.value.path()).read_text(encoding="utf-8")
    before = page.page.evaluate(TEXT)
    page.page.reload()
    shown(page)
    checked(page)
    assert page.page.evaluate(TEXT) == before and len(page.page.evaluate(DRAFT)["moves"]) == 1

    page.page.click("#share")
    link = page.page.input_value("#share-link input")
    other = pages(**PHONE)
    other.page.goto(link)
    shown(other)
    checked(other, "Aucun problème")
    draft = other.page.evaluate(DRAFT)
    assert draft["text"] == page.page.evaluate(DRAFT)["text"] and draft["moves"] == []
    assert "#" not in other.page.url and not other.overflows() and serious(other) == []
    for area in ("table", "checks"):
        other.page.click(f"#areas [data-area={area}]")
        assert other.page.is_visible(f"#{area}-area") and not other.page.is_visible("#rules-area")
        assert serious(other) == []
    other.shot("workshop-phone")
    if not (STATIC / "vendor" / "codemirror.js").exists():  # the plain text field takes its place
        for one in (page, other):
            one.wrong[:] = [text for text in one.wrong if "404" not in text]
