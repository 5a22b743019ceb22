"""JSON with types, on the module of the standard library."""

from __future__ import annotations

import json
from typing import Any

from msgspec import MsgspecError, convert, to_builtins


def encode(value: Any) -> bytes:
    """Return strict, compact JSON in UTF-8."""
    text = json.dumps(to_builtins(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def decode(data: str | bytes, type: Any = Any) -> Any:
    """Return the value of strict JSON. Raises MsgspecError."""
    try:
        return convert(json.loads(data, parse_constant=_refuse), type)
    except (ValueError, RecursionError) as error:
        raise MsgspecError(str(error)) from None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
