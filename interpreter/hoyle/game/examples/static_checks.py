"""Check worked examples without playing them: piles, pieces, state, places, moves, options, reasons and seats they
name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hoyle.checking import build
from hoyle.checking.formulas.symbols import CheckTrace
from hoyle.checking.sections.options import parse_option_value
from hoyle.diagnostics import NO_TEXT, Diagnostic, Problems, Refused, Span, build_replacement, find_close_name
from hoyle.game.compiled import Compiled, compile_outline
from hoyle.game.position_entries import EntryReader
from hoyle.game.spelling import find_place, is_at_place
from hoyle.game.values import FormulaReader
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Move, Ruleset
from hoyle.language.sentences import make_message
from hoyle.language.value_types import ValueType, get_bounds, get_families
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node
from hoyle.resources import pause_collection
from hoyle.running.naming import slug


class IdPattern(NamedTuple):
    """A pattern of casefolded ids, and an example."""

    pattern: str
    shown: str


def id_pattern(game: Compiled, move: Move) -> IdPattern:
    """Return the pattern of a move's ids, whatever lies on the table."""
    parts = [IdPattern(re.escape(slug(move.name).casefold()), slug(move.name)), *_argument_patterns(game, move)]
    pattern = " ".join(part.pattern for part in parts) + r"(?: \(\d+\))?"
    return IdPattern(pattern, " ".join(part.shown for part in parts))


def _argument_patterns(game: Compiled, move: Move) -> Iterator[IdPattern]:
    if move.taken is not None:
        origin, card = move.taken
        if any(take.any_piece for take in move.takes):
            yield _type_pattern(game, card.type)
        if game.namer.several_origins(move, origin):
            yield _piles(game, origin)
    for var, _ in move.withs:
        yield _type_pattern(game, var.type)
    if move.aim is not None:
        place = _piles(game, move.aim)
        yield IdPattern(f"-> {place.pattern}", f"-> {place.shown}")


def _type_pattern(game: Compiled, value_type: ValueType) -> IdPattern:
    match value_type.name:
        case "list":
            item = _type_pattern(game, value_type.item_type)
            return IdPattern(f"(?:{item.pattern})(?: {item.pattern})*", item.shown)
        case "number":
            return IdPattern(r"(?:-?\d+|none)", str(get_bounds(value_type)[0]))
        case "bool":
            return _choice_pattern(["true", "false"])
        case "piece":
            return _choice_pattern(game.namer.signs)
        case "pile":
            return _piles(game, Var("", value_type))
        case _:
            names = (game.namer.key_name(value_type, n) for n in range(game.count_of(value_type.with_optional(False))))
            return _choice_pattern(slug(name) if value_type.name in ("row", "choice") else name for name in names)


def _piles(game: Compiled, var: Var) -> IdPattern:
    """Match any pile of a variable, as any seat would write it."""
    namer, families = game.namer, get_families(var.type)
    numbers = [n for n in range(len(game.machine.pile_names)) if not families or namer.family(n).name in families]
    return _choice_pattern(namer.pile_token(n, var, actor) for n in numbers for actor in range(len(game.seats)))


def _choice_pattern(words: Iterable[str]) -> IdPattern:
    known = list(dict.fromkeys(words))
    return IdPattern(f"(?:{'|'.join(re.escape(word.casefold()) for word in [*known, 'none'])})", known[0])


REASONS = ("not offered here", "no such move here", "nothing")
"""Reasons for a refusal, besides the names of conditions, obligations and moves."""


def validate(paths: str | Path | Iterable[str | Path]) -> list[Diagnostic]:
    """Return all problems of one or several rulesets. Examples are checked but not played. Raises nothing."""
    problems = Problems()
    with pause_collection():
        for path in [paths] if isinstance(paths, str | Path) else paths:
            own = Problems()
            _check_if_valid(*build.check_file(path, own), own)
            problems.extend(own)
    return list(problems)


def finish_validation(path: Path, check: build.CheckRun, hearing: CheckTrace) -> list[Diagnostic]:
    """Return what `validate` reports of a file, from a check that was traced. Call it once. Raises nothing."""
    problems = Problems()
    with pause_collection():
        _check_if_valid(*build.finish_check(path, check, hearing, problems), problems)
    return list(problems)


def _check_if_valid(found: Ruleset | None, merged: Merged | None, problems: Problems) -> None:
    if found is not None and merged is not None and not problems.errors:
        check_examples(found, merged, problems)


def check_examples(ruleset: Ruleset, merged: Merged, problems: Problems) -> None:
    """Add what is certainly wrong in the examples of a valid ruleset."""
    examples = merged.root.get("examples")
    if examples is None or examples.kind != "map":
        return
    looker = StaticChecker(compile_outline(ruleset, merged), problems)
    for _, _, node in examples.entries():
        if node.kind == "map":
            looker.example(node)


_NUMBER = re.compile(r"-?[0-9]+|\([0-9]+\)")


def _id_words(game: Compiled) -> set[str]:
    """Return every word, casefolded, that an id may have after the move's name, except numbers."""
    r = game.ruleset
    rows = [row for table in r.tables.values() for row in table.rows]
    choices = [choice for option in r.options.values() for choice in option.choices]
    names = [slug(name) for name in (*rows, *choices, *r.piles)]
    found = [*game.namer.signs, *game.seats, *names, *r.piles, "->", "of", "none", "true", "false"]
    return {word.casefold() for name in found for word in name.split()}


class StaticChecker:
    """Checks the examples of one game."""

    def __init__(self, game: Compiled, problems: Problems) -> None:
        self.game, self.problems = game, problems
        self.reader = EntryReader(game, problems)
        self.formulas = FormulaReader(game)
        self.read: dict[tuple[str, ValueType | None], Expr] = {}
        self.table: list[list[int]] = [[] for _ in game.machine.pile_names]
        self.moves = sorted(slug(name) for name in game.ruleset.moves)
        self.reasons = {*REASONS, *game.ruleset.moves, *game.ruleset.obligations}
        self.reasons |= {c.name for m in game.ruleset.moves.values() for c in m.conditions}
        self.words = _id_words(game)
        self.ids: dict[str, IdPattern] = {}
        self.as_usual = True
        """True if the example has the usual options, so that pieces and sizes are known."""

    def example(self, node: Node) -> None:
        given = node.get("given")
        places = [node, given] if given is not None else [node]
        self.as_usual = not sum(self._check_options(place.get("options")) for place in places)
        if given is not None:
            self._check_position(given)
            self._check_place(given.get("at"), exact=True)
        announced = node.get("said")
        if announced is not None and announced.items and node.get("moves") is None:
            help = make_message("example.make_first")
            self.problems.add("R732", make_message("example.nothing_announced"), announced.span, help=help)
        self._check_expectation(node)

    def _check_expectation(self, node: Node) -> None:
        self._check_position(node)
        self._check_place(node.get("at"), exact=False)
        for key in ("moves", "legal", "includes", "forced"):
            found = node.get(key)
            for named in [] if found is None else found.items if found.kind == "list" else [found]:
                self._check_move(named, whole=key != "moves")
        self._check_refused(node.get("refused"))
        self._check_seats(node)
        self._check_ends(node.get("ends"))
        self._check_values(node.get("values"))
        after = node.get("after")
        for _, made, inner in after.entries() if after is not None and after.kind == "map" else ():
            self._check_move(made)
            if inner.kind == "map":
                self._check_expectation(inner)

    # ---- options, places and seats -----------------------------------------------------------------------------------

    def _check_options(self, node: Node | None) -> bool:
        """Report unknown options; return whether others than the usual values are set."""
        known, changed = self.game.ruleset.options, False
        for name, key, value in node.entries() if node is not None and node.kind == "map" else ():
            wanted = value.value if value.value is not None else value.raw
            if name == "players":
                changed |= str(wanted) != str(len(self.game.seats))
            elif name not in known:
                self._report_unknown("R610", "option", name, known, key.span)
            elif (found := parse_option_value(known[name], wanted)) is None:
                self.problems.add("R611", make_message("not_a_value", value=wanted, name=name), value.span)
            else:
                changed |= found != known[name].value
        return changed

    def _check_place(self, node: Node | None, exact: bool) -> None:
        if node is None or node.is_null:
            return
        try:
            if exact or not any(is_at_place(node.raw, place.path) for place in self.game.machine.places):
                find_place(self.game, node.raw, node.span)
        except Refused as refused:
            self.problems.extend(refused.diagnostics)

    def _check_seats(self, node: Node) -> None:
        winner, scores = node.get("winner"), node.get("scores")
        named = [] if winner is None or winner.is_null else winner.items if winner.kind == "list" else [winner]
        sides = self.game.ruleset.side_names
        for seat in named:
            self._check_seat(seat, sides)
        for _, key, _ in scores.entries() if scores is not None else ():
            self._check_seat(key, sides)

    def _check_seat(self, node: Node, sides: Sequence[str] = ()) -> None:
        known = list(dict.fromkeys([*self.game.seats, *sides]))
        if self.as_usual and node.raw not in known:
            what = "seat_or_side" if len(known) > len(self.game.seats) else "seat"
            self._report_unknown("R709", what, node.raw, known, node.span)

    # ---- piles and state ---------------------------------------------------------------------------------------------

    def _check_position(self, node: Node) -> None:
        to_act = node.get("to_act")
        if to_act is not None and not to_act.is_null:
            self._check_seat(to_act)
        self._piles(node.get("piles"))
        state = node.get("state")
        if state is not None and state.kind == "map" and self.as_usual:
            list(self.reader.values(state))

    def _piles(self, node: Node | None) -> None:
        for name, key, value in node.entries() if node is not None and node.kind == "map" else ():
            if self.as_usual:
                for number, written in self.reader.places(name, key, value):
                    self.reader.lay(self.table, number, written)
                    self.table[number].clear()
                    self.reader.unknown.clear()
            elif name.split(" ")[0] not in self.game.ruleset.piles:
                list(self.reader.places(name, key, value))
        self.reader.check_counts()

    def _check_ends(self, node: Node | None) -> None:
        for item in node.items if node is not None else []:
            self._piles(item)

    # ---- moves, reasons and values -----------------------------------------------------------------------------------

    def _check_move(self, node: Node, whole: bool = False) -> None:
        """Check the name and the words of moves. `whole`: a beginning is not enough."""
        for text in node.raw.split(";") if not node.is_null else ():
            name, *rest = text.split() or [""]
            known = [m for m in self.moves if name and m.casefold().startswith(name.casefold())]
            if not known or (whole and name.casefold() not in (m.casefold() for m in known)):
                self._report_unknown("R307", "move", name, self.moves, node.span)
            else:
                if self._check_words(rest if whole else rest[:-1], node.span) and whole and self.as_usual:
                    self._check_full_id(name, " ".join(text.split()), node.span)

    def _check_words(self, words: Sequence[str], span: Span) -> bool:
        """Return whether all words after a move's name are pieces, piles, players, rows or numbers."""
        strange = [w for w in words if self.as_usual and w.casefold() not in self.words and not _NUMBER.fullmatch(w)]
        for word in strange:
            self._report_unknown("R705", "thing", word, self.words, span)
        return not strange

    def _check_full_id(self, name: str, text: str, span: Span) -> None:
        """Report a text that cannot be the id of a move, wherever the pieces lie."""
        for move in (m for m in self.game.ruleset.moves.values() if slug(m.name).casefold() == name.casefold()):
            if move.name not in self.ids:
                self.ids[move.name] = id_pattern(self.game, move)
            written = self.ids[move.name]
            if not re.fullmatch(written.pattern, text.casefold()):
                help = make_message("example.written_like", shown=written.shown)
                self.problems.add("R713", make_message("example.no_move_anyhow", move=text), span, help=help)

    def _check_refused(self, node: Node | None) -> None:
        if node is None:
            return
        pairs = list(node.entries()) if node.kind == "map" else []
        pairs += [pair for item in node.items for pair in item.entries()]
        for _, key, reason in pairs:
            self._check_move(key, whole=True)
            if not reason.is_null and reason.raw not in self.reasons:
                self._report_unknown("R307", "reason", reason.raw, self.reasons, reason.span)
        for item in node.items:
            if item.kind == "scalar":
                self._check_move(item, whole=True)

    def _check_values(self, node: Node | None) -> None:
        for formula, key, wanted in node.entries() if node is not None and node.kind == "map" and self.as_usual else ():
            found = self._check_formula(formula, key.span)
            if found is not None and wanted.kind == "scalar":
                self._check_formula(wanted.raw, wanted.span, found.type)

    def _check_formula(self, formula: str, span: Span, expected: ValueType | None = None) -> Expr | None:
        """Return the formula, or None if it is wrong, which is reported. Correct formulas are cached."""
        if (formula, expected) in self.read:
            return self.read[formula, expected]
        try:
            found = self.read[formula, expected] = self.formulas.read(formula, True, expected)[0]
            return found
        except Refused as refused:
            for d in refused.diagnostics:
                fixes = [fix for one in d.fixes for fix in build_replacement(span, one.span.text, one.text)]
                self.problems.add(d.code, d.message, span, notes=d.notes, help=d.help, fixes=fixes)
        return None

    def _report_unknown(self, code: str, what: str, name: str, known: Iterable[str], span: Span) -> None:
        """Report an unknown name. `what`: key of the sentence under `nowhere`."""
        close = find_close_name(name, known)
        help = make_message("similar", close=close) if close else NO_TEXT
        fixes = build_replacement(span, name, close)
        self.problems.add(code, make_message(f"nowhere.{what}", name=name), span, help=help, fixes=fixes)
