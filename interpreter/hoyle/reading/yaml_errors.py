"""Diagnostics for YAML syntax errors in plain words, and repair of values that a comma inside brackets cut in two.

PyYAML says what it expected and where; rules recognise the mistakes behind that. Its two parsers word errors differently, so a rule is
a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from hoyle.diagnostics import Diagnostic, Fix, Problems, Source, Span, build_replacement, verbatim
from hoyle.language.sentences import make_message
from hoyle.reading.tree import Node, quote


class _SyntaxError:
    """An error of PyYAML: its message, the offset where it was noticed (`at`) and where the faulty part began (`since`)."""

    def __init__(self, source: Source, error: Any) -> None:
        self.source = source
        self.problem = str(getattr(error, "problem", None) or error)
        self.context = str(getattr(error, "context", None) or "")
        mark = getattr(error, "problem_mark", None)
        self.at = min(mark.index if mark else 0, len(source.text))
        context_mark = getattr(error, "context_mark", None)
        self.since = min(context_mark.index if context_mark else self.at, len(source.text))

    @property
    def character(self) -> str:
        return self.source.text[self.at : self.at + 1]

    @property
    def before(self) -> str:
        """The line up to the place."""
        return self.source.text[line_start(self.source, self.at) : self.at]

    def one(self, start: int) -> Span:
        """The span of one character."""
        return Span(self.source, start, min(start + 1, len(self.source.text)))

    def rest_of_line(self, start: int) -> Span:
        """The span up to the end of the line or a comment."""
        text = self.source.text[start : line_end(self.source, start)]
        return Span(self.source, start, start + len(text.split(" #")[0].rstrip()))


def line_start(source: Source, at: int) -> int:
    return source.text.rfind("\n", 0, at) + 1


def line_end(source: Source, at: int) -> int:
    end = source.text.find("\n", at)
    return len(source.text) if end < 0 else end


def syntax_error(source: Source, error: Any) -> Diagnostic:
    """The diagnostic for an error of PyYAML; in its own words if no rule knows it."""
    e = _SyntaxError(source, error)
    if (tab := _tab(e)) is not None:
        return tab
    words = f"{e.context}: {e.problem}"
    rule = next((rule for pattern, rule in _RULES if re.search(pattern, words)), None)
    if rule is not None:
        return rule(e)
    return Diagnostic("R010", make_message("yaml.invalid"), e.rest_of_line(e.at), notes=(verbatim(f"`{e.problem}`"),))


_TAB = re.compile(r"^ *\t[ \t]*(?=[^\s#])", re.MULTILINE)


def _tab(e: _SyntaxError) -> Diagnostic | None:
    """Tabs that indent a line up to the place are the mistake, whatever PyYAML noticed."""
    first = _TAB.search(e.source.text, 0, line_end(e.source, e.at))
    if first is None:
        return None
    others = len(_TAB.findall(e.source.text)) - 1
    notes = (make_message("yaml.more_tabs", others=others),) if others else ()
    span = Span(e.source, first.start(), first.end())
    return Diagnostic(
        "R011", make_message("yaml.no_tab"), span, make_message("yaml.a_tab"), notes, make_message("yaml.indent_spaces")
    )


def _colon_missing(e: _SyntaxError) -> Diagnostic:
    span = e.rest_of_line(e.since)
    stuck = re.match(r"[^\s:]+:(?=\S)", span.text)
    if not stuck:
        return _only_a_name(span)
    help = make_message("yaml.space_after", word=stuck[0])
    fixes = build_replacement(Span(e.source, e.since, e.since + len(stuck[0])), stuck[0], f"{stuck[0]} ")
    return Diagnostic("R012", make_message("yaml.colon_space"), span, help=help, fixes=fixes)


def _only_a_name(span: Span) -> Diagnostic:
    return Diagnostic(
        "R012",
        make_message("yaml.no_colon"),
        span,
        make_message("yaml.only_a_name"),
        help=make_message("yaml.write_pair"),
    )


def _second_colon(e: _SyntaxError) -> Diagnostic:
    if not re.search(r":\s|\{|[\"']:", e.before):
        return _colon_above(e) or _indentation(e)
    message, label, help = (
        make_message("yaml.colon_inside"),
        make_message("yaml.second_colon"),
        make_message("yaml.quote_value"),
    )
    return Diagnostic("R016", message, e.one(e.at), label, help=help, fixes=_quote_fix(e))


_PLAIN_VALUE = re.compile(
    r"""\s*(?:- )?[^\s:{}\[\]"'#-][^:{}\[\]"'#]*: +(?P<value>[^\s{}\[\]"'#|>&*!](?:(?! #).)*?)\s*"""
)


def _quote_fix(e: _SyntaxError) -> tuple[Fix, ...]:
    """Quotes around the value on this line, if it is clear which that is."""
    start = line_start(e.source, e.at)
    line = _PLAIN_VALUE.fullmatch(e.rest_of_line(start).text)
    if line is None or line.start("value") + start > e.at:
        return ()
    span = Span(e.source, start + line.start("value"), start + line.end("value"))
    return (Fix(span, quote(span.text)),)


def _colon_above(e: _SyntaxError) -> Diagnostic | None:
    """A line with only a name above a line in the same column: YAML takes both for one name."""
    above = e.source.text[: line_start(e.source, e.at)].rstrip()
    start = line_start(e.source, len(above))
    name = re.fullmatch(r"( *)([^\s:#-][^:#]*)", above[start:])
    if not name or len(name[1]) != len(e.before) - len(e.before.lstrip(" ")):
        return None
    return _only_a_name(Span(e.source, start + name.start(2), len(above)))


def _indentation(e: _SyntaxError) -> Diagnostic:
    span = e.rest_of_line(e.at - len(e.before.lstrip(" ")))
    label, help = make_message("yaml.other_column"), make_message("yaml.same_column")
    return Diagnostic("R013", make_message("yaml.not_in_line"), span, label, help=help)


def _end_of_block(e: _SyntaxError) -> Diagnostic:
    if not e.before.strip():
        return _indentation(e)
    return _after_quote(e) if re.search(r"""["']$""", e.before.rstrip()) else _unexpected(e)


def _after_quote(e: _SyntaxError) -> Diagnostic:
    mark = e.before.rstrip()[-1]
    help = make_message("yaml.double_quote", quote=mark, inside="''" if mark == "'" else '\\"')
    return Diagnostic(
        "R014", make_message("yaml.after_quote"), e.rest_of_line(e.at), make_message("yaml.not_of_text"), help=help
    )


def _open_quote(e: _SyntaxError) -> Diagnostic:
    label, help = make_message("yaml.opened"), make_message("yaml.close_here")
    return Diagnostic("R014", make_message("yaml.open_quote"), e.rest_of_line(e.since), label, help=help)


def _escape(e: _SyntaxError) -> Diagnostic:
    at = e.source.text.rfind("\\", 0, e.at + 1)
    span = Span(e.source, at, min(at + 2, len(e.source.text))) if at >= 0 else e.one(e.at)
    return Diagnostic("R018", make_message("yaml.backslash"), span, help=make_message("yaml.single_quotes"))


def _bracket(e: _SyntaxError) -> Diagnostic:
    text = e.source.text
    last = max(text.rfind("[", 0, e.at), text.rfind("{", 0, e.at), 0)
    opening = e.since if text[e.since : e.since + 1] in ("[", "{") else last
    mark = text[opening : opening + 1]
    closing = "]" if mark == "[" else "}"
    if e.at >= len(text) or "\n" in text[opening : e.at]:
        related = ((e.one(e.at), make_message("yaml.cannot_follow")),) if e.character.strip() else ()
        message, help = (
            make_message("yaml.open_bracket", mark=mark),
            make_message("yaml.close_bracket", closing=closing),
        )
        return Diagnostic("R015", message, e.one(opening), make_message("yaml.opened"), (), help, related)
    if e.character == ":":
        return _second_colon(e)
    if re.search(r"""["']\s*$""", e.before) and e.character not in ("]", "}"):
        return _after_quote(e)
    if e.character == "?":
        return Diagnostic("R017", make_message("yaml.question_mark"), e.one(e.at), help=make_message("yaml.in_quotes"))
    message, help = make_message("yaml.no_comma", closing=closing), make_message("yaml.brackets_quoted")
    related = ((e.one(opening), make_message("yaml.opened")),)
    return Diagnostic("R015", message, e.one(e.at), make_message("yaml.unexpected"), (), help, related)


def _bad_start(e: _SyntaxError) -> Diagnostic:
    name = make_message("yaml.backtick") if e.character == "`" else f"`{e.character}`"
    message, help = make_message("yaml.begins_with", name=name), make_message("yaml.in_quotes")
    return Diagnostic("R017", message, e.one(e.at), help=help, fixes=_quote_fix(e))


def _sign(e: _SyntaxError, at: int) -> Diagnostic:
    """A value that begins with a sign of YAML."""
    message = make_message("yaml.begins_with_sign", character=e.source.text[at : at + 1])
    return Diagnostic("R017", message, e.one(at), help=make_message("yaml.in_quotes"))


def _list_here(e: _SyntaxError) -> Diagnostic:
    return Diagnostic("R013", make_message("yaml.list_here"), e.one(e.at), help=make_message("yaml.list_below"))


def _block_text(e: _SyntaxError) -> Diagnostic:
    label, help = make_message("yaml.unexpected"), make_message("yaml.text_below")
    return Diagnostic("R010", make_message("yaml.block_line"), e.rest_of_line(e.at), label, help=help)


def _directive(e: _SyntaxError) -> Diagnostic:
    """A line that begins with `%`, up to the place."""
    lines = [match.start() for match in re.finditer("^%", e.source.text[: e.at + 1], re.MULTILINE)]
    if not lines:
        return _unexpected(e)
    return Diagnostic(
        "R017", make_message("yaml.percent_line"), e.rest_of_line(lines[-1]), help=make_message("yaml.percent_help")
    )


def _tag(e: _SyntaxError) -> Diagnostic:
    at = e.source.text.rfind("!", 0, e.since + 1)
    span = e.rest_of_line(at) if at >= 0 else e.one(e.at)
    word = Span(e.source, span.start, span.start + len(span.text.split(" ")[0]))
    message = make_message("yaml.not_used", written=word.text)
    return Diagnostic("R023", message, word, make_message("yaml.a_tag"), help=make_message("yaml.tag_or_quote"))


_NO_COLON = re.compile(r"""\s*(?P<name>[^\s:{}\[\]#'"-][^:{}\[\]#'"]*?) *\{.*:""")
"""A name with a map in braces behind it, without a colon between."""


def _unexpected(e: _SyntaxError) -> Diagnostic:
    if e.character and e.character in "]}":
        message, help = make_message("yaml.closes_nothing", character=e.character), make_message("yaml.remove_or_quote")
        return Diagnostic("R015", message, e.one(e.at), make_message("yaml.never_opened"), help=help)
    if no_colon := _NO_COLON.match(e.before):
        start = line_start(e.source, e.at)
        return _only_a_name(Span(e.source, start + no_colon.start("name"), start + no_colon.end("name")))
    label, help = make_message("yaml.unexpected"), make_message("yaml.pairs_on_lines")
    return Diagnostic("R010", make_message("yaml.not_here"), e.rest_of_line(e.at), label, help=help)


_RULES: list[tuple[str, Callable[[_SyntaxError], Diagnostic]]] = [
    (r"simple key.*could not find expected", _colon_missing),
    (r"mapping values are not allowed", _second_colon),
    (r"quoted scalar.*(end of stream|document separator|document indicator)", _open_quote),
    (r"%YAML|directive|incompatible YAML|alphabetical character", _directive),
    (r"(scanning|parsing) a tag|tag handle", _tag),
    (r"mapping keys are not allowed", lambda e: _sign(e, e.at)),
    (r"unexpected ':'", _second_colon),
    (r"escape|hexdecimal", _escape),
    (r"expected '?<document start>", _directive),
    (r"sequence entries are not allowed", _list_here),
    (r"flow (sequence|mapping|node).*(expected|end of stream)", _bracket),
    (r"block scalar", _block_text),
    (r"cannot start any token", _bad_start),
    (r"scanning an? (alias|anchor)", lambda e: _sign(e, e.since)),
    (r"block (mapping|collection)", _end_of_block),
    (r"node content", _unexpected),
]


# ---- values that a comma cuts in two ---------------------------------------------------------------------------------
# `{if: fits(card, to)}` is, to YAML, `fits(card` and a second name `to)`. A piece that opens a parenthesis without closing
# it is joined with the pieces that follow up to the closing one.

Pair = tuple[Node, Node]
MOST_PIECES = 40
"""How many pieces are searched for the closing parenthesis."""


def repair_list(items: Sequence[Node], problems: Problems) -> list[Node]:
    """Join the items of a flow list that commas cut."""
    repaired: list[Node] = []
    at = 0
    while at < len(items):
        more = _pieces_to_join(items[at], items[at + 1 : at + 1 + MOST_PIECES])
        repaired.append(_join(items[at], items[at + more], problems) if more else items[at])
        at += more + 1
    return repaired


def repair_map(pairs: Sequence[Pair], problems: Problems) -> list[Pair]:
    """Join the pairs of a flow map that commas cut: a value, or the name of a term."""
    keys = [key for key, _ in pairs]
    repaired: list[Pair] = []
    at = 0
    while at < len(pairs):
        key, value = pairs[at]
        is_key_cut = _is_plain(value) and value.raw == ""
        cut = key if is_key_cut else value
        more = _pieces_to_join(cut, keys[at + 1 : at + 1 + MOST_PIECES])
        if more:
            whole = _join(cut, keys[at + more], problems)
            key, value = (whole, pairs[at + more][1]) if is_key_cut else (key, whole)
        repaired.append((key, value))
        at += more + 1
    return repaired


def _pieces_to_join(cut: Node, following: Sequence[Node]) -> int:
    """How many pieces after `cut` close its parentheses; 0 if it was not cut."""
    depth = _depth(cut)
    for number, piece in enumerate(following if depth > 0 else (), start=1):
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


def _join(first: Node, last: Node, problems: Problems) -> Node:
    span = Span(first.span.source, first.span.start, last.span.end)
    label, help, fixes = make_message("yaml.comma_ends"), make_message("yaml.own_line"), (Fix(span, quote(span.text)),)
    problems.add("R027", make_message("yaml.cut_in_two"), span, label=label, help=help, fixes=fixes)
    return Node("scalar", span, span.text, span.text, "")


def protect_commas(fix: Fix, root: Node) -> Fix:
    """Quote the whole value if a comma in a fix would cut it inside brackets or braces."""
    if "," not in fix.text or fix.text[:1] in ("[", "{", "'", '"', ","):  # these are YAML, not part of a text
        return fix
    holder = _flow_text_at(root, fix.span)
    if holder is None:
        return fix
    text, at = holder.span.text, fix.span.start - holder.span.start
    return Fix(holder.span, quote(text[:at] + fix.text + text[at + len(fix.span.text) :]))


def _flow_text_at(root: Node, span: Span) -> Node | None:
    """The plain text between brackets or braces that contains a span."""
    node: Node | None = root
    while node is not None and node.kind != "scalar":
        parts = [*node.items, *(part for pair in node.pairs.values() for part in pair)]
        inner = next((part for part in parts if span.lies_in(part.span)), None)
        if inner is not None and _is_plain(inner) and node.style == "flow":
            return inner
        node = inner
    return None
