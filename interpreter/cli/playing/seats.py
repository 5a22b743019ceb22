"""Who plays: `--seats human,random,…`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from interpreter.cli.catalogue import t
from interpreter.cli.output import Trouble
from interpreter.cli.shell import option


class Seats(click.ParamType[Any]):
    """Kinds of players, joined by commas."""

    name = "seats"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t("metavar.seats")


seats_option = option("--seats", type=Seats())


def kinds_of(given: str | None, seats: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Seat → kind of player. Seats not named are `known[-1]`; if none is named, the first seat is `known[0]`."""
    named = [kind.strip() for kind in given.split(",")] if given is not None else [known[0]]
    for kind in named:
        if kind not in known:
            raise Trouble(t("usage.bad_seat", kind=kind[:40], kinds=", ".join(known)), code=2)
    if len(named) > len(seats):
        names = ", ".join(seats)
        raise Trouble(t("usage.many_seats", given=len(named), seats=len(seats), names=names), code=2)
    return dict(zip(seats, [*named, *[known[-1]] * (len(seats) - len(named))], strict=True))
