"""`hoyle moves`, `hoyle why`, `hoyle eval`: what the rules say about one position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import lang, t, typed
from hoyle.cli.engines import engine_option, telling_of_engines
from hoyle.cli.options import (
    File,
    Settings,
    game_argument,
    json_option,
    lang_option,
    open_game,
    position_option,
    seed_option,
    set_option,
)
from hoyle.cli.output import Trouble, emit, note, say, show
from hoyle.cli.shell import Decorator, argument, command, option
from hoyle.diagnostics import told

if TYPE_CHECKING:
    from hoyle.game.explain.reasons import Reason, Why
    from hoyle.game.game import Game, Move, State
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
    from hoyle.cli.inputs import position_tree

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
        raise Trouble(t("moves.no_place"))
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
    from hoyle.cli.drawing.lines import in_order, look_of, move_lines, place_words
    from hoyle.game.explain.reasons import cited

    if not moves:
        say(t("moves.none"))
        return
    look = look_of(game)
    say(t("moves.to_act", seat=look.seat(state.to_act), count=len(moves), place=place_words(state.place, look)))
    for line in move_lines(in_order(moves, look), look, most=len(moves), faults=True):
        show(line)
    say()
    rules = ((look.label(m.name, "moves"), cited(m.rule, lang())) for m in moves)
    for name, rule in dict.fromkeys(rules):
        say(t("moves.rule", move=name, rule=rule))


@command("why")
@game_argument
@argument("move")
@_asking
def why_command(game: str, move: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    from hoyle.cli.drawing.lines import look_of, why_lines

    opened, state = _decision(game, settings, position, seed)
    found = _about(state, move)
    if as_json:
        emit("why", _why_data(found))
    else:
        show("\n".join(why_lines(found, look_of(opened), state.moves())))
    return 0 if found.known else 1


def _about(state: State, move: str) -> Why:
    """The answer; where what was asked is the full name of no move, but the beginning of one that is legal, that of this one."""
    from hoyle.cli.playing.understanding import read

    move = read(state.game, move, lang())
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
        raise Trouble(t("eval.engine_alone"), code=2)
    _, state = _open(game, settings, position, seed)
    value = state.value(formula)
    if as_json:
        parts = [{"depth": depth, "formula": part, "value": found} for depth, part, found in value.parts]
        emit("value", {"formula": formula, "kind": told(value.kind, lang()), "value": value.plain, "parts": parts})
        return 0
    say(f"{value.text(lang())}  ({told(value.kind, lang())})")
    for depth, part, found in value.parts[1:]:
        say(f"{'  ' * depth}{typed(part)} = {told(found, lang())}")
    return 0


def _eval_each(name: str, settings: Settings, formula: str, each: str, engine: Engine, as_json: bool) -> int:
    """The formula's value for every line of the file."""
    from hoyle.cli.contents import opened
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
