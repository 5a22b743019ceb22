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
from hoyle.cli.files import Record
from hoyle.cli.options import (
    File,
    Seconds,
    Settings,
    engine_option,
    game_argument,
    lang_option,
    seats_option,
    seed_option,
    set_option,
    some_seed,
    telling_of_engines,
)
from hoyle.cli.output import waiting
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
"""Who plays the seats that nobody is named for."""
PAUSE = 0.5


@command("play")
@game_argument
@seats_option
@option("--record", type=File())
@option("--resume", type=File())
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
    with Record(record, going_on=record == resume) if record else nullcontext() as kept:
        begun = _resumed(game, settings, seats, resume) if resume else _begun(game, settings, seats, seed)
        with telling_of_engines():
            begun = _played_by(begun, engine)
            players, memories = _players(begun, plain)
        for said in warn_of_clock(begun.kinds.values()):
            output.note(said)
        written = _writer(begun)
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


class Begun(Struct, frozen=True):
    """A game about to be played or gone on with."""

    state: State
    kinds: dict[str, str]
    bots: Chance
    seed: int | None
    past: Sequence[Moved] = ()
    """The moves that led to it."""


def _begun(game: str, settings: Settings, seats: str | None, given: int | None) -> Begun:
    from hoyle.running.chance import PLAYER, Chance

    opened = open_game(game, settings)
    kinds = parse_seats(seats, opened.seats, True, USUAL)
    seed = some_seed(given)
    return Begun(opened.start(seed), kinds, Chance.stream(seed, 0, PLAYER), seed)


def _resumed(game: str, settings: Settings, seats: str | None, resume: str) -> Begun:
    """The game of a record, which has to be the one named; whoever played goes on unless told otherwise."""
    from hoyle.cli.files import resumed

    found = resumed(resume, game)
    continue_language(found.header.get("lang"))
    opened = open_game(game, settings) if settings else found.state.game
    if opened.digest != found.state.game.digest:
        raise UserError(t("play.other_game", name=resume, game=found.header["game"]), code=2)
    output.note(t("play.resumed", moves=found.state.decisions))
    return Begun(
        found.state, parse_seats(seats or found.seats, opened.seats, True, USUAL), found.bots, found.seed, found.past
    )


def _players(begun: Begun, plain: bool) -> tuple[dict[str, Player], dict[str, Memory]]:
    """Who chooses for each seat without a person, and what seats remember. What a search needs may have to be built first, which is told."""
    from hoyle.native.made import is_ready
    from hoyle.players.bots import is_searching, player
    from hoyle.players.inference.knowledge import Memory, hides

    game = begun.state.game
    remembering = [seat for seat, kind in begun.kinds.items() if kind == HUMAN or is_searching(kind)]
    seats = enumerate(game.seats) if hides(game.compiled) else ()
    memories = {seat: Memory(game.compiled, number) for number, seat in seats if seat in remembering}
    for memory in memories.values():
        memory.remembers(begun.past, begun.state.core)
    kinds = {seat: kind for seat, kind in begun.kinds.items() if kind != HUMAN}
    builds = game.engine != "python" and any(map(is_searching, kinds.values()))
    with waiting(t("play.building") if builds and not is_ready(game.ruleset, game.machine) else "", plain):
        return {seat: player(kind, game, memory=memories.get(seat)) for seat, kind in kinds.items()}, memories


def _played_by(begun: Begun, engine: Engine) -> Begun:
    from hoyle.game.game import Game, State

    game = Game(begun.state.game.compiled, engine)
    return replace(begun, state=State(game, begun.state.core))


def _writer(begun: Begun) -> Callable[[State, str], str]:
    """What a record of a state says in the file of this name."""
    from hoyle.game.records.records import record_lines

    def written(state: State, name: str) -> str:
        found = record_lines(state, begun.seed, seats=begun.kinds, folder=Path(name).parent, lang=lang())
        return "".join(f"{line}\n" for line in found)

    return written
