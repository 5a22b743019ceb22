"""What generated functions assign, as C."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hoyle.native.actions import called
from hoyle.native.doubling import ROOM as SUMS_ROOM
from hoyle.native.doubling import added, doubles
from hoyle.native.forms import Type, Untranslatable, in_c
from hoyle.native.rooms import ROOM
from hoyle.native.subsets import SUBSET
from hoyle.native.values import of_game
from hoyle.native.verbs import Verbs


class Assignments(Verbs):
    """Writes statements that set names, cells and what a state offers."""

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
            case ast.Name(id=name), ast.Call() if name in self.apart:
                self.put(
                    f"{self.slugs[called(value)]}({', '.join([*self.handed(called(value), of_game(value)), name])});"
                )
                self.put(f"if (x->stop) {self.nothing()}")
            case ast.Name(id=name), ast.Constant(value=None):
                self.put(f"{name}_is = 0;")
            case ast.Name(id=name), ast.List(elts=[ast.Constant()]) if name in self.summed:
                self.put(f"{name}_room[0] = 0; {name} = (L){{{name}_room, 1, {SUMS_ROOM}}};")
            case ast.Name(id="acts"), ast.List(elts=[]):
                self.put("acts = NONE_LISTED;")
            case ast.Name(id=name), ast.List(elts=[]) if name in self.roomy:
                self.put(f"{name} = (L){{{name}_room, 0, {ROOM}}};")
            case ast.Name(id=name), _:
                text = self.typed(value, self.names[name])
                self.acts_left |= name == "acts" and "later(" not in text
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
        action = "a" if self.names.get("a") == "P" else "s->acts[a]"
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
                self._extend(name, kind, node.value)
            case ast.Name(id=name):
                self.put(f"{name} = {self.operation(name, node.op, self.number(node.value))};")
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

    def _extend(self, name: str, kind: Type, value: ast.expr) -> None:
        if isinstance(value, ast.ListComp) and kind in ("L", "LA") and self.types_of(value) in ("L", "LA"):
            self.comprehend(value, name)
        else:
            self.put(f"{in_c(kind)}_extend(x, &{name}, {self.typed(value, kind)});")

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
