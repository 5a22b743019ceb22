"""Lowers decisions: the places where the machine stops, and the effects of each action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from hoyle.compiling import code
from hoyle.compiling.blocks import Blocks, Context, end_look_ahead
from hoyle.compiling.code import (
    ACTS,
    EMPTY,
    LOOKING,
    ME,
    A,
    Add,
    And,
    Ask,
    Assign,
    Binary,
    Choice,
    Comprehension,
    Field,
    ForChosen,
    If,
    Item,
    Label,
    Name,
    Not,
    Open,
    Return,
    S,
    Tuple,
    Value,
    call,
    cell,
    compare,
    is_move,
    number,
)
from hoyle.compiling.effects import transfer
from hoyle.compiling.moves import MoveCompiler
from hoyle.compiling.obligations import LATE, Decision
from hoyle.compiling.statements import Settlers, Statements
from hoyle.language import value_types
from hoyle.language.ir import Expr, lets_in
from hoyle.language.model import Move, NeverTwice
from hoyle.language.step_analysis import are_plain
from hoyle.language.steps import Choose, Play, Step, every_step, formulas
from hoyle.language.value_types import LARGEST, MOVE, NOTHING, PLAYER
from hoyle.running.machine import STOP, Point, Together

Unfold = Callable[[Iterable[Step], Context], None]
"""A function that writes steps which may contain decisions."""


class Decisions:
    """Lowers the decisions of one game."""

    def __init__(self, blocks: Blocks, statements: Statements, settlers: Settlers, unfold: Unfold) -> None:
        self.blocks, self.statements, self.settlers, self.unfold = blocks, statements, settlers, unfold
        self.moves = MoveCompiler(blocks)

    # ---- one player decides ------------------------------------------------------------------------------------------

    def choose(self, step: Step, verb: Choose, context: Context) -> None:
        if verb.together is not None:
            self._together(step, verb, verb.together, context)
        else:
            self._ask(step, verb, context)

    def play(self, step: Step, verb: Play, context: Context) -> None:
        self._ask(step, verb, context)

    def _ask(self, step: Step, verb: Choose | Play, context: Context) -> None:
        """Write the blocks of a decision.

        head   lists the actions and stops
        apply  plays one
        other  runs if there was none
        done   comes after the decision
        """
        assert step.me is not None
        blocks = self.blocks
        done, head, counter = blocks.label(), blocks.label(), blocks.register()
        around = context.seen if isinstance(verb, Choose) else None
        decision = self._decision(verb, head, around)
        blocks.assign(cell(counter), number(0))
        if decision.seen is not None and decision.seen != around:
            blocks.assign(cell(decision.seen), Name("UNSEEN"))
        if isinstance(verb, Play):
            context = replace(context, seen=decision.seen)
        for aim in decision.aims.values():
            blocks.assign(cell(aim), EMPTY)
        if decision.looks_ahead:
            context = replace(context, ends=frozenset(context.leaves.values()))
        blocks.jump(head)
        blocks.open(head, step.span, context)
        other = blocks.label() if step.otherwise else done
        if isinstance(verb, Play) and verb.at_most is not None:
            blocks.put_if(compare(cell(counter), ">=", blocks.emit(verb.at_most)), Return(Label(done)))
        is_first, nothing = compare(cell(counter), "==", 0), Label(done)
        exit_ = Choice(is_first, Label(other), nothing) if other != done else nothing
        passed = " / ".join(context.path) if isinstance(verb, Choose) and other == done else ""
        self._stop(decision, blocks.emit.names[step.me], exit_, passed)
        self._point(decision, step, context, None)
        if not (isinstance(verb, Play) and verb.at_most is not None):
            self._one_by_one(decision, step, context)
        self._apply(decision, step, verb, context, head if isinstance(verb, Play) else done, counter)
        if other != done:
            blocks.open(other, step.span, context)
            self.unfold(step.otherwise, context)
            blocks.jump(done)
        blocks.open(done, step.span, context)
        if decision.looks_ahead:
            blocks.put_if(LOOKING, end_look_ahead())

    def _decision(self, verb: Choose | Play, label: int, around: int | None = None) -> Decision:
        """`around` is the register of the enclosing `play`. A choice shares the arrangements stored there."""
        ruleset = self.blocks.ruleset
        obey = [ruleset.obligations[name] for name in verb.obey]
        guarded = any(isinstance(o.demand, NeverTwice) for o in obey)
        seen = None
        if guarded:
            seen = around if around is not None else self.blocks.register(frozenset(), NOTHING)
        aims = {
            o.number: self.blocks.register(
                (), value_types.List(value_types.make_number_type(-LARGEST, LARGEST), LARGEST)
            )
            for o in obey
            if self.moves.obligations.may_spare(o)
        }
        return Decision(label, [ruleset.moves[name] for name in verb.moves], obey, seen, aims)

    def _stop(self, decision: Decision, me: Value, nothing: Value, passed: str) -> None:
        """List the legal actions. Jump to `nothing` if there are none, else stop for the player.

        `passed` is the path of a choice whose rules do not say what a player without actions does.
        """
        blocks = self.blocks
        blocks.assign(ME, me)
        with blocks.emit.together():
            self.moves.list_actions(decision, ME)
        if any(self.moves.obligations.is_callable(o) for o in decision.obey):
            fault, rest = Name("o"), Name("_")
            none = Binary(Tuple((number(-1),)), "*", call("len", ACTS))
            faults = call("tuple", Comprehension(fault, Tuple((rest, fault)), LATE))
            blocks.assign(Field("faults"), Binary(none, "+", faults))
            blocks.assign(ACTS, Binary(ACTS, "+", Comprehension(A, Tuple((A, rest)), LATE)))
        if decision.looks_ahead:
            blocks.put_if(And((Not(ACTS), LOOKING)), end_look_ahead())
        use = blocks.use("passed", passed) if passed else []
        blocks.put_if(Not(ACTS), *use, Return(nothing))
        blocks.put(Ask(ACTS, ME, decision.label), Return(number(STOP)))

    def _one_by_one(self, decision: Decision, step: Step, context: Context) -> None:
        """Write a generator of actions for decisions whose only obligation looks ahead."""
        blocks = self.blocks
        if not blocks.seeks or not self.moves.obligations.only_maximises(decision):
            return
        assert step.me is not None
        with blocks.function(f"each_{decision.label}", ("s", "player"), step.span, "listing", decision.label):
            blocks.put(Open())
            blocks.name_registers(context)
            blocks.assign(ME, blocks.emit.names[step.me])
            blocks.put_if(compare(ME, "!=", Name("player")), Return(None))
            with blocks.emit.together():
                self.moves.yield_actions(decision, ME)

    def _point(self, decision: Decision, step: Step, context: Context, together: Together | None) -> None:
        moves, obey = tuple(decision.moves), tuple(decision.obey)
        named = step.verb.unasked if isinstance(step.verb, Choose) else None
        unasked = self.blocks.ruleset.moves[named].number if named is not None else None
        self.blocks.points[decision.label] = Point(
            decision.label, context.path, moves, obey, together, decision.seen, step.span, unasked
        )

    def _apply(
        self, decision: Decision, step: Step, verb: Choose | Play, context: Context, follow: int, counter: int
    ) -> None:
        """Write the function that plays an action, then the `then` steps of the decision."""
        blocks, uses = self.blocks, self.blocks.ruleset.uses
        after = verb.then if isinstance(verb, Play) else ()
        then = blocks.label() if after else follow
        blocks.open(decision.label, step.span, context, "action")
        if "take_back" in uses and isinstance(verb, Play):
            blocks.call("keep")
        if "fault" in uses and any(o.callable is not None for o in decision.obey):
            blocks.assign(cell(blocks.fault_register), call("fault_of", S, A))
        blocks.put(Add(cell(counter), number(1)))
        assert step.me is not None
        self.moves.obligations.remember(decision, blocks.emit.names[step.me])
        for obligation, aim in decision.aims.items():
            weigh = call(f"weigh_{decision.label}_{obligation}", code.P, code.C, blocks.emit.names[step.me], A)
            blocks.put_if(And((cell(aim), Not(LOOKING))), Assign(cell(aim), call("less", cell(aim), weigh)))
        self._moves(decision, step, context, then)
        if after:
            blocks.open(then, step.span, context)
            self.unfold(after, context)
            blocks.jump(follow)

    # ---- effects of an action ----------------------------------------------------------------------------------------

    def _moves(self, decision: Decision, step: Step, context: Context, follow: int) -> None:
        """Write each move in place.

        If its `then` contains a decision, its bindings go to registers and its steps become blocks.
        """
        blocks, waiting = self.blocks, []
        for move in decision.moves:
            with blocks.block(If(is_move(move.number), [])), blocks.scoped_lets():
                inner = self._carry_out(move, step, context)
                if are_plain(blocks.ruleset, move.then):
                    self.statements.steps(move.then, inner)
                    blocks.jump(follow)
                else:
                    waiting.append(self._asking(move, step, inner))
        for move, begin, inner in waiting:
            blocks.open(begin, move.span, inner)
            self.unfold(move.then, inner)
            blocks.jump(follow)

    def _carry_out(self, move: Move, step: Step, context: Context) -> Context:
        """Play the action `a` without the `then` steps of its move. Returns the context inside the move."""
        assert step.me is not None
        names, inner = self.blocks.emit.names, context.inside(move.name)
        names[move.me] = names[step.me]
        self.moves.obligations.unpack(move)
        self.blocks.compute_lets(*_formulas_after(move))
        self.blocks.put_use("move", move.name)
        touched = transfer(self.blocks, move, isinstance(step.verb, Choose) and step.verb.together is not None)
        both = Tuple((names[move.origin], names[move.target])) if move.origin and move.target else None
        self.settlers.after(touched, move.me, inner, both)
        return inner

    def _asking(self, move: Move, step: Step, context: Context) -> tuple[Move, int, Context]:
        assert step.me is not None
        blocks = self.blocks
        for var in (*move.bindings, *lets_in(*_formulas_after(move))):
            register = blocks.register(value_type=var.type)
            blocks.assign(cell(register), blocks.emit.names[var])
            context = context.bind(var, register)
        begin = blocks.label()
        blocks.jump(begin)
        return move, begin, context.bind(move.me, context.registers[step.me])

    # ---- simultaneous decisions --------------------------------------------------------------------------------------

    def _together(self, step: Step, verb: Choose, players: Expr, context: Context) -> None:
        """Let each player choose unseen, one after another. Then play all actions in seat order."""
        assert step.me is not None
        blocks = self.blocks
        listed, cursor = blocks.register((), value_types.List(PLAYER, LARGEST)), blocks.register()
        chosen, me = blocks.register((), value_types.List(MOVE, LARGEST)), blocks.register(value_type=PLAYER)
        head, carry, done = blocks.label(), blocks.label(), blocks.label()
        decision = self._decision(verb, head)
        blocks.assign(cell(listed), call("tuple", blocks.emit(players)))
        blocks.put(Assign(cell(cursor), number(0)), Assign(cell(chosen), EMPTY))
        blocks.jump(head)
        inner = context.act(step.me, me)
        blocks.open(head, step.span, inner)
        blocks.put_if(compare(cell(cursor), ">=", call("len", cell(listed))), Return(Label(carry)))
        blocks.assign(cell(me), Item(cell(listed), cell(cursor)))
        skip = blocks.label()
        self._stop(decision, cell(me), Label(skip), " / ".join(context.path))
        self._point(decision, step, inner, Together(listed, cursor, chosen))
        blocks.open(skip, step.span, inner)
        self._note_choice(EMPTY, chosen, cursor, head)
        blocks.open(decision.label, step.span, inner, "action")
        self._note_choice(A, chosen, cursor, head)
        self._effects(decision, step, inner)
        blocks.open(carry, step.span, inner)
        blocks.put(ForChosen(cell(me), cell(listed), cell(chosen), f"e{decision.label}"))
        blocks.assign(cell(chosen), EMPTY)
        blocks.jump(done)
        blocks.open(done, step.span, context)

    def _note_choice(self, action: Value, chosen: int, cursor: int, head: int) -> None:
        self.blocks.put(Add(cell(chosen), Tuple((action,))), Add(cell(cursor), number(1)))
        self.blocks.jump(head)

    def _effects(self, decision: Decision, step: Step, context: Context) -> None:
        """Write the function that plays one of the actions that were chosen together."""
        blocks = self.blocks
        blocks.open(decision.label, step.span, context, "effect")
        for move in decision.moves:
            with blocks.block(If(is_move(move.number), [])), blocks.scoped_lets():
                self.statements.steps(move.then, self._carry_out(move, step, context))
                blocks.put(Return(number(STOP)))


def _formulas_after(move: Move) -> Iterator[Expr]:
    """Yield the formulas of the `then` steps of a move."""
    for step in every_step(move.then):
        yield from formulas(step)
