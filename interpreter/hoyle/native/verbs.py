"""Calls that are statements: verbs, and what is added to lists and piles."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Name, Value
from hoyle.native.actions import untranslatable
from hoyle.native.forms import IN_ORDER, ITEMS, Type, Untranslatable
from hoyle.native.values import Values

FAULTS = {"deal": 1, "move_top": 1, "move_pieces": 1, "roll": 2, "still": 1, "fits": 1}
"""How many of the last arguments of a verb only say what to blame."""


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
        """A list that is only read by what it is given to: one that is written there needs no memory of the arena."""
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
        """The pieces that are told along: lists of them."""
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
        """A number, or one or a list for each place of some words."""
        if not isinstance(value, code.Tuple):
            self.put(f"note(x, -1); note(x, {self.number(value)});")
            return
        self.put(f"note(x, {len(value.items)});")
        for item in value.items:
            text, kind = self.value(item)
            self.put(f"note(x, -1); note(x, {text});" if kind == "I" else f"note_list(x, {text});")
