"""`hoyle test --coverage`: what is told of what examples and games come to, as text, as data and as a page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import Run, runner, told

COVER = ("test", "game.yaml", "--coverage")
ODD = "<script>alert('&')</script>"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def changed(old: str, new: str) -> None:
    path = Path("game.yaml")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


class Page(HTMLParser):
    """A page of HTML: its rows by their ids, each with its class and the texts of its cells. Every tag is closed in its turn."""

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


def test_text_counts_lines(run: Run) -> None:
    code, out, err = run(*COVER)
    assert code == 0 and err == ""
    assert out.splitlines()[1] == "  game: every rule is reached"
    assert out.splitlines()[2].startswith("  lines of rules: ") and "reached" in out
    code, out, err = run(*COVER, "--games", "3")
    assert code == 0 and err.startswith("seed ") and "by games alone" in out


def test_games_that_reach_what_no_example_does(run: Run) -> None:
    changed("  nothing fits:\n", "  nothing fits:\n    options: {cards_each: 3}\n")
    text = Path("game.yaml").read_text(encoding="utf-8")
    Path("game.yaml").write_text(text[: text.index("examples:")], encoding="utf-8")
    code, out, _ = run(*COVER, "--games", "20", "--seed", "1")
    assert code == 0
    assert "no example reaches `play a card`, `draw a card`, `play if you can`" in out
    assert "20 games reach all of these" in out
    assert "1 game does not reach" not in out
    assert "20 parties les atteignent tous" in run(*COVER, "--games", "20", "--seed", "1", "--lang", "fr")[1]


def test_data_has_the_lines(run: Run) -> None:
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
def test_a_page_shows_each_line(run: Run, lang: str) -> None:
    changed("title: Game\n", f'title: "{ODD}"\n')
    code, out, err = run(
        *COVER, "--games", "3", "--seed", "1", "--format", "html", "--out", "page.html", "--lang", lang
    )
    assert (code, out, err) == (0, "", "")
    text = Path("page.html").read_text(encoding="utf-8")
    page = Page(text)
    assert f'lang="{lang}"' in text and "<script" not in text and not page.linked, "it needs nothing else"
    assert (
        {"script", "link", "img"}.isdisjoint(page.tags)
        and "prefers-color-scheme: dark" in text
        and "@media print" in text
    )
    lines = Path("game.yaml").read_text(encoding="utf-8").splitlines()
    shown = {
        number: page.rows[f"game-{number}"] for number in range(1, len(lines) + 1) if f"game-{number}" in page.rows
    }
    first = lines.index("examples:") + 1
    assert [*shown] == [*range(1, first)], "examples are not what they test"
    assert all(cells[4] == lines[number - 1] for number, (_, cells) in shown.items())
    kind, cells = shown[lines.index("  play a card:") + 1]
    assert kind == "examples" and cells[1] == "●" and int(cells[3]) > 0
    [fits] = [cells for _, cells in shown.values() if cells[4].strip() == "fits: fits(card)"]
    assert " / " in fits[5] and " / " in fits[6]


def test_a_page_to_standard_output_and_of_a_failure(run: Run) -> None:
    changed("forced: draw-a-card", "forced: play-a-card KS")
    code, out, err = run("test", "game.yaml", "--format", "html")
    assert code == 1 and out.startswith("<!doctype html>") and "nothing fits" in err
    assert "(1 of them fails)" in out
    assert Page(out).rows


def test_the_options_of_a_variant_count(run: Run) -> None:
    changed("options:\n", "options:\n  stop: {kind: bool, default: false, en: stop}\n")
    changed("    a card:", "    never: {when: stop and pack is empty, leave: game}\n    a card:")
    status = {}
    for value in ("false", "true"):
        for line in told(run, *COVER, "--set", f"stop={value}")["games"][0]["files"][0]["lines"]:
            text = Path("game.yaml").read_text(encoding="utf-8").splitlines()[line["line"] - 1]
            if "never:" in text:
                status[value] = line["status"]
    assert status == {"false": "out", "true": "never"}
