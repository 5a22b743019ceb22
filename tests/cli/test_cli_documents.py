"""`show` and `rules`: PNG, PDF, rulebooks as pages, and all rulebooks as a site."""

import base64
import io
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Run, command_lines

from hoyle.cli.commands import games

run = command_lines


@pytest.mark.whole
def test_png_is_written_to_a_file_but_not_to_a_terminal(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resvg_py")
    assert run("show", "klondike", "--seed", "1", "-o", "table.png")[0] == 0
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert run("show", "klondike", "--seed", "1", "--svg", "-o", "table.png")[0] == 0
    assert (tmp_path / "table.png").read_bytes().startswith(b"<svg")
    screen = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(screen, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", screen)
    code, _, err = run("show", "klondike", "--seed", "1", "--png")
    assert code == 2 and "-o" in err
    assert not screen.buffer.getvalue()


@pytest.mark.whole
def test_a_rulebook_as_a_page_needs_nothing_else(run: Run, tmp_path: Path) -> None:
    """Its form is seen in the name of the file, or given. What is told exactly is folded away."""
    assert run("rules", "klondike", "--lang", "fr", "--set", "draw=1", "-o", "k.html")[0] == 0
    french = (tmp_path / "k.html").read_text(encoding="utf-8")
    assert french.startswith("<!DOCTYPE html>") and '<html lang="fr">' in french
    assert '<details class="exact">' in french
    page = run("rules", "klondike", "--format", "html", "--precise")[1]
    assert page.startswith("<!DOCTYPE html>") and '<details class="exact" open>' in page
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)|@import|url\(|<script""", page)
    drawn = [base64.b64decode(found) for found in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)]
    assert len(drawn) > 2
    assert all(ElementTree.fromstring(svg).tag.endswith("svg") for svg in drawn)
    anchors = re.findall(r' id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors)) and set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)


@pytest.mark.slow
def test_a_rulebook_as_pdf(run: Run, tmp_path: Path) -> None:
    assert run("rules", "klondike", "-o", "k.pdf")[0] == 0
    assert (tmp_path / "k.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.whole
def test_a_site_of_games(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "list_families", lambda: {"klondike": None, "yukon": None, "alaska": "yukon"})
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
    monkeypatch.setattr(games, "list_families", lambda: {"klondike": None})
    assert run("rules", "--all", "--out", "site")[0] == 0  # its own pages are replaced


def test_files_of_others_are_not_overwritten(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "list_families", lambda: {"klondike": None})
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<p>mine</p>", encoding="utf-8")
    code, _, err = run("rules", "--all", "--out", "site")
    assert code == 2 and "index.html" in err
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["index.html"]
