"""A game at the terminal: turns, choices, undo, and the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import field

from hoyle.cli import output
from hoyle.cli.files import RecordFile
from hoyle.cli.output import show_wait
from hoyle.cli.playing.commands import SkippedChoice
from hoyle.cli.playing.keyboard import Left
from hoyle.cli.playing.news import DEAL_OVER
from hoyle.cli.playing.prompt import Prompt, QueuedMoves
from hoyle.cli.playing.screen import Screen
from hoyle.game.views.redaction import redact
from hoyle.presentation.catalogue import UserError, t
from hoyle.presentation.play_text import format_result, sort_moves, use_hand_order
from hoyle.presentation.players import HUMAN
from hoyle.presentation.table.piles import record_all_but_uncovered
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_DECISIONS

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move
    from hoyle.players.bots import Player
    from hoyle.players.inference.knowledge import Knowledge, Memory
    from hoyle.players.search.win_search import StateKey


class Session(Screen, kw_only=True):
    """One game at a terminal. `record` is written after every move of a person and finished at the end."""

    name: str
    players: Mapping[str, Player]
    bots: Chance
    record: RecordFile | None
    recorded: Callable[[State, str], str]
    watch: bool = False
    pause: float = 0.0
    past: list[tuple[State, Chance, Move]] = field(default_factory=list)
    passed: list[SkippedChoice] = field(default_factory=list)
    """Skipped choices."""
    asking: State | None = None
    """State in which a player wants to be asked."""
    saved: State | None = None
    """State that was saved last."""
    made: int = 0
    memories: Mapping[str, Memory] = field(default_factory=dict)
    """Memory of each seat. Hints use that of people."""
    ways: dict[StateKey, int] = field(default_factory=dict)
    """Choices of certain wins that hints have found."""
    ahead: QueuedMoves | None = None
    """Moves typed and not made yet."""

    def run(self) -> None:
        """Play until the game is over or everybody has left. People are asked before a game is lost."""
        try:
            while not self._play_until_left():
                pass
        finally:
            if self.record is not None:
                self.record.finish(self.make_record(self.record.name))

    def _play_until_left(self) -> bool:
        """Play on; return True if that was all."""
        try:
            self._play()
        except Left:
            if self._has_unsaved_choices():
                return self._offer_save()
        except KeyboardInterrupt:
            if self.record is None:
                return self._offer_save()
            output.say()
        else:
            return True
        output.say(t("play.left"))
        return True

    def _has_unsaved_choices(self) -> bool:
        """Return whether a person would lose choices that are recorded nowhere. Scripts are not asked."""
        return self.console.terminal and bool(self.past) and self.record is None and self.saved is not self.state

    def make_record(self, name: str) -> str:
        """Return the record so far, for a file of this name."""
        return self.recorded(self.state, name)

    def _write_record(self) -> None:
        """Write the record; errors are printed and do not end the game."""
        try:
            if self.record is not None:
                self.record.keep(self.make_record(self.record.name))
        except UserError as trouble:
            output.complain(str(trouble))

    def _play(self) -> None:
        self._play_to_end()
        while self._offers_undo():
            self._play_to_end()

    def _play_to_end(self) -> None:
        while not self.state.is_over and not output.has_lost_reader() and self.made < MOST_DECISIONS:
            self._decide()
        self._print_end()

    def _offers_undo(self) -> bool:
        """Let a single player who has not won take back the last choice."""
        won = self.game.ruleset.result.won is not None and bool(self.state.winning_sides)
        alone = len(self.game.seats) == len(self.people) == 1
        if won or not alone or not self.past or output.has_lost_reader():
            return False
        return Prompt(self, self.people[0], []).ask_to_undo()

    def _decide(self) -> None:
        seat, moves = self.state.to_act, self.state.moves()
        assert seat is not None
        self._drop_queue(seat)
        if self.kinds[seat] != HUMAN:
            self.make(moves[self._choose_for_bot(seat) if len(moves) > 1 else 0])
            self._report_bots()
        elif self.ahead is not None:
            self._make_queued_move(seat, moves, self.ahead)
        elif (unasked := self._find_unasked_move()) is not None:
            self.passed.append(SkippedChoice(self.state.decisions, self.state, self.bots.copy()))
            self.make(unasked)
        elif len(moves) == 1 and not self._has_secrets(seat) and not self._is_worth_a_look(seat, moves[0]):
            self.make(moves[0], forced=True)
        else:
            self._ask(seat, moves)

    def _drop_queue(self, seat: str | None) -> None:
        """Drop queued moves when another seat is to act."""
        if self.ahead is not None and seat != self.ahead.seat:
            self.unmade = t("play.not_made", moves=" ".join(self.ahead.moves))
            self.ahead = None

    def _make_queued_move(self, seat: str, moves: list[Move], ahead: QueuedMoves) -> None:
        """Make the next queued move if it is clear and legal; else ask and say why."""
        wanted, *rest = ahead.moves
        found = self.state.meant(wanted)
        self.ahead = QueuedMoves(seat, rest) if rest and len(found) == 1 else None
        if len(found) == 1:
            self.news.ahead.add(len(self.state.core.log or ()))
            self._choose(seat, moves, found[0])
        else:
            self._ask(seat, moves, wanted)

    def _find_unasked_move(self) -> Move | None:
        """Return the move made for a player who is not asked; None if it would end the game."""
        move = self.state.unasked if self.state is not self.asking else None
        return move if move is not None and not self.state.play(move).is_over else None

    @property
    def interruptions(self) -> list[SkippedChoice]:
        """Skipped choices since a player last chose."""
        since = self.past[-1][0].decisions if self.past else -1
        return [place for place in self.passed if since < place.decisions < self.state.decisions]

    def interrupt(self, place: SkippedChoice) -> None:
        """Go back to a skipped choice and ask."""
        self._restore(place.state, place.bots)
        self.asking = place.state

    def _is_worth_a_look(self, seat: str, move: Move) -> bool:
        """Return whether a player would miss something if the only move were made at once: new cards, moves of others, or the end."""
        if not self.console.terminal:
            return False
        if len(self.game.seats) == 1 and (self.has_new_sign(seat) or self.state.play(move).is_over):
            return True
        return self.news.has_surprise(self.state, seat) or self.news.has_unseen_moves(self.state, seat)

    def _choose_for_bot(self, seat: str) -> int:
        core = self.state.core
        with show_wait(t("play.thinks", seat=self.look.labels["seats"].get(seat, seat)), self.look.plain):
            return self.players[seat](redact(self.game.compiled, core, core.actor), self.bots)

    def make(self, move: Move, forced: bool = False) -> None:
        """Make a move. `forced` marks a move without a choice, so that it is announced."""
        core, before, was = self.state.core, len(self.state.core.log or ()), self.state
        if move == was.unasked:
            self.news.silent.add(before)
        self.state = was.play(move)
        self._note_forced_changes(was)
        log = self.state.core.log or []
        over = (n + 1 for n in range(before, len(log)) if log[n][:2] == DEAL_OVER)
        self.deals_over.update(dict.fromkeys(over, self.state))
        for memory in self.memories.values():
            memory.moved(core, move.action, self.state.core)
        self.made += 1
        if forced:
            self.news.add_forced(before, move)

    def _ask(self, seat: str, moves: list[Move], typed: str = "") -> None:
        self._hand_over(seat)
        self.show(seat)
        self.look = use_hand_order(self.look, self.state.view(seat))
        move = Prompt(self, seat, sort_moves(moves, self.look)).ask(typed)
        if move is not None:
            self._choose(seat, moves, move)

    def _choose(self, seat: str, moves: Sequence[Move], move: Move) -> None:
        """Make a chosen move. Without alternatives there is nothing to undo."""
        if len(moves) > 1:
            self.past.append((self.state, self.bots.copy(), move))
        was = self.state.view(seat)
        self.make(move)
        self.left[seat] = record_all_but_uncovered(was, self.state.view(seat))
        self._write_record()

    def get_knowledge(self, seat: str | None) -> Knowledge | None:
        """Return the memory of a seat."""
        return self.memories[seat].now if seat is not None and seat in self.memories else None

    @property
    def chose_last(self) -> str | None:
        """The player whose choice `undo` takes back."""
        return self.past[-1][0].to_act if self.past else None

    def undo(self) -> bool:
        """Go back to the last choice of a player."""
        if not self.past:
            return False
        state, bots, self.undone = self.past.pop()
        self._restore(state, bots)
        return True

    def _restore(self, state: State, bots: Chance) -> None:
        moves = self.state.decisions
        self.state, self.bots = state, bots
        for memory in self.memories.values():
            memory.back(moves - state.decisions)
        self.ahead = None
        self.news.go_back_to(len(state.core.log or ()))
        self.left.clear()
        self.passed = [place for place in self.passed if place.decisions < state.decisions]

    def _report_bots(self) -> None:
        """Report moves of bots one by one if nobody plays, or with `watch`."""
        if self.people and not (self.watch and len(self.people) == 1):
            return
        viewer = self.people[0] if self.people else None
        if self.watch:
            self.show(viewer)
        else:
            self._show_deal_ends(viewer)
            self._print(self.news.take_new(self.state, viewer, self.look).lines)
        if self.pause:
            output.flush()
            time.sleep(self.pause)

    def _print_end(self) -> None:
        self._drop_queue(None)
        viewer = self.people[0] if len(self.people) == 1 else None
        if self.shown != (self.state, viewer):
            self.show(viewer)
        self._print(["", *format_result(self.state, self.look)])

    def _offer_save(self) -> bool:
        """Ask whether to save; return whether to leave. Ctrl-C and the end of input leave."""
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
