"""A pytest plugin with which workers of pytest-xdist cost less.

In the quick tier each imports and runs its own files. Usually each imports every file and takes tests until none is left, but
importing takes as long as a fifth of these tests. In every tier a test that passes is reported in one message, not in five.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import cost_report
import pytest
import tiers
from _pytest.runner import runtestprotocol
from xdist.scheduler import EachScheduling  # type: ignore[import-untyped]

TESTS = Path(__file__).resolve().parents[1]
_FILES = pytest.StashKey[set[Path]]()
"""The files of this worker."""


def prepare(config: pytest.Config) -> None:
    """Called when the tier is known, and before pytest-xdist begins."""
    if _is_dealt(config):
        config.option.maxworkerrestart = "0"  # another worker would have other files
        if worker := os.environ.get("PYTEST_XDIST_WORKER"):
            workers = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
            config.stash[_FILES] = _deal(config, int(worker.removeprefix("gw")), workers)


def _is_dealt(config: pytest.Config) -> bool:
    """Not where a part is asked for: a worker without any test would look as if there were none."""
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return tiers.tier() == "quick" and everything and not (config.option.keyword or config.getoption("lf", False))


def _deal(config: pytest.Config, number: int, workers: int) -> set[Path]:
    """Neighbours, which use the same games, in parts of the same cost: that of the last run, and a second for a megabyte to import."""
    costs = defaultdict[str, float](float)
    for name, seconds in cost_report.last_costs(config).items():
        costs[name.partition("::")[0]] += seconds
    files = sorted(TESTS.rglob("test_*.py"))
    each = [costs[f"tests/{path.relative_to(TESTS).as_posix()}"] + path.stat().st_size / 1e6 for path in files]
    ends = list(accumulate(each))
    dealt = zip(files, each, ends, strict=True)
    return {path for path, cost, end in dealt if int((end - cost / 2) / ends[-1] * workers) == number}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    own = config.stash.get(_FILES, None)
    return (own is not None and collection_path.suffix == ".py" and collection_path not in own) or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> EachScheduling | None:
    return _Dealt(config, log) if _is_dealt(config) else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


class _Dealt(EachScheduling):  # type: ignore[misc]
    """Lets each worker run what it collected."""

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        session: Any = self.config.pluginmanager.getplugin("session")
        session.testscollected = sum(map(len, self.node2collection.values()))
