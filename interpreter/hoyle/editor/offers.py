"""What is offered where somebody is typing."""

from __future__ import annotations

from msgspec import Struct


class Offer(Struct, frozen=True):
    """What could stand there: its name, what sort of thing it is (of SECTIONS, or `key`, `choice`, `file`), a word on its kind, a line of
    meaning, and what is written (empty: the name)."""

    name: str
    sort: str
    detail: str = ""
    meaning: str = ""
    text: str = ""
    rank: int = 5
