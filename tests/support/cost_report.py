"""A pytest plugin that tells what a run cost, in processor seconds, and keeps the figures for `tests/costs.py`."""

import os
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
import tiers

KEPT = "hoyle/costs"
"""The entries of pytest's cache with the cost of each test function of the last run, by tier."""
_MOST = 3
_OWN = pytest.StashKey[list[tuple[str, float]]]()
"""The tests that this process ran, with the processor seconds of each."""


def last_costs(config: pytest.Config) -> dict[str, float]:
    """The seconds of each test function in the last run of this tier."""
    cache = getattr(config, "cache", None)
    return {} if cache is None else dict(cache.get(f"{KEPT}/{tiers.tier()}", {}))


def used() -> float:
    """Processor seconds of this process and of the programs it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = used()
    result = yield
    item.config.stash[_OWN].append((item.nodeid, used() - before))
    return result


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_OWN] = []
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Sum())


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["costs"] = {"used": used(), "tests": session.config.stash[_OWN]}


class _Sum:
    """Adds up the workers, or this process if there is none, and tells the sum."""

    def __init__(self) -> None:
        self.used, self.functions, self.tests = 0.0, defaultdict[str, float](float), 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        found = getattr(node, "workeroutput", {}).get("costs")
        if found is not None:
            self.used += found["used"]
            self._add(found["tests"])

    def _add(self, tests: list[tuple[str, float]]) -> None:
        self.tests += len(tests)
        for name, seconds in tests:
            self.functions[name.partition("[")[0]] += seconds

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        own = config.stash[_OWN]
        self._add(own)
        if not self.tests:
            return
        total = self.used + (used() if own else _own_seconds())
        most = sorted(self.functions.items(), key=lambda one: -one[1])[:_MOST]
        dearest = ", ".join(f"{_short(name)} {seconds:.1f} s" for name, seconds in most)
        terminalreporter.write_line(f"{self.tests} tests, {total:.0f} s of processor time; most expensive: {dearest}")
        if getattr(config, "cache", None) is not None:
            config.cache.set(
                f"{KEPT}/{tiers.tier()}", {name: round(seconds, 3) for name, seconds in self.functions.items()}
            )


def _own_seconds() -> float:
    """Figures of this process alone: its workers report their own."""
    times = os.times()
    return times.user + times.system


def _short(name: str) -> str:
    file, _, function = name.partition("::")
    return f"{os.path.basename(file).removesuffix('.py')}::{function}"
