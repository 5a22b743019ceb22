"""`hoyle bench`: how fast the engines play random games on this machine."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal

from hoyle import packs
from hoyle.cli.options import (
    Named,
    OneOf,
    Seconds,
    Settings,
    json_option,
    lack,
    lang_option,
    seed_option,
    set_option,
    some_seed,
    telling_of_engines,
)
from hoyle.cli.output import diagnose, emit, note, progress, say, stopped
from hoyle.cli.rulesets import hidden, open_game, troubles, where
from hoyle.cli.shell import INTERRUPTED, argument, command, option
from hoyle.diagnostics import told
from hoyle.presentation.catalogue import format_number, lang, t

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
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
        yield format_number(rate, 1 if rate < 100 else 0)
    yield format_number(one.ratio, 1) if one.ratio is not None and speed.engine == "native" else ""
    yield f"{format_number(one.loading + (0 if speed.is_new else speed.ready))} s"
    yield f"{format_number(speed.ready)} s" if speed.is_new else ""


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


PACKAGES = {
    "ziglang": "native",
    "distributed": "cluster",
    "matplotlib": "plot",
    "pyarrow": "parquet",
    "pygls": "editor",
    "resvg-py": "png",
    "starlette": "web",
    "uvicorn": "web",
    "websockets": "web",
}
"""What may be installed besides: the package, and the extra of hoyle that installs it."""


@command("doctor")
@option("--clear-cache", is_flag=True)
@json_option
@lang_option
def doctor_command(clear_cache: bool, as_json: bool) -> int:
    from hoyle.native.cache import CacheTrouble

    cleared = _cleared() if clear_cache else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CacheTrouble)  # said below
        seconds, problems = _trial()
    engines = ["python", *(["native"] if seconds is not None else [])]
    found = {**_program(), **_compiler(), "engines": engines, **_cache(), **_rulesets(), **_packages()}
    if as_json:
        said = [f"[{d.code}] {told(d.message, lang())}" for d in problems]
        emit("doctor", {**found, "trial": {"seconds": seconds, "problems": said}, "cleared": cleared})
    else:
        _say(found, seconds, cleared)
        if problems:
            diagnose(problems)
    return 1 if problems or _is_asked_for(found) else 0


def _is_asked_for(found: dict[str, Any]) -> bool:
    """Does something not work that a variable of the environment names?"""
    tried = [one["origin"] == "CC" for one in found["tried"]]
    return any(tried) or (found["cache"]["trouble"] is not None and bool(os.environ.get("HOYLE_CACHE")))


def _cleared() -> int:
    from hoyle.native.cache import clear

    return len(clear())


def _trial() -> tuple[float | None, tuple[Diagnostic, ...]]:
    """The seconds that it takes to build something small, if there is what builds it; and what was wrong."""
    from hoyle.diagnostics import Refused
    from hoyle.native.toolchain import trial

    try:
        with progress(t("doctor.working"), 1) as tick:
            tick(0)  # a compiler may take long when it is called for the first time
            seconds = trial()
    except Refused as refused:
        return None, refused.diagnostics
    return (round(seconds, 3) if isinstance(seconds, float) else None), ()


def _program() -> dict[str, Any]:
    import platform
    import sys

    from hoyle.resources import VERSION

    python = f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})"
    return {"hoyle": VERSION, "python": python, "system": platform.platform()}


def _compiler() -> dict[str, Any]:
    from hoyle.native.compiler import Compiler, find_compiler

    found = find_compiler()
    if isinstance(found, Compiler):
        named = {"version": found.version, "origin": found.origin, "words": found.words, "flags": found.flags}
        return {"compiler": named, "tried": []}
    tried = [{"name": name, "why": why, "origin": origin} for name, origin, why in found.tried]
    return {"compiler": None, "tried": tried}


def _cache() -> dict[str, Any]:
    from hoyle.native.cache import entries, place, trouble

    kept, folder, found = entries(), place(), trouble()
    sizes = {"files": len(kept), "bytes": sum(entry.size for entry in kept)}
    unusable = {"folder": str(found[0]), "why": told(found[1], lang())} if found is not None else None
    return {"cache": {"folder": str(folder) if folder is not None else None, "trouble": unusable, **sizes}}


def _rulesets() -> dict[str, Any]:
    """Where rulesets are found by name: every place, the one that wins first."""
    return {"rulesets": [_place(place) for place in _places()]}


def _places() -> list[packs.Place]:
    """Also the folder of the user's that could be made."""
    mine, found = packs.users(), [*packs.places()]
    return found if mine is None or any(place.origin == "user" for place in found) else [*found, mine]


def _place(place: packs.Place) -> dict[str, Any]:
    return {
        "origin": place.origin,
        "folder": str(place.folder) if place.trouble not in ("gone", "broken") else None,
        "package": place.package or None,
        "trouble": place.trouble or None,
        "names": [*place.rulesets()],
        "left_out": [str(path) for path in place.left_out()],
    }


def _packages() -> dict[str, Any]:
    return {
        "packages": [{"name": n, "extra": f"hoyle[{extra}]", "version": _installed(n)} for n, extra in PACKAGES.items()]
    }


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _say(found: dict[str, Any], seconds: float | None, cleared: int | None) -> None:
    rows = [(t(f"doctor.{name}"), found[name]) for name in ("hoyle", "python", "system")]
    rows += [(t("doctor.compiler"), line) for line in _compiler_lines(found)]
    rows += [(t("doctor.trial"), t("doctor.tried", seconds=seconds))] if seconds is not None else []
    rows += [(t("doctor.engines"), ", ".join(found["engines"]))]
    rows += [(t("doctor.cache"), line) for line in _cache_lines(found["cache"], cleared)]
    rows += [(t("doctor.rulesets"), line) for place in _places() for line in _place_lines(place)]
    rows += [(t("doctor.rulesets"), line) for line in hidden(packs.every())]
    rows += [(package["name"], _package_line(package)) for package in found["packages"]]
    before = ""
    for name, text in rows:
        say(f"{name if name != before else '':<11} {text}")
        before = name


def _compiler_lines(found: dict[str, Any]) -> list[str]:
    if found["compiler"] is not None:
        return [found["compiler"]["version"], " ".join(found["compiler"]["words"])]
    tried = [lack(one["name"], one["why"]) for one in found["tried"]]
    advice = "doctor.unset" if found["tried"][0]["origin"] == "CC" else "doctor.get_compiler"
    return [t("doctor.no_compiler", tried=", ".join(tried)), t(advice), t("doctor.without")]


def _cache_lines(cache: dict[str, Any], cleared: int | None) -> list[str]:
    sizes = t("doctor.sizes", count=cache["files"], size=format_number(cache["bytes"] / 1e6, 1))
    gone = [t("doctor.cleared", count=cleared)] if cleared is not None else []
    trouble = [t("doctor.unusable", **cache["trouble"])] if cache["trouble"] is not None else []
    return [*trouble, cache["folder"] or t("doctor.no_folder"), *gone, sizes]


def _place_lines(place: packs.Place) -> list[str]:
    count = len(place.rulesets())
    found = [] if place.trouble else [t("doctor.place", where=where(place), count=count)]
    unmade = place.origin == "user" and place.trouble == "absent"
    return [t("doctor.unmade", folder=place.folder)] if unmade else [*found, *troubles(place)]


def _package_line(package: dict[str, Any]) -> str:
    return package["version"] or t("doctor.no_package", extra=package["extra"])
