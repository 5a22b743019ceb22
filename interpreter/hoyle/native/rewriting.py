"""Forms of generated functions that are written in another way before they become C."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def rewritten(function: ast.FunctionDef) -> ast.FunctionDef:
    """Actions are listed by loops, whichever way they are written; what lies in some piles and is gone through once is never put together; subsets
    of a pile of which nothing is asked but that one of them is chosen are not listed, but counted."""
    _Listing().visit(function)
    _Together(function).visit(function)
    _list_later(function)
    return function


class _Listing(ast.NodeTransformer):
    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        match node:
            case ast.AugAssign(
                target=ast.Name(id="acts"),
                value=ast.ListComp(elt=ast.Tuple() as action, generators=[ast.comprehension(target, items, ifs)]),
            ):
                acts = ast.Attribute(ast.Name("acts", ast.Load()), "append", ast.Load())
                listed: ast.stmt = ast.Expr(ast.Call(acts, [action], []))
                for test in reversed(ifs):
                    listed = ast.If(test, [listed], [])
                return ast.fix_missing_locations(ast.copy_location(ast.For(target, items, [listed], []), node))
        return node


class _Together(ast.NodeTransformer):
    """`xs = []`, `for n in piles: xs += P[n]`, `for c in xs: …` is a loop in a loop, if nothing in it leaves or moves a piece."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.named = [x.id for x in ast.walk(function) if isinstance(x, ast.Name)]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                setattr(node, field, [*self._joined(body)])
        return node

    def _joined(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        at = 0
        while at < len(body):
            match body[at : at + 3]:
                case [
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
                    ast.For(target=pile, iter=piles, body=[ast.AugAssign(target=ast.Name(id=filled), value=lying)]),
                    ast.For(target=one, iter=ast.Name(id=looked), body=does) as inner,
                ] if name == filled == looked and self.named.count(name) == 3 and _only_looks(does, lying):
                    loop = ast.For(pile, piles, [ast.copy_location(ast.For(one, lying, does, []), inner)], [])
                    yield ast.copy_location(loop, body[at])
                    at += 3
                case _:
                    yield body[at]
                    at += 1


def _only_looks(body: list[ast.stmt], lying: ast.expr) -> bool:
    """Does a loop go through pieces of one pile after another to its end, and leave piles and these names as they are?"""
    nodes = [x for statement in body for x in ast.walk(statement)]
    if any(isinstance(x, ast.Break | ast.Return | ast.Call | ast.AugAssign) and not _is_sum(x) for x in nodes):
        return False
    used = {x.id for x in ast.walk(lying) if isinstance(x, ast.Name)}
    return isinstance(lying, ast.Subscript) and not any(
        isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store) and x.id in used for x in nodes
    )


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)


def _list_later(function: ast.FunctionDef) -> None:
    """`v = w_subsets(P, P[n], k)`, `for c in v: acts.append((move, c))` is `acts = later(move, n, k)`, where no action is looked at or left out."""
    body = function.body
    for at in range(len(body) - 1):
        match body[at : at + 2]:
            case [
                ast.Assign(
                    targets=[ast.Name(id=all_of)],
                    value=ast.Call(
                        func=ast.Name(id="w_subsets"),
                        args=[_, ast.Subscript(value=ast.Name(id="P"), slice=pile), ast.Constant(value=int(size))],
                    ),
                ) as listed,
                ast.For(
                    target=ast.Name(id=one),
                    iter=ast.Name(id=through),
                    body=[ast.Expr(ast.Call(ast.Attribute(ast.Name(id="acts")), [ast.Tuple(elts=[move, chosen])]))],
                ),
            ] if size > 0 and all_of == through and isinstance(chosen, ast.Name) and chosen.id == one:
                if _all_offered([*body[:at], *body[at + 2 :]]):
                    call = ast.Call(ast.Name("later", ast.Load()), [move, pile, ast.Constant(size)], [])
                    found = ast.Assign([ast.Name("acts", ast.Store())], call)
                    body[at : at + 2] = [ast.fix_missing_locations(ast.copy_location(found, listed))]
                    return


def _all_offered(others: list[ast.stmt]) -> bool:
    """Do other statements nothing with the list of actions but begin it, ask whether there are any, and offer them?"""
    named = [x for s in others for x in ast.walk(s) if isinstance(x, ast.Name) and x.id == "acts"]
    known = [name for s in others if (name := _of_all(s)) is not None]
    return len(named) == len(known)


def _of_all(node: ast.stmt) -> ast.expr | None:
    match node:
        case ast.Assign(targets=[ast.Name(id="acts") as name], value=ast.List(elts=[])):
            return name
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="acts") as name)):
            return name
        case ast.Assign(targets=[ast.Attribute(attr="acts")], value=ast.Name(id="acts") as name):
            return name
    return None
