"""Formatting in the editor gives the text of `hoyle fmt`, with as few changed lines as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from hoyle.diagnostics import Fix, Source
from hoyle.editor.edits import diff_lines, format_with_edits
from hoyle.formatting.formatter import format_ruleset
from hoyle.resources import shipped

if TYPE_CHECKING:
    from editing import Editor


def asked(editor: Editor, uri: str) -> list[Any]:
    return list(editor.ask("formatting", uri, options={"tabSize": 8, "insertSpaces": False}) or ())


def applied(text: str, edits: list[Fix]) -> str:
    for one in reversed(edits):
        text = text[: one.span.start] + one.text + text[one.span.end :]
    return text


@pytest.mark.whole
def test_only_lines_out_of_order_are_formatted(editor: Editor) -> None:
    right = format_ruleset(shipped()["golf"].read_text(encoding="utf-8"))
    wrong = right.replace("\npiles:\n", "\n\n\npiles:   # é𝄞\n", 1).replace("\nterms:", "\nterms :", 1)
    uri = editor.open("golf.yaml", wrong)
    edits = asked(editor, uri)
    text = editor.edited(uri, edits)
    assert text == format_ruleset(wrong) != wrong
    assert 0 < sum(one.range.end.line - one.range.start.line for one in edits) < 10
    editor.change(uri, text)
    assert asked(editor, uri) == []


@pytest.mark.whole
def test_formatting_keeps_line_ends(editor: Editor) -> None:
    wrong = "ruleset: 1\r\ntitle:   {en: X}\r\nextends: golf\r\ngame: x\r\nterms: {}\r\n"
    uri = editor.open("x.yaml", wrong)
    assert editor.edited(uri, asked(editor, uri)) == format_ruleset(wrong).replace("\n", "\r\n")


@pytest.mark.whole
def test_formatting_is_announced_and_refuses_other_texts(editor: Editor) -> None:
    can: Any = editor.can
    assert can.document_formatting_provider and not can.document_range_formatting_provider
    assert asked(editor, editor.open("other.yaml", "b:   1\na: 2\n")) == []
    uri = editor.open("golf.yaml", shipped()["golf"].read_text(encoding="utf-8") + "more: [\n")
    with pytest.raises(Exception, match=r"cannot be formatted: line \d+: "):
        asked(editor, uri)


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "c: é\n", "𝄞"]), max_size=8).map("".join)


@pytest.mark.whole
@given(LINES, LINES)
@settings(max_examples=examples(5, 30), deadline=None)
def test_changed_lines_turn_one_text_into_the_other(before: str, after: str) -> None:
    edits = diff_lines(Source("x", before), after)
    assert applied(before, edits) == after
    assert all(one.span.text != one.text for one in edits)


@pytest.mark.parametrize("name", ["golf", pytest.param("klondike", marks=pytest.mark.whole)])
def test_the_editor_formats_as_the_command(name: str) -> None:
    text = shipped()[name].read_text(encoding="utf-8").replace(": ", ":  ", 9)
    assert applied(text, format_with_edits(text, "x.yaml")) == format_ruleset(text, "x.yaml")
