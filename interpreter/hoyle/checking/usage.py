"""What is declared and never used. Only of the file itself: what a library offers need not be taken up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.checking.flow import FlowChecker
from hoyle.checking.force import constants, in_force
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.reads import ANY, Effect, Key, Reader, all_formulas, roots, stores
from hoyle.checking.world import Scope, World
from hoyle.diagnostics import MOST_KNOWN, UNSAID, Problems, Said, Span, similar
from hoyle.language.ir import Local, Var, walk
from hoyle.language.kinds import PLAYER, UNKNOWN
from hoyle.language.model import Family, Ruleset, StateFamily
from hoyle.language.phrases import told
from hoyle.language.sentences import said
from hoyle.language.steps import every_step
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node, texts_of

_FIXED = ("players", "tables", "pieces", "piles", "state")
_WHATEVER_THE_KINDS = ("R301", "R303", "R308")


class Usage:
    def __init__(
        self, found: Ruleset, world: World, flow: FlowChecker, root: Node, merged: Merged, reader: Reader
    ) -> None:
        self.found, self.world, self.flow, self.root, self.merged = found, world, flow, root, merged
        self.reader = reader

    def check(self) -> None:
        self._terms()
        self._options()
        self._idle()
        self._tables()
        self._moves()
        self._lets()
        self._obligations()
        self._state_and_piles()

    def _own(self, span: Span) -> bool:
        return span.shares_file(self.root.span)

    def _warn(self, code: str, message: Said, span: Span, help: Said = UNSAID) -> None:
        self.world.problems.add(code, message, span, help=help)

    def _entries(self, section: str) -> Iterator[tuple[str, Node]]:
        node = self.root.get(section)
        for name, key, _ in node.entries() if node is not None and node.kind == "map" else ():
            if self._own(key.span):
                yield name, key

    # ---- what formulas mention ---------------------------------------------------------------------------------------

    def _terms(self) -> None:
        """An unused term is checked all the same, whatever its parameters would be: what only it uses is then no news."""
        shown = self._shown()
        unused = [t for t in self.world.terms.values() if not t.used and t.name not in shown and self._own(t.span)]
        for term in unused:
            self._check_unused(term.name)
        names = dict.fromkeys(t.name for t in self.world.terms.values())
        for term in unused:
            if not term.used:
                others = names if len(names) > MOST_KNOWN else [name for name in names if name != term.name]
                close = similar(term.name, others)
                help = said("usage.similar_term", close=close) if close else UNSAID
                self._warn("R533", said("usage.unused_term", name=term.name), term.span, help)

    def _shown(self) -> set[str]:
        """Words in the `values:` of examples, which show what a term gives."""
        waiting, found = [self.root.get("examples")], set[str]()
        while waiting:
            node = waiting.pop()
            for name, _, value in node.entries() if node is not None and node.kind == "map" else ():
                waiting.append(value)
                if name == "values":
                    found |= set(re.findall(r"\w+", f"{' '.join(value.pairs)} {value.plain()}"))
        return found

    def _check_unused(self, name: str) -> None:
        term, kept = self.world.terms[name], self.world.problems
        variables = [Var(p, UNKNOWN) for p in term.parameters]
        self.world.problems = Problems()
        FormulaChecker(self.world).check(term.form, Scope(me=Var("me", PLAYER)).bind(*variables))
        kept.extend(d for d in self.world.problems if d.code in _WHATEVER_THE_KINDS)
        self.world.problems = kept

    def _options(self) -> None:
        for option in self.world.options.values():
            if not self._own(option.span):
                continue
            if ("options", option.name) not in self.world.used:
                self._warn(
                    "R531",
                    said("usage.unused_option", name=option.name),
                    option.span,
                    said("usage.said_by_rules"),
                )
                continue
            silent = [c for c in option.choices if ("choices", f"{option.name}.{c}") not in self.world.used]
            if 1 < len(silent) < len(option.choices):
                shown = ", ".join(f"`{c}`" for c in silent)
                self._warn(
                    "R532",
                    said("usage.choices_alike", name=option.name, shown=shown),
                    option.span,
                    said("usage.all_the_same"),
                )

    def _idle(self) -> None:
        """Options that only such formulas use as play never comes to: the file's own, and those of what it extends."""
        if not self.world.options:
            return
        silent = frozenset(self.world.options) - in_force(self.found).mentions() - self._declared()
        self.found.only_shown = silent & constants(self.found.display.formulas)
        self.found.idle = silent - self.found.only_shown
        idle = [o for o in self.world.options.values() if o.name in self.found.idle]
        for option in (o for o in idle if self._own(o.span) and ("options", o.name) in self.world.used):
            self._warn(
                "R551",
                said("usage.changes_nothing", name=option.name),
                option.span,
                said("usage.never_done"),
            )
        extends, inherited = self.root.get("extends"), [f"`{o.name}`" for o in idle if not self._own(o.span)]
        if extends is not None and self._own(extends.span) and inherited:
            self._warn(
                "R551",
                said("usage.nothing_changed", options=", ".join(inherited)),
                extends.span,
                said("usage.remove_option"),
            )

    def _declared(self) -> set[str]:
        """The words of what is fixed before play: tables, pieces, piles, state; and of the terms they use."""
        fixed = [node for name in _FIXED if (node := self.root.get(name)) is not None]
        bounds = [node for _, _, o in self.root["options"].entries() if (node := o.get("range")) is not None]
        waiting = set(re.findall(r"\w+", " ".join(f"{node.plain()}" for node in [*fixed, *bounds])))
        found: set[str] = set()
        while waiting:
            word = waiting.pop()
            found.add(word)
            term = self.world.terms.get(word)
            waiting |= set(re.findall(r"\w+", term.form.span.text)) - found if term is not None else set()
        return found

    def _tables(self) -> None:
        for table in self.world.tables.values():
            if self._own(table.span) and ("tables", table.name) not in self.world.used:
                self._warn("R534", said("usage.unused_table", name=table.name), table.span)

    def _moves(self) -> None:
        offered = {name for offer in self.flow.offers for name in offer.moves}
        for name, key in self._entries("moves"):
            if name not in offered and name not in self.merged.templates:
                self._warn("R535", said("usage.unoffered", name=name), key.span, said("usage.name_in_choose"))

    def _lets(self) -> None:
        lets = [var for move in self.found.moves.values() for var in move.lets]
        used = {part.var for expr in all_formulas(self.found) for part in walk(expr) if isinstance(part, Local)}
        used.update(var for move in self.found.moves.values() for var in told(move.lets, move.telling, move.short))
        for var in lets:
            if var not in used and var.value is not None and self._own(var.value.span):
                self._warn("R566", said("usage.unused_let", name=var.name), var.value.span)

    def _obligations(self) -> None:
        obeyed = {name for offer in self.flow.offers for name in offer.obey}
        for name, key in self._entries("obligations"):
            if name not in obeyed:
                self._warn("R536", said("usage.unobeyed", name=name), key.span, said("usage.name_in_obey"))

    # ---- state and piles ---------------------------------------------------------------------------------------------

    def _state_and_piles(self) -> None:
        read, done = self._read(), self._done()
        if ANY not in read | done.changes:
            for state in self.world.state.values():
                self._state(state, ("state", state.name), read, done)
        if ANY not in done.fills:
            for pile in self.world.piles.values():
                self._pile(pile, done)

    def _read(self) -> set[Key]:
        return self.reader.reads(*all_formulas(self.found), *self.found.display.formulas)

    def _done(self) -> Effect:
        done = self.reader.by_themselves()
        for steps in roots(self.found):
            done.add(self.reader.steps(steps))
        for name in self.found.moves:
            done.add(self.reader.move(name))
        done.fill(("piles", kind.home) for kind in self.found.pieces.values())
        return done

    def _state(self, state: StateFamily, key: Key, read: set[Key], done: Effect) -> None:
        if not self._own(state.span):
            return
        if key not in read | done.changes and key not in self.world.used:
            self._warn("R537", said("usage.unread_unset", name=state.name), state.span)
        elif key not in self._stored():
            self._warn(
                "R544",
                said("usage.never_set", name=state.name),
                state.span,
                said("usage.set_it"),
            )
        elif key not in read and not self._shown_to_players(state):
            self._warn(
                "R565",
                said("usage.unread", name=state.name),
                state.span,
                said("usage.has_words"),
            )

    def _shown_to_players(self, state: StateFamily) -> bool:
        """A score sheet, say, that no rule asks."""
        entry = self.root["state"][state.name]
        return state.layout != "hidden" and (state.track > 0 or bool(texts_of(entry)))

    def _stored(self) -> set[Key]:
        """State that some step stores into: being renewed alone changes nothing."""
        return {key for steps in roots(self.found) for step in every_step(steps) for key in stores(step.verb)}

    def _pile(self, pile: Family, done: Effect) -> None:
        if not self._own(pile.span) or ("piles", pile.name) in done.fills:
            return
        if ("piles", pile.name) in self.world.used:
            self._warn(
                "R538",
                said("usage.never_filled", name=pile.name),
                pile.span,
                said("usage.fill_it"),
            )
        else:
            self._warn("R545", said("usage.unused_pile", name=pile.name), pile.span)
