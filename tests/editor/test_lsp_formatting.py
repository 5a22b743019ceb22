"""Formatting in the editor gives the text of `hoyle fmt`, with as few changed lines as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from editing import Editor, edited
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types
from tiers import examples

from interpreter.diagnostics import Fix, Source
from interpreter.editor.positions import lines_of
from interpreter.editor.tidying import changed_lines, tidied
from interpreter.formatting.text import formatted
from interpreter.resources import shipped


@pytest.fixture
def editor(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    yield from edited(tmp_path_factory, monkeypatch)


def asked(editor: Editor, uri: str) -> list[types.TextEdit]:
    params = types.DocumentFormattingParams(
        text_document=types.TextDocumentIdentifier(uri=uri),
        options=types.FormattingOptions(tab_size=8, insert_spaces=False),
    )
    found: Any = editor.run(editor.client.text_document_formatting_async(params))
    return list(found or ())


def applied(text: str, edits: list[Fix]) -> str:
    for one in reversed(edits):
        text = text[: one.span.start] + one.text + text[one.span.end :]
    return text


def test_only_lines_out_of_order_are_formatted(editor: Editor) -> None:
    right = formatted(shipped()["golf"].read_text(encoding="utf-8"))
    wrong = right.replace("\npiles:\n", "\n\n\npiles:   # é𝄞\n", 1).replace("\nterms:", "\nterms :", 1)
    uri = editor.open("golf.yaml", wrong)
    edits = asked(editor, uri)
    lines, text = lines_of(wrong), wrong
    for one in sorted(edits, key=lambda e: -e.range.start.line):
        start, end = (lines.offset((p.line, p.character)) for p in (one.range.start, one.range.end))
        text = text[:start] + one.new_text + text[end:]
    assert text == formatted(wrong) != wrong
    assert 0 < sum(one.range.end.line - one.range.start.line for one in edits) < 10
    editor.change(uri, text)
    assert asked(editor, uri) == []


def test_unreadable_texts_are_refused(editor: Editor) -> None:
    uri = editor.open("golf.yaml", shipped()["golf"].read_text(encoding="utf-8") + "more: [\n")
    with pytest.raises(Exception, match=r"cannot be formatted: line \d+: "):
        asked(editor, uri)


def test_other_yaml_files_are_not_formatted(editor: Editor) -> None:
    assert asked(editor, editor.open("other.yaml", "b:   1\na: 2\n")) == []


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "c: é\n", "𝄞"]), max_size=8).map("".join)


@given(LINES, LINES)
@settings(max_examples=examples(10, 100), deadline=None)
def test_changed_lines_turn_one_text_into_the_other(before: str, after: str) -> None:
    edits = changed_lines(Source("x", before), after)
    assert applied(before, edits) == after
    assert all(one.span.text != one.text for one in edits)


@pytest.mark.parametrize("name", ["golf", "klondike"])
def test_the_editor_formats_as_the_command(name: str) -> None:
    text = shipped()[name].read_text(encoding="utf-8").replace(": ", ":  ", 9)
    assert applied(text, tidied(text, "x.yaml")) == formatted(text, "x.yaml")


def test_formatting_is_announced(editor: Editor) -> None:
    can: Any = editor.can
    assert can.document_formatting_provider and not can.document_range_formatting_provider
