"""What each player has been told of a game, and the events shown above the next table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.game.events import list_told_events
from hoyle.language.sentences import integer
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.look import Look, draw_text
from hoyle.presentation.play_text import is_bare_move
from hoyle.printable import width
from hoyle.running.state import CHANCE, ENDED, MIXED

if TYPE_CHECKING:
    from hoyle.game.events import Event
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move
    from hoyle.running.state import Event as CoreEvent


FEWEST_CARDS = 2


class Item(Struct, frozen=True):
    """An event, its words, and the line that they make."""

    event: Event
    text: str
    line: str
    mark: str = ""
    """Behind a move: that nobody was asked for it."""


class Heard(Struct, frozen=True):
    """What there is to tell: line by line, and in fewer lines for where there is no room."""

    lines: list[str]
    dense: list[str]
    own: frozenset[str] = frozenset()
    """Those with what was done for whom they are told, who was not asked: he is to see them, whatever is left out."""

    def within(self, most: int) -> list[str]:
        """In full if that takes no more lines than so many."""
        return self.lines if len(self.lines) <= most else self.dense

    def and_then(self, line: str) -> Heard:
        """And this behind it."""
        return Heard([*self.lines, line], [*self.dense, line], self.own) if line else self


def make_news(items: Sequence[Item], look: Look, seat: str | None = None) -> Heard:
    """All these, and the same with a trick on a line."""
    dense = list(_join_tricks(items, look))
    each = [(item.line, [item]) for item in items]
    own = {line for line, run in (*each, *dense) if any(item.mark and item.event.seat == seat for item in run)}
    return Heard([item.line for item in items], [line for line, _ in dense], frozenset(own))


def _join_tricks(items: Sequence[Item], look: Look) -> Iterator[tuple[str, Sequence[Item]]]:
    """The lines, each with what it tells."""
    at, tricks = 0, any(item.event.data.get("ends") == "trick" for item in items)
    while at < len(items):
        played = _list_played(items[at:], look) if tricks else []
        after = items[at + len(played)] if at + len(played) < len(items) else None
        if len(played) < FEWEST_CARDS:
            yield items[at].line, items[at : at + 1]
            at += 1
        elif after is not None and after.event.kind == "ends":
            yield add_rule(f"{', '.join(played)} — {after.text}", after.event, look), items[at : at + len(played)]
            at += len(played) + 1
        else:
            yield ", ".join(played), items[at : at + len(played)]
            at += len(played)


def _list_played(items: Sequence[Item], look: Look) -> list[str]:
    """Return who played which piece, as long as each makes the same move with one piece."""
    found, seats, name = list[str](), set[str | None](), ""
    for item in items:
        own, _, sign = str(item.event.data.get("move", "")).partition(" ")
        if sign not in look.pieces.written or item.event.seat in seats or own != (name or own):
            break
        name = own
        seats.add(item.event.seat)
        text = f"{look.seat(str(item.event.seat))} {look.pieces.written[sign].text}"
        found.append(draw_text(text, look) + item.mark)
    return found


def add_rule(text: str, event: Event, look: Look) -> str:
    """Add a thin line after a trick and a thick one after a deal."""
    if event.kind != "ends" or look.plain:
        return text
    fancy, bare = ("━", "=") if event.data["ends"] == "deal" else ("─", "-")
    return f"{text} {look.ink(look.sign(fancy, bare) * max(0, look.width - width(text) - 1), 'dim')}"


MANY_EVENTS = 8
"""With more events than this, only the latest are shown where output scrolls."""
FEWEST_LINES = 2
"""Lines of news that are always shown."""
_CHANCE = (*CHANCE, "received", "turned")
"""Events that bring something nobody chose."""
DEAL_OVER = ("ends", ENDED.index("deal"))
"""Log entry for the end of a deal."""


class News(Struct):
    """Whom what was told. `earlier`: so many events happened before this sitting, and nobody is told them again; `forced`: the moves, by their
    numbers in the log, that nobody was asked for; `silent`: those of nobody who had anything to say, which are not told; `ahead`: those that were
    typed with the one before, so that nobody looked in between; `reasons`: of moves of one word that nobody was asked for, as to pass, the first of each,
    which is told with its rule."""

    earlier: int = 0
    told: dict[str | None, int] = {}
    forced: set[int] = set()
    forced_words: set[int] = set()
    """Of these, those of one word."""
    closed: dict[str | None, int] = {}
    """Who has been shown the end of which deal: how many events had happened then."""
    silent: set[int] = set()
    ahead: set[int] = set()
    reasons: dict[int, Move] = {}

    def force(self, number: int, move: Move) -> None:
        """Nobody was asked for this move."""
        self.forced.add(number)
        if is_bare_move(move):
            self.forced_words.add(number)
        if is_bare_move(move) and move.name not in {known.name for known in self.reasons.values()}:
            self.reasons[number] = move

    def fresh(self, state: State, seat: str | None, look: Look) -> Heard:
        """The events that this seat has not been told, as it may know them; from now on it has."""
        known = self.told.get(seat, self.earlier)
        self.told[seat] = len(state.core.log or ())
        return self._heard(state, seat, look, known)

    def recalled(self, state: State, seat: str | None, look: Look) -> list[str]:
        """All that happened from the last choice of this seat on, that included."""
        return self._heard(state, seat, look, self._last_choice(state, seat)).lines

    def current(self, state: State, seat: str | None, look: Look) -> Heard:
        """The same without what was before this sitting, for a screen that shows only what is now."""
        self.told[seat] = len(state.core.log or ())
        begin = max(self.earlier, self._last_choice(state, seat), self.closed.get(seat, 0))
        return self._heard(state, seat, look, begin)

    def brings(self, state: State, seat: str | None) -> bool:
        """Has something been turned up, dealt or thrown that this seat has not been shown?"""
        log = state.core.log or ()
        return any(raw[0] in _CHANCE for raw in log[self.told.get(seat, self.earlier) :])

    def deals(self, state: State, seat: str) -> bool:
        """Return whether all pieces were shuffled or cut since this seat last chose. Nothing can be compared then."""
        return any(raw[0] in MIXED for raw in (state.core.log or ())[self._last_choice(state, seat) :])

    def deal_over(self, state: State, seat: str | None) -> int | None:
        """So many events had happened when the first deal was over whose end this seat has not been shown."""
        log, begin = state.core.log or (), max(self.closed.get(seat, 0), self.earlier)
        return next((n + 1 for n in range(begin, len(log)) if log[n][:2] == DEAL_OVER), None)

    def until(self, state: State, seat: str | None, look: Look, end: int) -> Heard:
        """What this seat has not been told of a deal that is over; from now on it has."""
        begin = max(self.told.get(seat, self.earlier), self.closed.get(seat, 0))
        self.closed[seat] = end
        self.told[seat] = max(end, self.told.get(seat, 0))
        return self._heard(state, seat, look, begin, end)

    def recalled_until(self, state: State, seat: str | None, look: Look, end: int) -> list[str]:
        """All that happened from the last choice of this seat to the end of a deal."""
        return self._heard(state, seat, look, self._last_choice(state, seat), end).lines

    def passes_unseen(self, state: State, seat: str) -> bool:
        """Has something been done for this seat, and then by others, that it has not been shown? Words alone, as to pass, are not looked for."""
        log = state.core.log or ()
        new = [n for n in range(self.told.get(seat, self.earlier), len(log)) if log[n][0] == "move"]
        player, words = state.game.seats.index(seat), self.forced_words
        own = next((n for n in new if log[n][1] == player and n in self.forced - words), len(log))
        return any(log[n][1] != player for n in new if n > own)

    def back(self, events: int) -> None:
        """Only so many events have happened."""
        self.told = {seat: min(known, events) for seat, known in self.told.items()}
        self.closed = {seat: min(known, events) for seat, known in self.closed.items()}
        self.forced = {number for number in self.forced if number < events}
        self.forced_words &= self.forced
        self.silent = {number for number in self.silent if number < events}
        self.ahead = {number for number in self.ahead if number < events}
        self.reasons = {number: move for number, move in self.reasons.items() if number < events}

    def _last_choice(self, state: State, seat: str | None) -> int:
        player = state.game.seats.index(seat) if seat in state.game.seats else None
        log = state.core.log or ()
        if player is None:
            return max(0, len(log) - 2 * MANY_EVENTS)
        own = (n for n in reversed(range(len(log))) if log[n][0] == "move" and log[n][1] == player)
        return next((n for n in own if n not in self.forced | self.silent | self.ahead), 0)

    def _heard(self, state: State, seat: str | None, look: Look, begin: int, end: int | None = None) -> Heard:
        found = self._numbered(state, seat, look, begin)
        return make_news([item for number, item in found if end is None or number < end], look, seat)

    def _numbered(self, state: State, seat: str | None, look: Look, begin: int) -> Iterator[tuple[int, Item]]:
        return add_totals(self._one_by_one(state, seat, look, begin), state.core.log or ())

    def _one_by_one(self, state: State, seat: str | None, look: Look, begin: int) -> Iterator[tuple[int, Item]]:
        for number, event in list_told_events(state.game.compiled, state.core, begin):
            text = draw_text(event.text(lang(), seat), look)
            if text and number not in self.silent:
                mark = self._mark(number)
                yield number, Item(event, text, add_rule(text + mark, event, look), mark)
                if (move := self.reasons.get(number)) is not None:
                    yield number, Item(event, "", f"  {draw_text(move.rule.text(lang()), look)}")

    def _mark(self, number: int) -> str:
        return f" ({t('play.only_move')})" if number in self.forced else ""


def add_totals(items: Iterable[tuple[int, Item]], log: Sequence[CoreEvent]) -> Iterator[tuple[int, Item]]:
    """Add the total behind the last of several scores for the same item."""
    for cell, run in groupby(items, lambda one: log[one[0]][3] if log[one[0]][0] == "score" else None):
        *before, (number, last) = run
        yield from before
        if cell is not None and before:
            total = sum(int(log[other][1]) for other, _ in (*before, (number, last)))
            words = f" — {t('play.in_all', total=integer(total, lang()))}"
            last = Item(last.event, last.text + words, last.line + words, last.mark)
        yield number, last


def shorten(
    lines: Sequence[str], seat: str | None, most: int = MANY_EVENTS, own: frozenset[str] = frozenset()
) -> list[str]:
    """Keep the latest lines, the count, and this seat's own forced moves."""
    if len(lines) <= most:
        return list(lines)
    for latest in range(most - (seat is not None), 0, -1):
        head = [t("play.many_events", count=len(lines), latest=latest)] if seat is not None else []
        found = [*(line for line in lines[:-latest] if line in own), *head, *lines[-latest:]]
        if len(found) <= most:
            return found
    return list(lines[-1:])
