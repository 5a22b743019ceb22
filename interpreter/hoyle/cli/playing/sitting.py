"""What the people at one keyboard have been shown and told of a game: the news, the table, whose eyes it is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.cli import output
from hoyle.cli.playing.commands import COMMANDS, Passed, offered
from hoyle.cli.playing.keyboard import Console
from hoyle.cli.playing.news import FEWEST, MANY, Heard, News, shortened
from hoyle.cli.playing.offers import choices, fewest
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
"""A screen lower than this for its table is no page: lines follow each other."""
MOVES = 4
"""So many lines of moves a table leaves room for, if there are as many."""
WHOLE = 8
"""A list of so many lines is shown whole before there are news."""
LISTED = 60
"""More moves than these take more lines than that."""
NEWS = 3
"""News take no more than the third part of a screen, as long as there is something else to show."""


Draw = Callable[[int, bool], list[str]]
"""A table for so many lines, with everything or as brief as it must be."""


class Page(Struct, frozen=True):
    """What stands on a screen above the moves, and how many lines are left for these."""

    news: list[str]
    drawn: list[str]
    room: int


class Below(Struct, frozen=True):
    """What is to stand between the table and the prompt: in how few lines, and how many it takes where there are so many."""

    least: int
    taken: Callable[[int], int]


def below(state: State, moves: Sequence[Move], look: Look, beside: int) -> Below:
    """The moves, and so many lines `beside` them."""

    def lines(room: int) -> int:
        return len(choices(state, moves, look, room - beside)) + beside if moves else 0

    few = fewest(state, moves, look) if 0 < len(moves) <= LISTED else len(moves)
    return Below((few if MOVES < few <= WHOLE else min(len(moves), MOVES)) + beside, lines)


def taken(lines: Sequence[str], look: Look) -> int:
    """The lines of the screen that these take, broken where words end; what is longer than a line breaks at its edge."""
    return sum(max(1, -(-width(line) // look.width)) for line in wrap_lines(lines, look))


def filling(told: Heard, seat: str | None, look: Look, rows: int) -> list[str]:
    """As much of the news as so many lines of the screen hold: in full, with a trick on a line, or the latest of these."""
    for way in (told.lines, told.dense):
        if taken(way, look) <= rows:
            return way
    fewer = (shortened(told.dense, seat, count, told.own) for count in range(rows, FEWEST - 1, -1))
    return next((way for way in (*fewer, told.dense[-1:]) if taken(way, look) <= rows), [])


def page(told: Heard, seat: str | None, look: Look, moves: Below, draw: Draw) -> Page:
    """A page of what happened and of the table. Where it does not fit there are fewer news, then less of the table, then no news at all;
    lines that nothing else needs are for news."""
    lines = (look.height or 0) + BELOW - 2

    def free(rows: int) -> int:
        news = taken(filling(told, seat, look, rows), look)
        return lines - news - bool(news) - moves.least

    drawn = draw(free(lines // NEWS), False)
    if taken(drawn, look) > free(FEWEST) + max(0, moves.least - MOVES):
        drawn = draw(free(lines // NEWS), True)
    rows = lines - taken(drawn, look)
    news = _shared(told, seat, look, moves, rows)
    left = rows - taken(news, look) - bool(news)
    return Page(news, drawn, max(min(moves.least, 2), left))


def _shared(told: Heard, seat: str | None, look: Look, moves: Below, rows: int) -> list[str]:
    """What is told above so many lines with the moves: these in as few lines as may be until the third part of a screen is full of news, then
    as they are best, and what they leave."""
    most = min(((look.height or 0) + BELOW) // NEWS, rows - moves.least - 1)
    some = filling(told, seat, look, most)
    left = moves.taken(rows - taken(some, look) - bool(some))
    return filling(told, seat, look, max(most, rows - left - 1))


class Sitting(Struct, kw_only=True):
    """A game as far as people at one keyboard look at it."""

    game: Game
    state: State
    kinds: Mapping[str, str]
    look: Look
    console: Console = field(default_factory=Console)
    news: News = field(default_factory=News)
    deals_over: dict[int, State] = {}
    """The states in which deals were over, by how many events had happened."""
    left: dict[str, Looks] = {}
    """What each person saw right after his last choice, and what he did himself."""
    looking: str | None = None
    shown: tuple[State, str | None] | None = None
    """The last table on the screen, and as whom it was seen."""
    forms: dict[str | None, LayoutMemory] = {}
    """The forms of the last tables, by who saw them: what another needed room for shows in none."""
    heard: dict[str | None, list[SpokenLine]] = {}
    """The last tables that were said in words, by who heard them."""
    unmade: str = ""
    """What was typed and not made, which is to be told."""
    undone: Move | None = None
    room: int | None = None
    """Lines that are left for moves below the table, where it is to stay on the screen."""

    @property
    def people(self) -> list[str]:
        return [seat for seat, kind in self.kinds.items() if kind == HUMAN]

    @property
    def in_pages(self) -> bool:
        """Does every table begin a new screen, with what happened above it?"""
        return self.console.pages and not self.look.plain and (self.look.height or 0) >= LOWEST

    def show(self, seat: str | None, whole: bool = False) -> None:
        """What happened since this seat last looked, or chose, and the table as it sees it: as much as there is room for, or the whole."""
        self.look = fit_to_terminal(self.look)
        self._close_deals(seat)
        told, view = self._told(seat), self.state.view(seat)
        if self.look.plain:
            self._speak(view, seat, told, whole)
        else:
            self._draw(view, seat, told, whole)
        self.shown = self.state, seat

    def _speak(self, view: View, seat: str | None, told: Heard, whole: bool) -> None:
        """In words: the first time the whole table, then what has become of it since."""
        before, now = self.heard.get(seat), make_spoken_lines(view, self.game.seats, self.look)
        self.heard = {**self.heard, seat: now}
        lines = speak_table(now, self.game.title(lang())) if whole or before is None else speak_changes(before, now)
        self._say([*self._lines(told, seat), *[""] * bool(lines), *lines])

    def _draw(self, view: View, seat: str | None, told: Heard, whole: bool) -> None:
        heading, marked = self.game.title(lang()), self._changed(seat, view)
        form = (
            LayoutMemory()
            if whole
            else self.forms.get(seat, LayoutMemory()).resize((self.look.width, self.look.height))
        )

        def draw(height: int | None, brief: bool = False) -> list[str]:
            look = replace(self.look, height=height)
            return draw_table(view, self.game.seats, look, heading, marked, brief and not whole, form)

        if self.in_pages:
            self._turn_page(page(told, seat, self.look, self._below(seat, view), draw))
        else:
            self._say([*self._lines(told, seat), "", *draw(self.look.height)])
        self.forms = self.forms if whole else {**self.forms, seat: form}

    def _lines(self, told: Heard, seat: str | None) -> list[str]:
        return shortened(told.within(MANY), seat) if self.console.terminal else told.lines

    def _turn_page(self, made: Page) -> None:
        self.console.page()
        self._say([*made.news, *[""] * bool(made.news), *made.drawn])
        self.room = made.room

    def _below(self, seat: str | None, view: View) -> Below:
        """What whoever is asked reads below the table."""
        if seat is None or seat != self.state.to_act:
            return Below(0, lambda room: 0)
        look = use_hand_order(self.look, view)
        moves = sort_moves(self.state.moves(), look)
        only = fill_text(t("play.only_one"), look) if len(moves) == 1 else []
        beside = wrap_lines(offered(self.interruptions, look, len(self.people) > 1), look)
        return below(self.state, moves, look, len([*only, *beside]))

    @property
    def interruptions(self) -> list[Passed]:
        """Where somebody was not asked since a person chose last; nowhere, in a game that is only looked at."""
        return []

    def _close_deals(self, seat: str | None) -> None:
        """At the end of each deal the sheet; a person at a terminal goes on when he has seen it."""
        while (end := self.news.deal_over(self.state, seat)) is not None:
            told = self.news.until(self.state, seat, self.look, end)
            recalled = self.news.recalled_until(self.state, seat, self.look, end)
            over = self.deals_over.get(end)
            sheets = draw_deal_end(over.view(seat), self.look) if over is not None else []
            if self.in_pages:
                self.console.page()
            question = t("play.deal_over") + " "
            self._say([*self._above(told, seat, [*sheets, question]), *sheets])
            if self.console.terminal and seat in self.people:
                self._wait(question, recalled)

    def _above(self, told: Heard, seat: str | None, below: Sequence[str]) -> list[str]:
        """The news that there is room for above what stands below them, and one at least."""
        if not self.console.terminal:
            return told.lines
        room = (self.look.height or 0) + BELOW - taken(below, self.look)
        return filling(told, seat, self.look, room) or told.dense[-1:]

    def _wait(self, question: str, recalled: Sequence[str]) -> None:
        """Until Enter is pressed; what happened is told whoever asks for it."""
        while COMMANDS.get(self.console.ask(question).casefold()) == "last":
            self._say(recalled)

    def _say(self, lines: Sequence[str]) -> None:
        for line in wrap_lines(lines, self.look):
            output.show(line)

    def _told(self, seat: str | None) -> Heard:
        """What there is to tell before the table; in pages also what was told since the last choice."""
        undone = self.way_back if self.undone is not None and self.in_pages else ""
        unmade, self.undone, self.unmade = self.unmade, None, ""
        news = self.news.current if self.in_pages else self.news.fresh
        return news(self.state, seat, self.look).and_then(unmade).and_then(undone)

    def _changed(self, seat: str | None, view: View) -> frozenset[Place]:
        """The piles that others changed since this seat chose; none if all was dealt anew."""
        if not self.console.terminal or seat not in self.left or self.news.deals(self.state, seat):
            return frozenset()
        return find_changes(self.left[seat], view)

    def recall(self, seat: str | None) -> list[str]:
        """Everything that happened since this seat last chose, as it may know it."""
        return self.news.recalled(self.state, seat, self.look)

    def _hand_over(self, seat: str) -> None:
        """Between two people at one keyboard nobody sees what the other holds; nor does anybody what the first one holds, before whom
        there is nothing to take off the screen."""
        if self.looking != seat and self._keeps_secrets(seat):
            hide = self.console.clear if self.looking is not None else lambda: None
            hide()
            self.console.wait(t("play.pass_on", seat=self.look.seat(seat)) + " ")
            hide()
        self.looking = seat

    def _keeps_secrets(self, seat: str) -> bool:
        """Does somebody at this keyboard know what another may not? Then who has only one move is asked like anybody else."""
        known = [list_visible(self.state.view(person)) for person in (seat, *self.people)]
        return len(self.people) > 1 and any(k != known[0] for k in known)

    def uncovers_something(self, seat: str) -> bool:
        """Is something seen that was not on the last table?"""
        return self.shown is None or has_new_sign(self.shown[0].view(seat), self.state.view(seat))

    def _left_by(self, was: State) -> None:
        """What a person changes without being asked is none of the others' doing."""
        seat = was.to_act
        if seat is not None and seat in self.left:
            self.left[seat] = update_looks(self.left[seat], was.view(seat), self.state.view(seat))

    @property
    def way_back(self) -> str:
        """That a choice was taken back, and how to make it again."""
        assert self.undone is not None
        return t("play.undone", move=name_move(self.undone, self.look))
