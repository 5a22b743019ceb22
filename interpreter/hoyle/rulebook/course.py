"""Describe how a game proceeds: the preparation, then phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import UnionType

from msgspec.structs import replace

from hoyle.language.model import Phase
from hoyle.language.steps import Deal, Gather, Roll, Shuffle, every_step
from hoyle.prose.grammar import capitalize
from hoyle.prose.moves import build_move_title
from hoyle.prose.step_sentences import Line, describe_steps
from hoyle.rulebook.context import RulebookContext, covers
from hoyle.rulebook.document import Block, Cite, Entries, Entry, Heading, has_more_text, make_anchor

_MOVING = ("Deal", "MovePile", "MovePieces", "Turn")
COVERED_SHARE = 0.2
"""Share of a step's longer words that its clauses must contain to cover it."""
LONGEST_STEP = 150
"""Most characters of a step that is told in addition to its clauses."""
LONGEST = 110
"""Most characters of a step that has a shorter form, in games that have clauses."""
LONGEST_SKIP = 60
"""Most characters of the sentence about skipped players, in games that have clauses."""
_BOOKKEEPING = ("Set", "Say", "Gather", "Reckoned", "Leave", "MovePile", "MovePieces", "Turn")
"""Verbs of book-keeping steps: left out in games that have clauses, unless a clause names the step."""
_EFFECTS_OF_RULES = ("Score", "Reckoned", "End", "Leave", "TakeBack", "Lots", "Say", "Roll")
"""Verbs of the effects listed below a rule that has its own sentence; the sentence covers the others."""
_SAID_BY_RULES = ("Say", "Roll")
"""Verbs among those that are left out as well in games that have clauses."""
OfRule = Callable[[str, "Course"], Entry]


class Course:
    """The phases of a game, each described once; short ones are described where they are called.

    Moves and obligations are described where they first come up.
    """

    def __init__(self, context: RulebookContext, of_move: OfRule, of_duty: OfRule) -> None:
        """Take `of_move` and `of_duty`, which describe a move and an obligation by name."""
        self.context, self.of_move, self.of_duty = context, of_move, of_duty
        self.shown: set[str] = set()
        """Anchors of the moves and obligations described so far."""
        self._lines: dict[str, tuple[Line, ...]] = {}
        self.order: list[str] = []
        self.preparing = self.prepared = False
        self._walk("game")
        self.before = self._find_preparation()

    def _walk(self, name: str) -> None:
        if name in self._lines:
            return
        phase = self._find_phase(name)
        self._lines[name] = describe_steps(phase.steps, self.context.voice) if phase is not None else ()
        self.order.append(name)
        for line in walk_lines(self._lines[name]):
            if line.phase:
                self._walk(line.phase)
            for move in line.moves:
                for inner in walk_lines(describe_steps(self.context.rules.moves[move].then, self.context.voice)):
                    if inner.phase:
                        self._walk(inner.phase)

    def _find_phase(self, name: str) -> Phase | None:
        return self.context.rules.phases.get((name, True)) or self.context.rules.phases.get((name, False))

    def _find_preparation(self) -> tuple[str, int]:
        """Return the phase that sets the game up, and the number of its lines that do so."""
        found = [name for name in self.order if self._count_quiet_lines(name)]
        dealt = [name for name in found if self._does(name, Shuffle | Deal)]
        if dealt:
            best = max(dealt, key=lambda name: len([*walk_lines(self._lines[name])]))
        else:
            best = next((name for name in found if self._does(name, Gather) and not self._does(name, Roll)), "")
        return best, self._count_quiet_lines(best) if best else 0

    def _does(self, name: str, verbs: type | UnionType) -> bool:
        phase = self._find_phase(name)
        return phase is not None and any(isinstance(step.verb, verbs) for step in every_step(phase.steps))

    def _count_quiet_lines(self, name: str) -> int:
        """Count the lines of a phase before the first one that asks a player or runs a phase."""
        asking = [any(one.moves or one.phase for one in walk_lines((line,))) for line in self._lines[name]]
        return asking.index(True) if True in asking else len(asking)

    # ---- what is told ----------------------------------------------------------------------------------------------

    def steps(self, phase: str) -> tuple[Line, ...]:
        """Return all lines of a phase, including those that the book leaves out."""
        return self._lines[phase]

    def preparation(self) -> Iterator[Block]:
        name, count = self.before
        if count:
            self.preparing = True
            found = self._list_lines(self._lines[name][:count])
            self.preparing, self.prepared = False, bool(found.items)
            yield found

    def _list_lines(self, found: tuple[Line, ...], *before: Entry) -> Entries:
        """Return numbered entries for these lines, with the exact version if it says more."""
        items, exact = (*before, *self._describe_lines(found)), self.exact(found)
        return Entries(items, numbered=True, exact=exact if has_more_text(exact, items) else ())

    def phases(self) -> Iterator[Block]:
        for name in self.order:
            found = self._lines[name]
            if found and (name == "game" or not (self._is_short(name) or self._is_bookkeeping(name))):
                first, count = self.before
                rest = found[count:] if name == first else found
                ready = Entry(self.context.say("course.prepared"), link="deal", head=self.context.say("section.deal"))
                yield Heading(capitalize(self.context.voice.label("phases", name)), make_anchor("phase", name))
                yield self._list_lines(rest, *((ready,) if name == first and self.prepared else ()))

    def _is_short(self, name: str) -> bool:
        """Return whether the phase is described where it is called instead of in a section of its own."""
        found = self._lines[name]
        if name == self.before[0] or any(line.phase for line in walk_lines(found)):
            return False
        return len(found) <= 2 or not any(self._is_told(line) for line in walk_lines(found))

    def _is_bookkeeping(self, name: str) -> bool:
        """Return whether the phase consists of book-keeping only."""
        deeds = [
            line for line in walk_lines(self._lines[name]) if not line.inside or line.moves or line.phase or line.at
        ]
        return not any(line.at or line.moves or line.phase or self._is_told(line) for line in deeds)

    def _is_told(self, line: Line) -> bool:
        """Return whether the book mentions a line that no clause names.

        In games without clauses, only cells that no sentence mentions are left out.
        """
        if not self.context.clauses:
            return line.verb != "Set" or self.context.mentions(self.context.voice.label("state", line.cell))
        limit = {"Skip": LONGEST_SKIP, "Score": LONGEST}.get(line.verb, LONGEST_STEP)
        moved = self.preparing and line.verb in _MOVING
        return (moved or line.verb not in _BOOKKEEPING) and len(line.text) <= limit

    def of_rule(self, found: tuple[Line, ...]) -> tuple[Entry, ...]:
        """Return the effects of a rule that has its own sentence, as far as the sentence leaves them out."""
        return tuple(self._describe_lines(found, of_rule=True))

    def _describe_lines(self, found: tuple[Line, ...], of_rule: bool = False, under: str = "") -> Iterator[Entry]:
        for line in found:
            entry = self._describe_line(line, of_rule, under)
            if entry is not None:
                under += f" {line.at}" if entry.anchor else ""
                yield entry

    def _describe_line(self, line: Line, of_rule: bool, under: str) -> Entry | None:
        """Return the entry for a line, or None if the book leaves it out.

        The clauses replace the line, unless something in it calls a phase or asks for a move. `under`
        holds the references to the source from the steps around it.
        """
        clauses, body = self.context.tell(line.at), self._body(line)
        offered = tuple(_drop_references(entry, clauses) for entry in self._list_offered(line))
        inside = (*offered, *self._describe_lines(body, of_rule, f"{under} {line.at}"))
        cites = self._list_references(line, clauses[1:])
        if clauses and not self._leads_on(line) and not self._says_more(line, clauses):
            return replace(clauses[0], inside=(*clauses[1:], *_iter_anchored(inside)))
        if not clauses and not self._is_kept(line, inside, of_rule, under):
            return None
        head, link = self._find_called_phase(line)
        text = capitalize(self._shorten(line))
        if clauses and (line.moves or link):
            said = f"{clauses[0].text} {text}".strip()
            return replace(clauses[0], text=said, head=head, link=link, inside=(*clauses[1:], *inside))
        return Entry(text, head, cites if not clauses else (), (*clauses, *inside), link=link)

    def _shorten(self, line: Line) -> str:
        """Return the text of a line; its short form if the full text is long or the moves are listed below it."""
        if line.moves or (line.verb == "Run" and line.brief):
            return line.brief
        named_oddly = bool(line.inside) and not line.verb and not line.phase
        long = named_oddly or len(line.text) > LONGEST
        return line.brief if line.brief and self.context.clauses and long else line.text

    def _list_references(self, line: Line, clauses: tuple[Entry, ...]) -> tuple[Cite, ...]:
        """Return the references of a line, without the clauses that are listed inside it."""
        inside = {entry.anchor for entry in clauses}
        return tuple(cite for cite in self.context.cites(line.at) if cite.link not in inside)

    def _leads_on(self, line: Line) -> bool:
        """Return whether a line asks for a roll or a move, or calls a phase that has its own section."""
        there = line.phase and not self._is_short(line.phase)
        return bool(line.moves or there or line.verb == "Roll") or any(
            self._leads_on(inner) for inner in self._body(line)
        )

    def _says_more(self, line: Line, clauses: tuple[Entry, ...]) -> bool:
        """Return whether a line moves pieces that its clauses do not mention."""
        short = line.verb in _MOVING and len(line.text) <= LONGEST_STEP
        return short and not covers(line.text, (entry.text for entry in clauses), COVERED_SHARE)

    def _is_kept(self, line: Line, inside: tuple[Entry, ...], of_rule: bool, under: str) -> bool:
        if line.moves or (line.phase and not self._is_short(line.phase)):
            return True
        if line.inside or line.phase:
            return bool(inside)
        short = line.verb in _MOVING and len(line.text) <= LONGEST_STEP
        named = short and any(name in self.context.clauses for name in line.at.split())
        if not (named or self._is_told(line)) or (of_rule and self.context.clauses and line.verb in _SAID_BY_RULES):
            return False
        names = {name for name in line.at.split() if name in self.context.clauses}
        if names and (line.verb == "Set" or (line.verb != "Score" and names <= set(under.split()))):
            return False  # a clause told before says it
        return not (of_rule and line.verb) or line.verb in _EFFECTS_OF_RULES

    def _body(self, line: Line) -> tuple[Line, ...]:
        return (*self._lines[line.phase], *line.inside) if line.phase and self._is_short(line.phase) else line.inside

    def _find_called_phase(self, line: Line) -> tuple[str, str]:
        """Return the title and the anchor of the phase that a line calls; both empty if there is nothing to say."""
        if not line.phase or self._is_bookkeeping(line.phase):
            return "", ""
        label = capitalize(self.context.voice.label("phases", line.phase))
        if self._is_short(line.phase):
            return (label if not line.text else ""), ""
        return label, make_anchor("phase", line.phase)

    def _list_offered(self, line: Line) -> tuple[Entry, ...]:
        """Return the moves and obligations of a line: described here, or linked to their description."""
        voice, known = self.context.voice, self.context.force.obligations
        moves = [
            self._describe_rule("move", name, build_move_title(name, voice), self.of_move)
            for name in dict.fromkeys(line.moves)
        ]
        duties = [
            self._describe_rule("obligation", name, capitalize(voice.label("obligations", name)), self.of_duty)
            for name in line.obey
            if name in known and make_anchor("obligation", name) not in self.shown
        ]
        obeyed = (Entry(self.context.say("course.obey"), inside=tuple(duties)),) if duties else ()
        return (*_drop_repeated_texts(moves), *obeyed)

    def _describe_rule(self, sort: str, name: str, label: str, tell: OfRule) -> Entry:
        place = make_anchor(sort, name)
        if place in self.shown:
            return Entry(head=label, link=place)
        self.shown.add(place)
        return tell(name, self)

    def exact(self, found: tuple[Line, ...]) -> tuple[Entry, ...]:
        """Return all lines in the wording of their formulas."""
        return tuple(self._describe_line_exactly(line) for line in found)

    def _describe_line_exactly(self, line: Line) -> Entry:
        head, link = self._find_called_phase(line)
        return Entry(capitalize(line.text), head, self.context.cites(line.at), self.exact(self._body(line)), link=link)


def _drop_repeated_texts(found: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries; a text that repeats an earlier one is removed."""
    before = set[str]()
    for entry in found:
        yield replace(entry, text="") if entry.text in before else entry
        before.add(entry.text)


def _drop_references(entry: Entry, clauses: Iterable[Entry]) -> Entry:
    """Return the entry without references to these clauses."""
    before = {clause.anchor for clause in clauses}
    return replace(entry, cites=tuple(cite for cite in entry.cites if cite.link not in before))


def _iter_anchored(found: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the outermost entries with an anchor, at any depth."""
    for entry in found:
        if entry.anchor:
            yield entry
        else:
            yield from _iter_anchored(entry.inside)


def walk_lines(found: tuple[Line, ...]) -> Iterator[Line]:
    """Yield these lines and all lines inside them."""
    for line in found:
        yield line
        yield from walk_lines(line.inside)
