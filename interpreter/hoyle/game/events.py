"""Events of a game, as plain data and in words. Each seat is told only what it may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import render_move
from hoyle.game.pieces import hand_positions
from hoyle.game.spelling import family_of_cell, scorer_kind, value_name
from hoyle.game.views.view import can_know, can_see, seat_number
from hoyle.language.ir import ABSENT, Cell
from hoyle.language.model import Move
from hoyle.language.phrases import is_done
from hoyle.language.sentences import Sentence, format_integer
from hoyle.running.state import ENDED, MIXED, Core
from hoyle.running.state import Event as CoreEvent
from hoyle.running.wording import Reader, hidden_pieces, label_text

Text = Callable[[str, str | None], str]
_CHOSEN, _ROLLED = Sentence("event.chosen"), Sentence("event.rolled")
_SHUFFLED, _CUT = Sentence("event.shuffled"), Sentence("event.cut")
_DRAWN, _TAKEN_BACK = Sentence("event.drawn"), Sentence("event.taken_back")
_BY, _AND = Sentence("event.by"), Sentence("event.and")
_RECEIVED, _TURNED, _TURNED_ALONG = Sentence("event.received"), Sentence("event.turned"), Sentence("event.turned_along")
_WON = {"trick": Sentence("event.won_trick"), "deal": Sentence("event.won_deal")}
ALONG = 3
"""From this many adjacent piles on, only the first and the last are named."""
TRICK_OVER = ("ends", ENDED.index("trick"))
"""Start of the log entry for the end of a trick."""
_ENDED = {"trick": Sentence("event.ended_trick"), "deal": Sentence("event.ended_deal")}


class Event(Struct, frozen=True):
    """An event. `data` is plain and complete, whoever reads it:

    shuffle, cut  the pile; `cards` in their new order
    roll          the pieces; `to`: where they lie
    lots          the value drawn
    move          its id; `by`: the seat
    received      pieces new to the seat `by` that holds them
    turned        pieces turned up, or brought face up when nobody had seen them; `in`: the pile
    score         the points; `to`: the seat or None; `as`: what for
    say           the words; `by`: the seat; `of`: lists of pieces told along, if any, also for `score`
    ends          `trick` or `deal`; `by`: the winner or None
    taken_back    True"""

    kind: str
    seat: str | None
    data: Mapping[str, Any]
    texts: Text

    def text(self, lang: str = "en", seat: str | None = None) -> str:
        """Return the event in words, as a seat (None: a spectator) may know it; empty if it may know nothing of it."""
        return self.texts(lang, seat)


def list_events(game: Compiled, core: Core, known: int = 0) -> tuple[Event, ...]:
    """Return the events of the log, from entry `known` on."""
    found = (make_event(game, raw) for raw in (core.log or ())[known:])
    return tuple(e for e in found if e is not None)


def list_told_events(game: Compiled, core: Core, known: int = 0) -> Iterator[tuple[int, Event]]:
    """Yield the events to tell people from log entry `known` on, with their indices.

    Pieces laid out before the first move are left out, because everybody sees them. Pieces turned in adjacent piles
    are one event."""
    log = core.log or ()
    begun = next((n for n, raw in enumerate(log) if raw[0] == "move"), len(log))
    for number in range(known, len(log)):
        found = make_event(game, log[number], _ends_trick(log, number))
        laid_out = number < begun and _is_layout(game, log[number])
        if found is None or laid_out or _repeats_turned_piece(game, log, number):
            continue
        if found.kind == "turned":
            run = _run_of_turned(game, log, number)
            if run.start == number:
                yield number, _join_turned(game, [log[n] for n in run], found)
        else:
            yield number, _with_thrower(game, log[number], found) if found.kind == "roll" else found


def _run_of_turned(game: Compiled, log: Sequence[CoreEvent], number: int) -> range:
    """Return the entries around this one that turn pieces in adjacent unowned piles, one after the other."""

    def follows(other: int) -> bool:
        before, raw = log[other - 1], log[other]
        if before[0] != "turned" or raw[0] != "turned" or before[1] >= raw[1] or game.namer.owner(raw[1]) >= 0:
            return False
        return game.namer.family(before[1]) is game.namer.family(raw[1])

    first = number - sum(1 for _ in takewhile(follows, range(number, 0, -1)))
    return range(first, number + 1 + sum(1 for _ in takewhile(follows, range(number + 1, len(log)))))


def _join_turned(game: Compiled, raws: Sequence[CoreEvent], first: Event) -> Event:
    """Join events that turn pieces in several piles. If many adjacent piles have one piece each, name only the ends."""
    piles = [raw[1] for raw in raws]
    along = len(raws) >= ALONG and piles == [*range(piles[0], piles[0] + len(piles))]

    def text(lang: str, viewer: str | None) -> str:
        seen = [_visible_turned(game, raw, lang, viewer) for raw in raws]
        if not along or any(len(raw[3]) > 1 for raw in raws) or not all(seen):
            return _AND[lang].join(filter(None, (_turned(game, raw).text(lang, viewer) for raw in raws)))
        ends = {name: game.namer.pile(pile, lang) for name, pile in (("first", piles[0]), ("last", piles[-1]))}
        return _TURNED_ALONG[lang].format(pieces=" ".join(seen), **ends)

    return replace(first, texts=text)


def _with_thrower(game: Compiled, raw: CoreEvent, found: Event) -> Event:
    """Name the seat that throws dice of an unowned pile. States saved by earlier versions do not have it."""
    _, pile, _, *whose = raw
    player = whose[0] if whose else ABSENT
    if player < 0 or game.namer.owner(pile) >= 0:
        return found

    def text(lang: str, viewer: str | None) -> str:
        return _BY[lang].format(seat=game.namer.seat(player, lang), said=found.text(lang, viewer))

    return replace(found, texts=text)


def _ends_trick(log: Sequence[CoreEvent], number: int) -> bool:
    """Return whether a trick ends after this move and before the next. Then that end says what the move did."""
    after = takewhile(lambda n: log[n][0] != "move", range(number + 1, len(log)))
    return log[number][0] == "move" and any(log[n][:2] == TRICK_OVER for n in after)


def _repeats_turned_piece(game: Compiled, log: Sequence[CoreEvent], number: int) -> bool:
    """Return whether an announcement only names a piece that was turned up right before."""
    raw = log[number]
    row = game.machine.labels[raw[1]].row if raw[0] == "say" else None
    if row is None or row.type.name != "piece":
        return False
    earlier = (log[n] for n in range(number - 1, -1, -1))
    before = takewhile(lambda other: other[0] in ("turned", "say"), earlier)
    return any(other[0] == "turned" and raw[2] | 1 in other[3] for other in before)


def _is_layout(game: Compiled, raw: CoreEvent) -> bool:
    """Return whether pieces arrive face up in one of several unowned piles."""
    if raw[0] != "turned":
        return False
    family = game.namer.family(raw[1])
    return game.namer.owner(raw[1]) < 0 and family.members * family.columns > 1


def make_event(game: Compiled, raw: CoreEvent, bare: bool = False) -> Event | None:
    """Make the event of a log entry; None if the entry tells nothing. `bare`: leave out optional words of a move."""
    if bare and raw[0] == "move":
        return _move(game, raw, bare)
    make = _MAKERS.get(raw[0])
    return make(game, raw) if make is not None else None


def make_recorded_event(game: Compiled, raw: CoreEvent) -> Event | None:
    """Make an event as records hold it; None if records leave it out."""
    found = make_event(game, raw) if raw[0] not in UNRECORDED else None
    if found is None or "of" not in found.data:
        return found
    return replace(found, data={key: value for key, value in found.data.items() if key != "of"})


def _shuffled(game: Compiled, raw: CoreEvent) -> Event:
    kind, pile, order = raw
    data = {kind: game.namer.key(pile), "cards": [game.namer.signs[p >> 1] for p in order]}
    words = _SHUFFLED if kind == "shuffle" else _CUT
    return Event(kind, None, data, lambda lang, _: words[lang].format(pile=game.namer.pile(pile, lang)))


def _roll(game: Compiled, raw: CoreEvent) -> Event:
    pile, pieces = raw[1:3]
    signs = [game.namer.signs[p >> 1] for p in pieces]

    def text(lang: str, viewer: str | None) -> str:
        player, last = seat_number(game, viewer), len(pieces) - 1
        seen = (game.namer.piece(p, lang) if can_see(game, pile, last, last + 1, p, player) else "?" for p in pieces)
        return _ROLLED[lang].format(pile=game.namer.pile(pile, lang), pieces=" ".join(seen))

    return Event("roll", None, {"roll": signs, "to": game.namer.key(pile)}, text)


def _lots(game: Compiled, raw: CoreEvent) -> Event:
    _, label, value = raw
    row = game.machine.labels[label].row
    assert row is not None
    value_type = row.type.with_optional(False)
    secret = isinstance(row, Cell) and game.ruleset.state[row.ref.family].secret

    def text(lang: str, _: str | None) -> str:
        return _DRAWN[lang].format(value="?" if secret else game.namer.value(value, value_type, lang))

    return Event("lots", None, {"lots": value_name(game, value, value_type)}, text)


def _move(game: Compiled, raw: CoreEvent, bare: bool = False) -> Event:
    _, actor, pc, action, *noted = raw
    point = game.machine.points[pc]
    move = next(m for m in point.moves if m.number == action[0])
    seat = game.seats[actor]

    def text(lang: str, viewer: str | None) -> str:
        if point.together and viewer != seat:
            return _CHOSEN[lang].format(seat=game.namer.seat(actor, lang))
        shown = _turn_up_public(game, move, action, seat_number(game, viewer))
        seen = Reader(actor, lang, (), viewer != seat and not move.openly, bare=bare, done=True)
        return render_move(game, move, shown, _with_noted_state(game, move, action, noted, seen))

    return Event("move", seat, {"move": game.namer.move_id(move, action, actor), "by": seat}, text)


def _with_noted_state(game: Compiled, move: Move, action: Sequence[Any], noted: Sequence[Any], seen: Reader) -> Reader:
    """Add what the log noted of the state: the piece below the target, and the values of `let`. Old saved states
    have neither."""
    piles: list[list[int]] = [[] for _ in range(len(game.machine.face) + 1)]
    under, lets = noted or (ABSENT, None)
    if move.target is not None and under >= 0:
        piles[action[len(move.bindings)]] = [under]
    return replace(seen, piles=piles, lets=lets)


def _turn_up_public(game: Compiled, move: Move, action: Sequence[Any], player: int) -> list[Any]:
    """Turn up a piece that arrives where the player may see it."""
    values = list(action)
    bindings = move.bindings
    if move.card is not None and move.target is not None:
        target = values[1 + bindings.index(move.target)]
        up = int(game.machine.face[target] == 1 and game.namer.family(target).face in ("up", "top seen"))
        if can_see(game, target, 0, 1, up, player):
            values[1 + bindings.index(move.card)] |= 1
    return values


def _received(game: Compiled, raw: CoreEvent) -> Event:
    _, pile, pieces, giver = raw
    player, signs = game.namer.owner(pile), [game.namer.signs[p >> 1] for p in pieces]
    seat = game.seats[player]
    knowing = {seat, game.seats[giver]} if giver >= 0 else {seat}

    def text(lang: str, viewer: str | None) -> str:
        held = sorted(pieces, key=lambda piece: hand_positions(game)[piece >> 1])
        shown = " ".join(game.namer.piece(p, lang) for p in held)
        known = shown if viewer in knowing else hidden_pieces(game.namer, pieces, lang)
        return _RECEIVED[lang].format(seat=game.namer.seat(player, lang), pieces=known)

    return Event("received", seat, {"received": signs, "by": seat}, text)


def _turned(game: Compiled, raw: CoreEvent) -> Event:
    _, pile, _, pieces = raw

    def text(lang: str, viewer: str | None) -> str:
        seen = _visible_turned(game, raw, lang, viewer)
        return _TURNED[lang].format(pile=game.namer.pile(pile, lang), pieces=seen) if seen else ""

    signs = [game.namer.signs[p >> 1] for p in pieces]
    return Event("turned", None, {"turned": signs, "in": game.namer.key(pile)}, text)


def _visible_turned(game: Compiled, raw: CoreEvent, lang: str, viewer: str | None) -> str:
    """Return the turned pieces that a seat sees."""
    _, pile, size, pieces = raw
    player, lowest = seat_number(game, viewer), size - len(pieces)
    lies = [(p, can_see(game, pile, lowest + i, size, p, player)) for i, p in enumerate(pieces)]
    if game.namer.family(pile).face == "owner":
        lies.sort(key=lambda one: hand_positions(game)[one[0] >> 1])
    return " ".join(game.namer.piece(p, lang) for p, may in lies if may)


def _score(game: Compiled, raw: CoreEvent) -> Event:
    _, points, player, cell, label, value, *of = raw
    party = scorer_kind(game, cell)
    seat = game.namer.key_name(party, player) if player >= 0 else None
    data = {"score": points, "to": seat, "as": label_text(game.namer, label, value), **_piece_signs(game, of)}

    def text(lang: str, viewer: str | None) -> str:
        if not can_know(game, *family_of_cell(game, cell), seat_number(game, viewer)):
            return ""
        who = game.namer.value(player, party, lang) if player >= 0 else ""
        what, shown = label_text(game.namer, label, value, lang), _render_pieces(game, of, lang, ", ")
        named = (
            label >= 0 and game.machine.labels[label].telling is None
        )  # the name of a row: `-8 queens` would be eight queens
        figure = format_integer(points, lang, signed=True) + ("," if named else "")
        return " ".join(filter(None, (who, figure, what, shown)))

    return Event("score", seat, data, text)


def _say(game: Compiled, raw: CoreEvent) -> Event:
    _, label, value, player, *of = raw
    seat = game.seats[player] if player >= 0 else None

    def text(lang: str, _: str | None) -> str:
        said = " ".join(
            filter(None, (label_text(game.namer, label, value, lang), _render_pieces(game, of, lang, " + ")))
        )
        name = game.namer.seat(player, lang) if player >= 0 else ""
        return f"{name} {said}" if name and is_done(said, lang) else f"{name} — {said}" if name else said

    data = {"say": label_text(game.namer, label, value), "by": seat, **_piece_signs(game, of)}
    return Event("say", seat, data, text)


def _piece_signs(game: Compiled, of: Sequence[Sequence[Sequence[int]]]) -> dict[str, list[list[str]]]:
    """Return the signs of pieces told along, if there are any."""
    return {"of": [[game.namer.signs[p >> 1] for p in group] for group in of[0]]} if of else {}


def _render_pieces(game: Compiled, of: Sequence[Sequence[Sequence[int]]], lang: str, between: str) -> str:
    """Return pieces told along as people read them. The log has only such as everybody may see."""
    groups = [" ".join(game.namer.piece(p, lang) for p in group) for groups in of for group in groups]
    return f"({between.join(groups)})" if groups else ""


def _ends(game: Compiled, raw: CoreEvent) -> Event:
    _, what, player = raw
    seat = game.seats[player] if player >= 0 else None
    name = ENDED[what]
    sentence = _WON[name] if player >= 0 else _ENDED[name]

    def text(lang: str, _: str | None) -> str:
        return sentence[lang].format(seat=game.namer.seat(player, lang) if player >= 0 else "")

    return Event("ends", seat, {"ends": name, "by": seat}, text)


UNTOLD = ("rule",)
"""Log entries without an event."""
UNRECORDED = (*UNTOLD, "received", "turned", "ends")
"""Log entries that a record leaves out, because they follow from others."""
_MAKERS: dict[str, Callable[[Compiled, CoreEvent], Event]] = {
    **dict.fromkeys(MIXED, _shuffled),
    "roll": _roll,
    "lots": _lots,
    "move": _move,
    "received": _received,
    "turned": _turned,
    "score": _score,
    "say": _say,
    "ends": _ends,
    "taken_back": lambda *_: Event("taken_back", None, {"taken_back": True}, lambda lang, _: _TAKEN_BACK[lang]),
}
