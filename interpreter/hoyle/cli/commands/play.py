"""`hoyle play`: a game at the terminal, by people, bots, or both."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.cli import output
from hoyle.cli.files import RecordFile
from hoyle.cli.options import (
    FileName,
    Seconds,
    Settings,
    choose_seed,
    engine_option,
    game_argument,
    lang_option,
    report_engine_warnings,
    seats_option,
    seed_option,
    set_option,
)
from hoyle.cli.output import show_wait
from hoyle.cli.rulesets import open_game
from hoyle.cli.shell import command, option
from hoyle.presentation.catalogue import UserError, continue_language, lang, t
from hoyle.presentation.players import HUMAN, parse_seats, warn_of_clock
from hoyle.presentation.terminal import has_unicode, use_ascii

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.players.bots import Player
    from hoyle.players.inference.knowledge import Memory, Moved
    from hoyle.running.chance import Chance
    from hoyle.running.machine import Engine


USUAL = "search"
"""Player of seats without a name."""
PAUSE = 0.5


@command("play")
@game_argument
@seats_option
@option("--record", type=FileName())
@option("--resume", type=FileName())
@option("--watch", is_flag=True)
@option("--pause", type=Seconds(0, 60))
@option("--ascii", "ascii_only", is_flag=True)
@option("--plain", is_flag=True)
@set_option
@seed_option
@engine_option
@lang_option
def play_command(
    game: str,
    seats: str | None,
    record: str | None,
    resume: str | None,
    watch: bool,
    pause: float | None,
    ascii_only: bool,
    plain: bool,
    settings: Settings,
    seed: int | None,
    engine: Engine,
) -> int:
    from hoyle.cli.playing.news import News
    from hoyle.cli.playing.session import Session
    from hoyle.presentation.look import make_look

    if ascii_only or not has_unicode():
        use_ascii()
    with RecordFile(record, going_on=record == resume) if record else nullcontext() as kept:
        begun = _resume(game, settings, seats, resume) if resume else _start(game, settings, seats, seed)
        with report_engine_warnings():
            begun = _use_engine(begun, engine)
            players, memories = _make_players(begun, plain)
        for said in warn_of_clock(begun.kinds.values()):
            output.note(said)
        written = _make_writer(begun)
        if kept is not None:
            kept.keep(written(begun.state, kept.name))  # better to know now than after an hour of play
        terminal = sys.stdout is not None and sys.stdout.isatty()
        Session(
            game=begun.state.game,
            name=game,
            state=begun.state,
            kinds=begun.kinds,
            players=players,
            memories=memories,
            look=make_look(begun.state.game, ascii_only, plain),
            bots=begun.bots,
            record=kept,
            recorded=written,
            news=News(earlier=len(begun.state.core.log or ()) if resume else 0),
            watch=watch,
            pause=pause if pause is not None else PAUSE if watch and terminal else 0.0,
        ).run()
    return 0


class StartedGame(Struct, frozen=True):
    """A game about to be played."""

    state: State
    kinds: dict[str, str]
    bots: Chance
    seed: int | None
    past: Sequence[Moved] = ()
    """The moves that led to the state."""


def _start(game: str, settings: Settings, seats: str | None, given: int | None) -> StartedGame:
    from hoyle.running.chance import PLAYER, Chance

    opened = open_game(game, settings)
    kinds = parse_seats(seats, opened.seats, True, USUAL)
    seed = choose_seed(given)
    return StartedGame(opened.start(seed), kinds, Chance.stream(seed, 0, PLAYER), seed)


def _resume(game: str, settings: Settings, seats: str | None, resume: str) -> StartedGame:
    """Continue a recorded game with its players unless others are given. Raises UserError if it is another game."""
    from hoyle.cli.files import resume_game

    found = resume_game(resume, game)
    continue_language(found.header.get("lang"))
    opened = open_game(game, settings) if settings else found.state.game
    if opened.digest != found.state.game.digest:
        raise UserError(t("play.other_game", name=resume, game=found.header["game"]), code=2)
    output.note(t("play.resumed", moves=found.state.decisions))
    return StartedGame(
        found.state, parse_seats(seats or found.seats, opened.seats, True, USUAL), found.bots, found.seed, found.past
    )


def _make_players(begun: StartedGame, plain: bool) -> tuple[dict[str, Player], dict[str, Memory]]:
    """Return players for the bots, and memories of seats. Announce the build of the search engine."""
    from hoyle.native.engine_builder import is_ready
    from hoyle.players.bots import create_player, is_searching
    from hoyle.players.inference.knowledge import Memory, has_hidden_information

    game = begun.state.game
    remembering = [seat for seat, kind in begun.kinds.items() if kind == HUMAN or is_searching(kind)]
    seats = enumerate(game.seats) if has_hidden_information(game.compiled) else ()
    memories = {seat: Memory(game.compiled, number) for number, seat in seats if seat in remembering}
    for memory in memories.values():
        memory.remembers(begun.past, begun.state.core)
    kinds = {seat: kind for seat, kind in begun.kinds.items() if kind != HUMAN}
    builds = game.engine != "python" and any(map(is_searching, kinds.values()))
    with show_wait(t("play.building") if builds and not is_ready(game.ruleset, game.machine) else "", plain):
        return {seat: create_player(kind, game, memory=memories.get(seat)) for seat, kind in kinds.items()}, memories


def _use_engine(begun: StartedGame, engine: Engine) -> StartedGame:
    from hoyle.game.game import Game, State

    game = Game(begun.state.game.compiled, engine)
    return replace(begun, state=State(game, begun.state.core))


def _make_writer(begun: StartedGame) -> Callable[[State, str], str]:
    """Return the function that formats the record of a state."""
    from hoyle.game.records.records import record_lines

    def written(state: State, name: str) -> str:
        found = record_lines(state, begun.seed, seats=begun.kinds, folder=Path(name).parent, lang=lang())
        return "".join(f"{line}\n" for line in found)

    return written
