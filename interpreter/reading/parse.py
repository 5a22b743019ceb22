"""Text of a formula → `Form`, with true places. The only module that knows Lark."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics import Diagnostic, Refused, Span
from interpreter.language.syntax import Form, Generator, Signature
from interpreter.reading.tree import Node
from interpreter.resources import folder

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

RESERVED = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "then",
        "else",
        "has",
        "by",
        "for",
        "where",
        "of",
        "at",
        "otherwise",
        "empty",
        "true",
        "false",
        "none",
        "some",
        "every",
        "no",
        "most",
        "least",
        "div",
        "mod",
    ]
)
IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")

_MENDS = {
    "==": "write `is`",
    "!=": "write `is not`",
    "=": "write `is`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    "?": "write `if … then … else …`",
    "[": "write `(…)` for a list, `xs at n` for an item",
    "{": "write `(…)` for a list",
    "/": "write `div`: rules count in whole numbers",
    "%": "write `mod`",
    '"': "there is no text in formulas: use a row of a table or a choice of an option",
    "'": "there is no text in formulas: use a row of a table or a choice of an option",
    ":": "there is no `:` in formulas",
    ";": "separate arguments by `,`",
}


def is_identifier(name: str) -> bool:
    """May formulas use this name?"""
    return bool(IDENTIFIER.match(name)) and name not in RESERVED


def formula(node: Node) -> Form:
    """The formula in a scalar. Raises Refused with its place in the file."""
    return _short(node) or _build(_parse(node, "formula").children[0], node.span)


_PLAIN = re.compile(r"(?P<number>\d{1,9})|(?P<name>[^\W\d]\w*)|(?P<low>\d{1,9})\.\.(?P<high>\d{1,9})")


def _short(node: Node) -> Form | None:
    """Numbers, names and ranges of numbers, which are half of all formulas, need no grammar."""
    match = _PLAIN.fullmatch(node.raw) if node.style == "" else None
    if match is None or match.group("name") in RESERVED:
        return None
    if match.group("number"):
        return Form("number", node.span, number=int(match.group("number")))
    if match.group("name"):
        return Form("name", node.span, name=match.group("name"))
    source, start = node.span.source, node.span.start
    low, high = (
        Form("number", Span(source, start + match.start(g), start + match.end(g)), number=int(match.group(g)))
        for g in ("low", "high")
    )
    return Form("range", node.span, (low, high))


def generator(node: Node) -> Generator:
    """`x in xs where c` in a scalar."""
    tree = _parse(node, "generator")
    name, source, where = tree.children
    return Generator(str(name), _build(source, node.span), _build(where, node.span) if where else None, node.span)


def signature(node: Node) -> Signature:
    """`name(a, b)` in a key."""
    name, *parameters = _parse(node, "signature").children
    return Signature(str(name), tuple(str(p) for p in filter(None, parameters)), node.span)


@cache
def _lark() -> Lark:
    """The parser. Its tables take 100 ms to build, so they are kept in the user's cache folder."""
    from lark import Lark, __version__

    text = (folder("grammar") / "formula.lark").read_text(encoding="utf-8")
    key = hashlib.sha256(f"{__version__} {sys.version_info[:2]} {text}".encode()).hexdigest()[:16]
    place = _cache_folder() / f"formula-{key}.lark"
    try:
        with place.open("rb") as kept:
            return Lark.load(kept)
    except Exception:  # absent, unreadable or of another version: any of these means build it anew
        pass_on = Lark(
            text,
            parser="lalr",
            start=["formula", "generator", "signature"],
            propagate_positions=True,
            maybe_placeholders=True,
        )
    _keep(pass_on, place)
    return pass_on


def _cache_folder() -> Path:
    for variable in ("HOYLE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "hoyle"
    return Path.home() / ".cache" / "hoyle"


def _keep(parser: Lark, place: Path) -> None:
    """Written beside and renamed, so that no reader meets half a file; a cache that cannot be written is done without."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as half:
            parser.save(half)
        os.replace(half.name, place)
    except OSError:
        return


def _parse(node: Node, start: str) -> Tree[Token]:
    from lark import TextSlice, exceptions

    text, low, high = _slice(node)
    try:
        return _lark().parse(TextSlice(text, low, high), start=start)
    except exceptions.UnexpectedInput as error:
        raise Refused([_explain(error, node, text, low, high)]) from None


def _slice(node: Node) -> tuple[str, int, int]:
    """Where the formula's own text is: the file itself, so that places are true whatever the YAML style."""
    text, low, high = node.span.source.text, node.span.start, node.span.end
    if node.style in ("'", '"'):
        if text[low + 1 : high - 1] == node.raw:
            return text, low + 1, high - 1
        padded = " " * low + node.raw  # escapes shift columns: keep at least the start true
        return padded, low, len(padded)
    if node.style in ("|", ">"):
        return text, text.index("\n", low) + 1, high
    return text, low, high


def _explain(error: Any, node: Node, text: str, low: int, high: int) -> Diagnostic:
    where = getattr(error, "pos_in_stream", None)
    token = getattr(error, "token", None)
    if where is None or where < 0 or (token is not None and token.type == "$END"):
        where = high
    body = text[low:high]
    missing = body.count("(") - body.count(")")
    source = node.span.source
    if missing > 0:
        at = Span(source, low + _unclosed(body), low + _unclosed(body) + 1)
        return Diagnostic("R202", "this parenthesis is never closed", at, help="close it with `)`")
    if missing < 0 and where < high and text[where] == ")":
        return Diagnostic("R202", "this `)` closes nothing", Span(source, where, where + 1))
    if not body.strip():
        return Diagnostic("R203", "a formula is missing here", node.span)
    if where >= high:
        at = Span(source, max(low, high - 1), high)
        return Diagnostic("R201", "the formula ends too early", at, notes=_expected(error), help=_tail_help(body))
    return _unexpected(error, source, text, where, low)


def _unexpected(error: Any, source: Any, text: str, where: int, low: int) -> Diagnostic:
    rest = text[where:]
    word = re.match(r"\w+|==|!=|<=|>=|&&|\|\||.", rest, re.S)
    found = word.group(0) if word else rest[:1]
    help_ = _MENDS.get(found) or _MENDS.get(found[:1], "")
    if found in ("and", "or") and re.search(r"\b(some|every|no)\b.*\bhas\b", text[low:where], re.S):
        return Diagnostic(
            "R204",
            f"`{found}` after `has` could be read in two ways",
            Span(source, where, where + len(found)),
            help="put what each of them must have in parentheses",
        )
    notes = () if help_ else _expected(error)
    return Diagnostic(
        "R201", f"`{found}` cannot stand here", Span(source, where, where + len(found)), notes=notes, help=help_
    )


def _unclosed(body: str) -> int:
    opened: list[int] = []
    for place, letter in enumerate(body):
        if letter == "(":
            opened.append(place)
        elif letter == ")" and opened:
            opened.pop()
    return opened[-1]


def _tail_help(body: str) -> str:
    last = body.split()[-1] if body.split() else ""
    return f"something must follow `{last}`" if last in RESERVED else ""


def _expected(error: Any) -> tuple[str, ...]:
    names = set(
        getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    )
    words = {
        "NAME": "a name",
        "NUMBER": "a number",
        "LPAR": "`(`",
        "RPAR": "`)`",
        "COMMA": "`,`",
        "MUL": "`*`, `div`, `mod`",
        "LESS": "`<`",
        "DOT": "`.`",
        "_PLUS": "`+`",
        "_MINUS": "`-`",
        "__ANON_0": "`..`",
        "QUANT": "`some`, `every`, `no`",
        "EXTREME": "`most`, `least`",
    }
    shown = sorted(words.get(n) or f"`{n.strip('_').lower()}`" for n in names if n != "$END")
    return (f"here could stand: {', '.join(shown)}",) if shown and len(shown) <= 12 else ()


# ---- Lark's tree → Form ----------------------------------------------------------------------------------------------


def _build(tree: Any, whole: Span) -> Form:
    make: Callable[[Any, Span, Span], Form] = _BUILDERS.get(tree.data, _plain)
    return make(tree, Span(whole.source, tree.meta.start_pos, tree.meta.end_pos), whole)


def _parts(children: list[Any], whole: Span) -> tuple[Form | None, ...]:
    return tuple(None if c is None else _build(c, whole) for c in children)


def _plain(tree: Any, span: Span, whole: Span) -> Form:
    return Form(str(tree.data), span, _parts(tree.children, whole))


def _name(tree: Any, span: Span, whole: Span) -> Form:
    return Form("name", span, name=str(tree.children[0]))


def _number(tree: Any, span: Span, whole: Span) -> Form:
    return Form("number", span, number=int(str(tree.children[0])))


def _operator(tree: Any, span: Span, whole: Span) -> Form:
    left, word, right = tree.children
    return Form(str(tree.data), span, (_build(left, whole), _build(right, whole)), word=str(word))


def _quantifier(tree: Any, span: Span, whole: Span) -> Form:
    word, name, source, condition = tree.children
    return Form("quantifier", span, (_build(source, whole), _build(condition, whole)), name=str(name), word=str(word))


def _extreme(tree: Any, span: Span, whole: Span) -> Form:
    word, name, source, where, by = tree.children
    return Form("extreme", span, _parts([source, where, by], whole), name=str(name), word=str(word))


def _each(tree: Any, span: Span, whole: Span) -> Form:
    item, name, source, where = tree.children
    return Form("collected", span, _parts([source, where, item], whole), name=str(name))


def _call(tree: Any, span: Span, whole: Span) -> Form:
    name, args = tree.children
    return Form("call", span, _arguments(args, whole), name=str(name))


def _arguments(args: Any, whole: Span) -> tuple[Form | None, ...]:
    return _parts(args.children, whole) if args is not None else ()


def _attribute(tree: Any, span: Span, whole: Span) -> Form:
    return Form("attribute", span, (_build(tree.children[0], whole),), name=str(tree.children[1]))


def _cell(tree: Any, span: Span, whole: Span) -> Form:
    owner, name, args = tree.children
    return Form("cell", span, (_build(owner, whole), *_arguments(args, whole)), name=str(name))


def _is(tree: Any, span: Span, whole: Span) -> Form:
    left, right = _parts(tree.children, whole)
    assert left is not None and right is not None
    if right.op == "none":
        return Form("is_none" if tree.data == "is_" else "is_not_none", span, (left,))
    return Form(str(tree.data), span, (left, right))


def _collected(tree: Any, span: Span, whole: Span) -> Form:
    return _build(tree.children[0], whole)


_BUILDERS: dict[str, Any] = {
    "name": _name,
    "number": _number,
    "compare": _operator,
    "multiply": _operator,
    "quantifier": _quantifier,
    "extreme": _extreme,
    "each": _each,
    "call": _call,
    "attribute": _attribute,
    "cell": _cell,
    "is_": _is,
    "is_not": _is,
    "collected": _collected,
}
