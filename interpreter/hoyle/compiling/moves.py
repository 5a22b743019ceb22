"""Lowers the listing of legal actions at a decision.

An action is a tuple: the move's number, then its bindings in order (from, card, each of `with`, to).
"""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.compiling import code
from hoyle.compiling.blocks import Blocks
from hoyle.compiling.code import (
    ACTS,
    Add,
    And,
    Compare,
    Comprehension,
    For,
    If,
    Item,
    Name,
    Not,
    Tuple,
    Value,
    Yield,
    call,
    compare,
    number,
    pile,
)
from hoyle.compiling.obligations import AIMS, LATE, Decision, Obligations
from hoyle.language.ir import (
    Chosen,
    Collect,
    Const,
    Contents,
    Expr,
    Local,
    Quantified,
    Range,
    Rows,
    Var,
    WordCall,
    walk,
)
from hoyle.language.model import Maximise, Move, Obligation, Prefer, PreferMoves, Take
from hoyle.language.value_types import Piece, get_families
from hoyle.passes.subformulas import HEAVY, substitute


class MoveCompiler:
    """Writes the listing of actions at a decision into the open function."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.ruleset = blocks, blocks.ruleset
        self.obligations = Obligations(blocks)
        self._yields = self._lists = False
        self._written: dict[int, Expr] = {}
        """Original conditions of the ruleset, by the id of their rewritten form."""
        self._kept: list[Expr] = []

    # ---- all actions -------------------------------------------------------------------------------------------------

    def list_actions(self, decision: Decision, me: Value) -> None:
        """Put the legal actions into `acts`, and faults into `late`."""
        blocks = self.blocks
        self._lists = False
        blocks.assign(ACTS, code.NO_LIST)
        first, rest, obey = self._preferred_first(decision)
        for move in first:
            self._actions(move, me)
        if first and rest:
            with blocks.block(If(Not(ACTS), [])):
                for move in rest:
                    self._actions(move, me)
            if blocks.traced:
                numbers = Tuple(tuple([number(move.number) for move in first]))
                first_move = Item(Item(ACTS, number(0)), number(0))
                use = blocks.use("obligation", decision.obey[0].name)
                blocks.put_if(And((ACTS, Compare(first_move, "in", numbers))), *use)
        else:
            for move in rest:
                self._actions(move, me)
        if any(self.obligations.is_callable(o) for o in obey):
            blocks.assign(LATE, code.NO_LIST)
        if sum(isinstance(o.demand, Maximise) for o in obey) > 1:
            blocks.assign(AIMS, code.NO_LIST)
        for obligation in obey:
            if self._lists or not isinstance(obligation.demand, Prefer | PreferMoves):
                self.obligations.obey(obligation, decision, me)

    def yield_actions(self, decision: Decision, me: Value) -> None:
        """Write a generator of the actions, before obligations."""
        self._yields = True
        for move in decision.moves:
            self._actions(move, me)
        self._yields = False

    def _preferred_first(self, decision: Decision) -> tuple[list[Move], list[Move], list[Obligation]]:
        """Split off the moves that the first obligation prefers whatever their bindings.

        Returns them, the other moves and the remaining obligations. Other moves are only listed if no preferred action is
        possible.
        """
        obey = decision.obey
        if (
            obey
            and self.obligations.known_truth(obey[0].when) is True
            and obey[0].over is None
            and not self.obligations.is_callable(obey[0])
        ):
            demand = obey[0].demand
            if isinstance(demand, PreferMoves) and obey[0].each is None:
                first = [move for move in decision.moves if move.name in demand.moves]
                return first, [move for move in decision.moves if move not in first], obey[1:]
        return [], decision.moves, obey

    # ---- one move ----------------------------------------------------------------------------------------------------

    def _actions(self, move: Move, me: Value) -> None:
        blocks = self.blocks
        with blocks.nested(), blocks.scoped_lets():
            blocks.emit.names[move.me] = me
            waiting = [self._folded(c.expr, c.expr) for c in move.conditions]
            if any(isinstance(c, Const) and not c.value for c in waiting):
                return  # these options forbid the move
            waiting = [c for c in waiting if not isinstance(c, Const)]
            waiting = self._test(waiting, {move.me})
            shared = self._shared(move)
            takes: list[Take | None] = [*move.takes] or [None]
            for take in takes:
                with blocks.nested(), blocks.scoped_lets():
                    self._take(move, take, list(waiting), shared)

    def _shared(self, move: Move) -> Value | None:
        """Return the list of target piles if it does not depend on the piece, else None."""
        if move.put is None or move.put.type.name == "pile" or _locals(move.put) - {move.me}:
            return None
        return self.blocks.emit.write_named(move.put, "places")

    def _test(self, waiting: list[Expr], bound: set[Var]) -> list[Expr]:
        """Test each condition whose variables are all bound. Returns the others."""
        now = [condition for condition in waiting if _locals(condition) <= bound]
        parts = self.blocks.program.parts
        for condition in sorted(now, key=lambda e: parts.weight(e) >= HEAVY):
            self.blocks.compute_lets(condition)
            self.blocks.begin(If(self.blocks.emit.write_watched(condition, self._written.get(id(condition))), []))
        return [condition for condition in waiting if condition not in now]

    def _take(self, move: Move, take: Take | None, waiting: list[Expr], shared: Value | None) -> None:
        """Write loops over the bindings of a move, with each condition as far outside as possible."""
        if take is not None and move.origin is not None and len(move.takes) > 1:
            known = self._from(move.origin, take, waiting)
            if known is None:
                return
            waiting = known
        bound = {move.me}
        early = self._lists_first(move) if take is not None else {}
        target, put = move.target, move.put
        if target is not None and put is not None and put.type.name == "pile" and _locals(put) <= bound:
            waiting = self._to(move, target, put, shared, waiting, bound)
            put = None
        if take is not None:
            assert move.origin is not None and move.card is not None
            self._bind_piece(move.origin, move.card, take)
            bound |= {move.origin, move.card}
            if put is None and target is not None:
                self._elsewhere(move, target)
            waiting = self._test(waiting, bound)
        for var, items in move.withs:
            self._each(var, early[var] if var in early else self._compile_candidates(var, items), var.name)
            bound.add(var)
            waiting = self._test(waiting, bound)
        if target is not None and put is not None:
            waiting = self._to(move, target, put, shared, waiting, bound)
        self._action(move)

    def _lists_first(self, move: Move) -> dict[Var, Value]:
        """List the candidates of a `with` before looking for pieces, so that an empty list ends the search."""
        found = {}
        for var, items in move.withs:
            if not isinstance(self.blocks.program.fold(items), Rows | Range) and _locals(items) <= {move.me}:
                found[var] = self.blocks.emit.name(self._compile_candidates(var, items), "from")
                self.blocks.begin(If(found[var], []))
        return found

    def _to(
        self, move: Move, target: Var, put: Expr, shared: Value | None, waiting: list[Expr], bound: set[Var]
    ) -> list[Expr]:
        self._bind_target(target, put, shared)
        if move.origin in bound:
            self._elsewhere(move, target)
        bound.add(target)
        later = self._test(waiting, bound)
        self._room(target)
        return later

    def _elsewhere(self, move: Move, target: Var) -> None:
        """Exclude the piece's source pile as its target."""
        names = self.blocks.emit.names
        if move.origin is not None and _may_overlap(move.origin, target):
            self.blocks.begin(If(compare(names[target], "!=", names[move.origin]), []))

    def _action(self, move: Move) -> None:
        """List one more action, or all actions of a loop at once if the loop does nothing else."""
        self._lists = True
        names, emit = self.blocks.emit.names, self.blocks.emit
        tuples = {
            var for var, items in move.withs if isinstance(items, WordCall) and items.word in ("subsets", "tails")
        }
        lists = {v for v in move.bindings if v.type.name == "list"} - tuples
        values = [call("tuple", names[v]) if v in lists else names[v] for v in move.bindings]
        action = Tuple((number(move.number), *values))
        if self._yields:
            self.blocks.put(Yield(action))
            return
        loop = emit.writer.empty_loop()
        if loop is not None:
            emit.collapse(Add(ACTS, Comprehension(action, loop.target, loop.items)))
        else:
            self.blocks.put(code.append(ACTS, action))

    def _from(self, origin: Var, take: Take, waiting: list[Expr]) -> list[Expr] | None:
        """Return the conditions for pieces from these piles. None if they cannot hold."""
        source = take.source.type
        value_type = source.item_type if source.name == "list" else source
        here = Local(value_type, take.source.span, Var(origin.name, value_type))
        found = [self._folded(substitute(c, {origin: here}), self._written[id(c)]) for c in waiting]
        if any(isinstance(c, Const) and not c.value for c in found):
            return None
        back = Local(origin.type, take.source.span, origin)
        kept = [c for c in found if not isinstance(c, Const)]
        return [self._known(substitute(c, {here.var: back}), self._written[id(c)]) for c in kept]

    def _folded(self, condition: Expr, written: Expr) -> Expr:
        """Return the simplified condition. If options decide it, the watch is told."""
        found, watch = self.blocks.program.fold(condition), self.blocks.program.watch
        if isinstance(found, Const) and watch is not None:
            watch.settle(written.span, bool(found.value))
        return self._known(found, written)

    def _known(self, condition: Expr, written: Expr) -> Expr:
        self._written[id(condition)] = written
        self._kept.append(condition)
        return condition

    def _bind_piece(self, origin: Var, card: Var, take: Take) -> None:
        blocks, names = self.blocks, self.blocks.emit.names
        if take.source.type.name == "pile":
            names[origin] = blocks.emit.write_named(take.source, "f")
        else:
            self._each_source(origin, take.source)
        if take.any_piece:
            self._each(card, self._distinct(pile(names[origin]), card), "card")
        else:
            blocks.begin(If(pile(names[origin]), []))
            names[card] = blocks.emit.name(Item(pile(names[origin]), number(-1)), "card")

    def _each_source(self, origin: Var, source: Expr) -> None:
        """Write a loop over source piles. Filtered piles are not listed first if one pass is enough."""
        blocks = self.blocks
        piles = blocks.program.fold(source)
        if (
            not self._yields
            or not isinstance(piles, Collect)
            or piles.by
            or not isinstance(piles.item, Local)
            or piles.item.var is not piles.var
        ):
            self._each(origin, blocks.emit(source), "f")
            return
        self._each(origin, blocks.emit(piles.items), "f")
        blocks.emit.names[piles.var] = blocks.emit.names[origin]
        blocks.begin(If(blocks.emit(piles.where), []))

    def _each(self, var: Var, listed: Value, hint: str) -> None:
        name = self.blocks.emit.names[var] = self.blocks.fresh(hint)
        self.blocks.begin(For(name, listed, []), name)

    def _distinct(self, items: Value, var: Var) -> Value:
        """Drop copies of a piece, which would make the same action."""
        return items if self._is_unique(var) else call("dict.fromkeys", items)

    def _is_unique(self, var: Var) -> bool:
        """Return whether all pieces of this type are different."""
        pieces = self.ruleset.pieces
        known = isinstance(var.type, Piece) and var.type.of in pieces
        kinds = [pieces[var.type.of]] if isinstance(var.type, Piece) and known else list(pieces.values())
        return all(k.copies == 1 for k in kinds)

    def _compile_candidates(self, var: Var, items: Expr) -> Value:
        """Return the candidates of a `with`, without duplicates."""
        listed = self.blocks.emit(items)
        if var.type.name == "list" and var.type.item_type.name == "piece" and not self._all_differ(items):
            return call("unique", listed)
        if var.type.name == "piece" and not (isinstance(items, WordCall) and items.word == "kinds"):
            return self._distinct(listed, var)
        return listed

    def _all_differ(self, items: Expr) -> bool:
        """Return whether these are certainly lists of different pieces.

        True for tails of one list, and for subsets of a pile in which no piece has a copy.
        """
        items = self.blocks.program.fold(items)
        if isinstance(items, Collect) and isinstance(items.item, Local) and items.item.var is items.var:
            return self._all_differ(items.items)
        if isinstance(items, WordCall) and items.word == "tails":
            return True
        if not isinstance(items, WordCall) or items.word != "subsets" or not isinstance(items.operands[0], Contents):
            return False
        return self._is_unique(Var("", items.operands[0].type.item_type))

    def _bind_target(self, target: Var, put: Expr, shared: Value | None) -> None:
        blocks, names = self.blocks, self.blocks.emit.names
        if put.type.name == "pile":
            names[target] = blocks.emit.write_named(put, "t")
            if put.type.optional:
                blocks.begin(If(compare(names[target], ">=", 0), []))
        else:
            self._each(target, shared or blocks.emit(put), "t")

    def _room(self, target: Var) -> None:
        families = [self.ruleset.piles[family] for family in get_families(target.type)]
        if any(family.limited for family in families):
            name, rooms = self.blocks.emit.names[target], {family.room for family in families}
            room = number(rooms.pop()) if len(rooms) == 1 else Item(Name("ROOM"), name)
            has_room = compare(call("len", pile(name)), "<", room)
            self.blocks.begin(If(self.blocks.emit.hoist(has_room, name), []))


def _locals(expr: Expr) -> set[Var]:
    """Return the variables that a formula needs from outside, without those of `let`."""
    found = {e.var for e in walk(expr) if isinstance(e, Local) and e.var.value is None}
    own = {e.var for e in walk(expr) if isinstance(e, Quantified | Chosen | Collect)}
    return found - own


def _may_overlap(a: Var, b: Var) -> bool:
    return not get_families(a.type).isdisjoint(get_families(b.type))


def unique(items: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Remove lists that hold the same pieces as an earlier one."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for item in items:
        found.setdefault(tuple(sorted(item)), tuple(item))
    return list(found.values())
