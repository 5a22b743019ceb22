"""What YAML's complaints mean, in words for someone who does not know YAML.

The reader of YAML says what it expected and where; these rules recognise the mistakes behind that. The two readers that
may be at work word things a little differently, so a rule is a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from interpreter.diagnostics import Diagnostic, Source, Span

Rule = Callable[["_Complaint"], Diagnostic]


class _Complaint:
    """One complaint: its words, the place it was noticed (`at`) and the place where what went wrong began (`since`)."""

    def __init__(self, source: Source, error: Any) -> None:
        self.source = source
        self.problem = str(getattr(error, "problem", None) or error)
        self.context = str(getattr(error, "context", None) or "")
        mark = getattr(error, "problem_mark", None)
        self.at = min(mark.index if mark else 0, len(source.text))
        context_mark = getattr(error, "context_mark", None)
        self.since = min(context_mark.index if context_mark else self.at, len(source.text))

    @property
    def words(self) -> str:
        return f"{self.context}: {self.problem}"

    @property
    def character(self) -> str:
        return self.source.text[self.at : self.at + 1]

    @property
    def before(self) -> str:
        """The line up to the place."""
        return self.source.text[line_start(self.source, self.at) : self.at]

    def one(self, start: int) -> Span:
        return Span(self.source, start, min(start + 1, len(self.source.text)))

    def rest_of_line(self, start: int) -> Span:
        text = self.source.text[start : line_end(self.source, start)]
        return Span(self.source, start, start + len(text.split(" #")[0].rstrip()))


def line_start(source: Source, at: int) -> int:
    return source.text.rfind("\n", 0, at) + 1


def line_end(source: Source, at: int) -> int:
    end = source.text.find("\n", at)
    return len(source.text) if end < 0 else end


def syntax_error(source: Source, error: Any) -> Diagnostic:
    """The diagnostic for an error of the YAML reader."""
    complaint = _Complaint(source, error)
    tabs = _tab(complaint)
    if tabs:
        return tabs
    for pattern, rule in _RULES:
        if re.search(pattern, complaint.words):
            return rule(complaint)
    return _other(complaint)


_TAB = re.compile(r"^ *\t[ \t]*(?=[^\s#])", re.MULTILINE)


def _tab(c: _Complaint) -> Diagnostic | None:
    """Tabs before the first word of a line, at or before the place: they are what is wrong, whatever was noticed."""
    lines = list(_TAB.finditer(c.source.text, 0, line_end(c.source, c.at)))
    if not lines:
        return None
    others = len(_TAB.findall(c.source.text)) - 1
    notes = (f"{others} more line{'s begin' if others > 1 else ' begins'} with a tab",) if others else ()
    span = Span(c.source, lines[0].start(), lines[0].end())
    help = "indent with spaces; an editor can change all tabs at once"
    return Diagnostic("R011", "a tab cannot indent a line", span, "a tab", notes, help)


def _colon_missing(c: _Complaint) -> Diagnostic:
    span = c.rest_of_line(c.since)
    stuck = re.match(r"[^\s:]+:(?=\S)", span.text)
    if not stuck:
        return _only_a_name(span)
    help = f"put a space after `{stuck[0]}`"
    return Diagnostic("R012", "a colon must be followed by a space", span, help=help)


def _second_colon(c: _Complaint) -> Diagnostic:
    if not re.search(r":\s|\{|[\"']:", c.before):
        return _colon_above(c) or _indentation(c)
    return Diagnostic(
        "R016",
        "a colon inside a value",
        c.one(c.at),
        "a second colon on this line",
        help="put the value in quotes, or begin a new line after the first colon",
    )


def _colon_above(c: _Complaint) -> Diagnostic | None:
    """A line with only a name, and below it one that begins in the same column: YAML takes them for one name."""
    above = c.source.text[: line_start(c.source, c.at)].rstrip()
    start = line_start(c.source, len(above))
    name = re.fullmatch(r"( *)([^\s:#-][^:#]*)", above[start:])
    if not name or len(name[1]) != len(c.before) - len(c.before.lstrip(" ")):
        return None
    return _only_a_name(Span(c.source, start + name.start(2), len(above)))


def _only_a_name(span: Span) -> Diagnostic:
    help = "write `name: value`, or `name:` with what belongs to it below"
    return Diagnostic("R012", "a colon is missing", span, "this is only a name", help=help)


def _indentation(c: _Complaint) -> Diagnostic:
    first_word = c.at - len(c.before.lstrip(" "))
    return Diagnostic(
        "R013",
        "this line does not line up with the lines above it",
        c.rest_of_line(first_word),
        "begins in another column than its neighbours",
        help="names that belong together begin in the same column, and what belongs to a name stands further right",
    )


def _end_of_block(c: _Complaint) -> Diagnostic:
    if not c.before.strip():
        return _indentation(c)
    if re.search(r"""["']$""", c.before.rstrip()):
        return _after_quote(c)
    return _unexpected(c)


def _after_quote(c: _Complaint) -> Diagnostic:
    quote = c.before.rstrip()[-1]
    inside = "''" if quote == "'" else '\\"'
    return Diagnostic(
        "R014",
        "something follows the closing quote",
        c.rest_of_line(c.at),
        "not part of the text in quotes",
        help=f"to have {quote} inside these quotes write {inside}, or use the other kind of quotes around the text",
    )


def _quote(c: _Complaint) -> Diagnostic:
    return Diagnostic(
        "R014", "a quote is not closed", c.rest_of_line(c.since), "opened here", help="close it on this line"
    )


def _escape(c: _Complaint) -> Diagnostic:
    at = c.source.text.rfind("\\", 0, c.at + 1)
    span = Span(c.source, at, min(at + 2, len(c.source.text))) if at >= 0 else c.one(c.at)
    help = "use single quotes: between them a backslash is an ordinary character"
    return Diagnostic("R018", "a backslash means something else between double quotes", span, help=help)


def _bracket(c: _Complaint) -> Diagnostic:
    opening = c.since if c.source.text[c.since : c.since + 1] in ("[", "{") else _last_opening(c)
    closing = "]" if c.source.text[opening : opening + 1] == "[" else "}"
    if c.at >= len(c.source.text) or "\n" in c.source.text[opening : c.at]:
        return _unclosed(c, opening, closing)
    if c.character == ":":
        return _second_colon(c)
    if re.search(r"""["']\s*$""", c.before) and c.character not in ("]", "}"):
        return _after_quote(c)
    if c.character == "?":
        message = "inside { } and [ ] a value cannot begin with `?`"
        return Diagnostic("R017", message, c.one(c.at), help="put the value in quotes")
    message = f"a comma or `{closing}` is missing before this"
    help = "a text with brackets in it stands in quotes"
    return Diagnostic("R015", message, c.one(c.at), "not expected", (), help, ((c.one(opening), "opened here"),))


def _last_opening(c: _Complaint) -> int:
    return max(c.source.text.rfind("[", 0, c.at), c.source.text.rfind("{", 0, c.at), 0)


def _unclosed(c: _Complaint, opening: int, closing: str) -> Diagnostic:
    mark = c.source.text[opening : opening + 1]
    related = ((c.one(c.at), "this cannot follow"),) if c.character.strip() else ()
    help = f"close it with `{closing}`, or put a comma between its parts"
    return Diagnostic("R015", f"`{mark}` is not closed", c.one(opening), "opened here", (), help, related)


def _bad_start(c: _Complaint) -> Diagnostic:
    name = "a backtick" if c.character == "`" else f"`{c.character}`"
    return Diagnostic("R017", f"a value cannot begin with {name}", c.one(c.at), help="put the value in quotes")


def _bad_name(c: _Complaint) -> Diagnostic:
    character = c.source.text[c.since : c.since + 1]
    message = f"a value cannot begin with `{character}`"
    return Diagnostic("R017", message, c.one(c.since), help="put the value in quotes")


def _list_here(c: _Complaint) -> Diagnostic:
    help = "begin the list on the next line, each item with `- `, or write `[a, b]`"
    return Diagnostic("R013", "a list with `-` cannot begin on this line", c.one(c.at), help=help)


def _block_text(c: _Complaint) -> Diagnostic:
    help = "begin the text on the next line, or put the value in quotes"
    return Diagnostic(
        "R010", "nothing stands on the line of `|` or `>`", c.rest_of_line(c.at), "not expected", help=help
    )


def _unexpected(c: _Complaint) -> Diagnostic:
    if c.character and c.character in "]}":
        help = "remove it, or put the text in quotes"
        return Diagnostic("R015", f"`{c.character}` closes nothing", c.one(c.at), "never opened", help=help)
    help = "write `name: value` on each line; a text with unusual signs stands in quotes"
    return Diagnostic("R010", "this cannot stand here", c.rest_of_line(c.at), "not expected", help=help)


def _other(c: _Complaint) -> Diagnostic:
    return Diagnostic("R010", f"this is not valid YAML: {c.problem}", c.rest_of_line(c.at))


_RULES: list[tuple[str, Rule]] = [
    (r"simple key.*could not find expected", _colon_missing),
    (r"mapping values are not allowed", _second_colon),
    (r"quoted scalar.*(end of stream|document separator)", _quote),
    (r"escape|hexdecimal", _escape),
    (r"expected '?<document start>", _unexpected),
    (r"sequence entries are not allowed", _list_here),
    (r"flow (sequence|mapping|node).*(expected|end of stream)", _bracket),
    (r"block scalar", _block_text),
    (r"cannot start any token", _bad_start),
    (r"scanning an? (alias|anchor)", _bad_name),
    (r"block (mapping|collection)", _end_of_block),
    (r"node content", _unexpected),
]
