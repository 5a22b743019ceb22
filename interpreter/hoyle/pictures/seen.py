"""What whoever draws a table knows of a view, whatever it asks of its piles and boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

P = TypeVar("P", covariant=True)
V = TypeVar("V", covariant=True)
B = TypeVar("B", covariant=True)
S = TypeVar("S", covariant=True)


class Seen(Protocol[P, V, B, S]):
    """What one seat, or an onlooker, sees: piles, values of the state, boards and sheets."""

    @property
    def seat(self) -> str | None: ...
    @property
    def to_act(self) -> str | None: ...
    @property
    def piles(self) -> Sequence[P]: ...
    @property
    def state(self) -> Sequence[V]: ...
    @property
    def boards(self) -> Sequence[B]: ...
    @property
    def sheets(self) -> Sequence[S]: ...
