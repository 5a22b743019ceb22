"""`test --coverage`: what examples and games reach, as text, JSON and HTML."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import Run, told

COVER = ("test", "game.yaml", "--coverage")
ODD = "<script>alert('&')</script>"


def changed(old: str, new: str) -> None:
    path = Path("game.yaml")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


class Page(HTMLParser):
    """The rows of a page by their ids, each with its class and the texts of its cells. Checks that tags are nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: dict[str, tuple[str, list[str]]] = {}
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.linked: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.linked += [name for name in ("src", "href") if name in given]
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "tr" and given.get("id"):
            self.rows[str(given["id"])] = (given.get("class") or "", [])
        if tag == "td" and self.rows:
            [*self.rows.values()][-1][1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open and self.rows and [*self.rows.values()][-1][1]:
            [*self.rows.values()][-1][1][-1] += data


def test_text(run: Run) -> None:
    code, out, err = run(*COVER)
    _, reached, lines = out.splitlines()[:3]
    assert (code, err, reached) == (0, "", "  game: every rule is reached")
    assert lines.startswith("  lines of rules: ") and "reached" in lines
    code, out, err = run(*COVER, "--games", "3")
    assert code == 0 and err.startswith("seed ") and "by games alone" in out


def test_rules_that_only_games_reach(run: Run) -> None:
    text = Path("game.yaml").read_text(encoding="utf-8")
    Path("game.yaml").write_text(text[: text.index("examples:")], encoding="utf-8")
    words = (*COVER, "--games", "3", "--seed", "1")
    code, out, _ = run(*words)
    assert code == 0 and "1 game does not reach" not in out
    assert "no example reaches `play a card`, `draw a card`, `play if you can`" in out
    assert "3 games reach all of these" in out
    assert "3 parties les atteignent tous" in run(*words, "--lang", "fr")[1]


def test_json(run: Run) -> None:
    game = told(run, *COVER, "--games", "5", "--seed", "1")["games"][0]
    assert (game["unreached"], game["unreached_by_games"], game["played"]) == ([], [], 5)
    [file] = game["files"][:1]
    assert file["file"].endswith("game.yaml")
    texts = Path("game.yaml").read_text(encoding="utf-8").splitlines()
    of = {texts[line["line"] - 1].strip(): line for line in file["lines"]}
    assert of["play a card:"]["status"] == "examples" and of["play a card:"]["games"] > 0
    [fits] = of["fits: fits(card)"]["formulas"]
    assert texts[of["fits: fits(card)"]["line"] - 1][fits["column"] - 1 :] == "fits(card)"
    assert all(fits["examples"][held] > 0 and fits["games"][held] > 0 for held in ("true", "false"))
    assert told(run, *COVER, "--format", "json")["games"][0]["played"] == 0


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_page_has_a_row_for_each_line(run: Run, lang: str) -> None:
    """The page stands alone and escapes texts. Lines of examples are left out."""
    changed("title: Game\n", f'title: "{ODD}"\n')
    words = ("--games", "3", "--seed", "1", "--format", "html", "--out", "page.html", "--lang", lang)
    assert run(*COVER, *words) == (0, "", "")
    text = Path("page.html").read_text(encoding="utf-8")
    page = Page(text)
    assert f'lang="{lang}"' in text and "<script" not in text and not page.linked
    assert {"script", "link", "img"}.isdisjoint(page.tags)
    assert "prefers-color-scheme: dark" in text and "@media print" in text
    lines = Path("game.yaml").read_text(encoding="utf-8").splitlines()
    first = lines.index("examples:") + 1
    ids = [f"game-{number}" for number in range(1, len(lines) + 1)]
    shown = [page.rows[key] for key in ids if key in page.rows]
    assert [key for key in ids if key in page.rows] == ids[: first - 1]
    assert [cells[4] for _, cells in shown] == lines[: first - 1]
    kind, cells = shown[lines.index("  play a card:")]
    assert kind == "examples" and cells[1] == "●" and int(cells[3]) > 0
    [fits] = [cells for _, cells in shown if cells[4].strip() == "fits: fits(card)"]
    assert " / " in fits[5] and " / " in fits[6]


def test_page_of_a_failed_example(run: Run) -> None:
    changed("forced: draw-a-card", "forced: play-a-card KS")
    code, out, err = run("test", "game.yaml", "--format", "html")
    assert code == 1 and out.startswith("<!doctype html>") and "nothing fits" in err
    assert "(1 of them fails)" in out
    assert Page(out).rows


def test_options_rule_lines_out(run: Run) -> None:
    changed("options:\n", "options:\n  stop: {kind: bool, default: false, en: stop}\n")
    changed("    a card:", "    never: {when: stop and pack is empty, leave: game}\n    a card:")
    texts = Path("game.yaml").read_text(encoding="utf-8").splitlines()
    number = 1 + next(n for n, line in enumerate(texts) if "never:" in line)
    for value, status in (("false", "out"), ("true", "never")):
        lines = told(run, *COVER, "--set", f"stop={value}")["games"][0]["files"][0]["lines"]
        assert [line["status"] for line in lines if line["line"] == number] == [status]
