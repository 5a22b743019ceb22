"""Generated functions, formulas and types as text, which is easier to read in cases."""

import ast
from collections.abc import Sequence
from typing import Any

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement
from hoyle.compiling.python import source
from hoyle.language import ir
from hoyle.language.ir import Expr
from hoyle.language.value_types import ValueType

_ALIKE: dict[type[ast.AST], tuple[Any, str]] = {
    ast.Name: (code.Name, "id"),
    ast.Attribute: (code.Field, "attr"),
    ast.Subscript: (code.Item, "value slice"),
    ast.IfExp: (code.Choice, "test body orelse"),
    ast.Tuple: (code.Tuple, "elts"),
    ast.List: (code.List, "elts"),
    ast.Starred: (code.Star, "value"),
    ast.AugAssign: (code.Add, "target value"),
    ast.If: (code.If, "test body orelse"),
    ast.For: (code.For, "target iter body"),
    ast.While: (code.Forever, "body"),
    ast.Return: (code.Return, "value"),
    ast.Expr: (code.Do, "value"),
    ast.Break: (code.Break, ""),
}
"""Forms that have the same parts in both."""
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.Mult: "*",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
}


def statements(text: str) -> list[Statement]:
    return _body(ast.parse(text).body)


def function(name: str, text: str, role: code.Role = "value") -> Function:
    return Function(name, ("P",), "a.yaml", 1, statements(text), role, 7)


def printed(body: Sequence[Statement]) -> str:
    return "\n".join(line[4:] for line in source([Function("f", (), "f", 1, [*body])]).splitlines()[1:])


def _body(nodes: Sequence[ast.stmt]) -> list[Statement]:
    match nodes:
        case [ast.Assign(targets=[ast.Attribute(attr="acts")], value=acts), ast.Assign(value=me), ast.Assign(), *rest]:
            return [code.Ask(_node(acts), _node(me), 5), *_body(rest)]
        case [ast.Assign(value=ast.Attribute(attr="piles")), _, *rest]:
            return [code.Open(), *_body(rest)]
        case [first, *rest]:
            return [_node(first), *_body(rest)]
    return []


def _node(node: Any) -> Any:
    if type(node) in _ALIKE:
        form, fields = _ALIKE[type(node)]
        parts = (getattr(node, field) for field in fields.split())
        listed = _body if isinstance(node, ast.stmt) else _all
        return form(*(listed(part) if isinstance(part, list) else _node(part) for part in parts))
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=[_, *names])], value=ast.Name(id="a")):
            return code.Unpack(_all(names))
        case ast.Assign(targets=[target], value=value):
            return code.Assign(_node(target), _node(value))
        case ast.Constant(value=int() | None as value):
            return code.Literal(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return code.Literal(-value)
        case ast.UnaryOp(operand=value):
            return code.Not(_node(value))
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            sign = type(node.op if isinstance(node, ast.BinOp) else node.ops[0])
            return (code.Binary if isinstance(node, ast.BinOp) else code.Compare)(
                _node(left), _SIGNS[sign], _node(right)
            )
        case ast.BoolOp(op=operator, values=values):
            return (code.And if isinstance(operator, ast.And) else code.Or)(_all(values))
        case ast.ListComp(elt=item, generators=[ast.comprehension(target=target, iter=items, ifs=tests)]):
            return code.Comprehension(_node(item), _node(target), _node(items), *_all(tests))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args):
            return code.Method(_node(owner), name, _all(args))
        case ast.Call(func=called, args=args):
            return code.Call(ast.unparse(called), _all(args))
    return node


def _all(nodes: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(map(_node, nodes))


def in_full(value_type: ValueType) -> str:
    found: str = value_type.name
    match value_type.name:
        case "number":
            found = f"{value_type.low}..{value_type.high}"
        case "list":
            found = f"{value_type.least}..{value_type.most} of [{in_full(value_type.item)}]"
        case "row":
            found = value_type.table
        case "choice":
            found = value_type.option
        case "piece" | "pile":
            known = [value_type.of, *sorted(value_type.families), *["mine"] * value_type.mine]
            known += (
                [f"room {value_type.room}", f"numbers {value_type.first}..{value_type.last}"]
                if value_type.name == "pile"
                else []
            )
            found = f"{value_type.name}({' '.join(filter(None, known))})"
    return found + "?" * value_type.optional


def text(expr: Expr) -> str:
    args = [text(a) for a in expr.args]
    match expr:
        case ir.Const(value=value):
            return str(bool(value)) if expr.type.name == "bool" else str(value)
        case ir.Local(var=var):
            return var.name
        case ir.Rows(size=size):
            return f"rows({size})"
        case ir.Cell(ref=ref) | ir.Pile(ref=ref) | ir.Piles(ref=ref):
            return f"{ref.family}[{', '.join(args)}]" if args else ref.family
        case ir.Attr(table=table):
            return f"{args[0]}.{table}"
        case ir.WordCall(word=word):
            return f"{word}({', '.join(args)})"
        case ir.TermCall(instance=instance):
            return f"{instance.name}({', '.join(args)})"
        case ir.ColumnCall(instances=instances):
            return f"column of {len(instances)}({', '.join(args)})"
        case ir.If():
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case ir.Quantified(word=word, var=var):
            return f"{word} {var.name} in {args[0]} has {args[1]}"
        case ir.Chosen(word=word, var=var):
            return f"{word} {var.name} in {args[0]} where {args[1]} by {', '.join(args[2:])}"
        case ir.Collect(var=var):
            by = f" by {', '.join(args[3:])}" if args[3:] else ""
            return f"({args[2]} for {var.name} in {args[0]} where {args[1]}{by})"
        case ir.Arith(op=op) | ir.Compare(op=op):
            return f"({args[0]} {op} {args[1]})"
    name = type(expr).__name__.lower()
    return (
        f"({args[0]} {name} {args[1]})"
        if len(args) == 2 and name in ("and", "or", "otherwise")
        else f"{name}({', '.join(args)})"
    )
