"""What can be known of worked examples without playing them: the piles, pieces, state, places, moves, options, reasons and seats they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hoyle.checking import build
from hoyle.checking.formulas.symbols import CheckTrace
from hoyle.checking.sections.options import parse_option_value
from hoyle.diagnostics import UNSAID, Diagnostic, Problems, Refused, Span, replacing, similar
from hoyle.game.compiled import Compiled, compile_outline
from hoyle.game.position_entries import EntryReader
from hoyle.game.spelling import find_place, is_at_place
from hoyle.game.values import FormulaReader
from hoyle.language.ir import Expr, Var
from hoyle.language.kinds import Kind, bounds, families_of
from hoyle.language.model import Move, Ruleset
from hoyle.language.sentences import said
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node
from hoyle.resources import uncollected
from hoyle.running.naming import slug


class Written(NamedTuple):
    """A pattern of casefolded text, and a text that it fits."""

    pattern: str
    shown: str


def whole_id(game: Compiled, move: Move) -> Written:
    """The name, whatever the move can be bound to, in order, and the number behind ids that would be the same."""
    parts = [Written(re.escape(slug(move.name).casefold()), slug(move.name)), *_parts(game, move)]
    pattern = " ".join(part.pattern for part in parts) + r"(?: \(\d+\))?"
    return Written(pattern, " ".join(part.shown for part in parts))


def _parts(game: Compiled, move: Move) -> Iterator[Written]:
    if move.taken is not None:
        origin, card = move.taken
        if any(take.any_piece for take in move.takes):
            yield _of_kind(game, card.kind)
        if game.namer.several_origins(move, origin):
            yield _piles(game, origin)
    for var, _ in move.withs:
        yield _of_kind(game, var.kind)
    if move.aim is not None:
        place = _piles(game, move.aim)
        yield Written(f"-> {place.pattern}", f"-> {place.shown}")


def _of_kind(game: Compiled, kind: Kind) -> Written:
    match kind.name:
        case "list":
            item = _of_kind(game, kind.of_item)
            return Written(f"(?:{item.pattern})(?: {item.pattern})*", item.shown)
        case "number":
            return Written(r"(?:-?\d+|none)", str(bounds(kind)[0]))
        case "bool":
            return _one_of(["true", "false"])
        case "piece":
            return _one_of(game.namer.signs)
        case "pile":
            return _piles(game, Var("", kind))
        case _:
            names = (game.namer.key_name(kind, n) for n in range(game.count_of(kind.maybe(False))))
            return _one_of(slug(name) if kind.name in ("row", "choice") else name for name in names)


def _piles(game: Compiled, var: Var) -> Written:
    """Any pile that may be meant, as whoever acts would write it."""
    namer, families = game.namer, families_of(var.kind)
    numbers = [n for n in range(len(game.machine.pile_names)) if not families or namer.family(n).name in families]
    return _one_of(namer.pile_token(n, var, actor) for n in numbers for actor in range(len(game.seats)))


def _one_of(words: Iterable[str]) -> Written:
    known = list(dict.fromkeys(words))
    return Written(f"(?:{'|'.join(re.escape(word.casefold()) for word in [*known, 'none'])})", known[0])


REASONS = ("not offered here", "no such move here", "nothing")
"""Why a move is refused, beside the names of conditions, obligations and moves."""


def validate(paths: str | Path | Iterable[str | Path]) -> list[Diagnostic]:
    """Return all problems of one or several rulesets. Examples are checked but not played. Raises nothing."""
    problems = Problems()
    with uncollected():
        for path in [paths] if isinstance(paths, str | Path) else paths:
            own = Problems()
            _with_examples(*build.check_file(path, own), own)
            problems.extend(own)
    return list(problems)


def finish_validation(path: Path, check: build.CheckRun, hearing: CheckTrace) -> list[Diagnostic]:
    """What `validate` tells of a file, of which a check was heard; to be asked once. Raises nothing."""
    problems = Problems()
    with uncollected():
        _with_examples(*build.finish_check(path, check, hearing, problems), problems)
    return list(problems)


def _with_examples(found: Ruleset | None, merged: Merged | None, problems: Problems) -> None:
    if found is not None and merged is not None and not problems.errors:
        check_examples(found, merged, problems)


def check_examples(ruleset: Ruleset, merged: Merged, problems: Problems) -> None:
    """Add what is certainly wrong in the examples of a ruleset that is without fault itself."""
    examples = merged.root.get("examples")
    if examples is None or examples.kind != "map":
        return
    looker = Unplayed(compile_outline(ruleset, merged), problems)
    for _, _, node in examples.entries():
        if node.kind == "map":
            looker.example(node)


_NUMBER = re.compile(r"-?[0-9]+|\([0-9]+\)")


def _words_of_ids(game: Compiled) -> set[str]:
    """Every word that may stand in the id of a move after its name, but numbers, casefolded."""
    r = game.ruleset
    rows = [row for table in r.tables.values() for row in table.rows]
    choices = [choice for option in r.options.values() for choice in option.choices]
    names = [slug(name) for name in (*rows, *choices, *r.piles)]
    found = [*game.namer.signs, *game.seats, *names, *r.piles, "->", "of", "none", "true", "false"]
    return {word.casefold() for name in found for word in name.split()}


class Unplayed:
    """Looks at examples of one game."""

    def __init__(self, game: Compiled, problems: Problems) -> None:
        self.game, self.problems = game, problems
        self.arranger = EntryReader(game, problems)
        self.formulas = FormulaReader(game)
        self.read: dict[tuple[str, Kind | None], Expr] = {}
        self.table: list[list[int]] = [[] for _ in game.machine.pile_names]
        self.moves = sorted(slug(name) for name in game.ruleset.moves)
        self.reasons = {*REASONS, *game.ruleset.moves, *game.ruleset.obligations}
        self.reasons |= {c.name for m in game.ruleset.moves.values() for c in m.conditions}
        self.words = _words_of_ids(game)
        self.ids: dict[str, Written] = {}
        self.as_usual = True
        """Does the example play with the usual options, so that pieces and sizes are known?"""

    def example(self, node: Node) -> None:
        given = node.get("given")
        places = [node, given] if given is not None else [node]
        self.as_usual = not sum(self._options(place.get("options")) for place in places)
        if given is not None:
            self._position(given)
            self._place(given.get("at"), exact=True)
        announced = node.get("said")
        if announced is not None and announced.items and node.get("moves") is None:
            help = said("example.make_first")
            self.problems.add("R732", said("example.nothing_announced"), announced.span, help=help)
        self._expectation(node)

    def _expectation(self, node: Node) -> None:
        self._position(node)
        self._place(node.get("at"), exact=False)
        for key in ("moves", "legal", "includes", "forced"):
            found = node.get(key)
            for named in [] if found is None else found.items if found.kind == "list" else [found]:
                self._move(named, whole=key != "moves")
        self._refused(node.get("refused"))
        self._seats(node)
        self._ends(node.get("ends"))
        self._values(node.get("values"))
        after = node.get("after")
        for _, made, inner in after.entries() if after is not None and after.kind == "map" else ():
            self._move(made)
            if inner.kind == "map":
                self._expectation(inner)

    # ---- where and with what -----------------------------------------------------------------------------------------

    def _options(self, node: Node | None) -> bool:
        """Are there others than usual? What is wrong with them is told."""
        known, changed = self.game.ruleset.options, False
        for name, key, value in node.entries() if node is not None and node.kind == "map" else ():
            wanted = value.value if value.value is not None else value.raw
            if name == "players":
                changed |= str(wanted) != str(len(self.game.seats))
            elif name not in known:
                self._unknown("R610", "option", name, known, key.span)
            elif (found := parse_option_value(known[name], wanted)) is None:
                self.problems.add("R611", said("not_a_value", value=wanted, name=name), value.span)
            else:
                changed |= found != known[name].value
        return changed

    def _place(self, node: Node | None, exact: bool) -> None:
        if node is None or node.is_null:
            return
        try:
            if exact or not any(is_at_place(node.raw, place.path) for place in self.game.machine.places):
                find_place(self.game, node.raw, node.span)
        except Refused as refused:
            self.problems.extend(refused.diagnostics)

    def _seats(self, node: Node) -> None:
        winner, scores = node.get("winner"), node.get("scores")
        named = [] if winner is None or winner.is_null else winner.items if winner.kind == "list" else [winner]
        sides = self.game.ruleset.side_names
        for seat in named:
            self._seat(seat, sides)
        for _, key, _ in scores.entries() if scores is not None else ():
            self._seat(key, sides)

    def _seat(self, node: Node, sides: Sequence[str] = ()) -> None:
        known = list(dict.fromkeys([*self.game.seats, *sides]))
        if self.as_usual and node.raw not in known:
            what = "seat_or_side" if len(known) > len(self.game.seats) else "seat"
            self._unknown("R709", what, node.raw, known, node.span)

    # ---- what lies there ---------------------------------------------------------------------------------------------

    def _position(self, node: Node) -> None:
        to_act = node.get("to_act")
        if to_act is not None and not to_act.is_null:
            self._seat(to_act)
        self._piles(node.get("piles"))
        state = node.get("state")
        if state is not None and state.kind == "map" and self.as_usual:
            list(self.arranger.values(state))

    def _piles(self, node: Node | None) -> None:
        for name, key, value in node.entries() if node is not None and node.kind == "map" else ():
            if self.as_usual:
                for number, written in self.arranger.places(name, key, value):
                    self.arranger.lay(self.table, number, written)
                    self.table[number].clear()
                    self.arranger.unknown.clear()
            elif name.split(" ")[0] not in self.game.ruleset.piles:
                list(self.arranger.places(name, key, value))
        self.arranger.enough()

    def _ends(self, node: Node | None) -> None:
        for item in node.items if node is not None else []:
            self._piles(item)

    # ---- what is done and said ---------------------------------------------------------------------------------------

    def _move(self, node: Node, whole: bool = False) -> None:
        """`whole`: its beginning is not enough."""
        for text in node.raw.split(";") if not node.is_null else ():
            name, *rest = text.split() or [""]
            known = [m for m in self.moves if name and m.casefold().startswith(name.casefold())]
            if not known or (whole and name.casefold() not in (m.casefold() for m in known)):
                self._unknown("R307", "move", name, self.moves, node.span)
            else:
                if self._bindings(rest if whole else rest[:-1], node.span) and whole and self.as_usual:
                    self._whole(name, " ".join(text.split()), node.span)

    def _bindings(self, words: Sequence[str], span: Span) -> bool:
        """Are all words after a move's name pieces, piles, players, rows, numbers?"""
        strange = [w for w in words if self.as_usual and w.casefold() not in self.words and not _NUMBER.fullmatch(w)]
        for word in strange:
            self._unknown("R705", "thing", word, self.words, span)
        return not strange

    def _whole(self, name: str, text: str, span: Span) -> None:
        """Can it be the id of a move, wherever the pieces lie?"""
        for move in (m for m in self.game.ruleset.moves.values() if slug(m.name).casefold() == name.casefold()):
            if move.name not in self.ids:
                self.ids[move.name] = whole_id(self.game, move)
            written = self.ids[move.name]
            if not re.fullmatch(written.pattern, text.casefold()):
                help = said("example.written_like", shown=written.shown)
                self.problems.add("R713", said("example.no_move_anyhow", move=text), span, help=help)

    def _refused(self, node: Node | None) -> None:
        if node is None:
            return
        pairs = list(node.entries()) if node.kind == "map" else []
        pairs += [pair for item in node.items for pair in item.entries()]
        for _, key, reason in pairs:
            self._move(key, whole=True)
            if not reason.is_null and reason.raw not in self.reasons:
                self._unknown("R307", "reason", reason.raw, self.reasons, reason.span)
        for item in node.items:
            if item.kind == "scalar":
                self._move(item, whole=True)

    def _values(self, node: Node | None) -> None:
        for formula, key, wanted in node.entries() if node is not None and node.kind == "map" and self.as_usual else ():
            found = self._formula(formula, key.span)
            if found is not None and wanted.kind == "scalar":
                self._formula(wanted.raw, wanted.span, found.kind)

    def _formula(self, formula: str, span: Span, expected: Kind | None = None) -> Expr | None:
        """None if something is wrong with it, which is then told; what was right once is so again."""
        if (formula, expected) in self.read:
            return self.read[formula, expected]
        try:
            found = self.read[formula, expected] = self.formulas.read(formula, True, expected)[0]
            return found
        except Refused as refused:
            for d in refused.diagnostics:
                fixes = [fix for one in d.fixes for fix in replacing(span, one.span.text, one.text)]
                self.problems.add(d.code, d.message, span, notes=d.notes, help=d.help, fixes=fixes)
        return None

    def _unknown(self, code: str, what: str, name: str, known: Iterable[str], span: Span) -> None:
        """`what`: which of the sentences `nowhere` says that there is none of this name."""
        close = similar(name, known)
        help = said("similar", close=close) if close else UNSAID
        fixes = replacing(span, name, close)
        self.problems.add(code, said(f"nowhere.{what}", name=name), span, help=help, fixes=fixes)
