"""`hoyle moves`, `hoyle why`, `hoyle eval`: what the rules say about one position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.cli.options import (
    Settings,
    game_argument,
    json_option,
    lang_option,
    open_game,
    position_option,
    seed_option,
    set_option,
)
from interpreter.cli.output import emit, say
from interpreter.cli.shell import Decorator, argument, command
from interpreter.cli.texts import lang, t

if TYPE_CHECKING:
    from interpreter.game import Game, Move, State


def _asking(function: Any) -> Any:
    """The options of a question about a position."""
    decorators: list[Decorator] = [set_option, position_option, seed_option, json_option, lang_option]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def _open(name: str, settings: Settings, position: str | None, seed: int | None) -> tuple[Game, State]:
    """The game and the state asked about: the position given, or the start of a game."""
    from interpreter.cli.given import position_data

    data = position_data(position) if position is not None else None
    game = open_game(name, settings)
    return game, game.start(seed=seed or 0) if data is None else game.position(data, seed=seed or 0)


@command("moves")
@game_argument
@_asking
def moves_command(game: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    opened, state = _open(game, settings, position, seed)
    moves = [] if state.is_over else state.moves()
    if as_json:
        at = state.place
        emit("moves", {"game": opened.name, "to_act": state.to_act, "at": at, "moves": [_data(m) for m in moves]})
    else:
        _list(opened, state, moves)
    return 0


def _data(move: Move) -> dict[str, Any]:
    rule = {"at": move.rule.at, "text": move.rule.text(lang())}
    said = {"id": move.id, "text": move.text(lang()), "name": move.name, "seat": move.seat}
    return {**said, "rule": rule, "fault": move.fault}


def _list(game: Game, state: State, moves: list[Move]) -> None:
    from interpreter.cli.show import look_of, move_lines, place_words

    if not moves:
        say(t("moves.none"))
        return
    look = look_of(game)
    key = "moves.one" if len(moves) == 1 else "moves.to_act"
    say(t(key, seat=look.label(state.to_act), count=len(moves), place=place_words(state.place, look)))
    for line in move_lines(moves, look, most=len(moves)):
        say(line)
    say()
    for name, rule in dict.fromkeys((look.label(m.name), f"{m.rule.text(lang())} [{m.rule.at}]") for m in moves):
        say(f"{name}: {rule}")


@command("why")
@game_argument
@argument("move")
@_asking
def why_command(game: str, move: str, settings: Settings, position: str | None, seed: int | None, as_json: bool) -> int:
    _, state = _open(game, settings, position, seed)
    why = state.why(move)
    if as_json:
        emit("why", {"move": move, "legal": why.legal, "text": why.text(lang())})
    else:
        say(why.text(lang()))
    return 0


@command("eval")
@game_argument
@argument("formula")
@_asking
def eval_command(
    game: str, formula: str, settings: Settings, position: str | None, seed: int | None, as_json: bool
) -> int:
    _, state = _open(game, settings, position, seed)
    value = state.value(formula)
    if as_json:
        emit("value", {"formula": formula, "kind": str(value.kind), "value": value.text(lang())})
    else:
        say(f"{value.text(lang())}  ({value.kind})")
    return 0
