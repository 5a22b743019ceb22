"""How a game goes: what is done at the start, then phase by phase."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.language.model import Phase
from interpreter.language.steps import Deal, Gather, Shuffle, every_step
from interpreter.prose.deeds import Line, lines
from interpreter.prose.speech import sentence
from interpreter.prose.voice import move_name
from interpreter.rulebook.document import Block, Entries, Entry, Heading
from interpreter.rulebook.telling import Telling


def anchor(section: str, name: str) -> str:
    """Where links to a rule lead: the same in every language."""
    return f"{section}-{re.sub(r'[^0-9A-Za-zÀ-ÿ]+', '-', name).strip('-')}"


class Course:
    """The phases that are gone through, each told once; short ones where they are called."""

    def __init__(self, told: Telling) -> None:
        self.told = told
        self._lines: dict[str, tuple[Line, ...]] = {}
        self.order: list[str] = []
        self._walk("game")
        self.before = self._prepared()

    def _walk(self, name: str) -> None:
        if name in self._lines:
            return
        phase = self._phase(name)
        self._lines[name] = lines(phase.steps, self.told.voice) if phase is not None else ()
        self.order.append(name)
        for line in _every(self._lines[name]):
            if line.phase:
                self._walk(line.phase)
            for move in line.moves:
                for inner in _every(lines(self.told.rules.moves[move].then, self.told.voice)):
                    if inner.phase:
                        self._walk(inner.phase)

    def _phase(self, name: str) -> Phase | None:
        return self.told.rules.phases.get((name, True)) or self.told.rules.phases.get((name, False))

    def _prepared(self) -> tuple[str, int]:
        """The phase that gets things ready, and how many of its lines do."""
        found = [name for name in self.order if self._sets_up(name) and self._quiet(name)]
        best = max(found, key=lambda name: len([*_every(self._lines[name])]), default="")
        return best, self._quiet(best) if best else 0

    def _sets_up(self, name: str) -> bool:
        phase = self._phase(name)
        return phase is not None and any(isinstance(s.verb, Shuffle | Deal | Gather) for s in every_step(phase.steps))

    def _quiet(self, name: str) -> int:
        """How many of its first lines ask nobody."""
        asking = [any(one.moves or one.phase for one in _every((line,))) for line in self._lines[name]]
        return asking.index(True) if True in asking else len(asking)

    # ---- what is told ----------------------------------------------------------------------------------------------

    def preparation(self) -> Iterator[Block]:
        name, count = self.before
        if count:
            yield Entries(tuple(self._entries(self._lines[name][:count], set())), numbered=True)

    def phases(self) -> Iterator[Block]:
        said = set[str]()
        for name in self.order:
            found = self._lines[name]
            if found and (name == "game" or not self._is_short(name)):
                first, count = self.before
                rest = found[count:] if name == first else found
                items = [*self._entries(rest, said)]
                if name == first:
                    items.insert(
                        0, Entry(self.told.say("course.prepared"), link="deal", head=self.told.say("section.deal"))
                    )
                yield Heading(sentence(self.told.voice.label("phases", name)), anchor("phase", name))
                yield Entries(tuple(items), numbered=True)

    def _is_short(self, name: str) -> bool:
        """May it stand where it is called?"""
        found = self._lines[name]
        return name != self.before[0] and len(found) <= 2 and not any(line.phase for line in _every(found))

    def entries(self, found: tuple[Line, ...]) -> tuple[Entry, ...]:
        """What else happens in a course of its own: in a move, or by itself."""
        return tuple(self._entries(found, set()))

    def _entries(self, found: tuple[Line, ...], said: set[str]) -> Iterator[Entry]:
        for line in found:
            entry = self._entry(line, said)
            if entry.text or entry.head:
                yield entry

    def _entry(self, line: Line, said: set[str]) -> Entry:
        told = self.told
        inside = list(self._entries(line.inside, said))
        head, link = "", ""
        if line.phase and self._is_short(line.phase):
            inside = [*self._entries(self._lines[line.phase], said), *inside]
            head = sentence(told.voice.label("phases", line.phase)) if not line.text else ""
        elif line.phase:
            head, link = sentence(told.voice.label("phases", line.phase)), anchor("phase", line.phase)
        clauses = [words for words in told.told(line.at) if words not in said]
        said.update(clauses)
        inside += [Entry(words) for words in clauses]
        if line.moves:
            inside += [
                Entry(link=anchor("move", name), head=move_name(name, told.voice))
                for name in line.moves
                if len(line.moves) > 1
            ]
        return Entry(sentence(line.text), head, told.cites(line.at), tuple(inside), link=link)


def _every(found: tuple[Line, ...]) -> Iterator[Line]:
    for line in found:
        yield line
        yield from _every(line.inside)
