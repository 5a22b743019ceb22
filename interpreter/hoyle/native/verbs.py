"""Writes calls and assignments of generated functions as C: verbs, names, cells, lists and piles."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Name, Value
from hoyle.native.layout import IN_ORDER, ITEMS, Type, Untranslatable, in_c, untranslatable
from hoyle.native.loop_idioms import SUBSET, SUMS_ROOM, added_name, is_doubling
from hoyle.native.stack_lists import ROOM
from hoyle.native.values import Values

FAULTS = {"deal": 1, "move_top": 1, "move_pieces": 1, "roll": 2, "still": 1, "fits": 1}
"""Number of trailing arguments of a verb that only identify its source for errors."""


class Verbs(Values):
    """Writes calls that are statements."""

    def call_statement(self, call: Value) -> None:
        match call:
            case code.Method(owner, "append", (item,)):
                self._append(owner, item)
            case code.Method(code.Item(Name("P"), pile), "pop"):
                self.put(f"drop(s, {self.number(pile)});")
            case code.Method(code.Item(Name("P"), pile), "remove", (piece,)):
                self.put(f"remove_piece(x, s, {self.number(pile)}, {self.number(piece)});")
            case code.Call("ended"):
                self.put("ended(x);")
            case code.Call("broken" | "restless"):
                self.put("x->stop = FAULT;")
            case code.Call("score"):
                self._score(call)
            case code.Call("say"):
                self._say(call)
            case code.Call("ends", (_, reason, winner)):
                what, player = self.number(reason), self.number(winner)
                self.put(f"if (x->log) {{ note(x, E_ENDS); note(x, {what}); note(x, {player}); }}")
            case code.Call(name) if name in FAULTS:
                self._verb(call)
            case code.Call("remember", (_, _, guard, piles)):
                self.put(f"remember(x, s, a, {self.constants.number_of(guard)}, {self.typed(piles, 'L')});")
            case code.Call("keep" | "take_back" | "gather" | "shuffle" | "cut" | "show_top" | "turn" as name, args):
                self.put(f"{name}({', '.join(['x', 's', *(self.number(a) for a in args[1:])])});")
            case code.Call(name) if name in self.slugs:
                self.put(f"{self.value(call)[0]};")
            case _:
                raise untranslatable(call)

    def _verb(self, call: code.Call) -> None:
        name = call.function
        args = call.args[1 : len(call.args) - FAULTS[name]]
        match name, args:
            case "move_pieces", (code.Tuple((piece,)), code.Tuple((source,)), target, code.Literal(-1)):
                name, texts = "move_piece", [self.number(a) for a in (piece, source, target)]
            case "move_pieces", (pieces, sources, *others):
                texts = [self.given(pieces), self.given(sources), *map(self.number, others)]
            case _:
                texts = [*map(self.number, args)]
        self.put(f"{name}({', '.join(['x', 's', *texts])});")

    def given(self, items: Value) -> str:
        """Return a list that the callee only reads. A literal list needs no arena memory."""
        match items:
            case code.Tuple((_, *_) as written) if not any(isinstance(i, code.Star) for i in written):
                return f"(L){{(E[]){{{', '.join(map(self.item, written))}}}, {len(written)}, 0}}"
        return self.typed(items, "L")

    def _append(self, owner: Value, item: Value) -> None:
        match owner:
            case code.Item(Name("P"), pile):
                self.put(f"put(x, s, {self.number(pile)}, {self.number(item)});")
            case Name("acts"):
                assert isinstance(item, code.Tuple)
                self.list_action(item)
            case code.Choice(test, Name(yes), Name(no)):
                self.put(f"add(x, {self.truth(test)} ? &{yes} : &{no}, {self.value(item)[0]});")
            case Name("aims"):
                self.put(f"add(x, &aims, {self.constants.number_of(item)});")
            case Name(name):
                self._push(name, self.names.get(name, "L?"), item)
            case _:
                raise untranslatable(owner)

    def _push(self, name: str, kind: Type, item: Value) -> None:
        match kind:
            case "L" | "LA":
                self.put(f"add(x, &{name}, {self.typed(item, ITEMS[kind])});")
            case "KeyedS" | "KeyedLS" | "KeyedLLS":
                assert isinstance(item, code.Tuple)
                key, value = item.items
                inner = ITEMS[IN_ORDER[kind]]
                last = self.item(value) if inner == "I" else self.typed(value, inner)
                self.put(f"{kind}_push(x, &{name}, ({ITEMS[kind]}){{{self.typed(key, 'L')}, {last}}});")
            case "LL" | "LLL":
                self.put(f"{kind}_push(x, &{name}, {self.typed(item, ITEMS[kind])});")
            case _:
                raise Untranslatable(f"append to {kind}")

    def _score(self, call: code.Call) -> None:
        _, points, player, cell, value, tally, *of = call.args
        tallied = self.constants.of(tally)
        p, w, c = self.fresh(), self.fresh(), self.fresh()
        self.put(f"{{ I {p} = {self.number(points)}, {w} = {self.number(player)}, {c} = {self.number(cell)};")
        self.put(f"if (scored(x, s, {p}, {c}, {tallied.low}, {tallied.high})) {{")
        self.put(f"    note(x, E_SCORE); note(x, {p}); note(x, {w}); note(x, {c}); note(x, {tallied.label});")
        self._note_value(value)
        self._note_open(of)
        self.put("}}")

    def _say(self, call: code.Call) -> None:
        _, label, value, player, *of = call.args
        self.put(f"if (x->log) {{ note(x, E_SAY); note(x, {self.number(label)}); note(x, {self.number(player)});")
        self._note_value(value)
        self._note_open(of)
        self.put("}")

    def _note_open(self, of: Sequence[Value]) -> None:
        """Log the groups of pieces that are shown along with an event."""
        match of:
            case [code.Tuple((_, *_) as groups)]:
                listed = ", ".join(self.given(group) for group in groups)
                self.put(f"note_open(x, (L[]){{{listed}}}, {len(groups)});")
            case [one]:
                found = self.fresh()
                self.put(f"{{ LL {found} = {self.typed(one, 'LL')}; note_open(x, {found}.p, {found}.n); }}")
            case _:
                self.put("note(x, 0);")

    def _note_value(self, value: Value) -> None:
        """Log a number, or a number or list for each placeholder of some words."""
        if not isinstance(value, code.Tuple):
            self.put(f"note(x, -1); note(x, {self.number(value)});")
            return
        self.put(f"note(x, {len(value.items)});")
        for item in value.items:
            text, kind = self.value(item)
            self.put(f"note(x, -1); note(x, {text});" if kind == "I" else f"note_list(x, {text});")


class Assignments(Verbs):
    """Writes assignments to names and cells, and the offer of actions."""

    def assign(self, target: Value, value: Value) -> None:
        match target:
            case code.Field("faults"):
                self.put(f"set_faults(x, s, {self.typed(value, 'L')});")
            case code.Item(Name("C"), code.Literal(int(at))):
                self._assign_cell(at, target, value)
            case code.Item(Name("apart"), key):
                self.put(f"map_set(x, &apart, {self.value(key)[0]}, {self.number(value)});")
            case Name(name):
                self._assign_name(name, value)
            case _:
                self.put(f"{self.place(target)} = {self.number(value)};")

    def _assign_cell(self, at: int, target: Value, value: Value) -> None:
        places = self.types.places
        if at in places.chosen:
            self.put(f"s->chosen{at}.n = 0;")
        elif at in places.seen:
            self.put(f"s->seen{at}.n = 0; s->seen{at}.used = 0;")
        elif at in places.aims:
            self._reach(f"s->l{at}", value)
        elif at in places.lists:
            self._keep(f"s->l{at}", self.typed(value, "L"), places.lists[at])
        else:
            self.put(f"{self.place(target)} = {self.number(value)};")

    def _assign_name(self, name: str, value: Value) -> None:
        match value:
            case _ if name in self.walks:
                walk = self.walks[name]
                size = self.number(walk.size) if walk.size is not None else "0"
                self.put(f"{name} = ({self.names[name]}){{{self.typed(walk.of, SUBSET[self.names[name]])}, {size}}};")
            case code.Call(called) if name in self.apart:
                self.put(f"{self.slugs[called]}({', '.join([*self.handed(value), name])});")
                self.put(f"if (x->stop) {self.nothing()}")
            case code.Literal(None):
                self.put(f"{name}_is = 0;")
            case code.List((code.Literal(),)) if name in self.summed:
                self.put(f"{name}_room[0] = 0; {name} = (L){{{name}_room, 1, {SUMS_ROOM}}};")
            case code.List(()) if name == "acts":
                self.put("acts = NONE_LISTED;")
            case code.List(()) if name in self.roomy:
                self.put(f"{name} = (L){{{name}_room, 0, {ROOM}}};")
            case _:
                text = self.typed(value, self.names[name])
                self.acts_left |= name == "acts" and not _is_call(value, "later")
                drawn = f"{name} != NOTHING_DRAWN" if _is_call(value, "lots") else "1"
                self.put(f"{name} = {text};{f' {name}_is = {drawn};' if name in self.absent else ''}")

    def _keep(self, place: str, text: str, most: int) -> None:
        self.put(
            f"{{ L _l = {text}; if (_l.n > {most}) {{ x->stop = FULL; {self.nothing()} }} {place}.n = _l.n; carry({place}.p, _l.p, _l.n * (I)sizeof(E)); }}"
        )

    def _reach(self, place: str, value: Value) -> None:
        """Set the sums still to be reached: to none, or to the rest after an action."""
        match value:
            case code.Tuple(()):
                self.put(f"{place}.n = 0;")
            case code.Call(_, (_, code.Call(weigh, (_, _, me, _)))):
                self.put(f"{{ I _own[SUMS]; {self.slugs[weigh]}(x, s, {self.number(me)}, a, _own);")
                self.put(f"for (I i = 0; i < {place}.n; i++) {place}.p[i] = item_of(x, {place}.p[i] - _own[i]); }}")
            case _:
                raise untranslatable(value)

    def unpack(self, node: code.Unpack) -> None:
        action = "a" if self.names.get("a") == "P" else "s->acts[a]"
        for name, binding in zip(node.names, self.types.places.moves[self.move], strict=True):
            bound = f"{action}[{binding.at}]" if binding.most is None else f"get_list({action} + {binding.at})"
            self.put(f"{name.id} = {bound};")

    def ask(self, node: code.Ask) -> None:
        acts, actor = self.typed(node.actions, "LA"), self.number(node.actor)
        self.put(f"if (!ask(x, s, {acts}, {actor}, {node.decision})) {self.nothing()}")

    def fill(self, node: code.Fill) -> None:
        last = node.first + node.count
        self.put(f"for (I i = {node.first}; i < {last}; i++) s->C[i] = {self.number(node.value)};")

    def augment(self, node: code.Add) -> None:
        match node.target:
            case Name(name) if self.names[name] != "I":
                kind = self.names[name]
                if kind == "L?":
                    return
                if kind == "L" and is_doubling(name, node.value):
                    self._double(name, node.value)
                    return
                self._extend(name, kind, node.value)
            case Name(name):
                self.put(f"{name} = {self.operation(name, '+', self.number(node.value))};")
            case code.Item(Name("C"), code.Literal(int(at))) if at in self.types.places.chosen:
                self._choose(at, node.value)
            case code.Item():
                place = self.place(node.target)
                self.put(f"{place} = {self.operation(place, '+', self.number(node.value))};")
            case _:
                raise untranslatable(node)

    def _extend(self, name: str, kind: Type, value: Value) -> None:
        if isinstance(value, code.Comprehension) and kind in ("L", "LA") and self.types_of(value) in ("L", "LA"):
            self.comprehend(value, name)
        else:
            self.put(f"{in_c(kind)}_extend(x, &{name}, {self.typed(value, kind)});")

    def _double(self, name: str, value: Value) -> None:
        """Append an item for each item of a list."""
        assert isinstance(value, code.Comprehension)
        at, count = self.fresh(), self.fresh()
        more = added_name(value.item, value.target)
        if more is not None and name in self.summed:
            self.put(f"grow_by(x, &{name}, {self.number(more)});")
            return
        self.put(f"if (L_room(x, &{name}, {name}.n))")
        self.put(f"for (I {at} = 0, {count} = {name}.n; {at} < {count}; {at}++) {{")
        self.put(f"    {self.place(value.target)} = {name}.p[{at}];")
        self.depth += 1
        self.put(f"set_next(x, &{name}, {self.number(value.item)});")
        self.depth -= 1
        self.put("}")

    def _choose(self, at: int, value: Value) -> None:
        assert isinstance(value, code.Tuple)
        place = f"s->chosen{at}"
        self.put(f"if ({place}.n == SEATS) {{ x->stop = FULL; {self.nothing()} }}")
        if isinstance(value.items[0], code.Tuple):
            self.put(f"{place}.a[{place}.n++][0] = -1;")
        else:
            self.put(f"memcpy({place}.a[{place}.n++], a, sizeof {place}.a[0]);")


def _is_call(value: Value, name: str) -> bool:
    return isinstance(value, code.Call) and value.function == name
