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
from hoyle.diagnostics import similar
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
from hoyle.language.syntax import whole
from hoyle.presentation.catalogue import UserError, join_sentences, t
from hoyle.presentation.look import BELOW
from hoyle.presentation.play_text import fill_text, format_reasons, list_moves, name_move, wrap_columns, wrap_lines
from hoyle.running.naming import folded

if TYPE_CHECKING:
    from hoyle.cli.playing.commands import SkippedChoice
    from hoyle.game.game import Game, State
    from hoyle.game.moves.legal import Move
    from hoyle.players.inference.knowledge import Knowledge
    from hoyle.players.search.win_search import Key
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
    ways: dict[Key, int]
    saved: State | None
    room: int | None
    ahead: QueuedMoves | None

    def recall(self, seat: str | None) -> list[str]: ...

    def show(self, seat: str | None, whole: bool = False) -> None: ...

    def known_to(self, seat: str | None) -> Knowledge | None: ...

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

    def written(self, name: str) -> str:
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
        self._offer()
        if typed:
            self._begun(typed)
        self._tell_only_one()
        self.session.console.words = [move.id for move in self.moves] + list(COMMANDS)
        while not self.done:
            line = self.session.console.ask(
                t("play.prompt", seat=self.session.look.seat(self.seat)), again=self._on_another_screen
            )
            move = self._understood(line)
            if move is not None:
                return move
        return None

    def _tell_only_one(self) -> None:
        if len(self.moves) == 1:
            self._tell(t("play.only_one"))

    def _on_another_screen(self) -> None:
        """The table and the moves as they fit the screen now; where lines follow each other nothing is drawn twice."""
        if self.session.in_pages:
            self.session.show(self.seat)
            self._offer()
            self._tell_only_one()

    @property
    def _commands(self) -> dict[str, str]:
        return get_commands(self.session.game.compiled, self.session.look.lang)

    def _offer(self) -> None:
        """The moves, so that the table stays on the screen."""
        session, beside = self.session, self._offered()
        only = fill_text(t("play.only_one"), session.look) if len(self.moves) == 1 else []
        room = None if session.room is None else session.room - len(only) - len(beside)
        self._list([*list_choices(session.state, self.moves, session.look, room), *beside])

    def _list(self, lines: Sequence[str]) -> None:
        output.say()
        for line in lines:
            output.show(line)

    def _offered(self) -> list[str]:
        session = self.session
        return [*wrap_lines(format_offer(session.interruptions, session.look, len(session.people) > 1), session.look)]

    def goes_back(self) -> bool:
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

    def _understood(self, line: str) -> Move | None:
        """The move that a line means; commands are carried out."""
        if not line:
            return self.moves[0] if len(self.moves) == 1 else None
        exact = next((move for move in self.moves if move.id == line), None)
        word, _, rest = line.removeprefix(":").partition(" ")
        if exact is not None:
            return exact
        if (number := whole(line)) is not None:
            return self._numbered(number)
        command = self._commands.get(word.lower()) or self._asks(line)
        if is_request(line, self.session.interruptions, self.session.look) and not self._is_listed(line):
            command, rest = "interrupt", ""
        if command is not None and not (rest and self._starting(line)):
            getattr(self, f"do_{command}")(rest.strip())
            return None
        return self._begun(line)

    def _asks(self, line: str) -> str | None:
        """What a letter asks for that stands for a part of a piece, where no move begins so. It only asks: it takes nothing back."""
        command = get_letters(self.session.look.lang).get(line.partition(" ")[0].lower())
        return command if command in ("hint", "why") and not self._starting(line) else None

    def _is_listed(self, line: str) -> bool:
        """Are these all the words of a move?"""
        lang = self.session.look.lang
        return any(plain_words(move.text(lang)) == plain_words(line) for move in self.moves)

    def _read(self, line: str) -> str:
        """What was typed, with signs for pieces in words or in letters of the language shown."""
        return replace_pieces(self.session.game.compiled, line, self.session.look.lang)

    def _numbered(self, number: int) -> Move | None:
        if 1 <= number <= len(self.moves):
            return self.moves[number - 1]
        self._tell(t("play.no_number", number=number, last=len(self.moves)))
        return None

    def _starting(self, line: str) -> list[Move]:
        state = self.session.state
        return parse_move(state.game.compiled, state.core, state.moves(), line, self.session.look.lang, self.moves)

    def _begun(self, line: str) -> Move | None:
        """The only move that begins so; else what is wrong with the line. A letter is too soon mistyped to play a move."""
        found = self._starting(line)
        if len(found) == 1:
            if not is_single_letter(line):
                return found[0]
            self._tell(t("play.one_letter", word=line, move=name_move(found[0], self.session.look)))
            return None
        if found:
            self._tell(self._more_wanted(line, found))
            return None
        return self._first_of(line)

    def _first_of(self, line: str) -> Move | None:
        """The first of several moves that were typed at once; the others are made when it is their turn."""
        first, *rest = split_moves(self.session.game.compiled, self._read(line)) or [line]
        found = self._starting(first) if rest else []
        if len(found) != 1:
            self._refuse(first)
            return None
        self.session.ahead = QueuedMoves(str(self.seat), rest)
        return found[0]

    def _more_wanted(self, line: str, found: Sequence[Move]) -> str:
        """Which of several is meant; of a choice of so many pieces, how many are still to be named."""
        sizes = {len(pieces) for move in found for pieces in move.sets or ((),)}
        signs, namer = self._read(line).split(), self.session.game.compiled.namer
        named = sum(plain_words(sign, namer.readings) in namer.folded_signs for sign in signs)
        if len(sizes) == 1 and named and (missing := sizes.pop() - named) > 0 and len(found) > 1:
            return t("play.pieces_missing", word=line, count=missing)
        return t("play.several", word=line, moves=self._some(found))

    def _some(self, found: Sequence[Move]) -> str:
        """The first few, each with its number."""
        numbers = {move: n for n, move in enumerate(self.moves, 1)}
        some = [f"{numbers[move]} `{name_move(move, self.session.look)}`" for move in found[:SHOWN]]
        return ", ".join(some) + (" …" if len(found) > SHOWN else "")

    def _refuse(self, line: str) -> None:
        """A move that exists but is not legal is told with its rule."""
        if folded(line) in self.session.game.compiled.namer.folded_signs and self._refuse_part(line):
            return
        said, typed = self._deed(self._read(line)), self._read(line)
        if self._tell_why(said, legal_too=False) or self._tell_why(self._elsewhere(said), legal_too=False):
            compiled = self.session.game.compiled
            wanted = plain_words(typed, compiled.namer.readings)
            others = find_target_first(compiled, self.session.state.core, self.moves, wanted)
            if len(others) == 1:
                self._tell(t("play.piece_first", move=name_move(others[0], self.session.look)))
            return
        if self._refuse_part(line):
            return
        readings = self.session.game.compiled.namer.readings
        near = {
            name: name_move(move, self.session.look)
            for move in self.moves
            for name in (move.id, move.text(self.session.look.lang))
        }
        close, first = similar(said, [*near, *(list_commands() if said == typed else ())]), list_heads(self.moves)
        known = {word for move in self.moves for word in plain_words(move.id, readings).split()}
        about_it = len(first) == 1 and not known.isdisjoint(plain_words(said, readings).split())
        if not close and about_it and self._tell_why(f"{first[0]} {said}", legal_too=False):
            return
        advice = [t("play.close_move", move=near.get(close, close))] if close else []
        self._tell(join_sentences(t("play.not_a_move", word=line), *advice))

    def _deed(self, said: str) -> str:
        """What somebody says of himself, as moves say it."""
        return from_first_person(plain_words(said), self.session.look.lang) or said

    def _refuse_part(self, line: str) -> bool:
        """Of a piece that is named by a part and that no move is about: why not that one in the hand, or that there is none. False if it is no such name."""
        look = self.session.look
        signs = find_signs_by_part(self.session.game.compiled, line, look.lang)
        held = [sign for sign in signs if sign in look.pieces.held]
        if signs and not (held and self._tell_why(held[0], legal_too=False)):
            self._tell(t("play.no_such_piece", word=line))
        return bool(signs)

    def _elsewhere(self, line: str) -> str:
        """The name of the only move of the game that begins so, also where it is not offered."""
        labels = self.session.look.labels.get("moves", {})
        begun = {words for words in labels.values() if len(line) > 2 and folded(words).startswith(folded(line))}
        return begun.pop() if len(begun) == 1 else line

    def _tell_why(self, move: str, legal_too: bool = True, typed: str = "") -> bool:
        """Why a move is legal or not, from what this seat sees, however it was `typed`; False if there is no such move."""
        assert self.seat is not None
        found = self.session.state.why(move, self.seat)
        if not found.known or (found.legal and not legal_too):
            return False
        for line in format_reasons(found, self.session.look, typed=typed or move):
            output.show(line)
        return True

    def _tell(self, text: str) -> None:
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
        """All of them: side by side where they are many, a screen at a time where there is one."""
        session, look = self.session, self.session.look
        if session.room is None:
            self._list([*list_moves(self.moves, look, len(self.moves)), *self._offered()])
            return
        for number, page in enumerate(paginate(self.moves, look, (look.height or 0) + BELOW - 2)):
            if number and session.console.ask(t("play.page") + " ").lower().startswith("q"):
                return
            self._list(page)

    def do_table(self, _: str) -> None:
        """With the moves below, as when they were asked for."""
        self.session.show(self.seat, whole=True)
        self._offer()

    def do_last(self, _: str) -> None:
        for line in self.session.recall(self.seat) or [t("play.nothing_yet")]:
            output.show(line)

    def do_interrupt(self, which: str) -> None:
        """Somebody asks to choose where nobody was asked: after the only move there, or after which one?"""
        places, look = self.session.interruptions, self.session.look
        if len(places) > 1 and not which:
            for line in list_skipped(places, look):
                output.show(line)
            which = self.session.console.ask(t("play.after_which", last=len(places)))
        place = select_skipped(which, places)
        if place is None:
            self._tell(t("play.nothing_to_interrupt"))
            return
        self.session.interrupt(place)
        self.done = True

    def do_why(self, which: str) -> None:
        if not which:
            self._tell(t("play.which_move"))
            return
        number = whole(which)
        move = next(iter(self._starting(which)), None) if number is None else self._numbered(number)
        if (move or number is None) and not self._tell_why(move.id if move else self._read(which), typed=which):
            self._refuse(which)

    def do_hint(self, time: str) -> None:
        """Ctrl-C ends the hint, and nothing else."""
        try:
            self._hint(time)
        except KeyboardInterrupt:
            output.say()
            self._tell(t("play.hint_stopped"))

    def _hint(self, time: str) -> None:
        from hoyle.presentation.hints import MOST_SECONDS, give_hint, parse_seconds

        assert self.seat is not None
        session, seconds = self.session, parse_seconds(time)
        if seconds is None:
            self._tell(t("play.hint_time", word=time, most=int(MOST_SECONDS)))
            return
        output.note(t("play.thinking"))
        known = session.known_to(self.seat)
        for sentence in give_hint(session.state, self.moves, session.look, known, seconds, session.ways):
            self._tell(sentence)

    def do_undo(self, _: str) -> None:
        chose = self.session.chose_last
        if chose not in (None, self.seat):
            self._tell(t("play.not_yours", seat=self.session.look.seat(chose)))
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
        """Saves under this name, or the first free one; what exists is never overwritten."""
        chosen = choose_record_name(name, self.session.game.name)
        try:
            write_new(chosen, self.session.written(chosen))
            self.session.saved = self.session.state
            self._tell(t("play.saved", name=chosen, game=quote(self.session.name), file=quote(chosen)))
        except UserError as trouble:
            self._tell(str(trouble))
