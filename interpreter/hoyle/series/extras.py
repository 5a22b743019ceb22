"""Packages that are not needed to play, and are looked for when something is asked that needs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hoyle.diagnostics import Said
from hoyle.language.sentences import in_all


class Missing(ImportError):
    """A package that is asked for is not installed. `said`: which, and what installs it."""

    def __init__(self, package: str, install: str) -> None:
        self.said: Said = in_all("missing", package=package, install=install)
        super().__init__(self.said)


def needed(module: str, install: str = "") -> Any:
    """A module of a package; `install`: what is told to install it by, its own name if nothing is said. Raises Missing."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # it is there, and lacks something else
        raise Missing(package, install or package) from None
