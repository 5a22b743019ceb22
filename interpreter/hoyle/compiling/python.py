"""The Python back end: prints and defines generated functions with ruleset line numbers, and holds their helpers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement, Value
from hoyle.language.ir import ABSENT
from hoyle.printable import file_in_code

_UNIT = 2
"""Size of a code unit of bytecode, in bytes."""
_MOST_UNITS = 8
_NO_LINE, _NO_COLUMNS = 0x80 | 15 << 3, 0x80 | 13 << 3


def place_lines(code: CodeType, origins: Sequence[int]) -> CodeType:
    """Return the code, and all code within it, with line `origins[n - 1]` for line n. Columns are dropped."""
    first = origins[code.co_firstlineno - 1]
    within = tuple(place_lines(c, origins) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=within, co_firstlineno=first, co_linetable=b"".join(_entries(code, origins, first)))


def _entries(code: CodeType, origins: Sequence[int], here: int) -> Iterator[bytes]:
    for start, end, line in code.co_lines():
        units = (end - start) // _UNIT
        if line:
            there = origins[line - 1]
            yield _entry(units, there - here)
            here = there
        else:
            yield _entry(units, None)


@lru_cache(maxsize=4096)
def _entry(units: int, change: int | None) -> bytes:
    """Return an entry of the line table: a number of code units, and the line change before them."""
    found = bytearray()
    for left in range(units, 0, -_MOST_UNITS):
        length = min(_MOST_UNITS, left) - 1
        if change is None:
            found.append(_NO_LINE | length)
        else:
            found += bytes([_NO_COLUMNS | length, *_signed(change)])
            change = 0
    return bytes(found)


def _signed(value: int) -> Iterator[int]:
    """Yield a signed number in groups of six bits, the lowest first.

    Bit 6 says that more groups follow. The lowest bit of the first group is the sign.
    """
    left = -value << 1 | 1 if value < 0 else value << 1
    while left >= 64:
        yield 0x40 | left & 63
        left >>= 6
    yield left


# ---- values ----------------------------------------------------------------------------------------------------------

_CHOICE, _OR, _AND, _NOT, _COMPARE, _MINUS, _ATOM = 0, 1, 2, 3, 4, 10, 11
_BINARY = {"|": 5, "&": 6, ">>": 7, "+": 8, "-": 8, "*": 9, "//": 9, "%": 9}
_LEVELS: dict[type[Value], int] = {
    code.Choice: _CHOICE,
    code.Or: _OR,
    code.And: _AND,
    code.Not: _NOT,
    code.Compare: _COMPARE,
    code.Minus: _MINUS,
}
"""Precedence of each type of value."""


def text_of(value: Value) -> str:
    return _PRINTERS[type(value)](value)


def _part(value: Value, least: int) -> str:
    """Return the text of an operand, in parentheses if it binds less strongly than `least`."""
    level = _BINARY[value.operator] if isinstance(value, code.Binary) else _LEVELS.get(type(value), _ATOM)
    text = _PRINTERS[type(value)](value)
    return f"({text})" if level < least else text


def _all(values: Sequence[Value]) -> str:
    return ", ".join([_PRINTERS[type(value)](value) for value in values])


def _item(value: code.Item) -> str:
    return f"{_part(value.items, _ATOM)}[{text_of(value.place)}]"


def _call(value: code.Call) -> str:
    absent = f", absent={text_of(value.absent)}" if value.absent is not None else ""
    return f"{value.function}({_all(value.args)}{absent})"


def _row_call(value: code.RowCall) -> str:
    return f"{value.column}[{text_of(value.row)}]({_all(value.args)})"


def _method(value: code.Method) -> str:
    return f"{_part(value.owner, _ATOM)}.{value.name}({_all(value.args)})"


def _binary(value: code.Binary) -> str:
    level = _BINARY[value.operator]
    return f"{_part(value.left, level)} {value.operator} {_part(value.right, level + 1)}"


def _compare(value: code.Compare) -> str:
    return f"{_part(value.left, _COMPARE + 1)} {value.operator} {_part(value.right, _COMPARE + 1)}"


def _choice(value: code.Choice) -> str:
    return f"{_part(value.yes, _OR)} if {_part(value.test, _OR)} else {text_of(value.no)}"


def _tuple(value: code.Tuple) -> str:
    return f"({_all(value.items)},)" if value.items else "()"


def _comprehension(value: code.Comprehension) -> str:
    opening, closing = "{}" if value.is_set else "[]"
    test = f" if {_part(value.test, _OR)}" if value.test is not None else ""
    target = _all(value.target.items) if isinstance(value.target, code.Tuple) else text_of(value.target)
    return f"{opening}{text_of(value.item)} for {target} in {_part(value.source, _OR)}{test}{closing}"


_PRINTERS: dict[type[Value], Callable[[Any], str]] = {
    code.Literal: lambda value: repr(value.value),
    code.Name: lambda value: value.id,
    code.Label: lambda value: str(value.number),
    code.Field: lambda value: f"s.{value.name}",
    code.Item: _item,
    code.Call: _call,
    code.RowCall: _row_call,
    code.Method: _method,
    code.Not: lambda value: f"not {_part(value.value, _NOT)}",
    code.Minus: lambda value: f"-{_part(value.value, _MINUS)}",
    code.Binary: _binary,
    code.Compare: _compare,
    code.And: lambda value: " and ".join([_part(one, _NOT) for one in value.values]),
    code.Or: lambda value: " or ".join([_part(one, _AND) for one in value.values]),
    code.Choice: _choice,
    code.List: lambda value: f"[{_all(value.items)}]",
    code.Tuple: _tuple,
    code.Star: lambda value: f"*{_part(value.value, _ATOM)}",
    code.Comprehension: _comprehension,
    code.Slice: lambda value: f"{_part(value.items, _ATOM)}[:{'' if value.end is None else value.end}]",
    code.EmptyMap: lambda value: "{}",
}


# ---- statements ------------------------------------------------------------------------------------------------------

Line = tuple[int, str, int]
"""Indentation depth, text, and line of the ruleset."""


def _simple(node: Statement) -> str | None:
    """Return the text of a statement without a body, else None."""
    match node:
        case code.Assign(target=target, value=value):
            return f"{text_of(target)} = {text_of(value)}"
        case code.Do(call=call):
            return text_of(call)
        case code.Return(value=value):
            return f"return {text_of(value)}" if value is not None else "return"
        case code.Add(target=target, value=value):
            return f"{text_of(target)} += {text_of(value)}"
        case code.Break():
            return "break"
        case code.Open():
            return "P = s.piles; C = s.cells"
        case code.Unpack(names=names):
            return f"_, {_all(names)} = a"
        case code.Ask(actions=actions, actor=actor, decision=decision):
            return f"s.acts = {text_of(actions)}; s.actor = {text_of(actor)}; s.pc = {decision}"
        case code.Use(counter=counter):
            return f"HITS[{counter}] += not s.looking"
        case code.Fill(first=first, count=count, value=value):
            return f"C[{first}:{first + count}] = [{text_of(value)}] * {count}"
        case code.Yield(value=value):
            return f"yield {text_of(value)}"
    return None


def _add(lines: list[Line], body: Sequence[Statement], indent: int, origin: int) -> None:
    """Add the lines of statements."""
    if not body:
        lines.append((indent, "pass", origin))
    for node in body:
        text = _simple(node)
        if text is not None:
            lines.append((indent, text, node.origin))
        else:
            _add_compound(lines, node, indent)


def _add_compound(lines: list[Line], node: Statement, indent: int) -> None:
    match node:
        case code.If():
            _add_branch(lines, node, indent, "if")
        case code.For(target=target, items=items, body=body):
            lines.append((indent, f"for {text_of(target)} in {text_of(items)}:", node.origin))
            _add(lines, body, indent + 1, node.origin)
        case code.Forever(body=body):
            lines.append((indent, "while True:", node.origin))
            _add(lines, body, indent + 1, node.origin)
        case code.LogRule(rule=rule, player=player):
            logged = f"if s.log is not None: s.log.append(('rule', {rule}, {text_of(player)}))"
            lines.append((indent, logged, node.origin))
        case code.ForChosen(player=player, players=players, actions=actions, effect=effect):
            head = f"for {text_of(player)}, a in sorted(zip({text_of(players)}, {text_of(actions)})):"
            texts = (head, "    if a:", f"        r = {effect}(s, a)", "        if r >= 0: return r")
            lines += [(indent, text, node.origin) for text in texts]
        case _:
            raise AssertionError(node)


def _add_branch(lines: list[Line], node: code.If, indent: int, word: str) -> None:
    """Add a branch. If it has one simple statement, it takes one line."""
    head = f"{word} {text_of(node.test)}:"
    text = _simple(node.body[0]) if len(node.body) == 1 and node.body[0].origin == node.origin else None
    lines.append((indent, f"{head} {text}" if text is not None else head, node.origin))
    if text is None:
        _add(lines, node.body, indent + 1, node.origin)
    match node.otherwise:
        case []:
            return
        case [code.If() as other]:
            _add_branch(lines, other, indent, "elif")
        case other:
            lines.append((indent, "else:", other[0].origin))
            _add(lines, other, indent + 1, node.origin)


# ---- functions -------------------------------------------------------------------------------------------------------


def _printed(function: Function) -> tuple[str, tuple[int, ...]]:
    """Return the text of a function without its first line, and for each line of it the line of the ruleset."""
    lines = list[Line]()
    _add(lines, function.body, 1, function.line)
    text = "\n".join(["    " * indent + text for indent, text, _ in lines])
    return text, (function.line, *[origin for *_, origin in lines])


def _head(function: Function) -> str:
    return f"def {function.name}({', '.join(function.parameters)}):"


def define(functions: Sequence[Function], namespace: dict[str, Any]) -> str:
    """Define the functions in the namespace, with source positions in the rulesets. Returns their text."""
    texts = []
    for function in functions:
        body, origins = _printed(function)
        head, file = (
            _head(function),
            function.file.encode(errors="replace").decode(),
        )  # a file name may contain lone surrogates
        exec(_code(f"{head}\n{body}", origins, file), namespace)
        texts.append(f"{head}  # {file_in_code(function.file)}:{function.line}\n{body}\n")
    return "".join(texts)


def source(functions: Sequence[Function]) -> str:
    """Return the Python text of functions."""
    texts = (f"{_head(f)}  # {file_in_code(f.file)}:{f.line}\n{_printed(f)[0]}\n" for f in functions)
    return "".join(texts)


@lru_cache(maxsize=4096)
def _code(text: str, origins: tuple[int, ...], file: str) -> CodeType:
    """Return the code of one function. Cached, since compiling takes a third of the time to load a game.

    After a change of options or of a rule, most functions are the same.
    """
    return place_lines(compile(text, file, "exec"), origins)


def column_text(body: Sequence[Statement]) -> str:
    """Return the text of a function of one variable `i`, named `column`."""
    lines: list[Line] = [(0, "def column(i):", 0)]
    _add(lines, body, 1, 0)
    return "\n".join(["    " * indent + text for indent, text, _ in lines])


def tabulate(column: str, things: int, namespace: dict[str, Any]) -> tuple[int, ...]:
    """Return the values of such a function for the indices below `things`, then for an absent one."""
    space = dict(namespace)
    exec(_column_code(column), space)
    return (*map(space["column"], range(things)), space["column"](ABSENT))


@lru_cache(maxsize=4096)
def _column_code(text: str) -> CodeType:
    return compile(text, "<column>", "exec")


def same_lists(a: Any, b: Any, piece: bool) -> bool:
    """Return whether two lists are equal item by item, ignoring the faces of pieces."""
    return [x >> 1 for x in a] == [x >> 1 for x in b] if piece else list(a) == list(b)


def same_kinds(a: Any, b: Any, face: int, left: int, right: int) -> bool:
    """Return whether two lists, possibly nested, are equal item by item, with no item absent.

    `face` is the number of low bits of an item to ignore. `left` and `right` are the absent items of either side.
    """
    if isinstance(a, int):
        return a != left and b != right and a >> face == b >> face
    return len(a) == len(b) and all(same_kinds(x, y, face, left, right) for x, y in zip(a, b, strict=True))


def in_kinds(a: Any, items: Any, face: int, left: int, right: int) -> bool:
    """Return whether a list is among these. Lists are compared by `same_kinds`."""
    return any(same_kinds(a, b, face, left, right) for b in items)


def without(items: Sequence[Any], taken: Iterable[Any], face: int, left: int, right: int) -> list[Any]:
    """Return a list without the last equal item for each of `taken`."""
    kept = list(items)
    for item in taken:
        at = next((i for i in reversed(range(len(kept))) if same_kinds(kept[i], item, face, left, right)), None)
        if at is not None:
            del kept[at]
    return kept


def in_list(a: Any, items: Any, piece: bool) -> bool:
    """Return whether a piece or a list is among these."""
    if piece:
        return a >= 0 and any(a >> 1 == b >> 1 for b in items)
    return any(list(a) == list(b) for b in items)


def left_over(items: Sequence[int], taken: Iterable[int], face: int) -> list[int]:
    """Like `without`, if no item is absent. `face` is the number of low bits of an item to ignore."""
    left = list(items)
    for item in taken:
        at = next((i for i in reversed(range(len(left))) if left[i] >> face == item >> face), None)
        if at is not None:
            del left[at]
    return left


def in_order(items: list[tuple[Any, Any]]) -> list[Any]:
    """Return the second item of each pair, sorted by the first."""
    return [item for _, item in sorted(items, key=lambda found: found[0])]
