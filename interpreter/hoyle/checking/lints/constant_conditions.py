"""Finds what is certain whatever is played: constant conditions, values never needed, steps that never do anything.

Reports only formulas of the file itself that no option could change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from hoyle.checking.analysis import list_formulas, list_step_lists
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.diagnostics import NO_TEXT, LocalizedText
from hoyle.language import ir
from hoyle.language.evaluate import instances, walk_all
from hoyle.language.ir import Expr, Local, Var
from hoyle.language.model import Ruleset
from hoyle.language.sentences import make_message
from hoyle.language.steps import Deal, MovePieces, MovePile, Play, Repeat, Roll, Turns, every_step
from hoyle.language.value_types import List, Pile, Row, ValueType, get_bounds, get_families, get_lengths
from hoyle.reading.tree import Node


class LazySentence(Struct, frozen=True):
    """A sentence that is worded only if it is reported; most findings are not."""

    key: str = ""
    values: tuple[tuple[str, str], ...] = ()

    def __call__(self) -> LocalizedText:
        return make_message(self.key, **dict(self.values)) if self.key else NO_TEXT


Finding = tuple[str, LazySentence, LazySentence]
"""Code, message and note."""
ALWAYS, NEVER = LazySentence("idle.always"), LazySentence("idle.never")
SAME_SIDES, NOTHING_MORE = LazySentence("idle.same_sides"), LazySentence()


def check_constant_conditions(ruleset: Ruleset, symbols: SymbolTable, root: Node) -> None:
    """Warn of formulas whose value is certain by the types of their operands alone."""
    check = _ConstantConditions(ruleset, symbols, root)
    check.check_counts()
    check.check_literals()
    check.check_parts()


class _ConstantConditions:
    def __init__(self, ruleset: Ruleset, symbols: SymbolTable, root: Node) -> None:
        self.ruleset, self.symbols, self.own = ruleset, symbols, root.span
        self.options = OptionDependence(ruleset, symbols, root)

    def check_counts(self) -> None:
        """Warn of counts that are never more than 0."""
        for step in (step for steps in list_step_lists(self.ruleset) for step in every_step(steps)):
            for key, number in _list_counts(step.verb):
                if number is None or number.type.name != "number" or get_bounds(number.type)[1] > 0:
                    continue
                if number.span.shares_file(self.own) and not self.options.may_change(number):
                    self.symbols.report("R558", "idle.never_done", number.span, key=key)

    def check_literals(self) -> None:
        """Warn of conditions that are just `true` or `false`."""
        for condition in _list_conditions(self.ruleset):
            is_literal = isinstance(condition, ir.Const) and condition.span.text in ("true", "false")
            if is_literal and condition.span.shares_file(self.own):
                self.symbols.report(
                    "R559", f"idle.{'always' if condition.span.text == 'true' else 'never'}", condition.span
                )

    def check_parts(self) -> None:
        """Warn of parts that are certain in every instance of a term, which is checked once for each set of argument types."""
        verdicts: dict[tuple[int, int, type], tuple[Expr, Finding | None]] = {}
        parameters: set[Var] = set()
        for part in _list_parts(self.ruleset, parameters):
            if type(part) not in _JUDGES or not part.span.shares_file(self.own):
                continue
            place = (part.span.start, part.span.end, type(part))
            verdict = find_certainty(part)
            known = verdicts.setdefault(place, (part, verdict))
            if known[1] is not None and known[1] != verdict:
                verdicts[place] = (part, None)
        for part, verdict in verdicts.values():
            if verdict is None or self.options.may_change(part):
                continue
            if not any(isinstance(e, Local) and e.var in parameters for e in ir.walk(part)):
                code, message, note = verdict
                self.symbols.problems.add(code, message(), part.span, notes=[note()] if note.key else [])


class OptionDependence:
    """Decides whether an option, or the number of players, may change a formula: by the words in it and in what it names."""

    def __init__(self, ruleset: Ruleset, symbols: SymbolTable, root: Node) -> None:
        self.ruleset, self.symbols, self.root = ruleset, symbols, root
        self.options = {*ruleset.options}
        count = root["players"].get("count")
        if count is not None and ".." in count.raw:
            self.options |= {"players", "player", "others", "pairs", "pair"}

    def may_change(self, part: Expr) -> bool:
        """Return whether an option may change a formula. True in doubt."""
        waiting, seen = set[str](), set[str]()
        for e in walk_all(part) if self.options else ():
            if isinstance(e, Local) and e.type.name == "number":
                return True  # its bounds come from elsewhere
            waiting |= {*_list_words(e.span.text), *self._list_names(e.type)}
        while waiting:
            word = waiting.pop()
            if word in self.options:
                return True
            seen.add(word)
            waiting |= {w for text in self._list_declarations(word) for w in _list_words(text)} - seen
        return False

    def _list_names(self, value_type: ValueType) -> Iterator[str]:
        """List the entries that a type depends on."""
        while isinstance(value_type, List):
            value_type = value_type.item
        if isinstance(value_type, Row):
            yield value_type.table
        if isinstance(value_type, Pile):
            yield from get_families(value_type) or self.ruleset.piles
        if value_type.name in ("pile", "piece"):
            yield from self.ruleset.pieces

    def _list_declarations(self, word: str) -> Iterator[str]:
        """List the texts that declare a name."""
        term = self.symbols.terms.get(word)
        if term is not None:
            yield term.form.span.text
        for section in ("tables", "pieces", "piles", "state"):
            node = self.root.get(section)
            entry = node.get(word) if node is not None else None
            if entry is not None:
                yield f"{entry.plain()}"


def _list_words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _list_counts(verb: object) -> tuple[tuple[str, Expr | None], ...]:
    match verb:
        case Deal(count=count) | MovePile(count=count) | MovePieces(count=count) | Roll(count=count):
            return (("count", count),)
        case Play(at_most=at_most):
            return (("at_most", at_most),)
        case Repeat(rounds=rounds, at_most=at_most) | Turns(rounds=rounds, at_most=at_most):
            return (("rounds", rounds), ("at_most", at_most))
    return ()


def _list_conditions(ruleset: Ruleset) -> Iterator[Expr]:
    """List conditions that should not be constant. `check: false` and `callable: true` may well be meant."""
    for step in (step for steps in list_step_lists(ruleset) for step in every_step(steps)):
        yield from (e for e in (step.when, step.loop.where if step.loop else None) if e is not None)
        if isinstance(step.verb, Repeat | Turns) and step.verb.until is not None:
            yield step.verb.until
        if isinstance(step.verb, Turns) and step.verb.skip is not None:
            yield step.verb.skip
    yield from (condition.expr for move in ruleset.moves.values() for condition in move.conditions)
    yield from (o.when for o in ruleset.obligations.values() if o.when is not None)
    yield from (entry.condition for entry in ruleset.whenever.values())


def _list_parts(ruleset: Ruleset, parameters: set[Var]) -> Iterator[Expr]:
    """List every part of every formula, those of terms once. Parameters of terms are added to `parameters`."""
    waiting, seen = list(list_formulas(ruleset)), set[int]()
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.args
        for instance in instances(part):
            if id(instance) not in seen:
                seen.add(id(instance))
                parameters.update(instance.parameters)
                waiting.append(instance.body)


# ---- certainty of one part -------------------------------------------------------------------------------------------


def find_certainty(part: Expr) -> Finding | None:
    """Find what is certain of a part of a formula by the types of its operands."""
    judge = _JUDGES.get(type(part))
    return judge(part) if judge is not None else None


def _judge_comparison(part: ir.Compare) -> Finding | None:
    if _has_equal_sides(part):
        return _judge_truth(part.op in ("<=", ">="), part, SAME_SIDES)
    (low, high), (least, most) = get_bounds(part.left.type), get_bounds(part.right.type)
    ways = {"<": (high < least, low >= most), "<=": (high <= least, low > most)}
    ways |= {">": (low > most, high <= least), ">=": (low >= most, high < least)}
    always, never = ways[part.op]
    if not _compares_changing_numbers(part) or not (always or never):
        return None
    return _judge_truth(always, part, _describe_ranges(part))


def _judge_same(part: ir.Same) -> Finding | None:
    if _has_equal_sides(part):
        return _judge_truth(True, part, SAME_SIDES)
    return ("R559", NEVER, _describe_ranges(part)) if _are_disjoint(part) else None


def _judge_differs(part: ir.Differs) -> Finding | None:
    if _has_equal_sides(part):
        return None if part.left.type.optional else ("R559", NEVER, SAME_SIDES)
    return ("R559", ALWAYS, _describe_ranges(part)) if _are_disjoint(part) else None


def _judge_truth(always: bool, part: ir.Compare | ir.Same, note: LazySentence) -> Finding | None:
    """Comparisons with absent values are false, so one of optional values is never always true."""
    if always and (part.left.type.optional or part.right.type.optional):
        return None
    return "R559", ALWAYS if always else NEVER, note


def _has_equal_sides(part: ir.Compare | ir.Same | ir.Differs) -> bool:
    left, right = part.left.span, part.right.span
    return left.start != right.start and left.text == right.text and part.left.type.name != "list"


def _are_disjoint(part: ir.Same | ir.Differs) -> bool:
    (low, high), (least, most) = get_bounds(part.left.type), get_bounds(part.right.type)
    return _compares_changing_numbers(part) and (high < least or low > most)


def _compares_changing_numbers(part: ir.Compare | ir.Same | ir.Differs) -> bool:
    """Exclude numbers of tables and seats, by which a game fits itself to its variants; include two literal numbers."""
    if not part.left.type.name == part.right.type.name == "number":
        return False
    changing = (ir.Local, ir.Cell, ir.Contents, ir.Pile, ir.Piles, ir.TermCall)
    changes = any(type(e) in changing for e in ir.walk(part))
    return changes or all(side.span.text.isdecimal() for side in part.args)


def _describe_ranges(part: Expr) -> LazySentence:
    left, right = (
        f"{low}..{high}" if low != high else str(low) for low, high in (get_bounds(e.type) for e in part.args)
    )
    return LazySentence("idle.compared", (("left", left), ("right", right)))


def _judge_absent(part: ir.Absent) -> Finding | None:
    value_type = part.value.type
    if value_type.optional or value_type.name in ("unknown", "nothing", "bool", "list"):
        return None
    return "R560", LazySentence("idle.never_absent"), LazySentence("idle.always_there")


def _judge_otherwise(part: ir.Otherwise) -> Finding | None:
    value_type = part.left.type
    if value_type.optional or value_type.name in ("unknown", "nothing"):
        return None
    return "R560", LazySentence("idle.otherwise_unused"), LazySentence("idle.never_used")


def _judge_empty(part: ir.Empty) -> Finding | None:
    if get_lengths(part.value.type)[0] == 0:
        return None
    piles = part.value.type.item_type.name == "pile"
    return "R559", LazySentence("idle.never_empty"), LazySentence("idle.list_of_piles") if piles else NOTHING_MORE


def _judge_range(part: ir.Range) -> Finding | None:
    (low, _), (_, high) = get_bounds(part.left.type), get_bounds(part.right.type)
    if {part.left.type.name, part.right.type.name} != {"number"} or low <= high:
        return None
    ends = (("low", str(low)), ("high", str(high)))
    return "R561", LazySentence("idle.empty_range"), LazySentence("idle.range_ends", ends)


_JUDGES: dict[type, Callable[..., Finding | None]] = {
    ir.Compare: _judge_comparison,
    ir.Same: _judge_same,
    ir.Differs: _judge_differs,
    ir.Absent: _judge_absent,
    ir.Otherwise: _judge_otherwise,
    ir.Empty: _judge_empty,
    ir.Range: _judge_range,
}
