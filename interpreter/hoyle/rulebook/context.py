"""Gather what the sections need: rules in force, the voice, and clauses not yet told."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from hoyle.checking.analysis import Reachable, find_reachable
from hoyle.game.game import Game
from hoyle.language import ir
from hoyle.language.model import Rule, Ruleset, Table
from hoyle.language.sentences import FALLBACK, LANGUAGES, fill_sentence, load_catalogue
from hoyle.language.steps import Run, Score, Step, every_step
from hoyle.prose.assignments import decide_condition, is_zero_score
from hoyle.prose.conditions import make_voice, read_headings
from hoyle.prose.grammar import smooth
from hoyle.prose.step_sentences import describe_steps
from hoyle.prose.voice import Voice
from hoyle.reading.tree import Node
from hoyle.rulebook.document import Cite, Entry, make_anchor
from hoyle.rulebook.reach import Reach, analyze_reach

NEARLY = 0.8
"""Share of a clause's longer words that a sentence must contain to replace the clause."""
HERE = Path(__file__).parent


def say(key: str, lang: str, /, **values: object) -> str:
    """Return a sentence of the rulebook's catalogue in a language, with its gaps filled."""
    known = load_catalogue(HERE, lang if lang in LANGUAGES else FALLBACK)
    return smooth(fill_sentence(known[key], lang, values), lang) if values else known[key]


class RulebookContext(Struct, frozen=True):
    """The state of writing one rulebook.

    `clauses`: texts of the clauses by id. `places`: anchors by sentence of this book. `said`: clauses
    already told. Each clause is told once, by the first section that asks for it.
    """

    game: Game
    voice: Voice
    force: Reachable
    clauses: dict[str, str]
    places: dict[str, str]
    said: set[str]
    of_steps: set[str]
    """Clauses that steps name; they are told there instead of at a rule."""
    reach: Reach
    agreed: dict[str, list[str]]
    """Clauses named by each option."""

    @property
    def rules(self) -> Ruleset:
        return self.game.ruleset

    @property
    def lang(self) -> str:
        return self.voice.lang

    @property
    def columns(self) -> frozenset[str]:
        """Return the columns that rules in force use, as `table.column`."""
        return frozenset(part.table for part in self.reach.parts if isinstance(part, ir.Attr))

    def rows(self, table: Table) -> list[int]:
        """Return the numbers of the rows that can occur under the options."""
        gone = self.reach.gone.get(table.name, frozenset())
        return [n for n in range(len(table.rows)) if n not in gone]

    def say(self, key: str, /, **values: object) -> str:
        return say(key, self.lang, **values)

    def cites(self, at: str) -> tuple[Cite, ...]:
        """Return the references of a rule; clauses link to the place where they are told."""
        places = [p for p in _split_references(at, self.rules.clauses) if _is_place(p)]
        if self.clauses:  # a player knows nothing of pages of the source: the clauses say what it says
            places = [p for p in places if p in self.clauses]
        return tuple(Cite(place, self.places.get(self.clauses.get(place, ""), "")) for place in places)

    def cites_beside(self, at: str, inside: Iterable[Entry], here: str = "") -> tuple[Cite, ...]:
        """Return the references that are told neither at anchor `here` nor by the entries inside."""
        below = {here, *(entry.anchor for entry in inside)}
        return tuple(cite for cite in self.cites(at) if not cite.link or cite.link not in below)

    def tell(self, at: str) -> tuple[Entry, ...]:
        """Return the named clauses that are not told yet and that no rule covers; mark them as told."""
        return tuple(self._iter_untold(at.split()))

    def _iter_untold(self, names: Iterable[str]) -> Iterator[Entry]:
        for name in names:
            words = self.clauses.get(name, "")
            if words and words not in self.said and self.places[words].startswith("clause-"):
                self.said.add(words)
                yield Entry(words, cites=(Cite(name, self.places[words]),), anchor=self.places[words])

    def besides(self, rule: Rule) -> tuple[Entry, ...]:
        """Return the clauses that a rule names, without those told at steps."""
        return self.tell(" ".join(name for name in rule.at.split() if name not in self.of_steps))

    def mentions(self, label: str) -> bool:
        """Return whether any sentence of the rulebook contains the label, singular or plural."""
        stem = re.escape(label[:-1] if label.endswith("s") else label)
        return any(re.search(rf"\b{stem}", words, re.IGNORECASE) for words in self.places)


def build_context(game: Game, lang: str) -> RulebookContext:
    """Gather the rules of a game in force and their clauses, in a language."""
    rules, root = game.ruleset, game.compiled.merged.root
    voice = make_voice(rules, lang, read_headings(root))
    known = partial(decide_condition, voice=voice)
    force = find_reachable(rules, known)
    of_steps, agreed = _find_step_clauses(rules, force, voice), _find_option_clauses(rules, root)
    found = RulebookContext(game, voice, force, {}, {}, set(), of_steps, analyze_reach(rules, force, known), agreed)
    found.clauses.update(_iter_clauses(found, root, _find_live_clauses(rules, force, voice)))
    found.places.update(_iter_sentences(found))
    for name, words in found.clauses.items():
        found.places.setdefault(
            words, (name not in found.of_steps and _find_equivalent_rule(name, found)) or make_anchor("clause", name)
        )
    return found


def _find_step_clauses(rules: Ruleset, force: Reachable, voice: Voice) -> set[str]:
    steps = [step for (name, _), phase in rules.phases.items() if name in force.phases for step in phase.steps]
    return {name for alive, at in _iter_step_references(steps, True, voice) if alive for name in at.split()}


def _find_equivalent_rule(clause: str, context: RulebookContext) -> str:
    """Return the anchor of a rule whose sentences nearly contain the clause; empty if there is none."""
    namers = {rule.text(context.lang): place for rule, place in _iter_rules(context) if clause in rule.at.split()}
    return next(iter(namers.values())) if namers and covers(context.clauses[clause], namers, NEARLY) else ""


def _find_stems(words: str) -> set[str]:
    """Return the first five letters of each longer word."""
    return {word[:5] for word in re.findall(r"\w{5,}", words.lower())}


def covers(words: str, by: Iterable[str], much: float) -> bool:
    """Return whether the sentences contain at least this share of the longer words."""
    stems = _find_stems(words)
    return len(stems & _find_stems(" ".join(by))) >= much * len(stems)


def _iter_sentences(context: RulebookContext) -> Iterator[tuple[str, str]]:
    """Yield the sentences of rules in force, with their anchors."""
    return ((rule.text(context.lang), place) for rule, place in _iter_rules(context))


def _iter_rules(context: RulebookContext) -> Iterator[tuple[Rule, str]]:
    """Yield the rules in force that can have a sentence, with their anchors."""
    rules, force = context.rules, context.force
    yield from ((entry.rule, make_anchor("whenever", n)) for n, entry in rules.whenever.items() if n in force.whenever)
    yield from (
        (duty.rule, make_anchor("obligation", n)) for n, duty in rules.obligations.items() if n in force.obligations
    )
    for name, move in rules.moves.items():
        if name in force.moves:
            found = (move.rule, *(c.rule for c in move.conditions if c.rule is not None))
            yield from ((rule, make_anchor("move", name)) for rule in found)


def _split_references(at: str, clauses: Iterable[str]) -> Iterator[str]:
    """Yield each clause id alone, and the words between two ids as one string."""
    known, held = set(clauses), list[str]()
    for word in at.split():
        if word in known:
            if held:
                yield " ".join(held)
            held = []
            yield word
        else:
            held.append(word)
    if held:
        yield " ".join(held)


def _is_place(words: str) -> bool:
    """Return whether the words name a place of the source; options and libraries are written in lower case."""
    return words != words.lower()


# ---- which clauses are told ------------------------------------------------------------------------------------------


def _find_live_clauses(rules: Ruleset, force: Reachable, voice: Voice) -> set[str]:
    """Return the clauses that at least one rule or step in force names."""
    return {name for alive, at in _iter_references(rules, force, voice) if alive for name in at.split()}


def _iter_references(rules: Ruleset, force: Reachable, voice: Voice) -> Iterator[tuple[bool, str]]:
    for name, move in rules.moves.items():
        if name in force.moves:
            yield True, move.rule.at
        for condition in move.conditions:
            if name in force.moves and condition.rule is not None and decide_condition(condition.expr, voice) is None:
                yield True, condition.rule.at
        yield from _iter_step_references(move.then, name in force.moves, voice)
    for name, duty in rules.obligations.items():
        yield name in force.obligations, duty.rule.at
    for name, entry in rules.whenever.items():
        yield name in force.whenever, entry.rule.at
        yield from _iter_step_references(entry.do, name in force.whenever, voice)
    for (name, _), phase in rules.phases.items():
        yield from _iter_step_references(phase.steps, name in force.phases, voice)


def _iter_step_references(steps: Iterable[Step], alive: bool, voice: Voice) -> Iterator[tuple[bool, str]]:
    for step in every_step(steps):
        if step.at:
            yield alive and not _is_idle(step, voice), step.at


def _is_idle(step: Step, voice: Voice) -> bool:
    """Return whether the options switch off the step or everything that it runs."""
    never = step.when is not None and decide_condition(step.when, voice) is False
    match step.verb:
        case Score():
            return never or is_zero_score(step.verb, voice)
        case Run(name):
            phases = (voice.rules.phases.get((name, acting)) for acting in (False, True))
            return never or not any(describe_steps(phase.steps, voice) for phase in phases if phase is not None)
    return never


def _iter_clauses(found: RulebookContext, root: Node, live: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the clauses of this book in order: named by rules in force or options, or homed in one of them."""
    named = live.union(_iter_other_references(found.rules, root), *found.agreed.values())
    for name, clause in found.rules.clauses.items():
        words = clause.words.get(found.lang) or clause.words.get(FALLBACK, "")
        asked = words.rstrip("\u202f\u00a0 ").endswith("?")
        if words and not asked and (name in named or (clause.home and _is_home_in_force(found, clause.home))):
            yield name, re.sub(rf"^{re.escape(name)}\s*:\s*", "", words)


def _find_option_clauses(rules: Ruleset, root: Node) -> dict[str, list[str]]:
    """Return the clauses that each relevant option names or is the home of."""
    found = dict[str, list[str]]()
    for option in rules.options.keys() - rules.idle:
        home = f"options/{option}"
        cited = set(list_cited_clauses(root, home))
        found[option] = [name for name, clause in rules.clauses.items() if name in cited or clause.home == home]
    return found


def _is_home_in_force(found: RulebookContext, home: str) -> bool:
    section, _, rest = home.partition("/")
    alive = {
        "moves": found.force.moves,
        "obligations": found.force.obligations,
        "whenever": found.force.whenever,
        "flow": found.force.phases,
        "options": set[str](),
    }.get(section.strip())
    return alive is None or rest.split("/")[0].strip() in alive


def _iter_other_references(rules: Ruleset, root: Node) -> Iterator[str]:
    """Yield clauses named in sections without steps, except by table rows that the options exclude."""
    for section in ("players", "pieces", "piles", "tables", "state", "result"):
        node = root.get(section)
        if node is not None:
            yield from (word for at in _iter_ats(node, {*_find_excluded_rows(rules, root)}) for word in at.split())


def _find_excluded_rows(rules: Ruleset, root: Node) -> Iterator[int]:
    for name, table in rules.tables.items():
        rows = cited.get("rows") if (cited := root["tables"].get(name)) is not None else None
        for row, _, node in rows.entries() if rows is not None else ():
            if row.replace(" ", "_") not in table.rows:
                yield id(node)


def _iter_ats(node: Node, left_out: Container[int] = ()) -> Iterator[str]:
    for name, _, value in node.entries() if node.kind == "map" and id(node) not in left_out else ():
        if name == "at" and value.kind == "scalar":
            yield value.raw
        elif value.kind == "map":
            yield from _iter_ats(value, left_out)


def list_cited_clauses(root: Node, section: str) -> list[str]:
    """Return the ids that a section of the ruleset names."""
    node: Node | None = root
    for name in section.split("/"):
        node = node.get(name) if node is not None and node.kind == "map" else None
    return [word for at in _iter_ats(node) for word in at.split()] if node is not None else []
