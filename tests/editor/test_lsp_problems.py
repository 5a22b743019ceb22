"""Problems, hover texts and outlines as an editor gets them from the language server while a ruleset is typed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rules import read_cases
from tiers import spread

from hoyle.editor.analysis import Analysis, resolve_path
from hoyle.editor.names.symbols import build_outline
from hoyle.editor.positions import Lines
from hoyle.reading.sources import read
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped

if TYPE_CHECKING:
    from editing import Editor

CASES = read_cases("editor/lsp")
ERROR = 1
"""A severity of diagnostics, and a type of messages."""


def codes(found: list[Any]) -> list[object]:
    return [d.code for d in found]


@pytest.mark.parametrize(("name", "old", "new", "code", "place"), CASES["problems"])
def test_problems_have_a_code_and_a_place(
    editor: Editor, name: str, old: str, new: str, code: str | None, place: str | None
) -> None:
    uri = editor.open(shipped()[name].name, right := shipped()[name].read_text(encoding="utf-8"))
    assert editor.told(uri) == []
    editor.change(uri, right.replace(old, new, 1))
    found = editor.told(uri)
    assert ERROR in {d.severity for d in found}
    assert code is None or (code, place) in [(d.code, editor.text_at(uri, d.range)) for d in found]
    editor.change(uri, right)
    assert editor.told(uri) == []


def renamed(name: str, other: str = "yukon") -> str:
    return shipped()[other].read_text(encoding="utf-8").replace(f"game: {other}", f"game: {name}")


@pytest.mark.whole
def test_rulesets_built_on_an_open_text_see_it_unsaved(editor: Editor) -> None:
    text, variant = renamed("base"), "ruleset: 1\ngame: mine\nextends: base\nterms:\n  twice(x): 2 * of_all(x)\n"
    for name, said in (("base", text), ("mine", variant)):
        (editor.folder / f"{name}.yaml").write_text(said, encoding="utf-8")
    first, second = editor.open("base.yaml"), editor.open("mine.yaml")
    assert "R303" in codes(editor.told(second))
    editor.change(first, text.replace("\nterms:", "\nterms:\n  of_all(x): x + 1"))
    assert "R303" not in codes(editor.told(second))
    editor.close(second)
    editor.change(first, text)  # problems of a file that is not open are published too
    assert "R303" in codes(editor.told(second))


@pytest.mark.whole
def test_a_file_of_words_is_checked_with_its_ruleset(editor: Editor) -> None:
    (editor.folder / "spoken.yaml").write_text(renamed("spoken"), encoding="utf-8")
    uri = editor.open("spoken.fr.yaml", "words: fr\ngame: spoken\npils:\n  foundation: Bases\n")
    found = editor.told(uri)
    assert ("R616", "pils") in [(d.code, editor.text_at(uri, d.range)) for d in found]
    editor.change(uri, editor.texts[uri].replace("pils", "piles"))
    assert "R616" not in codes(editor.told(uri))
    assert [item.name for item in editor.ask("documentSymbol", uri)] == ["words", "game", "piles"]
    words = editor.open("spoken.de.yaml", "words: de\ngame: spoken\n")
    assert [code for code in codes(editor.told(words)) if code == "R567"] == ["R567"]


def test_an_unsaved_parent_is_found(editor: Editor) -> None:
    editor.open("fresh.yaml", renamed("fresh"))
    child = editor.open("on-fresh.yaml", "ruleset: 1\ngame: on-fresh\nextends: fresh\npils: {}\n")
    assert codes(editor.told(child)) == ["R102"]


def test_files_changed_by_other_programs_are_checked_again(editor: Editor) -> None:
    place = editor.folder / "below.yaml"
    place.write_text(renamed("below"), encoding="utf-8")
    uri = editor.open("above.yaml", "ruleset: 1\ngame: above\nextends: below\n")
    assert editor.told(uri) == []
    place.write_text(renamed("below").replace("\npiles:", "\npils:", 1), encoding="utf-8")
    editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": place.as_uri(), "type": 2}])
    assert editor.told(place.as_uri())


def test_positions_count_utf_16_units(editor: Editor) -> None:
    marked = renamed("golf", "golf").replace("\nterms:\n", "\nterms:\n  '𝄞': 1\n  lost: {'𝄞𝄞': nothing_like_that}\n", 1)
    uri = editor.open("clef.yaml", marked)
    found = editor.told(uri)
    for d in found:
        line = marked.splitlines()[d.range.start.line]
        assert d.range.end.character <= len(line.encode("utf-16-le")) // 2
    assert "{'𝄞𝄞': nothing_like_that}" in [editor.text_at(uri, d.range) for d in found]
    lines = Lines("a𝄞b\né\n")
    assert [lines.find_position(n) for n in range(7)] == [(0, 0), (0, 1), (0, 3), (0, 4), (1, 0), (1, 1), (2, 0)]
    assert [lines.find_offset(lines.find_position(n)) for n in range(7)] == list(range(7))
    assert lines.find_offset((0, 99)) == 3
    assert lines.find_offset((99, 0)) == 6


def test_other_yaml_files_are_left_alone(editor: Editor) -> None:
    other = editor.open("other.yaml", "name: something else\n")
    editor.told(editor.open(shipped()["golf"]))
    assert other not in editor.published


def test_positions_beyond_the_text_have_no_hover(editor: Editor) -> None:
    uri = editor.open(shipped()["golf"])
    assert editor.ask("hover", uri, position={"line": 10**9, "character": 10**9}) is None
    assert editor.hover(uri, "\npil‸es:").startswith("**piles**")


def test_internal_errors_are_logged_and_the_server_lives_on(capsys: pytest.CaptureFixture[str]) -> None:
    from hoyle.editor.server import create_server
    from hoyle.editor.service import Session

    noted: list[Any] = []
    server: Any = create_server("fr")
    server.window_log_message = noted.append
    service = Session(server)

    def wrong(known: Analysis, place: str) -> bool:
        raise ZeroDivisionError("nothing to divide by")

    async def ask() -> list[bool | None]:
        path = shipped()["golf"]
        service.texts[resolve_path(path)] = path.read_text(encoding="utf-8")
        answers = (wrong, lambda known, place: known.merged is not None)
        return [await service.answer("hover", path.as_uri(), answer) for answer in answers]

    assert asyncio.run(ask()) == [None, True]
    assert "nothing to divide by" in capsys.readouterr().err
    assert [(m.type, "hover" in m.message) for m in noted] == [(ERROR, True)]


# ---- hover and outline -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "mark", "parts"), spread(map(tuple, CASES["hovers"]), 7))
def test_hover_tells_kind_meaning_and_value(editor: Editor, name: str, mark: str, parts: list[str]) -> None:
    uri = editor.open(shipped()[name])
    text = editor.hover(uri, mark)
    assert all(part in text for part in parts), text


@pytest.mark.whole
def test_the_outline_has_every_section_and_entry(editor: Editor) -> None:
    uri = editor.open(shipped()["klondike"])
    tree = load(read(shipped()["klondike"]))
    symbols = editor.ask("documentSymbol", uri)
    found = {item.name: [inner.name for inner in item.children or ()] for item in symbols}
    assert list(found) == list(tree.pairs)
    for section in ("options", "terms", "moves", "flow"):
        assert found[section] == list(tree[section].pairs)
    folds = {fold.start_line for fold in editor.ask("foldingRange", uri)}
    assert folds >= {item.range.start.line for item in symbols if item.range.end.line > item.range.start.line}


def test_outline_names_are_inside_their_entries() -> None:
    """The protocol requires it; else an editor shows no outline."""
    waiting = [item for path in list(shipped().values())[:20:6] for item in build_outline(load(read(path)))]
    while waiting:
        item = waiting.pop()
        assert item.name_span.lies_in(item.whole), item
        waiting += item.inside


@pytest.mark.whole
def test_the_server_speaks_the_language_of_its_editor(tmp_path: Path) -> None:
    from editing import Editor

    french = Editor(tmp_path, locale="fr-CH")
    uri = french.open(shipped()["golf"])
    assert "**cleared**: terme" in french.hover(uri, "\n  clea‸red:")
    assert "Ce que les joueurs" in french.hover(uri, "\nmov‸es:")


@pytest.mark.whole
def test_a_server_process_speaks_over_standard_input(tmp_path: Path) -> None:
    from editing import Editor

    process = Editor(tmp_path, "lsp", "--lang", "fr")
    try:
        uri = process.open("golf.yaml", shipped()["golf"].read_text(encoding="utf-8").replace("\npiles:", "\npils:"))
        assert "R102" in codes(process.told(uri))
        assert "**cleared**: terme" in process.hover(uri, "\n  clea‸red:")
    finally:
        process.end()
