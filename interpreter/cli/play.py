"""`hoyle play`: a game at the terminal, by people, bots, or both."""

from __future__ import annotations

from typing import Any

import click

from interpreter.cli.options import (
    File,
    Settings,
    game_argument,
    lang_option,
    seed_option,
    set_option,
)
from interpreter.cli.seats import seats_option
from interpreter.cli.shell import command, option
from interpreter.cli.texts import t

KINDS = ("human", "random")


class Seconds(click.ParamType[Any]):
    """A number of seconds, up to a minute."""

    name = "seconds"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t("metavar.seconds")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= 60:
            self.fail(t("usage.not_seconds", value=value), param, ctx)
        return seconds


@command("play")
@game_argument
@seats_option
@option("--record", type=File())
@option("--resume", type=File())
@option("--watch", is_flag=True)
@option("--pause", type=Seconds())
@option("--ascii", "ascii_only", is_flag=True)
@set_option
@seed_option
@lang_option
def play_command(
    game: str,
    seats: str | None,
    record: str | None,
    resume: str | None,
    watch: bool,
    pause: float | None,
    ascii_only: bool,
    settings: Settings,
    seed: int | None,
) -> int:
    pass
