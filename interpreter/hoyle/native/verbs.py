"""Calls that are statements: verbs, and what is added to lists and piles."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hoyle.native.actions import called
from hoyle.native.forms import IN_ORDER, ITEMS, Type, Untranslatable
from hoyle.native.values import Values

FAULTS = {"deal": 1, "move_top": 1, "move_pieces": 1, "roll": 2, "still": 1, "fits": 1}
"""How many of the last arguments of a verb only say what to blame."""


class Verbs(Values):
    """Writes calls that are statements."""

    def call_statement(self, call: ast.Call) -> None:
        name = called(call)
        match name:
            case _ if name.endswith(".append"):
                self._append(call)
            case _ if name.endswith(".pop"):
                self.put(f"drop(s, {self._pile(call)});")
            case _ if name.endswith(".remove"):
                self.put(f"remove_piece(x, s, {self._pile(call)}, {self.number(call.args[0])});")
            case "ended":
                self.put("ended(x);")
            case "broken" | "restless":
                self.put("x->stop = FAULT;")
            case "score":
                self._score(call)
            case "say":
                self._say(call)
            case "ends":
                what, player = map(self.number, call.args[1:])
                self.put(f"if (x->log) {{ note(x, E_ENDS); note(x, {what}); note(x, {player}); }}")
            case "deal" | "move_top" | "move_pieces" | "roll" | "still" | "fits":
                self._verb(name, call)
            case "remember":
                self.put(
                    f"remember(x, s, a, {self.constants.number_of(call.args[2])}, {self.typed(call.args[3], 'L')});"
                )
            case "keep" | "take_back" | "gather" | "shuffle" | "cut" | "show_top" | "turn":
                self.put(f"{name}({', '.join(['x', 's', *(self.number(a) for a in call.args[1:])])});")
            case _ if name in self.slugs:
                self.put(f"{self.value(call)[0]};")
            case _:
                raise Untranslatable(ast.unparse(call))

    def _verb(self, name: str, call: ast.Call) -> None:
        args = call.args[1 : len(call.args) - FAULTS[name]]
        match name, args:
            case "move_pieces", [ast.Tuple(elts=[piece]), ast.Tuple(elts=[source]), target, ast.UnaryOp()]:
                name, texts = "move_piece", [self.number(a) for a in (piece, source, target)]
            case "move_pieces", [pieces, sources, *others]:
                texts = [self.given(pieces), self.given(sources), *map(self.number, others)]
            case _:
                texts = [*map(self.number, args)]
        self.put(f"{name}({', '.join(['x', 's', *texts])});")

    def given(self, items: ast.expr) -> str:
        """A list that is only looked at where it is given: one that is written there needs no memory of the arena."""
        match items:
            case ast.Tuple(elts=[_, *_] as written) if not any(isinstance(i, ast.Starred) for i in written):
                return f"(L){{(E[]){{{', '.join(map(self.item, written))}}}, {len(written)}, 0}}"
        return self.typed(items, "L")

    def _append(self, call: ast.Call) -> None:
        assert isinstance(call.func, ast.Attribute)
        owner, item = call.func.value, call.args[0]
        match owner:
            case ast.Subscript(value=ast.Name(id="P"), slice=pile):
                self.put(f"put(x, s, {self.number(pile)}, {self.number(item)});")
            case ast.Name(id="acts"):
                assert isinstance(item, ast.Tuple)
                self.list_action(item, "acts")
            case ast.IfExp(test=test, body=ast.Name(id=yes), orelse=ast.Name(id=no)):
                self.put(f"add(x, {self.truth(test)} ? &{yes} : &{no}, {self.value(item)[0]});")
            case ast.Name(id="aims"):
                self.put(f"add(x, &aims, {self.constants.number_of(item)});")
            case ast.Name(id=name):
                self._push(name, self.names.get(name, "L?"), item)
            case _:
                raise Untranslatable(ast.unparse(call))

    def _push(self, name: str, kind: Type, item: ast.expr) -> None:
        match kind:
            case "L" | "LA":
                self.put(f"add(x, &{name}, {self.typed(item, ITEMS[kind])});")
            case "KeyedS" | "KeyedLS" | "KeyedLLS":
                assert isinstance(item, ast.Tuple)
                inner = ITEMS[IN_ORDER[kind]]
                last = self.item(item.elts[1]) if inner == "I" else self.typed(item.elts[1], inner)
                self.put(f"{kind}_push(x, &{name}, ({ITEMS[kind]}){{{self.typed(item.elts[0], 'L')}, {last}}});")
            case "LL" | "LLL":
                self.put(f"{kind}_push(x, &{name}, {self.typed(item, ITEMS[kind])});")
            case _:
                raise Untranslatable(f"append to {kind}")

    def _pile(self, call: ast.Call) -> str:
        match call.func:
            case ast.Attribute(value=ast.Subscript(value=ast.Name(id="P"), slice=pile)):
                return self.number(pile)
        raise Untranslatable(ast.unparse(call))

    def _score(self, call: ast.Call) -> None:
        _, points, player, cell, value, tally, *of = call.args
        tallied = self.constants.of(tally)
        p, w, c = self.fresh(), self.fresh(), self.fresh()
        self.put(f"{{ I {p} = {self.number(points)}, {w} = {self.number(player)}, {c} = {self.number(cell)};")
        self.put(f"if (scored(x, s, {p}, {c}, {tallied.low}, {tallied.high})) {{")
        self.put(f"    note(x, E_SCORE); note(x, {p}); note(x, {w}); note(x, {c}); note(x, {tallied.label});")
        self._note_value(value)
        self._note_open(of)
        self.put("}}")

    def _say(self, call: ast.Call) -> None:
        _, label, value, player, *of = call.args
        self.put(f"if (x->log) {{ note(x, E_SAY); note(x, {self.number(label)}); note(x, {self.number(player)});")
        self._note_value(value)
        self._note_open(of)
        self.put("}")

    def _note_open(self, of: Sequence[ast.expr]) -> None:
        """The pieces that are told along: lists of them."""
        match of:
            case [ast.Tuple(elts=[_, *_] as groups)]:
                listed = ", ".join(self.given(group) for group in groups)
                self.put(f"note_open(x, (L[]){{{listed}}}, {len(groups)});")
            case [one]:
                found = self.fresh()
                self.put(f"{{ LL {found} = {self.typed(one, 'LL')}; note_open(x, {found}.p, {found}.n); }}")
            case _:
                self.put("note(x, 0);")

    def _note_value(self, value: ast.expr) -> None:
        """A number, or one or a list for each place of some words."""
        if not isinstance(value, ast.Tuple):
            self.put(f"note(x, -1); note(x, {self.number(value)});")
            return
        self.put(f"note(x, {len(value.elts)});")
        for item in value.elts:
            text, kind = self.value(item)
            self.put(f"note(x, -1); note(x, {text});" if kind == "I" else f"note_list(x, {text});")
