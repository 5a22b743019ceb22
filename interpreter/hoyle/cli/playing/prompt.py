"""One question to one player: read lines until a move is chosen or the state has changed."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from hoyle.cli import output
from hoyle.cli.files import choose_record_name, write_new
from hoyle.cli.playing.commands import (
    COMMANDS,
    SAFE_COMMANDS,
    format_offer,
    get_commands,
    get_letters,
    is_request,
    list_commands,
    list_skipped,
    select_skipped,
)
from hoyle.cli.playing.keyboard import Console, Left
from hoyle.cli.playing.offers import list_choices, paginate
from hoyle.diagnostics import find_close_name
from hoyle.game.moves.notation import split_moves
from hoyle.game.moves.parsing import (
    find_signs_by_part,
    find_target_first,
    is_single_letter,
    list_heads,
    parse_move,
    replace_pieces,
)
from hoyle.game.moves.phrases import from_first_person
from hoyle.game.spelling import plain_words
from hoyle.language.syntax import parse_integer
from hoyle.presentation.catalogue import UserError, join_sentences, t
from hoyle.presentation.look import BELOW
from hoyle.presentation.play_text import fill_text, format_reasons, list_moves, name_move, wrap_columns, wrap_lines
from hoyle.running.naming import fold_case

if TYPE_CHECKING:
    from hoyle.cli.playing.commands import SkippedChoice
    from hoyle.game.game import Game, State
    from hoyle.game.moves.legal import Move
    from hoyle.players.inference.knowledge import Knowledge
    from hoyle.players.search.win_search import StateKey
    from hoyle.presentation.look import Look


class QueuedMoves(Struct, frozen=True):
    """Moves that a player typed on one line and that are still to be made."""

    seat: str
    moves: list[str]


class PromptSession(Protocol):
    """The parts of a session that a prompt uses."""

    game: Game
    name: str
    state: State
    look: Look
    console: Console
    ways: dict[StateKey, int]
    saved: State | None
    room: int | None
    ahead: QueuedMoves | None

    def recall(self, seat: str | None) -> list[str]: ...

    def show(self, seat: str | None, whole: bool = False) -> None: ...

    def get_knowledge(self, seat: str | None) -> Knowledge | None: ...

    @property
    def chose_last(self) -> str | None:
        """The player whose choice `undo` takes back."""

    def undo(self) -> bool:
        """Go back to the last choice of a player; False if there is none."""

    @property
    def way_back(self) -> str:
        """A sentence that says which choice was taken back."""

    @property
    def people(self) -> list[str]: ...

    @property
    def in_pages(self) -> bool: ...

    @property
    def interruptions(self) -> list[SkippedChoice]:
        """Skipped choices since a player last chose."""

    def interrupt(self, place: SkippedChoice) -> None:
        """Go back to a skipped choice and ask."""

    def make_record(self, name: str) -> str:
        """Return the record so far, for a file of this name."""


SHOWN = 6
"""Moves that a message names."""


class Prompt:
    """Asks until there is a move, or until `undo` changed the state."""

    def __init__(self, session: PromptSession, seat: str | None, moves: Sequence[Move]) -> None:
        self.session = session
        self.seat = seat
        self.moves = moves
        self.done = False

    def ask(self, typed: str = "") -> Move | None:
        """Return the chosen move; None after going back. A line `typed` before is answered first."""
        self._print_moves()
        if typed:
            self._choose(typed)
        self._print_only_move()
        self.session.console.words = [move.id for move in self.moves] + list(COMMANDS)
        while not self.done:
            line = self.session.console.ask(
                t("play.prompt", seat=self.session.look.seat(self.seat)), again=self._redraw
            )
            move = self._interpret(line)
            if move is not None:
                return move
        return None

    def _print_only_move(self) -> None:
        if len(self.moves) == 1:
            self._print_text(t("play.only_one"))

    def _redraw(self) -> None:
        """Draw the table and the moves for the new size, if the screen is in pages."""
        if self.session.in_pages:
            self.session.show(self.seat)
            self._print_moves()
            self._print_only_move()

    @property
    def _commands(self) -> dict[str, str]:
        return get_commands(self.session.game.compiled, self.session.look.lang)

    def _print_moves(self) -> None:
        """Print the moves in the room below the table."""
        session, beside = self.session, self._format_interruptions()
        only = fill_text(t("play.only_one"), session.look) if len(self.moves) == 1 else []
        room = None if session.room is None else session.room - len(only) - len(beside)
        self._print([*list_choices(session.state, self.moves, session.look, room), *beside])

    def _print(self, lines: Sequence[str]) -> None:
        output.say()
        for line in lines:
            output.show(line)

    def _format_interruptions(self) -> list[str]:
        session = self.session
        return [*wrap_lines(format_offer(session.interruptions, session.look, len(session.people) > 1), session.look)]

    def ask_to_undo(self) -> bool:
        """After the end, return whether the player takes back the last choice. A script is asked once."""
        console, command = self.session.console, None
        console.words = [word for word, known in COMMANDS.items() if known in ("undo", "quit")]
        while command is None:
            try:
                word = console.ask(t("play.at_end"), offered=True).lower()
            except (Left, KeyboardInterrupt):
                return False
            known = {**self._commands, "": "quit"}.get(word, "")
            command = known if known in ("undo", "quit") else None if console.terminal else "quit"
        if command == "undo":
            self.do_undo("")
        return command == "undo"

    def _interpret(self, line: str) -> Move | None:
        """Return the move that a line means, or run a command."""
        if not line:
            return self.moves[0] if len(self.moves) == 1 else None
        exact = next((move for move in self.moves if move.id == line), None)
        word, _, rest = line.removeprefix(":").partition(" ")
        if exact is not None:
            return exact
        if (number := parse_integer(line)) is not None:
            return self._get_move(number)
        command = self._commands.get(word.lower()) or self._find_letter_command(line)
        if is_request(line, self.session.interruptions, self.session.look) and not self._is_listed(line):
            command, rest = "interrupt", ""
        if command is not None and not (rest and self._find_moves(line)):
            getattr(self, f"do_{command}")(rest.strip())
            return None
        return self._choose(line)

    def _find_letter_command(self, line: str) -> str | None:
        """Return the harmless command for a letter that also names part of a piece, if no move starts with it."""
        command = get_letters(self.session.look.lang).get(line.partition(" ")[0].lower())
        return command if command in ("hint", "why") and not self._find_moves(line) else None

    def _is_listed(self, line: str) -> bool:
        """Return whether the line is the full text of a move."""
        lang = self.session.look.lang
        return any(plain_words(move.text(lang)) == plain_words(line) for move in self.moves)

    def _replace_pieces(self, line: str) -> str:
        """Replace pieces in words or local letters by signs."""
        return replace_pieces(self.session.game.compiled, line, self.session.look.lang)

    def _get_move(self, number: int) -> Move | None:
        if 1 <= number <= len(self.moves):
            return self.moves[number - 1]
        self._print_text(t("play.no_number", number=number, last=len(self.moves)))
        return None

    def _find_moves(self, line: str) -> list[Move]:
        state = self.session.state
        return parse_move(state.game.compiled, state.core, state.moves(), line, self.session.look.lang, self.moves)

    def _choose(self, line: str) -> Move | None:
        """Return the only move that starts so, or explain. A single letter never plays a move."""
        found = self._find_moves(line)
        if len(found) == 1:
            if not is_single_letter(line):
                return found[0]
            self._print_text(t("play.one_letter", word=line, move=name_move(found[0], self.session.look)))
            return None
        if found:
            self._print_text(self._explain_ambiguity(line, found))
            return None
        return self._queue_moves(line)

    def _queue_moves(self, line: str) -> Move | None:
        """Return the first of several moves on one line; the others are queued."""
        first, *rest = split_moves(self.session.game.compiled, self._replace_pieces(line)) or [line]
        found = self._find_moves(first) if rest else []
        if len(found) != 1:
            self._explain_refusal(first)
            return None
        self.session.ahead = QueuedMoves(str(self.seat), rest)
        return found[0]

    def _explain_ambiguity(self, line: str, found: Sequence[Move]) -> str:
        """Return which moves are possible, or how many more pieces to choose."""
        sizes = {len(pieces) for move in found for pieces in move.sets or ((),)}
        signs, namer = self._replace_pieces(line).split(), self.session.game.compiled.namer
        named = sum(plain_words(sign, namer.readings) in namer.folded_signs for sign in signs)
        if len(sizes) == 1 and named and (missing := sizes.pop() - named) > 0 and len(found) > 1:
            return t("play.pieces_missing", word=line, count=missing)
        return t("play.several", word=line, moves=self._name_moves(found))

    def _name_moves(self, found: Sequence[Move]) -> str:
        """Return the first moves with their numbers."""
        numbers = {move: n for n, move in enumerate(self.moves, 1)}
        some = [f"{numbers[move]} `{name_move(move, self.session.look)}`" for move in found[:SHOWN]]
        return ", ".join(some) + (" …" if len(found) > SHOWN else "")

    def _explain_refusal(self, line: str) -> None:
        """Explain why a line is not a legal move, with the rule if possible."""
        if fold_case(line) in self.session.game.compiled.namer.folded_signs and self._refuse_piece(line):
            return
        said, typed = self._drop_first_person(self._replace_pieces(line)), self._replace_pieces(line)
        if self._print_reasons(said, legal_too=False) or self._print_reasons(
            self._complete_name(said), legal_too=False
        ):
            compiled = self.session.game.compiled
            wanted = plain_words(typed, compiled.namer.readings)
            others = find_target_first(compiled, self.session.state.core, self.moves, wanted)
            if len(others) == 1:
                self._print_text(t("play.piece_first", move=name_move(others[0], self.session.look)))
            return
        if self._refuse_piece(line):
            return
        readings = self.session.game.compiled.namer.readings
        near = {
            name: name_move(move, self.session.look)
            for move in self.moves
            for name in (move.id, move.text(self.session.look.lang))
        }
        close, first = (
            find_close_name(said, [*near, *(list_commands() if said == typed else ())]),
            list_heads(self.moves),
        )
        known = {word for move in self.moves for word in plain_words(move.id, readings).split()}
        about_it = len(first) == 1 and not known.isdisjoint(plain_words(said, readings).split())
        if not close and about_it and self._print_reasons(f"{first[0]} {said}", legal_too=False):
            return
        advice = [t("play.close_move", move=near.get(close, close))] if close else []
        self._print_text(join_sentences(t("play.not_a_move", word=line), *advice))

    def _drop_first_person(self, said: str) -> str:
        """Rewrite `I pass` as moves are written."""
        return from_first_person(plain_words(said), self.session.look.lang) or said

    def _refuse_piece(self, line: str) -> bool:
        """Explain why no move is about a piece named by a part; False if it names none."""
        look = self.session.look
        signs = find_signs_by_part(self.session.game.compiled, line, look.lang)
        held = [sign for sign in signs if sign in look.pieces.held]
        if signs and not (held and self._print_reasons(held[0], legal_too=False)):
            self._print_text(t("play.no_such_piece", word=line))
        return bool(signs)

    def _complete_name(self, line: str) -> str:
        """Complete the name of the only move of the game that starts so."""
        labels = self.session.look.labels.get("moves", {})
        begun = {words for words in labels.values() if len(line) > 2 and fold_case(words).startswith(fold_case(line))}
        return begun.pop() if len(begun) == 1 else line

    def _print_reasons(self, move: str, legal_too: bool = True, typed: str = "") -> bool:
        """Print why a move is legal or not, as this seat may know; False if there is no such move."""
        assert self.seat is not None
        found = self.session.state.why(move, self.seat)
        if not found.known or (found.legal and not legal_too):
            return False
        for line in format_reasons(found, self.session.look, typed=typed or move):
            output.show(line)
        return True

    def _print_text(self, text: str) -> None:
        output.show("\n".join(fill_text(text, self.session.look)))

    # Commands

    def do_help(self, _: str) -> None:
        look, known = self.session.look, self._commands
        words = {t(f"play.short_for.{command}") for command in SAFE_COMMANDS}
        short = sorted(word for word in words if word[0] in known)
        last = [t("play.short", letters=f"{', '.join(word[0] for word in short):<18}", commands=", ".join(short))]
        lines = [
            part
            for line in [*t("play.help").split("\n"), *(last if short else [])]
            for part in wrap_columns(line, look)
        ]
        high = len(lines) if self.session.room is None else (look.height or 0) + BELOW - 2
        for at in range(0, len(lines), high):
            if at and self.session.console.ask(t("play.page") + " ").lower().startswith("q"):
                return
            for line in lines[at : at + high]:
                output.show(line)

    def do_moves(self, _: str) -> None:
        """List all moves, in columns and pages if the screen has pages."""
        session, look = self.session, self.session.look
        if session.room is None:
            self._print([*list_moves(self.moves, look, len(self.moves)), *self._format_interruptions()])
            return
        for number, page in enumerate(paginate(self.moves, look, (look.height or 0) + BELOW - 2)):
            if number and session.console.ask(t("play.page") + " ").lower().startswith("q"):
                return
            self._print(page)

    def do_table(self, _: str) -> None:
        """Show the whole table and the moves."""
        self.session.show(self.seat, whole=True)
        self._print_moves()

    def do_last(self, _: str) -> None:
        for line in self.session.recall(self.seat) or [t("play.nothing_yet")]:
            output.show(line)

    def do_interrupt(self, which: str) -> None:
        """Go back to a skipped choice; ask which one if there are several."""
        places, look = self.session.interruptions, self.session.look
        if len(places) > 1 and not which:
            for line in list_skipped(places, look):
                output.show(line)
            which = self.session.console.ask(t("play.after_which", last=len(places)))
        place = select_skipped(which, places)
        if place is None:
            self._print_text(t("play.nothing_to_interrupt"))
            return
        self.session.interrupt(place)
        self.done = True

    def do_why(self, which: str) -> None:
        if not which:
            self._print_text(t("play.which_move"))
            return
        number = parse_integer(which)
        move = next(iter(self._find_moves(which)), None) if number is None else self._get_move(number)
        if (move or number is None) and not self._print_reasons(
            move.id if move else self._replace_pieces(which), typed=which
        ):
            self._explain_refusal(which)

    def do_hint(self, time: str) -> None:
        """Print a hint; Ctrl-C ends only the hint."""
        try:
            self._hint(time)
        except KeyboardInterrupt:
            output.say()
            self._print_text(t("play.hint_stopped"))

    def _hint(self, time: str) -> None:
        from hoyle.presentation.hints import MOST_SECONDS, give_hint, parse_seconds

        assert self.seat is not None
        session, seconds = self.session, parse_seconds(time)
        if seconds is None:
            self._print_text(t("play.hint_time", word=time, most=int(MOST_SECONDS)))
            return
        output.note(t("play.thinking"))
        known = session.get_knowledge(self.seat)
        for sentence in give_hint(session.state, self.moves, session.look, known, seconds, session.ways):
            self._print_text(sentence)

    def do_undo(self, _: str) -> None:
        chose = self.session.chose_last
        if chose not in (None, self.seat):
            self._print_text(t("play.not_yours", seat=self.session.look.seat(chose)))
        elif self.session.undo():
            output.say(self.session.way_back)
            self.done = True
        else:
            output.say(t("play.nothing_to_undo"))

    def do_save(self, name: str) -> None:
        self.save(name)

    def do_quit(self, _: str) -> None:
        raise Left

    def save(self, name: str) -> None:
        """Save under this name or the first free one. Existing files are never overwritten."""
        chosen = choose_record_name(name, self.session.game.name)
        try:
            write_new(chosen, self.session.make_record(chosen))
            self.session.saved = self.session.state
            self._print_text(t("play.saved", name=chosen, game=quote(self.session.name), file=quote(chosen)))
        except UserError as trouble:
            self._print_text(str(trouble))
