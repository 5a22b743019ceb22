"""Entries of the file itself that have no effect: unused, indistinguishable from others, never filled, never shown.

Inherited entries are not judged, since a library offers more than a game takes up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from hoyle.checking.analysis import (
    ANY,
    Effect,
    EffectReader,
    find_reachable,
    list_constants,
    list_formulas,
    list_step_lists,
    list_stored,
)
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Offer, Scope, SymbolTable
from hoyle.checking.sections.reader import list_pairs
from hoyle.diagnostics import MOST_KNOWN, Span, find_close_name
from hoyle.language import ir
from hoyle.language.display import PileHint, ShownValue, StateHint
from hoyle.language.ir import Const, Expr, Local, Var, walk
from hoyle.language.model import Family, Move, Ruleset, StateFamily
from hoyle.language.phrases import used_lets
from hoyle.language.sentences import FALLBACK, LANGUAGES, make_message
from hoyle.language.steps import Say, Score, Set, Turn, every_step
from hoyle.language.value_types import PLAYER, UNKNOWN, Pile, get_families
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node, text_key, texts_of

_FIXED = ("players", "tables", "pieces", "piles", "state")
"""Sections whose formulas are evaluated before play."""
_WHATEVER_THE_TYPES = ("R301", "R303", "R308")
"""Problems of a term that do not depend on the types of its parameters."""


class IdleOptions(NamedTuple):
    """Options without effect on play. Hints of the display read `only_shown`; nothing that can happen reads `idle`.

    `removable` are the idle options that only formulas of phases, moves and obligations read which nothing names.
    """

    idle: frozenset[str] = frozenset()
    only_shown: frozenset[str] = frozenset()
    removable: frozenset[str] = frozenset()


def find_idle_options(ruleset: Ruleset, symbols: SymbolTable, root: Node) -> IdleOptions:
    """Find the options that only unreachable formulas read."""
    if not symbols.options:
        return IdleOptions()
    decide = partial(_decide_by_columns, columns=ruleset.attributes.by_name)
    open_options = frozenset(symbols.options) - _list_declared_words(symbols, root)
    unread = open_options - find_reachable(ruleset, decide).mentions()
    display = ruleset.display
    hints: list[PileHint | StateHint | ShownValue] = [
        *display.piles.values(),
        *display.state.values(),
        *display.values.values(),
    ]
    shown = [hint for hint in hints if hint.shown is None or decide(hint.shown) is not False]
    only_shown = unread & list_constants(expr for hint in shown for expr in hint.formulas)
    idle = unread - only_shown
    removable = idle - find_reachable(ruleset).mentions() - list_constants(display.formulas)
    return IdleOptions(idle, only_shown, removable)


def _decide_by_columns(condition: Expr, columns: Mapping[str, tuple[int, ...]]) -> bool | None:
    """Return whether a condition holds under any options because of the values that columns have; None if that is open."""
    decide = partial(_decide_by_columns, columns=columns)
    match condition:
        case ir.TermCall(instance=instance):
            return decide(instance.body)
        case ir.Not(value=value):
            found = decide(value)
            return None if found is None else not found
        case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
            deciding = isinstance(condition, ir.Or)
            both = decide(left), decide(right)
            return deciding if deciding in both else None if None in both else not deciding
        case ir.Same(left=ir.Attr(table=table), right=Const(value=value)) if value not in columns[table][:-1]:
            return False
        case ir.Differs(left=ir.Attr(table=table), right=Const(value=value)) if value not in columns[table][:-1]:
            return True
        case ir.Attr(table=table) if not any(columns[table][:-1]):
            return False
    return None


def _list_declared_words(symbols: SymbolTable, root: Node) -> set[str]:
    """List the words of what is fixed before play, and of the terms used there."""
    fixed = [node for name in _FIXED if (node := root.get(name)) is not None]
    bounds = [node for _, _, option in root["options"].entries() if (node := option.get("range")) is not None]
    waiting, seen = _list_words(" ".join(f"{node.plain()}" for node in [*fixed, *bounds])), set[str]()
    while waiting:
        word = waiting.pop()
        seen.add(word)
        term = symbols.terms.get(word)
        waiting |= _list_words(term.form.span.text) - seen if term is not None else set()
    return seen


def _list_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


class DeclarationChecks:
    """Warns of the entries of one ruleset without effect."""

    def __init__(self, ruleset: Ruleset, symbols: SymbolTable, root: Node) -> None:
        self.ruleset, self.symbols, self.root = ruleset, symbols, root
        self.verbs = [step.verb for steps in list_step_lists(ruleset) for step in every_step(steps)]

    def _is_own(self, span: Span) -> bool:
        return span.shares_file(self.root.span)

    # ---- moves and steps ---------------------------------------------------------------------------------------------

    def check_moves(self) -> None:
        """Warn of moves that do nothing and of moves that take the top of a hand, whose order means nothing."""
        for move in self.ruleset.moves.values():
            if move.put is not None and not move.takes and not move.then:
                self.symbols.report("R539", "whole.puts_nothing", move.span, name=move.name, help="whole.say_take")
            elif move.takes and move.put is None and not move.then and not move.openly:
                self.symbols.report("R539", "whole.takes_idle", move.span, name=move.name, help="whole.say_put")
            self._check_takes_from_hand(move)

    def _check_takes_from_hand(self, move: Move) -> None:
        for take in move.takes:
            pile, span = take.source.type, take.source.span
            if take.any_piece or not self._is_own(span) or not isinstance(pile, Pile) or pile.room <= 1:
                continue
            if pile.families and all(self.symbols.piles[name].face == "owner" for name in pile.families):
                piece = pile.of or make_message("whole.piece")
                self.symbols.report(
                    "R568", "whole.only_top", span, text=span.text, piece=piece, help="whole.any_of_them"
                )

    def check_stores(self) -> None:
        """Refuse numbers that are outside the range of their state whatever happens."""
        for verb in self.verbs:
            for target, value in verb.pairs if isinstance(verb, Set) else ():
                cell, value_type = self.symbols.state[target.ref.family].type, value.type
                if cell.name == value_type.name == "number" and (
                    value_type.low > cell.high or value_type.high < cell.low
                ):
                    shown = (
                        str(value_type.low)
                        if value_type.low == value_type.high
                        else f"{value_type.low}..{value_type.high}"
                    )
                    given = {"shown": shown, "name": target.ref.family}
                    message = make_message("whole.never_fits", **given, low=cell.low, high=cell.high)
                    self.symbols.problems.add("R542", message, value.span)

    def check_asks(self) -> None:
        """Warn of a game with moves in which nobody decides anything."""
        if self.ruleset.moves and not find_reachable(self.ruleset).moves:
            span = self.ruleset.phases["game", False].span
            place = span if self._is_own(span) else self.root.key("game").span
            self.symbols.report("R569", "whole.nobody_asked", place, help="whole.who_decides")

    def check_announced_pieces(self) -> None:
        """Warn of steps that announce pieces which always lie face down."""
        turned = {name for v in self.verbs if isinstance(v, Turn) and v.up for name in get_families(v.pile.type)}
        for verb in self.verbs:
            pieces = verb.of if isinstance(verb, Score | Say) else None
            names = sorted(get_families(pieces.type)) if pieces is not None and self._is_own(pieces.span) else []
            hidden = all(self.ruleset.piles[name].face in ("down", "owner") for name in names)
            if names and pieces is not None and hidden and turned.isdisjoint(names):
                shown = ", ".join(f"`{name}`" for name in names)
                self.symbols.report("R573", "covered.nobody_told", pieces.span, shown=shown, help="covered.face_up")

    # ---- indistinguishable entries -----------------------------------------------------------------------------------

    def check_indistinguishable(self) -> None:
        """Warn of equal conditions of a move, moves of a decision with equal names, and players with equal standing."""
        for _, _, move in list_pairs(self.root.get("moves")):
            self._check_equal_conditions(move)
        for offer in self.symbols.offers:
            for lang in LANGUAGES:
                self._check_equal_names(offer, lang)
        result = self.ruleset.result
        for expr in result.best if len(self.symbols.seats) > 1 else ():
            differs = any(isinstance(part, Local) and part.var is result.p for part in walk(expr))
            if not differs and self._is_own(expr.span):
                self.symbols.report("R564", "alike.same_for_all", expr.span, help="alike.p_is")

    def _check_equal_conditions(self, move: Node) -> None:
        first: dict[str, Node] = {}
        for name, key, value in list_pairs(move.get("if")):
            formula = value.get("is") if value.kind == "map" else value
            if formula is None:
                continue
            other = first.setdefault(" ".join(formula.raw.split()), key)
            if other is not key and self._is_own(formula.span):
                related = [(other.span, make_message("alike.the_same"))]
                self.symbols.report(
                    "R562", "alike.one_condition", formula.span, other=other.raw, name=name, related=related
                )

    def _check_equal_names(self, offer: Offer, lang: str) -> None:
        """Compare the words of moves; a move without words is called by its name."""
        moves, first = self.root.get("moves"), dict[str, str]()
        for name in offer.moves:
            key, move = moves.pairs[name] if moves is not None else (offer.place, offer.place)
            words = move.get(text_key(lang)) or move.get(FALLBACK)
            shown = words.raw if words is not None else name
            other = first.setdefault(shown, name)
            if other != name and self._is_own(key.span):
                own = words is not None and words.span.shares_file(key.span) and words.span.start > key.span.start
                place = words.span if words is not None and own else key.span
                self.symbols.report("R563", "alike.not_apart", place, other=other, name=name, shown=shown)

    # ---- unused entries ----------------------------------------------------------------------------------------------

    def check_terms(self) -> None:
        """Warn of unused terms. Each is checked first, so that entries used only there count as used."""
        shown = self._list_words_of_examples()
        unused = [t for t in self.symbols.terms.values() if not t.used and t.name not in shown and self._is_own(t.span)]
        for term in unused:
            variables = [Var(p, UNKNOWN) for p in term.parameters]
            with self.symbols.collecting() as problems:
                FormulaChecker(self.symbols).check(term.form, Scope(me=Var("me", PLAYER)).bind(*variables))
            self.symbols.problems.extend(d for d in problems if d.code in _WHATEVER_THE_TYPES)
        names = dict.fromkeys(t.name for t in self.symbols.terms.values())
        for term in unused:
            if not term.used:
                others = names if len(names) > MOST_KNOWN else [name for name in names if name != term.name]
                close = find_close_name(term.name, others)
                help = make_message("usage.similar_term", close=close) if close else ""
                self.symbols.report("R533", "usage.unused_term", term.span, name=term.name, help=help)

    def _list_words_of_examples(self) -> set[str]:
        """List the words in the `values:` of examples, which show what a term gives."""
        waiting, words = [self.root.get("examples")], set[str]()
        while waiting:
            for name, _, value in list_pairs(waiting.pop()):
                waiting.append(value)
                if name == "values":
                    words |= _list_words(f"{' '.join(value.pairs)} {value.plain()}")
        return words

    def check_options(self, options: IdleOptions) -> None:
        """Warn of options that no formula names, of choices that no formula tells apart, and of idle options."""
        for option in self.symbols.options.values():
            if not self._is_own(option.span):
                continue
            if ("options", option.name) not in self.symbols.used:
                self.symbols.report(
                    "R531", "usage.unused_option", option.span, name=option.name, help="usage.said_by_rules"
                )
                continue
            silent = [c for c in option.choices if ("choices", f"{option.name}.{c}") not in self.symbols.used]
            if 1 < len(silent) < len(option.choices):
                shown = ", ".join(f"`{c}`" for c in silent)
                self.symbols.report(
                    "R532",
                    "usage.choices_alike",
                    option.span,
                    name=option.name,
                    shown=shown,
                    help="usage.all_the_same",
                )
            if option.name in options.idle:
                self.symbols.report(
                    "R551", "usage.changes_nothing", option.span, name=option.name, help="usage.never_done"
                )
        extends = self.root.get("extends")
        inherited = [
            f"`{name}`"
            for name, o in self.symbols.options.items()
            if name in options.removable and not self._is_own(o.span)
        ]
        if extends is not None and self._is_own(extends.span) and inherited:
            names, help = ", ".join(inherited), make_message("usage.remove_option")
            self.symbols.report("R551", "usage.nothing_changed", extends.span, options=names, help=help)

    def check_unused(self, merged: Merged) -> None:
        """Warn of tables, moves, values of `let` and obligations that nothing uses."""
        for table in self.symbols.tables.values():
            if self._is_own(table.span) and ("tables", table.name) not in self.symbols.used:
                self.symbols.report("R534", "usage.unused_table", table.span, name=table.name)
        offered = {name for offer in self.symbols.offers for name in offer.moves}
        for name, key in self._list_own("moves"):
            if name not in offered and name not in merged.templates:
                self.symbols.report("R535", "usage.unoffered", key.span, name=name, help="usage.name_in_choose")
        moves = self.ruleset.moves.values()
        used = {part.var for expr in list_formulas(self.ruleset) for part in walk(expr) if isinstance(part, Local)}
        used.update(var for move in moves for var in used_lets(move.lets, move.telling, move.short))
        for var in (var for move in moves for var in move.lets if var not in used):
            if var.value is not None and self._is_own(var.value.span):
                self.symbols.report("R566", "usage.unused_let", var.value.span, name=var.name)
        obeyed = {name for offer in self.symbols.offers for name in offer.obey}
        for name, key in self._list_own("obligations"):
            if name not in obeyed:
                self.symbols.report("R536", "usage.unobeyed", key.span, name=name, help="usage.name_in_obey")

    def _list_own(self, section: str) -> Iterator[tuple[str, Node]]:
        return ((name, key) for name, key, _ in list_pairs(self.root.get(section)) if self._is_own(key.span))

    def check_state_and_piles(self, reader: EffectReader) -> None:
        """Warn of state that nothing sets or reads, and of piles that stay empty."""
        read = reader.reads(*list_formulas(self.ruleset), *self.ruleset.display.formulas)
        done = reader.effect_of_rules()
        for steps in list_step_lists(self.ruleset):
            done.add(reader.effect_of_steps(steps))
        for name in self.ruleset.moves:
            done.add(reader.effect_of_move(name))
        done.fill(("piles", kind.home) for kind in self.ruleset.pieces.values())
        if ANY not in read | done.changes:
            stored = {key for verb in self.verbs for key in list_stored(verb)}
            for state in self.symbols.state.values():
                if self._is_own(state.span):
                    key = ("state", state.name)
                    self._check_state(state, key in read, key in done.changes, key in stored)
        if ANY not in done.fills:
            for pile in self.symbols.piles.values():
                self._check_pile(pile, done)

    def _check_state(self, state: StateFamily, read: bool, changed: bool, stored: bool) -> None:
        """`stored`: some step sets it, beyond its being renewed."""
        shown = state.layout != "hidden" and (state.track > 0 or bool(texts_of(self.root["state"][state.name])))
        if not (read or changed or ("state", state.name) in self.symbols.used):
            self.symbols.report("R537", "usage.unread_unset", state.span, name=state.name)
        elif not stored:
            self.symbols.report("R544", "usage.never_set", state.span, name=state.name, help="usage.set_it")
        elif not read and not shown:
            self.symbols.report("R565", "usage.unread", state.span, name=state.name, help="usage.has_words")

    def _check_pile(self, pile: Family, done: Effect) -> None:
        if not self._is_own(pile.span) or ("piles", pile.name) in done.fills:
            return
        if ("piles", pile.name) in self.symbols.used:
            self.symbols.report("R538", "usage.never_filled", pile.span, name=pile.name, help="usage.fill_it")
        else:
            self.symbols.report("R545", "usage.unused_pile", pile.span, name=pile.name)
