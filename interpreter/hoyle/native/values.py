"""Expressions of generated functions as C."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from hoyle.native.actions import binding_of, called, listed_moves, move_of, perhaps_absent
from hoyle.native.chain import BLOCK
from hoyle.native.constants import Constants, in_digits
from hoyle.native.doubling import sums
from hoyle.native.forms import ITEMS, LISTS, Body, Type, Untranslatable, in_c
from hoyle.native.guessless import looked_up
from hoyle.native.inference import Inference
from hoyle.native.rooms import roomy
from hoyle.native.several import kept_apart
from hoyle.native.subsets import WALKED, looks_only, walks
from hoyle.native.words import word
from hoyle.printable import file_in_code

COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|"}


class Values:
    """Writes expressions into one function; what must stand before them is put into its lines."""

    def __init__(self, types: Inference, body: Body, constants: Constants, slugs: Mapping[str, str]) -> None:
        self.types, self.body, self.constants, self.slugs = types, body, constants, slugs
        self.names = {**types.names[body.name]}
        self.lines: list[str] = []
        self.depth, self.count, self.move = 1, 0, -1
        self.moves = listed_moves(body)
        self.absent = perhaps_absent(body.statements)
        self.result = "I" if re.match(r"[abe]\d+$|settle_", body.name) else types.values.get(body.name) or "I"
        self.fixed: set[str] = set()
        """Names of lists whose sizes are known here."""
        self.acts_left, self.block = False, BLOCK.match(body.name) is not None
        weighs = body.name.startswith("weigh_")
        self.several = weighs or body.name in types.several
        """Does the function write several numbers where its caller wants them?"""
        self.apart = kept_apart(body, types.several)
        self.roomy = roomy(body, self.names, self.result)
        self.pure = "P" in body.parameters and not weighs
        self.summed = sums(body.statements)
        self.looked_up = looked_up(body.statements, constants.tables)
        self.walks = (
            walks(body.statements, self.names, types.values)
            if self.pure or (self.block and looks_only(body.statements))
            else {}
        )
        self.names.update({name: WALKED[self.names[name]] for name in self.walks})

    # ---- lines -------------------------------------------------------------------------------------------------------

    def put(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def fresh(self) -> str:
        self.count += 1
        return f"_{self.count}"

    def origin(self, node: ast.stmt) -> None:
        self.lines.append(f'#line {self.body.origins[node.lineno - 1]} "{file_in_code(self.body.file)}"')

    def nothing(self) -> str:
        """Leaves the function once something has stopped."""
        if self.block:
            return "goto stopped;"
        return "return;" if self.several else f"return ({in_c(self.result)}){{0}};"

    # ---- values ------------------------------------------------------------------------------------------------------

    def place(self, target: ast.expr) -> str:
        match target:
            case ast.Name(id=name):
                return name
            case ast.Subscript(value=ast.Name(id="C"), slice=index):
                return f"s->C[{self.number(index)}]"
        raise Untranslatable(ast.unparse(target))

    def number(self, node: ast.expr) -> str:
        return self.typed(node, "I")

    def item(self, node: ast.expr) -> str:
        """A number as an item of a list."""
        return _item(node, self.number(node))

    def typed(self, node: ast.expr, wanted: Type) -> str:
        text, kind = self.value(node)
        if kind == wanted or (kind, wanted) in (
            ("A", "I"),
            ("LA", "L"),
            ("L", "LA"),
            ("L?", "L"),
            ("L?", "LA"),
            ("L?", "Map"),
        ):
            return text
        if kind == "L?" and wanted in (*ITEMS, "L?"):
            return f"({in_c(wanted)}){{0, 0, 0}}"  # of nothing there are no items, whatever they are
        if wanted == "L?" and kind in ITEMS:
            return text if in_c(kind) == "L" else "(L){0, 0, 0}"
        raise Untranslatable(f"{ast.unparse(node)} is {kind}, not {wanted}")

    def truth(self, node: ast.expr) -> str:
        text, kind = self.value(node)
        return f"{text}.n > 0" if kind not in ("I", "A") else text

    def value(self, node: ast.expr) -> tuple[str, Type]:
        """C text, and its type."""
        match node:
            case ast.Constant(value=int(value)):
                return in_digits(int(value)), "I"
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute(attr="looking"):
                return "s->looking", "I"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!({self.truth(operand)}))", "I"
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return in_digits(-int(value)), "I"
            case ast.UnaryOp(operand=operand):
                return f"(-{self.number(operand)})", "I"
            case ast.Compare():
                return self._compare(node), "I"
            case ast.BoolOp(op=ast.And(), values=values):
                return f"({' && '.join(self._conjoined(values))})", "I"
            case ast.BoolOp(op=operator, values=values):
                return (
                    f"({(' && ' if isinstance(operator, ast.And) else ' || ').join(self.truth(v) for v in values)})",
                    "I",
                )
            case ast.IfExp(test=test, body=yes, orelse=no):
                one = self.value(yes)[1]
                kind = self.value(no)[1] if one == "L?" else one
                return f"({self.truth(test)} ? {self.typed(yes, kind)} : {self.typed(no, kind)})", kind
            case ast.BinOp():
                return self._binary(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return self._listed(items)
            case ast.ListComp() | ast.SetComp():
                return self._comprehension(node)
            case ast.Dict():
                return "(L){0, 0, 0}", "Map"
            case ast.Call():
                return self._call(node)
        raise Untranslatable(ast.unparse(node))

    def _named(self, name: str) -> tuple[str, Type]:
        if name in self.names:
            return name, self.names[name]
        return self.constants.name(name)

    def operation(self, left: str, operator: ast.operator, right: str) -> str:
        match operator:
            case ast.FloorDiv():
                return f"{'over_positive' if right.isdigit() and int(right) else 'over'}({left}, {right})"
            case ast.Mod():
                return f"{'mod_positive' if right.isdigit() and int(right) else 'mod'}({left}, {right})"
            case _:
                return f"({left} {OPERATORS[type(operator)]} {right})"

    def _conjoined(self, values: Sequence[ast.expr]) -> list[str]:
        """Behind `a[0] == number` the action `a` is one of that move."""
        before, found = self.move, []
        for value in values:
            found.append(self.truth(value))
            number = move_of(value)
            self.move = number if number is not None else self.move
        self.move = before
        return found

    def _binary(self, node: ast.BinOp) -> tuple[str, Type]:
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.Tuple | ast.List):
            return f"repeated(x, {self.number(node.left.elts[0])}, {self.number(node.right)})", "L"
        left, kind = self.value(node.left)
        if kind == "I":
            return self.operation(left, node.op, self.number(node.right)), "I"
        right, other = self.value(node.right)
        if {kind, other} <= {"L", "LA", "L?"}:
            return f"joined(x, {left}, {right})", kind
        raise Untranslatable(ast.unparse(node))

    def _compare(self, node: ast.Compare) -> str:
        if len(node.ops) > 1:
            middle = node.comparators[0]
            parts = (
                ast.Compare(node.left, node.ops[:1], [middle]),
                ast.Compare(middle, node.ops[1:], node.comparators[1:]),
            )
            return f"({' && '.join(self._compare(part) for part in parts)})"
        (operator,), (right,) = node.ops, node.comparators
        left = node.left
        if isinstance(operator, ast.Is | ast.IsNot):
            assert isinstance(left, ast.Name)
            return f"{'' if isinstance(operator, ast.IsNot) else '!'}{left.id}_is"
        if isinstance(operator, ast.In | ast.NotIn):
            found = self._in(left, right)
            return found if isinstance(operator, ast.In) else f"(!{found})"
        text, kind = self.value(left)
        other, second = self.value(right)
        if "L" in (kind, second):
            return f"(ordered({text}, {other}) {COMPARED[type(operator)]} 0)"
        return f"({text} {COMPARED[type(operator)]} {other})"

    def _in(self, left: ast.expr, right: ast.expr) -> str:
        text = self.number(left)
        if isinstance(right, ast.Tuple) and all(isinstance(e, ast.Constant) for e in right.elts):
            return f"({' || '.join(f'{text} == {self.number(e)}' for e in right.elts) or '0'})"
        if isinstance(right, ast.Call) and called(right) == "range":
            low, high = (self.number(a) for a in right.args)
            return f"({text} >= {low} && {text} < {high})"
        return f"holds({self.typed(right, 'L')}, {text})"

    def _subscript(self, node: ast.Subscript) -> tuple[str, Type]:
        match node:
            case ast.Subscript(
                value=ast.BoolOp(values=[ast.Subscript(value=ast.Name(id="P"), slice=pile), ast.Name(id="NONE")]),
                slice=at,
            ):
                return f"{'top' if isinstance(at, ast.UnaryOp) else 'bottom'}(s, {self.number(pile)})", "I"
            case ast.Subscript(value=ast.BoolOp(values=[items, ast.Name(id="NONE")]), slice=at):
                return f"{'last_of' if isinstance(at, ast.UnaryOp) else 'first_of'}({self.typed(items, 'L')})", "I"
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id="P"), slice=pile), slice=ast.UnaryOp()):
                return f"top(s, {self.number(pile)})", "I"
            case ast.Subscript(value=ast.Name(id="P"), slice=index):
                return f"pile(s, {self.number(index)})", "L"
            case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int(at))) if (
                at in self.types.places.lists or at in self.types.places.aims
            ):
                return f"((L){{s->l{at}.p, s->l{at}.n, 0}})", "L"
            case ast.Subscript(value=ast.Name(id="C"), slice=index):
                return f"s->C[{self.number(index)}]", "I"
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id="acts"), slice=ast.Constant(value=0)), slice=ast.Constant(value=0)
            ):
                return "s->acts[L_item(acts, 0)][0]", "I"
            case ast.Subscript(value=ast.Name(id="a"), slice=ast.Constant(value=int(place))):
                return self._bound(place)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(place))) if name in self.apart:
                return f"{name}[{place}]", "I"
        return self._element(node)

    def _bound(self, place: int) -> tuple[str, Type]:
        """One of the bindings of the action `a`, or the number of its move."""
        action = "a" if self.names.get("a") == "P" else "s->acts[a]"
        if place == 0:
            return f"{action}[0]", "I"
        binding = binding_of(self.types.places, {self.move} if self.move >= 0 else self.moves, place)
        return (f"{action}[{binding.at}]", "I") if binding.most is None else (f"get_list({action} + {binding.at})", "L")

    def _element(self, node: ast.Subscript) -> tuple[str, Type]:
        items, kind = self.value(node.value)
        if kind == "Map":
            return f"map_get({items}, {self.value(node.slice)[0]})", "I"
        if kind == "L?":
            return "0", "I"  # nobody asks for an item of nothing
        if kind not in ITEMS:
            raise Untranslatable(ast.unparse(node))
        if self.constants.is_table(node.value):
            return f"{items.removesuffix('_')}_p[{self.number(node.slice)}]", ITEMS[kind]
        return f"{in_c(kind)}_item({items}, {self.number(node.slice)})", ITEMS[kind]

    def _once(self, text: str, kind: Type) -> str:
        if text.isidentifier():
            return text
        name = self.fresh()
        self.put(f"{in_c(kind)} {name} = {text};")
        return name

    def _listed(self, items: Sequence[ast.expr]) -> tuple[str, Type]:
        if not items:
            return "(L){0, 0, 0}", "L?"
        if any(isinstance(i, ast.Starred) for i in items):
            return self._spliced(items)
        texts = [self.value(i) for i in items]
        kind = LISTS.get(next((k for _, k in texts if k != "L?"), "L?"), "LL")
        kind = "L" if kind == "LA" else kind
        element = "E" if kind == "L" else in_c(ITEMS[kind])
        parts = [_item(i, t) if kind == "L" else f"({t})" for i, (t, _) in zip(items, texts, strict=True)]
        return f"{kind}_made(x, {len(items)}, ({element}[]){{{', '.join(parts)}}})", kind

    def _spliced(self, items: Sequence[ast.expr]) -> tuple[str, Type]:
        parts = [self.value(i.value) if isinstance(i, ast.Starred) else self._listed([i]) for i in items]
        kind = next((k for _, k in parts if k != "L?"), "L")
        names = [self._once(text, one) for text, one in parts if one != "L?"]
        found = self.fresh()
        self.put(f"{in_c(kind)} {found} = {in_c(kind)}_for(x, {' + '.join(f'{name}.n' for name in names) or '0'});")
        self.put(f"if (!{found}.p) {self.nothing()}")
        for name in names:
            self.put(f"{in_c(kind)}_put(&{found}, {name});")
        return found, kind

    def _comprehension(self, node: ast.ListComp | ast.SetComp) -> tuple[str, Type]:
        found, made = self.fresh(), self.types_of(node)
        self.put(f"{in_c(made)} {found} = {{0, 0, 0}};")
        self.comprehend(node, found, is_new=True)
        return found, made

    def comprehend(self, node: ast.ListComp | ast.SetComp, found: str, is_new: bool = False) -> None:
        """What a comprehension lists is added to a list."""
        (generator,) = node.generators
        source, kind = self.value(generator.iter)
        items, at = self.fresh(), self.fresh()
        made = self.types_of(node)
        self.put(f"{{ {in_c(kind)} {items} = {source};")
        if in_c(made) == "L":
            self._has_room(found, f"{items}.n", is_new)
        self.put(f"for (I {at} = 0; {at} < {items}.n; {at}++) {{")
        self.depth += 1
        if isinstance(generator.target, ast.Tuple):
            first = (
                isinstance(node.elt, ast.Name)
                and isinstance(generator.target.elts[0], ast.Name)
                and node.elt.id == generator.target.elts[0].id
            )
            self.put(f"{found}.p[{found}.n++] = {items}.p[{at}].{'a' if first else 'b'};")
        else:
            self.put(f"{self.place(generator.target)} = {items}.p[{at}];")
            test = " && ".join(self.truth(i) for i in generator.ifs) or "1"
            if isinstance(node.elt, ast.Tuple):
                a, b = node.elt.elts
                self.put(f"if ({test}) Duos_push(x, &{found}, (Duo){{(E){self.value(a)[0]}, {self.number(b)}}});")
            else:
                text, one = self.value(node.elt)
                self.put(
                    f"if ({test}) {found}.p[{found}.n++] = {_item(node.elt, text) if one == 'I' else f'(E){text}'};"
                )
        self.depth -= 1
        self.put("}}")

    def _has_room(self, found: str, more: str, is_new: bool) -> None:
        """A list has room for so many items more."""
        if is_new:
            self.put(f"{found} = L_for(x, {more});")
        self.put(f"if ({f'!{found}.p' if is_new else f'!L_room(x, &{found}, {more})'}) {self.nothing()}")

    def list_action(self, item: ast.Tuple, acts: str) -> None:
        """An action more in the list of all that a state may offer. Raises Untranslatable if some were left out before."""
        if acts != "acts" or self.acts_left:
            raise Untranslatable("actions that are listed when others have been left out")
        number = int(self.number(item.elts[0]))
        self.put(f"{{ if ({acts}.n == LISTED) {{ x->stop = FULL; {self.nothing()} }}")
        self.put(f"E *_a = s->acts[{acts}.n++];")
        self.put(f"_a[0] = {number};")
        for value, binding in zip(item.elts[1:], self.types.places.moves[number], strict=True):
            if binding.most is None:
                self.put(f"_a[{binding.at}] = {self.item(value) if binding.counts else f'(E){self.number(value)}'};")
            else:
                self.put(f"put_list(x, _a + {binding.at}, {self.typed(value, 'L')}, {binding.most});")
        self.put("}")

    def types_of(self, node: ast.ListComp | ast.SetComp) -> Type:
        if isinstance(node.generators[0].target, ast.Tuple):
            return "L"
        if isinstance(node.elt, ast.Tuple):
            return "Duos"
        return "LA" if isinstance(node.elt, ast.Name) and self.names.get(node.elt.id) == "A" else "L"

    # ---- calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> tuple[str, Type]:
        name = called(node)
        args = of_game(node)
        if name in self.slugs:
            result = "I" if re.match(r"[abe]\d+$|settle_", name) else self.types.values.get(name) or "I"
            return f"{self.slugs[name]}({', '.join(self.handed(name, args))})", result
        if name in self.types.columns:
            return self._column(name, args)
        return word(self, name, node, args)

    def handed(self, name: str, args: Sequence[ast.expr]) -> list[str]:
        """What a function of the game is called with."""
        parameters = [p for p in self.types.bodies[name].parameters if p not in ("P", "C", "s")]
        kinds = [self.types.names[name].get(p, "I") for p in parameters]
        return ["x", "s", *(self.typed(a, k) for a, k in zip(args, kinds, strict=True))]

    def _column(self, name: str, args: Sequence[ast.expr]) -> tuple[str, Type]:
        one = self.types.columns[name][0]
        body = self.types.bodies[one]
        kinds = [self.types.names[one].get(p, "I") for p in body.parameters if p not in ("P", "C")]
        texts = [self.typed(a, k) for a, k in zip(args, kinds, strict=True)]
        return f"{name}_p[{texts[1]}]({', '.join(['x', 's', *texts])})", self.types.values.get(one) or "I"


def of_game(call: ast.Call) -> list[ast.expr]:
    """What is handed over besides the state."""
    return [a for a in call.args if not (isinstance(a, ast.Name) and a.id in ("P", "C", "s"))]


def _item(node: ast.expr, text: str) -> str:
    match node:
        case ast.Constant(value=int(value)) if value < 2**31:
            return text
    return f"item_of(x, {text})"
