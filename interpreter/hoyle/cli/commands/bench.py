"""`hoyle bench`: how fast the engines play random games on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from hoyle.cli.catalogue import t
from hoyle.cli.drawing.figures import figure
from hoyle.cli.drawing.progress import progress
from hoyle.cli.engines import telling_of_engines
from hoyle.cli.options import (
    Named,
    OneOf,
    Seconds,
    Settings,
    json_option,
    lang_option,
    open_game,
    seed_option,
    set_option,
    some_seed,
)
from hoyle.cli.output import diagnose, emit, note, say, stopped
from hoyle.cli.shell import INTERRUPTED, argument, command, option

if TYPE_CHECKING:
    from hoyle.series.bench import Bench, Name, Speed

Asked = Literal["auto", "python", "native", "both"]
_ENGINES: dict[Asked, tuple[Name, ...]] = {
    "auto": ("python", "native"),
    "python": ("python",),
    "native": ("native",),
    "both": ("python", "native"),
}


@command("bench")
@argument("games", type=Named(), nargs=-1)
@option("--engine", type=OneOf("auto", "python", "native", "both"), default="auto")
@option("--seconds", type=Seconds(0.01, 3600), default=2.0)
@set_option
@seed_option
@json_option
@lang_option
def bench_command(
    games: tuple[str, ...], engine: Asked, seconds: float, settings: Settings, seed: int | None, as_json: bool
) -> int:
    began, found, code = some_seed(seed), list["Bench"](), 0
    try:
        with telling_of_engines():
            for one in _each(games or _shipped(), settings, engine, began, seconds):
                if one is None or (engine != "auto" and len(one.speeds) < len(_ENGINES[engine])):
                    code = 1
                if one is not None:
                    found.append(one)
                    if not as_json:
                        _tell(found)
    except KeyboardInterrupt:
        stopped()
        code = INTERRUPTED
    if as_json:
        data = [_data(one) for one in found]
        emit("bench", {"seed": began, "seconds": seconds, "interrupted": code == INTERRUPTED, "games": data})
    return code


def _shipped() -> tuple[str, ...]:
    from hoyle.cli.commands.games import names

    return tuple(names())


def _each(names: Sequence[str], settings: Settings, asked: Asked, seed: int, seconds: float) -> Iterator[Bench | None]:
    """What is measured of one game after the other; None, once the problems are told, of one that cannot be played."""
    from hoyle.diagnostics import Refused

    for number, name in enumerate(names):
        label = t("bench.working", game=name, number=number + 1, games=len(names))
        try:
            yield _measured(name, settings, asked, seed, seconds, label)
        except Refused as refused:
            diagnose(refused.diagnostics)
            yield None


def _measured(name: str, settings: Settings, asked: Asked, seed: int, seconds: float, label: str) -> Bench:
    from hoyle.series.bench import bench, turns

    engines = _ENGINES[asked]
    with progress(label, turns(seconds) * len(engines)) as tick:
        tick(0)
        began = time.perf_counter()
        game = open_game(name, settings).compiled
        return bench(game, time.perf_counter() - began, engines, seed, seconds, asked != "auto", tick)


def _tell(found: Sequence[Bench]) -> None:
    """A row for each engine of the game measured last, under a head that stands over the first."""
    *before, one = found
    if one.speeds and not any(other.speeds for other in before):
        heads = (t(f"bench.{name}") for name in ("engine", "games", "decisions", "ratio", "loading", "built"))
        say(_row(t("bench.game"), *heads))
    for speed in one.speeds:
        say(_row(one.game.name, speed.engine, *_cells(one, speed)))
        if speed.left:
            note(t("bench.left", count=speed.left, game=one.game.name))


def _cells(one: Bench, speed: Speed) -> Iterator[str]:
    """What was measured of an engine, as `_row` has it."""
    for rate in (speed.games_per_second, speed.decisions_per_second):
        yield figure(rate, 1 if rate < 100 else 0)
    yield figure(one.ratio, 1) if one.ratio is not None and speed.engine == "native" else ""
    yield f"{figure(one.loading + (0 if speed.is_new else speed.ready))} s"
    yield f"{figure(speed.ready)} s" if speed.is_new else ""


def _row(game: str, engine: str, *figures: str) -> str:
    wide = (12, 13, 8, 10, 10)
    cells = (f" {text:>{width}}" for text, width in zip(figures, wide, strict=True))
    return f"{game:<28} {engine:<7}{''.join(cells)}".rstrip()


def _data(one: Bench) -> dict[str, Any]:
    engines = [_speed(speed) for speed in one.speeds]
    head = {"game": one.game.name, "digest": one.game.digest, "options": one.game.options}
    ratio = round(one.ratio, 3) if one.ratio is not None else None
    return {**head, "loading": round(one.loading, 3), "engines": engines, "ratio": ratio}


def _speed(speed: Speed) -> dict[str, Any]:
    counted = {name: getattr(speed, name) for name in ("engine", "games", "decisions", "left")}
    rates = {name: round(getattr(speed, name), 2) for name in ("games_per_second", "decisions_per_second")}
    return {
        **counted,
        "seconds": round(speed.seconds, 3),
        **rates,
        "ready": round(speed.ready, 3),
        "built": speed.is_new,
    }
