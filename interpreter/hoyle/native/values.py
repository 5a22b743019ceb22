"""Writes the values of generated functions as C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Function, Name, Statement, Value, known_number
from hoyle.compiling.python import text_of
from hoyle.native.inference import Constants, Inference, in_digits
from hoyle.native.layout import (
    ITEMS,
    LISTS,
    Type,
    Untranslatable,
    arguments_of,
    binding_of,
    in_c,
    listed_moves,
    move_of,
    perhaps_absent,
    untranslatable,
)
from hoyle.native.loop_idioms import WALKED, find_sums, find_table_values, find_walks, leaves_piles
from hoyle.native.stack_lists import find_stack_lists, find_unpacked_names
from hoyle.native.words import word
from hoyle.printable import file_in_code


class GoOn(Struct, frozen=True):
    """A jump from one block to another."""

    depth: int
    number: int


class Values:
    """Writes values in one function. Statements that they need are added to its lines."""

    def __init__(self, types: Inference, function: Function, constants: Constants, slugs: Mapping[str, str]) -> None:
        self.types, self.function, self.constants, self.slugs = types, function, constants, slugs
        self.names = {**types.names[function.name]}
        self.lines: list[str | GoOn] = []
        self.depth, self.count, self.move = 1, 0, -1
        self.moves = listed_moves(function)
        self.absent = perhaps_absent(function.body)
        self.result = types.result_of(function.name)
        self.fixed: set[str] = set()
        """Names of lists whose sizes are constant here."""
        self.acts_left, self.block = False, function.role == "block"
        weighs = function.role == "weight"
        self.several = weighs or function.name in types.several
        """True if the function writes several numbers into the caller's memory."""
        self.apart = find_unpacked_names(function, types.several)
        self.roomy = find_stack_lists(function, self.names, self.result)
        self.pure = "P" in function.parameters and not weighs
        self.summed = find_sums(function.body)
        self.looked_up = find_table_values(function.body, constants.tables)
        self.walks = (
            find_walks(function.body, self.names, types.values)
            if self.pure or (self.block and leaves_piles(function.body, types.acting))
            else {}
        )
        self.names.update({name: WALKED[self.names[name]] for name in self.walks})

    # ---- lines -------------------------------------------------------------------------------------------------------

    def put(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def fresh(self) -> str:
        self.count += 1
        return f"_{self.count}"

    def origin(self, node: Statement) -> None:
        self.lines.append(f'#line {node.origin} "{file_in_code(self.function.file)}"')

    def nothing(self) -> str:
        """Return the C statement that leaves the function after the game has stopped."""
        if self.block:
            return "goto stopped;"
        return "return;" if self.several else f"return ({in_c(self.result)}){{0}};"

    # ---- values ------------------------------------------------------------------------------------------------------

    def place(self, target: Value) -> str:
        match target:
            case Name(name):
                return name
            case code.Item(Name("C"), index):
                return f"s->C[{self.number(index)}]"
        raise untranslatable(target)

    def number(self, node: Value) -> str:
        return self.typed(node, "I")

    def item(self, node: Value) -> str:
        """Return a number as an item of a list."""
        return _item(node, self.number(node))

    def typed(self, node: Value, wanted: Type) -> str:
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
            return f"({in_c(wanted)}){{0, 0, 0}}"  # an empty list fits every list type
        if wanted == "L?" and kind in ITEMS:
            return text if in_c(kind) == "L" else "(L){0, 0, 0}"
        raise Untranslatable(f"{text_of(node)} is {kind}, not {wanted}")

    def truth(self, node: Value) -> str:
        text, kind = self.value(node)
        return f"{text}.n > 0" if kind not in ("I", "A") else text

    def value(self, node: Value) -> tuple[str, Type]:
        """Return the C text of a value, and its type."""
        match node:
            case code.Literal(int(value)):
                return in_digits(int(value)), "I"
            case code.Label(value):
                return str(value), "I"
            case Name(name):
                return self._named(name)
            case code.Field("looking"):
                return "s->looking", "I"
            case code.Not(operand):
                return f"(!({self.truth(operand)}))", "I"
            case code.Minus(operand):
                return f"(-{self.number(operand)})", "I"
            case code.Compare():
                return self._compare(node), "I"
            case code.And(values):
                return f"({' && '.join(self._conjoined(values))})", "I"
            case code.Or(values):
                return f"({' || '.join(self.truth(v) for v in values)})", "I"
            case code.Choice(test, yes, no):
                one = self.value(yes)[1]
                kind = self.value(no)[1] if one == "L?" else one
                return f"({self.truth(test)} ? {self.typed(yes, kind)} : {self.typed(no, kind)})", kind
            case code.Binary():
                return self._binary(node)
            case code.Item():
                return self._subscript(node)
            case code.Tuple(items) | code.List(items):
                return self._list_value(items)
            case code.Comprehension():
                return self._comprehension(node)
            case code.EmptyMap():
                return "(L){0, 0, 0}", "Map"
            case code.Call():
                return self._call(node)
            case code.RowCall():
                return self._row_call(node)
        raise untranslatable(node)

    def _named(self, name: str) -> tuple[str, Type]:
        if name in self.names:
            return name, self.names[name]
        return self.constants.name(name)

    def operation(self, left: str, operator: str, right: str) -> str:
        positive = right.isdigit() and int(right)
        match operator:
            case "//":
                return f"{'over_positive' if positive else 'over'}({left}, {right})"
            case "%":
                return f"{'mod_positive' if positive else 'mod'}({left}, {right})"
            case _:
                return f"({left} {operator} {right})"

    def _conjoined(self, values: Sequence[Value]) -> list[str]:
        """Return the C text of each test. After `a[0] == number`, the action `a` is known to be of that move."""
        before, found = self.move, []
        for value in values:
            found.append(self.truth(value))
            number = move_of(value)
            self.move = number if number is not None else self.move
        self.move = before
        return found

    def _binary(self, node: code.Binary) -> tuple[str, Type]:
        if node.operator == "*" and isinstance(node.left, code.Tuple | code.List):
            return f"repeated(x, {self.number(node.left.items[0])}, {self.number(node.right)})", "L"
        left, kind = self.value(node.left)
        if kind == "I":
            return self.operation(left, node.operator, self.number(node.right)), "I"
        right, other = self.value(node.right)
        if {kind, other} <= {"L", "LA", "L?"}:
            return f"joined(x, {left}, {right})", kind
        raise untranslatable(node)

    def _compare(self, node: code.Compare) -> str:
        left, operator, right = node.left, node.operator, node.right
        if operator in ("is", "is not"):
            assert isinstance(left, Name)
            return f"{'' if operator == 'is not' else '!'}{left.id}_is"
        if operator in ("in", "not in"):
            found = self._in(left, right)
            return found if operator == "in" else f"(!{found})"
        text, kind = self.value(left)
        other, second = self.value(right)
        if "L" in (kind, second):
            return f"(ordered({text}, {other}) {operator} 0)"
        return f"({text} {operator} {other})"

    def _in(self, left: Value, right: Value) -> str:
        text = self.number(left)
        if isinstance(right, code.Tuple) and all(
            (known_number(e) or 0) >= 0 and isinstance(e, code.Literal) for e in right.items
        ):
            return f"({' || '.join(f'{text} == {self.number(e)}' for e in right.items) or '0'})"
        if isinstance(right, code.Call) and right.function == "range":
            low, high = (self.number(a) for a in right.args)
            return f"({text} >= {low} && {text} < {high})"
        return f"holds({self.typed(right, 'L')}, {text})"

    def _subscript(self, node: code.Item) -> tuple[str, Type]:
        match node:
            case code.Item(code.Or((code.Item(Name("P"), pile), Name("NONE"))), at):
                return f"{'top' if at == code.number(-1) else 'bottom'}(s, {self.number(pile)})", "I"
            case code.Item(code.Or((items, Name("NONE"))), at):
                return f"{'last_of' if at == code.number(-1) else 'first_of'}({self.typed(items, 'L')})", "I"
            case code.Item(code.Item(Name("P"), pile), code.Literal(-1)):
                return f"top(s, {self.number(pile)})", "I"
            case code.Item(Name("P"), index):
                return f"pile(s, {self.number(index)})", "L"
            case code.Item(Name("C"), code.Literal(int(at))) if (
                at in self.types.places.lists or at in self.types.places.aims
            ):
                return f"((L){{s->l{at}.p, s->l{at}.n, 0}})", "L"
            case code.Item(Name("C"), index):
                return f"s->C[{self.number(index)}]", "I"
            case code.Item(code.Item(Name("acts"), code.Literal(0)), code.Literal(0)):
                return "s->acts[L_item(acts, 0)][0]", "I"
            case code.Item(Name("a"), code.Literal(int(place))):
                return self._bound(place)
            case code.Item(Name(name), code.Literal(int(place))) if name in self.apart:
                return f"{name}[{place}]", "I"
        return self._element(node)

    def _bound(self, place: int) -> tuple[str, Type]:
        """Return a binding of the action `a`, or the number of its move."""
        action = "a" if self.names.get("a") == "P" else "s->acts[a]"
        if place == 0:
            return f"{action}[0]", "I"
        binding = binding_of(self.types.places, {self.move} if self.move >= 0 else self.moves, place)
        return (f"{action}[{binding.at}]", "I") if binding.most is None else (f"get_list({action} + {binding.at})", "L")

    def _element(self, node: code.Item) -> tuple[str, Type]:
        items, kind = self.value(node.items)
        if kind == "Map":
            return f"map_get({items}, {self.value(node.place)[0]})", "I"
        if kind == "L?":
            return "0", "I"  # unreachable: nothing reads items of an empty list
        if kind not in ITEMS:
            raise untranslatable(node)
        if self.constants.is_table(node.items):
            return f"{items.removesuffix('_')}_p[{self.number(node.place)}]", ITEMS[kind]
        return f"{in_c(kind)}_item({items}, {self.number(node.place)})", ITEMS[kind]

    def _once(self, text: str, kind: Type) -> str:
        if text.isidentifier():
            return text
        name = self.fresh()
        self.put(f"{in_c(kind)} {name} = {text};")
        return name

    def _list_value(self, items: Sequence[Value]) -> tuple[str, Type]:
        if not items:
            return "(L){0, 0, 0}", "L?"
        if any(isinstance(i, code.Star) for i in items):
            return self._spliced(items)
        texts = [self.value(i) for i in items]
        kind = LISTS.get(next((k for _, k in texts if k != "L?"), "L?"), "LL")
        kind = "L" if kind == "LA" else kind
        element = "E" if kind == "L" else in_c(ITEMS[kind])
        parts = [_item(i, t) if kind == "L" else f"({t})" for i, (t, _) in zip(items, texts, strict=True)]
        return f"{kind}_made(x, {len(items)}, ({element}[]){{{', '.join(parts)}}})", kind

    def _spliced(self, items: Sequence[Value]) -> tuple[str, Type]:
        parts = [self.value(i.value) if isinstance(i, code.Star) else self._list_value([i]) for i in items]
        kind = next((k for _, k in parts if k != "L?"), "L")
        names = [self._once(text, one) for text, one in parts if one != "L?"]
        found = self.fresh()
        self.put(f"{in_c(kind)} {found} = {in_c(kind)}_for(x, {' + '.join(f'{name}.n' for name in names) or '0'});")
        self.put(f"if (!{found}.p) {self.nothing()}")
        for name in names:
            self.put(f"{in_c(kind)}_put(&{found}, {name});")
        return found, kind

    def _comprehension(self, node: code.Comprehension) -> tuple[str, Type]:
        found, made = self.fresh(), self.types_of(node)
        self.put(f"{in_c(made)} {found} = {{0, 0, 0}};")
        self.comprehend(node, found, is_new=True)
        return found, made

    def comprehend(self, node: code.Comprehension, found: str, is_new: bool = False) -> None:
        """Append the items of a comprehension to a list."""
        source, kind = self.value(node.source)
        items, at = self.fresh(), self.fresh()
        made = self.types_of(node)
        self.put(f"{{ {in_c(kind)} {items} = {source};")
        if in_c(made) == "L":
            self._has_room(found, f"{items}.n", is_new)
        self.put(f"for (I {at} = 0; {at} < {items}.n; {at}++) {{")
        self.depth += 1
        if isinstance(node.target, code.Tuple):
            part = "a" if node.item == node.target.items[0] else "b"
            self.put(f"{found}.p[{found}.n++] = {items}.p[{at}].{part};")
        else:
            self.put(f"{self.place(node.target)} = {items}.p[{at}];")
            test = self.truth(node.test) if node.test is not None else "1"
            if isinstance(node.item, code.Tuple):
                a, b = node.item.items
                self.put(f"if ({test}) Duos_push(x, &{found}, (Duo){{(E){self.value(a)[0]}, {self.number(b)}}});")
            else:
                text, one = self.value(node.item)
                item = _item(node.item, text) if one == "I" else f"(E){text}"
                self.put(f"if ({test}) {found}.p[{found}.n++] = {item};")
        self.depth -= 1
        self.put("}}")

    def _has_room(self, found: str, more: str, is_new: bool) -> None:
        """Make room in a list for this many more items."""
        if is_new:
            self.put(f"{found} = L_for(x, {more});")
        self.put(f"if ({f'!{found}.p' if is_new else f'!L_room(x, &{found}, {more})'}) {self.nothing()}")

    def list_action(self, action: code.Tuple) -> None:
        """List one more action. Raises Untranslatable if some were left out before."""
        if self.acts_left:
            raise Untranslatable("actions that are listed when others have been left out")
        move, *values = action.items
        number = int(self.number(move))
        self.put(f"{{ if (acts.n == LISTED) {{ x->stop = FULL; {self.nothing()} }}")
        self.put("E *_a = s->acts[acts.n++];")
        self.put(f"_a[0] = {number};")
        for value, binding in zip(values, self.types.places.moves[number], strict=True):
            if binding.most is None:
                self.put(f"_a[{binding.at}] = {self.item(value) if binding.counts else f'(E){self.number(value)}'};")
            else:
                self.put(f"put_list(x, _a + {binding.at}, {self.typed(value, 'L')}, {binding.most});")
        self.put("}")

    def types_of(self, node: code.Comprehension) -> Type:
        if isinstance(node.target, code.Tuple):
            return "L"
        if isinstance(node.item, code.Tuple):
            return "Duos"
        return "LA" if isinstance(node.item, Name) and self.names.get(node.item.id) == "A" else "L"

    # ---- calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: code.Call) -> tuple[str, Type]:
        name = node.function
        if name not in self.slugs:
            return word(self, node, arguments_of(node))
        return f"{self.slugs[name]}({', '.join(self.handed(node))})", self.types.result_of(name)

    def handed(self, call: code.Call) -> list[str]:
        """Return the arguments of a call of a generated function."""
        parameters = [p for p in self.types.functions[call.function].parameters if p not in ("P", "C", "s")]
        kinds = [self.types.names[call.function].get(p, "I") for p in parameters]
        return ["x", "s", *(self.typed(a, k) for a, k in zip(arguments_of(call), kinds, strict=True))]

    def _row_call(self, node: code.RowCall) -> tuple[str, Type]:
        one = self.types.columns[node.column][0]
        function = self.types.functions[one]
        kinds = [self.types.names[one].get(p, "I") for p in function.parameters if p not in ("P", "C")]
        texts = [self.typed(a, k) for a, k in zip(arguments_of(node), kinds, strict=True)]
        return f"{node.column}_p[{texts[1]}]({', '.join(['x', 's', *texts])})", self.types.result_of(one)


def _item(node: Value, text: str) -> str:
    number = known_number(node)
    return text if number is not None and 0 <= number < 2**31 else f"item_of(x, {text})"
