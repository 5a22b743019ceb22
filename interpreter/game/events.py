"""What happened, as plain data and in words; each seat is told only what it may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.language.model import Move
from interpreter.running.state import Event as CoreEvent

if TYPE_CHECKING:
    from interpreter.game.game import Event, Game, State

Text = Callable[[str, str | None], str]
_CHOSEN = {"en": "{seat} has chosen", "fr": "{seat} a choisi"}
_SHUFFLED = {"en": "{pile} is shuffled", "fr": "{pile} : on mélange"}
_DRAWN = {"en": "lots are drawn: {value}", "fr": "tirage au sort : {value}"}
_TAKEN_BACK = {"en": "the last move is taken back", "fr": "le dernier coup est repris"}


def events(state: State) -> tuple[Event, ...]:
    """Everything in the log, in order."""
    found = (event(state.game, raw) for raw in state.core.log or ())
    return tuple(e for e in found if e is not None)


def event(game: Game, raw: CoreEvent) -> Event | None:
    """One event; None for what only the machine notes."""
    make = _MAKERS.get(raw[0])
    return make(game, raw) if make is not None else None


def _make(kind: str, seat: str | None, data: Mapping[str, Any], text: Text) -> Event:
    from interpreter.game.game import Event

    return Event(kind, seat, data, text)


def _shuffle(game: Game, raw: CoreEvent) -> Event:
    _, pile, order = raw
    data = {"shuffle": game.namer.key(pile), "cards": [game.namer.signs[p >> 1] for p in order]}
    return _make("shuffle", None, data, lambda lang, _: _SHUFFLED[lang].format(pile=game.namer.pile(pile, lang)))


def _roll(game: Game, raw: CoreEvent) -> Event:
    _, pile, pieces = raw
    signs = [game.namer.signs[p >> 1] for p in pieces]
    return _make(
        "roll",
        None,
        {"roll": signs, "to": game.namer.key(pile)},
        lambda lang, _: f"{game.namer.pile(pile, lang)}: {' '.join(signs)}",
    )


def _lots(game: Game, raw: CoreEvent) -> Event:
    _, label, value = raw
    row = game.machine.labels[label].row
    assert row is not None
    kind = game.ruleset.state[row.value.family].kind.maybe(False)
    data = {"lots": game.namer.key_name(kind, value)}
    return _make("lots", None, data, lambda lang, _: _DRAWN[lang].format(value=game.namer.value(value, kind, lang)))


def _move(game: Game, raw: CoreEvent) -> Event:
    _, actor, pc, action, *known = raw
    point = game.machine.points[pc]
    move = next(m for m in point.moves if m.number == action[0])
    seat = game.seats[actor]

    def text(lang: str, viewer: str | None) -> str:
        name = game.namer.seat(actor, lang)
        if point.together and viewer != seat:
            return _CHOSEN[lang].format(seat=name)
        return f"{name} — {_words(game, move, action, actor, lang, hide=viewer != seat and not move.openly)}"

    ident = known[0] if known else game.namer.move_id(move, action, actor)
    return _make("move", seat, {"move": ident, "by": seat}, text)


def _words(game: Game, move: Move, action: Sequence[Any], actor: int, lang: str, hide: bool) -> str:
    empty: list[list[int]] = [[] for _ in range(len(game.machine.face) + 1)]
    shown = _risen(game, move, action)
    return game.namer.move_text(move, tuple(shown), actor, lang, empty, hide=hide)


def _risen(game: Game, move: Move, action: Sequence[Any]) -> list[Any]:
    """A piece that arrives face up is known to all from then on."""
    values = list(action)
    bindings = move.bindings
    if move.card is not None and move.target is not None:
        target = values[1 + bindings.index(move.target)]
        if game.machine.face[target] == 1 and game.namer.family(target).face in ("up", "top seen"):
            values[1 + bindings.index(move.card)] |= 1
    return values


def _score(game: Game, raw: CoreEvent) -> Event:
    _, points, player, _cell, label, value = raw
    seat = game.seats[player] if player >= 0 else None
    data = {"score": points, "to": seat, "as": game.namer.label(label, value, "en")}

    def text(lang: str, _: str | None) -> str:
        who = game.namer.seat(player, lang) if player >= 0 else ""
        return f"{who} {points:+d} {game.namer.label(label, value, lang)}".strip()

    return _make("score", seat, data, text)


def _say(game: Game, raw: CoreEvent) -> Event:
    _, label, value, player = raw
    seat = game.seats[player] if player >= 0 else None

    def text(lang: str, _: str | None) -> str:
        said = game.namer.label(label, value, lang)
        return f"{game.namer.seat(player, lang)} — {said}" if player >= 0 else said

    return _make("say", seat, {"say": game.namer.label(label, value, "en"), "by": seat}, text)


def _taken_back(game: Game, raw: CoreEvent) -> Event:
    return _make("taken_back", None, {"taken_back": True}, lambda lang, _: _TAKEN_BACK[lang])


_MAKERS: dict[str, Callable[[Game, CoreEvent], Event]] = {
    "shuffle": _shuffle,
    "roll": _roll,
    "lots": _lots,
    "move": _move,
    "score": _score,
    "say": _say,
    "taken_back": _taken_back,
}
