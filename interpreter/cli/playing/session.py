"""A game at the terminal: whose turn it is, what each person has been told, the way back, and what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from interpreter.cli import output
from interpreter.cli.catalogue import lang, t
from interpreter.cli.drawing.ink import Look, Place
from interpreter.cli.drawing.lines import BELOW, called, fitting, holding, in_order, result_lines, sized
from interpreter.cli.drawing.marks import Looks, caught_up, changed, known_by, looks, uncovers
from interpreter.cli.drawing.progress import waiting
from interpreter.cli.drawing.sheets import at_end
from interpreter.cli.drawing.table import Form, table
from interpreter.cli.files import Record
from interpreter.cli.playing.dense import Heard
from interpreter.cli.playing.interrupting import Passed
from interpreter.cli.playing.keyboard import Console, Left
from interpreter.cli.playing.news import DEAL_OVER, MANY, News, shortened
from interpreter.cli.playing.prompt import Ahead, Prompt
from interpreter.cli.playing.screen import LOWEST, Page, page
from interpreter.cli.playing.seats import HUMAN
from interpreter.game.seen import seen_by
from interpreter.running.chance import Chance
from interpreter.running.machine import MOST_DECISIONS

if TYPE_CHECKING:
    from interpreter.game.game import Game, Move, State
    from interpreter.game.view import View
    from interpreter.players.knowledge import Knowledge
    from interpreter.players.memory import Memory
    from interpreter.players.seats import Player
    from interpreter.players.winning import Key


class Session(Struct):
    """Everything that one game at a terminal needs. `record` is kept after every move of a person and finished at the end."""

    game: Game
    name: str
    state: State
    kinds: Mapping[str, str]
    players: Mapping[str, Player]
    look: Look
    bots: Chance
    record: Record | None
    recorded: Callable[[State, str], str]
    watch: bool = False
    pause: float = 0.0
    console: Console = field(default_factory=Console)
    past: list[tuple[State, Chance, Move]] = []
    passed: list[Passed] = []
    """Where people were not asked."""
    asking: State | None = None
    """Here somebody asks to be asked."""
    news: News = field(default_factory=News)
    deals_over: dict[int, State] = {}
    """The states in which deals were over, by how many events had happened."""
    left: dict[str, Looks] = {}
    """What each person saw right after his last choice, and what he did himself."""
    looking: str | None = None
    shown: tuple[State, str | None] | None = None
    """The last table on the screen, and as whom it was seen."""
    saved: State | None = None
    """The state that was saved last."""
    made: int = 0
    memories: Mapping[str, Memory] = {}
    """What seats remember of the game, those of people for hints."""
    ways: dict[Key, int] = {}
    """What is to be chosen on ways to win that hints have found."""
    ahead: Ahead | None = None
    forms: dict[str | None, Form] = {}
    unmade: str = ""
    """What a person typed `ahead` is still to be made; what was not is to be told. The `forms` are those of the last tables, by who saw them: what another needed room for shows in none."""
    undone: Move | None = None
    room: int | None = None
    """Lines that are left for moves below the table, where it is to stay on the screen."""

    @property
    def people(self) -> list[str]:
        return [seat for seat, kind in self.kinds.items() if kind == HUMAN]

    def run(self) -> None:
        """Plays until the game is over or everybody has left, who are asked before anything is lost."""
        try:
            while not self._left():
                pass
        finally:
            if self.record is not None:
                self.record.finish(self.written(self.record.name))

    def _left(self) -> bool:
        """Plays on; whether that was all."""
        try:
            self._play()
        except Left:
            if self._would_be_lost():
                return self._offer_save()
            output.say(t("play.left"))
        except KeyboardInterrupt:
            return self._offer_save()
        return True

    def _would_be_lost(self) -> bool:
        """Is there somebody to ask, who has chosen something that is kept nowhere? A script means what it says, and at its end there is no answer."""
        return self.console.terminal and bool(self.past) and self.record is None and self.saved is not self.state

    def written(self, name: str) -> str:
        """The game so far, as a record in the file of this name."""
        return self.recorded(self.state, name)

    def _keep(self) -> None:
        """What cannot be written now is told, and does not end the game."""
        try:
            if self.record is not None:
                self.record.keep(self.written(self.record.name))
        except output.Trouble as trouble:
            output.complain(str(trouble))

    def _play(self) -> None:
        self._play_on()
        while self._goes_back():
            self._play_on()

    def _play_on(self) -> None:
        while not self.state.is_over and not output.deserted() and self.made < MOST_DECISIONS:
            self._decide()
        self._end()

    def _goes_back(self) -> bool:
        """Whoever plays alone, and has not won, may take back what led to the end."""
        won = self.game.ruleset.result.won is not None and bool(self.state.winning_sides)
        alone = len(self.game.seats) == len(self.people) == 1
        if won or not alone or not self.past or output.deserted():
            return False
        return Prompt(self, self.people[0], []).goes_back()

    def _decide(self) -> None:
        seat, moves = self.state.to_act, self.state.moves()
        assert seat is not None
        self._forget_ahead(seat)
        if self.kinds[seat] != HUMAN:
            self.make(moves[self._chosen(seat) if len(moves) > 1 else 0])
            self._follow()
        elif self.ahead is not None:
            self._go_on(seat, moves, self.ahead)
        elif (unasked := self._unasked()) is not None:
            self.passed.append(Passed(self.state.decisions, self.state, self.bots.copy()))
            self.make(unasked)
        elif len(moves) == 1 and not self._keeps_secrets(seat) and not self._is_worth_a_look(seat, moves[0]):
            self.make(moves[0], forced=True)
        else:
            self._ask(seat, moves)

    def _forget_ahead(self, seat: str | None) -> None:
        """What somebody typed for moves of his is not made once it is another's turn."""
        if self.ahead is not None and seat != self.ahead.seat:
            self.unmade = t("play.not_made", moves=" ".join(self.ahead.moves))
            self.ahead = None

    def _go_on(self, seat: str, moves: list[Move], ahead: Ahead) -> None:
        """The next move that was typed, if it is clear and legal; else he is asked, and told why it is not made."""
        wanted, *rest = ahead.moves
        found = self.state.meant(wanted)
        self.ahead = Ahead(seat, rest) if rest and len(found) == 1 else None
        if len(found) == 1:
            self._choose(seat, moves, found[0])
        else:
            self._ask(seat, moves, wanted)

    def _unasked(self) -> Move | None:
        """What is done for somebody who does not ask to choose; where it would be the last move, he is asked while there is time."""
        move = self.state.unasked if self.state is not self.asking else None
        return move if move is not None and not self.state.play(move).is_over else None

    @property
    def interruptions(self) -> list[Passed]:
        """Where somebody was not asked since a person chose last."""
        since = self.past[-1][0].decisions if self.past else -1
        return [place for place in self.passed if since < place.decisions < self.state.decisions]

    def interrupt(self, place: Passed) -> None:
        """Goes back to where somebody was not asked, and asks."""
        self._return(place.state, place.bots)
        self.asking = place.state

    def _is_worth_a_look(self, seat: str, move: Move) -> bool:
        """Would somebody at a terminal miss something if his only move were made for him: what was turned up or dealt, or the end of a game that he plays alone?"""
        if not self.console.terminal:
            return False
        if len(self.game.seats) == 1 and (self._uncovers(seat) or self.state.play(move).is_over):
            return True
        return self.news.brings(self.state, seat)

    def _uncovers(self, seat: str) -> bool:
        """Is something seen that was not on the last table?"""
        return self.shown is None or uncovers(self.shown[0].view(seat), self.state.view(seat))

    def _chosen(self, seat: str) -> int:
        core = self.state.core
        with waiting(t("play.thinks", seat=self.look.labels["seats"].get(seat, seat)), self.look.plain):
            return self.players[seat](seen_by(self.game.compiled, core, core.actor), self.bots)

    def make(self, move: Move, forced: bool = False) -> None:
        """Carries a move out; one that nobody was asked for is marked, so that whoever made it is told."""
        core, before, was = self.state.core, len(self.state.core.log or ()), self.state
        if move == was.unasked:
            self.news.silent.add(before)
        self.state = was.play(move)
        self._left_by(was)
        log = self.state.core.log or []
        over = (n + 1 for n in range(before, len(log)) if log[n][:2] == DEAL_OVER)
        self.deals_over.update(dict.fromkeys(over, self.state))
        for memory in self.memories.values():
            memory.moved(core, move.action, self.state.core)
        self.made += 1
        if forced:
            self.news.forced.add(before)

    def _left_by(self, was: State) -> None:
        """What a person changes without being asked is none of the others' doing."""
        seat = was.to_act
        if seat is not None and seat in self.left:
            self.left[seat] = caught_up(self.left[seat], was.view(seat), self.state.view(seat))

    def _ask(self, seat: str, moves: list[Move], typed: str = "") -> None:
        self._hand_over(seat)
        self.show(seat)
        self.look = holding(self.look, self.state.view(seat))
        move = Prompt(self, seat, in_order(moves, self.look)).ask(typed)
        if move is not None:
            self._choose(seat, moves, move)

    def _choose(self, seat: str, moves: Sequence[Move], move: Move) -> None:
        """Makes what a person has chosen. Where there was no choice there is nothing to go back to."""
        if len(moves) > 1:
            self.past.append((self.state, self.bots.copy(), move))
        self.make(move)
        self.left[seat] = looks(self.state.view(seat))
        self._keep()

    def known_to(self, seat: str | None) -> Knowledge | None:
        """What a seat remembers."""
        return self.memories[seat].now if seat is not None and seat in self.memories else None

    @property
    def chose_last(self) -> str | None:
        """The person whose choice `undo` goes back to."""
        return self.past[-1][0].to_act if self.past else None

    def undo(self) -> bool:
        """Back to the last choice of a person."""
        if not self.past:
            return False
        state, bots, self.undone = self.past.pop()
        self._return(state, bots)
        return True

    @property
    def way_back(self) -> str:
        """That a choice was taken back, and how to make it again."""
        assert self.undone is not None
        return t("play.undone", move=called(self.undone, self.look))

    def _return(self, state: State, bots: Chance) -> None:
        """As it was there."""
        moves = self.state.decisions
        self.state, self.bots = state, bots
        for memory in self.memories.values():
            memory.back(moves - state.decisions)
        self.ahead = None
        self.news.back(len(state.core.log or ()))
        self.left.clear()
        self.passed = [place for place in self.passed if place.decisions < state.decisions]

    # What is shown

    @property
    def in_pages(self) -> bool:
        """Does every table begin a new screen, with what happened above it?"""
        return self.console.pages and not self.look.plain and (self.look.height or 0) >= LOWEST

    def show(self, seat: str | None, whole: bool = False) -> None:
        """What happened since this seat last looked, or chose, and the table as it sees it: as much as there is room for, or the whole."""
        self.look = sized(self.look)
        self._close_deals(seat)
        told, view = self._told(seat), self.state.view(seat)
        heading, marked = self.game.title(lang()), self._changed(seat, view)

        form = Form() if whole else self.forms.get(seat, Form()).sized((self.look.width, self.look.height))

        def draw(height: int | None, brief: bool = False) -> list[str]:
            look = replace(self.look, height=height)
            return table(view, self.game.seats, look, heading, marked, brief and not whole, form)

        if self.in_pages:
            self._turn_page(page(told, seat, self.look, self._choices(seat), draw))
        else:
            lines = shortened(told.within(MANY), seat) if self.console.terminal else told.lines
            self._say([*lines, "", *draw(self.look.height)])
        self.shown, self.forms = (self.state, seat), self.forms if whole else {**self.forms, seat: form}

    def _turn_page(self, made: Page) -> None:
        self.console.page()
        self._say([*made.news, *[""] * bool(made.news), *made.drawn])
        self.room = made.room

    def _choices(self, seat: str | None) -> int:
        return len(self.state.moves()) if seat is not None and seat == self.state.to_act else 0

    def _close_deals(self, seat: str | None) -> None:
        """At the end of each deal the sheet; a person at a terminal goes on when he has seen it."""
        while (end := self.news.deal_over(self.state, seat)) is not None:
            told = self.news.until(self.state, seat, self.look, end)
            over = self.deals_over.get(end)
            sheets = at_end(over.view(seat), self.look) if over is not None else []
            room = (self.look.height or 0) + BELOW - len(sheets) - 2
            if self.in_pages:
                self.console.page()
            self._say([*(told[-max(1, room) :] if self.console.terminal else told), *sheets])
            if self.console.terminal and seat in self.people:
                self.console.wait(t("play.deal_over") + " ")

    def _say(self, lines: Sequence[str]) -> None:
        for line in fitting(lines, self.look):
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
        return changed(self.left[seat], view)

    def recall(self, seat: str | None) -> list[str]:
        """Everything that happened since this seat last chose, as it may know it."""
        return self.news.recalled(self.state, seat, self.look)

    def _follow(self) -> None:
        """Bots among themselves, or watched: told move by move."""
        if self.people and not (self.watch and len(self.people) == 1):
            return
        viewer = self.people[0] if self.people else None
        if self.watch:
            self.show(viewer)
        else:
            self._close_deals(viewer)
            self._say(self.news.fresh(self.state, viewer, self.look).lines)
        if self.pause:
            output.flush()
            time.sleep(self.pause)

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
        known = [known_by(self.state.view(person)) for person in (seat, *self.people)]
        return len(self.people) > 1 and any(k != known[0] for k in known)

    def _end(self) -> None:
        self._forget_ahead(None)
        viewer = self.people[0] if len(self.people) == 1 else None
        if self.shown != (self.state, viewer):
            self.show(viewer)
        self._say(["", *result_lines(self.state, self.look)])

    def _offer_save(self) -> bool:
        """Save and leave, leave, or go on. Ctrl-C and the end of the input leave."""
        output.say()
        try:
            answer = self.console.ask(t("play.save_question")).lower()
        except (Left, KeyboardInterrupt):
            answer = "n"
        if answer.startswith("c"):
            output.say(t("play.cancelled"))
            return False
        if not answer.startswith("n"):
            Prompt(self, None, []).save("")
        output.say(t("play.left"))
        return True
