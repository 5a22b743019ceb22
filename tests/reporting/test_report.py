"""Diagnostics for people and for programs, and printable text."""

import json
import re
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.diagnostics import Diagnostic, Fix, Source, Span, verbatim
from hoyle.printable import printable, printable_lines, width
from hoyle.reporting.report import FORMATS, LONGEST, WIDEST, as_github, as_json, as_sarif, as_text

SOURCE = Source("game.yaml", "moves:\n  play:\n    form: talon\n    put: waste\n")


def at(part: str, source: Source = SOURCE) -> Span:
    start = source.text.index(part)
    return Span(source, start, start + len(part))


def problem(
    code: str,
    message: str,
    span: Span | None = None,
    label: str = "",
    notes: Sequence[str] = (),
    help: str = "",
    related: Sequence[tuple[Span, str]] = (),
    fixes: tuple[Fix, ...] = (),
) -> Diagnostic:
    words = tuple((place, verbatim(word)) for place, word in related)
    said = tuple(map(verbatim, notes))
    return Diagnostic(code, verbatim(message), span, verbatim(label), said, verbatim(help), words, fixes=fixes)


FORM = problem(
    "R102",
    "unknown key `form` in a move",
    at("form"),
    "not a key of a move",
    ("known keys: put, take",),
    "a key with a similar name exists: `from`",
    fixes=(Fix(at("form"), "from"),),
)


def line(words: str, part: str, label: str = "") -> list[str]:
    """The shown line and its underline, for a source of one line."""
    source = Source("x", words)
    return as_text([problem("R000", "m", at(part, source), label)]).splitlines()[3:5]


def test_a_diagnostic_in_full() -> None:
    assert as_text([FORM]) == (
        "error[R102]: unknown key `form` in a move\n"
        " --> game.yaml:3:5\n"
        "  |\n"
        "3 |     form: talon\n"
        "  |     ^^^^ not a key of a move\n"
        "  |\n"
        "  = note: known keys: put, take\n"
        "  = help: a key with a similar name exists: `from`\n"
    )
    coloured = as_text([FORM], colour=True)
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == as_text([FORM])


def test_diagnostics_without_a_place_have_a_blank_line_between_them() -> None:
    first, second = problem("R001", "no file", help="look"), problem("R530", "no file")
    assert as_text([first, second]) == "error[R001]: no file\n  = help: look\n\nwarning[R530]: no file\n"
    assert as_text([]) == ""


def test_related_places_stand_in_order() -> None:
    source = Source("a.yaml", "one\n" * 8 + "nine\nten\n")
    related = ((at("ten", source), "and this"), (Span(source, 0, 3), "first here"), (at("nine", source), "same line"))
    assert as_text([problem("R020", "twice", at("nine", source), "again", related=related)]) == (
        "error[R020]: twice\n"
        "  --> a.yaml:9:1\n"
        "   |\n"
        " 1 | one\n"
        "   | --- first here\n"
        "...\n"
        " 9 | nine\n"
        "   | ^^^^ again\n"
        "   | ---- same line\n"
        "10 | ten\n"
        "   | --- and this\n"
    )


def test_a_related_place_in_another_file() -> None:
    other = Source("base.yaml", "piles: {}\n")
    shown = as_text([problem("R603", "gone", at("form"), related=((at("piles", other), "there"),))])
    assert " --> game.yaml:3:5\n" in shown
    assert " ::: base.yaml:1:1\n  |\n1 | piles: {}\n  | ----- there\n" in shown


@pytest.mark.parametrize(
    ("words", "part", "shown", "underline"),
    [
        ("a:\tb", "b", "1 | a:    b", "  |       ^"),
        ("名前: x", "x", "1 | 名前: x", "  |       ^"),
        ("名前: x", "名前", "1 | 名前: x", "  | ^^^^"),
        ("e\u0301t: x", "x", "1 | e\u0301t: x", "  |     ^"),
        ("a\x07b", "b", "1 | a\ufffdb", "  |   ^"),
        ("a: ", "", "1 | a:", "  | ^"),
    ],
)
def test_underlines_stand_under_their_place(words: str, part: str, shown: str, underline: str) -> None:
    assert line(words, part) == [shown, underline]


def test_a_span_of_several_lines_is_underlined_on_its_first() -> None:
    span = Span(SOURCE, SOURCE.text.index("form"), len(SOURCE.text))
    assert as_text([problem("R1", "m", span, "all this")]).splitlines()[3:] == [
        "3 |     form: talon",
        "  |     ^^^^^^^^^^^ all this",
    ]


@pytest.mark.parametrize("length", [200, 5000])
def test_long_lines_are_clipped_around_the_place(length: int) -> None:
    for where in (0, 100, 199):
        shown, underline = line("·" * where + "HERE" + "·" * (length - where), "HERE", "this")
        assert len(shown) <= WIDEST + len("1 | ……")
        assert shown[underline.index("^") :].startswith("HERE") and underline.endswith("^^^^ this")


def test_a_place_at_the_end_of_the_file() -> None:
    end = Span(SOURCE, len(SOURCE.text), len(SOURCE.text))
    assert as_text([problem("R015", "m", end)]).splitlines()[1:] == [" --> game.yaml:5:1", "  |", "5 |", "  | ^"]


def test_terminal_commands_are_escaped_and_long_notes_cut() -> None:
    shown = as_text([problem("R1", "a\x1b[31mb\nc", notes=("d\re", "f" * 2000))])
    assert shown.splitlines()[:2] == ["error[R1]: a\\x1b[31mb c", "  = note: d e"]
    assert len(shown.splitlines()[2]) < LONGEST + 20


def test_json() -> None:
    related = ((Span(SOURCE, 0, 8), "in here"),)
    data = json.loads(as_json([FORM, problem("R1", "m", at("put"), related=related), problem("R2", "n")]))
    assert data["version"] == 1
    assert data["diagnostics"][0] == {
        "code": "R102",
        "severity": "error",
        "message": "unknown key `form` in a move",
        "file": "game.yaml",
        "line": 3,
        "column": 5,
        "endLine": 3,
        "endColumn": 9,
        "label": "not a key of a move",
        "notes": ["known keys: put, take"],
        "help": "a key with a similar name exists: `from`",
        "related": [],
        "fixes": [{"file": "game.yaml", "line": 3, "column": 5, "endLine": 3, "endColumn": 9, "text": "from"}],
    }
    inside = {"file": "game.yaml", "line": 1, "column": 1, "endLine": 2, "endColumn": 2, "label": "in here"}
    assert data["diagnostics"][1]["related"] == [inside]
    assert "file" not in data["diagnostics"][2]
    assert data["diagnostics"][2]["fixes"] == []


def test_sarif() -> None:
    source = Source("a folder\\é.yaml", "a: b\n")
    related = ((at("a", source), "first"),)
    run = json.loads(as_sarif([FORM, problem("R531", "m", at("b", source), related=related)]))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["R102", "R531"]
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == "an unknown key"
    first, second = run["results"]
    assert first["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 5,
        "endLine": 3,
        "endColumn": 9,
    }
    (change,) = first["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert change["replacements"] == [
        {"deletedRegion": first["locations"][0]["physicalLocation"]["region"], "insertedContent": {"text": "from"}}
    ]
    assert "fixes" not in second
    assert (second["level"], second["ruleIndex"]) == ("warning", 1)
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20folder/%C3%A9.yaml"
    assert second["relatedLocations"][0]["message"]["text"] == "first"


def test_github() -> None:
    several = problem("R532", "100% of it\nis wrong", Span(Source("a,b:c", "x\ny\n"), 0, 3))
    first, *others = as_github([FORM, several, problem("R1", "m")]).splitlines()
    assert first.startswith("::error file=game.yaml,line=3,endLine=3,col=5,endColumn=9,title=R102::unknown key `form` ")
    assert first.endswith("in a move%0Anote: known keys: put, take%0Ahelp: a key with a similar name exists: `from`")
    assert others == [
        "::warning file=a%2Cb%3Ac,line=1,endLine=2,title=R532::100%25 of it%0Ais wrong",
        "::error title=R1::m",
    ]


@pytest.mark.whole
@pytest.mark.parametrize("form", sorted(FORMATS))
@given(words=st.text(), message=st.text(), data=st.data())
def test_any_text_can_be_shown(form: str, words: str, message: str, data: st.DataObject) -> None:
    source = Source(data.draw(st.text()), words)
    start = data.draw(st.integers(0, len(words)))
    span = Span(source, start, data.draw(st.integers(start, len(words))))
    shown = FORMATS[form]([problem("R1", message, span, message, (message,), message, ((span, message),))])
    assert shown.endswith("\n")
    if form in ("json", "sarif"):
        json.loads(shown)


OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb\x9bc", "a\\x1b[31mb\\x9bc"),
        ("a\nb\tc\u2028d", "a b c d"),
        ("abc\u202etxt.exe", "abc\\u202etxt.exe"),
        ("\ud800", "\\ud800"),
        ("10\u202f000 € « voilà » ♠ 名前 e\u0301", "10\u202f000 € « voilà » ♠ 名前 e\u0301"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_keep_their_ends_and_colours_if_asked_for() -> None:
    text = "a\x1b[31mb\x1b[0m\nc\x1b[2Jd\r"
    assert printable_lines(text) == "a\\x1b[31mb\\x1b[0m\nc\\x1b[2Jd "
    assert printable_lines(text, colours=True) == "a\x1b[31mb\x1b[0m\nc\\x1b[2Jd "


@pytest.mark.whole
@given(st.text())
def test_no_control_characters_are_left(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert not {unicodedata.bidirectional(c) for c in shown} & OVERRIDES
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("é", 1), ("e\u0301", 1), ("漢", 2), ("\x1b[31mx\x1b[0m", 1)]
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
