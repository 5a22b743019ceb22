"""The screen of the players at one keyboard: news at the top, then the table, the moves and the prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.cli import output
from hoyle.cli.playing.commands import COMMANDS, SkippedChoice, format_offer
from hoyle.cli.playing.keyboard import Console
from hoyle.cli.playing.news import FEWEST_LINES, MANY_EVENTS, News, NewsLines, shorten
from hoyle.cli.playing.offers import count_fewest_lines, list_choices
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.look import BELOW, Look, Place, fit_to_terminal
from hoyle.presentation.play_text import fill_text, name_move, sort_moves, use_hand_order, wrap_lines
from hoyle.presentation.players import HUMAN
from hoyle.presentation.table.piles import Looks, find_changes, has_new_sign, list_visible, update_looks
from hoyle.presentation.table.sheets import draw_deal_end
from hoyle.presentation.table.spoken import SpokenLine, make_spoken_lines, speak_changes, speak_table
from hoyle.presentation.table.table import LayoutMemory, draw_table
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.game.game import Game, State
    from hoyle.game.moves.legal import Move
    from hoyle.game.views.view import View


LOWEST = 10
"""On a lower screen, output scrolls instead of filling pages."""
MOVE_LINES = 4
"""Lines that a table leaves for moves."""
FULL_LIST = 8
"""A list of at most this many lines is shown in full, before news get room."""
LISTED = 60
"""More moves than this take more lines than `FULL_LIST`."""
NEWS_PART = 3
"""News take at most a third of a screen if something else needs the room."""


Draw = Callable[[int, bool], list[str]]
"""Draws a table in a number of lines. True allows it to omit details."""


class Page(Struct, frozen=True):
    """The lines above the moves, and the number of lines left for moves."""

    news: list[str]
    drawn: list[str]
    room: int


class Below(Struct, frozen=True):
    """The lines below the table: their least number, and how many are used if there is more room."""

    least: int
    taken: Callable[[int], int]


def measure_below(state: State, moves: Sequence[Move], look: Look, beside: int) -> Below:
    """Measure the lines that the moves and `beside` other lines need."""

    def lines(room: int) -> int:
        return len(list_choices(state, moves, look, room - beside)) + beside if moves else 0

    few = count_fewest_lines(state, moves, look) if 0 < len(moves) <= LISTED else len(moves)
    return Below((few if MOVE_LINES < few <= FULL_LIST else min(len(moves), MOVE_LINES)) + beside, lines)


def count_screen_lines(lines: Sequence[str], look: Look) -> int:
    """Count the lines on the screen that these lines take once they are wrapped."""
    return sum(max(1, -(-width(line) // look.width)) for line in wrap_lines(lines, look))


def choose_news(news_lines: NewsLines, seat: str | None, look: Look, rows: int) -> list[str]:
    """Return as much news as fits.

    Tries all news, then one line for each trick, then only the latest lines.
    """
    for way in (news_lines.lines, news_lines.dense):
        if count_screen_lines(way, look) <= rows:
            return way
    fewer = (shorten(news_lines.dense, seat, count, news_lines.own) for count in range(rows, FEWEST_LINES - 1, -1))
    return next((way for way in (*fewer, news_lines.dense[-1:]) if count_screen_lines(way, look) <= rows), [])


def make_page(news_lines: NewsLines, seat: str | None, look: Look, moves: Below, draw: Draw) -> Page:
    """Lay out news and table. If room is short, cut news first, then the table, then all news."""
    lines = (look.height or 0) + BELOW - 2

    def free(rows: int) -> int:
        news = count_screen_lines(choose_news(news_lines, seat, look, rows), look)
        return lines - news - bool(news) - moves.least

    drawn = draw(free(lines // NEWS_PART), False)
    if count_screen_lines(drawn, look) > free(FEWEST_LINES) + max(0, moves.least - MOVE_LINES):
        drawn = draw(free(lines // NEWS_PART), True)
    rows = lines - count_screen_lines(drawn, look)
    news = _share_room(news_lines, seat, look, moves, rows)
    left = rows - count_screen_lines(news, look) - bool(news)
    return Page(news, drawn, max(min(moves.least, 2), left))


def _share_room(news_lines: NewsLines, seat: str | None, look: Look, moves: Below, rows: int) -> list[str]:
    """Choose the news if moves need room too. The list of moves is shortened until news fill their part."""
    most = min(((look.height or 0) + BELOW) // NEWS_PART, rows - moves.least - 1)
    some = choose_news(news_lines, seat, look, most)
    left = moves.taken(rows - count_screen_lines(some, look) - bool(some))
    return choose_news(news_lines, seat, look, max(most, rows - left - 1))


class Screen(Struct, kw_only=True):
    """The state of a game as the players at one keyboard see it."""

    game: Game
    state: State
    kinds: Mapping[str, str]
    look: Look
    console: Console = field(default_factory=Console)
    news: News = field(default_factory=News)
    deals_over: dict[int, State] = {}
    """States at the end of deals, by number of events."""
    left: dict[str, Looks] = {}
    """Views of each person after their last choice."""
    looking: str | None = None
    shown: tuple[State, str | None] | None = None
    """The last table on the screen, and its viewer."""
    forms: dict[str | None, LayoutMemory] = {}
    """Layouts of the last tables, by viewer."""
    heard: dict[str | None, list[SpokenLine]] = {}
    """The last spoken tables, by listener."""
    unmade: str = ""
    """A message about queued moves that were dropped."""
    undone: Move | None = None
    room: int | None = None
    """Lines left for moves below the table, in pages."""

    @property
    def people(self) -> list[str]:
        return [seat for seat, kind in self.kinds.items() if kind == HUMAN]

    @property
    def in_pages(self) -> bool:
        """True if every table begins a new screen."""
        return self.console.has_pages and not self.look.plain and (self.look.height or 0) >= LOWEST

    def show(self, seat: str | None, whole: bool = False) -> None:
        """Show the news and the table as a seat sees them. `whole` shows everything, even if it does not fit."""
        self.look = fit_to_terminal(self.look)
        self._show_deal_ends(seat)
        told, view = self._collect_news(seat), self.state.view(seat)
        if self.look.plain:
            self._speak(view, seat, told, whole)
        else:
            self._draw(view, seat, told, whole)
        self.shown = self.state, seat

    def _speak(self, view: View, seat: str | None, news_lines: NewsLines, whole: bool) -> None:
        """Describe the whole table the first time, then its changes."""
        before, now = self.heard.get(seat), make_spoken_lines(view, self.game.seats, self.look)
        self.heard = {**self.heard, seat: now}
        lines = speak_table(now, self.game.title(lang())) if whole or before is None else speak_changes(before, now)
        self._print([*self._choose_lines(news_lines, seat), *[""] * bool(lines), *lines])

    def _draw(self, view: View, seat: str | None, news_lines: NewsLines, whole: bool) -> None:
        heading, marked = self.game.title(lang()), self._find_changes(seat, view)
        form = (
            LayoutMemory()
            if whole
            else self.forms.get(seat, LayoutMemory()).resize((self.look.width, self.look.height))
        )

        def draw(height: int | None, brief: bool = False) -> list[str]:
            look = replace(self.look, height=height)
            return draw_table(view, self.game.seats, look, heading, marked, brief and not whole, form)

        if self.in_pages:
            self._print_page(make_page(news_lines, seat, self.look, self._measure_below(seat, view), draw))
        else:
            self._print([*self._choose_lines(news_lines, seat), "", *draw(self.look.height)])
        self.forms = self.forms if whole else {**self.forms, seat: form}

    def _choose_lines(self, news_lines: NewsLines, seat: str | None) -> list[str]:
        return shorten(news_lines.fit(MANY_EVENTS), seat) if self.console.terminal else news_lines.lines

    def _print_page(self, made: Page) -> None:
        self.console.page()
        self._print([*made.news, *[""] * bool(made.news), *made.drawn])
        self.room = made.room

    def _measure_below(self, seat: str | None, view: View) -> Below:
        """Measure what goes below the table."""
        if seat is None or seat != self.state.to_act:
            return Below(0, lambda room: 0)
        look = use_hand_order(self.look, view)
        moves = sort_moves(self.state.moves(), look)
        only = fill_text(t("play.only_one"), look) if len(moves) == 1 else []
        beside = wrap_lines(format_offer(self.interruptions, look, len(self.people) > 1), look)
        return measure_below(self.state, moves, look, len([*only, *beside]))

    @property
    def interruptions(self) -> list[SkippedChoice]:
        """Skipped choices; none in a game that is only watched."""
        return []

    def _show_deal_ends(self, seat: str | None) -> None:
        """Show the sheet at the end of each deal; a person at a terminal confirms it."""
        while (end := self.news.find_deal_end(self.state, seat)) is not None:
            told = self.news.take_until(self.state, seat, self.look, end)
            recalled = self.news.recall_until(self.state, seat, self.look, end)
            over = self.deals_over.get(end)
            sheets = draw_deal_end(over.view(seat), self.look) if over is not None else []
            if self.in_pages:
                self.console.page()
            question = t("play.deal_over") + " "
            self._print([*self._fit_news(told, seat, [*sheets, question]), *sheets])
            if self.console.terminal and seat in self.people:
                self._wait(question, recalled)

    def _fit_news(self, news_lines: NewsLines, seat: str | None, below: Sequence[str]) -> list[str]:
        """Return the news that fit above the other lines, at least one."""
        if not self.console.terminal:
            return news_lines.lines
        room = (self.look.height or 0) + BELOW - count_screen_lines(below, self.look)
        return choose_news(news_lines, seat, self.look, room) or news_lines.dense[-1:]

    def _wait(self, question: str, recalled: Sequence[str]) -> None:
        """Wait for Enter, and print past events on request."""
        while COMMANDS.get(self.console.ask(question).casefold()) == "last":
            self._print(recalled)

    def _print(self, lines: Sequence[str]) -> None:
        for line in wrap_lines(lines, self.look):
            output.show(line)

    def _collect_news(self, seat: str | None) -> NewsLines:
        """Return the news above the table; in pages, all since the last choice."""
        undone = self.way_back if self.undone is not None and self.in_pages else ""
        unmade, self.undone, self.unmade = self.unmade, None, ""
        news = self.news.take_current if self.in_pages else self.news.take_new
        return news(self.state, seat, self.look).append_line(unmade).append_line(undone)

    def _find_changes(self, seat: str | None, view: View) -> frozenset[Place]:
        """Return the piles that others changed since the seat's last choice; none after a new deal."""
        if not self.console.terminal or seat not in self.left or self.news.was_dealt(self.state, seat):
            return frozenset()
        return find_changes(self.left[seat], view)

    def recall(self, seat: str | None) -> list[str]:
        """Return all events since the seat's last choice."""
        return self.news.recall(self.state, seat, self.look)

    def _hand_over(self, seat: str) -> None:
        """Clear the screen between players who share a keyboard, and wait for the next one."""
        if self.looking != seat and self._has_secrets(seat):
            hide = self.console.clear if self.looking is not None else lambda: None
            hide()
            self.console.wait(t("play.pass_on", seat=self.look.seat(seat)) + " ")
            hide()
        self.looking = seat

    def _has_secrets(self, seat: str) -> bool:
        """Return whether another player at this keyboard must not see the hand. If so, forced moves are asked for too."""
        known = [list_visible(self.state.view(person)) for person in (seat, *self.people)]
        return len(self.people) > 1 and any(k != known[0] for k in known)

    def has_new_sign(self, seat: str) -> bool:
        """Return whether a sign is visible that the last table did not show."""
        return self.shown is None or has_new_sign(self.shown[0].view(seat), self.state.view(seat))

    def _note_forced_changes(self, was: State) -> None:
        """Note changes by forced moves as the player's own."""
        seat = was.to_act
        if seat is not None and seat in self.left:
            self.left[seat] = update_looks(self.left[seat], was.view(seat), self.state.view(seat))

    @property
    def way_back(self) -> str:
        """A sentence that says which choice was taken back."""
        assert self.undone is not None
        return t("play.undone", move=name_move(self.undone, self.look))
