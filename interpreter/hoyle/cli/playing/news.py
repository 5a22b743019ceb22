"""Tracks which events each player has been told, and renders the events above the next table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.game.events import list_told_events
from hoyle.language.sentences import format_integer
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


class NewsItem(Struct, frozen=True):
    """An event, its words, and the line to print."""

    event: Event
    text: str
    line: str
    mark: str = ""
    """Text behind a move that nobody was asked for."""


class NewsLines(Struct, frozen=True):
    """News as lines, and as fewer lines for a small screen."""

    lines: list[str]
    dense: list[str]
    own: frozenset[str] = frozenset()
    """Lines about moves made for the reader without asking; they are never left out."""

    def fit(self, most: int) -> list[str]:
        """Return all lines if they fit, else the dense ones."""
        return self.lines if len(self.lines) <= most else self.dense

    def append_line(self, line: str) -> NewsLines:
        """Return the news with one more line."""
        return NewsLines([*self.lines, line], [*self.dense, line], self.own) if line else self


def make_news(items: Sequence[NewsItem], look: Look, seat: str | None = None) -> NewsLines:
    """Make lines of events, in full and with one line for each trick."""
    dense = list(_join_tricks(items, look))
    each = [(item.line, [item]) for item in items]
    own = {line for line, run in (*each, *dense) if any(item.mark and item.event.seat == seat for item in run)}
    return NewsLines([item.line for item in items], [line for line, _ in dense], frozenset(own))


def _join_tricks(items: Sequence[NewsItem], look: Look) -> Iterator[tuple[str, Sequence[NewsItem]]]:
    """Yield lines with their items; a trick takes one line."""
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


def _list_played(items: Sequence[NewsItem], look: Look) -> list[str]:
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
    """Events that each seat has been told.

    `earlier` events happened before this session and are not repeated. Moves are numbered by their place in the log: `forced` moves had no
    alternative, `silent` ones are not told, `ahead` ones were typed in advance. `reasons` has the first forced bare move of each name, which is
    told with its rule.

    """

    earlier: int = 0
    told: dict[str | None, int] = {}
    forced: set[int] = set()
    forced_words: set[int] = set()
    """The forced moves that are bare."""
    closed: dict[str | None, int] = {}
    """Number of events when the last deal that a seat has seen ended."""
    silent: set[int] = set()
    ahead: set[int] = set()
    reasons: dict[int, Move] = {}

    def add_forced(self, number: int, move: Move) -> None:
        """Note a move without alternatives."""
        self.forced.add(number)
        if is_bare_move(move):
            self.forced_words.add(number)
        if is_bare_move(move) and move.name not in {known.name for known in self.reasons.values()}:
            self.reasons[number] = move

    def take_new(self, state: State, seat: str | None, look: Look) -> NewsLines:
        """Return the events that are new to a seat, and mark them as told."""
        known = self.told.get(seat, self.earlier)
        self.told[seat] = len(state.core.log or ())
        return self._make_news(state, seat, look, known)

    def recall(self, state: State, seat: str | None, look: Look) -> list[str]:
        """Return all events since the last choice of a seat."""
        return self._make_news(state, seat, look, self._find_last_choice(state, seat)).lines

    def take_current(self, state: State, seat: str | None, look: Look) -> NewsLines:
        """Return the same without events before this session, and mark them as told."""
        self.told[seat] = len(state.core.log or ())
        begin = max(self.earlier, self._find_last_choice(state, seat), self.closed.get(seat, 0))
        return self._make_news(state, seat, look, begin)

    def has_surprise(self, state: State, seat: str | None) -> bool:
        """Return whether cards or dice that the seat has not seen have come up."""
        log = state.core.log or ()
        return any(raw[0] in _CHANCE for raw in log[self.told.get(seat, self.earlier) :])

    def was_dealt(self, state: State, seat: str) -> bool:
        """Return whether everything was shuffled or cut since the seat's last choice, so that changes cannot be marked."""
        return any(raw[0] in MIXED for raw in (state.core.log or ())[self._find_last_choice(state, seat) :])

    def find_deal_end(self, state: State, seat: str | None) -> int | None:
        """Return the number of events at the end of the first deal that the seat has not seen end."""
        log, begin = state.core.log or (), max(self.closed.get(seat, 0), self.earlier)
        return next((n + 1 for n in range(begin, len(log)) if log[n][:2] == DEAL_OVER), None)

    def take_until(self, state: State, seat: str | None, look: Look, end: int) -> NewsLines:
        """Return the untold events up to the end of a deal, and mark them as told."""
        begin = max(self.told.get(seat, self.earlier), self.closed.get(seat, 0))
        self.closed[seat] = end
        self.told[seat] = max(end, self.told.get(seat, 0))
        return self._make_news(state, seat, look, begin, end)

    def recall_until(self, state: State, seat: str | None, look: Look, end: int) -> list[str]:
        """Return the events from the last choice of a seat to the end of a deal."""
        return self._make_news(state, seat, look, self._find_last_choice(state, seat), end).lines

    def has_unseen_moves(self, state: State, seat: str) -> bool:
        """Return whether a forced move of this seat and later moves of others are unseen. Bare moves do not count."""
        log = state.core.log or ()
        new = [n for n in range(self.told.get(seat, self.earlier), len(log)) if log[n][0] == "move"]
        player, words = state.game.seats.index(seat), self.forced_words
        own = next((n for n in new if log[n][1] == player and n in self.forced - words), len(log))
        return any(log[n][1] != player for n in new if n > own)

    def go_back_to(self, events: int) -> None:
        """Forget everything after the first events."""
        self.told = {seat: min(known, events) for seat, known in self.told.items()}
        self.closed = {seat: min(known, events) for seat, known in self.closed.items()}
        self.forced = {number for number in self.forced if number < events}
        self.forced_words &= self.forced
        self.silent = {number for number in self.silent if number < events}
        self.ahead = {number for number in self.ahead if number < events}
        self.reasons = {number: move for number, move in self.reasons.items() if number < events}

    def _find_last_choice(self, state: State, seat: str | None) -> int:
        player = state.game.seats.index(seat) if seat in state.game.seats else None
        log = state.core.log or ()
        if player is None:
            return max(0, len(log) - 2 * MANY_EVENTS)
        own = (n for n in reversed(range(len(log))) if log[n][0] == "move" and log[n][1] == player)
        return next((n for n in own if n not in self.forced | self.silent | self.ahead), 0)

    def _make_news(self, state: State, seat: str | None, look: Look, begin: int, end: int | None = None) -> NewsLines:
        found = self._number(state, seat, look, begin)
        return make_news([item for number, item in found if end is None or number < end], look, seat)

    def _number(self, state: State, seat: str | None, look: Look, begin: int) -> Iterator[tuple[int, NewsItem]]:
        return add_totals(self._list_items(state, seat, look, begin), state.core.log or ())

    def _list_items(self, state: State, seat: str | None, look: Look, begin: int) -> Iterator[tuple[int, NewsItem]]:
        for number, event in list_told_events(state.game.compiled, state.core, begin):
            text = draw_text(event.text(lang(), seat), look)
            if text and number not in self.silent:
                mark = self._make_mark(number)
                yield number, NewsItem(event, text, add_rule(text + mark, event, look), mark)
                if (move := self.reasons.get(number)) is not None:
                    yield number, NewsItem(event, "", f"  {draw_text(move.rule.text(lang()), look)}")

    def _make_mark(self, number: int) -> str:
        return f" ({t('play.only_move')})" if number in self.forced else ""


def add_totals(items: Iterable[tuple[int, NewsItem]], log: Sequence[CoreEvent]) -> Iterator[tuple[int, NewsItem]]:
    """Add the total behind the last of several scores for the same item."""
    for cell, run in groupby(items, lambda one: log[one[0]][3] if log[one[0]][0] == "score" else None):
        *before, (number, last) = run
        yield from before
        if cell is not None and before:
            total = sum(int(log[other][1]) for other, _ in (*before, (number, last)))
            words = f" — {t('play.in_all', total=format_integer(total, lang()))}"
            last = NewsItem(last.event, last.text + words, last.line + words, last.mark)
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
