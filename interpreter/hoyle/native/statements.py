"""Writes the statements of generated functions as C; calls and assignments are written by `verbs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Name, Statement, Value
from hoyle.native.layout import ITEMS, Type, in_c, move_of, untranslatable
from hoyle.native.loop_idioms import DEEPEST, SUBSET, find_count_loop, find_counter, find_emptied_pile, find_lesser
from hoyle.native.prefix_sharing import SharedPrefix, find_least_size, find_shared_prefix, names_of
from hoyle.native.stack_lists import is_set_before_used
from hoyle.native.values import GoOn
from hoyle.native.verbs import Assignments

_STOPPING = frozenset(
    [
        "shuffle",
        "cut",
        "roll",
        "lots",
        "deal",
        "move_top",
        "move_pieces",
        "still",
        "fits",
        "score",
        "within",
        "inside",
        "broken",
        "restless",
        "maximise",
        "later",
        "never_twice",
        "remember",
        "ended",
    ]
)
"""Calls that may end a game or a look-ahead."""


class Writer(Assignments):
    """Writes one function as C."""

    leave = "break;"
    """Statement that exits the open loop."""

    def statements(self, body: Sequence[Statement]) -> None:
        for node in body:
            if isinstance(node, code.Open):  # C needs no local names for piles and cells
                continue
            self.origin(node)
            self.statement(node)
            holds_others = isinstance(node, code.If | code.For | code.ForChosen | code.Forever | code.Return)
            if not holds_others and self._may_stop(node):
                self.put(f"if (x->stop) {self.nothing()}")

    def _may_stop(self, node: Statement) -> bool:
        return any(call.function in _STOPPING or call.function in self.types.acting for call in code.calls_in(node))

    def statement(self, node: Statement) -> None:
        match node:
            case code.Assign(target=target, value=value):
                self.assign(target, value)
            case code.Add():
                self.augment(node)
            case code.For():
                self.loop(node)
            case code.Forever(body=body):
                self.put("for (;;) {")
                self.inside_loop(body)
                self.put("}")
            case code.If():
                self.branch(node)
            case code.Return(value=Value() as value):
                self.give(value)
            case code.Do(call=call):
                self.call_statement(call)
            case code.Unpack():
                self.unpack(node)
            case code.Ask():
                self.ask(node)
            case code.Use(counter=counter):
                self.put(f"x->hits[{counter}] += !s->looking;")
            case code.Fill():
                self.fill(node)
            case code.LogRule(rule=rule, player=player):
                notes = f"note(x, E_RULE); note(x, {rule}); note(x, {self.number(player)});"
                self.put(f"if (x->log) {{ {notes} }}")
            case code.ForChosen():
                self._together(node)
            case code.Break():
                self.put(self.leave)
            case _:
                raise untranslatable(node)

    def inner(self, body: Sequence[Statement]) -> None:
        self.depth += 1
        self.statements(body)
        self.depth -= 1

    def branch(self, node: code.If) -> None:
        counted, less = find_counter(node), find_lesser(node, self.looked_up)
        if counted is not None:
            self.put(f"{counted} += {self.truth(node.test)};")
            return
        if less is not None:
            self.put(f"{less[0]} = lesser({', '.join(less)});")
            return
        before, number = self.move, move_of(node.test)
        self.move = number if number is not None else before
        self.put("if (x->log) {" if node.test == code.IS_LOGGED else f"if ({self.truth(node.test)}) {{")
        self.inner(node.body)
        if node.otherwise:
            self.put("} else {")
            self.inner(node.otherwise)
        self.put("}")
        self.move = before

    def give(self, value: Value) -> None:
        if self.several:
            assert isinstance(value, code.Tuple)
            for n, item in enumerate(value.items):
                self.put(f"sums[{n}] = {self.number(item)};")
            self.put("give_back(x, mark); return;" if self.pure else "return;")
            return
        if self.block:
            self._go_on(value)
            return
        text = self.typed(value, self.result)
        if self.pure and self.result == "I":
            self.put(f"{{ I found = {text}; give_back(x, mark); return found; }}")
        else:
            self.put(f"return {text};")

    def _go_on(self, value: Value) -> None:
        """Write the end of a block, which is the number of the next block or a negative number."""
        match value:
            case code.Choice(test, yes, no):
                self.put(f"if ({self.truth(test)}) {{")
                self._go_on(yes)
                self.put("} else {")
                self._go_on(no)
                self.put("}")
            case code.Label(number):
                self.lines.append(GoOn(self.depth, number))
            case _:
                self.put(f"{{ pc = {self.number(value)}; goto out; }}")

    def loop(self, node: code.For) -> None:
        emptied = find_emptied_pile(node)
        if emptied is not None:
            self._empty(node, *emptied)
            return
        self._through(node)

    def _through(self, node: code.For) -> None:
        if isinstance(node.items, code.Call) and node.items.function == "range":
            self._counted(node, node.items)
            return
        if isinstance(node.items, Name) and node.items.id in self.walks:
            self._walk(node, node.items.id)
            return
        one_after_another = self.constants.run(node.items)
        if one_after_another:
            at = self.fresh()
            self.put(f"{{ for (I {at} = {one_after_another.start}; {at} < {one_after_another.stop}; {at}++) {{")
            self._each(node, at)
            return
        listed, kind = self.value(node.items)
        counted = find_count_loop(node) if kind == "L" else None
        if counted is not None:
            self.put(f"{counted[0]} += how_often({listed}, {self.number(counted[1])});")
            return
        items, at = self.fresh(), self.fresh()
        self.put(f"{{ {in_c(kind)} {items} = {listed};")
        if isinstance(node.items, Name) and node.items.id in self.fixed:
            self.put("UNROLLED")
        self.put(f"for (I {at} = 0; {at} < {items}.n; {at}++) {{")
        self._each(node, f"{items}.p[{at}]")

    def _empty(self, node: code.For, source: Value, target: Value) -> None:
        """Move all pieces of a pile at once, without looking any up."""
        pile, of, at, to = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        self.put(f"{{ I {pile} = {self.number(source)};")
        self.put(f"if (leave_at_once(x, {pile})) {{")
        self.put(f"    Pile *{of} = changing(s, {pile});")
        self.put(f"    for (I {at} = 0; {at} < {of}->n; {at}++) {{")
        self.put(f"        {self.place(node.target)} = {of}->p[{at}];")
        self.put(f"        I {to} = {self.number(target)};")
        self.put(f"        if ({to} == {pile}) {{ x->stop = FULL; {self.nothing()} }}")
        self.put(f"        arrive_at(x, s, {self.place(node.target)}, {to});")
        self.put("    }")
        self.put(f"    {of}->n = 0;")
        self.put(f"    if (x->stop) {self.nothing()}")
        self.put("} else {")
        self.depth += 1
        self._through(node)
        self.depth -= 1
        self.put("}}")

    def _each(self, node: code.For, item: str, leave: str = "break;") -> None:
        """Write the body of a loop and its end. `leave` is the statement for `break`."""
        mark = self.fresh() if self._own(node) else ""
        if mark:
            self.put(f"    I {mark} = x->used;")
        self.put(f"    {self.place(node.target)} = {item};")
        self.inside_loop(node.body, leave)
        if mark:
            self.put(f"    give_back(x, {mark});")
        self.put("}}")

    def inside_loop(self, body: Sequence[Statement], leave: str = "break;") -> None:
        before, self.leave = self.leave, leave
        self.inner(body)
        self.leave = before

    def _walk(self, node: code.For, name: str) -> None:
        """Write a loop over subsets, one at a time in an array of the loop."""
        kind, size, walk = self.names[name], self.walks[name].size, self.fresh()
        if self.walks[name].tails:
            least = find_least_size(node, self.function.body)
            last = f"{name}.of.n - {least - 1}" if least > 1 else f"{name}.of.n"
            self.put(f"{{ for (I {walk} = 0; {walk} < {last}; {walk}++) {{")
            self._each(node, f"(L){{{name}.of.p + {walk}, {name}.of.n - {walk}, 0}}")
            return
        pre, of = kind.removesuffix("Subsets"), f"{name}.of"
        match size:
            case code.Literal(int(known)) if 0 < known <= DEEPEST:
                self._nested(node, of, SUBSET[kind], known)
                return
            case None:
                begin, more = f"{pre}begin(x, &{walk}, {of}, 0)", f"{pre}next_any(x, &{walk}, {of})"
            case _:
                begin, more = f"{pre}begin(x, &{walk}, {of}, {name}.size)", f"{pre}next(&{walk}, {of}, {name}.size)"
        self.put(f"{{ {pre}Walk {walk};")
        self.put(f"for (I more = {begin}; more; more = {more}) {{")
        self._each(node, f"({SUBSET[kind]}){{{walk}.one, {walk}.k, 0}}")

    def _nested(self, node: code.For, of: str, kind: Type, size: int) -> None:
        """Write a loop for each index of a small subset."""
        one, at, left = self.fresh(), self.fresh(), f"left{self.fresh()}_{self.function.name}"
        assert isinstance(node.target, Name)
        self.fixed.add(node.target.id)
        found = find_shared_prefix(node, self.function.body)
        self.put(f"{{ {'E' if kind == 'L' else ITEMS[kind]} {one}[{size}];")
        for n in range(size):
            begin = f"{at}_{n - 1} + 1" if n else "0"
            self.put(f"for (I {at}_{n} = {begin}; {at}_{n} < {of}.n - {size - 1 - n}; {at}_{n}++) {{")
            self.put(f"    {one}[{n}] = {of}.p[{at}_{n}];")
            if found is not None:
                self._one_more(found, f"{one}[{n}]", at, n, is_last=n == size - 1)
        if found is not None:
            node = code.For(node.target, node.items, found.rest, origin=node.origin)
        self._each(node, f"({kind}){{{one}, {size}, 0}}", f"goto {left};")
        self.put("}" * (size - 1))
        self.put(f"{left}: ;")

    def _one_more(self, found: SharedPrefix, item: str, at: str, n: int, *, is_last: bool) -> None:
        """Write the work for one more item of a prefix."""
        names = names_of(found.begins)
        self.depth += 1
        if n:
            self.put(" ".join(f"{name} = {at}_{n - 1}_{name};" for name in names))
        else:
            self.statements(found.begins)
        self.put(f"{self.place(found.each.target)} = {item};")
        self.statements(found.later if n else found.each.body)
        if not is_last:
            for span in found.spans:
                there = f"{span.least} != {self.number(span.absent)} && " if span.absent is not None else ""
                self.put(f"if ({there}{span.greatest} - {span.least} > {self.number(span.limit)}) continue;")
            self.put(" ".join(f"I {at}_{n}_{name} = {name};" for name in names))
        self.depth -= 1

    def _own(self, node: code.For) -> bool:
        """Return whether lists made in this loop are used only there. Their memory is then freed each round."""
        making = (
            code.Call,
            code.RowCall,
            code.Method,
            code.List,
            code.Tuple,
            code.Comprehension,
            code.Unpack,
            code.LogRule,
            code.Fill,
        )
        if not any(isinstance(x, making) for x in code.walk(node.body)):
            return False
        made = _made({n: k for n, k in self.names.items() if k not in ("I", "P", "s", "A")}, node.body)
        if made is None:
            return False
        alone = _mentions(node.body, made) == _mentions(self.function.body, made)
        return alone and all(is_set_before_used(node.body, name) for name in made)

    def _counted(self, node: code.For, ranged: code.Call) -> None:
        bounds = [self.number(a) for a in ranged.args]
        low, high = bounds if len(bounds) == 2 else ["0", bounds[0]]
        at, end = self.fresh(), self.fresh()
        self.put(f"for (I {at} = {low}, {end} = {high}; {at} < {end}; {at}++) {{")
        self.put(f"    {self.place(node.target)} = {at};")
        self.put(f"    if (x->stop) {self.nothing()}")
        self.inside_loop(node.body)
        self.put("}")

    def _together(self, node: code.ForChosen) -> None:
        """Write a loop that plays the actions that were chosen together, in seat order."""
        match node.players, node.actions:
            case code.Item(place=code.Literal(int(listed))), code.Item(place=code.Literal(int(chosen))):
                order = self.fresh()
                self.put(f"{{ E {order}[SEATS];")
                self.put(f"in_seat_order({order}, s->l{listed}.p, s->chosen{chosen}.a, s->chosen{chosen}.n);")
                self.put(f"for (I i = 0; i < s->chosen{chosen}.n; i++) {{")
                self.put(f"    const E *a = s->chosen{chosen}.a[{order}[i]];")
                self.put(f"    {self.place(node.player)} = s->l{listed}.p[{order}[i]];")
                self.put("    if (a[0] >= 0) {")
                self.put(f"        I r = {self.slugs[node.effect]}(x, s, a);")
                self.put(f"        if (x->stop) {self.nothing()}")
                self.put("        if (r >= 0) { pc = r; goto out; }")
                self.put("    }")
                self.put("}}")
            case _:
                raise untranslatable(node)


def _made(names: Mapping[str, Type], body: Sequence[Statement]) -> set[str] | None:
    """Return the names of lists that a loop assigns or adds to. None if it stores a list elsewhere."""
    found: set[str] = set()
    for node in code.walk(body):
        match node:
            case code.Assign(target=Name(name)) | code.Add(target=Name(name)) | code.For(target=Name(name)):
                found |= {name} & names.keys()
            case code.Method(owner, "append"):
                owned = {*code.mentioned_names(owner)}
                found |= owned & names.keys()
                if "acts" in owned:
                    found.add("acts")
            case code.Return():
                return None
    return found


def _mentions(body: Sequence[Statement], names: set[str]) -> int:
    return sum(name in names for name in code.mentioned_names(*body))
