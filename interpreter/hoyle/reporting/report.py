"""Reports of diagnostics as text, JSON, SARIF and GitHub workflow commands, and the registry of codes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, cast
from urllib.parse import quote

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Fix, Severity, Span, localize
from hoyle.language.sentences import FALLBACK, LANGUAGES, make_message, typeset
from hoyle.printable import UNPRINTABLE, printable, width
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.resources import folder

TAB = "    "
WIDEST = 120
"""Maximum number of columns shown of a source line."""
SHOWN = 78
"""A longer line is not shown if a problem covers all of it."""
LONGEST = 500
"""Maximum number of characters shown of a message."""

Painter = Callable[[str, str], str]


# --- text ---


def as_text(diagnostics: Iterable[Diagnostic], colour: bool = False) -> str:
    """Return diagnostics with their source lines, separated by blank lines."""
    paint = _ansi if colour else _no_paint
    return "\n".join(_one(d, paint) for d in diagnostics)


def _no_paint(style: str, part: str) -> str:
    return part


_STYLES = {"error": "1;31", "warning": "1;33", "frame": "1;34", "strong": "1"}


def _ansi(style: str, part: str) -> str:
    return f"\x1b[{_STYLES[style]}m{part}\x1b[0m" if part else part


def _one(d: Diagnostic, paint: Painter) -> str:
    marks = _marks(d)
    gutter = max((len(str(mark.span.line)) for mark in marks), default=1)
    severity, colon = _word(d, d.severity), _word(d, "colon")
    head = paint(d.severity, f"{severity}[{d.code}]") + paint("strong", f"{colon}{_tidy(d.message)}")
    lines = [head, *_snippets(marks, gutter, paint), *_remarks(d, gutter, paint)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


class _Mark(Struct, frozen=True):
    """A span to underline, with a label."""

    span: Span
    label: str
    sign: str
    style: str


def _marks(d: Diagnostic) -> list[_Mark]:
    if d.span is None:
        return []
    first = _Mark(d.span, d.label, "^", d.severity)
    return [first, *(_Mark(span, label, "-", "frame") for span, label in d.related)]


def _remarks(d: Diagnostic, gutter: int, paint: Painter) -> list[str]:
    remarks = [("note", note) for note in d.notes if note] + ([("help", d.help)] if d.help else [])
    frame = [paint("frame", " " * (gutter + 1) + "|")] if remarks and d.span else []
    sign = paint("frame", " " * (gutter + 1) + "=")
    return frame + [
        f"{sign} {paint('strong', _word(d, kind))}{_word(d, 'colon')}{_tidy(words)}" for kind, words in remarks
    ]


def _word(d: Diagnostic, key: str) -> str:
    """Translate a fixed word of the report, such as `help`, into the language of the diagnostic."""
    return localize(make_message(key), d.lang)


def _snippets(marks: Sequence[_Mark], gutter: int, paint: Painter) -> list[str]:
    """Return the lines of a snippet for each file. The file of the first mark comes first."""
    lines: list[str] = []
    for source in dict.fromkeys(mark.span.source.name for mark in marks):
        here = [mark for mark in marks if mark.span.source.name == source]
        arrow = "-->" if not lines else ":::"
        at = here[0].span
        lines.append(f"{' ' * gutter}{paint('frame', arrow)} {_tidy(source)}:{at.line}:{at.column}")
        if any(_points(mark.span) for mark in here):
            lines.append(paint("frame", " " * (gutter + 1) + "|"))
            lines += _source_lines(here, gutter, paint)
    return lines


def _points(span: Span) -> bool:
    """Return whether a span is worth showing: short, or only a part of its line."""
    return len(span.text) <= SHOWN or span.column > 1


def _source_lines(marks: Sequence[_Mark], gutter: int, paint: Painter) -> list[str]:
    """Return the marked lines in order with their underlines, and `...` for lines left out."""
    lines: list[str] = []
    last = 0
    for number in sorted({mark.span.line for mark in marks}):
        if last and number > last + 1:
            lines.append(paint("frame", "..."))
        here = [mark for mark in marks if mark.span.line == number]
        window = _Window.around(here[0].span)
        lines.append(f"{paint('frame', f'{number:>{gutter}} |')} {window.shown}")
        frame = paint("frame", " " * (gutter + 1) + "|")
        lines += [f"{frame} {_underline(mark, window, paint)}" for mark in here]
        last = number
    return lines


def _underline(mark: _Mark, window: _Window, paint: Painter) -> str:
    start, end = window.columns(mark.span)
    return " " * start + paint(mark.style, f"{mark.sign * max(1, end - start)} {_tidy(mark.label)}".rstrip())


class _Window(Struct, frozen=True):
    """The visible part of a source line: characters as displayed, from offset `start` on."""

    start: int
    cells: tuple[str, ...]
    more_before: bool = False
    more_after: bool = False

    @classmethod
    def around(cls, span: Span) -> _Window:
        source = span.source.text
        start = source.rfind("\n", 0, span.start) + 1
        end = source.find("\n", start)
        end = end if end >= 0 else len(source)
        cells = _cells(source[start : min(end, start + WIDEST + 1)])
        if _reach(cells) == end - start:
            return cls(start, cells)
        first = max(start, span.start - WIDEST // 3)
        cells = _cells(source[first : min(end, first + WIDEST)])
        cells = cells[: _reach(cells)]
        return cls(first, cells, first > start, first + len(cells) < end)

    @property
    def shown(self) -> str:
        return "…" * self.more_before + "".join(self.cells) + "…" * self.more_after

    def columns(self, span: Span) -> tuple[int, int]:
        """Return the first column of the visible part of a span and the column after its end, from 0."""
        return self._column(span.start), self._column(span.end)

    def _column(self, offset: int) -> int:
        at = min(max(offset - self.start, 0), len(self.cells))
        return int(self.more_before) + sum(map(width, self.cells[:at]))


def _cells(characters: str) -> tuple[str, ...]:
    return tuple(_cell(character) for character in characters)


def _reach(cells: Sequence[str]) -> int:
    """Return how many cells fit into `WIDEST` columns."""
    room, at = WIDEST, 0
    while at < len(cells) and room >= width(cells[at]):
        room -= width(cells[at])
        at += 1
    return at


def _cell(character: str) -> str:
    """A character as it is displayed."""
    if character == "\t":
        return TAB
    return "\ufffd" if UNPRINTABLE.match(character) else character


def _tidy(words: str) -> str:
    """Put a text on one line and shorten it."""
    shown = printable(words[: LONGEST + 1])
    return shown if len(words) <= LONGEST else shown[:LONGEST] + "…"


# --- for programs ---


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Versioned JSON. Lines and columns count from 1; `endColumn` is that after the last character."""
    return _dump({"version": 1, "diagnostics": [_record(d) for d in diagnostics]})


def _dump(data: Any) -> str:
    # ASCII only: a source may hold what no encoding can write.
    return json.dumps(data, indent=2) + "\n"


def _record(d: Diagnostic) -> dict[str, Any]:
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        **(_place(d.span) if d.span else {}),
        "label": d.label,
        "notes": [note for note in d.notes if note],
        "help": d.help,
        "related": [{**_place(span), "label": label} for span, label in d.related],
        "fixes": [{**_place(fix.span), "text": fix.text} for fix in d.fixes],
    }


def _place(span: Span) -> dict[str, Any]:
    return {"file": span.source.name, **_region(span)}


def _region(span: Span) -> dict[str, int]:
    end = Span(span.source, span.end, span.end)
    return {"line": span.line, "column": span.column, "endLine": end.line, "endColumn": end.column}


def as_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """SARIF 2.1.0, for code scanning."""
    found = list(diagnostics)
    rules = sorted({d.code for d in found})
    run = {
        "tool": {"driver": {"name": "hoyle", "rules": [_sarif_rule(name) for name in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(d, rules.index(d.code)) for d in found],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return _dump({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _sarif_rule(name: str) -> dict[str, Any]:
    try:
        entry = find_code(name)
    except KeyError:
        return {"id": name}
    return {"id": name, "shortDescription": {"text": entry.title}, "fullDescription": {"text": entry.explanation}}


def _sarif_result(d: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {"ruleId": d.code, "ruleIndex": rule, "level": d.severity}
    result["message"] = {"text": _message(d)}
    if d.span:
        result["locations"] = [_sarif_location(d.span)]
    if d.related:
        result["relatedLocations"] = [
            {"id": number, **_sarif_location(span), "message": {"text": label}}
            for number, (span, label) in enumerate(d.related, start=1)
        ]
    if d.fixes:
        result["fixes"] = [_sarif_fix(fix) for fix in d.fixes]
    return result


def _sarif_fix(fix: Fix) -> dict[str, Any]:
    place = _sarif_location(fix.span)["physicalLocation"]
    replacement = {"deletedRegion": place["region"], "insertedContent": {"text": fix.text}}
    return {"artifactChanges": [{"artifactLocation": place["artifactLocation"], "replacements": [replacement]}]}


def _message(d: Diagnostic) -> str:
    """The message with notes and help, for programs that show one text."""
    remarks = [("note", note) for note in d.notes if note] + ([("help", d.help)] if d.help else [])
    return "\n".join([d.message, *(f"{_word(d, kind)}{_word(d, 'colon')}{words}" for kind, words in remarks)])


def _sarif_location(span: Span) -> dict[str, Any]:
    place = _region(span)
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["endLine"],
        "endColumn": place["endColumn"],
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.source.name)}, "region": region}}


def _uri(name: str) -> str:
    return quote(name.replace("\\", "/"), safe="/-._~", errors="replace")


def as_github(diagnostics: Iterable[Diagnostic]) -> str:
    """GitHub workflow commands, which GitHub shows beside changed lines."""
    return "".join(_command(d) for d in diagnostics)


def _command(d: Diagnostic) -> str:
    properties: dict[str, object] = {}
    if d.span:
        place = _region(d.span)
        properties = {"file": d.span.source.name, "line": place["line"], "endLine": place["endLine"]}
        if place["line"] == place["endLine"]:  # GitHub takes columns only within one line
            properties |= {"col": place["column"], "endColumn": place["endColumn"]}
    properties["title"] = d.code
    shown = ",".join(f"{name}={_escape(str(value), ':,')}" for name, value in properties.items())
    return f"::{_level(d.severity)} {shown}::{_escape(_message(d))}\n"


def _level(severity: Severity) -> str:
    return "error" if severity == "error" else "warning"


def _escape(words: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        words = words.replace(character, f"%{ord(character):02X}")
    return words


FORMATS: dict[str, Callable[[Iterable[Diagnostic]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
"""The formats of the command line."""


class Code(Struct, frozen=True):
    """A code of the registry. The examples are empty where no ruleset could show it."""

    code: str
    severity: Severity
    title: str
    explanation: str
    wrong: str = ""
    right: str = ""


def find_code(name: str, lang: str = FALLBACK) -> Code:
    """The entry of a code, in any case, in a language. Raises KeyError."""
    return _registry(lang)[name.strip().upper()]


def list_codes(lang: str = FALLBACK) -> tuple[Code, ...]:
    """All codes in order."""
    found = _registry(lang)
    return tuple(found[name] for name in sorted(found))


@lru_cache(maxsize=len(LANGUAGES))
def _registry(lang: str) -> dict[str, Code]:
    """The registry in a language; untranslated texts stay English."""
    table, words = _table("diagnostics.yaml"), {} if lang == FALLBACK else _table(f"diagnostics.{lang}.yaml")
    return {name: _entry(name, node, words.get(name, node), lang) for name, node in table.items()}


def _table(name: str) -> dict[str, Node]:
    return {code: node for code, _, node in load(read(folder("grammar") / name)).entries()}


def _entry(name: str, node: Node, words: Node, lang: str) -> Code:
    severity = cast(Severity, node.raw_of("severity") or "error")
    title, explanation = (typeset(_on_a_line(_read_text(words, node, k)), lang) for k in ("title", "explanation"))
    return Code(name, severity, title, explanation, _read_text(words, node, "wrong"), _read_text(words, node, "right"))


def _on_a_line(text: str) -> str:
    """Remove line ends; unbreakable spaces stay."""
    return " ".join(part for line in text.splitlines() for part in line.split(" ") if part)


def _read_text(words: Node, node: Node, key: str) -> str:
    return words.raw_of(key) or node.raw_of(key)
