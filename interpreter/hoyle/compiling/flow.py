"""Unfolds the flow into blocks, functions of the state that return the number of the next block.

Phases are inlined where they are run. So the number of a block identifies the whole context, and no stack is
needed. Steps without a decision become loops and branches inside a block (`statements`). A decision ends a block
(`decisions`), and the machine stops there.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from hoyle.compiling.blocks import Blocks, Context
from hoyle.compiling.code import (
    FALSE,
    TRUE,
    Add,
    Assign,
    Choice,
    Item,
    Label,
    Name,
    Not,
    Return,
    call,
    cell,
    compare,
    number,
)
from hoyle.compiling.decisions import Decisions
from hoyle.compiling.statements import Settlers, Statements, reset_state
from hoyle.language.ir import Var
from hoyle.language.model import Phase
from hoyle.language.step_analysis import filtered_list, find_phase, is_inline
from hoyle.language.steps import AsOne, Choose, Do, Leave, Loop, Play, Repeat, Run, Step, Turns
from hoyle.language.value_types import LARGEST, PLAYER, List
from hoyle.running.machine import OVER, Place, Turn


def jump(label: int) -> Return:
    return Return(Label(label))


class FlowCompiler:
    """Unfolds the phase `game` into the blocks of a program."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.settlers = Settlers(blocks)
        self.statements = Statements(blocks, self.settlers.after, blocks.jump)
        self.decisions = Decisions(blocks, self.statements, self.settlers, self.steps)

    def compile(self) -> int:
        """Write all blocks. Returns the number of the first."""
        blocks = self.blocks
        game = blocks.ruleset.phases["game", False]
        entry, end = blocks.label(), blocks.label()
        context = Context(path=("game",), leaves={"game": end})
        blocks.open(entry, game.span, context)
        self._phase(game, context)
        blocks.jump(end)
        blocks.open(end, game.span, context)
        blocks.put(Return(number(OVER)))
        return entry

    def _phase(self, phase: Phase, context: Context) -> None:
        blocks = self.blocks
        reset_state(blocks, phase.name)
        if phase.steps:
            first = blocks.label()
            blocks.jump(first)
            blocks.open(first, phase.steps[0].span, context)
            blocks.places.append(Place(context.path, first, context.acting, False, phase.span, context.turns))
        self.steps(phase.steps, context)

    def steps(self, steps: Iterable[Step], context: Context) -> None:
        """Write each step in a block of its own, so that a position may begin there."""
        blocks = self.blocks
        for step in steps:
            inner, label = context.inside(step.name), blocks.label()
            blocks.jump(label)
            blocks.open(label, step.span, inner)
            by = step.by is not None or (isinstance(step.verb, Choose) and step.verb.together is not None)
            blocks.places.append(Place(inner.path, label, context.acting, by, step.span, context.turns))
            blocks.put_use("step", " / ".join(inner.path))
            if is_inline(blocks.ruleset, step):
                self.statements.step(step, inner)
            else:
                self._unfold_step(step, inner)

    # ---- decisions ---------------------------------------------------------------------------------------------------

    def _unfold_step(self, step: Step, context: Context) -> None:
        blocks = self.blocks
        after = blocks.label()
        inner, back = context, after
        if step.loop is not None:
            inner, back = self._loop(step.loop, step, context, after)
        if step.by is not None and step.me is not None:
            register = blocks.register(value_type=PLAYER)
            blocks.assign(cell(register), blocks.emit(step.by))
            inner = self._acting(step.me, register, inner)
        self._guard(step, inner, back)
        blocks.count_step(step)
        self._verb(step, inner)
        blocks.jump(back)
        blocks.open(after, step.span, context)

    def _verb(self, step: Step, context: Context) -> None:
        verb = step.verb
        match verb:
            case Do(steps):
                self.steps(steps, context)
            case AsOne(steps):
                self.statements.as_one(steps, step.me, context)
            case Repeat():
                self._repeat(step, verb, context)
            case Turns():
                self._turns(step, verb, context)
            case Run():
                register = context.registers.get(step.me) if step.me is not None else None
                self._unfold(find_phase(self.blocks.ruleset, step, verb), register, context)
            case Choose():
                self.decisions.choose(step, verb, context)
            case Play():
                self.decisions.play(step, verb, context)
            case Leave():
                self.statements.leave(verb, context)
            case _:
                self.statements.deed(verb, step.me, context)

    def _loop(self, loop: Loop, step: Step, context: Context, after: int) -> tuple[Context, int]:
        """Keep the list, the cursor and the current item in registers.

        Returns the context inside, and the block that takes the next item.
        """
        blocks = self.blocks
        listed, cursor = blocks.register((), List(loop.var.type, LARGEST)), blocks.register()
        current, head = blocks.register(value_type=loop.var.type), blocks.label()
        blocks.assign(cell(listed), call("tuple", blocks.emit(filtered_list(loop))))
        blocks.assign(cell(cursor), number(0))
        blocks.jump(head)
        blocks.open(head, step.span, context)
        blocks.put_if(compare(cell(cursor), ">=", call("len", cell(listed))), Return(Label(after)))
        blocks.put(Assign(cell(current), Item(cell(listed), cell(cursor))), Add(cell(cursor), number(1)))
        blocks.emit.names[loop.var] = cell(current)
        return context.bind(loop.var, current), head

    def _acting(self, me: Var, register: int, context: Context) -> Context:
        self.blocks.emit.names[me] = cell(register)
        return context.act(me, register)

    def _guard(self, step: Step, context: Context, back: int) -> None:
        """Write `when`, and `else` unless it belongs to a decision."""
        if step.when is None:
            return
        blocks = self.blocks
        condition = blocks.emit.write_watched(step.when)
        if not step.otherwise or isinstance(step.verb, Choose | Play):
            blocks.exit_if(TRUE if condition is FALSE else FALSE if condition is TRUE else Not(condition), jump(back))
            return
        other, body = blocks.label(), blocks.label()
        if condition is TRUE or condition is FALSE:
            blocks.jump(body if condition is TRUE else other)
        else:
            blocks.put(Return(Choice(condition, Label(body), Label(other))))
        blocks.open(other, step.span, context)
        self.steps(step.otherwise, context)
        blocks.jump(back)
        blocks.open(body, step.span, context)

    def _repeat(self, step: Step, verb: Repeat, context: Context) -> None:
        blocks = self.blocks
        counter, head, done = blocks.register(), blocks.label(), blocks.label()
        blocks.assign(cell(counter), number(0))
        blocks.jump(head)
        blocks.open(head, step.span, context)
        blocks.put_bounds(verb, cell(counter), lambda: jump(done), context)
        self.steps(verb.steps, context)
        if verb.until is not None:
            blocks.exit_if(blocks.emit.write_watched(verb.until), jump(done))
        blocks.put(Add(cell(counter), number(1)))
        blocks.jump(head)
        blocks.open(done, step.span, context)

    # ---- phases ------------------------------------------------------------------------------------------------------

    def _turns(self, step: Step, verb: Turns, context: Context) -> None:
        """Keep `me`, the number of turns and the number of turns skipped in a row in registers."""
        blocks = self.blocks
        me, done, skipped = blocks.register(value_type=PLAYER), blocks.register(), blocks.register()
        head, after = blocks.label(), blocks.label()
        blocks.assign(cell(me), blocks.emit(verb.first))
        blocks.put(Assign(cell(done), number(0)), Assign(cell(skipped), number(0)))
        blocks.jump(head)
        turn = Turn(me, done, verb.first, dict(context.registers))
        inner = replace(self._acting(verb.me, me, context), turns=(*context.turns, turn))
        blocks.open(head, step.span, inner)
        self._before_turn(verb, turn, skipped, head, after, context)
        blocks.assign(cell(skipped), number(0))
        self._unfold(blocks.ruleset.phases[verb.phase, True], me, inner)
        blocks.put(Add(cell(done), number(1)), Assign(cell(me), Item(Name("NEXT"), cell(me))))
        blocks.jump(head)
        blocks.open(after, step.span, context)

    def _before_turn(self, verb: Turns, turn: Turn, skipped: int, head: int, after: int, context: Context) -> None:
        """End the turns if they are over, and skip players if the rules say so."""
        blocks, me, done = self.blocks, turn.me, turn.done
        if verb.until is not None:
            blocks.exit_if(blocks.emit.write_watched(verb.until), jump(after))
        blocks.put_bounds(verb, cell(done), lambda: jump(after), context)
        if verb.skip is not None:
            with blocks.test(blocks.emit.write_watched(verb.skip)):
                blocks.put(Add(cell(done), number(1)), Add(cell(skipped), number(1)))
                blocks.assign(cell(me), Item(Name("NEXT"), cell(me)))
                is_left = compare(cell(skipped), "<", Name("SEATS"))
                blocks.put(Return(Choice(is_left, Label(head), Label(after))))

    def _unfold(self, phase: Phase, register: int | None, context: Context) -> None:
        """Inline a phase for the player in the register. Leaving the phase jumps to the block after it."""
        blocks = self.blocks
        done = blocks.label()
        inner = replace(context.inside(phase.name), leaves={**context.leaves, phase.name: done})
        if phase.me is not None and register is not None:
            inner = inner.bind(phase.me, register)
        begin = blocks.label()
        blocks.jump(begin)
        blocks.open(begin, phase.span, inner)
        self._phase(phase, inner)
        blocks.jump(done)
        blocks.open(done, phase.span, context)
