"""What an option, or the number of players, could make otherwise: known by the words of formulas and of what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.checking.world import World
from hoyle.language.evaluate import everything
from hoyle.language.ir import Expr, Local
from hoyle.language.kinds import Kind, List, Pile, Row, families_of
from hoyle.language.model import Ruleset
from hoyle.reading.tree import Node

_DECLARING = ("tables", "pieces", "piles", "state")


class Adjustable:
    """Says of a formula whether its bounds may hang on an option. In doubt it says yes."""

    def __init__(self, found: Ruleset, world: World, root: Node) -> None:
        self.found, self.world, self.root = found, world, root
        self.options = {*found.options}
        count = root["players"].get("count")
        if count is not None and ".." in count.raw:
            self.options |= {"players", "player", "others", "pairs", "pair"}

    def __call__(self, part: Expr) -> bool:
        if not self.options:
            return False
        waiting = set[str]()
        for e in everything(part):
            if isinstance(e, Local) and e.kind.name == "number":
                return True  # what it is one of stands elsewhere
            waiting |= {*_words(e.span.text), *self._names(e.kind)}
        return self._hangs(waiting)

    def _names(self, kind: Kind) -> Iterator[str]:
        while isinstance(kind, List):
            kind = kind.item
        match kind:
            case Row(table):
                yield table
            case Pile():
                yield from families_of(kind) or self.found.piles
        if kind.name in ("pile", "piece"):
            yield from self.found.pieces

    def _hangs(self, waiting: set[str]) -> bool:
        seen: set[str] = set()
        while waiting:
            word = waiting.pop()
            if word in self.options:
                return True
            seen.add(word)
            waiting |= {w for text in self._declared(word) for w in _words(text)} - seen
        return False

    def _declared(self, word: str) -> Iterator[str]:
        term = self.world.terms.get(word)
        if term is not None:
            yield term.form.span.text
        for section in _DECLARING:
            node = self.root.get(section)
            entry = node.get(word) if node is not None else None
            if entry is not None:
                yield f"{entry.plain()}"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
