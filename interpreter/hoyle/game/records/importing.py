"""Import files of other programs: a position, or a game that is replayed by the rules of a ruleset.

Dice are taken from the file. A file does not say in which order dice fell or plays were made. A search finds an order
that the rules allow and after which the next seat in the file decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import NO_TEXT, Diagnostic, LocalizedText, Refused, Source, Span
from hoyle.game.game import Game, IllegalMove, State, load
from hoyle.game.moves.legal import wording_context
from hoyle.game.moves.notation import split_moves
from hoyle.game.records.import_formats import (
    Board,
    Item,
    Scores,
    Turn,
    Turns,
    Win,
    read_board,
    read_transcript,
    recognise,
)
from hoyle.game.spelling import plain_words
from hoyle.language.sentences import FALLBACK, make_message
from hoyle.running.chance import Chance
from hoyle.running.state import Action, Core, Event
from hoyle.running.wording import short_text

MOST_TRIES = 2000
"""Maximum number of moves tried for one turn."""
Play = tuple[str, Span]
_PLACE = re.compile(r"\w+")


class Script(Chance):
    """Chance that takes dice from a file. Other outcomes are drawn."""

    __slots__ = ("at", "dice", "signs", "size")

    def __init__(self, dice: tuple[str, ...], size: int, signs: Sequence[str], at: int = 0) -> None:
        drawn = Chance.stream(0)
        super().__init__(drawn.state, drawn.step)
        self.dice, self.size, self.signs, self.at = dice, size, signs, at

    def roll(self, kinds: Sequence[int]) -> int:
        at, self.at = self.at, self.at + 1
        wanted = self.dice[at] if at < len(self.dice) else ""
        found = [kind for kind in kinds if self.signs[kind] == wanted]
        return found[0] if found else super().roll(kinds)

    def copy(self) -> Script:
        found = Script(self.dice, self.size, self.signs, self.at)
        found.state, found.step = self.state, self.step
        return found

    def turned(self) -> Script:
        """Return a copy with the dice of the next throw reversed."""
        found, end = self.copy(), self.at + self.size
        found.dice = (*self.dice[: self.at], *reversed(self.dice[self.at : end]), *self.dice[end:])
        return found


class Enactment:
    """Plays the moves of a transcript. `drew` is True if dice were drawn because the file lacks them."""

    def __init__(self, form: Turns, game: Game, items: Sequence[Item]) -> None:
        self.form, self.game, self.items = form, game, items
        self.names = {move.number: move for move in game.ruleset.moves.values()}
        turns = [item for item in items if isinstance(item, Turn)]
        self.size = max((len(turn.dice) for turn in turns), default=1)
        script = Script(tuple(die for turn in turns for die in turn.dice), self.size, game.namer.signs)

        def begin(chance: Script) -> Core:
            return game.machine.start(chance, log=True)

        self.core = self._try_both_dice_orders(begin, script, turns[0].seat)
        self.thrown = 0
        self.log: list[Event] = []
        self.points = self._scores_of()
        self.tries = 0
        self.furthest: tuple[Core, tuple[Play, ...]] = self.core, ()

    def play(self) -> State:
        """Return the state at the end of the file. Raises Refused at the first entry that the rules do not allow."""
        following, before_win = self._next_seats()
        for item, seat, ends in zip(self.items, following, before_win, strict=True):
            if isinstance(item, Scores):
                self._check_scores(item)
            elif isinstance(item, Win):
                self._end_game(item, seat)
            else:
                self._make_turn(item, seat, ends)
            self.log += self.core.log or ()
            self.core.log = []  # so that trying does not copy what is certain
        self.core.log = self.log
        return State(self.game, self.core)

    def _next_seats(self) -> tuple[list[int | None], list[bool]]:
        """Return, for each item, the seat that acts after it, and whether a game ends first."""
        seats, wins = list[int | None](), list[bool]()
        seat, ends = None, False
        for item in reversed(self.items):
            seats.append(seat)
            wins.append(ends)
            seat, ends = (item.seat if isinstance(item, Turn) else seat), isinstance(item, Win)
        return seats[::-1], wins[::-1]

    @property
    def drew(self) -> bool:
        return self._script(self.core).at > len(self._script(self.core).dice)

    # ---- entries of the file -----------------------------------------------------------------------------------------

    def _check_scores(self, item: Scores) -> None:
        self.points = self._scores_of()
        if self.points != item.points:
            raise _refuse_score(item.points, self.points, item.span)

    def _end_game(self, item: Win, following: int | None) -> None:
        wanted = tuple(points + (seat == item.seat) * item.points for seat, points in enumerate(self.points))
        if self._scores_of() == self.points:  # without a winner by the rules, the other seat has given up
            self.core = self._give_up(item, wanted, following) or self.core
        found = self._scores_of()
        if found == self.points != wanted:
            raise _refused(
                "R825", make_message("not_won", points=item.points), item.span, make_message("other_options")
            )
        if found != wanted:
            raise _refuse_score(wanted, found, item.span)
        self.points = found

    def _give_up(self, item: Win, wanted: tuple[int, ...], following: int | None) -> Core | None:
        """Return the state after the moves that give up a game with the file's points; None if there are no such moves."""
        if self.core.over or self.core.actor == item.seat:
            return None
        tried = [self.core]
        for name in self.form.gives_up:
            tried = [
                self._make_action(core, action, following)
                for core in tried
                if not core.over
                for action in core.acts
                if self.names[action[0]].name == name
            ]
        return next((core for core in tried if self._scores_of(core) == wanted), None)

    def _make_turn(self, item: Turn, following: int | None, before_win: bool) -> None:
        if self.core.over:
            raise _refused("R804", make_message("over"), item.span)
        seats, thrown = self.game.seats, self._script(self.core).at > self.thrown
        if self.core.actor != item.seat and item.dice and not item.plays and thrown:
            self.thrown += self.size  # nobody chose to throw, and nothing could be played
            return
        if self.core.actor != item.seat:
            message = make_message("wrong_turn", seat=seats[self.core.actor], other=seats[item.seat])
            raise _refused("R815", message, item.span)
        if item.word is not None:
            self._make_word_move(item, following)
            return
        plays = [play for span in item.plays for play in self._split_play(span)]
        self._throw_dice(item, item.seat if plays else following)
        self.tries, self.furthest = 0, (self.core, tuple(plays))
        ends = {following, 1 - item.seat} if before_win else {following}
        found = self._find_order(self.core, tuple(plays), item.seat, following, ends)
        if found is None:
            raise self._diagnose_turn(item)
        self.core = found

    def _make_word_move(self, item: Turn, following: int | None) -> None:
        """Make the move that a word stands for."""
        assert item.word is not None
        state = State(self.game, self.core)
        try:
            move = state.find(item.word.move)
        except IllegalMove as refused:
            raise refused.at(item.span) from None
        wanted = state.value(item.word.value).plain if item.word.value else item.number
        if item.number != wanted:
            raise _refused("R825", make_message("other_number", found=item.number, wanted=wanted), item.span)
        self.core = self._make_action(self.core, move.action, following)

    def _throw_dice(self, item: Turn, following: int | None) -> None:
        """Throw the dice of a turn, if they have not been thrown yet."""
        throw = next((a for a in self.core.acts if self.names[a[0]].name == self.form.throw), None)
        if throw is not None:
            self.core = self._make_action(self.core, throw, following)
        self.thrown += self.size
        if self._script(self.core).at != self.thrown:
            raise _refused("R825", make_message("no_throw"), item.span)

    def _diagnose_turn(self, item: Turn) -> Refused:
        core, left = self.furthest
        text, span = left[0] if left else ("", item.span)
        state = State(self.game, core)
        if left and not core.over and core.actor == item.seat:
            try:
                state.find(text)
            except IllegalMove as refused:
                if refused.cause.code == "R802":
                    return refused.at(span)
        offers = sorted({self._in_notation(core, action) for action in core.acts} - {""}) if not core.over else []
        help = make_message("legal", moves=", ".join(f"`{text}`" for text in offers[:8])) if offers else NO_TEXT
        return _refused("R825", make_message("not_playable"), span, help)

    # ---- plays -------------------------------------------------------------------------------------------------------

    def _split_play(self, span: Span) -> list[Play]:
        """Split a play into steps, in the notation of the game."""
        text = _PLACE.sub(lambda place: self.form.places.get(place[0], place[0]), span.text)
        steps = split_moves(self.game.compiled, text) or [text]
        return [(self._plain_play(step), span) for step in steps]

    def _plain_play(self, text: str) -> str:
        return plain_words(text.translate(dict.fromkeys(map(ord, self.form.marks))), self.game.namer.readings)

    def _find_order(
        self, core: Core, left: tuple[Play, ...], seat: int, following: int | None, ends: set[int | None]
    ) -> Core | None:
        """Return the state after all plays, in an order that the rules allow; None if there is none.

        Afterwards one of the seats `ends` must decide.
        """
        if len(left) < len(self.furthest[1]):
            self.furthest = core, left
        if not left:
            return core if core.over or following is None or core.actor in ends else None
        if core.over or core.actor != seat:
            return None
        for action, rest in self._matching_actions(core, left):
            self.tries += 1
            if self.tries > MOST_TRIES:
                return None
            after = self._make_action(core, action, seat if rest else following)
            found = self._find_order(after, rest, seat, following, ends)
            if found is not None:
                return found
        return None

    def _matching_actions(self, core: Core, left: tuple[Play, ...]) -> Iterator[tuple[Action, tuple[Play, ...]]]:
        """Yield legal actions that make a play or its first step, each with the remaining plays. Marked steps come last."""
        noted = [(self._in_notation(core, action), action) for action in core.acts]
        offers = [(self._plain_play(text), action) for text, action in sorted(noted, key=self._is_marked)]
        places: dict[str, int] = {}
        for n, (text, _) in enumerate(left):
            places.setdefault(text, n)
        for text, n in places.items():
            yield from ((action, (*left[:n], *left[n + 1 :])) for way, action in offers if way == text)
        for text, n in places.items():
            steps = ((_rest_of_play(text, way), action) for way, action in offers)
            yield from ((action, (*left[:n], (rest, left[n][1]), *left[n + 1 :])) for rest, action in steps if rest)

    def _is_marked(self, offer: tuple[str, Action]) -> bool:
        return not set(self.form.marks).isdisjoint(offer[0])

    def _in_notation(self, core: Core, action: Action) -> str:
        """Render an action in the notation of the game."""
        move = self.names[action[0]]
        return short_text(
            self.game.namer, move, action, wording_context(self.game.compiled, core, move, action, FALLBACK)
        )

    # ---- states ------------------------------------------------------------------------------------------------------

    def _make_action(self, core: Core, action: Action, seat: int | None) -> Core:
        """Return the state after an action, if possible with this seat to decide."""

        def begin(chance: Script) -> Core:
            after = core.copy()
            after.chance = chance
            self.game.machine.play(after, action)
            return after

        return self._try_both_dice_orders(begin, self._script(core), seat)

    def _try_both_dice_orders(self, begin: Callable[[Script], Core], script: Script, seat: int | None) -> Core:
        first = begin(script.copy())
        if first.over or seat is None or first.actor == seat or self._script(first).at == script.at:
            return first
        other = begin(script.turned())
        return other if other.actor == seat else first

    @staticmethod
    def _script(core: Core) -> Script:
        assert isinstance(core.chance, Script)
        return core.chance

    def _scores_of(self, core: Core | None = None) -> tuple[int, ...]:
        state = State(self.game, core or self.core)
        return tuple(state.value(f"{self.form.score} of {seat}").plain for seat in self.game.seats)


def _rest_of_play(text: str, noted: str) -> str:
    """Return the rest of a play once a first step is made: `24/13` after `24/18` is `18/13`.

    Returns an empty string if the play does not start at the place of the step.
    """
    places, step = _PLACE.findall(text), _PLACE.findall(noted)
    if len(places) != 2 or len(step) != 2 or places[0] != step[0] or _PLACE.sub("", text) != _PLACE.sub("", noted):
        return ""
    return text.replace(places[0], step[1], 1)


def _refuse_score(found: Sequence[int], wanted: Sequence[int], span: Span) -> Refused:
    shown = [" : ".join(map(str, points)) for points in (found, wanted)]
    return _refused(
        "R825", make_message("other_score", found=shown[0], wanted=shown[1]), span, make_message("other_options")
    )


def _refused(code: str, message: LocalizedText, span: Span, help: LocalizedText = NO_TEXT) -> Refused:
    return Refused([Diagnostic(code, message, span, help=help)])


class Imported(Struct, frozen=True):
    """An imported file: its state, and `played` if it has moves. `drew` is True if dice were drawn that the file lacks."""

    state: State
    played: bool
    drew: bool = False


Open = Callable[[str, dict[str, Any]], Game]
"""Opens a game with the options that a file stands for."""


def import_text(source: Source, game: str = "", open_game: Open = load) -> Imported:
    """Import a file of another program as the game of its format, or as a variant of it. Raises Refused."""
    form, begun, first = recognise(source)
    try:
        opened = open_game(game or form.game, begun)
    except Refused as refused:
        raise refused.at(first) from None
    if form.game not in (file.stem for file in opened.merged.files):
        raise Refused([Diagnostic("R822", make_message("other_format", game=opened.name, known=form.game), first)])
    if isinstance(form, Board):
        return Imported(read_board(form, source, opened), played=False)
    enactment = Enactment(form, opened, read_transcript(form, source, first))
    return Imported(enactment.play(), played=True, drew=enactment.drew)
