"""Copies of records."""

from __future__ import annotations

from typing import Any


def replace(record: Any, **changes: Any) -> Any:
    """Return a copy with changed fields."""
    return type(record)(**{name: getattr(record, name) for name in record.__struct_fields__} | changes)


def asdict(record: Any) -> dict[str, Any]:
    """Return the fields by name."""
    return {name: getattr(record, name) for name in record.__struct_fields__}


class FieldInfo:
    """A field's name."""

    def __init__(self, name: str) -> None:
        self.name = name


def fields(record: Any) -> tuple[FieldInfo, ...]:
    """Return the fields of a record or record class in order."""
    return tuple(FieldInfo(name) for name in record.__struct_fields__)
