"""Who asks at the prompt: the game that is being played, as far as a question needs to know and do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from hoyle.cli.playing.keyboard import Console

if TYPE_CHECKING:
    from hoyle.cli.drawing.ink import Look
    from hoyle.cli.playing.interrupting import Passed
    from hoyle.game.game import Game, State
    from hoyle.players.inference.knowledge import Knowledge
    from hoyle.players.search.win_search import Key


class Ahead(Struct, frozen=True):
    """Moves that a person typed at once and that are still to be made, one after the other."""

    seat: str
    moves: list[str]


class Table(Protocol):
    """The game that is being played, as far as a question needs to know and do."""

    game: Game
    name: str
    state: State
    look: Look
    console: Console
    ways: dict[Key, int]
    saved: State | None
    room: int | None
    ahead: Ahead | None

    def recall(self, seat: str | None) -> list[str]: ...

    def show(self, seat: str | None, whole: bool = False) -> None: ...

    def known_to(self, seat: str | None) -> Knowledge | None: ...

    @property
    def chose_last(self) -> str | None:
        """The person whose choice `undo` goes back to."""

    def undo(self) -> bool:
        """Goes back to the person's last move; False if there is none."""

    @property
    def way_back(self) -> str:
        """That a choice was taken back, and how to make it again."""

    @property
    def people(self) -> list[str]: ...

    @property
    def in_pages(self) -> bool: ...

    @property
    def interruptions(self) -> list[Passed]:
        """Where somebody was not asked since a person chose last."""

    def interrupt(self, place: Passed) -> None:
        """Goes back there, to ask."""

    def written(self, name: str) -> str:
        """The record up to now, for the file of this name."""
