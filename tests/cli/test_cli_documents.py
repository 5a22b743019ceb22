"""`show` and `rules`: pictures and rulebooks as files, and all rulebooks as a site."""

import base64
import io
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Run, command_lines
from drawn import parsed

from hoyle.cli.commands import games

run = command_lines


@pytest.mark.whole
def test_a_picture_goes_to_standard_output_or_into_a_file(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("show", "klondike", "--seed", "1")
    assert code == 0 and parsed(out).get("width") == "800"
    assert run("show", "klondike", "--seed", "1", "-o", "table.svg")[0] == 0
    assert (tmp_path / "table.svg").read_text(encoding="utf-8") == out
    assert run("show", "klondike", "--seed", "1", "--width", "360", "--theme", "dark", "--four-colour")[1] != out


@pytest.mark.whole
def test_the_view_is_that_of_the_seat_asked_for_or_to_act(run: Run) -> None:
    mine, others = (run("show", "hearts", "--seed", "1", "--seat", seat)[1] for seat in "ab")
    assert mine != others and 'data-sign="' in mine
    assert run("show", "hearts", "--seed", "1")[1] in (mine, others)
    code, _, err = run("show", "hearts", "--seed", "1", "--seat", "Z")
    assert code == 2 and "`Z`" in err


@pytest.mark.whole
def test_a_position_is_drawn_in_the_language_asked_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("at: deal\nto_act: A\npiles: {hand of A: QS}\n", encoding="utf-8")
    code, out, err = run("show", "spades", "--position", "p.yaml", "--seat", "A", "--lang", "fr")
    assert code == 0, err
    assert "dame pique" in out and "#hoyle-sign-D" in out


@pytest.mark.whole
def test_a_record_is_drawn_as_it_stands_after_so_many_moves(run: Run) -> None:
    assert run("play", "klondike", "--seats", "random", "--seed", "3", "--record", "game.jsonl")[0] == 0
    ended, begun, later = (run("show", "game.jsonl", *more) for more in ([], ["--to", "0"], ["--to", "4"]))
    assert [code for code, _, _ in (ended, begun, later)] == [0, 0, 0]
    assert len({out for _, out, _ in (ended, begun, later)}) == 3
    assert begun[1] == run("show", "klondike", "--seed", "3")[1]  # nothing has moved yet
    assert 'class="lit"' in later[1] and 'class="lit"' not in begun[1]
    assert run("show", "klondike", "--position", "game.jsonl", "--to", "4")[1] == later[1]
    code, out, err = run("show", "hearts", "--position", "game.jsonl")
    assert code == 1 and "R814" in err and not out


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


def test_a_missing_library_of_pictures_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    code, _, err = run("show", "klondike", "--png", "-o", "table.png")
    assert code == 2 and "hoyle[png]" in err
    assert not (tmp_path / "table.png").exists()


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
def test_a_missing_library_of_books_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    code, _, err = run("rules", "klondike", "-o", "k.pdf")
    assert code == 2 and "hoyle[pdf]" in err


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
