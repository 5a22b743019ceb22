"""What an editor is told while a ruleset is typed: problems, and what stands under the pointer. A real client asks a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editing import Editor, edited
from lsprotocol import types
from tiers import some_now

from interpreter.editor.desk import Analysis, real
from interpreter.editor.outline import outline
from interpreter.editor.positions import Lines
from interpreter.editor.server import made
from interpreter.editor.service import Service
from interpreter.game.unplayed import validate
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import shipped


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    yield from edited(tmp_path_factory)


@pytest.fixture
def folder(editor: Editor) -> Path:
    return editor.folder


def said(found: list[types.Diagnostic]) -> list[tuple[object, str]]:
    return [(d.code, d.message.split("\n")[0]) for d in found]


@pytest.mark.parametrize(
    ("name", "old", "new", "code", "place"),
    [
        ("barbu", "points: -2 * tricks of p", "points: -2 * trics of p", "R301", "trics"),
        ("klondike", "\noptions:", "\noptoins:", "R102", "optoins"),
        ("yukon", "use: [", "use: [no-such-thing, ", "R604", "no-such-thing"),
        ("golf", "\npiles:", "\npiles: [", None, None),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    editor: Editor, name: str, old: str, new: str, code: str | None, place: str | None
) -> None:
    uri = editor.open(shipped()[name])
    assert editor.told(uri, lambda found: not found) == []
    right = editor.texts[uri]
    editor.change(uri, right.replace(old, new, 1))
    found = editor.told(uri, bool)
    assert {d.severity for d in found} >= {types.DiagnosticSeverity.Error}
    if code is not None:
        assert (code, place) in [(d.code, editor.text_at(uri, d.range)) for d in found]
    editor.change(uri, right)
    assert editor.told(uri, lambda found: not found) == []
    editor.close(uri)


VARIANT = "ruleset: 1\ngame: mine\nextends: base\ntitle: Mine\nterms:\n  twice(x): 2 * of_all(x)\n"


def base(folder: Path) -> str:
    text = shipped()["yukon"].read_text(encoding="utf-8").replace("game: yukon", "game: base")
    (folder / "base.yaml").write_text(text, encoding="utf-8")
    (folder / "mine.yaml").write_text(VARIANT, encoding="utf-8")
    return text


def test_what_is_built_on_an_open_text_sees_it_unsaved(editor: Editor, folder: Path) -> None:
    text = base(folder)
    first, second = editor.open("base.yaml"), editor.open("mine.yaml")
    assert "R303" in [d.code for d in editor.told(second, bool)]
    editor.change(first, text.replace("\nterms:", "\nterms:\n  of_all(x): x + 1"))
    editor.told(second, lambda found: "R303" not in [d.code for d in found])
    editor.close(second)
    editor.change(first, text)  # and now a file that nobody has open is told of
    assert "R303" in [d.code for d in editor.told(second, lambda found: "R303" in [d.code for d in found])]
    editor.close(first)


def test_a_file_of_words(editor: Editor, folder: Path) -> None:
    (folder / "spoken.yaml").write_text(
        shipped()["yukon"].read_text(encoding="utf-8").replace("game: yukon", "game: spoken"), encoding="utf-8"
    )
    (folder / "spoken.fr.yaml").write_text("words: fr\ngame: spoken\npils:\n  foundation: Bases\n", encoding="utf-8")
    uri = editor.open("spoken.fr.yaml")
    found = editor.told(uri, lambda found: "R616" in [d.code for d in found])
    assert "pils" in [editor.text_at(uri, d.range) for d in found]
    editor.change(uri, editor.texts[uri].replace("pils", "piles"))
    editor.told(uri, lambda found: "R616" not in [d.code for d in found])
    assert [item.name for item in symbols(editor, uri)] == ["words", "game", "piles"]
    editor.close(uri)


def test_a_file_of_words_that_is_not_on_the_disk_yet(editor: Editor, folder: Path) -> None:
    text = shipped()["yukon"].read_text(encoding="utf-8").replace("game: yukon", "game: unsaid")
    (folder / "unsaid.yaml").write_text(text, encoding="utf-8")
    uri, words = editor.open("unsaid.yaml"), editor.open("unsaid.de.yaml", "words: de\ngame: unsaid\n")
    assert "title" in str(editor.told(words, lambda found: "R567" in [d.code for d in found]))
    editor.close(words)
    editor.close(uri)


def test_what_is_built_on_a_file_that_is_not_on_the_disk_yet(editor: Editor, folder: Path) -> None:
    text = shipped()["yukon"].read_text(encoding="utf-8").replace("game: yukon", "game: fresh")
    parent, child = (
        editor.open("fresh.yaml", text),
        editor.open("on-fresh.yaml", "ruleset: 1\ngame: on-fresh\nextends: fresh\npils: {}\n"),
    )
    assert [d.code for d in editor.told(child, bool)] == ["R102"]
    editor.close(parent)
    editor.close(child)


def test_files_that_something_else_writes(editor: Editor, folder: Path) -> None:
    """They are looked at again, and the editor is asked to tell of them."""
    text = shipped()["yukon"].read_text(encoding="utf-8").replace("game: yukon", "game: below")
    (folder / "below.yaml").write_text(text, encoding="utf-8")
    uri = editor.open("above.yaml", "ruleset: 1\ngame: above\nextends: below\n")
    editor.told(uri, lambda found: not found)
    (folder / "below.yaml").write_text(text.replace("\npiles:", "\npils:", 1), encoding="utf-8")
    change = types.FileEvent(uri=(folder / "below.yaml").as_uri(), type=types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    editor.told(change.uri, bool)
    editor.close(uri)


def test_places_are_counted_in_utf_16(editor: Editor) -> None:
    text = shipped()["golf"].read_text(encoding="utf-8")
    marked = text.replace("\nterms:\n", "\nterms:\n  '𝄞': 1\n  lost: {'𝄞𝄞': nothing_like_that}\n", 1)
    uri = editor.open("clef.yaml", marked)
    for d in editor.told(uri, bool):
        line = marked.splitlines()[d.range.start.line]
        assert d.range.end.character <= len(line.encode("utf-16-le")) // 2
    editor.close(uri)
    lines = Lines("a𝄞b\né\n")
    assert [lines.position(n) for n in range(7)] == [(0, 0), (0, 1), (0, 3), (0, 4), (1, 0), (1, 1), (2, 0)]
    assert [lines.offset(lines.position(n)) for n in range(7)] == list(range(7))
    assert lines.offset((0, 99)) == 3
    assert lines.offset((99, 0)) == 6


def test_what_is_no_ruleset_is_left_alone(editor: Editor) -> None:
    other = editor.open("other.yaml", "name: something else\n")
    uri = editor.open(shipped()["whist"])
    editor.told(uri)
    assert other not in editor.published
    editor.close(uri)


def test_everything_is_told_that_validate_tells(editor: Editor, folder: Path) -> None:
    text = shipped()["spider"].read_text(encoding="utf-8")
    (folder / "wrong.yaml").write_text(
        text.replace("face: up", "face: pu").replace(" and ", " nad ", 2), encoding="utf-8"
    )
    expected = validate(folder / "wrong.yaml")
    uri = editor.open("wrong.yaml")
    found = editor.told(uri, lambda found: len(found) == len(expected))
    assert sorted(str(d.code) for d in found) == sorted(d.code for d in expected)
    editor.close(uri)


def test_a_place_that_is_not_there(editor: Editor) -> None:
    uri = editor.open(shipped()["golf"])
    editor.told(uri)
    place = types.Position(line=10**9, character=10**9)
    params = types.HoverParams(text_document=types.TextDocumentIdentifier(uri=uri), position=place)
    assert editor.run(editor.client.text_document_hover_async(params)) is None
    assert editor.hover(uri, "\npil‸es:").startswith("**piles**")
    editor.close(uri)


def test_a_fault_is_noted_and_the_server_lives_on(capsys: pytest.CaptureFixture[str]) -> None:
    noted: list[types.LogMessageParams] = []
    server: Any = made("fr")
    server.window_log_message = noted.append
    service = Service(server)

    def wrong(known: Analysis, place: str) -> bool:
        raise ZeroDivisionError("nothing to divide by")

    async def ask() -> list[bool | None]:
        path = shipped()["golf"]
        service.texts[real(path)] = path.read_text(encoding="utf-8")
        answers = (wrong, lambda known, place: known.merged is not None)
        return [await service.asked("hover", path.as_uri(), answer) for answer in answers]

    assert asyncio.run(ask()) == [None, True]
    assert "nothing to divide by" in capsys.readouterr().err
    assert [(m.type, "hover" in m.message) for m in noted] == [(types.MessageType.Error, True)]


# ---- what stands under the pointer -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "mark", "parts"),
    [
        ("barbu", "points: -6 * que‸ens(p)", ["**queens**: term", "a number"]),
        ("barbu", "total: -2 * hand‸_size", ["term", "constant: `13`"]),
        ("barbu", "-6 * cou‸nt(suits)", ["word of the language", "count(list)"]),
        ("barbu", "cho‸ices: [random", ["The values of an option"]),
        ("barbu", "  doub‸ling:", ["option", "who may double", "now `flanks`"]),
        ("barbu", "points: -2 * tri‸cks of p", ["**tricks**: state", "a number", "starts as `0`"]),
        ("barbu", "total: -2‸ * hand_size", ["constant: `-"]),
        ("klondike", "\n  found‸ation:", ["pile", "seen by: up"]),
        ("golf", "\nmov‸es:", ["What players may do"]),
        ("gin-rummy", "Gin scores {gin_b‸onus} points", ["**gin_bonus**: option", "now `25`"]),
    ],
)
def test_hover(editor: Editor, name: str, mark: str, parts: list[str]) -> None:
    uri = editor.open(shipped()[name])
    text = editor.hover(uri, mark)
    assert all(part in text for part in parts), text
    editor.close(uri)


def test_hover_in_an_example_tells_the_value_there(editor: Editor) -> None:
    uri = editor.open(shipped()["barbu"])
    mark = "values: {cou‸nt(hand of A): 13"
    assert mark.replace("‸", "") in editor.texts[uri]
    assert "in this example: `" in editor.hover(uri, mark)
    editor.close(uri)


def symbols(editor: Editor, uri: str) -> list[types.DocumentSymbol]:
    params = types.DocumentSymbolParams(text_document=types.TextDocumentIdentifier(uri=uri))
    found: Any = editor.run(editor.client.text_document_document_symbol_async(params))
    return list(found or ())


def test_the_outline_has_every_section_and_entry(editor: Editor) -> None:
    uri = editor.open(shipped()["barbu"])
    tree = load(read(shipped()["barbu"]))
    found = {item.name: [inner.name for inner in item.children or ()] for item in symbols(editor, uri)}
    assert list(found) == list(tree.pairs)
    for section in ("options", "terms", "moves", "obligations", "flow"):
        assert found[section] == list(tree[section].pairs)
    params = types.FoldingRangeParams(text_document=types.TextDocumentIdentifier(uri=uri))
    folds = editor.run(editor.client.text_document_folding_range_async(params))
    assert {fold.start_line for fold in folds or ()} >= {
        item.range.start.line for item in symbols(editor, uri) if item.range.end.line > item.range.start.line
    }
    editor.close(uri)


def test_names_stand_inside_what_they_name() -> None:
    """As the protocol wants it; else an editor shows nothing at all."""
    waiting = [item for path in list(shipped().values())[:20] for item in outline(load(read(path)))]
    while waiting:
        item = waiting.pop()
        assert item.name_span.lies_in(item.whole), item
        waiting += item.inside


@pytest.mark.whole
@pytest.mark.parametrize(("words", "locale"), some_now([((), "fr-CH"), (("--lang", "fr"), "en")], 1))
def test_it_speaks_as_its_editor_does(tmp_path: Path, words: tuple[str, ...], locale: str) -> None:
    french = Editor(tmp_path, *words, locale=locale)
    try:
        uri = french.open(shipped()["barbu"])
        assert "**queens**: terme" in french.hover(uri, "points: -6 * que‸ens(p)")
        assert "Les valeurs d'une option" in french.hover(uri, "cho‸ices: [random")
    finally:
        french.end()
