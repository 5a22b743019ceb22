"""`test --coverage`: what examples and games reach, as JSON and HTML."""

import html
import re
from pathlib import Path

import pytest
from commands import Run, command_lines, told

run = command_lines
COVER = ("test", "game.yaml", "--coverage")
ODD = "<script>alert('&')</script>"


def changed(old: str, new: str) -> None:
    path = Path("game.yaml")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def rows(page: str) -> dict[int, tuple[str, list[str]]]:
    """Return the class and the cells of the row of each line of the ruleset."""
    found = re.findall(r'<tr id="game-(\d+)"(?: class="(\w+)")?>(.*?)</tr>', page, re.DOTALL)
    cells = {int(number): re.findall(r"<td.*?>(.*?)</td>", text, re.DOTALL) for number, _, text in found}
    texts = {number: [html.unescape(re.sub(r"<[^>]*>", "", one)) for one in some] for number, some in cells.items()}
    return {int(number): (kind, texts[int(number)]) for number, kind, _ in found}


def check_tags(page: str) -> None:
    """Each tag is closed in its turn, and the page needs no other file."""
    tags: list[str] = []
    for closing, name in re.findall(r"<(/?)([a-z]\w*)", page):
        assert name not in ("script", "link", "img")
        if closing:
            assert tags.pop() == name
        elif name not in ("meta", "br"):
            tags.append(name)
    assert tags == [] and not re.search(r"<[^>]* (?:src|href)=", page)


@pytest.mark.whole
def test_rules_that_only_games_reach(run: Run) -> None:
    text = Path("game.yaml").read_text(encoding="utf-8")
    Path("game.yaml").write_text(text[: text.index("examples:")], encoding="utf-8")
    words = (*COVER, "--games", "3", "--seed", "1")
    code, out, _ = run(*words)
    assert code == 0 and "1 game does not reach" not in out
    assert "no example reaches `play a card`, `draw a card`, `play if you can`" in out
    assert "3 games reach all of these" in out
    assert "3 parties les atteignent tous" in run(*words, "--lang", "fr")[1]


@pytest.mark.whole
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


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_page_has_a_row_for_each_line(run: Run, lang: str) -> None:
    """The page stands alone and escapes texts. Lines of examples are left out."""
    changed("title: Game\n", f'title: "{ODD}"\n')
    words = ("--games", "3", "--seed", "1", "--format", "html", "--out", "page.html", "--lang", lang)
    assert run(*COVER, *words) == (0, "", "")
    text = Path("page.html").read_text(encoding="utf-8")
    check_tags(text)
    assert f'lang="{lang}"' in text and "prefers-color-scheme: dark" in text and "@media print" in text
    lines = Path("game.yaml").read_text(encoding="utf-8").splitlines()
    rules, shown = lines[: lines.index("examples:")], [*rows(text).values()]
    assert [*rows(text)] == [*range(1, len(rules) + 1)]
    assert [cells[4] for _, cells in shown] == rules
    kind, cells = shown[lines.index("  play a card:")]
    assert kind == "examples" and cells[1] == "●" and int(cells[3]) > 0
    [fits] = [cells for _, cells in shown if cells[4].strip() == "fits: fits(card)"]
    assert " / " in fits[5] and " / " in fits[6]


@pytest.mark.whole
def test_options_rule_lines_out(run: Run) -> None:
    changed("options:\n", "options:\n  stop: {kind: bool, default: false, en: stop}\n")
    changed("    a card:", "    never: {when: stop and pack is empty, leave: game}\n    a card:")
    texts = Path("game.yaml").read_text(encoding="utf-8").splitlines()
    number = 1 + next(n for n, line in enumerate(texts) if "never:" in line)
    for value, status in (("false", "out"), ("true", "never")):
        lines = told(run, *COVER, "--set", f"stop={value}")["games"][0]["files"][0]["lines"]
        assert [line["status"] for line in lines if line["line"] == number] == [status]
