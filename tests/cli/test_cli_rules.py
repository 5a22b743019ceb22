"""`hoyle rules`: rulebooks as files, and all of them as a site."""

from __future__ import annotations

import base64
import builtins
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Run, runner

from interpreter.cli.commands import games


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.whole
def test_the_form_is_said_or_seen_in_the_name_of_the_file(run: Run, tmp_path: Path) -> None:
    assert run("rules", "klondike")[1].startswith("# Klondike\n")
    assert run("rules", "klondike", "--lang", "fr", "-o", "k.html")[0] == 0
    page = (tmp_path / "k.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and '<html lang="fr">' in page
    assert run("rules", "klondike", "--set", "draw=1", "--format", "html")[1].startswith("<!DOCTYPE html>")


def test_a_page_needs_nothing_else(run: Run) -> None:
    page = run("rules", "klondike", "--format", "html")[1]
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)|@import|url\(|<script""", page)
    drawn = [base64.b64decode(found) for found in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)]
    assert len(drawn) > 2
    assert all(ElementTree.fromstring(svg).tag.endswith("svg") for svg in drawn)
    anchors = re.findall(r' id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors)) and set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)


@pytest.mark.whole
def test_what_is_told_exactly_is_asked_for(run: Run) -> None:
    """In a page it is there in any case, folded away."""
    usual, precise = (run("rules", "klondike", *more)[1] for more in ((), ("--precise",)))
    assert "*In detail" in precise and "*In detail" not in usual and "Only if" in precise and "Only if" not in usual
    folded, open_ = (run("rules", "klondike", "--format", "html", *more)[1] for more in ((), ("--precise",)))
    assert '<details class="exact">' in folded and '<details class="exact" open>' in open_


@pytest.mark.slow
def test_on_paper(run: Run, tmp_path: Path) -> None:
    assert run("rules", "klondike", "-o", "k.pdf")[0] == 0
    assert (tmp_path / "k.pdf").read_bytes().startswith(b"%PDF-")


def test_without_the_library_it_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name == "weasyprint":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    code, _, err = run("rules", "klondike", "-o", "k.pdf")
    assert code == 2 and "hoyle[pdf]" in err


@pytest.mark.parametrize(
    "words", [(), ("klondike", "--all"), ("--all",), ("--all", "--format", "md", "-o", "x"), ("--all", "--set", "a=1", "-o", "x")]
)  # fmt: skip
def test_what_does_not_go_together(run: Run, words: tuple[str, ...]) -> None:
    assert run("rules", *words)[0] == 2


@pytest.mark.whole
def test_a_site_of_games(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "families", lambda: {"klondike": None, "yukon": None, "alaska": "yukon"})
    assert run("rules", "--all", "--out", "site")[0] == 0
    place = tmp_path / "site"
    assert sorted(path.name for path in place.iterdir()) == ["alaska.html", "index.html", "klondike.html", "yukon.html"]
    front = (place / "index.html").read_text(encoding="utf-8")
    assert re.search(r'<a href="yukon.html">.*\s*<ul>\s*<li><a href="alaska.html">', front)
    found = json.loads(re.findall(r'<script type="application/json" id="texts">(.*?)</script>', front, re.S)[0])
    pages = {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()}
    for entry in found:
        page, _, anchor = entry["link"].partition("#")
        assert not anchor or f' id="{anchor}"' in pages[page]
    assert any("king" in entry["text"] for entry in found)
    assert 'href="index.html"' in pages["klondike.html"]
    assert run("rules", "--all", "--out", "site")[0] == 0  # its own pages are made anew


def test_what_others_made_is_left_as_it_is(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "families", lambda: {"klondike": None})
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<p>mine</p>", encoding="utf-8")
    code, _, err = run("rules", "--all", "--out", "site")
    assert code == 2 and "index.html" in err
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["index.html"]
