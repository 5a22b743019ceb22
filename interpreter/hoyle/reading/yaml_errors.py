"""What YAML's complaints mean, in words for someone who does not know YAML.

The reader of YAML says what it expected and where; these rules recognise the mistakes behind that. The two readers that
may be at work word things a little differently, so a rule is a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from hoyle.diagnostics import Diagnostic, Fix, Problems, Source, Span, replacing, verbatim
from hoyle.language.sentences import said
from hoyle.reading.tree import Node, in_quotes

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
    notes = (said("yaml.more_tabs", others=others),) if others else ()
    span = Span(c.source, lines[0].start(), lines[0].end())
    help = said("yaml.indent_spaces")
    return Diagnostic("R011", said("yaml.no_tab"), span, said("yaml.a_tab"), notes, help)


def _colon_missing(c: _Complaint) -> Diagnostic:
    span = c.rest_of_line(c.since)
    stuck = re.match(r"[^\s:]+:(?=\S)", span.text)
    if not stuck:
        return _only_a_name(span)
    help = said("yaml.space_after", word=stuck[0])
    fixes = replacing(Span(c.source, c.since, c.since + len(stuck[0])), stuck[0], f"{stuck[0]} ")
    return Diagnostic("R012", said("yaml.colon_space"), span, help=help, fixes=fixes)


def _second_colon(c: _Complaint) -> Diagnostic:
    if not re.search(r":\s|\{|[\"']:", c.before):
        return _colon_above(c) or _indentation(c)
    return Diagnostic(
        "R016",
        said("yaml.colon_inside"),
        c.one(c.at),
        said("yaml.second_colon"),
        help=said("yaml.quote_value"),
        fixes=_in_quotes(c),
    )


_PLAIN_VALUE = re.compile(
    r"""\s*(?:- )?[^\s:{}\[\]"'#-][^:{}\[\]"'#]*: +(?P<value>[^\s{}\[\]"'#|>&*!](?:(?! #).)*?)\s*"""
)


def _in_quotes(c: _Complaint) -> tuple[Fix, ...]:
    """Quotes around the value on this line, where it is plain to see which that is."""
    start = line_start(c.source, c.at)
    found = _PLAIN_VALUE.fullmatch(c.rest_of_line(start).text)
    if found is None or found.start("value") + start > c.at:
        return ()
    span = Span(c.source, start + found.start("value"), start + found.end("value"))
    return (Fix(span, in_quotes(span.text)),)


def _colon_above(c: _Complaint) -> Diagnostic | None:
    """A line with only a name, and below it one that begins in the same column: YAML takes them for one name."""
    above = c.source.text[: line_start(c.source, c.at)].rstrip()
    start = line_start(c.source, len(above))
    name = re.fullmatch(r"( *)([^\s:#-][^:#]*)", above[start:])
    if not name or len(name[1]) != len(c.before) - len(c.before.lstrip(" ")):
        return None
    return _only_a_name(Span(c.source, start + name.start(2), len(above)))


def _only_a_name(span: Span) -> Diagnostic:
    help = said("yaml.write_pair")
    return Diagnostic("R012", said("yaml.no_colon"), span, said("yaml.only_a_name"), help=help)


def _indentation(c: _Complaint) -> Diagnostic:
    first_word = c.at - len(c.before.lstrip(" "))
    return Diagnostic(
        "R013",
        said("yaml.not_in_line"),
        c.rest_of_line(first_word),
        said("yaml.other_column"),
        help=said("yaml.same_column"),
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
        said("yaml.after_quote"),
        c.rest_of_line(c.at),
        said("yaml.not_of_text"),
        help=said("yaml.double_quote", quote=quote, inside=inside),
    )


def _quote(c: _Complaint) -> Diagnostic:
    return Diagnostic(
        "R014", said("yaml.open_quote"), c.rest_of_line(c.since), said("yaml.opened"), help=said("yaml.close_here")
    )


def _escape(c: _Complaint) -> Diagnostic:
    at = c.source.text.rfind("\\", 0, c.at + 1)
    span = Span(c.source, at, min(at + 2, len(c.source.text))) if at >= 0 else c.one(c.at)
    help = said("yaml.single_quotes")
    return Diagnostic("R018", said("yaml.backslash"), span, help=help)


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
        message = said("yaml.question_mark")
        return Diagnostic("R017", message, c.one(c.at), help=said("yaml.in_quotes"))
    message = said("yaml.no_comma", closing=closing)
    help = said("yaml.brackets_quoted")
    return Diagnostic(
        "R015", message, c.one(c.at), said("yaml.unexpected"), (), help, ((c.one(opening), said("yaml.opened")),)
    )


def _last_opening(c: _Complaint) -> int:
    return max(c.source.text.rfind("[", 0, c.at), c.source.text.rfind("{", 0, c.at), 0)


def _unclosed(c: _Complaint, opening: int, closing: str) -> Diagnostic:
    mark = c.source.text[opening : opening + 1]
    related = ((c.one(c.at), said("yaml.cannot_follow")),) if c.character.strip() else ()
    help = said("yaml.close_bracket", closing=closing)
    return Diagnostic(
        "R015", said("yaml.open_bracket", mark=mark), c.one(opening), said("yaml.opened"), (), help, related
    )


def _bad_start(c: _Complaint) -> Diagnostic:
    name = said("yaml.backtick") if c.character == "`" else f"`{c.character}`"
    message, help = said("yaml.begins_with", name=name), said("yaml.in_quotes")
    return Diagnostic("R017", message, c.one(c.at), help=help, fixes=_in_quotes(c))


def _bad_name(c: _Complaint) -> Diagnostic:
    character = c.source.text[c.since : c.since + 1]
    message = said("yaml.begins_with_sign", character=character)
    return Diagnostic("R017", message, c.one(c.since), help=said("yaml.in_quotes"))


def _list_here(c: _Complaint) -> Diagnostic:
    help = said("yaml.list_below")
    return Diagnostic("R013", said("yaml.list_here"), c.one(c.at), help=help)


def _block_text(c: _Complaint) -> Diagnostic:
    help = said("yaml.text_below")
    return Diagnostic("R010", said("yaml.block_line"), c.rest_of_line(c.at), said("yaml.unexpected"), help=help)


def _directive(c: _Complaint) -> Diagnostic:
    """A line that begins with `%`, at or before the place, which tells YAML something."""
    lines = [found.start() for found in re.finditer("^%", c.source.text[: c.at + 1], re.MULTILINE)]
    if not lines:
        return _unexpected(c)
    return Diagnostic("R017", said("yaml.percent_line"), c.rest_of_line(lines[-1]), help=said("yaml.percent_help"))


def _tag(c: _Complaint) -> Diagnostic:
    """What begins with `!`."""
    at = c.source.text.rfind("!", 0, c.since + 1) if c.source.text[c.since : c.since + 1] != "!" else c.since
    span = c.rest_of_line(at) if at >= 0 else c.one(c.at)
    word = Span(c.source, span.start, span.start + len(span.text.split(" ")[0]))
    message = said("yaml.not_used", written=word.text)
    return Diagnostic("R023", message, word, said("yaml.a_tag"), help=said("yaml.tag_or_quote"))


def _question(c: _Complaint) -> Diagnostic:
    message = said("yaml.begins_with_sign", character=c.character)
    return Diagnostic("R017", message, c.one(c.at), help=said("yaml.in_quotes"))


_NO_COLON = re.compile(r"""\s*(?P<name>[^\s:{}\[\]#'"-][^:{}\[\]#'"]*?) *\{.*:""")
"""A name and what stands in braces behind it, with no colon between them."""


def _unexpected(c: _Complaint) -> Diagnostic:
    if c.character and c.character in "]}":
        help = said("yaml.remove_or_quote")
        return Diagnostic(
            "R015",
            said("yaml.closes_nothing", character=c.character),
            c.one(c.at),
            said("yaml.never_opened"),
            help=help,
        )
    if no_colon := _NO_COLON.match(c.before):
        start = line_start(c.source, c.at)
        return _only_a_name(Span(c.source, start + no_colon.start("name"), start + no_colon.end("name")))
    help = said("yaml.pairs_on_lines")
    return Diagnostic("R010", said("yaml.not_here"), c.rest_of_line(c.at), said("yaml.unexpected"), help=help)


def _other(c: _Complaint) -> Diagnostic:
    """What no rule knows: in the words of the reader of YAML, which are English."""
    return Diagnostic("R010", said("yaml.invalid"), c.rest_of_line(c.at), notes=(verbatim(f"`{c.problem}`"),))


_RULES: list[tuple[str, Rule]] = [
    (r"simple key.*could not find expected", _colon_missing),
    (r"mapping values are not allowed", _second_colon),
    (r"quoted scalar.*(end of stream|document separator|document indicator)", _quote),
    (r"%YAML|directive|incompatible YAML|alphabetical character", _directive),
    (r"(scanning|parsing) a tag|tag handle", _tag),
    (r"mapping keys are not allowed", _question),
    (r"unexpected ':'", _second_colon),
    (r"escape|hexdecimal", _escape),
    (r"expected '?<document start>", _directive),
    (r"sequence entries are not allowed", _list_here),
    (r"flow (sequence|mapping|node).*(expected|end of stream)", _bracket),
    (r"block scalar", _block_text),
    (r"cannot start any token", _bad_start),
    (r"scanning an? (alias|anchor)", _bad_name),
    (r"block (mapping|collection)", _end_of_block),
    (r"node content", _unexpected),
]


MOST_PIECES = 40
"""In how many more pieces the end of a text is looked for."""

Pair = tuple[Node, Node]


def mend_list(items: Sequence[Node], problems: Problems) -> list[Node]:
    """The items of a flow list with what was cut joined."""
    mended: list[Node] = []
    at = 0
    while at < len(items):
        last = _closing(items[at], items[at + 1 : at + 1 + MOST_PIECES])
        mended.append(_join(items[at], items[at + last], problems) if last else items[at])
        at += last + 1
    return mended


def mend_map(pairs: Sequence[Pair], problems: Problems) -> list[Pair]:
    """The pairs of a flow map with what was cut joined: a value, or the name of a term."""
    keys = [key for key, _ in pairs]
    mended: list[Pair] = []
    at = 0
    while at < len(pairs):
        key, value = pairs[at]
        cut = key if _is_missing(value) else value
        last = _closing(cut, keys[at + 1 : at + 1 + MOST_PIECES])
        if last:
            whole = _join(cut, keys[at + last], problems)
            key, value = (whole, pairs[at + last][1]) if cut is key else (key, whole)
        mended.append((key, value))
        at += last + 1
    return mended


def _closing(cut: Node, rest: Sequence[Node]) -> int:
    """How many pieces after `cut` it takes to close its parentheses; 0 if it was not cut."""
    depth = _depth(cut)
    if depth <= 0:
        return 0
    for number, piece in enumerate(rest, start=1):
        if not _is_plain(piece):
            return 0
        depth += _depth(piece)
        if depth <= 0:
            return number
    return 0


def _depth(node: Node) -> int:
    return node.raw.count("(") - node.raw.count(")") if _is_plain(node) else 0


def _is_plain(node: Node) -> bool:
    return node.kind == "scalar" and node.style == ""


def _is_missing(node: Node) -> bool:
    return _is_plain(node) and node.raw == ""


def _join(first: Node, last: Node, problems: Problems) -> Node:
    span = Span(first.span.source, first.span.start, last.span.end)
    problems.add(
        "R027",
        said("yaml.cut_in_two"),
        span,
        label=said("yaml.comma_ends"),
        help=said("yaml.own_line"),
        fixes=(Fix(span, in_quotes(span.text)),),
    )
    return Node("scalar", span, span.text, span.text, "")


def uncut(fix: Fix, root: Node) -> Fix:
    """The same change to what stands in this tree, with the whole value in quotes where a comma would cut what comes of it."""
    if "," not in fix.text or fix.text[:1] in ("[", "{", "'", '"', ","):  # these are YAML, not part of a text
        return fix
    holder = _holder(root, fix.span)
    if holder is None:
        return fix
    text, at = holder.span.text, fix.span.start - holder.span.start
    return Fix(holder.span, in_quotes(text[:at] + fix.text + text[at + len(fix.span.text) :]))


def _holder(root: Node, span: Span) -> Node | None:
    """The plain text between brackets or braces that the stretch lies in."""
    node: Node | None = root
    while node is not None and node.kind != "scalar":
        inside = [*node.items, *(part for pair in node.pairs.values() for part in pair)]
        found = next((part for part in inside if span.lies_in(part.span)), None)
        if found is not None and _is_plain(found) and node.style == "flow":
            return found
        node = found
    return None
