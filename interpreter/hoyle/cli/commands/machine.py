"""`hoyle bench` and `hoyle doctor`: how fast this machine plays, and what it has installed."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal

from hoyle import packs
from hoyle.cli.options import (
    OneOf,
    RulesetName,
    Seconds,
    Settings,
    choose_seed,
    describe_lack,
    json_option,
    lang_option,
    report_engine_warnings,
    seed_option,
    set_option,
)
from hoyle.cli.output import diagnose, emit, note, note_stop, progress, say
from hoyle.cli.rulesets import describe_hidden, describe_place, describe_troubles, open_game
from hoyle.cli.shell import INTERRUPTED, argument, command, option
from hoyle.diagnostics import localize
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
@argument("games", type=RulesetName(), nargs=-1)
@option("--engine", type=OneOf("auto", "python", "native", "both"), default="auto")
@option("--seconds", type=Seconds(0.01, 3600), default=2.0)
@set_option
@seed_option
@json_option
@lang_option
def bench_command(
    games: tuple[str, ...], engine: Asked, seconds: float, settings: Settings, seed: int | None, as_json: bool
) -> int:
    began, found, code = choose_seed(seed), list["Bench"](), 0
    try:
        with report_engine_warnings():
            for one in _measure_games(games or _list_shipped(), settings, engine, began, seconds):
                if one is None or (engine != "auto" and len(one.speeds) < len(_ENGINES[engine])):
                    code = 1
                if one is not None:
                    found.append(one)
                    if not as_json:
                        _print_measurement(found)
    except KeyboardInterrupt:
        note_stop()
        code = INTERRUPTED
    if as_json:
        data = [_make_data(one) for one in found]
        emit("bench", {"seed": began, "seconds": seconds, "interrupted": code == INTERRUPTED, "games": data})
    return code


def _list_shipped() -> tuple[str, ...]:
    from hoyle.cli.commands.games import list_names

    return tuple(list_names())


def _measure_games(
    names: Sequence[str], settings: Settings, asked: Asked, seed: int, seconds: float
) -> Iterator[Bench | None]:
    """Yield a measurement for each game; None, after printing the problems, if it cannot be played."""
    from hoyle.diagnostics import Refused

    for number, name in enumerate(names):
        label = t("bench.working", game=name, number=number + 1, games=len(names))
        try:
            yield _measure(name, settings, asked, seed, seconds, label)
        except Refused as refused:
            diagnose(refused.diagnostics)
            yield None


def _measure(name: str, settings: Settings, asked: Asked, seed: int, seconds: float, label: str) -> Bench:
    from hoyle.series.bench import bench, count_turns

    engines = _ENGINES[asked]
    with progress(label, count_turns(seconds) * len(engines)) as tick:
        tick(0)
        began = time.perf_counter()
        game = open_game(name, settings).compiled
        return bench(game, time.perf_counter() - began, engines, seed, seconds, asked != "auto", tick)


def _print_measurement(benches: Sequence[Bench]) -> None:
    """Print a row for each engine, below headings the first time."""
    *before, one = benches
    if one.speeds and not any(other.speeds for other in before):
        heads = (t(f"bench.{name}") for name in ("engine", "games", "decisions", "ratio", "loading", "built"))
        say(_format_row(t("bench.game"), *heads))
    for speed in one.speeds:
        say(_format_row(one.game.name, speed.engine, *_make_cells(one, speed)))
        if speed.left:
            note(t("bench.left", count=speed.left, game=one.game.name))


def _make_cells(bench: Bench, speed: Speed) -> Iterator[str]:
    for rate in (speed.games_per_second, speed.decisions_per_second):
        yield format_number(rate, 1 if rate < 100 else 0)
    yield format_number(bench.ratio, 1) if bench.ratio is not None and speed.engine == "native" else ""
    yield f"{format_number(bench.loading + (0 if speed.is_new else speed.ready))} s"
    yield f"{format_number(speed.ready)} s" if speed.is_new else ""


def _format_row(game: str, engine: str, *figures: str) -> str:
    wide = (12, 13, 8, 10, 10)
    cells = (f" {text:>{width}}" for text, width in zip(figures, wide, strict=True))
    return f"{game:<28} {engine:<7}{''.join(cells)}".rstrip()


def _make_data(bench: Bench) -> dict[str, Any]:
    engines = [_make_speed_data(speed) for speed in bench.speeds]
    head = {"game": bench.game.name, "digest": bench.game.digest, "options": bench.game.options}
    ratio = round(bench.ratio, 3) if bench.ratio is not None else None
    return {**head, "loading": round(bench.loading, 3), "engines": engines, "ratio": ratio}


def _make_speed_data(speed: Speed) -> dict[str, Any]:
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
"""Optional packages, and the extra that installs each."""


@command("doctor")
@option("--clear-cache", is_flag=True)
@json_option
@lang_option
def doctor_command(clear_cache: bool, as_json: bool) -> int:
    from hoyle.native.cache import CacheTrouble

    cleared = _clear_cache() if clear_cache else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CacheTrouble)  # said below
        seconds, problems = _try_compiler()
    engines = ["python", *(["native"] if seconds is not None else [])]
    found = {
        **_describe_program(),
        **_describe_compiler(),
        "engines": engines,
        **_describe_cache(),
        **_describe_rulesets(),
        **_describe_packages(),
    }
    if as_json:
        said = [f"[{d.code}] {localize(d.message, lang())}" for d in problems]
        emit("doctor", {**found, "trial": {"seconds": seconds, "problems": said}, "cleared": cleared})
    else:
        _print_findings(found, seconds, cleared)
        if problems:
            diagnose(problems)
    return 1 if problems or _has_broken_setting(found) else 0


def _has_broken_setting(findings: dict[str, Any]) -> bool:
    """Return whether something named in an environment variable does not work."""
    tried = [one["origin"] == "CC" for one in findings["tried"]]
    return any(tried) or (findings["cache"]["trouble"] is not None and bool(os.environ.get("HOYLE_CACHE")))


def _clear_cache() -> int:
    from hoyle.native.cache import clear

    return len(clear())


def _try_compiler() -> tuple[float | None, tuple[Diagnostic, ...]]:
    """Return the seconds of a small build, if a compiler exists, and the problems."""
    from hoyle.diagnostics import Refused
    from hoyle.native.toolchain import trial

    try:
        with progress(t("doctor.working"), 1) as tick:
            tick(0)  # a compiler may take long when it is called for the first time
            seconds = trial()
    except Refused as refused:
        return None, refused.diagnostics
    return (round(seconds, 3) if isinstance(seconds, float) else None), ()


def _describe_program() -> dict[str, Any]:
    import platform
    import sys

    from hoyle.resources import VERSION

    python = f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})"
    return {"hoyle": VERSION, "python": python, "system": platform.platform()}


def _describe_compiler() -> dict[str, Any]:
    from hoyle.native.compiler import Compiler, find_compiler

    found = find_compiler()
    if isinstance(found, Compiler):
        named = {"version": found.version, "origin": found.origin, "words": found.words, "flags": found.flags}
        return {"compiler": named, "tried": []}
    tried = [{"name": name, "why": why, "origin": origin} for name, origin, why in found.tried]
    return {"compiler": None, "tried": tried}


def _describe_cache() -> dict[str, Any]:
    from hoyle.native.cache import entries, place, trouble

    kept, folder, found = entries(), place(), trouble()
    sizes = {"files": len(kept), "bytes": sum(entry.size for entry in kept)}
    unusable = {"folder": str(found[0]), "why": localize(found[1], lang())} if found is not None else None
    return {"cache": {"folder": str(folder) if folder is not None else None, "trouble": unusable, **sizes}}


def _describe_rulesets() -> dict[str, Any]:
    """Describe the places of rulesets in order of precedence."""
    return {"rulesets": [_describe_place(place) for place in _list_places()]}


def _list_places() -> list[packs.Place]:
    """Return all places, including the user folder if it does not exist yet."""
    mine, found = packs.user_place(), [*packs.list_places()]
    return found if mine is None or any(place.origin == "user" for place in found) else [*found, mine]


def _describe_place(place: packs.Place) -> dict[str, Any]:
    return {
        "origin": place.origin,
        "folder": str(place.folder) if place.trouble not in ("gone", "broken") else None,
        "package": place.package or None,
        "trouble": place.trouble or None,
        "names": [*place.rulesets()],
        "left_out": [str(path) for path in place.left_out()],
    }


def _describe_packages() -> dict[str, Any]:
    return {
        "packages": [
            {"name": n, "extra": f"hoyle[{extra}]", "version": _find_version(n)} for n, extra in PACKAGES.items()
        ]
    }


def _find_version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _print_findings(findings: dict[str, Any], seconds: float | None, cleared: int | None) -> None:
    rows = [(t(f"doctor.{name}"), findings[name]) for name in ("hoyle", "python", "system")]
    rows += [(t("doctor.compiler"), line) for line in _list_compiler_lines(findings)]
    rows += [(t("doctor.trial"), t("doctor.tried", seconds=seconds))] if seconds is not None else []
    rows += [(t("doctor.engines"), ", ".join(findings["engines"]))]
    rows += [(t("doctor.cache"), line) for line in _list_cache_lines(findings["cache"], cleared)]
    rows += [(t("doctor.rulesets"), line) for place in _list_places() for line in _list_place_lines(place)]
    rows += [(t("doctor.rulesets"), line) for line in describe_hidden(packs.list_all())]
    rows += [(package["name"], _format_package(package)) for package in findings["packages"]]
    before = ""
    for name, text in rows:
        say(f"{name if name != before else '':<11} {text}")
        before = name


def _list_compiler_lines(findings: dict[str, Any]) -> list[str]:
    if findings["compiler"] is not None:
        return [findings["compiler"]["version"], " ".join(findings["compiler"]["words"])]
    tried = [describe_lack(one["name"], one["why"]) for one in findings["tried"]]
    advice = "doctor.unset" if findings["tried"][0]["origin"] == "CC" else "doctor.get_compiler"
    return [t("doctor.no_compiler", tried=", ".join(tried)), t(advice), t("doctor.without")]


def _list_cache_lines(cache: dict[str, Any], cleared: int | None) -> list[str]:
    sizes = t("doctor.sizes", count=cache["files"], size=format_number(cache["bytes"] / 1e6, 1))
    gone = [t("doctor.cleared", count=cleared)] if cleared is not None else []
    trouble = [t("doctor.unusable", **cache["trouble"])] if cache["trouble"] is not None else []
    return [*trouble, cache["folder"] or t("doctor.no_folder"), *gone, sizes]


def _list_place_lines(place: packs.Place) -> list[str]:
    count = len(place.rulesets())
    found = [] if place.trouble else [t("doctor.place", where=describe_place(place), count=count)]
    unmade = place.origin == "user" and place.trouble == "absent"
    return [t("doctor.unmade", folder=place.folder)] if unmade else [*found, *describe_troubles(place)]


def _format_package(package: dict[str, Any]) -> str:
    return package["version"] or t("doctor.no_package", extra=package["extra"])
