"""Statements of generated functions as C."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from interpreter.native.actions import called, move_of
from interpreter.native.doubling import ROOM as SUMS_ROOM
from interpreter.native.doubling import added, doubles
from interpreter.native.forms import ITEMS, Type, Untranslatable, in_c
from interpreter.native.rooms import ROOM, set_before_used
from interpreter.native.subsets import DEEPEST, SUBSET
from interpreter.native.verbs import Verbs

STOPPING = re.compile(
    r"\b(shuffle|roll|lots|deal|move_top|move_pieces|still|fits|score|within|inside|broken|restless|maximise|never_twice|remember|settle_\d+|e\d+|ended)\("
)
"""What may end a game, or a look through one, where it is called."""


class Writer(Verbs):
    """Writes one function."""

    leave = "break;"
    """Leaves the loop that is open."""

    def statements(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            if _is_nothing(node):
                continue
            self.origin(node)
            self.statement(node)
            if not isinstance(node, ast.If | ast.For | ast.While | ast.Return) and STOPPING.search(ast.unparse(node)):
                self.put(f"if (x->stop) {self.nothing()}")

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AugAssign():
                self.augment(node)
            case ast.For():
                self.loop(node)
            case ast.While(body=body):
                self.put("for (;;) {")
                self.inside_loop([*body])
                self.put("}")
            case ast.If():
                self.branch(node)
            case ast.Return(value=value):
                self.give(value)
            case ast.Expr(value=ast.Call() as call):
                self.call_statement(call)
            case ast.Break():
                self.put(self.leave)
            case ast.Continue():
                self.put("continue;")
            case ast.Pass():
                self.put(";")
            case _:
                raise Untranslatable(ast.unparse(node))

    def inner(self, body: Sequence[ast.stmt]) -> None:
        self.depth += 1
        self.statements(body)
        self.depth -= 1

    def branch(self, node: ast.If) -> None:
        text = ast.unparse(node.test)
        if text == "s.log is not None":
            self._rule_event(node.body[0])
            return
        before, number = self.move, move_of(node.test)
        self.move = number if number is not None else before
        self.put(f"if ({self.truth(node.test)}) {{")
        self.inner(node.body)
        if node.orelse:
            self.put("} else {")
            self.inner(node.orelse)
        self.put("}")
        self.move = before

    def _rule_event(self, node: ast.stmt) -> None:
        assert (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.args[0], ast.Tuple)
        )
        _, number, me = node.value.args[0].elts
        self.put(f"if (x->log) {{ note(x, E_RULE); note(x, {self.number(number)}); note(x, {self.number(me)}); }}")

    def give(self, value: ast.expr | None) -> None:
        assert value is not None
        if self.sums:
            assert isinstance(value, ast.Tuple)
            for n, item in enumerate(value.elts):
                self.put(f"sums[{n}] = {self.number(item)};")
            self.put("return;")
            return
        text = self.typed(value, self.result)
        if self.pure and self.result == "I":
            self.put(f"{{ I found = {text}; give_back(x, mark); return found; }}")
        else:
            self.put(f"return {text};")

    def loop(self, node: ast.For) -> None:
        text = ast.unparse(node.iter)
        if text.startswith("sorted(zip("):
            self._together(node)
            return
        if isinstance(node.iter, ast.Call) and called(node.iter) == "range":
            self._counted(node, node.iter)
            return
        if isinstance(node.iter, ast.Name) and node.iter.id in self.walks:
            self._walk(node, node.iter.id)
            return
        listed, kind = self.value(node.iter)
        items, at = self.fresh(), self.fresh()
        self.put(f"{{ {in_c(kind)} {items} = {listed};")
        self.put(f"for (I {at} = 0; {at} < {items}.n; {at}++) {{")
        if isinstance(node.target, ast.Tuple):
            raise Untranslatable(text)
        self._each(node, f"{items}.p[{at}]")

    def _each(self, node: ast.For, item: str, leave: str = "break;") -> None:
        """What is done with each item, and the end of the loop; `leave` leaves it."""
        mark = self.fresh() if self._own(node) else ""
        if mark:
            self.put(f"    I {mark} = x->used;")
        self.put(f"    {self.place(node.target)} = {item};")
        self.inside_loop(node.body, leave)
        if mark:
            self.put(f"    give_back(x, {mark});")
        self.put("}}")

    def inside_loop(self, body: Sequence[ast.stmt], leave: str = "break;") -> None:
        before, self.leave = self.leave, leave
        self.inner(body)
        self.leave = before

    def _walk(self, node: ast.For, name: str) -> None:
        """Subsets one at a time, in an array that belongs to the loop."""
        kind, size, walk = self.names[name], self.walks[name].size, self.fresh()
        pre, of = kind.removesuffix("Subsets"), f"{name}.of"
        match size:
            case ast.Constant(value=int(known)) if 0 < known <= DEEPEST:
                self._nested(node, of, SUBSET[kind], known)
                return
            case None:
                begin, more = f"{pre}begin(x, &{walk}, {of}, 0)", f"{pre}next_any(x, &{walk}, {of})"
            case _:
                begin, more = f"{pre}begin(x, &{walk}, {of}, {name}.size)", f"{pre}next(&{walk}, {of}, {name}.size)"
        self.put(f"{{ {pre}Walk {walk};")
        self.put(f"for (I more = {begin}; more; more = {more}) {{")
        self._each(node, f"({SUBSET[kind]}){{{walk}.one, {walk}.k, 0}}")

    def _nested(self, node: ast.For, of: str, kind: Type, size: int) -> None:
        """A loop for each place of a subset of few items."""
        one, at, end = self.fresh(), self.fresh(), self.fresh()
        self.put(f"{{ {'E' if kind == 'L' else ITEMS[kind]} {one}[{size}];")
        for n in range(size):
            begin = f"{at}_{n - 1} + 1" if n else "0"
            self.put(f"for (I {at}_{n} = {begin}; {at}_{n} < {of}.n - {size - 1 - n}; {at}_{n}++) {{")
            self.put(f"    {one}[{n}] = {of}.p[{at}_{n}];")
        self._each(node, f"({kind}){{{one}, {size}, 0}}", f"goto left{end};")
        self.put("}" * (size - 1))
        self.put(f"left{end}: ;")

    def _own(self, node: ast.For) -> bool:
        """Do the lists that are made in this loop belong to it alone? Then they need not be kept."""
        if not any(
            isinstance(x, ast.Call | ast.List | ast.Tuple | ast.ListComp) for b in node.body for x in ast.walk(b)
        ):
            return False
        made = _made({n: k for n, k in self.names.items() if k not in ("I", "P", "s", "A")}, node.body)
        if made is None:
            return False
        inside = sum(_mentions(b, made) for b in node.body)
        alone = inside == sum(_mentions(b, made) for b in self.body.statements)
        return alone and all(set_before_used(node.body, name) for name in made)

    def _counted(self, node: ast.For, ranged: ast.Call) -> None:
        bounds = [self.number(a) for a in ranged.args]
        low, high = bounds if len(bounds) == 2 else ["0", bounds[0]]
        at, end = self.fresh(), self.fresh()
        self.put(f"for (I {at} = {low}, {end} = {high}; {at} < {end}; {at}++) {{")
        self.put(f"    {self.place(node.target)} = {at};")
        self.put(f"    if (x->stop) {self.nothing()}")
        self.inside_loop(node.body)
        self.put("}")

    def _together(self, node: ast.For) -> None:
        """Each action of those who chose together, by their seats."""
        match node:
            case ast.For(
                target=ast.Tuple(elts=[ast.Subscript() as who, _]),
                iter=ast.Call(
                    args=[
                        ast.Call(
                            args=[
                                ast.Subscript(slice=ast.Constant(value=int(listed))),
                                ast.Subscript(slice=ast.Constant(value=int(chosen))),
                            ]
                        )
                    ]
                ),
                body=[ast.If(body=[ast.Assign(value=ast.Call() as effect), _])],
            ):
                order = self.fresh()
                self.put(f"{{ E {order}[SEATS];")
                self.put(f"in_seat_order({order}, s->l{listed}.p, s->chosen{chosen}.a, s->chosen{chosen}.n);")
                self.put(f"for (I i = 0; i < s->chosen{chosen}.n; i++) {{")
                self.put(f"    const E *a = s->chosen{chosen}.a[{order}[i]];")
                self.put(f"    {self.place(who)} = s->l{listed}.p[{order}[i]];")
                self.put("    if (a[0] >= 0) {")
                self.put(f"        r = {self.slugs[called(effect)]}(x, s, a);")
                self.put(f"        if (x->stop) {self.nothing()}")
                self.put("        if (r >= 0) return r;")
                self.put("    }")
                self.put("}}")
            case _:
                raise Untranslatable(ast.unparse(node))

    # ---- assignments -------------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=names), ast.Name(id="a"):
                self._unpack(names)
            case ast.Attribute(attr="acts"), _:
                self._acts = self.typed(value, "LA")
            case ast.Attribute(attr="actor"), _:
                self._actor = self.number(value)
            case ast.Attribute(attr="pc"), _:
                self.put(f"if (!ask(x, s, {self._acts}, {self._actor}, {self.number(value)})) {self.nothing()}")
            case ast.Attribute(attr="faults"), _:
                self.put(f"set_faults(x, s, {self.typed(value, 'L')});")
            case ast.Subscript(slice=ast.Slice() as part), _:
                self._fill(part, value)
            case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int(at))), _ if (
                at in self.types.places.chosen
            ):
                self.put(f"s->chosen{at}.n = 0;")
            case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int(at))), _ if (
                at in self.types.places.seen
            ):
                self.put(f"s->seen{at}.n = 0; s->seen{at}.used = 0;")
            case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int(at))), _ if (
                at in self.types.places.aims
            ):
                self._reach(f"s->l{at}", value)
            case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int(at))), _ if (
                at in self.types.places.lists
            ):
                self._keep(f"s->l{at}", self.typed(value, "L"), self.types.places.lists[at])
            case ast.Subscript(value=ast.Name(id="apart"), slice=key), _:
                self.put(f"map_set(x, &apart, {self.value(key)[0]}, {self.number(value)});")
            case ast.Name(id=name), _ if name in self.walks:
                walk = self.walks[name]
                size = self.number(walk.size) if walk.size is not None else "0"
                self.put(f"{name} = ({self.names[name]}){{{self.typed(walk.of, SUBSET[self.names[name]])}, {size}}};")
            case ast.Name(id=name), ast.Constant(value=None):
                self.put(f"{name}_is = 0;")
            case ast.Name(id=name), ast.List(elts=[ast.Constant()]) if name in self.summed:
                self.put(f"{name}_room[0] = 0; {name} = (L){{{name}_room, 1, {SUMS_ROOM}}};")
            case ast.Name(id=name), ast.List(elts=[]) if name in self.roomy:
                self.put(f"{name} = (L){{{name}_room, 0, {ROOM}}};")
            case ast.Name(id=name), _:
                text = self.typed(value, self.names[name])
                self.put(
                    f"{name} = {text};"
                    + (
                        f" {name}_is = {f'{name} != NOTHING_DRAWN' if 'lots(' in text else '1'};"
                        if name in self.absent
                        else ""
                    )
                )
            case _:
                self.put(f"{self.place(target)} = {self.number(value)};")

    def _keep(self, place: str, text: str, most: int) -> None:
        self.put(
            f"{{ L _l = {text}; if (_l.n > {most}) {{ x->stop = FULL; {self.nothing()} }} {place}.n = _l.n; carry({place}.p, _l.p, _l.n * (I)sizeof(E)); }}"
        )

    def _reach(self, place: str, value: ast.expr) -> None:
        """The sums still to be reached: none, or what an action leaves of them."""
        match value:
            case ast.Tuple(elts=[]):
                self.put(f"{place}.n = 0;")
            case ast.Call(args=[_, ast.Call(args=[_, _, me, _]) as weigh]):
                self.put(f"{{ I _own[SUMS]; {self.slugs[called(weigh)]}(x, s, {self.number(me)}, a, _own);")
                self.put(f"for (I i = 0; i < {place}.n; i++) {place}.p[i] = item_of(x, {place}.p[i] - _own[i]); }}")
            case _:
                raise Untranslatable(ast.unparse(value))

    def _unpack(self, names: Sequence[ast.expr]) -> None:
        action = "a" if self.names.get("a") == "P" else "x->pool[a]"
        for name, binding in zip(names[1:], self.types.places.moves[self.move], strict=True):
            assert isinstance(name, ast.Name)
            self.put(
                f"{name.id} = {action}[{binding.at}];"
                if binding.most is None
                else f"{name.id} = get_list({action} + {binding.at});"
            )

    def _fill(self, part: ast.Slice, value: ast.expr) -> None:
        assert (
            part.lower is not None
            and part.upper is not None
            and isinstance(value, ast.BinOp)
            and isinstance(value.left, ast.List)
        )
        self.put(
            f"for (I i = {self.number(part.lower)}; i < {self.number(part.upper)}; i++) s->C[i] = {self.number(value.left.elts[0])};"
        )

    def augment(self, node: ast.AugAssign) -> None:
        match node.target:
            case ast.Name(id=name) if self.names[name] != "I":
                kind = self.names[name]
                if kind == "L?":
                    return
                if kind == "L" and doubles(name, node.value):
                    self._double(name, node.value)
                    return
                self.put(f"{in_c(kind)}_extend(x, &{name}, {self.typed(node.value, kind)});")
            case ast.Name(id=name):
                self.put(f"{name} = {self.operation(name, node.op, self.number(node.value))};")
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id="P"), slice=pile), slice=ast.UnaryOp()):
                self.put(f"show_top(s, {self.number(pile)});")
            case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int(at))) if (
                at in self.types.places.chosen
            ):
                self._choose(at, node.value)
            case ast.Subscript(value=ast.Attribute(attr="hits") | ast.Name(id="HITS"), slice=index):
                self.put(f"x->hits[{self.number(index)}] += !s->looking;")
            case ast.Subscript():
                place = self.place(node.target)
                self.put(f"{place} = {self.operation(place, node.op, self.number(node.value))};")
            case _:
                raise Untranslatable(ast.unparse(node))

    def _double(self, name: str, value: ast.expr) -> None:
        """A list grows by something for each of its items."""
        assert isinstance(value, ast.ListComp)
        target, at, count = value.generators[0].target, self.fresh(), self.fresh()
        more = added(value.elt, target)
        if more is not None and name in self.summed:
            self.put(f"grow_by(x, &{name}, {self.number(more)});")
            return
        self.put(f"if (L_room(x, &{name}, {name}.n))")
        self.put(f"for (I {at} = 0, {count} = {name}.n; {at} < {count}; {at}++) {{")
        self.put(f"    {self.place(target)} = {name}.p[{at}];")
        self.depth += 1
        self.put(f"set_next(x, &{name}, {self.number(value.elt)});")
        self.depth -= 1
        self.put("}")

    def _choose(self, at: int, value: ast.expr) -> None:
        assert isinstance(value, ast.Tuple)
        place = f"s->chosen{at}"
        self.put(f"if ({place}.n == SEATS) {{ x->stop = FULL; {self.nothing()} }}")
        if isinstance(value.elts[0], ast.Tuple):
            self.put(f"{place}.a[{place}.n++][0] = -1;")
        else:
            self.put(f"memcpy({place}.a[{place}.n++], a, sizeof {place}.a[0]);")


def _made(names: Mapping[str, Type], body: Sequence[ast.stmt]) -> set[str] | None:
    """The names of lists that a loop sets or adds to; None if it keeps a list elsewhere."""
    found: set[str] = set()
    for node in (x for b in body for x in ast.walk(b)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)) if name in names:
                found.add(name)
            case ast.For(target=ast.Name(id=name)) if name in names:
                found.add(name)
            case ast.Call(func=ast.Attribute(value=owner, attr="append")):
                owned = {o.id for o in ast.walk(owner) if isinstance(o, ast.Name)}
                found |= owned & names.keys()
                if "acts" in owned:
                    found.add("acts")
            case ast.Return():
                return None
    return found


def _mentions(node: ast.stmt, names: set[str]) -> int:
    return sum(isinstance(x, ast.Name) and x.id in names for x in ast.walk(node))


def _is_nothing(node: ast.stmt) -> bool:
    """`P = s.piles` and `C = s.cells`: in C they are where they are."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("P", "C")
