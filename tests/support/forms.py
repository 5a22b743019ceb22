"""A formula of the intermediate form as text, to be read: what a pass has made of it."""

from hoyle.language import ir
from hoyle.language.ir import Expr


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
