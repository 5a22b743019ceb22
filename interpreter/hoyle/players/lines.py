"""The line of play that a search followed most after an action, as the seat that searches would see it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.events import Event, event
from hoyle.language.sentences import FALLBACK
from hoyle.players.search import Hunt
from hoyle.players.sight import Sight
from hoyle.running.state import CHANCE, Action, Core
from hoyle.running.state import Event as CoreEvent

SEEN = 40
"""So many of its worlds are looked at."""
OFTEN = 24
"""A move that was tried less often is no part of a line."""
MOSTLY = 0.5
"""In so many of the worlds a move must be possible, not to be told with a doubt."""
LONGEST = 6
"""Moves of a line."""
_TOLD = ("move", "score", "say", "turned", "received", "ends", "taken_back")


class Step(Struct, frozen=True):
    """What somebody is told in a line of play, as it would be logged; `doubtful` if it is a move that can be made in few of the worlds."""

    raw: CoreEvent
    doubtful: bool = False

    def event(self, game: Compiled) -> Event:
        found = event(game, self.raw)
        assert found is not None  # else it would be in no line
        return found


class _Happened(Struct, frozen=True):
    """What somebody was told, as it was logged and in words, and the state after it."""

    core: Core
    events: list[CoreEvent]
    texts: tuple[str, ...]


def line(game: Compiled, hunt: Hunt, number: int) -> list[Step]:
    """What happens after this action of the first world, first of all the action: as far as each move was tried often, and as far as it looks the
    same to the seat in all worlds. Where dice or a card that is turned decides, it ends, and after what somebody does who may not be able to."""
    reader = _Reader(game, hunt)
    with game.machine.uncounted():
        return reader.line(number)


def certain_line(game: Compiled, core: Core, number: int, best: Callable[[Core], int | None]) -> list[Step]:
    """What happens after this action of a state of which nothing is hidden, as far as it is known which action is best, and up to where chance decides."""
    core, chosen, found = core.copy(), number, list[Step]()
    with game.machine.uncounted():
        for _ in range(LONGEST):
            core.log = []
            game.machine.play(core, core.acts[chosen])
            kinds = [raw[0] for raw in core.log]
            until = next((at for at, kind in enumerate(kinds) if kind in CHANCE), len(kinds))
            found += (Step(raw) for raw in core.log[:until] if raw[0] in _TOLD)
            following = None if core.over or until < len(kinds) else 0 if len(core.acts) == 1 else best(core)
            if following is None:
                break
            chosen = following
    return found


class _Reader:
    def __init__(self, game: Compiled, hunt: Hunt) -> None:
        self.game, self.hunt = game, hunt
        self.me = hunt.worlds[0].actor
        self.seat = game.seats[self.me]
        self.sight = Sight(game.machine, self.me)
        self._texts: dict[tuple[int, int, Action], str] = {}

    def line(self, number: int) -> list[Step]:
        found: list[Step] = []
        chosen, doubtful = [(world, world.acts[number]) for world in self.hunt.worlds[:SEEN]], False
        for _ in range(LONGEST):
            after = [*self._played(chosen)]
            same = _common([happened.texts for happened in after])
            found += (Step(raw, doubtful and raw[0] == "move") for raw in after[0].events[:same]) if after else ()
            alike = len({(happened.texts, self.sight(happened.core)) for happened in after}) == 1
            if doubtful or not alike or after[0].core.over:
                break
            chosen = self._chosen([happened.core for happened in after])
            doubtful = len(chosen) < MOSTLY * len(after)
        return found

    def _played(self, chosen: Sequence[tuple[Core, Action]]) -> Iterator[_Happened]:
        for before, action in chosen:
            core = before.copy()
            core.log = []
            try:
                self.game.machine.play(core, action)
            except Refused:
                continue
            events = [(raw, found) for raw in core.log or () if raw[0] in _TOLD and (found := event(self.game, raw))]
            told = [(raw, text) for raw, found in events if (text := found.text(FALLBACK, self.seat))]
            yield _Happened(core, [raw for raw, _ in told], tuple(text for _, text in told))

    def _chosen(self, cores: Sequence[Core]) -> list[tuple[Core, Action]]:
        """What was tried most there, of all that looks the same to the seat, and in which of the states; nothing if that is not often."""
        tried: dict[str, dict[Hashable, int]] = {}
        best: list[dict[str, tuple[int, Action]]] = []
        for core in cores:
            best.append({})
            known = self.hunt.found(core) if len(core.acts) > 1 else []
            for action, often in zip(core.acts, [one.tried for one in known] or [OFTEN], strict=True):
                if often:
                    text = self._text(core, action)
                    tried.setdefault(text, {})[self.sight.told_apart(core, action)] = often
                    best[-1][text] = max(best[-1].get(text, (0, action)), (often, action), key=lambda found: found[0])
        sums = {text: sum(each.values()) for text, each in tried.items()}
        most = max(sums, key=lambda text: sums[text], default="")
        if sums.get(most, 0) < OFTEN:
            return []
        return [(core, found[most][1]) for core, found in zip(cores, best, strict=True) if most in found]

    def _text(self, core: Core, action: Action) -> str:
        """A move as the seat would be told of it."""
        key = core.pc, core.actor, action
        if key not in self._texts:
            found = event(self.game, ("move", core.actor, core.pc, action))
            self._texts[key] = found.text(FALLBACK, self.seat) if found is not None else ""
        return self._texts[key]


def _common(texts: Sequence[tuple[str, ...]]) -> int:
    """How many texts all begin with."""
    count = min(map(len, texts), default=0)
    return next((n for n in range(count) if len({each[n] for each in texts}) > 1), count)
