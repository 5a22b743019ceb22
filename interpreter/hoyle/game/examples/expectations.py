"""Compare what an example expects with a state and with those that follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from hoyle.diagnostics import LocalizedText, Problems, Refused, verbatim
from hoyle.game.compiled import Compiled, compile_ruleset
from hoyle.game.explain.reasons import summarize
from hoyle.game.game import Game, State
from hoyle.game.position_entries import UNKNOWN, EntryReader
from hoyle.game.spelling import find_side, is_at_place, scorer_kind, split_path
from hoyle.game.values import check_formula
from hoyle.language.evaluate import evaluate
from hoyle.language.model import Ruleset
from hoyle.language.sentences import FALLBACK, LANGUAGES, join_row, make_message
from hoyle.language.steps import Repeat, Turns, every_step
from hoyle.language.value_types import PLAYER
from hoyle.reading.tree import Node
from hoyle.running.state import Event as CoreEvent
from hoyle.running.wording import label_text


class Passing:
    """Explains states that differ from what one may expect: phases and decisions that were passed without asking.

    Moves are made again by a traced game, which is compiled when it is first needed."""

    def __init__(self) -> None:
        self._traced: dict[Game, Game] = {}

    def notes(self, before: State, move: str) -> Iterator[LocalizedText]:
        """Yield notes about what happened after a legal move."""
        done = self._traced_places(before, move)
        if done["passed"]:
            yield make_message(
                "example.passed_over",
                places=_quote_names(" / ".join(place.split(" / ")[-2:]) for place in done["passed"]),
            )
        phases = [
            name
            for name, first in _renewing_phases(before.game.ruleset)
            if any(p.split(" / ")[-2:] == [name, first] for p in done["step"])
        ]
        if phases:
            yield make_message("example.renewed", phases=_quote_names(phases))

    def _traced_places(self, before: State, move: str) -> dict[str, list[str]]:
        """Return the places of steps that were done, and of decisions that were passed over."""
        game = before.game
        if game not in self._traced:
            self._traced[game] = Game(compile_ruleset(game.ruleset, game.merged, trace=True))
        machine = self._traced[game].machine
        hits = machine.hits[:]
        core = before.core.copy()
        machine.play(core, before.find(move).action)
        used = [rule for rule, index in machine.counters.items() if machine.hits[index] > hits[index]]
        return {sort: [name for section, name in used if section == sort] for sort in ("step", "passed")}


def _renewing_phases(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the phases that renew state, each with its first step."""
    named = {name for family in ruleset.state.values() for name in family.renewed}
    for (name, _), phase in ruleset.phases.items():
        if name in named and phase.steps:
            yield name, phase.steps[0].name


def note_loops(state: State) -> list[LocalizedText]:
    """Name the loops around a decision that end after some rounds. From a position they count rounds from zero."""
    inside = state.place.split(" / ")
    steps = [s for phase in state.game.ruleset.phases.values() for s in every_step(phase.steps) if s.name in inside]
    loops = [s.name for s in steps if isinstance(s.verb, Repeat | Turns) and s.verb.rounds is not None]
    return [make_message("example.counted_anew", loops=_quote_names(loops))] if loops else []


def _quote_names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


EXPECTATIONS = (
    "legal",
    "includes",
    "refused",
    "forced",
    "piles",
    "state",
    "to_act",
    "at",
    "over",
    "winner",
    "scores",
    "stake",
    "margin",
    "values",
    "said",
    "ends",
)

_ATTRIBUTES = {"to_act": "to_act", "over": "is_over", "stake": "stake", "margin": "margin"}
"""Expectations that are compared with an attribute of the state."""
OUTSIDE = "R903"
"""Code of a number out of range: it may have been counted along with a loop."""


class Checker:
    """Compares a state and those that follow from it with an example."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.made: list[tuple[State, str]] = []
        """Moves made so far, each with the state before."""
        self.passing = Passing()

    def check(self, node: Node, state: State) -> None:
        before, made = len(state.core.log or ()), len(self.made)
        moves = node.get("moves")
        items = moves.items if moves is not None else []
        reached = self._play_all(state, [(text, item) for item in items for text in item.raw.split(";")])
        if reached is not None:
            self._check_expectations(node, reached, before)
        del self.made[made:]

    def _play_all(self, state: State, moves: Iterable[tuple[str, Node]]) -> State | None:
        """Return the state after these moves; None after an illegal one, which is reported."""
        for text, item in moves:
            played = self._play(state, text.strip(), item)
            if played is None:
                return None
            self.made.append((state, text.strip()))
            state = played
        return state

    def _check_expectations(self, node: Node, state: State, before: int) -> None:
        for key in EXPECTATIONS:
            expected = node.get(key)
            if expected is None:
                continue
            if key in _ATTRIBUTES:
                wanted = None if expected.is_null else expected.raw if key == "to_act" else expected.value
                self._check_equal(key, wanted, getattr(state, _ATTRIBUTES[key]), expected)
            else:
                getattr(self, f"_check_{key}")(state, expected, before)
        self._check_after(node, state)

    def _check_after(self, node: Node, state: State) -> None:
        after = node.get("after")
        for text, key, inner in after.entries() if after is not None and after.kind == "map" else ():
            made = len(self.made)
            reached = self._play_all(state, [(move, key) for move in text.split(";")])
            if reached is not None and inner.kind == "map":
                self._check_continuation(inner, reached, len(state.core.log or ()))
            del self.made[made:]

    def _check_continuation(self, node: Node, state: State, before: int) -> None:
        said = node.get("said")
        if said is not None and not node.get("moves"):
            self._check_said(state, said, before)
            node = Node(node.kind, node.span, pairs={k: v for k, v in node.pairs.items() if k != "said"})
        self.check(node, state)

    def _play(self, state: State, move: str, where: Node) -> State | None:
        try:
            return state.play(move)
        except Refused as refused:
            for d in refused.diagnostics:
                notes = [*d.notes, *(note_loops(state) if d.code == OUTSIDE else ())]
                self.problems.add(d.code, d.message, where.span, notes=notes, help=d.help)
            return None

    def _fail(self, what: LocalizedText, expected: str, found: str, node: Node) -> None:
        self._report(make_message("example.fails", what=what, expected=expected, found=found), node)

    def _report(self, message: LocalizedText, node: Node, notes: Iterable[LocalizedText] = ()) -> None:
        """Report what does not hold, and after which moves."""
        made = "; ".join(move for _, move in self.made)
        after = [make_message("example.after_moves", moves=made), *self.passing.notes(*self.made[-1])] if made else []
        self.problems.add("R730", message, node.span, notes=[*notes, *after])

    # ---- moves -------------------------------------------------------------------------------------------------------

    def _check_legal(self, state: State, node: Node, before: int) -> None:
        expected = {_full_id(state, item.raw): item.raw for item in node.items}
        found = {_fold(m.id): m.id for m in state.moves()}
        if set(expected) != set(found):
            missing = [text for move, text in expected.items() if move not in found]
            extra = [text for move, text in found.items() if move not in expected]
            ways = (("missing", missing), ("unexpected", extra))
            parts = [make_message(f"example.{way}", moves=_quote_all(moves)) for way, moves in ways if moves]
            self._report(make_message("example.legal_moves", parts=join_row(parts, "; ")), node)
            self._explain(state, missing, node)

    def _explain(self, state: State, missing: Sequence[str], node: Node) -> None:
        for move in missing[:2]:
            why = state.why(move)
            if why.known and not why.legal:
                message = make_message("example.not_legal", move=move, why=summarize(why))
                self.problems.add("R731", message, node.span, notes=list(why.lines()))

    def _check_includes(self, state: State, node: Node, before: int) -> None:
        found = {_fold(m.id) for m in state.moves()}
        for item in node.items:
            if _full_id(state, item.raw) not in found:
                among = make_message("example.among", move=item.raw)
                self._fail(make_message("example.moves"), among, _quote_all(m.id for m in state.moves()), item)
                self._explain(state, [item.raw], item)

    def _check_refused(self, state: State, node: Node, before: int) -> None:
        legal = {_fold(m.id) for m in state.moves()}
        reasons = {name: value.raw for name, _, value in node.entries()}
        for key in node.items or [key for _, key, _ in node.entries()]:
            if _full_id(state, key.raw) in legal:
                self._fail(
                    make_message("example.refused"),
                    make_message("example.illegal", move=key.raw),
                    make_message("example.it_is"),
                    key,
                )
            elif reasons.get(key.raw):
                self._check_reason(state, key.raw, reasons[key.raw], key)

    def _check_reason(self, state: State, move: str, expected: str, node: Node) -> None:
        why = state.why(move)
        found = why.failing.name if why.failing is not None else "no such move here" if not why.known else "nothing"
        if found != expected:
            never = why.failing is not None and why.failing.sort in ("binding", "decision")
            notes = [make_message("example.not_asked")] if never else []
            notes += [summarize(why)] if why.known else []
            self._report(make_message("example.reason", move=move, expected=expected, found=found), node, notes)

    def _check_forced(self, state: State, node: Node, before: int) -> None:
        self._check_legal(state, Node("list", node.span, items=[node]), before)

    # ---- the table ---------------------------------------------------------------------------------------------------

    def _check_piles(self, state: State, node: Node, before: int) -> None:
        reader = EntryReader(state.game.compiled, self.problems)
        for name, key, value in node.entries():
            for number, expected in reader.places(name, key, value):
                self._check_pile(state, reader, number, expected)

    def _check_pile(self, state: State, reader: EntryReader, number: int, node: Node) -> None:
        blank = _empty_piles(state)
        reader.lay(blank, number, node)
        expected, found = blank[number], state.core.piles[number]
        faces = "|" in node.raw
        same = len(expected) == len(found) and all(
            e == UNKNOWN or (e == f if faces else e >> 1 == f >> 1) for e, f in zip(expected, found, strict=True)
        )
        if not same:
            name = state.game.namer.key(number)
            wanted, there = (_render_pile(state.game, pile, faces) for pile in (expected, found))
            self._fail(verbatim(f"`{name}`"), wanted, there, node)

    def _check_state(self, state: State, node: Node, before: int) -> None:
        for name, family, index, inner, wanted in EntryReader(state.game.compiled, self.problems).values(node):
            expected, found = (state.game.namer.value(v, family.type) for v in (wanted, state.core.cells[index]))
            if expected != found:  # in words: a piece is the same one on either face
                self._fail(verbatim(f"`{name}`"), f"`{inner.raw}`", f"`{found}`", inner)

    def _check_at(self, state: State, node: Node, before: int) -> None:
        if not is_at_place(node.raw, split_path(state.place)):
            self._fail(make_message("example.place"), f"`{node.raw}`", f"`{state.place}`", node)

    def _check_equal(self, what: str, expected: Any, found: Any, node: Node) -> None:
        if expected != found:
            self._fail(make_message(f"example.{what}"), _render_result(expected), _render_result(found), node)

    # ---- results -----------------------------------------------------------------------------------------------------

    def _check_winner(self, state: State, node: Node, before: int) -> None:
        written = [i.raw for i in node.items] if node.kind == "list" else [] if node.is_null else [node.raw]
        expected = {find_side(state.game.compiled, name) for name in written}
        if expected != {*state.winning_sides}:
            self._fail(
                make_message("example.winner"), _render_result(written), _render_result(state.winning_sides), node
            )

    def _check_scores(self, state: State, node: Node, before: int) -> None:
        wanted = {name: value.value for name, _, value in node.entries()}
        sides = {name: find_side(state.game.compiled, name) for name in wanted}
        found = {name: state.scores[side] for name, side in sides.items() if side in state.scores}
        self._check_equal("scores", wanted, found, node)

    def _check_values(self, state: State, node: Node, before: int) -> None:
        for formula, key, value in node.entries():
            try:
                self._check_value(state, formula, value)
            except Refused as refused:
                for d in refused.diagnostics:
                    self.problems.add(d.code, d.message, key.span, notes=d.notes, help=d.help)

    def _check_value(self, state: State, formula: str, node: Node) -> None:
        game, core = state.game.compiled, state.core
        found, me = check_formula(game, formula, core.actor >= 0)
        setting = game.setting(core)
        text = game.namer.value(evaluate(found, setting, {me: core.actor}), found.type)
        wanted, own = check_formula(game, node.raw, core.actor >= 0, found.type)
        expected = game.namer.value(evaluate(wanted, setting, {own: core.actor}), wanted.type)
        if text != expected:
            self._fail(verbatim(f"`{formula}`"), expected, text, node)

    def _check_said(self, state: State, node: Node, before: int) -> None:
        log = [e for e in (state.core.log or ())[before:] if e[0] in ("score", "say")]
        wanted = [_texts_by_language(item) for item in node.items]
        pairs = list(zip_longest(log, wanted, fillvalue=None))
        compared = [_first_difference(state.game.compiled, raw, words) for raw, words in pairs]
        if any(_fold(one) != _fold(other) for one, other in compared) or len(log) != len(wanted):
            expected = [one for one, _ in compared[: len(wanted)]]
            found = [other for _, other in compared[: len(log)]]
            self._fail(make_message("example.said"), _quote_all(expected), _quote_all(found), node)

    def _check_ends(self, state: State, node: Node, before: int) -> None:
        reader = EntryReader(state.game.compiled, self.problems)
        numbers = sorted(
            {
                n
                for item in node.items
                for name, key, value in item.entries()
                for n, _ in reader.places(name, key, value)
            }
        )
        found = set(list_endings(state, numbers))
        expected = {self._read_arrangement(state, item, numbers) for item in node.items}
        if found != expected:
            missing, extra = expected - found, found - expected
            more = "; ".join(_render_ending(state.game, e, numbers) for e in sorted(extra)[:3])
            counts = {"found": len(found), "missing": len(missing), "extra": len(extra)}
            self._fail(
                make_message("example.ends"),
                str(len(expected)),
                make_message("example.endings", **counts, more=more),
                node,
            )

    def _read_arrangement(self, state: State, node: Node, numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        reader, blank = EntryReader(state.game.compiled, self.problems), _empty_piles(state)
        for name, key, value in node.entries():
            for number, inner in reader.places(name, key, value):
                reader.lay(blank, number, inner)
        return tuple(tuple(sorted(p >> 1 for p in blank[n])) for n in numbers)


def _empty_piles(state: State) -> list[list[int]]:
    """Return the piles of a game, all empty."""
    return [[] for _ in state.core.piles]


def list_endings(state: State, numbers: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every arrangement of these piles in which the current `play` can end, each once or more."""
    machine, label, actor = state.game.machine, state.core.pc, state.core.actor
    seen: set[Any] = set()
    waiting = [state.core]
    while waiting:
        core = waiting.pop()
        for action in core.acts:
            tried = core.copy()
            tried.log = None
            machine.advance(tried, machine.apply[label](tried, action))
            key = (machine.memory_key(tried), tried.pc, tried.actor)
            if key in seen:
                continue
            seen.add(key)
            if not tried.over and tried.pc == label and tried.actor == actor:
                waiting.append(tried)
            else:
                yield tuple(tuple(sorted(p >> 1 for p in tried.piles[n])) for n in numbers)


def _render_ending(game: Game, arrangement: Sequence[Sequence[int]], numbers: Sequence[int]) -> str:
    return ", ".join(f"{game.namer.key(n)}: {len(p)}" for n, p in zip(numbers, arrangement, strict=True) if p)


def _texts_by_language(item: Node) -> dict[str, str]:
    """Return the expected announcement in each language that the example gives."""
    given = {lang: item[lang].raw for lang in LANGUAGES if item.kind == "map" and item.get(lang) is not None}
    return given or {FALLBACK: item.raw}


def _first_difference(game: Compiled, raw: CoreEvent | None, words: dict[str, str] | None) -> tuple[str, str]:
    """Return the expected and the actual announcement, in the first language in which they differ."""
    pairs = [
        (_add_sign(game, raw, text), _render_announcement(game, raw, lang) if raw is not None else "")
        for lang, text in (words or {FALLBACK: ""}).items()
    ]
    return next((pair for pair in pairs if _fold(pair[0]) != _fold(pair[1])), pairs[0])


def _render_announcement(game: Compiled, raw: CoreEvent, lang: str) -> str:
    """Render an announcement; a score with its player and number before it."""
    told = None if lang == FALLBACK else lang
    if raw[0] == "say":
        _, label, value, *_ = raw
        return label_text(game.namer, label, value, told)
    _, points, _, _, label, value, *_ = raw
    words = (_scorer_name(game, raw), f"{points:+d}", label_text(game.namer, label, value, told))
    return " ".join(word for word in words if word)


def _scorer_name(game: Compiled, raw: CoreEvent) -> str:
    _, _, player, cell, *_ = raw
    return game.namer.key_name(scorer_kind(game, cell), player) if player >= 0 else ""


def _add_sign(game: Compiled, raw: CoreEvent | None, text: str) -> str:
    """Complete an expected score: `+` may be left out, and a player may stand for his side."""
    if raw is None or raw[0] != "score":
        return text
    scorer = _scorer_name(game, raw)
    known = "|".join(re.escape(name) for name in (scorer, *_players_of_side(game, raw)))
    found = re.match(rf"(?:{known}) ?(?=[+-]?\d)", text, re.IGNORECASE)
    if found is None:
        return text
    points = text[found.end() :]
    return f"{scorer} {'+' if points[0].isdigit() else ''}{points}".lstrip()


def _players_of_side(game: Compiled, raw: CoreEvent) -> Sequence[str]:
    """Return the players of the side that a score is for."""
    _, _, player, cell, *_ = raw
    if player < 0 or scorer_kind(game, cell) == PLAYER:
        return ()
    return [game.seats[p] for p in game.ruleset.sides[player]]


def _fold(text: str) -> str:
    """Fold a text for comparison. A number may be written as play shows it: `−2, queens`."""
    return re.sub(r"(?<=\d),(?= )", "", " ".join(text.replace("−", "-").split()).casefold())


def _full_id(state: State, text: str) -> str:
    """Return the id of a legal move that is written in full, in any order of a list; else the text itself."""
    found, words = [_fold(m.id) for m in state.meant(text)], _fold(text)
    return found[0] if len(found) == 1 and len(found[0]) == len(words) else words


def _quote_all(found: Any) -> LocalizedText:
    items = [f"`{f}`" for f in found]
    return verbatim(", ".join(items)) if items else make_message("example.none")


def _render_result(value: Any) -> LocalizedText:
    """Render a result as an example writes it."""
    if value is None or value == []:
        return make_message("example.none")
    if isinstance(value, dict):
        return verbatim(", ".join(f"`{seat}: {n}`" for seat, n in value.items()))
    return _quote_all(value if isinstance(value, list) else [str(value).lower() if isinstance(value, bool) else value])


def _render_pile(game: Game, pile: Sequence[int], faces: bool) -> str:
    """Render a pile as an example writes it; with `faces`, with a bar before the first piece that is face up."""
    if not pile:
        return make_message("example.nothing")
    words = ["?" if p < 0 else game.namer.signs[p >> 1] for p in pile]
    if faces:
        words.insert(next((i for i, p in enumerate(pile) if p & 1), len(pile)), "|")
    return f"`{' '.join(words)}`"
