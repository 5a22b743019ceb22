"""How a game goes: what is done at the start, then phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import UnionType

from msgspec.structs import replace

from hoyle.language.model import Phase
from hoyle.language.steps import Deal, Gather, Roll, Shuffle, every_step
from hoyle.prose.deeds import Line, lines
from hoyle.prose.moves import move_title
from hoyle.prose.speech import sentence
from hoyle.rulebook.document import Block, Cite, Entries, Entry, Heading, anchor, left_out
from hoyle.rulebook.telling import Telling, says

_MOVING = ("Deal", "MovePile", "MovePieces", "Turn")
SPOKEN_OF = 0.2
"""Clauses that have so much of the words of a step speak of it."""
LONGEST_DEED = 150
"""So long may the words of a step be that stand beside those of its clauses."""
LONGEST = 110
"""A step is told in so many characters where there are clauses, which tell the game, too."""
LONGEST_SKIP = 60
"""Who is left out is told in so many characters where there are clauses."""
_NOTED = ("Set", "Say", "Gather", "Reckoned", "Leave", "MovePile", "MovePieces", "Turn")
"""What is written down, announced or tidied up is no part of the game where clauses tell it, unless they name the step."""
_OF_RULES = ("Score", "Reckoned", "End", "Leave", "TakeBack", "Lots", "Say", "Roll")
"""What is told of the effects of a rule that has a sentence of its own: the rest is what its sentence says."""
_SAID_BY_RULES = ("Say", "Roll")
"""And what of it is not, where there are clauses."""
OfRule = Callable[[str, "Course"], Entry]


class Course:
    """The phases that are gone through, each told once; short ones where they are called. Moves and obligations are told where they come up."""

    def __init__(self, told: Telling, of_move: OfRule, of_duty: OfRule) -> None:
        """`of_move`, `of_duty`: how a move and an obligation are told, where they come up first."""
        self.told, self.of_move, self.of_duty = told, of_move, of_duty
        self.shown: set[str] = set()
        """The anchors of the moves and obligations that have been told."""
        self._lines: dict[str, tuple[Line, ...]] = {}
        self.order: list[str] = []
        self.preparing = self.prepared = False
        self._walk("game")
        self.before = self._prepared()

    def _walk(self, name: str) -> None:
        if name in self._lines:
            return
        phase = self._phase(name)
        self._lines[name] = lines(phase.steps, self.told.voice) if phase is not None else ()
        self.order.append(name)
        for line in every_line(self._lines[name]):
            if line.phase:
                self._walk(line.phase)
            for move in line.moves:
                for inner in every_line(lines(self.told.rules.moves[move].then, self.told.voice)):
                    if inner.phase:
                        self._walk(inner.phase)

    def _phase(self, name: str) -> Phase | None:
        return self.told.rules.phases.get((name, True)) or self.told.rules.phases.get((name, False))

    def _prepared(self) -> tuple[str, int]:
        """The phase that gets things ready, and how many of its lines do."""
        found = [name for name in self.order if self._quiet(name)]
        dealt = [name for name in found if self._does(name, Shuffle | Deal)]
        if dealt:
            best = max(dealt, key=lambda name: len([*every_line(self._lines[name])]))
        else:
            best = next((name for name in found if self._does(name, Gather) and not self._does(name, Roll)), "")
        return best, self._quiet(best) if best else 0

    def _does(self, name: str, verbs: type | UnionType) -> bool:
        phase = self._phase(name)
        return phase is not None and any(isinstance(step.verb, verbs) for step in every_step(phase.steps))

    def _quiet(self, name: str) -> int:
        """How many of its first lines ask nobody."""
        asking = [any(one.moves or one.phase for one in every_line((line,))) for line in self._lines[name]]
        return asking.index(True) if True in asking else len(asking)

    # ---- what is told ----------------------------------------------------------------------------------------------

    def steps(self, phase: str) -> tuple[Line, ...]:
        """All that is done in a phase, told or not."""
        return self._lines[phase]

    def preparation(self) -> Iterator[Block]:
        name, count = self.before
        if count:
            self.preparing = True
            found = self._listed(self._lines[name][:count])
            self.preparing, self.prepared = False, bool(found.items)
            yield found

    def _listed(self, found: tuple[Line, ...], *before: Entry) -> Entries:
        """Steps as they are told, and below them as they are done."""
        items, exact = (*before, *self._entries(found)), self.exact(found)
        return Entries(items, numbered=True, exact=exact if left_out(exact, items) else ())

    def phases(self) -> Iterator[Block]:
        for name in self.order:
            found = self._lines[name]
            if found and (name == "game" or not (self._is_short(name) or self._says_nothing(name))):
                first, count = self.before
                rest = found[count:] if name == first else found
                ready = Entry(self.told.say("course.prepared"), link="deal", head=self.told.say("section.deal"))
                yield Heading(sentence(self.told.voice.label("phases", name)), anchor("phase", name))
                yield self._listed(rest, *((ready,) if name == first and self.prepared else ()))

    def _is_short(self, name: str) -> bool:
        """May it stand where it is called?"""
        found = self._lines[name]
        if name == self.before[0] or any(line.phase for line in every_line(found)):
            return False
        return len(found) <= 2 or not any(self._is_told(line) for line in every_line(found))

    def _says_nothing(self, name: str) -> bool:
        """Is it book-keeping from beginning to end?"""
        deeds = [
            line for line in every_line(self._lines[name]) if not line.inside or line.moves or line.phase or line.at
        ]
        return not any(line.at or line.moves or line.phase or self._is_told(line) for line in deeds)

    def _is_told(self, line: Line) -> bool:
        """Is it more than book-keeping: where there are clauses, what they do not say shorter; else what a sentence speaks of?"""
        if not self.told.clauses:
            return line.verb != "Set" or self.told.mentions(self.told.voice.label("state", line.cell))
        limit = {"Skip": LONGEST_SKIP, "Score": LONGEST}.get(line.verb, LONGEST_DEED)
        moved = self.preparing and line.verb in _MOVING
        return (moved or line.verb not in _NOTED) and len(line.text) <= limit

    def of_rule(self, found: tuple[Line, ...]) -> tuple[Entry, ...]:
        """What else a rule with a sentence of its own does."""
        return tuple(self._entries(found, of_rule=True))

    def _entries(self, found: tuple[Line, ...], of_rule: bool = False, under: str = "") -> Iterator[Entry]:
        for line in found:
            entry = self._entry(line, of_rule, under)
            if entry is not None:
                under += f" {line.at}" if entry.anchor else ""
                yield entry

    def _entry(self, line: Line, of_rule: bool, under: str) -> Entry | None:
        """A step as it is told: by its clauses, if nothing in it leads on to a phase or asks for a move. `under`: the places of the source that
        steps around it name."""
        clauses, body = self.told.tell(line.at), self._body(line)
        offered = tuple(_without(entry, clauses) for entry in self._offered(line))
        inside = (*offered, *self._entries(body, of_rule, f"{under} {line.at}"))
        cites = self._cites(line, clauses[1:])
        if clauses and not self._leads_on(line) and not self._says_more(line, clauses):
            return replace(clauses[0], inside=(*clauses[1:], *_clauses_of(inside)))
        if not clauses and not self._stays(line, inside, of_rule, under):
            return None
        head, link = self._called(line)
        text = sentence(self._briefly(line))
        if clauses and (line.moves or link):
            said = f"{clauses[0].text} {text}".strip()
            return replace(clauses[0], text=said, head=head, link=link, inside=(*clauses[1:], *inside))
        return Entry(text, head, cites if not clauses else (), (*clauses, *inside), link=link)

    def _briefly(self, line: Line) -> str:
        """Without the moves that stand inside, and without what it hangs on if that is long and a clause says it."""
        if line.moves or (line.verb == "Run" and line.brief):
            return line.brief
        named_oddly = bool(line.inside) and not line.verb and not line.phase
        long = named_oddly or len(line.text) > LONGEST
        return line.brief if line.brief and self.told.clauses and long else line.text

    def _cites(self, line: Line, clauses: tuple[Entry, ...]) -> tuple[Cite, ...]:
        """The places that a step names, without the clauses that are told inside it."""
        inside = {entry.anchor for entry in clauses}
        return tuple(cite for cite in self.told.cites(line.at) if cite.link not in inside)

    def _leads_on(self, line: Line) -> bool:
        """Does it ask for a throw or a move, or go through a phase told elsewhere? Then its own words are needed to follow it."""
        there = line.phase and not self._is_short(line.phase)
        return bool(line.moves or there or line.verb == "Roll") or any(
            self._leads_on(inner) for inner in self._body(line)
        )

    def _says_more(self, line: Line, clauses: tuple[Entry, ...]) -> bool:
        """Does it move pieces of which its clauses do not speak?"""
        short = line.verb in _MOVING and len(line.text) <= LONGEST_DEED
        return short and not says(line.text, (entry.text for entry in clauses), SPOKEN_OF)

    def _stays(self, line: Line, inside: tuple[Entry, ...], of_rule: bool, under: str) -> bool:
        if line.moves or (line.phase and not self._is_short(line.phase)):
            return True
        if line.inside or line.phase:
            return bool(inside)
        short = line.verb in _MOVING and len(line.text) <= LONGEST_DEED
        named = short and any(name in self.told.clauses for name in line.at.split())
        if not (named or self._is_told(line)) or (of_rule and self.told.clauses and line.verb in _SAID_BY_RULES):
            return False
        names = {name for name in line.at.split() if name in self.told.clauses}
        if names and (line.verb == "Set" or (line.verb != "Score" and names <= set(under.split()))):
            return False  # a clause told before says it
        return not (of_rule and line.verb) or line.verb in _OF_RULES

    def _body(self, line: Line) -> tuple[Line, ...]:
        return (*self._lines[line.phase], *line.inside) if line.phase and self._is_short(line.phase) else line.inside

    def _called(self, line: Line) -> tuple[str, str]:
        """What the phase is called that is gone through there, and where it is told."""
        if not line.phase or self._says_nothing(line.phase):
            return "", ""
        label = sentence(self.told.voice.label("phases", line.phase))
        if self._is_short(line.phase):
            return (label if not line.text else ""), ""
        return label, anchor("phase", line.phase)

    def _offered(self, line: Line) -> tuple[Entry, ...]:
        """The moves that may be made there and the obligations that they obey, or where they are told."""
        voice, known = self.told.voice, self.told.force.obligations
        moves = [self._rule("move", name, move_title(name, voice), self.of_move) for name in dict.fromkeys(line.moves)]
        duties = [
            self._rule("obligation", name, sentence(voice.label("obligations", name)), self.of_duty)
            for name in line.obey
            if name in known and anchor("obligation", name) not in self.shown
        ]
        obeyed = (Entry(self.told.say("course.obey"), inside=tuple(duties)),) if duties else ()
        return (*_each_sentence_once(moves), *obeyed)

    def _rule(self, sort: str, name: str, label: str, tell: OfRule) -> Entry:
        place = anchor(sort, name)
        if place in self.shown:
            return Entry(head=label, link=place)
        self.shown.add(place)
        return tell(name, self)

    def exact(self, found: tuple[Line, ...]) -> tuple[Entry, ...]:
        """All steps in the words of their formulas."""
        return tuple(self._exact(line) for line in found)

    def _exact(self, line: Line) -> Entry:
        head, link = self._called(line)
        return Entry(sentence(line.text), head, self.told.cites(line.at), self.exact(self._body(line)), link=link)


def _each_sentence_once(found: Iterable[Entry]) -> Iterator[Entry]:
    """What is told of several moves in the same words is told of the first."""
    before = set[str]()
    for entry in found:
        yield replace(entry, text="") if entry.text in before else entry
        before.add(entry.text)


def _without(entry: Entry, clauses: Iterable[Entry]) -> Entry:
    """Without naming the clauses that stand right before it."""
    before = {clause.anchor for clause in clauses}
    return replace(entry, cites=tuple(cite for cite in entry.cites if cite.link not in before))


def _clauses_of(found: Iterable[Entry]) -> Iterator[Entry]:
    """The clauses told in there: they stay where what they stand in is told by another."""
    for entry in found:
        if entry.anchor:
            yield entry
        else:
            yield from _clauses_of(entry.inside)


def every_line(found: tuple[Line, ...]) -> Iterator[Line]:
    """These lines and those inside them."""
    for line in found:
        yield line
        yield from every_line(line.inside)
