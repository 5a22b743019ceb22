"""`hoyle show`: pictures as files."""

import io
import sys
from pathlib import Path

import pytest
from commands import Run, command_lines
from drawn import parsed

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


def test_a_missing_library_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    code, _, err = run("show", "klondike", "--png", "-o", "table.png")
    assert code == 2 and "hoyle[png]" in err
    assert not (tmp_path / "table.png").exists()
