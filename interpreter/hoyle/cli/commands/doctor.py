"""`hoyle doctor`: what this machine has for playing fast, and how to get what it lacks."""

from __future__ import annotations

import os
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from hoyle import packs
from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.figures import figure
from hoyle.cli.drawing.progress import progress
from hoyle.cli.engines import lack
from hoyle.cli.found import hidden, troubles, where
from hoyle.cli.options import json_option, lang_option
from hoyle.cli.output import diagnose, emit, say
from hoyle.cli.shell import command, option
from hoyle.diagnostics import told

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic

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
    sizes = t("doctor.sizes", count=cache["files"], size=figure(cache["bytes"] / 1e6, 1))
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
