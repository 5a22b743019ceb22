"""Rewrites generated functions into forms that are faster in C. The input functions are not modified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from hoyle.compiling import code
from hoyle.compiling.code import ACTS, Function, Name, Statement, Value, mentioned_names, walk

Change = Callable[[list[Statement]], list[Statement]]


def rewrite(function: Function) -> Function:
    """Return an equivalent function that is faster in C.

    Actions are listed by loops, pieces of several piles are iterated without joining the piles, and subsets are counted
    instead of listed if only one is chosen.
    """
    listed = _mapped(function.body, _list_by_loop)
    mentions = Counter(mentioned_names(*listed))
    body = _mapped(listed, lambda statements: [*_joined(statements, mentions)])
    return replace(function, body=_list_later(body))


def _mapped(body: list[Statement], change: Change) -> list[Statement]:
    """Apply a change to each statement list, the innermost first."""
    inner = [_with_inner(statement, change) for statement in body]
    return change(inner)


def _with_inner(statement: Statement, change: Change) -> Statement:
    match statement:
        case code.If(test=test, body=body, otherwise=other, origin=origin):
            return code.If(test, _mapped(body, change), _mapped(other, change), origin=origin)
        case code.For(target=target, items=items, body=body, origin=origin):
            return code.For(target, items, _mapped(body, change), origin=origin)
        case code.Forever(body=body, origin=origin):
            return code.Forever(_mapped(body, change), origin=origin)
    return statement


def _list_by_loop(body: list[Statement]) -> list[Statement]:
    return [_as_loop(statement) for statement in body]


def _as_loop(statement: Statement) -> Statement:
    match statement:
        case code.Add(
            target=Name("acts"),
            value=code.Comprehension(code.Tuple() as action, target, items, None),
            origin=origin,
        ):
            listed = code.append(ACTS, action)
            listed.origin = origin
            return code.For(target, items, [listed], origin=origin)
    return statement


def _joined(body: list[Statement], mentions: Counter[str]) -> Iterator[Statement]:
    """Replace `xs = []`, `for n in piles: xs += P[n]`, `for c in xs: …` by nested loops, if the body changes nothing."""
    at = 0
    while at < len(body):
        match body[at : at + 3]:
            case [
                code.Assign(target=Name(name), value=code.List(()), origin=origin),
                code.For(target=pile, items=piles, body=[code.Add(target=filled, value=lying)]),
                code.For(target=one, items=looked, body=does) as inner,
            ] if Name(name) == filled == looked and mentions[name] == 3 and _only_looks(does, lying):
                yield code.For(pile, piles, [code.For(one, lying, does, origin=inner.origin)], origin=origin)
                at += 3
            case _:
                yield body[at]
                at += 1


def _only_looks(body: Sequence[Statement], lying: Value) -> bool:
    """Return whether a loop body leaves piles and these names unchanged, and never exits early."""
    acting = (code.Break, code.Return, code.Call, code.RowCall, code.Method, code.Use, code.LogRule)
    for node in walk(body):
        if isinstance(node, acting) or (isinstance(node, code.Add) and not isinstance(node.target, Name)):
            return False
    return isinstance(lying, code.Item) and not {*mentioned_names(lying)} & {*code.assigned_names(*body)}


def _list_later(body: list[Statement]) -> list[Statement]:
    """Replace `v = w_subsets(P, P[n], k)`, `for c in v: acts.append((move, c))` by `acts = later(move, n, k)`.

    Only done if all actions are offered.
    """
    for at in range(len(body) - 1):
        match body[at : at + 2]:
            case [
                code.Assign(
                    target=all_of,
                    value=code.Call("w_subsets", (_, code.Item(Name("P"), pile), code.Literal(int(size)))),
                    origin=origin,
                ),
                code.For(
                    target=one,
                    items=through,
                    body=[code.Do(call=code.Method(Name("acts"), "append", (code.Tuple((move, chosen)),)))],
                ),
            ] if size > 0 and all_of == through and chosen == one:
                if _all_offered([*body[:at], *body[at + 2 :]]):
                    listed = code.Assign(ACTS, code.call("later", move, pile, size), origin=origin)
                    return [*body[:at], listed, *body[at + 2 :]]
    return body


def _all_offered(others: list[Statement]) -> bool:
    """Return whether other statements only begin the list of actions, test whether it is empty, and offer it."""
    return [*mentioned_names(*others)].count("acts") == sum(map(_is_of_all, others))


def _is_of_all(node: Statement) -> bool:
    match node:
        case code.Assign(target=Name("acts"), value=code.List(())) | code.Ask(actions=Name("acts")):
            return True
        case code.If(test=code.Not(Name("acts"))):
            return True
    return False


# ---- look-ahead ------------------------------------------------------------------------------------------------------

_TRYING = ("maximise", "never_twice")


def without_look_ahead(functions: Sequence[Function]) -> list[Function]:
    """Return the functions with look-ahead, rewritten for use during a look-ahead.

    They omit the obligations that try actions, so no function calls itself.
    """
    without = ((function, _mapped(function.body, _not_trying)) for function in functions if _tries(function))
    return [replace(function, body=body) for function, body in without]


def _tries(function: Function) -> bool:
    return any(_is_try(node) for node in walk(function.body))


def _is_try(node: code.Node) -> bool:
    match node:
        case code.Assign(value=code.Call(name)):
            return name in _TRYING
    return False


def _not_trying(body: list[Statement]) -> list[Statement]:
    return [statement for statement in body if not _is_try(statement)]
