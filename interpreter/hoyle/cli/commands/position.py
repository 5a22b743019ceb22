"""`hoyle moves`, `hoyle why`, `hoyle eval`: what the rules say about one position."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from hoyle.cli.options import (
    File,
    Settings,
    engine_option,
    game_argument,
    json_option,
    lang_option,
    position_option,
    seed_option,
    set_option,
    telling_of_engines,
)
from hoyle.cli.output import emit, note, say, show
from hoyle.cli.rulesets import open_game
from hoyle.cli.shell import Decorator, argument, command, option
from hoyle.diagnostics import told
from hoyle.presentation.catalogue import UserError, describe_error, lang, quote_name, t

if TYPE_CHECKING:
    from hoyle.game.evaluators import Evaluator
    from hoyle.game.explain.reasons import Reason, Why
    from hoyle.game.game import Game, State
    from hoyle.game.moves.legal import Move
    from hoyle.language.model import Rule
    from hoyle.running.machine import Engine


def _asking(function: Any) -> Any:
    """The options of a question about a position."""
    decorators: list[Decorator] = [set_option, position_option, seed_option, json_option, lang_option]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def _open(name: str, settings: Settings, position: str | None, seed: int | None) -> tuple[Game, State]:
    """The game and the state asked about: the position given, or the start of a game."""
    from hoyle.cli.files import position_tree

    data = position_tree(position) if position is not None else None
    game = open_game(name, settings)
    state = game.start(seed or 0) if data is None else game.position(data, seed or 0)
    asked = data.get("to_act") if data is not None and data.kind == "map" else None
    if asked is not None and asked.raw != state.to_act and state.to_act is not None:
        note(t("moves.went_on", seat=asked.raw, next=state.to_act))
    return state.game, state


def _decision(name: str, settings: Settings, position: str | None, seed: int | None) -> tuple[Game, State]:
    """The same, where somebody decides or the game is over."""
    game, state = _open(name, settings, position, seed)
    if not state.place and not state.is_over:
        raise UserError(t("moves.no_place"))
    if position is None and seed is None:
        note(t("moves.start"))
    return game, state


@command("moves")
@game_argument
@_asking
def moves_command(game: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    opened, state = _decision(game, settings, position, seed)
    moves = state.moves()
    if as_json:
        at = state.place
        emit("moves", {"game": opened.name, "to_act": state.to_act, "at": at, "moves": [_data(m) for m in moves]})
    else:
        _list(opened, state, moves)
    return 0


def _data(move: Move) -> dict[str, Any]:
    said = {"id": move.id, "text": move.text(lang()), "name": move.name, "seat": move.seat}
    return {**said, "rule": _rule(move.rule), "fault": move.fault}


def _list(game: Game, state: State, moves: list[Move]) -> None:
    from hoyle.game.explain.reasons import cite_rule
    from hoyle.presentation.look import make_look
    from hoyle.presentation.play_text import format_place, list_moves, sort_moves

    if not moves:
        say(t("moves.none"))
        return
    look = make_look(game)
    say(t("moves.to_act", seat=look.seat(state.to_act), count=len(moves), place=format_place(state.place, look)))
    for line in list_moves(sort_moves(moves, look), look, most=len(moves), faults=True):
        show(line)
    say()
    rules = ((look.label(m.name, "moves"), cite_rule(m.rule, lang())) for m in moves)
    for name, rule in dict.fromkeys(rules):
        say(t("moves.rule", move=name, rule=rule))


@command("why")
@game_argument
@argument("move")
@_asking
def why_command(game: str, move: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    from hoyle.presentation.look import make_look
    from hoyle.presentation.play_text import format_reasons

    opened, state = _decision(game, settings, position, seed)
    found = _about(state, move)
    if as_json:
        emit("why", _why_data(found))
    else:
        show("\n".join(format_reasons(found, make_look(opened), state.moves())))
    return 0 if found.known else 1


def _about(state: State, move: str) -> Why:
    """The answer; where what was asked is the full name of no move, but the beginning of one that is legal, that of this one."""
    from hoyle.game.moves.parsing import replace_pieces

    move = replace_pieces(state.game.compiled, move, lang())
    found, begun = state.why(move), state.meant(move)
    unnamed = found.failing is not None and found.failing.sort == "binding"
    return state.why(begun[0].id) if unnamed and len(begun) == 1 else found


def _why_data(found: Why) -> dict[str, Any]:
    said = {"move": found.move, "known": found.known, "legal": found.legal, "text": found.summary(lang())}
    return {**said, "rule": _rule(found.rule), "reasons": [_reason(reason) for reason in found.reasons]}


def _reason(reason: Reason) -> dict[str, Any]:
    parts = [{"depth": depth, "formula": formula, "value": value} for depth, formula, value in reason.parts]
    said = {"name": reason.name, "sort": reason.sort, "holds": reason.holds}
    return {**said, "rule": _rule(reason.rule), "parts": parts}


def _rule(rule: Rule) -> dict[str, str]:
    return {"at": rule.at, "text": rule.text(lang())}


@command("eval")
@game_argument
@argument("formula")
@option("--each", type=File())
@engine_option
@_asking
def eval_command(
    game: str,
    formula: str,
    each: str | None,
    engine: Engine,
    settings: Settings,
    position: str | None,
    seed: int | None,
    as_json: bool,
) -> int:
    if each is not None:
        return _eval_each(game, settings, formula, each, engine, as_json)
    if engine != "auto":
        raise UserError(t("eval.engine_alone"), code=2)
    _, state = _open(game, settings, position, seed)
    value = state.value(formula)
    if as_json:
        parts = [{"depth": depth, "formula": part, "value": found} for depth, part, found in value.parts]
        emit("value", {"formula": formula, "kind": told(value.kind, lang()), "value": value.plain, "parts": parts})
        return 0
    say(f"{value.text(lang())}  ({told(value.kind, lang())})")
    for depth, part, found in value.parts[1:]:
        say(f"{'  ' * depth}{quote_name(part)} = {told(found, lang())}")
    return 0


def _eval_each(name: str, settings: Settings, formula: str, each: str, engine: Engine, as_json: bool) -> int:
    """The formula's value for every line of the file."""
    from hoyle.game.evaluators import Evaluator

    game = open_game(name, settings)
    with telling_of_engines(), opened(each) as file:
        evaluator = Evaluator(game.compiled, engine, formula, file.piles)
        found: list[Any] = []
        for batch in file.batches():
            values = batch.values(evaluator)
            if as_json:
                found += map(evaluator.plain, values)
            else:
                say("\n".join(evaluator.text(value, lang()) for value in values))
    if as_json:
        emit("values", {"formula": formula, "kind": told(evaluator.kind, lang()), "piles": file.piles, "values": found})
    return 0


AT_ONCE = 1 << 16
"""Lines that are looked at together."""
Line = tuple[int, str]
Row = list[list[str]]
"""The signs of what lies in each pile."""


class Batch(Struct, frozen=True):
    """Some lines: the number of each, and what it says."""

    numbers: Sequence[int]
    rows: Sequence[Row]

    def values(self, evaluator: Evaluator) -> Sequence[int]:
        """Raises Refused, with the line."""
        from hoyle.diagnostics import Refused, verbatim

        try:
            return evaluator.many(*map(list, zip(*self.rows, strict=True)))
        except Refused as refused:
            if len(self.rows) == 1:
                note = verbatim(t("eval.in_line", line=self.numbers[0]))
                raise Refused(msgspec.structs.replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None
            middle = len(self.rows) // 2
            halves = [Batch(self.numbers[part], self.rows[part]) for part in (slice(middle), slice(middle, None))]
            return [*chain.from_iterable(half.values(evaluator) for half in halves)]


class Contents(Struct, frozen=True):
    """The piles that the file names, and its lines: JSON objects that all have these piles, or signs, with `|` between piles."""

    piles: list[str]
    lines: Iterator[Line]
    in_json: bool

    def batches(self) -> Iterator[Batch]:
        while some := [*islice(self.lines, AT_ONCE)]:
            yield Batch([number for number, _ in some], [self._row(number, line) for number, line in some])

    def _row(self, number: int, line: str) -> Row:
        found = _object(number, line) if self.in_json else dict(zip(self.piles, _parts(line), strict=False))
        if found.keys() != {*self.piles} or (not self.in_json and line.count("|") != len(self.piles) - 1):
            raise UserError(t("eval.other_piles", line=number, piles=" | ".join(self.piles)))
        signs = (found[pile] for pile in self.piles)
        return [one.split() if isinstance(one, str) else one for one in signs]


@contextmanager
def opened(name: str) -> Iterator[Contents]:
    """Its first line that is not empty says what the piles are. Raises UserError, also while it is read."""
    try:
        with nullcontext(sys.stdin) if name == "-" else open(name, encoding="utf-8-sig") as file:
            yield _begun(file)
    except UnicodeDecodeError:
        raise UserError(t("file.not_text", name=name)) from None
    except (OSError, ValueError) as error:
        raise UserError(t("file.not_read", name=name, why=describe_error(error))) from None


def _begun(file: Iterable[str]) -> Contents:
    lines = ((number, line.strip()) for number, line in enumerate(file, 1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise UserError(t("eval.no_lines"))
    if first[1].startswith("{"):
        return Contents([*_object(*first)], chain([first], lines), True)
    return Contents(_parts(first[1]), lines, False)


def _parts(line: str) -> list[str]:
    return [" ".join(part.split()) for part in line.split("|")]


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, str | list[str]])
    except (ValueError, RecursionError) as error:
        raise UserError(t("eval.no_object", line=number, why=error)) from None
