"""For all tests: tiers, and surroundings that do not depend on who runs them."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tiers

if TYPE_CHECKING:
    from editing import Editor

pytest.register_assert_rewrite("command_cases")
pytest_plugins = ["browsing", "cost_report", "workers"]

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    tiers.choose_tier(config)
    config.pluginmanager.getplugin("workers").prepare(config)
    if tiers.tier() == "slow":
        gc.set_threshold(200_000, 50, 100)
    else:
        gc.disable()  # saves a tenth of the time, and takes a gigabyte
    if getattr(config.option, "dist", "no") == "no":  # else workers run the tests
        _choose_examples(config)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _isolate(config)
        _keep_bytecode(config)
        if tiers.tier() != "quick":
            _use_memory()


def _choose_examples(config: pytest.Config) -> None:
    from hypothesis import settings
    from hypothesis.internal.conjecture import providers
    from hypothesis.internal.entropy import deterministic_PRNG

    # Two runs must find the same, however slow the machine is; `HYPOTHESIS_PROFILE=search` looks further.
    settings.register_profile("search", deadline=None, max_examples=2_000)
    for name in ("steady", tiers.THOROUGH):
        settings.register_profile(name, deadline=None, derandomize=True, max_examples=tiers.examples(15, 100))
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
    # Examples must not depend on which modules are loaded, all of which hypothesis would read and parse for their constants.
    patch = pytest.MonkeyPatch()
    patch.setattr(providers, "_get_local_constants", lambda: providers._local_constants, raising=False)
    config.add_cleanup(patch.undo)
    with deterministic_PRNG():  # the first of a process looks through all objects there are, now few
        pass


def _isolate(config: pytest.Config) -> None:
    """Hide the user's rulesets and settings. Built libraries are kept between runs, in pytest's cache."""
    own = tempfile.mkdtemp(prefix="hoyle-tests-")
    config.add_cleanup(lambda: shutil.rmtree(own, ignore_errors=True))
    os.environ["HOYLE_CACHE"] = own if getattr(config, "cache", None) is None else str(config.cache.mkdir("hoyle"))
    os.environ["XDG_DATA_HOME"] = os.path.join(own, "data")
    os.environ.pop("HOYLE_PATH", None)


def _keep_bytecode(config: pytest.Config) -> None:
    """With PYTHONDONTWRITEBYTECODE, each program that a test starts would compile all it imports."""
    has_cache = getattr(config, "cache", None) is not None
    if sys.dont_write_bytecode and has_cache and os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        folder = str(config.cache.mkdir("bytecode"))
        os.environ.setdefault("PYTHONPYCACHEPREFIX", folder)
        sys.pycache_prefix, sys.dont_write_bytecode = os.environ["PYTHONPYCACHEPREFIX"], False


def _use_memory() -> None:
    """Put temporary folders into memory where there is room: tests make thousands of small files."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 29:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    gc.freeze()  # pytest collects garbage several times when it ends


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files of which this tier runs no test, unless they are named."""
    if collection_path.suffix != ".py" or _are_named(config):
        return None
    text = collection_path.read_text(encoding="utf-8")
    left_out = [name for name in ("slow", "whole") if tiers.is_left_out({name})]
    return any(f"\npytestmark = pytest.mark.{name}\n" in text for name in left_out) or None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """Do not generate the cases of functions that this tier does not run, unless they are named."""
    marks = [*collector.iter_markers(), *(m for m in getattr(obj, "pytestmark", ()) if isinstance(m, pytest.Mark))]
    return [] if tiers.is_left_out({m.name for m in marks}) and not _are_named(collector.config) else None


def _are_named(config: pytest.Config) -> bool:
    return any("::" in name for name in config.args)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark and sample the quick tier, or take the part that HOYLE_SHARE names (`.ci/run`)."""
    items.sort(key=lambda item: item.path.name == "test_fuzz.py")  # it slows down what its process runs afterwards
    quick = [item for item in items if not {"slow", "whole"} & {mark.name for mark in item.iter_markers()}]
    for item in quick:
        item.add_marker(pytest.mark.quick)
    if tiers.tier() == "quick":
        tiers.sample(quick)
        if not _are_named(config):
            items[:] = quick
    if part := os.environ.get("HOYLE_SHARE"):
        tiers.share(items, part, os.environ.get("HOYLE_GAMES", "").split())


@pytest.fixture(autouse=True, scope="session")
def _plain_surroundings() -> None:
    """English, no colours and a usual width, for this process and those it starts."""
    kept = ("HOYLE_CACHE", "HOYLE_BROWSER", "HOYLE_CHROMIUM", "HOYLE_ARTEFACTS")
    for name in [*os.environ]:
        if (
            name.startswith("LC_")
            or name in ("LANGUAGE", "FORCE_COLOR", "CLICOLOR_FORCE")
            or (name.startswith("HOYLE_") and name not in kept)
        ):
            del os.environ[name]
    # A run in the background must not teach its programs to ignore Ctrl-C or the end of the terminal.
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    os.environ.update(LANG="C.UTF-8", NO_COLOR="1", COLUMNS="100", PYTHONIOENCODING="utf-8")


def pytest_runtest_teardown() -> None:
    """After a command that spoke another language, the next test hears English."""
    if (catalogue := sys.modules.get("hoyle.presentation.catalogue")) is not None:
        catalogue.choose_language([], {})


@pytest.fixture(autouse=True, scope="session")
def _built_quickly() -> Iterator[None]:
    """A game is compiled once in a process. The C compiler does not optimise: it takes a tenth of the time, and the library plays the same."""
    import compiled_once  # after HOYLE_CACHE is set
    from engines import QUICKLY

    from hoyle.native import engine_builder

    with pytest.MonkeyPatch.context() as patch:
        compiled_once.install(patch)
        patch.setattr(engine_builder, "FLAGS", (*engine_builder.FLAGS, QUICKLY))
        yield


@pytest.fixture
def searching_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.players.judgement.solve_view", lambda *_, **__: None)
    monkeypatch.setattr("hoyle.players.move_evaluation.find_certain_state", lambda *_, **__: None)


@pytest.fixture
def editor(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    from editing import edited  # and with it pygls, which takes long to import

    yield from edited(tmp_path_factory, monkeypatch)
