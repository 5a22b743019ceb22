"""`hoyle moves`, `why` and `eval`: what the rules say about a position."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from hoyle.cli.options import (
    FileName,
    Settings,
    engine_option,
    game_argument,
    json_option,
    lang_option,
    position_option,
    report_engine_warnings,
    seed_option,
    set_option,
)
from hoyle.cli.output import emit, note, say, show
from hoyle.cli.rulesets import open_game
from hoyle.cli.shell import Decorator, argument, command, option
from hoyle.diagnostics import localize
from hoyle.presentation.catalogue import UserError, describe_error, lang, quote_name, t

if TYPE_CHECKING:
    from hoyle.game.evaluators import Evaluator
    from hoyle.game.explain.reasons import Reason, Why
    from hoyle.game.game import Game, State
    from hoyle.game.moves.legal import Move
    from hoyle.language.model import Rule
    from hoyle.running.machine import Engine


def _position_options(function: Any) -> Any:
    decorators: list[Decorator] = [set_option, position_option, seed_option, json_option, lang_option]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def _open_position(name: str, settings: Settings, position: str | None, seed: int | None) -> tuple[Game, State]:
    """Return the game and the given position, or its start."""
    from hoyle.cli.files import load_position

    data = load_position(position) if position is not None else None
    game = open_game(name, settings)
    state = game.start(seed or 0) if data is None else game.position(data, seed or 0)
    asked = data.get("to_act") if data is not None and data.kind == "map" else None
    if asked is not None and asked.raw != state.to_act and state.to_act is not None:
        note(t("moves.went_on", seat=asked.raw, next=state.to_act))
    return state.game, state


def _open_decision(name: str, settings: Settings, position: str | None, seed: int | None) -> tuple[Game, State]:
    """Raise UserError unless somebody is to decide or the game is over."""
    game, state = _open_position(name, settings, position, seed)
    if not state.place and not state.is_over:
        raise UserError(t("moves.no_place"))
    if position is None and seed is None:
        note(t("moves.start"))
    return game, state


@command("moves")
@game_argument
@_position_options
def moves_command(game: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    opened, state = _open_decision(game, settings, position, seed)
    moves = state.moves()
    if as_json:
        at = state.place
        emit(
            "moves",
            {"game": opened.name, "to_act": state.to_act, "at": at, "moves": [_make_move_data(m) for m in moves]},
        )
    else:
        _print_moves(opened, state, moves)
    return 0


def _make_move_data(move: Move) -> dict[str, Any]:
    said = {"id": move.id, "text": move.text(lang()), "name": move.name, "seat": move.seat}
    return {**said, "rule": _make_rule_data(move.rule), "fault": move.fault}


def _print_moves(game: Game, state: State, moves: list[Move]) -> None:
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
@_position_options
def why_command(game: str, move: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    from hoyle.presentation.look import make_look
    from hoyle.presentation.play_text import format_reasons

    opened, state = _open_decision(game, settings, position, seed)
    found = _explain(state, move)
    if as_json:
        emit("why", _make_why_data(found))
    else:
        show("\n".join(format_reasons(found, make_look(opened), state.moves())))
    return 0 if found.known else 1


def _explain(state: State, move: str) -> Why:
    """Explain a move, or the only legal move that begins with the text."""
    from hoyle.game.moves.parsing import replace_pieces

    move = replace_pieces(state.game.compiled, move, lang())
    found, begun = state.why(move), state.meant(move)
    unnamed = found.failing is not None and found.failing.sort == "binding"
    return state.why(begun[0].id) if unnamed and len(begun) == 1 else found


def _make_why_data(why: Why) -> dict[str, Any]:
    said = {"move": why.move, "known": why.known, "legal": why.legal, "text": why.summary(lang())}
    return {
        **said,
        "rule": _make_rule_data(why.rule),
        "reasons": [_make_reason_data(reason) for reason in why.reasons],
    }


def _make_reason_data(reason: Reason) -> dict[str, Any]:
    parts = [{"depth": depth, "formula": formula, "value": value} for depth, formula, value in reason.parts]
    said = {"name": reason.name, "sort": reason.sort, "holds": reason.holds}
    return {**said, "rule": _make_rule_data(reason.rule), "parts": parts}


def _make_rule_data(rule: Rule) -> dict[str, str]:
    return {"at": rule.at, "text": rule.text(lang())}


@command("eval")
@game_argument
@argument("formula")
@option("--each", type=FileName())
@engine_option
@_position_options
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
        return _evaluate_lines(game, settings, formula, each, engine, as_json)
    if engine != "auto":
        raise UserError(t("eval.engine_alone"), code=2)
    _, state = _open_position(game, settings, position, seed)
    value = state.value(formula)
    if as_json:
        parts = [{"depth": depth, "formula": part, "value": found} for depth, part, found in value.parts]
        emit("value", {"formula": formula, "kind": localize(value.kind, lang()), "value": value.plain, "parts": parts})
        return 0
    say(f"{value.text(lang())}  ({localize(value.kind, lang())})")
    for depth, part, found in value.parts[1:]:
        say(f"{'  ' * depth}{quote_name(part)} = {localize(found, lang())}")
    return 0


def _evaluate_lines(name: str, settings: Settings, formula: str, each: str, engine: Engine, as_json: bool) -> int:
    """Evaluate the formula for every line of a file."""
    from hoyle.game.evaluators import Evaluator

    game = open_game(name, settings)
    with report_engine_warnings(), open_lines(each) as file:
        evaluator = Evaluator(game.compiled, engine, formula, file.piles)
        found: list[Any] = []
        for batch in file.split():
            values = batch.evaluate(evaluator)
            if as_json:
                found += map(evaluator.plain, values)
            else:
                say("\n".join(evaluator.text(value, lang()) for value in values))
    if as_json:
        emit(
            "values",
            {"formula": formula, "kind": localize(evaluator.kind, lang()), "piles": file.piles, "values": found},
        )
    return 0


BATCH_SIZE = 1 << 16
Line = tuple[int, str]
Row = list[list[str]]
"""Signs in each pile."""


class Batch(Struct, frozen=True):
    """Numbered lines of the file."""

    numbers: Sequence[int]
    rows: Sequence[Row]

    def evaluate(self, evaluator: Evaluator) -> Sequence[int]:
        """Raises Refused, naming the line."""
        from hoyle.diagnostics import Refused, verbatim

        try:
            return evaluator.many(*map(list, zip(*self.rows, strict=True)))
        except Refused as refused:
            if len(self.rows) == 1:
                note = verbatim(t("eval.in_line", line=self.numbers[0]))
                raise Refused(msgspec.structs.replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None
            middle = len(self.rows) // 2
            halves = [Batch(self.numbers[part], self.rows[part]) for part in (slice(middle), slice(middle, None))]
            return [*chain.from_iterable(half.evaluate(evaluator) for half in halves)]


class PileLines(Struct, frozen=True):
    """The piles that a file names, and its lines: JSON objects, or signs with `|` between piles."""

    piles: list[str]
    lines: Iterator[Line]
    in_json: bool

    def split(self) -> Iterator[Batch]:
        while some := [*islice(self.lines, BATCH_SIZE)]:
            yield Batch([number for number, _ in some], [self._row(number, line) for number, line in some])

    def _row(self, number: int, line: str) -> Row:
        found = _parse_object(number, line) if self.in_json else dict(zip(self.piles, _split_line(line), strict=False))
        if found.keys() != {*self.piles} or (not self.in_json and line.count("|") != len(self.piles) - 1):
            raise UserError(t("eval.other_piles", line=number, piles=" | ".join(self.piles)))
        signs = (found[pile] for pile in self.piles)
        return [one.split() if isinstance(one, str) else one for one in signs]


@contextmanager
def open_lines(name: str) -> Iterator[PileLines]:
    """Open the file; its first line names the piles. Raises UserError, also while reading."""
    try:
        with nullcontext(sys.stdin) if name == "-" else open(name, encoding="utf-8-sig") as file:
            yield _read_head(file)
    except UnicodeDecodeError:
        raise UserError(t("file.not_text", name=name)) from None
    except (OSError, ValueError) as error:
        raise UserError(t("file.not_read", name=name, why=describe_error(error))) from None


def _read_head(file: Iterable[str]) -> PileLines:
    lines = ((number, line.strip()) for number, line in enumerate(file, 1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise UserError(t("eval.no_lines"))
    if first[1].startswith("{"):
        return PileLines([*_parse_object(*first)], chain([first], lines), True)
    return PileLines(_split_line(first[1]), lines, False)


def _split_line(line: str) -> list[str]:
    return [" ".join(part.split()) for part in line.split("|")]


def _parse_object(number: int, line: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, str | list[str]])
    except (ValueError, RecursionError) as error:
        raise UserError(t("eval.no_object", line=number, why=error)) from None
