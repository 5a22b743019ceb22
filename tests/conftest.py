"""For all tests: nothing of the person who runs them may change what they find."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiers
from hypothesis import settings

pytest_plugins = ["browsing"]

# One machine may be slow, and two runs must find the same; `HYPOTHESIS_PROFILE=search` looks further.
settings.register_profile("search", deadline=None, max_examples=2_000)


def pytest_configure(config: pytest.Config) -> None:
    tiers.shorten(config)
    gc.set_threshold(200_000, 50, 100)  # what tests leave is looked through less often: a tenth of their time
    for name in ("steady", "thorough"):
        settings.register_profile(name, deadline=None, derandomize=True, max_examples=tiers.examples(15, 100))
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _keep_apart(config)
        if tiers.sized(1, 0):
            _in_memory()


def _in_memory() -> None:
    """Thousands of small files are made and removed in the time of one on a disk; the quick tier makes no large ones."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 29:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def _keep_apart(config: pytest.Config) -> None:
    """What this run keeps, its processes share, and it goes with it; what others have kept is none of its business."""
    own = tempfile.mkdtemp(prefix="hoyle-tests-")
    os.environ["HOYLE_CACHE"] = own
    os.environ["XDG_DATA_HOME"] = os.path.join(own, "data")  # no rulesets of whoever runs the tests
    os.environ.pop("HOYLE_PATH", None)
    config.add_cleanup(lambda: shutil.rmtree(own, ignore_errors=True))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    gc.freeze()  # pytest looks for garbage several times at its end


QUICK = (
    "language",
    "reading",
    "checking",
    "passes",
    "compiling",
    "running",
    "native",
    "game",
    "players",
    "reporting",
    "series",
    "differences",
    "cli",
)
"""The rooms whose tests are quick, but for those that are marked `slow` or `whole`."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Files without a quick test are not even read for `pytest -m quick`: that would take a quarter of its time."""
    if not tiers.sized(1, 0) or collection_path.suffix != ".py":
        return None
    quick = collection_path.relative_to(Path(__file__).parent).parts[0] in QUICK
    text = collection_path.read_text(encoding="utf-8")
    return ("pytestmark = pytest.mark.whole" in text if quick else "pytest.mark.quick" not in text) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the quick tier: what a room's own tests find in seconds. Tests that slow down what comes after them in their process come last."""
    items.sort(key=lambda item: item.path.name == "test_fuzz.py")
    here = Path(__file__).parent
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if item.path.relative_to(here).parts[0] in QUICK and not marks & {"slow", "whole"}:
            item.add_marker(pytest.mark.quick)


@pytest.fixture(autouse=True, scope="session")
def _plain_surroundings() -> None:
    """English, no colours, a usual width: what programs started by tests inherit."""
    for name in [
        n
        for n in os.environ
        if n.startswith(("HOYLE_", "LC_")) or n in ("LANGUAGE", "FORCE_COLOR", "CLICOLOR_FORCE")
        if n != "HOYLE_CACHE"
    ]:
        del os.environ[name]
    # A run in the background must not teach its programs to ignore Ctrl-C or the end of the terminal.
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    os.environ.update(LANG="C.UTF-8", NO_COLOR="1", COLUMNS="100", PYTHONIOENCODING="utf-8")


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    """A command that spoke another language does not have the next test speak it."""
    yield
    if (catalogue := sys.modules.get("interpreter.cli.catalogue")) is not None:
        catalogue.choose([], {})


@pytest.fixture(autouse=True)
def _built_quickly(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What tests of the native engine and of tables have built is built as quickly as can be, and once with what other tests have built."""
    if request.path.parent.name in ("native", "web"):
        from engines import QUICKLY  # not before it is settled where things are kept

        from interpreter.native import made

        monkeypatch.setattr(made, "FLAGS", (*made.FLAGS, QUICKLY))
