"""Functions as they are while something is tried. Obligations that try what would come of an action bind nobody there, and are left out: so
nothing that is called for a try tries anything itself, and no function comes back to itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from copy import deepcopy

from msgspec.structs import replace

from hoyle.native.forms import Body

_TRYING = ("maximise", "never_twice")


def of_tries(bodies: Iterable[Body]) -> list[Body]:
    """Those of the functions in which something is tried, without that."""
    found = []
    for body in bodies:
        without = _Without()
        statements = [kept for statement in body.statements if (kept := without.visit(deepcopy(statement)))]
        if without.left_out:
            found.append(replace(body, statements=statements))
    return found


class _Without(ast.NodeTransformer):
    left_out = False

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        match node.value:
            case ast.Call(func=ast.Name(id=name)) if name in _TRYING:
                self.left_out = True
                return None
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        node.body = node.body or [ast.copy_location(ast.Pass(), node)]
        return node
