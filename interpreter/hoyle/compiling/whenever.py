"""Rules that act by themselves: functions that try them, attached to just those verbs that can change what they look at."""

from __future__ import annotations

from msgspec import Struct

from hoyle.compiling.blocks import Blocks, Context
from hoyle.compiling.code import (
    FALSE,
    ME,
    TRUE,
    Assign,
    Do,
    For,
    If,
    LogRule,
    Name,
    Not,
    Open,
    Return,
    S,
    Value,
    call,
    compare,
    is_between,
    number,
)
from hoyle.compiling.statements import Statements, nothing_after
from hoyle.language.ir import Piles, Var
from hoyle.language.model import Whenever
from hoyle.language.step_analysis import Touched, all_changes, leaves, looped, reads

MOST_ROUNDS = 1000
_FIRED = Name("fired")


class Settler(Struct, frozen=True):
    """A function that tries rules: those `woken` first, then all of the `closure` until none applies. It returns 0, or which
    of the phases it `leaves` (from 1)."""

    name: str
    woken: list[Whenever]
    closure: list[Whenever]
    leaves: tuple[str, ...]
    known: bool
    """Does the caller say which piles have changed?"""


class Settlers:
    """The settlers of one game: one for each set of rules that some verb may wake."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self._settlers: dict[tuple[tuple[int, ...], tuple[int, ...], bool, bool], Settler] = {}
        self._statements = Statements(blocks, after=nothing_after, leave=lambda code: blocks.put(Return(number(code))))
        """What a rule changes is looked at by the settler's own loop, and what it leaves is the caller's to leave."""

    # ---- calling -----------------------------------------------------------------------------------------------------

    def after(self, touched: Touched, me: Var | None, context: Context, piles: Value | None = None) -> None:
        """After a verb: whatever rules its changes may wake. `piles`: the only piles that changed, if they are known."""
        blocks = self.blocks
        actor = blocks.emit.names.get(me) if me is not None else None
        woken = [w for w in self._awake(context, actor is not None) if _wakes(w, touched)]
        if not woken:
            return
        settler = self._settler(
            woken, self._closure(woken, context, actor is not None), actor is not None, piles is not None
        )
        settled = call(settler.name, S, actor or -1, *([piles] if piles is not None else []))
        if settler.leaves:
            self._leave(settler, settled, context)
        else:
            blocks.put(Do(settled))

    def _leave(self, settler: Settler, settled: Value, context: Context) -> None:
        left = self.blocks.fresh("left")
        self.blocks.assign(left, settled)
        for code, phase in enumerate(settler.leaves, 1):
            with self.blocks.block(If(compare(left, "==", code), [])):
                self.blocks.leave(context.leaves[phase], context)
                self.blocks.jump(context.leaves[phase])

    # ---- which rules -------------------------------------------------------------------------------------------------

    def _awake(self, context: Context, acting: bool) -> list[Whenever]:
        here = set(context.path)
        entries = list(self.blocks.ruleset.whenever.values())
        return [w for w in entries if (w.during is None or here & set(w.during)) and (acting or not w.uses_me)]

    def _closure(self, woken: list[Whenever], context: Context, acting: bool) -> list[Whenever]:
        """The rules woken, and those that their own doing may wake."""
        found, waiting = {w.number: w for w in woken}, list(woken)
        asleep = [w for w in self._awake(context, acting) if w.number not in found]
        while waiting:
            touched = all_changes(self.blocks.ruleset, waiting.pop().do)
            waiting += (new := [w for w in asleep if _wakes(w, touched)])
            asleep = [w for w in asleep if w not in new] if new else asleep
            found.update({w.number: w for w in new})
        return [found[number] for number in sorted(found)]

    # ---- writing -----------------------------------------------------------------------------------------------------

    def _settler(self, woken: list[Whenever], closure: list[Whenever], acting: bool, known: bool) -> Settler:
        key = (tuple(w.number for w in woken), tuple(w.number for w in closure), acting, known)
        if key not in self._settlers:
            left = frozenset[str]().union(*(leaves(self.blocks.ruleset, w.do) for w in closure))
            settler = Settler(f"settle_{len(self._settlers)}", woken, closure, tuple(sorted(left)), known)
            self._settlers[key] = settler
            self._define(settler)
        return self._settlers[key]

    def _define(self, settler: Settler) -> None:
        blocks, span = self.blocks, settler.woken[0].span
        with blocks.function(settler.name, ("s", "me", "piles") if settler.known else ("s", "me"), span):
            blocks.put(Open(), Assign(_FIRED, FALSE))
            context = Context(leaves={phase: code for code, phase in enumerate(settler.leaves, 1)})
            for entry in settler.woken:
                self._try(entry, context, settler.known)
            blocks.put_if(Not(_FIRED), Return(number(0)))
            with blocks.block(For(Name("again"), call("range", MOST_ROUNDS), [])):
                blocks.assign(_FIRED, FALSE)
                for entry in settler.closure:
                    self._try(entry, context)
                blocks.put_if(Not(_FIRED), Return(number(0)))
            blocks.put(Do(call("restless", blocks.fault(span))))

    def _try(self, entry: Whenever, context: Context, known: bool = False) -> None:
        blocks = self.blocks
        blocks.emit.names[entry.me] = ME
        with blocks.nested():
            if entry.loop is not None:
                self._loop(entry, known)
            with blocks.test(blocks.emit.watched(entry.condition)):
                blocks.assign(_FIRED, TRUE)
                blocks.put_use("whenever", entry.name)
                blocks.put(LogRule(entry.number, ME))
                self._statements.steps(entry.do, context)

    def _loop(self, entry: Whenever, known: bool) -> None:
        """When a rule looks at nothing but the piles it goes through, and only some piles have changed since no rule applied
        any more, only those need be tried."""
        assert entry.loop is not None
        var, items, blocks = entry.loop.var, looped(entry.loop), self.blocks
        family = items if isinstance(items, Piles) and items.member is None else None
        if not known or family is None or entry.during is not None or reads(entry.condition):
            blocks.each(var, items)
            return
        blocks.each_of(var, Name("piles"))
        blocks.begin(If(is_between(family.ref.base, blocks.emit.names[var], family.ref.all.stop), []))


def _wakes(entry: Whenever, touched: Touched) -> bool:
    return bool(reads(entry.condition, *(entry.loop.formulas if entry.loop is not None else ())) & touched)
