"""What a user gives to be looked at: positions and records, from a file or standard input."""

from __future__ import annotations

from typing import Any


def position_data(name: str) -> Any:
    """A position as plain data; whatever is wrong with the file is a `Refused` with its place."""
    from interpreter.yaml_tree import load, read

    return load(read(name)).plain()
